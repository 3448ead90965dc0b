// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorting by keys that are spread out, as times and offsets are; indices by keys.
///
///     keys     7 52 31 90 33         dealt out by equal parts of the range of keys,
///     parts    7 | 33 31 | 52 | 90   about one for each element; a part with a few
///                                    is sorted by insertion, one with more is dealt
///                                    out once more
///
/// More than 4096 are divided into two parts before, in place.
///
/// Cost: O(n log n), and O(n) for up to 4096 elements that are spread out, with one more
/// copy of them. Elements of keys that are not spread out are divided or dealt out once
/// more, at most 63 times; O(n log n) for those of one key.
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

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class T>
class SpreadSort {
 public:
  /// For lists of at most so many elements.
  explicit SpreadSort(std::size_t most)
      : dealt_(dealt_of(most)), next_(dealt_.size()) {}

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(dealt_, next_);
  }
  /// The same, for lists of at most so many.
  [[nodiscard]] static std::size_t bytes_for(std::size_t most) noexcept {
    return dealt_of(most) * (sizeof(T) + sizeof(std::uint32_t));
  }

  /// Sorts by key(element), ascending.
  template <class Key>
  void sort(T* first, T* last, Key key) {
    (void)sort(first, last, key,
               [&](const T& a, const T& b) { return key(a) < key(b); });
  }

  /// The same; those with the same key by before(a, b), an order of all. Many elements
  /// ask between their parts: false if that was interrupted, in any order then.
  template <class Key, class Before>
  bool sort(T* first, T* last, Key key, Before before,
            const Interrupt& interrupt = {}) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count <= kFewSorted) {
      insertion_sort(first, last, before);
      return true;
    }
    const Parts parts = find_parts(first, last, key);
    if (parts.count == 1) {
      if (!std::is_sorted(first, last, before)) heap_sort(first, count, before);
      return true;
    }
    if (interrupt.after(count)) return false;
    if (count > kMostDealt)
      (void)move_to_front(first, last,
                          [&](const T& one) { return parts[key(one)] == 0; });
    else
      deal_out(first, count, key, parts);
    for (T* end = first; first != last; first = end) {
      const std::uint64_t part = parts[key(*first)];
      while (end != last && parts[key(*end)] == part) ++end;
      if (!sort(first, end, key, before, interrupt)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kFewSorted = 32;  ///< by insertion
  static constexpr std::size_t kMostDealt = 4096;

  [[nodiscard]] static std::size_t dealt_of(std::size_t most) noexcept {
    return most > kFewSorted ? (std::min)(most, kMostDealt) : 0;
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
    std::uint64_t count;
  };

  /// About as many parts as there are elements to deal out, but fewer; two of more
  /// elements than that; one for one key.
  template <class Key>
  [[nodiscard]] static Parts find_parts(const T* first, const T* last,
                                        Key key) {
    std::int64_t lowest = key(*first);
    std::int64_t highest = lowest;
    for (const T* one = first; one != last; ++one) {
      lowest = (std::min)(lowest, key(*one));
      highest = (std::max)(highest, key(*one));
    }
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t most = count > kMostDealt ? 2 : count - 1;
    Parts parts{lowest, 0, 0};
    while (parts[highest] >= most) ++parts.shift;
    parts.count = parts[highest] + 1;
    return parts;
  }

  template <class Key>
  void deal_out(T* first, std::size_t count, Key key, const Parts& parts) {
    std::uint32_t* const next = next_.data();
    std::fill_n(next, parts.count + 1, std::uint32_t{0});
    T* const dealt = dealt_.data();
    for (std::size_t k = 0; k < count; ++k) {
      dealt[k] = first[k];
      ++next[parts[key(first[k])] + 1];
    }
    for (std::size_t k = 0; k < parts.count; ++k) next[k + 1] += next[k];
    for (std::size_t k = 0; k < count; ++k)
      first[next[parts[key(dealt[k])]]++] = dealt[k];
  }

  List<T> dealt_{};             ///< a copy of what is dealt out
  List<std::uint32_t> next_{};  ///< of each part: where its next element goes
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
  return SpreadSort<Keyed>(static_cast<std::size_t>(last - first))
      .sort(
          first, last, [](const Keyed& one) { return one.key; },
          [](const Keyed& a, const Keyed& b) { return a < b; }, interrupt);
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
