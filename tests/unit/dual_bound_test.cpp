// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/penalty/dual_bound.hpp"

#include "snug/penalty/cover.hpp"
#include "support/catch.hpp"
#include "support/demands.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dual_bound_test {

using namespace snug::testing;
using snug::detail::Demand;
using snug::detail::DualBound;

namespace {

const auto never = [] { return false; };

/// Some of the pairs, and as much as they are worth or less.
Demand random_demand(Random& random, std::size_t pairs) {
  Demand demand;
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < pairs; ++p)
    if (demand.pairs.empty() || random.chance(40)) {
      demand.pairs.push_back(p);
      demand.worth.push_back(random.between(1, 7));
      sum += demand.worth.back();
    }
  demand.needed =
      random.chance(30) ? sum : random.between(std::int64_t{1}, sum);
  for (std::int64_t& worth : demand.worth)
    worth = (std::min)(worth, demand.needed);
  return demand;
}

}  // namespace

TEST_CASE("dual bound: no choice costs less", "[dual_bound]") {
  int tight = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{3000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::int64_t> costs(random.between<std::size_t>(2, 8));
    const std::int64_t most = random.chance(50) ? 9 : 1000000;
    for (std::int64_t& cost : costs)
      cost = random.between<std::int64_t>(0, most);
    DualBound bound(costs);
    std::vector<Demand> demands;
    for (int d = random.between(1, 5); d > 0; --d) {
      demands.push_back(random_demand(random, costs.size()));
      bound.add(demands.back());
    }
    const std::int64_t least = least_cost(costs, demands);
    // A target that cannot be had must not make it go further than it may.
    for (const std::int64_t target : {least, 2 * least + 10}) {
      bound.raise(300, target, never);
      REQUIRE(bound.bound() <= least);
    }
    tight += bound.bound() == least ? 1 : 0;
  }
  CHECK(tight > at_least(1000));
}

// Each of many cheap pairs meets a demand that makes all of them pay.
TEST_CASE("dual bound: many pairs of one demand", "[dual_bound]") {
  constexpr std::int64_t kDear = 1000000000;
  std::vector<std::int64_t> costs(60001, 1);
  costs[0] = kDear;
  DualBound bound(costs);
  bound.add({{0}, {1}, 1});
  Demand any;
  any.needed = 1;
  for (std::size_t p = 1; p < costs.size(); ++p) {
    any.pairs.push_back(p);
    any.worth.push_back(1);
  }
  bound.add(any);
  for (const std::int64_t target : {kDear + 1, kDear + 5, 2 * kDear}) {
    bound.raise(50, target, never);
    CHECK(bound.bound() <= kDear + 1);
  }
}

}  // namespace dual_bound_test
