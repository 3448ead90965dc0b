// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/rounded_plain.hpp"

#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/plain.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rounded_plain_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::common_grid;
using snug::detail::Index;
using snug::detail::Plain;
using snug::detail::round_sizes;

/// A problem whose alignments are multiples of `grid`: mostly that or twice it, or in
/// every third twice and three times it, where nobody has the grid itself.
Problem<> draw(std::int64_t grid, std::size_t count, Random& random) {
  Problem<> problem;
  const bool has_grid = !random.chance(33);
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = random.between<std::int64_t>(0, 6);
    problem.buffers.push_back({{begin, begin + random.between(1, 5)},
                               random.between<std::int64_t>(1, 3 * grid)});
    const bool is_coarse = random.chance(has_grid ? 20 : 50);
    problem.buffers.back().alignment =
        grid * (has_grid ? 1 + is_coarse : 2 + is_coarse);
  }
  return problem;
}

/// Whether `offsets` are a placement below the capacity of a plain problem.
bool is_placement(const Plain& plain, std::int64_t capacity,
                  const std::vector<std::int64_t>& offsets) {
  for (Index i = 0; i < offsets.size(); ++i) {
    const std::int64_t end = offsets[i] + plain.buffers[i].size;
    if (end > capacity) return false;
    for (const snug::detail::Barred& barred : plain.barred_to(i))
      if (barred.lower < offsets[i] && offsets[i] < barred.upper) return false;
    for (const snug::detail::Obstacle& obstacle : plain.obstacles)
      if (obstacle.sections.overlaps(plain.spans[i]) &&
          obstacle.bytes.overlaps({offsets[i], end}))
        return false;
    for (Index k = 0; k < i; ++k)
      if (plain.spans[i].overlaps(plain.spans[k]) && offsets[k] < end &&
          offsets[i] < offsets[k] + plain.buffers[k].size)
        return false;
  }
  return true;
}

}  // namespace

TEST_CASE("rounded plain: the grid", "[rounded_plain]") {
  const auto grid_of = [](const std::vector<std::int64_t>& sizes,
                          const std::vector<std::int64_t>& alignments) {
    return common_grid(plain_of(live_together(sizes, alignments)));
  };
  CHECK(grid_of({}, {}) == 1);
  CHECK(grid_of({5, 7}, {1, 1}) == 1);
  CHECK(grid_of({5, 7}, {1, 4}) == 1);
  CHECK(grid_of({5, 7}, {4, 4}) == 4);
  CHECK(grid_of({5, 7}, {4, 6}) == 2);
  CHECK(grid_of({8, 12}, {4, 4}) == 1);
  CHECK(grid_of({8, 13}, {4, 8}) == 4);
  // Who has no bytes is not asked.
  CHECK(grid_of({5, 0}, {4, 1}) == 4);
}

TEST_CASE("rounded plain: it has the placements of the problem",
          "[rounded_plain]") {
  int beside_the_top = 0;
  const std::uint64_t seeds = effort(std::uint64_t{300});
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const std::int64_t grid = random.between<std::int64_t>(2, 5);
    const Plain plain = plain_of(draw(grid, 3, random));
    const std::int64_t step = common_grid(plain);
    if (step == 1) continue;
    for (std::int64_t capacity = 1; capacity < 6 * step; ++capacity) {
      std::int64_t below = capacity;
      const Plain rounded = round_sizes(plain, step, below, {});
      REQUIRE(below % step == 0);
      if (!rounded.barred.empty() && !rounded.obstacles.empty())
        ++beside_the_top;
      std::vector<std::int64_t> at(3, 0);
      for (at[0] = 0; at[0] <= below; at[0] += step)
        for (at[1] = 0; at[1] <= below; at[1] += step)
          for (at[2] = 0; at[2] <= below; at[2] += step) {
            CAPTURE(seed, capacity, at);
            SNUG_REQUIRE_OFTEN(is_placement(plain, capacity, at) ==
                               is_placement(rounded, below, at));
          }
    }
  }
  CHECK(beside_the_top > 0);
}

TEST_CASE("rounded plain: no search where rounded sizes are too much",
          "[rounded_plain]") {
  // Bounds by stacks would say so before, if they had the memory, or if the tables of
  // coarse alignments were not too large.
  Problem<> small;
  small.buffers = {{{0, 1}, 7, 8}, {{0, 1}, 5, 12}, {{0, 1}, 2, 8}};
  Options options;
  options.memory_limit = 0;
  CHECK(snug::solve(small, 15, options).status == Status::kInfeasible);
  const Result<> lowest = snug::minimize(small, options);
  CHECK(lowest.status == Status::kOptimal);
  CHECK(lowest.height == snug::minimize(small).height);

  constexpr std::int64_t kUnit = std::int64_t{1} << 30;
  Problem<> coarse;
  coarse.buffers = {{{7, 11}, 3 * kUnit, 6 * kUnit},
                    {{6, 8}, 3 * kUnit, 4 * kUnit}};
  CHECK(snug::solve(coarse, 6 * kUnit).status == Status::kInfeasible);
  CHECK(snug::minimize(coarse).height == 7 * kUnit);
}

TEST_CASE("rounded plain: searches agree with the oracle at each capacity",
          "[rounded_plain]") {
  std::size_t refuted = 0;
  const std::uint64_t seeds = effort(std::uint64_t{400});
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const std::int64_t grid = random.between<std::int64_t>(2, 4);
    const Problem<> problem =
        draw(grid, random.between(std::size_t{5}, std::size_t{9}), random);
    Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::int64_t lowest = oracle.lowest();
    CAPTURE(seed);
    REQUIRE(snug::minimize(problem).height == lowest);
    Options options;
    if (random.chance(50)) options.memory_limit = 0;
    for (std::int64_t capacity = lowest - 3; capacity < lowest + 3;
         ++capacity) {
      if (capacity < 0) continue;
      const Result<> result = snug::solve(problem, capacity, options);
      CAPTURE(capacity);
      REQUIRE(is_solved(result) == (capacity >= lowest));
      if (is_solved(result))
        REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
      else
        refuted += result.lower_bound > load_of(problem);
    }
  }
  CHECK(refuted > 0);
}

}  // namespace rounded_plain_test
