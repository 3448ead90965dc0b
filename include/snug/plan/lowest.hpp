// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize() of a presolved problem:
///
///     start     a placement: of the plain problem (plan/place_plain.hpp), or by dives
///               of bodies (plan/body_start.hpp); otherwise below a capacity that is
///               enough, or the ceiling
///     tight     that without gaps and pairs that may overlap (normal/presolve.hpp), if
///               it is lower
///     coarse    that of the coarser problem (normal/coarse.hpp), if it is lower
///     sections  a bound, by what is needed beside obstacles (plan/relaxed_packings.hpp),
///               and by alignments (plan/relaxed_stacks.hpp)
///     halves    down from there, by short searches and walks (plan/bisection.hpp)
///     orders    down from there, by first fit in many orders (plan/order_walks.hpp), if
///               alignments differ; and from the largest first, which ends elsewhere
///     ladder    down from there, by solves at several capacities (plan/ladder.hpp), in
///               turns with orders, from the placement as long as these come lower; and
///               with halves as long as constraints keep it far above the bound
#ifndef SNUG_PLAN_LOWEST_HPP
#define SNUG_PLAN_LOWEST_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/config.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/bisection.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_start.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/constrained_search.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/heights.hpp"
#include "snug/plan/ladder.hpp"
#include "snug/plan/order_walks.hpp"
#include "snug/plan/place_plain.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/relaxed_packings.hpp"
#include "snug/plan/relaxed_stacks.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// solve() of a presolved problem that is not placed around its peak; only both
/// models together walk.
template <class M>
using FlatSearch =
    std::conditional_t<M::kBoth, ConstrainedSearch<M>, PresolvedSearch<M>>;

/// The lowest placement of a presolved problem.
template <class M>
class Lowest {
 public:
  /// Placements above `ceiling` bytes are of no use.
  Lowest(Flat flat, std::int64_t ceiling, Call& call)
      : flat_(std::move(flat)),
        ceiling_(ceiling),
        call_(&call),
        held_(call, flat_.bytes()),
        models_(flat_) {}

  /// From the placement in `found`, if there is one.
  [[nodiscard]] Outcome run(Found& found) {
    if (!call_->interrupt().after(flat_.buffers.size())) begin(found);
    if (found.bound > ceiling_) return Outcome::kRefuted;
    if (call_->gave_up() || call_->is_stopped())
      return when_stopped(Wanted::kLowest, found);
    if (found.offsets.empty()) {
      const Outcome outcome = fit(found);
      if (outcome != Outcome::kPlacedAll) return outcome;
    }
    call_->limits().note_height(height_of(flat_.buffers, found.offsets));
    const std::int64_t origin = models_.ground().value_or(0);
    const Heights heights{unit_of(flat_, origin), origin};
    lower_tight(found);
    lower_coarse(found);
    raise_bound(found);
    descend(heights, found);
    return Outcome::kPlacedAll;
  }

 private:
  void begin(Found& found) {
    if constexpr (M::kBoth) {
      if (models_.ground()) {
        if (const AboveGround<M>* above = models_.above(*call_))
          start_from_ground(flat_, *above, most_useful(found), *call_, found);
        return;
      }
      if (found.offsets.empty()) return dive(found);
    }
    note_bound(quick_bound<M>(flat_, *call_), found);
  }

  void note_bound(std::int64_t bound, Found& found) {
    found.bound = (std::max)(found.bound, bound);
    call_->note_bound(found.bound);
  }

  /// Takes a placement that dives come to, if there is one: sooner, and far lower,
  /// than the first one that a search comes to where any will do.
  void dive(Found& found) {
    BodyStart<M> start(flat_, most_useful(found), Wanted::kLowest, *call_);
    if (call_->gave_up()) return;
    note_bound(start.bound(), found);
    if (found.bound > ceiling_) return;
    start.relax();
    if (start.is_placed()) found.offsets = start.offsets();
  }

  /// The greatest height of a placement that is of use.
  [[nodiscard]] std::int64_t most_useful(const Found& found) const {
    return found.offsets.empty() ? ceiling_
                                 : height_of(flat_.buffers, found.offsets) - 1;
  }

  /// Any placement below the ceiling.
  [[nodiscard]] Outcome fit(Found& found) {
    const Bodies bodies = build_bodies(flat_, *call_, CliqueScope::kNone);
    if (call_->gave_up()) return Outcome::kOpen;
    const std::int64_t enough =
        sufficient_capacity(bodies, found.bound / bodies.unit + 1);
    const std::int64_t capacity =
        enough < ceiling_ / bodies.unit ? enough * bodies.unit : ceiling_;
    Share share(*call_, kNoNodeLimit, Share::Of::kWhole);
    return FlatSearch<M>(models_, capacity, share.call()).run(found);
  }

  /// That of the tight problem, whose model may be the plain one.
  void lower_tight(Found& found) {
    if constexpr (M::kBoth) {
      if (models_.ground() || most_useful(found) < found.bound) return;
      Flat problem = flat_;
      if (!tighten(problem)) return;
      const std::int64_t ceiling = presolve(problem, most_useful(found));
      lower_by(std::move(problem), ceiling, found);
    }
  }

  /// That of the coarser problem.
  void lower_coarse(Found& found) {
    const std::int64_t grid = models_.grid();
    if (grid == 1 || most_useful(found) < found.bound) return;
    Flat problem = flat_;
    coarsen(problem, grid);
    lower_by(std::move(problem), most_useful(found) + grid, found);
  }

  /// Takes the lowest placement of a problem whose placements are those of the whole,
  /// found within a few nodes. Its bound says nothing of the whole.
  void lower_by(Flat problem, std::int64_t ceiling, Found& found) {
    {
      Share share(*call_, 4 * nodes_of_similar(flat_));
      Found other;
      if (place(std::move(problem), ceiling, share.call(), other) ==
              Outcome::kPlacedAll &&
          height_of(flat_.buffers, other.offsets) <= most_useful(found))
        found.offsets = std::move(other.offsets);
    }
    call_->limits().note_height(height_of(flat_.buffers, found.offsets));
  }

  [[nodiscard]] static Outcome place(Flat&& problem, std::int64_t ceiling,
                                     Call& call, Found& found) {
    if constexpr (M::kBoth)
      if (const Ground ground = only_ground(problem))
        return place_plain<M, Wanted::kLowest>(std::move(problem), *ground,
                                               ceiling, call, found);
    return Lowest(std::move(problem), ceiling, call).run(found);
  }

  /// Raises the bound to the highest packing and stack of what is live together, as far as
  /// these are soon known; from a ground it was raised at first. No placement is lower than
  /// any of them, so it need not be one that refutes a capacity of the ladder.
  void raise_bound(Found& found) {
    if constexpr (M::kBoth) {
      if (most_useful(found) < found.bound) return;
      if (RelaxedPackings* const packings = models_.packings(*call_))
        note_bound(
            packings->height(found.bound, most_useful(found), true, *call_),
            found);
      if (most_useful(found) < found.bound) return;
      RelaxedStacks* const stacks = models_.stacks(*call_);
      if (stacks == nullptr) return;
      const std::int64_t steps = stack_steps_for(flat_.buffers.size());
      Share share(*call_, Share::kNoSearch);
      note_bound(
          stacks->raise(found.bound, most_useful(found), steps, share.call()),
          found);
    }
  }

  /// Halves, and the ladder below them; in turns with orders and halves, as long as these
  /// may come far lower.
  void descend(const Heights& heights, Found& found) {
    Ladder<FlatSearch<M>> ladder(models_, heights, *call_, models_.is_mixed());
    if constexpr (M::kBoth) {
      Bisection<M, FlatSearch<M>> halves(models_, heights, *call_);
      halves.run(found);
      const auto n = static_cast<std::int64_t>(flat_.buffers.size());
      const bool walks = models_.has_coarser();
      bool lowers = walks;
      std::optional<OrderWalks> largest_first;
      for (std::int64_t nodes = 64;  // A buffer.
           walks || halves.is_far(found); nodes = multiply_nodes(nodes, 4)) {
        if (std::optional<OrderWalks> from_here; lowers)
          lowers = walk_orders(from_here, found.offsets, nodes / 4, found);
        if (walks) (void)walk_orders(largest_first, {}, nodes / 4, found);
        if (!ladder.climb(found, multiply_nodes(nodes, n + 1))) return;
        if (halves.is_far(found)) halves.halve(nodes, found);
      }
    }
    ladder.climb(found);
  }

  /// Goes on with an order walk, or begins with the order of a placement, or else with
  /// the largest, until it was no lower for so many nodes a body. Takes its placement if
  /// that is lower than the one in `found`; false if not.
  [[nodiscard]] bool walk_orders(std::optional<OrderWalks>& walk,
                                 const List<std::int64_t>& from,
                                 std::int64_t nodes, Found& found) {
    if (most_useful(found) < found.bound || call_->must_stop()) return false;
    if (!walk) {
      walk.emplace(models_.searched(*call_), *call_);
      if (call_->gave_up()) return false;
      walk->start_from(from);
    }
    walk->come_down(found.bound, nodes);
    if (walk->height() > most_useful(found)) return false;
    walk->write(found);
    call_->limits().note_height(walk->height());
    return true;
  }

  Flat flat_;
  std::int64_t ceiling_;
  Call* call_;
  Held held_;
  FlatModels<M> models_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_LOWEST_HPP
