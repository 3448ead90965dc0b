// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a presolved problem with constraints, or with mixed alignments: a
/// search, an ejection walk, orders of first fit, the search of the mirror image and
/// windows of time, in turns.
///
///     packings what is live together does not fit beside obstacles
///              (plan/relaxed_packings.hpp)
///     stacks   it does not because of alignments (plan/relaxed_stacks.hpp)
///     search   for a few nodes a buffer: most problems are settled then
///     walk     for as many moves, or several times as many
///     orders   until they came no lower for half as many, if alignments differ and there
///              is some room
///     mirror   for as many nodes
///     windows  for half of them (plan/window_search.hpp), but in the first turn
///     search   until it has had four times as many nodes, ...
///
/// Each finds what the others do not: the searches placements without a byte to
/// spare, and proofs, and each of them is quick where it comes first to what matters;
/// windows the proofs of what a few do to each other;
/// the walk (plan/ejection_walks.hpp) placements in room that fixed buffers or
/// alignments tear into pieces; orders (plan/order_walks.hpp) those with some room where
/// ties do so as well. Where alignments are mixed, and not far below the sizes,
/// the walk gets most of the nodes. A move counts as a node. All go on where they
/// were, until the walk is slower than walks that come to a placement, or there is
/// neither time nor memory for the image.
#ifndef SNUG_PLAN_CONSTRAINED_SEARCH_HPP
#define SNUG_PLAN_CONSTRAINED_SEARCH_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/mirrored.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/ejection_walks.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/order_walks.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/relaxed_packings.hpp"
#include "snug/plan/relaxed_stacks.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/plan/window_search.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The search of the mirror image (normal/mirrored.hpp). What it places and what it
/// refutes is placed and refuted for the problem; its bounds say nothing of that, as
/// they count from the other end.
template <class M>
class MirroredSearch {
 public:
  /// Both must outlive the search.
  MirroredSearch(const Flat& flat, std::int64_t capacity, Call& call)
      : mirrored_(flat, capacity),
        image_(mirrored_.image(), mirrored_.capacity(), call) {}

  /// Goes on until it has had so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    Found placed;
    const Outcome outcome = image_.search_up_to(nodes, placed);
    if (outcome == Outcome::kPlacedAll) {
      mirrored_.restore(placed.offsets);
      found.offsets = std::move(placed.offsets);
    }
    if (outcome == Outcome::kRefuted) found.core = std::move(placed.core);
    return outcome;
  }
  /// Whether more nodes do not help.
  [[nodiscard]] bool is_over() const noexcept {
    return image_.search.is_over();
  }

 private:
  Mirrored mirrored_;
  Similar<M, PresolvedSearch<M>> image_;
};

/// It goes on where it was when its call has another turn.
template <class M>
class ConstrainedSearch {
 public:
  using Source = FlatModels<M>;

  /// The ground of a plain problem where there is nothing to walk around.
  [[nodiscard]] static Ground lone_ground(const FlatModels<M>& models) {
    return models.flat().apart.empty() && !models.is_mixed()
               ? plain_ground(models.flat())
               : std::nullopt;
  }

  /// Both must outlive it.
  ConstrainedSearch(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : models_(&models),
        capacity_(capacity),
        call_(&call),
        search_(call, Share::Of::kWhole),
        is_alone_(lone_ground(models).has_value()) {}
  ConstrainedSearch(const ConstrainedSearch&) = delete;
  ConstrainedSearch& operator=(const ConstrainedSearch&) = delete;

  /// A placement in `found`, which is too high, is what the walk begins with.
  [[nodiscard]] Outcome run(Found& found) {
    for (;; turn_ = longer_turn(turn_)) {
      const bool takes_long = turn_ > kFirstTurn;
      Outcome outcome = compare_packings(takes_long, found);
      if (call_->is_settled(outcome)) return outcome;
      outcome = compare_stacks(takes_long, found);
      if (call_->is_settled(outcome)) return outcome;
      outcome = refute_again(found);
      if (call_->is_settled(outcome)) return outcome;
      outcome = search_up_to(
          walks() || has_mirror() ? nodes_of(turn_) : kNoNodeLimit, found);
      // Without memory or time for a search, nor can it walk.
      if (call_->is_settled(outcome) || search_.stops()) return outcome;
      outcome = walk_up_to(models_->is_mixed() ? kMovesIfMixed * turn_ : turn_,
                           found);
      if (call_->is_settled(outcome) || call_->gave_up()) return outcome;
      outcome = walk_orders(found);
      if (call_->is_settled(outcome) || call_->gave_up()) return outcome;
      outcome = search_mirror_up_to(nodes_of(turn_), found);
      if (call_->is_settled(outcome)) return outcome;
      outcome = search_windows(nodes_of(turn_) / kWindows, found);
      if (call_->is_settled(outcome)) return outcome;
    }
  }

 private:
  /// Moves and nodes a buffer of the first turn; also if there is none.
  static constexpr std::int64_t kFirstTurn = 8;
  /// Moves for each node of the search where alignments are mixed.
  static constexpr std::int64_t kMovesIfMixed = 8;
  /// The part of the capacity that first fit loses at least.
  static constexpr std::int64_t kRoom = 128;
  /// Nodes of the search for each of windows.
  static constexpr std::int64_t kWindows = 2;

  [[nodiscard]] bool walks() const {
    return !is_alone_ && (!walk_ || walk_->is_promising());
  }
  [[nodiscard]] bool has_mirror() const noexcept {
    return !is_alone_ && (!mirror_ || !mirror_->is_over());
  }

  [[nodiscard]] std::int64_t nodes_of(std::int64_t turn) const noexcept {
    return multiply_nodes(
        turn, (std::max)(static_cast<std::int64_t>(models_->buffers.size()),
                         std::int64_t{1}));
  }

  /// Whether what is live together does not fit beside obstacles.
  [[nodiscard]] Outcome compare_packings(bool takes_long, Found& found) {
    RelaxedPackings* const packings = models_->packings(*call_);
    if (packings == nullptr) return Outcome::kOpen;
    return raise_bound(
        packings->height(capacity_, capacity_, takes_long, *call_), *packings,
        found);
  }
  /// Whether it does not because of alignments.
  [[nodiscard]] Outcome compare_stacks(bool takes_long, Found& found) {
    RelaxedStacks* const stacks = models_->stacks(*call_);
    if (stacks == nullptr) return Outcome::kOpen;
    return raise_bound(stacks->raise(found.bound, capacity_,
                                     takes_long ? kMostStackSteps : 0, *call_),
                       *stacks, found);
  }
  /// Raises the bound to that of some sections.
  template <class Sections>
  [[nodiscard]] Outcome raise_bound(std::int64_t bound,
                                    const Sections& sections, Found& found) {
    call_->note_bound(bound);
    if (bound > (std::max)(found.bound, capacity_))
      found.core = sections.core();
    found.bound = (std::max)(found.bound, bound);
    return bound > capacity_ ? Outcome::kRefuted : Outcome::kOpen;
  }

  /// Searches until there were so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    return search_.search_up_to(
        nodes, [&](std::optional<PresolvedSearch<M>>& search, Call& call) {
          if (!search) search.emplace(*models_, capacity_, call);
          return search->run(found);
        });
  }

  /// Walks until there were so many moves a body.
  [[nodiscard]] Outcome walk_up_to(std::int64_t moves, Found& found) {
    if (!walks()) return Outcome::kOpen;
    if (!walk_) {
      walk_.emplace(models_->searched(*call_), *call_);
      walk_->aim(capacity_);
      // What was built up from the bottom has the coarse ones in bad places.
      if (walk_->can_walk() && !found.offsets.empty() && !models_->is_mixed())
        walk_->start_from(found.offsets);
    }
    return call_->gave_up() ? Outcome::kOpen : walk_->run(moves, found);
  }

  /// Comes down towards the capacity by first fit in many orders, if alignments differ
  /// and there is some room: these leave holes. Where there is a placement already, that
  /// is left to whoever has it (plan/lowest.hpp).
  [[nodiscard]] Outcome walk_orders(Found& found) {
    if (!models_->has_coarser() || !found.offsets.empty() ||
        capacity_ - found.bound < capacity_ / kRoom)
      return Outcome::kOpen;
    if (!orders_) {
      orders_.emplace(models_->searched(*call_), *call_);
      if (call_->gave_up()) return Outcome::kOpen;
      orders_->start_from(found.offsets);
    }
    orders_->come_down(capacity_, turn_ / 2);
    if (orders_->height() > capacity_) return Outcome::kOpen;
    orders_->write(found);
    return Outcome::kPlacedAll;
  }

  /// Searches the mirror image until there were so many nodes.
  [[nodiscard]] Outcome search_mirror_up_to(std::int64_t nodes, Found& found) {
    if (!has_mirror()) return Outcome::kOpen;
    if (!mirror_) mirror_.emplace(models_->flat(), capacity_, *call_);
    return mirror_->search_up_to(nodes, found);
  }

  /// Tries the window that was refuted at another capacity.
  [[nodiscard]] Outcome refute_again(Found& found) {
    return models_->refuted.buffers.empty() || !make_windows()
               ? Outcome::kOpen
               : windows_->search_again(found);
  }
  /// Tries windows until they had so many nodes.
  [[nodiscard]] Outcome search_windows(std::int64_t nodes, Found& found) {
    return turn_ == kFirstTurn || !make_windows()
               ? Outcome::kOpen
               : windows_->search_up_to(nodes, found);
  }
  /// False if there are none.
  [[nodiscard]] bool make_windows() {
    if (call_->is_of_window()) return false;
    if (!windows_) windows_.emplace(*models_, capacity_, *call_);
    return !call_->gave_up();
  }

  FlatModels<M>* models_;
  std::int64_t capacity_;
  Call* call_;
  SearchInTurns<PresolvedSearch<M>> search_;
  std::optional<EjectionWalks> walk_{};
  std::optional<OrderWalks> orders_{};
  std::optional<MirroredSearch<M>> mirror_{};
  std::optional<WindowSearch<M>> windows_{};
  std::int64_t turn_ = kFirstTurn;
  bool is_alone_;  ///< there is nothing to walk around: a search alone
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_CONSTRAINED_SEARCH_HPP
