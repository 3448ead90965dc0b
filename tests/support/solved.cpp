// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/solved.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
SNUG_TESTS_SOLVE(, std::int64_t, std::int64_t)
SNUG_TESTS_SOLVE(, std::int32_t, std::int32_t)
SNUG_TESTS_SOLVE_MORE()
SNUG_END_NAMESPACE
