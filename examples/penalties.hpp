// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is wrong with the penalties of a problem. Of the calls that place
/// buffers only minimize_penalty() looks at them, so the others accept wrong
/// ones, and validate() then refuses the placement.
#ifndef SNUG_EXAMPLES_PENALTIES_HPP
#define SNUG_EXAMPLES_PENALTIES_HPP

#include "snug/model/check.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"

/// What check() says of them, whatever else is wrong.
[[nodiscard]] inline snug::Check check_penalties(
    const snug::Problem<>& problem) {
  if (problem.penalties.empty()) return {};
  snug::Buffer<> any;
  any.lifespan = {0, 1};
  snug::Problem<> bare;
  bare.buffers.assign(problem.buffers.size(), any);
  bare.penalties = problem.penalties;
  return snug::check(bare);
}

#endif  // SNUG_EXAMPLES_PENALTIES_HPP
