// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a presolved problem: its own search, in turns
/// with that of a *similar* problem, where there is one. That comes first: a
/// placement of it is one of the whole, and mostly that is all that it takes, so that
/// the models of the whole are never made. Each goes on in its turn where it was,
/// until it has had so many nodes, which grows by a factor:
///
///     similar   |= 2 n =|          |=== 16 384 ===|
///     whole             |= 4096 =|                |=== 16 384 ===| ...
///
///     tight     without the gaps, and with boxes for ties: often plain, for which
///               the search is faster. Beside it, a bound that is soon known
///     coarse    on one grid, if alignments do not divide the sizes: with few or no
///               alignments in its way (normal/coarse.hpp)
///     joined    no gaps but of fixed buffers, and constraints: some buffers are
///               one by a guess (joins/joined_flat.hpp). Plain problems have
///               such guesses of their own
#ifndef SNUG_PLAN_PRESOLVED_HPP
#define SNUG_PLAN_PRESOLVED_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/joins/joined_flat.hpp"
#include "snug/joins/subset_sums.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/merged_ties.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_placer.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/relaxed_load.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A height that no placement is below, soon known: the load, and what alignments add to
/// it with both models. Of no use if the call gave up.
template <class M>
[[nodiscard]] std::int64_t quick_bound(const Flat& flat, Call& call) {
  const Interrupt interrupt = call.interrupt();
  if (const Ground ground = plain_ground(flat))
    return aligned_load(make_plain(flat.buffers, interrupt), interrupt) +
           *ground;
  std::int64_t bound = 0;
  if constexpr (M::kBoth) bound = relaxed_load(flat, call);
  const Bodies bodies = build_bodies(flat, call, CliqueScope::kNone);
  bound = (std::max)(bound, quick_bound(bodies, interrupt) * bodies.unit);
  return call.gave_up() ? 0 : bound;
}

/// About how many nodes of a problem without its gaps one with them takes.
inline constexpr std::int64_t kPriceOfGaps = 4;

/// The nodes in which a similar problem is to be placed, or not at all.
[[nodiscard]] inline std::int64_t nodes_of_similar(const Flat& flat) noexcept {
  return 64 * static_cast<std::int64_t>(flat.buffers.size());
}

/// The search of the problem itself: from its ground, if that is plain
/// (plan/from_ground.hpp), else of bodies (plan/body_placer.hpp). It goes on where it
/// was, until it has had so many nodes.
template <class M>
class WholeSearch {
 public:
  /// If there is a ground, the plain search takes all of it from there, and there is
  /// nothing to make yet. Where it does not, models that are not there yet take as long as
  /// thousands of nodes to make, most of it for cliques. They must outlive this. Of no
  /// use if the call gave up.
  WholeSearch(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : models_(&models), capacity_(capacity), call_(&call) {
    if constexpr (M::kBoth) {
      if (models.ground()) {
        in_plain_.emplace(call, Share::Of::kWhole);
        return;
      }
    }
    BodyComponents* const parts = models.searched(call);
    if (parts == nullptr) return;
    bodies_.emplace(*parts, capacity / parts->bodies().unit, call);
    bound_ = bodies_->lower_bound() * bodies_->bodies().unit;
    call.note_bound(bound_);
  }
  WholeSearch(const WholeSearch&) = delete;
  WholeSearch& operator=(const WholeSearch&) = delete;

  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    if constexpr (M::kBoth)
      if (in_plain_)
        return in_plain_->search_up_to(
            nodes, [&](std::optional<GroundSolve<M>>& search, Call& call) {
              if (!search) search.emplace(*models_, capacity_, call);
              return search->run(found);
            });
    if (nodes_ >= nodes) return Outcome::kOpen;
    const std::int64_t before = call_->stats().nodes;
    const Outcome outcome =
        bodies_->place(nodes == kNoNodeLimit ? nodes : nodes - nodes_);
    nodes_ += call_->stats().nodes - before;
    if (outcome == Outcome::kPlacedAll) bodies_->write(found.offsets);
    return outcome;
  }

 private:
  FlatModels<M>* models_;
  std::int64_t capacity_;
  Call* call_;
  std::int64_t bound_ = 0;
  std::int64_t nodes_ = 0;  ///< of the model of bodies
  std::optional<BodyPlacer> bodies_{};
  IfBoth<M, std::optional<SearchInTurns<GroundSolve<M>>>> in_plain_{};
};

/// A problem that is searched in place of another one, in turns with other searches.
template <class M, class Search>
struct Similar {
  Similar(Flat of, std::int64_t ceiling, Call& whole)
      : problem(std::move(of)),
        capacity(ceiling),
        held(whole, sizeof(Similar) + problem.bytes()),
        search(whole) {
    search.leave_memory();
  }

  /// Until it has had so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    return search.search_up_to(
        nodes, [&](std::optional<Search>& made, Call& call) {
          if (!made) {
            capacity = presolve(problem, capacity);
            held.change(sizeof(Similar) + problem.bytes());
            made.emplace(models.emplace(problem), capacity, call);
          }
          return made->run(found);
        });
  }

  Flat problem;           ///< presolved once there is a search
  std::int64_t capacity;  ///< what is reserved at the top is above it
  Held held;
  std::optional<FlatModels<M>> models{};  ///< of that
  SearchInTurns<Search> search;
};

/// Both searches. They go on where they were when their call has another turn.
template <class M>
class PresolvedSearch {
 public:
  using Source = FlatModels<M>;

  /// Both must outlive it.
  PresolvedSearch(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : models_(&models), capacity_(capacity), call_(&call), held_(call, 0) {
    const bool is_plain = models.ground() && models.grid() == 1;
    if constexpr (M::kBoth)
      if (is_plain && !JoinedFlat::applies(models.flat())) {
        alone_.emplace(models, capacity, call);
        return;
      }
    if (is_plain || !find_restricted()) find_joined();
  }
  PresolvedSearch(const PresolvedSearch&) = delete;
  PresolvedSearch& operator=(const PresolvedSearch&) = delete;

  [[nodiscard]] Outcome run(Found& found) {
    found.bound = (std::max)(found.bound, bound_);
    if (call_->gave_up()) return Outcome::kOpen;
    if (bound_ > capacity_) return Outcome::kRefuted;
    for (;; turn_ = longer_turn((std::max)(turn_, next_turn_))) {
      Outcome outcome = search_similar(turn_, found);
      if (call_->is_settled(outcome)) return outcome;
      outcome = search_whole(
          similar_ ? (std::max)(turn_, next_turn_) / price_ : kNoNodeLimit,
          found);
      if (call_->is_settled(outcome) || !similar_) return outcome;
    }
  }

 private:
  [[nodiscard]] const Flat& flat() const noexcept { return models_->flat(); }

  /// Without the gaps or, if there are none, on the grid of a coarser problem. False
  /// if there is none of that either.
  [[nodiscard]] bool find_restricted() {
    add_similar(flat());
    turn_ = next_turn_ = nodes_of_similar(flat());
    const bool is_tighter = !models_->ground() && tighten(similar_->problem);
    boxes_ = merge_ties(similar_->problem, Merge::kBoxes);
    if (is_tighter || !boxes_.empty()) {
      price_ = kPriceOfGaps;
    } else if (models_->grid() > 1) {
      coarsen(similar_->problem, models_->grid());
    } else {
      similar_.reset();
      return false;
    }
    // A bound that is soon known may settle it.
    bound_ = quick_bound<M>(flat(), *call_);
    return true;
  }

  /// Joined by a guess, if there are many joins: by equal sums, or else by near ones.
  void find_joined() {
    if constexpr (M::kBoth) {
      if (!JoinedFlat::applies(flat())) return;
      const Interrupt interrupt = call_->interrupt();
      joined_ = std::make_unique<JoinedFlat>(flat(), capacity_, interrupt);
      for (const int shift : Nearness::kShifts) {
        if (joined_->pays() || call_->gave_up()) break;
        joined_->join({shift}, interrupt);
      }
      held_.change(sizeof(JoinedFlat) + joined_->bytes());
      if (call_->gave_up() || !joined_->pays()) {
        joined_.reset();
        held_.change(0);
        return;
      }
      turn_ = JoinedFlat::kNodesPerBuffer *
              static_cast<std::int64_t>(flat().buffers.size());
      next_turn_ = 4096;
      add_similar(joined_->flat());
    }
  }

  void add_similar(const Flat& flat) {
    similar_ =
        std::make_unique<Similar<M, PresolvedSearch>>(flat, capacity_, *call_);
  }

  /// Searches the similar problem until it has had so many nodes, and forgets it if
  /// no more of it is of use. What refutes it says nothing of the whole.
  [[nodiscard]] Outcome search_similar(std::int64_t nodes, Found& found) {
    if (!similar_) return Outcome::kOpen;
    Found placed;
    const Outcome outcome = similar_->search_up_to(nodes, placed);
    if (outcome == Outcome::kPlacedAll) {
      found.offsets = std::move(placed.offsets);
      spread(boxes_, found.offsets);
      if constexpr (M::kBoth)
        if (joined_) found.offsets = joined_->expand(found.offsets);
    }
    if (similar_->search.is_over() || similar_->search.of_last_turn() == 0)
      similar_.reset();
    return outcome == Outcome::kPlacedAll ? outcome : Outcome::kOpen;
  }

  /// The same for the whole.
  [[nodiscard]] Outcome search_whole(std::int64_t nodes, Found& found) {
    if constexpr (M::kBoth)
      if (alone_) return alone_->run(found);
    if (!whole_) {
      whole_.emplace(*models_, capacity_, *call_);
      if (call_->gave_up()) return Outcome::kOpen;
      bound_ = (std::max)(bound_, whole_->bound());
      found.bound = (std::max)(found.bound, bound_);
      if (bound_ > capacity_) return Outcome::kRefuted;
    }
    return whole_->search_up_to(nodes, found);
  }

  FlatModels<M>* models_;
  std::int64_t capacity_;
  Call* call_;
  /// Where there is nothing similar, and all is plain: instead of all that follows.
  IfBoth<M, std::optional<GroundSolve<M>>> alone_{};
  Held held_;               ///< joined_
  std::int64_t bound_ = 0;  ///< no placement is lower
  /// Without the plain model nothing is joined.
  IfBoth<M, std::unique_ptr<JoinedFlat>> joined_{};
  std::unique_ptr<Similar<M, PresolvedSearch>> similar_{};
  List<Index> boxes_{};         ///< of merge_ties(), for that
  std::int64_t turn_ = 0;       ///< nodes
  std::int64_t next_turn_ = 0;  ///< of all but the first, at least
  std::int64_t price_ = 1;  ///< of a node of the whole, in the similar one's
  std::optional<WholeSearch<M>> whole_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PRESOLVED_HPP
