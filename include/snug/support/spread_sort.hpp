// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting by keys that are spread out:
///
///     keys     7 52 31 90 33         dealt out by equal parts of the range of keys,
///     parts    7 | 31 33 | 52 | 90   about one for each element, they are nearly in
///                                    order; what is left is for insertion
///
/// Cost: O(n) for n elements, with one more copy of them; O(n log n) if too many are in
/// few parts.
#ifndef SNUG_SUPPORT_SPREAD_SORT_HPP
#define SNUG_SUPPORT_SPREAD_SORT_HPP

#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class T>
class SpreadSort {
 public:
  /// For lists of at most so many elements.
  explicit SpreadSort(std::size_t most)
      : dealt_(most), next_((std::min)(most, kMostParts) + 1) {}

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(dealt_, next_);
  }

  /// Sorts by key(element), ascending. Two keys are less than 2^63 apart.
  template <class Key>
  void sort(T* first, T* last, Key key) {
    const auto before = [&](const T& a, const T& b) { return key(a) < key(b); };
    if (last - first > kFewSorted) deal_out(first, last, key);
    std::ptrdiff_t moves = kMovesEach * (last - first);
    for (T* at = first; at != last; ++at) {
      moves -= at - insert_next(first, at, before);
      if (moves < 0) return (void)sort_in_parts(first, last, before, {});
    }
  }

 private:
  static constexpr std::size_t kMostParts = 4096;
  /// Of an element by insertion, on average; more take longer than to sort in parts.
  static constexpr std::ptrdiff_t kMovesEach = 12;

  /// Equal parts of the range of keys, some power of two wide.
  struct Parts {
    [[nodiscard]] std::size_t operator[](std::int64_t key) const noexcept {
      return static_cast<std::size_t>((key - lowest) >> shift);
    }
    std::int64_t lowest;
    int shift;
  };

  template <class Key>
  void deal_out(T* first, T* last, Key key) {
    std::int64_t lowest = key(*first);
    std::int64_t highest = lowest;
    for (const T* one = first; one != last; ++one) {
      lowest = (std::min)(lowest, key(*one));
      highest = (std::max)(highest, key(*one));
    }
    const auto size = static_cast<std::size_t>(last - first);
    const std::size_t count = (std::min)(size, kMostParts);
    Parts parts{lowest, 0};
    while (parts[highest] >= count) ++parts.shift;
    std::uint32_t* const next = next_.data();
    std::fill_n(next, count + 1, std::uint32_t{0});
    T* const dealt = dealt_.data();
    for (std::size_t k = 0; k < size; ++k) {
      dealt[k] = first[k];
      ++next[parts[key(first[k])] + 1];
    }
    for (std::size_t k = 0; k < count; ++k) next[k + 1] += next[k];
    for (std::size_t k = 0; k < size; ++k)
      first[next[parts[key(dealt[k])]]++] = dealt[k];
  }

  List<T> dealt_{};             ///< a copy of what is sorted
  List<std::uint32_t> next_{};  ///< of each part: where its next element goes
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SPREAD_SORT_HPP
