// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solves in several threads never meet: same offsets and nodes as alone. One
/// thread can watch and cancel what another one does, and a race is the same on
/// every run. The thread sanitizer watches in the preset `tsan`.
#include "snug/race.hpp"
#include "snug/snug.hpp"

#include <atomic>
#include <chrono>
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

// Too large to be minimised in a test.
snug::Problem<> large_staircase() {
  snug::Problem<> problem;
  for (std::int64_t i = 0; i < 1500; ++i)
    problem.buffers.push_back(
        {{i, i + 2 + i * i * 7 % 97}, 1000 + i * i * 13 % 9973});
  return problem;
}

// What the watching thread sees of a solve.
struct Watched {
  std::atomic<std::int64_t> nodes{-1};
  std::atomic<std::int64_t> height{-1};
};

bool tell(const snug::Progress& progress, void* data) {
  Watched& watched = *static_cast<Watched*>(data);
  watched.height = progress.height;
  watched.nodes = progress.nodes;
  return true;
}

// Cancels a minimize() that has told of some nodes; false, with a message, if
// that goes wrong.
bool cancels_from_outside() {
  const snug::Problem<> problem = large_staircase();
  Watched watched;
  std::atomic<bool> cancel{false};
  std::atomic<bool> done{false};
  snug::Options options;
  options.cancel = &cancel;
  options.progress = tell;
  options.progress_data = &watched;
  options.progress_interval = std::chrono::nanoseconds(0);
  snug::Result<> result;
  std::thread solver([&] {
    result = snug::minimize(problem, options);
    done = true;
  });
  while (watched.nodes < 1000 && !done) std::this_thread::yield();
  const std::int64_t nodes = watched.nodes;
  const std::int64_t height = watched.height;
  cancel = true;
  solver.join();
  if (result.stopped_by != snug::Stop::kCancelled ||
      result.stats.nodes < nodes) {
    std::puts("the solve was not cancelled");
    return false;
  }
  if (height < result.height || result.lower_bound > result.height ||
      !snug::validate(problem, result.height, result.offsets).ok()) {
    std::puts("a cancelled solve does not return what it knows");
    return false;
  }
  return true;
}

// Races twice, and is told of it; false, with a message, if they differ.
bool races_twice() {
  const snug::Problem<> problem = staircase();
  Watched watched;
  snug::Options options;
  options.progress = tell;
  options.progress_data = &watched;
  options.progress_interval = std::chrono::nanoseconds(0);
  const snug::Result<> one = snug::race::solve(problem, kCapacity, 3, options);
  const snug::Result<> two = snug::race::solve(problem, kCapacity, 3, options);
  if (one.has_solution() && one.offsets == two.offsets &&
      one.stats.nodes == two.stats.nodes && watched.nodes > one.stats.nodes)
    return true;
  std::puts("a race is not the same twice");
  return false;
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
  if (alone.stats.nodes == 0) return 1;
  return cancels_from_outside() && races_twice() ? 0 : 1;
}
