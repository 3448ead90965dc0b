// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first thing to try with a partition: all its buffers on top of each other.
///
/// Where that fits, no two of them share an address, so it is a placement
/// whatever the lifespans are, and no search is needed. Cliques at their load
/// (everything live at one time) are solved here at any size.
///
/// Cost: O(buffers).
#ifndef SNUG_JOINS_STACK_HPP
#define SNUG_JOINS_STACK_HPP

#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/list.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Writes the offsets of the partition's buffers if the stack fits below the
/// capacity; else, or if there are obstacles, returns false, with some of them
/// written.
[[nodiscard]] inline bool stack_all(const Plain& plain,
                                    const Partition& partition,
                                    std::int64_t capacity,
                                    List<std::int64_t>& offsets) {
  if (!plain.barred.empty()) return false;
  std::int64_t top = 0;
  for (const Index i : plain.buffers_of(partition)) {
    offsets[i] = align_up(top, plain.buffers[i].alignment);
    top = offsets[i] + plain.buffers[i].size;
    if (top > capacity) return false;
  }
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_STACK_HPP
