// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/pool_search.hpp"

#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/models.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_placer.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pool_search_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::BothModels;
using snug::detail::Budget;
using snug::detail::CostTable;
using snug::detail::DivisionPlacer;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::PoolProblem;
using snug::detail::PoolSearch;
using snug::detail::PoolSet;

constexpr std::int64_t kEffort = 100000;
/// Prices are whole numbers, so costs of items are not too small.
constexpr std::int64_t kUnit = std::int64_t{1} << 32;

/// Some buffers for two pools, the second one of which may have no end, or for
/// one and elsewhere.
struct Case {
  std::vector<PoolProblem> pools{};
  CostTable costs{0, 0};
};

Case draw_case(Random& random, std::size_t most) {
  Shape shape;
  shape.count = random.between(std::size_t{2}, most);
  shape.length = 8;
  const Problem<> problem = uniform<>(shape, random);
  Case drawn;
  const auto pools = random.between(std::size_t{1}, std::size_t{2});
  const std::int64_t load = snug::load(problem);
  for (std::size_t p = 0; p < pools; ++p)
    drawn.pools.push_back(
        {std::make_shared<const Problem<>>(problem),
         (std::max)(load * random.between(20, 90) / 100, std::int64_t{1})});
  const bool is_ample = pools == 2 && random.chance(50);
  if (is_ample) drawn.pools[1].capacity = load * 100;
  drawn.costs = CostTable(shape.count, pools + 1);
  for (std::size_t i = 0; i < shape.count; ++i) {
    drawn.costs.at(i, 0) = 0;
    if (pools == 2) drawn.costs.at(i, 1) = random.between(1, 20) * kUnit;
    if (!is_ample) drawn.costs.at(i, pools) = random.between(1, 60) * kUnit;
  }
  return drawn;
}

/// Whether all pools hold what they are said to.
bool is_placed(const Case& drawn, const List<Index>& division,
               const std::vector<std::int64_t>& offsets) {
  for (std::size_t p = 0; p < drawn.pools.size(); ++p) {
    std::vector<std::size_t> kept;
    std::vector<std::int64_t> at;
    for (std::size_t i = 0; i < division.size(); ++i) {
      if (division[i] != p) continue;
      kept.push_back(i);
      at.push_back(offsets[i]);
    }
    if (!snug::validate(snug::subset(*drawn.pools[p].problem, kept),
                        drawn.pools[p].capacity, at)
             .ok())
      return false;
  }
  return true;
}

struct Ends {
  std::int64_t cost;
  std::int64_t bound;
};

/// The pools of a case, whose buffers are items of their own.
struct Memory {
  explicit Memory(const Case& drawn)
      : pools(drawn.pools,
              snug::detail::single_items(drawn.costs.items, budget.interrupt()),
              budget) {}

  Options options{};
  Budget budget{options};
  PoolSet<BothModels> pools;
};

Ends search(const Case& drawn, std::size_t most_pairs) {
  Memory memory(drawn);
  PoolSearch<BothModels> search(memory.pools, drawn.costs, most_pairs);
  search.run(kEffort);
  const Ends ends{search.cost(), search.bound()};
  REQUIRE(ends.bound <= ends.cost);
  REQUIRE(search.is_done() == (ends.bound == ends.cost));
  REQUIRE(search.division().size() == drawn.costs.items);
  REQUIRE(is_placed(drawn, search.division(), search.offsets()));
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < drawn.costs.items; ++i)
    cost += drawn.costs.at(i, search.division()[i]);
  REQUIRE(cost == ends.cost);
  return ends;
}

}  // namespace

TEST_CASE("pool search: as for many items", "[pool_search]") {
  int proved = 0;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{600}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Case drawn = draw_case(random, 9);
    const Ends exact = search(drawn, PoolSearch<BothModels>::kMostPairs);
    const Ends many = search(drawn, 0);
    REQUIRE(exact.bound == exact.cost);
    REQUIRE(many.cost >= exact.cost);
    REQUIRE(many.bound <= exact.cost);
    proved += many.bound == many.cost ? 1 : 0;
    ++cases;
  }
  CHECK(proved > cases / 5);
}

TEST_CASE("pool search: items move back as long as there is room",
          "[pool_search]") {
  std::size_t moved = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Case drawn = draw_case(random, 9);
    Memory memory(drawn);
    PoolSet<BothModels>& pools = memory.pools;
    DivisionPlacer<BothModels> placer(pools, drawn.costs);
    // At first all are where there is room for all.
    auto last = static_cast<Index>(pools.size());
    if (!drawn.costs.allows(0, last)) --last;
    const List<Index> dearest(drawn.costs.items, last);
    REQUIRE(placer.has_placed(dearest, kEffort));
    placer.move_back(kEffort, 0);
    const List<Index> division = placer.division();
    REQUIRE(placer.cost() == placer.cost_of(division));
    REQUIRE(is_placed(drawn, division, placer.offsets()));
    for (std::size_t i = 0; i < division.size(); ++i) {
      if (division[i] == 0) continue;
      List<Index> cheaper = division;
      cheaper[i] = 0;
      REQUIRE(!placer.has_placed(cheaper, kEffort));
    }
    moved += static_cast<std::size_t>(
        std::count(division.begin(), division.end(), Index{0}));
  }
  CHECK(moved >= at_least(std::size_t{300}));
}

}  // namespace pool_search_test
