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
/// takes, so that the models of the whole are never made.
///
///     tight     without the gaps: often plain, for which the search is faster.
///               Beside it, a bound that is soon known
///     joined    no gaps but of fixed buffers, and constraints: some buffers are
///               one by a guess (presolve/joined_flat.hpp). Plain problems have
///               such guesses of their own
#ifndef SNUG_PLAN_PRESOLVED_HPP
#define SNUG_PLAN_PRESOLVED_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/pair_gaps.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/presolve/joined_flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A height that no placement is below, soon known; of no use if the call gave
/// up.
[[nodiscard]] inline std::int64_t quick_bound(const Flat& flat, Call& call) {
  std::int64_t ground = 0;
  if (is_plain(flat, ground))
    return aligned_load(make_plain(flat.buffers, call.interrupt())) + ground;
  BodyBuilder builder(flat, call.interrupt());
  const Bodies bodies = builder.build(/*with_cliques=*/false);
  call.count_bytes(builder.peak_bytes());
  return call.gave_up() ? 0 : quick_bound(bodies) * bodies.unit;
}

/// What a problem that is not plain is searched in: the plain model, where pairs
/// say all that its gaps do, else the model of bodies. It takes as long as
/// thousands of nodes to make, most of it for cliques.
template <class E>
struct Whole {
  Whole(const Flat& flat, Call& call)
      : paired(flat), held(call, paired.bytes()) {
    if (pair_gaps(paired) && has_ground(paired, ground)) {
      Flat taken = paired;
      (void)plain_above<E>(taken, ground, call, bound);
      bound += ground;
    } else {
      bodies.emplace(flat, call);
      bound = bodies->bound();
    }
  }

  Flat paired;
  Held held;
  std::int64_t ground = 0;
  std::optional<BodiesPlan<E>> bodies;  ///< Nothing in the plain model.
  std::int64_t bound = 0;
};

/// About how many nodes of a problem without its gaps one with them takes.
inline constexpr std::int64_t kPriceOfGaps = 4;

/// The nodes in which a similar problem is to be placed, or not at all.
[[nodiscard]] inline std::int64_t soon(const Flat& flat) noexcept {
  return 64 * static_cast<std::int64_t>(flat.buffers.size());
}

/// A problem whose placements are ones of another one, the whole.
struct Similar {
  Flat flat{};
  std::int64_t ceiling = 0;
  std::int64_t first_turn = 0;  ///< nodes
  std::int64_t next_turn = 0;   ///< of all but the first, at least
  std::int64_t price = 1;       ///< of a node of the whole, in its nodes
};

template <class E>
[[nodiscard]] Outcome search_presolved(Flat flat, std::int64_t capacity,
                                       Call& call, Found& found);

/// Solves a similar problem and the whole in turns: nobody knows whether a
/// placement of the whole is one of the similar one as well. Of that,
/// expand(offsets) makes one of the whole.
template <class E, class Expand, class SolveWhole>
[[nodiscard]] Outcome solve_in_turns(Similar& similar, Call& call, Found& found,
                                     Expand&& expand,
                                     SolveWhole&& solve_whole) {
  presolve(similar.flat, similar.ceiling);
  const Held held(call, similar.flat.bytes());
  for (std::int64_t turn = similar.first_turn;; turn = longer_turn(turn)) {
    const std::int64_t before = call.stats().nodes;
    Found of_similar;
    Outcome outcome = Outcome::kStopped;
    bool is_settled = false;
    {
      Share share(call, turn);
      outcome = search_presolved<E>(similar.flat, similar.ceiling, share.call(),
                                    of_similar);
      // If it stopped by itself, for want of memory, more nodes do not help.
      is_settled = outcome == Outcome::kRefuted || !share.call().is_stopped();
    }
    if (outcome == Outcome::kPlacedAll) {
      found.offsets = expand(of_similar.offsets);
      return outcome;
    }
    if (call.is_stopped()) return Outcome::kStopped;
    if (is_settled || call.stats().nodes == before)
      return solve_whole(kNoNodeLimit);
    turn = (std::max)(turn, similar.next_turn);
    outcome = solve_whole(turn / similar.price);
    if (outcome != Outcome::kStopped || call.is_stopped()) return outcome;
  }
}

/// The same in turn with what is joined by a guess, if there are many joins.
template <class E, class SolveWhole>
[[nodiscard]] Outcome solve_joined_in_turns(const Flat& flat,
                                            std::int64_t capacity, Call& call,
                                            Found& found,
                                            SolveWhole&& solve_whole) {
  if constexpr (!E::kSmall) {
    if (JoinedFlat::applies(flat)) {
      const JoinedFlat joined(flat, capacity, call.interrupt());
      const Held held(call, joined.bytes());
      if (call.gave_up()) return Outcome::kStopped;
      if (joined.pays()) {
        Similar similar{joined.flat(), capacity,
                        JoinedFlat::kNodesForBuffer *
                            static_cast<std::int64_t>(flat.buffers.size()),
                        4096};
        return solve_in_turns<E>(
            similar, call, found,
            [&](const auto& offsets) { return joined.expand(offsets); },
            solve_whole);
      }
    }
  }
  return solve_whole(kNoNodeLimit);
}

/// Places a presolved problem below `capacity`.
template <class E>
[[nodiscard]] Outcome search_presolved(Flat flat, std::int64_t capacity,
                                       Call& call, Found& found) {
  std::int64_t ground = 0;
  const bool is_plain = is_searched_plain<E>(flat, ground);
  if (is_plain && (E::kSmall || !JoinedFlat::applies(flat)))
    return solve_from_ground<E>(std::move(flat), ground, capacity, call, found);
  const Held held(call, flat.bytes());
  if (is_plain)
    return solve_joined_in_turns<E>(
        flat, capacity, call, found, [&](std::int64_t nodes) {
          return solve_from_ground_for<E>(nodes, flat, ground, capacity, call,
                                          found);
        });
  if constexpr (E::kBodies) {
    std::optional<Whole<E>> whole;
    const auto solve_whole = [&](std::int64_t nodes) {
      if (!whole) {
        whole.emplace(flat, call);
        if (call.gave_up()) return Outcome::kStopped;
        found.bound = (std::max)(found.bound, whole->bound);
      }
      if (found.bound > capacity) return Outcome::kRefuted;
      if (whole->bodies) return whole->bodies->solve(capacity, nodes, found);
      return solve_from_ground_for<E>(nodes, whole->paired, whole->ground,
                                      capacity, call, found);
    };
    Similar tight{flat, capacity, soon(flat), soon(flat), kPriceOfGaps};
    if (!tighten(tight.flat))
      return solve_joined_in_turns<E>(flat, capacity, call, found, solve_whole);
    // A bound that is soon known may settle it.
    found.bound = quick_bound(flat, call);
    if (call.gave_up()) return Outcome::kStopped;
    if (found.bound > capacity) return Outcome::kRefuted;
    return solve_in_turns<E>(
        tight, call, found,
        [](List<std::int64_t>& offsets) { return std::move(offsets); },
        solve_whole);
  }
  return Outcome::kStopped;
}

template <class E>
[[nodiscard]] Outcome lower_presolved(Flat flat, std::int64_t ceiling,
                                      Call& call, Found& found);

/// Places the whole as low as a similar problem is within its first turn, if that
/// is lower than what was found.
template <class E, class Expand>
void minimize_similar(Similar& similar, Call& call, Found& found,
                      Expand&& expand) {
  presolve(similar.flat, similar.ceiling);
  const Held held(call, similar.flat.bytes());
  Share share(call, similar.first_turn);
  Found of_similar;
  if (lower_presolved<E>(similar.flat, similar.ceiling, share.call(),
                         of_similar) == Outcome::kPlacedAll)
    found.offsets = expand(of_similar.offsets);
}

/// The same with what is joined by a guess, if there are many joins.
template <class E>
void minimize_joined(const Flat& flat, std::int64_t ceiling, Call& call,
                     Found& found) {
  if constexpr (!E::kSmall) {
    if (!JoinedFlat::applies(flat)) return;
    const JoinedFlat joined(flat, ceiling, call.interrupt());
    const Held held(call, joined.bytes());
    if (call.gave_up() || !joined.pays()) return;
    Similar similar{joined.flat(), ceiling, soon(flat)};
    minimize_similar<E>(similar, call, found, [&](const auto& offsets) {
      return joined.expand(offsets);
    });
  }
}

/// The height that a placement has to be below to be of use.
[[nodiscard]] inline std::int64_t useful_ceiling(const Flat& flat,
                                                 std::int64_t ceiling,
                                                 const Found& found) {
  if (found.offsets.empty()) return ceiling;
  return (std::min)(ceiling, height_of(flat.buffers, found.offsets) - 1);
}

/// Finds the lowest placement of a presolved problem by a search, from what was
/// found already, if anything was.
template <class E>
[[nodiscard]] Outcome lower_presolved(Flat flat, std::int64_t ceiling,
                                      Call& call, Found& found) {
  std::int64_t ground = 0;
  if (is_searched_plain<E>(flat, ground)) {
    {
      const Held held(call, flat.bytes());
      minimize_joined<E>(flat, useful_ceiling(flat, ceiling, found), call,
                         found);
    }
    return minimize_from_ground<E>(std::move(flat), ground, ceiling, call,
                                   found);
  }
  if constexpr (E::kBodies) {
    Similar tight{flat, useful_ceiling(flat, ceiling, found), soon(flat)};
    const Held held(call, flat.bytes() + tight.flat.bytes());
    if (tighten(tight.flat)) {
      found.bound = (std::max)(found.bound, quick_bound(flat, call));
      if (call.gave_up())
        return found.offsets.empty() ? Outcome::kStopped : Outcome::kPlacedAll;
      if (found.bound > ceiling) return Outcome::kRefuted;
      minimize_similar<E>(tight, call, found, [](List<std::int64_t>& offsets) {
        return std::move(offsets);
      });
    } else {
      minimize_joined<E>(flat, useful_ceiling(flat, ceiling, found), call,
                         found);
    }
    const bool has_found = !found.offsets.empty();
    const Outcome so_far = has_found ? Outcome::kPlacedAll : Outcome::kStopped;
    if (call.is_stopped() ||
        (has_found && height_of(flat.buffers, found.offsets) <= found.bound))
      return so_far;
    Whole<E> whole(flat, call);
    if (call.gave_up()) return so_far;
    found.bound = (std::max)(found.bound, whole.bound);
    if (found.bound > ceiling) return Outcome::kRefuted;
    if (!whole.bodies)
      return minimize_from_ground<E>(whole.paired, whole.ground, ceiling, call,
                                     found);
    const Outcome outcome = whole.bodies->minimize(ceiling, found);
    found.bound = (std::max)(found.bound, whole.bodies->bound());
    return outcome;
  }
  return Outcome::kStopped;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PRESOLVED_HPP
