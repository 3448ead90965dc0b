// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search: place or raise, depth first, over canonical solutions.
///
/// *Canonical solutions.* Push every buffer of a placement down as far as it
/// goes: each then sits at 0 or on top of an overlapping buffer (rounded up to
/// its alignment). Searching only these loses nothing. Let m(x) be the lowest
/// address at which an unplaced x can still sit: 0, or the highest top of a
/// placed overlapping buffer.
///
/// *Branching.* Take an unplaced x below which nobody can come to lie any
/// more: m(x) < r(y) + s(y) for every unplaced neighbour y, where r(y) is y's
/// release (releases.hpp). The unplaced buffer of the lowest release is one.
/// In a canonical solution x either
///
///     sits at m(x), and all its unplaced neighbours lie above it    (place)
///     or does not: an unplaced neighbour holds it up                (raise)
///
/// In the second case x is *skipped*: it may not be placed until its m rises.
/// The two cases exclude each other, so each canonical solution is found in
/// exactly one branch, whatever x is chosen. MiniMalloc places buffers in the
/// order of their offsets; here unrelated regions of time are not interleaved.
///
///        |     |  y  |           x skipped at 0: y (or another neighbour)
///        |  x  +-----+           must come to lie under x, so r(x) is y's top
///      r +- - -|  y  |
///        |     |     |
///      0 +-----+-----+
///
/// *A node* is placing one buffer. Then the conclusions are drawn (propagate):
/// releases.hpp, section_bound.hpp, dominance.hpp. What remains falls into
/// independent *parts* where no unplaced buffer crosses from one section to
/// the next; they are solved one by one, and the failure of one fails the node
/// whatever the others do, so their placements are undone without being
/// searched again. A refuted state is remembered (failed_states.hpp).
///
/// *Conflicts.* Every failure comes with a conflict (conflict.hpp): members
/// and skips that alone make the rest infeasible. If placing x did not touch
/// them, the skip of x cannot help, and the whole node is left at once.
///
/// That all rules hold together is argued in dominance.hpp.
///
/// Memory: frames live on stacks of our own; the recursion depth is 1.
/// Source: MiniMalloc (Moffitt, ASPLOS 2023) for canonical solutions and
/// section inference; conflict-directed backjumping after Prosser, "Hybrid
/// algorithms for the constraint satisfaction problem" (1993).
#ifndef SNUG_PLAIN_PLAIN_MODEL_HPP
#define SNUG_PLAIN_PLAIN_MODEL_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/failed_states.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/engine/weights.hpp"
#include "snug/model/options.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/plain/dominance.hpp"
#include "snug/plain/explainer.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/part.hpp"
#include "snug/plain/releases.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Lane>
class Search {
 public:
  Search(const Instance<Lane>& instance, const Options& options, Stats& stats,
         Limits& limits, Memory& memory)
      : rules_(options.rules),
        stats_(&stats),
        limits_(&limits),
        state_(instance, memory),
        chooser_(instance, memory),
        releases_(instance, memory),
        bound_(instance, memory),
        explainer_(instance, memory),
        weights_(instance.size, instance.sections, memory),
        failed_(rules_.conflict_sets ? instance.words : 0,
                options.failed_state_bytes, memory),
        conflict_(memory.take<Word>(2 * std::size_t{instance.words}),
                  instance.words),
        nodes_(memory, std::size_t{instance.size} + 1),
        parts_(memory, std::size_t{instance.size} + instance.sections),
        alternatives_(memory, instance.size),
        alternative_words_(memory, (std::min)(std::size_t{instance.size},
                                              std::size_t{1} << 9) *
                                       conflict_.size()) {
    for (Index x = 0; x < instance.size; ++x)
      state_.set_witness(x, find_witness(state_, x));
    state_.trail.shrink(0);
  }

  [[nodiscard]] Chooser<Lane>& chooser() noexcept { return chooser_; }
  [[nodiscard]] const State<Lane>& state() const noexcept { return state_; }
  /// After kRefuted, if rules.conflict_sets is on: the buffers that it used.
  [[nodiscard]] const Word* refuted() const noexcept {
    return conflict_.members();
  }

  /// Takes `amount` off every section's room, for an instance whose capacity
  /// sinks by as much. Failed states stay failed.
  void lower_capacity(Lane amount) {
    state_.undo_to(0);
    for (Index s = 0; s < state_.instance->sections; ++s) {
      state_.room[s] = static_cast<Lane>(state_.room[s] - amount);
      state_.spare[s] = static_cast<Lane>(state_.spare[s] - amount);
    }
  }

  /// Searches from the root for at most `nodes` nodes.
  [[nodiscard]] Outcome run(std::int64_t nodes) {
    start();
    failed_.prepare(nodes);
    const std::int64_t start_nodes = stats_->nodes;
    for (;;) {
      if (stats_->nodes - start_nodes >= nodes || limits_->hit(stats_->nodes))
        return Outcome::kStopped;
      choose();
      if (descend()) {
        if (!next_part()) return Outcome::kPlacedAll;
      } else if (!backtrack()) {
        return Outcome::kRefuted;
      }
    }
  }

 private:
  /// A node on the path: a part, and the buffer placed or to be placed next.
  struct Node {
    Part part;
    Index chosen = 0;
    bool forced = false;
    std::size_t mark = 0;          ///< trail before `chosen` was placed
    std::size_t raised = 0;        ///< trail after its neighbours were raised
    std::size_t alternatives = 0;  ///< first of its refuted alternatives
    std::size_t parts = 0;         ///< first of the parts below it
    std::size_t next_part = 0;
  };

  /// A choice that was refuted at a node, then skipped with its twins.
  struct Alternative {
    Key key;           ///< of the part when it was chosen
    std::size_t mark;  ///< its skips are the next `skips` trail entries
    Index skips;
  };

  void start() {
    state_.undo_to(0);
    nodes_.shrink(0);
    parts_.shrink(0);
    drop_alternatives(0);
    push_node(make_part(state_, {0, state_.instance->sections}));
  }

  void push_node(const Part& part) {
    Node node;
    node.part = part;
    node.alternatives = alternatives_.size();
    node.parts = node.next_part = parts_.size();
    nodes_.push(node);
  }

  void choose() {
    Node& node = nodes_.back();
    const Interval<Index> range = node.part.buffers;
    node.chosen = rules_.no_hurt_placement
                      ? find_pending(state_, range.lower, range.upper, false)
                      : state_.nobody();
    node.forced = node.chosen != state_.nobody();
    if (!node.forced)
      node.chosen = chooser_.choose(state_, range.lower, range.upper);
  }

  /// Places the chosen buffer and pushes the parts that remain. False, with
  /// the conflict, when that is refuted at once.
  [[nodiscard]] bool descend() {
    Node& node = nodes_.back();
    ++stats_->nodes;
    node.mark = state_.trail.size();
    const Key before = state_.key;
    state_.place(node.chosen);
    node.raised = state_.trail.size();
    if (!propagate(node.mark, node.chosen, node.part.buffers)) return false;
    Part rest = node.part;
    rest.key += state_.key;
    rest.key -= before;
    --rest.unplaced;
    node.next_part = node.parts;
    split(state_, rest, node.chosen, rules_.decomposition, parts_);
    for (std::size_t k = node.parts; k < parts_.size(); ++k)
      if (is_known(parts_[k].key)) return false;
    return true;
  }

  /// Draws the conclusions from the changes after `mark` in one part. False,
  /// with the conflict, when they refute the node.
  [[nodiscard]] bool propagate(std::size_t mark, Index placed,
                               Interval<Index> range) {
    const Index unheld = releases_.update(state_, range.lower, range.upper);
    if (unheld != state_.nobody()) {
      begin_conflict();
      explainer_.release(state_, unheld,
                         static_cast<Lane>(state_.instance->capacity -
                                           state_.instance->length[unheld] + 1),
                         conflict_);
      return end_conflict();
    }
    const Overflow<Lane> overflow =
        rules_.section_inference
            ? bound_.check(state_, mark, placed, range.lower, range.upper)
            : find_too_high(state_, mark);
    if (overflow.excess > 0) {
      begin_conflict();
      explainer_.overflow(state_, overflow, range.lower, conflict_);
      return end_conflict();
    }
    update_witnesses(state_, mark);
    if (!rules_.abandoned_slot) return true;
    const Index abandoned =
        find_pending(state_, range.lower, range.upper, true);
    if (abandoned == state_.nobody()) return true;
    begin_conflict();
    explainer_.release(state_, abandoned,
                       static_cast<Lane>(state_.minimum[abandoned] + 1),
                       conflict_);
    explainer_.no_witness(state_, abandoned, conflict_);
    return end_conflict();
  }

  void begin_conflict() { conflict_.clear(); }
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
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (node.next_part < parts_.size()) {
        const Part part = parts_[node.next_part++];
        push_node(part);
        return true;
      }
      drop_node();
    }
    return false;
  }

  void drop_node() {
    const Node& node = nodes_.back();
    parts_.shrink(node.parts);
    drop_alternatives(node.alternatives);
    nodes_.shrink(nodes_.size() - 1);
  }

  void drop_alternatives(std::size_t size) {
    alternatives_.shrink(size);
    alternative_words_.shrink(size * conflict_.size());
  }

  /// Undoes nodes until one has another alternative, and takes it. False if
  /// none has.
  [[nodiscard]] bool backtrack() {
    for (; !nodes_.empty(); fail_node()) {
      Node& node = nodes_.back();
      ++stats_->backtracks;
      const bool relevant = !rules_.conflict_sets || is_relevant(node);
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

  /// Whether the conflict speaks of what placing the chosen buffer changed.
  [[nodiscard]] bool is_relevant(const Node& node) const {
    if (has_bit(conflict_.members(), node.chosen)) return true;
    for (std::size_t k = node.mark + 1; k < node.raised; ++k)
      if (has_bit(conflict_.members(), state_.trail[k].buffer)) return true;
    return false;
  }

  void blame_choice(const Node& node) {
    if (!rules_.conflict_sets) return;
    set_bit(conflict_.members(), node.chosen);
    if (node.forced) {
      explainer_.no_witness(state_, node.chosen, conflict_);
    } else {
      explainer_.eligible(state_, node.chosen, conflict_);
    }
  }

  /// Takes the other branch: the chosen buffer, and its twins, do not sit at
  /// their minimum offset.
  [[nodiscard]] bool skip_choice(Node& node) {
    const Instance<Lane>& instance = *state_.instance;
    const Index x = node.chosen;
    Alternative alternative{node.part.key, state_.trail.size(), 1};
    const Lane minimum = state_.minimum[x];
    const Key before = state_.key;
    state_.skip(x);
    if (rules_.twins)
      for (Index y = instance.twins_begin[x]; y < instance.twins_end[x]; ++y) {
        if (!state_.is_unplaced(y) || state_.minimum[y] != minimum ||
            state_.is_skipped(y))
          continue;
        state_.skip(y);
        set_bit(conflict_.members(), y);
        ++alternative.skips;
      }
    node.part.key += state_.key;
    node.part.key -= before;
    alternatives_.push(alternative);
    Conflict(alternative_words_.extend(conflict_.size()), conflict_.words())
        .assign(conflict_);
    return propagate(alternative.mark, state_.nobody(), node.part.buffers) &&
           !is_known(node.part.key);
  }

  /// Ends a node all of whose alternatives are refuted: the conflict of the
  /// last one grows by those of the skips that it rests on.
  void fail_node() {
    const Node& node = nodes_.back();
    while (alternatives_.size() > node.alternatives) {
      const Alternative& alternative = alternatives_.back();
      bool used = !rules_.conflict_sets;
      for (std::size_t k = alternative.mark;
           k < alternative.mark + alternative.skips; ++k) {
        const Index y = state_.trail[k].buffer;
        used = used || has_bit(conflict_.skips(), y);
        clear_bit(conflict_.skips(), y);
      }
      if (used)
        conflict_.join(
            {alternative_words_.end() - conflict_.size(), conflict_.words()});
      remember(alternative.key);
      drop_alternatives(alternatives_.size() - 1);
    }
    drop_node();
  }

  void remember(const Key& key) {
    if (rules_.failed_states) failed_.insert(key, conflict_);
  }

  Rules rules_;
  Stats* stats_;
  Limits* limits_;
  State<Lane> state_;
  Chooser<Lane> chooser_;
  Releases<Lane> releases_;
  SectionBound<Lane> bound_;
  Explainer<Lane> explainer_;
  Weights weights_;
  FailedStates failed_;
  Conflict conflict_;
  Stack<Node> nodes_;
  Stack<Part> parts_;
  Stack<Alternative> alternatives_;
  Stack<Word> alternative_words_;  ///< their conflicts
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PLAIN_MODEL_HPP
