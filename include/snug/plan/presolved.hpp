// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which search a presolved problem takes:
///
///     plain     from its ground (plan/from_ground.hpp): load, dives, peak, search
///     paired    gaps without windows, as pairs kept apart: plain, too
///     bodies    what constraints are left
///
/// A *similar* problem takes turns with the whole, where there is one, and comes
/// first: a placement of it is one of the whole, and mostly that is all that it
/// takes, so that the models of the whole are never made. Each goes on in its turn
/// where it was, until it has had so many nodes, which grows by a factor:
///
///     similar   |= 2 n =|          |=== 16 384 ===|
///     whole             |= 4096 =|                |=== 16 384 ===| ...
///
///     tight     without the gaps, and with boxes for ties: often plain, for which
///               the search is faster. Beside it, a bound that is soon known
///     coarse    on one grid, if alignments do not divide the sizes: with few or no
///               alignments in its way (normal/coarse.hpp)
///     joined    no gaps but of fixed buffers, and constraints: some buffers are
///               one by a guess (presolve/joined_flat.hpp). Plain problems have
///               such guesses of their own
#ifndef SNUG_PLAN_PRESOLVED_HPP
#define SNUG_PLAN_PRESOLVED_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/merged_ties.hpp"
#include "snug/normal/pair_gaps.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/build_bodies.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/presolve/joined_flat.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A height that no placement is below, soon known; of no use if the call gave
/// up.
[[nodiscard]] inline std::int64_t quick_bound(
    const Flat& flat, Call& call, Cliques cliques = Cliques::kNone) {
  std::int64_t ground = 0;
  if (is_plain(flat, ground))
    return aligned_load(make_plain(flat.buffers, call.interrupt())) + ground;
  const Bodies bodies = build_bodies(flat, call, cliques);
  return call.gave_up() ? 0 : quick_bound(bodies) * bodies.unit;
}

/// What a problem that is not plain is searched in: the plain model, where pairs
/// say all that its gaps do, else the model of bodies. It takes as long as
/// thousands of nodes to make, most of it for cliques.
template <class M>
struct Whole {
  Whole(const Flat& flat, Call& call)
      : paired(M::kBoth ? flat : Flat()), held(call, paired.bytes()) {
    if constexpr (M::kBoth)
      if (pair_gaps(paired) && has_ground(paired, ground)) {
        Flat taken = paired;
        (void)plain_above<M>(taken, ground, call, bound);
        bound += ground;
        return;
      }
    bodies.emplace(flat, call);
    bound = bodies->bound();
  }

  Flat paired;
  Held held;
  std::int64_t ground = 0;
  std::optional<BodiesPlan> bodies;  ///< Nothing in the plain model.
  std::int64_t bound = 0;
};

/// About how many nodes of a problem without its gaps one with them takes.
inline constexpr std::int64_t kPriceOfGaps = 4;

/// The nodes in which a similar problem is to be placed, or not at all.
[[nodiscard]] inline std::int64_t soon(const Flat& flat) noexcept {
  return 64 * static_cast<std::int64_t>(flat.buffers.size());
}

/// solve() of a presolved problem: the similar one and the whole, in turns. It goes
/// on where it was when its call has another turn.
template <class M>
class PresolvedSearch {
 public:
  using Source = Flat;

  PresolvedSearch(Flat flat, std::int64_t capacity, Call& call)
      : capacity_(capacity),
        call_(&call),
        is_plain_(is_searched_plain<M>(flat, ground_)) {
    const std::int64_t grid = coarse_grid(flat);
    if constexpr (M::kBoth)
      if (is_plain_ && grid == 1 && !JoinedFlat::applies(flat)) {
        in_plain_.emplace(std::move(flat), ground_, capacity, call);
        return;
      }
    flat_ = std::move(flat);
    held_.emplace(call, flat_.bytes());
    if ((is_plain_ && grid == 1) || !find_restricted(grid)) find_joined();
  }
  PresolvedSearch(const PresolvedSearch&) = delete;
  PresolvedSearch& operator=(const PresolvedSearch&) = delete;

  [[nodiscard]] Outcome run(Found& found) {
    found.bound = (std::max)(found.bound, bound_);
    if (call_->gave_up()) return Outcome::kStopped;
    if (bound_ > capacity_) return Outcome::kRefuted;
    for (;; turn_ = longer_turn((std::max)(turn_, next_turn_))) {
      Outcome outcome = search_similar(turn_, found);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
      outcome = search_whole(
          similar_ ? (std::max)(turn_, next_turn_) / price_ : kNoNodeLimit,
          found);
      if (outcome != Outcome::kStopped || call_->is_stopped() || !similar_)
        return outcome;
    }
  }

 private:
  /// The similar problem has a share of the call.
  struct SimilarSearch {
    SimilarSearch(const Flat& flat, std::int64_t ceiling, Call& whole)
        : share(whole), problem(flat), capacity(ceiling) {
      share.leave_memory();
    }

    Share share;
    Flat problem;
    std::int64_t capacity;  ///< what is reserved at the top is above it
    List<Index> boxes{};    ///< of merge_ties()
    std::optional<PresolvedSearch> search{};
    std::int64_t nodes = 0;  ///< so far
  };

  /// Without the gaps or, if there are none, on the grid of a coarser problem. False
  /// if there is none of that either.
  [[nodiscard]] bool find_restricted(std::int64_t grid) {
    add_similar(flat_);
    turn_ = next_turn_ = soon(flat_);
    const bool is_tighter = !is_plain_ && tighten(similar_->problem);
    similar_->boxes = merge_ties(similar_->problem, Merge::kBoxes);
    if (is_tighter || !similar_->boxes.empty()) {
      price_ = kPriceOfGaps;
    } else if (grid > 1) {
      coarsen(similar_->problem, grid);
    } else {
      similar_.reset();
      held_->change(flat_.bytes());
      return false;
    }
    // A bound that is soon known may settle it.
    bound_ = quick_bound(flat_, *call_);
    return true;
  }

  /// Joined by a guess, if there are many joins.
  void find_joined() {
    if constexpr (M::kBoth) {
      if (!JoinedFlat::applies(flat_)) return;
      joined_ =
          std::make_unique<JoinedFlat>(flat_, capacity_, call_->interrupt());
      held_->change(flat_.bytes() + sizeof(JoinedFlat) + joined_->bytes());
      if (call_->gave_up() || !joined_->pays()) {
        joined_.reset();
        held_->change(flat_.bytes());
        return;
      }
      turn_ = JoinedFlat::kNodesPerBuffer *
              static_cast<std::int64_t>(flat_.buffers.size());
      next_turn_ = 4096;
      add_similar(joined_->flat());
    }
  }

  void add_similar(const Flat& flat) {
    held_->change(held_->bytes() + sizeof(SimilarSearch));
    similar_ = std::make_unique<SimilarSearch>(flat, capacity_, *call_);
  }

  /// Searches the similar problem until it has had so many nodes, and forgets it if
  /// no more of it is of use.
  [[nodiscard]] Outcome search_similar(std::int64_t nodes, Found& found) {
    if (!similar_ || similar_->nodes >= nodes) return Outcome::kStopped;
    Found of_similar;
    Outcome outcome = Outcome::kStopped;
    bool is_settled = false;
    {
      const Turn turn(similar_->share, nodes - similar_->nodes);
      Call& call = similar_->share.call();
      const std::int64_t before = call.stats().nodes;
      if (!similar_->search) {
        presolve(similar_->problem, similar_->capacity);
        similar_->search.emplace(std::move(similar_->problem),
                                 similar_->capacity, call);
      }
      outcome = similar_->search->run(of_similar);
      similar_->nodes += call.stats().nodes - before;
      // If it stopped by itself, for want of memory, more nodes do not help.
      is_settled = outcome == Outcome::kRefuted || !call.is_stopped() ||
                   call.gave_up() || call.stats().nodes == before;
      if (is_settled) similar_->search.reset();
    }
    if (outcome == Outcome::kPlacedAll) {
      found.offsets = std::move(of_similar.offsets);
      spread(similar_->boxes, found.offsets);
      if constexpr (M::kBoth)
        if (joined_) found.offsets = joined_->expand(found.offsets);
    }
    if (is_settled) similar_.reset();
    return outcome == Outcome::kPlacedAll ? outcome : Outcome::kStopped;
  }

  /// The same for the whole.
  [[nodiscard]] Outcome search_whole(std::int64_t nodes, Found& found) {
    if (nodes_of_whole_ >= nodes) return Outcome::kStopped;
    const std::int64_t before = call_->stats().nodes;
    const std::int64_t more =
        nodes == kNoNodeLimit ? nodes : nodes - nodes_of_whole_;
    const Outcome outcome = go_on(more, found);
    nodes_of_whole_ += call_->stats().nodes - before;
    return outcome;
  }
  [[nodiscard]] Outcome go_on(std::int64_t nodes, Found& found) {
    if constexpr (M::kBoth)
      if (in_plain_ && !share_) return in_plain_->run(found);
    if (!is_plain_ && !whole_) {
      whole_.emplace(flat_, *call_);
      if (call_->gave_up()) return Outcome::kStopped;
      found.bound = bound_ = (std::max)(bound_, whole_->bound);
      if (bound_ > capacity_) return Outcome::kRefuted;
    }
    if constexpr (M::kBoth)
      if (is_plain_ || !whole_->bodies) return go_on_in_plain(nodes, found);
    return whole_->bodies->solve(capacity_, nodes, found);
  }
  [[nodiscard]] Outcome go_on_in_plain(std::int64_t nodes, Found& found) {
    if (!share_) share_.emplace(*call_, Share::Of::kWhole);
    const Turn turn(*share_, nodes);
    if (!in_plain_)
      in_plain_.emplace(Flat(is_plain_ ? flat_ : whole_->paired),
                        is_plain_ ? ground_ : whole_->ground, capacity_,
                        share_->call());
    const Outcome outcome = in_plain_->run(found);
    // What was interrupted while it was made is of no use.
    if (share_->call().gave_up()) in_plain_.reset();
    return outcome;
  }

  std::int64_t capacity_;
  Call* call_;
  std::int64_t ground_ = 0;
  bool is_plain_;
  Flat flat_{};
  std::optional<Held> held_{};
  std::int64_t bound_ = 0;  ///< no placement is lower
  struct None {};
  /// Without the plain model nothing is joined.
  std::conditional_t<M::kBoth, std::unique_ptr<JoinedFlat>, None> joined_{};
  std::unique_ptr<SimilarSearch> similar_{};
  std::int64_t turn_ = 0;       ///< nodes
  std::int64_t next_turn_ = 0;  ///< of all but the first, at least
  std::int64_t price_ = 1;  ///< of a node of the whole, in the similar one's
  std::optional<Whole<M>> whole_{};
  std::optional<Share> share_{};  ///< of the plain search of the whole
  std::conditional_t<M::kBoth, std::optional<GroundSolve<M>>, None> in_plain_{};
  std::int64_t nodes_of_whole_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PRESOLVED_HPP
