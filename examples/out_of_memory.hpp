// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of a program that does not get the memory it asks for.
#ifndef SNUG_EXAMPLES_OUT_OF_MEMORY_HPP
#define SNUG_EXAMPLES_OUT_OF_MEMORY_HPP

#include <cstdio>
#include <new>

/// What `compute` returns, or `exit_status` where there is not the memory for
/// it. That is said, with `advice` behind it.
template <class Compute>
int catch_out_of_memory(int exit_status, const char* advice, Compute compute) {
#ifdef __cpp_exceptions
  try {
    return compute();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "out of memory%s\n", advice);
    return exit_status;
  }
#else
  (void)exit_status;
  (void)advice;
  return compute();
#endif
}

#endif  // SNUG_EXAMPLES_OUT_OF_MEMORY_HPP
