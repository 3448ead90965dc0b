// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over runs of an array, a vector register at a time.
///
/// These are the loops in which the search spends its time: sums, bounds and
/// comparisons over the sections that a buffer spans. Compilers do not
/// vectorise loops of unknown length at -O2, so they are written with vector
/// types, which are plain numbers (one lane) where a compiler has none. All
/// results are exact, so they do not depend on that. One lane is left to the loop
/// over the rest, which is there anyway.
#ifndef SNUG_ENGINE_LANES_HPP
#define SNUG_ENGINE_LANES_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Numbers that one instruction works on: 16 bytes of them where the compiler
/// has vector types, else one. Of 64-bit numbers always one: SSE2, all that
/// each x86-64 processor has, cannot compare two of them at once.
template <class T, bool kNarrow = sizeof(T) <= 4>
struct VectorOf {
  using Type = T;
};
#if defined(__GNUC__) && (!defined(__i386__) || defined(__SSE2__))
template <class T>
struct VectorOf<T, true> {
  using Type __attribute__((vector_size(16))) = T;
};
#endif
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
inline constexpr Index kLanes = static_cast<Index>(sizeof(Vector<T>) /
                                                   sizeof(T));

/// Where a vector is one number, the loops over the rest do it all.
template <class T>
inline constexpr bool kHasLanes = kLanes<T> != 1;

template <class T>
[[nodiscard]] inline Vector<T> get_lanes(const T* from) noexcept {
  Vector<T> result;
  std::memcpy(&result, from, sizeof(result));
  return result;
}
template <class T>
inline void set_lanes(T* to, const Vector<T>& value) noexcept {
  std::memcpy(to, &value, sizeof(value));
}
/// The least of the lanes.
template <class T>
[[nodiscard]] inline T least(const Vector<T>& value) noexcept {
  T lanes[kLanes<T>];
  std::memcpy(lanes, &value, sizeof(value));
  return *std::min_element(lanes, lanes + kLanes<T>);
}

/// Whether a comparison holds in some lane.
template <class Mask>
[[nodiscard]] inline bool any(const Mask& mask) noexcept {
  unsigned char bytes[sizeof(Mask)];
  std::memcpy(bytes, &mask, sizeof(mask));
  std::uint64_t words[2] = {0, 0};
  std::memcpy(words, bytes, sizeof(Mask));
  return (words[0] | words[1]) != 0;
}

/// a[i] += amount for i in [begin, end).
template <class T>
inline void add_to_range(T* a, Index begin, Index end, T amount) noexcept {
  const Vector<T> amounts = Vector<T>{} + amount;
  for (; kHasLanes<T> && begin + kLanes<T> <= end; begin += kLanes<T>)
    set_lanes<T>(a + begin, get_lanes(a + begin) + amounts);
  for (; begin < end; ++begin) a[begin] = static_cast<T>(a[begin] + amount);
}

/// The larger of each two lanes.
template <class T>
[[nodiscard]] inline Vector<T> larger(const Vector<T>& a,
                                      const Vector<T>& b) noexcept {
  return a > b ? a : b;
}

/// a[i] = max(a[i], value) for i in [begin, end).
template <class T>
inline void raise_range(T* a, Index begin, Index end, T value) noexcept {
  const Vector<T> values = Vector<T>{} + value;
  for (; kHasLanes<T> && begin + kLanes<T> <= end; begin += kLanes<T>)
    set_lanes<T>(a + begin, larger<T>(get_lanes(a + begin), values));
  for (; begin < end; ++begin) a[begin] = (std::max)(a[begin], value);
}

/// The lesser of each two lanes.
template <class T>
[[nodiscard]] inline Vector<T> lesser(const Vector<T>& a,
                                      const Vector<T>& b) noexcept {
  return a < b ? a : b;
}

/// The least of a[i] for i in [begin, end), or `least_so_far` if that is less.
template <class T>
[[nodiscard]] inline T least_in_range(const T* a, Index begin, Index end,
                                      T least_so_far) noexcept {
  // Two chains, for one would wait for itself.
  Vector<T> first = Vector<T>{} + least_so_far;
  Vector<T> second = first;
  for (; kHasLanes<T> && begin + 2 * kLanes<T> <= end; begin += 2 * kLanes<T>) {
    first = lesser<T>(first, get_lanes(a + begin));
    second = lesser<T>(second, get_lanes(a + begin + kLanes<T>));
  }
  T result = least<T>(lesser<T>(first, second));
  for (; begin < end; ++begin) result = (std::min)(result, a[begin]);
  return result;
}

/// b[i] = min(b[i], a[i] - amount) for i in [begin, end), which is not empty;
/// returns the least a[i] - amount.
template <class T>
[[nodiscard]] inline T lower_by_difference(T* b, const T* a, Index begin,
                                           Index end, T amount) noexcept {
  const Vector<T> amounts = Vector<T>{} + amount;
  Vector<T> lowest = Vector<T>{} + a[begin] - amounts;
  for (; kHasLanes<T> && begin + kLanes<T> <= end; begin += kLanes<T>) {
    const Vector<T> difference = get_lanes(a + begin) - amounts;
    const Vector<T> old = get_lanes(b + begin);
    set_lanes<T>(b + begin, difference < old ? difference : old);
    lowest = difference < lowest ? difference : lowest;
  }
  T result = least<T>(lowest);
  for (; begin < end; ++begin) {
    const T difference = static_cast<T>(a[begin] - amount);
    b[begin] = (std::min)(b[begin], difference);
    result = (std::min)(result, difference);
  }
  return result;
}

/// Takes a[i] from b[i] where b[i] stays at 0 or more, and sets a[i] to 0, for i
/// in [begin, end). Returns a range that holds all others, if there are any.
template <class T>
[[nodiscard]] inline Interval<Index> take_in_range(T* b, T* a, Index begin,
                                                   Index end) noexcept {
  Interval<Index> others{end, begin};
  const auto note = [&](Index count) {
    others.lower = (std::min)(others.lower, begin);
    others.upper = begin + count;
  };
  for (; kHasLanes<T> && begin + kLanes<T> <= end; begin += kLanes<T>) {
    const Vector<T> old = get_lanes(b + begin);
    const Vector<T> left = old - get_lanes(a + begin);
    set_lanes<T>(b + begin, left < 0 ? old : left);
    set_lanes<T>(a + begin, Vector<T>{});
    if (any(left < 0)) note(kLanes<T>);
  }
  for (; begin < end; ++begin) {
    const T left = static_cast<T>(b[begin] - a[begin]);
    a[begin] = 0;
    if (left < 0) {
      note(1);
    } else {
      b[begin] = left;
    }
  }
  return others;
}

/// Lists each i in [begin, end) with a[i] <= limit from `list` on, which has room
/// for all of them, ascending. Returns the end of the list.
template <class T>
[[nodiscard]] inline Index* list_at_most(const T* a, Index begin, Index end,
                                         T limit, Index* list) noexcept {
  // Without a branch that is hard to predict.
  const auto scalar = [&](Index last) {
    for (; begin < last; ++begin) {
      *list = begin;
      list += a[begin] <= limit ? 1 : 0;
    }
  };
  const Vector<T> limits = Vector<T>{} + limit;
  while (kHasLanes<T> && begin + 2 * kLanes<T> <= end) {
    const Vector<T> first = get_lanes(a + begin);
    const Vector<T> second = get_lanes(a + begin + kLanes<T>);
    if (any(((first > limits) & (second > limits)) == 0)) {
      scalar(begin + 2 * kLanes<T>);
    } else {
      begin += 2 * kLanes<T>;
    }
  }
  scalar(end);
  return list;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_LANES_HPP
