// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constrained problems from end to end, but for what the oracle can tell:
// property/constrained_test.cpp.
#include "snug/plan/plan.hpp"

#include "snug/minimize.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/pairwise.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using snug::End;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::Outcome;

namespace {

constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();

/// Whatever it is, by the search for bodies.
template <class Solve>
Result<> by_bodies(const Problem<>& problem, const Solve& solve) {
  Result<> result;
  const Options options;
  snug::detail::Run run(options, result.stats);
  snug::detail::Found found;
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  snug::detail::BodiesPlan<false> bodies(flat, run);
  const Outcome outcome = solve(bodies, found);
  found.bound = bodies.bound();
  snug::detail::write_back(problem, found, result);
  result.status = outcome == Outcome::kRefuted     ? Status::kInfeasible
                  : outcome == Outcome::kPlacedAll ? Status::kSolved
                                                   : Status::kNodeLimit;
  return result;
}

Result<> solve_as_bodies(const Problem<>& problem, std::int64_t capacity) {
  return by_bodies(problem, [&](auto& bodies, auto& found) {
    return bodies.solve(capacity, found);
  });
}

Result<> minimize_as_bodies(const Problem<>& problem) {
  return by_bodies(problem, [&](auto& bodies, auto& found) {
    return bodies.minimize(kMost, found);
  });
}

/// A walk that does not fit at its load, with a constraint that presolve does
/// not see through: two buffers that never meet anybody are kept apart.
Problem<> hard_constrained(std::size_t k) {
  Problem<> problem =
      snug::testing::middle_walk<>(snug::testing::kHardMiddleWalks[k]);
  problem.buffers.push_back({{1000, 1001}, 1});
  problem.buffers.push_back({{1002, 1003}, 1});
  const std::size_t n = problem.buffers.size();
  problem.apart = {{n - 2, n - 1}};
  return problem;
}

void check_solved(const Problem<>& problem, std::int64_t capacity,
                  const Result<>& result) {
  REQUIRE(result.status == Status::kSolved);
  CHECK(snug::validate(problem, capacity, result.offsets).ok());
  CHECK(result.height == snug::testing::height_of(problem, result.offsets));
  CHECK(result.lower_bound <= result.height);
}

void check_infeasible(const Result<>& result) {
  CHECK(result.status == Status::kInfeasible);
  CHECK(result.offsets.empty());
  CHECK(result.height == 0);
}

bool same(const Result<>& a, const Result<>& b) {
  return a.status == b.status && a.offsets == b.offsets &&
         a.height == b.height && a.lower_bound == b.lower_bound &&
         a.stats.nodes == b.stats.nodes && a.stats.runs == b.stats.runs &&
         a.stats.peak_bytes == b.stats.peak_bytes &&
         std::string(a.stats.strategy) == b.stats.strategy;
}

}  // namespace

TEST_CASE("plan: plain problems have the same answers as bodies", "[plan]") {
  std::size_t solved = 0;
  std::size_t infeasible = 0;
  for (std::size_t k = 0; k < 90; ++k) {
    const Problem<> problem =
        k % 3 == 0
            ? snug::testing::middle_walk<>(snug::testing::kHardMiddleWalks[k])
            : snug::testing::middle_walk<>(k);
    const std::int64_t load = snug::testing::load_of(problem);
    for (std::int64_t capacity = load - 1; capacity < load + 3; ++capacity) {
      const Result<> plain = snug::solve(problem, capacity);
      const Result<> bodies = solve_as_bodies(problem, capacity);
      CAPTURE(k, load, capacity);
      REQUIRE(bodies.status == plain.status);
      CHECK(bodies.lower_bound <= plain.lower_bound);
      if (plain.status == Status::kSolved) {
        check_solved(problem, capacity, bodies);
        ++solved;
      } else {
        check_infeasible(bodies);
        ++infeasible;
      }
    }
    const Result<> plain = snug::minimize(problem);
    const Result<> bodies = minimize_as_bodies(problem);
    CHECK(bodies.status == plain.status);
    CHECK(bodies.height == plain.height);
    CHECK(bodies.lower_bound == plain.lower_bound);
    CHECK(snug::validate(problem, bodies.height, bodies.offsets).ok());
  }
  CHECK(solved > 100);
  CHECK(infeasible > 100);
}

TEST_CASE("plan: larger walks, cut and tight", "[plan]") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto cut = snug::benchmarks::guillotine<>(60, 64, 30, seed);
    check_solved(cut.problem, 64, solve_as_bodies(cut.problem, 64));
    check_infeasible(solve_as_bodies(cut.problem, 63));
    snug::benchmarks::TightWalk walk;
    walk.units = 24;
    walk.live = 6;
    walk.steps = 30;
    const Problem<> tight = snug::benchmarks::tight_walk<>(walk, seed);
    const std::int64_t load = snug::testing::load_of(tight);
    const Result<> plain = snug::solve(tight, load);
    const Result<> bodies = solve_as_bodies(tight, load);
    CAPTURE(seed);
    CHECK(plain.status == bodies.status);
    if (bodies.status == Status::kSolved) check_solved(tight, load, bodies);
  }
}

TEST_CASE("plan: nothing to place, with every constraint", "[plan]") {
  Problem<> problem;
  problem.base = 5;
  problem.alignment = 4;
  problem.reserved = {{{0, 100}, {}},
                      {{8, 9}, snug::Interval<std::int64_t>{0, 3}}};
  problem.contiguous = {{}};
  for (const std::int64_t capacity : {std::int64_t{0}, kMost}) {
    const Result<> result = snug::solve(problem, capacity);
    CHECK(result.status == Status::kSolved);
    CHECK(result.offsets.empty());
    CHECK(result.height == 0);
    CHECK(result.lower_bound == 0);
  }
  const Result<> result = snug::minimize(problem);
  CHECK(result.status == Status::kSolved);
  CHECK(result.height == 0);
}

TEST_CASE("plan: buffers of size zero lie where they must", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 0}, {{0, 4}, 6}, {{0, 4}, 0, 16}, {{0, 4}, 0}};
  problem.base = 5;
  problem.buffers[0].offset = 9;
  problem.aliases = {{3, 1, 2}};
  const Result<> result = snug::solve(problem, 16);
  check_solved(problem, 16, result);
  CHECK(result.offsets[0] == 9);
  CHECK(result.offsets[2] == 16);
  CHECK(result.offsets[3] == result.offsets[1] + 2);
  check_infeasible(snug::solve(problem, 15));
  CHECK(snug::minimize(problem).height == 16);
  problem.buffers[2].alignment = 1;
  CHECK(snug::minimize(problem).height == 11);
}

TEST_CASE("plan: the base and the alignment of the heap", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 5, 6}, {{1, 3}, 2}};
  problem.base = 7;
  problem.alignment = 4;
  const Result<> result = snug::minimize(problem);
  CHECK(result.status == Status::kSolved);
  CHECK(result.lower_bound == result.height);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
  snug::testing::Exhaustive<std::int64_t, std::int64_t> oracle(problem);
  CHECK(oracle.lowest_within(40) == result.height);
}

TEST_CASE("plan: gaps and windows let buffers share their room", "[plan]") {
  // Three that take turns in the thirds of one.
  Problem<> problem;
  problem.buffers.resize(3, {{0, 3}, 6});
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t t = 0; t < 3; ++t) {
      const std::int64_t third = (i + t) % 3;
      problem.buffers[static_cast<std::size_t>(i)].gaps.push_back(
          {{t, t + 1}, snug::Interval<std::int64_t>{2 * third, 2 * third + 2}});
    }
  Result<> result = snug::minimize(problem);
  CHECK(result.status == Status::kSolved);
  CHECK(result.height == 6);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
  SECTION("unless they are kept apart") {
    problem.apart = {{0, 1}};
    CHECK(snug::minimize(problem).height == 12);
    problem.apart = {{0, 1}, {1, 2}, {0, 2}};
    CHECK(snug::minimize(problem).height == 18);
  }
  SECTION("a gap without a window is nothing at all") {
    for (auto& gap : problem.buffers[0].gaps) gap.window.reset();
    problem.buffers[0].size = 100;
    problem.buffers[0].offset = 0;
    result = snug::minimize(problem);
    CHECK(result.height == 100);
    CHECK(result.status == Status::kSolved);
  }
}

TEST_CASE("plan: ends that no height can satisfy", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 3}, {{1, 3}, 2}};
  problem.buffers[0].end = End::kTop;
  problem.buffers[1].end = End::kBottom;
  check_solved(problem, 8, snug::solve(problem, 8));
  const auto impossible = [&] {
    REQUIRE(snug::check(problem).ok());
    for (const std::int64_t capacity :
         {std::int64_t{8}, std::int64_t{1000}, kMost})
      check_infeasible(snug::solve(problem, capacity));
    check_infeasible(snug::minimize(problem));
  };
  SECTION("a top fixed where no bottom fits below") {
    problem.buffers[0].offset = 2;
    impossible();
  }
  SECTION("above the base, no room is left") {
    problem.buffers[0].offset = 5;
    problem.base = 3;
    impossible();
  }
  SECTION("reserved bytes below a fixed top") {
    problem.buffers[0].offset = 5;
    problem.reserved = {{{2, 4}, {}}};
    impossible();
  }
  SECTION("a bottom fixed at the end of what there is") {
    problem.aliases = {{2, 1, 4}};
    problem.buffers[0].lifespan = {0, 3};
    problem.buffers[2].end = End::kTop;
    // 0 above 1 and somewhere beside 2.
    check_solved(problem, 9, snug::solve(problem, 9));
    problem.buffers[2].end = End::kBottom;
    problem.buffers[0].offset = 5;
    impossible();
  }
  SECTION("kept apart, whatever their lifespans") {
    problem.buffers[1].lifespan = {7, 8};
    problem.buffers[0].offset = 2;
    check_solved(problem, 8, snug::solve(problem, 8));
    problem.apart = {{0, 1}};
    impossible();
  }
  SECTION("but those that may overlap are free") {
    problem.buffers[0].offset = 2;
    problem.may_overlap = {{1, 0}};
    check_solved(problem, 5, snug::solve(problem, 5));
    CHECK(snug::minimize(problem).height == 5);
  }
}

TEST_CASE("plan: infeasible at any height, or not at all", "[plan]") {
  // What minimize() calls infeasible has no placement at a large capacity.
  std::size_t never = 0;
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    snug::testing::Random random(seed);
    snug::testing::Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.length = random.between(1, 3);
    shape.largest = 4;
    Problem<> problem = snug::testing::uniform<>(shape, random);
    for (auto& buffer : problem.buffers)
      if (random.chance(40)) buffer.alignment = random.between(1, 13);
    for (int k = random.between(1, 2); k > 0; --k)
      snug::testing::add_alias(problem, random);
    snug::testing::add_ends(problem, 80, random);
    if (random.chance(20)) snug::testing::add_fixed(problem, random);
    if (!snug::check(problem).ok()) continue;
    const Result<> lowest = snug::minimize(problem);
    const Result<> high = snug::solve(problem, 100000);
    CAPTURE(seed);
    REQUIRE(lowest.status == high.status);
    if (lowest.status == Status::kInfeasible) {
      ++never;
    } else {
      REQUIRE(lowest.height == lowest.lower_bound);
      REQUIRE(snug::solve(problem, lowest.height - 1).status ==
              Status::kInfeasible);
      ++solved;
    }
  }
  CHECK(never > 50);
  CHECK(solved > 1000);
}

TEST_CASE("plan: the height that different grids take", "[plan]") {
  // See body_placer_test.cpp: nothing below 68.
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3, 7}, {{1, 2}, 1}, {{0, 1}, 1, 11}, {{1, 2}, 1}};
  problem.buffers[0].end = End::kBottom;
  problem.buffers[1].end = End::kTop;
  problem.buffers[2].end = End::kTop;
  problem.buffers[3].end = End::kBottom;
  problem.aliases = {{1, 0, 4}, {3, 2, 0}};
  const Result<> result = snug::minimize(problem);
  CHECK(result.status == Status::kSolved);
  CHECK(result.height == 68);
  CHECK(result.lower_bound == 68);
  check_infeasible(snug::solve(problem, 67));
}

TEST_CASE("plan: hints are honoured where they are free", "[plan]") {
  const bool constrained = GENERATE(false, true);
  CAPTURE(constrained);
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 3}, {{1, 3}, 4}};
  if (constrained) problem.may_overlap = {{0, 2}};
  SECTION("all of them") {
    problem.buffers[0].hint = 11;
    problem.buffers[1].hint = 2;
    problem.buffers[2].hint = 5;
    const Result<> result = snug::solve(problem, 14);
    check_solved(problem, 14, result);
    CHECK(result.offsets == std::vector<std::int64_t>{11, 2, 5});
  }
  SECTION("a hint out of reach is ignored") {
    problem.buffers[0].hint = 1000;
    problem.buffers[2].hint = 6;
    const Result<> result = snug::solve(problem, 10);
    check_solved(problem, 10, result);
    CHECK(result.offsets[2] == 6);
    CHECK(result.offsets[0] <= 3);
  }
  SECTION("below the capacity only") {
    problem.buffers[0].hint = 8;
    const Result<> result = snug::solve(problem, 10);
    check_solved(problem, 10, result);
    CHECK(result.offsets[0] != 8);
  }
  SECTION("at the height that was found") {
    const std::int64_t height = snug::minimize(problem).height;
    CHECK(height == (constrained ? 7 : 10));
    problem.buffers[1].hint = constrained ? 4 : 7;
    const Result<> result = snug::minimize(problem);
    CHECK(result.status == Status::kSolved);
    CHECK(result.height == height);
    CHECK(result.offsets[1] == *problem.buffers[1].hint);
    CHECK(snug::validate(problem, height, result.offsets).ok());
  }
}

TEST_CASE("plan: hints change no answer", "[plan]") {
  std::size_t honoured = 0;
  std::size_t hints = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Problem<> problem = snug::testing::draw_constrained(seed, 6);
    Problem<> hinted = problem;
    Problem<> bare = problem;
    snug::testing::Random random(seed);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      bare.buffers[i].hint.reset();
      if (random.chance(50)) hinted.buffers[i].hint = random.between(0, 12);
    }
    const Result<> lowest = snug::minimize(bare);
    const Result<> other = snug::minimize(hinted);
    CAPTURE(seed);
    REQUIRE(lowest.status == other.status);
    REQUIRE(lowest.height == other.height);
    REQUIRE(lowest.lower_bound == other.lower_bound);
    if (lowest.status != Status::kSolved) continue;
    REQUIRE(snug::validate(hinted, other.height, other.offsets).ok());
    for (const std::int64_t more : {-1, 0, 5}) {
      const std::int64_t capacity = lowest.height + more;
      if (capacity < 0) continue;
      const Result<> result = snug::solve(hinted, capacity);
      REQUIRE(result.status == snug::solve(bare, capacity).status);
      if (result.status != Status::kSolved) continue;
      check_solved(hinted, capacity, result);
      for (std::size_t i = 0; i < hinted.buffers.size(); ++i) {
        if (!hinted.buffers[i].hint || bare.buffers[i].offset) continue;
        ++hints;
        if (result.offsets[i] == *hinted.buffers[i].hint) ++honoured;
      }
    }
  }
  // Hints at random: where few of them agree, there is little to keep.
  CAPTURE(hints);
  CHECK(honoured > hints / 12);
}

TEST_CASE("plan: many buffers with hints", "[plan]") {
  // Too many for relations, but not for hints.
  Problem<> problem;
  problem.buffers.resize(2100, {{0, 1}, 3});
  problem.buffers[5].hint = 30;
  check_solved(problem, 6300, snug::solve(problem, 6300));
  const Result<> lowest = snug::minimize(problem);
  CHECK(lowest.height == 6300);
  check_solved(problem, 6300, lowest);
  problem.base = 1;
  check_solved(problem, 6301, snug::solve(problem, 6301));
}

TEST_CASE("plan: tops are raised to the capacity, or the height", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}, {{4, 5}, 2}};
  problem.buffers[0].end = End::kBottom;
  problem.buffers[1].end = End::kTop;
  problem.buffers[2].end = End::kTop;
  const Result<> result = snug::solve(problem, 50);
  check_solved(problem, 50, result);
  CHECK(result.offsets == std::vector<std::int64_t>{0, 46, 48});
  const Result<> lowest = snug::minimize(problem);
  CHECK(lowest.height == 7);
  CHECK(lowest.offsets == std::vector<std::int64_t>{0, 3, 5});
}

TEST_CASE("plan: stopped at every number of nodes", "[plan]") {
  // The first of the walks that takes some nodes.
  Problem<> problem;
  std::int64_t load = 0;
  Result<> whole;
  for (std::size_t k = 0; whole.stats.nodes <= 20; ++k) {
    REQUIRE(k < snug::testing::kHardMiddleWalks.size());
    problem = hard_constrained(k);
    load = snug::testing::load_of(problem);
    whole = snug::solve(problem, load);
  }
  check_infeasible(whole);
  CHECK(whole.lower_bound == load + 1);
  Options options;
  for (std::int64_t limit = 0; limit <= whole.stats.nodes + 1; ++limit) {
    options.node_limit = limit;
    const Result<> result = snug::solve(problem, load, options);
    CAPTURE(limit, whole.stats.nodes);
    if (limit >= whole.stats.nodes) {
      REQUIRE(same(result, whole));
      continue;
    }
    REQUIRE(result.status == Status::kNodeLimit);
    REQUIRE(result.offsets.empty());
    REQUIRE(result.stats.nodes == limit);
    REQUIRE(result.lower_bound == load);
  }
}

TEST_CASE("plan: minimize stopped at any node tells the truth", "[plan]") {
  for (const std::size_t k : {1U, 2U, 3U}) {
    Problem<> problem = hard_constrained(k);
    problem.buffers[0].gaps = {
        {{problem.buffers[0].lifespan.lower, problem.buffers[0].lifespan.upper},
         snug::Interval<std::int64_t>{0, problem.buffers[0].size}}};
    const Result<> best = snug::minimize(problem);
    REQUIRE(best.status == Status::kSolved);
    std::size_t stopped = 0;
    for (std::int64_t nodes = 0; nodes <= best.stats.nodes;
         nodes += 1 + best.stats.nodes / 100) {
      Options options;
      options.node_limit = nodes;
      const Result<> result = snug::minimize(problem, options);
      CAPTURE(k, nodes, result.height, result.lower_bound, best.height);
      REQUIRE(result.lower_bound <= best.height);
      REQUIRE((result.status == Status::kSolved ||
               result.status == Status::kNodeLimit));
      if (result.status == Status::kNodeLimit) ++stopped;
      if (result.offsets.empty()) {
        REQUIRE(result.status == Status::kNodeLimit);
        continue;
      }
      REQUIRE(snug::validate(problem, result.height, result.offsets).ok());
      REQUIRE(best.height <= result.height);
      if (result.status == Status::kSolved)
        REQUIRE(result.height == result.lower_bound);
    }
    CHECK(stopped > 10);
  }
}

TEST_CASE("plan: the clock and the flag stop it", "[plan]") {
  const Problem<> problem = hard_constrained(0);
  const std::int64_t load = snug::testing::load_of(problem);
  Options options;
  options.time_limit = std::chrono::nanoseconds(0);
  Result<> result = snug::solve(problem, load, options);
  CHECK(result.status == Status::kTimeLimit);
  CHECK(result.offsets.empty());
  CHECK(result.lower_bound == load);
  options.time_limit = std::chrono::hours(1000);
  std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  result = snug::solve(problem, load, options);
  CHECK(result.status == Status::kCancelled);
  CHECK(result.stats.nodes == 0);
  cancel = false;
  check_infeasible(snug::solve(problem, load, options));
  SECTION("also while a loose problem is tried without its gaps") {
    Problem<> loose = problem;
    loose.may_overlap = {{0, problem.buffers.size() - 1}};
    loose.apart.clear();
    cancel = true;
    CHECK(snug::solve(loose, load, options).status == Status::kCancelled);
    cancel = false;
    options.time_limit = std::chrono::nanoseconds(0);
    CHECK(snug::solve(loose, load, options).status == Status::kTimeLimit);
  }
}

TEST_CASE("plan: the same again gives the same again", "[plan]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem<> problem = snug::testing::draw_constrained(seed, 9);
    const std::int64_t capacity = snug::testing::load_of(problem) + 3;
    CAPTURE(seed);
    CHECK(same(snug::solve(problem, capacity), snug::solve(problem, capacity)));
  }
}

TEST_CASE("plan: progress is reported", "[plan]") {
  struct Reports {
    std::int64_t count = 0;
    std::int64_t best = -1;
    std::int64_t bound = 0;
  } reports;
  Options options;
  options.progress_data = &reports;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress = [](const snug::Progress& progress, void* data) {
    Reports& all = *static_cast<Reports*>(data);
    ++all.count;
    all.best = progress.height;
    all.bound = (std::max)(all.bound, progress.lower_bound);
    return true;
  };
  const Problem<> problem = hard_constrained(4);
  const Result<> result = snug::minimize(problem, options);
  CHECK(result.status == Status::kSolved);
  CHECK(reports.count > 0);
  CHECK(reports.best >= result.height);
  CHECK(reports.bound >= snug::testing::load_of(problem));
  CHECK(reports.bound <= result.height);
}

TEST_CASE("plan: near the limits of the type", "[plan]") {
  Problem<std::int32_t, std::int32_t> problem;
  constexpr std::int32_t kTop = (std::numeric_limits<std::int32_t>::max)();
  problem.buffers = {{{0, 1}, kTop / 2}, {{0, 1}, kTop / 2 - 9}};
  problem.base = 10;
  const auto result = snug::minimize(problem);
  CHECK(result.status == Status::kSolved);
  CHECK(result.height == kTop / 2 + kTop / 2 - 9 + 10);
  CHECK(snug::solve(problem, kTop).status == Status::kSolved);
  const auto lower =
      snug::solve(problem, static_cast<std::int32_t>(result.height - 1));
  CHECK(lower.status == Status::kInfeasible);
  CHECK(lower.lower_bound == result.height);
}

TEST_CASE("plan: bodies that only hold each other up do not hide a placement",
          "[plan]") {
  // A node that reopens a body after others were skipped in it rests on their
  // skips as well, also in what it remembers.
  Problem<> problem;
  problem.buffers = {{{0, 3}, 3, 5}, {{1, 3}, 3, 4}, {{1, 3}, 2}, {{1, 3}, 4},
                     {{2, 3}, 5},    {{1, 5}, 3},    {{4, 5}, 4}};
  problem.buffers[0].gaps = {{{1, 2}, {}}, {{2, 3}, {{1, 2}}}};
  problem.buffers[1].gaps = {{{2, 3}, {{0, 1}}}};
  problem.buffers[4].gaps = {{{2, 3}, {{1, 5}}}};
  problem.buffers[5].gaps = {{{1, 2}, {{2, 3}}}, {{2, 3}, {}}};
  const std::vector<std::int64_t> known = {0, 0, 10, 6, 1, 1, 4};
  REQUIRE(snug::validate(problem, std::int64_t{12}, known).ok());
  for (const char* const strategies : {"0L", "0ZW"}) {
    Options options;
    options.strategies = strategies;
    options.rules.section_inference = false;
    options.rules.no_hurt_placement = false;
    options.rules.abandoned_slot = false;
    const auto result = snug::solve(problem, std::int64_t{12}, options);
    CAPTURE(strategies);
    CHECK(result.status == snug::Status::kSolved);
    CHECK(snug::validate(problem, std::int64_t{12}, result.offsets).ok());
  }
}
