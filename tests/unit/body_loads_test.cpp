// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_loads.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/normal/flat.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace body_loads_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::BodyBuilder;
using snug::detail::BodyLoads;

Bodies bodies_of(const Problem<>& problem) {
  return BodyBuilder(snug::detail::flatten(problem))
      .build(snug::detail::CliqueScope::kNone);
}

std::int64_t bound_of(const Problem<>& problem) {
  const Bodies bodies = bodies_of(problem);
  return BodyLoads(bodies).bound() * bodies.unit;
}

}  // namespace

TEST_CASE("body loads: what is counted") {
  Problem<> problem;
  // Three sections: {0, 1}, {0, 2, 3}, {4}; buffer 5 is fixed.
  problem.buffers.push_back({{0, 4}, 1});
  problem.buffers.push_back({{0, 2}, 2});
  problem.buffers.push_back({{2, 4}, 3});
  problem.buffers.push_back({{2, 3}, 4});
  problem.buffers.push_back({{5, 6}, 5});
  problem.buffers.push_back({{0, 6}, 6});
  problem.buffers[5].offset = 0;
  CHECK(snug::detail::count_meetings(bodies_of(problem)) == 6);
  Problem<> with_more = problem;
  for (const std::int64_t offset : {10, 20}) {
    with_more.buffers.push_back({{0, 6}, 6});
    with_more.buffers.back().offset = offset;
  }
  // Four pairs, and half of the fifteen with a fixed one.
  CHECK(snug::detail::count_meetings(bodies_of(with_more)) == 11);
  CHECK(bound_of(problem) == 14);
  problem.may_overlap.push_back({3, 1});  // They never meet.
  CHECK(bound_of(problem) == 14);
  problem.may_overlap.push_back({2, 3});
  CHECK(bound_of(problem) == 11);
  SECTION("of tied buffers the first one, where both are live") {
    problem.may_overlap.clear();
    problem.aliases.push_back({3, 2, 0});
    CHECK(bound_of(problem) == 11);
  }
  SECTION("tied buffers, one after the other") {
    problem.may_overlap.clear();
    problem.aliases.push_back({2, 1, 0});
    CHECK(bound_of(problem) == 14);
  }
  SECTION("who may overlap what is fixed needs no other bytes") {
    problem.may_overlap = {{2, 5}, {3, 5}};
    CHECK(bound_of(problem) == 11);
  }
}

TEST_CASE("body loads: beside what is fixed") {
  // 4 bytes beside [3, 6): see the picture in body_loads.hpp.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2}, {{0, 2}, 2}, {{0, 2}, 3}};
  problem.buffers[2].offset = 3;
  CHECK(bound_of(problem) == 7);
  problem.base = 1;
  CHECK(bound_of(problem) == 8);
  SECTION("two of them in a row") {
    problem.reserved.push_back({{6, 8}, {}});
    CHECK(bound_of(problem) == 10);
    // At another time.
    problem.reserved.back().lifespan = snug::Interval<std::int64_t>{2, 3};
    CHECK(bound_of(problem) == 8);
  }
  SECTION("reserved below others") {
    problem.reserved.push_back({{2, 7}, {}});
    CHECK(bound_of(problem) == 10);
  }
  SECTION("above all else") {
    problem.reserved.push_back({{9, 12}, {}});
    CHECK(bound_of(problem) == 8);
  }
}

TEST_CASE("body loads: what is enough leaves room for a period of all grids") {
  // Offsets repeat at multiples of 77 and no sooner, so for each of both bodies a
  // period is added to its size.
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3, 7}, {{0, 1}, 1, 11}};
  CHECK(snug::detail::sufficient_capacity(bodies_of(problem), 0) ==
        3 + 1 + 2 * 77);
  // One that is fixed is below all that is added.
  problem.buffers[0].offset = 14;
  CHECK(snug::detail::sufficient_capacity(bodies_of(problem), 0) ==
        17 + 1 + 11);
}

TEST_CASE("body loads: no placement is lower") {
  std::size_t tight = 0;
  std::size_t beside = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, 18);
    if (!lowest) continue;
    CAPTURE(seed);
    const std::int64_t bound = bound_of(problem);
    REQUIRE(bound <= *lowest);
    if (bound == *lowest) ++tight;
    Problem<> open = problem;
    open.reserved.clear();
    for (auto& buffer : open.buffers) buffer.offset = {};
    if (bound == *lowest && bound_of(open) < bound) ++beside;
  }
  CHECK(tight > at_least<std::size_t>(500));
  CHECK(beside > at_least<std::size_t>(50));
}

// To find a buffer among those that are tied to it takes no look at all of
// them, and to find what two share no look at all pairs of their slabs.
TEST_CASE("body loads: very many who may overlap take little time") {
  const auto count = effort(std::size_t{100000});
  const auto last = static_cast<std::int64_t>(count);
  Problem<> problem;
  for (std::int64_t k = 0; k < last; ++k)
    problem.buffers.push_back({{k, k + 1}, 1});
  for (std::size_t k = 1; k < count; ++k)
    problem.aliases.push_back({k, k - 1, 0});
  for (std::size_t k = 0; k < count; ++k) {
    problem.buffers.push_back({problem.buffers[k].lifespan, 3});
    problem.may_overlap.push_back({k, count + k});
  }
  const CpuTimer timer;
  CHECK(bound_of(problem) == 3);
  problem = {};
  problem.buffers = {{{0, 2 * last}, 4}, {{0, 2 * last}, 5}};
  for (std::int64_t k = 0; k < last; ++k)
    for (const std::size_t i : {0U, 1U})
      problem.buffers[i].gaps.push_back(
          {{2 * k, 2 * k + 1}, snug::Interval<std::int64_t>{0, 2}});
  problem.may_overlap.push_back({0, 1});
  CHECK(bound_of(problem) == 5);
  CHECK(timer.seconds() < 10);
}

TEST_CASE("body loads: who may overlap takes off where these two are live") {
  // Two bodies of two buffers each; the first ones may overlap, the others not.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{2, 4}, 4}, {{0, 2}, 3}, {{2, 4}, 3}};
  problem.aliases = {{1, 0, 0}, {3, 2, 0}};
  problem.may_overlap = {{0, 2}};
  CHECK(bound_of(problem) == 7);
  problem.may_overlap.push_back({1, 3});
  CHECK(bound_of(problem) == 4);
}

TEST_CASE(
    "body loads: what is tied to one that may overlap takes off nothing") {
  // 2 lies on top of 1, and 0 may overlap 1 alone.
  Problem<> problem;
  problem.buffers = {
      {{1, 2}, 6}, {{0, 2}, 3}, {{1, 2}, 2}, {{0, 2}, 10}, {{0, 1}, 1}};
  problem.aliases = {{2, 1, 3}};
  CHECK(bound_of(problem) == 19);
  problem.may_overlap = {{0, 1}};
  CHECK(bound_of(problem) == 16);
}

}  // namespace body_loads_test
