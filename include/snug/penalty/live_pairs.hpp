// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pairs of buffers that are live at one time, by a sweep over their lifespans:
///
///     a |======|                a and b, a and c, b and c; but none with d
///     b    |======|
///     c      |==|
///     d              |===|
///
/// Cost: O(n log n), and O(1) for each pair.
#ifndef SNUG_PENALTY_LIVE_PAIRS_HPP
#define SNUG_PENALTY_LIVE_PAIRS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// How many pairs of buffers have lifespans that overlap. Of no use if it is
/// interrupted.
[[nodiscard]] inline std::size_t count_overlaps(
    const List<FlatBuffer>& buffers, const Interrupt& interrupt = {}) {
  List<std::int64_t> ends;
  for (const FlatBuffer& buffer : buffers)
    ends.push_back(buffer.lifespan.upper);
  if (!sort_in_parts(
          ends.begin(), ends.end(),
          [](std::int64_t a, std::int64_t b) { return a < b; }, interrupt))
    return 0;
  // All pairs but those of which one has ended when the other begins.
  const std::size_t n = buffers.size();
  std::size_t count = n * (n - 1) / 2;
  for (const FlatBuffer& buffer : buffers)
    count -= static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end(), buffer.lifespan.lower) -
        ends.begin());
  return count;
}

/// Hands visit() each two buffers that have bytes and are live at one time. Only some of
/// them if it is interrupted.
template <class Visit>
void visit_live_pairs(const List<FlatBuffer>& buffers,
                      const Interrupt& interrupt, Visit&& visit) {
  List<Keyed> by_begin;
  for (Index i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0) by_begin.push_back({buffers[i].lifespan.lower, i});
  if (!sort_keyed(by_begin, interrupt)) return;
  List<Index> live;
  std::size_t since = 0;
  for (const Keyed& next : by_begin) {
    if (interrupt.after(live.size() + 1, since)) return;
    erase_if(live,
             [&](Index i) { return buffers[i].lifespan.upper <= next.key; });
    for (const Index i : live) visit(i, next.index);
    live.push_back(next.index);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_LIVE_PAIRS_HPP
