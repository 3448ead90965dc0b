// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/fillers.hpp"

#include "generate.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fillers_test {

namespace {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Fillers;
using snug::detail::FlatBuffer;

/// The fillers of a problem, by time.
std::vector<FlatBuffer> fill(const Problem<>& problem, std::int64_t capacity) {
  const Plain plain = plain_of(problem);
  const Fillers fillers(plain, capacity);
  const Plain filled = fillers.filled();
  std::vector<FlatBuffer> result(
      filled.buffers.begin() +
          static_cast<std::ptrdiff_t>(plain.buffers.size()),
      filled.buffers.end());
  CHECK(result.size() == fillers.count());
  std::sort(result.begin(), result.end(),
            [](const FlatBuffer& a, const FlatBuffer& b) {
              return a.lifespan.lower != b.lifespan.lower
                         ? a.lifespan.lower < b.lifespan.lower
                         : a.lifespan.upper < b.lifespan.upper;
            });
  return result;
}

bool is(const FlatBuffer& buffer, std::int64_t lower, std::int64_t upper,
        std::int64_t size) {
  return buffer.lifespan.lower == lower && buffer.lifespan.upper == upper &&
         buffer.size == size && buffer.alignment == 1;
}

/// One buffer after the other, whose boundaries change no load.
Problem<> chain(std::int64_t length) {
  Problem<> problem;
  problem.buffers.push_back({{0, length}, 1});
  for (std::int64_t k = 0; k < length; ++k)
    problem.buffers.push_back({{k, k + 1}, 1});
  return problem;
}

/// A full memory that has lost `lost` of its buffers.
Problem<> with_losses(std::uint64_t seed, std::size_t lost) {
  Random random(seed);
  Problem<> problem =
      snug::benchmarks::guillotine<>(1200, 1 << 20, 300, seed).problem;
  for (; lost > 0; --lost) {
    const std::size_t i =
        random.between(std::size_t{0}, problem.buffers.size() - 1);
    problem.buffers.erase(problem.buffers.begin() +
                          static_cast<std::ptrdiff_t>(i));
  }
  return problem;
}

}  // namespace

TEST_CASE("fillers: what opens by an amount closes by it", "[fillers]") {
  Problem<> problem = chain(30);
  problem.buffers.push_back({{0, 5}, 3});
  problem.buffers.push_back({{12, 30}, 3});
  const auto fillers = fill(problem, 5);
  REQUIRE(fillers.size() == 1);
  CHECK(is(fillers[0], 5, 12, 3));
}

TEST_CASE("fillers: sums, and the nearest of equal amounts", "[fillers]") {
  // Seven of nine bytes are the fillers': five open at once, two later, and
  // they close in three steps, as in the header.
  Problem<> problem = chain(30);
  problem.buffers.push_back({{0, 4}, 2});
  problem.buffers.push_back({{9, 30}, 3});
  problem.buffers.push_back({{15, 30}, 2});
  problem.buffers.push_back({{21, 30}, 2});
  const auto fillers = fill(problem, 9);
  REQUIRE(fillers.size() == 3);
  CHECK(is(fillers[0], 0, 9, 3));
  CHECK(is(fillers[1], 0, 21, 2));
  CHECK(is(fillers[2], 4, 15, 2));
}

TEST_CASE("fillers: what adds up to nothing is divided by time", "[fillers]") {
  Problem<> problem = chain(30);
  problem.buffers.push_back({{0, 3}, 5});
  problem.buffers.push_back({{3, 6}, 3});
  problem.buffers.push_back({{12, 21}, 1});
  problem.buffers.push_back({{21, 30}, 5});
  // Two open at 3 and three at 6; one closes at 12 and four do at 21.
  const auto fillers = fill(problem, 7);
  REQUIRE(fillers.size() == 3);
  CHECK(is(fillers[0], 3, 21, 2));
  CHECK(is(fillers[1], 6, 12, 1));
  CHECK(is(fillers[2], 6, 21, 2));
}

TEST_CASE("fillers: none where the load changes all the time, or never",
          "[fillers]") {
  Problem<> problem;
  for (std::int64_t k = 0; k < 40; ++k)
    problem.buffers.push_back({{k, k + 2}, 1 + k % 3});
  CHECK(fill(problem, 8).empty());
  CHECK(fill(chain(30), 2).empty());
  problem = chain(30);
  problem.buffers.push_back({{4, 9}, 2});
  CHECK(fill(problem, 4).size() == 2);
  problem.buffers[0].alignment = 4;
  CHECK(fill(problem, 4).empty());
}

TEST_CASE("fillers: none of which the load would be too large", "[fillers]") {
  Problem<> problem = chain(30);
  problem.buffers.push_back({{4, 9}, 2});
  constexpr std::int64_t kMost = snug::detail::kMaxTotal;
  CHECK_FALSE(fill(problem, kMost).empty());
  CHECK(fill(problem, kMost + 1).empty());
}

TEST_CASE("fillers: partitions are filled by themselves", "[fillers]") {
  Problem<> problem = chain(30);
  problem.buffers.push_back({{4, 9}, 2});
  for (const auto& buffer : chain(30).buffers) {
    problem.buffers.push_back(buffer);
    problem.buffers.back().lifespan.lower += 50;
    problem.buffers.back().lifespan.upper += 50;
  }
  const auto fillers = fill(problem, 4);
  REQUIRE(fillers.size() == 3);
  CHECK(is(fillers[2], 50, 80, 2));
}

TEST_CASE("fillers: with them memory is full wherever some are", "[fillers]") {
  std::size_t full = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Problem<> problem = with_losses(seed, 9);
    const Plain plain = plain_of(problem);
    if (plain.partitions.size() > 1) continue;
    const Fillers fillers(plain, 1 << 20);
    REQUIRE(fillers.count() >= 5);
    CHECK(fillers.bytes() > 0);
    const Plain filled = fillers.filled();
    for (const std::int64_t bytes : snug::detail::section_loads(filled))
      CHECK(bytes == 1 << 20);
    ++full;
  }
  CHECK(full > 5);
}

TEST_CASE("fillers: a full memory with losses is placed in few nodes",
          "[fillers]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Problem<> problem = with_losses(seed, 9);
    snug::Options options;
    options.node_limit = 2400;
    const auto placed = snug::solve(problem, 1 << 20, options);
    REQUIRE(placed.has_solution());
    CHECK(placed.offsets.size() == problem.buffers.size());
    CHECK(snug::validate(problem, 1 << 20, placed.offsets).ok());
  }
}

}  // namespace fillers_test
