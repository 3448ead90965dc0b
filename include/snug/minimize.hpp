// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize(): the lowest height, or the best one found and a lower bound. See
/// plan/place.hpp.
#ifndef SNUG_MINIMIZE_HPP
#define SNUG_MINIMIZE_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/place.hpp"

#include <limits>

SNUG_BEGIN_NAMESPACE

template <class Size, class Time>
Result<Size> minimize(const Problem<Size, Time>& problem,
                      const Options& options) {
  return detail::place<detail::BothModels, detail::Wanted::kLowest>(
      problem, (std::numeric_limits<Size>::max)(), options);
}

template <class Size, class Time>
Result<Size> minimize_within(const Problem<Size, Time>& problem,
                             typename Problem<Size, Time>::SizeType capacity,
                             const Options& options) {
  return detail::place<detail::BothModels, detail::Wanted::kLowest>(
      problem, capacity, options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_MINIMIZE_HPP
