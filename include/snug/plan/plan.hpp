// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of things, for a flat problem:
///
///     fixed       too high: no; those that nobody     plan/place_beside_fixed.hpp
///                 meets go; around them, if most are
///     presolve    what makes no difference goes       normal/presolve.hpp
///     reserved    ranges go, if minimize() soon finds
///                 a placement below all of them
///     hints       buffers stay where they were        plan/replan.hpp,
///                                                     plan/fewer_moves.hpp
///     ends        left out if they ask nothing        plan/place_presolved.hpp
///     ties        that make one buffer of several     normal/merged_ties.hpp
///     parts       of others, such as views            normal/parts.hpp
///     components  that are plain, and all others      plan/sides.hpp
///     lasting     buffers, stacked at the bottom      normal/lasting.hpp
///     large?      yes: around its peak, if it has     plan/place_presolved.hpp
///                 constraints, or the search has
///                 neither time nor memory
///     similar     without gaps, on one grid, or       plan/presolved.hpp
///                 joined by a guess: for a few nodes,
///                 and then in turns
///     plain?      yes: load, dives, peak, search      plan/solve_plain.hpp
///     bodies      no: search                          plan/body_placer.hpp
///     bound       of solve(), before the capacity
///     walk,       in turns with the search, if there
///     mirror,     are constraints, or alignments mix  plan/constrained_search.hpp
///     windows
///
/// minimize() makes this at several capacities, down from a first placement
/// (plan/lowest.hpp).
///
/// The first one that knows the answer ends it. What runs out of nodes or time
/// is no answer.
#ifndef SNUG_PLAN_PLAN_HPP
#define SNUG_PLAN_PLAN_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/fewer_moves.hpp"
#include "snug/plan/place_beside_fixed.hpp"
#include "snug/plan/place_presolved.hpp"
#include "snug/plan/replan.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A problem as the models need it.
template <class M, class Size, class Time>
[[nodiscard]] Flat flatten_for(const Problem<Size, Time>& problem,
                               const Interrupt& interrupt) {
  if constexpr (M::kBodies)
    return flatten(problem, interrupt);
  else
    return flatten_plain(problem, interrupt);
}

/// Drops the reserved ranges if all buffers are soon placed below the lowest of
/// them, which `ceiling` becomes: nothing higher is of use then. `found` has that
/// placement.
template <class M>
void drop_high_reserved(Flat& flat, std::int64_t& ceiling, Call& call,
                        Found& found) {
  if (flat.reserved.empty()) return;
  Flat open = flat;
  open.reserved.clear();
  if (!plain_ground(open)) return;
  std::int64_t lowest = ceiling;
  for (const FlatReserved& range : flat.reserved)
    lowest = (std::min)(lowest, range.bytes.lower);
  const auto place = [&](Call& share, Found& placed) {
    return place_presolved<M, Wanted::kAny>(open, lowest, share, placed);
  };
  if (!place_in_share(call, nodes_of_similar(open), found, place)) return;
  flat = std::move(open);
  ceiling = lowest;
}

/// Places a problem with hints as if it had none, if that takes few nodes. Returns
/// whether it did.
template <class M>
[[nodiscard]] bool place_soon_afresh(const Flat& flat, std::int64_t capacity,
                                     Call& call, Found& found) {
  constexpr std::int64_t kNodesPerBuffer = 4;
  return place_in_share(
      call, kNodesPerBuffer * static_cast<std::int64_t>(flat.buffers.size()),
      found, [&](Call& share, Found& placed) {
        return place_presolved<M, Wanted::kAny>(flat, capacity, share, placed);
      });
}

/// Places a presolved problem with hints. A small one is needed once more after
/// a placement, so that fewer may move.
template <class M>
[[nodiscard]] Outcome solve_hinted(Flat flat, std::int64_t capacity, Call& call,
                                   Found& found) {
  const bool is_small = M::kBoth && flat.buffers.size() <= FewerMoves::kMost;
  Outcome outcome = Outcome::kOpen;
  {
    const Held held(call, flat.bytes());
    const std::int64_t bound = quick_bound<M>(flat, call);
    if (call.gave_up()) return Outcome::kOpen;
    found.bound = bound;
    const auto place_afresh = [&] {
      return place_soon_afresh<M>(flat, capacity, call, found);
    };
    if (bound <= capacity &&
        replan<M>(flat, capacity, call, found, place_afresh))
      outcome = Outcome::kPlacedAll;
    if (call.gave_up()) return Outcome::kOpen;
    if (is_small && outcome != Outcome::kPlacedAll)
      outcome = place_presolved<M, Wanted::kAny>(flat, capacity, call, found);
    if constexpr (M::kBoth)
      if (outcome == Outcome::kPlacedAll)
        move_fewer<M>(flat, capacity, call, found);
    if (is_small || outcome == Outcome::kPlacedAll) return outcome;
  }
  return place_presolved<M, Wanted::kAny>(std::move(flat), capacity, call,
                                          found);
}

/// solve() of the buffers that matter.
template <class M>
[[nodiscard]] Outcome solve_met(Flat flat, std::int64_t capacity, Call& call,
                                Found& found) {
  if constexpr (M::kBodies) {
    capacity = presolve(flat, capacity);
    if (!flat.hints.empty())
      return solve_hinted<M>(std::move(flat), capacity, call, found);
  }
  return place_presolved<M, Wanted::kAny>(std::move(flat), capacity, call,
                                          found);
}

/// minimize() of the buffers that matter.
template <class M>
[[nodiscard]] Outcome minimize_met(Flat flat, std::int64_t ceiling, Call& call,
                                   Found& found) {
  if constexpr (M::kBodies) {
    ceiling = presolve(flat, ceiling);
    drop_high_reserved<M>(flat, ceiling, call, found);
  }
  call.limits().set_ceiling(ceiling);
  if (flat.hints.empty())
    return place_presolved<M, Wanted::kLowest>(std::move(flat), ceiling, call,
                                               found);
  const Held held(call, flat.bytes());
  const Outcome outcome =
      place_presolved<M, Wanted::kLowest>(flat, ceiling, call, found);
  if constexpr (M::kBodies) {
    if (outcome != Outcome::kPlacedAll) return outcome;
    const std::int64_t height = height_of(flat.buffers, found.offsets);
    (void)replan<M>(flat, height, call, found, [] { return false; });
    if constexpr (M::kBoth) move_fewer<M>(flat, height, call, found);
  }
  return outcome;
}

/// Finds the placement of a flat problem that is wanted, below `ceiling`, or proves
/// that there is none.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_flat(Flat flat, std::int64_t ceiling, Call& call,
                                 Found& found) {
  if (call.gave_up()) return Outcome::kOpen;
  // What fits at all fits below that (check.hpp), where sums are numbers.
  ceiling = (std::min)(ceiling, kMaxTotal);
  if constexpr (M::kBoth)
    if (is_refuted_by_fixed(flat, ceiling, found)) return Outcome::kRefuted;
  const auto place_some = [&](Flat some, Found& of_some) {
    if constexpr (kWanted == Wanted::kLowest)
      return minimize_met<M>(std::move(some), ceiling, call, of_some);
    else
      return solve_met<M>(std::move(some), ceiling, call, of_some);
  };
  if constexpr (M::kBoth) {
    const auto place = [&](Flat some, Found& of_some) {
      if (some.fixed.empty()) return place_some(std::move(some), of_some);
      return place_around_fixed(std::move(some), call, of_some, place_some);
    };
    return place_met<M>(std::move(flat), call, found, place);
  } else {
    return place_some(std::move(flat), found);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLAN_HPP
