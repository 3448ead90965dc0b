// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Relaxed placements of a large problem: from them, others are made that honour its
/// constraints (plan/large_bodies.hpp).
///
///     plain       nothing is known of any constraint but the alignments: as a
///                 problem without constraints is placed, or by one dive where there
///                 is no plain model
///     obstacles   dives around what is fixed or reserved (heuristics/
///                 obstacle_dive.hpp): a placement of the whole if these are the
///                 only constraints
///
/// Offsets count from the base of memory. They are multiples of the alignments then,
/// which is not what the whole needs if the base is not.
///
/// Cost: that of the dives; O(n) memory.
#ifndef SNUG_PLAN_RELAXED_HPP
#define SNUG_PLAN_RELAXED_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/found.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The best offsets of some dives, by buffer; none if not even the first one ended.
[[nodiscard]] inline List<std::int64_t> offsets_of(
    const IncumbentSearch& incumbent, std::size_t buffers, Call& call) {
  call.count_bytes(incumbent.peak_bytes());
  if (incumbent.dives() == 0) return {};
  List<std::int64_t> offsets(buffers, 0);
  incumbent.write(offsets);
  return offsets;
}

/// Offsets by buffer of the plain problem; none if they are not known or the call
/// gave up.
template <class M>
[[nodiscard]] List<std::int64_t> place_relaxed(const Flat& flat,
                                               std::int64_t ceiling,
                                               Wanted wanted, Call& call) {
  const Plain relaxed = make_plain(flat.buffers, call.interrupt());
  if (call.gave_up() || relaxed.order.empty()) return {};
  const Held held(call, relaxed.bytes());
  if constexpr (!M::kBoth) {
    IncumbentSearch incumbent(relaxed, call.interrupt());
    incumbent.dive(relaxed, /*target=*/0, /*most_dives=*/1, NeverStop());
    return offsets_of(incumbent, flat.buffers.size(), call);
  } else {
    const std::int64_t bound = aligned_load(relaxed);
    Share share(call, 1);  // Heuristics, and no search to speak of.
    if (wanted == Wanted::kLowest) {
      PlainStart<M> start(relaxed, bound, share.call());
      if (start.run()) return std::move(start.offsets());
    } else {
      PlainSolve<M> solve({&relaxed, ceiling - flat.base, bound}, share.call());
      if (solve.run() == Outcome::kPlacedAll)
        return std::move(solve.answer().offsets);
    }
    return {};
  }
}

[[nodiscard]] inline bool has_obstacles(const Flat& flat) noexcept {
  return !flat.fixed.empty() || !flat.reserved.empty();
}
/// Whether there is no other constraint but the alignments and the base.
[[nodiscard]] inline bool has_obstacles_alone(const Flat& flat) {
  return has_obstacles(flat) && is_tight(flat) && flat.ends.empty() &&
         flat.root.empty() && flat.apart.empty();
}

/// Offsets by buffer around the obstacles, as low as some dives get until they meet
/// the target; none if the call gave up.
[[nodiscard]] inline List<std::int64_t> place_around_obstacles(
    const Flat& flat, std::int64_t target, std::int64_t most_dives,
    Call& call) {
  const Plain relaxed =
      Obstructed(flat, flat.base, call.interrupt()).make_unbarred();
  if (call.gave_up() || relaxed.order.empty()) return {};
  const Held held(call, relaxed.bytes());
  IncumbentSearch incumbent(relaxed, call.interrupt());
  incumbent.dive_around(relaxed, target - flat.base, most_dives,
                        [&] { return call.stop(); });
  return offsets_of(incumbent, flat.buffers.size(), call);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_RELAXED_HPP
