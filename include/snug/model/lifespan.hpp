// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lifespans for hosts that count the last step in, as many compilers do.
#ifndef SNUG_MODEL_LIFESPAN_HPP
#define SNUG_MODEL_LIFESPAN_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

SNUG_BEGIN_NAMESPACE

struct Lifespan {
  /// The half-open lifespan of a buffer that is live from step `first` to step
  /// `last`, both included: [first, last + 1). It is empty, and check() refuses
  /// the buffer, when last < first and when `last` is the maximum of `Time`,
  /// after which there is no step. The type of time is not deduced:
  /// from_inclusive(0, 2) is an Interval<std::int64_t>.
  template <class Time = std::int64_t>
  [[nodiscard]] static constexpr Interval<Time> from_inclusive(
      std::common_type_t<Time> first, std::common_type_t<Time> last) noexcept {
    if (last < first || last == (std::numeric_limits<Time>::max)())
      return {first, first};
    return {first, static_cast<Time>(last + 1)};
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_LIFESPAN_HPP
