// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whose places matter to a buffer: of all that it may not share bytes with, and of
/// those with whom that costs something.
///
///     a |======|                a: b and c, which are live with it, and d, a soft pair
///     b    |======|
///     c      |==|
///     d              |===|
///
/// One sweep over the lifespans finds who is live together.
///
/// Cost: O(n log n), and O(log n) for each link.
#ifndef SNUG_PENALTY_PENALTY_LINKS_HPP
#define SNUG_PENALTY_PENALTY_LINKS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// To a buffer that one shares no bytes with, or for a cost.
struct PenaltyLink {
  static constexpr std::int64_t kHard = -1;

  Index other;
  std::int64_t cost;  ///< or kHard
};

/// The links of each buffer that has bytes: to all that are live with it, and may not
/// overlap, in their order; then those of pairs. Gaps are none here. Of no use if it
/// is interrupted.
[[nodiscard]] inline Lists<PenaltyLink> link_penalties(
    const Flat& flat, const List<SoftPair>& soft,
    const Interrupt& interrupt = {}) {
  const List<FlatBuffer>& buffers = flat.buffers;
  Lists<PenaltyLink> links(buffers.size());
  const auto join = [&](Index a, Index b, std::int64_t cost) {
    links[a].push_back({b, cost});
    links[b].push_back({a, cost});
  };
  const auto must_differ = [&](Index a, Index b) {
    return buffers[a].lifespan.overlaps(buffers[b].lifespan) &&
           !contains_pair(flat.may_overlap, a, b);
  };
  List<Keyed> by_begin;
  for (Index i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0) by_begin.push_back({buffers[i].lifespan.lower, i});
  sort_keyed(by_begin);
  List<Index> live;
  std::size_t since = 0;
  for (const Keyed& next : by_begin) {
    if (interrupt.after(live.size() + 1, since)) return links;
    erase_if(live,
             [&](Index i) { return buffers[i].lifespan.upper <= next.key; });
    for (const Index i : live)
      if (must_differ(i, next.index)) join(i, next.index, PenaltyLink::kHard);
    live.push_back(next.index);
  }
  for (List<PenaltyLink>& of_one : links)
    heap_sort(of_one, [](const PenaltyLink& a, const PenaltyLink& b) {
      return a.other < b.other;
    });
  for (const auto& [a, b] : flat.apart)
    if (buffers[a].size > 0 && buffers[b].size > 0 && !must_differ(a, b))
      join(a, b, PenaltyLink::kHard);
  // Soft pairs may be live together in a gap, where they are kept apart here.
  for (const SoftPair& pair : soft)
    if (!must_differ(pair.a, pair.b)) join(pair.a, pair.b, pair.cost);
  return links;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_PENALTY_LINKS_HPP
