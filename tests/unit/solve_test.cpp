// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/solve.hpp"

#include "snug/bounds/aligned_load.hpp"
#include "snug/bounds/aligned_stack.hpp"
#include "snug/minimize.hpp"
#include "snug/normal/lasting.hpp"
#include "snug/normal/plain_components.hpp"
#include "snug/plain.hpp"
#include "snug/small.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace solve_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Reason;
using snug::Result;
using snug::Status;
using snug::Stop;

namespace {

/// Each meets the next and nobody else. It fits at its load of size + below,
/// where no stack does.
template <class T>
Problem<T, T> chain(T size, T below) {
  Problem<T, T> problem;
  problem.buffers = {
      {{0, 2}, size}, {{1, 4}, below}, {{3, 6}, size}, {{5, 7}, below}};
  return problem;
}

/// The lowest height, for a few buffers of any size: each on top of those
/// before it, in all orders.
template <class T>
T lowest_in_any_order(const Problem<T, T>& problem) {
  const std::size_t n = problem.buffers.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::int64_t lowest = (std::numeric_limits<std::int64_t>::max)();
  do {
    std::vector<std::int64_t> tops(n, 0);
    std::int64_t height = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto& buffer = problem.buffers[order[k]];
      std::int64_t offset = 0;
      for (std::size_t j = 0; j < k; ++j)
        if (problem.buffers[order[j]].lifespan.overlaps(buffer.lifespan))
          offset = (std::max)(offset, tops[order[j]]);
      const std::int64_t alignment{buffer.alignment};
      offset = (offset + alignment - 1) / alignment * alignment;
      tops[order[k]] = offset + buffer.size;
      height = (std::max)(height, tops[order[k]]);
    }
    lowest = (std::min)(lowest, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return static_cast<T>(lowest);
}

/// A walk without a placement at its load: a search must prove that.
Problem<> infeasible_walk() {
  return middle_walk<>(kHardMiddleWalks[0]);
}

/// A cut that takes a search, and fits at 64.
snug::benchmarks::Instance<> cut(std::uint64_t seed) {
  return snug::benchmarks::guillotine<>(60, 64, 30, seed);
}

Tuned without_rules() {
  Tuned options;
  options.use("0Z");
  options.own.rules = {false, false, false, false, false,
                       false, false, false, false};
  return options;
}

template <class Size, class Time>
void check_solved(const Problem<Size, Time>& problem, Size capacity,
                  const Result<Size>& result) {
  REQUIRE(is_solved(result));
  CHECK(result.has_solution());
  CHECK(result.error.ok());
  CHECK(validate(problem, capacity, result.offsets).ok());
  CHECK(result.height == height_of(problem, result.offsets));
  CHECK(result.lower_bound <= result.height);
}

template <class Size>
void check_without_placement(const Result<Size>& result) {
  CHECK_FALSE(result.has_solution());
  CHECK(result.offsets.empty());
  CHECK(result.height == 0);
}

template <class Size>
void check_without_placement(const Result<Size>& result, Status status) {
  CHECK(result.status == status);
  check_without_placement(result);
}

template <class Size>
void check_stopped(const Result<Size>& result, Stop stopped_by) {
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == stopped_by);
  check_without_placement(result);
}

bool same_steps(const Result<>& a, const Result<>& b) {
  return a.status == b.status && a.offsets == b.offsets &&
         a.height == b.height && a.lower_bound == b.lower_bound &&
         a.stats.nodes == b.stats.nodes &&
         a.stats.backtracks == b.stats.backtracks &&
         a.stats.runs == b.stats.runs &&
         std::string(a.stats.strategy) == b.stats.strategy;
}

bool same(const Result<>& a, const Result<>& b) {
  return same_steps(a, b) && a.stats.peak_bytes == b.stats.peak_bytes;
}

/// The height of the highest stack of what is live at one time.
std::int64_t highest_stack(const snug::detail::Plain& plain) {
  snug::detail::AlignedStacks stacks(plain, std::size_t{1} << 20);
  stacks.run(0, (std::numeric_limits<std::int64_t>::max)(),
             snug::detail::kMostStackSteps, [] { return false; });
  return stacks.height();
}

}  // namespace

TEMPLATE_TEST_CASE("solve: the running example", "[solve]", std::int64_t,
                   std::int32_t) {
  const auto problem = running_example<TestType>();
  const auto result = snug::solve(problem, TestType{12});
  check_solved(problem, TestType{12}, result);
  CHECK(result.height == 12);
  CHECK(result.lower_bound == 12);
  CHECK(result.stats.runs >= 1);
  CHECK(result.stats.nodes >= 3);
  CHECK(result.stats.seconds >= 0);
  CHECK(result.stats.peak_bytes > 0);

  const auto tight = snug::solve(problem, TestType{11});
  check_without_placement(tight, Status::kInfeasible);
  CHECK(tight.lower_bound == 12);
  CHECK(tight.stats.nodes == 0);
}

TEMPLATE_TEST_CASE("solve: a problem without buffers", "[solve]", std::int64_t,
                   std::int32_t) {
  const Problem<TestType, TestType> problem;
  for (const TestType capacity :
       {TestType{0}, (std::numeric_limits<TestType>::max)()}) {
    const auto result = snug::solve(problem, capacity);
    CHECK(is_solved(result));
    CHECK(result.has_solution());
    CHECK(result.offsets.empty());
    CHECK(result.height == 0);
    CHECK(result.lower_bound == 0);
  }
}

TEMPLATE_TEST_CASE("solve: buffers of size zero lie at 0", "[solve]",
                   std::int64_t, std::int32_t) {
  Problem<TestType, TestType> problem;
  problem.buffers = {{{0, 4}, 0}, {{2, 3}, 0}};
  problem.buffers[1].alignment = 64;
  auto result = snug::solve(problem, TestType{0});
  check_solved(problem, TestType{0}, result);
  CHECK(result.offsets == std::vector<TestType>{0, 0});

  problem = running_example<TestType>();
  problem.buffers.insert(problem.buffers.begin() + 2, {{1, 20}, 0});
  result = snug::solve(problem, TestType{12});
  check_solved(problem, TestType{12}, result);
  CHECK(result.offsets[2] == 0);
}

TEMPLATE_TEST_CASE("solve: what is wrong is said, and nothing else", "[solve]",
                   std::int64_t, std::int32_t) {
  const auto refused = [](const Problem<TestType, TestType>& problem,
                          TestType capacity, Reason reason,
                          std::size_t buffer) {
    const auto result = snug::solve(problem, capacity);
    check_without_placement(result, Status::kInvalid);
    CHECK(result.error.reason == reason);
    CHECK(result.error.buffer == buffer);
    CHECK(result.lower_bound == 0);
    CHECK(result.stats.nodes == 0);
  };
  auto problem = running_example<TestType>();
  constexpr std::size_t kNone = snug::Check::kNoBuffer;
  refused(problem, -1, Reason::kNegativeCapacity, kNone);
  refused(problem, (std::numeric_limits<TestType>::min)(),
          Reason::kNegativeCapacity, kNone);
  refused({}, -1, Reason::kNegativeCapacity, kNone);

  SECTION("an ill-formed problem, before the capacity") {
    problem.buffers[3].size = -4;
    refused(problem, 12, Reason::kNegativeSize, 3);
    refused(problem, -1, Reason::kNegativeSize, 3);
  }
  SECTION("an empty lifespan") {
    problem.buffers[1].lifespan = {3, 3};
    refused(problem, 12, Reason::kEmptyLifespan, 1);
  }
  SECTION("a gap outside of its buffer's lifespan") {
    problem.buffers[2].gaps = {{{4, 10}, {}}};
    refused(problem, 12, Reason::kGapOutsideLifespan, 2);
  }
  SECTION("fixed offsets that conflict") {
    problem.buffers[3].offset = TestType{2};
    problem.buffers[4].offset = TestType{0};
    refused(problem, 12, Reason::kConflictingOffsets, 3);
  }
  SECTION("a pair that no buffer is in") {
    problem.apart = {{1, 5}};
    refused(problem, 12, Reason::kUnknownBuffer, 5);
  }
  SECTION("constraints where they are left out") {
    const auto plain = [](const Problem<TestType, TestType>& one) {
      return snug::plain::solve(one, TestType{12});
    };
    check_solved(problem, TestType{12}, plain(problem));
    problem.buffers[2].gaps = {{{4, 5}, {}}};
    auto result = plain(problem);
    check_without_placement(result, Status::kInvalid);
    CHECK(result.error.reason == Reason::kUnsupported);
    CHECK(result.error.buffer == 2);
    problem.buffers[2].gaps.clear();
    problem.base = 1;
    result = plain(problem);
    CHECK(result.error.reason == Reason::kUnsupported);
    CHECK(result.error.buffer == kNone);
  }
}

TEMPLATE_TEST_CASE("solve: constraints are honoured", "[solve]", std::int64_t,
                   std::int32_t) {
  // Each of its kind; property/constrained_test.cpp has the rest.
  using Bytes = snug::Interval<TestType>;
  auto problem = running_example<TestType>();
  const auto solved = [&](TestType capacity) {
    const auto result = snug::solve(problem, capacity);
    check_solved(problem, capacity, result);
    return result.offsets;
  };
  const auto infeasible = [&](TestType capacity) {
    check_without_placement(snug::solve(problem, capacity),
                            Status::kInfeasible);
  };
  SECTION("a gap makes room") {
    problem.buffers[2].gaps = {{{3, 9}, Bytes{0, 2}}};
    infeasible(11);
    problem.buffers[4].gaps = {{{0, 3}, Bytes{2, 4}}};
    solved(12);
    problem.buffers[2].gaps = {{{0, 9}, {}}};
    solved(8);
    infeasible(7);
  }
  SECTION("fixed offsets") {
    problem.buffers[4].offset = TestType{4};
    CHECK(solved(12)[4] == 4);
    problem.buffers[4].offset = TestType{3};
    infeasible(14);
    CHECK(solved(15)[4] == 3);
  }
  SECTION("ends") {
    problem.buffers[0].end = snug::End::kTop;
    problem.buffers[4].end = snug::End::kBottom;
    const auto offsets = solved(12);
    CHECK(offsets[0] > offsets[4]);
  }
  SECTION("ties") {
    problem.aliases = {{1, 0, 0}, {3, 1, 0}};
    const auto offsets = solved(12);
    CHECK(offsets[0] == offsets[1]);
    CHECK(offsets[0] == offsets[3]);
    problem.aliases[1].delta = 5;
    infeasible(12);
    solved(13);
  }
  SECTION("pairs") {
    problem.apart = {{0, 1}, {0, 3}, {1, 3}, {2, 3}};
    infeasible(19);
    solved(20);
    problem.apart.clear();
    problem.may_overlap = {{2, 4}};
    infeasible(7);
    solved(8);
  }
  SECTION("reserved bytes and a base") {
    problem.reserved = {{{4, 6}, {}}};
    infeasible(13);
    solved(14);
    problem.base = 1;
    infeasible(17);
    solved(18);
  }
  SECTION("hints do not bind") {
    problem.buffers[4].hint = TestType{999};
    solved(12);
    // They count where most of the buffers have one that agrees.
    const std::vector<TestType> hints = {0, 0, 8, 8, 4};
    for (std::size_t i = 0; i < 4; ++i) problem.buffers[i].hint = hints[i];
    CHECK(solved(12) == hints);
  }
}

TEST_CASE("solve: the same without constraints and with", "[solve]") {
  std::size_t cases = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto instance = cut(seed);
    CAPTURE(seed);
    auto problem = instance.problem;
    const Result<> whole = snug::solve(problem, std::int64_t{64});
    const Result<> small = snug::small::solve(problem, std::int64_t{64});
    CHECK(small.status == whole.status);
    CHECK(snug::validate(problem, std::int64_t{64}, small.offsets).ok());
    const auto plain = [&] {
      return snug::plain::solve(problem, std::int64_t{64});
    };
    const Result<> without = plain();
    // Without constraints nobody is stacked (normal/lasting.hpp).
    const snug::detail::Flat flat = snug::detail::flatten(problem);
    using snug::detail::PlainComponents;
    if (snug::detail::LastingStack(flat).empty() &&
        !PlainComponents(flat, PlainComponents::What::kLasting).divide()) {
      ++cases;
      CHECK(same_steps(without, whole));
    }
    CHECK(without.status == whole.status);
    problem.buffers[0].hint = 1;
    CHECK(same(plain(), without));
  }
  CHECK(cases > 3);
}

TEST_CASE("solve: the lower bound is the load, or more when refuted",
          "[solve]") {
  std::size_t refuted = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    const Problem<> problem = middle_walk<>(kHardMiddleWalks[k]);
    const std::int64_t load = load_of(problem);
    CAPTURE(k, load);
    for (std::int64_t capacity = load - 2; capacity < load + 3; ++capacity) {
      const Result<> result = snug::solve(problem, capacity);
      if (result.status == Status::kInfeasible) {
        CHECK(result.lower_bound == (std::max)(load, capacity + 1));
        if (capacity >= load) ++refuted;
      } else {
        check_solved(problem, capacity, result);
        CHECK(result.lower_bound == load);
      }
    }
  }
  CHECK(refuted >= 10);
}

TEST_CASE("solve: partitions are placed one by one", "[solve]") {
  // Three times the running example, one after the other.
  Problem<> problem;
  for (const std::int64_t start : {42, 0, 21})
    for (auto buffer : running_example().buffers) {
      buffer.lifespan.lower += start;
      buffer.lifespan.upper += start;
      problem.buffers.push_back(buffer);
    }
  const Result<> result = snug::solve(problem, std::int64_t{12});
  check_solved(problem, std::int64_t{12}, result);
  CHECK(result.stats.runs == 3);

  // One that cannot be placed settles it, wherever it is.
  for (const std::int64_t start : {100, -100}) {
    Problem<> longer = infeasible_walk();
    const std::int64_t load = load_of(longer);
    for (auto buffer : running_example().buffers) {
      buffer.lifespan.lower += start;
      buffer.lifespan.upper += start;
      longer.buffers.push_back(buffer);
    }
    const std::int64_t capacity = (std::max)(load, std::int64_t{12});
    REQUIRE(capacity == load);
    check_without_placement(snug::solve(longer, capacity), Status::kInfeasible);
  }
}

TEST_CASE("solve: stopped at every number of nodes", "[solve]") {
  const auto stop_everywhere = [](const Problem<>& problem,
                                  std::int64_t capacity, Options options) {
    const Result<> whole = snug::solve(problem, capacity, options);
    const std::int64_t nodes = whole.stats.nodes;
    REQUIRE(nodes > 20);
    REQUIRE(nodes < 2000);
    const std::int64_t load = load_of(problem);
    for (std::int64_t limit = 0; limit <= nodes + 1; ++limit) {
      options.node_limit = limit;
      const Result<> result = snug::solve(problem, capacity, options);
      CAPTURE(limit, nodes);
      if (limit >= nodes) {
        REQUIRE(same(result, whole));
        continue;
      }
      REQUIRE(result.stopped_by == Stop::kNodeLimit);
      REQUIRE(result.offsets.empty());
      REQUIRE(result.stats.nodes == limit);
      REQUIRE(result.lower_bound == load);
    }
    options.node_limit = (std::numeric_limits<std::int64_t>::max)();
    REQUIRE(same(snug::solve(problem, capacity, options), whole));
    return whole.status;
  };
  const Problem<> walk = infeasible_walk();
  const std::int64_t load = load_of(walk);
  CHECK(stop_everywhere(walk, load, {}) == Status::kInfeasible);
  SECTION("a problem of three partitions that fits") {
    Problem<> three;
    for (std::uint64_t k = 0; k < 3; ++k)
      for (auto buffer : cut(k).problem.buffers) {
        buffer.lifespan.lower += static_cast<std::int64_t>(100 * k);
        buffer.lifespan.upper += static_cast<std::int64_t>(100 * k);
        three.buffers.push_back(buffer);
      }
    CHECK(is_placed(stop_everywhere(three, 64, {})));
  }
  SECTION("without restarts") {
    Tuned options;
    options.own.rules.restarts = false;
    CHECK(stop_everywhere(walk, load, options) == Status::kInfeasible);
  }
}

TEST_CASE("solve: what needs no search is not stopped", "[solve]") {
  Tuned options;
  options.node_limit = 0;
  const std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  options.time_limit = std::chrono::nanoseconds(0);
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{1, 3}, 4}, {{5, 6}, 7}};
  check_solved(problem, std::int64_t{7},
               snug::solve(problem, std::int64_t{7}, options));
  check_without_placement(snug::solve(problem, std::int64_t{6}, options),
                          Status::kInfeasible);
}

TEST_CASE("solve: stops when the time is up", "[solve]") {
  const Problem<> problem = infeasible_walk();
  const std::int64_t load = load_of(problem);
  Tuned options;
  options.time_limit = std::chrono::nanoseconds(0);
  Result<> result = snug::solve(problem, load, options);
  check_stopped(result, Stop::kTimeLimit);
  CHECK(result.stats.nodes == 0);
  CHECK(result.lower_bound == load);

  options.time_limit = std::chrono::hours(1000);
  CHECK(snug::solve(problem, load, options).status == Status::kInfeasible);
}

TEST_CASE("solve: a flag set before the start cancels at once", "[solve]") {
  const Problem<> problem = infeasible_walk();
  const std::int64_t load = load_of(problem);
  std::atomic<bool> cancel{true};
  Tuned options;
  options.cancel = &cancel;
  const Result<> result = snug::solve(problem, load, options);
  check_stopped(result, Stop::kCancelled);
  CHECK(result.stats.nodes == 0);
  CHECK(result.lower_bound == load);

  cancel = false;
  CHECK(snug::solve(problem, load, options).status == Status::kInfeasible);
}

TEST_CASE("solve: long searches stop soon, by time or by another thread",
          "[solve]") {
  // Without its rules the search has to try far too much here.
  snug::benchmarks::TightWalk walk;
  walk.units = 40;
  walk.live = 9;
  walk.steps = 40;
  const Problem<> problem = snug::benchmarks::tight_walk<>(walk, 1);
  const std::int64_t load = load_of(problem);
  Tuned options = without_rules();
  options.time_limit = std::chrono::milliseconds(20);
  Result<> result = snug::solve(problem, load, options);
  check_stopped(result, Stop::kTimeLimit);
  CHECK(result.stats.nodes > 64);
  CHECK(result.stats.seconds >= 0.02);
  CHECK(result.stats.seconds < 10);

  std::atomic<bool> cancel{false};
  options.cancel = &cancel;
  options.time_limit = std::chrono::seconds(60);  // Not to hang if it fails.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  result = snug::solve(problem, load, options);
  other.join();
  check_stopped(result, Stop::kCancelled);
  CHECK(result.stats.nodes > 0);
  CHECK(result.stats.seconds < 10);
}

TEST_CASE("solve: the same again gives the same again", "[solve]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto instance = cut(seed);
    CAPTURE(seed);
    const Result<> first = snug::solve(instance.problem, std::int64_t{64});
    check_solved(instance.problem, std::int64_t{64}, first);
    CHECK(same(snug::solve(instance.problem, std::int64_t{64}), first));
  }
}

TEST_CASE("solve: the seed changes the path and not the answer", "[solve]") {
  std::size_t paths = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const Problem<> walk = middle_walk<>(kHardMiddleWalks[k]);
    const std::int64_t load = load_of(walk);
    const auto instance = cut(k);
    std::vector<std::int64_t> nodes;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      Tuned options;
      options.seed = seed;
      // With one strategy every run but the first has noise.
      options.use("0U");
      const Result<> refuted = snug::solve(walk, load, options);
      CAPTURE(k, seed);
      check_without_placement(refuted, Status::kInfeasible);
      const Result<> solved =
          snug::solve(instance.problem, std::int64_t{64}, options);
      check_solved(instance.problem, std::int64_t{64}, solved);
      nodes.push_back(refuted.stats.nodes + solved.stats.nodes);
    }
    if (nodes[0] != nodes[1] || nodes[1] != nodes[2]) ++paths;
  }
  CHECK(paths >= 3);
}

TEST_CASE("solve: the strategies of the tuning are used", "[solve]") {
  const auto instance = cut(3);
  const auto with = [&](std::string_view strategies) {
    Tuned options;
    options.use(strategies);
    const Result<> result =
        snug::solve(instance.problem, std::int64_t{64}, options);
    check_solved(instance.problem, std::int64_t{64}, result);
    return result;
  };
  // None: the default, as without a tuning.
  CHECK(same(with(""), snug::solve(instance.problem, std::int64_t{64})));
  CHECK(with("0TCA").stats.strategy == std::string("0TCA"));
  CHECK(with("sACLOTU").stats.strategy == std::string("sACLOTU"));
}

TEST_CASE("solve: without a byte for failed states", "[solve]") {
  Tuned options;
  options.own.failed_state_bytes = 0;
  const Problem<> problem = infeasible_walk();
  const std::int64_t load = load_of(problem);
  check_without_placement(snug::solve(problem, load, options),
                          Status::kInfeasible);
  check_solved(cut(1).problem, std::int64_t{64},
               snug::solve(cut(1).problem, std::int64_t{64}, options));
}

TEMPLATE_TEST_CASE("solve: sizes near the limits", "[solve]", std::int64_t,
                   std::int32_t) {
  // In 64 bits all sizes and their padding together may take 2^62 bytes; in 32
  // bits those live at one time may take all that the type holds.
  constexpr bool kWide = sizeof(TestType) == 8;
  constexpr TestType kMost = (std::numeric_limits<TestType>::max)();
  constexpr TestType kBig = kWide ? kMost / 9 : kMost / 2 - 8;
  for (const TestType below :
       {kBig, static_cast<TestType>(kBig - 1), TestType{5}}) {
    auto problem = chain<TestType>(kBig, below);
    const TestType load = static_cast<TestType>(kBig + below);
    CAPTURE(below, load);
    REQUIRE(snug::check(problem).ok());
    check_solved(problem, load, snug::solve(problem, load));
    check_solved(problem, kMost, snug::solve(problem, kMost));
    const auto tight = snug::solve(problem, static_cast<TestType>(load - 1));
    check_without_placement(tight, Status::kInfeasible);
    CHECK(tight.lower_bound == load);

    problem.buffers[1].alignment = 2;
    problem.buffers[2].alignment = 2;
    const TestType lowest = lowest_in_any_order(problem);
    for (TestType capacity = load; capacity <= load + 2; ++capacity) {
      const auto result = snug::solve(problem, capacity);
      CAPTURE(capacity, lowest);
      if (capacity < lowest) {
        check_without_placement(result, Status::kInfeasible);
      } else {
        check_solved(problem, capacity, result);
      }
    }
  }
}

TEST_CASE("solve: all of the bytes that check() allows", "[solve]") {
  constexpr std::int64_t kTotal = std::int64_t{1} << 62;
  constexpr std::int64_t kQuarter = kTotal / 4;
  Problem<> problem = chain<std::int64_t>(kQuarter, kQuarter);
  REQUIRE(snug::check(problem).ok());
  check_solved(problem, 2 * kQuarter, snug::solve(problem, 2 * kQuarter));
  // The unit is large; one byte less and it is 1.
  problem.buffers[3].size -= 1;
  check_solved(problem, 2 * kQuarter, snug::solve(problem, 2 * kQuarter));
  check_without_placement(snug::solve(problem, 2 * kQuarter - 1),
                          Status::kInfeasible);

  // Most of it padding: 1 and 2 can only be placed at 0, but they meet.
  constexpr std::int64_t kAlignment = std::int64_t{1} << 60;
  problem = chain<std::int64_t>(3, 2);
  problem.buffers[1].alignment = kAlignment;
  problem.buffers[2].alignment = kAlignment + 1;
  REQUIRE(snug::check(problem).ok());
  for (const std::int64_t capacity :
       {std::int64_t{5}, kAlignment, kAlignment + 1}) {
    check_without_placement(snug::solve(problem, capacity),
                            Status::kInfeasible);
    check_without_placement(snug::solve(problem, capacity, without_rules()),
                            Status::kInfeasible);
  }
  for (const std::int64_t capacity :
       {kAlignment + 3, kAlignment + 4,
        (std::numeric_limits<std::int64_t>::max)()})
    check_solved(problem, capacity, snug::solve(problem, capacity));
}

TEST_CASE("solve: refuted at the largest capacity", "[solve]") {
  // Both can only be at 0 or above what the type holds.
  constexpr std::int32_t kMost = (std::numeric_limits<std::int32_t>::max)();
  Problem<std::int32_t, std::int32_t> problem;
  problem.buffers.resize(2, {{0, 1}, kMost / 2});
  for (auto& buffer : problem.buffers) buffer.alignment = kMost / 2 + 3;
  REQUIRE(snug::check(problem).ok());
  const auto result = snug::solve(problem, kMost);
  check_without_placement(result, Status::kInfeasible);
  // No number of the type is above the capacity.
  CHECK(result.lower_bound >= kMost - 1);
}

TEMPLATE_TEST_CASE("solve: alignments above the capacity", "[solve]",
                   std::int64_t, std::int32_t) {
  Problem<TestType, TestType> problem = running_example<TestType>();
  problem.buffers[4].alignment = 1000;
  auto result = snug::solve(problem, TestType{12});
  check_solved(problem, TestType{12}, result);
  CHECK(result.offsets[4] == 0);
  problem.buffers[2].alignment = 13;
  check_without_placement(snug::solve(problem, TestType{12}),
                          Status::kInfeasible);
  check_without_placement(snug::solve(problem, TestType{16}),
                          Status::kInfeasible);
  result = snug::solve(problem, TestType{17});
  check_solved(problem, TestType{17}, result);
  CHECK(result.offsets[2] == 13);
}

TEMPLATE_TEST_CASE("solve: random aligned problems of large sizes", "[solve]",
                   std::int64_t, std::int32_t) {
  // Few, with every rule on: property/oracle_test.cpp has the others.
  std::size_t infeasible = 0;
  std::size_t above_load = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{3}, std::size_t{6});
    shape.unit = seed % 3 == 0 ? 10000019 : 1;
    auto problem = uniform<TestType, TestType>(shape, random);
    align(problem, 80, TestType{1}, random);
    const TestType load = load_of(problem);
    const auto bound =
        static_cast<TestType>(snug::detail::aligned_load(plain_of(problem)));
    const auto stack = static_cast<TestType>(highest_stack(plain_of(problem)));
    const TestType lowest = lowest_in_any_order(problem);
    CAPTURE(seed, load, bound, stack, lowest);
    REQUIRE(stack <= lowest);
    if (lowest > load) ++above_load;
    for (TestType capacity = load - 1; capacity < load + 4; ++capacity) {
      const auto result = snug::solve(problem, capacity);
      if (capacity < lowest) {
        check_without_placement(result, Status::kInfeasible);
        // A stack ends the call where the load does not: the first one above.
        if (bound > capacity || stack <= capacity)
          CHECK(result.lower_bound ==
                (std::max)(bound, static_cast<TestType>(capacity + 1)));
        else
          CHECK((result.lower_bound > capacity && result.lower_bound <= stack));
        ++infeasible;
      } else {
        check_solved(problem, capacity, result);
      }
    }
  }
  CHECK(infeasible > 80);
  CHECK(above_load > 10);
}

// Only the sanitizers see the overflow that there may be.
TEST_CASE("solve: a hint that no placement can have does no harm") {
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  for (const std::int64_t below : {0, 1, 5, 15, 16}) {
    for (const std::int64_t delta : {std::int64_t{0}, std::int64_t{16}}) {
      CAPTURE(below, delta);
      snug::Problem<> problem;
      problem.buffers = {{{0, 2}, 16, 8}, {{0, 2}, 16, 16}, {{0, 2}, 8, 24}};
      problem.buffers[0].hint = kMost - below;
      problem.buffers[1].hint = 16;
      if (delta != 0) problem.aliases.push_back({0, 2, delta});
      const snug::Result<> found = snug::solve(problem, 64);
      CHECK(is_solved(found));
      CHECK(snug::validate(problem, 64, found.offsets).ok());
      const snug::Result<> most = snug::solve(problem, kMost);
      CHECK(is_solved(most));
      CHECK(snug::validate(problem, kMost, most.offsets).ok());
      CHECK(is_solved(snug::minimize(problem)));
    }
  }
}

TEST_CASE("solve: an empty window is no window") {
  std::size_t lower = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Problem<> without;
    for (int i = 0; i < 6; ++i) {
      const std::int64_t begin = random.between<std::int64_t>(0, 6);
      snug::Buffer<> buffer{{begin, begin + 4},
                            random.between<std::int64_t>(1, 5)};
      if (random.chance(60)) buffer.gaps = {{{begin + 1, begin + 3}}};
      without.buffers.push_back(std::move(buffer));
    }
    Problem<> with = without;
    Problem<> solid = without;
    for (std::size_t i = 0; i < with.buffers.size(); ++i) {
      solid.buffers[i].gaps.clear();
      for (auto& gap : with.buffers[i].gaps) {
        const std::int64_t at =
            random.between<std::int64_t>(0, with.buffers[i].size);
        gap.window = {at, at};
      }
    }
    CAPTURE(seed);
    const Result<> expected = snug::minimize(without);
    const Result<> found = snug::minimize(with);
    REQUIRE(is_solved(found));
    CHECK(found.height == expected.height);
    CHECK(snug::validate(with, found.height, found.offsets).ok());
    CHECK(snug::validate(with, expected.height, expected.offsets).ok());
    CHECK(snug::solve(with, found.height - 1).status == Status::kInfeasible);
    lower += found.height < snug::minimize(solid).height ? 1U : 0U;
  }
  CHECK(lower > 10);
}

// Several times the same buffers, one copy after the other, each of almost 2^62
// bytes: the load and the heights are those of one, as many times larger.
TEST_CASE("solve: more bytes than an integer holds, at different times") {
  constexpr std::int64_t kTotal = std::int64_t{1} << 62;
  for (const std::size_t count : {std::size_t{8}, std::size_t{700}}) {
    Random random(count);
    Problem<> one;
    std::int64_t sum = 0;
    one.buffers.push_back({{0, 40}, 1});
    for (std::size_t i = 1; i < count; ++i) {
      const std::int64_t begin = random.between<std::int64_t>(0, 38);
      one.buffers.push_back(
          {{begin, begin + random.between<std::int64_t>(1, 2)},
           random.between<std::int64_t>(1, 1000)});
    }
    for (const snug::Buffer<>& buffer : one.buffers) sum += buffer.size;
    const std::int64_t factor = kTotal / sum;
    Problem<> many;
    for (std::int64_t copy = 0; copy < 5; ++copy)
      for (snug::Buffer<> buffer : one.buffers) {
        buffer.lifespan.lower += 40 * copy;
        buffer.lifespan.upper += 40 * copy;
        buffer.size *= factor;
        many.buffers.push_back(std::move(buffer));
      }
    CAPTURE(count, factor);
    REQUIRE(snug::check(many).ok());
    Options options;
    options.node_limit = 2000;
    const Result<> lowest = snug::minimize(one, options);
    const Result<> found = snug::minimize(many, options);
    CHECK(found.lower_bound == factor * lowest.lower_bound);
    CHECK(snug::validate(many, found.height, found.offsets).ok());
    CHECK(found.height <= 2 * found.lower_bound);
    const std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
    for (const std::int64_t capacity : {found.height, kTotal, most}) {
      const Result<> placed = snug::solve(many, capacity);
      CHECK(is_solved(placed));
      CHECK(snug::validate(many, capacity, placed.offsets).ok());
    }
    CHECK(snug::solve(many, found.lower_bound - 1).status ==
          Status::kInfeasible);
    // Padding counts as well: nearly all of the rest.
    for (std::size_t i = 0; i < many.buffers.size(); i += 3)
      many.buffers[i].alignment = 3;
    for (snug::Buffer<>& buffer : many.buffers) buffer.size -= 2;
    REQUIRE(snug::check(many).ok());
    const Result<> padded = snug::solve(many, kTotal, options);
    CHECK(is_solved(padded));
    CHECK(snug::validate(many, kTotal, padded.offsets).ok());
  }
}

// A top may be as high as all there is together.
TEST_CASE("solve: constraints and tops at 2^62", "[solve]") {
  constexpr std::int64_t kTotal = std::int64_t{1} << 62;
  for (const std::int64_t less : {0, 1, 2}) {
    Problem<> problem;
    problem.buffers = {{{1, 5}, 5}, {{3, 6}, kTotal - 5 - less}};
    problem.buffers[0].end = snug::End::kBottom;
    problem.buffers[1].end = snug::End::kTop;
    CAPTURE(less);
    for (const bool small : {false, true}) {
      const auto lowest =
          small ? snug::small::minimize(problem) : snug::minimize(problem);
      CHECK(lowest.status == Status::kOptimal);
      CHECK(lowest.height == kTotal - less);
      const auto found = small ? snug::small::solve(problem, kTotal - less)
                               : snug::solve(problem, kTotal - less);
      CHECK(found.status == Status::kOptimal);
      CHECK(snug::validate(problem, kTotal - less, found.offsets).ok());
    }
    const auto refuted = snug::solve(problem, kTotal - less - 1);
    CHECK(refuted.status == Status::kInfeasible);
    Problem<> gaps;
    gaps.buffers = {{{0, 4}, 7}, {{2, 6}, kTotal - less - 7}};
    gaps.buffers[0].gaps.push_back({{1, 3}, {}});
    gaps.buffers[1].gaps.push_back({{4, 5}, {{0, 9}}});
    CHECK(snug::small::minimize(gaps).has_solution());
    CHECK(snug::minimize(gaps).status == Status::kOptimal);
  }
}

}  // namespace solve_test
