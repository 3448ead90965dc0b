// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/walk_bodies.hpp"

#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/found.hpp"
#include "snug/plan/models.hpp"
#include "snug/solve.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace walk_bodies_test {

namespace {

using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::BodiesWalk;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Outcome;
using snug::detail::SearchAndWalk;
using snug::testing::at_least;
using snug::testing::effort;

constexpr std::int64_t kHigh = 18;

/// A problem that fits its capacity, half of which or more is fixed.
struct Torn {
  Problem<> problem{};
  std::int64_t capacity = 0;
};

/// Some buffers of which a placement with a twentieth to spare is known; four in
/// ten are fixed there.
Torn draw_torn(std::size_t count, std::uint64_t seed) {
  snug::testing::Random random(seed);
  Problem<> mirrored;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.between(0, 400);
    const int longest = random.between(0, 4) == 0 ? 200 : 40;
    const int largest = random.between(0, 3) == 0 ? 64 : 16;
    mirrored.buffers.push_back({{-begin - random.between(1, longest), -begin},
                                random.between(1, largest)});
  }
  Options options;
  options.node_limit = 20000;
  const Result<> placed = snug::minimize(mirrored, options);
  Torn torn;
  torn.capacity = placed.height + placed.height / 20;
  torn.problem = mirrored;
  for (std::size_t i = 0; i < count; ++i) {
    snug::Buffer<>& buffer = torn.problem.buffers[i];
    buffer.lifespan = {-buffer.lifespan.upper, -buffer.lifespan.lower};
    if (random.between(0, 9) < 4)
      buffer.offset = torn.capacity - placed.offsets[i] - buffer.size;
  }
  return torn;
}

}  // namespace

TEST_CASE("walk of bodies: finds what fits, as the oracle has it",
          "[walk_bodies]") {
  std::size_t placed = 0;
  std::size_t lower = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    const Problem<> problem = snug::testing::draw_constrained(seed, 6);
    snug::testing::Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::optional<std::int64_t> lowest = oracle.lowest_within(kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    const Options options;
    snug::Stats stats;
    Call call(options, stats);
    const Flat flat = snug::detail::flatten(problem);
    BodiesWalk walk(flat, kHigh, call);
    if (!walk.can_walk()) continue;
    Found found;
    if (walk.run(64, found) != Outcome::kPlacedAll) continue;
    ++placed;
    REQUIRE(snug::validate(problem, kHigh, vector_of(found.offsets)).ok());
    // All the way down, and no further.
    BodiesWalk low(flat, *lowest, call);
    Found there;
    if (low.run(256, there) == Outcome::kPlacedAll) {
      ++lower;
      REQUIRE(snug::validate(problem, *lowest, vector_of(there.offsets)).ok());
    }
    BodiesWalk below(flat, *lowest - 1, call);
    Found none;
    if (below.can_walk() && below.run(64, none) == Outcome::kPlacedAll)
      REQUIRE_FALSE(
          snug::validate(problem, *lowest - 1, vector_of(none.offsets)).ok());
    REQUIRE(stats.nodes > 0);
  }
  CAPTURE(placed, lower);
  CHECK(placed > at_least<std::size_t>(500));
  CHECK(lower > at_least<std::size_t>(100));
}

TEST_CASE("walk of bodies: begins where the buffers of a body are",
          "[walk_bodies]") {
  // The second one is on top of the first one, and the third one on top of it.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{1, 3}, 2}, {{0, 3}, 6}};
  problem.aliases = {{1, 0, 4}};
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  BodiesWalk walk(flat, kHigh, call);
  REQUIRE(walk.can_walk());
  const snug::detail::List<std::int64_t> start{2, 6, 8};
  walk.start_from(start);
  Found found;
  REQUIRE(walk.run(0, found) == Outcome::kPlacedAll);
  CHECK(found.offsets == start);
}

TEST_CASE("walk of bodies: in turns with the search, as the oracle has it",
          "[walk_bodies]") {
  std::size_t solved = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(700); ++seed) {
    const Problem<> problem = snug::testing::draw_constrained(seed, 6);
    snug::testing::Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::optional<std::int64_t> lowest = oracle.lowest_within(kHigh);
    CAPTURE(seed);
    const Options options;
    snug::Stats stats;
    Call call(options, stats);
    Flat flat = snug::detail::flatten(problem);
    std::int64_t ceiling = kHigh;
    snug::detail::presolve(flat, ceiling);
    Found found;
    const Outcome outcome =
        SearchAndWalk<BothModels>(flat, ceiling, call).run(found);
    REQUIRE((outcome == Outcome::kPlacedAll) == lowest.has_value());
    if (lowest) {
      ++solved;
      REQUIRE(snug::validate(problem, kHigh, vector_of(found.offsets)).ok());
      REQUIRE(found.bound <= *lowest);
    }
    ceiling = lowest ? *lowest - 1 : kHigh;
    if (ceiling < 0) continue;
    Flat tight = snug::detail::flatten(problem);
    snug::detail::presolve(tight, ceiling);
    Found none;
    ++refuted;
    REQUIRE(SearchAndWalk<BothModels>(tight, ceiling, call).run(none) ==
            Outcome::kRefuted);
  }
  CHECK(solved > at_least<std::size_t>(400));
  CHECK(refuted > at_least<std::size_t>(500));
}

TEST_CASE("walk of bodies: room that is torn by what is fixed",
          "[walk_bodies]") {
  // Without walks 7 of them are solved and 6 come as low.
  std::size_t solved = 0;
  std::size_t lowered = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Torn torn = draw_torn(250, seed);
    CAPTURE(seed);
    Options options;
    options.node_limit = 40000;
    const Result<> placed = snug::solve(torn.problem, torn.capacity, options);
    REQUIRE(placed.status != Status::kInfeasible);
    if (placed.has_solution()) {
      ++solved;
      REQUIRE(snug::validate(torn.problem, torn.capacity, placed.offsets).ok());
    }
    const Result<> lowest = snug::minimize(torn.problem, options);
    REQUIRE(lowest.has_solution());
    REQUIRE(snug::validate(torn.problem, lowest.height, lowest.offsets).ok());
    REQUIRE(lowest.lower_bound <= torn.capacity);
    if (lowest.height <= torn.capacity) ++lowered;
  }
  CHECK(solved >= 11);
  CHECK(lowered == 12);
}

TEST_CASE("walk of bodies: mixed alignments", "[walk_bodies]") {
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem<> problem = snug::testing::mixed_grids(100, 30, 1, seed);
    const std::int64_t capacity = snug::load(problem) * 108 / 100;
    Options options;
    options.node_limit = 30000;
    const Result<> result = snug::solve(problem, capacity, options);
    CAPTURE(seed);
    REQUIRE(result.status != Status::kInfeasible);
    if (!result.has_solution()) continue;
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
    ++placed;
  }
  // 19 of them; the search alone places 6.
  CHECK(placed >= 16);
}

TEST_CASE("walk of bodies: where alignments are mixed", "[walk_bodies]") {
  const auto is_mixed = [](std::int64_t size,
                           const std::vector<std::int64_t>& alignments) {
    Problem<> problem;
    for (const std::int64_t alignment : alignments) {
      problem.buffers.push_back({{0, 1}, size});
      problem.buffers.back().alignment = alignment;
    }
    return snug::detail::has_mixed_alignments(snug::detail::flatten(problem));
  };
  CHECK_FALSE(is_mixed(48, {1, 1}));
  CHECK_FALSE(is_mixed(48, {32, 32}));
  CHECK_FALSE(is_mixed(48, {1, 16}));
  CHECK(is_mixed(48, {1, 32}));
  CHECK(is_mixed(48, {64, 32}));
  CHECK_FALSE(is_mixed(64, {64, 32}));
  // Empty ones are on no grid.
  CHECK_FALSE(is_mixed(0, {1, 32}));
}

TEST_CASE("walk of bodies: stops at the node limit", "[walk_bodies]") {
  const Torn torn = draw_torn(250, 1);
  Options options;
  options.node_limit = 3000;
  const Result<> stopped =
      snug::solve(torn.problem, torn.capacity / 2, options);
  CHECK(stopped.status != Status::kFeasible);
  CHECK(stopped.stats.nodes <= 3000);
}

}  // namespace walk_bodies_test
