// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(): finds a placement below a capacity, or proves that there is none.
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/search/instance.hpp"
#include "snug/search/limits.hpp"
#include "snug/search/memory.hpp"
#include "snug/search/portfolio.hpp"
#include "snug/search/search.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What the search does not honour yet.
template <class Size, class Time>
[[nodiscard]] Check find_unsupported(const Problem<Size, Time>& problem) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!problem.buffers[i].gaps.empty()) return {Reason::kUnsupportedGaps, i};
    if (problem.buffers[i].offset) return {Reason::kUnsupportedOffset, i};
  }
  return {};
}

template <class Lane, class Size, class Time>
[[nodiscard]] Outcome solve_partition(const Problem<Size, Time>& problem,
                                      const Sweep& sweep,
                                      const Partition& partition,
                                      std::int64_t unit, Size capacity,
                                      const Options& options, Limits& limits,
                                      Result<Size>& result) {
  Memory memory;
  const Instance<Lane> instance = make_instance<Lane>(
      problem, sweep, partition, unit, std::int64_t{capacity}, memory);
  Search<Lane> search(instance, options, result.stats, limits, memory);
  const Outcome outcome =
      run_portfolio(search, instance, options, result.stats, limits);
  if (outcome == Outcome::kPlacedAll)
    for (Index x = 0; x < instance.size; ++x)
      result.offsets[sweep.order[partition.buffers.lower + x]] =
          static_cast<Size>(search.state().minimum[x] * unit);
  result.stats.peak_bytes = (std::max)(result.stats.peak_bytes, memory.bytes());
  return outcome;
}

}  // namespace detail

template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {}) {
  Result<Size> result;
  result.error = check(problem);
  if (result.error.ok()) result.error = detail::find_unsupported(problem);
  if (result.error.ok() && capacity < 0)
    result.error.reason = Reason::kNegativeCapacity;
  if (!result.error.ok()) return result;
  detail::Limits limits(options);
  const Sweep sweep = snug::sweep(problem);
  result.lower_bound = load(problem, sweep);
  result.status = Status::kInfeasible;
  if (result.lower_bound <= capacity) {
    result.status = Status::kSolved;
    result.offsets.assign(problem.buffers.size(), 0);
    for (const Partition& partition : sweep.partitions) {
      const std::int64_t unit =
          detail::common_unit(problem, sweep, partition);
      const detail::Outcome outcome =
          capacity / unit < (std::int64_t{1} << 29)
              ? detail::solve_partition<std::int32_t>(problem, sweep, partition,
                                                      unit, capacity, options,
                                                      limits, result)
              : detail::solve_partition<std::int64_t>(problem, sweep, partition,
                                                      unit, capacity, options,
                                                      limits, result);
      if (outcome != detail::Outcome::kPlacedAll) {
        result.status = outcome == detail::Outcome::kRefuted
                            ? Status::kInfeasible
                            : limits.status();
        result.offsets.clear();
        break;
      }
    }
  }
  for (std::size_t i = 0; i < result.offsets.size(); ++i)
    result.height = (std::max)(
        result.height,
        static_cast<Size>(result.offsets[i] + problem.buffers[i].size));
  result.stats.seconds = limits.seconds();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_SOLVE_HPP
