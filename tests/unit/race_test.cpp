// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who wins, whatever the threads do: most racers here only count nodes, with
// pauses of their own, and have an answer or a limit where the test says so.
#include "snug/race.hpp"

#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace race_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Progress;
using snug::Result;
using snug::Status;
using snug::Stop;
using snug::detail::run_race;

namespace {

constexpr std::int64_t kNever = std::int64_t{1} << 40;
constexpr std::int64_t kAlone = 100;

/// A call that is answered after so many nodes, by seed.
struct Script {
  Result<> operator()(const Options& options) const {
    const std::size_t k = options.seed;
    Random random(pauses + k);
    Result<> result;
    Progress known;
    known.height = static_cast<std::int64_t>(1000 + k);
    known.lower_bound = static_cast<std::int64_t>(10 * k);
    std::int64_t& nodes = result.stats.nodes;
    for (;; ++nodes) {
      known.nodes = nodes;
      if (nodes % 64 == 0 && nodes > 0 && options.progress != nullptr &&
          !options.progress(known, options.progress_data))
        result.stopped_by = Stop::kCancelled;
      if (nodes >= nodes_of[k]) break;
      if (nodes >= options.node_limit) result.stopped_by = Stop::kNodeLimit;
      if (result.stopped_by != Stop::kNone) break;
      if (random.chance(1)) std::this_thread::yield();
    }
    if (nodes == throws_at) throw std::runtime_error("out of luck");
    if (longest != nullptr) {
      std::int64_t before = *longest;
      while (before < nodes && !longest->compare_exchange_weak(before, nodes)) {
      }
    }
    result.status =
        result.stopped_by == Stop::kNone ? Status::kOptimal : Status::kFeasible;
    result.height = known.height;
    result.lower_bound = known.lower_bound;
    return result;
  }

  std::vector<std::int64_t> nodes_of{};
  std::uint64_t pauses = 0;
  std::int64_t throws_at = -1;
  std::atomic<std::int64_t>* longest = nullptr;  ///< most nodes of a call
};

/// Has had enough nodes for the others to start.
bool starts_others(const Options& own) {
  Progress known;
  known.nodes = kAlone;
  return own.progress(known, own.progress_data);
}

/// From seed 0.
Options first_seed() {
  Options options;
  options.seed = 0;
  return options;
}

constexpr std::int64_t kLoad = kStaircaseLoad;

}  // namespace

TEST_CASE("race: the fewest nodes win, then the lower seed", "[race]") {
  Random random(1);
  std::size_t ties = 0;
  for (int round = 0; round < 20 + effort(180); ++round) {
    const auto racers = random.between<std::size_t>(2, 6);
    Script script;
    // Some arrive at the same node, some between two reports of another.
    const std::int64_t more = random.chance(50) ? 3 : 0;
    for (std::size_t k = 0; k < racers; ++k)
      script.nodes_of.push_back(
          random.chance(30) ? kNever
                            : 512 * random.between<std::int64_t>(1, 5) +
                                  random.between<std::int64_t>(0, more));
    if (std::count(script.nodes_of.begin(), script.nodes_of.end(), kNever) ==
        static_cast<std::ptrdiff_t>(racers))
      continue;
    const auto first =
        std::min_element(script.nodes_of.begin(), script.nodes_of.end());
    if (std::count(first, script.nodes_of.end(), *first) > 1) ++ties;
    for (std::uint64_t pauses = 0; pauses < 3; ++pauses) {
      script.pauses = 100 * pauses;
      const Result<> result =
          run_race<std::int64_t>(racers, kAlone, first_seed(), script);
      CAPTURE(round, racers, pauses);
      REQUIRE(result.status == Status::kOptimal);
      REQUIRE(result.stopped_by == Stop::kNone);
      REQUIRE(result.stats.nodes == *first);
      REQUIRE(result.height == 1000 + (first - script.nodes_of.begin()));
    }
  }
  CHECK(ties > 5);
}

TEST_CASE("race: the others end when they cannot win any more", "[race]") {
  std::atomic<std::int64_t> longest{0};
  Script script;
  script.longest = &longest;
  script.nodes_of = {kNever, 2000, kNever};
  const Result<> result =
      run_race<std::int64_t>(3, kAlone, first_seed(), script);
  CHECK(result.height == 1001);
  CHECK(longest >= 2000);
  // It would count for hours.
  CHECK(longest < kNever / 1000);
}

TEST_CASE("race: what is answered soon is answered alone", "[race]") {
  const std::thread::id here = std::this_thread::get_id();
  std::size_t calls = 0;
  const auto call = [&](const Options& options) {
    REQUIRE(std::this_thread::get_id() == here);
    ++calls;
    return Script{{kAlone - 1, 5}}(options);
  };
  CHECK(run_race<std::int64_t>(2, kAlone, first_seed(), call).height == 1000);
  CHECK(calls == 1);
  // And so is all that one racer is asked, or that has fewer nodes anyway.
  CHECK(run_race<std::int64_t>(1, 1, first_seed(), call).height == 1000);
  CHECK(calls == 2);
  Options options = first_seed();
  options.node_limit = kAlone / 2;
  const Result<> stopped = run_race<std::int64_t>(2, kAlone, options, call);
  CHECK(stopped.stopped_by == Stop::kNodeLimit);
  CHECK(stopped.stats.nodes == kAlone / 2);
  CHECK(calls == 3);
}

TEST_CASE("race: what they know together when none has an answer", "[race]") {
  Options options = first_seed();
  options.node_limit = 1000;
  const auto result_of = [&](std::vector<std::pair<int, int>> known) {
    const auto call = [&](const Options& own) {
      (void)starts_others(own);
      Result<> result;
      result.stopped_by = Stop::kNodeLimit;
      result.status = Status::kUnknown;
      result.lower_bound = known[own.seed].second;
      if (known[own.seed].first == 0) return result;
      result.status = Status::kFeasible;
      result.height = known[own.seed].first;
      result.offsets = {static_cast<std::int64_t>(own.seed)};
      return result;
    };
    return run_race<std::int64_t>(known.size(), kAlone, options, call);
  };
  Result<> result = result_of({{0, 5}, {20, 3}, {19, 4}, {19, 6}});
  CHECK(result.status == Status::kFeasible);
  CHECK(result.stopped_by == Stop::kNodeLimit);
  CHECK(result.height == 19);
  CHECK(result.offsets == std::vector<std::int64_t>{2});
  CHECK(result.lower_bound == 6);
  result = result_of({{20, 5}, {21, 20}});
  CHECK(result.status == Status::kOptimal);
  CHECK(result.stopped_by == Stop::kNone);
  CHECK(result.height == 20);
  CHECK(result.lower_bound == 20);
  result = result_of({{0, 5}, {0, 7}});
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kNodeLimit);
  CHECK(result.lower_bound == 7);
}

TEST_CASE("race: limits are shared out", "[race]") {
  Options options = first_seed();
  options.memory_limit = 4000;
  options.node_limit = 5000;
  options.time_limit = std::chrono::hours(1);
  std::mutex mutex;
  std::vector<Options> given;
  const auto call = [&](const Options& own) {
    if (own.progress != nullptr) (void)starts_others(own);
    const std::lock_guard<std::mutex> lock(mutex);
    given.push_back(own);
    Result<> result;
    result.stopped_by = Stop::kNodeLimit;
    return result;
  };
  CHECK(run_race<std::int64_t>(4, kAlone, options, call).stopped_by ==
        Stop::kNodeLimit);
  // They gave up before their limit of nodes, so one tries it with all memory.
  REQUIRE(given.size() == 5);
  CHECK(given[4].memory_limit == 4000);
  CHECK(given[4].seed == 0);
  std::sort(given.begin(), given.end() - 1,
            [](const Options& a, const Options& b) { return a.seed < b.seed; });
  for (std::size_t k = 0; k < 5; ++k) {
    if (k < 4) CHECK(given[k].seed == k);
    if (k < 4) CHECK(given[k].memory_limit == 1000);
    CHECK(given[k].node_limit == 5000);
    CHECK(given[k].time_limit < options.time_limit);
    CHECK(given[k].time_limit > std::chrono::minutes(59));
  }
}

TEST_CASE("race: who goes alone does not lose what the others know", "[race]") {
  Options options = first_seed();
  options.memory_limit = 4000;
  options.node_limit = 5000;
  // Those with a share give up at 20 and 21; alone it ends at `alone`, or with nothing.
  const auto result_of = [&](int alone, int bound, Stop stopped_by) {
    const auto call = [&](const Options& own) {
      (void)starts_others(own);
      const bool is_alone = own.memory_limit == 4000;
      const int height = is_alone ? alone : 20 + static_cast<int>(own.seed);
      Result<> result;
      result.stopped_by = is_alone ? stopped_by : Stop::kNodeLimit;
      result.status = height == 0 ? Status::kUnknown : Status::kFeasible;
      result.height = height;
      result.lower_bound = is_alone ? bound : 7;
      if (height > 0) result.offsets = {height};
      return result;
    };
    return run_race<std::int64_t>(2, kAlone, options, call);
  };
  using Offsets = std::vector<std::int64_t>;
  Result<> result = result_of(0, 5, Stop::kTimeLimit);
  CHECK(result.status == Status::kFeasible);
  CHECK(result.stopped_by == Stop::kTimeLimit);
  CHECK(result.offsets == Offsets{20});
  CHECK(result.lower_bound == 7);
  result = result_of(19, 8, Stop::kTimeLimit);
  CHECK(result.stopped_by == Stop::kTimeLimit);
  CHECK(result.offsets == Offsets{19});
  CHECK(result.lower_bound == 8);
  result = result_of(22, 20, Stop::kCancelled);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.stopped_by == Stop::kNone);
  CHECK(result.offsets == Offsets{20});
  // With an answer, that is the result.
  result = result_of(22, 8, Stop::kNone);
  CHECK(result.stopped_by == Stop::kNone);
  CHECK(result.offsets == Offsets{22});
  CHECK(result.lower_bound == 8);
}

TEST_CASE("race: refused once, nobody is asked or searches again", "[race]") {
  Options options = first_seed();
  options.memory_limit = 4000;
  options.node_limit = 5000;
  options.progress_interval = std::chrono::nanoseconds(0);
  int told = 0;
  options.progress_data = &told;
  options.progress = [](const Progress&, void* data) {
    return ++*static_cast<int*>(data) < 2;
  };
  std::atomic<int> calls{0};
  const auto call = [&](const Options& own) {
    ++calls;
    Result<> result;
    result.stopped_by =
        starts_others(own) ? Stop::kNodeLimit : Stop::kCancelled;
    result.status = Status::kFeasible;
    result.height = 20 + static_cast<std::int64_t>(own.seed);
    result.offsets = {0};
    return result;
  };
  const Result<> result = run_race<std::int64_t>(2, kAlone, options, call);
  CHECK(told == 2);
  CHECK(calls == 2);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(result.height == 20);
}

TEST_CASE("race: reports of who goes alone follow those of the others",
          "[race]") {
  Options options = first_seed();
  options.memory_limit = 4000;
  options.node_limit = 5000;
  options.progress_interval = std::chrono::nanoseconds(0);
  std::vector<std::int64_t> told;
  options.progress_data = &told;
  options.progress = [](const Progress& progress, void* data) {
    static_cast<std::vector<std::int64_t>*>(data)->push_back(progress.nodes);
    return true;
  };
  const auto call = [&](const Options& own) {
    (void)starts_others(own);
    Result<> result;
    result.stopped_by = Stop::kNodeLimit;
    return result;
  };
  (void)run_race<std::int64_t>(2, kAlone, options, call);
  CHECK(told == std::vector<std::int64_t>{kAlone, 2 * kAlone, 3 * kAlone});
}

TEST_CASE("race: reports tell what all of them know, and can cancel",
          "[race]") {
  struct Told {
    int calls = 0;
    int most_calls = 0;
    bool is_inside = false;
    Progress last{};
  };
  Told told;
  told.most_calls = 50;
  Options options = first_seed();
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress_data = &told;
  options.progress = [](const Progress& progress, void* data) {
    auto& all = *static_cast<Told*>(data);
    CHECK_FALSE(all.is_inside);
    all.is_inside = true;
    CHECK(progress.nodes >= all.last.nodes);
    all.last = progress;
    ++all.calls;
    all.is_inside = false;
    return all.calls < all.most_calls;
  };
  const Script script{{kNever, kNever, kNever}};
  Result<> result = run_race<std::int64_t>(3, kAlone, options, script);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(told.calls == 50);
  CHECK(told.last.height >= 1000);
  CHECK(told.last.height <= 1002);
  CHECK(told.last.lower_bound <= 20);
  CHECK(told.last.nodes > 0);
  SECTION("no more than one in an interval") {
    told = {};
    told.most_calls = 1 << 30;
    options.progress_interval = std::chrono::hours(1);
    options.node_limit = 5000;
    result = run_race<std::int64_t>(3, kAlone, options, script);
    CHECK(result.stopped_by == Stop::kNodeLimit);
    CHECK(told.calls == 0);
  }
}

TEST_CASE("race: an exception ends it and arrives", "[race]") {
  Script script{{kNever, kNever, kNever}};
  for (std::size_t k = 0; k < 3; ++k) {
    Script one = script;
    one.nodes_of[k] = one.throws_at = 3000;
    const auto call = [&](const Options& options) { return one(options); };
    CHECK_THROWS_AS(run_race<std::int64_t>(3, kAlone, first_seed(), call),
                    std::runtime_error);
  }
}

TEST_CASE("race: the placement of the racer that needs the fewest nodes",
          "[race]") {
  const Problem<> problem = staircase();
  std::vector<Result<>> alone;
  Options options;
  for (; options.seed <= 3; ++options.seed)
    alone.push_back(snug::solve(problem, kLoad, options));
  const auto first = std::min_element(alone.begin(), alone.end(),
                                      [](const Result<>& a, const Result<>& b) {
                                        return a.stats.nodes < b.stats.nodes;
                                      });
  REQUIRE(first != alone.begin());
  for (int round = 0; round < 3; ++round) {
    const Result<> result = snug::race::solve(problem, kLoad, 3);
    REQUIRE(result.has_solution());
    CHECK(snug::validate(problem, kLoad, result.offsets).ok());
    CHECK(result.offsets == first->offsets);
    CHECK(result.stats.nodes == first->stats.nodes);
    CHECK(result.stats.runs == first->stats.runs);
    CHECK(result.stats.peak_bytes == first->stats.peak_bytes);
  }
}

TEST_CASE("race: minimize, with partitions and pairs", "[race]") {
  Problem<> problem = staircase();
  const std::size_t n = problem.buffers.size();
  SECTION("one partition") {}
  SECTION("two, the other one in other units") {
    for (std::size_t i = 0; i < n; ++i) {
      snug::Buffer<> buffer = problem.buffers[i];
      buffer.lifespan.lower += 1000;
      buffer.lifespan.upper += 1000;
      buffer.size *= 3;
      problem.buffers.push_back(buffer);
    }
  }
  SECTION("pairs kept apart") {
    problem.apart = {{0, 30}, {10, 45}, {100, 140}};
  }
  std::vector<Result<>> alone;
  Options options;
  options.node_limit = 60000;
  for (; options.seed <= 2; ++options.seed)
    alone.push_back(snug::minimize(problem, options));
  options.seed = 1;
  const auto first = std::min_element(
      alone.begin(), alone.end(), [](const Result<>& a, const Result<>& b) {
        return std::pair(a.stopped_by, a.stats.nodes) <
               std::pair(b.stopped_by, b.stats.nodes);
      });
  REQUIRE(first->stopped_by == Stop::kNone);
  const Result<> raced = snug::race::minimize(problem, 2, options);
  CHECK(raced.offsets == first->offsets);
  CHECK(raced.stats.nodes == first->stats.nodes);
  for (const Result<>& result :
       {raced,
        snug::race::minimize_within(problem, first->height + 50, 2, options)}) {
    CHECK(result.status == Status::kOptimal);
    CHECK(result.height == first->height);
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
  }
}

TEST_CASE("race: cancelled while it runs", "[race]") {
  const Problem<> problem = staircase();
  struct Told {
    std::atomic<bool> cancel{false};
    bool goes_on = true;
  };
  Told told;
  Options options;
  SECTION("by the flag") {
    options.cancel = &told.cancel;
  }
  SECTION("by a report") {
    told.goes_on = false;
  }
  options.progress_data = &told;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress = [](const Progress& progress, void* data) {
    auto& all = *static_cast<Told*>(data);
    if (progress.nodes < 7000) return true;
    all.cancel = true;
    return all.goes_on;
  };
  // No height below the load is refuted by then, nor is one found at it.
  const Result<> result = snug::race::solve(problem, kLoad, 3, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(result.lower_bound == kLoad);
}

TEST_CASE("race: stops with its limits", "[race]") {
  const Problem<> problem = staircase();
  Options options;
  options.node_limit = 5000;
  Result<> result = snug::race::solve(problem, kLoad, 2, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kNodeLimit);
  CHECK(result.stats.nodes == 5000);
  result = snug::race::solve(problem, kLoad - 1, 2);
  CHECK(result.status == Status::kInfeasible);
  std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  result = snug::race::solve(problem, kLoad, 2, options);
  CHECK(result.stopped_by == Stop::kCancelled);
  CHECK(snug::race::solve(problem, std::int64_t{-1}, 2).status ==
        Status::kInvalid);
}

}  // namespace race_test
