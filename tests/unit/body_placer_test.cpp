// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/body_placer.hpp"

#include "snug/load.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace body_placer_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BodyPlacer;
using snug::detail::Call;
using snug::detail::Outcome;

namespace {

/// A placer at one capacity after the other, and what it needs.
struct PlacerBench {
  explicit PlacerBench(const Problem<>& problem, const Options& options_ = {})
      : options(options_),
        run(options, stats),
        parts(snug::detail::flatten(problem), run),
        unit(parts.bodies().unit) {
    aim(0);
  }

  void aim(std::int64_t capacity_) {
    capacity = capacity_;
    placer.emplace(parts, capacity, run);
  }
  /// Goes on where it was if it aims there already.
  [[nodiscard]] Outcome place(std::int64_t at,
                              std::int64_t nodes = snug::detail::kNoNodeLimit) {
    if (at != capacity) aim(at);
    return placer->place(nodes);
  }
  [[nodiscard]] std::int64_t lower_bound() const {
    return placer->lower_bound();
  }
  /// A capacity that is enough.
  [[nodiscard]] std::int64_t enough() const {
    return snug::detail::sufficient_capacity(parts.bodies(), lower_bound());
  }

  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    snug::detail::List<std::int64_t> result;
    placer->write(result);
    return {result.begin(), result.end()};
  }
  /// Whether there are few enough bodies for a search.
  [[nodiscard]] bool searches() {
    (void)place(snug::detail::kFar, 1);
    return stats.runs > 0;
  }

  Options options;
  Stats stats;
  snug::detail::Call run;
  snug::detail::BodyComponents parts;
  std::int64_t unit;
  std::int64_t capacity = 0;
  std::optional<BodyPlacer> placer{};
};

}  // namespace

TEST_CASE("body placer: what is fixed stays, and counts", "[body_placer]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 2}};
  problem.buffers[1].offset = 6;
  problem.reserved = {{{0, 2}, {}}};
  PlacerBench bench(problem);
  CHECK(bench.unit == 2);
  CHECK(bench.lower_bound() * bench.unit == 8);
  CHECK(bench.place(3) == Outcome::kRefuted);
  REQUIRE(bench.place(4) == Outcome::kPlacedAll);
  CHECK(bench.offsets() == std::vector<std::int64_t>{2, 6});
  CHECK(bench.stats.peak_bytes > 0);
}

TEST_CASE(
    "body placer: a search that there is no time for is left to the limit",
    "[body_placer]") {
  // All meet: 4950 pairs, more than are looked at in four milliseconds.
  Problem<> problem;
  for (std::int64_t k = 0; k < 100; ++k) {
    problem.buffers.push_back({{0, 10}, 1 + k % 3});
    problem.buffers.back().gaps.push_back({{k % 8 + 1, k % 8 + 2}, {}});
  }
  Options options;
  options.time_limit = std::chrono::milliseconds(4);
  PlacerBench hurried(problem, options);
  CHECK(hurried.run.limits().left_open_by() == snug::Stop::kTimeLimit);
  CHECK_FALSE(hurried.searches());
  PlacerBench bench(problem);
  CHECK(bench.run.limits().left_open_by() == snug::Stop::kNodeLimit);
  CHECK(bench.searches());
}

TEST_CASE("body placer: agrees with the oracle on whole problems",
          "[body_placer]") {
  std::size_t placed = 0;
  std::size_t refuted = 0;
  std::size_t tight = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(700); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, 18);
    PlacerBench bench(problem);
    CAPTURE(seed);
    const std::int64_t unit = bench.unit;
    if (lowest) {
      REQUIRE(bench.lower_bound() * unit <= *lowest);
      if (bench.lower_bound() * unit == *lowest) ++tight;
      REQUIRE(bench.enough() * unit >= *lowest);
    }
    for (std::int64_t capacity = 0; capacity <= 18; capacity += 3) {
      const Outcome outcome = bench.place(capacity / unit);
      const bool fits = lowest && *lowest <= capacity;
      REQUIRE(outcome == (fits ? Outcome::kPlacedAll : Outcome::kRefuted));
      ++(fits ? placed : refuted);
      if (!fits) continue;
      REQUIRE(snug::validate(problem, capacity, bench.offsets()).ok());
    }
  }
  CHECK(placed > at_least<std::size_t>(800));
  CHECK(refuted > at_least<std::size_t>(800));
  CHECK(tight > at_least<std::size_t>(200));
}

TEST_CASE("body placer: at the same capacity it goes on where it was",
          "[body_placer]") {
  // A component that is placed at once, and one that does not fit at its load: begun
  // anew each time, its proof would never end.
  std::int64_t turns = 0;
  for (std::size_t k = 0; k < 24; ++k) {
    CAPTURE(k);
    Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
    problem.buffers.insert(problem.buffers.end(), 2, {{-2, -1}, 2});
    const std::int64_t load = snug::load(problem);
    PlacerBench once(problem);
    REQUIRE(once.place(load / once.unit) == Outcome::kRefuted);
    PlacerBench bench(problem);
    Outcome outcome = Outcome::kOpen;
    for (int most = 1000; most > 0 && outcome == Outcome::kOpen; --most) {
      outcome = bench.place(load / bench.unit, 1);
      ++turns;
    }
    REQUIRE(outcome == Outcome::kRefuted);
    CHECK(bench.stats.nodes == once.stats.nodes);
  }
  CHECK(turns > 24);  // Not all end in the first one.
}

TEST_CASE("body placer: where grids differ, a problem may need much room",
          "[body_placer]") {
  Problem<> problem = classes_on_two_grids();
  REQUIRE(snug::check(problem).ok());
  PlacerBench bench(problem);
  CHECK(bench.place(67) == Outcome::kRefuted);
  REQUIRE(bench.place(bench.enough()) == Outcome::kPlacedAll);
  CHECK(bench.offsets() == std::vector<std::int64_t>{63, 67, 66, 66});
  // Periods that no number holds.
  problem.buffers[0].alignment = (std::int64_t{1} << 55) + 1;
  problem.buffers[2].alignment = (std::int64_t{1} << 54) + 1;
  CHECK(PlacerBench(problem).enough() == snug::detail::kFar);
}

TEST_CASE("body placer: too many for relations", "[body_placer]") {
  // Half a million pairs are too many for eight megabytes.
  Problem<> problem;
  problem.buffers.resize(1000, {{0, 1}, 3});
  problem.buffers[7].end = End::kTop;
  problem.base = 1;
  Options options;
  options.memory_limit = std::size_t{8} << 20;
  CHECK_FALSE(PlacerBench(problem, options).searches());
  problem.buffers.resize(100);
  CHECK(PlacerBench(problem, options).searches());
  problem.buffers.resize(is_due(1) ? 1000 : 400, {{0, 1}, 3});
  CHECK(PlacerBench(problem).searches());
  if (!is_due(1)) return;
  // More than 2^21 pairs live together: no search, but a bound.
  problem.buffers.resize(2100, {{0, 1}, 3});
  PlacerBench bench(problem);
  CHECK(bench.place(bench.lower_bound() - 1) == Outcome::kRefuted);
  CHECK(bench.place(6301) == Outcome::kOpen);
  // Placed without one.
  const auto result = snug::solve(problem, 6301);
  REQUIRE(result.has_solution());
  CHECK(snug::validate(problem, 6301, result.offsets).ok());
}

}  // namespace body_placer_test
