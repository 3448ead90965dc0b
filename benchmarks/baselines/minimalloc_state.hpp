// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of the MiniMalloc search: what is placed, and what follows from
/// it for the rest. One place that does (`place`), one that undoes (`undo`).
///
/// Every unplaced buffer x has a *minimum offset* m(x): 0, or the highest top
/// of a placed neighbour, rounded up to x's alignment. Every section has a
/// *total*, the sizes of its unplaced buffers, and a *floor*: none of them can
/// lie lower. With b1, b3 and b4 placed,
///
///      8 +-----------------+
///        |        b3       |                        b2: m = 8
///      4 +-----+-----------+-----------+            b5: m = 8
///        | b1  |           |    b4     |
///      0 +-----+-----------+-----------+            sizes are 4
///         floor   8     8       8 (b5's m)
///         total   4     8       4
///
/// Why these refute soundly: unplaced buffers are only ever placed above their
/// placed neighbours, so minimum offsets never fall. A floor is the top of the
/// last buffer placed in the section (unallocated_floor: or the lowest minimum
/// offset of those to come, if higher), so all of them lie above it, without
/// overlap: floor + total <= capacity (section_inference), and in any case
/// floor <= capacity, which keeps each placed buffer inside.
///
/// Cost of a placement: O(window + sections touched), where a window is the
/// slots from a buffer's first neighbour to its last, and the sections touched
/// are the hull of the spans of the neighbours raised. A section's lowest
/// minimum offset costs another O(window), but is only looked for when no
/// *witness*, a buffer seen low before, shows it at once.
///
/// The trails store runs of equal old values, and minimum offsets before they
/// are rounded: n buffers live together then need O(n) memory, not O(n^2).
///
/// Source: M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning" (ASPLOS 2023), the section on
/// inference over sections.
#ifndef SNUG_BASELINES_MINIMALLOC_STATE_HPP
#define SNUG_BASELINES_MINIMALLOC_STATE_HPP

#include "baselines/minimalloc_sweep.hpp"
#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// The published switches, under their published names. None changes the
/// answer. minimalloc_search.hpp has the argument for each.
struct MinimallocParams {
  bool canonical_only = true;
  bool section_inference = true;
  bool dynamic_ordering = true;
  bool check_dominance = true;
  bool unallocated_floor = true;
  bool static_preordering = true;
  bool dynamic_decomposition = true;
  bool monotonic_floor = true;
  bool hatless_pruning = true;
  /// Comma-separated; see detail::Preorder for the letters.
  std::string_view preordering_heuristics = "WAT,TAW,TWA";
};

namespace detail {

/// A range of slots, [begin, end).
struct SlotRange {
  Index begin = 0;
  Index end = 0;
};

class MinimallocState {
 public:
  /// Minimum offset of a placed buffer: above all real ones, and adding a
  /// size does not overflow.
  static constexpr Offset kPlaced = Offset{1} << 62;

  /// What to undo to; taken before a placement.
  struct Mark {
    std::size_t raises = 0;
    std::size_t lifts = 0;
  };

  MinimallocState(const Sweep& sweep, Offset capacity,
                  const MinimallocParams& params)
      : sweep_(sweep),
        capacity_(capacity),
        params_(params),
        minimum_(sweep.slots(), 0),
        highest_(sweep.slots(), 0),
        offset_(sweep.slots(), 0),
        floor_(sweep.sections(), 0),
        total_(sweep.load),
        cuts_(sweep.cuts),
        witness_(sweep.first_live) {}

  /// By slot: the minimum offset, or kPlaced.
  [[nodiscard]] const std::vector<Offset>& minimum() const { return minimum_; }
  /// By slot: where a buffer lies, or was placed last.
  [[nodiscard]] const std::vector<Offset>& offset() const { return offset_; }
  /// By section: the sizes of its unplaced buffers.
  [[nodiscard]] const std::vector<Offset>& total() const { return total_; }
  /// By section: how many buffers cross to the next section, without those
  /// taken out by remove_cuts.
  [[nodiscard]] const std::vector<Index>& cuts() const { return cuts_; }

  /// The largest total over the span of x. Equal to x's size if x is unplaced
  /// and has no unplaced neighbour.
  [[nodiscard]] Offset peak(Index x) const {
    Offset result = 0;
    for (Index s = sweep_.lo[x]; s < sweep_.hi[x]; ++s)
      result = (std::max)(result, total_[s]);
    return result;
  }

  [[nodiscard]] Mark mark() const { return {raises_.size(), lifts_.size()}; }

  /// Places x at its minimum offset. `part` has all its unplaced neighbours,
  /// `peak` is peak(x). Returns false if a section cannot hold its buffers any
  /// more; that has to be undone all the same.
  [[nodiscard]] bool place(Index x, SlotRange part, Offset peak);

  /// Takes back the placement of x, the last one not yet taken back.
  void undo(Index x, Mark mark);

  /// Takes x out of the cuts. Returns whether that leaves one at zero.
  [[nodiscard]] bool remove_cuts(Index x) {
    bool result = false;
    for (Index s = sweep_.lo[x]; s + 1 < sweep_.hi[x]; ++s)
      result |= --cuts_[s] == 0;
    return result;
  }
  void restore_cuts(Index x) {
    for (Index s = sweep_.lo[x]; s + 1 < sweep_.hi[x]; ++s) ++cuts_[s];
  }

  [[nodiscard]] std::size_t bytes() const {
    return (minimum_.capacity() + highest_.capacity() + offset_.capacity() +
            floor_.capacity() + total_.capacity()) *
               sizeof(Offset) +
           (cuts_.capacity() + witness_.capacity()) * sizeof(Index) +
           (raises_.capacity() + lifts_.capacity()) * sizeof(Change);
  }

 private:
  /// Trail entry: all of [begin, end) had `value` before.
  struct Change {
    Index begin;
    Index end;
    Offset value;
  };

  /// Help for a run of searches over neighbouring sections.
  struct Hint {
    Index slot;         ///< where the last one ended early
    Offset least = -1;  ///< lowest minimum offset of the part, if known
  };

  [[nodiscard]] Offset round_up(Index x, Offset offset) const {
    const Offset alignment = sweep_.alignment[x];
    return alignment == 1 ? offset
                          : (offset + alignment - 1) / alignment * alignment;
  }
  void raise_neighbours(Index x, SlotRange part, Index& from, Index& to);
  [[nodiscard]] bool lift_floors(Index x, SlotRange part, Index from, Index to);
  [[nodiscard]] Offset lowest_minimum(Index s, SlotRange part, Offset floor,
                                      Hint& hint);

  const Sweep& sweep_;
  Offset capacity_;
  const MinimallocParams& params_;

  std::vector<Offset> minimum_;  ///< by slot: m, or kPlaced
  std::vector<Offset> highest_;  ///< by slot: m before rounding, or kPlaced
  std::vector<Offset> offset_;   ///< by slot
  std::vector<Offset> floor_;    ///< by section
  std::vector<Offset> total_;    ///< by section
  std::vector<Index> cuts_;      ///< by section
  std::vector<Index> witness_;   ///< by section: one of its slots
  std::vector<Change> raises_;   ///< trail of highest_
  std::vector<Change> lifts_;    ///< trail of floor_
};

inline bool MinimallocState::place(Index x, SlotRange part, Offset peak) {
  Index from = sweep_.lo[x];
  Index to = sweep_.hi[x];
  offset_[x] = minimum_[x];
  minimum_[x] = kPlaced;
  for (Index s = from; s < to; ++s) total_[s] -= sweep_.size[x];
  if (peak > sweep_.size[x]) raise_neighbours(x, part, from, to);
  return lift_floors(x, part, from, to);
}

/// Raises the minimum offsets of x's unplaced neighbours, and widens
/// [from, to) to the sections whose floors that may lift.
inline void MinimallocState::raise_neighbours(Index x, SlotRange part,
                                              Index& from, Index& to) {
  const Index lo = sweep_.lo[x];
  const Offset top = offset_[x] + sweep_.size[x];
  const Index begin = (std::max)(part.begin, sweep_.first_live[lo]);
  const Index end = (std::min)(part.end, sweep_.first_slot[sweep_.hi[x]]);
  const std::size_t first = raises_.size();
  // A run may reach over placed buffers, which do not care when it is undone;
  // any other buffer ends it.
  bool run_is_open = false;
  for (Index y = begin; y < end; ++y) {
    const Offset old = highest_[y];
    if (minimum_[y] == kPlaced) continue;
    if (old >= top || sweep_.hi[y] <= lo) {
      run_is_open = false;
      continue;
    }
    highest_[y] = top;
    minimum_[y] = round_up(y, top);
    if (run_is_open && raises_.back().value == old) {
      raises_.back().end = y + 1;
    } else {
      raises_.push_back({y, y + 1, old});
      run_is_open = true;
    }
    to = (std::max)(to, sweep_.hi[y]);
  }
  if (!params_.unallocated_floor) {
    to = sweep_.hi[x];
  } else if (raises_.size() > first) {
    // Slots are sorted by first section.
    from = (std::min)(from, sweep_.lo[raises_[first].begin]);
  }
}

/// Lifts the floors of sections [from, to) now that x is placed. Returns
/// false as soon as one leaves too little room.
inline bool MinimallocState::lift_floors(Index x, SlotRange part, Index from,
                                         Index to) {
  const Offset top = offset_[x] + sweep_.size[x];
  const std::size_t first = lifts_.size();
  Hint hint{x};
  for (Index s = from; s < to; ++s) {
    const Offset old = floor_[s];
    Offset floor = sweep_.lo[x] <= s && s < sweep_.hi[x] ? top : old;
    if (params_.unallocated_floor && total_[s] > 0)
      floor = lowest_minimum(s, part, floor, hint);
    if (floor != old) {
      floor_[s] = floor;
      if (lifts_.size() > first && lifts_.back().end == s &&
          lifts_.back().value == old) {
        lifts_.back().end = s + 1;
      } else {
        lifts_.push_back({s, s + 1, old});
      }
    }
    if (floor + (params_.section_inference ? total_[s] : 0) > capacity_)
      return false;
  }
  return true;
}

/// The lowest minimum offset of the unplaced buffers of section s, of which
/// there are some, or `floor` if that is higher.
inline Offset MinimallocState::lowest_minimum(Index s, SlotRange part,
                                              Offset floor, Hint& hint) {
  const Index begin = (std::max)(part.begin, sweep_.first_live[s]);
  const Index end = (std::min)(part.end, sweep_.first_slot[s + 1]);
  Offset enough = (std::max)(floor, hint.least);
  if (minimum_[witness_[s]] <= enough)
    return (std::max)(floor, minimum_[witness_[s]]);
  if (minimum_[hint.slot] <= enough && begin <= hint.slot && hint.slot < end &&
      sweep_.hi[hint.slot] > s) {
    witness_[s] = hint.slot;
    return (std::max)(floor, minimum_[hint.slot]);
  }
  if (hint.least < 0) {
    hint.least = *std::min_element(minimum_.begin() + part.begin,
                                   minimum_.begin() + part.end);
    enough = (std::max)(floor, hint.least);
  }
  Offset lowest = kPlaced;
  for (Index y = begin; y < end; ++y) {
    if (minimum_[y] >= lowest || sweep_.hi[y] <= s) continue;
    lowest = minimum_[y];
    witness_[s] = y;
    if (lowest <= enough) {
      hint.slot = y;
      break;
    }
  }
  return (std::max)(floor, lowest);
}

inline void MinimallocState::undo(Index x, Mark mark) {
  for (; raises_.size() > mark.raises; raises_.pop_back()) {
    const Change& change = raises_.back();
    for (Index y = change.begin; y < change.end; ++y) {
      if (minimum_[y] == kPlaced) continue;
      highest_[y] = change.value;
      minimum_[y] = round_up(y, change.value);
    }
  }
  for (; lifts_.size() > mark.lifts; lifts_.pop_back()) {
    const Change& change = lifts_.back();
    for (Index s = change.begin; s < change.end; ++s) floor_[s] = change.value;
  }
  minimum_[x] = offset_[x];
  for (Index s = sweep_.lo[x]; s < sweep_.hi[x]; ++s)
    total_[s] += sweep_.size[x];
}

}  // namespace detail
}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_MINIMALLOC_STATE_HPP
