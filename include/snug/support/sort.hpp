// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting in little code: a heap sort, a sixth of what the standard library's
/// sort takes for each type and order; and the steps that faster ones are made of
/// (sort_in_parts.hpp, spread_sort.hpp), which are for a million elements.
///
/// All orders in snug are total, or it makes no difference which of two equal ones
/// comes first: so there is one result.
///
/// Cost: O(n log n) at worst. Source: Williams, "Algorithm 232: Heapsort"
/// (Communications of the ACM, 1964), with Floyd's way down (1964).
#ifndef SNUG_SUPPORT_SORT_HPP
#define SNUG_SUPPORT_SORT_HPP

#include "snug/config.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Elements that can be sorted have at most so many bytes.
inline constexpr std::size_t kWidestSorted = 64;

/// Whether element `a` is before element `b` in an order.
using IsBefore = bool (*)(const void* a, const void* b, const void* order);

/// Copies an element of `width` bytes.
inline void copy_element(void* to, const void* from, std::size_t width) {
  // Most elements are indices, or sizes: no call for these.
  if (width == sizeof(std::uint32_t)) {
    std::memcpy(to, from, sizeof(std::uint32_t));
  } else if (width == sizeof(std::uint64_t)) {
    std::memcpy(to, from, sizeof(std::uint64_t));
  } else {
    std::memcpy(to, from, width);
  }
}

/// Sorts elements of `width` bytes: one copy of the code for all types.
inline void heap_sort_bytes(void* elements, std::size_t count,
                            std::size_t width, IsBefore is_before,
                            const void* order) {
  const auto at = [&](std::size_t k) {
    return static_cast<char*>(elements) + k * width;
  };
  alignas(std::max_align_t) char value[kWidestSorted];
  // While it is built, `root` counts down; then the largest goes to the end, and
  // what was there down from the root.
  for (std::size_t root = count / 2, size = count; size > 1;) {
    if (root > 0) {
      --root;
      copy_element(value, at(root), width);
    } else {
      --size;
      copy_element(value, at(size), width);
      copy_element(at(size), at(0), width);
    }
    std::size_t hole = root;
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && is_before(at(child), at(child + 1), order))
        ++child;
      if (!is_before(value, at(child), order)) break;
      copy_element(at(hole), at(child), width);
      hole = child;
    }
    copy_element(at(hole), value, width);
  }
}

/// Sorts [first, first + count) so that of two neighbours the later one is not
/// before the other.
template <class T, class Before>
void heap_sort(T* first, std::size_t count, Before before) {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(sizeof(T) <= kWidestSorted);
  heap_sort_bytes(
      first, count, sizeof(T),
      [](const void* a, const void* b, const void* order) -> bool {
        return (*static_cast<const Before*>(order))(*static_cast<const T*>(a),
                                                    *static_cast<const T*>(b));
      },
      &before);
}

/// The same for a container of contiguous elements.
template <class Container, class Before>
void heap_sort(Container& all, Before before) {
  heap_sort(all.data(), all.size(), before);
}

/// The same, in ascending order.
template <class Container>
void heap_sort(Container& all) {
  heap_sort(all, [](const auto& a, const auto& b) { return a < b; });
}

/// Sorts intervals by their lower ends.
template <class T>
void sort_by_lower(T* first, std::size_t count) {
  heap_sort(first, count,
            [](const T& a, const T& b) { return a.lower < b.lower; });
}
template <class Container>
void sort_by_lower(Container& all) {
  sort_by_lower(all.data(), all.size());
}

/// Sorts indices by key(index); of two with the same key the lower one comes first.
template <class Container, class Key>
void sort_ascending(Container& indices, Key key) {
  heap_sort(indices, [key](auto a, auto b) {
    const auto x = key(a);
    const auto y = key(b);
    return x != y ? x < y : a < b;
  });
}
/// The same, those with the largest key first.
template <class Container, class Key>
void sort_descending(Container& indices, Key key) {
  heap_sort(indices, [key](auto a, auto b) {
    const auto x = key(a);
    const auto y = key(b);
    return x != y ? x > y : a < b;
  });
}

/// Moves the elements of which is() is true to the front, and tells where they end.
/// Without a branch: half of the time it would not be foreseen.
template <class T, class Is>
T* move_to_front(T* first, T* last, const Is& is) {
  T* middle = first;
  for (; first != last; ++first) {
    const T value = *first;
    *first = *middle;
    *middle = value;
    middle += is(value) ? 1 : 0;
  }
  return middle;
}

/// Moves an element behind those from `first` on, which are in order, to its place among
/// them; returns that.
template <class T, class Before>
T* insert_next(T* first, T* next, const Before& before) {
  const T value = *next;
  T* hole = next;
  for (; hole != first && before(value, hole[-1]); --hole) *hole = hole[-1];
  *hole = value;
  return hole;
}
/// Sorts by insertion: a few elements, or many that are nearly in order.
template <class T, class Before>
void insertion_sort(T* first, T* last, const Before& before) {
  for (T* at = first; at < last; ++at) insert_next(first, at, before);
}

/// Copies elements to a list of as many, by an index below `end` that each has, in linear
/// time; of those with the same one the first stays first.
template <class T>
void deal_by_index(const List<T>& from, std::uint32_t T::*index,
                   std::size_t end, List<T>& to) {
  List<std::size_t> next(end + 1, 0);
  for (const T& one : from) ++next[one.*index + std::size_t{1}];
  for (std::size_t k = 1; k < end; ++k) next[k] += next[k - 1];
  for (const T& one : from) to[next[one.*index]++] = one;
}
/// Sorts by an index like that.
template <class T>
void sort_by_index(List<T>& all, std::uint32_t T::*index, std::size_t end) {
  const List<T> before = all;
  deal_by_index(before, index, end, all);
}
/// The same by two indices, the second one where the first ones are equal.
template <class T>
void sort_by_indices(List<T>& all, std::uint32_t T::*first,
                     std::uint32_t T::*second, std::size_t end) {
  List<T> dealt = all;
  deal_by_index(all, second, end, dealt);
  deal_by_index(dealt, first, end, all);
}

/// Leaves one of each that are equal and next to each other.
template <class Container>
void drop_repeated(Container& all) {
  join_neighbours(all, [](const auto& a, const auto& b) { return a == b; });
}

/// Sorts in ascending order, and leaves one of each that are equal.
template <class Container>
void sort_unique(Container& all) {
  heap_sort(all);
  drop_repeated(all);
}

/// The index of the first of some elements, ascending, that is not below `value`.
template <class Container, class T>
[[nodiscard]] std::size_t index_in(const Container& ascending, const T& value) {
  return static_cast<std::size_t>(
      std::lower_bound(ascending.begin(), ascending.end(), value) -
      ascending.begin());
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SORT_HPP
