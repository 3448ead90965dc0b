// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/stack.hpp"

#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stack_test {

namespace {

using namespace snug::testing;

constexpr std::int64_t kUntouched = -7;

struct Stacked {
  bool fits;
  std::vector<std::int64_t> offsets;
};

Stacked stack(const snug::Problem<>& problem, std::size_t partition,
              std::int64_t capacity) {
  const Plain plain = plain_of(problem);
  snug::detail::List<std::int64_t> offsets(problem.buffers.size(), kUntouched);
  const bool fits = snug::detail::stack_all(plain, plain.partitions[partition],
                                            capacity, offsets);
  return {fits, vector_of(offsets)};
}

}  // namespace

TEST_CASE("stack: all on top of each other, in the order of their sections",
          "[stack]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 5}, 4}, {{2, 9}, 3}, {{6, 9}, 2}};
  CHECK(stack(problem, 0, 9).fits);
  CHECK(stack(problem, 0, 9).offsets == std::vector<std::int64_t>{0, 4, 7});
  CHECK_FALSE(stack(problem, 0, 8).fits);
}

TEST_CASE("stack: offsets are rounded up to alignments", "[stack]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 5}, 3}, {{2, 9}, 3}, {{6, 9}, 2}};
  problem.buffers[1].alignment = 4;
  problem.buffers[2].alignment = 7;
  CHECK(stack(problem, 0, 9).fits);
  CHECK(stack(problem, 0, 9).offsets == std::vector<std::int64_t>{0, 4, 7});
  CHECK_FALSE(stack(problem, 0, 8).fits);
  problem.buffers[2].alignment = 8;
  CHECK_FALSE(stack(problem, 0, 9).fits);
  CHECK(stack(problem, 0, 10).offsets == std::vector<std::int64_t>{0, 4, 8});
}

TEST_CASE("stack: only the partition's own buffers", "[stack]") {
  snug::Problem<> problem;
  problem.buffers = {{{9, 10}, 5}, {{0, 5}, 4}, {{1, 2}, 0}, {{5, 9}, 3}};
  const Stacked second = stack(problem, 1, 3);
  CHECK(second.fits);
  CHECK(second.offsets ==
        std::vector<std::int64_t>{kUntouched, kUntouched, kUntouched, 0});
  CHECK_FALSE(stack(problem, 2, 4).fits);
}

TEST_CASE("stack: no overflow at the largest sizes", "[stack]") {
  snug::Problem<> problem;
  constexpr std::int64_t kHalf = std::int64_t{1} << 61;
  problem.buffers = {{{0, 2}, kHalf}, {{1, 3}, kHalf - 1}};
  CHECK(stack(problem, 0, 2 * kHalf - 1).fits);
  CHECK_FALSE(stack(problem, 0, 2 * kHalf - 2).fits);
}

TEST_CASE("stack: what it places is a placement", "[stack]") {
  std::size_t fitted = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{8});
    snug::Problem<> problem = clique<>(shape, random);
    align(problem, 50, std::int64_t{1}, random);
    const std::int64_t load = load_of(problem);
    CAPTURE(seed, load);
    CHECK_FALSE(stack(problem, 0, load - 1).fits);
    for (std::int64_t capacity = load; capacity < load + 9; ++capacity) {
      const Stacked stacked = stack(problem, 0, capacity);
      if (!stacked.fits) continue;
      ++fitted;
      CHECK(validate_pairwise(problem, capacity, stacked.offsets).ok());
    }
  }
  CHECK(fitted > 600);
}

}  // namespace stack_test
