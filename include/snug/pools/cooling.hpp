// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much dearer a step of a walk (load_walk.hpp, place_walk.hpp) may make what it is
/// at: an exponentially distributed number whose mean falls with the square of what is
/// left of the cycle.
///
///     mean   heat |.
///                 |  .
///                 |     .  .
///                 +------------ . -- step
///                              length
///
/// The same number on every machine.
///
/// Cost: constant.
/// Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing"
/// (Science, 1983).
#ifndef SNUG_POOLS_COOLING_HPP
#define SNUG_POOLS_COOLING_HPP

#include "snug/config.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/support/random.hpp"
#include "snug/support/rounded.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A `part`th of the mean of the costs above 0: what a cycle begins with.
[[nodiscard]] inline std::int64_t heat_of(const CostTable& table,
                                          std::int64_t part) {
  std::int64_t sum = 0;
  std::int64_t number = 1;
  for (const std::int64_t cost : table.costs)
    if (cost > 0) {
      sum += cost / part;
      ++number;
    }
  return sum / number + 1;
}

/// How much dearer a step below `length` may make it.
[[nodiscard]] inline std::int64_t draw_slack(std::int64_t heat,
                                             std::int64_t step,
                                             std::int64_t length,
                                             Random& random) noexcept {
  const double left = rounded(
      1 - rounded(static_cast<double>(step) / static_cast<double>(length)));
  const double mean = rounded(rounded(static_cast<double>(heat) * left) * left);
  return static_cast<std::int64_t>(
      rounded(mean * static_cast<double>(random.exponential())) / 1024);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_COOLING_HPP
