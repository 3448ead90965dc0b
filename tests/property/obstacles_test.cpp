// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fixed buffers, reserved ranges and gaps among pairs kept apart, against
/// exhaustive search: what the plain search makes of obstacles and of pairs that
/// stand for gaps, and bodies of cliques of those that meet whole.
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace obstacles_test {

namespace {

using namespace snug::testing;
using snug::Buffer;
using snug::Gap;
using snug::Interval;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Tuning;

constexpr std::int64_t kHeadroom = 14;

void add_gap(Buffer<>& buffer, Random& random) {
  const Interval<std::int64_t> life{buffer.lifespan.lower,
                                    buffer.lifespan.upper};
  if (life.upper - life.lower < 3 || buffer.size < 2) return;
  Gap<> gap;
  gap.lifespan.lower = random.between(life.lower + 1, life.upper - 2);
  gap.lifespan.upper = random.between(gap.lifespan.lower + 1, life.upper - 1);
  if (random.chance(50)) {
    const std::int64_t lower = random.between(std::int64_t{0}, buffer.size - 1);
    gap.window =
        Interval<std::int64_t>{lower, random.between(lower + 1, buffer.size)};
  }
  buffer.gaps.push_back(gap);
}

Problem<> buffers_and_pairs(Random& random) {
  Problem<> problem;
  const auto n = random.between(std::size_t{4}, std::size_t{6});
  const std::int64_t end = random.between(3, 6);
  const std::int64_t largest = random.between(2, 5);
  const bool aligned = random.chance(50);
  for (std::size_t i = 0; i < n; ++i) {
    Buffer<> buffer;
    buffer.lifespan.lower = random.between(std::int64_t{0}, end - 1);
    buffer.lifespan.upper = random.between(buffer.lifespan.lower + 1, end);
    buffer.size =
        random.chance(10) ? 0 : random.between(std::int64_t{1}, largest);
    if (aligned && random.chance(30)) buffer.alignment = random.between(2, 4);
    problem.buffers.push_back(buffer);
  }
  if (random.chance(25)) problem.base = random.between(1, 3);
  if (random.chance(15)) problem.alignment = 2;
  for (int pairs = random.between(0, 4); pairs > 0; --pairs) {
    const std::size_t a = random.between(std::size_t{0}, n - 1);
    const std::size_t b = random.between(std::size_t{0}, n - 1);
    if (a != b) problem.apart.push_back({a, b});
  }
  return problem;
}

void add_obstacles(Problem<>& problem, Random& random) {
  const std::int64_t load = load_of(problem);
  for (Buffer<>& buffer : problem.buffers) {
    if (!random.chance(25)) continue;
    buffer.offset = random.between(std::int64_t{0}, load + 2);
    if (random.chance(25)) add_gap(buffer, random);
  }
  for (int ranges = random.between(0, 2); ranges > 0; --ranges) {
    snug::Reserved<> reserved;
    reserved.bytes.lower = random.between(std::int64_t{0}, load + 3);
    reserved.bytes.upper = reserved.bytes.lower + random.between(1, 3);
    if (random.chance(60)) {
      const std::int64_t lower = random.between(0, 4);
      reserved.lifespan = {lower, random.between(lower + 1, std::int64_t{6})};
    }
    problem.reserved.push_back(reserved);
  }
}

/// Rules at random, or the defaults.
Tuning any_tuning(Random& random) {
  Tuning tuning;
  if (random.chance(50)) return tuning;
  snug::Rules& rules = tuning.rules;
  for (bool* const rule :
       {&rules.section_inference, &rules.no_hurt_placement,
        &rules.abandoned_slot, &rules.twins, &rules.failed_states,
        &rules.conflict_sets, &rules.decomposition, &rules.failure_weights,
        &rules.restarts})
    *rule = !random.chance(20);
  return tuning;
}

/// Compares what solve() and minimize() say with the truth. Returns whether the
/// problem was well formed.
bool agrees_with_oracle(const Problem<>& problem, Random& random) {
  if (!snug::check(problem).ok()) return false;
  const std::int64_t limit = 2 * load_of(problem) + kHeadroom;
  const auto lowest = lowest_within(problem, limit);
  const Tuning tuning = any_tuning(random);
  Options options;
  options.tuning = &tuning;
  const std::int64_t first = lowest.value_or(limit);
  for (const std::int64_t capacity : {first - 1, first}) {
    if (capacity < 0) continue;
    const Result<> result = snug::solve(problem, capacity, options);
    CAPTURE(capacity);
    if (lowest && capacity >= *lowest) {
      REQUIRE(result.has_solution());
      REQUIRE(validate_pairwise(problem, capacity, result.offsets).ok());
    } else {
      REQUIRE(result.status == Status::kInfeasible);
    }
  }
  if (!lowest) return true;
  const Result<> best = snug::minimize(problem, options);
  REQUIRE(best.has_solution());
  REQUIRE(validate_pairwise(problem, best.height, best.offsets).ok());
  REQUIRE(best.height == *lowest);
  REQUIRE(best.lower_bound == *lowest);
  return true;
}

}  // namespace

TEST_CASE("obstacles: fixed and reserved bytes, pairs and alignments") {
  int formed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(12000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem = buffers_and_pairs(random);
    add_obstacles(problem, random);
    formed += agrees_with_oracle(problem, random) ? 1 : 0;
  }
  REQUIRE(formed > at_least<int>(6000));
}

TEST_CASE("gaps as pairs: with and without windows, among what is fixed") {
  int formed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(10000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem = buffers_and_pairs(random);
    for (Buffer<>& buffer : problem.buffers)
      if (random.chance(50)) add_gap(buffer, random);
    const bool all_windows = random.chance(50);
    for (Buffer<>& buffer : problem.buffers)
      for (Gap<>& gap : buffer.gaps)
        if (!all_windows) gap.window.reset();
    if (random.chance(30))
      for (Buffer<>& buffer : problem.buffers) {
        if (!random.chance(25)) continue;
        buffer.offset = random.between(0, 8);
        buffer.gaps.clear();
      }
    if (random.chance(30)) {
      const std::int64_t lower = random.between(0, 6);
      problem.reserved.push_back({{lower, lower + 2}, {}});
    }
    formed += agrees_with_oracle(problem, random) ? 1 : 0;
  }
  REQUIRE(formed > at_least<int>(5000));
}

}  // namespace obstacles_test
