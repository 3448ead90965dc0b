// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What keeps two bodies from meeting, as forbidden differences of offsets.
///
/// Slab p of body x at offset X occupies [X + p.lower, X + p.upper); q of y
/// likewise. If they share a section they must not overlap, so Y - X must not
/// lie in the open interval
///
///     (p.lower - q.upper, p.upper - q.lower).
///
/// Where p is of a bottom buffer and q of a top one, q must lie above p, and
/// the interval has no lower end; in the opposite case no upper one. The union
/// over all such p and q is kept as a sorted list of open intervals; touching
/// ones stay apart, for the difference between them is allowed. So windows are
/// read geometrically: if the list has a hole, the two bodies interlock.
///
///     Y - X:   ----(=======)-------(====)-----   y below x | in x | above x
///
/// A relation is stored in both directions.
///
/// Cost: O(m log m) time for m pairs of slabs that share sections, O(m + n) where no
/// two are of the same n bodies; memory for two entries an interval.
#ifndef SNUG_BODIES_RELATIONS_HPP
#define SNUG_BODIES_RELATIONS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/reason.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Further than any two offsets are apart, and above all tops.
inline constexpr std::int64_t kFar = kMaxTotal + 1;

/// Differences (lower, upper) that two bodies must not have.
using Forbidden = Interval<std::int64_t>;

/// A limit of differences as one of addresses, with one of the two bodies at `at`.
[[nodiscard]] constexpr std::int64_t moved(std::int64_t limit,
                                           std::int64_t at) noexcept {
  return limit == kFar || limit == -kFar ? limit : limit + at;
}
[[nodiscard]] constexpr Forbidden moved(const Forbidden& gap,
                                        std::int64_t at) noexcept {
  return {moved(gap.lower, at), moved(gap.upper, at)};
}
/// Of X - Y, what of Y - X is forbidden.
[[nodiscard]] constexpr Forbidden negated(const Forbidden& gap) noexcept {
  return {-gap.upper, -gap.lower};
}

/// What x's relation to another body y forbids Y - X to be.
struct Relation {
  Index body = 0;             ///< y
  Index forbidden_begin = 0;  ///< intervals, ascending
  Index forbidden_end = 0;
  std::int64_t rest = 0;   ///< x resting on y is at Y + rest or above
  std::int64_t clear = 0;  ///< y at X + clear or above is beyond x's reach
};

/// A pair of free bodies, x < y, or a free body x and a stretch of addresses
/// that fixed ones forbid it.
struct Meeting {
  Index x;
  Index y;
  Forbidden forbidden;

  /// Whether another one is of the same two.
  [[nodiscard]] bool has_same_bodies(const Meeting& other) const noexcept {
    return x == other.x && y == other.y;
  }
};

[[nodiscard]] inline Forbidden forbidden(const Slab& p, const Slab& q) {
  Forbidden result{p.bytes.lower - q.bytes.upper,
                   p.bytes.upper - q.bytes.lower};
  if (p.end == End::kBottom && q.end == End::kTop) result.lower = -kFar;
  if (p.end == End::kTop && q.end == End::kBottom) result.upper = kFar;
  return result;
}

/// All meetings of the bodies of a problem. Those of a pair are disjoint.
struct Meetings {
  List<Meeting> free{};   ///< sorted by (x, y)
  List<Meeting> fixed{};  ///< sorted by x; y is 0, addresses of x
};

/// Sorts them by x, then by y, both below `bodies`, then by what is forbidden. There
/// are many, and few bodies: they are counted into their places.
inline void sort_meetings(List<Meeting>& meetings, std::size_t bodies) {
  sort_by_indices(meetings, &Meeting::x, &Meeting::y, bodies);
  for (std::size_t first = 0, end = 0; first < meetings.size(); first = end) {
    while (end < meetings.size() &&
           meetings[end].has_same_bodies(meetings[first]))
      ++end;
    if (end - first > 1)
      heap_sort(meetings.data() + first, end - first,
                [](const Meeting& a, const Meeting& b) {
                  const Forbidden& x = a.forbidden;
                  const Forbidden& y = b.forbidden;
                  return x.lower != y.lower ? x.lower < y.lower
                                            : x.upper < y.upper;
                });
  }
}

/// Meetings as they are found. Those of a pair that overlap become one, now and
/// then, so that there are never many more than in the end; a pair of bodies of one slab
/// each has one.
class MeetingList {
 public:
  explicit MeetingList(const Bodies& bodies)
      : bodies_(bodies.bodies.size()),
        has_several_(bodies.slabs.size() > bodies_) {}

  void add(const Meeting& meeting) {
    if (all_.size() == all_.capacity()) {
      if (has_several_ && all_.size() >= kFew) merge();
      all_.reserve((std::max)(2 * all_.size(), std::size_t{16}));
    }
    all_.push_back(meeting);
  }
  [[nodiscard]] List<Meeting> take() {
    merge();
    return std::move(all_);
  }

 private:
  static constexpr std::size_t kFew = 4096;

  void merge() {
    sort_meetings(all_, bodies_);
    join_neighbours(all_, [](Meeting& last, const Meeting& next) {
      return last.has_same_bodies(next) &&
             join_overlapping(last.forbidden, next.forbidden);
    });
  }

  std::size_t bodies_;
  bool has_several_;  ///< slabs, some of the bodies
  List<Meeting> all_{};
};

/// Finds them by a sweep over the slabs in order of their sections; none if it is
/// interrupted.
[[nodiscard]] inline Meetings find_meetings(const Bodies& bodies,
                                            const Interrupt& interrupt = {}) {
  MeetingList free(bodies);
  MeetingList fixed(bodies);
  // Of a free slab and another one, which comes second if it is fixed.
  const auto meet = [&](const Slab& p, const Slab& q) {
    const std::int64_t at = bodies.bodies[q.body].fixed;
    if (at != Body::kFree)
      fixed.add({p.body, 0, moved(forbidden(q, p), at)});
    else if (p.body < q.body)
      free.add({p.body, q.body, forbidden(p, q)});
    else
      free.add({q.body, p.body, forbidden(q, p)});
  };
  List<Index> live_free;
  List<Index> live_fixed;
  std::size_t since = 0;
  for (const Index k : slabs_in_time(bodies)) {
    if (interrupt.after(live_free.size() + live_fixed.size(), since)) return {};
    const Slab& slab = bodies.slabs[k];
    const bool is_free = !bodies.bodies[slab.body].is_fixed();
    // Those that have ended are dropped in passing.
    const auto meet_all = [&](List<Index>& live, bool are_free) {
      std::size_t kept = 0;
      for (const Index j : live) {
        const Slab& other = bodies.slabs[j];
        if (other.sections.upper <= slab.sections.lower) continue;
        live[kept++] = j;
        if (bodies.exclude(other, slab))
          are_free ? meet(other, slab) : meet(slab, other);
      }
      live.shrink(kept);
    };
    meet_all(live_free, true);
    if (is_free) meet_all(live_fixed, false);
    (is_free ? live_free : live_fixed).push_back(k);
  }
  return {free.take(), fixed.take()};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_RELATIONS_HPP
