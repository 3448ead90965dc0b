// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/relaxed_load.hpp"

#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace relaxed_load_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Stats;
using snug::Status;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Relaxed;

namespace {

/// Nearly all live at one time, on one or two grids, with some constraints.
Problem<> draw(std::uint64_t seed) {
  constexpr std::int64_t kGrids[] = {1, 2, 3, 4, 6, 8};
  Random random(seed);
  Problem<> problem;
  const std::int64_t grid = kGrids[random.below(6)];
  const std::int64_t other = kGrids[random.below(6)];
  for (std::size_t n = random.between<std::size_t>(2, 5); n > 0; --n) {
    const std::int64_t begin = random.between(0, 2);
    snug::Buffer<> buffer{{begin, random.between(begin + 1, begin + 4)},
                          random.between(0, 7)};
    buffer.alignment = random.below(4) == 0 ? other : grid;
    if (random.below(6) == 0)
      buffer.offset = random.between(0, 2) * buffer.alignment;
    problem.buffers.push_back(buffer);
  }
  if (random.below(3) == 0) problem.base = random.between(0, 9);
  for (int k = random.between(0, 3); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  return problem;
}

/// The bound of a problem as it is.
std::int64_t relaxed_load(const Flat& flat) {
  const Options options;
  Stats stats;
  Call call(options, stats);
  return snug::detail::relaxed_load(flat, call);
}
std::int64_t relaxed_load(const Problem<>& problem) {
  return relaxed_load(snug::detail::flatten(problem));
}

std::vector<std::int64_t> sizes_of(const Relaxed& relaxed) {
  std::vector<std::int64_t> sizes;
  for (const snug::detail::FlatBuffer& buffer : relaxed.buffers)
    sizes.push_back(buffer.size);
  return sizes;
}
std::vector<std::int64_t> alignments_of(const Relaxed& relaxed) {
  std::vector<std::int64_t> alignments;
  for (const snug::detail::FlatBuffer& buffer : relaxed.buffers)
    alignments.push_back(buffer.alignment);
  return alignments;
}
Relaxed relax(const Problem<>& problem) {
  return snug::detail::relax(snug::detail::flatten(problem), {});
}

/// So many buffers of `size` bytes at one time.
Problem<> at_once(std::size_t count, std::int64_t size,
                  std::int64_t alignment) {
  Problem<> problem;
  for (std::size_t k = 0; k < count; ++k)
    problem.buffers.push_back({{0, 1}, size, alignment});
  return problem;
}

}  // namespace

TEST_CASE("relaxed load: no placement is lower, as the oracle has it",
          "[relaxed_load]") {
  constexpr std::int64_t kHigh = 48;
  std::size_t compared = 0;
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(8000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    for (const bool is_presolved : {false, true}) {
      Flat flat = snug::detail::flatten(problem);
      std::int64_t ceiling = kHigh;
      if (is_presolved) ceiling = snug::detail::presolve(flat, ceiling);
      const std::int64_t bound = relaxed_load(flat);
      REQUIRE(bound <= *lowest);
      const Options options;
      Stats stats;
      Call call(options, stats);
      REQUIRE(snug::detail::quick_bound<snug::detail::BothModels>(flat, call) <=
              *lowest);
      if (bound > 0) ++compared;
      if (bound == *lowest) ++exact;
    }
    Options options;
    options.node_limit = 1;
    REQUIRE(snug::minimize(problem, options).lower_bound <= *lowest);
    REQUIRE(snug::solve(problem, *lowest, options).status !=
            Status::kInfeasible);
  }
  CHECK(compared > at_least<std::size_t>(2000));
  CHECK(exact > at_least<std::size_t>(500));
}

TEST_CASE("relaxed load: tied buffers that never share a byte all count",
          "[relaxed_load]") {
  Problem<> problem = at_once(4, 5, 8);
  CHECK(relaxed_load(problem) == 29);
  problem.aliases.push_back({1, 0, 8});
  problem.aliases.push_back({2, 0, 16});
  CHECK(sizes_of(relax(problem)) == std::vector<std::int64_t>{5, 5, 5, 5});
  CHECK(relaxed_load(problem) == 29);

  // One that has bytes of two of these takes the place of both, if it is larger.
  problem.buffers.push_back({{0, 1}, 12, 8});
  problem.aliases.push_back({4, 0, 0});
  CHECK(sizes_of(relax(problem)) == std::vector<std::int64_t>{0, 0, 5, 5, 12});
  problem.buffers[4].size = 5;
  problem.aliases.back().delta = 16;
  CHECK(sizes_of(relax(problem)) == std::vector<std::int64_t>{5, 5, 5, 5, 0});
  problem.buffers[4].lifespan = {1, 2};
  CHECK(sizes_of(relax(problem)) == std::vector<std::int64_t>{5, 5, 5, 5, 5});
}

TEST_CASE("relaxed load: one after the other in time, a class has no end",
          "[relaxed_load]") {
  // In each step one is larger than the last of those that it has bytes of, and lives
  // beside the others.
  Problem<> problem;
  problem.buffers = {{{0, 9}, 4}, {{0, 2}, 4}, {{2, 9}, 8}, {{3, 9}, 4}};
  problem.aliases = {{1, 0, 4}, {2, 0, 4}, {3, 0, 12}};
  CHECK(sizes_of(relax(problem)) == std::vector<std::int64_t>{4, 4, 8, 4});
  // Too many that are live beside each other are left out in the end.
  Problem<> many = at_once(1030, 1, 1);
  for (std::size_t k = 1; k < 1030; ++k)
    many.aliases.push_back({k, 0, static_cast<std::int64_t>(k)});
  const std::vector<std::int64_t> sizes = sizes_of(relax(many));
  CHECK(std::count(sizes.begin(), sizes.end(), 1) == 1024);
}

TEST_CASE("relaxed load: what is fixed keeps its grid, from the ground on",
          "[relaxed_load]") {
  Problem<> problem = at_once(4, 5, 8);
  problem.buffers[0].alignment = 1;
  problem.buffers[0].offset = 0;
  CHECK(alignments_of(relax(problem)) == std::vector<std::int64_t>{8, 8, 8, 8});
  CHECK(relaxed_load(problem) == 29);
  problem.buffers[0].offset = 12;
  CHECK(alignments_of(relax(problem)) == std::vector<std::int64_t>{4, 8, 8, 8});
  CHECK(relaxed_load(problem) == 29);

  // Below the ground it has no bytes, and those above it begin there.
  Flat flat = snug::detail::flatten(problem);
  flat.base = 9;
  const Relaxed relaxed = snug::detail::relax(flat, {});
  CHECK(relaxed.origin == 16);
  CHECK(sizes_of(relaxed) == std::vector<std::int64_t>{1, 5, 5, 5});
  CHECK(alignments_of(relaxed) == std::vector<std::int64_t>{8, 8, 8, 8});
  CHECK(relaxed_load(flat) == 16 + 25);
}

TEST_CASE("relaxed load: from a ground between the grids, with what is below",
          "[relaxed_load]") {
  Problem<> problem = at_once(3, 5, 8);
  problem.buffers[0].alignment = 4;
  Flat flat = snug::detail::flatten(problem);
  flat.base = 1;
  const Relaxed relaxed = snug::detail::relax(flat, {});
  CHECK(relaxed.origin == 0);
  CHECK(sizes_of(relaxed) == std::vector<std::int64_t>{5, 5, 5, 4});
  CHECK(alignments_of(relaxed) == std::vector<std::int64_t>{4, 8, 8, 8});
  CHECK(relaxed.buffers[3].lifespan.upper == 1);
  // All four on the grid of 4.
  CHECK(relaxed_load(flat) == 4 + 24 - 3);
  CHECK(relaxed_load(at_once(3, 8, 4)) == 0);
  CHECK(relaxed_load(at_once(3, 5, 1)) == 0);
}

TEST_CASE("relaxed load: one constraint does not hide what alignments need",
          "[relaxed_load]") {
  // Twelve at one time, and one or two elsewhere.
  Problem<> plain = at_once(12, 5, 64);
  plain.buffers.push_back({{2, 3}, 5, 64});
  plain.buffers.push_back({{3, 4}, 5, 64});
  constexpr std::int64_t kHeight = 11 * 64 + 5;
  Options options;
  options.node_limit = 1;
  const auto is_known = [&](const Problem<>& problem) {
    const Result<> lowest = snug::minimize(problem, options);
    const Result<> refuted = snug::solve(problem, kHeight - 1, options);
    return lowest.lower_bound == kHeight &&
           refuted.status == Status::kInfeasible && refuted.stats.nodes == 0;
  };
  REQUIRE(is_known(plain));
  Problem<> tied = plain;
  tied.aliases.push_back({12, 0, 64});
  CHECK(is_known(tied));
  // Of nothing else than these, so that it has no plain side.
  Problem<> whole = at_once(12, 5, 64);
  whole.aliases.push_back({1, 0, 64});
  CHECK(is_known(whole));
  Problem<> fixed = plain;
  fixed.buffers[3].offset = 64;
  CHECK(is_known(fixed));
  Problem<> exempt = plain;
  exempt.buffers.push_back({{0, 1}, 5, 64});
  exempt.may_overlap.push_back({0, 14});
  CHECK(is_known(exempt));
}

}  // namespace relaxed_load_test
