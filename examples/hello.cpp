// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <snug/snug.hpp>

int main() {
  snug::Problem<> problem;  // sizes and times are int64_t by default
  problem.buffers.push_back({{0, 3}, 4});  // lifespan [0, 3), 4 bytes
  problem.buffers.push_back({{3, 9}, 4});
  problem.buffers.push_back({{0, 9}, 4});
  problem.buffers.push_back({{9, 21}, 4});
  problem.buffers.push_back({{0, 21}, 4});

  const auto result = snug::solve(problem, /*capacity=*/12);
  std::puts(snug::to_string(result.status));
  if (!result.has_solution()) return 1;
  for (const auto offset : result.offsets)  // in input order
    std::printf("%lld\n", static_cast<long long>(offset));
  return 0;
}
