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
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstdint>
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
  const auto loads = sums_over(bodies.sections, [&](auto&& add) {
    for (const Slab& slab : bodies.slabs)
      if (!bodies.bodies[slab.body].is_fixed())
        add(slab.sections, slab.length());
  });
  return highest_of_bodies(bodies, loads);
}

/// All bodies, the most preferred first, by the letters of an order. Of no use if it
/// is interrupted.
[[nodiscard]] inline List<Index> sort_bodies(const Bodies& bodies,
                                             std::string_view letters,
                                             const Interrupt& interrupt = {}) {
  const List<std::int64_t> total = free_totals(bodies);
  const auto key = [&](char letter, Index b) {
    const Body& body = bodies.bodies[b];
    switch (letter) {
      case 'A':
        return body.area;
      case 'T':
        return static_cast<double>(total[b]);
      case 'W':
        return body.width;
      default:  // 'Z'
        return static_cast<double>(body.extent);
    }
  };
  List<Keyed> ranked;
  for (Index b = 0; b < total.size(); ++b) ranked.push_back({0, b});
  sort_by_letters(letters, ranked.begin(), ranked.end(), key, interrupt);
  List<Index> result;
  for (const Keyed& one : ranked) result.push_back(one.index);
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ORDERS_HPP
