// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The canonical dive: place the box that can lie lowest, of those the most
/// preferred, again and again. One leaf of the search in plain/, in near-
/// linear time and without asking who overlaps whom.
///
/// A box can lie no lower than the highest plateau it spans. Take a plateau
/// whose neighbours are higher, a *valley*:
///
///        +----+
///        |    |        +-------+      The boxes whose spans lie inside it go
///        |    +--+     |       |      to its floor; nothing outside can come
///     ---+       |.....|       |      before them. When there is none left,
///                  valley             nobody can use what is below the lower
///                                     rim: the valley is filled up to it.
///
/// Other dives take valleys by level. As valleys do not touch, any order gives
/// the same offsets, so this one works through them from left to right: no
/// heap, and the boxes of one time come close together.
///
/// The walk goes left while the next plateau there is lower, else right while
/// that one is, else it stands in a valley. When it goes right the plateaus on
/// its left descend, so going left it finds a valley after a step: the one
/// before a box that was just placed. Every step back is thus followed by a
/// placement or a fill, and steps are O(n).
///
/// Alignment. A box goes to the floor of its valley rounded up to its
/// alignment, and what lies between is lost. With one alignment for all this
/// is the canonical dive (see unit in boxes.hpp); with several, boxes come by
/// the floor and not by the offset.
///
/// With gaps, windows, ties and obstacles the valleys come by level
/// (bodies/body_dive.hpp).
///
/// Cost: O(n) placements, at most as many fills as there are plateaus, each
/// with a query of the span tree: in practice O(n log n). O(n) memory.
#ifndef SNUG_HEURISTICS_DIVE_HPP
#define SNUG_HEURISTICS_DIVE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/skyline.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// How many orders there are for dives (see orders.hpp), the best ones first.
inline constexpr Index kDiveOrders = 4;

/// These orders.
inline constexpr std::string_view kOrders[kDiveOrders] = {"TWA", "TAW", "A",
                                                          "TZ"};

class Dive {
 public:
  /// Placements and fills between two questions whether to stop.
  static constexpr Index kStepsPerLook = 1024;
  static constexpr std::int64_t kNoCeiling =
      (std::numeric_limits<std::int64_t>::max)();

  /// There must be boxes, and they must outlive the dive.
  Dive(const Boxes& boxes, Memory& memory)
      : boxes_(&boxes),
        tree_(boxes, memory),
        skyline_(boxes.sections, memory),
        offset_(memory.take_raw<std::int64_t>(boxes.count)) {}

  /// Places all boxes, preferred as in `order`. False if it gave up: the
  /// height would be above `ceiling` bytes, or stop() said so; it is asked
  /// now and then.
  [[nodiscard]] bool run(const Index* order, std::int64_t ceiling,
                         const Interrupt& stop) {
    tree_.fill(order);
    skyline_.clear();
    height_ = 0;
    Index at = 0;
    Index steps = 0;
    for (Index placed = 0; placed < boxes_->count;) {
      const std::int64_t floor = skyline_.level(at);
      if (skyline_.level_before(at) < floor) {
        at = skyline_.previous(at);
        continue;
      }
      if (skyline_.level_behind(at) < floor) {
        at = skyline_.next(at);
        continue;
      }
      const Index rank = tree_.best_inside(skyline_.range(at));
      if (rank == SpanTree::kNobody) {
        at = skyline_.raise(at);
      } else {
        at = place(order[rank], at);
        ++placed;
        if (height_ > ceiling) return false;
      }
      if (++steps % kStepsPerLook == 0 && stop()) return false;
    }
    return true;
  }

  /// Of the last run that placed all: its height in bytes.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// And the offset of each box in units.
  [[nodiscard]] const std::int64_t* offsets() const noexcept { return offset_; }

 private:
  /// Places box x in the valley `at`; returns where to go on.
  [[nodiscard]] Index place(Index x, Index at) {
    const std::int64_t offset = boxes_->offset_at(skyline_.level(at), x);
    offset_[x] = offset;
    height_ = (std::max)(height_, boxes_->top(offset, x));
    tree_.remove(x);
    return skyline_.raise(at, boxes_->span[x], offset + boxes_->size[x]);
  }

  const Boxes* boxes_;
  SpanTree tree_;
  Skyline skyline_;
  std::int64_t* offset_;
  std::int64_t height_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_DIVE_HPP
