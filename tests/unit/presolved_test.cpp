// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/presolved.hpp"

#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/hard_walks.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace presolved_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Outcome;
using snug::detail::Share;
using snug::detail::Turn;
using Search = snug::detail::PresolvedSearch<BothModels>;

/// What comes of a solve in turns.
struct InTurns {
  Outcome outcome = Outcome::kOpen;
  std::int64_t turns = 0;
  std::int64_t nodes = 0;
  Found found{};
};

/// Each turn is of `least` to `most` nodes. No placement is known to be below `bound`.
InTurns solve_in_turns(const Problem<>& problem, std::int64_t capacity,
                       int least, int most, std::uint64_t seed,
                       std::int64_t bound = 0) {
  Random random(seed);
  const Options options;
  Stats stats;
  Call call(options, stats);
  Flat flat = snug::detail::flatten(problem);
  capacity = snug::detail::presolve(flat, capacity);
  snug::detail::FlatModels<BothModels> models(flat);
  Share share(call, Share::Of::kWhole);
  std::optional<Search> search;
  InTurns result;
  result.found.bound = bound;
  while (result.outcome == Outcome::kOpen && result.turns < 20000) {
    const Turn turn(share, random.between(least, most));
    if (!search) search.emplace(models, capacity, share.call());
    result.outcome = search->run(result.found);
    ++result.turns;
  }
  result.nodes = stats.nodes;
  return result;
}

/// A walk that does not fit at its load; with gaps, pairs, ends of memory or fixed
/// buffers that change nothing, for each kind of search.
Problem<> hard_walk(std::size_t k, int kind) {
  Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
  snug::Buffer<> far{{1000, 1001}, 1};
  if (kind == 1) far.gaps.push_back({{1000, 1001}, {}});
  if (kind == 2) far.offset = 0;
  if (kind == 3) far.end = snug::End::kTop;
  problem.buffers.push_back(far);
  problem.buffers.push_back({{1000, 1002}, 1});
  if (kind == 4) {
    problem.buffers.push_back({{1003, 1004}, 1});
    problem.apart.push_back(
        {problem.buffers.size() - 1, problem.buffers.size() - 2});
  }
  return problem;
}

}  // namespace

TEST_CASE(
    "presolved: a solve in turns of one to three nodes, as the oracle has it",
    "[presolved]") {
  std::size_t several = 0;
  std::size_t placed = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    const Problem<> problem = draw_constrained(seed, 7);
    const auto lowest = lowest_within(problem, 18);
    if (!lowest) continue;
    CAPTURE(seed);
    for (const std::int64_t capacity : {*lowest, *lowest - 1}) {
      const std::int64_t known = seed % 2 == 0 ? *lowest : 0;
      const InTurns result =
          solve_in_turns(problem, capacity, 1, 3, seed, known);
      if (result.turns > 1) ++several;
      if (capacity < *lowest) {
        REQUIRE(result.outcome == Outcome::kRefuted);
        ++refuted;
        continue;
      }
      REQUIRE(result.outcome == Outcome::kPlacedAll);
      REQUIRE(result.found.bound <= *lowest);
      REQUIRE(result.found.bound >= known);
      REQUIRE(snug::validate(problem, capacity, vector_of(result.found.offsets))
                  .ok());
      ++placed;
    }
  }
  CAPTURE(several, placed, refuted);
  CHECK(several > at_least<std::size_t>(100));
  CHECK(placed > at_least<std::size_t>(2000));
  CHECK(refuted > at_least<std::size_t>(2000));
}

TEST_CASE("presolved: a solve in turns goes on where it was", "[presolved]") {
  // Searches that begin anew in each turn would never end.
  std::int64_t turns = 0;
  for (std::size_t k = 0; k < effort<std::size_t>(24); ++k)
    for (int kind = 0; kind < 5; ++kind) {
      CAPTURE(k, kind);
      const Problem<> problem = hard_walk(k, kind);
      const std::int64_t load = snug::load(problem);
      const InTurns once = solve_in_turns(problem, load, 1 << 30, 1 << 30, k);
      const InTurns result = solve_in_turns(problem, load, 1, 9, k);
      REQUIRE(once.outcome == Outcome::kRefuted);
      REQUIRE(result.outcome == Outcome::kRefuted);
      REQUIRE(result.nodes == once.nodes);
      turns += result.turns;
    }
  CHECK(turns > at_least<std::int64_t>(200));
}

TEST_CASE("presolved: memory may end lower without the gaps", "[presolved]") {
  // The first one never occupies all of its bytes, so what is reserved at the top
  // stays a range. Without its gap memory ends there, and is not enough.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{0, 2}, 4}, {{0, 2}, 2}};
  problem.buffers[0].gaps = {{{0, 2}, {{0, 2}}}};
  problem.reserved = {{{8, 12}, {}}};
  const InTurns result = solve_in_turns(problem, 12, 1 << 30, 1 << 30, 0);
  REQUIRE(result.outcome == Outcome::kPlacedAll);
  CHECK(snug::validate(problem, 12, vector_of(result.found.offsets)).ok());
}

TEST_CASE("presolved: stacks that take long are compared in turns, too",
          "[presolved]") {
  // Nineteen types are too many sets for a first look, and the search does not see
  // what their alignments cost.
  Random random(0);
  Problem<> problem;
  for (int k = 0; k < 19; ++k)
    problem.buffers.push_back({{k % 3, 10},
                               2 * k + 1,
                               random.between(0, 1) != 0   ? 8
                               : random.between(0, 1) != 0 ? 4
                                                           : 2});
  const std::int64_t capacity = snug::load(problem) + 19;
  const InTurns once = solve_in_turns(problem, capacity, 1 << 30, 1 << 30, 0);
  REQUIRE(once.outcome == Outcome::kRefuted);
  CHECK(once.nodes > 4000);
  const InTurns result = solve_in_turns(problem, capacity, 50, 300, 1);
  REQUIRE(result.outcome == Outcome::kRefuted);
  CHECK(result.turns > 10);
  CHECK(result.nodes <= once.nodes);
}

}  // namespace presolved_test
