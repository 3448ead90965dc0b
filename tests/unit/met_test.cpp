// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/met.hpp"

#include "snug/load.hpp"
#include "snug/normal/flat.hpp"
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

namespace met_test {

namespace {

using namespace snug::testing;
using snug::Problem;
using snug::Status;
using snug::detail::flatten;
using snug::detail::Index;
using snug::detail::list_met;

using Numbers = std::vector<Index>;

Numbers met(const Problem<>& problem) {
  return vector_of(list_met(flatten(problem)));
}

}  // namespace

//   free     |--0--|
//   fixed    |--1--|--2--|--3--|--4--|--5--|
TEST_CASE("met: who is live together with a free buffer, or kept apart") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2},  {{0, 4}, 2},   {{4, 8}, 2},
                     {{8, 12}, 2}, {{12, 16}, 2}, {{16, 20}, 2}};
  for (std::size_t i = 1; i < 6; ++i) problem.buffers[i].offset = 2;
  SECTION("of the others the first of the highest") {
    CHECK(met(problem) == Numbers{0, 1, 2});
  }
  SECTION("of the others the highest") {
    problem.buffers[4].size = 3;
    CHECK(met(problem) == Numbers{0, 1, 4});
  }
  SECTION("kept apart from a free one") {
    problem.apart = {{3, 0}, {0, 5}};
    CHECK(met(problem) == Numbers{0, 1, 2, 3, 5});
  }
  SECTION("kept apart from each other") {
    problem.apart = {{3, 5}};
    CHECK(met(problem) == Numbers{0, 1, 2});
  }
  SECTION("tied to what is fixed") {
    problem.buffers[3].offset.reset();
    problem.aliases = {{3, 2, 0}};
    CHECK(met(problem) == Numbers{0, 1, 2});
  }
  SECTION("more than half are free") {
    for (const std::int64_t offset : {4, 6}) {
      problem.buffers.push_back(problem.buffers[5]);
      problem.buffers.back().offset = offset;
    }
    for (std::size_t i = 1; i < 5; ++i) problem.buffers[i].offset.reset();
    CHECK(met(problem) == Numbers{0, 1, 2, 3, 4, 5, 6, 7});
  }
  SECTION("nobody is free") {
    problem.buffers[0].offset = 0;
    problem.buffers[4].offset = 9;
    CHECK(met(problem) == Numbers{4});
  }
}

//   free     |--0--|--1--|--2--|
//   fixed                      |--3--|
TEST_CASE("met: what nobody meets goes if all that is left is free") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2}, {{4, 8}, 2}, {{8, 12}, 2}, {{12, 16}, 1}};
  problem.buffers[3].offset = 0;
  const auto free_of = [&] {
    return vector_of(snug::detail::list_free_if_alone(flatten(problem)));
  };
  CHECK(free_of() == Numbers{0, 1, 2});
  SECTION("kept apart from a free one") {
    problem.apart = {{3, 0}};
    CHECK(free_of().empty());
  }
  SECTION("live together with a free one") {
    problem.buffers[3].lifespan.lower = 11;
    CHECK(free_of().empty());
  }
  SECTION("another one is live together with a free one") {
    problem.buffers.push_back({{11, 16}, 1});
    problem.buffers[4].offset = 1;
    CHECK(free_of().empty());
  }
  SECTION("nothing is fixed") {
    problem.buffers[3].offset.reset();
    CHECK(free_of().empty());
  }
}

TEST_CASE("met: one that nobody meets costs no nodes and no height") {
  Random random(5);
  Problem<> problem;
  for (std::int64_t i = 0; i < 600; ++i)
    problem.buffers.push_back(
        {{i, i + random.between(1, 20)}, random.between(1, 1000)});
  const auto plain = minimize(problem);
  REQUIRE(plain.status == Status::kOptimal);
  problem.buffers.push_back({{700, 701}, 1});
  for (const std::int64_t offset : {0, 3, 100000}) {
    CAPTURE(offset);
    problem.buffers.back().offset = offset;
    const auto result = minimize(problem);
    REQUIRE(result.status == Status::kOptimal);
    CHECK(result.height == (std::max)(plain.height, offset + 1));
    CHECK(result.lower_bound == result.height);
    CHECK(result.offsets.back() == offset);
    if (offset < plain.height) CHECK(result.stats.nodes == plain.stats.nodes);
    CHECK(solve(problem, result.height).has_solution());
    CHECK(solve(problem, result.height - 1).status == Status::kInfeasible);
  }
}

TEST_CASE("met: the answers are those of the whole") {
  Random random(11);
  std::size_t left_out = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    Problem<> problem = draw_constrained(seed, 6);
    for (auto& buffer : problem.buffers) buffer.offset.reset();
    const auto placed = minimize(problem);
    if (placed.status != Status::kOptimal) continue;
    // One or two of the buffers move; with the others the whole is as low as it was.
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      problem.buffers[i].offset = placed.offsets[i];
    for (int k = random.between(1, 2); k > 0; --k) {
      auto& buffer = problem.buffers[random.between(
          std::size_t{0}, problem.buffers.size() - 1)];
      buffer.offset.reset();
      buffer.size += random.between(0, 2);
    }
    if (!snug::check(problem).ok()) continue;
    CAPTURE(seed);
    if (met(problem).size() <= problem.buffers.size() / 2) ++left_out;
    const std::optional<std::int64_t> oracle =
        lowest_within(problem, placed.height + 8);
    const auto lowest = minimize_within(problem, placed.height + 8);
    REQUIRE(lowest.status == (oracle ? Status::kOptimal : Status::kInfeasible));
    if (oracle) REQUIRE(lowest.height == *oracle);
    for (std::int64_t most = placed.height; most < placed.height + 4; ++most) {
      const auto result = solve(problem, most);
      CAPTURE(most);
      REQUIRE(result.status != Status::kUnknown);
      REQUIRE(result.has_solution() == (oracle && *oracle <= most));
      if (result.has_solution()) {
        REQUIRE(validate(problem, most, result.offsets).ok());
      } else {
        ++infeasible;
        REQUIRE(!fits(problem, most, explain(problem, most).buffers));
      }
    }
  }
  CHECK(left_out > at_least<std::size_t>(100));
  CHECK(infeasible > at_least<std::size_t>(200));
}

//    9 +-----+
//      |..0..|    0 is free, and may be there
//    5 +-----+
//      | 1-5 |
//    0 +-----+
TEST_CASE("met: a free one stays at its hint among fixed ones") {
  Problem<> problem;
  problem.buffers.assign(6, {{0, 4}, 1});
  problem.buffers[0].size = 2;
  problem.buffers[0].hint = 7;
  for (std::size_t i = 1; i < 6; ++i)
    problem.buffers[i].offset = static_cast<std::int64_t>(i) - 1;
  for (const bool has_gap : {false, true}) {
    if (has_gap) problem.buffers[1].gaps = {{{1, 2}}};
    const auto result = solve(problem, 10);
    REQUIRE(result.has_solution());
    CHECK(result.offsets == std::vector<std::int64_t>{7, 0, 1, 2, 3, 4});
    CHECK(result.moved.empty());
  }
}

//   12 +-----+- - -+-----+    3 is free, and too high for the holes below and
//      |  5  |     |     |    above 1
//    8 +-----+-----+     |
//      |  4  |  1  |  2  |
//    4 +-----+-----+     |
//      |  0  |     |     |
//    0 +-----+- - -+-----+
TEST_CASE("met: an explanation is of buffers of the whole") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 4}, {{4, 8}, 4}, {{8, 12}, 12}, {{4, 8}, 5}};
  problem.buffers.insert(problem.buffers.end(), 2, problem.buffers[0]);
  problem.buffers[0].offset = 0;
  problem.buffers[1].offset = 4;
  problem.buffers[2].offset = 0;
  problem.buffers[4].offset = 4;
  problem.buffers[5].offset = 8;
  CHECK(met(problem) == Numbers{1, 2, 3});
  const auto explanation = explain(problem, 12);
  REQUIRE(explanation.status == Status::kInfeasible);
  CHECK(explanation.buffers == std::vector<std::size_t>{1, 3});
}

// Of 300 000 buffers in 30 full rows ten move. A search of all takes 240 bytes a
// buffer, to check them 170.
TEST_CASE("met: a few buffers among many fixed ones") {
  constexpr std::int64_t kRows = 30;
  constexpr std::int64_t kBytes = 100;
  Problem<> problem;
  const auto count = effort(std::int64_t{300000});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = i / kRows * 7 + i % kRows;
    problem.buffers.push_back({{begin, begin + 7}, kBytes});
    problem.buffers.back().offset = i % kRows * kBytes;
  }
  for (std::size_t i = 0; i < 10; ++i)
    problem.buffers[problem.buffers.size() / 10 * i].offset.reset();
  const auto result = solve(problem, kRows * kBytes);
  REQUIRE(result.has_solution());
  CHECK(validate(problem, kRows * kBytes, result.offsets).ok());
  CHECK(result.lower_bound == kRows * kBytes);
  CHECK(result.stats.peak_bytes < 200 * problem.buffers.size());
}

}  // namespace met_test
