// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a presolved problem:
///
///     ends              that ask nothing are left out until all is placed
///     ties              that make one buffer of several are merged, and what is left
///                       is presolved and placed (normal/merged_ties.hpp), without those
///                       that lie within others (normal/parts.hpp)
///     components        that are plain, or one through which some last, are placed
///                       for themselves, and so are all others
///                       (plan/sides.hpp)
///     lasting buffers   are stacked at the bottom, and what is left is placed above
///                       them (normal/lasting.hpp)
///     around its peak   if it is large and has constraints, or where the search
///                       has neither time nor memory (plan/large_bodies.hpp); if it is
///                       large, from a placement of the tight problem, if that is plain
///     fits              of solve(), where nothing is made beforehand: dives and first fit
///                       of bodies (plan/body_start.hpp), enough where there is some room
///     at the bound      of solve(), for a few nodes: what fits there is mostly placed
///                       sooner than with some room
///     search            all others, and what that left open (plan/presolved.hpp);
///                       with constraints, or alignments that are mixed, in turns with
///                       others (plan/constrained_search.hpp)
///
/// Either way, what belongs to the top of memory is moved up in the end, as far as
/// the capacity or the height.
///
/// The search needs the relations of all that overlap. Placed around its peak, a
/// problem of ten thousands of buffers, a few of which have constraints, takes
/// little more than one that has none.
#ifndef SNUG_PLAN_PLACE_PRESOLVED_HPP
#define SNUG_PLAN_PLACE_PRESOLVED_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_fit.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/lasting.hpp"
#include "snug/normal/merged_ties.hpp"
#include "snug/normal/parts.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_start.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/constrained_search.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/large_bodies.hpp"
#include "snug/plan/lowest.hpp"
#include "snug/plan/place_plain.hpp"
#include "snug/plan/sides.hpp"
#include "snug/plan/window_search.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Moves what belongs to the top, in the placement found, up as far as `capacity`,
/// or as the height if that is above it. Where memory has no end that matters, not so
/// far that check() would refuse the same offsets as fixed ones.
inline void raise_tops(const Flat& flat, std::int64_t capacity, Call& call,
                       Found& found) {
  const Bodies bodies = build_bodies(flat, call, CliqueScope::kNone);
  if (call.gave_up()) return;
  capacity = (std::max)((std::min)(capacity, kMaxTotal / 2),
                        height_of(flat.buffers, found.offsets));
  List<std::int64_t> at = bodies.bodies_at(found.offsets);
  // From here on, counted from those of their bodies.
  for (Index i = 0; i < found.offsets.size(); ++i)
    found.offsets[i] -= at[bodies.body_of[i]] * bodies.unit;
  BodyFit fit(bodies);
  fit.raise_tops(capacity / bodies.unit, call.interrupt(), at);
  call.count_bytes(bodies.bytes() + fit.bytes() + bytes_of(at));
  for (Index i = 0; i < found.offsets.size(); ++i)
    found.offsets[i] += at[bodies.body_of[i]] * bodies.unit;
}

/// The same of a placement of all: as far as `ceiling`, where any one is wanted.
template <Wanted kWanted>
void raise_placed(const Flat& flat, std::int64_t ceiling, Outcome outcome,
                  Call& call, Found& found) {
  if (outcome == Outcome::kPlacedAll && !flat.ends.empty())
    raise_tops(flat, kWanted == Wanted::kLowest ? 0 : ceiling, call, found);
}

/// What dives and first fit come to without any relations: a placement, if there is
/// some room, or a load that is too high.
template <class M>
[[nodiscard]] Outcome fit_bodies(const Flat& flat, std::int64_t ceiling,
                                 Call& call, Found& found) {
  BodyStart<M> start(flat, ceiling, Wanted::kAny, call);
  if (call.gave_up()) return Outcome::kOpen;
  found.bound = (std::max)(found.bound, start.bound());
  if (found.bound > ceiling) return Outcome::kRefuted;
  (void)start.place_soon();
  if (!start.is_done()) return Outcome::kOpen;
  found.offsets = start.offsets();
  return Outcome::kPlacedAll;
}

/// What a search of a few nodes comes to at the bound, where that is below the ceiling
/// and something is fixed, reserved, tied or at an end: the less room there is, the more
/// is known of these and of who is joined with them, and what fits there is mostly placed
/// sooner than with some room.
template <class M>
[[nodiscard]] Outcome search_at_bound(FlatModels<M>& models,
                                      std::int64_t ceiling, Call& call,
                                      Found& found) {
  constexpr std::int64_t kNodesPerBuffer = 4;
  const Flat& flat = models.flat();
  if (flat.fixed.empty() && flat.ends.empty() && flat.root.empty() &&
      flat.reserved.empty())
    return Outcome::kOpen;
  if (const AboveGround<M>* above =
          models.ground() ? models.above(call) : nullptr)
    found.bound = (std::max)(found.bound, above->bound() + above->ground());
  if (call.gave_up()) return Outcome::kOpen;
  call.note_bound(found.bound);
  if (found.bound > ceiling) return Outcome::kRefuted;
  if (found.bound == ceiling || call.is_of_window()) return Outcome::kOpen;
  const auto search = [&](Call& share, Found& lowest) {
    return FlatSearch<M>(models, found.bound, share).run(lowest);
  };
  const auto n = static_cast<std::int64_t>(models.buffers.size());
  return place_in_share(call, kNodesPerBuffer * n, found, search)
             ? Outcome::kPlacedAll
             : Outcome::kOpen;
}

/// What is tried before the search of solve(), where nothing is known.
template <class M>
[[nodiscard]] Outcome place_soon(FlatModels<M>& models, std::int64_t ceiling,
                                 Call& call, Found& found) {
  if (!models.ground()) {
    const Outcome outcome = fit_bodies<M>(models.flat(), ceiling, call, found);
    if (call.is_settled(outcome) || call.gave_up()) return outcome;
  }
  return search_at_bound<M>(models, ceiling, call, found);
}

/// solve() or minimize() of a presolved problem by a search, and walks.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome search_for(Flat&& flat, std::int64_t ceiling, Call& call,
                                 Found& found) {
  if (call.interrupt().after(flat.buffers.size()))
    return when_stopped(kWanted, found);
  if constexpr (!M::kBodies) {
    return place_plain<M, kWanted>(std::move(flat), 0, ceiling, call, found);
  } else {
    if constexpr (M::kBoth)
      if (const Ground ground = only_ground(flat))
        return place_plain<M, kWanted>(std::move(flat), *ground, ceiling, call,
                                       found);
    if constexpr (kWanted == Wanted::kLowest) {
      return Lowest<M>(std::move(flat), ceiling, call).run(found);
    } else {
      const Held held(call, flat.bytes());
      FlatModels<M> models(flat);
      if (call.interrupt().after(flat.buffers.size())) return Outcome::kOpen;
      if constexpr (M::kBoth)
        if (found.offsets.empty()) {
          const Outcome outcome = place_soon<M>(models, ceiling, call, found);
          if (call.is_settled(outcome) || call.gave_up()) return outcome;
        }
      return FlatSearch<M>(models, ceiling, call).run(found);
    }
  }
}

/// Places the tight problem, with boxes for ties, for a few nodes, if it is plain and
/// nothing else is made of it: its placement is one of the whole.
template <class M, Wanted kWanted>
void place_tight(Flat problem, std::int64_t ceiling, Call& call, Found& found) {
  constexpr std::int64_t kNodesPerBuffer = 8;
  (void)tighten(problem);
  const List<Index> boxes = merge_ties(problem, Merge::kBoxes);
  ceiling = presolve(problem, ceiling);
  const Ground ground = only_ground(problem);
  if (!ground) return;
  const Held held(call, bytes_of(boxes));
  const auto n = static_cast<std::int64_t>(problem.buffers.size());
  Share share(call);
  // What is done with half of it hardly comes as low as this does with all.
  const Turn turn(share, kNodesPerBuffer * n, Share::Time::kAll);
  Found tight;
  if (place_plain<M, kWanted>(std::move(problem), *ground, ceiling,
                              share.call(), tight) != Outcome::kPlacedAll)
    return;
  found.offsets = std::move(tight.offsets);
  spread(boxes, found.offsets);
}

/// Places a large problem around its peak. `found` is the best placement then,
/// whether it is what was wanted or not. For place_crest() see large_bodies.hpp.
template <class M, Wanted kWanted, class PlaceCrest>
[[nodiscard]] Outcome place_around_peak(const Flat& flat, std::int64_t ceiling,
                                        Call& call, Found& found,
                                        PlaceCrest&& place_crest) {
  LargeBodies<M> large(flat, ceiling, kWanted, call);
  if (call.gave_up()) return Outcome::kOpen;
  found.bound = (std::max)(found.bound, large.bound());
  if (found.bound > ceiling) return Outcome::kRefuted;
  call.note_bound(found.bound);
  bool is_near = false;
  if constexpr (M::kBoth) {
    if (found.offsets.empty() && has_many_free(flat))
      place_tight<M, kWanted>(flat, ceiling, call, found);
    is_near = large.begin(found.offsets);
  }
  if (!is_near) large.relax();
  const Outcome outcome = large.place_crests(place_crest);
  found.bound = (std::max)(found.bound, large.bound());
  // With both models it may be a side of a problem, with a placement from its last turn.
  List<std::int64_t> offsets = large.offsets();
  if (!M::kBoth || found.offsets.empty() ||
      (!offsets.empty() && height_of(flat.buffers, offsets) <
                               height_of(flat.buffers, found.offsets)))
    found.offsets = std::move(offsets);
  return outcome;
}

/// What `place` answers for the buffers above those that last, and these at the bottom.
/// It takes a problem, and `found` of that.
template <class Place>
[[nodiscard]] Outcome place_above(Flat&& flat, Call& call, Found& found,
                                  Place&& place) {
  std::optional<LastingStack> made(std::in_place, flat, call.interrupt());
  call.count_bytes(flat.bytes() + made->bytes());
  if (made->is_small()) {
    made.reset();
    return place(std::move(flat), found);
  }
  const LastingStack& stack = *made;
  Flat above = subset_of(flat, stack.others());
  above.base = stack.top();
  call.count_bytes(flat.bytes() + above.bytes() + stack.bytes());
  Found of_others;
  of_others.bound = found.bound;
  if (!found.offsets.empty()) {
    of_others.offsets = stack.raise_others(found.offsets);
    if (height_of(above.buffers, of_others.offsets) >
        height_of(flat.buffers, found.offsets)) {
      made.reset();
      return place(std::move(flat), found);
    }
  }
  flat = {};
  const Held held(call, stack.bytes());
  const Outcome outcome = place(std::move(above), of_others);
  found.bound = of_others.bound;
  if (!of_others.offsets.empty()) found.offsets = stack.join(of_others.offsets);
  if (!of_others.core.empty()) found.core = stack.join_core(of_others.core);
  return outcome;
}

/// solve() or minimize() of a presolved problem whose ties are merged. A search of
/// the plain model always has memory.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_merged(Flat flat, std::int64_t ceiling, Call& call,
                                   Found& found) {
  const bool is_large =
      has_many_free(flat) && !(M::kBoth && plain_ground(flat));
  if (!is_large && searched_ground<M>(flat))
    return search_for<M, kWanted>(std::move(flat), ceiling, call, found);
  const Held held(call, flat.bytes());
  const auto place = [&] {
    return place_around_peak<M, kWanted>(
        flat, ceiling, call, found,
        [](Flat crest, std::int64_t below, Call& share, Found& of_crest) {
          below = presolve(crest, below);
          return place_above(std::move(crest), share, of_crest,
                             [&](Flat above, Found& of_above) {
                               return search_for<M, kWanted>(
                                   std::move(above), below, share, of_above);
                             });
        });
  };
  Outcome outcome = is_large ? place() : Outcome::kOpen;
  if (outcome == Outcome::kOpen && !call.is_stopped())
    outcome = search_for<M, kWanted>(Flat(flat), ceiling, call, found);
  if (outcome == Outcome::kOpen && !call.is_stopped() && !is_large)
    outcome = place();
  if (outcome == Outcome::kOpen) outcome = when_stopped(kWanted, found);
  raise_placed<kWanted>(flat, ceiling, outcome, call, found);
  return outcome;
}

/// place_merged() of the buffers above those that last (normal/lasting.hpp).
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_undivided(Flat flat, std::int64_t ceiling,
                                      Call& call, Found& found) {
  return place_above(std::move(flat), call, found,
                     [&](Flat above, Found& of_above) {
                       return place_merged<M, kWanted>(std::move(above),
                                                       ceiling, call, of_above);
                     });
}

/// place_undivided() of each side of a problem that has two (plan/sides.hpp), or of all
/// of it. A side may have two itself: the pure one and another, or one more through
/// which some last.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_components(Flat flat, std::int64_t ceiling,
                                       Call& call, Found& found) {
  if (call.interrupt().after(flat.buffers.size()))
    return when_stopped(kWanted, found);
  std::optional<Sides<M, kWanted>> sides(std::in_place, flat, ceiling, call);
  if (sides->empty()) {
    sides.reset();
    return place_undivided<M, kWanted>(std::move(flat), ceiling, call, found);
  }
  const Held held(call, flat.bytes());
  const Outcome outcome = sides->run(found, [&](Flat side, std::int64_t below,
                                                Call& share, Found& of_side) {
    const bool may_divide =
        sides->is_lasting() || searched_ground<M>(side).has_value();
    return (may_divide ? place_components<M, kWanted>
                       : place_undivided<M, kWanted>)(std::move(side), below,
                                                      share, of_side);
  });
  raise_placed<kWanted>(flat, ceiling, outcome, call, found);
  return outcome;
}

/// place_components() without the buffers that lie within others (normal/parts.hpp).
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_whole(Flat flat, std::int64_t ceiling, Call& call,
                                  Found& found) {
  if constexpr (!M::kBoth) {
    return place_merged<M, kWanted>(std::move(flat), ceiling, call, found);
  } else {
    if (call.interrupt().after(flat.buffers.size()))
      return when_stopped(kWanted, found);
    const Parts parts(flat);
    if (!parts.empty()) ceiling = presolve(flat, ceiling);
    const Held held(call, parts.bytes());
    const Outcome outcome =
        place_components<M, kWanted>(std::move(flat), ceiling, call, found);
    parts.put(found.offsets);
    parts.join_core(found.core);
    return outcome;
  }
}

/// place_presolved() of a problem whose ends ask nothing.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_without_ends(const Flat& flat, std::int64_t ceiling,
                                         Call& call, Found& found) {
  Flat open = flat;
  open.ends.clear();
  const Held held(call, flat.bytes());
  const Outcome outcome =
      place_presolved<M, kWanted>(std::move(open), ceiling, call, found);
  raise_placed<kWanted>(flat, ceiling, outcome, call, found);
  return outcome;
}

/// solve() or minimize() of any presolved problem, with what is tied merged: a placement
/// below `ceiling`, any one or the lowest.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_presolved(Flat flat, std::int64_t ceiling,
                                      Call& call, Found& found) {
  // Without constraints it is plain, from 0.
  if constexpr (!M::kBodies) {
    return search_for<M, kWanted>(std::move(flat), ceiling, call, found);
  } else {
    if constexpr (M::kBoth)
      if (!flat.ends.empty() && ends_ask_nothing(flat))
        return place_without_ends<M, kWanted>(flat, ceiling, call, found);
    const List<Index> into = merge_ties(flat);
    if (!into.empty()) ceiling = presolve(flat, ceiling);
    const Held held(call, bytes_of(into));
    const Outcome outcome =
        place_whole<M, kWanted>(std::move(flat), ceiling, call, found);
    if (into.empty()) return outcome;
    spread(into, found.offsets);
    List<std::uint8_t> is_in(into.size(), 0);
    for (const Index i : found.core) is_in[i] = 1;
    found.core.clear();
    for (Index i = 0; i < into.size(); ++i)
      if (is_in[into[i]] != 0) found.core.push_back(i);
    return outcome;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_PRESOLVED_HPP
