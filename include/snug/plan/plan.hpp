// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of things, for a flat problem:
///
///     met         fixed buffers that nobody meets go  normal/met.hpp
///     around      where most are, as reserved ranges  normal/around_fixed.hpp
///     presolve    what makes no difference goes       normal/presolve.hpp
///     hints       buffers stay where they were        plan/replan.hpp,
///                                                     plan/fewer_moves.hpp
///     ends        left out if they ask nothing        plan/place_presolved.hpp
///     ties        that make one buffer of several     normal/merged_ties.hpp
///     parts       of others, such as views            normal/parts.hpp
///     components  that are plain, and all others      plan/place_components.hpp
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
#include "snug/normal/around_fixed.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/met.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/fewer_moves.hpp"
#include "snug/plan/place_presolved.hpp"
#include "snug/plan/replan.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
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
  Share share(call, soon(open));
  Found placed;
  if (place_presolved<M, Wanted::kAny>(open, lowest, share.call(), placed) !=
      Outcome::kPlacedAll)
    return;
  flat = std::move(open);
  ceiling = lowest;
  found.offsets = std::move(placed.offsets);
}

/// Places a problem with hints as if it had none, if that takes few nodes. Returns
/// whether it did.
template <class M>
[[nodiscard]] bool place_soon_afresh(const Flat& flat, std::int64_t capacity,
                                     Call& call, Found& found) {
  constexpr std::int64_t kNodesPerBuffer = 4;
  Share share(call,
              kNodesPerBuffer * static_cast<std::int64_t>(flat.buffers.size()));
  Found placed;
  if (place_presolved<M, Wanted::kAny>(flat, capacity, share.call(), placed) !=
      Outcome::kPlacedAll)
    return false;
  found.offsets = std::move(placed.offsets);
  return true;
}

/// Places a presolved problem with hints. A small one is needed once more after
/// a placement, so that fewer may move.
template <class M>
[[nodiscard]] Outcome solve_hinted(Flat flat, std::int64_t capacity, Call& call,
                                   Found& found) {
  const bool is_small = M::kBoth && flat.buffers.size() <= FewerMoves::kMost;
  Outcome outcome = Outcome::kStopped;
  {
    const Held held(call, flat.bytes());
    const std::int64_t bound = quick_bound<M>(flat, call);
    if (call.gave_up()) return Outcome::kStopped;
    found.bound = bound;
    const auto place_afresh = [&] {
      return place_soon_afresh<M>(flat, capacity, call, found);
    };
    if (bound <= capacity &&
        replan<M>(flat, capacity, call, found, place_afresh))
      outcome = Outcome::kPlacedAll;
    if (call.gave_up()) return Outcome::kStopped;
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
    presolve(flat, capacity);
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
    presolve(flat, ceiling);
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

/// The buffers that matter (normal/met.hpp) of a problem with fixed ones, if to leave
/// the others out is worth a copy: if they are many, or what is left is plain then. In
/// that case nothing else says how high the others are, so they must not be higher
/// than any placement.
template <class M>
[[nodiscard]] List<Index> list_worth_copy(const Flat& flat, Call& call,
                                          Flat& some) {
  List<Index> met = list_met(flat, call.interrupt());
  const bool are_few = met.size() <= flat.buffers.size() / 2;
  if (!are_few) met = list_free_if_alone(flat, call.interrupt());
  if (met.empty() || call.gave_up()) return {};
  some = subset_of(flat, met);
  if (are_few) return met;
  some.fixed.clear();
  const Index highest = highest_fixed(flat);
  const std::int64_t top = flat.fixed[highest] + flat.buffers[highest].size;
  if (!plain_ground(some) || quick_bound<M>(some, call) < top) return {};
  return met;
}

/// What `place` answers for `some`, the problem of the members of a whole one, and the
/// others where that fixes them.
template <class Place>
[[nodiscard]] Outcome place_members(Flat whole, Flat some,
                                    const List<Index>& members, Call& call,
                                    Found& found, const Place& place) {
  if (!whole.hints.empty())
    for (const Index i : members) some.hints.push_back(whole.hints[i]);
  call.count_bytes(whole.bytes() + some.bytes() + bytes_of(members));
  List<std::int64_t> offsets = std::move(whole.fixed);
  whole = {};
  const Held held(call, bytes_of(members, offsets));
  Found placed;
  const Outcome outcome = place(std::move(some), placed);
  found.bound = placed.bound;
  if (outcome == Outcome::kRefuted && placed.core.empty()) found.core = members;
  for (const Index k : placed.core) found.core.push_back(members[k]);
  if (placed.offsets.empty()) return outcome;
  for (Index k = 0; k < members.size(); ++k)
    offsets[members[k]] = placed.offsets[k];
  found.offsets = std::move(offsets);
  return outcome;
}

/// What `place` answers, if most buffers are fixed for those that are not, with what is
/// around them as reserved ranges (normal/around_fixed.hpp). A proof may use all of
/// these.
template <class Place>
[[nodiscard]] Outcome place_around_fixed(Flat flat, Call& call, Found& found,
                                         const Place& place) {
  const List<Index> members = list_not_ranges(flat, highest_fixed(flat));
  const std::size_t count = flat.buffers.size();
  if (2 * members.size() > count) return place(std::move(flat), found);
  Flat around = around_fixed(flat, members);
  const Outcome outcome = place_members(std::move(flat), std::move(around),
                                        members, call, found, place);
  if (outcome != Outcome::kRefuted) return outcome;
  const List<Index> others = list_others(count, members);
  found.core.append(others.begin(), others.end());
  heap_sort(found.core);
  return outcome;
}

/// What `place` answers for the buffers that matter, and the others where they are
/// fixed. It takes a problem, and where its answer goes.
template <class M, class Place>
[[nodiscard]] Outcome place_met(Flat flat, Call& call, Found& found,
                                const Place& place) {
  if (flat.fixed.empty()) return place(std::move(flat), found);
  Flat some;
  const List<Index> met = list_worth_copy<M>(flat, call, some);
  if (call.gave_up()) return Outcome::kStopped;
  if (met.empty()) return place(std::move(flat), found);
  return place_members(std::move(flat), std::move(some), met, call, found,
                       place);
}

/// Whether something is fixed above the ceiling, which walks do not look at.
[[nodiscard]] inline bool is_refuted_by_fixed(const Flat& flat,
                                              std::int64_t ceiling,
                                              Found& found) {
  for (Index i = 0; i < flat.fixed.size(); ++i) {
    const std::int64_t top = flat.fixed[i] + flat.buffers[i].size;
    if (!flat.is_fixed(i) || top <= ceiling) continue;
    found.bound = (std::max)(found.bound, top);
    found.core = {i};
    return true;
  }
  return false;
}

/// Finds the placement of a flat problem that is wanted, below `ceiling`, or proves
/// that there is none.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_flat(Flat flat, std::int64_t ceiling, Call& call,
                                 Found& found) {
  if (call.gave_up()) return Outcome::kStopped;
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
