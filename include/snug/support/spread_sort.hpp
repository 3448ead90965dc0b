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
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class T>
class SpreadSort {
 public:
  SpreadSort() = default;
  /// For lists of at most so many elements.
  explicit SpreadSort(std::size_t most)
      : dealt_(most), next_((std::min)(most, kMostParts) + 1) {}

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(dealt_, next_);
  }

  /// Sorts by key(element), ascending. Most keys are in [0, largest].
  template <class Key>
  void sort(List<T>& all, std::int64_t largest, Key key) {
    const std::size_t parts = (std::min)(all.size(), kMostParts);
    const auto before = [&](const T& a, const T& b) { return key(a) < key(b); };
    if (parts > kFewSorted)
      deal_out(all, Parts(static_cast<std::int64_t>(parts - 1), largest), key);
    std::ptrdiff_t moves = kMovesEach * static_cast<std::ptrdiff_t>(all.size());
    T* const first = all.begin();
    for (T* at = first; at != all.end(); ++at) {
      const T value = *at;
      T* hole = at;
      for (; hole != first && before(value, hole[-1]); --hole) *hole = hole[-1];
      *hole = value;
      moves -= at - hole;
      if (moves < 0) return (void)sort_in_parts(first, all.end(), before, {});
    }
  }

 private:
  static constexpr std::size_t kMostParts = 4096;
  /// Of an element by insertion, on average; more take longer than to sort in parts.
  static constexpr std::ptrdiff_t kMovesEach = 12;

  struct Parts {
    Parts(std::int64_t last_part, std::int64_t largest) : last(last_part) {
      while (largest >> shift > last) ++shift;
    }
    [[nodiscard]] std::size_t operator[](std::int64_t key) const noexcept {
      return static_cast<std::size_t>(
          (std::min)((std::max)(key, std::int64_t{0}) >> shift, last));
    }
    std::int64_t last;
    int shift = 0;
  };

  template <class Key>
  void deal_out(List<T>& all, const Parts& parts, Key key) {
    const auto count = static_cast<std::size_t>(parts.last) + 1;
    std::uint32_t* const next = next_.data();
    std::fill_n(next, count + 1, std::uint32_t{0});
    T* dealt = dealt_.data();
    for (const T& one : all) {
      *dealt++ = one;
      ++next[parts[key(one)] + 1];
    }
    for (std::size_t k = 0; k < count; ++k) next[k + 1] += next[k];
    for (std::size_t k = 0; k < all.size(); ++k) {
      const T& one = dealt_[k];
      all[next[parts[key(one)]]++] = one;
    }
  }

  List<T> dealt_{};             ///< a copy of what is sorted
  List<std::uint32_t> next_{};  ///< of each part: where its next element goes
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SPREAD_SORT_HPP
