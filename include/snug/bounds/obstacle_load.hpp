// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The load beside obstacles (normal/obstacles.hpp): the buffers of a section need
/// as many bytes as they have that are not taken, so its height is at least the
/// address below which there are so many.
///
/// Cost: a step for each section of each obstacle.
#ifndef SNUG_BOUNDS_OBSTACLE_LOAD_HPP
#define SNUG_BOUNDS_OBSTACLE_LOAD_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes of a section that are to be placed beside obstacles.
struct Filled {
  std::int64_t top = 0;   ///< all below is used up
  std::int64_t left = 0;  ///< bytes that have no place yet

  /// Fills what is free below an obstacle; they come by lower ends.
  void go_beyond(const Interval<std::int64_t>& taken) noexcept {
    const std::int64_t room = (std::max)(taken.lower - top, std::int64_t{0});
    if (left <= room) return;
    left -= room;
    top = (std::max)(top, taken.upper);
  }
  /// The section is not lower.
  [[nodiscard]] std::int64_t height() const noexcept {
    return left > 0 ? top + left : 0;
  }
};

/// No placement of a plain problem is lower; 0 if it is interrupted.
[[nodiscard]] inline std::int64_t load_beside_obstacles(
    const Plain& plain, const Interrupt& interrupt = {}) {
  if (plain.obstacles.empty()) return 0;
  const List<std::int64_t> loads = section_loads(plain);
  List<Filled> filled(loads.size());
  for (std::size_t s = 0; s < loads.size(); ++s) filled[s].left = loads[s];
  std::size_t since = 0;
  for (const Obstacle& obstacle : plain.obstacles) {
    const Interval<Index> sections = obstacle.sections;
    if (interrupt.after(sections.upper - sections.lower, since)) return 0;
    for (Index s = sections.lower; s < sections.upper; ++s)
      filled[s].go_beyond(obstacle.bytes);
  }
  std::int64_t height = 0;
  for (const Filled& section : filled)
    height = (std::max)(height, section.height());
  return height;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_OBSTACLE_LOAD_HPP
