// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which search a presolved problem takes, and where its addresses begin.
///
///     plain     from its ground, the one address at which all of its buffers
///               can begin, around what is fixed or reserved: load, dives,
///               peak, search
///     paired    gaps without windows, as pairs kept apart: plain, too
///     bodies    what constraints are left
///
/// The last two take turns with the same problem without its gaps. That is often
/// plain, for which the search is faster, and a placement of it is one of the
/// whole. It comes first, beside a bound that is soon known: mostly that is all
/// that it takes, and the models of the whole are never made.
#ifndef SNUG_PLAN_PRESOLVED_HPP
#define SNUG_PLAN_PRESOLVED_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/bounds/cliques.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/pair_gaps.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/engine.hpp"
#include "snug/plan/minimize_plain.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Moves a placement of the plain problem up to its ground.
inline void lift(const Flat& flat, std::int64_t ground,
                 std::vector<std::int64_t>& offsets) {
  if (ground == 0 && flat.base == 0 && flat.fixed.empty()) return;
  for (Index i = 0; i < offsets.size(); ++i)
    offsets[i] = flat.is_fixed(i) ? flat.fixed[i]
                 : flat.buffers[i].size == 0
                     ? align_up(flat.base, flat.buffers[i].alignment)
                     : offsets[i] + ground;
}

/// A height that no placement is below; finds the cliques on the way.
[[nodiscard]] inline std::int64_t bound_and_cover(Plain& plain) {
  CliqueCover cover(plain);
  plain.cliques = std::move(cover.cliques());
  return (std::max)(
      {aligned_load(plain), load_beside_obstacles(plain), cover.bound()});
}

/// Whether the plain search can have it all; see has_ground().
template <class E>
[[nodiscard]] bool is_searched_plain(const Flat& flat, std::int64_t& ground) {
  if constexpr (E::kBodies) return has_ground(flat, ground);
  return is_plain(flat, ground);
}

/// The plain problem of what has a ground, and a height above the ground that
/// no placement is below. If the call gave up, neither is of use.
template <class E>
[[nodiscard]] Plain plain_above(const Flat& flat, std::int64_t ground,
                                Call& call, std::int64_t& bound) {
  if constexpr (!E::kBodies) {
    Plain pure = make_plain(flat.buffers, call.interrupt());
    call.count_bytes(bytes_to_make(pure));
    bound = aligned_load(pure);
    return pure;
  } else {
    Plain plain = make_obstructed(flat, ground, call.interrupt());
    call.count_bytes(bytes_to_make(plain));
    if (call.gave_up()) return plain;
    bound = bound_and_cover(plain);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const FlatBuffer& buffer = flat.buffers[i];
      if (flat.is_fixed(i))
        bound = (std::max)(bound, flat.fixed[i] + buffer.size - ground);
      else if (buffer.size == 0)
        bound =
            (std::max)(bound, align_up(flat.base, buffer.alignment) - ground);
    }
    return plain;
  }
}

/// Adds what is fixed to a core, as that leaves it out.
inline void add_fixed(const Flat& flat, std::vector<Index>& core) {
  if (flat.fixed.empty()) return;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (flat.is_fixed(i)) core.push_back(i);
  heap_sort(core);
}

/// A plain problem from its ground: solve() or minimize().
template <class E>
[[nodiscard]] Outcome solve_from_ground(const Flat& flat, std::int64_t ground,
                                        std::int64_t capacity, Call& call,
                                        Found& found) {
  std::int64_t bound = 0;
  const Plain plain = plain_above<E>(flat, ground, call, bound);
  if (call.gave_up()) return Outcome::kStopped;
  const Held held(call, plain.bytes());
  found.bound = bound + ground;
  call.limits().set_ground(ground);
  call.known().lower_bound = bound;
  PlainSolve<E> solve(plain, capacity - ground, bound, call);
  const Outcome outcome = solve.run();
  found.bound = solve.bound() + ground;
  if (outcome == Outcome::kRefuted) {
    found.core = std::move(solve.answer().core);
    if constexpr (E::kBodies) add_fixed(flat, found.core);
  }
  if (outcome != Outcome::kPlacedAll) return outcome;
  found.offsets = std::move(solve.answer().offsets);
  lift(flat, ground, found.offsets);
  return outcome;
}

/// The placement that was found already, as one of the plain problem.
[[nodiscard]] inline std::vector<std::int64_t> lowered(const Plain& plain,
                                                       std::int64_t ground,
                                                       const Found& found) {
  std::vector<std::int64_t> offsets(found.offsets.size(), 0);
  for (const Index i : plain.order) offsets[i] = found.offsets[i] - ground;
  return offsets;
}

/// minimize(), from the placement in `found` if there is one.
template <class E>
[[nodiscard]] Outcome minimize_from_ground(const Flat& flat,
                                           std::int64_t ground,
                                           std::int64_t ceiling, Call& call,
                                           Found& found) {
  std::int64_t bound = 0;
  const Plain plain = plain_above<E>(flat, ground, call, bound);
  if (call.gave_up())
    return found.offsets.empty() ? Outcome::kStopped : Outcome::kPlacedAll;
  const Held held(call, plain.bytes());
  call.limits().set_ground(ground);
  call.known().lower_bound = bound;
  PlainMinimize<E> minimize(plain, ceiling - ground, bound, call);
  if (!found.offsets.empty())
    minimize.start_from(lowered(plain, ground, found));
  const Outcome outcome = minimize.run();
  found.bound = minimize.bound() + ground;
  if (call.gave_up() && !found.offsets.empty() && outcome == Outcome::kStopped)
    return Outcome::kPlacedAll;
  if (outcome != Outcome::kPlacedAll) return outcome;
  found.offsets = std::move(minimize.offsets());
  lift(flat, ground, found.offsets);
  return outcome;
}

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
      (void)plain_above<E>(paired, ground, call, bound);
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

/// The nodes in which a similar problem is to be placed, or not at all.
[[nodiscard]] inline std::int64_t soon(const Flat& flat) noexcept {
  return 64 * static_cast<std::int64_t>(flat.buffers.size());
}

/// How much longer the next turn of a similar problem is.
inline constexpr std::int64_t kTurnGrowth = 4;

/// Places a presolved problem below `capacity`.
template <class E>
[[nodiscard]] Outcome solve_presolved(const Flat& flat, std::int64_t capacity,
                                      Call& call, Found& found) {
  std::int64_t ground = 0;
  if (is_searched_plain<E>(flat, ground))
    return solve_from_ground<E>(flat, ground, capacity, call, found);
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
      if (nodes == kNoNodeLimit)
        return solve_from_ground<E>(whole->paired, whole->ground, capacity,
                                    call, found);
      Share share(call, nodes);
      return solve_from_ground<E>(whole->paired, whole->ground, capacity,
                                  share.call(), found);
    };
    // Nobody knows whether a placement is one without gaps as well: both get
    // nodes in turns, but a node of the other is dearer.
    Flat tight = flat;
    std::int64_t ceiling = capacity;
    const bool is_similar = tighten(tight);
    if (is_similar) {
      found.bound = quick_bound(flat, call);
      if (call.gave_up()) return Outcome::kStopped;
      if (found.bound > capacity) return Outcome::kRefuted;
      presolve(tight, ceiling);
    }
    const Held held(call, tight.bytes());
    for (std::int64_t turn = soon(tight); is_similar; turn *= kTurnGrowth) {
      const std::int64_t before = call.stats().nodes;
      Found of_tight;
      Outcome outcome = Outcome::kStopped;
      {
        Share share(call, turn);
        outcome = solve_presolved<E>(tight, ceiling, share.call(), of_tight);
      }
      if (outcome == Outcome::kPlacedAll) {
        found.offsets = std::move(of_tight.offsets);
        return Outcome::kPlacedAll;
      }
      if (call.is_stopped()) return Outcome::kStopped;
      if (outcome == Outcome::kRefuted || call.stats().nodes == before) break;
      outcome = solve_whole(turn / kTurnGrowth);
      if (outcome != Outcome::kStopped) return outcome;
      if (call.is_stopped()) return Outcome::kStopped;
    }
    return call.is_stopped() ? Outcome::kStopped : solve_whole(kNoNodeLimit);
  }
  return Outcome::kStopped;
}

/// Finds the lowest placement of a presolved problem.
template <class E>
[[nodiscard]] Outcome minimize_presolved(const Flat& flat, std::int64_t ceiling,
                                         Call& call, Found& found) {
  std::int64_t ground = 0;
  if (is_searched_plain<E>(flat, ground))
    return minimize_from_ground<E>(flat, ground, ceiling, call, found);
  if constexpr (E::kBodies) {
    Flat tight = flat;
    const Held held(call, tight.bytes());
    if (tighten(tight)) {
      found.bound = quick_bound(flat, call);
      if (call.gave_up()) return Outcome::kStopped;
      if (found.bound > ceiling) return Outcome::kRefuted;
      Share share(call, soon(tight));
      Found of_tight;
      std::int64_t top = ceiling;
      presolve(tight, top);
      if (minimize_presolved<E>(tight, top, share.call(), of_tight) ==
          Outcome::kPlacedAll)
        found.offsets = std::move(of_tight.offsets);
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
