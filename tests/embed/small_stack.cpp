// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buffers that all overlap, solved on a thread with a small stack and little
/// memory: neither may grow with the depth of the search or the number of
/// overlapping pairs.
///
///     small_stack BUFFERS KIB clique|search
///
/// `clique`: all fit on top of each other. `search`: the last two take turns in
/// the same bytes, so that the search has to run, as deep as there are buffers.
#include "../../benchmarks/generate.hpp"
#include "snug/snug.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/resource.h>

// The sanitizers widen every frame and put their own data on the stack of a
// thread; the test then shows only that the depth costs nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SNUG_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SNUG_TEST_SANITIZED 1
#endif
#endif

namespace {

struct Job {
  snug::Problem<> problem{};
  std::int64_t capacity = 0;
  snug::Result<> result{};
};

void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  job.result = snug::solve(job.problem, job.capacity);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  const std::int64_t buffers = std::atoll(argv[1]);
  std::size_t stack_bytes = static_cast<std::size_t>(std::atoll(argv[2])) << 10;
#ifdef SNUG_TEST_SANITIZED
  stack_bytes += std::size_t{1} << 20;
#else
  rlimit memory{};
  memory.rlim_cur = memory.rlim_max = rlim_t{1} << 30;
  setrlimit(RLIMIT_AS, &memory);
#endif

  Job job;
  auto& all = job.problem.buffers;
  for (std::int64_t i = 0; i < buffers; ++i) {
    const std::int64_t size = 1 + i * 7919 % 1000;
    all.push_back({{0, 2}, size});
    job.capacity += size;
  }
  const bool search = std::strcmp(argv[3], "search") == 0;
  if (search) {
    all.back().lifespan = {0, 1};
    all.push_back({{1, 2}, all.back().size});
    // Behind them, what no dive places, so that one does not solve it all.
    const auto cut = snug::benchmarks::guillotine<>(100, job.capacity, 60, 1);
    for (snug::Buffer<> buffer : cut.problem.buffers) {
      buffer.lifespan.lower += 10;
      buffer.lifespan.upper += 10;
      all.push_back(buffer);
    }
  }

  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstacksize(&attributes, stack_bytes) != 0 ||
      pthread_create(&thread, &attributes, &run, &job) != 0) {
    std::puts("cannot start a thread with this stack");
    return EXIT_FAILURE;
  }
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);

  std::printf("%s, height %lld of %lld, %lld nodes, %.2f s\n",
              snug::to_string(job.result.status),
              static_cast<long long>(job.result.height),
              static_cast<long long>(job.capacity),
              static_cast<long long>(job.result.stats.nodes),
              job.result.stats.seconds);
  const bool solved = job.result.status == snug::Status::kSolved &&
                      job.result.height == job.capacity &&
                      (!search || job.result.stats.nodes >= buffers);
  return solved ? EXIT_SUCCESS : EXIT_FAILURE;
}
