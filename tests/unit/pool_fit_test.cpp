// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/pool_fit.hpp"

#include "snug/explain/spots.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/models.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/print.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pool_fit_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BothModels;
using snug::detail::Budget;
using snug::detail::CostTable;
using snug::detail::Index;
using snug::detail::kAbsent;
using snug::detail::List;
using snug::detail::Lists;
using snug::detail::PoolFit;
using snug::detail::PoolProblem;
using snug::detail::PoolSet;
using Offsets = std::vector<std::int64_t>;

namespace {

/// Two pools of one problem; elsewhere costs most.
struct Two {
  explicit Two(const Problem<>& its, std::int64_t first, std::int64_t second)
      : problem(std::make_shared<const Problem<>>(its)),
        set({{problem, first}, {problem, second}},
            snug::detail::single_items(its.buffers.size(), budget.interrupt()),
            budget),
        costs(its.buffers.size(), 3),
        offsets(its.buffers.size(), kAbsent) {
    for (Index i = 0; i < costs.items; ++i) {
      order.push_back(i);
      division.push_back(2);
      costs.at(i, 0) = 1;
      costs.at(i, 1) = 2;
      costs.at(i, 2) = 9;
    }
  }

  [[nodiscard]] Lists<Index> orders() const {
    Lists<Index> all;
    all.push_back(order);
    return all;
  }
  [[nodiscard]] Offsets in_pool(Index p) const {
    Offsets its = offsets;
    for (Index i = 0; i < division.size(); ++i)
      if (division[i] != p) its[i] = kAbsent;
    return its;
  }

  snug::Options options{};
  Budget budget{options};
  std::shared_ptr<const Problem<>> problem;
  PoolSet<BothModels> set;
  CostTable costs;
  List<Index> order{};
  List<Index> division{};
  Offsets offsets;
};

}  // namespace

TEST_CASE("pool fit: any constraints, in two pools", "[pool_fit]") {
  std::size_t placed = 0;
  std::size_t all = 0;
  std::size_t plain = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem = uniform_small(2, 12, random);
    if (random.chance(80)) add_constraints(problem, random);
    for (int k = random.between(0, 3); k > 0; --k)
      add_may_overlap(problem, random);
    const std::int64_t first = random.between(0, 12);
    const std::int64_t second = random.between(0, 24);
    Two two(problem, first, second);
    PoolFit<BothModels> fit(two.set, two.costs);
    for (Index i = 0; i < two.order.size(); ++i)
      std::swap(two.order[i], two.order[random.between(Index{0}, i)]);
    for (Index i = 0; i < two.division.size(); ++i)
      two.division[i] = random.between(Index{0}, Index{2});
    if (fit.is_plain()) {
      ++plain;
      for (const Index p : {0U, 1U})
        fit.dive(p, two.set.buffers_in(p, two.division), two.offsets,
                 [] { return false; });
    }
    CHECK(fit.fit(two.order, two.division, two.offsets));
    INFO(as_csv(problem, two.offsets));
    CHECK(snug::detail::is_placement(problem, first, two.in_pool(0)));
    CHECK(snug::detail::is_placement(problem, second, two.in_pool(1)));
    for (Index i = 0; i < two.division.size(); ++i) {
      CHECK((two.offsets[i] == kAbsent) == (two.division[i] == 2));
      placed += two.division[i] == 2 ? 0U : 1U;
    }
    all += two.division.size();
  }
  CHECK(plain > at_least<std::size_t>(100));
  CHECK(4 * placed > 3 * all);
}

TEST_CASE("pool fit: what does not fit goes to the next pool", "[pool_fit]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}, {{0, 2}, 2}};
  SECTION("a division first") {
    Two two(problem, 7, 9);
    two.division[2] = 0;
    PoolFit<BothModels> fit(two.set, two.costs);
    CHECK(fit.fit(two.order, two.division, two.offsets));
    CHECK(two.offsets == Offsets{2, 0, 0});
    CHECK(two.division == List<Index>{0, 1, 0});
  }
  SECTION("best to have first") {
    Two two(problem, 7, 1);
    PoolFit<BothModels> fit(two.set, two.costs);
    CHECK(fit.fit(two.order, two.division, two.offsets));
    CHECK(two.offsets == Offsets{0, 3, kAbsent});
  }
  SECTION("from where it is to where it costs less") {
    Two two(problem, 4, 9);
    two.division[1] = 1;
    two.offsets[1] = 5;
    PoolFit<BothModels> fit(two.set, two.costs);
    std::swap(two.order[0], two.order[1]);
    CHECK(fit.fit(two.order, two.division, two.offsets));
    CHECK(two.offsets == Offsets{0, 0, 3});
    CHECK(two.division == List<Index>{1, 0, 1});
  }
  SECTION("what is fixed comes first, what is tied goes together") {
    problem.buffers[2].offset = 1;
    problem.aliases = {{1, 0, 3}};
    Two two(problem, 3, 20);
    PoolFit<BothModels> fit(two.set, two.costs);
    CHECK(fit.fit(two.order, two.division, two.offsets));
    CHECK(two.offsets == Offsets{0, 3, 1});
    CHECK(two.division == List<Index>{1, 1, 0});
  }
}

TEST_CASE("pool fit: walks where alignments are mixed", "[pool_fit]") {
  std::size_t walked = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem = uniform_small(4, 16, random);
    for (auto& buffer : problem.buffers)
      buffer.alignment = std::int64_t{1} << random.between(0, 2);
    if (random.chance(50)) add_constraints(problem, random);
    for (auto& buffer : problem.buffers) buffer.offset.reset();
    if (!check(problem).ok()) continue;
    const std::int64_t first = random.between(4, 16);
    // Now and then there is room for all.
    const std::int64_t second =
        random.chance(30) ? 1000 : random.between(4, 24);
    Two two(problem, first, second);
    for (Index i = 0; i < two.costs.items; ++i)
      for (Index c = 0; c < 3; ++c)
        two.costs.at(i, c) = random.between(0, 7) + (c == 0   ? 0
                                                     : c == 1 ? 8
                                                              : 16);
    PoolFit<BothModels> fit(two.set, two.costs);
    if (!fit.is_mixed()) continue;
    // From first fit on, or from that of some, or from nothing.
    const bool begins = random.chance(50);
    List<Index> division = two.division;
    if (begins && !fit.fit(two.order, division, two.offsets)) continue;
    std::int64_t cost = two.costs.cost_of(division);
    before += cost;
    if (!begins) division.clear();
    for (const std::int64_t looks : {2000, 2000}) {
      CHECK(fit.walk(two.orders(), looks, 0, division, two.offsets));
      two.division = division;
      INFO(as_csv(problem, two.offsets));
      CHECK(snug::detail::is_placement(problem, first, two.in_pool(0)));
      CHECK(snug::detail::is_placement(problem, second, two.in_pool(1)));
      for (Index i = 0; i < two.division.size(); ++i)
        CHECK((two.offsets[i] == kAbsent) == (division[i] == 2));
      CHECK(two.costs.cost_of(division) <= cost);
      cost = two.costs.cost_of(division);
    }
    after += cost;
    ++walked;
  }
  CHECK(walked > at_least<std::size_t>(300));
  CHECK(after < before);
}

TEST_CASE("pool fit: no walk with one alignment or what is fixed",
          "[pool_fit]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2, 4}, {{0, 2}, 3, 4}};
  {
    Two two(problem, 8, 8);
    PoolFit<BothModels> fit(two.set, two.costs);
    CHECK_FALSE(fit.is_mixed());
    CHECK_FALSE(fit.walk(two.orders(), 1000, 0, two.division, two.offsets));
  }
  problem.buffers[0].alignment = 1;
  problem.buffers[0].offset = 0;
  Two two(problem, 8, 8);
  PoolFit<BothModels> fit(two.set, two.costs);
  CHECK(fit.is_mixed());
  CHECK_FALSE(fit.walk(two.orders(), 1000, 0, two.division, two.offsets));
}

TEST_CASE("pool fit: a walk leaves what is torn alone", "[pool_fit]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2, 1}, {{0, 2}, 2, 4}, {{0, 2}, 2, 2}};
  problem.aliases = {{2, 1, 2}};
  Two two(problem, 4, 0);
  PoolFit<BothModels> fit(two.set, two.costs);
  REQUIRE(fit.is_mixed());
  // Half of what is tied, and where the other half would be another one.
  two.division = {0, 0, 2};
  two.offsets = {2, 0, kAbsent};
  CHECK(fit.walk(two.orders(), 1000, 0, two.division, two.offsets));
  CHECK(snug::detail::is_placement(problem, 4, two.in_pool(0)));
}

TEST_CASE("pool fit: items that may not be elsewhere", "[pool_fit]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}};
  for (const std::int64_t second : {3, 4}) {
    Two two(problem, 3, second);
    two.costs.at(1, 2) = CostTable::kNever;
    PoolFit<BothModels> fit(two.set, two.costs);
    CHECK(fit.fit(two.order, two.division, two.offsets) == (second == 4));
  }
}

}  // namespace pool_fit_test
