// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem of a walk that begins at a placement: what has ties or belongs to an end
/// of memory stays where it is, as if it were fixed there, and all others go where they
/// want. So a walk, which knows nothing of ties and ends (penalty_walk.hpp), does not
/// have to be done without for a few that have some.
///
///     |  x  |   a   |        x and y are tied, and stay; a and b, a soft pair, go
///     +--+--+-------+        around them as around all that is fixed
///        |y |   b   |
///
/// Its placements are some of those of the whole. What two that stay share is paid in
/// all of them.
///
/// Cost: O(n), and the pairs.
#ifndef SNUG_PENALTY_PINNED_HPP
#define SNUG_PENALTY_PINNED_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/list.hpp"

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
    visit_tied(flat, [&](Index i) { flat.fixed[i] = offsets[i]; });
    for (Index i = 0; i < flat.ends.size(); ++i)
      if (flat.ends[i] != End::kAny) flat.fixed[i] = offsets[i];
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
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_PINNED_HPP
