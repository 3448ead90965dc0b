// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/walk_down.hpp"

#include "generate.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace walk_down_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::WalkDown;

Found stack(const Problem<>& problem) {
  Found found;
  found.offsets = list_of(one_on_the_other(problem));
  return found;
}

std::int64_t height_of(const Problem<>& problem, const Found& found) {
  return snug::testing::height_of(problem, vector_of(found.offsets));
}

/// The placement in `found` after a walk down, which must be valid. Returns its
/// height.
std::int64_t walk_down(const Problem<>& problem, std::int64_t unit, Call& call,
                       Found& found) {
  const std::int64_t before = height_of(problem, found);
  const std::int64_t bound = found.bound;
  const Flat flat = snug::detail::flatten(problem);
  snug::detail::FlatModels<BothModels> models(flat);
  WalkDown(models, {unit, 0}, call).run(0, found);
  const std::int64_t height = height_of(problem, found);
  CHECK(height <= before);
  CHECK(found.bound == bound);
  REQUIRE(snug::validate(problem, height, vector_of(found.offsets)).ok());
  return height;
}

}  // namespace

TEST_CASE("walk down: small problems", "[walk_down]") {
  // Those whose lowest height it comes to, of those that begin above it.
  std::size_t lowest = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    const Problem<> problem = mixed_grids(10, 3, 1, seed);
    const std::int64_t least = snug::minimize(problem).height;
    Found found = stack(problem);
    found.bound = seed % 2 == 0 ? least : snug::load(problem);
    if (height_of(problem, found) == least) continue;
    CAPTURE(seed);
    Stats stats;
    const Options options;
    Call call(options, stats);
    const std::int64_t height = walk_down(problem, 1, call, found);
    REQUIRE(height >= least);
    ++all;
    if (height == least) ++lowest;
  }
  CHECK(all > 0);
  CHECK(lowest * 3 >= all);
}

TEST_CASE("walk down: lower than the ladder comes", "[walk_down]") {
  std::int64_t walked = 0;
  std::int64_t minimized = 0;
  std::int64_t loads = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    if (!is_due(seed)) continue;
    const Problem<> problem = mixed_grids(240, 80, 64, seed);
    CAPTURE(seed);
    Found found = stack(problem);
    found.bound = snug::load(problem);
    loads += found.bound;
    Options options;
    options.node_limit = 10000;
    Stats stats;
    Call call(options, stats);
    walked += walk_down(problem, 64, call, found);
    CHECK(stats.nodes <= options.node_limit);
    minimized += snug::minimize(problem, options).height;
  }
  CAPTURE(loads, walked, minimized);
  // The ladder alone comes to 12 % above the loads.
  CHECK(walked * 100 < loads * 109);
  CHECK(minimized * 100 < loads * 109);
}

// Half of the buffers are tied to one that they do not meet: what is far above the
// load is close to the lowest height.
TEST_CASE("walk down: ties that tear", "[walk_down]") {
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

TEST_CASE("walk down: nothing to win, nothing done", "[walk_down]") {
  const Problem<> problem = mixed_grids(30, 10, 16, 1);
  Stats stats;
  const Options options;
  Call call(options, stats);
  Found found = stack(problem);
  found.bound = height_of(problem, found) - 16;
  (void)walk_down(problem, 16, call, found);
  CHECK(stats.nodes == 0);
  found.bound -= 1;
  (void)walk_down(problem, 16, call, found);
  CHECK(stats.nodes == 0);
}

TEST_CASE("walk down: from a height off the grid", "[walk_down]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 64}, {{0, 1}, 64}, {{1, 2}, 64}, {{1, 2}, 64}};
  problem.buffers[1].alignment = 128;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Found found;
    found.offsets = {138, 0, 138, 0};
    found.bound = 128;
    Options options;
    options.seed = seed;
    Stats stats;
    Call call(options, stats);
    CAPTURE(seed);
    CHECK(walk_down(problem, 64, call, found) <= 192);
  }
}

}  // namespace walk_down_test
