// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// find_incumbent(): a placement of any problem, soon, and a better one with
/// more time. What solvers start from.
///
///     dives, one in each order  -->  first fit,  -->  repair of these orders
///                                    best fit
///
/// First and best fit, largest first, are for up to kMostFitted buffers, and
/// for more of which at most kMostPairs pairs are live together; there the
/// result is never worse than theirs, unless it reaches the target or is
/// stopped before. Each step is skipped when the target is reached.
///
/// The budget counts dives, so that the result is the same on every machine
/// unless a time limit strikes.
///
/// Cost: O(n log n) time and O(n + sections) memory for one dive: a million
/// buffers take about a second and 80 bytes each. Repair takes 50 bytes more
/// and up to 4 for each order.
#ifndef SNUG_HEURISTICS_INCUMBENT_HPP
#define SNUG_HEURISTICS_INCUMBENT_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/dive.hpp"
#include "snug/heuristics/first_fit.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/heuristics/repair.hpp"
#include "snug/model/problem.hpp"
#include "snug/search/memory.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// How much to spend on an incumbent.
struct IncumbentBudget {
  /// Dives, >= 1. Those of the orders come first; what is left is for repair.
  std::int64_t dives = 64;
  /// Comma-separated orders (see orders.hpp); the first 16 count.
  std::string_view orders = "TWA,TAW,A,TZ";
  /// Seed of repair's random walk.
  std::uint64_t seed = 1;
};

/// A placement, and what it took.
template <class Size>
struct Placement {
  /// In input order. Empty if the height does not fit the size type.
  std::vector<Size> offsets{};
  std::int64_t height = 0;  ///< largest offset + size
  std::int64_t dives = 0;
  std::size_t peak_bytes = 0;  ///< without the sweep and `offsets`
};

/// The answer to whether to stop, where there are no limits.
struct NeverStop {
  [[nodiscard]] bool operator()() const noexcept { return false; }
};

/// A comma-separated list, cut into its first few words.
struct OrderNames {
  static constexpr Index kMost = 16;

  explicit OrderNames(std::string_view list) {
    while (!list.empty() && count < kMost) {
      const std::size_t comma = (std::min)(list.find(','), list.size());
      name[count++] = list.substr(0, comma);
      list.remove_prefix((std::min)(comma + 1, list.size()));
    }
    if (count == 0) name[count++] = {};
  }

  Index count = 0;
  std::string_view name[kMost];
};

/// Dives once in each order until one is at most `target` high. Writes the
/// orders that were used to `orders`, one behind the other. The first dive is
/// never stopped. Returns the number of dives.
template <class Size, class Time, class Stop>
Index dive_in_turn(const Problem<Size, Time>& problem, const Sweep& sweep,
                   const Boxes& boxes, const OrderNames& names,
                   std::int64_t target, std::int64_t most_dives, Stop&& stop,
                   Index* orders, Best& best, Memory& memory) {
  const Orders sorter(problem, sweep, boxes, memory);
  Dive dive(boxes, memory);
  Index dives = 0;
  while (dives < names.count) {
    if (dives > 0 && (best.height <= target || dives >= most_dives || stop()))
      break;
    Index* const order = orders + std::size_t{dives} * boxes.count;
    sorter.sort(names.name[dives], order);
    const bool is_lower = dives++ == 0
                              ? dive.run(order, Dive::kNoCeiling, NeverStop{})
                              : dive.run(order, best.height - 1, stop);
    if (is_lower) best.keep(dive.height(), dive.offsets(), boxes.count);
  }
  return dives;
}

/// Problems up to here are small enough for first fit and best fit.
inline constexpr Index kMostFitted = 4096;
/// Larger ones are if they have at most so many pairs of overlapping buffers:
/// a hundred thousand buffers may overlap 80 others each.
inline constexpr std::int64_t kMostPairs = std::int64_t{1} << 22;

/// First fit and best fit by size, if they are lower than what is known.
template <class Size, class Time, class Stop>
void fit_by_size(const Problem<Size, Time>& problem, const Sweep& sweep,
                 const Boxes& boxes, std::int64_t target, Stop&& stop,
                 Best& best) {
  Memory memory;
  auto* const order = memory.take_raw<Index>(boxes.count);
  Orders(problem, sweep, boxes, memory).sort("Z", order);
  GreedyFit greedy(boxes, memory);
  for (const Fit fit : {Fit::kFirst, Fit::kBest}) {
    if (best.height <= target || stop()) return;
    if (greedy.run(order, fit, best.height - 1, stop))
      best.keep(greedy.height(), greedy.offsets(), boxes.count);
  }
}

/// Looks for a placement of `problem`, which is well formed and without fixed
/// offsets, that is at most `target` high: a capacity or, for the lowest, the
/// load (a lower target is the same). Returns the lowest that it found: gaps
/// count as live, and buffers of size zero lie at 0.
///
/// `sweep` is that of the problem. stop() is asked at least before each dive
/// but the first and after each 1024 placements; when it returns true, the
/// result so far is returned. The first dive is always finished.
template <class Size, class Time, class Stop = NeverStop>
[[nodiscard]] Placement<Size> find_incumbent(const Problem<Size, Time>& problem,
                                             const Sweep& sweep,
                                             std::int64_t target,
                                             const IncumbentBudget& budget = {},
                                             Stop&& stop = Stop{}) {
  Placement<Size> result;
  result.offsets.assign(problem.buffers.size(), 0);
  if (sweep.order.empty()) return result;
  Memory memory;
  const Boxes boxes = make_boxes(problem, sweep, memory);
  const OrderNames names(budget.orders);
  auto* const orders =
      memory.take_raw<Index>(std::size_t{names.count} * boxes.count);
  Best best{0, memory.take_raw<std::int64_t>(boxes.count)};
  {
    Memory scratch;
    result.dives = dive_in_turn(problem, sweep, boxes, names, target,
                                budget.dives, stop, orders, best, scratch);
    result.peak_bytes = memory.peak_bytes() + scratch.peak_bytes();
  }
  if (boxes.count <= kMostFitted ||
      overlapping_pairs(boxes, memory) <= kMostPairs)
    fit_by_size(problem, sweep, boxes, target, stop, best);
  if (best.height > target && result.dives < budget.dives && !stop()) {
    Repair repair(boxes, orders, static_cast<Index>(result.dives), budget.seed,
                  memory);
    result.dives += repair.run(target, budget.dives - result.dives, stop, best);
    result.peak_bytes = (std::max)(result.peak_bytes, memory.peak_bytes());
  }
  result.height = best.height;
  if (best.height > std::int64_t{(std::numeric_limits<Size>::max)()}) {
    result.offsets.clear();
    return result;
  }
  for (Index x = 0; x < boxes.count; ++x)
    result.offsets[boxes.input[x]] =
        static_cast<Size>(best.offsets[x] * boxes.unit);
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_INCUMBENT_HPP
