// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/explain.hpp"

#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/rule_rows.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace explain_test {

namespace {

using namespace snug::testing;
using snug::Cause;
using snug::explain;
using snug::Explanation;
using snug::Options;
using snug::Problem;
using snug::Status;
using snug::Stop;

/// Asks the oracle about everything that an explanation claims.
template <class Size, class Time>
void check_explanation(const Problem<Size, Time>& problem, Size capacity,
                       const Explanation<Time>& found) {
  INFO(as_csv(problem) << "capacity " << std::int64_t{capacity});
  if (found.status != Status::kInfeasible) {
    CHECK(found.buffers.empty());
    CHECK(found.cause == Cause::kNone);
    CHECK_FALSE(found.proved_irreducible);
    return;
  }
  REQUIRE_FALSE(found.buffers.empty());
  for (std::size_t k = 1; k < found.buffers.size(); ++k)
    REQUIRE(found.buffers[k - 1] < found.buffers[k]);
  REQUIRE(found.buffers.back() < problem.buffers.size());
  CHECK_FALSE(fits(problem, capacity, found.buffers));
  if (found.proved_irreducible) {
    CHECK(found.stopped_by == Stop::kNone);
    for (const std::size_t i : found.buffers) {
      std::vector<std::size_t> fewer;
      for (const std::size_t j : found.buffers)
        if (j != i) fewer.push_back(j);
      CAPTURE(i);
      CHECK(fits(problem, capacity, fewer));
    }
  } else {
    CHECK(found.stopped_by != Stop::kNone);
  }
  REQUIRE(found.cause != Cause::kNone);
  if (found.cause != Cause::kLoad) return;
  Size sum = 0;
  for (const std::size_t i : found.buffers) {
    const auto bytes = bytes_at(problem.buffers[i], found.moment);
    CHECK_FALSE(bytes.empty());
    sum = static_cast<Size>(sum + bytes.upper - bytes.lower);
  }
  CHECK(sum > capacity - problem.base);
}

/// Small plain problems of all kinds.
template <class Size, class Time>
Problem<Size, Time> draw(std::uint64_t seed) {
  Random random(seed);
  Shape shape;
  shape.count = random.between(std::size_t{3}, std::size_t{7});
  shape.length = random.between(2, 7);
  shape.largest = random.between(2, 5);
  Problem<Size, Time> problem =
      seed % 4 == 0   ? uniform<Size, Time>(shape, random)
      : seed % 4 == 1 ? clique<Size, Time>(shape, random)
      : seed % 4 == 2 ? twins<Size, Time>(shape, random)
                      : snug::benchmarks::guillotine<Size, Time>(
                            static_cast<Time>(random.between(3, 6)),
                            static_cast<Size>(random.between(4, 10)),
                            shape.count, random.next())
                            .problem;
  if (seed / 4 % 2 == 1) align(problem, 40, Size{1}, random);
  return problem;
}

}  // namespace

TEST_CASE("explain: what fits needs no explanation", "[explain]") {
  Problem<> problem;
  CHECK(is_solved(explain(problem, 0)));
  problem.buffers.push_back({{0, 2}, 4});
  problem.buffers.push_back({{1, 3}, 4});
  const Explanation<> found = explain(problem, 8);
  CHECK(is_solved(found));
  CHECK(found.buffers.empty());
  CHECK(found.cause == Cause::kNone);
  CHECK(found.stopped_by == Stop::kNone);
}

TEST_CASE("explain: bad input", "[explain]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 2}, 4});
  CHECK(explain(problem, -1).error.reason == snug::Reason::kNegativeCapacity);
  problem.buffers.push_back({{2, 2}, 4});
  const Explanation<> found = explain(problem, 8);
  CHECK(found.status == Status::kInvalid);
  CHECK(found.error.reason == snug::Reason::kEmptyLifespan);
  CHECK(found.error.buffer == 1);
}

TEST_CASE("explain: an overloaded moment takes no solve", "[explain]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 9}, 3});
  problem.buffers.push_back({{0, 4}, 5});
  problem.buffers.push_back({{5, 9}, 4});
  problem.buffers.push_back({{6, 8}, 7});
  const Explanation<> found = explain(problem, 10);
  CHECK(found.status == Status::kInfeasible);
  CHECK(found.buffers == std::vector<std::size_t>{2, 3});
  CHECK(found.proved_irreducible);
  CHECK(found.cause == Cause::kLoad);
  CHECK(found.moment == 6);
  CHECK(found.stats.solves == 0);
  CHECK(explain(problem, 13).buffers == std::vector<std::size_t>{0, 2, 3});
}

TEST_CASE("explain: alignment can make less than the overload too much",
          "[explain]") {
  // 10 bytes in 9, but with the alignment of the last even two do not fit.
  Problem<> problem;
  problem.buffers.push_back({{0, 1}, 2});
  problem.buffers.push_back({{0, 1}, 3});
  problem.buffers.push_back({{0, 1}, 5});
  problem.buffers[1].alignment = 7;
  problem.buffers[2].alignment = 7;
  const Explanation<> found = explain(problem, 9);
  CHECK(found.proved_irreducible);
  check_explanation(problem, std::int64_t{9}, found);
  CHECK(found.buffers == std::vector<std::size_t>{1, 2});
  CHECK(found.cause == Cause::kSearch);
}

TEST_CASE("explain: one buffer can be enough", "[explain]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 1}, 2});
  problem.buffers.push_back({{0, 1}, 0});
  problem.buffers.push_back({{0, 1}, 3});
  SECTION("too large") {
    problem.buffers[2].size = 9;
    CHECK(explain(problem, 8).buffers == std::vector<std::size_t>{2});
  }
  SECTION("fixed too high") {
    problem.buffers[2].offset = 6;
    CHECK(explain(problem, 8).buffers == std::vector<std::size_t>{2});
  }
  SECTION("empty, and fixed too high") {
    problem.buffers[1].offset = 9;
    CHECK(explain(problem, 8).buffers == std::vector<std::size_t>{1});
  }
}

TEMPLATE_TEST_CASE("explain: plain problems against the oracle", "[explain]",
                   std::int64_t, std::int16_t) {
  using Size = TestType;
  constexpr int kLimit = 16;
  int by_load = 0;
  int by_search = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(240); ++seed) {
    CAPTURE(seed);
    const Problem<Size, Size> problem = draw<Size, Size>(seed);
    const auto lowest = lowest_within(problem, kLimit);
    if (lowest) CHECK(is_solved(explain(problem, *lowest)));
    const int top = lowest ? static_cast<int>(*lowest) - 1 : kLimit;
    for (int below = 0; below < 3 && below <= top; ++below) {
      const auto capacity = static_cast<Size>(top - below);
      const Explanation<Size> found = explain(problem, capacity);
      REQUIRE(found.status == Status::kInfeasible);
      CHECK(found.proved_irreducible);
      check_explanation(problem, capacity, found);
      ++(found.cause == Cause::kLoad ? by_load : by_search);
    }
  }
  CHECK(by_load > at_least(200));
  CHECK(by_search > at_least(20));
}

TEST_CASE("explain: tight walks against the oracle", "[explain]") {
  std::size_t all = 0;
  std::size_t needed = 0;
  std::size_t k = 0;
  for (const std::uint32_t seed : kHardSmallWalks) {
    if (!is_due(k++)) continue;
    CAPTURE(seed);
    const Problem<> problem = small_walk(seed);
    const std::int64_t capacity = snug::load(problem);
    const Explanation<> found = explain(problem, capacity);
    REQUIRE(found.status == Status::kInfeasible);
    CHECK(found.proved_irreducible);
    CHECK(found.cause == Cause::kSearch);
    check_explanation(problem, capacity, found);
    all += problem.buffers.size();
    needed += found.buffers.size();
  }
  CAPTURE(all, needed);
  CHECK(10 * needed < 9 * all);
}

TEST_CASE("explain: larger tight walks", "[explain]") {
  // Their smaller sets are quick for the oracle.
  int checked = 0;
  std::size_t k = 0;
  for (const std::uint32_t seed : kHardMiddleWalks) {
    if (!is_due(k++)) continue;
    CAPTURE(seed);
    const Problem<> problem = middle_walk(seed);
    const std::int64_t capacity = snug::load(problem);
    const Explanation<> found = explain(problem, capacity);
    REQUIRE(found.status == Status::kInfeasible);
    CHECK(found.proved_irreducible);
    if (found.buffers.size() > 10) continue;
    ++checked;
    check_explanation(problem, capacity, found);
  }
  CHECK(checked > at_least_due(40));
}

TEST_CASE("explain: constrained problems against the oracle", "[explain]") {
  constexpr std::int64_t kLimit = 16;
  int explained = 0;
  int by_load = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(800); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{7});
    shape.length = random.between(2, 6);
    shape.largest = random.between(2, 5);
    Problem<> problem = uniform<>(shape, random);
    add_constraints(problem, random);
    const auto lowest = lowest_within(problem, kLimit);
    if (lowest) CHECK(is_solved(explain(problem, *lowest)));
    const std::int64_t capacity =
        lowest ? *lowest - random.between(1, 2) : kLimit;
    if (capacity < 0) continue;
    const Explanation<> found = explain(problem, capacity);
    REQUIRE(found.status == Status::kInfeasible);
    CHECK(found.proved_irreducible);
    check_explanation(problem, capacity, found);
    ++explained;
    if (found.cause == Cause::kLoad) ++by_load;
  }
  CHECK(explained > at_least(600));
  CHECK(by_load > at_least(100));
  CHECK(explained - by_load > at_least(100));
}

TEST_CASE("explain: any rules and small code", "[explain]") {
  for (std::size_t k = 0; k < kHardSmallWalks.size(); k += 3) {
    if (!is_due(k / 3)) continue;
    const std::uint32_t seed = kHardSmallWalks[k];
    CAPTURE(seed);
    Random random(seed);
    std::string strategy;
    const Tuned options = random_options(random, strategy);
    const Problem<> problem = small_walk(seed);
    const std::int64_t capacity = snug::load(problem);
    const Explanation<> found = explain(problem, capacity, options);
    REQUIRE(found.status == Status::kInfeasible);
    CHECK(found.proved_irreducible);
    check_explanation(problem, capacity, found);
    // By the model of bodies alone.
    snug::detail::Budget budget(options);
    const Explanation<> wide =
        snug::detail::explain_wide<snug::detail::BodiesAlone>(problem, capacity,
                                                              budget);
    REQUIRE(wide.status == Status::kInfeasible);
    CHECK(wide.proved_irreducible);
    check_explanation(problem, capacity, wide);
  }
}

TEST_CASE("explain: node limits are for the whole call", "[explain]") {
  const Problem<> problem = small_walk(kHardSmallWalks[7]);
  const std::int64_t capacity = snug::load(problem);
  const Explanation<> whole = explain(problem, capacity);
  REQUIRE(whole.proved_irreducible);
  int unknown = 0;
  int unproved = 0;
  std::size_t most = problem.buffers.size();
  for (std::int64_t limit = 0; limit <= whole.stats.nodes + 1; ++limit) {
    CAPTURE(limit);
    Options options;
    options.node_limit = limit;
    const Explanation<> found = explain(problem, capacity, options);
    CHECK(found.stats.nodes <= limit);
    check_explanation(problem, capacity, found);
    if (found.status != Status::kInfeasible) {
      CHECK(found.stopped_by == Stop::kNodeLimit);
      CHECK(unproved == 0);
      ++unknown;
      continue;
    }
    CHECK(found.buffers.size() <= most);
    most = found.buffers.size();
    if (found.proved_irreducible) continue;
    CHECK(found.stopped_by == Stop::kNodeLimit);
    ++unproved;
  }
  CHECK(unknown > 0);
  CHECK(unproved > 0);
  CHECK(most == whole.buffers.size());
}

TEST_CASE("explain: what is too large to be searched", "[explain]") {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 4}, {{0, 3}, 2}};
  problem.may_overlap = {{0, 1}};
  problem.reserved = {{{3, 4}, {{0, 1}}}};
  Options options;
  options.memory_limit = 0;
  const snug::Explanation<> found = explain(problem, 7, options);
  CHECK(found.status == Status::kUnknown);
  CHECK(found.stopped_by == Stop::kNodeLimit);
}

TEST_CASE("explain: without memory for a search more nodes are not tried",
          "[explain]") {
  Problem<> problem = snug::benchmarks::guillotine<>(100, 1000, 80, 1).problem;
  const std::size_t n = problem.buffers.size();
  for (std::size_t i = 0; i + 1 < n; i += 7)
    problem.aliases.push_back({i, i + 1, problem.buffers[i].size / 2});
  for (std::size_t i = 0; i < n; i += 9) {
    const auto life = problem.buffers[i].lifespan;
    if (life.upper - life.lower > 2)
      problem.buffers[i].gaps.push_back({{life.lower + 1, life.lower + 2}, {}});
  }
  Options options;
  options.memory_limit = 2000;
  const snug::Explanation<> found = explain(problem, 1000, options);
  CHECK(found.status == Status::kUnknown);
  CHECK(found.stopped_by == Stop::kNodeLimit);
  CHECK(found.stats.solves < 100);
}

TEST_CASE("explain: a load that is seen as the time runs out", "[explain]") {
  // In the whole, 1 and 2 may overlap others, and so no load counts them.
  Problem<> problem;
  problem.buffers = {
      {{2, 6}, 3}, {{0, 3}, 4}, {{0, 3}, 2}, {{1, 3}, 4}, {{1, 4}, 1}};
  problem.may_overlap = {{2, 1}, {0, 2}, {0, 4}};
  Options options;
  for (int time = 0; time < 6000; ++time) {
    options.time_limit = std::chrono::nanoseconds(10 * time);
    const Explanation<> found = explain(problem, 6, options);
    if (found.cause == Cause::kLoad)
      REQUIRE(found.buffers == std::vector<std::size_t>{1, 3});
  }
  check_explanation(problem, std::int64_t{6}, explain(problem, 6));
}

TEST_CASE("explain: time limit and cancellation", "[explain]") {
  const Problem<> problem = small_walk(kHardSmallWalks[7]);
  const std::int64_t capacity = snug::load(problem);
  Options options;
  SECTION("no time") {
    options.time_limit = std::chrono::nanoseconds(0);
    const Explanation<> found = explain(problem, capacity, options);
    CHECK(found.stopped_by == Stop::kTimeLimit);
    CHECK(found.stats.nodes == 0);
    // Where the load says it all, none is needed.
    CHECK(explain(problem, capacity - 1, options).proved_irreducible);
  }
  SECTION("cancelled") {
    const std::atomic<bool> cancel{true};
    options.cancel = &cancel;
    CHECK(explain(problem, capacity, options).stopped_by == Stop::kCancelled);
  }
  SECTION("cancelled by the progress callback") {
    struct Seen {
      int reports = 0;
      std::int64_t nodes = 0;
      bool ascending = true;
    } seen;
    options.progress_interval = std::chrono::nanoseconds(0);
    options.progress_data = &seen;
    options.progress = [](const snug::Progress& progress, void* data) {
      Seen& mine = *static_cast<Seen*>(data);
      mine.ascending = mine.ascending && progress.nodes >= mine.nodes;
      mine.nodes = progress.nodes;
      return ++mine.reports < 5;
    };
    const Explanation<> found = explain(problem, capacity, options);
    CHECK(seen.reports == 5);
    CHECK(seen.ascending);
    CHECK(found.stopped_by == Stop::kCancelled);
    CHECK_FALSE(found.proved_irreducible);
    check_explanation(problem, capacity, found);
  }
}

TEST_CASE("explain: spots are free or have one buffer in the way",
          "[explain]") {
  constexpr std::int64_t kCapacity = 12;
  int holes = 0;
  int shared = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    shape.count = 8;
    shape.length = 5;
    shape.largest = 4;
    Problem<> problem = uniform<>(shape, random);
    align(problem, 40, std::int64_t{1}, random);
    // Put in what fits, each somewhere.
    std::vector<std::int64_t> offsets(shape.count, -1);
    for (std::size_t i = 1; i < shape.count; ++i) {
      const snug::Buffer<>& buffer = problem.buffers[i];
      std::vector<std::int64_t> tried = offsets;
      tried[i] = random.between(std::int64_t{0}, kCapacity - buffer.size) /
                 buffer.alignment * buffer.alignment;
      if (snug::detail::is_placement(problem, kCapacity, tried))
        offsets = tried;
    }
    const snug::detail::Spots spots =
        snug::detail::find_spots(problem, 0, kCapacity, offsets);
    std::optional<std::int64_t> hole;
    std::vector<std::size_t> lone;
    const snug::Buffer<>& buffer = problem.buffers[0];
    for (std::int64_t at = 0; at + buffer.size <= kCapacity;
         at += buffer.alignment) {
      std::vector<std::size_t> hit;
      for (std::size_t j = 1; j < shape.count; ++j)
        if (offsets[j] >= 0 &&
            first_meeting(buffer, at, problem.buffers[j], offsets[j]))
          hit.push_back(j);
      if (hit.empty() && !hole) hole = at;
      if (hit.size() == 1) lone.push_back(hit[0]);
    }
    CHECK(spots.hole == hole);
    for (const snug::detail::Spot& spot : spots.shared) {
      std::vector<std::int64_t> exchanged = offsets;
      exchanged[spot.blocker] = -1;
      exchanged[0] = spot.offset;
      CHECK(snug::detail::is_placement(problem, kCapacity, exchanged));
    }
    for (const std::size_t j : lone) {
      bool found = false;
      for (const snug::detail::Spot& spot : spots.shared)
        found = found || spot.blocker == j;
      CHECK(found);
    }
    holes += hole ? 1 : 0;
    shared += static_cast<int>(lone.size());
  }
  CHECK(holes > at_least(50));
  CHECK(shared > at_least(50));
}

TEST_CASE("explain: TPU instances one byte below their load", "[explain]") {
  for (const char* name : kTpuInstances) {
    const auto problem = load_instance(name);
    SNUG_NEEDS_INSTANCES(problem);
    const std::int64_t capacity = snug::load(*problem) - 1;
    const Explanation<> found = explain(*problem, capacity);
    CAPTURE(name);
    CHECK(found.status == Status::kInfeasible);
    CHECK(found.proved_irreducible);
    CHECK(found.cause == Cause::kLoad);
    std::int64_t sum = 0;
    std::int64_t least = (std::numeric_limits<std::int64_t>::max)();
    for (const std::size_t i : found.buffers) {
      const snug::Buffer<>& buffer = problem->buffers[i];
      CHECK(buffer.lifespan.lower <= found.moment);
      CHECK(found.moment < buffer.lifespan.upper);
      sum += buffer.size;
      least = (std::min)(least, buffer.size);
    }
    CHECK(sum > capacity);
    CHECK(sum - least <= capacity);
  }
}

TEST_CASE(
    "explain: a large problem is not checked to the end once it is cancelled") {
  // The check of what is fixed would find that they overlap.
  Problem<> problem;
  problem.buffers.assign(100000, {{0, 2}, 1, 1, {}, 0});
  CHECK(explain(problem, 1).status == Status::kInvalid);
  const std::atomic<bool> cancel = true;
  Options options;
  options.cancel = &cancel;
  const auto result = explain(problem, 1, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kCancelled);
}

}  // namespace explain_test
