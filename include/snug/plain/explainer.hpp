// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conflicts: why a node failed, in terms that outlive it.
///
/// A conflict is two sets of buffers, members K and skips F. It says of the
/// state in which it was found: no solution b has
///
///   (a) b(y) >= m(y) for every unplaced y in K, and no address in
///       [m(y), b(y)) to which y could move alone,
///   (b) the top of every placed z in K at or below m(y), for every unplaced y
///       in K that overlaps z, and
///   (c) b(x) != m(x) for every x in F.
///
/// A state admits only solutions with all three (dominance.hpp). So a conflict
/// refutes every state in which K's buffers are placed or not as they were,
/// with the same m and the skips F, whatever else has been placed.
///
/// *Sources.* Each failure is explained by the least it needs:
///
///   - r(x) >= t (Explainer::release): by (a) if m(x) >= t. Else x is skipped:
///     F gains x, K gains x and all its neighbours, placed or not, and every
///     unplaced neighbour y with m(y) + s(y) < t must have r(y) >= t - s(y) in
///     turn. For b has x above m(x), and x could not move down, so it rests on
///     a neighbour; not on a placed one, by (b); so on one of those.
///   - a section that overflows at threshold t by e: its buffers with r >= t
///     must have r >= t - e + 1; even then one byte is lacking.
///   - a slot that nobody wants (no_witness): all neighbours of x are in K, and
///     those with m(y) below x's top have r(y) at least there. So x could move
///     to m(x), and is there.
///
/// *Going back over a placement.* Let placing x at m(x) have failed with
/// (K, F). If x is not in K and no y in K was raised by it, then (a) to (c) say
/// the same without x. Otherwise let b have (a) to (c) for K and x before, and
/// x at m(x). Each raised y in K had m(y) + s(y) > m(x): else it was skipped,
/// as it was released at m(x) or above, and so were all its unplaced
/// neighbours; then nobody wanted its slot, and the state had been refuted. So
/// y lies above x in b, which has (a) to (c) for K after the placement:
/// impossible. Hence (K and x, F) says that b does not have x at m(x).
///
/// (With Rules::abandoned_slot off such a y may be there, and lie below x in b.
/// But what is concluded is used only together with a conflict that rests on
/// the skip of x. That one has y in F as well, for it explains r(x) > m(x); y
/// was skipped before x, so it is still there when the two are joined; and
/// r(y) >= m(x) follows from it.)
///
/// For a forced placement x is at m(x), given the reasons of no_witness. Twins
/// are members, so that exchanging them keeps (a). The rest of the argument is
/// in engine/tree_search.hpp.
///
/// Cost: the neighbours of the buffers that it adds.
/// Source: conflict-directed backjumping, Prosser, "Hybrid algorithms for the
/// constraint satisfaction problem" (Computational Intelligence 9, 1993).
#ifndef SNUG_PLAIN_EXPLAINER_HPP
#define SNUG_PLAIN_EXPLAINER_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class Explainer {
 public:
  Explainer(const Instance<Units>& instance, Memory& memory)
      : explained_(memory.take<Units>(instance.size, Units{-1})),
        tasks_(memory, instance.size),
        seen_(memory, instance.size) {}

  /// Adds the reasons for r(x) >= needed.
  void release(const State<Units>& state, Index x, Units needed,
               const Conflict& conflict) {
    demand(state, x, needed, conflict);
    settle(state, conflict);
  }

  /// Adds the reasons why nobody can come to lie in x's slot.
  void no_witness(const State<Units>& state, Index x,
                  const Conflict& conflict) {
    add_neighbours(state, x, conflict);
    state.for_each_neighbour(x, [&](Index y) {
      if (state.minimum[y] < state.top(x))
        demand(state, y, state.top(x), conflict);
    });
    settle(state, conflict);
  }

  void add_neighbours(const State<Units>& state, Index x,
                      const Conflict& conflict) const {
    const Instance<Units>& instance = *state.instance;
    for (Index w = instance.row_begin[x]; w < instance.row_end[x]; ++w)
      conflict.members()[w] |= instance.row(x, w);
  }

  /// Adds the reasons why the unplaced buffers of a section, or of a clique (see
  /// PairCliqueBound::check()), do not fit, or not its holes (hole_bound.hpp).
  /// `begin` is the first buffer that may live there.
  void overflow(const State<Units>& state, const Overflow<Units>& overflow,
                Index begin, const Conflict& conflict) {
    const Instance<Units>& instance = *state.instance;
    // The section stays over full as long as the threshold does not sink by
    // the whole excess, so less is asked of each release.
    const Units needed =
        static_cast<Units>(overflow.threshold - overflow.excess + 1);
    const auto add = [&](Index y) {
      if (state.release[y] >= overflow.threshold && state.is_unplaced(y))
        demand(state, y, needed, conflict);
    };
    if (overflow.section >= instance.sections) {
      const Index c = overflow.section - instance.sections;
      for (const Index y : instance.cliques.members[c]) add(y);
    } else {
      const Index end = instance.first_at[overflow.section + 1];
      for (Index y = (std::max)(begin, instance.first_live[overflow.section]);
           y < end; ++y)
        if (instance.upper[y] > overflow.section) add(y);
    }
    settle(state, conflict);
  }

 private:
  struct Task {
    Index buffer;
    Units needed;
  };

  void demand(const State<Units>& state, Index x, Units needed,
              const Conflict& conflict) {
    set_bit(conflict.members(), x);
    if (state.minimum[x] >= needed || explained_[x] >= needed) return;
    if (explained_[x] < 0) seen_.push(x);
    explained_[x] = needed;
    tasks_.push({x, needed});
  }

  void settle(const State<Units>& state, const Conflict& conflict) {
    while (!tasks_.empty()) {
      const Task task = tasks_.pop();
      if (explained_[task.buffer] > task.needed) continue;
      SNUG_ASSERT(state.is_skipped(task.buffer) && "only skips raise releases");
      set_bit(conflict.skips(), task.buffer);
      add_neighbours(state, task.buffer, conflict);
      const Units needed = state.instance->above(task.buffer, task.needed);
      state.for_each_neighbour(task.buffer, [&](Index y) {
        if (state.top(y) < needed)
          demand(state, y,
                 static_cast<Units>(needed - state.instance->length[y]),
                 conflict);
      });
    }
    for (const Index x : seen_) explained_[x] = -1;
    seen_.shrink(0);
  }

  Units* explained_;  ///< what was asked of each release so far
  Stack<Task> tasks_;
  Stack<Index> seen_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_EXPLAINER_HPP
