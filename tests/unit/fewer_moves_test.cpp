// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/fewer_moves.hpp"

#include "snug/minimize.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fewer_moves_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;

namespace {

/// The fewest buffers that have to leave their hints, at most `most`.
std::size_t fewest(const Problem<>& problem, std::int64_t capacity,
                   std::size_t most) {
  Problem<> bare = problem;
  for (auto& buffer : bare.buffers) buffer.hint.reset();
  std::vector<std::size_t> hinted;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (problem.buffers[i].hint) hinted.push_back(i);
  for (std::uint32_t freed = 0; freed < 1U << hinted.size(); ++freed) {
    Problem<> pinned = bare;
    std::size_t count = 0;
    for (std::size_t k = 0; k < hinted.size(); ++k)
      if ((freed >> k & 1) == 0)
        pinned.buffers[hinted[k]].offset = problem.buffers[hinted[k]].hint;
      else
        ++count;
    if (count < most && snug::solve(pinned, capacity).has_solution())
      most = count;
  }
  return most;
}

snug::Buffer<> draw(Random& random, std::int64_t largest) {
  const std::int64_t begin = random.between(0, 9);
  return {{begin, begin + random.between(1, 6)},
          random.between(std::int64_t{1}, largest)};
}

/// Eight buffers at their hints, and what has changed since.
Problem<> draw_changed(std::uint64_t seed, std::int64_t& capacity) {
  Random random(seed);
  Problem<> problem;
  for (int i = 0; i < 8; ++i) problem.buffers.push_back(draw(random, 100));
  if (seed % 4 == 1) problem.may_overlap = {{0, 1}};
  if (seed % 4 == 2) problem.apart = {{2, 3}};
  if (seed % 4 == 3) problem.aliases = {{4, 5, 0}};
  capacity = snug::minimize(problem).height * 21 / 20;
  const Result<> before = snug::solve(problem, capacity);
  REQUIRE(is_solved(before));
  for (std::size_t i = 0; i < 8; ++i)
    problem.buffers[i].hint = before.offsets[i];
  const auto one = [&]() -> snug::Buffer<>& {
    return problem.buffers[random.between(std::size_t{0}, std::size_t{7})];
  };
  switch (random.between(0, 2)) {
    case 0:
      for (std::int64_t k = random.between(1, 3); k > 0; --k)
        one().size += random.between(1, 10);
      break;
    case 1:
      problem.buffers.push_back(draw(random, 40));
      break;
    default:
      one().lifespan.upper += random.between(1, 4);
      break;
  }
  Problem<> bare = problem;
  for (auto& buffer : bare.buffers) buffer.hint.reset();
  capacity = (std::max)(capacity, snug::minimize(bare).height);
  return problem;
}

}  // namespace

TEST_CASE("fewer moves: of some buffers, the fewest possible", "[replan]") {
  std::size_t moved = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    std::int64_t capacity = 0;
    const Problem<> problem = draw_changed(seed, capacity);
    const Result<> result = snug::solve(problem, capacity);
    CAPTURE(seed);
    INFO(as_csv(problem));
    REQUIRE(is_solved(result));
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
    CHECK(result.moved.size() ==
          fewest(problem, capacity, result.moved.size()));
    moved += result.moved.size();
    const Result<> lowest = snug::minimize(problem);
    REQUIRE(is_solved(lowest));
    REQUIRE(snug::validate(problem, lowest.height, lowest.offsets).ok());
    CHECK(lowest.moved.size() ==
          fewest(problem, lowest.height, lowest.moved.size()));
  }
  CHECK(moved > at_least<std::size_t>(200));
}

TEST_CASE("fewer moves: one that meets two moves, unless it is tied",
          "[replan]") {
  // With many others, more than are tried set by set.
  const std::int64_t others = GENERATE(0, 100);
  Problem<> problem;
  problem.buffers = {{{0, 10}, 6}, {{0, 4}, 4}, {{5, 9}, 4}};
  problem.buffers[0].hint = 3;
  for (const std::size_t small : {1U, 2U}) problem.buffers[small].hint = 0;
  for (std::int64_t k = 1; k <= others; ++k) {
    problem.buffers.push_back({{10 * k, 10 * k + 10}, 8});
    problem.buffers.back().hint = 1;
  }
  CHECK(snug::solve(problem, 16).moved == std::vector<std::size_t>{0});
  // Two that are tied to it count as well.
  for (const std::int64_t delta : {6, 7}) {
    problem.aliases.push_back({problem.buffers.size(), 0, delta});
    problem.buffers.push_back({{0, 1}, 1});
    problem.buffers.back().hint = 3 + delta;
  }
  CHECK(snug::solve(problem, 16).moved == std::vector<std::size_t>{1, 2});
  // It is not the first.
  std::swap(problem.buffers[0], problem.buffers[2]);
  for (auto& alias : problem.aliases) alias.of = 2;
  CHECK(snug::solve(problem, 16).moved == std::vector<std::size_t>{0, 1});
  problem.buffers[0].hint.reset();
  CHECK(snug::solve(problem, 16).moved == std::vector<std::size_t>{1});
}

TEST_CASE("fewer moves: a hint that cannot be followed keeps nobody elsewhere",
          "[replan]") {
  // The hint of the second would put the first, tied to it, below zero.
  Problem<> problem;
  problem.buffers = {
      {{0, 1}, 3}, {{1, 2}, 1}, {{0, 1}, 0}, {{0, 1}, 3}, {{0, 2}, 2}};
  problem.aliases = {{1, 0, 4}};
  problem.buffers[1].hint = 1;
  problem.buffers[1].end = snug::End::kTop;
  problem.buffers[2].hint = 8;
  problem.buffers[4].end = snug::End::kBottom;
  CHECK(snug::solve(problem, 8).moved == std::vector<std::size_t>{1});
  const Result<> lowest = snug::minimize(problem);
  CHECK(lowest.height == 8);
  CHECK(lowest.moved == std::vector<std::size_t>{1});
}

TEST_CASE("fewer moves: a choice that takes long to refute is not the last",
          "[replan]") {
  // Nothing is free. The first and the sixth meet, and the last one has to move;
  // that the sixth could move instead of the first takes hundreds of nodes.
  Problem<> problem;
  problem.buffers = {{{0, 8}, 3},    {{0, 8}, 2, 4}, {{0, 8}, 1},   {{0, 8}, 3},
                     {{0, 8}, 4, 4}, {{0, 8}, 4},    {{0, 8}, 3, 3}};
  problem.buffers[0].hint = 11;
  problem.buffers[5].hint = 8;
  problem.buffers[6].hint = 5;
  const Result<> result = snug::solve(problem, 20);
  CHECK(is_solved(result));
  CHECK(result.moved == std::vector<std::size_t>{0, 6});
}

TEST_CASE("fewer moves: limits end it with what there is", "[replan]") {
  std::int64_t more = 0;
  int cases = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(100); ++seed) {
    std::int64_t capacity = 0;
    const Problem<> problem = draw_changed(seed, capacity);
    const Result<> whole = snug::solve(problem, capacity);
    Options options;
    options.node_limit = 1;
    const Result<> result = snug::solve(problem, capacity, options);
    CAPTURE(seed);
    if (!result.has_solution()) continue;
    CHECK(result.stopped_by == snug::Stop::kNone);
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
    more += static_cast<std::int64_t>(result.moved.size()) -
            static_cast<std::int64_t>(whole.moved.size());
    ++cases;
  }
  CAPTURE(more);
  CHECK(more < 1000);
  CHECK(cases > at_least(20));
}

TEST_CASE("fewer moves: no more than a moment where there are many gaps",
          "[replan]") {
  Problem<> problem;
  for (std::int64_t k = 0; k < 60; ++k) {
    problem.buffers.push_back({{0, 4000}, 4});
    problem.buffers.back().hint = 4 * k + k % 2;
    for (std::int64_t gap = 1; gap < 3999; gap += 4)
      problem.buffers.back().gaps.push_back({{gap, gap + 2}, {}});
  }
  const CpuTimer timer;
  const Result<> result = snug::solve(problem, 240);
  CHECK(is_solved(result));
  CHECK(timer.seconds() < 5);
}

}  // namespace fewer_moves_test
