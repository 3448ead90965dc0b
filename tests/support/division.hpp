// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small problems of division: items, pools as their loads see them, and costs.
#ifndef SNUG_TESTS_SUPPORT_DIVISION_HPP
#define SNUG_TESTS_SUPPORT_DIVISION_HPP

#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

constexpr std::int64_t kNoDivision = (std::numeric_limits<std::int64_t>::max)();

struct Division {
  detail::CostTable costs{0, 0};
  std::vector<detail::PoolLoads> pools{};
  detail::List<detail::Index> alike{};  ///< for each pool the first one like it
};

/// Items of few sizes in few sections, such that about half of them fit.
/// Costs are multiples of `unit_cost`.
inline Division random_division(Random& random, std::size_t most_items,
                                std::int64_t unit_cost) {
  using detail::Index;
  Division all;
  const auto items = random.between(std::size_t{2}, most_items);
  const auto pools = random.between(std::size_t{1}, std::size_t{2});
  all.costs = detail::CostTable(items, pools + 1);
  const bool is_spill = random.chance(70);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t p = 0; p < pools; ++p)
      if (is_spill || random.chance(80))
        all.costs.at(i, p) = is_spill ? 0 : random.between(0, 60) * unit_cost;
    all.costs.at(i, pools) = random.between(1, 99) * unit_cost;
  }
  const std::int64_t unit = std::int64_t{1} << random.between(11, 14);
  for (std::size_t p = 0; p < pools; ++p) {
    detail::PoolLoads loads;
    loads.sections = random.between(Index{1}, Index{6});
    std::vector<std::int64_t> sums(loads.sections, 0);
    for (std::size_t i = 0; i < items; ++i) {
      const auto lower = random.between(Index{0}, loads.sections - 1);
      const auto upper = random.between(lower + 1, loads.sections);
      const std::int64_t bytes = random.between(1, 9) * unit;
      loads.parts.push_back({{lower, upper}, bytes});
      loads.parts.end_row();
      for (Index s = lower; s < upper; ++s) sums[s] += bytes;
    }
    for (const std::int64_t sum : sums)
      loads.room.push_back(sum * random.between(20, 90) / 100);
    all.pools.push_back(std::move(loads));
    all.alike.push_back(static_cast<Index>(p));
  }
  return all;
}

/// What a division costs that every item and all pools allow; else kNoDivision.
inline std::int64_t cost_of(const Division& all,
                            const detail::List<detail::Index>& columns) {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!all.costs.allows(i, columns[i])) return kNoDivision;
    cost += all.costs.at(i, columns[i]);
  }
  for (std::size_t p = 0; p < all.pools.size(); ++p)
    if (!all.pools[p].has_room_for(
            [&](std::size_t i) { return columns[i] == p; }))
      return kNoDivision;
  return cost;
}

/// The cheapest by trying all; kNoDivision: there is none.
inline std::int64_t least_cost(const Division& all) {
  detail::List<detail::Index> columns(all.costs.items, 0);
  std::int64_t least = kNoDivision;
  for (bool is_over = false; !is_over;) {
    least = std::min(least, cost_of(all, columns));
    is_over = true;
    for (std::size_t i = 0; i < columns.size() && is_over; ++i) {
      columns[i] =
          static_cast<detail::Index>((columns[i] + 1) % all.costs.columns);
      is_over = columns[i] == 0;
    }
  }
  return least;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_DIVISION_HPP
