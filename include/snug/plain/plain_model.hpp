// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The plain model: buffers with a size, a lifespan and an alignment.
///
/// *Canonical solutions.* Push every buffer of a placement down as far as it
/// goes: each then sits at 0 or on top of an overlapping buffer (rounded up to
/// its alignment). Searching only these loses nothing. Let m(x) be the lowest
/// address at which an unplaced x can still sit: 0, or the highest top of a
/// placed overlapping buffer. So all that is placed lies below all that is not,
/// and a state is one number for each unplaced buffer.
///
/// *Branching.* Take an unplaced x below which nobody can come to lie any
/// more: m(x) < r(y) + s(y) for every unplaced neighbour y, where r(y) is y's
/// release (releases.hpp). The unplaced buffer of the lowest release is one.
/// In a canonical solution x either
///
///     sits at m(x), and all its unplaced neighbours lie above it    (place)
///     or does not: an unplaced neighbour holds it up                (skip)
///
/// In the second case x may not be placed until its m rises. The two cases
/// exclude each other, so each canonical solution is found in exactly one
/// branch, whatever x is chosen. MiniMalloc places buffers in the order of
/// their offsets; here unrelated regions of time are not interleaved.
///
///        |     |  y  |           x skipped at 0: y (or another neighbour)
///        |  x  +-----+           must come to lie under x, so r(x) is y's top
///      r +- - -|  y  |
///        |     |     |
///      0 +-----+-----+
///
/// The conclusions are drawn by releases.hpp, section_bound.hpp and
/// dominance.hpp, where pairs are kept apart by pair_clique_bound.hpp too, and
/// beside obstacles by hole_bound.hpp; dominance.hpp argues that all of them hold
/// together. explainer.hpp says why a node failed.
///
/// Source: MiniMalloc (Moffitt, ASPLOS 2023) for canonical solutions and
/// section inference.
#ifndef SNUG_PLAIN_PLAIN_MODEL_HPP
#define SNUG_PLAIN_PLAIN_MODEL_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/engine/tree_search.hpp"
#include "snug/model/tuning.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/plain/dominance.hpp"
#include "snug/plain/explainer.hpp"
#include "snug/plain/hole_bound.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/pair_clique_bound.hpp"
#include "snug/plain/part.hpp"
#include "snug/plain/releases.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/plain/weights.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// In place of a bound that is left out.
struct NoBound {
  template <class Instance>
  NoBound(const Instance&, Memory&) {}
};

/// See engine/tree_search.hpp for what its functions promise. kExtras: with the
/// bounds for pairs and obstacles.
template <class Units, bool kExtras = true>
class PlainModel {
 public:
  using Instance = detail::Instance<Units>;
  using Offset = Units;
  using Part = detail::Part;
  using PartsMark = std::size_t;
  static constexpr bool kHasLongNodes = false;

  /// The search of `instance`, whose arrays must outlive it, at `capacity`.
  PlainModel(const Instance& instance, Units capacity, const Rules& rules,
             Memory& memory)
      : rules_(rules),
        instance_(with_capacity(instance, capacity)),
        state_(instance_, memory),
        chooser_(instance_, memory),
        releases_(instance_, memory),
        bound_(instance_, memory),
        clique_bound_(instance_, memory),
        hole_bound_(instance_, memory),
        explainer_(instance_, memory),
        weights_(instance_.size, instance_.sections, memory),
        parts_(memory, std::size_t{instance_.size} + instance_.sections) {
    for (Index x = 0; x < instance_.size; ++x)
      state_.set_witness(x, find_witness(state_, x));
    state_.trail.shrink(0);
    look_at_root();
  }
  PlainModel(const PlainModel&) = delete;
  PlainModel& operator=(const PlainModel&) = delete;

  [[nodiscard]] Index size() const noexcept { return instance_.size; }
  [[nodiscard]] Index words() const noexcept { return instance_.words; }
  [[nodiscard]] const Units* offsets() const noexcept { return state_.minimum; }

  void use(const Strategy& strategy) { chooser_.use(instance_, strategy); }
  void shake(Random& random, std::int32_t amount) {
    chooser_.preorder().shake(random, amount);
  }

  [[nodiscard]] bool start(const Conflict& conflict) {
    state_.undo_to(0);
    parts_.shrink(0);
    if (!fits_) conflict.fill(size());
    return fits_;
  }
  [[nodiscard]] Part root() const {
    return make_part(state_, {0, instance_.sections});
  }

  /// There is always a buffer of the lowest release.
  [[nodiscard]] bool choose(const Part& part, Decision& decision) {
    decision = {find_pending(part, false), Decision::Kind::kForced};
    if (decision.item == state_.nobody())
      decision = {
          chooser_.choose(state_, part.buffers.lower, part.buffers.upper),
          Decision::Kind::kBranch};
    return true;
  }

  [[nodiscard]] bool place(Index x, const Part& part, std::size_t mark,
                           std::size_t& raised, const Conflict& conflict) {
    state_.place(x);
    raised = state_.trail.size();
    return propagate(mark, x, part, conflict);
  }
  [[nodiscard]] bool propagate(std::size_t mark, const Part& part,
                               const Conflict& conflict) {
    return propagate(mark, state_.nobody(), part, conflict);
  }
  void split(const Part& part, const Key& key, Index placed) {
    Part rest = part;
    rest.key = key;
    --rest.unplaced;
    detail::split(state_, rest, placed, rules_.decomposition, parts_);
  }

  /// Twins are skipped where they have the same minimum offset.
  [[nodiscard]] Index skip(const Decision& decision, const Conflict& conflict) {
    const Index x = decision.item;
    const Units minimum = state_.minimum[x];
    Index skips = 1;
    state_.skip(x);
    if (!rules_.twins) return skips;
    for (Index y = instance_.twins_begin[x]; y < instance_.twins_end[x]; ++y) {
      if (!state_.is_unplaced(y) || state_.minimum[y] != minimum ||
          state_.is_skipped(y))
        continue;
      state_.skip(y);
      set_bit(conflict.members(), y);
      ++skips;
    }
    return skips;
  }

  [[nodiscard]] PartStack& parts() noexcept { return parts_; }
  [[nodiscard]] const Key& key() const noexcept { return state_.key; }
  [[nodiscard]] std::size_t trail_size() const noexcept {
    return state_.trail.size();
  }
  [[nodiscard]] Index item_at(std::size_t k) const noexcept {
    return state_.trail[k].buffer;
  }
  void undo_to(std::size_t size) { state_.undo_to(size); }
  /// A buffer has one candidate at a time.
  [[nodiscard]] bool is_first_skip(std::size_t) const noexcept { return true; }

  /// A placed buffer itself raises all that it raises.
  void blame_causes(std::size_t, std::size_t, const Conflict&) const {}
  void blame_force(const Decision& decision, const Conflict& conflict) {
    explainer_.no_witness(state_, decision.item, conflict);
  }
  void blame_part(const Part&, const Conflict&) const {}
  void note_failure(const Conflict& conflict) {
    if (rules_.failure_weights) weights_.blame(state_, conflict);
  }

 private:
  /// Without obstacles all releases are 0 at the root, and loads are known to
  /// fit.
  void look_at_root() {
    SNUG_ASSERT(!instance_.jumps.empty() ||
                bound_.check_root(state_).excess <= 0);
    if constexpr (kExtras) {
      if (instance_.jumps.empty()) return;
      fits_ = bound_.check_root(state_).excess <= 0 &&
              clique_bound_.check_root(state_).excess <= 0;
    }
  }

  [[nodiscard]] static Instance with_capacity(Instance instance,
                                              Units capacity) {
    instance.capacity = capacity;
    return instance;
  }

  /// `placed`: whose placement caused the changes after `mark`, or nobody().
  [[nodiscard]] bool propagate(std::size_t mark, Index placed, const Part& part,
                               const Conflict& conflict) {
    conflict.clear();
    if (explain_unheld(part, conflict) ||
        explain_overflow(mark, placed, part, conflict) ||
        explain_abandoned(mark, part, conflict)) {
      note_failure(conflict);
      return false;
    }
    return true;
  }

  /// Whether nothing can hold up a skipped buffer any more.
  [[nodiscard]] bool explain_unheld(const Part& part,
                                    const Conflict& conflict) {
    const Index x =
        releases_.update(state_, part.buffers.lower, part.buffers.upper);
    if (x == state_.nobody()) return false;
    explainer_.release(
        state_, x,
        static_cast<Units>(instance_.capacity - instance_.length[x] + 1),
        conflict);
    return true;
  }

  /// Whether the buffers of a section, or of a clique, no longer fit.
  [[nodiscard]] bool explain_overflow(std::size_t mark, Index placed,
                                      const Part& part,
                                      const Conflict& conflict) {
    Overflow<Units> overflow =
        rules_.section_inference
            ? bound_.check(state_, mark, placed, part.buffers.lower,
                           part.buffers.upper)
            : find_too_high(state_, mark);
    if constexpr (kExtras) {
      if (overflow.excess <= 0 && rules_.section_inference)
        overflow = clique_bound_.check(state_, mark, placed);
      if (overflow.excess <= 0 && rules_.section_inference)
        overflow = hole_bound_.check(state_, placed);
    }
    if (overflow.excess <= 0) return false;
    explainer_.overflow(state_, overflow, part.buffers.lower, conflict);
    return true;
  }

  /// Whether nobody wants the slot of a skipped buffer any more.
  [[nodiscard]] bool explain_abandoned(std::size_t mark, const Part& part,
                                       const Conflict& conflict) {
    update_witnesses(state_, mark);
    const Index x = find_pending(part, true);
    if (x == state_.nobody()) return false;
    explainer_.release(state_, x, static_cast<Units>(state_.minimum[x] + 1),
                       conflict);
    explainer_.no_witness(state_, x, conflict);
    return true;
  }

  /// A buffer of the part whose slot nobody wants, skipped or not.
  [[nodiscard]] Index find_pending(const Part& part, bool skipped) const {
    if (!(skipped ? rules_.abandoned_slot : rules_.no_hurt_placement))
      return state_.nobody();
    return detail::find_pending(state_, part.buffers.lower, part.buffers.upper,
                                skipped);
  }

  Rules rules_;
  Instance instance_;
  State<Units> state_;
  Chooser<Units> chooser_;
  Releases<Units> releases_;
  SectionBound<Units> bound_;
  std::conditional_t<kExtras, PairCliqueBound<Units>, NoBound> clique_bound_;
  std::conditional_t<kExtras, HoleBound<Units>, NoBound> hole_bound_;
  Explainer<Units> explainer_;
  Weights weights_;
  PartStack parts_;
  bool fits_ = true;  ///< as far as the bounds say at the root
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PLAIN_MODEL_HPP
