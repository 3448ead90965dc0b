// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much a test does: all of it, or as many percent as the environment
/// variable SNUG_TEST_EFFORT says, less where all is slow and more at night. And
/// what it took.
#ifndef SNUG_TESTS_SUPPORT_EFFORT_HPP
#define SNUG_TESTS_SUPPORT_EFFORT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>

namespace snug {
namespace testing {

/// Of `count` random problems, how many to look at; not less than one.
template <class Count>
[[nodiscard]] Count effort(Count count) {
  const char* const text = std::getenv("SNUG_TEST_EFFORT");
  const long percent = text != nullptr ? std::strtol(text, nullptr, 10) : 100;
  if (percent <= 0 || percent == 100) return count;
  const auto part =
      static_cast<long double>(count) * static_cast<long double>(percent) / 100;
  return (std::max)(static_cast<Count>(part), Count{1});
}

/// Of `count` cases, how many there are at least among the problems looked at:
/// half as many where these are a part of all.
template <class Count>
[[nodiscard]] Count at_least(Count count) {
  const Count part = effort(count);
  return part < count ? part - part / 2 : part;
}

/// The same of cases that is_due() chooses from: not more than `count` of all.
template <class Count>
[[nodiscard]] Count at_least_due(Count count) {
  return (std::min)(at_least(count), count);
}

/// Whether to look at the k-th of cases that differ little: as many percent of
/// them, the first always.
[[nodiscard]] inline bool is_due(std::size_t k) {
  const std::size_t percent = effort(std::size_t{100});
  return k * percent % 100 < percent;
}

/// Time that the program has computed for, whatever else the machine does.
class CpuTimer {
 public:
  [[nodiscard]] double seconds() const {
    return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
  }

 private:
  std::clock_t start_ = std::clock();
};

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_EFFORT_HPP
