// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of what presolve leaves with constraints: a search of each component by
/// itself (plan/body_placer.hpp).
#ifndef SNUG_PLAN_SOLVE_BODIES_HPP
#define SNUG_PLAN_SOLVE_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_placer.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/found.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A flat problem on its way through the search for bodies.
class BodiesPlan {
 public:
  /// Both must outlive it.
  BodiesPlan(BodyComponents& parts, Call& call) : placer_(parts, call) {
    call.note_bound(bound());
  }

  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept {
    return placer_.lower_bound() * unit();
  }

  /// kStopped by a limit, or after some `nodes` nodes of a component. At the same
  /// capacity it goes on where it was.
  [[nodiscard]] Outcome solve(std::int64_t capacity, std::int64_t nodes,
                              Found& found) {
    const Outcome outcome = placer_.place(capacity / unit(), nodes);
    if (outcome == Outcome::kPlacedAll) placer_.write(found.offsets);
    return outcome;
  }

 private:
  [[nodiscard]] std::int64_t unit() const noexcept {
    return placer_.bodies().unit;
  }

  BodyPlacer placer_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SOLVE_BODIES_HPP
