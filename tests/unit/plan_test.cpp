// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constrained problems from end to end, but for what the oracle can tell:
// property/constrained_test.cpp.
#include "snug/plan/plan.hpp"

#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/plan/body_placer.hpp"
#include "snug/plan/place.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/pairwise.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace plan_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;
using snug::detail::BodiesAlone;
using snug::detail::BothModels;
using snug::detail::Outcome;

namespace {

constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();

/// The search for bodies, for a ladder.
class BodiesSearch {
 public:
  using Source = snug::detail::FlatModels<BothModels>;

  BodiesSearch(Source& models, std::int64_t capacity, snug::detail::Call& call)
      : unit_(models.searched(call)->bodies().unit),
        bodies_(*models.searched(call), capacity / unit_, call) {}

  [[nodiscard]] Outcome run(snug::detail::Found& found) {
    found.bound = bodies_.lower_bound() * unit_;
    const Outcome outcome = bodies_.place(snug::detail::kNoNodeLimit);
    if (outcome == Outcome::kPlacedAll) bodies_.write(found.offsets);
    return outcome;
  }

 private:
  std::int64_t unit_;
  snug::detail::BodyPlacer bodies_;
};

/// Whatever it is, by the search for bodies.
Result<> solve_as_bodies(const Problem<>& problem, std::int64_t capacity) {
  Result<> result;
  const Options options;
  snug::detail::Call call(options, result.stats);
  snug::detail::Found found;
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  snug::detail::FlatModels<BothModels> models(flat);
  const Outcome outcome = BodiesSearch(models, capacity, call).run(found);
  snug::detail::write_back(problem, found, result);
  result.status = outcome == Outcome::kRefuted     ? Status::kInfeasible
                  : outcome == Outcome::kPlacedAll ? Status::kFeasible
                                                   : Status::kUnknown;
  if (outcome == Outcome::kOpen) result.stopped_by = Stop::kNodeLimit;
  return result;
}

/// From a placement that is three times as high as the load.
Result<> minimize_as_bodies(const Problem<>& problem) {
  Result<> result;
  const Options options;
  snug::detail::Call call(options, result.stats);
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const std::int64_t load = load_of(problem);
  snug::detail::Found found;
  snug::detail::FlatModels<BothModels> models(flat);
  REQUIRE(BodiesSearch(models, 3 * load, call).run(found) ==
          Outcome::kPlacedAll);
  snug::detail::Ladder<BodiesSearch>(models,
                                     {snug::detail::unit_of(flat, 0), 0}, call)
      .climb(found);
  snug::detail::write_back(problem, found, result);
  result.status = Status::kOptimal;
  return result;
}

/// A walk that does not fit at its load, with a constraint that presolve does
/// not see through: two buffers that never meet anybody are kept apart.
Problem<> hard_constrained(std::size_t k) {
  Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
  problem.buffers.push_back({{1000, 1001}, 1});
  problem.buffers.push_back({{1002, 1003}, 1});
  const std::size_t n = problem.buffers.size();
  problem.apart = {{n - 2, n - 1}};
  return problem;
}

void check_solved(const Problem<>& problem, std::int64_t capacity,
                  const Result<>& result) {
  REQUIRE(is_solved(result));
  CHECK(snug::validate(problem, capacity, result.offsets).ok());
  CHECK(result.height == height_of(problem, result.offsets));
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

TEST_CASE("plan: bodies are searched in units, and the answer is in bytes",
          "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{0, 1}, 8}, {{1, 2}, 8}};
  const Result<> result = solve_as_bodies(problem, 15);
  check_solved(problem, 15, result);
  CHECK(result.height == 12);
  CHECK(result.lower_bound == 12);
  check_infeasible(solve_as_bodies(problem, 11));
}

TEST_CASE("plan: plain problems have the same answers as bodies", "[plan]") {
  std::size_t solved = 0;
  std::size_t infeasible = 0;
  for (std::size_t k = 0; k < 90; ++k) {
    if (!is_due(k)) continue;
    const Problem<> problem =
        k % 3 == 0 ? middle_walk<>(kHardMiddleWalks[k]) : middle_walk<>(k);
    const std::int64_t load = load_of(problem);
    for (std::int64_t capacity = load - 1; capacity < load + 3; ++capacity) {
      const Result<> plain = snug::solve(problem, capacity);
      const Result<> bodies = solve_as_bodies(problem, capacity);
      CAPTURE(k, load, capacity);
      REQUIRE(is_placed(bodies.status) == is_placed(plain.status));
      CHECK(bodies.lower_bound <= plain.lower_bound);
      if (is_solved(plain)) {
        check_solved(problem, capacity, bodies);
        ++solved;
      } else {
        check_infeasible(bodies);
        ++infeasible;
      }
    }
    const Result<> plain = snug::minimize(problem);
    const Result<> bodies = minimize_as_bodies(problem);
    CHECK(is_placed(bodies.status) == is_placed(plain.status));
    CHECK(bodies.height == plain.height);
    CHECK(bodies.lower_bound == plain.lower_bound);
    CHECK(snug::validate(problem, bodies.height, bodies.offsets).ok());
  }
  CHECK(solved > at_least_due(100U));
  CHECK(infeasible > at_least_due(100U));
}

TEST_CASE("plan: larger walks, cut and tight", "[plan]") {
  for (std::uint64_t seed = 0; seed < effort(12U); ++seed) {
    const auto cut = snug::benchmarks::guillotine<>(60, 64, 30, seed);
    check_solved(cut.problem, 64, solve_as_bodies(cut.problem, 64));
    check_infeasible(solve_as_bodies(cut.problem, 63));
    snug::benchmarks::TightWalk walk;
    walk.units = 24;
    walk.live = 6;
    walk.steps = 30;
    const Problem<> tight = snug::benchmarks::tight_walk<>(walk, seed);
    const std::int64_t load = load_of(tight);
    const Result<> plain = snug::solve(tight, load);
    const Result<> bodies = solve_as_bodies(tight, load);
    CAPTURE(seed);
    REQUIRE(plain.stopped_by == Stop::kNone);
    REQUIRE(bodies.stopped_by == Stop::kNone);
    CHECK(is_placed(plain.status) == is_placed(bodies.status));
    if (is_solved(bodies)) check_solved(tight, load, bodies);
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
    CHECK(is_solved(result));
    CHECK(result.offsets.empty());
    CHECK(result.height == 0);
    CHECK(result.lower_bound == 0);
  }
  const Result<> result = snug::minimize(problem);
  CHECK(is_solved(result));
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
  CHECK(is_solved(result));
  CHECK(result.lower_bound == result.height);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
  CHECK(lowest_within(problem, 40) == result.height);
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
  CHECK(is_solved(result));
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
    CHECK(is_solved(result));
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
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.length = random.between(1, 3);
    shape.largest = 4;
    Problem<> problem = uniform<>(shape, random);
    for (auto& buffer : problem.buffers)
      if (random.chance(40)) buffer.alignment = random.between(1, 13);
    for (int k = random.between(1, 2); k > 0; --k) add_alias(problem, random);
    add_ends(problem, 80, random);
    if (random.chance(20)) add_fixed(problem, random);
    if (!snug::check(problem).ok()) continue;
    const Result<> lowest = snug::minimize(problem);
    const Result<> high = snug::solve(problem, 100000);
    CAPTURE(seed);
    REQUIRE(is_placed(lowest.status) == is_placed(high.status));
    if (lowest.status == Status::kInfeasible) {
      ++never;
    } else {
      REQUIRE(lowest.height == lowest.lower_bound);
      REQUIRE(snug::solve(problem, lowest.height - 1).status ==
              Status::kInfeasible);
      ++solved;
    }
  }
  CHECK(never > at_least<std::size_t>(50));
  CHECK(solved > at_least<std::size_t>(1000));
}

TEST_CASE("plan: the height that different grids take", "[plan]") {
  const Problem<> problem = classes_on_two_grids();
  const Result<> result = snug::minimize(problem);
  CHECK(is_solved(result));
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
    CHECK(is_solved(result));
    CHECK(result.height == height);
    CHECK(result.offsets[1] == *problem.buffers[1].hint);
    CHECK(snug::validate(problem, height, result.offsets).ok());
  }
}

TEST_CASE("plan: hints change no answer", "[plan]") {
  std::size_t honoured = 0;
  std::size_t hints = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(600); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    Problem<> hinted = problem;
    Problem<> bare = problem;
    Random random(seed);
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
    if (!is_solved(lowest)) continue;
    REQUIRE(snug::validate(hinted, other.height, other.offsets).ok());
    for (const std::int64_t more : {-1, 0, 5}) {
      const std::int64_t capacity = lowest.height + more;
      if (capacity < 0) continue;
      const Result<> result = snug::solve(hinted, capacity);
      REQUIRE(is_placed(result.status) ==
              is_placed(snug::solve(bare, capacity).status));
      if (!is_solved(result)) continue;
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
    REQUIRE(k < kHardMiddleWalks.size());
    problem = hard_constrained(k);
    load = load_of(problem);
    whole = snug::solve(problem, load);
  }
  check_infeasible(whole);
  CHECK(whole.lower_bound == load + 1);
  Tuned options;
  for (std::int64_t limit = 0; limit <= whole.stats.nodes + 1; ++limit) {
    options.node_limit = limit;
    const Result<> result = snug::solve(problem, load, options);
    CAPTURE(limit, whole.stats.nodes);
    if (limit >= whole.stats.nodes) {
      REQUIRE(same(result, whole));
      continue;
    }
    REQUIRE(result.stopped_by == Stop::kNodeLimit);
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
    REQUIRE(is_solved(best));
    std::size_t stopped = 0;
    for (std::int64_t nodes = 0; nodes <= best.stats.nodes;
         nodes += 1 + best.stats.nodes / 100) {
      Tuned options;
      options.node_limit = nodes;
      const Result<> result = snug::minimize(problem, options);
      CAPTURE(k, nodes, result.height, result.lower_bound, best.height);
      REQUIRE(result.lower_bound <= best.height);
      REQUIRE((is_solved(result) || result.stopped_by == Stop::kNodeLimit));
      if (result.stopped_by == Stop::kNodeLimit) ++stopped;
      if (result.offsets.empty()) {
        REQUIRE(result.stopped_by == Stop::kNodeLimit);
        continue;
      }
      REQUIRE(snug::validate(problem, result.height, result.offsets).ok());
      REQUIRE(best.height <= result.height);
      if (is_solved(result)) REQUIRE(result.height == result.lower_bound);
    }
    CHECK(stopped > 10);
  }
}

TEST_CASE("plan: the clock and the flag stop it", "[plan]") {
  const Problem<> problem = hard_constrained(0);
  const std::int64_t load = load_of(problem);
  Tuned options;
  options.time_limit = std::chrono::nanoseconds(0);
  Result<> result = snug::solve(problem, load, options);
  CHECK(result.stopped_by == Stop::kTimeLimit);
  CHECK(result.offsets.empty());
  CHECK(result.lower_bound == load);
  options.time_limit = std::chrono::hours(1000);
  std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  result = snug::solve(problem, load, options);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(result.stats.nodes == 0);
  cancel = false;
  check_infeasible(snug::solve(problem, load, options));
  SECTION("also while a loose problem is tried without its gaps") {
    Problem<> loose = problem;
    loose.may_overlap = {{0, problem.buffers.size() - 1}};
    loose.apart.clear();
    cancel = true;
    CHECK(snug::solve(loose, load, options).stopped_by == Stop::kCancelled);
    cancel = false;
    options.time_limit = std::chrono::nanoseconds(0);
    CHECK(snug::solve(loose, load, options).stopped_by == Stop::kTimeLimit);
  }
}

TEST_CASE("plan: the same again gives the same again", "[plan]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem<> problem = draw_constrained(seed, 9);
    const std::int64_t capacity = load_of(problem) + 3;
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
  Tuned options;
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
  CHECK(is_solved(result));
  CHECK(reports.count > 0);
  CHECK(reports.best >= result.height);
  CHECK(reports.bound >= load_of(problem));
  CHECK(reports.bound <= result.height);
}

TEST_CASE("plan: near the limits of the type", "[plan]") {
  Problem<std::int32_t, std::int32_t> problem;
  constexpr std::int32_t kTop = (std::numeric_limits<std::int32_t>::max)();
  problem.buffers = {{{0, 1}, kTop / 2}, {{0, 1}, kTop / 2 - 9}};
  problem.base = 10;
  const auto result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == kTop / 2 + kTop / 2 - 9 + 10);
  CHECK(is_solved(snug::solve(problem, kTop)));
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
    Tuned options;
    options.use(strategies);
    options.own.rules.section_inference = false;
    options.own.rules.no_hurt_placement = false;
    options.own.rules.abandoned_slot = false;
    const auto result = snug::solve(problem, std::int64_t{12}, options);
    CAPTURE(strategies);
    CHECK(is_solved(result));
    CHECK(snug::validate(problem, std::int64_t{12}, result.offsets).ok());
  }
}

namespace {

/// A walk as a problem of these types, in units of `unit`.
template <class T>
Problem<T, T> walk_of(std::size_t k, std::int64_t unit) {
  return middle_walk<T, T>(kHardMiddleWalks[k], unit);
}

/// Its changed form takes the same steps as the plain problem, `up` bytes higher.
template <class T, class Change>
void check_same_steps(Change&& change, T up = 0) {
  std::int64_t nodes = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    if (!is_due(k)) continue;
    const auto problem = walk_of<T>(k, 8);
    const T load = load_of(problem);
    for (T capacity = load; capacity <= load + 8; capacity += 8) {
      auto changed = problem;
      change(changed, static_cast<T>(capacity + up));
      REQUIRE(snug::check(changed).ok());
      const auto expected = snug::solve(problem, capacity);
      const auto result = snug::solve(changed, static_cast<T>(capacity + up));
      CAPTURE(k, capacity);
      CHECK(result.status == expected.status);
      CHECK(result.stats.nodes == expected.stats.nodes);
      CHECK(result.lower_bound == expected.lower_bound + up);
      if (result.has_solution())
        CHECK(snug::validate(changed, static_cast<T>(capacity + up),
                             result.offsets)
                  .ok());
      nodes += expected.stats.nodes;
    }
    auto changed = problem;
    change(changed, (std::numeric_limits<T>::max)());
    const auto expected = snug::minimize(problem);
    const auto result = snug::minimize(changed);
    CAPTURE(k);
    CHECK(result.status == expected.status);
    CHECK(result.stats.nodes == expected.stats.nodes);
    CHECK(result.height == expected.height + up);
    CHECK(result.lower_bound == expected.lower_bound + up);
    CHECK(snug::validate(changed, result.height, result.offsets).ok());
  }
  CHECK(nodes > at_least_due(500));
}

}  // namespace

TEMPLATE_TEST_CASE("plan: no cliffs where nothing makes a difference", "[plan]",
                   std::int64_t, std::int32_t) {
  using Walk = Problem<TestType, TestType>;
  SECTION("a base") {
    check_same_steps<TestType>([](Walk& p, TestType) { p.base = 40; }, 40);
  }
  SECTION("a base between two addresses of all") {
    check_same_steps<TestType>(
        [](Walk& p, TestType) {
          p.base = 33;
          p.alignment = 8;
        },
        40);
  }
  SECTION("the alignment of the heap") {
    check_same_steps<TestType>([](Walk& p, TestType) { p.alignment = 8; });
  }
  SECTION("reserved bytes below the base") {
    check_same_steps<TestType>(
        [](Walk& p, TestType) {
          p.base = 16;
          p.reserved = {{{3, 9}, {}}, {{2, 7}, {{0, 1}}}};
        },
        16);
  }
  SECTION("reserved bytes from the base up") {
    check_same_steps<TestType>(
        [](Walk& p, TestType) {
          p.reserved = {{{0, 16}, {}}};
        },
        16);
  }
  SECTION("reserved bytes at and above the capacity") {
    check_same_steps<TestType>([](Walk& p, TestType capacity) {
      if (capacity < 100000000)
        p.reserved = {{{capacity, static_cast<TestType>(capacity + 1)}, {}}};
      p.reserved.push_back({{100000000, 100000001}, {{0, 5}}});
    });
  }
  SECTION("bottoms without a top") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      for (auto& buffer : p.buffers) buffer.end = End::kBottom;
    });
  }
  SECTION("tops without a bottom") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      for (auto& buffer : p.buffers) buffer.end = End::kTop;
    });
  }
  SECTION("buffers of two halves") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      for (std::size_t i = 0, n = p.buffers.size(); i < n; i += 3) {
        auto upper = p.buffers[i];
        p.buffers[i].size /= 2;
        upper.size -= p.buffers[i].size;
        p.contiguous.push_back({i, p.buffers.size()});
        p.buffers.push_back(upper);
      }
    });
  }
  SECTION("a gap whose window is the whole") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      auto& buffer = p.buffers[0];
      buffer.gaps = {{buffer.lifespan, {{0, buffer.size}}}};
    });
  }
  SECTION("pairs") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      for (std::size_t i = 0; i < p.buffers.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          (p.buffers[i].lifespan.overlaps(p.buffers[j].lifespan)
               ? p.apart
               : p.may_overlap)
              .push_back({i, j});
    });
  }
  SECTION("buffers of size zero") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      p.buffers.push_back({{0, 5}, 0});
      p.buffers.push_back({{0, 5}, 0, 64});
    });
  }
  SECTION("ties of one buffer") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      p.aliases = {{1, 1, 0}};
      p.contiguous = {{2}, {}};
    });
  }
  SECTION("hints out of reach") {
    check_same_steps<TestType>([](Walk& p, TestType) {
      for (auto& buffer : p.buffers)
        buffer.hint = (std::numeric_limits<TestType>::max)();
    });
  }
}

TEST_CASE("plan: hints cost little", "[plan]") {
  std::int64_t plain = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    const Problem<> problem = walk_of<std::int64_t>(k, 1);
    const auto n = static_cast<std::int64_t>(problem.buffers.size());
    const Result<> lowest = snug::minimize(problem);
    const Result<> below = snug::solve(problem, lowest.height - 1);
    const Result<> at = snug::solve(problem, lowest.height);
    CAPTURE(k);
    SECTION("that fit") {
      Problem<> same = problem;
      for (std::size_t i = 0; i < same.buffers.size(); ++i)
        same.buffers[i].hint = lowest.offsets[i];
      const Result<> result = snug::solve(same, lowest.height);
      CHECK(result.offsets == lowest.offsets);
      CHECK(result.stats.nodes == 0);
      CHECK(snug::minimize(same).offsets == lowest.offsets);
      CHECK(snug::minimize(same).stats.nodes == lowest.stats.nodes);
    }
    SECTION("that do not") {
      Random random(k);
      Problem<> other = problem;
      for (auto& buffer : other.buffers)
        buffer.hint = random.between(std::int64_t{0}, lowest.height);
      // Three rounds of a few nodes for each buffer, at most.
      const std::int64_t more = 3 * 4 * n + 3;
      const Result<> refuted = snug::solve(other, lowest.height - 1);
      CHECK(refuted.status == Status::kInfeasible);
      CHECK(refuted.stats.nodes <= below.stats.nodes + more);
      // And some more to move fewer than the placement does.
      const std::int64_t fewer = more + 64 * n;
      const Result<> placed = snug::solve(other, lowest.height);
      CHECK(is_solved(placed));
      CHECK(placed.stats.nodes <= at.stats.nodes + fewer);
      const Result<> minimum = snug::minimize(other);
      CHECK(minimum.height == lowest.height);
      CHECK(minimum.stats.nodes <= lowest.stats.nodes + fewer);
    }
    plain += lowest.stats.nodes + below.stats.nodes + at.stats.nodes;
  }
  CHECK(plain > 1000);
}

namespace {

/// What the reports of a call said, at worst.
struct Told {
  std::int64_t bound = 0;    ///< the highest
  std::int64_t height = -1;  ///< the lowest, or -1
  std::int64_t nodes = 0;
  std::int64_t reports = 0;
  bool in_order = true;  ///< no report took anything back
};

Options telling(Told& told) {
  Options options;
  options.progress_data = &told;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress = [](const snug::Progress& progress, void* data) {
    Told& all = *static_cast<Told*>(data);
    ++all.reports;
    all.in_order = all.in_order && progress.nodes >= all.nodes &&
                   progress.lower_bound >= all.bound &&
                   (all.height < 0 || progress.height <= all.height);
    all.nodes = progress.nodes;
    all.bound = (std::max)(all.bound, progress.lower_bound);
    if (progress.height >= 0) all.height = progress.height;
    return true;
  };
  return options;
}

}  // namespace

TEST_CASE("plan: a bound that was known stays known", "[plan]") {
  const Problem<> problem = hard_constrained(4);
  snug::detail::Flat flat = snug::detail::flatten(problem);
  const std::int64_t known = 2 * load_of(problem);
  const Options options;
  snug::Stats stats;
  snug::detail::Call call(options, stats);
  call.note_bound(known);
  snug::detail::FlatModels<BodiesAlone> models(flat);
  const snug::detail::BodyPlacer bodies(*models.searched(call), known, call);
  CHECK(bodies.lower_bound() * bodies.bodies().unit < known);
  const snug::detail::WholeSearch<BodiesAlone> search(models, 4 * known, call);
  CHECK(call.known().lower_bound == known);
  snug::detail::Found found;
  (void)snug::detail::place_around_peak<BothModels, snug::detail::Wanted::kAny>(
      flat, 4 * known, call, found, [](auto&&...) { return Outcome::kOpen; });
  CHECK(call.known().lower_bound == known);
}

TEST_CASE("plan: what is reported is true of the whole problem", "[plan]") {
  std::int64_t reports = 0;
  const auto check = [&](const Problem<>& problem) {
    Told told;
    const Result<> lowest = snug::minimize(problem, telling(told));
    reports += told.reports;
    if (lowest.status == Status::kInfeasible) {
      CHECK(told.height == -1);
      return;
    }
    REQUIRE(is_solved(lowest));
    CHECK(told.bound <= lowest.height);
    CHECK((told.height == -1 || told.height >= lowest.height));
    CHECK(told.in_order);
    // A bound that solve() reports holds at any capacity.
    for (const std::int64_t more : {0, 3}) {
      Told other;
      const Result<> solved =
          snug::solve(problem, lowest.height + more, telling(other));
      REQUIRE(is_solved(solved));
      CHECK(other.bound <= lowest.height);
      CHECK((other.height == -1 || other.height >= lowest.height));
      CHECK(other.in_order);
      reports += other.reports;
    }
  };
  SECTION("a buffer that occupies nothing") {
    Problem<> problem;
    problem.buffers = {{{0, 2}, 1}, {{0, 2}, 1}};
    problem.buffers[1].gaps = {{{0, 2}, {}}};
    problem.buffers[0].end = End::kBottom;
    check(problem);
    problem.buffers[0].end = End::kTop;
    check(problem);
  }
  SECTION("small problems with constraints") {
    for (std::uint64_t seed = 0; seed < effort(1500U); ++seed) {
      CAPTURE(seed);
      check(draw_constrained(seed, 8));
    }
  }
  SECTION("walks with a base, gaps and hints") {
    for (std::size_t k = 0; k < 20; ++k) {
      if (!is_due(k)) continue;
      CAPTURE(k);
      Problem<> problem = hard_constrained(k);
      problem.base = 5;
      check(problem);
      problem.apart.clear();
      check(problem);
      Random random(k);
      add_gaps(problem, 30, random);
      check(problem);
      add_hints(problem, 50, random);
      check(problem);
    }
  }
  CHECK(reports > 0);
}

TEST_CASE("plan: no height is reported that only a relaxed problem has",
          "[plan]") {
  // A hundred buffers that must not meet, among many: the first placements are
  // made without that.
  for (std::uint64_t seed = 0; seed < effort(4U); ++seed) {
    Random random(seed);
    Problem<> problem;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 1100; ++i) {  // Too many for the plain search.
      const std::int64_t lower = random.between(0, 199);
      problem.buffers.push_back(
          {{lower, lower + random.between(1, 30)}, random.between(1, 50)});
      if (i >= 100) continue;
      sum += problem.buffers[i].size;
      for (std::size_t j = 0; j < i; ++j) problem.apart.push_back({j, i});
    }
    Told told;
    Options options = telling(told);
    options.node_limit = 200;
    const Result<> result = snug::minimize(problem, options);
    CAPTURE(seed, sum);
    REQUIRE(result.has_solution());
    CHECK(result.height >= sum);
    CHECK(told.reports > 0);
    CHECK((told.height == -1 || told.height >= sum));
    CHECK(told.bound <= result.height);
  }
}

TEST_CASE("plan: minimize within a capacity", "[plan]") {
  std::size_t infeasible = 0;
  std::size_t solved = 0;
  const auto check = [&](const Problem<>& problem) {
    const Result<> lowest = snug::minimize(problem);
    const std::int64_t height =
        lowest.has_solution() ? lowest.height : std::int64_t{20};
    for (const std::int64_t more : {-2, -1, 0, 1, 5}) {
      const std::int64_t capacity = height + more;
      if (capacity < 0) continue;
      const Result<> result = snug::minimize_within(problem, capacity);
      CAPTURE(capacity, height);
      if (lowest.has_solution() && more >= 0) {
        REQUIRE(is_solved(result));
        REQUIRE(result.height == lowest.height);
        REQUIRE(result.lower_bound == lowest.lower_bound);
        REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
        ++solved;
      } else {
        check_infeasible(result);
        REQUIRE(result.lower_bound > capacity);
        ++infeasible;
      }
    }
  };
  for (std::uint64_t seed = 0; seed < effort(500U); ++seed) {
    CAPTURE(seed);
    check(draw_constrained(seed, 7));
  }
  for (std::size_t k = 0; k < 20; ++k) {
    if (!is_due(k)) continue;
    CAPTURE(k);
    check(walk_of<std::int64_t>(k, 3));
    check(hard_constrained(k));
  }
  CHECK(infeasible > at_least(500U));
  CHECK(solved > at_least(1000U));
  Result<> result = snug::minimize_within(Problem<>{}, std::int64_t{-1});
  CHECK(result.status == Status::kInvalid);
  CHECK(result.error.reason == snug::Reason::kNegativeCapacity);
  result = snug::minimize_within(Problem<>{}, std::int64_t{0});
  CHECK(is_solved(result));
}

TEST_CASE("plan: buffers of size zero lie below the capacity", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 0, 16}};
  problem.base = 5;
  check_infeasible(snug::solve(problem, 12));
  check_solved(problem, 16, snug::solve(problem, 16));
  CHECK(snug::minimize(problem).height == 16);
  CHECK(snug::minimize(problem).lower_bound == 16);
  problem.buffers.erase(problem.buffers.begin());
  problem.buffers[0].alignment = 1;
  check_infeasible(snug::solve(problem, 4));
  check_solved(problem, 5, snug::solve(problem, 5));
  problem.base = 0;
  problem.reserved = {{{0, 8}, {}}};
  check_solved(problem, 0, snug::solve(problem, 0));
}

TEST_CASE("plan: bodies on different grids do not push each other on for ever",
          "[plan]") {
  Problem<> problem;
  problem.alignment = 8;
  problem.buffers = {{{0, 3}, 16875442576, 64},
                     {{0, 2}, 59064049016},
                     {{0, 2}, 16875442576, 64}};
  problem.aliases.push_back({1, 0, 33750885152});
  Options options;
  options.node_limit = 10000;
  const Result<> result = snug::minimize(problem, options);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.height == 109690376784);
  CHECK(result.stats.peak_bytes < 1000000);
}

TEST_CASE("plan: the largest capacity there is", "[plan]") {
  // A full memory that has lost a few buffers: its fillers below that capacity
  // would be larger than sizes may add up to.
  Problem<> problem;
  problem.buffers = {{{4, 17}, 341},     {{4, 19}, 351},     {{116, 127}, 124},
                     {{0, 47}, 38},      {{37, 54}, 205},    {{7, 127}, 50},
                     {{23, 31}, 402},    {{0, 52}, 55},      {{6, 9}, 342},
                     {{77, 81}, 390},    {{31, 38}, 193},    {{55, 69}, 420},
                     {{7, 127}, 12},     {{48, 61}, 332},    {{0, 99}, 9},
                     {{100, 107}, 680},  {{81, 87}, 1370},   {{0, 4}, 573},
                     {{19, 23}, 1055},   {{87, 91}, 1273},   {{37, 54}, 362},
                     {{39, 48}, 802},    {{69, 85}, 331},    {{54, 55}, 567},
                     {{68, 72}, 182},    {{4, 6}, 573},      {{15, 19}, 635},
                     {{117, 124}, 354},  {{0, 4}, 37},       {{52, 81}, 71},
                     {{87, 100}, 97},    {{87, 91}, 187},    {{23, 25}, 968},
                     {{48, 77}, 58},     {{25, 31}, 631},    {{35, 37}, 567},
                     {{111, 116}, 107},  {{19, 23}, 315},    {{61, 77}, 75},
                     {{111, 116}, 1297}, {{0, 67}, 15},      {{32, 35}, 567},
                     {{31, 48}, 80},     {{103, 116}, 124},  {{100, 107}, 724},
                     {{0, 52}, 16},      {{108, 111}, 1404}, {{99, 127}, 54},
                     {{74, 81}, 213},    {{99, 103}, 484},   {{113, 127}, 163},
                     {{0, 4}, 1333},     {{82, 99}, 285},    {{55, 69}, 147},
                     {{48, 52}, 258},    {{0, 99}, 45},      {{17, 19}, 384},
                     {{61, 77}, 257},    {{33, 38}, 989},    {{99, 113}, 163},
                     {{25, 31}, 337},    {{72, 81}, 182},    {{117, 124}, 72},
                     {{42, 61}, 263},    {{85, 91}, 380},    {{31, 33}, 989},
                     {{52, 68}, 258},    {{61, 68}, 263},    {{0, 42}, 263},
                     {{48, 73}, 67},     {{109, 127}, 295},  {{39, 48}, 380},
                     {{69, 87}, 187},    {{117, 124}, 978},  {{4, 6}, 635},
                     {{69, 85}, 49},     {{4, 17}, 43}};
  for (const std::int64_t capacity : {kMost, std::int64_t{1} << 62}) {
    const Result<> result = snug::solve(problem, capacity);
    CAPTURE(capacity);
    check_solved(problem, capacity, result);
    CHECK(result.height < 100000);
  }
}

TEST_CASE("plan: what progress reports is returned", "[plan]") {
  // Below what is reserved there is a placement; above it others are found first.
  std::size_t reported = 0;
  for (std::size_t k = 0; k < effort<std::size_t>(60); ++k)
    for (const std::int64_t limit : {5, 20, 40, 60, 80, 120, 200}) {
      Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
      const std::int64_t load = snug::load(problem);
      problem.reserved.push_back({{load + 2, load + 4}, {}});
      std::int64_t least = kMost;
      Options options;
      options.node_limit = limit;
      options.progress_interval = std::chrono::nanoseconds(0);
      options.progress_data = &least;
      options.progress = [](const snug::Progress& progress, void* data) {
        auto& lowest = *static_cast<std::int64_t*>(data);
        if (progress.height >= 0) lowest = (std::min)(lowest, progress.height);
        return true;
      };
      CAPTURE(k, limit);
      const Result<> result = snug::minimize(problem, options);
      if (least == kMost) continue;
      ++reported;
      REQUIRE(result.has_solution());
      REQUIRE(result.height <= least);
      least = kMost;
      const Result<> within = snug::minimize_within(problem, load, options);
      REQUIRE((least == kMost || within.has_solution()));
    }
  CHECK(reported > at_least<std::size_t>(100));
}

TEST_CASE("plan: what was found below what is reserved is not lost", "[plan]") {
  // With as many nodes as that takes, and no more.
  std::size_t searched = 0;
  for (std::size_t k = 0; k < effort<std::size_t>(60); ++k) {
    Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
    const std::int64_t lowest = snug::load(problem) + 1;
    const Result<> open = snug::solve(problem, lowest);
    if (!open.has_solution() || open.stats.nodes == 0) continue;
    ++searched;
    problem.reserved.push_back({{lowest, lowest + 2}, {}});
    Options options;
    options.node_limit = open.stats.nodes;
    CAPTURE(k);
    const Result<> result = snug::minimize(problem, options);
    REQUIRE(result.has_solution());
    REQUIRE(result.height <= lowest);
  }
  CHECK(searched > at_least<std::size_t>(20));
}

TEST_CASE("plan: where there is room, first fit comes before the search",
          "[plan]") {
  std::size_t searched = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(40); ++seed) {
    Random random(seed);
    Problem<> problem;
    for (std::size_t i = 0; i < 120; ++i) {
      const auto begin = random.between<std::int64_t>(0, 60);
      const auto end = begin + random.between<std::int64_t>(3, 9);
      problem.buffers.push_back({{begin, end}, random.between(1, 50)});
      if (i % 9 == 0) problem.buffers[i].gaps = {{{begin + 1, begin + 2}, {}}};
      if (i % 9 == 3) problem.aliases.push_back({i, i - 1, 5});
      if (i % 9 == 5) problem.may_overlap.push_back({i, i - 1});
      if (i % 9 == 7) problem.apart.push_back({i, i - 1});
    }
    const std::int64_t load = snug::load(problem);
    const std::int64_t capacity = load + load / 2;
    CAPTURE(seed, load);
    const Result<> result = snug::solve(problem, capacity);
    REQUIRE(is_solved(result));
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
    REQUIRE(result.stats.nodes == 0);
    // What it cannot fit is for the search.
    Options options;
    options.node_limit = 1000;
    if (snug::solve(problem, load, options).stats.nodes > 0) ++searched;
  }
  CHECK(searched > at_least<std::size_t>(20));
}

TEST_CASE("plan: what is fixed above the capacity", "[plan]") {
  Problem<> problem;
  problem.buffers = {{{5, 6}, 4}, {{3, 6}, 1}, {{4, 5}, 4}, {{5, 6}, 2}};
  problem.buffers[0].gaps = {{{5, 6}, {}}};
  problem.buffers[1].alignment = 2;
  problem.buffers[2].offset = 6;
  problem.aliases = {{0, 2, -3}, {0, 3, 0}};
  // The time is up at any step of the way.
  for (std::int64_t k = 0; k < 20'000; ++k) {
    Options options;
    options.time_limit = std::chrono::nanoseconds(k);
    SNUG_REQUIRE_OFTEN(!snug::solve(problem, 8, options).has_solution());
  }
  const Result<> result = snug::solve(problem, 8);
  CHECK(result.status == Status::kInfeasible);
  CHECK(result.lower_bound == 10);
  CHECK(snug::solve(problem, 10).has_solution());
}

}  // namespace plan_test
