// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/bisection.hpp"

#include "generate.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/heights.hpp"
#include "snug/plan/lowest.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bisection_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::Bisection;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::FlatBuffer;
using snug::detail::FlatModels;
using snug::detail::FlatSearch;
using snug::detail::Found;
using snug::detail::Heights;
using snug::detail::List;

namespace {

Found stack(const Problem<>& problem) {
  Found found;
  found.offsets = list_of(one_on_the_other(problem));
  return found;
}

/// What it makes of such a stack, above the bound that is given.
Found lower(const Problem<>& problem, std::int64_t bound, std::int64_t unit,
            const Options& options, Stats& stats) {
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  FlatModels<BothModels> models(flat);
  Found found = stack(problem);
  const std::int64_t before = height_of(problem, vector_of(found.offsets));
  found.bound = bound;
  Bisection<BothModels, FlatSearch<BothModels>>(models, {unit, 0}, call)
      .run(found);
  const std::int64_t height = height_of(problem, vector_of(found.offsets));
  REQUIRE(height <= before);
  REQUIRE(found.bound >= bound);
  REQUIRE(snug::validate(problem, height, vector_of(found.offsets)).ok());
  return found;
}

}  // namespace

TEST_CASE("heights: what is worth trying", "[bisection]") {
  for (const Heights heights : {Heights{1, 0}, Heights{8, 0}, Heights{8, 3}})
    for (std::int64_t lower = 0; lower < 40; ++lower) {
      const std::int64_t above = heights.above(lower);
      CAPTURE(heights.unit, heights.origin, lower);
      CHECK(above > lower);
      CHECK(above <= lower + heights.unit);
      if (lower >= heights.origin)
        CHECK((above - heights.origin) % heights.unit == 0);
      for (std::int64_t upper = lower + heights.unit + 1; upper < 80; ++upper) {
        const std::int64_t halfway = heights.halfway(lower, upper);
        CAPTURE(upper, halfway);
        CHECK(lower < halfway);
        CHECK(halfway < upper);
        if (lower >= heights.origin)
          CHECK((halfway - heights.origin) % heights.unit == 0);
        CHECK_FALSE(heights.are_close(lower, upper));
      }
      CHECK(heights.are_close(lower, lower + heights.unit));
    }
  CHECK(Heights{1, 0}.are_close(25500, 25599));
  CHECK_FALSE(Heights{1, 0}.are_close(25500, 25800));
}

TEST_CASE("heights: halves come close to what can be placed", "[bisection]") {
  const List<FlatBuffer> buffers(1);
  for (const std::int64_t lowest : {100, 101, 137, 500, 999, 1000}) {
    Stats stats;
    const Options options;
    Call call(options, stats);
    Found found;
    found.bound = 100;
    found.offsets = {1000};
    std::vector<std::int64_t> tried;
    snug::detail::bisect(buffers, {1, 0}, call, found,
                         [&](std::int64_t capacity) {
                           tried.push_back(capacity);
                           if (capacity < lowest) return false;
                           found.offsets = {capacity};
                           return true;
                         });
    CAPTURE(lowest, tried);
    CHECK(found.offsets[0] >= lowest);
    CHECK(found.offsets[0] - lowest <= 1000 / 256);
    CHECK(found.bound == 100);
    CHECK(tried.size() <= 10);
  }
}

TEST_CASE("bisection: what it knows is so", "[bisection]") {
  std::size_t lowest = 0;
  std::size_t all = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    Problem<> problem = mixed_grids(12, 4, 1, seed);
    if (seed % 3 == 0)
      for (auto& buffer : problem.buffers) buffer.alignment = 1;
    if (seed % 2 == 0) problem.apart = {{0, 11}, {1, 10}, {2, 9}};
    CAPTURE(seed);
    const snug::Result<> best = snug::minimize(problem);
    REQUIRE(best.height == best.lower_bound);
    Stats stats;
    const Options options;
    const std::int64_t bound = snug::load(problem);
    const Found found = lower(problem, bound, 1, options, stats);
    REQUIRE(found.bound <= best.height);
    if (found.bound > bound) ++refuted;
    ++all;
    if (height_of(problem, vector_of(found.offsets)) == best.height) ++lowest;
  }
  CAPTURE(lowest, refuted, all);
  CHECK(lowest * 2 >= all);
  CHECK(refuted > 0);
}

TEST_CASE("bisection: lower than one on top of the other, within its nodes",
          "[bisection]") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Problem<> problem = mixed_grids(120, 40, 64, seed);
    const std::int64_t load = snug::load(problem);
    Options options;
    Stats stats;
    CAPTURE(seed);
    const Found found = lower(problem, load, 64, options, stats);
    CHECK(height_of(problem, vector_of(found.offsets)) * 100 < load * 112);
    // Eight halvings each, of searches and of walks twice as long.
    CHECK(stats.nodes <= 120 * (4 + 16) * 3 * 10);
    options.node_limit = 500;
    Stats few;
    (void)lower(problem, load, 64, options, few);
    CHECK(few.nodes <= options.node_limit);
  }
}

TEST_CASE("bisection: nothing to win, nothing done", "[bisection]") {
  const Problem<> problem = mixed_grids(30, 10, 16, 1);
  const std::int64_t height =
      height_of(problem, vector_of(stack(problem).offsets));
  Stats stats;
  const Options options;
  (void)lower(problem, height, 16, options, stats);
  CHECK(stats.nodes == 0);
}

// Half of the buffers are tied to one that they do not meet: what is far above the
// load is close to the lowest height.
TEST_CASE("halves: ties that tear", "[bisection]") {
  std::int64_t heights = 0;
  std::int64_t loads = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    if (!is_due(seed)) continue;
    Random random(seed);
    snug::benchmarks::TightWalk walk;
    walk.units = 1024;
    walk.live = 24;
    walk.steps = 100;
    Problem<> problem = snug::benchmarks::tight_walk<>(walk, seed);
    const std::size_t last = problem.buffers.size() - 1;
    std::vector<bool> is_tied(problem.buffers.size(), false);
    for (std::size_t k = 0; k < problem.buffers.size(); ++k) {
      const auto a = random.between(std::size_t{0}, last);
      const auto b = random.between(std::size_t{0}, last);
      if (is_tied[a] || is_tied[b] ||
          problem.buffers[a].lifespan.overlaps(problem.buffers[b].lifespan))
        continue;
      is_tied[a] = is_tied[b] = true;
      problem.aliases.push_back({a, b, 0});
    }
    CAPTURE(seed);
    Options options;
    options.node_limit = 60000;
    const snug::Result<> result = snug::minimize(problem, options);
    REQUIRE(snug::validate(problem, result.height, result.offsets).ok());
    heights += result.height;
    loads += snug::load(problem);
  }
  CAPTURE(heights, loads);
  // The ladder alone comes to 45 % above the loads.
  CHECK(heights * 100 < loads * 138);
}

}  // namespace bisection_test
