// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// assign(): which buffer goes to which memory pool, and where, at the least
/// cost; or the best found and a lower bound.
///
///     input     in 64 bits: items, their costs, and a problem for each pool
///               (pools/pool_input.hpp)
///     search    cheap divisions, placed, and a bound (pools/pool_search.hpp)
#ifndef SNUG_ASSIGN_HPP
#define SNUG_ASSIGN_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/widen.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/models.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_input.hpp"
#include "snug/pools/pool_search.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Searches, and says in `result` what is known now, which may be something
/// already. Whether the costs were added up as they are, not rounded.
template <class M>
[[nodiscard]] bool search_pools(const PoolInput& input, PoolSet<M>& set,
                                AssignResult<>& result) {
  Lists<bool> has_room;
  for (std::size_t p = 0; p < set.size(); ++p)
    has_room.push_back(set.find_room(p));
  const ScaledCosts<std::int64_t> costs(
      set.items().size(), set.size() + 1,
      [&](std::size_t i, std::size_t p) -> const std::int64_t* {
        if (p == set.size() || !has_room[p][i]) return nullptr;
        const std::int64_t& own = input.costs()[i][p];
        return own == Pools<>::kNever ? nullptr : &own;
      });
  PoolSearch<M> search(set, costs.table());
  search.run(kNoNodeLimit);

  std::int64_t cost = 0;
  const List<Index>& division = search.division();
  for (std::size_t i = 0; i < division.size(); ++i)
    cost += input.costs()[i][division[i]];
  if (!division.empty() && (!result.has_solution() || cost < result.cost)) {
    result.status = Status::kFeasible;
    result.cost = cost;
    result.pools.assign(set.buffers(), 0);
    for (std::size_t i = 0; i < division.size(); ++i)
      for (const std::size_t b : set.items()[i]) result.pools[b] = division[i];
    result.offsets = search.offsets();
  }
  if (!result.has_solution()) {
    result.status = search.is_done() ? Status::kInfeasible : Status::kUnknown;
    if (!search.is_done()) result.cost_bound = costs.bound(search.bound());
    return costs.is_exact();
  }
  const std::int64_t bound = search.is_done() && costs.is_exact()
                                 ? result.cost
                                 : costs.bound(search.bound());
  result.cost_bound =
      (std::min)((std::max)(result.cost_bound, bound), result.cost);
  if (result.cost_bound == result.cost) result.status = Status::kOptimal;
  return costs.is_exact();
}

/// assign() in 64 bits. The budget may have given up before.
[[nodiscard]] inline AssignResult<> assign_wide(const Problem<>& problem,
                                                const Pools<>& pools,
                                                Budget& budget) {
  AssignResult<> result;
  PoolInput input(problem, pools, budget);
  const bool is_valid = input.read();
  if (budget.has_given_up(result)) return result;
  result.error = input.error();
  result.error_pool = input.error_pool();
  if (!is_valid) return result;
  if (problem.buffers.empty()) {
    result.status = Status::kOptimal;
    return result;
  }
  PoolSet<BothModels> set(input.take_problems(), input.take_items(), budget);
  if (budget.has_given_up(result)) return result;
  bool is_exact = search_pools(input, set, result);
  // Few very large costs make all others look alike. Once it is known that they
  // need not be paid, the others count in full.
  while (!is_exact && result.status == Status::kFeasible &&
         !budget.is_spent() && input.forbid_above(result.cost))
    is_exact = search_pools(input, set, result);
  if (result.status == Status::kUnknown || result.status == Status::kFeasible)
    result.stopped_by = budget.left_open_by();
  result.stats = budget.stats();
  return result;
}

template <class Size, class Time>
[[nodiscard]] Pools<> copy_widened(const Pools<Size, Time>& pools) {
  Pools<> wide;
  for (const Pool<Size, Time>& pool : pools.pools)
    wide.pools.push_back({pool.capacity, pool.base, pool.alignment,
                          widen(pool.reserved), pool.cost_per_byte});
  wide.costs = pools.costs;
  return wide;
}

/// The same result, whose offsets are below capacities of that type.
template <class Size>
[[nodiscard]] AssignResult<Size> narrow(AssignResult<>&& wide) {
  AssignResult<Size> result;
  result.status = wide.status;
  result.stopped_by = wide.stopped_by;
  result.pools = std::move(wide.pools);
  result.offsets.reserve(wide.offsets.size());
  for (const std::int64_t offset : wide.offsets)
    result.offsets.push_back(static_cast<Size>(offset));
  result.cost = wide.cost;
  result.cost_bound = wide.cost_bound;
  result.error = wide.error;
  result.error_pool = wide.error_pool;
  result.stats = wide.stats;
  return result;
}

}  // namespace detail

template <class Size, class Time>
AssignResult<Size> assign(const Problem<Size, Time>& problem,
                          const Pools<Size, Time>& pools,
                          const Options& options) {
  detail::Budget budget(options);
  if constexpr (std::is_same_v<Problem<Size, Time>, Problem<>>) {
    return detail::assign_wide(problem, pools, budget);
  } else {
    const Problem<> wide = detail::copy_widened(problem, budget.interrupt());
    return detail::narrow<Size>(
        detail::assign_wide(wide, detail::copy_widened(pools), budget));
  }
}

SNUG_END_NAMESPACE

#endif  // SNUG_ASSIGN_HPP
