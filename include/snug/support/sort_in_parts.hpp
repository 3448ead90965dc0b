// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting that can be interrupted between its parts, and the first elements of an
/// order.
///
/// Cost: O(n log n) to sort n elements; O(n) to select, and at most that of
/// heap_sort() once more.
#ifndef SNUG_SUPPORT_SORT_IN_PARTS_HPP
#define SNUG_SUPPORT_SORT_IN_PARTS_HPP

#include "snug/config.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Parts with so few elements are sorted otherwise.
inline constexpr std::ptrdiff_t kFewSorted = 32;

/// Moves the elements of a part that are before a pivot, the median of nine, to
/// its front, and tells where they end. Samples are at multiples of the golden ratio:
/// at equal distances, they would be alike where what is sorted repeats.
template <class T, class Before>
[[nodiscard]] T* divide_part(T* first, T* last, Before before) {
  constexpr std::ptrdiff_t kSamples = 9;
  const std::ptrdiff_t count = last - first;
  // The sorted samples stand in front, a pivot among them.
  constexpr std::uint32_t kGolden = 0x9E3779B9;  // of 2^32
  std::uint32_t part = 0;
  for (std::ptrdiff_t k = 1; k < kSamples; ++k) {
    part += kGolden;
    std::swap(first[k], first[part * static_cast<std::uint64_t>(count) >> 32U]);
  }
  heap_sort(first, kSamples, before);
  const T pivot = first[kSamples / 2];
  return move_to_front(first, last,
                       [&](const T& value) { return before(value, pivot); });
}

/// Whether a part was not divided well: into so many elements, and so many.
[[nodiscard]] inline bool is_uneven(std::ptrdiff_t before,
                                    std::ptrdiff_t after) noexcept {
  return (std::min)(before, after) < (before + after) / 16;
}

/// Sorts by a total order; large parts ask first. False if that was interrupted:
/// the elements are in any order then.
///
/// Quicksort. A part that its pivot does not divide well is left to heap_sort(),
/// a short one to insertion.
template <class T, class Before>
[[nodiscard]] bool sort_in_parts(T* first, T* last, Before before,
                                 const Interrupt& interrupt) {
  while (last - first > kFewSorted) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count > 4 * Interrupt::kElements && interrupt()) return false;
    T* const middle = divide_part(first, last, before);
    if (is_uneven(middle - first, last - middle)) {
      heap_sort(first, count, before);
      return true;
    }
    if (!sort_in_parts(first, middle, before, interrupt)) return false;
    first = middle;
  }
  insertion_sort(first, last, before);
  return true;
}

/// Moves those elements before `middle` that come first in a total order, as
/// quickselect does.
template <class T, class Before>
void select_in_parts(T* first, T* middle, T* last, Before before) {
  while (last - first > kFewSorted) {
    T* const cut = divide_part(first, last, before);
    if (is_uneven(cut - first, last - cut)) break;
    (cut <= middle ? first : last) = cut;
  }
  heap_sort(first, static_cast<std::size_t>(last - first), before);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SORT_IN_PARTS_HPP
