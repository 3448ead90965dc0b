// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The single header, alone: nothing of include/snug is read.
#include <snug.hpp>

int main() {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 5}, {{1, 3}, 7}, {{2, 4}, 5}};
  const auto found = snug::solve(problem, 12);
  const auto refuted = snug::solve(problem, 11);
  const bool right = found.has_solution() &&
                     snug::validate(problem, 12, found.offsets).ok() &&
                     refuted.status == snug::Status::kInfeasible;
  return right ? 0 : 1;
}
