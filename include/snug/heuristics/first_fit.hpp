// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit and best fit: place the boxes in a given order, each in a gap that
/// the placed ones with whom it shares a section leave:
///
///     | placed |   gap   | placed |  gap  | placed |  open ...
///     0        a         b        c       d        e
///
///     first fit   lowest gap that is large enough      a
///     best fit    smallest gap that is large enough    c, else e
///
/// Unlike a dive they may leave a gap and come back to it. A skyline does not
/// know of gaps; the placed boxes are kept in order of their offsets instead,
/// and one pass over them finds the gaps of a box from the bottom up. With
/// sizes that descend (order Z) these are the greedy placements of today's
/// runtimes and compilers.
///
/// Cost: O(n * placed) time, a few operations for each pair; meant for some
/// thousand boxes. O(n) memory.
#ifndef SNUG_HEURISTICS_FIRST_FIT_HPP
#define SNUG_HEURISTICS_FIRST_FIT_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/model/interval.hpp"
#include "snug/search/memory.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Which gap a box goes to.
enum class Fit : std::uint8_t {
  kFirst,  ///< the lowest that is large enough
  kBest,   ///< the smallest that is, the lowest of equal ones
};

class GreedyFit {
 public:
  /// The boxes must outlive this.
  GreedyFit(const Boxes& boxes, Memory& memory)
      : boxes_(&boxes),
        placed_(memory.take_raw<Placed>(boxes.count)),
        offset_(memory.take_raw<std::int64_t>(boxes.count)) {}

  /// Places all boxes in order. False if it gave up: the height would be
  /// above `ceiling` bytes, or stop() said so; it is asked now and then.
  template <class Stop>
  [[nodiscard]] bool run(const Index* order, Fit fit, std::int64_t ceiling,
                         Stop&& stop) {
    height_ = 0;
    for (Index k = 0; k < boxes_->count; ++k) {
      const Index x = order[k];
      offset_[x] = find_offset(x, k, fit);
      height_ = (std::max)(height_, boxes_->top(offset_[x], x));
      if (height_ > ceiling) return false;
      insert({offset_[x], offset_[x] + boxes_->size[x], boxes_->span[x]}, k);
      if (k % kPlacedPerLook == kPlacedPerLook - 1 && stop()) return false;
    }
    return true;
  }

  /// Of the last run that placed all: its height in bytes.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// And the offset of each box in units.
  [[nodiscard]] const std::int64_t* offsets() const noexcept { return offset_; }

 private:
  static constexpr Index kPlacedPerLook = 256;

  struct Placed {
    std::int64_t offset;
    std::int64_t top;
    Interval<Index> span;
  };

  /// The offset of box x among the first `count` placed ones.
  [[nodiscard]] std::int64_t find_offset(Index x, Index count, Fit fit) const {
    const Interval<Index> span = boxes_->span[x];
    const std::int64_t size = boxes_->size[x];
    std::int64_t top = 0;  // of those passed, rounded up for x
    std::int64_t found = 0;
    std::int64_t least_gap = (std::numeric_limits<std::int64_t>::max)();
    bool is_found = false;
    for (const Placed* at = placed_; at != placed_ + count; ++at) {
      if (!at->span.overlaps(span)) continue;
      const std::int64_t gap = at->offset - top;
      if (gap >= size && gap < least_gap) {
        if (fit == Fit::kFirst) return top;
        found = top;
        least_gap = gap;
        is_found = true;
      }
      if (at->top > top) top = boxes_->offset_at(at->top, x);
    }
    return is_found ? found : top;
  }

  /// Keeps the placed boxes in order of their offsets.
  void insert(const Placed& placed, Index count) {
    Placed* const end = placed_ + count;
    Placed* const at = std::upper_bound(
        placed_, end, placed,
        [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
    std::move_backward(at, end, end + 1);
    *at = placed;
  }

  const Boxes* boxes_;
  Placed* placed_;
  std::int64_t* offset_;
  std::int64_t height_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_FIRST_FIT_HPP
