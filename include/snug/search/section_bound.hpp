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
/// can break it. Placing x at its release adds s(x) to the room of its span,
/// which pays for raising neighbours to x's top there: all thresholds above
/// stay as they were. Only a buffer raised from r0 to r1 matters, only in its
/// own sections and only for thresholds in (r0, r1]. Those are checked in one
/// ascending pass over the buffers released below the highest r1.
///
/// Cost: one pass over the part's releases, then the spans of the buffers
/// below the highest changed release. Source: MiniMalloc (ASPLOS 2023),
/// section on cross-section inference; the sorted form is the schedule of one
/// machine with release dates (Jackson's rule).
#ifndef SNUG_SEARCH_SECTION_BOUND_HPP
#define SNUG_SEARCH_SECTION_BOUND_HPP

#include "snug/config.hpp"
#include "snug/search/bits.hpp"
#include "snug/search/state.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A section in which (*) fails.
template <class Lane>
struct Overflow {
  bool found = false;
  Index section = 0;
};

template <class Lane>
class SectionBound {
 public:
  explicit SectionBound(const Instance<Lane>& instance)
      : reach_(instance.sections, 0) {
    low_.reserve(instance.size);
  }

  /// Checks what the changes of release after the first `mark` trail entries
  /// may have broken; [begin, end) are the buffers of the part they are in.
  [[nodiscard]] Overflow<Lane> check(const State<Lane>& state,
                                     std::size_t mark, Index begin, Index end) {
    const Instance<Lane>& instance = *state.instance;
    Index from = instance.sections;
    Index to = 0;
    Lane lowest = Instance<Lane>::kNever;
    Lane highest = 0;
    for (std::size_t k = mark; k < state.trail.size(); ++k) {
      const auto& entry = state.trail[k];
      if (entry.change != State<Lane>::Change::kRaised &&
          entry.change != State<Lane>::Change::kReleased)
        continue;
      const Index y = entry.buffer;
      if (state.release[y] <= entry.release) continue;
      from = (std::min)(from, instance.lower[y]);
      to = (std::max)(to, instance.upper[y]);
      lowest = (std::min)(lowest, entry.release);
      highest = (std::max)(highest, state.release[y]);
    }
    if (from >= to) return {};
    std::copy(state.room.begin() + from, state.room.begin() + to,
              reach_.begin() + from);
    collect_low(state, lowest, highest, from, to, begin,
                (std::min)(end, instance.first_at[to]));
    return scan(state, highest, from, to);
  }

 private:
  struct Low {
    Lane release;
    Index buffer;
  };

  /// Adds the buffers released at most at `lowest` to the reach, and lists
  /// the others that are released at most at `highest`, in ascending order.
  void collect_low(const State<Lane>& state, Lane lowest, Lane highest,
                   Index from, Index to, Index begin, Index end) {
    const Instance<Lane>& instance = *state.instance;
    low_.clear();
    for (Index y = begin; y < end; ++y) {
      const Lane release = state.release[y];
      if (release > highest || instance.upper[y] <= from) continue;
      if (release <= lowest) {
        extend(instance, y, from, to);
        continue;
      }
      low_.push_back({release, y});
      std::size_t k = low_.size() - 1;
      for (; k > 0 && low_[k - 1].release > release; --k)
        low_[k] = low_[k - 1];
      low_[k] = {release, y};
    }
  }

  void extend(const Instance<Lane>& instance, Index y, Index from, Index to) {
    const Index first = (std::max)(instance.lower[y], from);
    const Index last = (std::min)(instance.upper[y], to);
    for (Index s = first; s < last; ++s)
      reach_[s] = static_cast<Lane>(reach_[s] + instance.length[y]);
  }

  [[nodiscard]] Overflow<Lane> scan(const State<Lane>& state, Lane highest,
                                    Index from, Index to) {
    const Instance<Lane>& instance = *state.instance;
    for (std::size_t k = 0; k < low_.size();) {
      const Lane threshold = low_[k].release;
      std::size_t group = k;
      for (; group < low_.size() && low_[group].release == threshold; ++group) {
        const Index y = low_[group].buffer;
        const Index first = (std::max)(instance.lower[y], from);
        const Index last = (std::min)(instance.upper[y], to);
        for (Index s = first; s < last; ++s)
          if (reach_[s] < threshold) return {true, s};
      }
      if (threshold == highest) break;
      for (; k < group; ++k) extend(instance, low_[k].buffer, from, to);
    }
    return {};
  }

  std::vector<Lane> reach_;
  std::vector<Low> low_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_SECTION_BOUND_HPP
