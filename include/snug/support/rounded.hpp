// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers that are not whole, the same on every platform. Compilers may join a
/// product and a sum (FMA), or compute with more bits than a double has: what is
/// computed next, or compared, would then differ in the last bits.
///
/// But 32-bit x86 without SSE2 rounds to 64 bits first and then to 53, which now
/// and then is not what rounding at once gives. Results are valid there, too, yet
/// may be others.
#ifndef SNUG_SUPPORT_ROUNDED_HPP
#define SNUG_SUPPORT_ROUNDED_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `value`, rounded to the bits of a double: a store and a load. For the result
/// of one operation.
[[nodiscard]] inline double rounded(double value) noexcept {
  const volatile double stored = value;
  return stored;
}

/// How far `upper` is above `lower`, which may be further than a signed number tells.
[[nodiscard]] inline double distance(std::int64_t lower,
                                     std::int64_t upper) noexcept {
  return static_cast<double>(static_cast<std::uint64_t>(upper) -
                             static_cast<std::uint64_t>(lower));
}

// These are in <cmath>, which takes a twentieth of the time to compile all of snug.

/// The number without its sign.
template <class Number>
[[nodiscard]] constexpr Number magnitude(Number value) noexcept {
  return (std::max)(value, -value);
}

/// The nearest whole number, of two the one further from 0; below 2^63.
[[nodiscard]] inline std::int64_t nearest(double value) noexcept {
  const auto whole = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(whole);
  if (rest >= 0.5) return whole + 1;
  return rest <= -0.5 ? whole - 1 : whole;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ROUNDED_HPP
