// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// suggest_spills(): which buffers to move elsewhere, to another memory say, so
/// that the others fit, at small cost.
///
///     demands: sections that are too full, sets that do not fit
///        |
///     a cheap choice that meets them (cover.hpp)  <--------+
///        |                                                 |
///     does the rest fit?  --- no: what of it does not ---->+
///        | yes                (the sets of explain())
///     put back what still fits, exchange for cheaper ones
///
/// If the choice was the best one, so is the result: whatever lets the rest fit
/// meets all demands. Its cost is a lower bound at any rate.
///
/// If it is not known whether the rest fits, more of it is left out, a few at
/// first and then twice as many, until a placement is found.
///
/// Source: implicit hitting sets, Moreno-Centeno and Karp (Operations Research,
/// 2013); Davies and Bacchus (CP 2011).
#ifndef SNUG_SPILL_HPP
#define SNUG_SPILL_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/explain/budget.hpp"
#include "snug/explain/cover.hpp"
#include "snug/explain/spill_search.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/widen.hpp"
#include "snug/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
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
  result.error = check(problem);
  if (result.error.ok() && capacity < 0)
    result.error.reason = Reason::kNegativeCapacity;
  if (!result.error.ok()) return result;
  std::vector<Cost> costs = cost;
  if (cost.empty())
    for (const Buffer<Size, Time>& buffer : problem.buffers)
      costs.push_back(static_cast<Cost>(buffer.size));
  result.error.buffer = detail::find_bad_cost(costs, problem.buffers.size());
  if (result.error.buffer != Check::kNoBuffer) {
    // Sizes may be too large for costs even if those live together are not.
    if (cost.empty())
      result.error =
          Check::of_buffer(Reason::kSizeOverflow, result.error.buffer);
    return result;
  }

  detail::Budget budget(options);
  using Engine = detail::Engine<false, true>;
  const Problem<>& wide = detail::widen(problem);
  detail::Trials<Engine> trials(wide, std::int64_t{capacity}, budget);
  detail::SpillSearch<Engine, Cost> search(trials, costs);
  search.run();
  result.status = Status::kFeasible;
  for (const std::int64_t offset : search.offsets())
    result.offsets.push_back(static_cast<Size>(offset));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (result.offsets[i] != Spills<Size, Cost>::kSpilled) continue;
    result.buffers.push_back(i);
    result.cost += costs[i];
  }
  result.lower_bound = (std::min)(search.lower_bound(), result.cost);
  result.proved_cheapest =
      search.is_cheapest() || !(result.lower_bound < result.cost);
  if (result.proved_cheapest) result.lower_bound = result.cost;
  if (!result.proved_cheapest) result.stopped_by = budget.stopped_by();
  result.stats = budget.stats();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_SPILL_HPP
