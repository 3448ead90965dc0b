// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <snug/model/check.hpp>

int main() {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5});
  return snug::check(problem).ok() ? 0 : 1;
}
