// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Replaces the global operator new by one that counts bytes. To be included
/// by one source file of a program: replacements cannot be inline.
///
///     | padding | block | size | what the caller gets ... |
///     ^ block             16 bytes before the caller's
#ifndef SNUG_BENCHMARKS_COUNTING_NEW_HPP
#define SNUG_BENCHMARKS_COUNTING_NEW_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace snug {
namespace benchmarks {

/// Bytes asked for and not yet given back, and the most of them at one time.
struct Memory {
  std::atomic<std::size_t> live{0};
  std::atomic<std::size_t> peak{0};
  std::atomic<std::size_t> allocations{0};  ///< since the program began

  void restart() { peak = live.load(); }
};

inline Memory& memory() {
  static Memory counted;
  return counted;
}

struct BlockHeader {
  void* block;
  std::size_t size;
};

/// Ends the program where there is no memory, so that the forms that may not
/// throw need no answer of their own.
inline void* allocate(std::size_t size, std::size_t alignment) {
  alignment = (std::max)(alignment, alignof(std::max_align_t));
  const std::size_t extra = alignment + sizeof(BlockHeader);
  void* const block =
      size <= SIZE_MAX - extra ? std::malloc(size + extra) : nullptr;
  if (block == nullptr) {
    std::fputs("bench: out of memory\n", stderr);
    std::abort();
  }
  const auto start = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t rest = (start + sizeof(BlockHeader)) % alignment;
  char* const given = static_cast<char*>(block) + sizeof(BlockHeader) +
                      (rest == 0 ? 0 : alignment - rest);
  const BlockHeader header{block, size};
  std::memcpy(given - sizeof header, &header, sizeof header);
  Memory& counted = memory();
  ++counted.allocations;
  const std::size_t live = counted.live += size;
  std::size_t peak = counted.peak.load();
  while (peak < live && !counted.peak.compare_exchange_weak(peak, live)) {
  }
  return given;
}

inline void release(void* given) {
  if (given == nullptr) return;
  BlockHeader header{};
  std::memcpy(&header, static_cast<char*>(given) - sizeof header,
              sizeof header);
  memory().live -= header.size;
  std::free(header.block);
}

}  // namespace benchmarks
}  // namespace snug

void* operator new(std::size_t size) {
  return snug::benchmarks::allocate(size, 1);
}
void* operator new[](std::size_t size) {
  return snug::benchmarks::allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return snug::benchmarks::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return snug::benchmarks::allocate(size, static_cast<std::size_t>(alignment));
}
// std::stable_sort asks for its memory by this form.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return snug::benchmarks::allocate(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return snug::benchmarks::allocate(size, 1);
}
void operator delete(void* given) noexcept {
  snug::benchmarks::release(given);
}
void operator delete[](void* given) noexcept {
  snug::benchmarks::release(given);
}
void operator delete(void* given, std::size_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete[](void* given, std::size_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete(void* given, std::align_val_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete[](void* given, std::align_val_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete(void* given, std::size_t, std::align_val_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete[](void* given, std::size_t, std::align_val_t) noexcept {
  snug::benchmarks::release(given);
}
void operator delete(void* given, const std::nothrow_t&) noexcept {
  snug::benchmarks::release(given);
}
void operator delete[](void* given, const std::nothrow_t&) noexcept {
  snug::benchmarks::release(given);
}

#endif  // SNUG_BENCHMARKS_COUNTING_NEW_HPP
