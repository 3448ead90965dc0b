// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tied buffers that are one: of the same bytes, each live until the next one is, as
/// where an operation works in place.
///
///     | a |  b  | c |         a, b and c are tied at one offset, and of one size:
///     +---+-----+---+   -->   one buffer that is live all the time
///     |      abc    |
///
/// Buffers of a class with the same delta and size have the same bytes wherever the
/// class is. If there is no time between their lifespans, all that they ask of
/// others, and of a placement, one buffer asks that is live as long as both: whoever
/// meets one of them meets it, whoever is kept apart from one of them is from it, and
/// its offset suits both alignments if it suits the coarser one, which the other one
/// divides. So the placements are the same. Mostly no ties are left then, and a
/// problem that is otherwise plain is plain.
///
/// Not merged: who has gaps, may overlap others or has no size; buffers of different
/// ends. Who is part of another one stays, as a buffer of no size.
///
/// *Boxes.* Where sizes differ, as that of a result that is smaller than what it takes
/// the place of, the larger one can be had for all of the time. That only takes room
/// away, so a placement is one of the whole, and mostly such a problem is plain.
///
///     |   a   |  b   |         b is in the place of a, at one offset; the box of both
///     +-------+------+         is as large as a, and live until b is not
///     | a     |
///
/// Cost: O(n log n).
#ifndef SNUG_NORMAL_MERGED_TIES_HPP
#define SNUG_NORMAL_MERGED_TIES_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is merged: buffers of the same bytes, or what fits a box, too.
enum class Merge : std::uint8_t { kSameBytes, kBoxes };

/// Tied buffers that may be merged, such that who can be one are neighbours, in
/// order of time.
[[nodiscard]] inline List<Index> list_mergeable(const Flat& flat, Merge what) {
  constexpr std::uint8_t kTied = 2;
  List<std::uint8_t> marks = mark_shared(flat);
  visit_tied(flat, [&](Index i) { marks[i] |= kTied; });
  List<Index> order;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (marks[i] == kTied && flat.buffers[i].size > 0) order.push_back(i);
  heap_sort(order, [&](Index a, Index b) {
    const FlatBuffer& x = flat.buffers[a];
    const FlatBuffer& y = flat.buffers[b];
    if (flat.root[a] != flat.root[b]) return flat.root[a] < flat.root[b];
    if (flat.delta[a] != flat.delta[b]) return flat.delta[a] < flat.delta[b];
    if (what == Merge::kSameBytes && x.size != y.size) return x.size < y.size;
    if (flat.end_of(a) != flat.end_of(b))
      return flat.end_of(a) < flat.end_of(b);
    if (x.lifespan.lower != y.lifespan.lower)
      return x.lifespan.lower < y.lifespan.lower;
    return a < b;
  });
  return order;
}

/// Makes buffer `part`, which has no bytes then, a part of buffer `kept`, if it can
/// be one.
[[nodiscard]] inline bool merge_tied(Flat& flat, Index kept, Index part,
                                     Merge what) {
  FlatBuffer& x = flat.buffers[kept];
  FlatBuffer& y = flat.buffers[part];
  const std::int64_t coarse = (std::max)(x.alignment, y.alignment);
  if (flat.root[kept] != flat.root[part] ||
      flat.delta[kept] != flat.delta[part] ||
      (what == Merge::kSameBytes && x.size != y.size) ||
      flat.end_of(kept) != flat.end_of(part) || coarse % x.alignment != 0 ||
      coarse % y.alignment != 0 || x.lifespan.upper < y.lifespan.lower ||
      y.lifespan.upper < x.lifespan.lower)
    return false;
  x.alignment = coarse;
  x.size = (std::max)(x.size, y.size);
  x.lifespan = hull_of(x.lifespan, y.lifespan);
  y.size = 0;
  y.alignment = 1;
  return true;
}

/// Merges what can be. Returns of each buffer the one that it is part of now, or
/// itself; nothing if all are what they were.
[[nodiscard]] inline List<Index> merge_ties(Flat& flat,
                                            Merge what = Merge::kSameBytes) {
  if (flat.root.empty()) return {};
  List<Index> into = numbers_below(flat.buffers.size());
  const List<Index> order = list_mergeable(flat, what);
  bool is_merged = false;
  for (std::size_t k = 1; k < order.size(); ++k) {
    // The lower number is kept: the first one of a class is its root.
    const Index last = into[order[k - 1]];
    const Index kept = (std::min)(last, order[k]);
    const Index part = (std::max)(last, order[k]);
    if (!merge_tied(flat, kept, part, what)) continue;
    into[part] = into[order[k]] = kept;
    is_merged = true;
  }
  if (!is_merged) return {};
  for (Index i = 0; i < into.size(); ++i) {
    // Those before i that are part of others name the one that is left already.
    into[i] = into[into[i]];
    if (into[i] == i) continue;
    flat.root[i] = i;
    flat.delta[i] = 0;
    if (!flat.fixed.empty()) flat.fixed[i] = Flat::kNone;
    if (!flat.ends.empty()) flat.ends[i] = End::kAny;
  }
  for (auto& [a, b] : flat.apart) {
    a = into[a];
    b = into[b];
  }
  return into;
}

/// Puts who is part of another one where that is.
template <class Offsets>
void spread(const List<Index>& into, Offsets& offsets) {
  if (into.empty()) return;
  for (Index i = 0; i < offsets.size(); ++i) offsets[i] = offsets[into[i]];
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_MERGED_TIES_HPP
