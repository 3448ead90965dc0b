// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The planners of TensorFlow Lite on CPUs and of TensorFlow Lite Micro.
///
///     arena   buffers live throughout first, by index; then largest first,
///             ties by start; smallest gap that fits, with the buffer's own
///             alignment
///     micro   largest first, of equal ones the last added first; lowest gap
///             that fits; no alignment (callers round sizes up)
///
/// What differs: the arena compares gaps that begin at the aligned offset; the
/// published one remembers the gap from the unaligned one, which is the same
/// for sizes that are multiples of the alignment. Sizes are not 32-bit.
///
/// Cost: that of fit.hpp.
/// Source: tensorflow/lite/arena_planner.cc, simple_memory_arena.cc;
/// tflite-micro tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc.
#ifndef SNUG_BASELINES_TFLITE_CPU_HPP
#define SNUG_BASELINES_TFLITE_CPU_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

[[nodiscard]] inline Placement tflite_arena(const Problem<>& problem,
                                            const Budget& budget) {
  Interval<Moment> all;
  if (!problem.buffers.empty()) all = problem.buffers.front().lifespan;
  for (const Buffer<>& buffer : problem.buffers) {
    all.lower = (std::min)(all.lower, buffer.lifespan.lower);
    all.upper = (std::max)(all.upper, buffer.lifespan.upper);
  }
  const auto order =
      ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
        const Buffer<>& x = problem.buffers[a];
        const Buffer<>& y = problem.buffers[b];
        const bool whole_x = x.lifespan == all;
        const bool whole_y = y.lifespan == all;
        if (whole_x || whole_y) return whole_x && !whole_y;
        if (x.size != y.size) return x.size > y.size;
        return x.lifespan.lower < y.lifespan.lower;
      });
  return best_fit_in_order(problem, order, budget);
}

[[nodiscard]] inline Placement tflite_micro(const Problem<>& problem,
                                            const Budget& budget) {
  const auto order =
      ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
        const Bytes size_a = problem.buffers[a].size;
        const Bytes size_b = problem.buffers[b].size;
        return size_a != size_b ? size_a > size_b : a > b;
      });
  return first_fit_in_order(problem, order, budget);
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_TFLITE_CPU_HPP
