// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// suggest_spills(): which buffers to move elsewhere, to another memory say, so
/// that the others fit, at small cost.
///
///     +---------+
///     | the pool|    a | b      a, d, e in the pool, the others elsewhere, where
///     |  a d e  |    c          there is room for all and a buffer costs what it
///     +---------+               costs to spill it
///
/// That is one pool of the search of assign() (pools/pool_search.hpp), which goes on
/// until a limit, or where memory is all it lacks; without limits, for some work.
#ifndef SNUG_SPILL_HPP
#define SNUG_SPILL_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/widen.hpp"
#include "snug/plan/budget.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_search.hpp"
#include "snug/pools/pool_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

/// The first buffer without a cost that is finite, not negative and small
/// enough for the sum to fit, or kNoBuffer.
template <class Cost>
[[nodiscard]] std::size_t find_bad_cost(const std::vector<Cost>& cost,
                                        std::size_t buffers) {
  // Half of what there is: a lower bound is added to a cost.
  constexpr Cost kMost = (std::numeric_limits<Cost>::max)() / 2;
  Cost sum{};
  for (std::size_t i = 0; i < buffers; ++i) {
    if (i >= cost.size() || !(cost[i] >= Cost{}) || cost[i] > kMost - sum)
      return i;
    sum += cost[i];
  }
  return cost.size() > buffers ? buffers : Check::kNoBuffer;
}

/// A size as a cost; too large a cost if the type does not hold it.
template <class Cost>
[[nodiscard]] Cost cost_of_bytes(std::int64_t size) {
  constexpr Cost kMost = (std::numeric_limits<Cost>::max)();
  if constexpr (std::is_integral_v<Cost>)
    if (size > std::int64_t{kMost}) return kMost;
  return static_cast<Cost>(size);
}

/// Takes the placement of what stays in the pool, by buffer, and spills the
/// others; all of them if there is none.
template <class Size, class Cost>
void take_placement(const std::vector<std::int64_t>& offsets,
                    const std::vector<Cost>& costs,
                    Spills<Size, Cost>& result) {
  constexpr Size kSpilled = Spills<Size, Cost>::kSpilled;
  result.status = Status::kFeasible;
  for (const std::int64_t offset : offsets)
    result.offsets.push_back(static_cast<Size>(offset));
  result.offsets.resize(costs.size(), kSpilled);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (result.offsets[i] != kSpilled) continue;
    result.buffers.push_back(i);
    result.cost += costs[i];
  }
}

/// The costs of spilling the buffers: those that are given or, if none are, sizes.
template <class Size, class Time, class Cost>
[[nodiscard]] std::vector<Cost> costs_or_sizes(
    const Problem<Size, Time>& problem, const std::vector<Cost>& given) {
  if (!given.empty()) return given;
  std::vector<Cost> costs;
  costs.reserve(problem.buffers.size());
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    costs.push_back(cost_of_bytes<Cost>(std::int64_t{buffer.size}));
  return costs;
}

/// After how many nodes it ends by itself: never, if there are limits.
[[nodiscard]] inline std::int64_t nodes_for_spills(const Options& options,
                                                   std::size_t buffers) {
  constexpr std::int64_t kNodesPerBuffer = 8192;
  if (is_timed(options) || options.node_limit != kNoNodeLimit)
    return kNoNodeLimit;
  return multiply_nodes(kNodesPerBuffer,
                        static_cast<std::int64_t>(buffers) + 1);
}

/// Searches for spills of buffers that cost at most `most` each, and says in
/// `result` what is known now, which may be something already. Whether whole
/// numbers were rounded for it.
template <class Size, class Cost>
[[nodiscard]] bool search_spills(const std::vector<Cost>& costs, Cost most,
                                 PoolSet<BothModels>& pools,
                                 Spills<Size, Cost>& result) {
  const List<bool> has_room = pools.find_room(0);
  const Cost nothing{};
  const ScaledCosts<Cost> scaled(
      costs.size(), 2, [&](std::size_t i, std::size_t column) -> const Cost* {
        if (column == 0) return has_room[i] ? &nothing : nullptr;
        return most < costs[i] ? nullptr : &costs[i];
      });
  PoolSearch<BothModels> search(pools, scaled.table());
  search.run(nodes_for_spills(pools.budget().options(), costs.size()));

  Spills<Size, Cost> found;
  take_placement(search.offsets(), costs, found);
  found.cost_bound = result.cost_bound;
  if (result.status == Status::kInvalid || found.cost < result.cost)
    result = std::move(found);
  result.cost_bound = (std::min)(
      (std::max)(result.cost_bound, scaled.bound(search.bound())), result.cost);
  const bool is_rounded = std::is_integral_v<Cost> && !scaled.is_exact();
  result.proved_cheapest =
      (search.is_done() && !is_rounded) || !(result.cost_bound < result.cost);
  if (result.proved_cheapest) {
    result.cost_bound = result.cost;
    result.stopped_by = Stop::kNone;
  } else {
    result.stopped_by = search.is_stuck() ? pools.budget().left_open_by()
                                          : pools.budget().stopped_by();
  }
  return is_rounded;
}

}  // namespace detail

template <class Size, class Time, class Cost>
Spills<Size, Cost> suggest_spills(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Cost>& cost, const Options& options) {
  static_assert(std::is_floating_point_v<Cost> ||
                    (std::is_integral_v<Cost> && std::is_signed_v<Cost>),
                "costs are signed integers or floating-point numbers");
  Spills<Size, Cost> result;
  detail::Budget budget(options);
  // In 64 bits: what is spilled may be more than the type of the sizes holds. What is
  // wrong is told whatever the limits, which may have left nothing to search.
  const auto wide = std::make_shared<const Problem<>>(
      detail::copy_widened(problem, budget.interrupt()));
  result.error =
      budget.gave_up() ? check(detail::widen(problem)) : check(*wide);
  detail::check_capacity(capacity, result.error);
  if (!result.error.ok()) return result;
  const std::vector<Cost> costs = detail::costs_or_sizes(problem, cost);
  result.error.buffer = detail::find_bad_cost(costs, problem.buffers.size());
  if (result.error.buffer != Check::kNoBuffer) {
    // Sizes may be too large for costs even if those live together are not.
    if (cost.empty())
      result.error =
          Check::of_buffer(Reason::kSizeOverflow, result.error.buffer);
    return result;
  }

  std::vector<detail::PoolProblem> pool(1);
  pool[0] = {wide, std::int64_t{capacity}};
  detail::PoolSet<detail::BothModels> pools(
      std::move(pool), detail::single_items(costs.size(), budget.interrupt()),
      budget);
  if (budget.gave_up()) {
    // To spill all costs something, so a bound of 0 is one.
    detail::take_placement({}, costs, result);
    result.stopped_by = budget.stopped_by();
    result.stats = budget.stats();
    return result;
  }
  // As assign() does where few costs are so large that all others look alike.
  Cost most = (std::numeric_limits<Cost>::max)();
  const auto is_too_much = [&](Cost one) {
    return result.cost < one && one <= most;
  };
  while (detail::search_spills(costs, most, pools, result) &&
         !result.proved_cheapest && !budget.is_spent() &&
         std::any_of(costs.begin(), costs.end(), is_too_much))
    most = result.cost;
  result.stats = budget.stats();
  return result;
}

template <class Size, class Time>
Spills<Size> suggest_spills(const Problem<Size, Time>& problem,
                            typename Problem<Size, Time>::SizeType capacity,
                            const Options& options) {
  return suggest_spills(problem, capacity, std::vector<std::int64_t>{},
                        options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_SPILL_HPP
