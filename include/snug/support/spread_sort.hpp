// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting by keys that are spread out, as times and offsets are; indices by keys.
///
///     keys     7 52 31 90 33         dealt out by equal parts of the range of keys,
///     parts    7 | 33 31 | 52 | 90   about one for each element; a part with a few
///                                    is sorted by insertion, one with more is dealt
///                                    out once more
///
/// Cost: O(n) for n elements that are spread out, in place. Dealt out again, a part has a range of keys that is at most a sixteenth of that before: O(n)
/// each time, at most 16 times, and O(n log n) for elements of one key.
#ifndef SNUG_SUPPORT_SPREAD_SORT_HPP
#define SNUG_SUPPORT_SPREAD_SORT_HPP

#include "snug/config.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class SpreadSort {
 public:
  /// For lists of at most so many elements.
  explicit SpreadSort(std::size_t most)
      : next_(parts_of(most)), end_(next_.size()) {}

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(next_, end_);
  }
  /// The same, for lists of at most so many.
  [[nodiscard]] static std::size_t bytes_for(std::size_t most) noexcept {
    return 2 * sizeof(std::uint32_t) * parts_of(most);
  }

  /// Sorts by key(element), ascending.
  template <class T, class Key>
  void sort(T* first, T* last, Key key) {
    sort(first, last, key,
         [&](const T& a, const T& b) { return key(a) < key(b); });
  }

  /// The same; those with the same key by before(a, b), an order of all.
  template <class T, class Key, class Before>
  void sort(T* first, T* last, Key key, Before before) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count <= kFewSorted) return insertion_sort(first, last, before);
    const Parts parts = find_parts(first, last, key);
    if (parts.count == 1) {
      if (!std::is_sorted(first, last, before)) heap_sort(first, count, before);
      return;
    }
    deal_out(first, count, key, parts);
    for (T* end = first; first != last; first = end) {
      const std::uint64_t part = parts[key(*first)];
      while (end != last && parts[key(*end)] == part) ++end;
      sort(first, end, key, before);
    }
  }

 private:
  static constexpr std::size_t kFewSorted = 32;  ///< by insertion
  static constexpr std::size_t kMostParts = 4096;

  [[nodiscard]] static std::size_t parts_of(std::size_t most) noexcept {
    return most > kFewSorted ? (std::min)(most, kMostParts) : 0;
  }

  /// Equal parts of the range of keys, some power of two wide.
  struct Parts {
    /// Two keys may be as far apart as numbers are.
    [[nodiscard]] std::uint64_t operator[](std::int64_t key) const noexcept {
      return (static_cast<std::uint64_t>(key) -
              static_cast<std::uint64_t>(lowest)) >>
             shift;
    }
    std::int64_t lowest;
    int shift;
    std::size_t count;
  };

  /// As many parts as there are elements, or half of that; one for one key.
  template <class T, class Key>
  [[nodiscard]] static Parts find_parts(const T* first, const T* last,
                                        Key key) {
    std::int64_t lowest = key(*first);
    std::int64_t highest = lowest;
    for (const T* one = first; one != last; ++one) {
      lowest = (std::min)(lowest, key(*one));
      highest = (std::max)(highest, key(*one));
    }
    const std::size_t most = parts_of(static_cast<std::size_t>(last - first));
    Parts parts{lowest, 0, 0};
    while (parts[highest] >= most) ++parts.shift;
    parts.count = static_cast<std::size_t>(parts[highest]) + 1;
    return parts;
  }

  /// Elements are exchanged until all of a part are there, which is then left alone.
  template <class T, class Key>
  void deal_out(T* first, std::size_t count, Key key, const Parts& parts) {
    std::uint32_t* const next = next_.data();
    std::uint32_t* const end = end_.data();
    std::fill_n(end, parts.count, std::uint32_t{0});
    for (std::size_t k = 0; k < count; ++k) ++end[parts[key(first[k])]];
    std::uint32_t sum = 0;
    for (std::size_t part = 0; part < parts.count; ++part) {
      next[part] = sum;
      sum += end[part];
      end[part] = sum;
    }
    for (std::size_t part = 0; part < parts.count; ++part)
      while (next[part] != end[part]) {
        T one = first[next[part]];
        for (std::uint64_t to; (to = parts[key(one)]) != part;)
          std::swap(one, first[next[to]++]);
        first[next[part]++] = one;
      }
  }

  // Of each part, as far as it is there.
  List<std::uint32_t> next_{};
  List<std::uint32_t> end_{};
};

/// An index, and the number that it is sorted by.
struct Keyed {
  std::int64_t key;
  std::uint32_t index;

  friend bool operator<(const Keyed& a, const Keyed& b) noexcept {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  }
};

/// Sorts by key, then by index. Many elements ask first: false if that was
/// interrupted.
inline bool sort_keyed(Keyed* first, Keyed* last,
                       const Interrupt& interrupt = {}) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count > 4 * Interrupt::kElements && interrupt()) return false;
  SpreadSort(count).sort(
      first, last, [](const Keyed& one) { return one.key; },
      [](const Keyed& a, const Keyed& b) { return a < b; });
  return true;
}
inline bool sort_keyed(List<Keyed>& all, const Interrupt& interrupt = {}) {
  return sort_keyed(all.begin(), all.end(), interrupt);
}

/// Calls visit(first, last) for each run of several with the same key.
template <class Visit>
void for_each_run(Keyed* first, Keyed* last, Visit&& visit) {
  for (Keyed* end = first; first != last; first = end) {
    while (end != last && end->key == first->key) ++end;
    if (end - first > 1) visit(first, end);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_SPREAD_SORT_HPP
