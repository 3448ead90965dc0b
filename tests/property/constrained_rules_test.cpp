// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constrained problems under every setting of the rules, against exhaustive
/// search: no switch, strategy, seed or lack of memory may change an answer.
#include "snug/snug.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/rule_rows.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace constrained_rules_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;

/// The oracle is asked for capacities up to this one.
constexpr std::int64_t kLimit = 16;

/// A mistake must not hang.
constexpr std::int64_t kNodeLimit = 1000000;

struct Case {
  Problem<> problem;
  std::optional<std::int64_t> lowest;  ///< nothing: above kLimit, if at all
};

/// A small problem with some constraints; every third one a tight walk.
Case draw(std::uint64_t seed) {
  Random random(seed);
  Case result;
  if (seed % 3 == 0) {
    do {
      snug::benchmarks::TightWalk walk;
      walk.units = random.between(5, 12);
      walk.live = random.between(std::size_t{2}, std::size_t{4});
      walk.steps = random.between(2, 5);
      result.problem = snug::benchmarks::tight_walk<>(walk, random.next());
    } while (result.problem.buffers.size() > 10);
  } else {
    Shape shape;
    shape.count = random.between(std::size_t{3}, std::size_t{7});
    shape.length = random.between(2, 6);
    shape.largest = random.between(2, 5);
    result.problem =
        seed % 3 == 1 ? uniform<>(shape, random) : twins<>(shape, random);
  }
  if (seed % 2 == 0) {
    add_constraints(result.problem, random);
  } else {
    add_constraint(result.problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  }
  result.lowest = lowest_within(result.problem, kLimit);
  return result;
}

/// Checks the answers at the capacities that could tell, and the minimum.
void check_answers(const Case& c, const Options& options, bool minimize) {
  const std::int64_t lowest = c.lowest.value_or(kLimit + 1);
  for (const std::int64_t capacity : {lowest - 1, lowest, lowest + 2}) {
    if (capacity < 0 || (!c.lowest && capacity > kLimit)) continue;
    const Result<> result = snug::solve(c.problem, capacity, options);
    CAPTURE(capacity, lowest);
    if (capacity >= lowest) {
      REQUIRE(is_solved(result));
      REQUIRE(validate_pairwise(c.problem, capacity, result.offsets).ok());
    } else {
      REQUIRE(result.status == Status::kInfeasible);
    }
  }
  if (!minimize || !c.lowest) return;
  const Result<> result = snug::minimize(c.problem, options);
  REQUIRE(is_solved(result));
  REQUIRE(result.height == lowest);
  REQUIRE(result.lower_bound == lowest);
  REQUIRE(validate_pairwise(c.problem, lowest, result.offsets).ok());
}

}  // namespace

TEST_CASE("constrained problems under every row of the rules",
          "[constrained_rules]") {
  static_assert(covers_triples());
  std::size_t with_placement = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    const Case c = draw(seed);
    if (c.lowest) ++with_placement;
    INFO(as_csv(c.problem));
    for (const Row& row : kRows) {
      Tuned options = options_of(row);
      options.node_limit = kNodeLimit;
      INFO(describe(row));
      CAPTURE(seed);
      check_answers(c, options, seed % 4 == 0);
    }
  }
  CHECK(with_placement > at_least<std::size_t>(200));
}

TEST_CASE("constrained problems under random rules", "[constrained_rules]") {
  for (std::uint64_t seed = 1000; seed < 1000 + effort<std::uint64_t>(2500);
       ++seed) {
    const Case c = draw(seed);
    Random random(seed);
    std::string strategy;
    Tuned options = random_options(random, strategy);
    options.node_limit = kNodeLimit;
    if (random.chance(30)) options.own.failed_state_bytes = 0;
    INFO(as_csv(c.problem));
    CAPTURE(seed, strategy);
    check_answers(c, options, true);
  }
}

}  // namespace constrained_rules_test
