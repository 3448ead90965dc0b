// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(): finds a placement below a capacity, or proves that there is none. See
/// plan/place.hpp.
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/place.hpp"

SNUG_BEGIN_NAMESPACE

template <class Size, class Time>
Result<Size> solve(const Problem<Size, Time>& problem,
                   typename Problem<Size, Time>::SizeType capacity,
                   const Options& options) {
  return detail::place<detail::BothModels, detail::Wanted::kAny>(
      problem, capacity, options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_SOLVE_HPP
