// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Dominance: buffers whose slot nobody can want.
///
/// x's *slot* is [m(x), m(x) + s(x)). If r(y) >= m(x) + s(x) for every
/// unplaced neighbour y of x, then nobody can come to lie in or below it:
///
///   *No-hurt placement.* If x is not skipped, place x at m(x) and do not
///   branch.
///   *Abandoned slot.* If x is skipped at m(x), fail.
///
///        |  y  |  z  |        r(y), r(z) at or above the dashes: whoever x
///      - + - - + - - +- -     waits for, its slot stays empty, and x could
///        |     x     |        have dropped into it
///        +-----------+
///
/// *Why the search stays complete*, with these and all other rules. If the
/// problem has solutions, let B be the set of those with the least sum of
/// offsets. They are canonical: a buffer that could drop would lower the sum.
/// Say that a node *admits* b in B if b has every placed buffer at its offset
/// and no skipped buffer at its m. The root admits all of B. Claim: a node
/// that admits some b in B has a child that admits some b' in B, and no rule
/// refutes it; so the search ends at b unless it finds a solution before.
///
///   - Bounds. In b every unplaced y lies at r(y) or above (releases.hpp) and
///     the buffers of a section fit below the capacity, so no bound refutes
///     the node (section_bound.hpp).
///   - Branching on an eligible x. Either b has x at m(x), and the child that
///     places x admits b; or it has not, and the other child admits b.
///   - Slots. In b all unplaced neighbours of x lie above its slot, by their
///     releases, and all placed ones end at or below m(x), by its definition.
///     So x could drop to m(x); as the sum is least, it sits there. If x is not
///     skipped, placing it leads to a node that admits b; and it cannot be
///     skipped, for the node admits b.
///   - *Twins*, buffers with the same span, size, alignment and pairs, are skipped
///     together where they have the same m. If b has a twin of x at m(x),
///     exchanging the two gives b' in B, which the child that places x admits:
///     exchanging concerns unplaced buffers alone, and both are allowed where
///     they go, since neither is skipped. So once that child is refuted, no b
///     has x or such a twin at m(x).
///   - Parts are independent, so b is least in each (part.hpp).
///   - What is remembered, or learnt from a conflict, refutes only nodes that
///     admit nothing (failed_states.hpp, conflict.hpp).
///
/// *Witnesses.* Each unplaced x remembers a neighbour y with r(y) < m(x) +
/// s(x). Only when y is placed or its release rises, x is looked at again; a
/// buffer without a witness is pending until it is placed or fails the node.
///
/// Cost: amortised, the watchers of changed buffers; a scan of x's neighbours
/// for each witness lost. Source: MiniMalloc (ASPLOS 2023), dominance and
/// hatless pruning, of which these are generalisations.
#ifndef SNUG_PLAIN_DOMINANCE_HPP
#define SNUG_PLAIN_DOMINANCE_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/plain/state.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An unplaced neighbour of x with a release below x's top, or nobody().
template <class Lane>
[[nodiscard]] Index find_witness(const State<Lane>& state, Index x) {
  const Lane top = state.top(x);
  Index witness = state.nobody();
  state.instance->for_each_neighbour(x, state.unplaced, [&](Index y) {
    if (state.release[y] >= top) return true;
    witness = y;
    return false;
  });
  return witness;
}

/// Gives every buffer that lost its witness by the changes after the first
/// `mark` trail entries another one, or nobody().
template <class Lane>
void update_witnesses(State<Lane>& state, std::size_t mark) {
  const std::size_t end = state.trail.size();
  for (std::size_t k = mark; k < end; ++k) {
    if (state.trail[k].change == State<Lane>::Change::kWitness ||
        state.trail[k].change == State<Lane>::Change::kSpare ||
        state.trail[k].change == State<Lane>::Change::kCliqueSpare)
      continue;
    const Index changed = state.trail[k].buffer;
    for (Index x = state.watchers[changed]; x != state.nobody();) {
      const Index next = state.next_watcher[x];
      if (state.release[changed] >= state.top(x))
        state.set_witness(x, find_witness(state, x));
      x = next;
    }
    // A pending buffer that rose may have somebody in its new slot.
    if (state.is_unplaced(changed) &&
        state.witness[changed] == state.nobody()) {
      const Index blocker = find_witness(state, changed);
      if (blocker != state.nobody()) state.set_witness(changed, blocker);
    }
  }
}

/// The first pending buffer among [begin, end) that is skipped (or is not),
/// or nobody().
template <class Lane>
[[nodiscard]] Index find_pending(const State<Lane>& state, Index begin,
                                 Index end, bool skipped) {
  for (Index x = state.watchers[state.nobody()]; x != state.nobody();
       x = state.next_watcher[x])
    if (begin <= x && x < end && state.is_skipped(x) == skipped) return x;
  return state.nobody();
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_DOMINANCE_HPP
