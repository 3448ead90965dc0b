// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline is an oracle for snug's own search, so it is itself held
// against exhaustive search, under every combination of its switches.
#include "baselines/minimalloc.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"
#include "support/status.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace baseline_minimalloc_test {

using snug::baselines::minimalloc;
using snug::baselines::MinimallocParams;
using namespace snug::testing;

namespace {

using Wide = std::int64_t;
using SwitchPointer = bool MinimallocParams::*;

constexpr std::array<SwitchPointer, 9> kParams = {
    &MinimallocParams::canonical_only,
    &MinimallocParams::section_inference,
    &MinimallocParams::dynamic_ordering,
    &MinimallocParams::check_dominance,
    &MinimallocParams::unallocated_floor,
    &MinimallocParams::static_preordering,
    &MinimallocParams::dynamic_decomposition,
    &MinimallocParams::monotonic_floor,
    &MinimallocParams::hatless_pruning,
};
constexpr unsigned kCombinations = 1U << kParams.size();

MinimallocParams params_of(unsigned bits) {
  MinimallocParams params;
  for (std::size_t k = 0; k < kParams.size(); ++k)
    params.*kParams[k] = ((bits >> k) & 1U) != 0;
  return params;
}

MinimallocParams without(SwitchPointer which) {
  MinimallocParams params;
  params.preordering_heuristics = "TWA";
  params.*which = false;
  return params;
}

MinimallocParams only(std::string_view heuristic) {
  MinimallocParams params;
  params.preordering_heuristics = heuristic;
  return params;
}

snug::Problem<> clique_of(int count) {
  snug::Problem<> problem;
  for (int i = 0; i < count; ++i)
    problem.buffers.push_back(
        make_buffer<Wide, Wide>(i % 7, 10 + i % 3, 1 + i % 100));
  return problem;
}

/// Empty if the result is right for a problem whose lowest height is `lowest`.
template <class Size, class Time>
std::string fault(const snug::Problem<Size, Time>& problem, Size capacity,
                  Size lowest, const snug::Result<Size>& result) {
  if (result.lower_bound > lowest) return "lower bound too high";
  if (result.lower_bound < load_of(problem)) return "lower bound below load";
  if (capacity < lowest) {
    if (result.status != snug::Status::kInfeasible) return "not refuted";
    if (!result.offsets.empty()) return "refuted with offsets";
    return result.lower_bound > capacity ? "" : "refuted without a bound";
  }
  if (!is_solved(result)) return "not solved";
  if (!validate_pairwise(problem, capacity, result.offsets).ok())
    return "not a placement";
  if (result.height != height_of(problem, result.offsets)) return "height";
  return "";
}

/// Problems that have slack but do not fit: alignment makes them, at a
/// capacity that is not below the load.
struct Refuted {
  snug::Problem<> problem;
  Wide capacity;
};
std::vector<Refuted> aligned_problems(std::size_t count) {
  std::vector<Refuted> result;
  for (std::uint64_t seed = 0; result.size() < count; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = 10;
    shape.largest = 7;
    snug::Problem<> problem = uniform<>(shape, random);
    align(problem, 50, Wide{1}, random);
    const Wide capacity = Exhaustive<Wide, Wide>(problem).lowest() - 1;
    if (capacity >= load_of(problem)) result.push_back({problem, capacity});
  }
  return result;
}

std::int64_t nodes_of(const std::vector<Refuted>& refuted,
                      const MinimallocParams& params) {
  std::int64_t sum = 0;
  for (const Refuted& one : refuted) {
    const auto result = minimalloc(one.problem, one.capacity, {}, params);
    REQUIRE(result.status == snug::Status::kInfeasible);
    sum += result.stats.nodes;
  }
  return sum;
}

}  // namespace

TEST_CASE("minimalloc: the running example fits 12 and not 11") {
  const snug::Problem<> problem = running_example();
  const auto fits = minimalloc(problem, 12);
  CHECK(fault(problem, Wide{12}, Wide{12}, fits).empty());
  CHECK(fits.lower_bound == 12);
  CHECK(std::string(fits.stats.strategy) == "WAT");
  CHECK(fits.stats.runs == 1);
  CHECK(fits.stats.seconds > 0);
  CHECK(fits.stats.peak_bytes > 0);
  const auto refuted = minimalloc(problem, 11);
  CHECK(fault(problem, Wide{11}, Wide{12}, refuted).empty());
  CHECK(refuted.stats.backtracks > 0);
}

TEST_CASE("minimalloc: nothing to place") {
  snug::Problem<> problem;
  CHECK(is_solved(minimalloc(problem, 0)));
  problem.buffers = {make_buffer<Wide, Wide>(0, 9, 0),
                     make_buffer<Wide, Wide>(3, 5, 0)};
  const auto result = minimalloc(problem, 0);
  CHECK(is_solved(result));
  CHECK(result.offsets == std::vector<Wide>{0, 0});
  problem.buffers.push_back(make_buffer<Wide, Wide>(4, 5, 1));
  CHECK(minimalloc(problem, 0).status == snug::Status::kInfeasible);
  CHECK(minimalloc(problem, 1).offsets == std::vector<Wide>{0, 0, 0});
}

TEST_CASE("minimalloc: what it refuses, by buffer and reason") {
  snug::Problem<> problem = running_example();
  const auto refused = [&](Wide capacity, snug::Reason reason,
                           std::size_t buffer) {
    const auto result = minimalloc(problem, capacity);
    return result.status == snug::Status::kInvalid &&
           result.error.reason == reason && result.error.buffer == buffer;
  };
  CHECK(refused(-1, snug::Reason::kNegativeCapacity, snug::Check::kNoBuffer));
  SECTION("gaps") {
    problem.buffers[3].gaps.push_back({{10, 12}, {}});
    CHECK(refused(12, snug::Reason::kUnsupported, 3));
  }
  SECTION("fixed offsets") {
    problem.buffers[4].offset = 4;
    CHECK(refused(12, snug::Reason::kUnsupported, 4));
  }
  SECTION("what check refuses") {
    problem.buffers[1].size = -1;
    CHECK(refused(12, snug::Reason::kNegativeSize, 1));
  }
}

TEST_CASE("minimalloc: every combination of switches is exact") {
  constexpr std::array<std::string_view, 3> kHeuristics = {"WAT,TAW,TWA", "TCA",
                                                           "ZLU,WOC"};
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(60); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{3}, std::size_t{6});
    shape.length = 5;
    shape.smallest = random.between(0, 1);
    snug::Problem<> problem =
        seed % 2 == 0 ? uniform<>(shape, random) : twins<>(shape, random);
    if (seed % 3 != 0) align(problem, 90, Wide{1}, random);
    const Wide lowest = Exhaustive<Wide, Wide>(problem).lowest();
    for (const Wide capacity : {lowest - 1, lowest, lowest + 1}) {
      if (capacity < 0) continue;
      refuted += capacity < lowest && capacity >= load_of(problem) ? 1 : 0;
      for (unsigned bits = 0; bits < kCombinations; ++bits) {
        MinimallocParams params = params_of(bits);
        params.preordering_heuristics = kHeuristics[seed % kHeuristics.size()];
        const auto result = minimalloc(problem, capacity, {}, params);
        const std::string wrong = fault(problem, capacity, lowest, result);
        CAPTURE(seed, capacity, bits, wrong);
        if (!wrong.empty()) REQUIRE(wrong.empty());
      }
    }
  }
  CHECK(refuted >= 5);
}

TEST_CASE("minimalloc: random problems against exhaustive search") {
  int feasible = 0;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(600); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{4}, std::size_t{9});
    shape.largest = random.between(2, 7);
    snug::Problem<> problem = seed % 3 == 0   ? clique<>(shape, random)
                              : seed % 3 == 1 ? uniform<>(shape, random)
                                              : twins<>(shape, random);
    if (random.chance(80)) align(problem, 80, Wide{1}, random);
    const Wide lowest = Exhaustive<Wide, Wide>(problem).lowest();
    for (const Wide capacity : {lowest - 1, lowest}) {
      const auto result = minimalloc(problem, capacity);
      const std::string wrong = fault(problem, capacity, lowest, result);
      CAPTURE(seed, capacity, wrong);
      REQUIRE(wrong.empty());
      feasible += capacity < lowest ? 0 : 1;
      refuted += capacity < lowest && capacity >= load_of(problem) ? 1 : 0;
    }
  }
  CHECK(feasible == effort(600));
  CHECK(refuted >= at_least(150));
}

TEST_CASE("minimalloc: refutes tight walks at their load") {
  for (std::size_t k = 0; k < 40; ++k) {
    const snug::Problem<> problem = small_walk<>(kHardSmallWalks[k]);
    CAPTURE(k);
    CHECK(minimalloc(problem, load_of(problem)).status ==
          snug::Status::kInfeasible);
  }
}

TEST_CASE("minimalloc: hatless pruning without dynamic ordering is exact") {
  // In input order, the last buffer is tried before those that must go first;
  // nothing lies above it, and giving up the node then loses the placement.
  MinimallocParams params;
  params.dynamic_ordering = false;
  params.dynamic_decomposition = false;
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = 8;
    const snug::Problem<> problem = uniform<>(shape, random);
    const Wide lowest = Exhaustive<Wide, Wide>(problem).lowest();
    for (const std::string_view heuristic : {"L", "U", "ZLU"}) {
      params.preordering_heuristics = heuristic;
      const auto result = minimalloc(problem, lowest, {}, params);
      CAPTURE(seed, heuristic);
      REQUIRE(fault(problem, lowest, lowest, result).empty());
      ++solved;
    }
  }
  CHECK(solved == 600);
}

TEST_CASE("minimalloc: node limit") {
  const snug::Problem<> problem = small_walk<>(kHardSmallWalks[0]);
  const Wide load = load_of(problem);
  const auto whole = minimalloc(problem, load);
  REQUIRE(whole.status == snug::Status::kInfeasible);
  REQUIRE(whole.stats.nodes > 20);
  snug::Options options;
  for (const std::int64_t limit : {-1, 0, 1, 7, 20}) {
    options.node_limit = limit;
    const auto result = minimalloc(problem, load, options);
    CAPTURE(limit);
    CHECK(result.stopped_by == snug::Stop::kNodeLimit);
    CHECK(result.stats.nodes == (limit < 0 ? 0 : limit));
    CHECK(result.offsets.empty());
    CHECK(result.lower_bound == load);
  }
  options.node_limit = whole.stats.nodes;
  CHECK(minimalloc(problem, load, options).status == snug::Status::kInfeasible);
}

TEST_CASE("minimalloc: rounds double the node limit of each heuristic") {
  const snug::Problem<> problem = small_walk<>(kHardSmallWalks[1]);
  const auto buffers = static_cast<std::int64_t>(problem.buffers.size());
  const Wide load = load_of(problem);
  const auto one = minimalloc(problem, load, {}, only("TWA"));
  REQUIRE(one.stats.nodes > 2 * buffers);
  CHECK(one.stats.runs == 1);
  const auto two = minimalloc(problem, load, {}, only("TWA,TWA"));
  std::int64_t nodes = 0;
  std::int64_t runs = 0;
  for (std::int64_t limit = 2 * buffers;; limit *= 2) {
    ++runs;
    if (limit >= one.stats.nodes) break;
    nodes += 2 * limit;
    ++runs;
  }
  CHECK(two.stats.runs == runs);
  CHECK(two.stats.nodes == nodes + one.stats.nodes);
}

TEST_CASE("minimalloc: time limit and cancellation") {
  const snug::Problem<> problem = middle_walk<>(kHardMiddleWalks[0]);
  const Wide load = load_of(problem);
  snug::Problem<> endless;
  for (std::uint64_t k = 0; k < 4; ++k)
    for (snug::Buffer<> buffer : middle_walk<>(kHardMiddleWalks[k]).buffers) {
      buffer.size = 1000 * buffer.size + static_cast<Wide>(k);
      endless.buffers.push_back(buffer);
    }
  const MinimallocParams slow = without(&MinimallocParams::section_inference);
  snug::Options options;
  SECTION("no time at all") {
    options.time_limit = std::chrono::nanoseconds(0);
    const auto result = minimalloc(problem, load, options);
    CHECK(result.stopped_by == snug::Stop::kTimeLimit);
    CHECK(result.offsets.empty());
  }
  SECTION("some time: stops although the tree is too large to exhaust") {
    options.time_limit = std::chrono::milliseconds(20);
    const auto result = minimalloc(endless, load_of(endless), options, slow);
    CHECK(result.stopped_by == snug::Stop::kTimeLimit);
    CHECK(result.stats.seconds >= 0.02);
    CHECK(result.stats.seconds < 10);
  }
  SECTION("cancelled before it starts") {
    const std::atomic<bool> cancel{true};
    options.cancel = &cancel;
    CHECK(minimalloc(problem, load, options).stopped_by ==
          snug::Stop::kCancelled);
  }
  SECTION("cancelled by another thread") {
    std::atomic<bool> cancel{false};
    options.cancel = &cancel;
    std::thread other([&cancel]() {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      cancel = true;
    });
    const auto result = minimalloc(endless, load_of(endless), options, slow);
    other.join();
    CHECK(result.stopped_by == snug::Stop::kCancelled);
    CHECK(result.offsets.empty());
  }
  SECTION("a flag that stays down does nothing") {
    const std::atomic<bool> cancel{false};
    options.cancel = &cancel;
    CHECK(minimalloc(problem, load, options).status ==
          snug::Status::kInfeasible);
  }
}

TEST_CASE("minimalloc: a deep clique needs no stack and little memory") {
  struct Job {
    snug::Problem<> problem;
    snug::Result<> result;
  } job{clique_of(5000), {}};
  const auto work = [](void* pointer) -> void* {
    Job& mine = *static_cast<Job*>(pointer);
    mine.result = minimalloc(mine.problem, 5000 * 101 / 2);
    return nullptr;
  };
#if __has_include(<pthread.h>)
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  pthread_t thread;
  REQUIRE(pthread_create(&thread, &attributes, work, &job) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
#else
  work(&job);
#endif
  CHECK(is_solved(job.result));
  CHECK(job.result.height == 5000 * 101 / 2);
  CHECK(job.result.stats.nodes == 5001);
  CHECK(job.result.stats.peak_bytes < 5000 * 1000);
}

TEST_CASE("minimalloc: every bound saves nodes of a proof") {
  const std::vector<Refuted> refuted = aligned_problems(15);
  const std::int64_t all = nodes_of(refuted, only("TWA"));
  for (const SwitchPointer which :
       {&MinimallocParams::canonical_only, &MinimallocParams::section_inference,
        &MinimallocParams::check_dominance,
        &MinimallocParams::unallocated_floor,
        &MinimallocParams::monotonic_floor,
        &MinimallocParams::dynamic_decomposition}) {
    const std::int64_t nodes = nodes_of(refuted, without(which));
    CAPTURE(all, nodes, which == &MinimallocParams::canonical_only,
            which == &MinimallocParams::dynamic_decomposition);
    CHECK(nodes > all);
  }
  // A hatless buffer is a part of its own: pruning is for searches that do not
  // decompose.
  MinimallocParams hatless = without(&MinimallocParams::dynamic_decomposition);
  const std::int64_t pruned = nodes_of(refuted, hatless);
  hatless.hatless_pruning = false;
  CHECK(nodes_of(refuted, hatless) > pruned);
}

TEST_CASE("minimalloc: both orderings save nodes on the way to a placement") {
  std::int64_t all = 0;
  std::int64_t undirected = 0;
  std::int64_t unranked = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    snug::Problem<> problem =
        snug::benchmarks::guillotine<>(40, 128, 40, seed).problem;
    Random random(seed);
    for (int k = 0; k < 3; ++k) {
      random.shuffle(problem.buffers);
      problem.buffers.pop_back();
    }
    snug::Options options;
    options.node_limit = 20000;
    const auto nodes = [&](const MinimallocParams& params) {
      return minimalloc(problem, 128, options, params).stats.nodes;
    };
    all += nodes(only("TWA"));
    undirected += nodes(without(&MinimallocParams::dynamic_ordering));
    unranked += nodes(without(&MinimallocParams::static_preordering));
  }
  CAPTURE(all, undirected, unranked);
  CHECK(all < undirected);
  CHECK(all < unranked);
}

TEST_CASE("minimalloc: preordering letters, larger first") {
  // Of two buffers that overlap, the one that goes first lies at 0.
  const auto first = [](std::string_view letters, snug::Buffer<> a,
                        snug::Buffer<> b, std::vector<snug::Buffer<>> rest) {
    snug::Problem<> problem;
    problem.buffers = {a, b};
    for (const snug::Buffer<>& buffer : rest) problem.buffers.push_back(buffer);
    const auto result = minimalloc(problem, 1000, {}, only(letters));
    REQUIRE(is_solved(result));
    REQUIRE((result.offsets[0] == 0) != (result.offsets[1] == 0));
    return result.offsets[0] == 0 ? 'a' : 'b';
  };
  const auto buffer = [](Wide lower, Wide upper, Wide size) {
    return make_buffer<Wide, Wide>(lower, upper, size);
  };
  // Each of these letters prefers b, though a comes first in the input.
  CHECK(first("A", buffer(0, 4, 5), buffer(0, 3, 7), {}) == 'b');
  CHECK(first("C", buffer(0, 9, 1), buffer(8, 12, 1),
              {buffer(10, 11, 1), buffer(11, 12, 1)}) == 'b');
  CHECK(first("L", buffer(0, 9, 1), buffer(2, 5, 1), {}) == 'b');
  CHECK(first("O", buffer(0, 9, 1), buffer(2, 12, 1), {buffer(10, 12, 1)}) ==
        'b');
  CHECK(first("T", buffer(0, 9, 1), buffer(2, 12, 1), {buffer(10, 12, 9)}) ==
        'b');
  CHECK(first("U", buffer(0, 9, 1), buffer(2, 12, 1), {}) == 'b');
  CHECK(first("W", buffer(0, 9, 5), buffer(2, 12, 1), {}) == 'b');
  CHECK(first("Z", buffer(0, 9, 5), buffer(2, 4, 6), {}) == 'b');
  // Later letters break ties; then the input index does.
  CHECK(first("ZW", buffer(0, 9, 5), buffer(0, 10, 5), {}) == 'b');
  CHECK(first("TZ", buffer(0, 9, 5), buffer(0, 9, 6), {}) == 'b');
  CHECK(first("AZ", buffer(0, 4, 3), buffer(0, 3, 4), {}) == 'b');
  CHECK(first("Z", buffer(0, 9, 5), buffer(0, 10, 5), {}) == 'a');
  CHECK(first("", buffer(0, 9, 5), buffer(0, 10, 6), {}) == 'a');
  CHECK(first("?Z,", buffer(0, 9, 5), buffer(0, 10, 6), {}) == 'b');
}

TEST_CASE("minimalloc: areas beyond 64 bits are compared exactly") {
  using snug::baselines::detail::wide_product;
  using Words = std::pair<std::uint64_t, std::uint64_t>;
  constexpr std::uint64_t kMost = (std::numeric_limits<std::uint64_t>::max)();
  CHECK(wide_product(kMost, kMost) == Words{kMost - 1, 1});
  CHECK(wide_product(kMost, 1) == Words{0, kMost});
  CHECK(wide_product(std::uint64_t{1} << 40, std::uint64_t{3} << 40) ==
        Words{3U << 16, 0});
  constexpr Wide kFar = (std::numeric_limits<Wide>::max)();
  snug::Problem<> problem;
  problem.buffers = {make_buffer<Wide, Wide>(-kFar, kFar - 1, Wide{1} << 40),
                     make_buffer<Wide, Wide>(-kFar, kFar, Wide{1} << 40)};
  const auto result = minimalloc(problem, Wide{1} << 41, {}, only("A"));
  CHECK(result.offsets == std::vector<Wide>{Wide{1} << 40, 0});
}

TEST_CASE("minimalloc: sections, cuts and windows of the running example") {
  const auto sweep = snug::baselines::detail::sweep(running_example());
  using Indices = std::vector<snug::baselines::detail::Index>;
  CHECK(sweep.buffer == Indices{0, 2, 4, 1, 3});
  CHECK(sweep.lo == Indices{0, 0, 0, 1, 2});
  CHECK(sweep.hi == Indices{1, 2, 3, 2, 3});
  CHECK(sweep.overlaps == Indices{2, 3, 4, 2, 1});
  CHECK(sweep.load == std::vector<Wide>{12, 12, 8});
  CHECK(sweep.cuts == Indices{2, 1, 0});
  CHECK(sweep.first_live == Indices{0, 1, 2});
  CHECK(sweep.first_slot == Indices{0, 3, 4, 5});
}

TEST_CASE("minimalloc: the same nodes and offsets with 32-bit integers") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto wide = small_walk<>(seed);
    const auto narrow = small_walk<std::int32_t, std::int32_t>(seed);
    const auto load = static_cast<std::int32_t>(load_of(wide));
    const auto in_wide = minimalloc(wide, load);
    const auto in_narrow = minimalloc(narrow, load);
    CAPTURE(seed);
    CHECK(in_narrow.status == in_wide.status);
    CHECK(in_narrow.stats.nodes == in_wide.stats.nodes);
    CHECK(in_narrow.stats.backtracks == in_wide.stats.backtracks);
    CHECK(std::vector<Wide>(in_narrow.offsets.begin(),
                            in_narrow.offsets.end()) == in_wide.offsets);
  }
}

TEST_CASE("minimalloc: sums at the limits of the size type") {
  using Narrow = std::int32_t;
  constexpr Narrow kMost = (std::numeric_limits<Narrow>::max)();
  snug::Problem<Narrow, Narrow> problem;
  problem.buffers = {make_buffer<Narrow, Narrow>(0, 2, kMost - 3),
                     make_buffer<Narrow, Narrow>(0, 2, 3),
                     make_buffer<Narrow, Narrow>(2, 3, kMost)};
  CHECK(minimalloc(problem, kMost).height == kMost);
  CHECK(minimalloc(problem, kMost - 1).status == snug::Status::kInfeasible);
  problem.buffers[0].alignment = kMost;
  problem.buffers[1].alignment = kMost;
  const auto refuted = minimalloc(problem, kMost);
  CHECK(refuted.status == snug::Status::kInfeasible);
  CHECK(refuted.lower_bound == kMost);
}

TEST_CASE("minimalloc: the TPU instances") {
  for (const char* name : kTpuInstances) {
    const auto problem = load_instance(name);
    SNUG_NEEDS_INSTANCES(problem);
    const auto result = minimalloc(*problem, kTpuCapacity);
    CAPTURE(name);
    REQUIRE(is_solved(result));
    CHECK(validate_pairwise(*problem, kTpuCapacity, result.offsets).ok());
  }
}

}  // namespace baseline_minimalloc_test
