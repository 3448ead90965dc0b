// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variants of a problem: similar ones on which a solver that was tuned to the
/// original shows it. All are deterministic in their arguments, keep
/// well-formed problems well formed and run in O(n log n) time at most.
#ifndef SNUG_BENCHMARKS_VARIANTS_HPP
#define SNUG_BENCHMARKS_VARIANTS_HPP

#include "random.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace snug {
namespace benchmarks {

/// The time from the first start to the last end; empty without buffers.
template <class Size, class Time>
[[nodiscard]] Interval<Time> duration(const Problem<Size, Time>& problem) {
  if (problem.buffers.empty()) return {};
  Interval<Time> all = problem.buffers.front().lifespan;
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    all = detail::hull_of(all, buffer.lifespan);
  return all;
}

/// Time runs backwards: feasible at the same capacities. Lifespans keep their
/// range, [first, last) becomes itself. first + last must fit `Time`.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> reversed(Problem<Size, Time> problem) {
  const Interval<Time> all = duration(problem);
  const Time sum = static_cast<Time>(all.lower + all.upper);
  const auto reverse = [sum](Interval<Time>& interval) {
    interval = {static_cast<Time>(sum - interval.upper),
                static_cast<Time>(sum - interval.lower)};
  };
  for (Buffer<Size, Time>& buffer : problem.buffers) {
    reverse(buffer.lifespan);
    for (Gap<Size, Time>& gap : buffer.gaps) reverse(gap.lifespan);
  }
  return problem;
}

/// The same problem with its buffers in a random order.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> shuffled(const Problem<Size, Time>& problem,
                                           std::uint64_t seed) {
  std::vector<std::size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(order);
  return detail::make_subset(problem, order, {});
}

/// Each buffer is left out with a chance of `percent` in 100. What fits the
/// original fits this.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> without(const Problem<Size, Time>& problem,
                                          int percent, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (!random.chance(percent)) kept.push_back(i);
  return subset(problem, kept);
}

/// The buffers live in `window`, cut to it. What fits the original fits this.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> clipped(const Problem<Size, Time>& problem,
                                          Interval<Time> window) {
  using detail::intersection;
  std::vector<std::size_t> live;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (!intersection(problem.buffers[i].lifespan, window).empty())
      live.push_back(i);
  Problem<Size, Time> kept = subset(problem, live);
  for (Buffer<Size, Time>& buffer : kept.buffers) {
    buffer.lifespan = intersection(buffer.lifespan, window);
    std::vector<Gap<Size, Time>> gaps;
    gaps.swap(buffer.gaps);
    for (Gap<Size, Time>& gap : gaps) {
      gap.lifespan = intersection(gap.lifespan, window);
      if (!gap.lifespan.empty()) buffer.gaps.push_back(gap);
    }
  }
  return kept;
}

/// Every size is up to so many thousandths of it less, as if it had been measured, or
/// rounded. What fits the original without gaps, fixed offsets, aliases and contiguous
/// groups fits this.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> jittered(Problem<Size, Time> problem,
                                           Size thousandths,
                                           std::uint64_t seed) {
  Random random(seed);
  for (Buffer<Size, Time>& buffer : problem.buffers)
    buffer.size = static_cast<Size>(
        buffer.size -
        random.between(Size{0},
                       static_cast<Size>(buffer.size / 1000 * thousandths)));
  return problem;
}

/// Every size, with the windows of its gaps, times its own random factor in
/// [1 - percent/100, 1 + percent/100], in steps of 0.001 and rounded up.
/// Sizes must stay within the type. Fixed offsets, hints, aliases and contiguous
/// groups are dropped: they would mean nothing any more.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> rescaled(Problem<Size, Time> problem,
                                           int percent, std::uint64_t seed) {
  Random random(seed);
  problem.aliases.clear();
  problem.contiguous.clear();
  for (Buffer<Size, Time>& buffer : problem.buffers) {
    const std::int64_t factor =
        random.between(1000 - 10 * percent, 1000 + 10 * percent);
    // Split, so that the product cannot overflow before the division.
    const auto scale = [factor](Size size, std::int64_t rounding) {
      return static_cast<Size>(size / 1000 * factor +
                               (size % 1000 * factor + rounding) / 1000);
    };
    buffer.size = scale(buffer.size, 999);
    buffer.offset = std::nullopt;
    buffer.hint = std::nullopt;
    for (Gap<Size, Time>& gap : buffer.gaps) {
      if (!gap.window) continue;
      *gap.window = {scale(gap.window->lower, 0),
                     scale(gap.window->upper, 999)};
      if (gap.window->empty()) gap.window = std::nullopt;
    }
  }
  return problem;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_VARIANTS_HPP
