// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who is freed when buffers at their hints leave others no place: of those that are
/// live together with one that has none, the nearest ones to its hint.
///
///     hints      |  a  |  b  |  c  |  d  |      b has grown, and is kept
///     nearest 1  |  a  |..b..|     |  d  |      nowhere: c is freed
///
/// Whoever is tied to one that is freed is freed, too. Cost: O(h n log n) with h
/// buffers that have no place, of n.
#ifndef SNUG_PLAN_FREE_NEAREST_HPP
#define SNUG_PLAN_FREE_NEAREST_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Frees, for each buffer that has no place in `offsets`, the `most` buffers nearest to
/// its hint of those that are live together with it. Without a hint, it is taken to
/// belong right below `capacity`, where there is most room. Returns how many are freed:
/// fewer if it is interrupted.
inline std::size_t free_nearest(const Flat& flat, std::size_t most,
                                std::int64_t capacity,
                                List<std::int64_t>& offsets,
                                const Interrupt& interrupt = {}) {
  List<std::uint8_t> freed(flat.buffers.size(), 0);  // Classes.
  List<Keyed> near;
  std::size_t since = 0;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (offsets[i] != Flat::kNone || buffer.size == 0) continue;
    if (interrupt.after(offsets.size(), since)) break;
    const std::int64_t hint =
        flat.hints[i] != Flat::kNone ? flat.hints[i] : capacity - buffer.size;
    near.clear();
    for (Index k = 0; k < flat.buffers.size(); ++k) {
      const FlatBuffer& other = flat.buffers[k];
      if (offsets[k] == Flat::kNone || flat.is_fixed(k) ||
          !other.lifespan.overlaps(buffer.lifespan))
        continue;
      const std::int64_t higher = offsets[k] - hint;
      const std::int64_t between =
          (std::max)(higher - buffer.size, -higher - other.size);
      near.push_back({(std::max)(between, std::int64_t{0}), k});
    }
    sort_keyed(near);
    for (std::size_t k = 0; k < (std::min)(near.size(), most); ++k)
      freed[flat.root_of(near[k].index)] = 1;
  }
  std::size_t count = 0;
  for (Index i = 0; i < offsets.size(); ++i) {
    if (flat.is_fixed(i) || freed[flat.root_of(i)] == 0) continue;
    offsets[i] = Flat::kNone;
    ++count;
  }
  return count;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FREE_NEAREST_HPP
