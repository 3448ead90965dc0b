// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(), minimize(), explain(), validate() and others for the usual types,
/// compiled once for all programs and tests (solved.cpp) where
/// SNUG_TESTS_SOLVED says that they are: most of what a program takes to
/// compile.
#ifndef SNUG_TESTS_SUPPORT_SOLVED_HPP
#define SNUG_TESTS_SUPPORT_SOLVED_HPP

#include "snug/api.hpp"
#include "snug/assign.hpp"
#include "snug/certify.hpp"
#include "snug/config.hpp"
#include "snug/explain.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/penalty.hpp"
#include "snug/solve.hpp"
#include "snug/spill.hpp"
#include "snug/validate.hpp"

#include <cstdint>
#include <vector>

#define SNUG_TESTS_SOLVE(LINKAGE, SIZE, TIME)                                 \
  LINKAGE template Result<SIZE> solve<SIZE, TIME>(const Problem<SIZE, TIME>&, \
                                                  SIZE, const Options&);      \
  LINKAGE template Result<SIZE> minimize<SIZE, TIME>(                         \
      const Problem<SIZE, TIME>&, const Options&);                            \
  LINKAGE template Validation validate<SIZE, TIME>(                           \
      const Problem<SIZE, TIME>&, SIZE, const std::vector<SIZE>&);            \
  LINKAGE template Check check<SIZE, TIME>(const Problem<SIZE, TIME>&);       \
  LINKAGE template Explanation<TIME> explain<SIZE, TIME>(                     \
      const Problem<SIZE, TIME>&, SIZE, const Options&);                      \
  LINKAGE template Spills<SIZE, std::int64_t>                                 \
  suggest_spills<SIZE, TIME, std::int64_t>(const Problem<SIZE, TIME>&, SIZE,  \
                                           const std::vector<std::int64_t>&,  \
                                           const Options&);

// The usual type alone.
#define SNUG_TESTS_SOLVE_MORE(LINKAGE)                                      \
  LINKAGE template Result<> minimize_within(const Problem<>&, std::int64_t, \
                                            const Options&);                \
  LINKAGE template PenaltyResult<> minimize_penalty(                        \
      const Problem<>&, std::int64_t, const Options&);                      \
  LINKAGE template Certificate certify(const Problem<>&, std::int64_t,      \
                                       const Options&);                     \
  LINKAGE template AssignResult<> assign(const Problem<>&, const Pools<>&,  \
                                         const Options&);

#ifdef SNUG_TESTS_SOLVED
SNUG_BEGIN_NAMESPACE
SNUG_TESTS_SOLVE(extern, std::int64_t, std::int64_t)
SNUG_TESTS_SOLVE(extern, std::int32_t, std::int32_t)
SNUG_TESTS_SOLVE_MORE(extern)
SNUG_END_NAMESPACE
#endif

#endif  // SNUG_TESTS_SUPPORT_SOLVED_HPP
