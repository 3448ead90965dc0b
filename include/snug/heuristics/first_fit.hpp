// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit: place the boxes in a given order, each in the lowest gap that is large
/// enough of those that the placed ones with whom it shares a section leave:
///
///     | placed |   gap   | placed |  gap  | placed |  open ...
///     0        a         b        c       d        e
///
/// Unlike a dive it may leave a gap and come back to it. A skyline does not
/// know of gaps; one pass over the placed boxes in order of their offsets finds
/// the gaps of a box from the bottom up. With sizes that descend (order Z) this is
/// the greedy placement of today's runtimes and compilers.
///
/// The pass is made in one of two ways, to the same effect. Where most boxes
/// overlap, all placed ones are kept in order and looked at. Where few do,
/// those that overlap are collected and sorted: they are a quadrant in the
/// plane of (lower, upper), found in the tree over the blocks of boxes.
///
/// Cost: O(n * placed) time, one operation for each pair, or O(n sqrt(n) +
/// p log p), some ten operations for each of the p pairs that overlap. O(n)
/// memory.
#ifndef SNUG_HEURISTICS_FIRST_FIT_HPP
#define SNUG_HEURISTICS_FIRST_FIT_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// How many pairs of boxes share a section.
[[nodiscard]] inline std::int64_t overlapping_pairs(const Boxes& boxes,
                                                    Memory& memory) {
  // Each box pairs up with those that are live where it begins, and with those
  // that begin there as well but come before it.
  const std::size_t sections = boxes.sections;
  auto* const begins = memory.take<Index>(sections + 1);
  auto* const ends = memory.take<Index>(sections + 1);
  for (Index x = 0; x < boxes.count; ++x) {
    ++begins[boxes.span[x].lower];
    ++ends[boxes.span[x].upper];
  }
  std::int64_t pairs = 0;
  std::int64_t live = 0;
  for (std::size_t s = 0; s < sections; ++s) {
    live -= ends[s];
    const std::int64_t begun = begins[s];
    pairs += begun * live + begun * (begun - 1) / 2;
    live += begun;
  }
  memory.release(ends);
  memory.release(begins);
  return pairs;
}

class GreedyFit {
 public:
  /// The boxes must outlive this.
  GreedyFit(const Boxes& boxes, Memory& memory)
      : boxes_(&boxes),
        is_sparse_(is_sparse(boxes, overlapping_pairs(boxes, memory))),
        placed_(memory, is_sparse_ ? (std::min)(kFirstCollected, boxes.count)
                                   : boxes.count),
        offset_(memory.take_raw<std::int64_t>(boxes.count)) {
    if (!is_sparse_) return;
    while (std::size_t{leaves_} * Boxes::kBlock < boxes.count) leaves_ *= 2;
    hulls_ = memory.take_raw<Interval<Index>>(2 * std::size_t{leaves_});
    for (Index k = 0; k < leaves_; ++k) hulls_[leaves_ + k] = hull_of_block(k);
    for (Index v = leaves_; v-- > 1;)
      hulls_[v] = hull_of(hulls_[2 * v], hulls_[2 * v + 1]);
  }

  /// Whether so few of the boxes overlap that those that do are collected.
  [[nodiscard]] static bool is_sparse(const Boxes& boxes, std::int64_t pairs) {
    return kSparse * pairs < std::int64_t{boxes.count} * boxes.count;
  }

  /// Places all boxes in order. False if it gave up: the height would be
  /// above `ceiling` bytes, or stop() said so; it is asked now and then.
  [[nodiscard]] bool run(const Index* order, std::int64_t ceiling,
                         const Interrupt& stop) {
    List<Index> misfits;
    return run(order, ceiling, stop, 0, misfits);
  }
  /// The same, but up to `most` boxes that do not fit are left out, and listed, and it
  /// goes on with the others: as far again as it came before the first of them. If there
  /// are more of them, or it is stopped, none is listed. `misfits` is empty at first.
  [[nodiscard]] bool run(const Index* order, std::int64_t ceiling,
                         const Interrupt& stop, std::size_t most,
                         List<Index>& misfits) {
    height_ = 0;
    placed_.shrink(0);
    if (is_sparse_) std::fill(offset_, offset_ + boxes_->count, kUnplaced);
    Index end = boxes_->count;
    for (tried_ = 0; tried_ < end; ++tried_) {
      const Index x = order[tried_];
      if (is_sparse_) collect(x);
      const std::int64_t offset = find_offset(x);
      if (boxes_->top(offset, x) <= ceiling) {
        place(x, offset);
      } else {
        if (misfits.empty()) end = tried_ + (std::min)(tried_, end - tried_);
        misfits.push_back(x);
      }
      const bool looks = tried_ % kTriedPerLook == kTriedPerLook - 1;
      if (misfits.size() > most || (looks && stop())) {
        misfits.clear();
        return false;
      }
    }
    return misfits.empty();
  }

  /// How many boxes the last run tried to place before it gave up.
  [[nodiscard]] Index tried() const noexcept { return tried_; }
  /// Of the last run that placed all: its height in bytes.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// And the offset of each box in units.
  [[nodiscard]] const std::int64_t* offsets() const noexcept { return offset_; }

 private:
  static constexpr Index kTriedPerLook = 256;
  static constexpr std::int64_t kUnplaced = -1;
  /// What a collected pair costs, in pairs that are only looked at.
  static constexpr std::int64_t kSparse = 64;

  struct Placed {
    std::int64_t offset;
    std::int64_t top;
    Interval<Index> span;
  };

  /// The offset of box x among those of placed_.
  [[nodiscard]] std::int64_t find_offset(Index x) const {
    const Interval<Index> span = boxes_->span[x];
    const std::int64_t size = boxes_->size[x];
    std::int64_t top = 0;  // of those passed, rounded up for x
    for (const Placed& other : placed_) {
      if (!other.span.overlaps(span)) continue;
      if (other.offset - top >= size) break;
      if (other.top > top) top = boxes_->offset_at(other.top, x);
    }
    return top;
  }

  /// Keeps the placed boxes in order of their offsets.
  void place(Index x, std::int64_t offset) {
    offset_[x] = offset;
    height_ = (std::max)(height_, boxes_->top(offset, x));
    if (is_sparse_) return;
    const Placed placed{offset, offset + boxes_->size[x], boxes_->span[x]};
    Placed* const end = placed_.extend(1);
    Placed* const at = std::upper_bound(
        placed_.begin(), end, placed,
        [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
    std::move_backward(at, end, end + 1);
    *at = placed;
  }

  [[nodiscard]] Interval<Index> hull_of_block(Index block) const {
    Interval<Index> hull{boxes_->sections, 0};
    const Interval<Index> in = boxes_->block(block);
    for (Index x = in.lower; x < in.upper; ++x)
      hull = hull_of(hull, boxes_->span[x]);
    return hull;
  }

  /// Collects the placed boxes that overlap x, in order of their offsets.
  void collect(Index x) {
    const Interval<Index> span = boxes_->span[x];
    placed_.shrink(0);
    Index open[kMostOpen];
    Index opened = 0;
    open[opened++] = 1;
    while (opened > 0) {
      const Index v = open[--opened];
      if (!hulls_[v].overlaps(span)) continue;
      if (v < leaves_) {
        open[opened++] = 2 * v;
        open[opened++] = 2 * v + 1;
        continue;
      }
      const Interval<Index> in = boxes_->block(v - leaves_);
      for (Index y = in.lower; y < in.upper; ++y)
        if (offset_[y] != kUnplaced && boxes_->span[y].overlaps(span))
          placed_.push(
              {offset_[y], offset_[y] + boxes_->size[y], boxes_->span[y]});
    }
    // Boxes of one offset that overlap x in different places: which of them
    // comes first makes no difference.
    (void)sort_in_parts(
        placed_.begin(), placed_.end(),
        [](const Placed& a, const Placed& b) { return a.offset < b.offset; },
        {});
  }

  // One node of each level waits while its sibling is open.
  static constexpr Index kMostOpen = 40;
  /// Room for those collected, at first.
  static constexpr Index kFirstCollected = 256;

  const Boxes* boxes_;
  bool is_sparse_;
  Stack<Placed> placed_;  ///< in order of offsets: all, or those collected
  std::int64_t* offset_;
  std::int64_t height_ = 0;
  Index tried_ = 0;
  Index leaves_ = 1;
  Interval<Index>* hulls_ = nullptr;  ///< of the boxes of each node
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_FIRST_FIT_HPP
