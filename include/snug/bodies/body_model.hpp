// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The model of rigid bodies, over domains.
///
/// It takes less for granted than plain/plain_model.hpp. There,
/// everything that is placed lies below everything that is not. Here fixed and
/// placed bodies can be anywhere, and windows let bodies reach under and into
/// one another. So each body has a domain of offsets (domain.hpp) from which
/// the placed ones are cut out, and branching is on its lowest lower end:
///
///     x sits at its candidate                                        (place)
///     or it does not: the range becomes open                          (skip)
///
/// The two cases exclude each other and are all there is, for any body.
///
/// *Why it keeps what a state admits* (engine/tree_search.hpp). Offsets left to
/// a body are those of its domain. Let b be admitted.
///
///   - Branching on x: b has x at its candidate or it does not.
///   - Domains: b has every body in its domain, as it meets no placed one.
///   - Releases and cliques refute no state that admits b (body_releases.hpp,
///     clique_bound.hpp).
///   - *No-hurt placement*: if x's first range is not open and every unplaced y
///     is released at candidate(x) + clear or above, x could move there from
///     wherever it is without meeting anybody. As b is settled, it is there.
///     *Abandoned slot*: if the range is open instead, b would have x at its
///     lower end; the state admits no b.
///   - *Twins* have the same slabs and grid. They are skipped together where
///     their domains are the same: exchanging two of them keeps b settled.
///   - *Nobody has a candidate*: in b somebody rests on a fixed or placed body
///     or on the base, if no set of bodies can be held up by itself alone.
///     Where all grids have the same step it cannot, for such a set could move
///     down by a step together: the component is *grounded* and the node fails.
///     Else the lowest release of the part becomes a candidate, support or not.
///   - Parts: bodies of which no chain of relations between unplaced bodies
///     leads to the others are independent.
///
/// Why a node failed: body_explainer.hpp.
///
/// Cost of a node: the relations of the placed body and of the skipped ones,
/// the cliques whose spare is used up, and n^2 / 64 words to find the parts.
/// Source: as plain/plain_model.hpp; domains as in constraint programming.
#ifndef SNUG_BODIES_BODY_MODEL_HPP
#define SNUG_BODIES_BODY_MODEL_HPP

#include "snug/bodies/body_chooser.hpp"
#include "snug/bodies/body_dominance.hpp"
#include "snug/bodies/body_explainer.hpp"
#include "snug/bodies/body_parts.hpp"
#include "snug/bodies/body_releases.hpp"
#include "snug/bodies/body_state.hpp"
#include "snug/bodies/body_weights.hpp"
#include "snug/bodies/clique_bound.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/engine/tree_search.hpp"
#include "snug/model/tuning.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// See engine/tree_search.hpp for what its functions promise.
class BodyModel {
 public:
  using Instance = Component;
  using Offset = std::int64_t;
  using Part = BodyPart;
  using PartsMark = BodyParts::Mark;
  static constexpr bool kHasLongNodes = true;

  /// The search of `component`, which must outlive it, at `capacity`.
  BodyModel(const Component& component, std::int64_t capacity,
            const Rules& rules, Memory& memory)
      : rules_(rules),
        component_(&component),
        state_(component, capacity, memory),
        chooser_(component, memory),
        releases_(component, memory),
        bound_(component, memory),
        dominance_(component, memory),
        explainer_(component, memory),
        parts_(component, memory) {}

  [[nodiscard]] Index size() const noexcept { return component_->size; }
  [[nodiscard]] Index words() const noexcept { return component_->words(); }
  [[nodiscard]] const std::int64_t* offsets() const noexcept {
    return state_.offset;
  }

  void use(const Strategy& strategy) { chooser_.use(strategy); }
  void shake(Random& random, std::int32_t amount) {
    chooser_.preorder().shake(random, amount);
  }
  [[nodiscard]] const BodyState& state() const noexcept { return state_; }

  /// What narrow_all() and the bounds find out at the root stays. If that
  /// refutes it, no less than all bodies are known to be why.
  [[nodiscard]] bool start(const Conflict& conflict) {
    state_.undo_to(0);
    conflict.fill(size());
    for (Index x = 0; x < size(); ++x)
      if (state_.is_unplaced(x) && state_.begin(x) == state_.end(x))
        return false;
    if (state_.narrow_all() != state_.nobody()) return false;
    if (rules_.section_inference && bound_.check_all(state_).excess > 0)
      return false;
    state_.trail.shrink(0);
    return true;
  }
  [[nodiscard]] Part root() { return parts_.start(state_); }

  [[nodiscard]] bool choose(const Part& part, Decision& decision) {
    const Word* const set = parts_.set_of(part);
    decision = {find_pending(set, false), Decision::Kind::kForced};
    if (decision.item != state_.nobody()) return true;
    decision = {chooser_.choose(state_, set), Decision::Kind::kBranch};
    if (decision.item != state_.nobody()) return true;
    decision.kind = Decision::Kind::kNone;
    if (component_->grounded) return false;
    decision = {BodyChooser::lowest_release(state_, set),
                Decision::Kind::kBlind};
    state_.reopen(decision.item, state_.release[decision.item]);
    return true;
  }

  [[nodiscard]] bool place(Index x, const Part& part, std::size_t mark,
                           std::size_t& raised, const Conflict& conflict) {
    Index stuck = state_.place(x, state_.candidate(x));
    if (stuck == state_.nobody()) stuck = state_.narrow(mark);
    raised = state_.trail.size();
    if (stuck == state_.nobody()) return propagate(mark, part, conflict);
    conflict.clear();
    BodyExplainer::stuck(state_, stuck, conflict);
    note_failure(conflict);
    return false;
  }
  [[nodiscard]] bool propagate(std::size_t mark, const Part& part,
                               const Conflict& conflict) {
    conflict.clear();
    if (explain_unheld(part, conflict) || explain_overflow(mark, conflict) ||
        explain_abandoned(part, conflict)) {
      note_failure(conflict);
      return false;
    }
    return true;
  }
  void split(const Part& part, const Key& key, Index placed) {
    parts_.split(state_, part, key, placed, rules_.decomposition);
  }

  /// Twins are skipped where they have the same domain.
  [[nodiscard]] Index skip(const Decision& decision, const Conflict& conflict) {
    const Index x = decision.item;
    Index skips = 1;
    if (rules_.twins && decision.kind != Decision::Kind::kBlind)
      for (Index y = component_->twin[x]; y != x; y = component_->twin[y]) {
        if (!state_.is_unplaced(y) || !state_.same_domain(x, y)) continue;
        state_.skip(y);
        set_bit(conflict.members(), y);
        ++skips;
      }
    state_.skip(x);
    return skips;
  }

  [[nodiscard]] BodyParts& parts() noexcept { return parts_; }
  [[nodiscard]] const Key& key() const noexcept { return state_.key; }
  [[nodiscard]] std::size_t trail_size() const noexcept {
    return state_.trail.size();
  }
  [[nodiscard]] Index item_at(std::size_t k) const noexcept {
    return state_.trail[k].body;
  }
  void undo_to(std::size_t size) { state_.undo_to(size); }
  [[nodiscard]] bool is_first_skip(std::size_t k) const noexcept {
    return !state_.is_open(state_.trail[k].domain);
  }

  /// Adds the bodies that narrowed the domains of members.
  void blame_causes(std::size_t mark, std::size_t raised,
                    const Conflict& conflict) const {
    for (std::size_t k = raised; k-- > mark + 1;) {
      const BodyState::TrailEntry& entry = state_.trail[k];
      if (entry.cause != state_.nobody() &&
          has_bit(conflict.members(), entry.body))
        set_bit(conflict.members(), entry.cause);
    }
  }
  void blame_force(const Decision& decision, const Conflict& conflict) {
    explainer_.no_witness(state_, decision.item,
                          state_.candidate(decision.item), conflict);
  }
  void blame_part(const Part& part, const Conflict& conflict) const {
    BodyExplainer::all(state_, parts_.set_of(part), conflict);
  }
  void note_failure(const Conflict& conflict) {
    if (rules_.failure_weights) weights_.blame(state_, conflict);
  }

 private:
  /// Whether nothing can hold up a skipped body any more.
  [[nodiscard]] bool explain_unheld(const Part& part,
                                    const Conflict& conflict) {
    const Index x = releases_.update(state_, parts_.set_of(part));
    if (x == state_.nobody()) return false;
    explainer_.unheld(state_, x, conflict);
    return true;
  }

  /// Whether the jobs of a clique no longer fit.
  [[nodiscard]] bool explain_overflow(std::size_t mark,
                                      const Conflict& conflict) {
    if (!rules_.section_inference) return false;
    const CliqueOverflow overflow = bound_.check(state_, mark);
    if (overflow.excess <= 0) return false;
    explainer_.overflow(state_, overflow, conflict);
    return true;
  }

  /// Whether nobody wants the slot of a skipped body any more.
  [[nodiscard]] bool explain_abandoned(const Part& part,
                                       const Conflict& conflict) {
    const Index x = find_pending(parts_.set_of(part), true);
    if (x == state_.nobody()) return false;
    explainer_.abandoned(state_, x, conflict);
    return true;
  }

  /// A body of the set whose slot nobody wants, skipped or not.
  [[nodiscard]] Index find_pending(const Word* set, bool skipped) {
    if (!(skipped ? rules_.abandoned_slot : rules_.no_hurt_placement))
      return state_.nobody();
    return dominance_.find_pending(state_, set, skipped);
  }

  Rules rules_;
  const Component* component_;
  BodyState state_;
  BodyChooser chooser_;
  BodyReleases releases_;
  CliqueBound bound_;
  BodyDominance dominance_;
  BodyExplainer explainer_;
  BodyWeights weights_;
  BodyParts parts_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_MODEL_HPP
