// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Holes in the plain search: when the unplaced buffers of a section cannot use
/// up what is free below its next obstacle (jumps.hpp).
///
/// To the section bound, all free bytes of a section above a threshold are one.
/// But the *lowest hole*, from the lowest release t of its unplaced buffers to the
/// next obstacle, takes only as many bytes as some of their sizes add up to
/// (engine/holes.hpp). The rest of it is wasted, and the waste may be at most what
/// is free above t less all of their sizes.
///
///      C +-----+
///        |  6  |    4 bytes are free below the obstacle, and the buffers of
///        +-----+    3 and 7 bytes to come use 3 of them at most: they do not
///        |/////|    fit, with 10 bytes free above t
///        +-----+
///        |  4  |
///      t +-----+
///        |     |    x, placed just now
///
/// *Why it holds.* Buffers that are released at t or above share no byte with the
/// obstacles or one another, and none of them lies below t. So what they have in
/// the hole is a sum of some of their sizes. Nothing else is used: the reasons for
/// these releases are the reasons for the failure, as for the section bound with
/// an excess of 1.
///
/// *Where it is looked at.* In the sections of the buffer just placed, for that is
/// where holes shrink. To save time, and although failures may be missed, not in
/// those from which the next one differs in nothing but more unplaced buffers, not
/// where more than kMostCandidates may be in the hole, and no more after kMostLooks.
/// The waste may be the whole hole, and more, where the section's room is no less
/// than what is free below the obstacle: below its highest one, for any hole.
///
/// Cost: for each section looked at, the unplaced buffers that overlap the placed
/// one, and the sums of their sizes where the hole is larger than what may be
/// wasted. No bound where the obstacles of sections are too many to be listed.
#ifndef SNUG_PLAIN_HOLE_BOUND_HPP
#define SNUG_PLAIN_HOLE_BOUND_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/holes.hpp"
#include "snug/model/interval.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class HoleBound {
 public:
  /// More buffers that may be in a hole fill it, as a rule.
  static constexpr std::size_t kMostCandidates = 14;
  /// Looks at a buffer in a section, in one call.
  static constexpr std::size_t kMostLooks = std::size_t{1} << 14;

  HoleBound(const Instance<Units>& instance, Memory& memory)
      : movers_(memory, 0) {
    if (!instance.obstacles.ranges.empty())
      looked_at_ = memory.take<Word>(words_for(instance.sections));
  }

  /// Checks the sections of the buffer that was placed just now; the section bound
  /// must hold in them.
  [[nodiscard]] Overflow<Units> check(const State<Units>& state, Index placed) {
    if (looked_at_ == nullptr || placed == state.nobody()) return {};
    const Instance<Units>& instance = *state.instance;
    const SectionObstacles<Units>& listed = instance.obstacles;
    const Interval<Index> span{instance.lower[placed], instance.upper[placed]};
    movers_.shrink(0);
    state.for_each_neighbour(placed, [&](Index y) {
      movers_.push(y);
      if (instance.upper[y] > span.lower)
        set_bit(looked_at_, (std::min)(instance.upper[y], span.upper) - 1);
    });
    Overflow<Units> found{};
    std::size_t looks = 0;
    for (Index w = span.lower / 64; w <= (span.upper - 1) / 64; ++w) {
      Word word = looked_at_[w] | listed.changes[w];
      looked_at_[w] = 0;
      for (; word != 0 && found.excess == 0 && looks < kMostLooks;
           word &= word - 1) {
        const Index s = 64 * w + lowest_bit(word);
        if (s < span.lower || s >= span.upper || listed.ranges[s].empty())
          continue;
        found = look_at(state, s, state.top(placed));
        looks += movers_.size();
      }
    }
    return found;
  }

 private:
  /// Looks at the lowest hole of one section, at `floor` or above.
  [[nodiscard]] Overflow<Units> look_at(const State<Units>& state, Index s,
                                        Units floor) {
    const Instance<Units>& instance = *state.instance;
    const View<Interval<Units>> ranges = instance.obstacles.ranges[s];
    const std::size_t end = ranges.size();
    // Less room than what is free below the highest obstacle.
    bool may_fail = false;
    Units taken = 0;
    std::size_t k = 0;
    for (; k < end && ranges[k].lower < instance.capacity; ++k) {
      may_fail = state.room[s] + taken < ranges[k].lower;
      taken = static_cast<Units>(taken + ranges[k].upper - ranges[k].lower);
    }
    if (!may_fail) return {};
    // One comparison: below its lower end, s is far above when it wraps around.
    const auto lives = [&](Index y) {
      return s - instance.lower[y] < instance.upper[y] - instance.lower[y];
    };
    Units lowest = instance.capacity;
    for (const Index y : movers_) {
      lowest = (std::min)(lowest, lives(y) ? state.release[y] : lowest);
      if (lowest == floor) break;
    }
    taken = 0;
    for (k = 0; k < end && ranges[k].lower < lowest; ++k)
      taken = static_cast<Units>(taken + ranges[k].upper - ranges[k].lower);
    if (k == end || ranges[k].lower >= instance.capacity) return {};
    const Units hole = static_cast<Units>(ranges[k].lower - lowest);
    const Units may_waste = static_cast<Units>(state.room[s] + taken - lowest);
    if (may_waste >= hole) return {};
    JobStart* jobs_end = jobs_;
    std::int64_t sum = 0;
    for (const Index y : movers_) {
      if (!lives(y) || instance.length[y] > hole) continue;
      if (instance.length[y] >= hole - may_waste) return {};
      if (jobs_end == jobs_ + kMostCandidates) return {};
      *jobs_end++ = {0, instance.length[y], y, true};
      sum += instance.length[y];
    }
    const std::int64_t fill =
        sum <= hole ? sum : Sums(jobs_, jobs_end, hole).fill(hole);
    if (hole - fill <= may_waste) return {};
    return {s, lowest, Units{1}};
  }

  Word* looked_at_ = nullptr;  ///< sections; none between calls
  Stack<Index> movers_;
  JobStart jobs_[kMostCandidates];  ///< scratch of look_at()
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_HOLE_BOUND_HPP
