// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/aligned_load.hpp"

#include "snug/bounds/load.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/normal/plain.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/naive_dive.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace aligned_load_test {

using namespace snug::testing;

namespace {

template <class Size, class Time>
std::int64_t bound_of(const snug::Problem<Size, Time>& problem) {
  return snug::detail::aligned_load(plain_of(problem));
}

/// The bound by its definition: every alignment, at every start.
std::int64_t naive_bound(const snug::Problem<>& problem) {
  std::int64_t bound = 0;
  for (const auto& at : problem.buffers)
    for (const auto& unit : problem.buffers) {
      if (unit.size == 0) continue;
      std::int64_t sum = 0;
      std::int64_t largest = 0;
      for (const auto& one : problem.buffers) {
        if (one.lifespan.lower > at.lifespan.lower ||
            one.lifespan.upper <= at.lifespan.lower ||
            one.alignment % unit.alignment != 0 || one.size == 0)
          continue;
        const std::int64_t units =
            (one.size + unit.alignment - 1) / unit.alignment;
        sum += units * unit.alignment;
        largest = (std::max)(largest, units * unit.alignment - one.size);
      }
      bound = (std::max)(bound, sum - largest);
    }
  return (std::max)(bound, std::int64_t{snug::load(problem)});
}

/// Buffers whose alignments are among 1, 2, 4, 6 and 8.
snug::Problem<> draw_aligned(std::uint64_t seed, std::size_t most) {
  constexpr std::int64_t kAlignments[] = {1, 2, 4, 6, 8};
  Random random(seed);
  snug::Problem<> problem;
  const std::size_t count = random.between(std::size_t{1}, most);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t lower = random.between(std::int64_t{0}, std::int64_t{5});
    snug::Buffer<> buffer;
    buffer.lifespan = {
        lower, lower + random.between(std::int64_t{1}, std::int64_t{6})};
    buffer.size = random.between(std::int64_t{0}, std::int64_t{9});
    buffer.alignment =
        kAlignments[random.between(std::size_t{0}, std::size_t{4})];
    problem.buffers.push_back(buffer);
  }
  return problem;
}

}  // namespace

TEST_CASE("aligned load: without alignments, the load", "[bounds]") {
  snug::Problem<> problem;
  CHECK(bound_of(problem) == 0);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    problem = draw_any(seed, 40, false);
    CHECK(bound_of(problem) == snug::load(problem));
  }
}

TEST_CASE("aligned load: padding below all but one", "[bounds]") {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5, 8});
  problem.buffers.push_back({{0, 2}, 7, 8});
  problem.buffers.push_back({{1, 3}, 1, 16});
  problem.buffers.push_back({{1, 3}, 1, 1});
  // 8 + 8 + 8 less the padding of the last; the byte fits the padding.
  CHECK(bound_of(problem) == 17);
  CHECK(snug::minimize(problem).height == 17);
  CHECK(snug::solve(problem, 16).status == snug::Status::kInfeasible);
  CHECK(snug::solve(problem, 16).stats.nodes == 0);
  CHECK(is_solved(snug::solve(problem, 17)));
}

TEST_CASE("aligned load: never above the lowest height", "[bounds]") {
  int above_the_load = 0;
  int exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_aligned(seed, 6);
    const std::int64_t load = snug::load(problem);
    const std::int64_t bound = bound_of(problem);
    const std::int64_t lowest =
        Exhaustive<std::int64_t, std::int64_t>(problem).lowest();
    REQUIRE(bound <= lowest);
    REQUIRE(bound >= load);
    above_the_load += bound > load ? 1 : 0;
    exact += bound > load && bound == lowest ? 1 : 0;
    const snug::Result<> result = snug::minimize(problem);
    REQUIRE(is_solved(result));
    CHECK(result.height == lowest);
  }
  CHECK(above_the_load > at_least(250));
  CHECK(exact > at_least(200));
}

TEST_CASE("aligned load: by its definition", "[bounds]") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(500); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_aligned(seed, 30);
    CHECK(bound_of(problem) == naive_bound(problem));
  }
}

TEST_CASE("aligned load: a bound that the size type cannot hold", "[bounds]") {
  snug::Problem<std::int8_t, std::int8_t> problem;
  problem.buffers.push_back({{0, 2}, 3, 64});
  problem.buffers.push_back({{0, 2}, 3, 64});
  CHECK(bound_of(problem) == 67);
  problem.buffers.push_back({{1, 2}, 3, 64});
  CHECK(bound_of(problem) == 131);
  const auto result = snug::minimize(problem);
  CHECK(result.status == snug::Status::kInfeasible);
  CHECK(result.lower_bound == std::numeric_limits<std::int8_t>::max());
  CHECK(result.offsets.empty());
}

}  // namespace aligned_load_test
