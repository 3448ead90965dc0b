// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lowest capacity at which a problem can be placed: solve() at several
/// capacities, in turns.
///
/// Let the optimum be in [bound, height], where `bound` was proved and a placement
/// of that height is known. The ladder has up to three rungs, each a whole solve of
/// its own:
///
///     height   ===  known
///              ---  the upper rung: a step below it
///              ---  the middle rung: halfway
///              ---  the lower rung: what is found at the bound is optimal
///     bound    ===  proved
///
/// A rung that places everything brings the height down, one that refutes its
/// capacity lifts the bound above that. A rung that is no longer between the two
/// begins anew where it should be.
///
/// Nobody knows how hard a capacity is: one may take a few nodes a buffer, and one a
/// little lower millions. So the lower rung gets as many nodes as the other two
/// together, until there is little left to win but the proof: once the height is
/// *close*, less than a 128th above the bound, it gets twice as many as both. Where
/// the bound is known to be weak, and the height not close to it, what the lower one
/// tries is hopeless as a rule: it gets an eighth as many as another.
///
/// The upper one finds its step: a quarter of the gap at most, doubled by a success,
/// quartered when half of the rung's nodes did not bring one, and after a step of one
/// unit a quarter of the gap again. The lower one starts at the bound. What it refutes
/// may be one of many capacities that are as easily refuted, so its next climb is
/// twice as high, up to half of the gap; a climb that has not brought an answer after
/// as many nodes as a step is halved.
///
/// *Units.* Heights above the bound are multiples of a unit, counted from an origin,
/// so gaps and steps are counted in units. Cost: that of the solves; memory for three
/// of them, but for what they share.
#ifndef SNUG_PLAN_LADDER_HPP
#define SNUG_PLAN_LADDER_HPP

#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/heights.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `Search` places a `Search::Source`, which has `buffers`, below a capacity in bytes
/// and goes on where it was in its next turn. It is told a placement that is too
/// high, from which it may begin:
///
///     Search(Source&, capacity, Call&), Outcome run(Found&)
template <class Search>
class Ladder {
 public:
  using Source = typename Search::Source;

  Ladder(Source& source, const Heights& heights, Call& call,
         bool is_bound_weak = false)
      : source_(&source),
        heights_(heights),
        call_(&call),
        is_bound_weak_(is_bound_weak),
        rungs_{Rung(call), Rung(call), Rung(call)} {}

  /// Brings the placement in `found` down until the optimum is known, a limit is hit
  /// or the searches stop by themselves; then false. True once it has had as many
  /// nodes as it may have in all.
  bool climb(Found& found, std::int64_t nodes = kNoNodeLimit) {
    lowest_ = found.bound;
    highest_ = height_of(source_->buffers, found.offsets);
    step_ = step_ == 0 ? largest_step() : (std::min)(step_, largest_step());
    while (lowest_ < highest_ && !call_->is_stopped()) {
      const std::size_t k = next();
      if (k == kRungs) return false;
      if (all_nodes() >= nodes) return true;
      const Outcome outcome = search(k, found);
      if (outcome == Outcome::kPlacedAll) {
        if (k == kUpper && step_ < largest_step()) step_ *= 2;
      } else if (outcome == Outcome::kRefuted) {
        if (k == kLower) climb_ = 2 * (std::min)(climb_, half_gap()) + 1;
      } else if (k == kUpper && is_spent(k)) {
        step_ = step_ > 1 ? (step_ + 3) / 4 : largest_step();
        drop(rungs_[k]);
      } else if (k == kLower && climb_ > 0 && is_spent(k)) {
        climb_ /= 2;
        drop(rungs_[k]);
      }
      step_ = (std::min)(step_, largest_step());
    }
    return false;
  }

 private:
  enum : std::size_t { kLower, kMiddle, kUpper, kRungs };
  /// A step is given up after so many nodes a buffer at least.
  static constexpr std::int64_t kPatience = 16;
  static constexpr std::int64_t kClose = 128;
  /// What the lower rung gets for each node of another, and what another gets for
  /// each of its nodes if the bound is weak.
  static constexpr std::int64_t kShare = 2;
  static constexpr std::int64_t kShareWhenClose = 4;
  static constexpr std::int64_t kOthersIfWeak = 8;
  static constexpr std::int64_t kNowhere = -1;
  /// Nodes of a turn, a buffer, at least.
  static constexpr std::int64_t kShortTurn = 4;

  struct Rung {
    explicit Rung(Call& call) : search(call, Share::Of::kWhole) {
      search.leave_memory();
    }

    SearchInTurns<Search> search;
    std::int64_t capacity = kNowhere;
    std::int64_t nodes = 0;  ///< at its capacity
    std::int64_t all_nodes = 0;
  };

  /// Between the bounds, in units, rounded up.
  [[nodiscard]] std::int64_t gap() const noexcept {
    return (highest_ - lowest_ - 1) / heights_.unit + 1;
  }
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(source_->buffers.size());
  }
  [[nodiscard]] std::int64_t largest_step() const noexcept {
    return (std::max)(gap() / 4, std::int64_t{1});
  }
  [[nodiscard]] std::int64_t half_gap() const noexcept { return gap() / 2; }

  /// The capacity that rung k should have.
  [[nodiscard]] std::int64_t wanted(std::size_t k) const noexcept {
    if (k == kLower)
      return lowest_ + (std::min)(climb_, half_gap()) * heights_.unit;
    if (k == kMiddle) return lowest_ + half_gap() * heights_.unit;
    return highest_ - step_ * heights_.unit;
  }

  /// Whether rung k has a place of its own, strictly between the bounds.
  [[nodiscard]] bool is_of_use(std::size_t k) const noexcept {
    return k == kLower || gap() > static_cast<std::int64_t>(k);
  }

  [[nodiscard]] bool is_close() const noexcept {
    return highest_ - lowest_ < highest_ / kClose;
  }

  [[nodiscard]] std::int64_t all_nodes() const noexcept {
    std::int64_t nodes = 0;
    for (const Rung& rung : rungs_) nodes += rung.all_nodes;
    return nodes;
  }

  [[nodiscard]] std::int64_t lower_rung_for_share(
      std::int64_t nodes) const noexcept {
    if (is_close()) return nodes / kShareWhenClose;
    return is_bound_weak_ ? multiply_nodes(nodes, kOthersIfWeak)
                          : nodes / kShare;
  }

  /// The rung of use that has had the fewest nodes for its share; kRungs if there is
  /// none that goes on.
  [[nodiscard]] std::size_t next() const noexcept {
    std::size_t best = kRungs;
    std::int64_t fewest = 0;
    for (std::size_t k = kLower; k < kRungs; ++k) {
      std::int64_t nodes = rungs_[k].all_nodes;
      if (k == kLower) nodes = lower_rung_for_share(nodes);
      if (!is_of_use(k) || rungs_[k].search.stops()) continue;
      if (best < kRungs && nodes >= fewest) continue;
      fewest = nodes;
      best = k;
    }
    return best;
  }

  /// One turn of rung k, where it should be: it stays where it is as long as that is
  /// strictly between the bounds.
  [[nodiscard]] Outcome search(std::size_t k, Found& found) {
    Rung& rung = rungs_[k];
    const std::int64_t least = lowest_ + (k == kLower ? 0 : 1);
    if (rung.capacity < least || rung.capacity >= highest_) {
      drop(rung);
      rung.capacity = wanted(k);
    }
    Found here;
    here.offsets = found.offsets;
    const Outcome outcome = take_turn(rung, here);
    found.bound = (std::max)(found.bound, here.bound);
    if (outcome == Outcome::kRefuted)
      found.bound = (std::max)(found.bound, heights_.above(rung.capacity));
    if (outcome == Outcome::kPlacedAll) {
      found.offsets = std::move(here.offsets);
      highest_ = height_of(source_->buffers, found.offsets);
      SNUG_ASSERT(highest_ <= rung.capacity);
      call_->limits().note_height(highest_);
    }
    lowest_ = found.bound;
    call_->note_bound(found.bound);
    return outcome;
  }

  [[nodiscard]] Outcome take_turn(Rung& rung, Found& here) {
    const std::int64_t nodes =
        (std::max)(kShortTurn * size(), rung.all_nodes / 4);
    const Outcome outcome =
        rung.search.take_turn(nodes, Share::Time::kAll,
                              [&](std::optional<Search>& search, Call& call) {
                                if (!search)
                                  search.emplace(*source_, rung.capacity, call);
                                return search->run(here);
                              });
    if (outcome != Outcome::kOpen || rung.search.stops()) rung.search.forget();
    // Who takes no nodes has had a turn, too.
    const std::int64_t used =
        (std::max)(rung.search.of_last_turn(), std::int64_t{1});
    rung.nodes += used;
    rung.all_nodes += used;
    return outcome;
  }

  void drop(Rung& rung) {
    rung.search.forget();
    rung.capacity = kNowhere;
    rung.nodes = 0;
  }

  [[nodiscard]] bool is_spent(std::size_t k) const noexcept {
    return rungs_[k].nodes >
           (std::max)(kPatience * size(), rungs_[k].all_nodes / 2);
  }

  Source* source_;
  Heights heights_;
  Call* call_;
  bool is_bound_weak_;
  std::int64_t lowest_ = 0;   ///< the bound
  std::int64_t highest_ = 0;  ///< the height
  std::int64_t step_ = 0;     ///< of the upper rung, in units; 0: none yet
  std::int64_t climb_ = 0;    ///< of the lower rung, in units
  Rung rungs_[kRungs];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_LADDER_HPP
