// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem of a walk that begins at a placement: what has ties, belongs to an end
/// of memory, lies in a gap or has something in a gap of its own stays where it is, as
/// if it were fixed there, and all others go where they want. So a walk, which knows
/// nothing of ties, ends and gaps (penalty_walk.hpp), does not have to be done without
/// for a few that have some.
///
///     |  x  |   a   |        x and y are tied, and stay; a and b, a soft pair, go
///     +--+--+-------+        around them as around all that is fixed
///        |y |   b   |
///
/// Its placements are some of those of the whole. What two that stay share is paid in
/// all of them.
///
/// Cost: O(n log n), and where there are gaps, the pairs that are live at one time.
#ifndef SNUG_PENALTY_PINNED_HPP
#define SNUG_PENALTY_PINNED_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/live_pairs.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Pinned {
  /// `offsets` are those of a placement. Of no use if it is interrupted.
  Pinned(Flat whole, const List<SoftPair>& pairs,
         const std::vector<std::int64_t>& offsets,
         const Interrupt& interrupt = {})
      : flat(std::move(whole)) {
    flat.fixed.resize(flat.buffers.size(), Flat::kNone);
    visit_tied(flat, [&](Index i) { pin(i, offsets); });
    for (Index i = 0; i < flat.ends.size(); ++i)
      if (flat.ends[i] != End::kAny) pin(i, offsets);
    pin_sharing(offsets, interrupt);
    flat.root.clear();
    flat.delta.clear();
    flat.ends.clear();
    const GapsOf gaps(flat);
    for (const SoftPair& pair : pairs)
      if (!flat.is_fixed(pair.a) || !flat.is_fixed(pair.b))
        soft.pairs.push_back(pair);
      else if (sharing_of(flat, gaps, pair.a, pair.b) == Sharing::kAlways)
        soft.paid += pair.cost;
  }

  Flat flat;
  /// The pairs that are not decided, and what is paid for the others.
  SoftPairs soft{};
  /// Whether something stays that is not fixed: another placement gives another walk.
  bool pins_some = false;

 private:
  void pin(Index i, const std::vector<std::int64_t>& offsets) {
    if (flat.is_fixed(i)) return;
    flat.fixed[i] = offsets[i];
    pins_some = true;
  }

  /// Pins those with gaps that lie in reserved bytes, and who shares bytes with another
  /// one, both of them: it lies in a gap of that, or has it in one of its own.
  void pin_sharing(const std::vector<std::int64_t>& offsets,
                   const Interrupt& interrupt) {
    if (flat.gaps.empty()) return;
    const auto bytes_of = [&](Index i) {
      return Interval<std::int64_t>{offsets[i],
                                    offsets[i] + flat.buffers[i].size};
    };
    visit_live_pairs(flat.buffers, interrupt, [&](Index a, Index b) {
      if (bytes_of(a).overlaps(bytes_of(b)) &&
          !contains_pair(flat.may_overlap, a, b)) {
        pin(a, offsets);
        pin(b, offsets);
      }
    });
    for (const FlatGap& gap : flat.gaps)
      if (!flat.is_fixed(gap.buffer) &&
          any_that(flat.reserved, [&](const FlatReserved& range) {
            return range.bytes.overlaps(bytes_of(gap.buffer)) &&
                   range.is_live_in(flat.buffers[gap.buffer].lifespan);
          }))
        pin(gap.buffer, offsets);
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_PINNED_HPP
