// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The direction and the length of a step of prices towards a higher bound, by
/// Lagrangian relaxation: what the bounds of pools (pools/load_bound.hpp) and of
/// penalties (penalty/dual_bound.hpp) have in common.
///
/// Cost: linear. Source: Polyak, "Minimization of unsmooth functionals" (USSR
/// Computational Mathematics and Mathematical Physics, 1969), for the length; the
/// deflected direction after Camerini, Fratta and Maffioli, "On improving
/// relaxation methods by modified gradient techniques" (Mathematical Programming
/// Study, 1975).
#ifndef SNUG_SUPPORT_SUBGRADIENT_HPP
#define SNUG_SUPPORT_SUBGRADIENT_HPP

#include "snug/config.hpp"
#include "snug/support/rounded.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

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

#endif  // SNUG_SUPPORT_SUBGRADIENT_HPP
