// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement brought down by walks, for minimize() of problems with mixed
/// alignments, or with constraints that keep it far above its bound.
///
///     height   ===  known
///              ---  halfway: a walk. If it places all, that is the height from
///                   now on; if it does not look as if it will, the floor
///     floor    ===  at first the bound that was proved
///
/// until there is little between the two. A walk (bodies/ejection_walk.hpp) comes in
/// thousandths of a second to heights where the turns of the ladder (plan/ladder.hpp)
/// take a second: these give every capacity a search, which mixed alignments, or ties,
/// keep from an answer. What is left is for the ladder, which begins below what came of
/// this.
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
  /// The lowest height, if it is not the bound, is a multiple of `unit` above
  /// `origin`. Models and call must outlive the object.
  WalkDown(FlatModels<M>& models, std::int64_t unit, std::int64_t origin,
           Call& call)
      : models_(&models), unit_(unit), origin_(origin), call_(&call) {}

  /// Walks that do not look as if they came to a placement are given up, but not
  /// before `patience` moves a body.
  void run(std::int64_t patience, Found& found) {
    std::int64_t floor = found.bound;
    std::int64_t height = height_of(models_->buffers, found.offsets);
    std::optional<BodiesWalk> bodies;
    while (height - floor > unit_ && height - floor > height / kClose) {
      if (!bodies) bodies.emplace(models_->searched(*call_), *call_);
      if (call_->gave_up()) return;
      const std::int64_t capacity = between(floor, height);
      bodies->aim(capacity);
      if (!bodies->can_walk()) return;
      if (walk(*bodies, patience, found)) {
        height = height_of(models_->buffers, found.offsets);
        call_->limits().note_height(height);
      } else {
        floor = capacity;
      }
      if (call_->is_stopped()) return;
    }
  }

 private:
  static constexpr std::int64_t kClose = 256;
  /// Moves a body of a walk, at first and at most.
  static constexpr std::int64_t kFirstMoves = 8;
  static constexpr std::int64_t kMostMoves = 256;

  /// A capacity strictly between two that are more than a unit apart. Where the
  /// height came from is no matter: it may be off the grid of the unit.
  [[nodiscard]] std::int64_t between(std::int64_t floor,
                                     std::int64_t height) const noexcept {
    const std::int64_t middle = floor + (height - floor) / 2;
    const std::int64_t rounded = middle - (middle - origin_) % unit_;
    return rounded > floor ? rounded : rounded + unit_;
  }

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
  std::int64_t unit_;
  std::int64_t origin_;
  Call* call_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WALK_DOWN_HPP
