// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Presolve: takes out of a flat problem what makes no difference, so that what
/// is left decides which search it takes, and not how it was written.
///
///   - *Reserved ranges at the ends.* One for all time that reaches down to the
///     base lifts the base; one that reaches up to the ceiling, above which
///     nobody looks, lowers it; one above the ceiling goes. Bytes that a
///     buffer never occupies may lie in reserved ones: where there are such, or
///     buffers of size zero, ranges at the ends stay.
///   - *Times of reserved ranges.* One that is reserved while nobody is live goes; one
///     that is as long as anybody is, is reserved for all time.
///   - *Gaps.* Two buffers that somewhere occupy all of their bytes at one time
///     never have a byte in common. A gap in which only such partners of its
///     buffer are live, or none, frees nothing:
///
///         |  x  | gap |  x  |      y and x meet whole before the gap, so y is
///         +-----+     +-----+      above or below x in the gap as well
///            |   y   |
///
///   - *Pairs.* Those kept apart that meet whole anyway, and those that may
///     overlap but are never live together.
///   - *Ends.* Bottom buffers, where there is no top one. (Top ones, where there is no
///     bottom one, ask no more, but are moved up once all is placed; so are those that are
///     never live with a bottom one: ends_ask_nothing().)
///   - *Ties* of a buffer with itself alone.
///
/// Each step keeps the set of placements below the ceiling as it is.
///
/// Cost: O(n log n), a look at the gaps of both for each pair, and at most
/// kMostComparisons looks at a buffer or a reserved range for a gap.
#ifndef SNUG_NORMAL_PRESOLVE_HPP
#define SNUG_NORMAL_PRESOLVE_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pairs.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/spread_sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// More comparisons than that are not made of each with each.
inline constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 22;

/// Makes what is reserved while nobody is live empty, and reserves for all time what is
/// as long as anybody is.
inline void widen_reserved(Flat& flat) {
  if (std::uint64_t{flat.reserved.size()} * flat.buffers.size() >
      kMostComparisons)
    return;
  for (FlatReserved& range : flat.reserved) {
    if (range.lifespan.empty()) continue;
    bool meets_any = false;
    bool meets_all = true;
    for (const FlatBuffer& buffer : flat.buffers) {
      if (buffer.size == 0) continue;
      meets_any |= range.lifespan.overlaps(buffer.lifespan);
      meets_all &= range.lifespan.contains(buffer.lifespan);
    }
    if (!meets_any) range.bytes = {};
    if (meets_all) range.lifespan = {};
  }
}

/// Takes reserved ranges at the ends away, and lowers `ceiling` to the lowest
/// one that closes memory from above. Each buffer occupies all of its bytes at
/// some time, and has some.
inline void cut_ends(Flat& flat, std::int64_t& ceiling) {
  List<Keyed> by_lower;  // Those for all time.
  for (Index k = 0; k < flat.reserved.size(); ++k)
    if (flat.reserved[k].lifespan.empty())
      by_lower.push_back({flat.reserved[k].bytes.lower, k});
  sort_keyed(by_lower);
  const auto upper = [&](const Keyed& range) {
    return flat.reserved[range.index].bytes.upper;
  };
  for (const Keyed& range : by_lower)
    if (range.key <= flat.base) flat.base = (std::max)(flat.base, upper(range));
  for (std::size_t k = by_lower.size(); k-- > 0;)
    if (upper(by_lower[k]) >= ceiling)
      ceiling = (std::min)(ceiling, by_lower[k].key);
}

/// Drops reserved ranges below the base and above the ceiling.
inline void drop_reserved(Flat& flat, std::int64_t ceiling) {
  erase_if(flat.reserved, [&](const FlatReserved& range) {
    return range.bytes.upper <= flat.base || range.bytes.lower >= ceiling;
  });
}

/// The gaps of each buffer in order of time, whatever their windows: those that
/// touch are one.
class GapsOf {
 public:
  explicit GapsOf(const Flat& flat) {
    const FlatGap* gap = flat.gaps.begin();
    for (Index i = 0; i < flat.buffers.size(); ++i, gaps_.end_row())
      for (bool is_first = true; gap != flat.gaps.end() && gap->buffer == i;
           ++gap, is_first = false)
        if (!is_first && gaps_.all().back().upper == gap->lifespan.lower)
          gaps_.all().back().upper = gap->lifespan.upper;
        else
          gaps_.push_back(gap->lifespan);
  }

  [[nodiscard]] View<const Interval<std::int64_t>> of(Index i) const noexcept {
    return gaps_[i];
  }
  /// When the gap ends that a buffer is in at a time; that time if it is in none.
  [[nodiscard]] std::int64_t end_of_gap(Index i, std::int64_t time) const {
    const View<const Interval<std::int64_t>> gaps = of(i);
    const auto* const gap = std::partition_point(
        gaps.begin(), gaps.end(),
        [&](const Interval<std::int64_t>& one) { return one.upper <= time; });
    return gap != gaps.end() && gap->lower <= time ? gap->upper : time;
  }

 private:
  Rows<Interval<std::int64_t>> gaps_{};
};

/// The longest stretch of a buffer's lifespan without a gap, the first one of several;
/// empty if there is none. Times may be from one end of the integers to the other.
[[nodiscard]] inline Interval<std::int64_t> longest_stretch(const Flat& flat,
                                                            const GapsOf& gaps,
                                                            Index i) {
  const auto length = [](const Interval<std::int64_t>& times) {
    return static_cast<std::uint64_t>(times.upper) -
           static_cast<std::uint64_t>(times.lower);
  };
  Interval<std::int64_t> rest = flat.buffers[i].lifespan;
  Interval<std::int64_t> longest{rest.lower, rest.lower};
  const auto end_at = [&](std::int64_t end) {
    if (length({rest.lower, end}) > length(longest))
      longest = {rest.lower, end};
  };
  for (const Interval<std::int64_t>& gap : gaps.of(i)) {
    end_at(gap.lower);
    rest.lower = gap.upper;
  }
  end_at(rest.upper);
  return longest;
}

/// Whether at some time two buffers are live and neither is in a gap.
[[nodiscard]] inline bool meet_whole(const Flat& flat, const GapsOf& gaps,
                                     Index a, Index b) {
  Interval<std::int64_t> left =
      intersection(flat.buffers[a].lifespan, flat.buffers[b].lifespan);
  while (!left.empty()) {
    const std::int64_t next = (std::max)(gaps.end_of_gap(a, left.lower),
                                         gaps.end_of_gap(b, left.lower));
    if (next == left.lower) return true;
    left.lower = next;
  }
  return false;
}

/// Whether each buffer has bytes, and at some time occupies all of them.
[[nodiscard]] inline bool all_are_whole(const Flat& flat) {
  const GapsOf gaps(flat);
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (flat.buffers[i].size == 0 || !meet_whole(flat, gaps, i, i))
      return false;
  return true;
}

/// Drops the gaps that free nothing.
inline void drop_gaps(Flat& flat) {
  if (flat.gaps.empty()) return;
  const GapsOf gaps(flat);
  const bool looks =
      flat.gaps.size() <=
      kMostComparisons / (flat.buffers.size() + flat.reserved.size() + 1);
  // When somebody might use what is free in gaps of the buffer x.
  List<Interval<std::int64_t>> uses;
  const auto find_uses = [&](Index x) {
    uses.clear();
    for (Index y = 0; y < flat.buffers.size(); ++y)
      if (y != x && flat.buffers[y].size > 0 &&
          flat.buffers[y].lifespan.overlaps(flat.buffers[x].lifespan) &&
          !contains_pair(flat.may_overlap, y, x) &&
          !contains_pair(flat.apart, y, x) && !meet_whole(flat, gaps, x, y))
        uses.push_back(flat.buffers[y].lifespan);
    for (const FlatReserved& range : flat.reserved)
      uses.push_back(range.lifespan.empty() ? flat.buffers[x].lifespan
                                            : range.lifespan);
  };
  Index last = ~Index{0};
  const auto frees_nothing = [&](const FlatGap& gap) {
    const FlatBuffer& buffer = flat.buffers[gap.buffer];
    if (buffer.size == 0 ||
        gap.window == Interval<std::int64_t>{0, buffer.size})
      return true;
    if (!looks) return false;
    if (gap.buffer != last) find_uses(gap.buffer);
    last = gap.buffer;
    return !any_that(uses, [&](const Interval<std::int64_t>& use) {
      return use.overlaps(gap.lifespan);
    });
  };
  // All are judged by the gaps as they are now: leaving one out takes nothing
  // away from another's reason.
  List<FlatGap> kept;
  for (const FlatGap& gap : flat.gaps)
    if (!frees_nothing(gap)) kept.push_back(gap);
  flat.gaps.swap(kept);
}

/// Drops pairs that say nothing.
inline void drop_pairs(Flat& flat) {
  const GapsOf gaps(flat);
  const auto is_empty = [&](const IndexPair& pair) {
    return flat.buffers[pair.first].size == 0 ||
           flat.buffers[pair.second].size == 0;
  };
  erase_if(flat.may_overlap, [&](const IndexPair& pair) {
    return is_empty(pair) || !flat.buffers[pair.first].lifespan.overlaps(
                                 flat.buffers[pair.second].lifespan);
  });
  erase_if(flat.apart, [&](const IndexPair& pair) {
    return is_empty(pair) ||
           (!flat.root.empty() &&
            flat.root[pair.first] == flat.root[pair.second]) ||
           meet_whole(flat, gaps, pair.first, pair.second);
  });
}

/// Whether no two buffers are in order because of the ends that they belong to: nobody
/// of the bottom is live when one of the top is, or is kept apart from it.
[[nodiscard]] inline bool ends_ask_nothing(const Flat& flat) {
  List<Keyed> by_begin;
  for (Index i = 0; i < flat.ends.size(); ++i)
    if (flat.ends[i] != End::kAny && flat.buffers[i].size > 0)
      by_begin.push_back({flat.buffers[i].lifespan.lower, i});
  sort_keyed(by_begin);
  constexpr std::int64_t kNever = (std::numeric_limits<std::int64_t>::min)();
  std::int64_t last_of_bottom = kNever;
  std::int64_t last_of_top = kNever;
  for (const Keyed& next : by_begin) {
    const bool is_top = flat.ends[next.index] == End::kTop;
    if (next.key < (is_top ? last_of_bottom : last_of_top)) return false;
    std::int64_t& last = is_top ? last_of_top : last_of_bottom;
    last = (std::max)(last, flat.buffers[next.index].lifespan.upper);
  }
  return !any_that(flat.apart, [&](const IndexPair& pair) {
    const End a = flat.end_of(pair.first);
    const End b = flat.end_of(pair.second);
    return a != End::kAny && b != End::kAny && a != b;
  });
}

/// Simplifies a flat problem of which no placement above `ceiling` matters. Returns the
/// height above which none matters then: less, if something is reserved at the top.
[[nodiscard]] inline std::int64_t presolve(Flat& flat, std::int64_t ceiling) {
  if (!flat.reserved.empty()) {
    widen_reserved(flat);
    if (all_are_whole(flat)) cut_ends(flat, ceiling);
    drop_reserved(flat, ceiling);
  }
  sort_pairs(flat.apart);
  sort_pairs(flat.may_overlap);
  drop_gaps(flat);
  if (!flat.apart.empty() || !flat.may_overlap.empty()) drop_pairs(flat);
  if (!any_that(flat.ends, [](End end) { return end == End::kTop; }))
    flat.ends.clear();
  bool tied = false;
  for (std::size_t i = 0; i < flat.root.size(); ++i)
    tied = tied || flat.root[i] != i;
  if (!tied) {
    flat.root.clear();
    flat.delta.clear();
  }
  return ceiling;
}

/// Makes a problem tight: takes away what only ever gives more freedom, gaps of
/// free buffers, and pairs that may overlap unless both are fixed. What is left
/// is often plain, and a placement of it is one of the whole. Fixed buffers keep
/// their gaps, for two of them may lie in each other's. False if nothing was
/// taken.
[[nodiscard]] inline bool tighten(Flat& flat) {
  const std::size_t before = flat.gaps.size() + flat.may_overlap.size();
  erase_if(flat.gaps,
           [&](const FlatGap& gap) { return !flat.is_fixed(gap.buffer); });
  erase_if(flat.may_overlap, [&](const IndexPair& pair) {
    return !flat.is_fixed(pair.first) || !flat.is_fixed(pair.second);
  });
  return flat.gaps.size() + flat.may_overlap.size() < before;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PRESOLVE_HPP
