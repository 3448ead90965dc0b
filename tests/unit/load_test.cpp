// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/load.hpp"

#include "snug/load.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace load_test {

namespace {

using namespace snug::testing;

template <class T>
std::int64_t load_by_sections(const snug::Problem<T, T>& problem) {
  return snug::load(problem);
}

}  // namespace

TEMPLATE_TEST_CASE("load: the fullest section", "[load]", std::int64_t,
                   std::int32_t) {
  snug::Problem<TestType, TestType> problem;
  CHECK(load_by_sections(problem) == 0);
  CHECK(snug::detail::section_loads(plain_of(problem)).empty());

  //      0       4 5       9
  //      +-------+ .       .
  //      |   3   | .       .
  //      +-------+-+-------+
  //      |        1        |
  //      +---------+-------+
  //      .         |   4   |
  //      .         +-------+
  problem.buffers = {{{0, 4}, 3}, {{0, 9}, 1}, {{5, 9}, 4}, {{2, 7}, 0}};
  CHECK(snug::detail::section_loads(plain_of(problem)) ==
        snug::detail::List<std::int64_t>{4, 5});
  CHECK(load_by_sections(problem) == 5);

  problem.buffers = {{{0, 4}, 0}};
  CHECK(load_by_sections(problem) == 0);
}

TEMPLATE_TEST_CASE("load: up to the largest number of the size type", "[load]",
                   std::int64_t, std::int32_t) {
  constexpr TestType kMost = sizeof(TestType) == 8
                                 ? TestType{1} << (sizeof(TestType) * 8 - 2)
                                 : (std::numeric_limits<TestType>::max)();
  snug::Problem<TestType, TestType> problem;
  problem.buffers = {{{0, 2}, kMost - 7}, {{1, 3}, 7}, {{2, 4}, kMost - 7}};
  CHECK(load_by_sections(problem) == kMost);
}

TEST_CASE("load: agrees with the definition", "[load]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{0}, std::size_t{15});
    shape.length = random.between(1, 15);
    shape.smallest = 0;
    const snug::Problem<> problem = uniform<>(shape, random);
    CAPTURE(seed);
    CHECK(load_by_sections(problem) == load_of(problem));
  }
}

}  // namespace load_test
