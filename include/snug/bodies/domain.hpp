// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a body may still go: its *domain*, a sorted list of ranges of offsets.
///
/// Fixed and placed bodies take open intervals of offsets out of the domains of
/// the others, whatever lies above or below them:
///
///     [lower ......... upper]     take (u, v)      [lower .. u]   [v .. upper]
///
/// All offsets are on the body's grid, and a range is as long as the grid
/// offsets in it follow one another. So a body at the lower end of a range
/// cannot drop by a step: something is in the way, or the range is the first.
/// It is *supported* there. Elsewhere in a range only a body that is not placed
/// yet can support it.
///
/// A range is *open* when a branch of the search forbids its lower end. It
/// stays so until its lower end is taken away; a range of a single offset that
/// is open is kept as a reminder that a skip emptied it.
#ifndef SNUG_BODIES_DOMAIN_HPP
#define SNUG_BODIES_DOMAIN_HPP

#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Offsets from lower to upper, both included.
struct Range {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  bool open = false;

  [[nodiscard]] friend bool operator==(const Range& a, const Range& b) {
    return a.lower == b.lower && a.upper == b.upper && a.open == b.open;
  }
};

/// The offsets first + k * step for any integer k.
struct Steps {
  std::int64_t first = 0;
  std::int64_t step = 1;

  /// The lowest of them at or above `address`; where there is none in 64 bits,
  /// as a hint may want, the highest below it.
  [[nodiscard]] std::int64_t up(std::int64_t address) const noexcept {
    if (step == 1) return address;
    const std::int64_t rest = (address - first) % step;
    const std::int64_t on_grid = address - rest;
    constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
    return rest > 0 && on_grid <= kMost - step ? on_grid + step : on_grid;
  }
  /// The highest of them at or below `address`.
  [[nodiscard]] std::int64_t down(std::int64_t address) const noexcept {
    if (step == 1) return address;
    const std::int64_t rest = (address - first) % step;
    if (rest == 0) return address;
    return address - rest - (rest > 0 ? 0 : step);
  }
};

/// Moves `at` up beyond those of what is taken, sorted by lower ends, that are in its
/// way. Returns the first of them that begins there or above.
[[nodiscard]] inline const Forbidden* skip_taken(const Forbidden* next,
                                                 const Forbidden* end,
                                                 const Steps& steps,
                                                 std::int64_t& at) noexcept {
  for (; next != end && next->lower < at; ++next)
    if (next->upper > at) at = steps.up(next->upper);
  return next;
}

/// Writes the ranges without the open interval `taken`, at most one more of
/// them, to `out`. Returns their number, or kSame if nothing is taken away.
inline constexpr std::size_t kSame = ~std::size_t{0};
[[nodiscard]] inline std::size_t take_out(const Range* ranges,
                                          std::size_t count,
                                          const Forbidden& taken,
                                          const Steps& steps, Range* out) {
  bool changed = false;
  std::size_t size = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Range range = ranges[k];
    if (range.upper <= taken.lower || taken.upper <= range.lower) {
      out[size++] = range;
      continue;
    }
    const bool has_left = range.lower <= taken.lower;
    const bool has_right = taken.upper <= range.upper;
    const std::int64_t left = has_left ? steps.down(taken.lower) : 0;
    const std::int64_t right = has_right ? steps.up(taken.upper) : 0;
    if (has_left && has_right && left + steps.step == right) {
      out[size++] = range;  // It lies between two offsets of the grid.
      continue;
    }
    if (has_left && left == range.upper) {
      out[size++] = range;
      continue;
    }
    changed = true;
    if (has_left) out[size++] = {range.lower, left, range.open};
    if (has_right && right <= range.upper)
      out[size++] = {right, range.upper, false};
  }
  return changed ? size : kSame;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_DOMAIN_HPP
