// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A dive that watches the slack and tells why it misses its target.
///
/// Valleys come by level here. When one is filled up to its rim, what is lost
/// is taken off the slack of its sections. The first section with a negative
/// slack is the *conflict*: long before anything reaches the target, it is
/// clear that it will be missed.
///
///          | blocker |      |           |     A box that is live at the
///          |    .....|......|....       |     conflict but not inside the
///          |    . candidate |   .       |     valley could not go to its
///          |    .....|......|....       |     floor because of others, placed
///     -----+         | lost | blocker   |     before it, that it overlaps as
///                    +------+-----------+     well: its blockers. Had it come
///                                             before them, less were lost.
///
/// After the conflict the dive goes on as long as it may still get lower than
/// the best height so far: target - least slack is a lower bound for it.
///
/// Cost: as the dive's, with a heap and the tree of slacks: O(n log n) and the
/// queries; O(n + sections) memory.
#ifndef SNUG_HEURISTICS_WATCHED_DIVE_HPP
#define SNUG_HEURISTICS_WATCHED_DIVE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/skyline.hpp"
#include "snug/heuristics/slack.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An unplaced box that spans the conflict.
struct Candidate {
  Index box = 0;
  Index blocker = SpanTree::kNobody;  ///< the most preferred one, if any
  Index blockers = 0;                 ///< how many were found
};

class WatchedDive {
 public:
  /// There must be boxes, and they must outlive the dive.
  WatchedDive(const Boxes& boxes, Memory& memory)
      : boxes_(&boxes),
        tree_(boxes, memory),
        skyline_(boxes.sections, memory),
        slack_(boxes, memory),
        valleys_(memory, kFirstRoom),
        parts_(memory, kFirstRoom),
        candidates_(memory, kFirstRoom),
        owner_(memory.take_raw<Index>(boxes.sections)),
        offset_(memory.take_raw<std::int64_t>(boxes.count)) {}

  /// Places all boxes, preferred as in `order`, of which `rank` is the
  /// inverse. False if it gave up: the height would not be below `best`, or
  /// stop() said so; it is asked now and then. Heights are in bytes.
  [[nodiscard]] bool run(const Index* order, const Index* rank,
                         std::int64_t target, std::int64_t best,
                         const Interrupt& stop) {
    start(order, target);
    Index placed = 0;
    while (placed < boxes_->count) {
      Index at = 0;
      if (parts_.empty()) {
        const Valley lowest = pop_valley();
        if (skyline_.level(lowest.at) != lowest.level) continue;
        at = lowest.at;
      } else {
        at = parts_.pop();
      }
      const Index found = tree_.best_inside(skyline_.range(at));
      if (found == SpanTree::kNobody) {
        fill(at, rank);
      } else {
        place(order[found], at, rank);
        ++placed;
        if (placed % kPlacedPerLook == 0 && stop()) return false;
      }
      if (slack_.least() < 0 && least_height() >= best) return false;
    }
    return height_ < best;
  }

  /// Of the last run: whether there was a conflict, and its candidates.
  [[nodiscard]] bool has_conflict() const noexcept { return has_conflict_; }
  [[nodiscard]] const Stack<Candidate>& candidates() const noexcept {
    return candidates_;
  }
  /// Of the last run that placed all: its height in bytes.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// And the offset of each box in units.
  [[nodiscard]] const std::int64_t* offsets() const noexcept { return offset_; }

 private:
  static constexpr std::size_t kFirstRoom = 64;
  static constexpr Index kPlacedPerLook = 1024;
  /// Blockers that are looked up for a candidate; the nearest come first.
  static constexpr Index kMostBlockers = 8;

  /// A plateau, and the level it had. Outdated when its level has changed.
  struct Valley {
    std::int64_t level;
    Index at;

    /// Whether this one comes later, for a heap with the first on top.
    [[nodiscard]] bool operator<(const Valley& other) const {
      return level != other.level ? level > other.level : at > other.at;
    }
  };

  void push_valley(Index at) {
    valleys_.push({skyline_.level(at), at});
    std::push_heap(valleys_.begin(), valleys_.end());
  }
  [[nodiscard]] Valley pop_valley() {
    std::pop_heap(valleys_.begin(), valleys_.end());
    return valleys_.pop();
  }

  void start(const Index* order, std::int64_t target) {
    tree_.fill(order);
    skyline_.clear();
    target_ = (std::max)((target - 1) / boxes_->unit + 1, slack_.load());
    slack_.fill(target_);
    valleys_.shrink(0);
    parts_.shrink(0);
    candidates_.shrink(0);
    has_conflict_ = false;
    height_ = 0;
    owner_[0] = SpanTree::kNobody;
    parts_.push(0);
  }

  /// A lower bound in bytes: the last unit of the highest box may be padding.
  [[nodiscard]] std::int64_t least_height() const {
    return (target_ - slack_.least() - 1) * boxes_->unit + 1;
  }

  /// Places box x in the valley `at`, whose parts beside it come next.
  void place(Index x, Index at, const Index* rank) {
    const std::int64_t floor = skyline_.level(at);
    const std::int64_t offset = boxes_->offset_at(floor, x);
    offset_[x] = offset;
    height_ = (std::max)(height_, boxes_->top(offset, x));
    tree_.remove(x);
    const Interval<Index> span = boxes_->span[x];
    const Index end = skyline_.range(at).upper;
    if (offset > floor) lose(span, offset - floor, at, rank);
    if (span.lower > at) parts_.push(at);
    if (span.upper < end) {
      owner_[span.upper] = owner_[at];
      parts_.push(span.upper);
    }
    owner_[span.lower] = x;
    if (skyline_.raise(at, span, offset + boxes_->size[x]) == span.lower)
      push_valley(span.lower);
  }

  /// Fills the valley `at`, where nobody fits, up to its lower rim.
  void fill(Index at, const Index* rank) {
    const Interval<Index> range = skyline_.range(at);
    const std::int64_t floor = skyline_.level(at);
    const std::int64_t rim =
        (std::min)(skyline_.level_before(at), skyline_.level_behind(at));
    lose(range, rim - floor, at, rank);
    if (skyline_.raise(at) == at) push_valley(at);
  }

  /// Nobody can use `units` in the sections of `range`, above the floor of
  /// the valley `at`, any more.
  void lose(Interval<Index> range, std::int64_t units, Index at,
            const Index* rank) {
    slack_.take_off(range, units);
    if (slack_.least() >= 0 || has_conflict_) return;
    has_conflict_ = true;
    const Index section = slack_.tightest();
    for (Index x = 0; x < boxes_->count; ++x) {
      const Interval<Index> span = boxes_->span[x];
      if (span.lower <= section && section < span.upper && !tree_.is_placed(x))
        candidates_.push(find_blockers(x, at, rank));
    }
  }

  /// Who keeps box x, which reaches beyond the valley `at`, from its floor.
  [[nodiscard]] Candidate find_blockers(Index x, Index at,
                                        const Index* rank) const {
    Candidate result{x};
    const Interval<Index> span = boxes_->span[x];
    const auto add = [&](Index plateau) {
      const Index owner = owner_[plateau];
      if (owner == SpanTree::kNobody || !span.overlaps(boxes_->span[owner]) ||
          skyline_.level(plateau) <= skyline_.level(at))
        return;
      ++result.blockers;
      if (result.blocker == SpanTree::kNobody ||
          rank[owner] < rank[result.blocker])
        result.blocker = owner;
    };
    for (Index left = at; span.lower < left;) {
      if (result.blockers == kMostBlockers) break;
      left = skyline_.previous(left);
      add(left);
    }
    for (Index right = skyline_.next(at); right < span.upper;) {
      if (result.blockers == kMostBlockers) break;
      add(right);
      right = skyline_.next(right);
    }
    return result;
  }

  const Boxes* boxes_;
  SpanTree tree_;
  Skyline skyline_;
  Slack slack_;
  Stack<Valley> valleys_;  ///< a heap
  Stack<Index> parts_;     ///< of the valley at hand, at one level
  Stack<Candidate> candidates_;
  Index* owner_;  ///< of a plateau: the last box placed under it, or kNobody
  std::int64_t* offset_;
  std::int64_t target_ = 0;
  std::int64_t height_ = 0;
  bool has_conflict_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_WATCHED_DIVE_HPP
