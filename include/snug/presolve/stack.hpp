// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first thing to try: all buffers of a partition on top of each other.
///
/// Where that fits, no two of them share an address, so it is a placement
/// whatever the lifespans are, and no search is needed. Cliques at their load
/// (everything live at one time) are solved here at any size.
///
/// Cost: O(buffers).
#ifndef SNUG_PRESOLVE_STACK_HPP
#define SNUG_PRESOLVE_STACK_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/sweep/sweep.hpp"

#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Writes the offsets of the partition's buffers if the stack fits below the
/// capacity; else returns false, with some of them written.
template <class Size, class Time, class Offset>
[[nodiscard]] bool stack_all(const Problem<Size, Time>& problem,
                             const Sweep& sweep, const Partition& partition,
                             std::int64_t capacity,
                             std::vector<Offset>& offsets) {
  std::int64_t top = 0;
  for (Index k = partition.buffers.lower; k < partition.buffers.upper; ++k) {
    const Index i = sweep.order[k];
    const std::int64_t alignment{problem.buffers[i].alignment};
    const std::int64_t rest = top % alignment;
    const std::int64_t offset = rest == 0 ? top : top + alignment - rest;
    top = offset + problem.buffers[i].size;
    if (top > capacity) return false;
    offsets[i] = static_cast<Offset>(offset);
  }
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PRESOLVE_STACK_HPP
