// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that snug/api.hpp declares, found in the library.
#include <snug/api.hpp>

int main() {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5});
  problem.buffers.push_back({{1, 3}, 7});
  snug::Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = pools.pools[1].capacity = 7;
  pools.pools[1].cost_per_byte = 1;
  using snug::Status;
  const bool right =
      snug::solve(problem, 12).height == 12 &&
      snug::minimize(problem).status == Status::kOptimal &&
      snug::minimize_within(problem, 11).status == Status::kInfeasible &&
      snug::explain(problem, 11).buffers.size() == 2 &&
      snug::certify(problem, 11).lemmas == 1 &&
      snug::suggest_spills(problem, 11).cost == 5 &&
      snug::minimize_penalty(problem, 12).cost == 0 &&
      snug::assign(problem, pools).cost == 5;
  return right ? 0 : 1;
}
