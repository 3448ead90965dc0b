// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ejection walks (bodies/ejection_walk.hpp) for the components of a problem, one
/// after the other.
#ifndef SNUG_PLAN_WALK_BODIES_HPP
#define SNUG_PLAN_WALK_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/ejection_walk.hpp"
#include "snug/config.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An ejection walk for each component of a problem, one after the other, below
/// the capacity that it aims at.
class BodiesWalk {
 public:
  /// Both must outlive it; `parts` may be null. Of no use if the call gave up.
  BodiesWalk(BodyComponents* parts, Call& call)
      : call_(&call), parts_(parts), held_(call, 0) {
    if (parts_ != nullptr && !parts_->make(call)) parts_ = nullptr;
  }

  /// Begins anew, below a capacity in bytes.
  void aim(std::int64_t capacity) {
    if (parts_ == nullptr) return;
    // No higher than what is enough if any is.
    const Bodies& bodies = parts_->bodies();
    const std::int64_t units = (std::min)(
        {capacity / bodies.unit, sufficient_capacity(bodies, 0), kFar / 4 - 1});
    std::size_t bytes = 0;
    walks_.clear();
    for (const Component& component : parts_->components()) {
      walks_.emplace_back(component, units, call_->options().seed);
      bytes += walks_.back().bytes();
    }
    held_.change(bytes);
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
    parts_->write(walks_, found.offsets);
    return Outcome::kPlacedAll;
  }

 private:
  Call* call_;
  BodyComponents* parts_;              ///< null: there is nothing to walk
  std::vector<EjectionWalk> walks_{};  ///< of each component
  Held held_;                          ///< the walks
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WALK_BODIES_HPP
