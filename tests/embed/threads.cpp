// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solves in several threads never meet: same offsets and nodes as alone. The
/// thread sanitizer watches in the preset `tsan`.
#include "snug/snug.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

// Buffers that start in turn and live for 2 to 24 steps: at the capacity that
// is their load, the search needs thousands of nodes.
constexpr std::int64_t kCapacity = 297;

snug::Problem<> staircase() {
  snug::Problem<> problem;
  for (std::int64_t i = 0; i < 250; ++i)
    problem.buffers.push_back(
        {{i, i + 2 + i * i * 5 % 23}, 1 + i * i * 5 % 29});
  return problem;
}

}  // namespace

int main() {
  const snug::Problem<> problem = staircase();
  snug::Options options;
  options.node_limit = 20000;
  const snug::Result<> alone = snug::solve(problem, kCapacity, options);

  std::vector<snug::Result<>> results(4);
  std::vector<std::thread> threads;
  for (snug::Result<>& result : results)
    threads.emplace_back(
        [&] { result = snug::solve(problem, kCapacity, options); });
  for (std::thread& thread : threads) thread.join();

  for (const snug::Result<>& result : results)
    if (result.status != alone.status || result.offsets != alone.offsets ||
        result.stats.nodes != alone.stats.nodes) {
      std::puts("a solve in a thread differs from the solve alone");
      return 1;
    }
  std::printf("%s after %lld nodes, in all threads\n",
              snug::to_string(alone.status),
              static_cast<long long>(alone.stats.nodes));
  return alone.stats.nodes > 0 ? 0 : 1;
}
