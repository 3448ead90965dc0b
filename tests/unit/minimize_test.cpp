// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/minimize.hpp"

#include "generate.hpp"
#include "snug/load.hpp"
#include "snug/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/partition.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/instances.hpp"
#include "support/lists.hpp"
#include "support/naive_dive.hpp"
#include "support/plain.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"
#include "variants.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace minimize_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;

/// A walk whose optimum is above its load.
Problem<> nth_hard_walk(std::size_t k) {
  return small_walk<>(kHardSmallWalks[k]);
}

}  // namespace

TEMPLATE_TEST_CASE("minimize: the running example needs its load", "[minimize]",
                   std::int32_t, std::int64_t) {
  const auto problem = running_example<TestType>();
  const Result<TestType> result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == 12);
  CHECK(result.lower_bound == 12);
  CHECK(snug::validate(problem, TestType{12}, result.offsets).ok());
}

TEST_CASE("minimize: nothing to place", "[minimize]") {
  Problem<> problem;
  Result<> result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == 0);
  problem.buffers.push_back({{0, 3}, 0});
  result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == 0);
  CHECK(result.offsets == std::vector<std::int64_t>{0});
}

TEST_CASE("minimize: an invalid problem is refused", "[minimize]") {
  Problem<> problem;
  problem.buffers.push_back({{3, 3}, 1});
  const Result<> result = snug::minimize(problem);
  CHECK(result.status == Status::kInvalid);
  CHECK(result.error.reason == snug::Reason::kEmptyLifespan);
  CHECK(result.offsets.empty());
}

TEST_CASE("minimize: partitions need the height of the highest", "[minimize]") {
  const Problem<> hard = nth_hard_walk(0);
  const Result<> alone = snug::minimize(hard);
  REQUIRE(is_solved(alone));
  // The same walk twice, one after the other, then a higher clique.
  Problem<> problem = hard;
  std::int64_t end = 0;
  for (const auto& buffer : hard.buffers)
    end = end < buffer.lifespan.upper ? buffer.lifespan.upper : end;
  for (auto buffer : hard.buffers) {
    buffer.lifespan.lower += end;
    buffer.lifespan.upper += end;
    problem.buffers.push_back(buffer);
  }
  Result<> result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == alone.height);
  CHECK(result.lower_bound == alone.height);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
  problem.buffers.push_back({{2 * end, 2 * end + 1}, alone.height + 5});
  result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == alone.height + 5);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
}

TEST_CASE("minimize: partitions of different units", "[minimize]") {
  // 7 is no multiple of 2, but what is multiples of 2 may be 6.
  Problem<> problem;
  problem.buffers = {
      {{4, 6}, 2}, {{4, 6}, 2, 8}, {{2, 3}, 3}, {{2, 3}, 2}, {{2, 3}, 2}};
  Result<> result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == 7);
  CHECK(result.lower_bound == 7);
  // A walk in units of 2, and before it a buffer that is about as high.
  for (std::size_t k = 0; k < 60; ++k) {
    Problem<> walk = small_walk<>(kHardSmallWalks[k], 2);
    const std::int64_t lowest = snug::minimize(walk).height;
    for (const std::int64_t more : {-3, -1, 1}) {
      problem = walk;
      problem.buffers.push_back({{-5, -4}, lowest + more});
      result = snug::minimize(problem);
      CAPTURE(k, lowest, more);
      CHECK(is_solved(result));
      CHECK(result.height == (more > 0 ? lowest + more : lowest));
      CHECK(result.lower_bound == result.height);
      CHECK(snug::validate(problem, result.height, result.offsets).ok());
    }
  }
}

TEST_CASE("minimize: constraints", "[minimize]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}, {{1, 3}, 5}};
  const auto lowest = [&] {
    const Result<> result = snug::minimize(problem);
    CHECK(is_solved(result));
    CHECK(result.lower_bound == result.height);
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
    return result.height;
  };
  CHECK(lowest() == 12);
  SECTION("a fixed offset") {
    problem.buffers[1].offset = 2;
    CHECK(lowest() == 14);
  }
  SECTION("a gap") {
    problem.buffers[2].gaps = {{{1, 2}, snug::Interval<std::int64_t>{2, 4}}};
    CHECK(lowest() == 9);
  }
  SECTION("a pair") {
    problem.may_overlap = {{2, 0}};
    CHECK(lowest() == 9);
    problem.base = 4;
    CHECK(lowest() == 13);
  }
  SECTION("none that a placement satisfies") {
    problem.buffers[0].end = snug::End::kTop;
    problem.buffers[1].end = snug::End::kBottom;
    CHECK(lowest() == 12);
    problem.buffers[0].offset = 3;
    const Result<> result = snug::minimize(problem);
    CHECK(result.status == Status::kInfeasible);
    CHECK(result.offsets.empty());
  }
  SECTION("refused where they are left out") {
    const auto plain = [&] { return snug::plain::minimize(problem); };
    problem.buffers[0].hint = 1;
    CHECK(plain().height == 12);
    problem.buffers[1].offset = 2;
    const Result<> result = plain();
    CHECK(result.status == Status::kInvalid);
    CHECK(result.error.reason == snug::Reason::kUnsupported);
    CHECK(result.error.buffer == 1);
  }
}

TEST_CASE("minimize: the lowest height is where solve begins to succeed",
          "[minimize]") {
  for (std::size_t k = 0; k < 40; ++k) {
    const Problem<> problem = nth_hard_walk(k);
    const Result<> result = snug::minimize(problem);
    CAPTURE(k, result.height);
    REQUIRE(is_solved(result));
    CHECK(result.height == result.lower_bound);
    CHECK(is_solved(snug::solve(problem, result.height)));
    CHECK(snug::solve(problem, result.height - 1).status ==
          Status::kInfeasible);
  }
}

TEST_CASE("minimize: what fits fits a larger capacity, and none is lower",
          "[minimize]") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    const Problem<> problem =
        seed < 20 ? nth_hard_walk(seed) : draw_any(seed, 12, seed % 2 == 0);
    const Result<> best = snug::minimize(problem);
    CAPTURE(seed, best.height);
    REQUIRE(is_solved(best));
    bool fits = false;
    for (std::int64_t capacity = 0; capacity <= best.height + 3; ++capacity) {
      const Result<> result = snug::solve(problem, capacity);
      const bool fits_now = is_solved(result);
      REQUIRE((fits_now || result.status == Status::kInfeasible));
      REQUIRE((fits_now || !fits));
      REQUIRE(fits_now == (capacity >= best.height));
      fits = fits_now;
    }
    CHECK(fits);
  }
}

TEST_CASE("minimize: strategies, seeds and rules change no height",
          "[minimize]") {
  for (std::size_t k = 0; k < 8; ++k) {
    const Problem<> problem = nth_hard_walk(k);
    const Result<> best = snug::minimize(problem);
    CAPTURE(k, best.height);
    for (int variant = 0; variant < 6; ++variant) {
      Tuned options;
      if (variant == 0) options.seed = 77;
      if (variant == 1) options.use("0ZW");
      if (variant == 2) options.own.rules.restarts = false;
      if (variant == 3) options.own.rules.failed_states = false;
      if (variant == 4) options.own.rules.conflict_sets = false;
      if (variant == 5) options.own.failed_state_bytes = 4096;
      const Result<> result = snug::minimize(problem, options);
      CAPTURE(variant);
      CHECK(is_solved(result));
      CHECK(result.height == best.height);
    }
  }
}

TEST_CASE("minimize: little memory on large instances of others",
          "[minimize]") {
  std::size_t k = 0;
  for (const char* const name : kLargeInstances) {
    if (!is_due(k++)) continue;
    const auto problem = load_instance<>(name);
    SNUG_NEEDS_INSTANCES(problem);
    CAPTURE(name);
    const Result<> result = snug::minimize(*problem);
    CHECK(is_solved(result));
    CHECK(result.height == snug::load(*problem));
    CHECK(result.stats.peak_bytes <= std::size_t{32} << 20);
  }
}

TEST_CASE("minimize: stopped at any node, it tells the truth", "[minimize]") {
  for (std::size_t k = 0; k < 12; ++k) {
    if (!is_due(k)) continue;
    const Problem<> problem = nth_hard_walk(k);
    const Result<> best = snug::minimize(problem);
    REQUIRE(is_solved(best));
    for (std::int64_t nodes = 0; nodes <= best.stats.nodes; ++nodes) {
      Tuned options;
      options.node_limit = nodes;
      const Result<> result = snug::minimize(problem, options);
      CAPTURE(k, nodes, result.height, result.lower_bound, best.height);
      REQUIRE(result.stats.nodes <= nodes);
      REQUIRE(result.has_solution());
      REQUIRE(snug::validate(problem, result.height, result.offsets).ok());
      REQUIRE(result.lower_bound <= best.height);
      REQUIRE(best.height <= result.height);
      REQUIRE((is_solved(result) || result.stopped_by == Stop::kNodeLimit));
      REQUIRE((is_solved(result)) == (result.height == result.lower_bound));
    }
  }
}

TEST_CASE("minimize: cancelled before it begins, it returns a placement",
          "[minimize]") {
  const std::atomic<bool> cancel{true};
  Tuned options;
  options.cancel = &cancel;
  const Problem<> problem = nth_hard_walk(3);
  const Result<> result = snug::minimize(problem, options);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(result.stats.nodes == 0);
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
}

namespace {

/// What a callback was told.
struct Heights {
  std::vector<snug::Progress> all;
  std::size_t most = 0;
};

bool record_heights(const snug::Progress& progress, void* data) {
  Heights& reports = *static_cast<Heights*>(data);
  reports.all.push_back(progress);
  return reports.all.size() < reports.most;
}

}  // namespace

TEST_CASE("minimize: progress is reported, and may cancel", "[minimize]") {
  // Middle walks take some hundred nodes, so that the clock is looked at.
  bool cancelled = false;
  for (const std::uint64_t seed : kHardMiddleWalks) {
    const Problem<> problem = middle_walk<>(seed);
    const Result<> best = snug::minimize(problem);
    REQUIRE(is_solved(best));
    Heights reports;
    reports.most = 1000000;
    Tuned options;
    options.progress = record_heights;
    options.progress_data = &reports;
    options.progress_interval = std::chrono::nanoseconds(0);
    const Result<> told = snug::minimize(problem, options);
    CHECK(told.offsets == best.offsets);
    CHECK(told.stats.nodes == best.stats.nodes);
    std::int64_t nodes = -1;
    for (const snug::Progress& progress : reports.all) {
      CHECK(progress.nodes >= nodes);
      CHECK(progress.lower_bound <= best.height);
      CHECK((progress.height == -1 || progress.height >= best.height));
      CHECK(progress.seconds >= 0);
      nodes = progress.nodes;
    }
    if (reports.all.size() < 3) continue;
    reports = Heights{};
    reports.most = 2;
    const Result<> stopped = snug::minimize(problem, options);
    CHECK(reports.all.size() == 2);
    CHECK(stopped.stopped_by == Stop::kCancelled);
    CHECK(stopped.stats.nodes <= best.stats.nodes);
    CHECK(snug::validate(problem, stopped.height, stopped.offsets).ok());
    cancelled = true;
  }
  CHECK(cancelled);
}

TEST_CASE("minimize: an optimum that is far above its bound", "[minimize]") {
  // Of the bytes below the next multiple of the alignment, a reserved one is in
  // the way. In units of every width.
  for (const int bits : {4, 7, 13, 14, 15, 29, 30, 31, 60, 61}) {
    CAPTURE(bits);
    Problem<> problem;
    problem.buffers = {{{0, 9}, 3, std::int64_t{1} << bits}};
    problem.reserved.push_back({{1, 6}, std::nullopt});
    const Result<> result = minimize(problem);
    CHECK(result.status == Status::kOptimal);
    CHECK(result.height == (std::int64_t{1} << bits) + 3);
    CHECK(result.lower_bound == result.height);
  }
}

TEST_CASE("minimize: progress counts what is fixed", "[minimize]") {
  Problem<> problem;
  problem.alignment = 3;
  problem.buffers = {{{1, 2}, 2}, {{0, 1}, 4}, {{0, 1}, 1}};
  problem.buffers[0].offset = 6;
  problem.buffers[2].hint = 3;
  std::vector<std::int64_t> heights;
  Options options;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress_data = &heights;
  options.progress = [](const snug::Progress& progress, void* data) {
    static_cast<std::vector<std::int64_t>*>(data)->push_back(progress.height);
    return true;
  };
  const Result<> result = minimize(problem, options);
  REQUIRE(result.height == 8);
  CHECK_FALSE(heights.empty());
  for (const std::int64_t height : heights)
    CHECK((height == -1 || height >= 8));
}

TEST_CASE("minimize: 32-bit sizes whose sum needs more", "[minimize]") {
  // The stack of all three would overflow; the load does not.
  constexpr std::int32_t kBig = 1 << 30;
  Problem<std::int32_t, std::int32_t> problem;
  problem.buffers.push_back({{0, 2}, kBig - 1});
  problem.buffers.push_back({{1, 4}, kBig});
  problem.buffers.push_back({{3, 5}, kBig - 2});
  const auto result = snug::minimize(problem);
  CHECK(is_solved(result));
  CHECK(result.height == std::numeric_limits<std::int32_t>::max());
  CHECK(snug::validate(problem, result.height, result.offsets).ok());
}

TEST_CASE("minimize: a partition below the bound of another need not be lower",
          "[minimize]") {
  // A hard part in units of ten, and one buffer that is a byte higher than that
  // part needs to be, which is no multiple of ten.
  constexpr std::int64_t kLeast = 10 * kStaircaseLoad;
  Problem<> problem = staircase();
  for (snug::Buffer<>& buffer : problem.buffers) buffer.size *= 10;
  REQUIRE(snug::load(problem) == kLeast);
  problem.buffers.push_back({{300, 301}, kLeast + 1});
  const auto result = snug::minimize(problem);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.height == kLeast + 1);
  CHECK(result.lower_bound == kLeast + 1);
  CHECK(result.stats.nodes > 1000);
}

TEST_CASE("minimize: what bounds a problem without its gaps is no bound of it",
          "[minimize]") {
  Problem<> problem;
  problem.buffers.resize(1);
  problem.buffers[0] = {{0, 1}, 2};
  problem.buffers[0].gaps = {{{0, 1}, {}}};
  problem.reserved = {{{1, 3}, {}}};
  const auto result = snug::minimize_within(problem, std::int64_t{3});
  CHECK(result.status == Status::kOptimal);
  CHECK(result.height == 2);
  CHECK(result.lower_bound == 2);
}

TEST_CASE("minimize: two that may overlap make no placement higher",
          "[minimize]") {
  struct Case {
    std::size_t count;
    std::uint64_t seed;
    std::int64_t nodes;
  };
  for (const Case one : {Case{120, 9, 1000}, Case{200, 7, 2000}}) {
    const Problem<> plain = snug::benchmarks::without(
        snug::benchmarks::guillotine<>(60, 1000, one.count, one.seed).problem,
        10, one.seed);
    Problem<> relaxed = plain;
    std::size_t b = 1;
    while (!plain.buffers[0].lifespan.overlaps(plain.buffers[b].lifespan)) ++b;
    relaxed.may_overlap = {{0, b}};
    Options options;
    options.node_limit = 4 * one.nodes;
    const Result<> least = snug::minimize(plain, options);
    options.node_limit = one.nodes;
    CAPTURE(one.count, one.seed);
    CHECK(snug::minimize(relaxed, options).height <= least.height);
  }
}

TEST_CASE(
    "minimize: many that are live alone later make no problem a large one",
    "[minimize]") {
  for (const std::uint64_t seed : {7U, 15U}) {
    Problem<> problem = snug::benchmarks::without(
        snug::benchmarks::guillotine<>(60, 1000, 150, seed).problem, 1, seed);
    for (std::int64_t k = 0; k < 600; ++k)
      problem.buffers.push_back({{100 + 2 * k, 101 + 2 * k}, 5});
    const Result<> result = snug::minimize(problem);
    CAPTURE(seed);
    REQUIRE(result.status == Status::kOptimal);
    CHECK(result.stats.nodes < 1000);
  }
}

TEST_CASE("minimize: a large problem takes few bytes a buffer", "[minimize]") {
  constexpr std::size_t kCount = 20000;
  const Problem<> problem = snug::benchmarks::exponential<>(
      kCount, std::int64_t{kCount}, 20, 65536, kCount);
  Tuned options;
  options.node_limit = 0;
  const auto result = snug::minimize(problem, options);
  REQUIRE(result.has_solution());
  CHECK(result.stats.peak_bytes < 170 * kCount);
}

}  // namespace minimize_test
