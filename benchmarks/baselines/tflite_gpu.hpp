// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The strategies of TensorFlow Lite's GPU delegate.
///
///     by_size        offsets: largest first, smallest gap that fits
///     by_breadth     shared objects: moments of the largest load first, in
///                    each the largest buffers first
///     in_order       shared objects: by start, object of the nearest size
///     equality       shared objects: by start, only objects of the same size
///
/// (min_cost_flow.hpp has a fifth.) All round sizes up to the heap's alignment.
///
/// What differs: ties that the published sort leaves open go by input index.
/// in_order may give any free object to any buffer (the published one takes a
/// graph that can restrict this).
///
/// Cost: that of fit.hpp; of objects O(n * objects * log n) for by_breadth, else
/// O(n log n).
/// Source: tensorflow/lite/delegates/gpu/common/memory_management/, and
/// Y. Pisarchyk, J. Lee, "Efficient Memory Management for Deep Neural Net
/// Inference" (2020).
#ifndef SNUG_BASELINES_TFLITE_GPU_HPP
#define SNUG_BASELINES_TFLITE_GPU_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/objects.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// Largest first, ties by index.
[[nodiscard]] inline std::vector<std::size_t> by_size(
    const Problem<>& problem) {
  return ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
    return problem.buffers[a].size > problem.buffers[b].size;
  });
}

/// First to start first, ties by index.
[[nodiscard]] inline std::vector<std::size_t> by_start(
    const Problem<>& problem) {
  return ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
    return problem.buffers[a].lifespan.lower <
           problem.buffers[b].lifespan.lower;
  });
}

[[nodiscard]] inline Placement tflite_gpu_by_size(const Problem<>& problem,
                                                  const Budget& budget) {
  return best_fit_in_order(problem, by_size(problem), budget);
}

[[nodiscard]] inline Placement tflite_gpu_by_breadth(const Problem<>& problem,
                                                     const Budget& budget) {
  Meter meter(budget);
  const Profile profile = profile_of(problem);
  const std::vector<std::size_t> moments =
      ordered(profile.moments.size(), [&](std::size_t a, std::size_t b) {
        return profile.loads[a] > profile.loads[b];
      });
  LiveSet open(problem);  // not assigned yet
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) open.insert(i);
  SharedObjects objects(problem);
  std::vector<std::size_t> live;
  for (const std::size_t moment : moments) {
    live.clear();
    const Moment now = profile.moments[moment];
    open.for_each_live({now, now + 1},
                       [&](std::size_t i) { live.push_back(i); });
    std::sort(live.begin(), live.end(), [&](std::size_t a, std::size_t b) {
      const Bytes size_a = problem.buffers[a].size;
      const Bytes size_b = problem.buffers[b].size;
      return size_a != size_b ? size_a > size_b : a < b;
    });
    for (const std::size_t i : live) {
      if (!meter.spend()) return {{}, 0, meter.steps()};
      const Bytes size = problem.buffers[i].size;
      std::size_t best = objects.count();
      // The smallest that is large enough, else the largest.
      for (std::size_t o = 0; o < objects.count(); ++o) {
        if (!objects.is_free(o, i)) continue;
        const bool fits = objects.size(o) >= size;
        const bool is_better = best == objects.count() ||
                               (fits ? objects.size(best) < size ||
                                           objects.size(o) < objects.size(best)
                                     : objects.size(best) < objects.size(o) &&
                                           objects.size(best) < size);
        if (is_better) best = o;
      }
      objects.assign(i, best);
      open.erase(i);
    }
  }
  return {objects.offsets(), 0, meter.steps()};
}

/// By start: every buffer gets the free object that `choose` takes out of the
/// pool, a set of (size, object), or a new one.
template <class Choose>
[[nodiscard]] Placement objects_by_start(const Problem<>& problem,
                                         const Budget& budget, Choose choose) {
  using Ending = std::pair<Moment, std::size_t>;
  Meter meter(budget);
  SharedObjects objects(problem);
  std::set<std::pair<Bytes, std::size_t>> pool;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> in_use;
  for (const std::size_t i : by_start(problem)) {
    if (!meter.spend()) return {{}, 0, meter.steps()};
    const Buffer<>& buffer = problem.buffers[i];
    for (; !in_use.empty() && in_use.top().first <= buffer.lifespan.lower;
         in_use.pop())
      pool.emplace(objects.size(in_use.top().second), in_use.top().second);
    std::size_t object = objects.count();
    const auto chosen = choose(pool, buffer.size);
    if (chosen != pool.end()) {
      object = chosen->second;
      pool.erase(chosen);
    }
    objects.assign(i, object);
    in_use.emplace(buffer.lifespan.upper, object);
  }
  return {objects.offsets(), 0, meter.steps()};
}

[[nodiscard]] inline Placement tflite_gpu_in_order(const Problem<>& problem,
                                                   const Budget& budget) {
  return objects_by_start(problem, budget, [](const auto& pool, Bytes size) {
    auto best = pool.lower_bound({size, 0});
    if (best == pool.begin()) return best;
    const auto smaller = std::prev(best);
    if (best == pool.end() || size - smaller->first < best->first - size)
      best = smaller;
    return best;
  });
}

[[nodiscard]] inline Placement tflite_gpu_equality(const Problem<>& problem,
                                                   const Budget& budget) {
  return objects_by_start(problem, budget, [](const auto& pool, Bytes size) {
    const auto found = pool.lower_bound({size, 0});
    return found != pool.end() && found->first == size ? found : pool.end();
  });
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_TFLITE_GPU_HPP
