// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// XLA's heap simulator: three orders, two ways to choose a gap, and the search
/// that keeps the lowest of the six.
///
///     spatial    largest first, ties by duration, then by index
///     temporal   longest first, ties by size, then by index
///     area       largest size times duration first
///
///     best       smallest gap that fits, the lowest of equal ones
///     lowest     lowest gap that fits
///
/// Without slices and colocated buffers, which this model has not, the order of
/// XLA's best-fit repacker is that of `temporal`, and it repacks into the
/// smallest gaps: its result is xla_temporal_best.
///
/// Cost: that of fit.hpp, which is how XLA does it, too (an interval tree).
/// Source: openxla/xla xla/service/heap_simulator/heap_simulator.cc;
/// xla/service/memory_space_assignment/best_fit_repacker.cc.
#ifndef SNUG_BASELINES_XLA_HPP
#define SNUG_BASELINES_XLA_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

enum class XlaOrder { kSpatial, kTemporal, kArea };

/// a * b in 128 bits, high half first; both are positive.
[[nodiscard]] inline std::pair<std::uint64_t, std::uint64_t> wide_product(
    std::int64_t a, std::int64_t b) {
  constexpr std::uint64_t kLow = 0xffffffffU;
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  const std::uint64_t low = (x & kLow) * (y & kLow);
  const std::uint64_t middle = (x >> 32) * (y & kLow) + (low >> 32);
  const std::uint64_t other = (x & kLow) * (y >> 32) + (middle & kLow);
  return {(x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32),
          (other << 32) | (low & kLow)};
}

[[nodiscard]] inline std::vector<std::size_t> xla_order(
    const Problem<>& problem, XlaOrder by) {
  const auto duration = [&](std::size_t i) {
    return problem.buffers[i].lifespan.upper -
           problem.buffers[i].lifespan.lower;
  };
  return ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
    const Bytes size_a = problem.buffers[a].size;
    const Bytes size_b = problem.buffers[b].size;
    const Moment time_a = duration(a);
    const Moment time_b = duration(b);
    if (by == XlaOrder::kArea)
      return wide_product(size_a, time_a) > wide_product(size_b, time_b);
    if (by == XlaOrder::kTemporal)
      return time_a != time_b ? time_a > time_b : size_a > size_b;
    return size_a != size_b ? size_a > size_b : time_a > time_b;
  });
}

template <XlaOrder by>
[[nodiscard]] Placement xla_best(const Problem<>& problem,
                                 const Budget& budget) {
  return best_fit_in_order(problem, xla_order(problem, by), budget);
}

template <XlaOrder by>
[[nodiscard]] Placement xla_lowest(const Problem<>& problem,
                                   const Budget& budget) {
  return first_fit_in_order(problem, xla_order(problem, by), budget);
}

/// The lowest of all six, the first of equal ones; without those that the
/// budget leaves no time for.
[[nodiscard]] inline Placement xla_search(const Problem<>& problem,
                                          const Budget& budget) {
  Placement best;
  for (const auto& place :
       {xla_best<XlaOrder::kSpatial>, xla_lowest<XlaOrder::kSpatial>,
        xla_best<XlaOrder::kTemporal>, xla_lowest<XlaOrder::kTemporal>,
        xla_best<XlaOrder::kArea>, xla_lowest<XlaOrder::kArea>}) {
    Budget left = budget;
    left.steps -= best.steps;
    Placement found = place(problem, left);
    found.steps += best.steps;
    const bool is_better =
        !found.offsets.empty() &&
        (best.offsets.empty() ||
         height_of(problem, found.offsets) < height_of(problem, best.offsets));
    if (is_better)
      best = std::move(found);
    else
      best.steps = found.steps;
  }
  return best;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_XLA_HPP
