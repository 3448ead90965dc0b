// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In the manner of TelaMalloc: heuristics choose who is placed next, failures
/// are repaired where they occur, and capacities are tried until the gap
/// between one that failed and one that fits is closed.
///
///     order     the most contended phases first (load while live), in them the
///               longest lifetime, then the largest
///     place     lowest offset
///     no room   the place below the capacity whose buffers have the least
///               weight is cleared; those wait for their turn again. A buffer
///               weighs its size times how often it was cleared away
///     capacity  bisection between the load and the first fit of that order; one
///               that is not met within 50 placements a buffer counts as failed
///
/// What differs: TelaMalloc's sources are not public. Its paper steers a
/// constraint solver, which knows each buffer's possible offsets, and backtracks
/// to the decision that caused a failure; here the repair stands for that, as in
/// omnimalloc's version. A failed capacity proves nothing.
///
/// Cost: O(neighbours^2) at worst to clear a place; memory O(conflicts).
/// Source: M. Maas, U. Beaugnon, A. Chauhan, B. Ilbeyi, "TelaMalloc: Efficient
/// On-Chip Memory Allocation for Production Machine Learning Accelerators"
/// (ASPLOS 2023); fpedd/omnimalloc src/cpp/allocators/telamalloc.cpp.
#ifndef SNUG_BASELINES_TELAMALLOC_HPP
#define SNUG_BASELINES_TELAMALLOC_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

class TelaSearch {
 public:
  TelaSearch(const Problem<>& problem, Meter& meter)
      : problem_(problem),
        meter_(meter),
        conflicts_(conflicts_of(problem)),
        rank_(problem.buffers.size()) {
    const Profile profile = profile_of(problem);
    std::vector<Bytes> contention;
    for (const Buffer<>& buffer : problem.buffers) {
      auto k = static_cast<std::size_t>(
          std::lower_bound(profile.moments.begin(), profile.moments.end(),
                           buffer.lifespan.lower) -
          profile.moments.begin());
      Bytes most = 0;
      for (; profile.moments[k] < buffer.lifespan.upper; ++k)
        most = (std::max)(most, profile.loads[k]);
      contention.push_back(most);
    }
    order_ = ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
      const Buffer<>& x = problem.buffers[a];
      const Buffer<>& y = problem.buffers[b];
      const Moment time_x = x.lifespan.upper - x.lifespan.lower;
      const Moment time_y = y.lifespan.upper - y.lifespan.lower;
      if (contention[a] != contention[b]) return contention[a] > contention[b];
      return time_x != time_y ? time_x > time_y : x.size > y.size;
    });
    for (std::size_t r = 0; r < order_.size(); ++r) rank_[order_[r]] = r;
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  [[nodiscard]] const std::vector<Bytes>& offsets() const { return offsets_; }

  /// Whether all buffers were placed below `capacity`, which is at least the
  /// largest size.
  bool fits(Bytes capacity) {
    const std::size_t n = order_.size();
    offsets_.assign(n, -1);
    std::vector<Bytes> evictions(n, 1);
    std::set<std::size_t> waiting;  // ranks
    for (std::size_t r = 0; r < n; ++r) waiting.insert(r);
    for (std::size_t left = kPlacementsEach * n; !waiting.empty(); --left) {
      if (left == 0 || !meter_.spend()) return false;
      const std::size_t i = order_[*waiting.begin()];
      waiting.erase(waiting.begin());
      collect(i);
      Bytes offset = first_fit(chunks_, problem_.buffers[i].size, 1);
      if (offset + problem_.buffers[i].size > capacity)
        offset = cheapest_place(i, capacity, evictions);
      for (const std::uint32_t j : conflicts_[i]) {
        if (!touches(j, offset, problem_.buffers[i].size)) continue;
        offsets_[j] = -1;
        ++evictions[j];
        waiting.insert(rank_[j]);
      }
      offsets_[i] = offset;
    }
    return true;
  }

 private:
  static constexpr std::size_t kPlacementsEach = 50;

  [[nodiscard]] bool touches(std::size_t j, Bytes offset, Bytes size) const {
    return offsets_[j] >= 0 && offsets_[j] < offset + size &&
           offset < offsets_[j] + problem_.buffers[j].size;
  }

  /// The placed conflicts of buffer i, by offset.
  void collect(std::size_t i) {
    chunks_.clear();
    for (const std::uint32_t j : conflicts_[i])
      if (offsets_[j] >= 0)
        chunks_.push_back(
            {offsets_[j], offsets_[j] + problem_.buffers[j].size});
    std::sort(chunks_.begin(), chunks_.end(), is_lower);
  }

  /// Of the bottom, the top, and just above or below each placed conflict: where
  /// what is in the way weighs least.
  [[nodiscard]] Bytes cheapest_place(std::size_t i, Bytes capacity,
                                     const std::vector<Bytes>& evictions) {
    const Bytes size = problem_.buffers[i].size;
    std::vector<Bytes> places = {0, capacity - size};
    for (const Chunk& chunk : chunks_) {
      if (chunk.upper + size <= capacity) places.push_back(chunk.upper);
      if (chunk.lower >= size) places.push_back(chunk.lower - size);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    Bytes best = 0;
    double best_weight = -1;
    for (const Bytes place : places) {
      double weight = 0;
      for (const std::uint32_t j : conflicts_[i])
        if (touches(j, place, size))
          weight += static_cast<double>(problem_.buffers[j].size) *
                    static_cast<double>(evictions[j] * evictions[j]);
      if (best_weight >= 0 && weight >= best_weight) continue;
      best = place;
      best_weight = weight;
    }
    return best;
  }

  const Problem<>& problem_;
  Meter& meter_;
  std::vector<std::vector<std::uint32_t>> conflicts_;
  std::vector<std::size_t> rank_;  ///< of each buffer in the order
  std::vector<std::size_t> order_{};
  std::vector<Bytes> offsets_{};  ///< -1: not placed
  std::vector<Chunk> chunks_{};
};

[[nodiscard]] inline Placement telamalloc(const Problem<>& problem,
                                          const Budget& budget) {
  if (problem.buffers.empty()) return {};
  Meter meter(budget);
  TelaSearch search(problem, meter);
  Placement best = first_fit_in_order(problem, search.order(), budget);
  if (best.offsets.empty()) return best;
  Bytes low = load_of(problem);
  Bytes high = height_of(problem, best.offsets);
  while (low < high && !meter.over()) {
    const Bytes capacity = low + (high - low) / 2;
    if (search.fits(capacity)) {
      best.offsets = search.offsets();
      high = height_of(problem, best.offsets);
    } else {
      low = capacity + 1;
    }
  }
  best.steps += meter.steps();
  return best;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_TELAMALLOC_HPP
