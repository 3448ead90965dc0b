// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Idle bytes: those that a body frees in a gap and nobody else can use.
///
/// A body x that is in a gap, or has bytes between those of its buffers, frees
/// bytes, but only some of the others can have them. Whoever meets all of x at
/// another time is above or below x in the gap as well; a window that x keeps is in
/// the way of whatever is larger than what is free beside it, unless that reaches
/// in from outside:
///
///       +-----+ . . . +-----+
///       |     |   2   |     |    y, of 3 bytes, lives in the gap alone: above
///       |     +-------+     |    the window it can take 2 of the bytes that x
///       |  x    window   x  |    frees, below it 1. z meets x when it is
///       |     +-------+     |    whole, so it can take none: 1 byte is idle
///       |     |   1   |     |    as long as y lives, and then all 3
///       +-----+ . . . +-----+
///         |    z   |
///               | y |
///
/// The *range* of a body is the hull of its bytes. Relations (relations.hpp)
/// leave some differences of the offsets of x and y; of these, the ones next to
/// where both ranges share most tell how many bytes c(y) of x's range y can
/// *cover*, in any placement.
///
/// In a section, all of what x frees but the sum of the c(y), over all y between
/// their first and last slabs, is in the range of x alone. So the idle bytes of
/// all bodies are disjoint from each other and from all that is live: the section
/// needs them as well, and, as long as x is unplaced, at x's release or above.
/// Only pairs are looked at. With fewer bodies around, more bytes are idle: a
/// bound that is computed for some of the bodies holds for these alone.
///
/// The body with gaps for which kMostSteps are used up, and those after it, are
/// taken to have no idle bytes.
///
/// Cost: the pairs of slabs of a body with gaps and one that is around,
/// O(s log s) for s of them that share a section, but no more than kMostSteps
/// in all.
#ifndef SNUG_BODIES_IDLE_HPP
#define SNUG_BODIES_IDLE_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes in the range of a body that are idle in a section.
struct Idle {
  Index section = 0;
  Index body = 0;
  std::int64_t lower = 0;  ///< of the range, relative to the body
  std::int64_t bytes = 0;
};

class IdleFinder {
 public:
  explicit IdleFinder(const Bodies& bodies) : bodies_(&bodies) {}

  /// By section, then by body. Those of some bodies alone, if it is interrupted.
  [[nodiscard]] List<Idle> find(const Interrupt& interrupt) {
    hulls_.resize(bodies_->bodies.size());
    for (Index b = 0; b < hulls_.size(); ++b) hulls_[b] = find_hull(b);
    List<Idle> result;
    std::size_t since = 0;
    for (Index b = 0; b < hulls_.size() && steps_ <= kMostSteps; ++b) {
      const std::size_t before = steps_;
      if (may_be_idle(b)) add_those_of(b, result);
      if (interrupt.after(steps_ - before, since)) break;
    }
    heap_sort(result, [](const Idle& a, const Idle& b) {
      return a.section != b.section ? a.section < b.section : a.body < b.body;
    });
    return result;
  }

 private:
  /// Pairs of slabs that are compared, and what it takes to sort: some 100 ms.
  static constexpr std::size_t kMostSteps = std::size_t{1} << 22;
  /// Of each element, where there are many.
  static constexpr std::size_t kStepsToSort = 16;

  /// The sections of time and the bytes that a body has altogether.
  struct Hull {
    Interval<Index> sections{};
    Interval<std::int64_t> bytes{};
    bool has_gaps = false;
  };

  [[nodiscard]] Hull find_hull(Index b) const {
    Hull hull;
    for (const Slab& slab : bodies_->slabs_of(b)) {
      if (slab.sections.lower >= bodies_->times) continue;
      if (hull.sections.empty()) {
        hull.sections = slab.sections;
        hull.bytes = slab.bytes;
      }
      hull.has_gaps |=
          slab.bytes != hull.bytes || slab.sections.lower > hull.sections.upper;
      hull.sections = hull_of(hull.sections, slab.sections);
      hull.bytes = hull_of(hull.bytes, slab.bytes);
    }
    return hull;
  }

  /// Whether it is free and has gaps. With more bytes the sums that follow could
  /// overflow.
  [[nodiscard]] bool may_be_idle(Index b) const {
    return hulls_[b].has_gaps && !bodies_->bodies[b].is_fixed() &&
           length_of(hulls_[b].bytes) <=
               kFar / (static_cast<std::int64_t>(hulls_.size()) + 1);
  }

  void add_those_of(Index x, List<Idle>& result) {
    const Interval<Index> life = hulls_[x].sections;
    // What changes in each section.
    List<std::int64_t> idle(std::size_t{length_of(life)} + 1, 0);
    const auto add = [&](const Interval<Index>& sections, std::int64_t bytes) {
      const Interval<Index> both = intersection(sections, life);
      if (both.empty()) return;
      idle[both.lower - life.lower] += bytes;
      idle[both.upper - life.lower] -= bytes;
    };
    add(life, length_of(hulls_[x].bytes));
    for (const Slab& slab : bodies_->slabs_of(x))
      add(slab.sections, -slab.length());
    steps_ += hulls_.size();
    for (Index y = 0; y < hulls_.size(); ++y)
      if (y != x && hulls_[y].sections.overlaps(life)) {
        add(hulls_[y].sections, -most_covered(x, y));
        if (steps_ > kMostSteps) return;
      }
    std::int64_t bytes = 0;
    for (Index s = life.lower; s < life.upper; ++s) {
      bytes += idle[s - life.lower];
      if (bytes <= 0) continue;
      result.push_back({s, x, hulls_[x].bytes.lower, bytes});
      steps_ += kStepsToSort;
    }
  }

  /// How many bytes of x's range that of y covers at most; of no use if the steps
  /// are spent then.
  [[nodiscard]] std::int64_t most_covered(Index x, Index y) {
    forbidden_.clear();
    steps_ += bodies_->slabs_of(x).size() * bodies_->slabs_of(y).size();
    if (steps_ > kMostSteps) return 0;
    for (const Slab& p : bodies_->slabs_of(x))
      for (const Slab& q : bodies_->slabs_of(y))
        if (p.sections.overlaps(q.sections) && bodies_->exclude(p, q))
          forbidden_.push_back(forbidden(p, q));
    // To sort many takes longer than to compare them.
    steps_ += forbidden_.size() / 64 * 64 * kStepsToSort;
    if (steps_ > kMostSteps) return 0;
    const Interval<std::int64_t> a = hulls_[x].bytes;
    const Interval<std::int64_t> b = hulls_[y].bytes;
    // Y - X; most is covered from the lower one of these to the higher one.
    const std::int64_t up =
        climb((std::min)(a.lower - b.lower, a.upper - b.upper));
    for (Forbidden& out : forbidden_) out = negated(out);
    const std::int64_t down =
        -climb(-(std::max)(a.lower - b.lower, a.upper - b.upper));
    const auto covered = [&](std::int64_t at) {
      return (std::min)(a.upper, at + b.upper) -
             (std::max)(a.lower, at + b.lower);
    };
    return (std::max)({std::int64_t{0}, covered(down), covered(up)});
  }

  /// The lowest offset from `at` on that is not forbidden.
  [[nodiscard]] std::int64_t climb(std::int64_t at) {
    sort_by_lower(forbidden_);
    (void)skip_taken(forbidden_.begin(), forbidden_.end(), {0, 1}, at);
    return at;
  }

  const Bodies* bodies_;
  std::size_t steps_ = 0;
  List<Hull> hulls_{};
  List<Forbidden> forbidden_{};  ///< of the offset of y less that of x
};

[[nodiscard]] inline List<Idle> find_idle(const Bodies& bodies,
                                          const Interrupt& interrupt = {}) {
  return IdleFinder(bodies).find(interrupt);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_IDLE_HPP
