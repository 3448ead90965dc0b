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
/// Argument, for both and for all rules of the search together. Among the
/// solutions of the whole problem (if it has any) take one with the least sum
/// of offsets; call it best. Best is canonical: a buffer that could drop would
/// lower the sum. Call a node *good* if best agrees with it: every placed
/// buffer sits where best has it, and no skipped buffer x sits at its m(x) in
/// best. The root is good. In a good node, r(y) is at most best's offset of y
/// for every unplaced y (releases.hpp), so a slot that nobody's release allows
/// is empty in best over x's lifespan from m(x) upwards to m(x) + s(x), and x
/// could drop to m(x): placed neighbours end at or below m(x), or... they lie
/// wholly below m(x) by its definition, and unplaced ones lie above the slot
/// or are x itself. As best has the least sum, x sits at m(x) already. So if x
/// is not skipped, placing it leads to a good node; and if x is skipped, the
/// node was not good. A branch on an eligible x splits good nodes into two, of
/// which one is good. Rules that refute a node by bounds refute no good node.
/// So every good node has a good child until all is placed: the search finds
/// best, unless it finds another solution first. The argument speaks of the
/// unplaced buffers' m and skips alone, so it still holds when failed states
/// are remembered (failed_states.hpp).
///
/// *Twins.* Identical buffers (same span, size, alignment) can be exchanged.
/// Of all best solutions take one that puts... any order of the offsets among
/// twins; so when a solution has a twin of x at m(x), another one, with the
/// same sum, has x there. After x at m(x) is refuted, all its twins with the
/// same m are skipped with it.
///
/// *Witnesses.* Each unplaced x remembers a neighbour y with r(y) < m(x) +
/// s(x). Only when y is placed or its release rises, x is looked at again; a
/// buffer without a witness is pending until it is placed or fails the node.
///
/// Cost: amortised, the watchers of changed buffers; a scan of x's neighbours
/// for each witness lost. Source: MiniMalloc (ASPLOS 2023), dominance and
/// hatless pruning, of which these are generalisations.
#ifndef SNUG_SEARCH_DOMINANCE_HPP
#define SNUG_SEARCH_DOMINANCE_HPP

#include "snug/config.hpp"
#include "snug/search/bits.hpp"
#include "snug/search/state.hpp"

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
        state.trail[k].change == State<Lane>::Change::kSpare)
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

#endif  // SNUG_SEARCH_DOMINANCE_HPP
