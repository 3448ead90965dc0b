// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/division_tree.hpp"

#include "snug/pools/equal_pools.hpp"
#include "snug/pools/program_bound.hpp"
#include "support/catch.hpp"
#include "support/division.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace division_tree_test {

using namespace snug::testing;
using snug::detail::CostTable;
using snug::detail::DivisionTree;
using snug::detail::EqualPools;
using snug::detail::ProgramBound;

namespace {

constexpr std::int64_t kTarget = std::int64_t{1} << 40;
constexpr std::int64_t kUnit = std::int64_t{1} << 20;
constexpr std::int64_t kMuch = std::int64_t{1} << 40;
constexpr std::size_t kBytes = std::size_t{1} << 24;
const auto never = [] { return false; };

/// As random_division(), but in some there is no elsewhere for most items.
Division random_problem(Random& random) {
  Division all = random_division(random, 8, kUnit);
  if (random.chance(60)) return all;
  const std::size_t elsewhere = all.pools.size();
  for (std::size_t i = 0; i < all.costs.items; ++i)
    if (all.costs.allows(i, 0) && random.chance(80))
      all.costs.at(i, elsewhere) = CostTable::kNever;
  return all;
}

}  // namespace

TEST_CASE("division tree: against all divisions", "[division_tree]") {
  int solved = 0;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{3000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_problem(random);
    const std::int64_t least = least_cost(all);
    DivisionTree tree(all.pools, all.costs, kBytes);
    tree.run(kTarget, kMuch, never);
    if (least == kNoDivision) {
      REQUIRE(tree.cost() == DivisionTree::kNone);
      REQUIRE(tree.bound() == kTarget);
      ++refuted;
      continue;
    }
    REQUIRE(tree.cost() == least);
    REQUIRE(tree.bound() == least);
    REQUIRE(cost_of(all, tree.division()) == least);
    ++solved;
    // Nothing is cheaper than the cheapest.
    DivisionTree again(all.pools, all.costs, kBytes);
    again.run(least, kMuch, never);
    REQUIRE(again.cost() == DivisionTree::kNone);
    REQUIRE(again.bound() == least);
  }
  CHECK(solved > at_least(1500));
  CHECK(refuted > at_least(50));
}

TEST_CASE("division tree: from the cuts of a program", "[division_tree]") {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{1000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_problem(random);
    const std::int64_t least = least_cost(all);
    ProgramBound program(EqualPools(all.costs), all.pools, kBytes);
    program.raise(kTarget, kMuch, never);
    DivisionTree tree = program.tree();
    tree.run(kTarget, kMuch, never);
    REQUIRE(tree.bound() == std::min(least, kTarget));
    // Whenever it ends, its bound is one, and what it has found can be had.
    for (std::int64_t work = 1; work < tree.work(); work *= 2) {
      DivisionTree part = program.tree();
      part.run(kTarget, work, never);
      REQUIRE(part.bound() <= least);
      if (part.bound() < std::min(least, kTarget)) ++stopped;
      if (part.cost() != DivisionTree::kNone)
        REQUIRE(cost_of(all, part.division()) == part.cost());
    }
    int asked = 0;
    DivisionTree part = program.tree();
    part.run(kTarget, kMuch, [&] { return ++asked > 3; });
    REQUIRE(part.bound() <= least);
  }
  CHECK(stopped > at_least(100));
}

}  // namespace division_tree_test
