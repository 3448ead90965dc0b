// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/peak/place_large.hpp"

#include "generate.hpp"
#include "snug/load.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/small.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/hard_walks.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace place_large_test {

using namespace snug::testing;
using snug::Status;
using snug::Stop;
using snug::detail::kLarge;

namespace {

/// A small walk that does not fit at its load, a buffer that outlives it, and
/// behind it many others that take less room: one partition of 1500 buffers.
snug::Problem<> walk_and_crowd(std::uint64_t seed) {
  constexpr std::int64_t kUnit = 10000;
  snug::Problem<> problem = small_walk<>(seed, kUnit);
  std::int64_t end = 0;
  for (const auto& buffer : problem.buffers)
    end = (std::max)(end, buffer.lifespan.upper);
  for (auto& buffer :
       snug::benchmarks::exponential<>(1500, 1500, 5, 4, seed).buffers) {
    buffer.size *= 500;
    buffer.lifespan.lower += end;
    buffer.lifespan.upper += end;
    problem.buffers.push_back(buffer);
  }
  problem.buffers.push_back({{0, 2 * end + 1500}, 500});
  return problem;
}

}  // namespace

TEST_CASE("large problems: a crest proves that there is no placement") {
  int proved = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    if (!is_due(k)) continue;
    const std::uint64_t seed = kHardSmallWalks[k];
    CAPTURE(seed);
    const snug::Problem<> problem = walk_and_crowd(seed);
    REQUIRE(problem.buffers.size() > kLarge);
    const std::int64_t load = snug::load(problem);
    // The long buffer overlaps all: without it, all that is above it sinks.
    const std::int64_t optimum =
        snug::minimize(small_walk<>(seed, 10000)).height + 500;
    REQUIRE(optimum > load);
    snug::Options options;
    options.node_limit = 200000;
    const snug::Result<> lowest = snug::minimize(problem, options);
    CHECK(is_solved(lowest));
    CHECK(lowest.height == optimum);
    CHECK(lowest.lower_bound == optimum);
    CHECK(validate_pairwise(problem, optimum, lowest.offsets).ok());
    const snug::Result<> below = snug::solve(problem, optimum - 1, options);
    CHECK(below.status == Status::kInfeasible);
    CHECK(below.lower_bound == optimum);
    // The walk has a dozen buffers; the crowd is not searched for the proof.
    proved += below.stats.nodes < 1500 ? 1 : 0;
    const snug::Result<> at = snug::solve(problem, optimum, options);
    REQUIRE(is_solved(at));
    CHECK(validate_pairwise(problem, optimum, at.offsets).ok());
    const auto small = snug::small::solve(problem, optimum, options);
    REQUIRE(is_solved(small));
    CHECK(validate_pairwise(problem, optimum, small.offsets).ok());
  }
  CHECK(proved >= at_least_due(4));
}

TEST_CASE("large problems: the load is reached where dives do not reach it") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem =
        snug::benchmarks::exponential<>(3000, 3000, 20, 65536, seed);
    const std::int64_t load = snug::load(problem);
    snug::Options options;
    options.node_limit = 100000;
    const snug::Result<> lowest = snug::minimize(problem, options);
    CHECK(is_solved(lowest));
    CHECK(lowest.height == load);
    CHECK(validate_pairwise(problem, load, lowest.offsets).ok());
    const snug::Result<> solved = snug::solve(problem, load, options);
    REQUIRE(is_solved(solved));
    CHECK(validate_pairwise(problem, load, solved.offsets).ok());
  }
}

TEST_CASE("large problems: dives towards the bound are not made again") {
  // Dives place it at its load, without a node.
  const snug::Problem<> problem =
      snug::benchmarks::exponential<>(1500, 1500, 20, 65536, 0);
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const std::int64_t load = snug::load(problem);
  snug::Options options;
  options.node_limit = 100;
  for (const bool is_placed : {false, true})
    for (const std::int64_t capacity : {load, load + 1}) {
      CAPTURE(is_placed, capacity);
      snug::Stats stats;
      snug::detail::Call call(options, stats);
      snug::detail::FlatModels<snug::detail::BothModels> models(flat);
      snug::detail::GroundSolve<snug::detail::BothModels> solve(models,
                                                                capacity, call);
      snug::detail::Found found;
      if (is_placed) found.offsets.assign(problem.buffers.size(), 0);
      const snug::detail::Outcome outcome = solve.run(found);
      if (is_placed && capacity == load) {
        CHECK(stats.nodes > 0);
      } else {
        CHECK(outcome == snug::detail::Outcome::kPlacedAll);
        CHECK(stats.nodes == 0);
      }
    }
}

TEST_CASE("large problems: the work before a search of the whole ends") {
  const snug::Problem<> problem =
      snug::benchmarks::mixed<>(1000, 1000, 65536, 1000);
  const snug::detail::Plain plain = plain_of(problem);
  const auto go_on = [] { return false; };
  const std::int64_t none = snug::load(problem) - 1;
  for (const bool places : {false, true}) {
    CAPTURE(places);
    snug::detail::IncumbentSearch incumbent(plain);
    incumbent.dive(plain, none, snug::detail::kDiveOrders, go_on);
    const std::int64_t dives = incumbent.dives();
    const snug::detail::Work work(incumbent.boxes(), incumbent.memory());
    std::int64_t searched = 0;
    // With places, no crest is too hard, so the last one is the whole.
    const auto place_crest = [&](const snug::detail::Crest& crest,
                                 std::int64_t& nodes,
                                 snug::detail::List<std::int64_t>& offsets) {
      searched += nodes;
      if (places) offsets.assign(crest.size(), 0);
      return snug::detail::Outcome::kOpen;
    };
    CHECK(snug::detail::lower_large(plain, 0, none, place_crest, go_on,
                                    incumbent) == snug::detail::Outcome::kOpen);
    const std::int64_t repaired = (incumbent.dives() - dives) * work.dive;
    CHECK(repaired < work.before_whole + 2 * work.dive * dives);
    if (places) continue;
    CHECK(searched > 0);
    CHECK(repaired < work.before_whole / 4);
  }
}

TEST_CASE("large problems: a crest is tried at the bound first") {
  const snug::Problem<> problem =
      snug::benchmarks::mixed<>(1000, 1000, 65536, 1000);
  snug::Options options;
  options.node_limit = 8000;  // By lowering it from above, 36 000 do not do.
  const snug::Result<> lowest = snug::minimize(problem, options);
  REQUIRE(is_solved(lowest));
  CHECK(lowest.height == snug::load(problem));
  CHECK(validate_pairwise(problem, lowest.height, lowest.offsets).ok());
}

TEST_CASE("large problems: stopped at any number of nodes") {
  const snug::Problem<> problem = walk_and_crowd(kHardSmallWalks[0]);
  const std::int64_t optimum = snug::minimize(problem).height;
  std::int64_t height = (std::numeric_limits<std::int64_t>::max)();
  bool proved = false;
  std::size_t k = 0;
  for (std::int64_t nodes = 0; nodes < 4000; nodes += 1 + nodes / 6) {
    if (!is_due(k++)) continue;
    CAPTURE(nodes);
    snug::Options options;
    options.node_limit = nodes;
    const snug::Result<> result = snug::minimize(problem, options);
    REQUIRE(validate_pairwise(problem, result.height, result.offsets).ok());
    CHECK(result.stats.nodes <= nodes);
    CHECK(result.lower_bound <= optimum);
    CHECK(result.height <= height);
    CHECK((is_solved(result)) == (result.height == result.lower_bound));
    height = result.height;
    proved = proved || is_solved(result);
    const snug::Result<> below = snug::solve(problem, optimum - 1, options);
    CHECK((below.status == Status::kInfeasible ||
           below.stopped_by == Stop::kNodeLimit));
  }
  CHECK(proved);
}

TEST_CASE("large problems: variants of the large instances of others") {
  const auto problem = load_instance<>("large/pangu_2.6B.csv");
  SNUG_NEEDS_INSTANCES(problem);
  for (const std::uint64_t seed : {std::uint64_t{2}, std::uint64_t{3}}) {
    if (!is_due(seed - 2)) continue;
    CAPTURE(seed);
    const snug::Problem<> variant =
        snug::benchmarks::rescaled(*problem, 30, seed);
    const std::int64_t load = snug::load(variant);
    snug::Options options;
    options.node_limit = 20000;
    const snug::Result<> lowest = snug::minimize(variant, options);
    CHECK(is_solved(lowest));
    CHECK(lowest.height == load);
    CHECK(lowest.stats.peak_bytes < std::size_t{64} << 20);
    CHECK(validate(variant, load, lowest.offsets).ok());
  }
}

}  // namespace place_large_test
