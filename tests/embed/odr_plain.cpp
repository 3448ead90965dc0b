// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A translation unit that refuses constraints.
#include "snug/plain.hpp"

#include <cstdint>

snug::Result<> solve_plain(const snug::Problem<>& problem,
                           std::int64_t capacity);
snug::Result<> minimize_plain(const snug::Problem<>& problem);

snug::Result<> solve_plain(const snug::Problem<>& problem,
                           std::int64_t capacity) {
  return snug::plain::solve(problem, capacity);
}

snug::Result<> minimize_plain(const snug::Problem<>& problem) {
  return snug::plain::minimize(problem);
}
