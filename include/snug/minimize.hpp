// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize(): the lowest height, or the best one found and a lower bound.
///
///     check --> flatten --> plan/plan.hpp --> write back
#ifndef SNUG_MINIMIZE_HPP
#define SNUG_MINIMIZE_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plan.hpp"
#include "snug/solve.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// minimize() by an engine.
template <class E, class Size, class Time>
[[nodiscard]] Result<Size> minimize_with(const Problem<Size, Time>& problem,
                                         Size most, const Options& options) {
  Result<Size> result;
  Call call(options, result.stats);
  result.error = detail::check<!E::kBodies>(problem, call.interrupt());
  check_capacity(most, result.error);
  if (!result.error.ok()) return result;
  Found found;
  const Outcome outcome =
      minimize_flat<E>(flatten_for<E>(problem, call.interrupt()),
                       std::int64_t{most}, call, found);
  if (outcome == Outcome::kRefuted && most < (std::numeric_limits<Size>::max)())
    found.bound = (std::max)(found.bound, std::int64_t{most} + 1);
  if (outcome != Outcome::kPlacedAll) found.offsets.clear();
  write_back(problem, found, result);
  result.status = what_is_known(outcome, result);
  if (result.status == Status::kFeasible || result.status == Status::kUnknown)
    result.stopped_by = call.limits().left_open_by();
  result.stats.seconds = call.limits().seconds();
  return result;
}

}  // namespace detail

template <class Size, class Time>
Result<Size> minimize(const Problem<Size, Time>& problem,
                      const Options& options) {
  return detail::minimize_with<detail::FullEngine>(
      problem, (std::numeric_limits<Size>::max)(), options);
}

template <class Size, class Time>
Result<Size> minimize_within(const Problem<Size, Time>& problem,
                             typename Problem<Size, Time>::SizeType capacity,
                             const Options& options) {
  return detail::minimize_with<detail::FullEngine>(problem, capacity, options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_MINIMIZE_HPP
