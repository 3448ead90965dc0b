// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One solve() and nothing else, for size_test.cmake to weigh.
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"

#include <cstdint>

snug::Result<> solve_one(const snug::Problem<>& problem, std::int64_t capacity,
                         const snug::Options& options);

snug::Result<> solve_one(const snug::Problem<>& problem, std::int64_t capacity,
                         const snug::Options& options) {
  return snug::solve(problem, capacity, options);
}
