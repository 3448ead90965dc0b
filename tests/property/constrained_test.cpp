// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() against exhaustive search on constrained problems:
/// each kind of constraint alone, then mixtures. First, the exhaustive search
/// against trying everything.
#include "../../benchmarks/generate.hpp"
#include "snug/joins/joined_flat.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/small.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace constrained_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;

/// The oracle is asked for capacities up to this one.
constexpr int kLimit = 18;

/// A mistake must not hang; no problem of this size needs nearly as many.
constexpr std::int64_t kNodeLimit = 1000000;

template <class Size, class Time>
struct Case {
  Problem<Size, Time> problem;
  std::optional<Size> lowest;  ///< nothing: higher than kLimit, if at all
};

/// Everything about a problem that as_csv() does not show.
template <class Size, class Time>
std::string describe(const Problem<Size, Time>& problem) {
  std::string text = as_csv(problem);
  const auto number = [](auto n) { return std::to_string(n); };
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto& buffer = problem.buffers[i];
    if (buffer.offset)
      text += number(i) + " fixed at " + number(*buffer.offset) + "\n";
    if (buffer.end != snug::End::kAny)
      text += number(i) +
              (buffer.end == snug::End::kBottom ? " bottom\n" : " top\n");
  }
  for (const auto& alias : problem.aliases)
    text += number(alias.buffer) + " = " + number(alias.of) + " + " +
            number(alias.delta) + "\n";
  for (const auto& group : problem.contiguous) {
    text += "contiguous";
    for (const std::size_t i : group) text += " " + number(i);
    text += "\n";
  }
  for (const auto& pair : problem.apart)
    text += "apart " + number(pair.first) + " " + number(pair.second) + "\n";
  for (const auto& pair : problem.may_overlap)
    text +=
        "may overlap " + number(pair.first) + " " + number(pair.second) + "\n";
  for (const auto& reserved : problem.reserved) {
    text += "reserved " + number(reserved.bytes.lower) + "-" +
            number(reserved.bytes.upper);
    if (reserved.lifespan)
      text += " in " + number(reserved.lifespan->lower) + "-" +
              number(reserved.lifespan->upper);
    text += "\n";
  }
  return text + "base " + number(problem.base) + ", alignment " +
         number(problem.alignment) + "\n";
}

template <class Size, class Time>
Case<Size, Time> ask_oracle(Problem<Size, Time> problem) {
  Case<Size, Time> result{std::move(problem), std::nullopt};
  REQUIRE(snug::check(result.problem).ok());
  result.lowest = lowest_within(result.problem, static_cast<Size>(kLimit));
  return result;
}

/// A small problem of a kind that `k` decides, without constraints.
template <class Size, class Time>
Problem<Size, Time> small_problem(std::uint64_t k, Random& random) {
  Shape shape;
  shape.count = random.between(std::size_t{2}, std::size_t{8});
  shape.length = random.between(2, 7);
  shape.largest = random.between(2, 5);
  switch (k % 4) {
    case 0:
      return uniform<Size, Time>(shape, random);
    case 1:
      shape.count = (std::min)(shape.count, std::size_t{6});
      return clique<Size, Time>(shape, random);
    case 2:
      return twins<Size, Time>(shape, random);
    default:
      return snug::benchmarks::guillotine<Size, Time>(
                 static_cast<Time>(random.between(3, 6)),
                 static_cast<Size>(random.between(4, 10)), shape.count,
                 random.next())
          .problem;
  }
}

/// A tight walk of at most 10 buffers.
template <class Size, class Time>
Problem<Size, Time> tight_problem(Random& random) {
  for (;;) {
    snug::benchmarks::TightWalk walk;
    walk.units = random.between(5, 14);
    walk.live = random.between(std::size_t{2}, std::size_t{4});
    walk.steps = random.between(2, 5);
    walk.most_changed = random.between(std::size_t{1}, std::size_t{2});
    auto problem =
        snug::benchmarks::tight_walk<Size, Time>(walk, random.next());
    if (problem.buffers.size() <= 10) return problem;
  }
}

struct Tally {
  std::size_t problems = 0;
  std::size_t solved = 0;
  std::size_t infeasible = 0;
  std::size_t never = 0;  ///< problems that do not fit below the limit
  std::size_t failures = 0;
};

/// What is wrong with offsets that should be a placement; empty if nothing.
template <class Size, class Time>
std::string judge_placement(const Problem<Size, Time>& problem, Size capacity,
                            const Result<Size>& result) {
  const snug::Validation naive =
      validate_pairwise(problem, capacity, result.offsets);
  if (!naive.ok())
    return std::string("placement is wrong: ") + to_string(naive.fault);
  if (!snug::validate(problem, capacity, result.offsets).ok())
    return "validate() refuses a placement";
  if (result.height != height_of(problem, result.offsets))
    return "height is not that of the placement";
  return "";
}

template <class Size, class Time>
std::string judge(const Case<Size, Time>& c, Size capacity,
                  const Result<Size>& result) {
  if (c.lowest && result.lower_bound > *c.lowest)
    return "lower bound above the optimum";
  if (c.lowest && capacity >= *c.lowest) {
    if (!is_solved(result))
      return std::string("should be solved, is ") + to_string(result.status);
    return judge_placement(c.problem, capacity, result);
  }
  if (result.status != Status::kInfeasible)
    return std::string("should be infeasible, is ") + to_string(result.status);
  return result.offsets.empty() ? "" : "infeasible, with offsets";
}

template <class Size, class Time>
std::string judge_minimum(const Case<Size, Time>& c,
                          const Result<Size>& result) {
  if (!c.lowest) {
    // There may be none at all.
    if (result.status == Status::kInfeasible)
      return result.offsets.empty() ? "" : "infeasible, with offsets";
    if (result.height <= kLimit) return "lower than any placement";
  }
  if (!is_solved(result))
    return std::string("should be solved, is ") + to_string(result.status);
  if (c.lowest && result.height != *c.lowest) return "not the lowest";
  if (result.lower_bound != result.height) return "lower bound is not tight";
  return judge_placement(c.problem, result.height, result);
}

template <class Size, class Time>
void report_failure(const Case<Size, Time>& c, Size capacity,
                    const std::string& wrong, Tally& tally) {
  ++tally.failures;
  INFO(describe(c.problem));
  INFO(wrong);
  CAPTURE(capacity, c.lowest.value_or(Size{-1}));
  CHECK(wrong.empty());
  REQUIRE(tally.failures < 5);
}

template <class Size, class Time>
std::string judge_within(const Case<Size, Time>& c, Size capacity,
                         const Result<Size>& result) {
  return c.lowest && capacity >= *c.lowest ? judge_minimum(c, result)
                                           : judge(c, capacity, result);
}

/// Solves a problem at the capacities that could tell, and minimises it, up to them
/// and without a limit.
template <class Size, class Time>
void run(const Case<Size, Time>& c, Tally& tally) {
  ++tally.problems;
  Options options;
  options.node_limit = kNodeLimit;
  const Size lowest = c.lowest.value_or(static_cast<Size>(kLimit + 1));
  for (const int above : {-2, -1, 0, 1, 4}) {
    const auto capacity = static_cast<Size>(lowest + above);
    if (capacity < 0 || (!c.lowest && above >= 0)) continue;
    const Result<Size> result = snug::solve(c.problem, capacity, options);
    ++(above < 0 ? tally.infeasible : tally.solved);
    std::string wrong = judge(c, capacity, result);
    if (wrong.empty())
      wrong = judge_within(c, capacity,
                           snug::minimize_within(c.problem, capacity, options));
    if (wrong.empty())
      wrong =
          judge(c, capacity, snug::small::solve(c.problem, capacity, options));
    if (!wrong.empty()) report_failure(c, capacity, wrong, tally);
  }
  if (!c.lowest) ++tally.never;
  std::string wrong = judge_minimum(c, snug::minimize(c.problem, options));
  if (wrong.empty())
    wrong = judge_minimum(c, snug::small::minimize(c.problem, options));
  if (!wrong.empty()) report_failure(c, Size{-1}, wrong, tally);
}

void report(const Tally& tally, std::size_t problems) {
  CAPTURE(tally.problems, tally.solved, tally.infeasible, tally.never);
  CHECK(tally.failures == 0);
  CHECK(tally.problems == effort(problems));
  CHECK(tally.solved >= tally.problems);
  CHECK(tally.infeasible >= tally.problems);
  CHECK(tally.never * 3 <= tally.problems);
}

/// Every offset for every buffer.
template <class Size, class Time>
bool any_placement_is_valid(const Problem<Size, Time>& problem, Size capacity) {
  std::vector<Size> offsets(problem.buffers.size(), 0);
  for (;;) {
    if (validate_pairwise(problem, capacity, offsets).ok()) return true;
    std::size_t i = 0;
    while (i < offsets.size() && offsets[i] == capacity) offsets[i++] = 0;
    if (i == offsets.size()) return false;
    ++offsets[i];
  }
}

const char* name_of(Constraint kind) {
  switch (kind) {
    case Constraint::kAlias:
      return "aliases";
    case Constraint::kGroup:
      return "contiguous groups";
    case Constraint::kApart:
      return "pairs kept apart";
    case Constraint::kMayOverlap:
      return "pairs that may overlap";
    case Constraint::kReserved:
      return "reserved ranges";
    case Constraint::kBase:
      return "a base";
    case Constraint::kHeapAlignment:
      return "an alignment of the heap";
    case Constraint::kEnds:
      return "ends";
    case Constraint::kGaps:
      return "gaps and windows";
    case Constraint::kInterlocking:
      return "interlocking triples";
    case Constraint::kFixed:
      return "fixed offsets";
    case Constraint::kHints:
      return "hints";
    case Constraint::kEmpty:
      return "empty buffers";
    case Constraint::kAlignment:
      return "alignments";
  }
  return "?";
}

/// A tight walk, or less of one, with constraints that joins are guessed with.
Problem<> join_problem(Random& random) {
  constexpr Constraint kKinds[] = {
      Constraint::kAlias,    Constraint::kGroup, Constraint::kApart,
      Constraint::kReserved, Constraint::kBase,  Constraint::kHeapAlignment,
      Constraint::kEnds,     Constraint::kEmpty, Constraint::kAlignment,
      Constraint::kFixed,    Constraint::kGaps,  Constraint::kMayOverlap,
      Constraint::kHints};
  auto problem = tight_problem<std::int64_t, std::int64_t>(random);
  if (random.chance(30)) problem.buffers.pop_back();
  for (int k = random.between(1, 4); k > 0; --k)
    add_constraint(
        problem, kKinds[random.between(std::size_t{0}, std::size(kKinds) - 1)],
        random);
  return problem;
}

/// As many buffers more as joins take to be looked for, which become one.
void add_chain(Problem<>& problem) {
  for (std::int64_t k = 1; k <= 100; ++k)
    problem.buffers.push_back({{-k, 1 - k}, problem.alignment});
  problem.buffers.push_back({{-100, 0}, problem.alignment});
}

}  // namespace

TEST_CASE("the oracle agrees with trying all offsets", "[constrained]") {
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  std::vector<std::size_t> with(kConstraints);
  for (std::uint64_t seed = 1; seed <= effort<std::uint64_t>(1500); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{4});
    shape.length = random.between(1, 4);
    shape.largest = 3;
    auto problem = uniform<std::int64_t, std::int64_t>(shape, random);
    for (int k = random.between(1, 3); k > 0; --k) {
      const int kind = random.between(0, kConstraints - 1);
      // Triples would add buffers.
      if (kind == static_cast<int>(Constraint::kInterlocking) &&
          shape.count < 3)
        continue;
      add_constraint(problem, static_cast<Constraint>(kind), random);
      ++with[static_cast<std::size_t>(kind)];
    }
    REQUIRE(snug::check(problem).ok());
    Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::int64_t most = problem.buffers.size() > 3 ? 6 : 8;
    std::optional<std::int64_t> lowest;
    for (std::int64_t capacity = 0; capacity <= most && !lowest; ++capacity)
      if (any_placement_is_valid(problem, capacity)) lowest = capacity;
    INFO(describe(problem));
    CAPTURE(seed, lowest.value_or(-1));
    CHECK(oracle.lowest_within(most) == lowest);
    ++(lowest ? feasible : infeasible);
    if (!lowest) continue;
    CHECK_FALSE(oracle.fits(*lowest - 1));
    const auto placement = oracle.place(*lowest);
    REQUIRE(placement);
    CHECK(snug::validate(problem, *lowest, *placement).ok());
  }
  CHECK(feasible > at_least<std::size_t>(500));
  CHECK(infeasible > at_least<std::size_t>(200));
  for (const std::size_t count : with) CHECK(count > at_least<std::size_t>(50));
}

TEST_CASE("solve and minimize honour each constraint alone", "[constrained]") {
  for (int kind = 0; kind < kConstraints; ++kind) {
    INFO(name_of(static_cast<Constraint>(kind)));
    Tally tally;
    for (std::uint64_t k = 0; k < effort<std::uint64_t>(500); ++k) {
      Random random(1000 * static_cast<std::uint64_t>(kind) + k);
      auto problem = small_problem<std::int64_t, std::int64_t>(k, random);
      add_constraint(problem, static_cast<Constraint>(kind), random);
      run(ask_oracle(std::move(problem)), tally);
    }
    report(tally, 500);
  }
}

TEMPLATE_TEST_CASE("solve and minimize honour mixtures of constraints",
                   "[constrained]", std::int64_t, std::int32_t) {
  Tally tally;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(3000); ++k) {
    Random random(100000 + k);
    auto problem = small_problem<TestType, TestType>(k, random);
    add_constraints(problem, random);
    run(ask_oracle(std::move(problem)), tally);
  }
  report(tally, 3000);
}

TEST_CASE("solve and minimize honour gaps beside reserved ranges",
          "[constrained]") {
  Tally tally;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(4000); ++k) {
    Random random(700000 + k);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{4});
    shape.length = random.between(1, 4);
    shape.largest = random.between(2, 4);
    auto problem = uniform<>(shape, random);
    add_constraint(problem, Constraint::kGaps, random);
    add_constraint(problem, Constraint::kReserved, random);
    run(ask_oracle(std::move(problem)), tally);
  }
  report(tally, 4000);
}

TEST_CASE("solve and minimize honour constraints on tight walks",
          "[constrained]") {
  Tally alone;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(2800); ++k) {
    Random random(200000 + k);
    auto problem = tight_problem<std::int64_t, std::int64_t>(random);
    add_constraint(problem, static_cast<Constraint>(k % kConstraints), random);
    run(ask_oracle(std::move(problem)), alone);
  }
  report(alone, 2800);
  Tally mixed;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(2000); ++k) {
    Random random(300000 + k);
    auto problem = tight_problem<std::int64_t, std::int64_t>(random);
    add_constraints(problem, random);
    run(ask_oracle(std::move(problem)), mixed);
  }
  report(mixed, 2000);
}

TEST_CASE("solve and minimize honour constraints where buffers are joined",
          "[constrained]") {
  using snug::detail::JoinedFlat;
  std::size_t right = 0;
  std::size_t wrong = 0;
  Tally tally;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(4000); ++k) {
    Random random(400000 + k);
    CAPTURE(k);
    auto problem = join_problem(random);
    if (!snug::check(problem).ok()) continue;
    // What the chain becomes.
    auto small = problem;
    small.buffers.push_back({{-1, 0}, problem.alignment});
    small.buffers.push_back({{-1, 0}, problem.alignment});
    auto c = ask_oracle(std::move(small));
    add_chain(problem);
    c.problem = std::move(problem);
    run(c, tally);
    if (!c.lowest) continue;
    auto flat = snug::detail::flatten(c.problem);
    std::int64_t ceiling = *c.lowest;
    ceiling = snug::detail::presolve(flat, ceiling);
    if (!JoinedFlat::applies(flat)) continue;
    const JoinedFlat joined(flat, ceiling, {});
    // More than the chain.
    if (joined.flat().buffers.size() + 100 >= flat.buffers.size()) continue;
    const Problem<> left = unflatten(joined.flat());
    const auto placed = snug::solve(left, ceiling);
    ++(placed.has_solution() ? right : wrong);
  }
  CAPTURE(tally.solved, tally.infeasible, right, wrong);
  CHECK(tally.failures == 0);
  CHECK(right > at_least<std::size_t>(260));
  CHECK(wrong > at_least<std::size_t>(10));
}

}  // namespace constrained_test
