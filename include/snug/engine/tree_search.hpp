// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tree search: place or skip, depth first, for whatever a model places.
///
/// A *model* knows items (buffers, or rigid bodies of them), where each can go
/// and what follows from a placement; the search knows the tree:
///
///     choose an item --> place it, propagate --> the parts that remain
///           ^                  | refuted
///           +---- skip it <----+  the conflict needs what was placed
///                              +--> leave the node: it does not
///
/// *A state* is which items are placed and where, what is left to the others,
/// and which of them are *skipped*: forbidden their candidate, the lowest offset
/// left to them. The search keeps one state and changes it. Its *parts* are sets
/// of unplaced items that have nothing to do with each other any more. A *node*
/// of the tree is a part and the item placed first in it.
///
/// *Which solutions count.* A solution is *settled* in a state if it has the
/// placed items where they are, the others at offsets left to them, and none of
/// those, alone or together with others, could move to lower offsets left to
/// them while all the rest stays. A state *admits* a settled solution that has
/// no skipped item at its candidate. Where there are solutions, the root admits
/// that of the least sum of offsets, for a move down would lower the sum.
///
/// *Why the answer is right.* The model promises that each of its rules keeps
/// something of what a state admits; it argues so in its own headers:
///
///   (1) If a part admits b, it admits some b' (for twins may be exchanged) of
///       which either the child that places the chosen item admits the rest, or
///       b' is still admitted after its skip. A *forced* choice has no second
///       case.
///   (2) propagate() refutes only states that admit nothing, with a conflict.
///   (3) What a part admits is told by its key, and that of the state is the
///       union of what its parts admit, each for itself.
///
/// By (1) and (2) a node is left as refuted only if it admits nothing, given
/// that the same holds for the nodes below; and so does the rest of the tree:
///
///   - *Parts.* By (3) the failure of one part fails the node above, whatever
///     the others do: what they placed is undone without being searched again.
///   - *Failed states.* By (3) a refuted key refutes each later part with that
///     key: in other branches, after restarts, under other strategies.
///   - *Backjumping.* Let placing x have failed with the conflict (K, F). If x
///     is not in K, and no member had its choices cut by x, then the state
///     before looks to K as the one after: (K, F) refutes the node itself, and
///     with it all other choices there. Otherwise (K', F), K' being K with x
///     and with those who made x cut what it did (blame_causes), says that x is
///     not at its candidate. For a forced choice that cannot be, given the
///     reasons for its force (blame_force): (K', F) with them refutes the node.
///   - *Joining.* If the other branch, with x and its twins skipped, fails with
///     (L, G): if G has none of them, (L, G) refutes the node alone. Else
///     (K' and L, F and G without them) does: x or a twin is at its candidate,
///     or none is. An item that had been skipped before stays in G.
///     Twins are members of K', so that exchanging them changes nothing.
///   - *Blind choices*, which a model makes where nothing is a candidate, have
///     no such argument: their node fails with all that its part rests on. All
///     choices there after a blind one must be blind, as the last one tells.
///
/// *The model* has (no virtual functions: all of it is inlined)
///
///     Part            copyable; has `key` and `unplaced`, a count of items
///     PartsMark       what parts().mark() returns
///     size(), words() how many items there are, and words of a set of them
///     start(c)        back to the root. False if that admits nothing, with its
///                     conflict in c
///     root()          the part of all unplaced items, after start()
///     choose(part, decision)  picks an unplaced item of the part. False if there
///                     is none to pick, and so no solution: decision.kind is kNone
///     place(x, part, mark, raised, c)  places x at its candidate, which writes
///                     one entry for x to the trail, after `mark`, then entries
///                     of those cut by it up to `raised`; then propagates
///     skip(decision, c) forbids the item, and twins, their candidates: one trail
///                     entry each. Twins become members of c. Returns how many
///     propagate(mark, part, c)  draws the conclusions of the entries after
///                     `mark`. False, with the conflict in c, when they refute
///                     the part. Notes the failure for choose() to learn from
///     split(part, key, x)  pushes the parts that `part`, whose key is now
///                     `key`, falls into without x, the smallest first
///     parts()         the stack of parts: size(), [k], mark(), shrink(mark)
///     key()           a number that changes by as much as the parts' keys do
///     trail_size(), item_at(k), undo_to(size)  the trail: the item of an entry
///     is_first_skip(k) whether no skip of the item stood before entry k did
///     blame_causes(mark, raised, c), blame_force(decision, c), see Backjumping;
///     blame_part(part, c)  adds all that the part rests on;
///     note_failure(c) as in propagate()
///     kHasLongNodes   whether a node may take so long that the clock has to be
///                     read before each
///
/// Memory: frames live on stacks of our own; the recursion depth is 1.
/// Source: MiniMalloc (Moffitt, ASPLOS 2023) for the tree and its parts;
/// conflict-directed backjumping after Prosser, "Hybrid algorithms for the
/// constraint satisfaction problem" (Computational Intelligence 9, 1993).
#ifndef SNUG_ENGINE_TREE_SEARCH_HPP
#define SNUG_ENGINE_TREE_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/engine/failed_states.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/model/result.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The item that a model chose to branch on.
struct Decision {
  enum class Kind : std::uint8_t { kNone, kBranch, kForced, kBlind };

  Index item = 0;
  Kind kind = Kind::kNone;
};

template <class Model>
class TreeSearch {
 public:
  TreeSearch(Model& model, const Run& run, Memory& memory)
      : model_(&model),
        stats_(run.stats),
        limits_(run.limits),
        conflict_sets_(rules_of(*run.options).conflict_sets),
        failed_(model.words(), failed_state_bytes_of(*run.options), memory),
        conflict_(memory.take<Word>(2 * std::size_t{model.words()}),
                  model.words()),
        nodes_(memory, std::size_t{model.size()} + 1),
        refuted_(memory, model.size()),
        refuted_words_(memory, (std::min)(std::size_t{model.size()}, kMost) *
                                   conflict_.size()) {}

  /// Searches from the root for at most `nodes` nodes.
  [[nodiscard]] Outcome run(std::int64_t nodes) {
    left_ = 0;
    if (!start()) return Outcome::kRefuted;
    if (nodes_.back().part.unplaced == 0) return Outcome::kPlacedAll;
    failed_.prepare(nodes);
    left_ = nodes;
    return go_on();
  }
  /// Whether a limit stopped the run, and there are nodes left. If nobody has
  /// touched the model since, go_on() does as if there had been no limit.
  [[nodiscard]] bool is_paused() const noexcept { return left_ > 0; }
  [[nodiscard]] Outcome go_on() {
    while (left_ > 0) {
      if (is_stopped()) return Outcome::kOpen;
      Outcome outcome = Outcome::kOpen;
      if (choose() && descend()) {
        if (!next_part()) outcome = Outcome::kPlacedAll;
      } else if (!backtrack()) {
        outcome = Outcome::kRefuted;
      }
      if (outcome == Outcome::kOpen) continue;
      left_ = 0;
      return outcome;
    }
    return Outcome::kOpen;
  }

  /// After kRefuted: items that admit nothing by themselves.
  [[nodiscard]] const Word* refuted() const noexcept {
    return conflict_.members();
  }

 private:
  using Part = typename Model::Part;
  using Kind = Decision::Kind;

  /// Conflicts of refuted branches that there is room for from the start.
  static constexpr std::size_t kMost = 1 << 9;

  /// A node on the path: a part, and the item placed or to be placed next.
  struct Node {
    Part part{};
    Decision decision{};
    std::size_t mark = 0;               ///< trail before the item was placed
    std::size_t raised = 0;             ///< trail after others were cut by it
    std::size_t refuted = 0;            ///< first of its refuted branches
    typename Model::PartsMark parts{};  ///< before the parts below it
    std::size_t next_part = 0;
    std::int64_t began = 0;  ///< nodes before it
  };

  /// A choice that was refuted at a node, then skipped with its twins.
  struct Branch {
    Key key;           ///< of the part when it was chosen
    std::size_t mark;  ///< its skips are the next `skips` trail entries
    Index skips;
  };

  [[nodiscard]] bool is_stopped() {
    return Model::kHasLongNodes ? limits_->hit_now(stats_->nodes)
                                : limits_->hit(stats_->nodes);
  }

  [[nodiscard]] bool start() {
    nodes_.shrink(0);
    drop_branches(0);
    if (!model_->start(conflict_)) return false;
    push_node(model_->root());
    return true;
  }

  void push_node(const Part& part) {
    Node node;
    node.part = part;
    node.refuted = refuted_.size();
    node.parts = model_->parts().mark();
    node.next_part = model_->parts().size();
    node.began = stats_->nodes;
    nodes_.push(node);
  }

  /// Chooses the item to branch on. False, with the conflict, if the part has
  /// none.
  [[nodiscard]] bool choose() {
    Node& node = nodes_.back();
    const Key before = model_->key();
    const bool found = model_->choose(node.part, node.decision);
    node.part.key += model_->key() - before;
    node.mark = node.raised = model_->trail_size();
    if (found) return true;
    conflict_.clear();
    model_->blame_part(node.part, conflict_);
    model_->note_failure(conflict_);
    return false;
  }

  /// Places the chosen item and pushes the parts that remain. False, with the
  /// conflict, when that is refuted at once.
  [[nodiscard]] bool descend() {
    Node& node = nodes_.back();
    ++stats_->nodes;
    --left_;
    const Key before = model_->key();
    if (!model_->place(node.decision.item, node.part, node.mark, node.raised,
                       conflict_))
      return false;
    Key rest = node.part.key;
    rest += model_->key() - before;
    const std::size_t first = node.next_part = model_->parts().size();
    model_->split(node.part, rest, node.decision.item);
    for (std::size_t k = first; k < model_->parts().size(); ++k)
      if (is_known(model_->parts()[k].key)) return false;
    return true;
  }

  /// Whether a part is known to fail; then its conflict is the one at hand.
  [[nodiscard]] bool is_known(const Key& key) {
    const std::size_t slot = failed_.find(key);
    if (slot == FailedStates::kNone) return false;
    conflict_.assign(failed_.conflict(slot));
    return true;
  }

  /// Goes on with the next part that is not placed yet. False if none is left.
  [[nodiscard]] bool next_part() {
    for (; !nodes_.empty(); drop_node()) {
      Node& node = nodes_.back();
      if (node.next_part == model_->parts().size()) continue;
      const Part part = model_->parts()[node.next_part++];
      push_node(part);
      return true;
    }
    return false;
  }

  /// Undoes nodes until one has another branch, and takes it. False if none
  /// has.
  [[nodiscard]] bool backtrack() {
    for (; !nodes_.empty(); fail_node()) {
      Node& node = nodes_.back();
      if (!conflict_sets_) conflict_.fill(model_->size());
      if (!take_back(node)) {
        failed_.insert(node.part.key, conflict_, stats_->nodes - node.began);
      } else if (skip_choice(node)) {
        return true;
      }
    }
    return false;
  }

  /// Undoes the placement of a node. Returns whether the other branch is open;
  /// if not, the conflict refutes the node.
  [[nodiscard]] bool take_back(const Node& node) {
    if (node.decision.kind == Kind::kNone) return false;
    ++stats_->backtracks;
    const bool relevant = is_relevant(node);
    if (relevant) model_->blame_causes(node.mark, node.raised, conflict_);
    model_->undo_to(node.mark);
    model_->parts().shrink(node.parts);
    if (!relevant) return false;
    set_bit(conflict_.members(), node.decision.item);
    if (node.decision.kind != Kind::kForced) return true;
    model_->blame_force(node.decision, conflict_);
    return false;
  }

  /// Whether the conflict speaks of what placing the chosen item changed.
  [[nodiscard]] bool is_relevant(const Node& node) const {
    if (has_bit(conflict_.members(), node.decision.item)) return true;
    for (std::size_t k = node.mark + 1; k < node.raised; ++k)
      if (has_bit(conflict_.members(), model_->item_at(k))) return true;
    return false;
  }

  /// Takes the other branch: the chosen item and its twins are elsewhere.
  /// False, with the conflict, when that is refuted at once.
  [[nodiscard]] bool skip_choice(Node& node) {
    Branch branch{node.part.key, model_->trail_size(), 0};
    const Key before = model_->key();
    branch.skips = model_->skip(node.decision, conflict_);
    node.part.key += model_->key() - before;
    refuted_.push(branch);
    Conflict(refuted_words_.extend(conflict_.size()), conflict_.words())
        .assign(conflict_);
    return model_->propagate(branch.mark, node.part, conflict_) &&
           !is_known(node.part.key);
  }

  /// Ends a node all of whose branches are refuted: the conflict of the last
  /// one grows by those of the skips that it rests on.
  void fail_node() {
    const Node& node = nodes_.back();
    const bool blind = node.decision.kind == Kind::kBlind;
    if (blind) model_->blame_part(node.part, conflict_);
    for (; refuted_.size() > node.refuted; drop_branches(refuted_.size() - 1)) {
      const Branch& branch = refuted_.back();
      bool used = false;
      for (std::size_t k = branch.mark; k < branch.mark + branch.skips; ++k) {
        const Index x = model_->item_at(k);
        used = used || has_bit(conflict_.skips(), x);
        if (!blind && model_->is_first_skip(k)) clear_bit(conflict_.skips(), x);
      }
      if (used)
        conflict_.join(
            {refuted_words_.end() - conflict_.size(), conflict_.words()});
      failed_.insert(branch.key, conflict_, stats_->nodes - node.began);
    }
    drop_node();
  }

  void drop_node() {
    const Node& node = nodes_.back();
    model_->parts().shrink(node.parts);
    drop_branches(node.refuted);
    nodes_.shrink(nodes_.size() - 1);
  }

  /// Forgets all refuted branches after the first `size`.
  void drop_branches(std::size_t size) {
    refuted_.shrink(size);
    refuted_words_.shrink(size * conflict_.size());
  }

  Model* model_;
  Stats* stats_;
  Limits* limits_;
  bool conflict_sets_;
  std::int64_t left_ = 0;  ///< nodes of the run
  FailedStates failed_;
  Conflict conflict_;  ///< of the failure at hand
  Stack<Node> nodes_;
  Stack<Branch> refuted_;      ///< of all nodes on the path
  Stack<Word> refuted_words_;  ///< why
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_TREE_SEARCH_HPP
