// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small planners of other compilers.
///
///     executorch     largest first into buckets that never grow: the first one
///                    whose tenants are never live with the buffer, at its
///                    bottom; else the first one where it fits above all
///                    tenants live with it; else a new bucket
///     mlir_best_fit  first to start first; smallest gap among those still
///                    live, of which the one below the top of the arena counts
///                    as a gap; else above those still live
///     naive          no buffer shares its memory
///
/// What differs: ties that the published sorts leave open go by input index.
///
/// Cost: executorch O(n * tenants looked at); mlir that of fit.hpp.
/// Source: pytorch/executorch exir/memory_planning.py; llvm-project
/// mlir/lib/Dialect/Bufferization/Transforms/StaticMemoryPlanning.cpp.
#ifndef SNUG_BASELINES_OTHERS_HPP
#define SNUG_BASELINES_OTHERS_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "baselines/tflite_gpu.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

[[nodiscard]] inline Placement executorch_greedy(const Problem<>& problem,
                                                 const Budget& budget) {
  struct Bucket {
    Bytes base = 0;
    Bytes size = 0;
    std::vector<std::size_t> tenants{};
  };
  Meter meter(budget);
  std::vector<Bucket> buckets;
  std::vector<Bytes> offsets(problem.buffers.size(), 0);
  Bytes top = 0;
  for (const std::size_t i : by_size(problem)) {
    if (!meter.spend()) return {{}, 0, meter.steps()};
    const Buffer<>& buffer = problem.buffers[i];
    Bucket* empty = nullptr;  // the first without a tenant live with it
    Bucket* partly = nullptr;
    Bytes above = 0;
    for (Bucket& bucket : buckets) {
      Bytes used = 0;
      for (const std::size_t j : bucket.tenants)
        if (problem.buffers[j].lifespan.overlaps(buffer.lifespan))
          used = (std::max)(used,
                            offsets[j] - bucket.base + problem.buffers[j].size);
      if (used == 0) {
        empty = &bucket;
        break;
      }
      if (partly == nullptr && used + buffer.size <= bucket.size) {
        partly = &bucket;
        above = used;
      }
    }
    Bucket* chosen = empty != nullptr ? empty : partly;
    if (empty != nullptr) above = 0;
    if (chosen == nullptr) {
      buckets.push_back({top, buffer.size, {}});
      top += buffer.size;
      chosen = &buckets.back();
    }
    offsets[i] = chosen->base + above;
    chosen->tenants.push_back(i);
  }
  return {std::move(offsets), 0, meter.steps()};
}

[[nodiscard]] inline Placement mlir_best_fit(const Problem<>& problem,
                                             const Budget& budget) {
  Meter meter(budget);
  Placed placed(problem);
  for (const std::size_t i : by_start(problem)) {
    if (!meter.spend()) return {{}, 0, meter.steps()};
    const Buffer<>& buffer = problem.buffers[i];
    std::vector<Chunk> taken = placed.neighbours(i);
    // The top of the arena ends the last gap, if the buffer fits below it.
    const Bytes above = stack_fit(taken, buffer.alignment);
    if (above + buffer.size <= placed.height())
      taken.push_back({placed.height(), placed.height()});
    placed.place(i, best_fit(taken, buffer.size, buffer.alignment));
  }
  return {placed.offsets(), 0, meter.steps()};
}

[[nodiscard]] inline Placement naive(const Problem<>& problem, const Budget&) {
  Placement result;
  Bytes top = 0;
  for (const Buffer<>& buffer : problem.buffers) {
    top = align_up(top, buffer.alignment);
    result.offsets.push_back(top);
    top += buffer.size;
  }
  result.steps = static_cast<std::int64_t>(problem.buffers.size());
  return result;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_OTHERS_HPP
