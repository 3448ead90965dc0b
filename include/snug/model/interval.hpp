// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Half-open intervals `[lower, upper)`: of time for lifespans, of bytes for
/// windows.
#ifndef SNUG_MODEL_INTERVAL_HPP
#define SNUG_MODEL_INTERVAL_HPP

#include "snug/config.hpp"

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

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_INTERVAL_HPP
