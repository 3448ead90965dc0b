// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a program that has no test framework says, and counts, of what fails.
#ifndef SNUG_TESTS_EMBED_EXPECT_HPP
#define SNUG_TESTS_EMBED_EXPECT_HPP

#include <cstdio>

/// What main() returns, as 0 or 1.
inline int failures = 0;

inline void expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

#endif  // SNUG_TESTS_EMBED_EXPECT_HPP
