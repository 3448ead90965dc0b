// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/plain_components.hpp"

#include "generate.hpp"
#include "snug/explain.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/plan.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plain_components_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::Progress;
using snug::Status;
using snug::detail::Flat;
using snug::detail::List;
using snug::detail::PlainComponents;
using What = PlainComponents::What;

namespace {

[[nodiscard]] Flat presolved(const Problem<>& problem,
                             std::int64_t ceiling = 100) {
  Flat flat = snug::detail::flatten(problem);
  ceiling = snug::detail::presolve(flat, ceiling);
  return flat;
}

/// Buffers 0 and 1 are live together, and so are 2 and 3 later on.
[[nodiscard]] Problem<> two_pairs() {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2}, {{1, 3}, 3}, {{4, 6}, 4}, {{5, 7}, 5}};
  return problem;
}

/// Four buffers, of two components mostly, and nearly all that there is; with one that
/// may last through others of its component, which are two then, or one.
[[nodiscard]] Problem<> draw(std::uint64_t seed, bool lasting = false) {
  Random random(seed);
  Problem<> problem;
  for (std::int64_t i = 0; i < (lasting ? 5 : 4); ++i) {
    const std::int64_t lower = (i % 2) * 4 + random.between(0, 2);
    problem.buffers.push_back(
        {{lower, lower + random.between(1, 3)}, random.between(0, 3)});
    auto& buffer = problem.buffers.back();
    if (i == 4) buffer = {{0, random.between(2, 5)}, random.between(1, 2)};
    if (lasting && random.chance(70)) continue;
    if (random.chance(20)) buffer.alignment = random.between(1, 3);
    if (random.chance(20)) buffer.end = End::kBottom;
    if (random.chance(20)) buffer.end = End::kTop;
    if (random.chance(10)) buffer.gaps = {{{lower, lower + 1}, {}}};
    if (random.chance(15)) buffer.offset = random.between(0, 3);
  }
  if (random.chance(30)) problem.base = random.between(1, 2);
  if (lasting && random.chance(60)) return problem;
  const auto draw_other = [&](std::size_t i) {
    return (i + random.between(std::size_t{1}, std::size_t{3})) % 4;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t other = random.chance(80) ? (i + 2) % 4 : draw_other(i);
    if (random.chance(20))
      problem.aliases.push_back({i, other, random.between(-2, 2)});
    if (random.chance(15)) problem.apart.push_back({i, other});
    if (random.chance(10)) problem.may_overlap.push_back({i, other});
  }
  if (random.chance(15)) problem.reserved = {{{2, 3}, {{2, 5}}}};
  return problem;
}

[[nodiscard]] std::vector<std::int64_t> pick(
    const std::vector<std::int64_t>& offsets, const List<std::uint32_t>& of) {
  std::vector<std::int64_t> result;
  for (const std::uint32_t i : of) result.push_back(offsets[i]);
  return result;
}

/// The lowest height of a placement, or -1. Also requires, of each way to place all,
/// that it is a placement if both sides are, if there are two.
[[nodiscard]] std::int64_t lowest_of(const Problem<>& problem, What what,
                                     std::int64_t capacity) {
  const Flat flat = presolved(problem, capacity);
  const PlainComponents components(flat, what, 1);
  Problem<> plain;
  Problem<> others;
  if (components.divide()) {
    plain = unflatten(
        what == What::kLasting
            ? snug::detail::subset_of(flat, components.chosen())
            : PlainComponents::subset_of_plain(flat, components.chosen()));
    others = unflatten(snug::detail::subset_of(flat, components.others()));
  }
  std::vector<std::int64_t> offsets(problem.buffers.size(), 0);
  std::int64_t lowest = -1;
  for (bool more = true; more;) {
    const bool is_valid = validate_pairwise(problem, capacity, offsets).ok();
    if (components.divide())
      SNUG_REQUIRE_OFTEN(is_valid ==
                         (validate_pairwise(plain, capacity,
                                            pick(offsets, components.chosen()))
                              .ok() &&
                          validate_pairwise(others, capacity,
                                            pick(offsets, components.others()))
                              .ok()));
    if (is_valid) {
      const std::int64_t height = height_of(problem, offsets);
      if (lowest < 0 || height < lowest) lowest = height;
    }
    std::size_t i = 0;
    while (i < offsets.size() && offsets[i] == capacity) offsets[i++] = 0;
    more = i < offsets.size();
    if (more) ++offsets[i];
  }
  return lowest;
}

/// What the reports of a call said.
struct Reports {
  std::int64_t highest_bound = 0;
  std::int64_t lowest_height = 1'000'000;

  static bool add(const Progress& progress, void* data) {
    auto& all = *static_cast<Reports*>(data);
    all.highest_bound = (std::max)(all.highest_bound, progress.lower_bound);
    if (progress.height >= 0)
      all.lowest_height = (std::min)(all.lowest_height, progress.height);
    return true;
  }

  /// Those of a call of so many nodes that reports here all that it can.
  [[nodiscard]] Options options(std::int64_t nodes) {
    Options result;
    result.node_limit = nodes;
    result.progress = &Reports::add;
    result.progress_data = this;
    result.progress_interval = std::chrono::nanoseconds(0);
    return result;
  }
};

}  // namespace

TEST_CASE("plain components: who is in one") {
  const auto sides = [](auto&& change, What what = What::kPlain) {
    Problem<> problem = two_pairs();
    change(problem);
    REQUIRE(snug::check(problem).ok());
    const Flat flat = presolved(problem);
    const PlainComponents components(flat, what, 1);
    if (!components.divide()) return std::vector<std::uint32_t>{};
    const List<std::uint32_t> plain = components.chosen();
    return std::vector<std::uint32_t>(plain.begin(), plain.end());
  };
  using Members = std::vector<std::uint32_t>;
  CHECK(sides([](auto&) {}) == Members{});
  CHECK(sides([](auto& p) { p.aliases = {{2, 3, 5}}; }) == Members{0, 1});
  CHECK(sides([](auto& p) { p.aliases = {{1, 0, 2}}; }) == Members{2, 3});
  CHECK(sides([](auto& p) { p.aliases = {{1, 2, 2}}; }) == Members{});
  CHECK(sides([](auto& p) { p.may_overlap = {{2, 3}}; }) == Members{0, 1});
  CHECK(sides([](auto& p) {
          p.buffers[3].gaps = {{{5, 6}, {}}};
        }) == Members{0, 1});
  CHECK(sides([](auto& p) {
          p.buffers[2].end = End::kBottom;
          p.buffers[3].end = End::kTop;
          p.buffers[0].end = End::kBottom;
        }) == Members{0, 1});
  // A pair kept apart makes one of two.
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.apart = {{0, 2}};
        }) == Members{});
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.buffers[0].lifespan.upper = 5;
        }) == Members{});
  // What is fixed does not, and is on both sides.
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.buffers.push_back({{0, 9}, 1});
          p.buffers[4].offset = 10;
        }) == Members{0, 1, 4});
  // If that is tied, it may share bytes.
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.buffers.push_back({{0, 9}, 2});
          p.buffers.push_back({{0, 9}, 2});
          p.buffers[4].offset = 10;
          p.aliases = {{5, 4, 1}};
        }) == Members{});
  // A fixed top may have a bottom below it.
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.buffers[0].end = End::kBottom;
          p.buffers.push_back({{0, 9}, 1});
          p.buffers[4].offset = 10;
          p.buffers[4].end = End::kTop;
        }) == Members{});
  // They begin at the address of most.
  CHECK(sides([](auto& p) {
          p.base = 1;
          p.buffers[2].alignment = 2;
        }) == Members{0, 1});
  CHECK(sides([](auto& p) {
          p.base = 1;
          p.buffers[3].alignment = 2;
        }) == Members{0, 1});
  CHECK(sides([](auto& p) {
          p.base = 1;
          p.buffers[0].alignment = p.buffers[1].alignment = 2;
          p.buffers.push_back({{6, 7}, 2});
        }) == Members{2, 3, 4});
  // Who has no bytes is live with nobody.
  CHECK(sides([](auto& p) {
          p.may_overlap = {{2, 3}};
          p.buffers.push_back({{0, 9}, 0});
        }) == Members{0, 1});
  // With pairs a problem is plain, but not pure.
  const auto keep_apart = [](auto& p) {
    p.buffers.push_back({{8, 9}, 1});
    p.apart = {{4, 2}};
  };
  CHECK(sides(keep_apart) == Members{});
  CHECK(sides(keep_apart, What::kPure) == Members{0, 1});
  CHECK(sides(
            [&](auto& p) {
              keep_apart(p);
              p.buffers.push_back({{8, 9}, 1});
              p.buffers[5].offset = 0;
            },
            What::kPure) == Members{});
  // Through the first component somebody lasts, through the second one all do.
  const auto with_lasting = [&](auto&& change) {
    return sides(
        [&](auto& p) {
          p.buffers.push_back({{0, 3}, 1});
          p.buffers[1].lifespan.lower = 2;
          change(p);
        },
        What::kLasting);
  };
  CHECK(with_lasting([](auto&) {}) == Members{0, 1, 4});
  // It need not be the largest one.
  CHECK(with_lasting([](auto& p) {
          p.buffers[3].lifespan = {5, 9};
          p.buffers.push_back({{8, 11}, 1});
          p.buffers.push_back({{10, 12}, 1});
        }) == Members{0, 1, 4});
  CHECK(with_lasting([](auto& p) { p.buffers[4].size = 0; }) == Members{});
  CHECK(with_lasting([](auto& p) { p.buffers[4].lifespan.lower = 2; }) ==
        Members{});
  CHECK(with_lasting([](auto& p) { p.apart = {{0, 2}}; }) == Members{});
  CHECK(with_lasting([](auto& p) { p.aliases = {{0, 2, 1}}; }) == Members{});
  CHECK(with_lasting([](auto& p) {
          p.buffers[2].size = p.buffers[3].size = 0;
        }) == Members{});
  // What is fixed or reserved elsewhere does not matter.
  CHECK(with_lasting([](auto& p) {
          p.buffers[2].offset = 1;
          p.reserved = {{{0, 1}, {{4, 7}}}};
        }) == Members{0, 1, 4});
}

namespace {

/// Requires of a small problem that divides that it is placed as low as can be.
/// Returns whether it fits.
[[nodiscard]] bool is_placed_lowest(const Problem<>& problem, What what,
                                    std::int64_t capacity) {
  const std::int64_t lowest = lowest_of(problem, what, capacity);
  const auto result = snug::minimize_within(problem, capacity);
  REQUIRE(is_solved(result) == (lowest >= 0));
  if (lowest >= 0) {
    REQUIRE(result.height == lowest);
    REQUIRE(result.lower_bound <= lowest);
    REQUIRE(validate_pairwise(problem, lowest, result.offsets).ok());
    const auto placed = snug::solve(problem, lowest);
    REQUIRE(placed.has_solution());
    REQUIRE(validate_pairwise(problem, lowest, placed.offsets).ok());
  }
  const std::int64_t less = lowest < 0 ? capacity : lowest - 1;
  REQUIRE(snug::solve(problem, less).status == Status::kInfeasible);
  const auto core = snug::explain(problem, less);
  REQUIRE(core.status == Status::kInfeasible);
  CHECK(core.proved_irreducible);
  return lowest >= 0;
}

}  // namespace

TEST_CASE("plain components: placements are those of both sides") {
  constexpr std::int64_t kCapacity = 6;
  std::size_t cases = 0;
  std::size_t fits = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    const Flat flat = presolved(problem, kCapacity);
    const bool is_plain =
        snug::detail::searched_ground<snug::detail::BothModels>(flat)
            .has_value();
    const What what = is_plain ? What::kPure : What::kPlain;
    if (!PlainComponents(flat, what).divide()) continue;
    CAPTURE(seed);
    ++cases;
    if (is_placed_lowest(problem, what, kCapacity)) ++fits;
  }
  CHECK(cases > effort<std::size_t>(600));
  CHECK(fits > effort<std::size_t>(300));
}

TEST_CASE("plain components: placements with who lasts through one") {
  constexpr std::int64_t kCapacity = 5;
  std::size_t cases = 0;
  std::size_t fits = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    const Problem<> problem = draw(seed, true);
    if (!snug::check(problem).ok()) continue;
    const Flat flat = presolved(problem, kCapacity);
    if (!PlainComponents(flat, What::kLasting, 1).divide()) continue;
    CAPTURE(seed);
    ++cases;
    if (is_placed_lowest(problem, What::kLasting, kCapacity)) ++fits;
  }
  CHECK(cases > effort<std::size_t>(600));
  CHECK(fits > effort<std::size_t>(300));
}

TEST_CASE("plain components: what refutes one side") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 1}, {{2, 3}, 2}};
  problem.aliases = {{1, 0, 1}};
  for (auto buffer :
       snug::benchmarks::guillotine<>(25, 64, 40, 1).problem.buffers) {
    buffer.lifespan.lower += 10;
    buffer.lifespan.upper += 10;
    problem.buffers.push_back(buffer);
  }
  const Options options;
  snug::Stats stats;
  snug::detail::Call call(options, stats);
  snug::detail::Found found;
  REQUIRE(snug::detail::place_flat<snug::detail::BothModels,
                                   snug::detail::Wanted::kAny>(
              presolved(problem, 63), 63, call, found) ==
          snug::detail::Outcome::kRefuted);
  REQUIRE(!found.core.empty());
  CHECK(found.core.front() >= 2);
  CHECK(snug::solve(unflatten(snug::detail::subset_of(presolved(problem, 63),
                                                      found.core)),
                    63)
            .status == Status::kInfeasible);
}

TEST_CASE("plain components: limits and reports of both sides") {
  std::size_t settled = 0;
  for (std::uint64_t seed = 1; seed <= effort<std::uint64_t>(40); ++seed) {
    CAPTURE(seed);
    // Two hard problems, one after the other: one of which has a tie.
    Problem<> problem =
        snug::benchmarks::guillotine<>(25, 64, 40, seed).problem;
    for (auto buffer :
         snug::benchmarks::guillotine<>(20, seed % 2 == 0 ? 80 : 50, 40, seed)
             .problem.buffers) {
      buffer.lifespan.lower += 1000;
      buffer.lifespan.upper += 1000;
      problem.buffers.push_back(buffer);
    }
    const std::size_t tied = problem.buffers.size();
    problem.buffers.push_back({{1000, 1001}, 1});
    problem.buffers.push_back({{1039, 1040}, 2});
    problem.aliases = {{tied, tied + 1, 1}};
    REQUIRE(snug::check(problem).ok());
    const auto best = snug::minimize(problem);
    REQUIRE(best.status == Status::kOptimal);
    REQUIRE(best.height >= (seed % 2 == 0 ? 80 : 64));
    for (std::int64_t nodes = 1; nodes < 5000; nodes *= 3) {
      Reports reports;
      const Options options = reports.options(nodes);
      const auto result = snug::minimize(problem, options);
      REQUIRE(reports.highest_bound <= best.height);
      REQUIRE(reports.lowest_height >= best.height);
      REQUIRE(result.height <= reports.lowest_height);
      REQUIRE(result.lower_bound <= best.height);
      REQUIRE(result.stats.nodes <= nodes);
      if (result.has_solution()) {
        REQUIRE(result.height >= best.height);
        REQUIRE(validate_pairwise(problem, result.height, result.offsets).ok());
      }
      if (result.status == Status::kOptimal) ++settled;
      const auto placed = snug::solve(problem, best.height, options);
      REQUIRE(reports.highest_bound <= best.height);
      REQUIRE(placed.status != Status::kInfeasible);
      REQUIRE(snug::solve(problem, best.height - 1, options).status !=
              Status::kFeasible);
    }
  }
  CHECK(settled > effort<std::size_t>(200));
}

TEST_CASE("plain components: sides of one height both go on") {
  Options options;
  options.node_limit = 2000;
  for (const std::uint64_t seed : {4U, 33U, 34U}) {
    CAPTURE(seed);
    Problem<> problem =
        snug::benchmarks::guillotine<>(60, 1000, 80, seed).problem;
    const std::size_t tied = 2 * problem.buffers.size();
    for (std::size_t i = 0; i < tied / 2; ++i) {
      auto buffer = problem.buffers[i];
      buffer.lifespan.lower += 1000;
      buffer.lifespan.upper += 1000;
      problem.buffers.push_back(buffer);
    }
    problem.buffers.push_back({{1000, 1001}, 1});
    problem.buffers.push_back({{1079, 1080}, 2});
    problem.aliases = {{tied, tied + 1, 1}};
    const auto result = snug::minimize(problem, options);
    REQUIRE(result.has_solution());
    // Only limits end it sooner.
    if (result.status != Status::kOptimal)
      CHECK(result.stats.nodes > 9 * options.node_limit / 10);
  }
}

TEST_CASE("plain components: many with constraints keep what they had") {
  for (std::uint64_t seed = 1; seed <= effort(6U); ++seed) {
    Random random(seed);
    Problem<> problem;
    for (std::size_t i = 0; i < 800; ++i) {
      const std::int64_t lower = random.between(0, 1600);
      problem.buffers.push_back(
          {{lower, lower + random.between(4, 60)}, random.between(1, 1000)});
      auto& buffer = problem.buffers.back();
      if (random.chance(10))
        buffer.gaps = {{{lower + 1, buffer.lifespan.upper - 1}, {}}};
    }
    // As high, and hard as well.
    for (std::size_t i = 0; i < 60; ++i) {
      const std::int64_t lower = random.between(5000, 5030);
      problem.buffers.push_back(
          {{lower, lower + random.between(1, 20)}, random.between(1, 1500)});
      problem.buffers.back().alignment = random.chance(50) ? 5 : 7;
    }
    for (const std::int64_t nodes : {100, 3000, 20000}) {
      CAPTURE(seed, nodes);
      Reports reports;
      const Options options = reports.options(nodes);
      const auto result = snug::minimize(problem, options);
      REQUIRE(result.has_solution());
      REQUIRE(result.height <= reports.lowest_height);
      REQUIRE(reports.highest_bound <= result.height);
      REQUIRE(result.lower_bound >= reports.highest_bound);
      REQUIRE(validate_pairwise(problem, result.height, result.offsets).ok());
    }
  }
}

TEST_CASE("plain components: as many lowest addresses as buffers") {
  // They are not divided once for each of them.
  Problem<> problem;
  problem.base = 1;
  for (std::int64_t i = 0; i < 2000; ++i)
    problem.buffers.push_back({{2 * i, 2 * i + 1}, 1, i + 2});
  const auto result = snug::minimize(problem);
  REQUIRE(result.status == Status::kOptimal);
  CHECK(result.height == 2002);
  CHECK(result.stats.peak_bytes < 8 * 1024 * 1024);
}

TEST_CASE("plain components: lasting buffers with others elsewhere") {
  // Two models, one after the other, with weights of their own.
  Problem<> problem = snug::benchmarks::guillotine<>(25, 64, 40, 3).problem;
  const std::size_t half = problem.buffers.size() + 6;
  for (std::int64_t k = 0; k < 6; ++k)
    problem.buffers.push_back({{0, 40}, 3 + 5 * k});
  Options options;
  options.node_limit = 20'000;
  const auto alone = snug::minimize(problem, options);
  REQUIRE(alone.status == Status::kOptimal);
  const auto nodes_with = [&](auto&& change) {
    Problem<> changed = problem;
    change(changed);
    const auto result = snug::minimize(changed, options);
    REQUIRE(result.status == Status::kOptimal);
    CHECK(result.height == alone.height);
    return result.stats.nodes;
  };
  const std::int64_t nodes = alone.stats.nodes;
  CHECK(nodes_with([](auto& p) {
          p.buffers.push_back({{50, 51}, 1});
        }) <= nodes + 8);
  CHECK(nodes_with([](auto& p) {
          p.buffers.push_back({{50, 51}, 1});
          p.buffers.back().offset = 7;
        }) <= nodes + 8);
  CHECK(nodes_with([](auto& p) {
          p.reserved = {{{0, 5}, {{50, 51}}}, {{9, 12}, {{60, 70}}}};
        }) <= nodes);
  CHECK(nodes_with([&](auto& p) {
          for (std::size_t i = 0; i < half; ++i) {
            auto buffer = p.buffers[i];
            buffer.lifespan.lower += 100;
            buffer.lifespan.upper += 100;
            p.buffers.push_back(buffer);
          }
        }) <= 2 * nodes + 200);
}

TEST_CASE("plain components: constraints elsewhere take nothing") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Problem<> problem =
        snug::benchmarks::guillotine<>(100, 1000, 80, seed).problem;
    Options options;
    options.node_limit = 20'000;
    const std::int64_t nodes = snug::solve(problem, 1000, options).stats.nodes;
    const std::size_t n = problem.buffers.size();
    problem.buffers.push_back({{500, 502}, 4});
    problem.buffers.push_back({{501, 503}, 3});
    const auto with = [&](auto&& change) {
      Problem<> changed = problem;
      change(changed);
      return snug::solve(changed, 1000, options).stats.nodes;
    };
    CHECK(with([&](auto& p) { p.aliases = {{n, n + 1, 1}}; }) <= nodes + 8);
    CHECK(with([&](auto& p) { p.may_overlap = {{n, n + 1}}; }) <= nodes + 8);
    CHECK(with([&](auto& p) {
            p.buffers[n].lifespan = {498, 499};
            p.apart = {{n, n + 1}};
          }) <= nodes + 8);
    CHECK(with([&](auto& p) {
            p.buffers[n].end = End::kBottom;
            p.buffers[n + 1].end = End::kTop;
          }) <= nodes + 8);
  }
}

}  // namespace plain_components_test
