// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One solve() and nothing else, for size_test.cmake to weigh; ENTRY is the
/// namespace of one of those in snug/small.hpp and snug/plain.hpp.
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plain.hpp"
#include "snug/small.hpp"

#include <cstdint>

snug::Result<> solve_one(const snug::Problem<>& problem, std::int64_t capacity,
                         const snug::Options& options);

snug::Result<> solve_one(const snug::Problem<>& problem, std::int64_t capacity,
                         const snug::Options& options) {
  return ENTRY::solve(problem, capacity, options);
}
