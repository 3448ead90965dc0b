// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The free buffers of a problem, and what is fixed around them as reserved ranges:
/// where most buffers are fixed, what a search looks at is that much smaller.
///
///     free           |--x--|                x, and two reserved ranges
///     fixed    |--a--|--b--|--c--|          of the bytes and times of b and c,
///              |----d----|                  and of d: it meets x, too
///
/// Fixed buffers that others meet in more ways than by their bytes, all of them for
/// all of their time, stay what they are: they have gaps, belong to an end of memory,
/// are in a pair, or tied to such a one, with which they may share bytes. Who is
/// live together with no free buffer is left out. So a placement of these, with the
/// others where they are fixed, is one of the whole, if the fixed ones do not meet one
/// another and are below the capacity; and if there is none, there is none of the
/// whole.
///
/// Cost: O(n log f) for n buffers, f of which are free, and a look at each pair.
#ifndef SNUG_NORMAL_AROUND_FIXED_HPP
#define SNUG_NORMAL_AROUND_FIXED_HPP

#include "snug/config.hpp"
#include "snug/model/busy_times.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The fixed buffer with the highest top: how low a placement can be it says, too.
/// There are some.
[[nodiscard]] inline Index highest_fixed(const Flat& flat) {
  Index highest = 0;
  std::int64_t height = -1;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    const std::int64_t top = flat.fixed[i] + flat.buffers[i].size;
    if (!flat.is_fixed(i) || top <= height) continue;
    highest = i;
    height = top;
  }
  return highest;
}

/// The buffers that stay what they are, ascending, of a problem with fixed ones. All
/// in the class of `kept` do.
[[nodiscard]] inline List<Index> list_not_ranges(
    const Flat& flat, std::optional<Index> kept = {}) {
  List<std::uint8_t> stays = mark_shared(flat);
  for (const auto& [a, b] : flat.apart) stays[a] = stays[b] = 1;
  if (kept) stays[*kept] = 1;
  List<Index> members = numbers_below(flat.buffers.size());
  for (const Index i : members)
    if (stays[i] != 0 || flat.end_of(i) != End::kAny)
      stays[flat.root_of(i)] = 1;
  erase_if(members, [&](Index i) {
    return flat.is_fixed(i) && stays[flat.root_of(i)] == 0;
  });
  return members;
}

/// Who of `count` buffers is none of the members, ascending like these.
[[nodiscard]] inline List<Index> list_others(std::size_t count,
                                             const List<Index>& members) {
  List<Index> others = numbers_below(count);
  const Index* next = members.begin();
  erase_if(others, [&](Index i) {
    const bool is_member = next != members.end() && *next == i;
    if (is_member) ++next;
    return is_member;
  });
  return others;
}

/// The problem of those `members`, with the other ones as reserved ranges. Without
/// hints.
[[nodiscard]] inline Flat around_fixed(const Flat& flat,
                                       const List<Index>& members) {
  Flat some = subset_of(flat, members);
  BusyTimes busy(members.size());
  for (const Index i : members)
    if (!flat.is_fixed(i)) busy.add(flat.buffers[i].lifespan);
  busy.merge();
  some.reserved.reserve(flat.reserved.size() + flat.buffers.size() -
                        members.size());
  for (const Index i : list_others(flat.buffers.size(), members)) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (buffer.size == 0 || !busy.overlaps(buffer.lifespan)) continue;
    const std::int64_t at = flat.fixed[i];
    some.reserved.push_back({{at, at + buffer.size}, buffer.lifespan});
  }
  return some;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_AROUND_FIXED_HPP
