// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/instance.hpp"

#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/obstructed.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace instance_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Index;
using snug::detail::Instance;
using snug::detail::Memory;
using snug::detail::Word;

namespace {

template <class Size, class Time>
std::int64_t unit_of(const Problem<Size, Time>& problem) {
  const Plain plain = plain_of(problem);
  return snug::detail::common_unit(plain, plain.partitions[0]);
}

template <class Units>
Instance<Units> instance_of(const Problem<>& problem, std::int64_t unit,
                            std::int64_t capacity, Memory& memory,
                            std::size_t partition = 0) {
  const Plain plain = plain_of(problem);
  return snug::detail::make_instance<Units>(plain, plain.partitions[partition],
                                            unit, capacity, memory);
}

/// Buffers that are all live together, of these sizes and alignments.
Problem<> together(std::vector<std::int64_t> sizes,
                   std::vector<std::int64_t> alignments = {}) {
  Problem<> problem;
  for (const std::int64_t size : sizes)
    problem.buffers.push_back({{0, 1}, size});
  for (std::size_t i = 0; i < alignments.size(); ++i)
    problem.buffers[i].alignment = alignments[i];
  return problem;
}

}  // namespace

TEST_CASE("instance: the common unit of sizes", "[instance]") {
  CHECK(unit_of(together({12})) == 12);
  CHECK(unit_of(together({12, 18, 30})) == 6);
  CHECK(unit_of(together({12, 7})) == 1);
  CHECK(unit_of(together({4096, 1 << 20})) == 4096);
}

TEST_CASE("instance: alignments that divide the unit, or are its multiples",
          "[instance]") {
  CHECK(unit_of(together({12, 24}, {1, 4})) == 12);
  CHECK(unit_of(together({12, 24}, {36, 4})) == 12);
  CHECK(unit_of(together({12, 24}, {8, 1})) == 4);
  CHECK(unit_of(together({12, 24}, {5, 1})) == 1);
  // 8 makes it 4, and then 6, which divided 12, makes it 2.
  CHECK(unit_of(together({12, 24}, {6, 8})) == 2);
  CHECK(unit_of(together({12, 24}, {8, 6})) == 2);
}

TEST_CASE("instance: only the partition's own buffers make the unit",
          "[instance]") {
  Problem<> problem = together({12, 18});
  problem.buffers.push_back({{1, 2}, 5});
  problem.buffers.push_back({{0, 2}, 0});
  CHECK(unit_of(problem) == 6);
}

TEMPLATE_TEST_CASE("instance: the unit is the largest that is right",
                   "[instance]", std::int64_t, std::int32_t) {
  std::size_t above_one = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    Problem<TestType, TestType> problem;
    std::int64_t divisor = 0;
    const int scale = random.between(1, 24);
    for (int i = 0; i < 4; ++i) {
      const auto size = static_cast<TestType>(random.between(1, 6) * scale);
      problem.buffers.push_back({{0, 1}, size});
      // Of 1 to 24, with those that have to do with the sizes more often.
      const int factor = random.between(1, 24);
      problem.buffers.back().alignment = static_cast<TestType>(
          random.chance(70) ? std::gcd(factor, scale) : factor);
      divisor = std::gcd(divisor, std::int64_t{size});
    }
    std::int64_t expected = 1;
    for (std::int64_t unit = 1; unit <= divisor; ++unit) {
      const bool right = divisor % unit == 0 &&
                         std::all_of(problem.buffers.begin(),
                                     problem.buffers.end(), [&](const auto& b) {
                                       return b.alignment % unit == 0 ||
                                              unit % b.alignment == 0;
                                     });
      if (right) expected = unit;
    }
    CAPTURE(seed);
    CHECK(unit_of(problem) == expected);
    if (expected > 1) ++above_one;
  }
  CHECK(above_one > 50);
}

TEMPLATE_TEST_CASE("instance: a partition, scaled and renumbered", "[instance]",
                   std::int32_t, std::int64_t) {
  //      0    10    20    30   40     50
  //      +-----+     .     .    +------+
  //      |  1  |     .     .    |   3  |  the second partition
  //      +-----+-----+     .    +------+
  //      |     0     |     .    |   4  |
  //      +-----+-----+-----+    +------+
  //      .     |     2     |
  //      .     +-----------+
  Problem<> problem;
  problem.buffers = {{{0, 20}, 20},
                     {{0, 10}, 12},
                     {{10, 30}, 8},
                     {{40, 50}, 16},
                     {{40, 50}, 4}};
  problem.buffers[2].alignment = 8;
  problem.buffers[0].alignment = 2;
  problem.buffers[4].alignment = 1000;
  Memory memory;
  const auto first = instance_of<TestType>(problem, 4, 35, memory);
  REQUIRE(first.size == 3);
  CHECK(first.words == 1);
  CHECK(first.sections == 2);
  CHECK(first.capacity == 8);
  CHECK(first.aligned);
  const auto all = [](const auto* values, std::size_t count) {
    std::vector<std::int64_t> result;
    for (std::size_t k = 0; k < count; ++k)
      result.push_back(static_cast<std::int64_t>(values[k]));
    return result;
  };
  using Values = std::vector<std::int64_t>;
  CHECK(all(first.lower, 3) == Values{0, 0, 1});
  CHECK(all(first.upper, 3) == Values{1, 2, 2});
  CHECK(all(first.length, 3) == Values{3, 5, 2});
  CHECK(all(first.alignment, 3) == Values{1, 1, 2});
  CHECK(all(first.width, 3) == Values{10, 20, 20});
  CHECK(all(first.first_at, 3) == Values{0, 2, 3});
  CHECK(all(first.first_live, 2) == Values{0, 1});
  CHECK(first.row(0, 0) == Word{0b010});
  CHECK(first.row(1, 0) == Word{0b101});
  CHECK(first.row(2, 0) == Word{0b010});

  const auto second = instance_of<TestType>(problem, 4, 35, memory, 1);
  REQUIRE(second.size == 2);
  CHECK(second.sections == 1);
  CHECK(all(second.lower, 2) == Values{0, 0});
  CHECK(all(second.upper, 2) == Values{1, 1});
  CHECK(all(second.length, 2) == Values{1, 4});
  // Out of reach: the first number above the capacity says so.
  CHECK(all(second.alignment, 2) == Values{9, 1});

  problem.buffers[4].alignment = 4;
  CHECK_FALSE(instance_of<TestType>(problem, 4, 35, memory, 1).aligned);
}

TEST_CASE("instance: lifespans at the ends of the time type", "[instance]") {
  Problem<> problem;
  problem.buffers = {{{(std::numeric_limits<std::int64_t>::min)(),
                       (std::numeric_limits<std::int64_t>::max)()},
                      1}};
  Memory memory;
  CHECK(instance_of<std::int32_t>(problem, 1, 1, memory).width[0] ==
        18446744073709551616.0);
}

TEMPLATE_TEST_CASE("instance: rows say who overlaps whom, kept or computed",
                   "[instance]", std::int32_t, std::int64_t) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{200});
    shape.length = random.between(1, 60);
    Problem<> problem = uniform<>(shape, random);
    for (auto& buffer : problem.buffers)  // Short ones, for narrow rows.
      if (seed % 3 != 0)
        buffer.lifespan.upper =
            (std::min)(buffer.lifespan.upper, buffer.lifespan.lower + 6);
    Memory memory;
    auto instance = instance_of<TestType>(problem, 1, 1000, memory);
    REQUIRE(instance.rows != nullptr);
    std::vector<Word> some(instance.words);
    for (Word& word : some) word = random.next();
    CAPTURE(seed, instance.size);
    for (const bool kept : {true, false}) {
      if (!kept) instance.rows = nullptr;
      for (Index x = 0; x < instance.size; ++x) {
        std::vector<Index> expected;
        std::vector<Index> in_row;
        std::vector<Index> expected_in_some;
        std::vector<Index> in_some;
        for (Index y = 0; y < instance.size; ++y) {
          const bool overlap = instance.lower[x] < instance.upper[y] &&
                               instance.lower[y] < instance.upper[x];
          REQUIRE(instance.overlap(x, y) == overlap);
          if (x == y || !overlap) continue;
          expected.push_back(y);
          if (snug::detail::has_bit(some.data(), y))
            expected_in_some.push_back(y);
        }
        REQUIRE(instance.row_end[x] <= instance.words);
        for (Index w = instance.row_begin[x]; w < instance.row_end[x]; ++w)
          for (Index y = 64 * w; y < 64 * w + 64; ++y)
            if (((instance.row(x, w) >> (y % 64)) & 1) != 0)
              in_row.push_back(y);
        REQUIRE(in_row == expected);
        instance.for_each_neighbour(x, some.data(), [&](Index y) {
          in_some.push_back(y);
          return true;
        });
        REQUIRE(in_some == expected_in_some);
      }
    }
  }
}

TEST_CASE("instance: visiting neighbours stops when told to", "[instance]") {
  Memory memory;
  const auto instance = instance_of<std::int32_t>(
      together(std::vector<std::int64_t>(100, 1)), 1, 100, memory);
  const std::vector<Word> all(instance.words, ~Word{0});
  std::vector<Index> visited;
  instance.for_each_neighbour(1, all.data(), [&](Index y) {
    visited.push_back(y);
    return y < 70;
  });
  CHECK(visited.size() == 70);
  CHECK(visited.front() == 0);
  CHECK(visited.back() == 70);
}

TEST_CASE("instance: rows beyond a limit are not kept", "[instance]") {
  const Plain plain = plain_of(together(std::vector<std::int64_t>(100, 1)));
  for (const std::size_t limit : {1599U, 1600U}) {  // Two words a buffer.
    Memory memory;
    const auto instance = snug::detail::make_instance<std::int32_t>(
        plain, plain.partitions[0], 1, 100, memory, limit);
    CHECK((instance.rows != nullptr) == (limit == 1600));
    CHECK(instance.row(0, 0) == ~Word{1});
  }
}

TEST_CASE("instance: rows beyond 64 MiB are not kept", "[instance]") {
  Memory memory;
  const std::size_t n = 24000;  // n * n bits are 68 MiB.
  const auto instance =
      instance_of<std::int32_t>(together(std::vector<std::int64_t>(n, 1)), 1,
                                static_cast<std::int64_t>(n), memory);
  CHECK(instance.rows == nullptr);
  CHECK(memory.peak_bytes() < (std::size_t{4} << 20));
  CHECK(instance.row(0, 0) == ~Word{1});
  CHECK(instance.row(0, 1) == ~Word{0});
  CHECK(instance.row(23999, 374) == ~Word{0} >> 1);
}

TEST_CASE("instance: obstacles by section", "[instance]") {
  // A buffer for each of four sections. What is taken: 20 to 30 in the middle
  // two, 50 to 60 in the third, 90 to 100 in all.
  Problem<> problem;
  for (int k = 0; k < 4; ++k) problem.buffers.push_back({{k, k + 1}, 10});
  problem.buffers.push_back({{0, 4}, 10});
  problem.reserved = {
      {{50, 60}, {{2, 3}}}, {{20, 30}, {{1, 3}}}, {{90, 100}, {}}};
  const Plain plain = obstructed_of(problem);
  // Seven ranges of 8 bytes take a quarter.
  for (const std::size_t limit : {223U, 224U}) {
    Memory memory;
    const auto instance = snug::detail::make_instance<std::int32_t>(
        plain, plain.partitions[0], 1, 200, memory, limit);
    REQUIRE(instance.sections == 4);
    const auto& obstacles = instance.obstacles;
    REQUIRE(obstacles.ranges.empty() == (limit < 224));
    if (obstacles.ranges.empty()) continue;
    const std::vector<std::vector<std::int32_t>> expected = {
        {90}, {20, 90}, {20, 50, 90}, {90}};
    for (Index s = 0; s < 4; ++s) {
      CAPTURE(s);
      std::vector<std::int32_t> lower;
      for (const auto& range : obstacles.ranges[s]) {
        lower.push_back(range.lower);
        CHECK(range.upper == range.lower + 10);
      }
      CHECK(lower == expected[s]);
      // Nothing is said of the last section.
      if (s < 3)
        CHECK(snug::detail::has_bit(obstacles.changes, s) ==
              (expected[s] != expected[s + 1]));
    }
  }
}

TEST_CASE("instance: a section knows its first buffers", "[instance]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{25});
    shape.length = random.between(1, 25);
    Memory memory;
    const auto instance =
        instance_of<std::int64_t>(uniform<>(shape, random), 1, 1000, memory);
    CAPTURE(seed);
    for (Index s = 0; s <= instance.sections; ++s) {
      Index begins = 0;
      while (begins < instance.size && instance.lower[begins] < s) ++begins;
      CHECK(instance.first_at[s] == begins);
      if (s == instance.sections) break;
      Index live = 0;
      while (instance.upper[live] <= s) ++live;
      CHECK(instance.first_live[s] == live);
    }
  }
}

TEST_CASE("instance: twins are the classes of identical buffers",
          "[instance]") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{20});
    shape.largest = 3;
    shape.length = 3;
    Problem<> problem = twins<>(shape, random);
    align(problem, 20, std::int64_t{1}, random);
    Memory memory;
    const auto instance = instance_of<std::int32_t>(problem, 1, 1000, memory);
    CAPTURE(seed);
    for (Index x = 0; x < instance.size; ++x)
      for (Index y = 0; y < instance.size; ++y) {
        const bool same = instance.lower[x] == instance.lower[y] &&
                          instance.upper[x] == instance.upper[y] &&
                          instance.length[x] == instance.length[y] &&
                          instance.alignment[x] == instance.alignment[y];
        REQUIRE((instance.twins_begin[x] <= y && y < instance.twins_end[x]) ==
                same);
        if (same && x != y) ++pairs;
      }
  }
  CHECK(pairs > 500);
}

TEST_CASE("instance: alignments out of reach make twins too", "[instance]") {
  Memory memory;
  const auto instance = instance_of<std::int32_t>(
      together({1, 1, 1, 1}, {100, 1, 8, 50}), 1, 7, memory);
  // In order of alignment: 1, then 8, 50 and 100, which all mean offset 0.
  CHECK(instance.twins_end[0] == 1);
  CHECK(instance.twins_begin[1] == 1);
  CHECK(instance.twins_end[1] == 4);
}

TEMPLATE_TEST_CASE("instance: rounding up, and its inverse", "[instance]",
                   std::int32_t, std::int64_t) {
  Memory memory;
  const std::vector<std::int64_t> alignments = {1, 2, 3, 7, 16};
  const auto instance = instance_of<TestType>(
      together(std::vector<std::int64_t>(5, 1), alignments), 1, 1000, memory);
  const auto unaligned = instance_of<TestType>(
      together(std::vector<std::int64_t>(5, 1)), 1, 1000, memory);
  for (Index x = 0; x < 5; ++x)
    for (TestType address = 0; address < 60; ++address) {
      const auto alignment = static_cast<TestType>(alignments[x]);
      CAPTURE(x, address);
      TestType multiple = 0;
      while (multiple < address) multiple += alignment;
      CHECK(instance.round_up(x, address) == multiple);
      CHECK(unaligned.round_up(x, address) == address);
      if (address == 0) continue;
      TestType lowest = 0;
      while (instance.round_up(x, lowest) < address) ++lowest;
      CHECK(instance.above(x, address) == lowest);
      CHECK(unaligned.above(x, address) == address);
    }
}

}  // namespace instance_test
