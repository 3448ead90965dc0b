// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a presolved problem: a large one with constraints
/// first around its peak (plan/large_bodies.hpp), the search (plan/presolved.hpp)
/// then and for all others.
///
/// The search needs the relations of all that overlap. Placed around its peak, a
/// problem of ten thousands of buffers, a few of which have constraints, takes
/// little more than one that has none. The small engine searches them at once.
#ifndef SNUG_PLAN_SOLVE_LARGE_HPP
#define SNUG_PLAN_SOLVE_LARGE_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/large_bodies.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether a problem has constraints, and many buffers that are not fixed.
[[nodiscard]] inline bool is_large_constrained(const Flat& flat) {
  std::int64_t ground = 0;
  if (flat.buffers.size() <= kLarge || is_plain(flat, ground)) return false;
  Index free = 0;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    free += flat.is_fixed(i) ? 0 : 1;
  return free > kLarge;
}

/// Places a large problem around its peak. `found` is the best placement then,
/// whether it is what was wanted or not. For place_core() see large_bodies.hpp.
template <class E, bool kLowest, class PlaceCore>
[[nodiscard]] Outcome place_around_peak(const Flat& flat, std::int64_t ceiling,
                                        Call& call, Found& found,
                                        PlaceCore&& place_core) {
  const Held held(call, flat.bytes());
  LargeBodies<E, kLowest> large(flat, ceiling, call);
  if (call.gave_up()) return Outcome::kStopped;
  found.bound = large.bound();
  if (found.bound > ceiling) return Outcome::kRefuted;
  call.known().lower_bound = found.bound;
  large.relax();
  const Outcome outcome = large.place_cores(place_core);
  found.bound = large.bound();
  found.offsets = large.offsets();
  return outcome;
}

/// Places a presolved problem below `capacity`.
template <class E>
[[nodiscard]] Outcome solve_presolved(Flat flat, std::int64_t capacity,
                                      Call& call, Found& found) {
  if constexpr (E::kBodies) {
    if (is_large_constrained(flat)) {
      const Outcome outcome = place_around_peak<E, false>(
          flat, capacity, call, found,
          [](Flat core, std::int64_t ceiling, Call& share, Found& of_core) {
            presolve(core, ceiling);
            return search_presolved<E>(std::move(core), ceiling, share,
                                       of_core);
          });
      if (outcome != Outcome::kStopped || call.is_stopped()) return outcome;
    }
  }
  return search_presolved<E>(std::move(flat), capacity, call, found);
}

/// Finds the lowest placement of a presolved problem.
template <class E>
[[nodiscard]] Outcome minimize_presolved(Flat flat, std::int64_t ceiling,
                                         Call& call, Found& found) {
  if constexpr (E::kBodies) {
    if (is_large_constrained(flat)) {
      const Outcome outcome = place_around_peak<E, true>(
          flat, ceiling, call, found,
          [](Flat core, std::int64_t below, Call& share, Found& of_core) {
            presolve(core, below);
            return lower_presolved<E>(std::move(core), below, share, of_core);
          });
      if (outcome != Outcome::kStopped) return outcome;
      if (call.is_stopped())
        return found.offsets.empty() ? outcome : Outcome::kPlacedAll;
    }
  }
  return lower_presolved<E>(std::move(flat), ceiling, call, found);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SOLVE_LARGE_HPP
