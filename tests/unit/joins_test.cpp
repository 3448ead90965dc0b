// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/joins.hpp"

#include "generate.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace joins_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::Interrupt;
using snug::detail::Joins;
using snug::detail::Nearness;
using snug::detail::Trust;

struct Joined {
  std::size_t count = 0;
  Problem<> problem{};
};

Joined join(const Problem<>& problem, std::int64_t capacity,
            Trust trust = Trust::kProved, Nearness nearness = {}) {
  const Plain plain = plain_of(problem);
  const Joins joins(plain, capacity, Interrupt(), trust, nullptr, nearness);
  return {joins.count(), problem_of(joins.joined())};
}

}  // namespace

TEST_CASE("joins: halves that lie on each other, and then what follows",
          "[joins]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 4}, 2}, {{4, 9}, 5}, {{0, 9}, 1}};
  const Joined joined = join(problem, 6);
  CHECK(joined.count == 2);
  REQUIRE(joined.problem.buffers.size() == 2);
  CHECK(joined.problem.buffers[0].size == 5);
  CHECK(joined.problem.buffers[0].lifespan.lower == 0);
  CHECK(joined.problem.buffers[0].lifespan.upper == 9);
  CHECK(joined.problem.buffers[1].size == 1);
}

TEST_CASE("joins: nothing where a byte is free on one side", "[joins]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 4}, 2}, {{4, 9}, 5}, {{0, 9}, 1}};
  CHECK(join(problem, 7).count == 0);
  problem.buffers[0].size = 2;
  CHECK(join(problem, 6).count == 0);
  problem.buffers[0].size = 3;
  problem.buffers[2].size = 4;
  CHECK(join(problem, 6).count == 0);
}

TEST_CASE("joins: nothing where some who end make room for some who begin",
          "[joins]") {
  Problem<> problem;
  // Either pair of equal sizes may be the lower one, with the last between.
  problem.buffers = {
      {{0, 4}, 3}, {{0, 4}, 2}, {{4, 9}, 3}, {{4, 9}, 2}, {{0, 9}, 1}};
  CHECK(join(problem, 6).count == 0);
  // Three and four can only be one with two and five.
  problem.buffers = {
      {{0, 4}, 3}, {{0, 4}, 4}, {{4, 9}, 5}, {{4, 9}, 2}, {{0, 9}, 1}};
  CHECK(join(problem, 8).count == 3);
}

TEST_CASE("joins: what is left of a capacity below the unit is not free",
          "[joins]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 8}, {{4, 9}, 8}, {{0, 9}, 4}};
  CHECK(join(problem, 15).count == 1);
  CHECK(join(problem, 16).count == 0);
  problem.buffers[1].alignment = 4;
  CHECK(join(problem, 12).count == 1);
  CHECK(join(problem, 12).problem.buffers[0].alignment == 4);
  problem.buffers[2].alignment = 8;
  CHECK(join(problem, 12).count == 0);
}

TEST_CASE("joins: partitions stay apart", "[joins]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 8}, {{4, 9}, 8}};
  CHECK(join(problem, 8).count == 0);
}

TEST_CASE("joins: a cut of many becomes a few again", "[joins]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const auto cut =
        snug::benchmarks::guillotine<>(1 << 20, 1 << 20, 300, seed);
    CHECK(join(cut.problem, 1 << 20).problem.buffers.size() < 60);
  }
}

TEST_CASE("joins: interrupted, there are none", "[joins]") {
  struct {
    bool operator()() { return true; }
  } asked;
  const auto cut =
      snug::benchmarks::guillotine<>(1 << 20, 1 << 20, 40'000, 1).problem;
  const Plain plain = plain_of(cut);
  const Joins joins(plain, 1 << 20, Interrupt(asked));
  CHECK(joins.count() == 0);
  CHECK_FALSE(joins.pay());
}

TEST_CASE("joins: very many at one boundary take little time", "[joins]") {
  const std::int64_t count = effort(std::int64_t{99999}) / 9 * 9 + 9;
  const CpuTimer timer;
  SECTION("they end where the halves of a block do") {
    // Those of [2, 3) are no block, as nine end where they begin.
    Problem<> problem;
    problem.buffers = {{{0, 1}, count}, {{3, 4}, 2 * count}, {{0, 5}, 1}};
    for (int k = 0; k < 9; ++k) problem.buffers.push_back({{0, 2}, count / 9});
    for (std::int64_t k = 0; k < count; ++k) {
      problem.buffers.push_back({{1, 3}, 1});
      problem.buffers.push_back({{2, 3}, 1});
    }
    CHECK(join(problem, 2 * count + 1).count ==
          static_cast<std::size_t>(count));
  }
  SECTION("each of them is joined to one that ends there then") {
    Problem<> problem;
    problem.buffers = {{{0, 3 * count}, 1}};
    for (std::int64_t k = 0; k < count; ++k) {
      problem.buffers.push_back({{0, k + 1}, 1});
      problem.buffers.push_back({{k + 1, count + 1}, 1});
      problem.buffers.push_back({{count + 1, count + 2 + k}, 1});
    }
    CHECK(join(problem, count + 1).count == static_cast<std::size_t>(count));
  }
  SECTION("each of them is joined to one that ends where one begins") {
    Problem<> problem;
    problem.buffers = {{{0, count + 2}, 1}, {{count + 1, count + 2}, count}};
    for (std::int64_t k = 0; k < count; ++k) {
      problem.buffers.push_back({{0, k + 1}, 1});
      problem.buffers.push_back({{k + 1, count + 1}, 1});
    }
    // All but the one that is live all the time become one.
    const auto all = static_cast<std::size_t>(2 * count);
    CHECK(join(problem, count + 1).count == all);
    CHECK(join(problem, count + 2, Trust::kGuessed).count > 100);
  }
  CHECK(timer.seconds() < 10);
}

TEST_CASE("joins: cuts without slack are placed in few nodes", "[joins]") {
  for (const std::size_t count : {100U, 300U, 700U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(count, seed);
      constexpr std::int64_t kCapacity = 1 << 20;
      const auto steps = static_cast<std::int64_t>(4 * count);
      const Problem<> problem =
          snug::benchmarks::guillotine<>(steps, kCapacity, count, seed).problem;
      Options options;
      options.node_limit = 8 * static_cast<std::int64_t>(count);
      const auto placed = snug::solve(problem, kCapacity, options);
      REQUIRE(placed.has_solution());
      CHECK(snug::validate(problem, kCapacity, placed.offsets).ok());
      const auto lowest = snug::minimize(problem, options);
      CHECK(lowest.status == snug::Status::kOptimal);
      CHECK(lowest.height == kCapacity);
      CHECK(snug::validate(problem, kCapacity, lowest.offsets).ok());
    }
  }
}

TEST_CASE("joins: guessed where something is free", "[joins]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 4}, 2}, {{4, 9}, 5}, {{0, 9}, 1}};
  const Joined joined = join(problem, 100, Trust::kGuessed);
  CHECK(joined.count == 2);
  REQUIRE(joined.problem.buffers.size() == 2);
  CHECK(joined.problem.buffers[0].size == 5);
  CHECK(joined.problem.buffers[0].lifespan.lower == 0);
  CHECK(joined.problem.buffers[0].lifespan.upper == 9);
}

TEST_CASE("joins: guessed for one by the only choice of the fewest",
          "[joins]") {
  const auto count = [](const Problem<>& problem) {
    return join(problem, 100, Trust::kGuessed).count;
  };
  Problem<> problem;
  // Three end beside what goes on in the same bytes.
  problem.buffers = {{{0, 4}, 5}, {{0, 4}, 3}, {{4, 9}, 5}, {{0, 9}, 1}};
  CHECK(count(problem) == 1);
  // One of four, not two of two or one and three.
  problem.buffers = {
      {{0, 4}, 4}, {{4, 9}, 2}, {{4, 9}, 2}, {{4, 9}, 4}, {{0, 9}, 1}};
  CHECK(count(problem) == 1);
  // Either of two that begin, as only one ends.
  problem.buffers = {{{0, 4}, 4}, {{4, 9}, 4}, {{4, 9}, 4}, {{0, 9}, 1}};
  CHECK(count(problem) == 1);
  // Which two is not known.
  problem.buffers = {{{0, 4}, 4}, {{4, 9}, 1}, {{4, 9}, 3},
                     {{4, 9}, 2}, {{4, 9}, 2}, {{0, 9}, 1}};
  CHECK(count(problem) == 0);
  // Two that begin are one, and then that and who ends.
  problem.buffers = {
      {{0, 4}, 4}, {{4, 9}, 1}, {{4, 9}, 3}, {{4, 9}, 9}, {{0, 9}, 1}};
  CHECK(count(problem) == 2);
  // Two that end, as well.
  problem.buffers = {
      {{0, 4}, 1}, {{0, 4}, 3}, {{0, 4}, 9}, {{4, 9}, 4}, {{0, 9}, 1}};
  CHECK(count(problem) == 2);
  // They do not begin together.
  problem.buffers[1].lifespan.lower = 2;
  problem.buffers.push_back({{0, 2}, 7});
  CHECK(count(problem) == 0);
  // Who is left is a block: 5 and 7, and twice 6.
  problem.buffers = {{{0, 4}, 3}, {{0, 4}, 5}, {{0, 4}, 7}, {{4, 9}, 3},
                     {{4, 9}, 6}, {{4, 9}, 6}, {{0, 9}, 1}};
  CHECK(count(problem) == 4);
}

TEST_CASE("joins: guessed for whom one alignment suits", "[joins]") {
  Problem<> problem;
  const auto guess = [&] { return join(problem, 1000, Trust::kGuessed); };
  // The aligned one is at the bottom, and what is joined aligned as it is.
  problem.buffers = {
      {{0, 4}, 5}, {{0, 4}, 7, 4}, {{0, 4}, 9, 2}, {{4, 9}, 21}, {{0, 9}, 2}};
  CHECK(guess().problem.buffers.size() == 5);  // 9 begins at 7, or at 12
  problem.buffers[1].size = 8;
  problem.buffers[3].size = 22;
  Joined joined = guess();
  REQUIRE(joined.problem.buffers.size() == 2);
  CHECK(joined.problem.buffers[0].size == 22);
  CHECK(joined.problem.buffers[0].alignment == 4);
  // Neither divides the other.
  problem.buffers[2] = {{0, 4}, 12, 6};
  problem.buffers[3].size = 25;
  CHECK(guess().problem.buffers.size() == 5);
  problem.buffers = {{{0, 4}, 5, 4}, {{4, 9}, 5, 6}, {{0, 9}, 2}};
  CHECK(guess().problem.buffers.size() == 3);
  problem.buffers[1].alignment = 12;
  joined = guess();
  REQUIRE(joined.problem.buffers.size() == 2);
  CHECK(joined.problem.buffers[0].alignment == 12);
}

TEST_CASE("joins: guessed where sums are near, with room for the larger",
          "[joins]") {
  const auto sizes = [](const Problem<>& problem, Nearness nearness) {
    std::vector<std::int64_t> result;
    for (const auto& buffer :
         join(problem, 10000, Trust::kGuessed, nearness).problem.buffers)
      result.push_back(buffer.size);
    return result;
  };
  using Sizes = std::vector<std::int64_t>;
  Problem<> problem;
  // Two that are a block end or begin where one of nearly their size does.
  for (const bool ends : {true, false}) {
    const snug::Interval<std::int64_t> two =
        ends ? snug::Interval<std::int64_t>{0, 4}
             : snug::Interval<std::int64_t>{4, 9};
    const snug::Interval<std::int64_t> one =
        ends ? snug::Interval<std::int64_t>{4, 9}
             : snug::Interval<std::int64_t>{0, 4};
    for (const std::int64_t size : {496, 500, 504}) {
      problem.buffers = {{two, 300}, {two, 200}, {one, size}, {{0, 9}, 1}};
      CHECK(sizes(problem, {6})[0] == (std::max)(size, std::int64_t{500}));
      CHECK(sizes(problem, {6}).size() == 2);
      CHECK(sizes(problem, {7}).size() == (size == 500 ? 2U : 4U));
    }
  }
  // The nearest of two choices; of equally near ones either, as only one ends.
  problem.buffers = {
      {{0, 4}, 500}, {{4, 9}, 502}, {{4, 9}, 499}, {{4, 9}, 90}, {{0, 9}, 1}};
  CHECK(sizes(problem, {6}) == Sizes{500, 502, 90, 1});
  problem.buffers[1].size = 501;
  CHECK(sizes(problem, {6}) == Sizes{501, 499, 90, 1});
  // No block: 300 may take the place of 301 and 200 of 199, with the last between.
  problem.buffers = {
      {{0, 4}, 300}, {{0, 4}, 200}, {{4, 9}, 301}, {{4, 9}, 199}, {{0, 9}, 1}};
  CHECK(sizes(problem, {6}) == Sizes{301, 200, 1});
}

TEST_CASE("joins: cuts whose sizes were rounded are placed in few nodes",
          "[joins]") {
  for (const std::size_t count : {100U, 300U}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(count, seed);
      constexpr std::int64_t kCapacity = 1 << 20;
      const auto steps = static_cast<std::int64_t>(4 * count);
      const Problem<> problem = snug::benchmarks::jittered(
          snug::benchmarks::guillotine<>(steps, kCapacity, count, seed).problem,
          std::int64_t{5}, seed);
      Options options;
      options.node_limit = 16 * static_cast<std::int64_t>(count);
      const auto placed = snug::solve(problem, kCapacity, options);
      REQUIRE(placed.has_solution());
      CHECK(snug::validate(problem, kCapacity, placed.offsets).ok());
    }
  }
}

TEST_CASE("joins: what is placed joined is a placement, guessed or not",
          "[joins]") {
  std::size_t joins_in_all = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{6}, std::size_t{30});
    shape.largest = random.between(2, 9);
    auto problem = uniform<std::int64_t, std::int64_t>(shape, random);
    if (random.chance(50)) align(problem, 30, std::int64_t{1}, random);
    const Plain plain = plain_of(problem);
    const int near = static_cast<int>(random.between(0, 3));
    for (const int shift : {Nearness::kEqual, near}) {
      const Joins joins(plain, 1000, Interrupt(), Trust::kGuessed, nullptr,
                        Nearness{shift});
      if (shift == Nearness::kEqual) joins_in_all += joins.count();
      if (joins.count() == 0) continue;
      const auto placed = snug::minimize(problem_of(joins.joined()));
      REQUIRE(placed.has_solution());
      snug::detail::List<std::int64_t> offsets(problem.buffers.size(), 0);
      joins.expand(list_of(placed.offsets), offsets);
      CHECK(snug::validate(problem, placed.height, vector_of(offsets)).ok());
    }
  }
  CHECK(joins_in_all > 1000);
}

}  // namespace joins_test
