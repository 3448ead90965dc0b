// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// CPU time and medians. std::clock() counts the CPU time of the process, in
/// microseconds, on POSIX systems; on Windows it counts wall-clock time.
#ifndef SNUG_BENCHMARKS_TIMING_HPP
#define SNUG_BENCHMARKS_TIMING_HPP

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace snug {
namespace benchmarks {

/// CPU seconds that the process has used since it started.
[[nodiscard]] inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// CPU seconds that `work` takes. Work shorter than `at_least` is repeated for
/// that long and its mean taken, because the clock is too coarse for it.
template <class Work>
[[nodiscard]] double time_of(Work work, double at_least = 0) {
  const double start = cpu_seconds();
  int times = 0;
  double spent = 0;
  do {
    work();
    ++times;
    spent = cpu_seconds() - start;
  } while (spent < at_least);
  return spent / times;
}

/// The middle one of the values, the mean of two for an even number of them;
/// 0 for none.
[[nodiscard]] inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_TIMING_HPP
