// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/constrained_search.hpp"

#include "generate.hpp"
#include "random.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/solve.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace constrained_search_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::ConstrainedSearch;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Outcome;

using FlatModels = snug::detail::FlatModels<BothModels>;

constexpr std::int64_t kHigh = 18;

/// A problem that fits its capacity, half of which or more is fixed.
struct Torn {
  Problem<> problem{};
  std::int64_t capacity = 0;
};

/// Some buffers of which a placement with a twentieth to spare is known; four in
/// ten are fixed there.
Torn draw_torn(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Problem<> mirrored;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.between(0, 400);
    const int longest = random.between(0, 4) == 0 ? 200 : 40;
    const int largest = random.between(0, 3) == 0 ? 64 : 16;
    mirrored.buffers.push_back({{-begin - random.between(1, longest), -begin},
                                random.between(1, largest)});
  }
  Options options;
  options.node_limit = 20000;
  const Result<> placed = snug::minimize(mirrored, options);
  Torn torn;
  torn.capacity = placed.height + placed.height / 20;
  torn.problem = mirrored;
  for (std::size_t i = 0; i < count; ++i) {
    snug::Buffer<>& buffer = torn.problem.buffers[i];
    buffer.lifespan = {-buffer.lifespan.upper, -buffer.lifespan.lower};
    if (random.between(0, 9) < 4)
      buffer.offset = torn.capacity - placed.offsets[i] - buffer.size;
  }
  return torn;
}

}  // namespace

TEST_CASE("constrained search: as the oracle has it", "[constrained_search]") {
  std::size_t solved = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(700); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    CAPTURE(seed);
    const Options options;
    snug::Stats stats;
    Call call(options, stats);
    Flat flat = snug::detail::flatten(problem);
    std::int64_t ceiling = kHigh;
    ceiling = snug::detail::presolve(flat, ceiling);
    Found found;
    FlatModels models(flat);
    const Outcome outcome =
        ConstrainedSearch<BothModels>(models, ceiling, call).run(found);
    REQUIRE((outcome == Outcome::kPlacedAll) == lowest.has_value());
    if (lowest) {
      ++solved;
      REQUIRE(snug::validate(problem, kHigh, vector_of(found.offsets)).ok());
      REQUIRE(found.bound <= *lowest);
    }
    ceiling = lowest ? *lowest - 1 : kHigh;
    if (ceiling < 0) continue;
    Flat tight = snug::detail::flatten(problem);
    ceiling = snug::detail::presolve(tight, ceiling);
    Found none;
    ++refuted;
    FlatModels of_tight(tight);
    REQUIRE(ConstrainedSearch<BothModels>(of_tight, ceiling, call).run(none) ==
            Outcome::kRefuted);
  }
  CHECK(solved > at_least<std::size_t>(400));
  CHECK(refuted > at_least<std::size_t>(500));
}

TEST_CASE("constrained search: room that is torn by what is fixed",
          "[constrained_search]") {
  // Without walks 7 of them are solved and 6 come as low.
  std::size_t solved = 0;
  std::size_t lowered = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Torn torn = draw_torn(250, seed);
    CAPTURE(seed);
    Options options;
    options.node_limit = 40000;
    const Result<> placed = snug::solve(torn.problem, torn.capacity, options);
    REQUIRE(placed.status != Status::kInfeasible);
    if (placed.has_solution()) {
      ++solved;
      REQUIRE(snug::validate(torn.problem, torn.capacity, placed.offsets).ok());
    }
    const Result<> lowest = snug::minimize(torn.problem, options);
    REQUIRE(lowest.has_solution());
    REQUIRE(snug::validate(torn.problem, lowest.height, lowest.offsets).ok());
    REQUIRE(lowest.lower_bound <= torn.capacity);
    if (lowest.height <= torn.capacity) ++lowered;
  }
  CHECK(solved >= 11);
  CHECK(lowered == 12);
}

TEST_CASE("constrained search: mixed alignments", "[constrained_search]") {
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem<> problem = mixed_grids(100, 30, 1, seed);
    const std::int64_t capacity = snug::load(problem) * 108 / 100;
    Options options;
    options.node_limit = 30000;
    const Result<> result = snug::solve(problem, capacity, options);
    CAPTURE(seed);
    REQUIRE(result.status != Status::kInfeasible);
    if (!result.has_solution()) continue;
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
    ++placed;
  }
  // 19 of them; the search alone places 6.
  CHECK(placed >= 16);
}

TEST_CASE("constrained search: what the mirror image settles sooner",
          "[constrained_search]") {
  std::int64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto cut = snug::benchmarks::guillotine<>(100, 1000, 120, seed);
    snug::benchmarks::Random random(seed);
    for (std::size_t i = 0; i < cut.problem.buffers.size(); ++i)
      if (random.chance(20)) cut.problem.buffers[i].offset = cut.offsets[i];
    Options options;
    options.node_limit = 30000;
    const Result<> result = snug::solve(cut.problem, 1000, options);
    CAPTURE(seed);
    REQUIRE(result.has_solution());
    REQUIRE(snug::validate(cut.problem, 1000, result.offsets).ok());
    nodes += result.stats.nodes;
  }
  // Without the image, one of them is open then.
  CHECK(nodes < 10000);
}

TEST_CASE("constrained search: without buffers", "[constrained_search]") {
  Flat flat;
  flat.reserved = {{{2, 5}, {0, 1}}};
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  Found found;
  FlatModels models(flat);
  CHECK(ConstrainedSearch<BothModels>(models, 4, call).run(found) ==
        Outcome::kPlacedAll);
  CHECK(found.offsets.empty());
}

TEST_CASE("constrained search: stops at the node limit",
          "[constrained_search]") {
  const Torn torn = draw_torn(250, 1);
  Options options;
  options.node_limit = 3000;
  const Result<> stopped =
      snug::solve(torn.problem, torn.capacity / 2, options);
  CHECK(stopped.status != Status::kFeasible);
  CHECK(stopped.stats.nodes <= 3000);
}

}  // namespace constrained_search_test
