// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() against exhaustive search, under a covering array of its switches.
#include "../../benchmarks/generate.hpp"
#include "snug/small.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_cuts.hpp"
#include "support/hard_walks.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/rule_rows.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;

/// A problem and what the oracle says about it.
template <class Size, class Time>
struct Case {
  Problem<Size, Time> problem;
  Size unit;  ///< sizes are multiples of it
  Size load;
  Size lowest;
};

template <class Size, class Time>
Case<Size, Time> ask_oracle(Problem<Size, Time> problem, Size unit) {
  Case<Size, Time> result{std::move(problem), unit, 0, 0};
  result.load = load_of(result.problem);
  result.lowest = Exhaustive<Size, Time>(result.problem).lowest();
  return result;
}

/// Capacities on both sides of the truth, each once, in increasing order.
template <class Size, class Time>
std::vector<Size> capacities(const Case<Size, Time>& c) {
  std::vector<Size> result = {c.load, static_cast<Size>(c.lowest - 1), c.lowest,
                              static_cast<Size>(c.lowest + c.unit + 1)};
  result.erase(std::remove(result.begin(), result.end(), Size{-1}),
               result.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// What is wrong with an answer; empty when it is right.
template <class Size, class Time>
std::string judge(const Case<Size, Time>& c, Size capacity,
                  const Result<Size>& result) {
  if (result.lower_bound > c.lowest) return "lower bound above the optimum";
  if (capacity < c.lowest) {
    if (result.status != Status::kInfeasible)
      return std::string("should be infeasible, is ") +
             to_string(result.status);
    return result.offsets.empty() ? "" : "infeasible, with offsets";
  }
  if (!is_solved(result))
    return std::string("should be solved, is ") + to_string(result.status);
  const snug::Validation verdict =
      validate_pairwise(c.problem, capacity, result.offsets);
  if (!verdict.ok())
    return std::string("placement is wrong: ") + to_string(verdict.fault);
  if (result.height != height_of(c.problem, result.offsets))
    return "height is not that of the placement";
  return "";
}

/// How many solves there were, and how many of each kind.
struct Tally {
  std::size_t problems = 0;
  std::size_t hard = 0;  ///< problems that do not fit at their load
  std::size_t runs = 0;
  std::size_t infeasible = 0;
  std::size_t infeasible_at_load = 0;  ///< at a capacity >= the load
  std::size_t stopped = 0;             ///< by the limit on nodes
  std::size_t failures = 0;
};

bool is_default(const Row& row) {
  return &row == &kRows[0];
}

/// Without the bound on sections some proofs take millions of nodes, so those
/// rows may give up. No other row needs nearly as many as it is given: a
/// limit, so that a mistake cannot hang.
std::int64_t node_limit(const Tuned& options) {
  return options.own.rules.section_inference ? 20000000 : 20000;
}

template <class Size, class Time>
void run(const Case<Size, Time>& c, const Row& row, Tally& tally) {
  for (const Size capacity : capacities(c)) {
    if (capacity > c.lowest && !is_default(row)) continue;
    Tuned options = options_of(row);
    options.node_limit = node_limit(options);
    // A small table, to see it overflow. The first row stays the default.
    if (!is_default(row)) options.own.failed_state_bytes = 16384;
    const Result<Size> result = solve(c.problem, capacity, options);
    ++tally.runs;
    if (capacity < c.lowest) ++tally.infeasible;
    if (capacity < c.lowest && capacity >= c.load) ++tally.infeasible_at_load;
    if (result.stopped_by == Stop::kNodeLimit &&
        !options.own.rules.section_inference) {
      ++tally.stopped;
      continue;
    }
    const std::string wrong = judge(c, capacity, result);
    if (wrong.empty()) continue;
    ++tally.failures;
    INFO(wrong);
    INFO(describe(row));
    INFO(as_csv(c.problem));
    CAPTURE(capacity, c.load, c.lowest, result.stats.nodes);
    CHECK(wrong.empty());
    REQUIRE(tally.failures < 5);
  }
}

/// Runs the rows; those without the bound on sections, which are slow, on
/// every `slow`-th problem each.
template <class Size, class Time>
void run_all_rows(const Case<Size, Time>& c, Tally& tally,
                  std::size_t slow = 1) {
  if (c.lowest > c.load) ++tally.hard;
  for (std::size_t k = 0; k < kRows.size(); ++k)
    if (options_of(kRows[k]).own.rules.section_inference ||
        (tally.problems + k) % slow == 0)
      run(c, kRows[k], tally);
  ++tally.problems;
}

void report(const Tally& tally) {
  CAPTURE(tally.problems, tally.hard, tally.runs, tally.infeasible,
          tally.infeasible_at_load, tally.stopped);
  CHECK(tally.failures == 0);
  CHECK(tally.stopped * 20 <= tally.runs);
}

/// The k-th of the general problems: every kind, size and alignment in turn.
template <class Size, class Time>
Case<Size, Time> general_case(std::uint64_t k) {
  Random random(k);
  const std::vector<Size> units = {1, 1, 3, 1024};
  const Size unit = units[random.between(std::size_t{0}, units.size() - 1)];
  Shape shape;
  shape.count = random.between(std::size_t{2}, std::size_t{9});
  shape.length = random.between(2, 9);
  shape.smallest = random.chance(20) ? 0 : 1;
  shape.largest = random.between(2, 7);
  shape.unit = unit;
  Problem<Size, Time> problem;
  switch (k % 6) {
    case 0:
      problem = uniform<Size, Time>(shape, random);
      break;
    case 1:
      shape.count = (std::min)(shape.count, std::size_t{6});
      problem = clique<Size, Time>(shape, random);
      break;
    case 2:
      problem = twins<Size, Time>(shape, random);
      break;
    case 3: {
      const auto length = static_cast<Time>(random.between(3, 8));
      const auto height = static_cast<Size>(random.between(4, 12));
      problem = snug::benchmarks::guillotine<Size, Time>(
                    length, height, shape.count, random.next())
                    .problem;
      for (auto& buffer : problem.buffers)
        buffer.size = static_cast<Size>(buffer.size * unit);
      break;
    }
    default:
      // The rows with few rules on need millions of nodes for longer ones.
      do {
        problem = small_walk<Size, Time>(random.next(), unit);
      } while (problem.buffers.size() > 11);
      break;
  }
  if (random.chance(40)) align(problem, 40, unit, random);
  return ask_oracle(std::move(problem), unit);
}

/// The k-th aligned walk; three in four are drawn again until they do not fit
/// at their load.
template <class Size, class Time>
Case<Size, Time> aligned_case(std::uint64_t k) {
  Random random(k);
  for (;;) {
    Problem<Size, Time> problem = small_walk<Size, Time>(random.next());
    if (problem.buffers.size() > 10) continue;
    align(problem, 30, Size{1}, random);
    Case<Size, Time> drawn = ask_oracle(std::move(problem), Size{1});
    if (k % 4 == 0 || drawn.lowest > drawn.load) return drawn;
  }
}

}  // namespace

static_assert(covers_triples(),
              "three switches lack a combination: find new rows");

TEST_CASE("the oracle knows what can be seen by eye", "[oracle]") {
  Problem<> problem;
  const auto lowest = [&] {
    return Exhaustive<std::int64_t, std::int64_t>(problem).lowest();
  };
  CHECK(lowest() == 0);

  SECTION("a stack") {
    problem.buffers = {{{0, 2}, 3}, {{1, 3}, 4}, {{0, 3}, 0}};
    CHECK(lowest() == 7);
    problem.buffers[1].alignment = 2;
    CHECK(lowest() == 7);  // the aligned one at the bottom
    problem.buffers[0].alignment = 2;
    CHECK(lowest() == 7);
    problem.buffers[0].alignment = 5;
    problem.buffers[1].alignment = 5;
    CHECK(lowest() == 8);
  }
  SECTION("a fixed offset") {
    problem.buffers = {{{0, 2}, 3}, {{1, 3}, 4}};
    problem.buffers[0].offset = 3;
    CHECK(lowest() == 10);
    problem.buffers[0].offset = 4;
    CHECK(lowest() == 7);
  }
  SECTION("a gap") {
    problem.buffers = {{{0, 9}, 3}, {{3, 6}, 4}};
    problem.buffers[0].gaps = {{{3, 6}, std::nullopt}};
    CHECK(lowest() == 4);
    problem.buffers[0].gaps = {{{4, 6}, std::nullopt}};
    CHECK(lowest() == 7);
  }
  SECTION("three in a circle, each below the next, all at offset 0") {
    using Window = snug::Interval<std::int64_t>;
    problem.buffers.resize(3, {{0, 3}, 2});
    for (std::int64_t k = 0; k < 3; ++k) {
      problem.buffers[static_cast<std::size_t>(k)].gaps = {
          {{k, k + 1}, Window{0, 1}},
          {{(k + 2) % 3, (k + 2) % 3 + 1}, Window{1, 2}},
          {{(k + 1) % 3, (k + 1) % 3 + 1}, std::nullopt}};
    }
    CHECK(lowest() == 2);
  }
  SECTION("the running example") {
    problem.buffers = {
        {{0, 3}, 4}, {{3, 9}, 4}, {{0, 9}, 4}, {{9, 21}, 4}, {{0, 21}, 4}};
    CHECK(lowest() == 12);
  }
}

TEST_CASE("the oracle loses nothing by trying tops alone", "[oracle]") {
  std::size_t infeasible = 0;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(120); ++k) {
    Random random(k);
    Problem<> problem;
    do {
      problem = small_walk<>(random.next());
    } while (problem.buffers.size() > 8);
    align(problem, 40, std::int64_t{1}, random);
    // A gap after everybody's end leaves the problem as it is, but makes the
    // oracle try every offset.
    Problem<> gapped = problem;
    gapped.buffers.push_back({{100, 102}, 0});
    gapped.buffers.back().gaps = {{{100, 101}, std::nullopt}};
    Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::int64_t load = load_of(problem);
    const std::int64_t lowest = oracle.lowest();
    INFO(as_csv(problem));
    CHECK(Exhaustive<std::int64_t, std::int64_t>(gapped).lowest() == lowest);
    CHECK_FALSE(oracle.fits(lowest - 1));
    const auto placement = oracle.place(lowest);
    REQUIRE(placement);
    CHECK(validate(problem, lowest, *placement).ok());
    CHECK(oracle.fits(lowest + 1));
    if (lowest > load) ++infeasible;
  }
  CHECK(infeasible > at_least<std::size_t>(10));
}

TEST_CASE("the rows switch what they say", "[oracle]") {
  const Tuned all = options_of(kRows[0]);
  const Tuned none = options_of(kRows[1]);
  for (const snug::RuleName& one : snug::kRuleNames) {
    CHECK(all.own.rules.*one.rule);
    CHECK_FALSE(none.own.rules.*one.rule);
    CHECK(snug::Rules{}.*one.rule);
  }
  CHECK(all.own.strategies.empty());
  CHECK_FALSE(none.own.strategies.empty());
}

TEST_CASE("solve agrees with the oracle on every kind of small problem",
          "[oracle]") {
  Tally tally;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(1700); ++k)
    run_all_rows(general_case<std::int64_t, std::int64_t>(k), tally);
  report(tally);
  CHECK(tally.problems == effort<std::size_t>(1700));
  CHECK(tally.hard >= at_least<std::size_t>(50));
  CHECK(tally.infeasible * 4 >= tally.runs);
}

TEST_CASE("solve agrees with the oracle on aligned walks", "[oracle]") {
  Tally tally;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(300); ++k)
    run_all_rows(aligned_case<std::int64_t, std::int64_t>(k), tally);
  report(tally);
  CHECK(tally.problems == effort<std::size_t>(300));
  CHECK(tally.hard >= at_least<std::size_t>(225));
  CHECK(tally.infeasible_at_load * 4 >= tally.runs);
}

TEST_CASE("solve agrees with the oracle where the load is not enough",
          "[oracle]") {
  Tally tally;
  std::size_t k = 0;
  for (const std::uint64_t seed : kHardSmallWalks) {
    if (!is_due(k++)) continue;
    run_all_rows(ask_oracle(small_walk<>(seed), std::int64_t{1}), tally, 16);
  }
  report(tally);
  CHECK(tally.hard == tally.problems);
  CHECK(tally.infeasible_at_load * 3 >= tally.runs);
}

TEST_CASE("solve agrees with the oracle on middle-size walks", "[oracle]") {
  Tally tally;
  std::size_t k = 0;
  for (const std::uint64_t seed : kHardMiddleWalks) {
    if (!is_due(k++)) continue;
    const auto c = ask_oracle(middle_walk<>(seed), std::int64_t{1});
    ++tally.problems;
    if (c.lowest > c.load) ++tally.hard;
    run(c, kRows[0], tally);
  }
  report(tally);
  CHECK(tally.hard == tally.problems);
}

/// A problem with as many buffers more as joins take to be looked for: a chain
/// of them before it on one, which is one buffer once it is joined.
Problem<> behind_chain(Problem<> problem) {
  problem.buffers.push_back({{-100, 0}, 1});
  for (std::int64_t k = 1; k <= 100; ++k)
    problem.buffers.push_back({{-k, 1 - k}, 1});
  return problem;
}

/// A walk, one with some buffers left out, or anything else.
Problem<> any_small(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem = small_walk<>(seed);
  if (seed % 4 == 0 || problem.buffers.size() > 12)
    return uniform<std::int64_t, std::int64_t>(Shape{}, random);
  for (std::uint64_t k = seed % 4; k > 1 && problem.buffers.size() > 3; --k) {
    const std::size_t i =
        random.between(std::size_t{0}, problem.buffers.size() - 1);
    problem.buffers.erase(problem.buffers.begin() +
                          static_cast<std::ptrdiff_t>(i));
  }
  return problem;
}

TEST_CASE("solve and minimize agree with the oracle where buffers are joined",
          "[oracle]") {
  std::size_t wrong_guesses = 0;
  std::size_t wrong_fillers = 0;
  const auto run_joined = [&](const Problem<>& small) {
    const auto alone = ask_oracle(small, std::int64_t{1});
    const Case<std::int64_t, std::int64_t> c{
        behind_chain(small), 1, (std::max)(alone.load, std::int64_t{2}),
        (std::max)(alone.lowest, std::int64_t{2})};
    for (const std::int64_t capacity : capacities(c))
      CHECK(judge(c, capacity, solve(c.problem, capacity)).empty());
    const Result<> lowest = minimize(c.problem);
    CHECK(lowest.status == Status::kOptimal);
    CHECK(lowest.height == c.lowest);
    CHECK(judge(c, c.lowest, lowest).empty());

    using snug::detail::Joins;
    const auto plain = plain_of(c.problem);
    const Joins joins(plain, c.lowest, {}, snug::detail::Trust::kGuessed);
    CHECK(joins.pay());
    const Problem<> joined = problem_of(joins.joined());
    if (!solve(joined, c.lowest).has_solution()) ++wrong_guesses;
    const snug::detail::Fillers fillers(plain, c.lowest);
    if (fillers.count() == 0) return;
    const Problem<> filled = problem_of(fillers.filled());
    if (!solve(filled, c.lowest).has_solution()) ++wrong_fillers;
  };
  for (std::uint64_t seed = 0; seed < effort(10000U); ++seed) {
    CAPTURE(seed);
    run_joined(any_small(seed));
  }
  // Guesses are rarely wrong but here.
  for (const std::uint64_t seed : kHardSmallWalks) {
    CAPTURE(seed);
    run_joined(small_walk<>(seed));
  }
  INFO(wrong_guesses << " wrong guesses, " << wrong_fillers << " fillers");
  CHECK(wrong_guesses >= 9);
  CHECK(wrong_fillers >= at_least<std::size_t>(150));
}

TEST_CASE("solve never calls a problem infeasible that was cut to fit",
          "[oracle]") {
  std::size_t stopped = 0;
  std::size_t cuts = 0;
  std::size_t k = 0;
  for (const std::uint64_t seed : kHardCuts) {
    if (!is_due(k++)) continue;
    ++cuts;
    const auto cut = aligned_cut<>(seed);
    const std::int64_t height = height_of(cut.problem, cut.offsets);
    CAPTURE(seed, height);
    REQUIRE(validate(cut.problem, height, cut.offsets).ok());
    REQUIRE(load_of(cut.problem) == height);
    for (const Row& row : kRows) {
      Tuned options = options_of(row);
      const bool is_slow = !options.own.rules.section_inference;
      options.node_limit = is_slow ? 1000 : 20000;
      if (!is_default(row)) options.own.failed_state_bytes = 65536;
      const Result<> result = solve(cut.problem, height, options);
      if (result.stopped_by == Stop::kNodeLimit) {
        if (!is_slow) ++stopped;
        continue;
      }
      CAPTURE(describe(row), to_string(result.status));
      CHECK(is_solved(result));
      CHECK(validate(cut.problem, height, result.offsets).ok());
    }
  }
  CHECK(stopped * 20 <= cuts * kRows.size());
}

TEST_CASE("solve never calls a cut infeasible under any switches", "[oracle]") {
  // Random switches and strategies reach corners that the rows do not: with
  // the bound on sections off, most of all, little hides a mistake elsewhere.
  const std::uint64_t cuts = effort(1500U);
  std::size_t decided = 0;
  const auto run_cut = [&](std::uint64_t seed) {
    Random random(seed);
    const auto cut = aligned_cut<>(seed);
    const std::int64_t height = height_of(cut.problem, cut.offsets);
    const Problem<> problem = cut_with_holes<>(seed);
    for (int draw = 0; draw < 2; ++draw) {
      std::string strategy;
      Tuned options = random_options(random, strategy);
      options.node_limit = 500;
      options.own.failed_state_bytes = 65536;
      const Result<> result = solve(problem, height, options);
      CAPTURE(seed, draw, strategy, height, to_string(result.status));
      CHECK(result.status != Status::kInfeasible);
      if (!is_solved(result)) continue;
      CHECK(validate(problem, height, result.offsets).ok());
      ++decided;
    }
  };
  for (std::uint64_t seed = 0; seed < cuts; ++seed) run_cut(seed);
  CHECK(decided * 10 >= 8 * 2 * cuts);
  for (const std::uint64_t seed : kTellingCuts) run_cut(seed);
}

TEST_CASE("solve agrees with the oracle on long chains", "[oracle]") {
  // Small problems one after the other under a buffer that outlives them all:
  // more buffers than a word has bits, and the oracle can still be asked. As
  // the long buffer can be moved to the bottom, its size comes on top.
  std::size_t runs = 0;
  std::size_t stopped = 0;
  std::size_t largest = 0;
  for (std::uint64_t k = 0; k < 24; ++k) {
    if (k != 7 && !is_due(k)) continue;  // One of the longest always.
    Random random(k);
    Case<std::int64_t, std::int64_t> chain{{}, 1, 0, 0};
    std::int64_t now = 0;
    for (std::size_t link = 0; link < 8 + k % 8; ++link) {
      const std::size_t last = kHardSmallWalks.size() - 1;
      const std::uint64_t seed =
          kHardSmallWalks[random.between(std::size_t{0}, last)];
      const auto c =
          ask_oracle(small_walk<>(random.chance(50) ? seed : random.next()),
                     std::int64_t{1});
      chain.load = (std::max)(chain.load, c.load);
      chain.lowest = (std::max)(chain.lowest, c.lowest);
      const std::int64_t start = now;
      for (auto buffer : c.problem.buffers) {
        buffer.lifespan.lower += start;
        buffer.lifespan.upper += start;
        now = (std::max)(now, buffer.lifespan.upper);
        chain.problem.buffers.push_back(buffer);
      }
    }
    const std::int64_t size = random.between(1, 3);
    chain.problem.buffers.push_back({{0, now}, size});
    chain.load += size;
    chain.lowest += size;
    random.shuffle(chain.problem.buffers);
    largest = (std::max)(largest, chain.problem.buffers.size());
    for (const Row& row : kRows) {
      Tuned options = options_of(row);
      if (!options.own.rules.section_inference ||
          !options.own.rules.decomposition)
        continue;
      options.node_limit = 5000;
      for (const std::int64_t capacity : capacities(chain)) {
        const Result<> result = solve(chain.problem, capacity, options);
        ++runs;
        if (result.stopped_by == Stop::kNodeLimit) {
          ++stopped;
          continue;
        }
        CAPTURE(k, describe(row), capacity, chain.load, chain.lowest);
        CHECK(judge(chain, capacity, result) == "");
      }
    }
  }
  CAPTURE(runs, stopped);
  CHECK(largest > 128);
  CHECK(stopped * 3 <= runs);
}

TEST_CASE("the model of bodies agrees with the oracle on plain problems",
          "[oracle]") {
  const auto check = [&](const auto& c) {
    for (const std::int64_t above : {-1, 0, 1}) {
      const std::int64_t capacity = c.lowest + above;
      CAPTURE(capacity, as_csv(c.problem));
      CHECK(judge(c, capacity, snug::small::solve(c.problem, capacity)) == "");
    }
    CHECK(snug::small::minimize(c.problem).height == c.lowest);
  };
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(400); ++k) {
    check(general_case<std::int64_t, std::int64_t>(k));
    check(aligned_case<std::int64_t, std::int64_t>(k));
  }
  for (const std::uint32_t seed : kHardSmallWalks)
    check(ask_oracle(small_walk<>(seed), std::int64_t{1}));
}

TEST_CASE("minimize agrees with the oracle", "[oracle]") {
  std::size_t proved = 0;
  std::size_t above_load = 0;
  std::size_t stopped = 0;
  const auto check_minimum = [&](const auto& c, const Options& options) {
    const auto result = minimize(c.problem, options);
    INFO(as_csv(c.problem));
    CAPTURE(c.load, c.lowest, to_string(result.status), result.lower_bound);
    CHECK(validate(c.problem, result.height, result.offsets).ok());
    CHECK(result.height == height_of(c.problem, result.offsets));
    CHECK(result.lower_bound <= c.lowest);
    CHECK(result.height >= c.lowest);
    if (result.stopped_by == Stop::kNodeLimit) {
      ++stopped;
      CHECK(result.stats.nodes >= options.node_limit);
      return;
    }
    CHECK(is_solved(result));
    CHECK(result.height == c.lowest);
    CHECK(result.lower_bound == c.lowest);
    ++proved;
    if (c.lowest > c.load) ++above_load;
  };
  Options limited;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(400); ++k) {
    limited.node_limit = static_cast<std::int64_t>(k % 50);
    const auto general = general_case<std::int64_t, std::int64_t>(k);
    check_minimum(general, {});
    check_minimum(general, limited);
    check_minimum(general_case<std::int32_t, std::int32_t>(k), {});
    if (k % 4 != 0) continue;
    const auto aligned = aligned_case<std::int64_t, std::int64_t>(k + 1);
    check_minimum(aligned, {});
    check_minimum(aligned, limited);
    const std::uint64_t seed = kHardSmallWalks[k / 4 % kHardSmallWalks.size()];
    const auto walk = ask_oracle(small_walk<>(seed), std::int64_t{1});
    for (const Row& row : kRows)
      if (options_of(row).own.rules.section_inference)
        check_minimum(walk, options_of(row));
  }
  CHECK(above_load >= at_least<std::size_t>(1000));
  CHECK(stopped * 10 <= proved);
  // Larger ones, for which the search has to come back to each capacity.
  std::size_t k = 0;
  for (const std::uint64_t seed : kHardMiddleWalks) {
    if (!is_due(k++)) continue;
    const auto c = ask_oracle(middle_walk<>(seed), std::int64_t{1});
    check_minimum(c, {});
    for (std::size_t row = seed % 4; row < kRows.size(); row += 4) {
      Tuned options = options_of(kRows[row]);
      options.node_limit = 2000;
      check_minimum(c, options);
    }
  }
}

namespace {

/// Places a plain problem below `capacity` by dives and searches of crests, as
/// if it were large.
snug::detail::Outcome place_soon(const Plain& plain, std::int64_t capacity,
                                 std::vector<std::int64_t>& offsets) {
  using snug::detail::Outcome;
  const Options options;
  snug::Stats stats;
  snug::detail::Call run(options, stats);
  snug::detail::IncumbentSearch incumbent(plain);
  incumbent.dive(plain, capacity, 1, snug::testing::NeverStop{});
  incumbent.fit(plain, capacity, snug::testing::NeverStop{});
  const auto place_crest = [&](const snug::detail::Crest& crest,
                               std::int64_t& nodes,
                               snug::detail::List<std::int64_t>& of_crest) {
    const Plain& above = crest.above();
    const std::int64_t start = stats.nodes;
    snug::detail::Found placed;
    placed.offsets.assign(of_crest.size(), 0);
    Outcome outcome = Outcome::kPlacedAll;
    for (const auto& partition : above.partitions) {
      outcome = snug::detail::PartitionSearch<snug::detail::BothModels>(
                    above, partition, capacity - crest.ground(), run)
                    .go_on(nodes, placed);
      if (outcome != Outcome::kPlacedAll) break;
    }
    nodes = stats.nodes - start;
    if (outcome == Outcome::kPlacedAll) of_crest.swap(placed.offsets);
    return outcome;
  };
  const Outcome outcome =
      snug::detail::lower_large(plain, capacity, capacity, place_crest,
                                snug::testing::NeverStop{}, incumbent);
  snug::detail::List<std::int64_t> list(plain.buffers.size(), 0);
  incumbent.write(list);
  offsets = vector_of(list);
  return outcome;
}

/// Lowers a placement by searches of crests, as if the problem were large;
/// these may raise `bound`.
std::vector<std::int64_t> lower_soon(const Plain& plain, std::int64_t& bound) {
  using snug::detail::Outcome;
  const Options options;
  snug::Stats stats;
  snug::detail::Call run(options, stats);
  snug::detail::IncumbentSearch incumbent(plain);
  incumbent.dive(plain, bound, 1, snug::testing::NeverStop{});
  const auto place_crest = [&](const snug::detail::Crest& crest,
                               std::int64_t& nodes,
                               snug::detail::List<std::int64_t>& of_crest) {
    const std::int64_t start = stats.nodes;
    snug::detail::Found found;
    found.offsets = of_crest;
    found.bound = bound - crest.ground();
    snug::detail::Share share(run, nodes);
    snug::detail::lower_crest<snug::detail::BothModels>(crest.above(),
                                                        share.call(), found);
    bound = found.bound + crest.ground();
    of_crest.swap(found.offsets);
    nodes = stats.nodes - start;
    return crest.height(of_crest) <= bound ? Outcome::kPlacedAll
                                           : Outcome::kOpen;
  };
  (void)snug::detail::lower_large(plain, snug::detail::kMaxTotal, bound,
                                  place_crest, snug::testing::NeverStop{},
                                  incumbent);
  snug::detail::List<std::int64_t> offsets(plain.buffers.size(), 0);
  incumbent.write(offsets);
  return vector_of(offsets);
}

}  // namespace

TEST_CASE("peak first agrees with the oracle", "[oracle]") {
  using snug::detail::Outcome;
  std::size_t placed = 0;
  std::size_t refuted = 0;
  std::size_t open = 0;
  const auto check_case = [&](Case<std::int64_t, std::int64_t> c) {
    // Some that are never part of a crest, as the whole is not searched here.
    for (std::int64_t k = 0; k < 3 && c.load > 1; ++k)
      c.problem.buffers.push_back({{1000 + k, 1001 + k}, 1});
    const Plain plain = plain_of(c.problem);
    if (plain.order.empty()) return;
    INFO(as_csv(c.problem));
    for (const std::int64_t capacity : capacities(c)) {
      if (capacity < c.load) continue;
      std::vector<std::int64_t> offsets;
      const Outcome outcome = place_soon(plain, capacity, offsets);
      CAPTURE(capacity, c.lowest);
      if (outcome == Outcome::kPlacedAll) {
        CHECK(validate(c.problem, capacity, offsets).ok());
        ++placed;
      } else if (outcome == Outcome::kRefuted) {
        CHECK(capacity < c.lowest);
        ++refuted;
      } else {
        ++open;
      }
    }
    std::int64_t bound = c.load;
    const std::vector<std::int64_t> offsets = lower_soon(plain, bound);
    const std::int64_t height = height_of(c.problem, offsets);
    CHECK(validate(c.problem, height, offsets).ok());
    CHECK(bound <= c.lowest);
    if (height == bound && bound > c.load) ++refuted;
  };
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(300); ++k) {
    check_case(general_case<std::int64_t, std::int64_t>(k));
    check_case(aligned_case<std::int64_t, std::int64_t>(k));
    check_case(ask_oracle(small_walk<>(kHardSmallWalks[k]), std::int64_t{1}));
  }
  CHECK(placed > at_least<std::size_t>(1000));
  CHECK(refuted > at_least(300U));
  CHECK(open < placed + refuted);
}

TEST_CASE("peak first never refutes what was cut to fit", "[oracle]") {
  std::size_t open = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(200); ++seed) {
    CAPTURE(seed);
    const auto cut = snug::benchmarks::guillotine<>(60, 60, 60, seed);
    std::vector<std::int64_t> offsets;
    const auto outcome = place_soon(plain_of(cut.problem), 60, offsets);
    CHECK(outcome != snug::detail::Outcome::kRefuted);
    if (outcome == snug::detail::Outcome::kOpen) ++open;
  }
  CHECK(open > at_least<std::size_t>(20));
}

namespace {

/// Without slack: mostly a walk that may or may not fit, or a cut that does.
/// Some then lose a buffer, so that only a part is full, or get alignments.
Problem<> full_problem(Random& random, std::uint64_t seed,
                       std::int64_t& capacity) {
  capacity = random.between(std::int64_t{4}, std::int64_t{14});
  snug::benchmarks::TightWalk walk;
  walk.units = capacity;
  walk.live = random.between(std::size_t{3}, std::size_t{4});
  walk.steps = random.between(std::int64_t{4}, std::int64_t{10});
  Problem<> problem =
      random.chance(60)
          ? snug::benchmarks::tight_walk<>(walk, seed)
          : snug::benchmarks::guillotine<>(
                random.between(std::int64_t{3}, std::int64_t{8}), capacity,
                random.between(std::size_t{2}, std::size_t{10}), seed)
                .problem;
  if (random.chance(30)) problem.buffers.pop_back();
  const std::int64_t unit = random.chance(30) ? 4 : 1;
  for (auto& buffer : problem.buffers) buffer.size *= unit;
  capacity *= unit;
  if (random.chance(40)) align(problem, 30, unit / 2 + 1, random);
  return problem;
}

}  // namespace

TEST_CASE("joins keep whether there is a placement", "[oracle]") {
  std::size_t fitted = 0, refuted = 0, joined = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{6000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::int64_t capacity = 0;
    const Problem<> problem = full_problem(random, seed, capacity);
    if (load_of(problem) > capacity) continue;
    const Plain plain = plain_of(problem);
    snug::detail::Joins joins(plain, capacity, {});
    if (joins.count() == 0) continue;
    joined += joins.count();
    const Problem<> left = problem_of(joins.joined());
    CHECK(left.buffers.size() + joins.count() == plain.order.size());
    const bool fits = Exhaustive(problem).fits(capacity);
    const std::optional<std::vector<std::int64_t>> placed =
        Exhaustive(left).place(capacity);
    CHECK(placed.has_value() == fits);
    ++(fits ? fitted : refuted);
    if (!placed) continue;
    snug::detail::List<std::int64_t> offsets(problem.buffers.size(), 0);
    joins.expand(list_of(*placed), offsets);
    CHECK(validate_pairwise(problem, capacity, vector_of(offsets)).ok());
  }
  CAPTURE(fitted, refuted, joined);
  CHECK(fitted > at_least(300U));
  CHECK(refuted > at_least(30U));
  CHECK(joined > at_least(1000U));
}

TEST_CASE("solve takes the same steps for 32 and 64 bits", "[oracle]") {
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(300); ++k) {
    const auto wide = general_case<std::int64_t, std::int64_t>(k);
    const auto narrow = general_case<std::int32_t, std::int32_t>(k);
    CAPTURE(k);
    REQUIRE(wide.lowest == narrow.lowest);
    for (const std::int32_t capacity : capacities(narrow)) {
      const auto a = solve(wide.problem, capacity);
      const auto b = solve(narrow.problem, capacity);
      CHECK(a.status == b.status);
      CHECK(a.stats.nodes == b.stats.nodes);
      CHECK(a.offsets ==
            std::vector<std::int64_t>(b.offsets.begin(), b.offsets.end()));
      CHECK(judge(narrow, capacity, b).empty());
    }
  }
}

}  // namespace oracle_test
