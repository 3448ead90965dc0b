// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/coarse.hpp"

#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/plan.hpp"
#include "snug/solve.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coarse_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Stats;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Index;
using snug::detail::Outcome;

Flat flat_of(const std::vector<std::int64_t>& sizes,
             const std::vector<std::int64_t>& alignments) {
  return snug::detail::flatten(live_together(sizes, alignments));
}

std::int64_t grid_of(const std::vector<std::int64_t>& sizes,
                     const std::vector<std::int64_t>& alignments) {
  return snug::detail::coarse_grid(flat_of(sizes, alignments));
}

/// Sizes of some thousand bytes on grids of 16 to 256, or on one of 64.
Problem<> draw_fine(bool is_mixed, std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (int i = 0; i < 200; ++i) {
    const std::int64_t begin = random.between(0, 60);
    problem.buffers.push_back(
        {{begin, begin + random.between(1, 15)}, random.between(2000, 60000)});
    problem.buffers.back().alignment =
        is_mixed ? std::int64_t{16} << random.between(0, 4) : 64;
  }
  return problem;
}

}  // namespace

TEST_CASE("coarse: the grid", "[coarse]") {
  CHECK(grid_of({5, 7}, {1, 1}) == 1);
  CHECK(grid_of({5, 7}, {1, 4}) == 4);
  CHECK(grid_of({5, 7}, {4, 4}) == 4);
  CHECK(grid_of({5, 7}, {6, 3}) == 6);
  // One does not divide the other.
  CHECK(grid_of({5, 7}, {6, 4}) == 1);
  // The unit is the grid already.
  CHECK(grid_of({8, 24}, {1, 4}) == 1);
  CHECK(grid_of({16, 0}, {1, 16}) == 1);
  CHECK(grid_of({}, {}) == 1);
  // More than an integer holds, as buffers of different times may be together.
  CHECK(grid_of(std::vector<std::int64_t>(9, snug::detail::kMaxTotal),
                std::vector<std::int64_t>(9, 3)) == 1);
  // A few on a coarse grid are no reason to round up all others to that.
  std::vector<std::int64_t> sizes(20, 900);
  std::vector<std::int64_t> alignments(20, 16);
  alignments[0] = 1;
  alignments[1] = alignments[2] = 256;
  CHECK(grid_of(sizes, alignments) == 16);
  alignments[3] = 256;
  CHECK(grid_of(sizes, alignments) == 256);
  // Nor is the finest of several grids one, nor one that rounds nothing up.
  CHECK(grid_of({1001, 1001, 1001, 1001}, {16, 16, 16, 256}) == 256);
  CHECK(grid_of({1008, 1008, 1008, 1008}, {1, 16, 16, 256}) == 256);
  // Too coarse.
  CHECK(grid_of({5, 7}, {1, std::int64_t{1} << 30}) == std::int64_t{1} << 30);
  CHECK(grid_of({5, 7}, {1, std::int64_t{1} << 31}) == 1);
  // Too large: rounded up, they are more than kMaxTotal.
  CHECK(grid_of({snug::detail::kMaxTotal - 20, 7}, {1, 8}) == 1);
  CHECK(grid_of({snug::detail::kMaxTotal - 23, 7}, {1, 8}) == 8);
}

TEST_CASE("coarse: what is rounded, and how much", "[coarse]") {
  Flat flat = flat_of({5, 8, 0, 9, 9}, {1, 4, 2, 4, 1});
  flat.fixed = {Flat::kNone, Flat::kNone, Flat::kNone, 3, Flat::kNone};
  CHECK(snug::detail::coarse_grid(flat) == 4);
  Flat coarse = flat;
  snug::detail::coarsen(coarse, 4);
  const std::int64_t sizes[] = {8, 8, 0, 9, 12};
  const std::int64_t alignments[] = {4, 4, 2, 4, 4};
  for (Index i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(coarse.buffers[i].size == sizes[i]);
    CHECK(coarse.buffers[i].alignment == alignments[i]);
    CHECK(coarse.buffers[i].lifespan == flat.buffers[i].lifespan);
  }
  Flat half = flat;
  snug::detail::coarsen(half, 2);
  const std::int64_t half_sizes[] = {6, 8, 0, 9, 10};
  const std::int64_t half_alignments[] = {2, 4, 2, 4, 2};
  for (Index i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(half.buffers[i].size == half_sizes[i]);
    CHECK(half.buffers[i].alignment == half_alignments[i]);
  }
  // Who has no bytes keeps its grid, whatever that is.
  Flat empty = flat_of({5, 8, 0}, {1, 4, 3});
  CHECK(snug::detail::coarse_grid(empty) == 4);
  snug::detail::coarsen(empty, 4);
  CHECK(empty.buffers[2].alignment == 3);
  CHECK(snug::detail::coarse_grid(flat_of({8, 8, 0}, {4, 4, 64})) == 1);
  // Ties ask for differences that may be off the grid.
  flat.root = {0, 0, 2, 3, 4};
  CHECK(snug::detail::coarse_grid(flat) == 1);
  CHECK(snug::detail::is_nearly_coarse(flat_of({635, 5}, {4, 4}), 4) == true);
  CHECK(snug::detail::is_nearly_coarse(flat_of({63, 65}, {4, 4}), 4) == false);
  CHECK(snug::detail::is_nearly_coarse(flat_of({64, 64}, {4, 4}), 1) == false);
  CHECK(snug::detail::is_nearly_coarse(flat_of({635, 5}, {4, 8}), 4) == false);
  // Who is fixed has no alignment in anybody's way.
  Flat beside_fixed = flat_of({635, 5}, {4, 8});
  beside_fixed.fixed = {Flat::kNone, 640};
  CHECK(snug::detail::is_nearly_coarse(beside_fixed, 4) == true);
}

TEST_CASE("coarse: a placement is one of the problem", "[coarse]") {
  std::size_t placed = 0;
  constexpr std::int64_t kEnough = 200;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    Problem<> problem = draw_constrained(seed, 8);
    for (auto& buffer : problem.buffers) buffer.hint = {};
    const Flat flat = snug::detail::flatten(problem);
    if (snug::detail::coarse_grid(flat) == 1) continue;
    // On any grid that it might choose.
    for (const std::int64_t grid : snug::detail::list_alignments(flat)) {
      Flat coarse = flat;
      snug::detail::coarsen(coarse, grid);
      Stats stats;
      const Options options;
      Call call(options, stats);
      Found found;
      if (snug::detail::place_flat<BothModels, snug::detail::Wanted::kLowest>(
              coarse, kEnough, call, found) != Outcome::kPlacedAll)
        continue;
      ++placed;
      CAPTURE(seed, grid);
      REQUIRE(snug::validate(problem, kEnough, vector_of(found.offsets)).ok());
    }
  }
  CHECK(placed > at_least<std::size_t>(500));
}

TEST_CASE("coarse: beside what is fixed as high as it may be", "[coarse]") {
  // All that is free fits on top of it, and so does what rounding adds.
  for (const std::int64_t alignment :
       {std::int64_t{64}, std::int64_t{1} << 30}) {
    Problem<> problem;
    problem.buffers = {{{0, 2}, 1}, {{0, 2}, 5}, {{1, 2}, 7}, {{0, 1}, 9}};
    for (auto& buffer : problem.buffers) buffer.alignment = alignment;
    std::int64_t top = snug::detail::kMaxTotal - 4 * (alignment - 1) - 22;
    problem.buffers[0].alignment = 1;
    top += alignment - 1;
    problem.buffers[0].offset = top - 1;
    problem.reserved.push_back({{0, top - 1}});
    CAPTURE(alignment);
    REQUIRE(snug::check(problem).ok());
    const Result<> lowest = snug::minimize(problem);
    REQUIRE(lowest.has_solution());
    REQUIRE(snug::validate(problem, lowest.height, lowest.offsets).ok());
    const std::int64_t below = lowest.height - 1;
    CHECK(snug::solve(problem, below).status == snug::Status::kInfeasible);
  }
}

TEST_CASE("coarse: alignments far below the sizes cost little", "[coarse]") {
  // Without the coarser problem they come to 2 to 8 % above the load.
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    if (!is_due(seed)) continue;
    const Problem<> problem = draw_fine(seed % 2 == 0, seed);
    const std::int64_t load = snug::load(problem);
    Options options;
    options.node_limit = 20000;
    CAPTURE(seed, load);
    const Result<> lowest = snug::minimize(problem, options);
    REQUIRE(snug::validate(problem, lowest.height, lowest.offsets).ok());
    CHECK(lowest.lower_bound <= lowest.height);
    CHECK(lowest.height * 100 <= load * 102);
    const Result<> placed =
        snug::solve(problem, load + load * 15 / 1000, options);
    REQUIRE(placed.has_solution());
    REQUIRE(
        snug::validate(problem, load + load * 15 / 1000, placed.offsets).ok());
  }
}

TEST_CASE("coarse: where alignments are mixed", "[coarse]") {
  const auto is_mixed = [](std::int64_t size,
                           const std::vector<std::int64_t>& alignments) {
    const Flat flat =
        flat_of(std::vector<std::int64_t>(alignments.size(), size), alignments);
    return snug::detail::has_mixed_alignments(flat,
                                              snug::detail::coarse_grid(flat));
  };
  CHECK_FALSE(is_mixed(48, {1, 1}));
  CHECK_FALSE(is_mixed(48, {32, 32}));
  CHECK_FALSE(is_mixed(48, {1, 16}));
  CHECK(is_mixed(48, {1, 32}));
  CHECK(is_mixed(48, {64, 32}));
  CHECK_FALSE(is_mixed(64, {64, 32}));
  // Empty ones are on no grid.
  CHECK_FALSE(is_mixed(0, {1, 32}));
  // One in 16 is not many.
  std::vector<std::int64_t> alignments(16, 1);
  alignments[7] = 32;
  CHECK_FALSE(is_mixed(48, alignments));
  alignments[3] = 32;
  CHECK(is_mixed(48, alignments));
}

}  // namespace coarse_test
