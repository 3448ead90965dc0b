// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// TensorFlow Lite's GPU delegate, assignment by minimum-cost flow: chains of
/// buffers that take over one another's object, so that what the objects grow
/// by costs least.
///
///     i dies before j is born:  i --- max(0, size j - size i) --> j
///     a new object for j:           --- size j ---------------> j
///
/// Every buffer hands its object to at most one, and gets one from exactly one
/// or a new one. Cheapest is an assignment problem, solved here by shortest
/// augmenting paths with potentials (the Hungarian method); the published
/// program sends units of flow along paths found with SPFA. A chain's object
/// has the size of its largest buffer, which may be less than its cost: after
/// 10, 2 and 10 bytes it costs 18 and has 10.
///
/// What differs: the published costs are 32-bit integers and overflow; of
/// several cheapest assignments this one may find another.
///
/// Cost: O(n^3) time, O(n^2) in practice on short chains; O(n) memory.
/// Source: tensorflow/lite/delegates/gpu/common/memory_management/
/// min_cost_flow_assignment.cc.
#ifndef SNUG_BASELINES_MIN_COST_FLOW_HPP
#define SNUG_BASELINES_MIN_COST_FLOW_HPP

#include "baselines/allocator.hpp"
#include "baselines/objects.hpp"
#include "baselines/tflite_gpu.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// Who takes over from whom.
class Takeover {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit Takeover(const Problem<>& problem)
      : problem_(problem),
        heir_(problem.buffers.size(), kNone),
        heir_price_(problem.buffers.size(), 0),
        giver_price_(problem.buffers.size(), 0) {}

  /// Gives buffer j an object, at the least total cost for those that have one.
  /// False when the meter runs out. O(n^2).
  bool add(std::size_t j, Meter& meter) {
    const std::size_t n = problem_.buffers.size();
    distance_.assign(n, kFar);
    via_.assign(n, kNone);
    done_.assign(n, 0);
    Bytes best_end = kFar;  // a path that ends with a new object
    std::size_t end_heir = kNone;
    std::size_t end_giver = kNone;
    std::vector<std::size_t> heirs = {j};
    std::vector<Bytes> at = {0};
    std::size_t giver = kNone;
    for (std::size_t heir = j;;) {
      if (!meter.spend()) return false;
      const Bytes so_far = at.back();
      const Bytes end =
          so_far + problem_.buffers[heir].size - heir_price_[heir];
      if (end < best_end) {
        best_end = end;
        end_heir = heir;
        end_giver = kNone;
      }
      relax(heir, so_far);
      giver = kNone;
      for (std::size_t i = 0; i < n; ++i)
        if (done_[i] == 0 && distance_[i] < kFar &&
            (giver == kNone || distance_[i] < distance_[giver]))
          giver = i;
      if (giver == kNone || distance_[giver] >= best_end) break;
      if (heir_[giver] == kNone) {
        best_end = distance_[giver];
        end_giver = giver;
        end_heir = via_[giver];
        break;
      }
      done_[giver] = 1;
      heir = heir_[giver];
      heirs.push_back(heir);
      at.push_back(distance_[giver]);
    }
    for (std::size_t k = 0; k < heirs.size(); ++k)
      heir_price_[heirs[k]] += best_end - at[k];
    for (std::size_t i = 0; i < n; ++i)
      if (done_[i] != 0) giver_price_[i] -= best_end - distance_[i];
    augment(j, end_heir, end_giver);
    return true;
  }

  /// Who takes over from buffer i; kNone: nobody.
  [[nodiscard]] std::size_t heir(std::size_t i) const { return heir_[i]; }

 private:
  static constexpr Bytes kFar = (std::numeric_limits<Bytes>::max)() / 2;

  void relax(std::size_t heir, Bytes so_far) {
    const Buffer<>& buffer = problem_.buffers[heir];
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (done_[i] != 0 ||
          problem_.buffers[i].lifespan.upper > buffer.lifespan.lower)
        continue;
      const Bytes grows =
          (std::max)(Bytes{0}, buffer.size - problem_.buffers[i].size);
      const Bytes distance =
          so_far + grows - heir_price_[heir] - giver_price_[i];
      if (distance >= distance_[i]) continue;
      distance_[i] = distance;
      via_[i] = heir;
    }
  }

  /// Turns the path round: from its end back to j, each heir on it leaves its
  /// giver to the one before.
  void augment(std::size_t j, std::size_t heir, std::size_t giver) {
    for (;;) {
      const std::size_t left = giver_of(heir);
      if (giver != kNone) heir_[giver] = heir;
      if (heir == j) return;
      giver = left;
      heir = via_[left];
    }
  }

  [[nodiscard]] std::size_t giver_of(std::size_t heir) const {
    const auto found = std::find(heir_.begin(), heir_.end(), heir);
    return found == heir_.end()
               ? kNone
               : static_cast<std::size_t>(found - heir_.begin());
  }

  const Problem<>& problem_;
  std::vector<std::size_t> heir_;
  std::vector<Bytes> heir_price_;  ///< potentials of the two sides
  std::vector<Bytes> giver_price_;
  std::vector<Bytes> distance_{};   ///< of givers, in reduced costs
  std::vector<std::size_t> via_{};  ///< the heir before it on the path
  std::vector<char> done_{};
};

[[nodiscard]] inline Placement tflite_gpu_min_cost_flow(
    const Problem<>& problem, const Budget& budget) {
  Meter meter(budget);
  Takeover takeover(problem);
  const std::vector<std::size_t> order = by_start(problem);
  for (const std::size_t j : order)
    if (!takeover.add(j, meter)) return {{}, 0, meter.steps()};
  SharedObjects objects(problem);
  std::vector<std::size_t> object_of(problem.buffers.size(), Takeover::kNone);
  for (const std::size_t i : order) {
    if (object_of[i] == Takeover::kNone) object_of[i] = objects.count();
    objects.assign(i, object_of[i]);
    if (takeover.heir(i) != Takeover::kNone)
      object_of[takeover.heir(i)] = object_of[i];
  }
  return {objects.offsets(), 0, meter.steps()};
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_MIN_COST_FLOW_HPP
