// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The heights that the lowest placement may have, if not that of its bound: the
/// multiples of a unit above an origin. What brings a placement down tries no others
/// (plan/ladder.hpp), or halves what is between (plan/bisection.hpp):
///
///     height   ===  known
///              ---  halfway: if all can be placed there, that is the height from now
///                   on; if not, the floor
///     floor    ===  at first the bound that was proved
///
/// until there is little between the two.
#ifndef SNUG_PLAN_HEIGHTS_HPP
#define SNUG_PLAN_HEIGHTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Heights {
  std::int64_t unit;
  std::int64_t origin;

  /// The lowest one worth trying above a capacity.
  [[nodiscard]] std::int64_t above(std::int64_t capacity) const noexcept {
    return capacity < origin ? capacity + 1
                             : capacity - (capacity - origin) % unit + unit;
  }
  /// One strictly between two that are more than a unit apart. Where the upper one came
  /// from is no matter: it may be none of these.
  [[nodiscard]] std::int64_t halfway(std::int64_t lower,
                                     std::int64_t upper) const noexcept {
    const std::int64_t middle = lower + (upper - lower) / 2;
    const std::int64_t rounded = middle - (middle - origin) % unit;
    return rounded > lower ? rounded : rounded + unit;
  }
  /// Whether two are a unit apart, or so close that what is won by halving what is
  /// between them is less than a 256th.
  [[nodiscard]] bool are_close(std::int64_t lower,
                               std::int64_t upper) const noexcept {
    constexpr std::int64_t kClose = 256;
    return upper - lower <= unit || upper - lower <= upper / kClose;
  }
};

/// Brings the placement in `found` down by halves: place(capacity) is whether it placed
/// all below one, in `found`.
template <class Place>
void bisect(const List<FlatBuffer>& buffers, const Heights& heights, Call& call,
            Found& found, Place&& place) {
  std::int64_t floor = found.bound;
  std::int64_t height = height_of(buffers, found.offsets);
  while (!heights.are_close(floor, height) && !call.is_stopped()) {
    const std::int64_t capacity = heights.halfway(floor, height);
    if (place(capacity)) {
      height = height_of(buffers, found.offsets);
      call.limits().note_height(height);
    } else {
      floor = capacity;
    }
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_HEIGHTS_HPP
