// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search for bodies: place or skip, depth first, over domains.
///
/// It is the search of plain/plain_model.hpp with less taken for granted. There,
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
/// *Why it is complete.* If the component has solutions, let B be those with
/// the least sum of offsets. A node *admits* b in B if b has every placed body
/// where it is, and nobody at the lower end of an open range. The root admits
/// all of B. A node that admits b has a child that admits some b' in B:
///
///   - Branching on x: b has x at its candidate or it does not.
///   - Domains: b has every body in its domain, as it meets no placed one.
///   - Releases and cliques refute no node that admits b (body_releases.hpp,
///     clique_bound.hpp).
///   - *No-hurt placement*: if x's first range is not open and every unplaced y
///     is released at candidate(x) + clear or above, x could drop there from
///     wherever it is without meeting anybody. The sum of b is least: it is
///     there. *Abandoned slot*: if the range is open instead, b would have x at
///     its lower end; the node admits no b.
///   - *Twins* have the same slabs and grid. They are skipped together where
///     their domains are the same, for exchanging two of them keeps the sum.
///   - *Nobody has a candidate*: in b somebody rests on a fixed or placed body
///     or on the base, if no set of bodies can be held up by itself alone.
///     Where all grids have the same step it cannot (such a set could drop by
///     a step together): the component is *grounded* and the node fails. Else
///     the lowest release of the part becomes a candidate, support or not.
///   - Parts: bodies of which no chain of relations between unplaced bodies
///     leads to the others are independent.
///
/// What is remembered and how failures are explained: body_conflict.hpp.
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
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/failed_states.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/plain/explainer.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodySearch {
 public:
  BodySearch(const Component& component, std::int64_t capacity,
             const Options& options, Stats& stats, Limits& limits,
             Memory& memory)
      : rules_(options.rules),
        component_(&component),
        stats_(&stats),
        limits_(&limits),
        state_(component, capacity, memory),
        chooser_(component, memory),
        releases_(component, memory),
        bound_(component, memory),
        dominance_(component, memory),
        explainer_(component, memory),
        failed_(rules_.conflict_sets ? component.words() : 0,
                options.failed_state_bytes, memory),
        conflict_(memory.take<Word>(2 * std::size_t{component.words()}),
                  component.words()),
        nodes_(memory, std::size_t{component.size} + 1),
        parts_(component, memory),
        alternatives_(component, memory) {}

  [[nodiscard]] BodyChooser& chooser() noexcept { return chooser_; }
  /// Where the bodies are, after kPlacedAll.
  [[nodiscard]] const std::int64_t* offsets() const noexcept {
    return state_.offset;
  }
  /// After kRefuted, if rules.conflict_sets is on: bodies that do not fit
  /// together in the domains that narrow_all() leaves at the root, with those
  /// of prefer() where they are. All bodies if that took no node.
  [[nodiscard]] const Word* refuted() const noexcept {
    return conflict_.members();
  }

  /// Before the first run: see BodyState::prefer().
  [[nodiscard]] bool prefer(const std::int64_t* wanted) {
    return state_.prefer(wanted);
  }

  /// Searches from the root for at most `nodes` nodes.
  [[nodiscard]] Outcome run(std::int64_t nodes) {
    if (!start()) return Outcome::kRefuted;
    if (nodes_.back().part.unplaced == 0) return Outcome::kPlacedAll;
    failed_.prepare(nodes);
    const std::int64_t start_nodes = stats_->nodes;
    for (;;) {
      if (stats_->nodes - start_nodes >= nodes || limits_->hit(stats_->nodes))
        return Outcome::kStopped;
      const bool found = choose();
      if (found && descend()) {
        if (!next_part()) return Outcome::kPlacedAll;
      } else if (!(found ? backtrack() : give_up())) {
        return Outcome::kRefuted;
      }
    }
  }

 private:
  /// A node on the path: a part, and the body placed or to be placed next.
  struct Node {
    BodyPart part{};
    Index chosen = 0;
    bool forced = false;
    bool blind = false;            ///< its conflict is not known: everything
    std::size_t mark = 0;          ///< trail before `chosen` was placed
    std::size_t raised = 0;        ///< trail after domains were cut
    std::size_t alternatives = 0;  ///< first of its refuted alternatives
    BodyParts::Mark parts{};       ///< before the parts below it
    std::size_t next_part = 0;
  };

  /// Back to the root. False when it is refuted at once.
  [[nodiscard]] bool start() {
    state_.undo_to(0);
    nodes_.shrink(0);
    alternatives_.shrink(0);
    set_range(conflict_.members(), 0, component_->size);
    for (Index x = 0; x < component_->size; ++x)
      if (state_.is_unplaced(x) && state_.begin(x) == state_.end(x))
        return false;
    if (state_.narrow_all() != state_.nobody()) return false;
    if (rules_.section_inference && bound_.check_all(state_).excess > 0)
      return false;
    state_.trail.shrink(0);
    push_node(parts_.start(state_));
    return true;
  }

  void push_node(const BodyPart& part) {
    Node node;
    node.part = part;
    node.alternatives = alternatives_.size();
    node.parts = parts_.mark();
    node.next_part = parts_.size();
    nodes_.push(node);
  }

  /// Chooses the body to branch on. False if the part has none, and so no
  /// solution.
  [[nodiscard]] bool choose() {
    Node& node = nodes_.back();
    const Word* const set = parts_.set_of(node.part);
    node.chosen = rules_.no_hurt_placement
                      ? dominance_.find_pending(state_, set, false)
                      : state_.nobody();
    node.forced = node.chosen != state_.nobody();
    if (!node.forced) node.chosen = chooser_.choose(state_, set);
    if (node.chosen == state_.nobody()) {
      if (component_->grounded) return false;
      node.blind = true;
      node.chosen = chooser_.lowest_release(state_, set);
      const Key before = state_.key;
      state_.reopen(node.chosen, state_.release[node.chosen]);
      node.part.key += state_.key;
      node.part.key -= before;
    }
    node.mark = node.raised = state_.trail.size();
    return true;
  }

  /// Places the chosen body and pushes the parts that remain. False, with the
  /// conflict, when that is refuted at once.
  [[nodiscard]] bool descend() {
    Node& node = nodes_.back();
    ++stats_->nodes;
    const Key before = state_.key;
    Index stuck = state_.place(node.chosen, state_.candidate(node.chosen));
    if (stuck == state_.nobody()) stuck = state_.narrow(node.mark);
    node.raised = state_.trail.size();
    if (stuck != state_.nobody()) {
      conflict_.clear();
      BodyExplainer::stuck(state_, stuck, conflict_);
      return end_conflict();
    }
    if (!propagate(node.mark, parts_.set_of(node.part))) return false;
    Key rest = node.part.key;
    rest += state_.key;
    rest -= before;
    node.next_part = node.parts.parts;
    parts_.split(state_, node.part, rest, rules_.decomposition);
    for (std::size_t k = node.parts.parts; k < parts_.size(); ++k)
      if (is_known(parts_[k].key)) return false;
    return true;
  }

  /// Draws the conclusions from the changes after `mark`. False, with the
  /// conflict, when they refute the node.
  [[nodiscard]] bool propagate(std::size_t mark, const Word* set) {
    const Index unheld = releases_.update(state_, set);
    if (unheld != state_.nobody()) {
      conflict_.clear();
      explainer_.unheld(state_, unheld, conflict_);
      return end_conflict();
    }
    if (rules_.section_inference) {
      const CliqueOverflow overflow = bound_.check(state_, mark);
      if (overflow.excess > 0) {
        conflict_.clear();
        explainer_.overflow(state_, overflow, conflict_);
        return end_conflict();
      }
    }
    if (!rules_.abandoned_slot) return true;
    const Index abandoned = dominance_.find_pending(state_, set, true);
    if (abandoned == state_.nobody()) return true;
    conflict_.clear();
    explainer_.abandoned(state_, abandoned, conflict_);
    return end_conflict();
  }

  [[nodiscard]] bool end_conflict() {
    if (rules_.failure_weights) weights_.blame(state_, conflict_);
    return false;
  }

  [[nodiscard]] bool is_known(const Key& key) {
    if (!rules_.failed_states) return false;
    const std::size_t slot = failed_.find(key);
    if (slot == FailedStates::kNone) return false;
    if (rules_.conflict_sets) conflict_.assign(failed_.conflict(slot));
    return true;
  }

  /// Goes on with the next part that is not placed yet. False if none is left.
  [[nodiscard]] bool next_part() {
    for (; !nodes_.empty(); drop_node()) {
      Node& node = nodes_.back();
      if (node.next_part == parts_.size()) continue;
      push_node(parts_[node.next_part++]);
      return true;
    }
    return false;
  }

  void drop_node() {
    const Node& node = nodes_.back();
    parts_.shrink(node.parts);
    alternatives_.shrink(node.alternatives);
    nodes_.shrink(nodes_.size() - 1);
  }

  /// Leaves a node in which nobody has a candidate.
  [[nodiscard]] bool give_up() {
    conflict_.clear();
    BodyExplainer::all(state_, parts_.set_of(nodes_.back().part), conflict_);
    if (rules_.failure_weights) weights_.blame(state_, conflict_);
    remember(nodes_.back().part.key);
    fail_node();
    return backtrack();
  }

  /// Undoes nodes until one has another alternative, and takes it. False if
  /// none has.
  [[nodiscard]] bool backtrack() {
    for (; !nodes_.empty(); fail_node()) {
      Node& node = nodes_.back();
      ++stats_->backtracks;
      const bool relevant = !rules_.conflict_sets || is_relevant(node);
      if (relevant) blame_causes(node);
      state_.undo_to(node.mark);
      parts_.shrink(node.parts);
      if (relevant) blame_choice(node);
      if (!relevant || node.forced) {
        remember(node.part.key);
        continue;
      }
      if (skip_choice(node)) return true;
    }
    return false;
  }

  /// Whether the conflict speaks of what placing the chosen body changed.
  [[nodiscard]] bool is_relevant(const Node& node) const {
    if (has_bit(conflict_.members(), node.chosen)) return true;
    for (std::size_t k = node.mark + 1; k < node.raised; ++k)
      if (has_bit(conflict_.members(), state_.trail[k].body)) return true;
    return false;
  }

  /// Adds the bodies that narrowed the domains of members.
  void blame_causes(const Node& node) {
    for (std::size_t k = node.raised; k-- > node.mark + 1;) {
      const auto& entry = state_.trail[k];
      if (entry.cause != state_.nobody() &&
          has_bit(conflict_.members(), entry.body))
        set_bit(conflict_.members(), entry.cause);
    }
  }

  void blame_choice(const Node& node) {
    if (!rules_.conflict_sets) return;
    set_bit(conflict_.members(), node.chosen);
    if (node.forced)
      explainer_.no_witness(state_, node.chosen, state_.candidate(node.chosen),
                            conflict_);
  }

  /// Takes the other branch: the chosen body, and its twins, are not at their
  /// candidate.
  [[nodiscard]] bool skip_choice(Node& node) {
    const Index x = node.chosen;
    BodyAlternative alternative{node.part.key, state_.trail.size(), 1};
    const Key before = state_.key;
    if (rules_.twins && !node.blind)
      for (Index y = component_->twin[x]; y != x; y = component_->twin[y]) {
        if (!state_.is_unplaced(y) || !state_.same_domain(x, y)) continue;
        state_.skip(y);
        set_bit(conflict_.members(), y);
        ++alternative.skips;
      }
    state_.skip(x);
    node.part.key += state_.key;
    node.part.key -= before;
    alternatives_.push(alternative, conflict_);
    return propagate(alternative.mark, parts_.set_of(node.part)) &&
           !is_known(node.part.key);
  }

  /// Ends a node all of whose alternatives are refuted: the conflict of the
  /// last one grows by those of the skips that it rests on.
  void fail_node() {
    const Node& node = nodes_.back();
    if (node.blind)
      BodyExplainer::all(state_, parts_.set_of(node.part), conflict_);
    while (alternatives_.size() > node.alternatives) {
      const BodyAlternative& alternative = alternatives_.back();
      bool used = !rules_.conflict_sets;
      for (std::size_t k = alternative.mark;
           k < alternative.mark + alternative.skips; ++k) {
        const auto& entry = state_.trail[k];
        used = used || has_bit(conflict_.skips(), entry.body);
        if (!node.blind && !state_.is_open(entry.domain))
          clear_bit(conflict_.skips(), entry.body);
      }
      if (used) conflict_.join(alternatives_.last_conflict());
      remember(alternative.key);
      alternatives_.shrink(alternatives_.size() - 1);
    }
    drop_node();
  }

  void remember(const Key& key) {
    if (rules_.failed_states) failed_.insert(key, conflict_);
  }

  Rules rules_;
  const Component* component_;
  Stats* stats_;
  Limits* limits_;
  BodyState state_;
  BodyChooser chooser_;
  BodyReleases releases_;
  CliqueBound bound_;
  BodyDominance dominance_;
  BodyExplainer explainer_;
  BodyWeights weights_;
  FailedStates failed_;
  Conflict conflict_;
  Stack<Node> nodes_;
  BodyParts parts_;
  BodyAlternatives alternatives_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_MODEL_HPP
