// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The orders in which dives prefer bodies: those of heuristics/orders.hpp, with the
/// area and width of all slabs, the extent for the size, and for the total the most
/// bytes at one time of bodies that are not fixed.
///
/// Areas come first here. On large problems with gaps, windows and obstacles the
/// other orders are at times 5 to 15 % above the bound, that one seldom more than 5;
/// the best of all four is within 2 % as a rule.
///
/// Cost: O(n log n + p) time, O(n + sections) memory for p slabs.
#ifndef SNUG_BODIES_BODY_ORDERS_HPP
#define SNUG_BODIES_BODY_ORDERS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::string_view kBodyOrders[] = {"A", "TAW", "TZ", "TWA"};

/// Of each body: the highest level of the sections that it has slabs in.
[[nodiscard]] inline List<std::int64_t> highest_of_bodies(
    const Bodies& bodies, const List<std::int64_t>& levels) {
  const RangeMaximum highest(levels);
  List<std::int64_t> result(bodies.bodies.size(), 0);
  for (const Slab& slab : bodies.slabs)
    result[slab.body] =
        (std::max)(result[slab.body],
                   highest.in(slab.sections.lower, slab.sections.upper));
  return result;
}

/// Of each body: the most bytes of bodies that are not fixed at one time of it.
[[nodiscard]] inline List<std::int64_t> free_totals(const Bodies& bodies) {
  List<std::int64_t> loads(std::size_t{bodies.sections} + 1, 0);
  for (const Slab& slab : bodies.slabs) {
    if (bodies.bodies[slab.body].is_fixed()) continue;
    loads[slab.sections.lower] += slab.length();
    loads[slab.sections.upper] -= slab.length();
  }
  std::partial_sum(loads.begin(), loads.end(), loads.begin());
  return highest_of_bodies(bodies, loads);
}

/// Bodies in orders that letters name.
class BodyOrders {
 public:
  /// The bodies must outlive this.
  explicit BodyOrders(const Bodies& bodies, const Interrupt& interrupt = {})
      : bodies_(&bodies), total_(free_totals(bodies)), interrupt_(interrupt) {}

  /// All of them, the most preferred first. Of no use if it is interrupted.
  [[nodiscard]] List<Index> sort(std::string_view letters) {
    order_.clear();
    for (Index b = 0; b < total_.size(); ++b) order_.push_back({0, b});
    sort(letters, 0, order_.size());
    List<Index> result;
    for (const Keyed& one : order_) result.push_back(one.index);
    return result;
  }

 private:
  /// Sorts by the first letter, and runs of equal ones by the others.
  void sort(std::string_view letters, std::size_t first, std::size_t last) {
    if (letters.empty()) return;
    for (std::size_t k = first; k < last; ++k)
      order_[k].key = ~bits_of(key(letters.front(), order_[k].index));
    letters.remove_prefix(1);
    if (!sort_keyed(order_, first, last, interrupt_)) return;
    for (std::size_t k = first + 1; k <= last; ++k) {
      if (k < last && order_[k].key == order_[first].key) continue;
      sort(letters, first, k);
      first = k;
    }
  }

  /// In the order of numbers that are not negative; inverted, the largest is first.
  [[nodiscard]] static std::int64_t bits_of(double number) noexcept {
    std::int64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
  }

  [[nodiscard]] double key(char letter, Index b) const {
    const Body& body = bodies_->bodies[b];
    switch (letter) {
      case 'A':
        return body.area;
      case 'T':
        return static_cast<double>(total_[b]);
      case 'W':
        return body.width;
      default:  // 'Z'
        return static_cast<double>(body.extent);
    }
  }

  const Bodies* bodies_;
  List<std::int64_t> total_;
  Interrupt interrupt_;
  List<Keyed> order_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ORDERS_HPP
