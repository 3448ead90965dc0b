// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/solved.hpp"

SNUG_BEGIN_NAMESPACE
SNUG_TESTS_SOLVE_PENALTY()
SNUG_TESTS_SOLVE(, std::int64_t, std::int64_t)
SNUG_TESTS_SOLVE(, std::int32_t, std::int32_t)
SNUG_END_NAMESPACE
