// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Order walks (bodies/order_walk.hpp) of all components of a problem. Always the one
/// goes on whose lowest placement is the highest: nothing lower of another is of use.
///
/// They go on for as long as they come lower, and some nodes more. A node is as many
/// steps as take its time.
#ifndef SNUG_PLAN_ORDER_WALKS_HPP
#define SNUG_PLAN_ORDER_WALKS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_orders.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/order_walk.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/component_walks.hpp"
#include "snug/support/list.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class OrderWalks : public ComponentWalks<OrderWalk> {
 public:
  using ComponentWalks::ComponentWalks;

  /// Begins with the order of a placement from the bottom up, bytes, by buffer; if there
  /// is none, with the largest bodies.
  void start_from(const List<std::int64_t>& offsets) {
    if (parts_ == nullptr) return;
    const Bodies& bodies = parts_->bodies();
    const List<std::int64_t> at = bodies.bodies_at(offsets);
    begin([&](const Component& component) {
      List<Keyed> keyed;
      for (Index x = 0; x < component.size; ++x)
        keyed.push_back(
            {offsets.empty() ? -component.extent[x] : at[component.body[x]],
             x});
      sort_keyed(keyed);
      List<Index> order;
      for (const Keyed& one : keyed) order.push_back(one.index);
      walks_.emplace_back(component, std::move(order), call_->options().seed);
    });
  }

  /// The height of the lowest placement of all so far, bytes; none: above all.
  [[nodiscard]] std::int64_t height() const {
    if (walks_.empty()) return kFar;
    std::int64_t height = parts_->lower_bound();
    for (const OrderWalk& walk : walks_)
      height = (std::max)(height, walk.lowest());
    return height >= kFar ? kFar : height * parts_->bodies().unit;
  }

  /// Goes on until that is at most `target`, bytes, or was not lower for so many nodes a
  /// body.
  void come_down(std::int64_t target, std::int64_t nodes) {
    if (walks_.empty()) return;
    const std::int64_t enough = target / parts_->bodies().unit;
    std::int64_t& spent = call_->stats().nodes;
    const std::int64_t patience = multiply_nodes(nodes, bodies());
    OrderWalk* highest = nullptr;
    for (std::int64_t since = 0; since < patience; ++since, ++spent) {
      if (highest == nullptr)
        highest = &*std::max_element(walks_.begin(), walks_.end(),
                                     [](const auto& a, const auto& b) {
                                       return a.lowest() < b.lowest();
                                     });
      const std::int64_t before = highest->lowest();
      if (before <= enough || call_->limits().hit(spent)) return;
      for (std::int64_t steps = 0; steps < kSteps;) steps += highest->step();
      if (highest->lowest() == before) continue;
      since = 0;
      highest = nullptr;
    }
  }

 private:
  /// Of a node.
  static constexpr std::int64_t kSteps = 16;

  [[nodiscard]] std::int64_t bodies() const {
    std::int64_t count = 0;
    for (const OrderWalk& walk : walks_) count += walk.component().size;
    return count;
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_ORDER_WALKS_HPP
