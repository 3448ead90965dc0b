// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Half-open intervals `[lower, upper)`: of time for lifespans, of bytes for
/// windows.
#ifndef SNUG_MODEL_INTERVAL_HPP
#define SNUG_MODEL_INTERVAL_HPP

#include "snug/config.hpp"

#include <algorithm>

SNUG_BEGIN_NAMESPACE

/// The half-open interval `[lower, upper)`. It is empty unless lower < upper.
template <class T>
struct Interval {
  T lower{};
  T upper{};

  [[nodiscard]] constexpr bool empty() const noexcept {
    return !(lower < upper);
  }
  /// Whether the two intervals share a point; touching ends do not.
  [[nodiscard]] constexpr bool overlaps(const Interval& other) const noexcept {
    return lower < other.upper && other.lower < upper;
  }
  /// Whether every point of `other` lies in this interval.
  [[nodiscard]] constexpr bool contains(const Interval& other) const noexcept {
    return lower <= other.lower && other.upper <= upper;
  }
  [[nodiscard]] friend constexpr bool operator==(const Interval& a,
                                                 const Interval& b) noexcept {
    return a.lower == b.lower && a.upper == b.upper;
  }
  [[nodiscard]] friend constexpr bool operator!=(const Interval& a,
                                                 const Interval& b) noexcept {
    return !(a == b);
  }
};

namespace detail {

/// What two intervals have in common; empty if that is nothing.
template <class T>
[[nodiscard]] constexpr Interval<T> intersection(Interval<T> a,
                                                 Interval<T> b) noexcept {
  return {(std::max)(a.lower, b.lower), (std::min)(a.upper, b.upper)};
}

/// The shortest interval that contains both, and what is between them.
template <class T>
[[nodiscard]] constexpr Interval<T> hull_of(Interval<T> a,
                                            Interval<T> b) noexcept {
  return {(std::min)(a.lower, b.lower), (std::max)(a.upper, b.upper)};
}

/// Makes of two that overlap the first one, if `b` begins no earlier. Whether they do:
/// where they only touch, there are two still.
template <class T>
[[nodiscard]] constexpr bool join_overlapping(Interval<T>& a,
                                              const Interval<T>& b) noexcept {
  if (a.upper <= b.lower) return false;
  a.upper = (std::max)(a.upper, b.upper);
  return true;
}

/// From one end of an interval, which is not empty, to the other.
template <class T>
[[nodiscard]] constexpr T length_of(const Interval<T>& interval) noexcept {
  return static_cast<T>(interval.upper - interval.lower);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_INTERVAL_HPP
