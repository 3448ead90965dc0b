// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Placing buffers one by one in a given order: what most allocators of this
/// field do, and what they differ in is the order and the gap they choose.
///
///     | placed |   gap   | placed |  gap  | placed |  open ...
///     0        a         b        c       d        e
///
///     first fit   lowest gap that is large enough      a
///     best fit    smallest gap that is large enough    c
///     stacking    above the highest neighbour          e
///
/// Gaps lie between the placed buffers that the new one may not share bytes
/// with: those live with it, and those kept apart from it.
///
/// Most of the published programs scan all placed buffers for each new one; XLA
/// asks an interval tree. Here all of them share one index, so that what is
/// compared is the algorithms: a tree where few buffers are live at a time, a
/// scan in offset order where many are. Times here flatter the programs that
/// only scan.
///
/// Cost: O(k log n + k log k) a buffer with k placed neighbours, or O(n).
#ifndef SNUG_BASELINES_FIT_HPP
#define SNUG_BASELINES_FIT_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// The bytes of a placed buffer.
using Chunk = Interval<Bytes>;

[[nodiscard]] inline bool is_lower(const Chunk& a, const Chunk& b) {
  return a.lower != b.lower ? a.lower < b.lower : a.upper < b.upper;
}

/// The buffers that have been placed so far.
class Placed {
 public:
  explicit Placed(const Problem<>& problem)
      : problem_(problem), offsets_(problem.buffers.size(), kNowhere) {
    const std::size_t n = problem.buffers.size();
    std::size_t pairs = 0;
    for (const std::size_t count : conflict_counts(problem)) pairs += count;
    // A sorted neighbour costs some sixteen steps of a scan.
    if (n > 0 && pairs / n * 16 < n)
      live_.emplace(problem);
    else
      span_of_ = spans_of(problem);
    if (!problem.apart.empty()) apart_.resize(n);
    for (const BufferPair& pair : problem.apart) {
      apart_[pair.first].push_back(pair.second);
      apart_[pair.second].push_back(pair.first);
    }
  }

  void place(std::size_t i, Bytes offset) {
    offsets_[i] = offset;
    const Buffer<>& buffer = problem_.buffers[i];
    height_ = (std::max)(height_, offset + buffer.size);
    if (live_) {
      live_->insert(i);
      return;
    }
    const Chunk bytes{offset, offset + buffer.size};
    const auto place =
        std::upper_bound(scanned_.begin(), scanned_.end(), bytes, is_lower);
    spans_.insert(spans_.begin() + (place - scanned_.begin()), span_of_[i]);
    scanned_.insert(place, bytes);
  }

  void clear() {
    std::fill(offsets_.begin(), offsets_.end(), kNowhere);
    if (live_) live_->clear();
    scanned_.clear();
    spans_.clear();
    height_ = 0;
  }

  /// The chunks that buffer i may not touch, by offset. Valid until the next
  /// call.
  const std::vector<Chunk>& neighbours(std::size_t i) {
    chunks_.clear();
    const Interval<Moment> when = problem_.buffers[i].lifespan;
    const auto add = [&](std::size_t j) {
      chunks_.push_back({offsets_[j], offsets_[j] + problem_.buffers[j].size});
    };
    if (live_) {
      live_->for_each_live(when, add);
    } else {
      // Without a branch: which of them are live is hard to predict.
      const Span span = span_of_[i];
      std::size_t found = 0;
      if (room_.size() < scanned_.size()) room_.resize(2 * scanned_.size());
      for (std::size_t k = 0; k < scanned_.size(); ++k) {
        room_[found] = scanned_[k];
        found += static_cast<std::size_t>(spans_[k].lower < span.upper) &
                 static_cast<std::size_t>(span.lower < spans_[k].upper);
      }
      chunks_.assign(room_.begin(),
                     room_.begin() + static_cast<std::ptrdiff_t>(found));
    }
    const std::size_t sorted = live_ ? 0 : chunks_.size();
    if (!apart_.empty())
      for (const std::size_t j : apart_[i])
        if (offsets_[j] != kNowhere) add(j);
    if (chunks_.size() > sorted)
      std::sort(chunks_.begin(), chunks_.end(), is_lower);
    return chunks_;
  }

  [[nodiscard]] Bytes height() const { return height_; }
  [[nodiscard]] const std::vector<Bytes>& offsets() const { return offsets_; }

 private:
  using Span = Interval<std::uint32_t>;  ///< lifespan, in ranks of moments

  [[nodiscard]] static std::vector<Span> spans_of(const Problem<>& problem) {
    std::vector<Moment> moments;
    for (const Buffer<>& buffer : problem.buffers) {
      moments.push_back(buffer.lifespan.lower);
      moments.push_back(buffer.lifespan.upper);
    }
    std::sort(moments.begin(), moments.end());
    const auto rank = [&](Moment moment) {
      return static_cast<std::uint32_t>(
          std::lower_bound(moments.begin(), moments.end(), moment) -
          moments.begin());
    };
    std::vector<Span> spans;
    for (const Buffer<>& buffer : problem.buffers)
      spans.push_back(
          {rank(buffer.lifespan.lower), rank(buffer.lifespan.upper)});
    return spans;
  }

  static constexpr Bytes kNowhere = -1;

  const Problem<>& problem_;
  std::vector<Bytes> offsets_;
  std::vector<std::vector<std::size_t>> apart_{};
  std::optional<LiveSet> live_{};  ///< few are live at a time
  std::vector<Chunk> scanned_{};   ///< many are: all chunks by offset
  std::vector<Span> spans_{};      ///< of those chunks
  std::vector<Span> span_of_{};    ///< of each buffer
  std::vector<Chunk> room_{};      ///< for as many
  std::vector<Chunk> chunks_{};
  Bytes height_ = 0;
};

/// The lowest offset at which `size` bytes fit; never below `floor`.
[[nodiscard]] inline Bytes first_fit(const std::vector<Chunk>& taken,
                                     Bytes size, Bytes alignment,
                                     Bytes floor = 0) {
  Bytes offset = align_up(floor, alignment);
  for (const Chunk& chunk : taken) {
    if (offset + size <= chunk.lower) break;
    if (chunk.upper > offset) offset = align_up(chunk.upper, alignment);
  }
  return offset;
}

/// Where the smallest gap is in which `size` bytes fit, the lowest of equal
/// ones; above all chunks if there is none. A gap begins where it is aligned.
[[nodiscard]] inline Bytes best_fit(const std::vector<Chunk>& taken, Bytes size,
                                    Bytes alignment) {
  Bytes top = 0;
  Bytes best = -1;
  Bytes best_gap = (std::numeric_limits<Bytes>::max)();
  for (const Chunk& chunk : taken) {
    const Bytes gap = chunk.lower - top;
    if (gap >= size && gap < best_gap) {
      best = top;
      best_gap = gap;
    }
    if (chunk.upper > top) top = align_up(chunk.upper, alignment);
  }
  return best < 0 ? top : best;
}

/// Above all chunks.
[[nodiscard]] inline Bytes stack_fit(const std::vector<Chunk>& taken,
                                     Bytes alignment) {
  Bytes top = 0;
  for (const Chunk& chunk : taken) top = (std::max)(top, chunk.upper);
  return align_up(top, alignment);
}

/// Places the buffers in `order`, each where `fit(neighbours, i)` says. No
/// offsets if the budget is spent before the last one.
template <class Fit>
[[nodiscard]] Placement place_in_order(const Problem<>& problem,
                                       const std::vector<std::size_t>& order,
                                       const Budget& budget, Fit fit) {
  Meter meter(budget);
  Placed placed(problem);
  Placement result;
  for (const std::size_t i : order) {
    if (!meter.spend()) break;
    placed.place(i, fit(placed.neighbours(i), i));
  }
  if (!meter.over()) result.offsets = placed.offsets();
  result.steps = meter.steps();
  return result;
}

[[nodiscard]] inline Placement first_fit_in_order(
    const Problem<>& problem, const std::vector<std::size_t>& order,
    const Budget& budget) {
  return place_in_order(problem, order, budget,
                        [&](const std::vector<Chunk>& taken, std::size_t i) {
                          return first_fit(taken, problem.buffers[i].size,
                                           problem.buffers[i].alignment);
                        });
}

[[nodiscard]] inline Placement best_fit_in_order(
    const Problem<>& problem, const std::vector<std::size_t>& order,
    const Budget& budget) {
  return place_in_order(problem, order, budget,
                        [&](const std::vector<Chunk>& taken, std::size_t i) {
                          return best_fit(taken, problem.buffers[i].size,
                                          problem.buffers[i].alignment);
                        });
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_FIT_HPP
