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
/// *Why the model keeps what a state admits* (engine/tree_search.hpp), with
/// these and all other rules. A solution b is settled in a state if it has the
/// placed buffers where they are, the others at m or above, and no unplaced x
/// could move alone to an address in [m(x), b(x)). Let the state admit b: then
/// b(x) > m(x) for each skipped x, too.
///
///   - Bounds. In b every unplaced y lies at r(y) or above (releases.hpp) and
///     the buffers of a section fit below the capacity, so no bound refutes
///     the state (section_bound.hpp).
///   - Branching on x of the lowest release. Let b have x at m(x). An unplaced
///     neighbour y has b(y) >= r(y) >= r(x) = m(x), so it lies above x, at the
///     m that it has after x was placed or above. There it can move to no more
///     addresses than before, and skips that remain are as they were: the child
///     that places x admits b. If b has x elsewhere, the state with x skipped
///     does.
///   - Slots. In b all unplaced neighbours of x lie above its slot, by their
///     releases, and all placed ones end at or below m(x), by its definition.
///     So x could move to m(x); as b is settled, it sits there. If x is not
///     skipped, the child that places it admits b; and it cannot be skipped.
///   - *Twins*, buffers of the same span, size, alignment and pairs, are skipped
///     together where they have the same m. If b has a twin of x at m(x),
///     exchanging the two gives a settled b', which the child that places x
///     admits: both are allowed where they go, since neither is skipped. So
///     once that child is refuted, no b has x or such a twin at m(x).
///   - Parts have no neighbours outside, so b is settled in each (part.hpp).
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
#include "snug/plain/state.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An unplaced neighbour of x with a release below x's top, or nobody().
template <class Units>
[[nodiscard]] Index find_witness(const State<Units>& state, Index x) {
  const Units top = state.top(x);
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
template <class Units>
void update_witnesses(State<Units>& state, std::size_t mark) {
  const std::size_t end = state.trail.size();
  for (std::size_t k = mark; k < end; ++k) {
    if (state.trail[k].change > State<Units>::Change::kReleased) continue;
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
template <class Units>
[[nodiscard]] Index find_pending(const State<Units>& state, Index begin,
                                 Index end, bool skipped) {
  for (Index x = state.watchers[state.nobody()]; x != state.nobody();
       x = state.next_watcher[x])
    if (begin <= x && x < end && state.is_skipped(x) == skipped) return x;
  return state.nobody();
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_DOMINANCE_HPP
