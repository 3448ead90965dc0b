// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/lasting.hpp"

#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lasting_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Problem;
using snug::Status;
using snug::detail::Flat;
using snug::detail::flatten;
using snug::detail::Index;
using snug::detail::LastingStack;

using Numbers = std::vector<Index>;
using Offsets = std::vector<std::int64_t>;

LastingStack stack_of(const Problem<>& problem) {
  Flat flat = flatten(problem);
  std::int64_t ceiling = 1000;
  ceiling = presolve(flat, ceiling);
  return LastingStack(flat);
}

Numbers stacked(const Problem<>& problem) {
  return vector_of(stack_of(problem).stacked());
}

/// A constrained problem of which one to three buffers live as long as all, without
/// gaps; with nothing fixed or reserved if it is free.
Problem<> draw_lasting(std::uint64_t seed, bool is_free, Random& random) {
  Problem<> problem = draw_constrained(seed, 6);
  auto& buffers = problem.buffers;
  auto all = buffers[0].lifespan;
  for (auto& buffer : buffers) {
    all = snug::detail::hull_of(all, buffer.lifespan);
    if (is_free) buffer.offset.reset();
  }
  if (is_free) problem.reserved.clear();
  for (int k = random.between(1, 3); k > 0; --k) {
    auto& buffer = buffers[random.between(std::size_t{0}, buffers.size() - 1)];
    buffer.lifespan = all;
    buffer.gaps.clear();
  }
  if (random.between(0, 3) == 0) problem.alignment = random.between(2, 4);
  return problem;
}

}  // namespace

//     | 1  |  2  |
//     |    3     |    all of it meets 0 and 3
//    |    0    |
TEST_CASE("lasting: who meets all others, the longest lived at the bottom") {
  Problem<> problem;
  problem.buffers = {
      {{1, 10}, 7}, {{2, 6}, 3}, {{6, 12}, 4}, {{2, 12}, 5}, {{3, 3}, 0}};
  problem.buffers[4].lifespan = {0, 20};
  SECTION("as it is") {
    const LastingStack stack = stack_of(problem);
    CHECK(vector_of(stack.stacked()) == Numbers{3, 0});
    CHECK(vector_of(stack.others()) == Numbers{1, 2});
    CHECK(stack.top() == 12);
    CHECK(vector_of(stack.raise_others(
              list_of<std::int64_t>({3, 0, 10, 14, 16}))) == Offsets{12, 15});
    CHECK(vector_of(stack.join(list_of<std::int64_t>({12, 13}))) ==
          Offsets{5, 12, 13, 0, 0});
    CHECK(vector_of(stack.join_core(list_of<Index>({1}))) == Numbers{0, 2, 3});
  }
  SECTION("touching is not meeting") {
    problem.buffers[0].lifespan.upper = 6;
    CHECK(stacked(problem) == Numbers{3});
  }
  SECTION("nobody else has bytes") {
    problem.buffers[1].size = problem.buffers[2].size = 0;
    CHECK(stacked(problem).empty());
  }
  SECTION("the lowest address is one for all with bytes") {
    problem.base = 6;
    problem.buffers[3].size = 9;
    problem.buffers[1].alignment = 3;
    CHECK(stacked(problem) == Numbers{3});
    problem.base = 7;
    CHECK(stacked(problem).empty());
    problem.alignment = 3;
    problem.buffers[4].alignment = 15;
    CHECK(stacked(problem).empty());
    problem.buffers[4].alignment = 9;
    problem.base = 8;
    const LastingStack stack = stack_of(problem);
    CHECK(vector_of(stack.stacked()) == Numbers{3});
    CHECK(stack.top() == 18);
    CHECK(vector_of(stack.join(list_of<std::int64_t>({18, 27, 27}))) ==
          Offsets{18, 27, 27, 9, 9});
  }
  SECTION("sizes that are on no grid, but one is spared") {
    problem.alignment = 4;
    CHECK(stacked(problem) == Numbers{0});
    CHECK(stack_of(problem).top() == 8);
    CHECK(vector_of(stack_of(problem).join_core(list_of<Index>({0}))) ==
          Numbers{0, 1, 3});
  }
  SECTION("two grids") {
    problem.buffers[0].alignment = 2;
    problem.buffers[2].alignment = 5;
    CHECK(stacked(problem).empty());
    problem.buffers[0].size = 20;
    CHECK(stacked(problem) == Numbers{0});
  }
  SECTION("no number is a multiple of all alignments") {
    problem.buffers[1].alignment = std::int64_t{1} << 60;
    problem.buffers[2].alignment = 1000003;
    CHECK(LastingStack(flatten(problem)).stacked().empty());
  }
}

TEST_CASE("lasting: what constraints leave") {
  Problem<> problem;
  problem.buffers = {
      {{0, 10}, 7}, {{0, 4}, 3}, {{4, 10}, 4}, {{0, 10}, 5}, {{2, 8}, 6}};
  CHECK(stacked(problem) == Numbers{0, 3, 4});
  SECTION("fixed and reserved") {
    problem.buffers[1].offset = 20;
    CHECK(stacked(problem).empty());
    problem.buffers[1].offset.reset();
    problem.reserved = {{{50, 60}}};
    CHECK(stacked(problem).empty());
  }
  SECTION("pairs") {
    problem.apart = {{1, 2}};
    problem.may_overlap = {{3, 4}};
    CHECK(stacked(problem) == Numbers{0});
  }
  SECTION("ties in one piece and in two") {
    problem.aliases = {{4, 1, 3}};
    CHECK(stacked(problem) == Numbers{0, 3});
    problem.aliases = {{4, 1, 4}};
    CHECK(stacked(problem).empty());
  }
  SECTION("ends") {
    problem.buffers[1].end = End::kTop;
    CHECK(stacked(problem) == Numbers{0, 3, 4});
    problem.buffers[0].end = End::kTop;
    CHECK(stacked(problem) == Numbers{3, 4});
    problem.buffers[3].end = End::kBottom;
    CHECK(stacked(problem) == Numbers{3, 4});
    problem.alignment = 5;
    CHECK(stacked(problem) == Numbers{3});
  }
  SECTION("gaps: live as long, or met whole perhaps") {
    problem.buffers[1].gaps = {{{2, 3}, {}}};
    problem.buffers.push_back({{2, 3}, 1});
    problem.buffers[4].lifespan.lower = 0;
    CHECK(stacked(problem) == Numbers{0, 3, 4});
    problem.buffers[4].lifespan = {2, 5};
    CHECK(stacked(problem) == Numbers{0, 3});
  }
}

// Without bytes, at the end of the one that it is tied to, where x begins.
TEST_CASE("lasting: who is tied stays tied when others are raised") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 5}, {{0, 4}, 0}, {{0, 10}, 7}, {{4, 10}, 5}};
  problem.aliases = {{1, 0, 5}};
  const LastingStack stack = stack_of(problem);
  REQUIRE(vector_of(stack.stacked()) == Numbers{2});
  CHECK(vector_of(stack.raise_others(list_of<std::int64_t>({0, 5, 5, 0}))) ==
        Offsets{7, 12, 7});
}

// Any placement, with its stack at the bottom, is one, and no higher than before but
// for what the topmost one of the stack is rounded up by.
TEST_CASE("lasting: placements with the stack at the bottom") {
  Random random(31);
  std::size_t moved = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    Problem<> problem = draw_lasting(seed, /*is_free=*/true, random);
    if (!snug::check(problem).ok()) continue;
    const LastingStack stack = stack_of(problem);
    if (stack.empty()) continue;
    // With the stack as high as hints can bring it, or anywhere.
    for (const Index i : stack.stacked())
      problem.buffers[i].hint = random.between(std::int64_t{0}, stack.top());
    const std::int64_t capacity = 2 * minimize(problem).height;
    const auto placed = solve(problem, capacity);
    REQUIRE(placed.has_solution());
    const Offsets offsets =
        vector_of(stack.join(stack.raise_others(list_of(placed.offsets))));
    CAPTURE(seed);
    const std::int64_t height = height_of(problem, offsets);
    REQUIRE(validate_pairwise(problem, height, offsets).ok());
    REQUIRE(height < placed.height + 12);
    if (offsets != placed.offsets) ++moved;
  }
  CHECK(moved > at_least<std::size_t>(300));
}

TEST_CASE("lasting: the answers are those of the whole") {
  Random random(23);
  std::size_t used = 0;
  std::size_t with_constraints = 0;
  std::size_t spared = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    const bool is_free = random.between(0, 2) > 0;
    const Problem<> problem = draw_lasting(seed, is_free, random);
    if (!snug::check(problem).ok()) continue;
    const LastingStack stack = stack_of(problem);
    if (stack.empty()) continue;
    ++used;
    if (!problem.aliases.empty() || !problem.contiguous.empty() ||
        !problem.apart.empty() || !problem.may_overlap.empty())
      ++with_constraints;
    if (stack.join_core({}).size() > stack.stacked().size()) ++spared;
    CAPTURE(seed);
    const auto placed = minimize(problem);
    REQUIRE(placed.status == Status::kOptimal);
    const std::optional<std::int64_t> oracle =
        lowest_within(problem, placed.height);
    REQUIRE(oracle);
    REQUIRE(placed.height == *oracle);
    REQUIRE(validate(problem, *oracle, placed.offsets).ok());
    REQUIRE(solve(problem, *oracle).has_solution());
    if (*oracle == 0) continue;
    REQUIRE(solve(problem, *oracle - 1).status == Status::kInfeasible);
    if (*oracle >= stack.top() && stack.top() > 0)
      REQUIRE(solve(problem, stack.top() - 1).status == Status::kInfeasible);
    ++infeasible;
    const auto explanation = explain(problem, *oracle - 1);
    REQUIRE(!fits(problem, *oracle - 1, explanation.buffers));
  }
  CHECK(used > at_least<std::size_t>(1000));
  CHECK(with_constraints > at_least<std::size_t>(400));
  CHECK(spared > at_least<std::size_t>(50));
  CHECK(infeasible > at_least<std::size_t>(1000));
}

// Weights are live all the time, and a few activations at each time.
TEST_CASE("lasting: a thousand weights take no memory of a search") {
  Random random(5);
  Problem<> problem;
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t begin = random.between(0, 390);
    problem.buffers.push_back(
        {{begin, begin + random.between(1, 10)}, random.between(1, 1000)});
  }
  const auto alone = minimize(problem);
  std::int64_t weights = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t size = random.between(1, 100000);
    problem.buffers.push_back({{0, 400}, size});
    weights += size;
  }
  const auto placed = minimize(problem);
  REQUIRE(placed.status == Status::kOptimal);
  CHECK(placed.height == weights + alone.height);
  CHECK(placed.stats.nodes == alone.stats.nodes);
  CHECK(placed.stats.peak_bytes < std::size_t{4} << 20);
}

}  // namespace lasting_test
