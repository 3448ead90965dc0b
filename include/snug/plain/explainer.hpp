// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conflicts: why a node failed, in terms that outlive it.
///
/// A conflict is two sets of buffers, members K and skips F. It says of the
/// state in which it was found: no solution b of least sum (dominance.hpp) has
///
///   (a) b(y) >= m(y) for every unplaced y in K,
///   (b) the top of every placed z in K at or below m(y), for every unplaced y
///       in K that overlaps z, and
///   (c) b(x) != m(x) for every x in F.
///
/// A node admits only solutions with all three. So a conflict refutes every
/// state in which K's buffers are placed or not as they were, with the same m
/// and the skips F, whatever else has been placed.
///
/// *Sources.* Each failure is explained by the least it needs:
///
///   - r(x) >= t (Explainer::release): by (a) if m(x) >= t. Else x is skipped:
///     F gains x, K gains x and all its neighbours, placed or not, and every
///     unplaced neighbour y with m(y) + s(y) < t must have r(y) >= t - s(y) in
///     turn. For b is canonical and has x above m(x), so x rests on a
///     neighbour; not on a placed one, by (b); so on one of those.
///   - a section that overflows at threshold t by e: its buffers with r >= t
///     must have r >= t - e + 1; even then one byte is lacking.
///   - a slot that nobody wants (no_witness): all neighbours of x are in K, and
///     those with m(y) below x's top have r(y) at least there.
///
/// *Going back over a placement.* Let placing x at m(x) have failed with
/// (K, F). If x is not in K and no y in K was raised by it, then (a) to (c) say
/// the same without x: the conflict refutes the parent as it stands, and with
/// it all other choices there. Otherwise let K' be K with x and the reasons why
/// nobody can come to lie below x (eligible). If b has (a) to (c) for K' in the
/// parent, and x at m(x), then every raised y in K lies above x, for it does
/// not lie below; so b has (a) to (c) for K in the child: impossible. Hence
/// (K', F) says that b does not have x at m(x). For a forced placement that is
/// impossible too (no-hurt), given the reasons of no_witness, so (K', F) with
/// them refutes the parent.
///
/// *Joining.* If the other branch, in which x (and its twins) are skipped,
/// fails with (L, G): if G has none of them, (L, G) refutes the parent alone;
/// else (K' and L, F and G without them) does, for b has x or a twin at m(x) or
/// it does not. Twins are members of K', so that exchanging them keeps (a).
///
/// Cost: explaining visits the neighbours of the buffers that it adds; joining
/// is n / 32 words.
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

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Lane>
class Explainer {
 public:
  static constexpr Lane kNever = Instance<Lane>::kNever;

  Explainer(const Instance<Lane>& instance, Memory& memory)
      : explained_(memory.take<Lane>(instance.size, Lane{-1})),
        tasks_(memory, instance.size),
        seen_(memory, instance.size) {}

  /// Adds the reasons for r(x) >= needed.
  void release(const State<Lane>& state, Index x, Lane needed,
               const Conflict& conflict) {
    demand(state, x, needed, conflict);
    settle(state, conflict);
  }

  /// Adds the reasons why nobody else can come to lie at or below x's
  /// minimum offset (x was eligible).
  void eligible(const State<Lane>& state, Index x, const Conflict& conflict) {
    const Lane minimum = state.minimum[x];
    state.for_each_neighbour(x, [&](Index y) {
      if (state.top(y) <= minimum)
        demand(state, y,
               static_cast<Lane>(minimum - state.instance->length[y] + 1),
               conflict);
    });
    settle(state, conflict);
  }

  /// Adds the reasons why nobody can come to lie in x's slot.
  void no_witness(const State<Lane>& state, Index x, const Conflict& conflict) {
    add_neighbours(state, x, conflict);
    state.for_each_neighbour(x, [&](Index y) {
      if (state.minimum[y] < state.top(x))
        demand(state, y, state.top(x), conflict);
    });
    settle(state, conflict);
  }

  void add_neighbours(const State<Lane>& state, Index x,
                      const Conflict& conflict) const {
    const Instance<Lane>& instance = *state.instance;
    for (Index w = instance.row_begin[x]; w < instance.row_end[x]; ++w)
      conflict.members()[w] |= instance.row(x, w);
  }

  /// Adds the reasons why the unplaced buffers of a section, or of a clique (see
  /// PairCliqueBound::check()), do not fit.
  /// `begin` is the first buffer that may live there.
  void overflow(const State<Lane>& state, const Overflow<Lane>& overflow,
                Index begin, const Conflict& conflict) {
    const Instance<Lane>& instance = *state.instance;
    // The section stays over full as long as the threshold does not sink by
    // the whole excess, so less is asked of each release.
    const Lane needed =
        static_cast<Lane>(overflow.threshold - overflow.excess + 1);
    const auto add = [&](Index y) {
      if (state.release[y] >= overflow.threshold && state.is_unplaced(y))
        demand(state, y, needed, conflict);
    };
    if (overflow.section >= instance.sections) {
      const PairCliques& cliques = instance.cliques;
      const Index c = overflow.section - instance.sections;
      for (Index k = cliques.begin[c]; k < cliques.begin[c + 1]; ++k)
        add(cliques.member[k]);
    } else {
      const Index end = instance.first_at[overflow.section + 1];
      for (Index y = begin; y < end; ++y)
        if (instance.upper[y] > overflow.section) add(y);
    }
    settle(state, conflict);
  }

 private:
  struct Task {
    Index buffer;
    Lane needed;
  };

  void demand(const State<Lane>& state, Index x, Lane needed,
              const Conflict& conflict) {
    set_bit(conflict.members(), x);
    if (state.minimum[x] >= needed || explained_[x] >= needed) return;
    if (explained_[x] < 0) seen_.push(x);
    explained_[x] = needed;
    tasks_.push({x, needed});
  }

  void settle(const State<Lane>& state, const Conflict& conflict) {
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.shrink(tasks_.size() - 1);
      if (explained_[task.buffer] > task.needed) continue;
      SNUG_ASSERT(state.is_skipped(task.buffer) && "only skips raise releases");
      set_bit(conflict.skips(), task.buffer);
      add_neighbours(state, task.buffer, conflict);
      const Lane needed = state.instance->above(task.buffer, task.needed);
      state.for_each_neighbour(task.buffer, [&](Index y) {
        if (state.top(y) < needed)
          demand(state, y,
                 static_cast<Lane>(needed - state.instance->length[y]),
                 conflict);
      });
    }
    for (const Index x : seen_) explained_[x] = -1;
    seen_.shrink(0);
  }

  Lane* explained_;  ///< what was asked of each release so far
  Stack<Task> tasks_;
  Stack<Index> seen_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_EXPLAINER_HPP
