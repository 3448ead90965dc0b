// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting in little code: a heap sort, a sixth of what the standard library's
/// sort takes for each type and order. Where there may be a million elements,
/// sort_in_parts() in interrupt.hpp is faster.
///
/// All orders in snug are total, so that there is one result.
///
/// Cost: O(n log n) at worst. Source: Williams, "Algorithm 232: Heapsort"
/// (Communications of the ACM, 1964), with Floyd's way down (1964).
#ifndef SNUG_SUPPORT_SORT_HPP
#define SNUG_SUPPORT_SORT_HPP

#include "snug/config.hpp"

#include <cstddef>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Sorts [first, first + count) so that of two neighbours the later one is not
/// before the other.
template <class T, class Before>
void heap_sort(T* first, std::size_t count, Before&& before) {
  // While it is built, `root` counts down; then the largest goes to the end.
  for (std::size_t root = count / 2, size = count; size > 1;) {
    if (root > 0) {
      --root;
    } else {
      --size;
      std::swap(first[0], first[size]);
    }
    T value = std::move(first[root]);
    std::size_t hole = root;
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && before(first[child], first[child + 1])) ++child;
      if (!before(value, first[child])) break;
      first[hole] = std::move(first[child]);
      hole = child;
    }
    first[hole] = std::move(value);
  }
}

/// The same for a container of contiguous elements.
template <class Container, class Before>
void heap_sort(Container& all, Before&& before) {
  heap_sort(all.data(), all.size(), before);
}

/// The same, in ascending order.
template <class Container>
void heap_sort(Container& all) {
  heap_sort(all, [](const auto& a, const auto& b) { return a < b; });
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SORT_HPP
