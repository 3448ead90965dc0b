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

#include "snug/config.hpp"
#include "snug/explain/budget.hpp"
#include "snug/explain/cover.hpp"
#include "snug/explain/spill_search.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

SNUG_BEGIN_NAMESPACE

template <class Size = std::int64_t, class Cost = std::int64_t>
struct [[nodiscard]] Spills {
  /// kSolved: `offsets` is a placement of all buffers but `buffers`.
  /// kInvalidProblem: `error` says why; if error.ok(), the costs are wrong,
  /// and error.buffer is the first buffer without a valid one.
  Status status = Status::kInvalidProblem;
  std::vector<std::size_t> buffers{};  ///< to be spilled, ascending
  /// In input order; kSpilled for those to be spilled.
  std::vector<Size> offsets{};
  Cost cost{};         ///< of `buffers`
  Cost lower_bound{};  ///< nothing that lets the rest fit costs less
  bool proved_cheapest = false;
  /// The limit that was hit, if one was; kSolved also where the search gave up
  /// by itself.
  Status stopped = Status::kSolved;
  Check error{};
  ExplainStats stats{};

  static constexpr Size kSpilled = -1;
};

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

/// Finds buffers of small total cost without which there is a placement within
/// `capacity`, and that placement. Nothing is spilled if everything is found to
/// fit.
///
/// `cost` holds the cost of spilling each buffer, not negative; if it is empty,
/// that is its size, and the sum of all must be below half of what Cost holds. Buffers that are tied, or fixed, may be spilled like any
/// others; their companions stay as they were tied (model/subset.hpp).
///
/// Effort: by itself it stops improving after some 4096 nodes for each buffer,
/// so larger limits in `options` make no difference. When the time is up or the
/// call is cancelled, it ends after one dive at the most: even when stopped at
/// once it returns a placement, of whatever first fits. A limit on nodes does
/// not bound the exchanges, which take none. Without a time limit the result is
/// the same on every machine. kSmall: see SNUG_SMALL_CODE.
template <class Size, class Time, class Cost = std::int64_t,
          bool kSmall = SNUG_SMALL_CODE != 0>
[[nodiscard]] Spills<Size, Cost> suggest_spills(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Cost>& cost = {}, const Options& options = {}) {
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
  detail::Trials<kSmall, Size, Time> trials(problem, capacity, budget);
  detail::SpillSearch<kSmall, Size, Time, Cost> search(trials, costs);
  search.run();
  result.error = search.error();
  if (!result.error.ok()) return result;
  result.status = Status::kSolved;
  result.offsets = search.offsets();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (result.offsets[i] != Spills<Size, Cost>::kSpilled) continue;
    result.buffers.push_back(i);
    result.cost += costs[i];
  }
  result.lower_bound = (std::min)(search.lower_bound(), result.cost);
  result.proved_cheapest =
      search.is_cheapest() || !(result.lower_bound < result.cost);
  if (result.proved_cheapest) result.lower_bound = result.cost;
  if (!result.proved_cheapest) result.stopped = budget.status();
  result.stats = budget.stats();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_SPILL_HPP
