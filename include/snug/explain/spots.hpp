// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a buffer can go in a placement of others, as it stands: a *hole*, or
/// a place that only one other buffer is in the way of.
///
///              |  x   |          y and z are live together with x. There is no
///        +-----+------+---+      hole for x below the capacity, but without y
///        |     z      |   |      it would fit where y is: with x for y this is
///        +------------+---+      a placement of all but y.
///            |   y    |
///        +---+--------+
///
/// Gaps, pairs that may overlap, ties, ends and reserved ranges are not looked
/// at: whoever wants to know whether a spot is right validates it. For plain
/// problems it is.
///
/// Cost: O(n + d log d) for d buffers that are live together with x.
#ifndef SNUG_EXPLAIN_SPOTS_HPP
#define SNUG_EXPLAIN_SPOTS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/support/align.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Offset of a buffer that is not placed.
inline constexpr std::int64_t kAbsent = -1;

/// Where a buffer fits once `blocker` is gone.
struct Spot {
  std::size_t blocker;
  std::int64_t offset;
};

struct Spots {
  std::optional<std::int64_t> hole{};  ///< the lowest
  List<Spot> shared{};                 ///< one for each such blocker
};

/// The runs of addresses that at most one buffer occupies, from the bottom up.
class SpotScan {
 public:
  struct Edge {
    std::int64_t at;
    std::size_t owner;
    bool is_bottom;
  };

  /// Looks, once, for `size` bytes within `bounds` at a multiple of the alignment.
  SpotScan(std::int64_t size, std::int64_t alignment)
      : size_(size), alignment_(alignment) {}

  [[nodiscard]] Spots run(Interval<std::int64_t> bounds, List<Edge>& edges) {
    heap_sort(edges, [](const Edge& a, const Edge& b) {
      if (a.at != b.at) return a.at < b.at;
      if (a.is_bottom != b.is_bottom) return b.is_bottom;
      return a.owner < b.owner;
    });
    run_ = free_ = bounds.lower;
    blocker_ = kNobody;
    std::int64_t at = bounds.lower;
    std::size_t covers = 0;
    std::size_t owners = 0;  // Their sum: of one buffer, that buffer.
    for (const Edge& edge : edges) {
      const std::int64_t next =
          (std::clamp)(edge.at, bounds.lower, bounds.upper);
      if (at < next) pass({at, next}, covers, owners);
      at = next;
      covers += edge.is_bottom ? std::size_t{1} : ~std::size_t{0};
      owners += edge.is_bottom ? edge.owner : ~edge.owner + 1;
    }
    if (at < bounds.upper) pass({at, bounds.upper}, covers, owners);
    end_free(bounds.upper);
    end_run(bounds.upper);
    return std::move(spots_);
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  static constexpr std::int64_t kNowhere = -1;

  /// Goes on through bytes that `covers` buffers occupy.
  void pass(Interval<std::int64_t> bytes, std::size_t covers,
            std::size_t owner) {
    if (covers == 0) {
      if (free_ == kNowhere) free_ = bytes.lower;
      return;
    }
    const std::int64_t free = free_;
    end_free(bytes.lower);
    if (covers == 1 && (blocker_ == kNobody || blocker_ == owner)) {
      blocker_ = owner;
      return;
    }
    end_run(bytes.lower);
    run_ = bytes.upper;
    if (covers > 1) return;
    run_ = free != kNowhere ? free : bytes.lower;
    blocker_ = owner;
  }
  void end_free(std::int64_t end) {
    if (free_ != kNowhere && !spots_.hole && fits({free_, end}))
      spots_.hole = align_up(free_, alignment_);
    free_ = kNowhere;
  }
  void end_run(std::int64_t end) {
    if (blocker_ != kNobody && fits({run_, end}))
      spots_.shared.push_back({blocker_, align_up(run_, alignment_)});
    blocker_ = kNobody;
  }
  [[nodiscard]] bool fits(Interval<std::int64_t> bytes) const {
    return align_up(bytes.lower, alignment_) + size_ <= bytes.upper;
  }

  std::int64_t size_;
  std::int64_t alignment_;
  Spots spots_{};
  std::int64_t run_ = 0;   ///< where the run began
  std::int64_t free_ = 0;  ///< where its free end began, or kNowhere
  std::size_t blocker_ = kNobody;
};

/// The ends of the buffers with an offset that are live together with `x`.
template <class Size, class Time>
[[nodiscard]] List<SpotScan::Edge> edges_around(
    const Problem<Size, Time>& problem, std::size_t x,
    const std::vector<Size>& offsets) {
  List<SpotScan::Edge> edges;
  for (std::size_t y = 0; y < offsets.size(); ++y) {
    const Buffer<Size, Time>& other = problem.buffers[y];
    if (offsets[y] == kAbsent || y == x || other.size == 0 ||
        !problem.buffers[x].lifespan.overlaps(other.lifespan))
      continue;
    const std::int64_t bottom{offsets[y]};
    edges.push_back({bottom, y, true});
    edges.push_back({bottom + other.size, y, false});
  }
  return edges;
}

/// The spots for buffer `x` among the buffers with an offset.
[[nodiscard]] inline Spots find_spots(
    const Problem<>& problem, std::size_t x, std::int64_t capacity,
    const std::vector<std::int64_t>& offsets) {
  const Buffer<>& buffer = problem.buffers[x];
  Interval<std::int64_t> bounds{problem.base, capacity};
  if (buffer.offset)
    bounds = {*buffer.offset,
              (std::min)(capacity, *buffer.offset + buffer.size)};
  if (bounds.upper < bounds.lower) return {};
  List<SpotScan::Edge> edges = edges_around(problem, x, offsets);
  return SpotScan(buffer.size, std::lcm(buffer.alignment, problem.alignment))
      .run(bounds, edges);
}

/// Whether the buffers with an offset are placed.
[[nodiscard]] inline bool is_placement(
    const Problem<>& problem, std::int64_t capacity,
    const std::vector<std::int64_t>& offsets) {
  std::vector<std::size_t> placed;
  std::vector<std::int64_t> its_offsets;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] == kAbsent) continue;
    placed.push_back(i);
    its_offsets.push_back(offsets[i]);
  }
  return validate(subset(problem, placed), capacity, its_offsets).ok();
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_SPOTS_HPP
