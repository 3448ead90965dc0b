// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The flat problem of some of the buffers of another one: what model/subset.hpp
/// is for problems. Reserved ranges and the base stay, pairs and ties where both
/// buffers do; hints are left out. So what a placement of the whole does to these
/// buffers is a placement of them, and if they cannot be placed, nor can all.
///
/// Cost: linear.
#ifndef SNUG_NORMAL_FLAT_SUBSET_HPP
#define SNUG_NORMAL_FLAT_SUBSET_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of the buffers `members`, ascending.
[[nodiscard]] inline Flat subset_of(const Flat& flat,
                                    const List<Index>& members) {
  constexpr Index kNobody = ~Index{0};
  Flat some;
  some.base = flat.base;
  some.reserved = flat.reserved;
  List<Index> position(flat.buffers.size(), kNobody);
  for (Index k = 0; k < members.size(); ++k) position[members[k]] = k;
  const auto pick = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    for (const Index i : members) to.push_back(from[i]);
  };
  pick(flat.buffers, some.buffers);
  pick(flat.fixed, some.fixed);
  pick(flat.ends, some.ends);
  for (FlatGap gap : flat.gaps) {
    gap.buffer = position[gap.buffer];
    if (gap.buffer != kNobody) some.gaps.push_back(gap);
  }
  const auto pick_pairs = [&](const List<IndexPair>& from,
                              List<IndexPair>& to) {
    for (const auto& [a, b] : from)
      if (position[a] != kNobody && position[b] != kNobody)
        to.push_back({position[a], position[b]});
  };
  pick_pairs(flat.apart, some.apart);
  pick_pairs(flat.may_overlap, some.may_overlap);
  if (flat.root.empty()) return some;
  // The first one of a class that stays is its root now, the lowest one its
  // offset.
  List<Index> first(flat.buffers.size(), kNobody);
  List<std::int64_t> lowest(flat.buffers.size(), 0);
  for (Index k = 0; k < members.size(); ++k) {
    const Index root = flat.root[members[k]];
    const std::int64_t delta = flat.delta[members[k]];
    lowest[root] =
        first[root] == kNobody ? delta : (std::min)(lowest[root], delta);
    if (first[root] == kNobody) first[root] = k;
  }
  for (const Index i : members) {
    some.root.push_back(first[flat.root[i]]);
    some.delta.push_back(flat.delta[i] - lowest[flat.root[i]]);
  }
  return some;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_FLAT_SUBSET_HPP
