// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem without its constraints, such that what does not fit then does not fit at
/// all: those that forbid something go, and of buffers that may share bytes only some
/// are left.
///
///     ties, pairs that     until no two of them are live together, the one of fewer
///     may overlap          bytes is left out
///     gaps                 a buffer lives in the longest stretch between its gaps alone,
///                          where it has all of its bytes
///
/// Cost: O(n log n) for n buffers, and pairs and gaps.
#ifndef SNUG_NORMAL_RELAXED_HPP
#define SNUG_NORMAL_RELAXED_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Leaves out tied buffers, as without bytes, until no two of one class are live
/// together: of two that are, by time, the smaller one. Stops if it is interrupted.
inline void leave_out_tied(const List<std::uint32_t>& root,
                           List<FlatBuffer>& buffers,
                           const Interrupt& interrupt) {
  constexpr auto kNone = static_cast<Index>(-1);
  List<Keyed> by_begin;
  for (Index i = 0; i < root.size(); ++i)
    if (buffers[i].size > 0) by_begin.push_back({buffers[i].lifespan.lower, i});
  if (!sort_keyed(by_begin, interrupt)) return;
  List<Index> last_of(root.size(), kNone);  // Of each class, by its root.
  for (std::size_t k = 0; k < by_begin.size(); ++k) {
    if (interrupt.at(k)) return;
    const Index i = by_begin[k].index;
    Index& last = last_of[root[i]];
    FlatBuffer& one = buffers[i];
    const bool meets =
        last != kNone && one.lifespan.lower < buffers[last].lifespan.upper;
    if (meets && one.size <= buffers[last].size) {
      one.size = 0;
    } else {
      if (meets) buffers[last].size = 0;
      last = i;
    }
  }
}

/// Leaves out buffers until no two that may overlap are live together: the
/// smaller ones. Stops if it is interrupted.
inline void leave_out_overlapping(const List<IndexPair>& pairs,
                                  List<FlatBuffer>& buffers,
                                  const Interrupt& interrupt) {
  std::size_t seen = 0;
  for (const auto& [a, b] : pairs) {
    if (interrupt.at(seen++)) return;
    if (!buffers[a].lifespan.overlaps(buffers[b].lifespan)) continue;
    if (buffers[a].size == 0 || buffers[b].size == 0) continue;
    buffers[buffers[a].size < buffers[b].size ? a : b].size = 0;
  }
}

/// Lets buffers with gaps live in their longest stretches without one.
inline void leave_out_gaps(const Flat& flat, List<FlatBuffer>& buffers) {
  if (flat.gaps.empty()) return;
  const GapsOf gaps(flat);
  for (Index i = 0; i < buffers.size(); ++i) {
    if (gaps.of(i).empty()) continue;
    buffers[i].lifespan = longest_stretch(flat, gaps, i);
    if (buffers[i].lifespan.empty()) buffers[i].size = 0;
  }
}

/// The buffers of the relaxed problem. What is fixed may be anywhere. Of no use if it
/// is interrupted.
[[nodiscard]] inline List<FlatBuffer> relaxed_buffers(
    const Flat& flat, const Interrupt& interrupt) {
  List<FlatBuffer> buffers = flat.buffers;
  for (Index i = 0; i < flat.fixed.size(); ++i)
    if (flat.is_fixed(i)) buffers[i].alignment = 1;
  leave_out_gaps(flat, buffers);
  if (!flat.root.empty()) leave_out_tied(flat.root, buffers, interrupt);
  leave_out_overlapping(flat.may_overlap, buffers, interrupt);
  return buffers;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_RELAXED_HPP
