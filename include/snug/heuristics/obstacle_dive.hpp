// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A dive (heuristics/dive.hpp) around obstacles: bytes that are taken for some
/// time by what is fixed or reserved (normal/obstacles.hpp).
///
///          +-----+-------+
///          |     |///////|     A box goes to the floor of its valley if it ends
///          |     +-------+     there below all obstacles of its span. When there
///     -----+  a  . b           is none left, and the lowest obstacle (///) is below
///          |  ...............  the rim of the valley, what is under it (b) is lost:
///          +-------------+     its sections, as far as they are in the valley, go
///              valley          up to the end of the obstacle. Boxes beside it (a)
///                              have had their turn, and have it again.
///
/// Everything is in units. The bytes of an obstacle are rounded to the units that
/// they touch, so that two that share a section may share a unit, too: at a floor
/// within an obstacle its sections have no room, whatever begins below.
///
/// A box whose lifespan meets an obstacle costs a look at the obstacles from its
/// floor upward, until one of them shares a section with it: a few, where there are
/// many at one time. Where none of a block of time is as high, there is no look.
///
/// Cost: that of the dive, and k more fills for k obstacles and the valleys that they
/// reach into, with O(k) for each box that is looked at as the worst case; O(n + k)
/// memory.
#ifndef SNUG_HEURISTICS_OBSTACLE_DIVE_HPP
#define SNUG_HEURISTICS_OBSTACLE_DIVE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/dive.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/heuristics/skyline.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Obstacles in units, by lower end.
class ObstacleList {
 public:
  static constexpr Index kNothing = static_cast<Index>(-1);

  ObstacleList(const Plain& plain, std::int64_t unit)
      : per_block_(plain.sections / kBlocks + 1),
        spans_(plain.obstacles.size()),
        bytes_(plain.obstacles.size()) {
    List<std::int64_t> highest((plain.sections - 1) / per_block_ + 1, 0);
    for (Index k = 0; k < bytes_.size(); ++k) {
      spans_[k] = plain.obstacles[k].sections;
      bytes_[k] = in_units(plain.obstacles[k].bytes, unit);
      for (Index block = spans_[k].lower / per_block_;
           block <= (spans_[k].upper - 1) / per_block_; ++block)
        highest[block] = (std::max)(highest[block], bytes_[k].upper);
    }
    highest_.emplace(highest);
  }

  [[nodiscard]] Interval<Index> span(Index k) const { return spans_[k]; }
  [[nodiscard]] Interval<std::int64_t> taken(Index k) const {
    return bytes_[k];
  }

  /// The first obstacle that may end above `floor`, in any section.
  [[nodiscard]] Index first_above(std::int64_t floor) const {
    // Those of one section share a unit at most.
    return static_cast<Index>(
        std::lower_bound(bytes_.begin(), bytes_.end(), floor - 1,
                         [](const Interval<std::int64_t>& bytes,
                            std::int64_t at) { return bytes.lower < at; }) -
        bytes_.begin());
  }
  /// The lowest obstacle above `floor` that shares a section with `span`, from the
  /// one that first_above() tells; or kNothing.
  [[nodiscard]] Index lowest(Interval<Index> span, std::int64_t floor,
                             Index first) const {
    if (highest_->in(span.lower / per_block_,
                     (span.upper - 1) / per_block_ + 1) <= floor)
      return kNothing;
    for (Index k = first; k < spans_.size(); ++k)
      if (spans_[k].overlaps(span) && bytes_[k].upper > floor) return k;
    return kNothing;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(spans_, bytes_) + 2 * kBlocks * sizeof(std::int64_t);
  }

 private:
  static constexpr Index kBlocks = 512;

  [[nodiscard]] static Interval<std::int64_t> in_units(
      Interval<std::int64_t> bytes, std::int64_t unit) {
    return {bytes.lower / unit, (bytes.upper - 1) / unit + 1};
  }

  Index per_block_;  ///< sections of a block
  List<Interval<Index>> spans_;
  List<Interval<std::int64_t>> bytes_;  ///< in units
  /// Where the last obstacle of each block ends.
  std::optional<RangeMaximum> highest_{};
};

/// The space between obstacles.
class ObstructedSpace {
 public:
  static constexpr std::string_view kOrders[kDiveOrders] = {"TAW", "A", "TWA",
                                                            "TZ"};
  // A step may look at all obstacles, again and again.
  static constexpr Index kStepsPerLook = 64;
  static constexpr Index kElementsPerLook = Interrupt::kElements;

  ObstructedSpace(const Plain& plain, const Boxes& boxes)
      : obstacles_(plain, boxes.unit) {}

  [[nodiscard]] Index best_on(std::int64_t floor, Interval<Index> valley,
                              const Boxes& boxes, const SpanTree& tree) const {
    const Index first = obstacles_.first_above(floor);
    return tree.best_that(valley, [&](Index x) {
      const Index next = obstacles_.lowest(boxes.span[x], floor, first);
      return next == ObstacleList::kNothing ||
             boxes.offset_at(floor, x) + boxes.size[x] <=
                 obstacles_.taken(next).lower;
    });
  }

  [[nodiscard]] Index fill(Index at, Skyline& skyline) const {
    const Interval<Index> valley = skyline.range(at);
    const std::int64_t floor = skyline.level(at);
    const Index next =
        obstacles_.lowest(valley, floor, obstacles_.first_above(floor));
    const std::int64_t rim =
        (std::min)(skyline.level_before(at), skyline.level_behind(at));
    if (next == ObstacleList::kNothing || obstacles_.taken(next).lower >= rim)
      return skyline.raise(at);
    const Interval<Index> span = obstacles_.span(next);
    return skyline.raise(at,
                         {(std::max)(valley.lower, span.lower),
                          (std::min)(valley.upper, span.upper)},
                         obstacles_.taken(next).upper);
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return obstacles_.bytes();
  }

 private:
  ObstacleList obstacles_;
};

using ObstacleDive = DiveIn<ObstructedSpace>;

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_OBSTACLE_DIVE_HPP
