// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(): finds a placement below a capacity, or proves that there is none.
///
/// The flow, one step a folder:
///
///     check -> sweep -> load -> dives -> for each partition: stack or search
///         |                       `--> peak/place_large.hpp, if it is large
///         `--> bodies/place.hpp, if there are constraints
///
/// Partitions share no moment of time, so each is placed for itself; one that
/// does not fit settles the whole problem. A problem whose load exceeds the
/// capacity is infeasible without a search.
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP

#include "snug/bodies/place.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/check.hpp"
#include "snug/model/event.hpp"
#include "snug/model/height.hpp"
#include "snug/model/kind.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/support/memory.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Searches a partition until the outcome is known, a limit is hit or
/// `most_nodes` were needed, about. `held`: bytes that others hold meanwhile.
template <class Lane, class Size, class Time>
[[nodiscard]] Outcome search_partition(
    const Problem<Size, Time>& problem, const Sweep& sweep,
    const Partition& partition, std::int64_t unit, Size capacity,
    std::int64_t most_nodes, const Options& options, Limits& limits,
    std::size_t held, Stats& stats, std::vector<Size>& offsets) {
  Memory memory;
  const Instance<Lane> instance = make_instance<Lane>(
      problem, sweep, partition, unit, std::int64_t{capacity}, memory);
  Portfolio<PlainModel<Lane>> portfolio(instance, instance.capacity,
                                        kSolveStrategies,
                                        {&options, &stats, &limits}, memory);
  const Outcome outcome = portfolio.run_all(most_nodes);
  if (outcome == Outcome::kPlacedAll)
    for (Index x = 0; x < instance.size; ++x)
      offsets[sweep.order[partition.buffers.lower + x]] =
          static_cast<Size>(portfolio.model().offsets()[x] * unit);
  stats.peak_bytes = (std::max)(stats.peak_bytes, held + memory.peak_bytes());
  return outcome;
}

/// The dives that solve() makes in a problem of so many buffers: the more, the
/// less a search can do.
[[nodiscard]] constexpr std::int64_t dives_for(std::size_t buffers) noexcept {
  const auto n = static_cast<std::int64_t>(buffers);
  return n * n / 65536;
}

/// Places partition by partition, with at most `most_nodes` nodes each, until
/// one is not placed.
template <bool kSmall, class Size, class Time>
[[nodiscard]] Outcome search_partitions(const Problem<Size, Time>& problem,
                                        const Sweep& sweep, Size capacity,
                                        std::int64_t most_nodes,
                                        const Options& options, Limits& limits,
                                        std::size_t held, Stats& stats,
                                        std::vector<Size>& offsets) {
  for (const Partition& partition : sweep.partitions) {
    if (stack_all(problem, sweep, partition, capacity, offsets)) continue;
    const std::int64_t unit = common_unit(problem, sweep, partition);
    const Outcome outcome = with_lane<kSmall>(capacity / unit, [&](auto lane) {
      return search_partition<decltype(lane)>(problem, sweep, partition, unit,
                                              capacity, most_nodes, options,
                                              limits, held, stats, offsets);
    });
    if (outcome != Outcome::kPlacedAll) return outcome;
  }
  return Outcome::kPlacedAll;
}

/// Places the whole problem with a few dives or, if it has more than `large`
/// buffers, with searches of its core, which may refute it. kSmall: without
/// repair.
template <bool kSmall, class Size, class Time>
[[nodiscard]] Outcome place_soon(const Problem<Size, Time>& problem,
                                 const Sweep& sweep, Size capacity,
                                 const Options& options, Limits& limits,
                                 std::size_t held, std::size_t large,
                                 Result<Size>& result) {
  const std::size_t n = sweep.order.size();
  if (n <= large && dives_for(n) == 0) return Outcome::kStopped;
  IncumbentSearch incumbent(problem, sweep, {});
  const Stopper stop{&limits, &result.stats, nullptr};
  const std::int64_t target{capacity};
  incumbent.dive(problem, sweep, target,
                 (std::max)(dives_for(n), std::int64_t{1}), stop);
  if (n > large) {
    const auto place_core = [&](const Problem<Size, Time>& core,
                                std::int64_t& nodes,
                                std::vector<std::int64_t>& offsets) {
      const Sweep core_sweep = snug::sweep(core);
      std::vector<Size> placed(offsets.size(), 0);
      const std::int64_t start = result.stats.nodes;
      const Outcome outcome = search_partitions<kSmall>(
          core, core_sweep, capacity, nodes, options, limits,
          held + incumbent.peak_bytes() + bytes_of_core(core, core_sweep),
          result.stats, placed);
      nodes = result.stats.nodes - start;
      if (outcome == Outcome::kPlacedAll)
        offsets.assign(placed.begin(), placed.end());
      return outcome;
    };
    incumbent.fit(problem, sweep, target, stop);
    if (lower_large<!kSmall>(problem, sweep, target, target, place_core, stop,
                             incumbent) == Outcome::kRefuted)
      return Outcome::kRefuted;
  }
  result.stats.peak_bytes =
      (std::max)(result.stats.peak_bytes, held + incumbent.peak_bytes());
  if (incumbent.best().height > target) return Outcome::kStopped;
  incumbent.write(result.offsets);
  return Outcome::kPlacedAll;
}

/// Places all partitions, or says in `result` why not.
template <bool kSmall, class Size, class Time>
void solve_partitions(const Problem<Size, Time>& problem, const Sweep& sweep,
                      Size capacity, const Options& options, Limits& limits,
                      Result<Size>& result) {
  result.offsets.assign(problem.buffers.size(), 0);
  const std::size_t held =
      bytes_of(sweep) + result.offsets.capacity() * sizeof(Size);
  Outcome outcome = place_soon<kSmall>(problem, sweep, capacity, options,
                                       limits, held, kLarge, result);
  if (outcome == Outcome::kStopped && limits.status() == Status::kSolved)
    outcome = search_partitions<kSmall>(
        problem, sweep, capacity, (std::numeric_limits<std::int64_t>::max)(),
        options, limits, held, result.stats, result.offsets);
  result.status = outcome == Outcome::kPlacedAll ? Status::kSolved
                  : outcome == Outcome::kRefuted ? Status::kInfeasible
                                                 : limits.status();
  if (outcome != Outcome::kPlacedAll) {
    result.offsets.clear();
    return;
  }
  result.height = static_cast<Size>(height_of(problem, result.offsets));
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
/// Tuning::failed_state_bytes, and the path of the search; with constraints
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
