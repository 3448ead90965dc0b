// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a problem that the plain search can take (plan/above_ground.hpp).
#ifndef SNUG_PLAN_FROM_GROUND_HPP
#define SNUG_PLAN_FROM_GROUND_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/joined_plain.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A problem that nothing else is made of: its buffers are those of the plain problem.
template <class M>
struct GroundProblem {
  /// Of no use if the call gave up. Nothing is fixed or reserved.
  GroundProblem(Flat flat, std::int64_t ground, Call& call)
      : rest(std::move(flat)),
        above(rest, ground, call),
        buffers(above.plain().buffers),
        held(call, rest.bytes()) {}

  Flat rest;  ///< all but the buffers
  AboveGround<M> above;
  const List<FlatBuffer>& buffers;
  Held held;
};

/// solve() of a problem from its ground. It goes on where it was when its call has
/// another turn.
template <class M>
class GroundSolve {
 public:
  using Source = GroundProblem<M>;

  /// Both must outlive it.
  GroundSolve(GroundProblem<M>& problem, std::int64_t capacity, Call& call)
      : GroundSolve(problem.rest, &problem.above, capacity, call) {}
  GroundSolve(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : GroundSolve(models.flat(), models.above(call), capacity, call) {}
  GroundSolve(const GroundSolve&) = delete;
  GroundSolve& operator=(const GroundSolve&) = delete;

  /// A placement in `found` is one that is too high.
  [[nodiscard]] Outcome run(Found& found) {
    if (!solve_ || call_->gave_up()) return Outcome::kOpen;
    if (!found.offsets.empty()) solve_->note_placed();
    const Outcome outcome = solve_->run();
    found.bound = (std::max)(found.bound, solve_->bound() + above_->ground());
    if (outcome == Outcome::kRefuted) {
      found.core = std::move(solve_->found().core);
      if constexpr (M::kBodies) add_fixed(*flat_, found.core);
    }
    if (outcome != Outcome::kPlacedAll) return outcome;
    found.offsets = std::move(solve_->found().offsets);
    above_->lift(*flat_, found.offsets);
    return outcome;
  }

 private:
  /// `above` is null if the call gave up.
  GroundSolve(const Flat& flat, const AboveGround<M>* above,
              std::int64_t capacity, Call& call)
      : flat_(&flat), above_(above), call_(&call) {
    if (above == nullptr) return;
    solve_.emplace(
        PlainTask{&above->plain(), capacity - above->ground(), above->bound()},
        call);
    call.limits().set_ground(above->ground());
    call.note_bound(above->bound());
  }

  const Flat* flat_;
  const AboveGround<M>* above_;
  Call* call_;
  std::optional<PlainSolve<M>> solve_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FROM_GROUND_HPP
