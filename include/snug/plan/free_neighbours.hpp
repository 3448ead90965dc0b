// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who is freed when buffers at their hints leave others no place: of those that are
/// live together with one that has none, the nearest ones to its hint, or all.
///
///     hints      |  a  |  b  |  c  |  d  |      b has grown, and is kept
///     nearest 1  |  a  |..b..|     |  d  |      nowhere: c is freed
///     all        |        b              |      a, c, d are
///
/// Whoever is tied to one that is freed is freed, too. Cost: for the nearest ones
/// O(h n log n) with h buffers that have no place, of n; for all O(n log n).
#ifndef SNUG_PLAN_FREE_NEIGHBOURS_HPP
#define SNUG_PLAN_FREE_NEIGHBOURS_HPP

#include "snug/config.hpp"
#include "snug/model/busy_times.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Frees the buffers whose classes are marked, but for those that `flat` fixes. Returns
/// how many there are.
inline std::size_t free_marked(const Flat& flat,
                               const List<std::uint8_t>& is_marked,
                               Flat& pinned) {
  std::size_t count = 0;
  for (Index i = 0; i < pinned.buffers.size(); ++i) {
    if (flat.is_fixed(i) || is_marked[flat.root_of(i)] == 0) continue;
    pinned.fixed[i] = Flat::kNone;
    ++count;
  }
  return count;
}

/// Frees, for each buffer that has no place yet, the `most` buffers nearest to its hint
/// of those that are live together with it. Returns how many there are.
inline std::size_t free_nearest(const Flat& flat, std::size_t most,
                                Flat& pinned) {
  List<std::uint8_t> freed(flat.buffers.size(), 0);  // Classes.
  List<Keyed> near;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (pinned.is_fixed(i) || buffer.size == 0 || flat.hints[i] == Flat::kNone)
      continue;
    near.clear();
    for (Index k = 0; k < flat.buffers.size(); ++k) {
      const FlatBuffer& other = flat.buffers[k];
      if (!pinned.is_fixed(k) || flat.is_fixed(k) ||
          !other.lifespan.overlaps(buffer.lifespan))
        continue;
      const std::int64_t higher = pinned.fixed[k] - flat.hints[i];
      const std::int64_t above = higher - buffer.size;
      const std::int64_t below = -higher - other.size;
      near.push_back({(std::max)({above, below, std::int64_t{0}}), k});
    }
    sort_keyed(near);
    for (std::size_t k = 0; k < (std::min)(near.size(), most); ++k)
      freed[flat.root_of(near[k].index)] = 1;
  }
  return free_marked(flat, freed, pinned);
}

/// Frees the buffers that are live together with one that has no place yet.
inline void free_neighbours(const Flat& flat, Flat& pinned) {
  const List<FlatBuffer>& all = pinned.buffers;
  BusyTimes busy(all.size());
  for (Index i = 0; i < all.size(); ++i)
    if (all[i].size > 0 && !pinned.is_fixed(i)) busy.add(all[i].lifespan);
  busy.merge();
  List<std::uint8_t> freed(all.size(), 0);  // Classes.
  for (Index i = 0; i < all.size(); ++i)
    if (all[i].size > 0 && !flat.is_fixed(i) && busy.overlaps(all[i].lifespan))
      freed[flat.root_of(i)] = 1;
  free_marked(flat, freed, pinned);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FREE_NEIGHBOURS_HPP
