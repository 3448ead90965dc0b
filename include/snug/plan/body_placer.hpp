// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The placement of all bodies of a problem below a capacity: a search of each of its
/// components (plan/body_components.hpp), one after the other.
///
/// Without components, for want of memory or time, there is no search.
#ifndef SNUG_PLAN_BODY_PLACER_HPP
#define SNUG_PLAN_BODY_PLACER_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/body_model.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/held_search.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The searches of a problem, and the offsets found for its bodies.
class BodyPlacer {
 public:
  /// `capacity` is in units. Both others must outlive it.
  BodyPlacer(BodyComponents& parts, std::int64_t capacity, Call& call)
      : parts_(&parts),
        capacity_(capacity),
        call_(&call),
        cannot_search_(!parts.make(call)),
        offsets_(parts.bodies().fixed_offsets()),
        lower_bound_(cannot_search_
                         ? quick_bound(parts.bodies(), call.interrupt())
                         : parts.lower_bound()),
        held_(call, bytes_of(offsets_)) {}

  [[nodiscard]] const Bodies& bodies() const noexcept {
    return parts_->bodies();
  }
  /// No placement is lower.
  [[nodiscard]] std::int64_t lower_bound() const noexcept {
    return lower_bound_;
  }
  /// Writes the placement, after kPlacedAll: offsets of all buffers in bytes.
  void write(List<std::int64_t>& offsets) const {
    bodies().write_offsets(offsets_, offsets);
  }
  /// Goes on to place everything, each component in at most `nodes` nodes, or so.
  [[nodiscard]] Outcome place(std::int64_t nodes) {
    if (capacity_ < lower_bound_) return Outcome::kRefuted;
    if (cannot_search_) return Outcome::kOpen;
    const std::vector<Component>& components = parts_->components();
    for (; placed_ < components.size(); ++placed_) {
      const Component& component = components[placed_];
      if (!search_) search_.emplace(component, capacity_, *call_);
      const Outcome outcome = search_->held.go_on(nodes);
      if (outcome != Outcome::kPlacedAll) return outcome;
      keep(component, search_->held.offsets());
      search_.reset();
    }
    return Outcome::kPlacedAll;
  }

 private:
  /// The search of a component.
  struct Search {
    Search(const Component& component, std::int64_t capacity, Call& call)
        : held(component, capacity, kBodyStrategies, call, memory) {}

    Memory memory{};
    HeldSearch<BodyModel> held;
  };

  void keep(const Component& component, const std::int64_t* offsets) {
    for (Index x = 0; x < component.size; ++x)
      offsets_[component.body[x]] = offsets[x];
  }

  BodyComponents* parts_;
  std::int64_t capacity_;
  Call* call_;
  bool cannot_search_;          ///< there is no search
  List<std::int64_t> offsets_;  ///< of each body
  std::int64_t lower_bound_;
  Held held_;                       ///< the offsets
  std::size_t placed_ = 0;          ///< components below it, the first ones
  std::optional<Search> search_{};  ///< of the next one
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BODY_PLACER_HPP
