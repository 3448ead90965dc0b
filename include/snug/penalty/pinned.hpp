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
/// Cost: O(n) for each buffer with gaps, and the pairs.
#ifndef SNUG_PENALTY_PINNED_HPP
#define SNUG_PENALTY_PINNED_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Pinned {
  /// `offsets` are those of a placement.
  Pinned(Flat whole, const List<SoftPair>& pairs,
         const std::vector<std::int64_t>& offsets)
      : flat(std::move(whole)) {
    flat.fixed.resize(flat.buffers.size(), Flat::kNone);
    visit_tied(flat, [&](Index i) { pin(i, offsets); });
    for (Index i = 0; i < flat.ends.size(); ++i)
      if (flat.ends[i] != End::kAny) pin(i, offsets);
    for (std::size_t g = 0; g < flat.gaps.size(); ++g)
      if (g == 0 || flat.gaps[g].buffer != flat.gaps[g - 1].buffer)
        pin_sharing(flat.gaps[g].buffer, offsets);
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

  /// Pins a buffer with gaps if some of its bytes are those of another one, which is
  /// pinned, too, or reserved.
  void pin_sharing(Index i, const std::vector<std::int64_t>& offsets) {
    if (flat.buffers[i].size == 0) return;
    const auto bytes_of = [&](Index x) {
      return Interval<std::int64_t>{offsets[x],
                                    offsets[x] + flat.buffers[x].size};
    };
    for (Index j = 0; j < flat.buffers.size(); ++j)
      if (j != i && flat.buffers[j].size > 0 &&
          bytes_of(j).overlaps(bytes_of(i)) &&
          flat.buffers[j].lifespan.overlaps(flat.buffers[i].lifespan) &&
          !contains_pair(flat.may_overlap, i, j)) {
        pin(i, offsets);
        pin(j, offsets);
      }
    if (any_that(flat.reserved, [&](const FlatReserved& range) {
          return range.bytes.overlaps(bytes_of(i)) &&
                 range.is_live_in(flat.buffers[i].lifespan);
        }))
      pin(i, offsets);
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_PINNED_HPP
