// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Middle-size problems, beyond the oracle: a change that cannot alter whether
/// a problem fits must not alter the answer.
#include "../../benchmarks/generate.hpp"
#include "../../benchmarks/variants.hpp"
#include "snug/load.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
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
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace metamorphic_test {

namespace {

using namespace snug::testing;
using snug::Buffer;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;

/// Solves within a node limit and judges what can be judged alone.
Status answer(const Problem<>& problem, std::int64_t capacity,
              Tuned options = {}) {
  options.node_limit = 20000;
  const Result<> result = solve(problem, capacity, options);
  INFO(as_csv(problem, result.offsets));
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
    if (is_placed(a)) ++solved;
    if (a == Status::kInfeasible) ++infeasible;
    if (a == Status::kUnknown || b == Status::kUnknown) {
      ++undecided;
      return true;
    }
    return is_placed(a) == is_placed(b);
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
  if (is_aligned) align(problem, 20, std::int64_t{1}, random);
  const std::int64_t load = load_of(problem);
  return {problem, load + (is_aligned ? random.between(0, 3) : 0)};
}

/// The k-th problem with any constraints, of 6 to 14 buffers, without alignments
/// and a base, and a capacity for it.
std::pair<Problem<>, std::int64_t> constrained_case(std::uint64_t k) {
  Random random(k);
  Shape shape;
  shape.count = random.between(std::size_t{6}, std::size_t{14});
  shape.length = random.between(4, 12);
  Problem<> problem = uniform<>(shape, random);
  for (int more = random.between(1, 4); more > 0; --more) {
    const auto kind =
        static_cast<Constraint>(random.between(0, kConstraints - 1));
    if (kind != Constraint::kBase && kind != Constraint::kHeapAlignment &&
        kind != Constraint::kAlignment)
      add_constraint(problem, kind, random);
  }
  return {problem, snug::load(problem) + random.between(0, 4)};
}

/// All times `by` later.
Problem<> shifted(Problem<> problem, std::int64_t by) {
  const auto shift = [by](snug::Interval<std::int64_t>& times) {
    times.lower += by;
    times.upper += by;
  };
  for (Buffer<>& buffer : problem.buffers) {
    shift(buffer.lifespan);
    for (snug::Gap<>& gap : buffer.gaps) shift(gap.lifespan);
  }
  for (snug::Reserved<>& range : problem.reserved)
    if (range.lifespan) shift(*range.lifespan);
  return problem;
}

/// Time runs backwards.
Problem<> backwards(Problem<> problem) {
  const auto reverse = [](snug::Interval<std::int64_t>& times) {
    times = {-times.upper, -times.lower};
  };
  for (Buffer<>& buffer : problem.buffers) {
    reverse(buffer.lifespan);
    for (snug::Gap<>& gap : buffer.gaps) reverse(gap.lifespan);
  }
  for (snug::Reserved<>& range : problem.reserved)
    if (range.lifespan) reverse(*range.lifespan);
  return problem;
}

/// Address x becomes capacity - x. Nothing is aligned.
Problem<> mirrored(Problem<> problem, std::int64_t capacity) {
  for (Buffer<>& buffer : problem.buffers) {
    const std::int64_t size = buffer.size;
    if (buffer.offset) *buffer.offset = capacity - *buffer.offset - size;
    buffer.hint.reset();
    buffer.end = buffer.end == snug::End::kBottom ? snug::End::kTop
                 : buffer.end == snug::End::kTop  ? snug::End::kBottom
                                                  : snug::End::kAny;
    for (snug::Gap<>& gap : buffer.gaps)
      if (gap.window)
        *gap.window = {size - gap.window->upper, size - gap.window->lower};
  }
  for (snug::Alias<>& alias : problem.aliases)
    alias.delta = problem.buffers[alias.of].size - alias.delta -
                  problem.buffers[alias.buffer].size;
  for (std::vector<std::size_t>& group : problem.contiguous)
    std::reverse(group.begin(), group.end());
  std::vector<snug::Reserved<>> ranges;
  for (snug::Reserved<> range : problem.reserved) {
    // What is above the capacity is in nobody's way.
    range.bytes = {capacity - (std::min)(range.bytes.upper, capacity),
                   capacity - range.bytes.lower};
    if (!range.bytes.empty()) ranges.push_back(range);
  }
  problem.reserved = ranges;
  return problem;
}

/// A buffer without gaps in two, one after the other in time, at one offset; or
/// one above the other. Nothing if there is none, or pairs name it.
std::optional<Problem<>> split(Problem<> problem, bool in_time,
                               Random& random) {
  const std::size_t n = problem.buffers.size();
  const std::size_t i = random.between(std::size_t{0}, n - 1);
  Buffer<>& first = problem.buffers[i];
  const auto names = [i](const std::vector<snug::BufferPair>& pairs) {
    return std::any_of(pairs.begin(), pairs.end(), [i](const auto& pair) {
      return pair.first == i || pair.second == i;
    });
  };
  const std::int64_t middle = (first.lifespan.lower + first.lifespan.upper) / 2;
  if (!first.gaps.empty() || first.hint || names(problem.apart) ||
      names(problem.may_overlap) ||
      (in_time ? middle <= first.lifespan.lower : first.size < 2))
    return std::nullopt;
  for (const std::vector<std::size_t>& group : problem.contiguous)
    if (std::count(group.begin(), group.end(), i) != 0) return std::nullopt;
  Buffer<> second = first;
  second.offset.reset();
  if (in_time) {
    first.lifespan.upper = second.lifespan.lower = middle;
    problem.aliases.push_back({n, i, 0});
  } else {
    // Ties exempt parts from meeting whom the whole may share bytes with.
    for (const snug::Alias<>& alias : problem.aliases)
      if (alias.buffer == i || alias.of == i) return std::nullopt;
    first.size = first.size / 2;
    second.size -= first.size;
    problem.contiguous.push_back({i, n});
  }
  problem.buffers.push_back(second);
  return problem;
}

/// Constraints that hold in every placement within `capacity`.
Problem<> with_vacuous(Problem<> problem, std::int64_t capacity, int kind) {
  const std::size_t n = problem.buffers.size();
  switch (kind) {
    case 0:  // Bytes that nobody can have.
      problem.reserved.push_back({{capacity, capacity + 100}, std::nullopt});
      break;
    case 1:  // A gap in which all bytes are in use.
      for (Buffer<>& buffer : problem.buffers)
        if (buffer.gaps.empty() && buffer.size > 0)
          buffer.gaps.push_back(
              {buffer.lifespan, snug::Interval<std::int64_t>{0, buffer.size}});
      break;
    case 2:  // Somebody without bytes, tied and kept apart.
      problem.buffers.push_back({problem.buffers[0].lifespan, 0});
      problem.apart.push_back({0, n});
      break;
    case 3:  // Who may overlap and is never there together.
      problem.buffers.push_back({{1000, 1001}, 1});
      problem.buffers.push_back({{1001, 1002}, 1});
      problem.may_overlap.push_back({n, n + 1});
      problem.apart.push_back({0, n});
      break;
    default:  // One that fits wherever nobody is.
      problem.buffers.push_back({{1000, 1001}, capacity});
      problem.buffers.back().offset = 0;
      problem.reserved.push_back(
          {{0, 1}, snug::Interval<std::int64_t>{2000, 2001}});
      break;
  }
  return problem;
}

}  // namespace

TEST_CASE("changes that do not matter do not change the answer",
          "[metamorphic]") {
  Tally tally;
  for (std::uint64_t k = 0; k < effort(120U); ++k) {
    Random random(k);
    const auto [problem, capacity] = middle_case(k);
    const Status base = answer(problem, capacity);
    INFO(as_csv(problem));
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
    Tuned other;
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
  for (std::uint64_t k = 0; k < effort(120U); ++k) {
    const auto [problem, capacity] = middle_case(k);
    INFO(as_csv(problem));
    CAPTURE(k, capacity);
    bool fits = false;
    for (std::int64_t c = capacity; c < capacity + 4; ++c) {
      const Status status = answer(problem, c);
      CAPTURE(c, to_string(status));
      if (fits) CHECK(status != Status::kInfeasible);
      fits = fits || is_placed(status);
      if (status != Status::kUnknown) ++decided;
    }
    if (!is_placed(answer(problem, capacity))) continue;
    const auto fits_too = [&, c = capacity](const Problem<>& easier) {
      return answer(easier, c) != Status::kInfeasible;
    };
    CHECK(fits_too(snug::benchmarks::without(problem, 10, k)));
    CHECK(fits_too(snug::benchmarks::clipped(problem, {2, 9})));
    Problem<> unaligned = problem;
    for (Buffer<>& buffer : unaligned.buffers) buffer.alignment = 1;
    CHECK(fits_too(unaligned));
  }
  CHECK(decided >= at_least(400U));
}

TEST_CASE("a placement makes its own problem fit", "[metamorphic]") {
  // Cuts are feasible at their capacity: never "infeasible", nor with buffers
  // left out.
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    if (!is_due(seed)) continue;
    const auto cut = snug::benchmarks::guillotine<>(
        100, 1 << 20, 20 + static_cast<std::size_t>(seed) * 2, seed);
    for (const int percent : {0, 4}) {
      const Problem<> problem =
          snug::benchmarks::without(cut.problem, percent, seed);
      const Status status = answer(problem, 1 << 20);
      CAPTURE(seed, percent);
      CHECK(status != Status::kInfeasible);
      if (is_placed(status)) ++solved;
    }
  }
  CHECK(solved >= at_least_due(80U));
}

TEST_CASE("changes that do not matter to constraints do not change the answer",
          "[metamorphic]") {
  Tally tally;
  std::size_t splits = 0;
  std::size_t additions = 0;
  for (std::uint64_t k = 0; k < effort<std::uint64_t>(120); ++k) {
    Random random(k);
    const auto [problem, capacity] = constrained_case(k);
    const Status base = answer(problem, capacity);
    INFO(as_csv(problem));
    CAPTURE(k, capacity, to_string(base));
    const auto same = [&, c = capacity](const Problem<>& other) {
      if (!check(other).ok()) return true;
      return tally.agree(base, answer(other, c));
    };
    CHECK(same(shifted(problem, -1000)));
    CHECK(same(shifted(problem, std::int64_t{1} << 61)));
    CHECK(same(backwards(problem)));
    bool can_mirror = true;
    for (const Buffer<>& buffer : problem.buffers)
      can_mirror = can_mirror &&
                   (!buffer.offset || *buffer.offset + buffer.size <= capacity);
    if (can_mirror) CHECK(same(mirrored(problem, capacity)));
    for (const bool in_time : {true, false})
      if (const auto parts = split(problem, in_time, random)) {
        CHECK(same(*parts));
        ++splits;
      }
    for (int kind = 0; kind < 4; ++kind)
      CHECK(same(with_vacuous(problem, capacity, kind)));
    if (capacity > 0) CHECK(same(with_vacuous(problem, capacity, 4)));

    // More room, and a buffer where there was nobody, leave what fits fitting.
    const Result<> placed = solve(problem, capacity);
    if (!placed.has_solution()) continue;
    for (const std::int64_t more : {1, 2, 1000})
      CHECK(answer(problem, capacity + more) != Status::kInfeasible);
    Problem<> fuller = problem;
    fuller.buffers.push_back(
        {{random.between(0, 3), random.between(4, 12)}, 1});
    std::vector<std::int64_t> offsets = placed.offsets;
    for (offsets.push_back(0); offsets.back() < capacity; ++offsets.back())
      if (validate(fuller, capacity, offsets).ok()) break;
    if (offsets.back() >= capacity) continue;
    ++additions;
    CHECK(answer(fuller, capacity) != Status::kInfeasible);
  }
  CAPTURE(tally.compared, tally.undecided, tally.solved, tally.infeasible,
          splits, additions);
  CHECK(tally.compared >= at_least<std::size_t>(800));
  CHECK(tally.undecided * 10 <= tally.compared);
  CHECK(tally.solved * 5 >= tally.compared);
  CHECK(tally.infeasible * 20 >= tally.compared);
  CHECK(splits >= at_least<std::size_t>(60));
  CHECK(additions >= at_least<std::size_t>(20));
}

}  // namespace metamorphic_test
