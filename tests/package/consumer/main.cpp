// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <snug/plain.hpp>
#include <snug/validate.hpp>

int main() {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5});
  problem.buffers.push_back({{1, 3}, 7});
  const snug::Result<> result = snug::plain::solve(problem, 12);
  const bool right = result.has_solution() && result.height == 12 &&
                     snug::validate(problem, 12, result.offsets).ok();
  return right ? 0 : 1;
}
