// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/memory.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memory_test {

using snug::detail::Memory;
using snug::detail::Stack;

namespace {

template <class T>
bool is_aligned(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) %
             alignof(std::max_align_t) ==
         0;
}

}  // namespace

TEST_CASE("memory: arrays start with what was asked for", "[memory]") {
  Memory memory;
  const std::int32_t* const zeros = memory.take<std::int32_t>(1000);
  CHECK(std::count(zeros, zeros + 1000, 0) == 1000);
  const double* const halves = memory.take(1000, 0.5);
  CHECK(std::count(halves, halves + 1000, 0.5) == 1000);
  char* const raw = memory.take_raw<char>(3);
  std::fill(raw, raw + 3, 'x');
  // Nobody wrote over anybody.
  CHECK(std::count(zeros, zeros + 1000, 0) == 1000);
  CHECK(std::count(halves, halves + 1000, 0.5) == 1000);
}

TEST_CASE("memory: every array is aligned for any type", "[memory]") {
  Memory memory;
  for (std::size_t count = 0; count < 40; ++count) {
    CHECK(is_aligned(memory.take<char>(count)));
    CHECK(is_aligned(memory.take_raw<char>(count)));
  }
}

TEST_CASE("memory: the peak is what was held at one time", "[memory]") {
  constexpr std::size_t kMostOverhead = 64;  // a block
  Memory memory;
  CHECK(memory.peak_bytes() == 0);
  std::vector<std::int64_t*> arrays;
  std::size_t payload = 0;
  for (std::size_t count = 0; count < 50; ++count) {
    const std::size_t before = memory.peak_bytes();
    const std::size_t bytes = count * sizeof(std::int64_t);
    arrays.push_back(memory.take(count, std::int64_t{1}));
    payload += bytes;
    CHECK(memory.peak_bytes() - before >= bytes);
    CHECK(memory.peak_bytes() - before <= bytes + kMostOverhead);
  }
  const std::size_t peak = memory.peak_bytes();
  CHECK(peak >= payload);

  // What was given back does not count again until the peak is passed.
  for (std::size_t k = 20; k < 40; ++k) memory.release(arrays[k]);
  CHECK(memory.peak_bytes() == peak);
  for (std::size_t k = 20; k < 40; ++k)
    arrays[k] = memory.take(k, std::int64_t{2});
  CHECK(memory.peak_bytes() == peak);
  (void)memory.take<char>(1);
  CHECK(memory.peak_bytes() > peak);
  CHECK(std::count(arrays[49], arrays[49] + 49, 1) == 49);
  CHECK(std::count(arrays[39], arrays[39] + 39, 2) == 39);
}

TEST_CASE("memory: arrays can be given back in any order", "[memory]") {
  snug::testing::Random random(2);
  for (int round = 0; round < 20; ++round) {
    Memory memory;
    std::vector<int*> arrays;
    for (int k = 0; k < 6; ++k) arrays.push_back(memory.take(4, k));
    random.shuffle(arrays);
    while (arrays.size() > 2) {
      memory.release(arrays.back());
      arrays.pop_back();
      for (const int* array : arrays)
        CHECK(std::count(array, array + 4, *array) == 4);
    }
  }
}

TEST_CASE("memory: a stack keeps its elements as it grows", "[memory]") {
  Memory memory;
  for (const std::size_t capacity : {0U, 1U, 7U, 1000U}) {
    Stack<std::size_t> stack(memory, capacity);
    CHECK(stack.empty());
    for (std::size_t k = 0; k < 300; ++k) {
      stack.push(k * k);
      CHECK(stack.size() == k + 1);
      CHECK(stack.back() == k * k);
    }
    CHECK_FALSE(stack.empty());
    std::vector<std::size_t> expected;
    for (std::size_t k = 0; k < 300; ++k) expected.push_back(k * k);
    CHECK(std::vector<std::size_t>(stack.begin(), stack.end()) == expected);
    CHECK(stack[17] == 17 * 17);
    stack.shrink(18);
    CHECK(stack.size() == 18);
    CHECK(stack.back() == 17 * 17);
  }
}

TEST_CASE("memory: a stack stays where it is while it has room", "[memory]") {
  Memory memory;
  Stack<int> stack(memory, 64);
  const int* const where = stack.begin();
  const std::size_t peak = memory.peak_bytes();
  for (int round = 0; round < 5; ++round) {
    for (int k = 0; k < 64; ++k) stack.push(k);
    stack.shrink(0);
  }
  CHECK(stack.begin() == where);
  CHECK(memory.peak_bytes() == peak);
  for (int k = 0; k < 65; ++k) stack.push(k);
  CHECK(memory.peak_bytes() > peak);
  CHECK(stack[0] == 0);
  CHECK(stack[64] == 64);
}

TEST_CASE("memory: a stack extends by several elements", "[memory]") {
  Memory memory;
  Stack<int> stack(memory, 2);
  stack.push(1);
  int* const three = stack.extend(3);
  CHECK(three == stack.begin() + 1);
  std::fill(three, three + 3, 5);
  int* const many = stack.extend(100);  // More than twice what there is.
  std::fill(many, many + 100, 6);
  CHECK(stack.size() == 104);
  CHECK(stack[0] == 1);
  CHECK(std::count(stack.begin(), stack.end(), 5) == 3);
  CHECK(std::count(stack.begin(), stack.end(), 6) == 100);
  CHECK(stack.extend(0) == stack.end());
}

TEST_CASE("memory: a stack can push one of its own elements", "[memory]") {
  Memory memory;
  Stack<int> stack(memory, 1);
  stack.push(42);
  for (int k = 0; k < 100; ++k) stack.push(stack[0]);
  CHECK(std::count(stack.begin(), stack.end(), 42) == 101);
}

TEST_CASE("memory: a stack gives back what it has outgrown", "[memory]") {
  Memory memory;
  Stack<std::int64_t> stack(memory, 16);
  for (std::int64_t k = 0; k < 4096; ++k) stack.push(k);
  // The last block, and the one that it was copied from.
  CHECK(memory.peak_bytes() <= (4096 + 2048) * sizeof(std::int64_t) + 256);
}

}  // namespace memory_test
