// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a problem that the plain search can take: one whose buffers all
/// can begin at one address, its *ground*. What is fixed or reserved are
/// obstacles then (normal/obstacles.hpp).
#ifndef SNUG_PLAN_FROM_GROUND_HPP
#define SNUG_PLAN_FROM_GROUND_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/bounds/cliques.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Moves a placement of the plain problem up to its ground.
inline void lift(const Flat& flat, const Plain& plain, std::int64_t ground,
                 List<std::int64_t>& offsets) {
  if (ground == 0 && flat.base == 0 && flat.fixed.empty()) return;
  for (Index i = 0; i < offsets.size(); ++i)
    offsets[i] = flat.is_fixed(i) ? flat.fixed[i]
                 : plain.buffers[i].size == 0
                     ? align_up(flat.base, plain.buffers[i].alignment)
                     : offsets[i] + ground;
}

/// A height that no placement is below. Also lists the cliques of the problem,
/// as many as are found in half of the time that is left.
[[nodiscard]] inline std::int64_t bound_and_cover(Plain& plain, Call& call) {
  TimeForPart half(call.limits(), 2);
  const Interrupt interrupt = half.interrupt();
  CliqueCover cover(plain, interrupt);
  const std::int64_t bound =
      (std::max)(aligned_load(plain, interrupt), cover.find_bound());
  plain.cliques = std::move(cover.cliques());
  return bound;
}

/// The ground of a problem if the plain search can take all of it. Alone it is given
/// nothing else, and the ground is 0.
template <class M>
[[nodiscard]] Ground searched_ground(const Flat& flat) {
  if constexpr (M::kBoth)
    return obstructed_ground(flat);
  else
    return M::kBodies ? Ground() : Ground(0);
}

/// The plain problem of what has a ground, and a height above the ground that
/// no placement is below. If the call gave up, neither is of use. Takes the
/// buffers, which are the longest list, if nothing is fixed or reserved: flat has
/// none from then on.
template <class M>
[[nodiscard]] Plain plain_above(Flat& flat, std::int64_t ground, Call& call,
                                std::int64_t& bound) {
  if constexpr (!M::kBodies) {
    Plain pure = make_plain(std::move(flat.buffers), call.interrupt());
    call.count_bytes(bytes_to_make(pure));
    bound = aligned_load(pure, call.interrupt());
    return pure;
  } else {
    Plain plain = make_obstructed(flat, ground, call.interrupt());
    call.count_bytes(flat.bytes() + bytes_to_make(plain));
    if (call.gave_up()) return plain;
    bound = bound_and_cover(plain, call);
    for (Index i = 0; i < plain.buffers.size(); ++i) {
      std::int64_t height = 0;
      if (flat.is_fixed(i))
        height = flat.fixed[i] + flat.buffers[i].size;
      else if (plain.buffers[i].size == 0)
        height = align_up(flat.base, plain.buffers[i].alignment);
      bound = (std::max)(bound, height - ground);
    }
    return plain;
  }
}

/// Adds what is fixed to a core, as that leaves it out.
inline void add_fixed(const Flat& flat, List<Index>& core) {
  if (flat.fixed.empty()) return;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (flat.is_fixed(i)) core.push_back(i);
  heap_sort(core);
}

/// solve() of a plain problem from its ground. It goes on where it was when its call
/// has another turn.
template <class M>
class GroundSolve {
 public:
  using Source = const Flat;

  /// From 0, as all of what the plain model alone is given.
  GroundSolve(Flat flat, std::int64_t capacity, Call& call)
      : GroundSolve(std::move(flat), 0, capacity, call) {}
  GroundSolve(Flat&& flat, std::int64_t ground, std::int64_t capacity,
              Call& call)
      : flat_(std::move(flat)),
        ground_(ground),
        call_(&call),
        plain_(plain_above<M>(flat_, ground, call, bound_)),
        held_(call, flat_.bytes() + plain_.bytes()),
        solve_({&plain_, capacity - ground, bound_}, call) {
    call.limits().set_ground(ground);
    call.note_bound(bound_);
  }
  GroundSolve(const GroundSolve&) = delete;
  GroundSolve& operator=(const GroundSolve&) = delete;

  /// A placement in `found` is one that is too high.
  [[nodiscard]] Outcome run(Found& found) {
    if (call_->gave_up()) return Outcome::kStopped;
    if (!found.offsets.empty()) solve_.note_placed();
    const Outcome outcome = solve_.run();
    found.bound = (std::max)(found.bound, solve_.bound() + ground_);
    if (outcome == Outcome::kRefuted) {
      found.core = std::move(solve_.found().core);
      if constexpr (M::kBodies) add_fixed(flat_, found.core);
    }
    if (outcome != Outcome::kPlacedAll) return outcome;
    found.offsets = std::move(solve_.found().offsets);
    lift(flat_, plain_, ground_, found.offsets);
    return outcome;
  }

 private:
  Flat flat_;
  std::int64_t ground_;
  Call* call_;
  std::int64_t bound_ = 0;
  Plain plain_;
  Held held_;
  PlainSolve<M> solve_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FROM_GROUND_HPP
