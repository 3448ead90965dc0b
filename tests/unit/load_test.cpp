// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/load.hpp"

#include "snug/model/problem.hpp"
#include "snug/sweep/sweep.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

template <class T>
T load_by_sweep(const snug::Problem<T, T>& problem) {
  return snug::load(problem, snug::sweep(problem));
}

}  // namespace

TEMPLATE_TEST_CASE("load: the fullest section", "[load]", std::int64_t,
                   std::int32_t) {
  snug::Problem<TestType, TestType> problem;
  CHECK(load_by_sweep(problem) == 0);
  CHECK(snug::section_loads(problem, snug::sweep(problem)).empty());

  //      0       4 5       9
  //      +-------+ .       .
  //      |   3   | .       .
  //      +-------+-+-------+
  //      |        1        |
  //      +---------+-------+
  //      .         |   4   |
  //      .         +-------+
  problem.buffers = {{{0, 4}, 3}, {{0, 9}, 1}, {{5, 9}, 4}, {{2, 7}, 0}};
  CHECK(snug::section_loads(problem, snug::sweep(problem)) ==
        std::vector<std::int64_t>{4, 5});
  CHECK(load_by_sweep(problem) == 5);

  problem.buffers = {{{0, 4}, 0}};
  CHECK(load_by_sweep(problem) == 0);
}

TEMPLATE_TEST_CASE("load: up to the largest number of the size type", "[load]",
                   std::int64_t, std::int32_t) {
  constexpr TestType kMost = sizeof(TestType) == 8
                                 ? TestType{1} << (sizeof(TestType) * 8 - 2)
                                 : (std::numeric_limits<TestType>::max)();
  snug::Problem<TestType, TestType> problem;
  problem.buffers = {{{0, 2}, kMost - 7}, {{1, 3}, 7}, {{2, 4}, kMost - 7}};
  CHECK(load_by_sweep(problem) == kMost);
}

TEST_CASE("load: agrees with the definition", "[load]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    snug::testing::Random random(seed);
    snug::testing::Shape shape;
    shape.count = random.between(std::size_t{0}, std::size_t{15});
    shape.length = random.between(1, 15);
    shape.smallest = 0;
    const snug::Problem<> problem = snug::testing::uniform<>(shape, random);
    CAPTURE(seed);
    CHECK(load_by_sweep(problem) == snug::testing::load_of(problem));
  }
}
