// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of things, for a flat problem:
///
///     presolve    what makes no difference goes       normal/presolve.hpp
///     hints       buffers stay where they were        plan/replan.hpp
///     plain?      yes: load, dives, peak, search      plan/solve_plain.hpp,
///                                                     plan/minimize_plain.hpp
///     tighten     no: without gaps, for a few nodes
///     bodies      first fit, search                   plan/solve_bodies.hpp
///
/// The first one that knows the answer ends it. What runs out of nodes or time
/// is no answer.
#ifndef SNUG_PLAN_PLAN_HPP
#define SNUG_PLAN_PLAN_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/replan.hpp"
#include "snug/plan/run.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Drops the reserved ranges if all buffers are soon placed below the lowest of
/// them, which `ceiling` becomes: nothing higher is of use then.
template <class E>
void drop_high_reserved(Flat& flat, std::int64_t& ceiling, Run& run) {
  if (flat.reserved.empty()) return;
  Flat open = flat;
  open.reserved.clear();
  std::int64_t ground = 0;
  if (!is_plain(open, ground)) return;
  std::int64_t lowest = ceiling;
  for (const FlatReserved& range : flat.reserved)
    lowest = (std::min)(lowest, range.bytes.lower);
  Share share(run, soon(open));
  Found placed;
  if (solve_presolved<E>(open, lowest, share.run(), placed) !=
      Outcome::kPlacedAll)
    return;
  flat = std::move(open);
  ceiling = lowest;
}

/// Places a flat problem below `capacity`, or proves that there is no way.
template <class E>
[[nodiscard]] Outcome solve_flat(Flat flat, std::int64_t capacity, Run& run,
                                 Found& found) {
  presolve(flat, capacity);
  const Held held(run, flat.bytes());
  if constexpr (E::kBodies) {
    if (!flat.hints.empty()) {
      found.bound = bound_of<E>(flat, run);
      if (found.bound <= capacity && replan<E>(flat, capacity, run, found))
        return Outcome::kPlacedAll;
    }
  }
  return solve_presolved<E>(flat, capacity, run, found);
}

/// Finds the lowest placement of a flat problem below `ceiling`.
template <class E>
[[nodiscard]] Outcome minimize_flat(Flat flat, std::int64_t ceiling, Run& run,
                                    Found& found) {
  presolve(flat, ceiling);
  drop_high_reserved<E>(flat, ceiling, run);
  const Held held(run, flat.bytes());
  const Outcome outcome = minimize_presolved<E>(flat, ceiling, run, found);
  if constexpr (E::kBodies) {
    if (!flat.hints.empty() && outcome == Outcome::kPlacedAll)
      (void)replan<E>(flat, height_of(flat.buffers, found.offsets), run, found);
  }
  return outcome;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLAN_HPP
