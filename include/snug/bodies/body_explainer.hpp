// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a node of the search for bodies failed.
///
/// A conflict is a set of members K and a set of skips F. It says of the state
/// in which it was found: no solution b that is settled there (body_model.hpp)
/// has
///
///   (a) every unplaced member in its domain, its open ranges taken whole,
///   (b) every placed member where it is, and
///   (c) no buffer of F at the lower end of one of its open ranges.
///
/// So it refutes every state in which K's bodies are placed, or have the same
/// domains, and those of F are skipped, whatever else was placed. If placing x
/// changed the domain of no member and x is no member, it refutes the parent.
/// Otherwise K with x refutes x at its candidate, given the parent's domains:
/// from those of the parent, placing x leads to those of the child.
///
/// *Sources.*
///
///   - release[x] >= t: by (a) if x's domain begins at t or above. Else all its
///     ranges below t are open, and x, at none of their lower ends, rests on a
///     neighbour; not on a placed one, which would be a lower end; so F gains
///     x, K gains x and all it has a relation to, and every unplaced y with
///     a domain that begins too low must be released above t - rest in turn.
///   - a clique that does not fit at threshold t by e: its jobs that begin at t
///     or above must begin at t - e + 1 at least; placed ones are members.
///   - nobody reaches x's slot (no_witness): all that x has a relation to are
///     members, and released at candidate + clear or above.
///   - a body without a domain is a member, and in F if a range of it is open.
///
/// A body can have several open ranges, by skips at different nodes. Joining
/// the conflict of an alternative takes a body out of F only if it had no open
/// range before that skip.
///
/// Cost and source: as plain/explainer.hpp.
#ifndef SNUG_BODIES_BODY_EXPLAINER_HPP
#define SNUG_BODIES_BODY_EXPLAINER_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/bodies/clique_bound.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyExplainer {
 public:
  BodyExplainer(const Component& component, Memory& memory)
      : asked_(memory.take<std::int64_t>(component.size, kNothing)),
        tasks_(memory, component.size),
        seen_(memory, component.size) {}

  /// Adds the reasons for release[x] >= needed.
  void release(const BodyState& state, Index x, std::int64_t needed,
               const Conflict& conflict) {
    demand(state, x, needed, conflict);
    settle(state, conflict);
  }

  /// Adds the reasons why nothing can hold x up.
  void unheld(const BodyState& state, Index x, const Conflict& conflict) {
    release(state, x, (state.end(x) - 1)->upper + 1, conflict);
  }

  /// Adds the reasons why x, which is skipped there, could have dropped to the
  /// lower end of its domain.
  void abandoned(const BodyState& state, Index x, const Conflict& conflict) {
    stuck(state, x, conflict);
    no_witness(state, x, state.begin(x)->lower, conflict);
  }

  /// Adds the reasons why x has nowhere to go.
  static void stuck(const BodyState& state, Index x, const Conflict& conflict) {
    set_bit(conflict.members(), x);
    if (state.is_open(x)) set_bit(conflict.skips(), x);
  }

  /// Adds the reasons why nobody can reach x's slot at `offset`.
  void no_witness(const BodyState& state, Index x, std::int64_t offset,
                  const Conflict& conflict) {
    add_neighbours(state, x, conflict);
    state.for_each_relation(x, [&](const Relation& relation) {
      demand(state, relation.body, offset + relation.clear, conflict);
    });
    settle(state, conflict);
  }

  void overflow(const BodyState& state, const CliqueOverflow& overflow,
                const Conflict& conflict) {
    // What overflows does so still if its jobs begin a little lower.
    const std::int64_t needed = overflow.threshold - overflow.excess + 1;
    for (const Job& job : state.component->jobs[overflow.clique]) {
      if (job.body == Job::kFixed) continue;
      const std::int64_t start = CliqueBound::start_of(state, job);
      if (overflow.holes || (!state.is_unplaced(job.body) && !job.is_idle &&
                             start + job.length > overflow.threshold))
        set_bit(conflict.members(), job.body);
      if (state.is_unplaced(job.body) && start >= overflow.threshold) {
        demand(state, job.body, needed - job.lower, conflict);
      }
    }
    settle(state, conflict);
  }

  /// Everything in `part`, all skips in it, and all it has a relation to: what
  /// a node rests on in which a body was reopened because all had been skipped.
  static void all(const BodyState& state, const Word* part,
                  const Conflict& conflict) {
    for_each_in_both(part, state.unplaced, conflict.words(), [&](Index x) {
      set_bit(conflict.members(), x);
      set_bit(conflict.skips(), x);
      add_neighbours(state, x, conflict);
    });
  }

 private:
  static constexpr std::int64_t kNothing = -kFar;

  struct Task {
    Index body;
    std::int64_t needed;
  };

  static void add_neighbours(const BodyState& state, Index x,
                             const Conflict& conflict) {
    for (const Relation& relation : state.component->relations[x])
      set_bit(conflict.members(), relation.body);
  }

  void demand(const BodyState& state, Index x, std::int64_t needed,
              const Conflict& conflict) {
    set_bit(conflict.members(), x);
    if (state.begin(x)->lower >= needed || asked_[x] >= needed) return;
    if (asked_[x] == kNothing) seen_.push(x);
    asked_[x] = needed;
    tasks_.push({x, needed});
  }

  void settle(const BodyState& state, const Conflict& conflict) {
    while (!tasks_.empty()) {
      const Task task = tasks_.pop();
      const Index x = task.body;
      if (asked_[x] > task.needed) continue;
      set_bit(conflict.skips(), x);
      add_neighbours(state, x, conflict);
      const std::int64_t support = support_needed(state, x, task.needed);
      state.for_each_relation(x, [&](const Relation& relation) {
        if (relation.rest < kFar && relation.rest > 0)
          demand(state, relation.body, support - relation.rest, conflict);
      });
    }
    for (const Index x : seen_) asked_[x] = kNothing;
    seen_.shrink(0);
  }

  /// The least support that keeps x out of its ranges below `needed`.
  [[nodiscard]] static std::int64_t support_needed(const BodyState& state,
                                                   Index x,
                                                   std::int64_t needed) {
    const Steps& steps = state.component->steps[x];
    std::int64_t support = -kFar;
    for (const Range* range = state.begin(x);
         range != state.end(x) && range->lower < needed; ++range) {
      SNUG_ASSERT(range->open && "a release is at most a candidate");
      // Above the last of its offsets below `needed`; its lower end is open.
      const std::int64_t last =
          (std::min)(range->upper, steps.down(needed - 1));
      if (last > range->lower) support = last + 1;
    }
    return support;
  }

  std::int64_t* asked_;  ///< what was asked of each release so far
  Stack<Task> tasks_;
  Stack<Index> seen_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_EXPLAINER_HPP
