// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/load.hpp"

#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/obstructed.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
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

/// The lowest height below which as many bytes are not reserved as are live.
std::int64_t height_at(const snug::Problem<>& problem, std::int64_t time) {
  std::int64_t live = 0;
  for (const snug::Buffer<>& buffer : problem.buffers) {
    const snug::Interval<std::int64_t> bytes = bytes_at(buffer, time);
    live += bytes.upper - bytes.lower;
  }
  std::int64_t height = 0;
  for (; live > 0; ++height) {
    const auto takes = [&](const snug::Reserved<>& reserved) {
      return reserved.lifespan->lower <= time &&
             time < reserved.lifespan->upper &&
             reserved.bytes.lower <= height && height < reserved.bytes.upper;
    };
    if (std::none_of(problem.reserved.begin(), problem.reserved.end(), takes))
      --live;
  }
  return height;
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

TEST_CASE("load: with obstacles, the lowest height with so many free bytes",
          "[load]") {
  //    9 +       +-----+
  //      |       |.....|  live at 4: 5 bytes, of which 3 go below the
  //    6 +-----+ +-----+  obstacle [3, 5), and one below [6, 9)
  //    5 |:::::::::::::|
  //    3 +-------------+
  //    0 +-------------+
  snug::Problem<> problem;
  problem.buffers = {{{0, 9}, 3}, {{3, 9}, 2}, {{0, 9}, 2}, {{4, 9}, 3}};
  problem.buffers[2].offset = 3;
  problem.buffers[3].offset = 6;
  const snug::detail::Plain plain = obstructed_of(problem);
  CHECK(snug::detail::load(plain) == 5);
  CHECK(snug::detail::obstructed_load(plain) == 10);
  CHECK(snug::minimize(problem).lower_bound >= 10);
}

TEST_CASE("load: with obstacles, agrees with counting bytes", "[load]") {
  int higher = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{15});
    shape.length = random.between(1, 15);
    snug::Problem<> problem = uniform<>(shape, random);
    for (int k = random.between(1, 4); k > 0; --k) {
      const auto byte = random.between<std::int64_t>(0, 40);
      const auto time = random.between<std::int64_t>(0, 12);
      problem.reserved.push_back(
          {{byte, byte + random.between<std::int64_t>(1, 9)},
           snug::Interval<std::int64_t>{
               time, time + random.between<std::int64_t>(1, 9)}});
    }
    const snug::detail::Plain plain = obstructed_of(problem);
    std::int64_t expected = 0;
    for (std::int64_t time = 0; time < 40; ++time)
      expected = (std::max)(expected, height_at(problem, time));
    CAPTURE(seed);
    CHECK(snug::detail::obstructed_load(plain) == expected);
    if (expected > load_of(problem)) ++higher;
  }
  CHECK(higher > 50);
}

}  // namespace load_test
