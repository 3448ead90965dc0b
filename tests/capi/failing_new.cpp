// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "failing_new.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

long spared = -1;
bool failed = false;

}  // namespace

void* operator new(std::size_t bytes) {
  if (spared >= 0 && spared-- == 0) {
    failed = true;
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#endif
  }
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
// Who asks so can do without: these are always granted.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

int snug_test_new_can_fail(void) {
#if defined(__cpp_exceptions) && !defined(_WIN32)
  return 1;
#else
  return 0;
#endif
}

void snug_test_fail_new_after(long count) {
  spared = count;
  failed = false;
}

int snug_test_new_failed(void) {
  return failed ? 1 : 0;
}
