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
/// Cost: O(n log n), and O(log n) for each link.
#ifndef SNUG_PENALTY_PENALTY_LINKS_HPP
#define SNUG_PENALTY_PENALTY_LINKS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/live_pairs.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

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
  visit_live_pairs(buffers, interrupt, [&](Index a, Index b) {
    if (must_differ(a, b)) join(a, b, PenaltyLink::kHard);
  });
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
