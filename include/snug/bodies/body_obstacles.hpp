// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is fixed, for a dive of bodies (bodies/body_dive.hpp): bytes that are taken
/// for some time. They come by their lower ends and *join* the skyline one after the
/// other, when the dive is as high; only those that have not are looked at.
///
///         +-----+            A piece that would end above the lower end of one that
///         |/////|            did not join, in a section that they share, has to lie
///         +-----+            above its upper end: what is between is too low for it
///     - - - - - - - - joined
///          +--+
///          |//|  +--+        and these are in the skyline
///
/// Where no obstacle of a block of time is as high as a piece, there is no look.
///
/// Cost: O(p log p) for p fixed slabs and O(p) memory; a query looks at those that
/// begin below the end of a piece, whenever that is, from the first one on that
/// reaches above its beginning: O(log p) to find that.
#ifndef SNUG_BODIES_BODY_OBSTACLES_HPP
#define SNUG_BODIES_BODY_OBSTACLES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyObstacles {
 public:
  struct Obstacle {
    Interval<Index> sections{};
    Interval<std::int64_t> bytes{};  ///< in units
    Index slab = 0;                  ///< of the bodies
    std::int64_t reach = 0;  ///< the highest end of it and those before it
  };
  static constexpr std::int64_t kNone = -1;

  explicit BodyObstacles(const Bodies& bodies)
      : blocks_(bodies.sections), highest_(SectionBlocks::kCount, 0) {
    for (Index k = 0; k < bodies.slabs.size(); ++k) {
      const Slab& slab = bodies.slabs[k];
      const Body& body = bodies.bodies[slab.body];
      if (!body.is_fixed()) continue;
      all_.push_back(
          {slab.sections,
           {body.fixed + slab.bytes.lower, body.fixed + slab.bytes.upper},
           k});
      const Interval<Index> blocks = blocks_.of(slab.sections);
      for (Index block = blocks.lower; block < blocks.upper; ++block)
        highest_[block] = (std::max)(highest_[block], all_.back().bytes.upper);
    }
    heap_sort(all_, [](const Obstacle& a, const Obstacle& b) {
      if (a.bytes.lower != b.bytes.lower) return a.bytes.lower < b.bytes.lower;
      return a.sections.lower < b.sections.lower;
    });
    std::int64_t reach = 0;
    for (Obstacle& one : all_)
      one.reach = reach = (std::max)(reach, one.bytes.upper);
  }

  /// None has joined.
  void restart() noexcept { joined_ = 0; }
  /// The next one; null: all have joined.
  [[nodiscard]] const Obstacle* next() const noexcept {
    return joined_ < all_.size() ? &all_[joined_] : nullptr;
  }
  void join_next() noexcept { ++joined_; }

  /// Above which address a piece must lie that would be at `bytes`, because of an
  /// obstacle that has not joined and that it would meet there; or kNone.
  [[nodiscard]] std::int64_t end_of_met(Interval<Index> sections,
                                        Interval<std::int64_t> bytes) {
    const Interval<Index> blocks = blocks_.of(sections);
    std::int64_t highest = 0;
    for (Index k = blocks.lower; k < blocks.upper; ++k)
      highest = (std::max)(highest, highest_[k]);
    if (highest <= bytes.lower) return kNone;
    const auto* const first = std::partition_point(
        all_.begin() + joined_, all_.end(),
        [&](const Obstacle& one) { return one.reach <= bytes.lower; });
    for (auto k = static_cast<std::size_t>(first - all_.begin());
         k < all_.size() && all_[k].bytes.lower < bytes.upper; ++k) {
      ++looks_;
      if (all_[k].bytes.upper > bytes.lower &&
          all_[k].sections.overlaps(sections))
        return all_[k].bytes.upper;
    }
    return kNone;
  }

  /// How many obstacles were looked at.
  [[nodiscard]] std::size_t looks() const noexcept { return looks_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(highest_, all_);
  }

 private:
  SectionBlocks blocks_;
  List<std::int64_t> highest_;  ///< where the last one of each block ends
  List<Obstacle> all_{};        ///< by their lower ends
  std::size_t joined_ = 0;
  std::size_t looks_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_OBSTACLES_HPP
