// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cross-section inference: when a section's unplaced buffers no longer fit.
///
/// The buffers of a section all overlap, so they are jobs on one machine:
/// buffer x needs [offset, offset + s(x)) with offset >= r(x), all disjoint,
/// all below the capacity C. For any threshold t the buffers with r >= t need
/// their sum above t, so
///
///     t + sum of s(y) over y in the section with r(y) >= t  <=  C      (*)
///
/// must hold; and if it holds for t = each of the section's releases, running
/// the jobs in order of release meets C. MiniMalloc's floor + total is (*) for
/// the lowest release. Rewritten with the section's room (C minus all of its
/// unplaced sizes), (*) says that the gap-free reach up to t covers t:
///
///     reach(t) = room + sum of s(y) with r(y) < t  >=  t
///
///      C |#######|   x, y, z unplaced; r(x) = 0, r(y) = r(z) = t
///        |   z   |   reach(t) = room + s(x) must cover t: else the dots are
///        |   y   |   lost for good, and z ends above C
///      t |.......|
///        |   x   |
///      0 +-------+
///
/// *Incremental.* The search keeps (*) true for all sections, so only changes
/// can break it. Placing x, the lowest buffer of its sections, adds s(x) to
/// their room, and that pays for raising its neighbours to x's top there:
/// reach(top) = room + s(x) and top = r(x) + s(x). Elsewhere, a buffer raised
/// from r0 to r1 changes only thresholds in (r0, r1] of its own sections.
///
/// *Lazy.* spare[s] is a lower bound on reach(t) - t over the section's
/// releases t. After raises by at most d,
///
///     reach'(t) >= reach(r0) >= r0 + spare >= t - d + spare
///
/// for every t in (r0, r1], so spare falls by at most d. As long as it stays
/// at 0 or more nothing has to be looked at. The other sections are checked
/// exactly, together, at the releases up to the highest r1 in ascending order,
/// and their spare becomes the least margin met. (A section may be checked at
/// a release that none of its own buffers has: there (*) asks for less than at
/// its next release.)
///
/// *Obstacles* (jumps.hpp) are bytes of the section that nobody can use. With
/// taken(t) for those of them at t or above, (*) becomes
///
///     t + taken(t) + sum of s(y) with r(y) >= t  <=  C,
///
/// for what is released at t or above shares the bytes above t with them. In
/// terms of the reach: the room is less by all that is taken, and the reach
/// grows by what is taken below t. As t + taken(t) does not fall when t rises,
/// and rises no faster than t, the arguments above hold as they are: a placed
/// buffer shares no byte with an obstacle, so its top is as much further up in
/// terms of t + taken(t) as it is long. At the root releases are above 0
/// already, and all sections are looked at once.
///
/// Cost: the spans of the changed buffers; for an exact check, one pass over
/// the part's releases and the spans of the buffers below the highest r1.
/// Source: MiniMalloc (ASPLOS 2023), section on cross-section inference; the
/// sorted form is the schedule of one machine with release dates (Jackson's
/// rule).
#ifndef SNUG_PLAIN_SECTION_BOUND_HPP
#define SNUG_PLAIN_SECTION_BOUND_HPP

#include "snug/config.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/model/interval.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A section in which (*) fails, and the threshold t for which it does.
template <class Units>
struct Overflow {
  Index section;
  Units threshold;
  /// The least amount by which C is exceeded, or 1 where sums of sizes do not come
  /// out (hole_bound.hpp); 0: none found.
  Units excess;
};

template <class Units>
class SectionBound {
 public:
  SectionBound(const Instance<Units>& instance, Memory& memory)
      : need_(memory.take<Units>(instance.sections)),
        before_(memory.take<Units>(instance.sections)),
        after_(memory.take<Units>(instance.sections)),
        reach_(memory.take<Units>(instance.sections)),
        low_(memory, instance.size),
        passed_(memory.take<Units>(instance.jumps.taken_count)) {}

  /// Checks all sections at the root, and sets their spare.
  [[nodiscard]] Overflow<Units> check_root(State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    doubtful_ = {0, instance.sections};
    lowest_ = -1;
    highest_ = 0;
    for (Index x = 0; x < instance.size; ++x)
      highest_ = (std::max)(highest_, state.release[x]);
    std::fill(state.spare, state.spare + instance.sections,
              Instance<Units>::kNever);
    std::copy(state.room, state.room + instance.sections, reach_);
    collect_low(state, 0, instance.size);
    return scan(state);
  }

  /// Checks what the changes of release after the first `mark` trail entries
  /// may have broken. `placed` is the buffer whose placement caused them, or
  /// nobody(); [begin, end) are the buffers of the part they are in.
  [[nodiscard]] Overflow<Units> check(State<Units>& state, std::size_t mark,
                                      Index placed, Index begin, Index end) {
    const Instance<Units>& instance = *state.instance;
    gather(state, mark, placed);
    if (changed_.empty()) return {};
    spend(state);
    if (doubtful_.empty()) return {};
    std::copy(state.room + doubtful_.lower, state.room + doubtful_.upper,
              reach_ + doubtful_.lower);
    collect_low(state, (std::max)(begin, instance.first_live[doubtful_.lower]),
                (std::min)(end, instance.first_at[doubtful_.upper]));
    return scan(state);
  }

 private:
  /// Notes by how much the buffers of each section rose.
  void gather(const State<Units>& state, std::size_t mark, Index placed) {
    const Instance<Units>& instance = *state.instance;
    Interval<Index> changed{instance.sections, 0};
    Units lowest = Instance<Units>::kNever;
    Units highest = 0;
    // A placement pays for rises to its top within its own span. Beyond it,
    // all of them begin, or end, at the span: the ends are noted here, and
    // spread() does the rest for all at once.
    Interval<Index> paid{0, 0};
    Units top = 0;
    if (placed != state.nobody()) {
      paid = {instance.lower[placed], instance.upper[placed]};
      top = state.top(placed);
    }
    state.for_each_rise(mark, [&](Index y, Units rise) {
      const Interval<Index> span{instance.lower[y], instance.upper[y]};
      // A buffer that is raised by its pair alone shares no section with it.
      if (state.release[y] != top || !paid.overlaps(span)) {
        raise_range(need_, span.lower, span.upper, rise);
        changed = hull_of(changed, span);
      } else {
        if (paid.contains(span)) return;
        if (span.lower < paid.lower) {
          before_[span.lower] = (std::max)(before_[span.lower], rise);
          changed = hull_of(changed, {span.lower, paid.lower});
        }
        if (paid.upper < span.upper) {
          after_[span.upper - 1] = (std::max)(after_[span.upper - 1], rise);
          changed = hull_of(changed, {paid.upper, span.upper});
        }
      }
      lowest = (std::min)(lowest, static_cast<Units>(state.release[y] - rise));
      highest = (std::max)(highest, state.release[y]);
    });
    changed_ = changed;
    lowest_ = lowest;
    highest_ = highest;
    spread(paid);
  }

  /// A rise noted at the far end of a span holds up to the placed buffer's.
  void spread(Interval<Index> paid) {
    Units rise = 0;
    for (Index s = changed_.lower; s < paid.lower; ++s) {
      rise = (std::max)(rise, before_[s]);
      before_[s] = 0;
      need_[s] = (std::max)(need_[s], rise);
    }
    rise = 0;
    for (Index s = changed_.upper; s > (std::max)(paid.upper, changed_.lower);
         --s) {
      rise = (std::max)(rise, after_[s - 1]);
      after_[s - 1] = 0;
      need_[s - 1] = (std::max)(need_[s - 1], rise);
    }
  }

  /// Pays for the rises out of the spare; finds the sections that cannot.
  void spend(State<Units>& state) {
    state.save_spare(changed_);
    doubtful_ =
        take_in_range(state.spare, need_, changed_.lower, changed_.upper);
  }

  /// Adds the buffers released at most at `lowest_` to the reach, and lists
  /// the others that are released below `highest_`, the first threshold.
  void collect_low(const State<Units>& state, Index begin, Index end) {
    const Instance<Units>& instance = *state.instance;
    first_ = highest_;
    low_.shrink(0);
    Index* const low = low_.extend(instance.size);
    const Index* const low_end = list_at_most(
        state.release, begin, end, static_cast<Units>(highest_ - 1), low);
    Index* kept = low;
    for (const Index* at = low; at != low_end; ++at) {
      const Index y = *at;
      if (instance.upper[y] <= doubtful_.lower) continue;
      if (state.release[y] <= lowest_) {
        extend(instance, y);
      } else {
        *kept++ = y;
        first_ = (std::min)(first_, state.release[y]);
      }
    }
    low_.shrink(static_cast<std::size_t>(kept - low));
  }

  void extend(const Instance<Units>& instance, Index y) {
    add_to_range(reach_, (std::max)(instance.lower[y], doubtful_.lower),
                 (std::min)(instance.upper[y], doubtful_.upper),
                 instance.length[y]);
  }

  /// Checks one threshold after the other, adding the buffers released there.
  [[nodiscard]] Overflow<Units> scan(State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    const Overflow<Units> result = scan_thresholds(state);
    std::fill(passed_, passed_ + instance.jumps.taken_count, Units{0});
    return result;
  }
  [[nodiscard]] Overflow<Units> scan_thresholds(State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    for (Units threshold = first_;;) {
      pass_obstacles(instance, threshold);
      const Units margin = lower_by_difference(
          state.spare, reach_, doubtful_.lower, doubtful_.upper, threshold);
      if (margin < 0) {
        Index section = doubtful_.lower;
        while (reach_[section] - threshold != margin) ++section;
        return {section, threshold, static_cast<Units>(-margin)};
      }
      // Where the reach is beyond all thresholds already, it stays there.
      if (margin >= highest_ - threshold) {
        (void)lower_by_difference(state.spare, reach_, doubtful_.lower,
                                  doubtful_.upper, highest_);
        return {};
      }
      Units next = highest_;
      erase_if(low_, [&](Index y) {
        if (state.release[y] == threshold) {
          extend(instance, y);
          return true;
        }
        next = (std::min)(next, state.release[y]);
        return false;
      });
      threshold = next;
    }
  }

  /// Adds what obstacles take below the threshold to the reach.
  void pass_obstacles(const Instance<Units>& instance, Units threshold) {
    const Jumps<Units>& jumps = instance.jumps;
    for (Index k = 0; k < jumps.taken_count; ++k) {
      const Taken<Units>& taken = jumps.taken[k];
      if (taken.units.lower >= threshold) break;
      const Interval<Index> of = intersection(taken.sections, doubtful_);
      if (of.empty()) continue;
      const Units below = static_cast<Units>(
          (std::min)({taken.units.upper, threshold, instance.capacity}) -
          taken.units.lower);
      if (below <= passed_[k]) continue;
      add_to_range(reach_, of.lower, of.upper,
                   static_cast<Units>(below - passed_[k]));
      passed_[k] = below;
    }
  }

  Units* need_;    ///< highest rise in each section; 0 between calls
  Units* before_;  ///< rises to the placed buffer's top, by first section
  Units* after_;   ///< the same, by last section; both 0 between calls
  Units* reach_;   ///< up to the threshold looked at
  Stack<Index> low_;
  Units* passed_;               ///< of each obstacle; 0 between calls
  Interval<Index> changed_{};   ///< sections with a rise
  Interval<Index> doubtful_{};  ///< sections whose spare did not cover it
  Units lowest_ = 0;            ///< of the old releases that changed
  Units highest_ = 0;           ///< of the new ones
  Units first_ = 0;             ///< of the thresholds to look at
};

/// Only finds a buffer whose own release, changed after `mark`, puts its top
/// above the capacity: what is left to check without the bound.
template <class Units>
[[nodiscard]] Overflow<Units> find_too_high(const State<Units>& state,
                                            std::size_t mark) {
  const Instance<Units>& instance = *state.instance;
  for (std::size_t k = mark; k < state.trail.size(); ++k) {
    const Index y = state.trail[k].buffer;
    if (!state.is_change_of_release(k)) continue;
    const Units excess = static_cast<Units>(
        state.release[y] + instance.length[y] - instance.capacity);
    if (excess > 0) return {instance.lower[y], state.release[y], excess};
  }
  return {};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_SECTION_BOUND_HPP
