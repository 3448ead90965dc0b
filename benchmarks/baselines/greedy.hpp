// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Greedy placements as today's runtimes and compilers do them: baselines for
/// heights. Largest buffer first, ties by input index; each goes where its
/// placed neighbours (those that overlap it in time) leave room:
///
///     | placed |   gap   | placed |  gap  | placed |  open ...
///     0        a         b        c       d        e
///
///     first fit   lowest gap that is large enough      a
///     best fit    smallest gap that is large enough    c
///     stacking    above the highest neighbour          e
///
/// - First fit is what TensorFlow Lite Micro's greedy memory planner does
///   (ties there go to the buffer added last), best fit what TensorFlow Lite's
///   offset assignment by size and its arena planner do, stacking what TVM's
///   USMP greedy_by_size does (ties there go by conflicts, then by name).
/// - Fixed offsets are placed before all others. Gaps count as live, which is
///   safe. Empty buffers lie at 0.
///
/// The problem must pass `check`, and its fixed offsets must not overlap; no
/// capacity is enforced. The result is in input order; it is empty if a top
/// would not fit the size type.
///
/// Cost: O(n log n + n * k log k) time for k placed buffers.
/// Source: tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc,
/// tensorflow/lite/delegates/gpu/common/memory_management/
/// greedy_by_size_assignment.cc, apache/tvm src/tir/usmp/algo/greedy.cc.
#ifndef SNUG_BASELINES_GREEDY_HPP
#define SNUG_BASELINES_GREEDY_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {
namespace detail {

/// Bytes in 64 bits: a greedy height can exceed a narrower size type.
using Bytes = Interval<std::int64_t>;

/// `offset` rounded up, or the largest integer if that would overflow.
[[nodiscard]] inline std::int64_t align_up(std::int64_t offset,
                                           std::int64_t alignment) {
  constexpr std::int64_t kMax = (std::numeric_limits<std::int64_t>::max)();
  if (offset > kMax - (alignment - 1)) return kMax;
  return (offset + alignment - 1) / alignment * alignment;
}

/// Places fixed buffers, then the others by size; `fit(taken, size,
/// alignment)` chooses the offset among the neighbours' bytes, sorted.
template <class Size, class Time, class Fit>
[[nodiscard]] std::vector<Size> greedy_by_size(
    const Problem<Size, Time>& problem, Fit fit) {
  const auto& buffers = problem.buffers;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < buffers.size(); ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (buffers[a].offset.has_value() != buffers[b].offset.has_value())
      return buffers[a].offset.has_value();
    if (buffers[a].size != buffers[b].size)
      return buffers[a].size > buffers[b].size;
    return a < b;
  });
  std::vector<Size> offsets(buffers.size(), 0);
  std::vector<Bytes> taken;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Buffer<Size, Time>& buffer = buffers[order[k]];
    if (buffer.offset) offsets[order[k]] = *buffer.offset;
    if (buffer.offset || buffer.size == 0) continue;
    taken.clear();
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t i = order[j];
      if (buffers[i].size > 0 && buffers[i].lifespan.overlaps(buffer.lifespan))
        taken.push_back(
            {offsets[i], std::int64_t{offsets[i]} + buffers[i].size});
    }
    std::sort(taken.begin(), taken.end(), [](const Bytes& a, const Bytes& b) {
      return std::make_pair(a.lower, a.upper) <
             std::make_pair(b.lower, b.upper);
    });
    const std::int64_t offset =
        fit(taken, std::int64_t{buffer.size}, std::int64_t{buffer.alignment});
    if (offset > (std::numeric_limits<Size>::max)() - buffer.size) return {};
    offsets[order[k]] = static_cast<Size>(offset);
  }
  return offsets;
}

}  // namespace detail

/// Largest first, each at the lowest offset that is free.
template <class Size, class Time>
[[nodiscard]] std::vector<Size> greedy_first_fit(
    const Problem<Size, Time>& problem) {
  return detail::greedy_by_size(
      problem, [](const std::vector<detail::Bytes>& taken, std::int64_t size,
                  std::int64_t alignment) {
        std::int64_t offset = 0;
        for (const detail::Bytes& bytes : taken) {
          if (offset <= bytes.lower - size) break;
          offset = (std::max)(offset, detail::align_up(bytes.upper, alignment));
        }
        return offset;
      });
}

/// Largest first, each in the smallest gap between its neighbours that it
/// fits, the lowest of equal ones, else above them all.
template <class Size, class Time>
[[nodiscard]] std::vector<Size> greedy_best_fit(
    const Problem<Size, Time>& problem) {
  return detail::greedy_by_size(
      problem, [](const std::vector<detail::Bytes>& taken, std::int64_t size,
                  std::int64_t alignment) {
        std::int64_t top = 0;
        std::int64_t best = -1;
        std::int64_t best_gap = (std::numeric_limits<std::int64_t>::max)();
        for (const detail::Bytes& bytes : taken) {
          const std::int64_t gap = bytes.lower - top;
          if (gap >= size && gap < best_gap) {
            best = top;
            best_gap = gap;
          }
          top = (std::max)(top, detail::align_up(bytes.upper, alignment));
        }
        return best < 0 ? top : best;
      });
}

/// Largest first, each above its highest neighbour: gaps stay empty.
template <class Size, class Time>
[[nodiscard]] std::vector<Size> greedy_stack(
    const Problem<Size, Time>& problem) {
  return detail::greedy_by_size(
      problem, [](const std::vector<detail::Bytes>& taken, std::int64_t,
                  std::int64_t alignment) {
        std::int64_t top = 0;
        for (const detail::Bytes& bytes : taken)
          top = (std::max)(top, detail::align_up(bytes.upper, alignment));
        return top;
      });
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_GREEDY_HPP
