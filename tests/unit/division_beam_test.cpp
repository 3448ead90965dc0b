// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/division_beam.hpp"

#include "snug/pools/load_bound.hpp"
#include "support/catch.hpp"
#include "support/division.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace division_beam_test {

using namespace snug::testing;
using snug::detail::DivisionBeam;
using snug::detail::LoadBound;

namespace {

constexpr std::int64_t kTarget = std::int64_t{1} << 40;
constexpr std::int64_t kUnit = std::int64_t{1} << 10;
const auto never = [] { return false; };

}  // namespace

TEST_CASE("division beam: against all divisions", "[division_beam]") {
  int cut = 0;
  int exact = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{2000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 8, kUnit);
    const std::int64_t least = least_cost(all);
    LoadBound prices(all.pools, all.costs);
    prices.raise(random.between(0, 64), kTarget, never);
    DivisionBeam beam(all.pools, all.costs, prices);
    for (const std::size_t width : {1U, 2U, 5U, 100000U}) {
      REQUIRE(beam.run(kTarget, width, never));
      REQUIRE(beam.bound() <= least);
      if (beam.cost() == DivisionBeam::kNone) continue;
      REQUIRE(beam.cost() >= least);
      cut += beam.bound() < beam.cost() ? 1 : 0;
      exact += beam.bound() == beam.cost() ? 1 : 0;
      REQUIRE(cost_of(all, beam.division()) == beam.cost());
    }
    // The last one was wide enough for all states.
    if (least == kNoDivision)
      REQUIRE(beam.cost() == DivisionBeam::kNone);
    else
      REQUIRE(beam.cost() == least);
    REQUIRE(beam.run(least, 100000, never));
    REQUIRE(beam.bound() == least);
  }
  CHECK(cut > at_least(200));
  CHECK(exact > at_least(1000));
}

// What is left of the beam has no states, and takes much longer to look at than
// those before.
TEST_CASE("division beam: ends where no state is left", "[division_beam]") {
  int early = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{500}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 8, kUnit);
    LoadBound prices(all.pools, all.costs);
    prices.raise(64, kTarget, never);
    DivisionBeam beam(all.pools, all.costs, prices);
    std::size_t asked = 0;
    const auto count = [&] {
      ++asked;
      return false;
    };
    // By the prices alone nothing is as cheap as that.
    REQUIRE(beam.run(prices.bound(), 100000, count));
    REQUIRE(beam.bound() == prices.bound());
    REQUIRE(beam.cost() == DivisionBeam::kNone);
    REQUIRE(asked == 1);
    early += all.costs.items > 1 ? 1 : 0;
  }
  CHECK(early > at_least(400));
}

}  // namespace division_beam_test
