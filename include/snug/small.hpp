// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same in less code: snug::small::solve() and minimize() give the answers of
/// snug::solve() and snug::minimize(), by the model of bodies (bodies/) alone. For
/// more than 512 buffers there are a dive and first fit before the search. With
/// hints, more buffers may move.
///
/// With g++ -Os half of the code. Problems with constraints of time and shape
/// take as long; plain ones take three to ten times as long, and up to five times
/// the memory. If all of yours are plain, plain.hpp is smaller and faster.
#ifndef SNUG_SMALL_HPP
#define SNUG_SMALL_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/place.hpp"

#include <limits>

SNUG_BEGIN_NAMESPACE
namespace small {

/// See snug::solve().
template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {}) {
  return detail::place<detail::BodiesAlone, detail::Wanted::kAny>(
      problem, capacity, options);
}

/// See snug::minimize().
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    const Options& options = {}) {
  return detail::place<detail::BodiesAlone, detail::Wanted::kLowest>(
      problem, (std::numeric_limits<Size>::max)(), options);
}

}  // namespace small
SNUG_END_NAMESPACE

#endif  // SNUG_SMALL_HPP
