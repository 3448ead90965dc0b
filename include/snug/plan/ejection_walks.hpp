// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ejection walks (bodies/ejection_walk.hpp) of the components of a problem, one after
/// the other.
#ifndef SNUG_PLAN_EJECTION_WALKS_HPP
#define SNUG_PLAN_EJECTION_WALKS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/ejection_walk.hpp"
#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/component_walks.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// They go on one after the other, below the capacity that they aim at.
class EjectionWalks : public ComponentWalks<EjectionWalk> {
 public:
  using ComponentWalks::ComponentWalks;

  /// Begins anew, below a capacity in bytes.
  void aim(std::int64_t capacity) {
    if (parts_ == nullptr) return;
    // No higher than what is enough if any is.
    const Bodies& bodies = parts_->bodies();
    const std::int64_t units = (std::min)(
        {capacity / bodies.unit, sufficient_capacity(bodies, 0), kFar / 4 - 1});
    begin([&](const Component& component) {
      walks_.emplace_back(component, units, call_->options().seed);
    });
  }

  /// Whether it aimed, and there is something to walk.
  [[nodiscard]] bool can_walk() const noexcept { return !walks_.empty(); }
  /// Whether the walk that comes next may find a placement.
  [[nodiscard]] bool is_promising() const {
    for (const EjectionWalk& walk : walks_)
      if (!walk.is_done() && walk.moves() > 0) return walk.is_promising();
    return can_walk();
  }

  /// Begins at a placement that is too high, in bytes, by buffer.
  void start_from(const List<std::int64_t>& offsets) {
    const List<std::int64_t> at = parts_->bodies().bodies_at(offsets);
    for (EjectionWalk& walk : walks_) {
      List<std::int64_t> own;
      for (const Index b : walk.component().body) own.push_back(at[b]);
      walk.start_from(std::move(own));
    }
  }

  /// Goes on until all is placed, or until each walk had so many moves a body.
  [[nodiscard]] Outcome run(std::int64_t moves, Found& found) {
    std::int64_t& nodes = call_->stats().nodes;
    for (EjectionWalk& walk : walks_) {
      const std::int64_t most = moves * walk.component().size;
      for (; !walk.is_done(); ++nodes)
        if (walk.moves() >= most || call_->limits().hit(nodes) || !walk.move())
          return Outcome::kOpen;
    }
    if (!can_walk()) return Outcome::kOpen;
    write(found);
    return Outcome::kPlacedAll;
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_EJECTION_WALKS_HPP
