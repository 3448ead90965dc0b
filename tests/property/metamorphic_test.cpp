// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Middle-size problems, beyond the oracle: a change that cannot alter whether
/// a problem fits must not alter the answer.
#include "../../benchmarks/generate.hpp"
#include "../../benchmarks/variants.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using snug::Buffer;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;
using snug::testing::Random;

/// Solves within a node limit and judges what can be judged alone.
Status answer(const Problem<>& problem, std::int64_t capacity,
              snug::testing::Tuned options = {}) {
  options.node_limit = 20000;
  const Result<> result = solve(problem, capacity, options);
  INFO(snug::testing::as_csv(problem, result.offsets));
  CAPTURE(capacity, to_string(result.status));
  CHECK((is_solved(result) || result.status == Status::kInfeasible ||
         result.stopped_by == Stop::kNodeLimit));
  if (is_solved(result)) {
    CHECK(validate(problem, capacity, result.offsets).ok());
    CHECK(result.lower_bound <= result.height);
  } else {
    CHECK(result.offsets.empty());
  }
  return result.status;
}

/// Answers to one problem and its changes.
struct Tally {
  std::size_t compared = 0;
  std::size_t undecided = 0;
  std::size_t solved = 0;
  std::size_t infeasible = 0;

  /// Whether two answers agree; one that hit its limit agrees with all.
  bool agree(Status a, Status b) {
    ++compared;
    if (a == Status::kSolved) ++solved;
    if (a == Status::kInfeasible) ++infeasible;
    if (a == Status::kNodeLimit || b == Status::kNodeLimit) {
      ++undecided;
      return true;
    }
    return a == b;
  }
};

/// Sizes, alignments and so the capacity, times `factor`.
Problem<> times(Problem<> problem, std::int64_t factor) {
  for (Buffer<>& buffer : problem.buffers) {
    buffer.size *= factor;
    buffer.alignment *= factor;
  }
  return problem;
}

/// Time steps get any length, some of them negative times.
Problem<> stretched(Problem<> problem, Random& random) {
  const auto all = snug::benchmarks::duration(problem);
  std::vector<std::int64_t> when = {
      random.between(std::int64_t{-1000}, std::int64_t{1000})};
  for (std::int64_t time = all.lower; time < all.upper; ++time)
    when.push_back(when.back() +
                   random.between(std::int64_t{1}, std::int64_t{1000}));
  const auto map = [&](std::int64_t& time) {
    time = when[static_cast<std::size_t>(time - all.lower)];
  };
  for (Buffer<>& buffer : problem.buffers) {
    map(buffer.lifespan.lower);
    map(buffer.lifespan.upper);
  }
  return problem;
}

/// The problem twice, one after the other with or without a pause.
Problem<> doubled(Problem<> problem, std::int64_t pause) {
  const auto all = snug::benchmarks::duration(problem);
  const std::int64_t shift = all.upper - all.lower + pause;
  const std::size_t n = problem.buffers.size();
  for (std::size_t i = 0; i < n; ++i) {
    Buffer<> copy = problem.buffers[i];
    copy.lifespan.lower += shift;
    copy.lifespan.upper += shift;
    problem.buffers.push_back(copy);
  }
  return problem;
}

/// The k-th problem, of 20 to 60 buffers, and a capacity near the truth.
std::pair<Problem<>, std::int64_t> middle_case(std::uint64_t k) {
  Random random(k);
  Problem<> problem;
  const bool is_cut = k % 3 == 0;
  do {
    if (is_cut) {
      const std::size_t count =
          random.between(std::size_t{20}, std::size_t{60});
      problem =
          snug::benchmarks::guillotine<>(60, 200, count, random.next()).problem;
    } else {
      snug::benchmarks::TightWalk walk;
      walk.units = random.between(10, 40);
      walk.live = random.between(std::size_t{3}, std::size_t{8});
      walk.steps = random.between(8, 20);
      problem = snug::benchmarks::tight_walk<>(walk, random.next());
    }
  } while (problem.buffers.size() < 20 || problem.buffers.size() > 60);
  const bool is_aligned = random.chance(25);
  if (is_aligned) snug::testing::align(problem, 20, std::int64_t{1}, random);
  const std::int64_t load = snug::testing::load_of(problem);
  return {problem, load + (is_aligned ? random.between(0, 3) : 0)};
}

}  // namespace

TEST_CASE("changes that do not matter do not change the answer",
          "[metamorphic]") {
  Tally tally;
  for (std::uint64_t k = 0; k < 120; ++k) {
    Random random(k);
    const auto [problem, capacity] = middle_case(k);
    const Status base = answer(problem, capacity);
    INFO(snug::testing::as_csv(problem));
    CAPTURE(k, capacity, to_string(base));
    CHECK(tally.agree(base,
                      answer(snug::benchmarks::reversed(problem), capacity)));
    CHECK(tally.agree(
        base, answer(snug::benchmarks::shuffled(problem, k), capacity)));
    CHECK(tally.agree(base, answer(times(problem, 7), 7 * capacity)));
    // All tops are multiples of 7, so the last 6 bytes are of no use.
    CHECK(tally.agree(base, answer(times(problem, 7), 7 * capacity + 6)));
    CHECK(tally.agree(base, answer(stretched(problem, random), capacity)));
    CHECK(tally.agree(base, answer(doubled(problem, 0), capacity)));
    CHECK(tally.agree(base, answer(doubled(problem, 5), capacity)));
    snug::testing::Tuned other;
    other.seed = k + 2;
    other.use("0WAT,sZW");
    CHECK(tally.agree(base, answer(problem, capacity, other)));
  }
  CAPTURE(tally.compared, tally.undecided, tally.solved, tally.infeasible);
  CHECK(tally.undecided * 10 <= tally.compared);
  CHECK(tally.solved * 4 >= tally.compared);
  CHECK(tally.infeasible * 10 >= tally.compared);
}

TEST_CASE("what fits goes on to fit when it gets easier", "[metamorphic]") {
  std::size_t decided = 0;
  for (std::uint64_t k = 0; k < 120; ++k) {
    const auto [problem, capacity] = middle_case(k);
    INFO(snug::testing::as_csv(problem));
    CAPTURE(k, capacity);
    bool fits = false;
    for (std::int64_t c = capacity; c < capacity + 4; ++c) {
      const Status status = answer(problem, c);
      CAPTURE(c, to_string(status));
      if (fits) CHECK(status != Status::kInfeasible);
      fits = fits || status == Status::kSolved;
      if (status != Status::kNodeLimit) ++decided;
    }
    if (answer(problem, capacity) != Status::kSolved) continue;
    const auto fits_too = [&, c = capacity](const Problem<>& easier) {
      return answer(easier, c) != Status::kInfeasible;
    };
    CHECK(fits_too(snug::benchmarks::without(problem, 10, k)));
    CHECK(fits_too(snug::benchmarks::clipped(problem, {2, 9})));
    Problem<> unaligned = problem;
    for (Buffer<>& buffer : unaligned.buffers) buffer.alignment = 1;
    CHECK(fits_too(unaligned));
  }
  CHECK(decided >= 400);
}

TEST_CASE("a placement makes its own problem fit", "[metamorphic]") {
  // Cuts are feasible at their capacity: never "infeasible", nor with buffers
  // left out.
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto cut = snug::benchmarks::guillotine<>(
        100, 1 << 20, 20 + static_cast<std::size_t>(seed) * 2, seed);
    for (const int percent : {0, 4}) {
      const Problem<> problem =
          snug::benchmarks::without(cut.problem, percent, seed);
      const Status status = answer(problem, 1 << 20);
      CAPTURE(seed, percent);
      CHECK(status != Status::kInfeasible);
      if (status == Status::kSolved) ++solved;
    }
  }
  CHECK(solved >= 80);
}
