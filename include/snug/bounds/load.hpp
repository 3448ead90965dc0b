// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The load: the most bytes live at one time. Those bytes all need different
/// addresses, so no placement is lower.
///
/// Cost: O(n + sections) time, O(sections) memory; with obstacles, a step more for each
/// section of each, up to a limit.
#ifndef SNUG_BOUNDS_LOAD_HPP
#define SNUG_BOUNDS_LOAD_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bytes live in each section.
[[nodiscard]] inline List<std::int64_t> section_loads(const Plain& plain) {
  return sums_over(plain.sections, [&](auto&& add) {
    for (const Index i : plain.order)
      add(plain.spans[i], plain.buffers[i].size);
  });
}

/// 0 if there are no sections.
[[nodiscard]] inline std::int64_t largest_of(
    const List<std::int64_t>& sections) noexcept {
  std::int64_t largest = 0;
  for (const std::int64_t bytes : sections)
    largest = (std::max)(largest, bytes);
  return largest;
}

/// The largest of section_loads(); 0 for a problem without buffers.
[[nodiscard]] inline std::int64_t load(const Plain& plain) {
  return largest_of(section_loads(plain));
}

/// The same with obstacles, whose bytes nobody has: in each section the lowest height
/// below which as many others are left as are live. From the lowest obstacle up, it
/// grows by each that begins below it. Fewer obstacles give a lower bound as well, so
/// it takes kMostSteps at most, and may be interrupted.
[[nodiscard]] inline List<std::int64_t> obstructed_loads(
    const Plain& plain, const Interrupt& interrupt = {}) {
  constexpr std::size_t kMostSteps = std::size_t{1} << 24;
  List<std::int64_t> heights = section_loads(plain);
  std::size_t steps = 0;
  std::size_t since = 0;
  for (const Obstacle& obstacle : plain.obstacles) {
    steps += length_of(obstacle.sections);
    if (steps > kMostSteps ||
        interrupt.after(length_of(obstacle.sections), since))
      break;
    for (Index s = obstacle.sections.lower; s < obstacle.sections.upper; ++s)
      if (obstacle.bytes.lower < heights[s])
        heights[s] += length_of(obstacle.bytes);
  }
  return heights;
}

/// The largest of these.
[[nodiscard]] inline std::int64_t obstructed_load(
    const Plain& plain, const Interrupt& interrupt = {}) {
  return largest_of(obstructed_loads(plain, interrupt));
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_LOAD_HPP
