// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers that are not whole, the same on every platform. Compilers may join a
/// product and a sum (FMA), or compute with more bits than a double has (32-bit
/// x86 without SSE2): what is computed next, or compared, would then differ in
/// the last bits.
#ifndef SNUG_SUPPORT_ROUNDED_HPP
#define SNUG_SUPPORT_ROUNDED_HPP

#include "snug/config.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `value`, rounded to the bits of a double: a store and a load. For the result
/// of one operation.
[[nodiscard]] inline double rounded(double value) noexcept {
  const volatile double stored = value;
  return stored;
}

/// The step of prices that follow a subgradient: turns `direction` by the slopes,
/// half of what it was staying, where no price of zero would sink, and returns
/// Polyak's length, `aim` over the square of the direction; 0 at a standstill.
/// `part` divides what is squared, so that the sum fits.
template <class SlopeAt>
[[nodiscard]] double turn_direction(std::vector<std::int64_t>& direction,
                                    const std::vector<std::int64_t>& prices,
                                    double aim, std::int64_t part,
                                    SlopeAt&& slope_at) {
  std::int64_t square = 0;
  for (std::size_t k = 0; k < prices.size(); ++k) {
    std::int64_t slope = slope_at(k);
    if (slope < 0 && prices[k] == 0) slope = 0;
    direction[k] = slope + direction[k] / 2;
    square += (direction[k] / part) * (direction[k] / part);
  }
  if (square == 0) return 0;
  return rounded(rounded(aim) / static_cast<double>(square)) /
         static_cast<double>(part * part);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ROUNDED_HPP
