// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The aligned load: what the buffers that are live together need because of
/// their alignments, beyond the load.
///
/// Take a section and an alignment A, and of the buffers that are live there
/// those whose alignment is a multiple of A, from the lowest to the highest:
///
///     |  x  |:::|  y     |:|  z  |        | multiples of A; ':' padding
///     0     |   A        |2A..   top
///
/// Each begins at a multiple of A, so the next one begins at or above its end
/// rounded up to a multiple of A. By induction the highest ends at or above the
/// sum of all sizes, rounded up, less the padding of the highest itself:
///
///     height  >=  sum of ceil(s / A) * A  -  largest padding ceil(s / A) * A - s
///
/// Others may lie in the padding, so they do not count; A = 1 gives the load.
/// The bound is the largest over all sections and, for A, the alignments that
/// occur (the first few of them).
///
/// Cost: O(n log n + sections) time for each alignment, O(n + sections) memory.
#ifndef SNUG_BOUNDS_ALIGNED_LOAD_HPP
#define SNUG_BOUNDS_ALIGNED_LOAD_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bound for one alignment, > 1.
[[nodiscard]] inline std::int64_t aligned_load(const Plain& plain,
                                               std::int64_t alignment) {
  List<std::int64_t> change(std::size_t{plain.sections} + 1, 0);
  // The paddings of those that have begun, the largest on top, and where they
  // end. They leave the heap when they come to its top.
  struct Padding {
    std::int64_t bytes;
    Index end;
  };
  const auto is_less = [](const Padding& a, const Padding& b) {
    return a.bytes < b.bytes;
  };
  List<Padding> paddings;
  std::int64_t sum = 0;
  std::int64_t bound = 0;
  Index section = 0;
  for (const Index i : plain.order) {
    const std::int64_t size = plain.buffers[i].size;
    if (plain.buffers[i].alignment % alignment != 0) continue;
    const std::int64_t padding = align_up(size, alignment) - size;
    const Interval<Index> span = plain.spans[i];
    while (section < span.lower) sum += change[++section];
    sum += size + padding;
    change[span.upper] -= size + padding;
    paddings.push_back({padding, span.upper});
    std::push_heap(paddings.begin(), paddings.end(), is_less);
    while (paddings.front().end <= section) {
      std::pop_heap(paddings.begin(), paddings.end(), is_less);
      paddings.pop_back();
    }
    // Of those that begin here, a few may be missing yet; then this is the
    // bound for a part of the buffers.
    bound = (std::max)(bound, sum - paddings.front().bytes);
  }
  return bound;
}

/// The alignments above 1 that occur, the first `most` of them.
[[nodiscard]] inline List<std::int64_t> alignments_of(const Plain& plain,
                                                      std::size_t most) {
  List<std::int64_t> result;
  for (const Index i : plain.order) {
    const std::int64_t alignment = plain.buffers[i].alignment;
    if (alignment == 1 || result.size() == most) continue;
    if (!any_that(result, [&](std::int64_t one) { return one == alignment; }))
      result.push_back(alignment);
  }
  return result;
}

/// A lower bound for the height: the load or, where alignments ask for more, the
/// aligned load; of fewer alignments, if it is interrupted.
[[nodiscard]] inline std::int64_t aligned_load(
    const Plain& plain, const Interrupt& interrupt = {}) {
  constexpr std::size_t kMostAlignments = 32;
  std::int64_t bound = load(plain);
  std::size_t since = 0;
  for (const std::int64_t alignment : alignments_of(plain, kMostAlignments)) {
    if (interrupt.after(plain.order.size(), since)) break;
    bound = (std::max)(bound, aligned_load(plain, alignment));
  }
  return bound;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_ALIGNED_LOAD_HPP
