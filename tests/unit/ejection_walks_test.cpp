// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/ejection_walks.hpp"

#include "snug/model/options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ejection_walks_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::EjectionWalks;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Outcome;

constexpr std::int64_t kHigh = 18;

}  // namespace

TEST_CASE("walk of bodies: finds what fits, as the oracle has it",
          "[ejection_walks]") {
  std::size_t placed = 0;
  std::size_t lower = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    const Options options;
    snug::Stats stats;
    Call call(options, stats);
    const Flat flat = snug::detail::flatten(problem);
    snug::detail::FlatModels<BothModels> models(flat);
    EjectionWalks walk(models.searched(call), call);
    walk.aim(kHigh);
    if (!walk.can_walk()) continue;
    Found found;
    if (walk.run(64, found) != Outcome::kPlacedAll) continue;
    ++placed;
    REQUIRE(snug::validate(problem, kHigh, vector_of(found.offsets)).ok());
    // All the way down, and no further.
    walk.aim(*lowest);
    Found there;
    if (walk.run(256, there) == Outcome::kPlacedAll) {
      ++lower;
      REQUIRE(snug::validate(problem, *lowest, vector_of(there.offsets)).ok());
    }
    walk.aim(*lowest - 1);
    Found none;
    if (walk.can_walk() && walk.run(64, none) == Outcome::kPlacedAll)
      REQUIRE_FALSE(
          snug::validate(problem, *lowest - 1, vector_of(none.offsets)).ok());
    REQUIRE(stats.nodes > 0);
  }
  CAPTURE(placed, lower);
  CHECK(placed > at_least<std::size_t>(500));
  CHECK(lower > at_least<std::size_t>(100));
}

TEST_CASE("walk of bodies: begins where the buffers of a body are",
          "[ejection_walks]") {
  // The second one is on top of the first one, and the third one on top of it.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{1, 3}, 2}, {{0, 3}, 6}};
  problem.aliases = {{1, 0, 4}};
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  snug::detail::FlatModels<BothModels> models(flat);
  EjectionWalks walk(models.searched(call), call);
  REQUIRE_FALSE(walk.can_walk());
  walk.aim(kHigh);
  REQUIRE(walk.can_walk());
  const snug::detail::List<std::int64_t> start{2, 6, 8};
  walk.start_from(start);
  Found found;
  REQUIRE(walk.run(0, found) == Outcome::kPlacedAll);
  CHECK(found.offsets == start);
}

}  // namespace ejection_walks_test
