// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(): finds a placement below a capacity, or proves that there is none.
///
/// The flow, one step a folder:
///
///     check -> sweep -> load -> dives -> for each partition: stack or search
///         `--> constrained/place.hpp, if there are constraints
///
/// Partitions share no moment of time, so each is placed for itself; one that
/// does not fit settles the whole problem. A problem whose load exceeds the
/// capacity is infeasible without a search.
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/constrained/place.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/check.hpp"
#include "snug/model/event.hpp"
#include "snug/model/kind.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/search/instance.hpp"
#include "snug/search/limits.hpp"
#include "snug/search/memory.hpp"
#include "snug/search/portfolio.hpp"
#include "snug/search/search.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Lane, class Size, class Time>
[[nodiscard]] Outcome search_partition(const Problem<Size, Time>& problem,
                                       const Sweep& sweep,
                                       const Partition& partition,
                                       std::int64_t unit, Size capacity,
                                       const Options& options, Limits& limits,
                                       Result<Size>& result) {
  const std::size_t held =
      bytes_of(sweep) + result.offsets.capacity() * sizeof(Size);
  Memory memory;
  const Instance<Lane> instance = make_instance<Lane>(
      problem, sweep, partition, unit, std::int64_t{capacity}, memory);
  Portfolio<Lane> portfolio(instance, options, result.stats, limits, memory);
  Outcome outcome = Outcome::kStopped;
  while (outcome == Outcome::kStopped && limits.status() == Status::kSolved)
    outcome = portfolio.run();
  if (outcome == Outcome::kPlacedAll)
    for (Index x = 0; x < instance.size; ++x)
      result.offsets[sweep.order[partition.buffers.lower + x]] =
          static_cast<Size>(portfolio.state().minimum[x] * unit);
  result.stats.peak_bytes =
      (std::max)(result.stats.peak_bytes, held + memory.peak_bytes());
  return outcome;
}

/// Places the whole problem with a few dives, more of them the larger it is
/// and the less a search can do. Returns whether one fits below the capacity.
template <class Size, class Time>
[[nodiscard]] bool dive_below(const Problem<Size, Time>& problem,
                              const Sweep& sweep, std::int64_t capacity,
                              Limits& limits, Result<Size>& result) {
  const auto n = static_cast<std::int64_t>(sweep.order.size());
  const std::int64_t dives = n * n / 65536;
  if (dives == 0) return false;
  Memory memory;
  const Boxes boxes = make_boxes(problem, sweep, memory);
  const OrderNames names(IncumbentBudget{}.orders);
  Best best{0, memory.take_raw<std::int64_t>(boxes.count)};
  (void)dive_in_turn(
      problem, sweep, boxes, names, capacity, dives,
      [&] { return limits.hit(result.stats.nodes); },
      memory.take_raw<Index>(std::size_t{names.count} * boxes.count), best,
      memory);
  result.stats.peak_bytes =
      (std::max)(result.stats.peak_bytes,
                 bytes_of(sweep) + result.offsets.capacity() * sizeof(Size) +
                     memory.peak_bytes());
  if (best.height > capacity) return false;
  for (Index x = 0; x < boxes.count; ++x)
    result.offsets[boxes.input[x]] =
        static_cast<Size>(best.offsets[x] * boxes.unit);
  return true;
}

template <bool kSmall, class Size, class Time>
[[nodiscard]] Outcome solve_partition(const Problem<Size, Time>& problem,
                                      const Sweep& sweep,
                                      const Partition& partition, Size capacity,
                                      const Options& options, Limits& limits,
                                      Result<Size>& result) {
  if (stack_all(problem, sweep, partition, capacity, result.offsets))
    return Outcome::kPlacedAll;
  const std::int64_t unit = common_unit(problem, sweep, partition);
  return with_lane<kSmall>(capacity / unit, [&](auto lane) {
    return search_partition<decltype(lane)>(problem, sweep, partition, unit,
                                            capacity, options, limits, result);
  });
}

/// Places all partitions, or says in `result` why not.
template <bool kSmall, class Size, class Time>
void solve_partitions(const Problem<Size, Time>& problem, const Sweep& sweep,
                      Size capacity, const Options& options, Limits& limits,
                      Result<Size>& result) {
  result.offsets.assign(problem.buffers.size(), 0);
  result.status = Status::kSolved;
  if (!dive_below(problem, sweep, std::int64_t{capacity}, limits, result)) {
    for (const Partition& partition : sweep.partitions) {
      const Outcome outcome = solve_partition<kSmall>(
          problem, sweep, partition, capacity, options, limits, result);
      if (outcome == Outcome::kPlacedAll) continue;
      result.status =
          outcome == Outcome::kRefuted ? Status::kInfeasible : limits.status();
      result.offsets.clear();
      return;
    }
  }
  for (std::size_t i = 0; i < result.offsets.size(); ++i)
    result.height = (std::max)(
        result.height,
        static_cast<Size>(result.offsets[i] + problem.buffers[i].size));
}

/// solve() for a problem without constraints.
template <bool kSmall, bool kPlainOnly, class Size, class Time>
void solve_plain(const Problem<Size, Time>& problem, Size capacity,
                 const Options& options, Limits& limits, Result<Size>& result) {
  if (problem.alignment > 1)
    return solve_plain<kSmall, kPlainOnly>(aligned(problem), capacity, options,
                                           limits, result);
  const Sweep sweep = snug::sweep(problem);
  result.stats.peak_bytes =
      bytes_of(sweep) + 2 * problem.buffers.size() * sizeof(Event<Time>);
  result.lower_bound = aligned_load(problem, sweep);
  limits.known().lower_bound = result.lower_bound;
  result.status = Status::kInfeasible;
  if (result.lower_bound > capacity) return;
  if constexpr (!kPlainOnly) {
    if (has_hints(problem) &&
        solve_hinted(problem, capacity, options, limits, result))
      return;
  }
  solve_partitions<kSmall>(problem, sweep, capacity, options, limits, result);
}

}  // namespace detail

/// Finds an offset for each buffer such that no two buffers meet, all
/// constraints of the problem hold and no top is above `capacity`, or proves
/// that there are none.
///
/// Result::lower_bound is the load (with alignments, see
/// bounds/aligned_load.hpp), or more when the answer is "infeasible": then it
/// is at least capacity + 1, if the size type has that number. An
/// invalid problem or a negative capacity gives Status::kInvalidProblem, with
/// the reason in Result::error. Buffers of size zero constrain nothing.
///
/// Exponential time in the worst case, hence the limits in `options`. Memory:
/// O(n + sections), plus at most 64 MiB for who overlaps whom,
/// Options::failed_state_bytes, and the path of the search; with constraints
/// some 100 bytes for each pair of buffers that are live together, too.
/// kSmall, kPlainOnly: see SNUG_SMALL_CODE and SNUG_PLAIN_ONLY.
template <class Size, class Time, bool kSmall = SNUG_SMALL_CODE != 0,
          bool kPlainOnly = SNUG_PLAIN_ONLY != 0>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {}) {
  Result<Size> result;
  result.error = detail::check<kPlainOnly>(problem);
  if (result.error.ok() && capacity < 0)
    result.error.reason = Reason::kNegativeCapacity;
  if (!result.error.ok()) return result;
  detail::Limits limits(options);
  if (kPlainOnly || !detail::is_constrained(problem)) {
    detail::solve_plain<kSmall, kPlainOnly>(problem, capacity, options, limits,
                                            result);
  } else if constexpr (!kPlainOnly) {
    detail::solve_constrained(
        problem, capacity, options, limits, result,
        [&](const Problem<Size, Time>& tight, const Options& some) {
          return solve<Size, Time, kSmall>(tight, capacity, some);
        });
  }
  if (result.status == Status::kInfeasible &&
      capacity < (std::numeric_limits<Size>::max)())
    result.lower_bound =
        (std::max)(result.lower_bound, static_cast<Size>(capacity + 1));
  result.stats.seconds = limits.seconds();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_SOLVE_HPP
