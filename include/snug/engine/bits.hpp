// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sets of buffers as arrays of 64-bit words, one bit a buffer.
#ifndef SNUG_ENGINE_BITS_HPP
#define SNUG_ENGINE_BITS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"

#include <cstdint>

#if defined(_MSC_VER) && !defined(__GNUC__)
#include <intrin.h>
#endif

SNUG_BEGIN_NAMESPACE
namespace detail {

using Word = std::uint64_t;

[[nodiscard]] constexpr Index words_for(Index bits) noexcept {
  return (bits + 63) / 64;
}
[[nodiscard]] inline bool has_bit(const Word* set, Index i) noexcept {
  return ((set[i / 64] >> (i % 64)) & 1) != 0;
}
inline void set_bit(Word* set, Index i) noexcept {
  set[i / 64] |= Word{1} << (i % 64);
}
inline void clear_bit(Word* set, Index i) noexcept {
  set[i / 64] &= ~(Word{1} << (i % 64));
}
/// Adds the elements [begin, end).
inline void set_range(Word* set, Index begin, Index end) noexcept {
  if (begin >= end) return;
  const Word low = ~Word{0} << (begin % 64);
  const Word high = ~Word{0} >> (63 - (end - 1) % 64);
  const Index last = (end - 1) / 64;
  if (begin / 64 == last) {
    set[last] |= low & high;
    return;
  }
  set[begin / 64] |= low;
  for (Index w = begin / 64 + 1; w < last; ++w) set[w] = ~Word{0};
  set[last] |= high;
}

/// The position of the lowest bit of a word that is not zero.
[[nodiscard]] inline Index lowest_bit(Word word) noexcept {
#if defined(__GNUC__)
  return static_cast<Index>(__builtin_ctzll(word));
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
  unsigned long index;
  _BitScanForward64(&index, word);
  return static_cast<Index>(index);
#else
  Index count = 0;
  for (; (word & 1) == 0; word >>= 1) ++count;
  return count;
#endif
}

/// The position of the highest bit of a word that is not zero.
[[nodiscard]] inline Index highest_bit(Word word) noexcept {
#if defined(__GNUC__)
  return static_cast<Index>(63 - __builtin_clzll(word));
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
  unsigned long index;
  _BitScanReverse64(&index, word);
  return static_cast<Index>(index);
#else
  Index count = 0;
  while ((word >>= 1) != 0) ++count;
  return count;
#endif
}

/// Calls visit(i) for each element of `a` and `b`, of so many words, ascending.
template <class Visit>
void for_each_in_both(const Word* a, const Word* b, Index words,
                      Visit&& visit) {
  for (Index w = 0; w < words; ++w)
    for (Word word = a[w] & b[w]; word != 0; word &= word - 1)
      visit(w * 64 + lowest_bit(word));
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_BITS_HPP
