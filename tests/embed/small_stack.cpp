// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buffers that all overlap, solved on a thread with a small stack and little
/// memory: neither may grow with the depth of the search or the number of
/// overlapping pairs.
///
///     small_stack BUFFERS KIB clique|search
///
/// `clique`: all fit on top of each other. `search`: the last two take turns in
/// the same bytes; they are left to the search alone, without the dives that
/// would place them all, so that it goes as deep as there are buffers.
#include "snug/snug.hpp"
#include "support/status.hpp"

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
  bool search = false;
  snug::Result<> result{};
};

/// Searches the whole.
void search(Job& job) {
  const snug::detail::Plain plain =
      snug::detail::make_plain(snug::detail::flatten(job.problem).buffers);
  const snug::Options options;
  snug::Result<>& result = job.result;
  snug::detail::Call run(options, result.stats);
  snug::detail::Found found;
  found.offsets.assign(job.problem.buffers.size(), 0);
  for (const snug::detail::Partition& partition : plain.partitions)
    if (snug::detail::PartitionSearch<snug::detail::BothModels>(
            plain, partition, job.capacity, run)
            .go_on(snug::detail::kNoNodeLimit, found) !=
        snug::detail::Outcome::kPlacedAll)
      return;
  const std::vector<std::int64_t> offsets(found.offsets.begin(),
                                          found.offsets.end());
  if (!snug::validate(job.problem, job.capacity, offsets).ok()) return;
  result.status = snug::Status::kFeasible;
  result.height = job.capacity;
}

void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  if (job.search) {
    search(job);
  } else {
    job.result = snug::solve(job.problem, job.capacity);
  }
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
  job.search = std::strcmp(argv[3], "search") == 0;
  if (job.search) {
    all.back().lifespan = {0, 1};
    all.push_back({{1, 2}, all.back().size});
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
  const bool solved = is_solved(job.result) &&
                      job.result.height == job.capacity &&
                      (!job.search || job.result.stats.nodes >= buffers);
  return solved ? EXIT_SUCCESS : EXIT_FAILURE;
}
