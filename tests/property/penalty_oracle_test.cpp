// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize_penalty() against all placements of small problems: plain ones,
/// pools of equal buffers, where cliques ask for most, and mixtures of every
/// constraint. The cost is the least, or there is no placement; stopped early,
/// the bound is not above it.
#include "snug/load.hpp"
#include "snug/model/subset.hpp"
#include "snug/penalty.hpp"
#include "snug/validate.hpp"
#include "support/all_placements.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace penalty_oracle_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Penalty;
using snug::PenaltyResult;
using snug::Problem;
using snug::Status;

struct Tally {
  int infeasible = 0;
  int paid = 0;
  int free = 0;
};

void judge(const Problem<>& problem, std::int64_t capacity, std::uint64_t seed,
           Tally& tally) {
  INFO(as_csv(problem));
  INFO("capacity " << capacity);
  const std::optional<std::int64_t> least =
      AllPlacements(problem, capacity).least();
  Options options;
  options.node_limit = 2000000;  // A mistake must not hang.
  options.seed = seed;
  const PenaltyResult<> result =
      snug::minimize_penalty(problem, capacity, options);
  if (!least) {
    ++tally.infeasible;
    REQUIRE(result.status == Status::kInfeasible);
    REQUIRE(result.offsets.empty());
  } else {
    ++(*least > 0 ? tally.paid : tally.free);
    REQUIRE(result.status == Status::kOptimal);
    REQUIRE(validate_pairwise(problem, capacity, result.offsets).ok());
    REQUIRE(paid_in_all(problem, result.offsets) == *least);
    REQUIRE(snug::penalty_cost(problem, result.offsets) == *least);
    REQUIRE(result.cost == *least);
    REQUIRE(result.cost_bound == *least);
  }
  for (const std::int64_t nodes : {0, 1, 40, 1100, 3000}) {
    options.node_limit = nodes;
    const PenaltyResult<> early =
        snug::minimize_penalty(problem, capacity, options);
    if (early.status == Status::kInfeasible) REQUIRE(!least);
    if (early.status == Status::kOptimal) REQUIRE(early.cost == *least);
    if (least) REQUIRE(early.cost_bound <= *least);
    if (early.has_solution()) {
      REQUIRE(validate_pairwise(problem, capacity, early.offsets).ok());
      REQUIRE(early.cost == paid_in_all(problem, early.offsets));
      REQUIRE(early.cost >= *least);
    }
  }
}

}  // namespace

TEST_CASE("plain problems: the least cost of all placements", "[penalty]") {
  Random random(1);
  Tally tally;
  for (int round = 0; round < effort(2000); ++round) {
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.length = 8;
    shape.largest = 4;
    Problem<> problem = uniform(shape, random);
    if (random.between(0, 2) == 0) align(problem, 40, std::int64_t{1}, random);
    add_penalties(problem, static_cast<int>(random.between(20, 100)),
                  random.between(std::int64_t{1}, std::int64_t{5}), random);
    judge(problem, snug::load(problem) + random.between(-1, 2), 1, tally);
  }
  CHECK(tally.infeasible > 50);
  CHECK(tally.paid > at_least<int>(200));
  CHECK(tally.free > 50);
}

TEST_CASE("ties: results in place, views and buffers without bytes",
          "[penalty]") {
  Random random(5);
  Tally tally;
  for (int round = 0; round < effort(1500); ++round) {
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{4});
    shape.length = 6;
    shape.largest = 4;
    Problem<> problem = uniform(shape, random);
    const std::size_t n = problem.buffers.size();
    for (int k = random.between(1, 2); k > 0; --k) {
      const auto of = random.between(std::size_t{0}, n - 1);
      snug::Buffer<> next = problem.buffers[of];
      std::int64_t delta = 0;
      if (random.chance(40)) {
        next.lifespan = {next.lifespan.upper, next.lifespan.upper + 1};
      } else if (random.chance(60)) {
        next.size = random.between(std::int64_t{0}, next.size);
        delta = random.between(std::int64_t{0},
                               problem.buffers[of].size - next.size);
      } else {
        next = {{0, 9}, 0};
      }
      problem.aliases.push_back({problem.buffers.size(), of, delta});
      problem.buffers.push_back(next);
    }
    add_penalties(problem, static_cast<int>(random.between(20, 100)),
                  random.between(std::int64_t{1}, std::int64_t{5}), random);
    judge(problem, snug::load(problem) + random.between(-1, 2), 1, tally);
  }
  CHECK(tally.infeasible > at_least<int>(50));
  CHECK(tally.paid > at_least<int>(100));
}

TEST_CASE("pools: many pairs, few sizes, short lives", "[penalty]") {
  Random random(2);
  Tally tally;
  for (int round = 0; round < effort(1200); ++round) {
    Problem<> problem;
    const auto count = random.between(std::int64_t{3}, std::int64_t{7});
    for (std::int64_t i = 0; i < count; ++i) {
      const auto lower = random.between(std::int64_t{0}, std::int64_t{7});
      problem.buffers.push_back(
          {{lower, lower + random.between(1, 2)},
           random.between(std::int64_t{1}, std::int64_t{3})});
      if (i > 0 && random.between(0, 5) == 0)
        problem.apart.push_back(
            {static_cast<std::size_t>(i - 1), static_cast<std::size_t>(i)});
    }
    add_penalties(problem, 90, random.between(0, 1) == 0 ? 1 : 9, random);
    judge(problem, random.between(std::int64_t{3}, std::int64_t{6}), 2, tally);
  }
  CHECK(tally.paid > at_least<int>(300));
}

TEST_CASE("mixtures of all constraints", "[penalty]") {
  Random random(3);
  Tally tally;
  for (int round = 0; round < effort(1500); ++round) {
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{5});
    shape.length = 6;
    shape.largest = 4;
    Problem<> problem = uniform(shape, random);
    const int constraints = random.between(1, 4);
    for (int k = 0; k < constraints; ++k)
      add_constraint(
          problem, static_cast<Constraint>(random.between(0, kConstraints - 1)),
          random);
    if (problem.buffers.size() > 6) continue;
    add_penalties(problem, static_cast<int>(random.between(30, 100)),
                  random.between(std::int64_t{1}, std::int64_t{5}), random);
    REQUIRE(snug::check(problem).ok());
    judge(problem, random.between(std::int64_t{4}, std::int64_t{10}), 3, tally);
  }
  CHECK(tally.infeasible > 50);
  CHECK(tally.paid > at_least<int>(100));
  CHECK(tally.free > 50);
}

}  // namespace penalty_oracle_test
