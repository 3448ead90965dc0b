// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much a test does, and what it took.
#ifndef SNUG_TESTS_SUPPORT_EFFORT_HPP
#define SNUG_TESTS_SUPPORT_EFFORT_HPP

#include <cstdlib>
#include <ctime>

namespace snug {
namespace testing {

/// How many times as much as usual the tests shall do: SNUG_TEST_EFFORT, at
/// least 1.
[[nodiscard]] inline int effort() {
  const char* const text = std::getenv("SNUG_TEST_EFFORT");
  const int value = text == nullptr ? 1 : std::atoi(text);
  return value < 1 ? 1 : value;
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
