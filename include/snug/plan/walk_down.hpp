// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement brought down by halves (plan/heights.hpp), in walks, for minimize() of
/// problems with constraints that keep it far above its bound.
///
/// A walk (bodies/ejection_walk.hpp) comes in thousandths of a second to heights where
/// the turns of the ladder (plan/ladder.hpp) take a second: these give every capacity a
/// search, which ties, for one, keep from an answer.
///
/// Every walk begins with no body placed: what was built up from the bottom, or fits
/// a greater height, has the coarse ones in bad places. It proves nothing.
///
/// Cost: some eight walks, of kMostMoves moves a body at most, or as many as somebody
/// has patience for.
#ifndef SNUG_PLAN_WALK_DOWN_HPP
#define SNUG_PLAN_WALK_DOWN_HPP

#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/heights.hpp"
#include "snug/plan/walk_bodies.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Brings the placement in `found` down.
template <class M>
class WalkDown {
 public:
  /// Models and call must outlive the object.
  WalkDown(FlatModels<M>& models, const Heights& heights, Call& call)
      : models_(&models), heights_(heights), call_(&call) {}

  /// Walks that do not look as if they came to a placement are given up, but not
  /// before `patience` moves a body.
  void run(std::int64_t patience, Found& found) {
    std::optional<BodiesWalk> bodies;
    bisect(models_->buffers, heights_, *call_, found,
           [&](std::int64_t capacity) {
             if (!bodies) bodies.emplace(models_->searched(*call_), *call_);
             if (call_->gave_up()) return false;
             bodies->aim(capacity);
             return bodies->can_walk() && walk(*bodies, patience, found);
           });
  }

 private:
  /// Moves a body of a walk, at first and at most.
  static constexpr std::int64_t kFirstMoves = 8;
  static constexpr std::int64_t kMostMoves = 256;

  /// Whether it comes to a placement, which is in `found` then.
  [[nodiscard]] bool walk(BodiesWalk& bodies, std::int64_t patience,
                          Found& found) {
    for (std::int64_t moves = kFirstMoves;
         moves <= (std::max)(kMostMoves, patience); moves *= 2) {
      if (bodies.run(moves, found) == Outcome::kPlacedAll) return true;
      if (call_->is_stopped() || (moves >= patience && !bodies.is_promising()))
        return false;
    }
    return false;
  }

  FlatModels<M>* models_;
  Heights heights_;
  Call* call_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WALK_DOWN_HPP
