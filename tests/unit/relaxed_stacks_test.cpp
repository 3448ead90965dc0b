// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/relaxed_stacks.hpp"

#include "snug/bounds/aligned_stack.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/relaxed_load.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace relaxed_stacks_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Stats;
using snug::Status;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::kMostStackSteps;
using snug::detail::RelaxedStacks;

namespace {

/// Nearly all live at one time, on grids of up to 8, with some constraints.
Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (std::size_t n = random.between<std::size_t>(2, 5); n > 0; --n) {
    const std::int64_t begin = random.between(0, 2);
    snug::Buffer<> buffer{{begin, random.between(begin + 1, begin + 4)},
                          random.between(1, 7)};
    buffer.alignment = std::int64_t{1} << random.below(4);
    problem.buffers.push_back(buffer);
  }
  for (int k = random.between(1, 3); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  return problem;
}

/// Twelve at one time that need padding, and one or two far away in time.
Problem<> crowd(std::size_t far) {
  Problem<> problem;
  Random random(5);
  constexpr std::int64_t kAlignments[] = {2, 32, 128, 512};
  for (std::size_t k = 0; k < 12; ++k) {
    problem.buffers.push_back({{0, 1}, 2 * random.between(1, 2000)});
    problem.buffers.back().alignment = kAlignments[k % 4];
  }
  for (std::size_t k = 0; k < far; ++k) problem.buffers.push_back({{5, 6}, 2});
  return problem;
}

}  // namespace

TEST_CASE("relaxed stacks: no placement is lower, as the oracle has it",
          "[relaxed_stacks]") {
  constexpr std::int64_t kHigh = 40;
  std::size_t compared = 0;
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(4000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    for (const bool is_presolved : {false, true}) {
      Flat flat = snug::detail::flatten(problem);
      std::int64_t ceiling = kHigh;
      if (is_presolved) ceiling = snug::detail::presolve(flat, ceiling);
      if (!RelaxedStacks::suits(flat)) continue;
      const Options options;
      Stats stats;
      Call call(options, stats);
      RelaxedStacks stacks(flat, call);
      const std::int64_t bound = stacks.raise(0, kHigh, kMostStackSteps, call);
      REQUIRE(bound <= *lowest);
      ++compared;
      if (bound == *lowest && bound > snug::load(problem)) ++exact;
    }
  }
  CHECK(compared > at_least<std::size_t>(3000));
  CHECK(exact > at_least<std::size_t>(100));
}

TEST_CASE("relaxed stacks: of free buffers on several grids",
          "[relaxed_stacks]") {
  Problem<> problem = crowd(0);
  CHECK(RelaxedStacks::suits(snug::detail::flatten(problem)));
  for (std::size_t k = 1; k < problem.buffers.size(); ++k)
    problem.buffers[k].alignment = 32;
  problem.buffers[0].size = 0;
  CHECK_FALSE(RelaxedStacks::suits(snug::detail::flatten(problem)));
  problem.buffers[0].size = 2;
  CHECK(RelaxedStacks::suits(snug::detail::flatten(problem)));
  problem.buffers[0].offset = 0;
  CHECK_FALSE(RelaxedStacks::suits(snug::detail::flatten(problem)));
}

TEST_CASE(
    "relaxed stacks: what is below a base between the grids is in no core",
    "[relaxed_stacks]") {
  Flat flat = snug::detail::flatten(crowd(0));
  const Options options;
  Stats stats;
  Call call(options, stats);
  const auto raise = [&](RelaxedStacks& stacks) {
    return stacks.raise(0, snug::detail::kMaxTotal, kMostStackSteps, call);
  };
  RelaxedStacks from_zero(flat, call);
  const std::int64_t height = raise(from_zero);
  for (const std::int64_t base : {512, 256}) {
    flat.base = base;
    RelaxedStacks stacks(flat, call);
    CHECK(raise(stacks) >= height);
    CHECK(raise(stacks) <= height + 512);
    CHECK(stacks.core() == snug::detail::numbers_below(12));
  }
}

TEST_CASE("relaxed stacks: at each capacity, those that are left",
          "[relaxed_stacks]") {
  // Two crowds, one after the other. The second one, which has more bytes and needs
  // no padding, is too high for a low capacity already.
  Problem<> problem = crowd(0);
  for (std::size_t k = 0; k < 12; ++k) {
    problem.buffers.push_back(problem.buffers[k]);
    problem.buffers.back().lifespan = {2, 3};
    problem.buffers.back().size += 2;
    problem.buffers.back().alignment = 2;
  }
  const Flat flat = snug::detail::flatten(problem);
  const Options options;
  Stats stats;
  Call call(options, stats);
  const std::int64_t most =
      RelaxedStacks(flat, call)
          .raise(0, snug::detail::kMaxTotal, kMostStackSteps, call);
  RelaxedStacks stacks(flat, call);
  const std::int64_t first = stacks.raise(0, 0, 0, call);
  CHECK(first > 0);
  CHECK(first < most);
  CHECK(stacks.raise(0, most, 0, call) == most);
  CHECK(stacks.core() == snug::detail::numbers_below(12));
}

TEST_CASE(
    "relaxed stacks: a vacuous constraint does not hide what does not fit",
    "[relaxed_stacks]") {
  const std::int64_t height = snug::minimize(crowd(0)).height;
  Options options;
  options.node_limit = 10;
  const auto is_refuted = [&](const Problem<>& problem) {
    const Result<> result = snug::solve(problem, height - 1, options);
    return result.status == Status::kInfeasible && result.lower_bound == height;
  };
  REQUIRE(height > snug::load(crowd(0)));
  CHECK(is_refuted(crowd(0)));
  Problem<> problem = crowd(1);
  problem.aliases = {{12, 0, 0}};
  CHECK(is_refuted(problem));
  problem = crowd(1);
  problem.buffers[0].end = snug::End::kTop;
  problem.buffers[12].end = snug::End::kBottom;
  CHECK(is_refuted(problem));
  problem = crowd(1);
  problem.buffers[12].lifespan = {0, 6};
  problem.buffers[12].gaps.push_back({{0, 5}, {}});
  CHECK(is_refuted(problem));
  problem = crowd(2);
  problem.may_overlap = {{12, 13}};
  CHECK(is_refuted(problem));
}

TEST_CASE("relaxed stacks: a lowest placement is not below the highest of them",
          "[relaxed_stacks]") {
  // Of several at one time, which refute nothing by themselves but are far above what
  // their loads need: with and without a pair, that is known at once.
  std::size_t higher = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem;
    constexpr std::int64_t kAlignments[] = {2, 32, 128, 512};
    for (std::size_t k = 0; k < 30; ++k) {
      const std::int64_t begin = random.between(0, 9);
      problem.buffers.push_back(
          {{begin, begin + random.between(2, 6)}, 2 * random.between(1, 900)});
      problem.buffers.back().alignment = kAlignments[random.below(4)];
    }
    for (const bool is_tied : {false, true}) {
      if (is_tied) problem.aliases.push_back({0, 1, 512});
      const Flat flat = snug::detail::flatten(problem);
      Options options;
      Stats stats;
      Call call(options, stats);
      const std::int64_t most =
          RelaxedStacks(flat, call).raise(0, snug::detail::kMaxTotal, 0, call);
      // Too few for the ladder to climb from one that refutes to the next.
      options.node_limit = 1;
      const Result<> lowest = snug::minimize(problem, options);
      CHECK(lowest.lower_bound >= most);
      if (most > snug::detail::relaxed_load(flat, call)) ++higher;
    }
  }
  CHECK(higher > 10);
}

}  // namespace relaxed_stacks_test
