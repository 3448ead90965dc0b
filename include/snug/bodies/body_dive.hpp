// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The canonical dive (heuristics/dive.hpp) for bodies: a placement without a search
/// and without relations, around what is fixed.
///
/// A body consists of pieces, its slabs, that move together, so it can lie no lower
/// than the highest of them lets it:
///
///     4    +---+     +---+       b has two pieces, and a gap between them. On the
///          | b |     | b |       left it could lie at 0, on the right not below 2,
///     2    +---+     +---+       above a: in both valleys it is due at 2. Until then
///          . ? .     | a |       others may take what is below it on the left (?),
///     0  ------------+---+---    and at any time what is in its gap.
///
/// A *valley* is a plateau of the skyline that is lower than its neighbours. The
/// lowest valley comes first. If a piece inside it is due at its floor, its body is
/// placed, the most preferred one of these. If not, the valley waits until one is
/// due, or until its lower rim, where nobody can use what is below, and is filled up
/// to that. What is fixed joins the skyline when all valleys wait for more than its
/// lower end; until then nobody may reach into it.
///
/// Skylines only rise, so no body can later lie lower than it was due. Bodies of the
/// top are not due before those of the bottom that are live near them are placed.
/// Buffers that may overlap are placed as if they must not. If all bodies have one
/// piece and there is no obstacle, this is the canonical dive, in another order of the
/// valleys.
///
/// Cost: O(n) placements, as many fills as there are plateaus at most, and a query of
/// the tree of pieces for each, and for each time that a valley waits in vain: in
/// practice O(n log n). O(p + sections) memory for p slabs.
#ifndef SNUG_BODIES_BODY_DIVE_HPP
#define SNUG_BODIES_BODY_DIVE_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_ends.hpp"
#include "snug/bodies/body_obstacles.hpp"
#include "snug/bodies/body_skyline.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/piece_tree.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyDive {
 public:
  /// The bodies must outlive the dive. Of no use if it is interrupted.
  explicit BodyDive(const Bodies& bodies, const Interrupt& interrupt = {})
      : bodies_(&bodies),
        tree_(free_slabs(bodies), interrupt),
        skyline_((std::max)(bodies.sections, Index{1})),
        obstacles_(bodies),
        queued_(bodies.sections),
        piece_of_(bodies.slabs.size(), 0),
        ends_(bodies),
        tops_(bodies) {
    for (Index x = 0; x < tree_.size(); ++x) piece_of_[tree_.input(x)] = x;
  }

  /// Fills in the offsets of all bodies but those that are fixed, preferred as in
  /// `order`. False if that would be higher than `ceiling`, bodies of the top or
  /// bottom are in each other's way, or stop() was true; it is asked now and then.
  [[nodiscard]] bool run(const List<Index>& order, std::int64_t ceiling,
                         List<std::int64_t>& offsets, const Interrupt& stop) {
    start(order, ceiling, offsets);
    while (left_ > 0 && !exceeds_) {
      ask(stop);
      if (is_obstacle_next()) {
        join_obstacle();
        continue;
      }
      if (queue_.empty()) return false;
      const Valley valley = pop_valley();
      if (!is_current(valley)) continue;
      const PieceTree::First first = first_in(valley, stop);
      if (!first.is_any()) {
        fill(valley);
      } else if (first.due > valley.key) {
        push({first.due, valley.level, valley.sections});
      } else {
        place(slab(first.piece).body, offsets, stop);
      }
    }
    return !exceeds_;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return tree_.bytes() + skyline_.bytes() + obstacles_.bytes() +
           ends_.bytes() + tops_.bytes() +
           bytes_of(queued_, piece_of_, queue_, at_least_);
  }

 private:
  static constexpr std::int64_t kNever =
      (std::numeric_limits<std::int64_t>::max)();

  /// A plateau that is lower than its neighbours, and until when it waits.
  struct Valley {
    std::int64_t key = kNever;
    std::int64_t level = 0;
    Interval<Index> sections{};

    /// Whether this one comes later, for a heap with the first on top.
    [[nodiscard]] bool operator<(const Valley& other) const {
      return key != other.key ? key > other.key
                              : sections.lower > other.sections.lower;
    }
    [[nodiscard]] bool operator==(const Valley& other) const {
      return key == other.key && is_as(other);
    }
    [[nodiscard]] bool is_as(const Valley& other) const {
      return level == other.level && sections == other.sections;
    }
  };

  /// The slabs that are not fixed.
  [[nodiscard]] static List<SpannedBuffer> free_slabs(const Bodies& bodies) {
    List<SpannedBuffer> result;
    for (Index k = 0; k < bodies.slabs.size(); ++k)
      if (!bodies.bodies[bodies.slabs[k].body].is_fixed())
        result.push_back({bodies.slabs[k].sections, k});
    return result;
  }
  /// The slab that piece x is.
  [[nodiscard]] const Slab& slab(Index x) const {
    return bodies_->slabs[tree_.input(x)];
  }

  void start(const List<Index>& order, std::int64_t ceiling,
             List<std::int64_t>& offsets) {
    const Index count = static_cast<Index>(bodies_->bodies.size());
    ceiling_ = ceiling;
    exceeds_ = false;
    left_ = 0;
    tops_.restart();
    at_least_.assign(count, 0);
    List<Index> rank(count, 0);
    for (const Index b : order) {
      const Body& body = bodies_->bodies[b];
      if (body.is_fixed()) {
        // Who has to lie below it may have to come before it joins.
        exceeds_ = exceeds_ || tops_.is_waiting(b);
        continue;
      }
      at_least_[b] = offsets[b] = body.first;
      exceeds_ = exceeds_ || body.first > ceiling - body.extent;
      if (body.slabs.empty()) continue;
      const bool is_bottom = ends_.has(b, End::kBottom);
      // Those of the bottom come first.
      rank[b] = is_bottom ? left_ : left_ + count;
      ++left_;
    }
    tree_.fill([&](Index x) { return rank[slab(x).body]; });
    obstacles_.restart();
    skyline_.clear();
    queue_.clear();
    queued_.assign(queued_.size(), {});
    if (left_ > 0) push({0, 0, {0, bodies_->sections}});
  }

  /// Asks whether to stop, if there was some work since the last time.
  void ask(const Interrupt& stop) {
    constexpr std::size_t kWorkPerLook = 4096;
    const std::size_t work = work_ + obstacles_.looks();
    if (work - asked_at_ < kWorkPerLook) return;
    asked_at_ = work;
    if (stop()) exceeds_ = true;
  }

  void push(const Valley& valley) {
    queued_[valley.sections.lower] = valley;
    queue_.push_back(valley);
    std::push_heap(queue_.begin(), queue_.end());
  }
  [[nodiscard]] Valley pop_valley() {
    std::pop_heap(queue_.begin(), queue_.end());
    const Valley result = queue_.back();
    queue_.pop_back();
    return result;
  }
  /// Whether a valley that was queued is as it was, and queued no more. It is lower
  /// than its neighbours then, as these do not sink.
  [[nodiscard]] bool is_current(const Valley& valley) {
    const Index at = valley.sections.lower;
    if (!(queued_[at] == valley)) return false;
    queued_[at] = {};
    return skyline_.plateau_of(at) == at && plateau(at).is_as(valley);
  }
  [[nodiscard]] Valley plateau(Index at) const {
    return {skyline_.level(at), skyline_.level(at), {at, skyline_.end(at)}};
  }
  /// The level of the lower neighbour.
  [[nodiscard]] std::int64_t rim(Interval<Index> sections) const {
    std::int64_t rim = kNever;
    if (sections.lower > 0)
      rim = skyline_.level(skyline_.plateau_of(sections.lower - 1));
    if (sections.upper < bodies_->sections)
      rim = (std::min)(rim, skyline_.level(sections.upper));
    return rim;
  }

  /// Queues the valleys among the plateaus that share sections with a span, or are
  /// beside it.
  void queue_near(Interval<Index> span) {
    Index at = skyline_.plateau_of(span.lower == 0 ? 0 : span.lower - 1);
    for (; at <= span.upper && at < bodies_->sections; at = skyline_.end(at)) {
      const Valley valley = plateau(at);
      if (rim(valley.sections) > valley.level && !queued_[at].is_as(valley))
        push(valley);
    }
  }

  [[nodiscard]] bool is_obstacle_next() const {
    const auto* const next = obstacles_.next();
    return next != nullptr &&
           (queue_.empty() || next->bytes.lower <= queue_.front().key);
  }
  void join_obstacle() {
    const BodyObstacles::Obstacle next = *obstacles_.next();
    obstacles_.join_next();
    raise(next.sections, next.bytes.upper);
    release(bodies_->slabs[next.slab]);
  }
  void raise(Interval<Index> sections, std::int64_t level) {
    skyline_.raise(sections, level);
    queue_near(sections);
  }
  /// A slab is placed. Those of the top that waited for it alone may come now.
  void release(const Slab& placed) {
    tops_.release(placed, [&](Index b) {
      bodies_->for_each_slab(b, [&](Index k) { tree_.forget(piece_of_[k]); });
    });
  }

  /// Fills a valley up to its rim.
  void fill(const Valley& valley) {
    const std::int64_t level = rim(valley.sections);
    if (level != kNever) raise(valley.sections, level);
  }
  void place(Index b, List<std::int64_t>& offsets, const Interrupt& stop) {
    const std::int64_t offset = lowest(b, ceiling_, stop);
    if (exceeds_) return;
    offsets[b] = offset;
    --left_;
    bodies_->for_each_slab(b, [&](Index k) { tree_.remove(piece_of_[k]); });
    for (const Slab& slab : bodies_->slabs_of(b))
      raise(slab.sections, offset + slab.bytes.upper);
    for (const Slab& slab : bodies_->slabs_of(b)) release(slab);
  }

  /// The first piece in a valley that is due before its rim.
  [[nodiscard]] PieceTree::First first_in(const Valley& valley,
                                          const Interrupt& stop) {
    return tree_.first_inside(valley.sections, valley.key, rim(valley.sections),
                              [&](Index x, std::int64_t enough) {
                                const Slab& piece = slab(x);
                                if (tops_.is_waiting(piece.body)) return kNever;
                                const std::int64_t low = piece.bytes.lower;
                                return lowest(piece.body, enough - low, stop) +
                                       low;
                              });
  }

  /// The lowest offset that is left for a body, or a lower bound above `enough`.
  [[nodiscard]] std::int64_t lowest(Index b, std::int64_t enough,
                                    const Interrupt& stop) {
    const Body& body = bodies_->bodies[b];
    const Steps steps{body.first, body.step};
    const std::int64_t most = ceiling_ - body.extent;
    std::int64_t& offset = at_least_[b];
    // One look into the tree may ask for the same body very often.
    ask(stop);
    if (offset > enough || exceeds_) return offset;
    for (const Slab& slab : bodies_->slabs_of(b)) {
      if (offset > enough) break;
      const std::int64_t low = slab.bytes.lower;
      ++work_;
      const std::int64_t highest = skyline_.highest(
          slab.sections, enough < ceiling_ - low ? enough + low : ceiling_);
      offset = (std::max)(offset, highest - low);
    }
    offset = steps.up(offset);
    bool has_moved = obstacles_.next() != nullptr;
    while (has_moved && offset <= (std::min)(enough, most)) {
      has_moved = false;
      for (const Slab& slab : bodies_->slabs_of(b)) {
        ask(stop);
        if (offset > most || exceeds_) break;
        const std::int64_t end = obstacles_.end_of_met(
            slab.sections,
            {offset + slab.bytes.lower, offset + slab.bytes.upper});
        if (end == BodyObstacles::kNone) continue;
        offset = steps.up(end - slab.bytes.lower);
        has_moved = true;
      }
    }
    exceeds_ = exceeds_ || offset > most;
    return offset;
  }

  const Bodies* bodies_;
  PieceTree tree_;
  BodySkyline skyline_;
  BodyObstacles obstacles_;
  List<Valley> queued_;   ///< of each plateau, if it is
  List<Index> piece_of_;  ///< of each slab
  BodyEnds ends_;
  WaitingTops tops_;
  List<Valley> queue_{};           ///< a heap
  List<std::int64_t> at_least_{};  ///< the offset of each body
  std::int64_t ceiling_ = 0;
  bool exceeds_ = false;  ///< no placement below the ceiling, or stopped
  Index left_ = 0;        ///< bodies to be placed
  std::size_t work_ = 0;
  std::size_t asked_at_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_DIVE_HPP
