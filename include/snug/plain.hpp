// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sizes, lifespans and alignments only: snug::plain::solve() and minimize()
/// refuse problems with other constraints (Reason::kUnsupported) and ignore
/// hints, for about a third of the code of snug::small::solve(). Nor do they try
/// coarser problems (normal/coarse.hpp): sizes that are multiples of the alignments
/// are easier for them. For more than 512 buffers see small.hpp.
#ifndef SNUG_PLAIN_HPP
#define SNUG_PLAIN_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/place.hpp"

#include <limits>

SNUG_BEGIN_NAMESPACE
namespace plain {

/// See snug::solve().
template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {}) {
  return detail::place<detail::PlainAlone, detail::Wanted::kAny>(
      problem, capacity, options);
}

/// See snug::minimize().
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    const Options& options = {}) {
  return detail::place<detail::PlainAlone, detail::Wanted::kLowest>(
      problem, (std::numeric_limits<Size>::max)(), options);
}

}  // namespace plain
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_HPP
