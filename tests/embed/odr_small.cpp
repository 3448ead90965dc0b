// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A translation unit that saves code.
#include "snug/small.hpp"

#include <cstdint>

snug::Result<> solve_small(const snug::Problem<>& problem,
                           std::int64_t capacity);

snug::Result<> solve_small(const snug::Problem<>& problem,
                           std::int64_t capacity) {
  return snug::small::solve(problem, capacity);
}
