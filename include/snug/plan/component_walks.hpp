// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walks of one kind, one for each component of a problem, and what they hold.
#ifndef SNUG_PLAN_COMPONENT_WALKS_HPP
#define SNUG_PLAN_COMPONENT_WALKS_HPP

#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"

#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Walk>
class ComponentWalks {
 public:
  /// Both must outlive it; `parts` may be null. Of no use if the call gave up.
  ComponentWalks(BodyComponents* parts, Call& call)
      : call_(&call), parts_(parts), held_(call, 0) {
    if (parts_ != nullptr && !parts_->make(call)) parts_ = nullptr;
  }

  /// Writes the placements of all walks.
  void write(Found& found) const { parts_->write(walks_, found.offsets); }

 protected:
  /// Begins anew: add(component) adds a walk.
  template <class Add>
  void begin(Add&& add) {
    walks_.clear();
    std::size_t bytes = 0;
    for (const Component& component : parts_->components()) {
      add(component);
      bytes += walks_.back().bytes();
    }
    held_.change(bytes);
  }

  Call* call_;
  BodyComponents* parts_;      ///< null: there is nothing to walk
  std::vector<Walk> walks_{};  ///< of each component, once begun

 private:
  Held held_;  ///< the walks
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_COMPONENT_WALKS_HPP
