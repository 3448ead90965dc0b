// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Addresses rounded up to an alignment, and the *unit* of offsets: what divides all of
/// them that are worth trying. Sizes and fixed addresses are multiples of it; an
/// alignment divides it, or is one of its multiples, so that an offset that is brought
/// down to a multiple of the unit stays aligned.
#ifndef SNUG_SUPPORT_ALIGN_HPP
#define SNUG_SUPPORT_ALIGN_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The lowest multiple of `alignment` that is at least `address`.
[[nodiscard]] constexpr std::int64_t align_up(std::int64_t address,
                                              std::int64_t alignment) noexcept {
  const std::int64_t rest = address % alignment;
  return rest == 0 ? address : address + (alignment - rest);
}

/// The largest unit that divides `divisor`, for steps of which for_each(visit) tells
/// one after the other; at least 1. A divisor of 0 stands for none.
template <class ForEach>
[[nodiscard]] std::int64_t unit_beside(std::int64_t divisor,
                                       ForEach&& for_each) {
  // A step that neither divides the unit nor is divided by it makes the unit
  // smaller, which can turn an earlier one into such a step.
  for (bool stable = false; !stable;) {
    stable = true;
    for_each([&](std::int64_t step) {
      if (divisor % step == 0 || step % divisor == 0) return;
      divisor = std::gcd(divisor, step);
      stable = false;
    });
  }
  return (std::max)(divisor, std::int64_t{1});
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ALIGN_HPP
