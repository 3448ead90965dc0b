// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long calls go on after their time is up, or after they were cancelled.
///
/// What counts is the time that this program computes for, not what the machine
/// does beside it; and since that depends on the machine, the compiler and the
/// sanitizers, what is allowed grows with the time that a sweep over the problem
/// takes here. A limit that has passed before the clock is looked at ends the
/// call sooner, never later.
#include "snug/load.hpp"
#include "snug/model/subset.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace time_limit_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Status;
using snug::Stop;

enum class Kind { kPlain, kAligned, kHinted, kConstrained, kPenalties };
constexpr Kind kKinds[] = {Kind::kPlain, Kind::kAligned, Kind::kHinted,
                           Kind::kConstrained, Kind::kPenalties};

/// Rows of which no call has the answer soon.
Problem<> make(Kind kind, std::int64_t count) {
  Problem<> problem;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    problem.buffers.push_back({{i, i + 1 + i * 31 % 50}, 1 + i * 7919 % 1000});
    snug::Buffer<>& buffer = problem.buffers.back();
    if (kind == Kind::kAligned) buffer.alignment = std::int64_t{1} << i % 7;
    if (kind == Kind::kHinted && i % 3 == 0) buffer.hint = i;
    if (kind == Kind::kConstrained && i % 10 == 9)
      problem.aliases.push_back({index, index - 1, 0});
    if (kind == Kind::kConstrained && i % 10 == 5)
      buffer.gaps.push_back({{i, i + 1}, std::nullopt});
    if (kind == Kind::kPenalties && i > 0)
      problem.penalties.push_back({index, index - 1, 1});
  }
  return problem;
}

std::int64_t sum_of_sizes(const Problem<>& problem) {
  std::int64_t sum = 0;
  for (const snug::Buffer<>& buffer : problem.buffers) sum += buffer.size;
  return sum;
}

/// Seconds that two sweeps over the problem take: what is allowed, in times of that, was
/// found when one took about as long.
double sweep(const Problem<>& problem) {
  const CpuTimer timer;
  std::int64_t sum = 0;
  for (int k = 0; k < 4; ++k) sum += snug::load(problem);
  REQUIRE(sum > 0);
  return timer.seconds() / 2;
}

/// Two pools: half of what is needed, and plenty at a price.
snug::Pools<> make_pools(std::int64_t load) {
  snug::Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = load / 2;
  pools.pools[1].capacity = 4 * load;
  pools.pools[1].cost_per_byte = 1;
  return pools;
}

/// Makes one call, the k-th, says ended() and judges what it returned.
template <class Ended>
void call(int k, const Problem<>& problem, std::int64_t load,
          const Options& options, Ended&& ended) {
  if (k == 0) {
    const auto result = minimize(problem, options);
    ended();
    if (result.has_solution())
      REQUIRE(validate(problem, result.height, result.offsets).ok());
    REQUIRE(result.lower_bound <=
            (result.has_solution() ? result.height : 2 * load));
  } else if (k == 1) {
    const auto result = solve(problem, load, options);
    ended();
    if (result.has_solution())
      REQUIRE(validate(problem, load, result.offsets).ok());
  } else if (k == 2) {
    const auto result = explain(problem, load, options);
    ended();
    REQUIRE(result.status != Status::kInvalid);
  } else if (k == 3) {
    const auto result = suggest_spills(problem, load / 2, {}, options);
    ended();
    REQUIRE(result.status == Status::kFeasible);
    std::vector<std::size_t> kept;
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < result.offsets.size(); ++i) {
      if (result.offsets[i] < 0) continue;
      kept.push_back(i);
      offsets.push_back(result.offsets[i]);
    }
    REQUIRE(validate(subset(problem, kept), load / 2, offsets).ok());
  } else if (k == 4) {
    const auto result = minimize_penalty(problem, load, options);
    ended();
    if (result.has_solution())
      REQUIRE(validate(problem, load, result.offsets).ok());
  } else if (k == 5) {
    const auto result = minimize_within(problem, 2 * load, options);
    ended();
    if (result.has_solution())
      REQUIRE(validate(problem, 2 * load, result.offsets).ok());
    REQUIRE(result.status != Status::kInfeasible);
  } else {
    const auto result = assign(problem, make_pools(load), options);
    ended();
    REQUIRE(result.error.ok());
    REQUIRE(result.status != Status::kInvalid);
    REQUIRE(result.cost_bound <= sum_of_sizes(problem));
  }
}
constexpr const char* kCalls[] = {
    "minimize",         "solve",           "explain", "suggest_spills",
    "minimize_penalty", "minimize_within", "assign"};

/// The same for a large problem and limits that stop the call before it has
/// found anything.
template <class Ended>
void stopped_call(int k, const Problem<>& problem, std::int64_t load,
                  const Options& options, Stop by, Ended&& ended) {
  const std::size_t n = problem.buffers.size();
  const auto is_stopped = [&](const auto& result) {
    REQUIRE(result.error.ok());
    REQUIRE(result.status == Status::kUnknown);
    REQUIRE(result.stopped_by == by);
  };
  if (k == 0 || k == 1 || k == 5) {
    const auto result = k == 0   ? minimize(problem, options)
                        : k == 1 ? solve(problem, load, options)
                                 : minimize_within(problem, 2 * load, options);
    ended();
    is_stopped(result);
    REQUIRE(result.offsets.empty());
    REQUIRE(result.lower_bound <= load);
  } else if (k == 2) {
    const auto result = explain(problem, load, options);
    ended();
    is_stopped(result);
    REQUIRE(result.buffers.empty());
  } else if (k == 3) {
    const auto result = suggest_spills(problem, load / 2, {}, options);
    ended();
    REQUIRE(result.status == Status::kFeasible);
    REQUIRE(result.stopped_by == by);
    REQUIRE(result.buffers.size() == n);
    REQUIRE(result.offsets ==
            std::vector<std::int64_t>(n, snug::Spills<>::kSpilled));
    REQUIRE(result.cost == sum_of_sizes(problem));
    REQUIRE(result.cost_bound == 0);
    REQUIRE_FALSE(result.proved_cheapest);
  } else if (k == 4) {
    const auto result = minimize_penalty(problem, load, options);
    ended();
    is_stopped(result);
    REQUIRE(result.offsets.empty());
    REQUIRE(result.cost_bound == 0);
  } else {
    const auto result = assign(problem, make_pools(load), options);
    ended();
    is_stopped(result);
    REQUIRE(result.offsets.empty());
    REQUIRE(result.pools.empty());
    REQUIRE(result.cost_bound == 0);
  }
}

constexpr int kCallCount = 7;

constexpr std::int64_t kMillion = 1000000;

/// Whether a call takes longer than the limits here before it knows anything.
bool is_large(const Problem<>& problem) {
  return problem.buffers.size() >= static_cast<std::size_t>(kMillion);
}

/// Set by the first report of progress, which says when.
struct Cancelling {
  std::atomic<bool> flag{false};
  std::optional<CpuTimer> since{};
};

bool cancel(const snug::Progress&, void* data) {
  Cancelling& cancelling = *static_cast<Cancelling*>(data);
  if (!cancelling.flag) cancelling.since.emplace();
  cancelling.flag = true;
  return true;
}

}  // namespace

TEST_CASE("time: calls end soon after their time", "[time]") {
  for (const Kind kind : kKinds) {
    const Problem<> problem = make(kind, effort(std::int64_t{5000}));
    const std::int64_t load = snug::load(problem);
    // 50 ms where a sweep takes 1.
    const double allowed = std::max(0.05, 50 * sweep(problem));
    for (const int limit : {1, 10})
      for (int k = 0; k < kCallCount; ++k) {
        Options options;
        options.time_limit = std::chrono::milliseconds(limit);
        double over = -limit / 1000.0;
        const CpuTimer timer;
        call(k, problem, load, options, [&] { over += timer.seconds(); });
        CAPTURE(kCalls[k], static_cast<int>(kind), limit, over, allowed);
        CHECK(over < allowed);
      }
  }
}

TEST_CASE("time: calls of a million buffers end soon after their time",
          "[time]") {
  for (const Kind kind : {Kind::kPlain, Kind::kPenalties}) {
    const Problem<> problem = make(kind, effort(kMillion));
    const std::int64_t load = snug::load(problem);
    // 50 ms where a sweep takes 150.
    const double allowed = std::max(0.05, sweep(problem) / 3);
    for (const int limit : {1, 10})
      for (int k = 0; k < kCallCount; ++k) {
        Options options;
        options.time_limit = std::chrono::milliseconds(limit);
        double over = -limit / 1000.0;
        const CpuTimer timer;
        const auto ended = [&] { over += timer.seconds(); };
        if (is_large(problem))
          stopped_call(k, problem, load, options, Stop::kTimeLimit, ended);
        else
          call(k, problem, load, options, ended);
        CAPTURE(kCalls[k], static_cast<int>(kind), limit, over, allowed);
        CHECK(over < allowed);
      }
  }
}

TEST_CASE("time: large problems with constraints end soon after their time",
          "[time]") {
  constexpr std::int64_t kCapacity = 128000;
  constexpr int kConstraints = 6;
  const auto constrain = [](int kind, Problem<>& problem) {
    if (kind == 3) problem.reserved.push_back({{20000, 21000}, {{9, 99}}});
    for (std::size_t i = 1; i < problem.buffers.size(); ++i) {
      snug::Buffer<>& buffer = problem.buffers[i];
      // No two that are live together are there.
      const auto place = static_cast<std::int64_t>(i % 128) * 1000;
      if (kind == 0 && i % 2 == 0) buffer.offset = place;
      if (kind == 1) buffer.hint = place + (i % 7 == 0 ? 300 : 0);
      if (kind == 2 && i % 100 == 0) problem.apart.push_back({i, i - 64});
      if (kind == 4 && i % 20 == 0) problem.aliases.push_back({i, i - 1, 0});
      if (kind == 5 && i % 3 == 0 && buffer.size > 8)
        buffer.gaps.push_back(
            {{buffer.lifespan.lower, buffer.lifespan.lower + 1}, {{1, 7}}});
    }
  };
  for (const std::int64_t count : {kMillion / 10, kMillion}) {
    for (int kind = 0; kind < kConstraints; ++kind) {
      Problem<> problem = make(Kind::kPlain, effort(count));
      constrain(kind, problem);
      // The input is checked until then, in steps of so much.
      const double allowed = 0.05 + 1.5 * sweep(problem);
      for (const int limit : {1, 10, 50})
        for (const bool lowest : {false, true}) {
          Options options;
          options.time_limit = std::chrono::milliseconds(limit);
          const CpuTimer timer;
          const auto result = lowest ? minimize(problem, options)
                                     : solve(problem, kCapacity, options);
          const double over = timer.seconds() - limit / 1000.0;
          CAPTURE(count, kind, limit, lowest, over, allowed);
          CHECK(over < allowed);
          CHECK(result.status != Status::kInvalid);
          CHECK(result.status != Status::kInfeasible);
          if (result.has_solution())
            CHECK(validate(problem, result.height, result.offsets).ok());
        }
    }
  }
}

// Hundreds are live at a time and there is little room, so those that grew look for
// others to push away for long.
TEST_CASE("time: replanning ends soon after its time", "[time]") {
  Problem<> problem;
  Random random(7);
  for (int i = 0; i < 4000; ++i) {
    const auto lower = random.between<std::int64_t>(0, 4000);
    problem.buffers.push_back(
        {{lower, lower + random.between<std::int64_t>(1, 2000)},
         64 * random.between<std::int64_t>(1, 1000)});
  }
  Options options;
  options.node_limit = 1;
  const auto before = minimize(problem, options);
  REQUIRE(before.has_solution());
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    problem.buffers[i].hint = before.offsets[i];
  for (std::size_t i = 0; i < problem.buffers.size(); i += 400)
    problem.buffers[i].size += 12800;
  options = {};
  options.time_limit = std::chrono::milliseconds(100);
  const CpuTimer timer;
  const auto after = solve(problem, before.height, options);
  const double over = timer.seconds() - 0.1;
  CAPTURE(over);
  CHECK(over < 0.05 + 1.5 * sweep(problem));
}

// Each of them meets all that come before it, and may.
TEST_CASE("time: to check very many that are tied ends soon after its time",
          "[time]") {
  Problem<> problem;
  const auto count = effort(std::size_t{200000});
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    problem.buffers.push_back({{at, at + 1000000}, 1});
    if (i > 0) problem.aliases.push_back({i, 0, 0});
  }
  problem.buffers[0].offset = 0;
  Options options;
  options.time_limit = std::chrono::milliseconds(50);
  const CpuTimer timer;
  const auto result = solve(problem, std::int64_t{10}, options);
  const double over = timer.seconds() - 0.05;
  CAPTURE(over);
  CHECK(over < 0.05 + 1.5 * sweep(problem));
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kTimeLimit);
}

// What bounds and dives look at all in one: a body of thousands of slabs that all are
// live together, and their idle bytes; a buffer of as many gaps that all may overlap;
// and thousands of the top that wait for the bottom, block after block.
TEST_CASE("time: what has thousands of others ends soon after its time",
          "[time]") {
  const auto count = effort(std::int64_t{20000});
  for (int kind = 0; kind < 4; ++kind) {
    Problem<> problem;
    problem.contiguous.resize(1);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      problem.buffers.push_back({{i, count + i}, 1 + i * 7919 % 1000});
      snug::Buffer<>& buffer = problem.buffers.back();
      const bool is_part = kind < 2 && i % 2 == 0;
      if (is_part) problem.contiguous[0].push_back(index);
      if (kind == 1) buffer.hint = i % 128 * 1000;
      if (kind == 2) buffer.lifespan = {count + i, 2 * count + i};
      if (kind == 2 && i > 0) problem.may_overlap.push_back({0, index});
      if (kind < 3) continue;
      if (i % 50 == 0) {
        buffer.lifespan = {i, i + 1};
        buffer.end = snug::End::kBottom;
        problem.reserved.push_back({{0, 2 * (count - i)}, {{i, i + 50}}});
      } else {
        buffer.lifespan = {0, count};
        buffer.end = snug::End::kTop;
      }
    }
    if (kind == 2) {
      problem.buffers[0].lifespan = {0, 3 * count};
      for (std::int64_t at = 0; at < 3 * count; at += 2)
        problem.buffers[0].gaps.push_back({{at, at + 1}, std::nullopt});
    }
    const std::int64_t load = snug::load(problem);
    for (const bool lowest : {false, true}) {
      Options options;
      options.time_limit = std::chrono::milliseconds(100);
      const CpuTimer timer;
      const auto result =
          lowest ? minimize(problem, options) : solve(problem, load, options);
      const double over = timer.seconds() - 0.1;
      CAPTURE(kind, lowest, over);
      CHECK(over < 0.1 + 10 * sweep(problem));
      CHECK(result.error.ok());
    }
  }
}

// What they are for is little, and so are the buffers.
TEST_CASE("time: very many pairs and reserved ranges end soon after their time",
          "[time]") {
  constexpr int kLists = 3;
  const auto count = effort(std::size_t{1000000});
  for (int kind = 0; kind < kLists; ++kind) {
    Problem<> problem = make(Kind::kPlain, 1000);
    Random random(1);
    for (std::size_t k = 0; k < count; ++k) {
      const auto a = static_cast<std::size_t>(random.between(0, 499));
      const auto b = static_cast<std::size_t>(random.between(500, 999));
      const auto at = static_cast<std::int64_t>(k * 7919 % count) * 100;
      if (kind == 0) problem.apart.push_back({a, b});
      if (kind == 1) problem.may_overlap.push_back({a, b});
      if (kind == 2) problem.reserved.push_back({{at + 90, at + 99}, {}});
    }
    // They are checked and sorted until then.
    const auto alike = make(Kind::kPlain, static_cast<std::int64_t>(count));
    const double allowed = 0.05 + 1.5 * sweep(alike);
    Options options;
    options.time_limit = std::chrono::milliseconds(20);
    const CpuTimer timer;
    (void)solve(problem, std::int64_t{128000}, options);
    const double over = timer.seconds() - 0.02;
    CAPTURE(kind, over, allowed);
    CHECK(over < allowed);
  }
}

// Each of them is a bound of its own.
TEST_CASE(
    "time: many alignments of a million buffers end soon after their time",
    "[time]") {
  Problem<> problem = make(Kind::kPlain, effort(kMillion));
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    problem.buffers[i].alignment = std::int64_t{1} << i % 33;
  const std::int64_t load = snug::load(problem);
  Options options;
  options.time_limit = std::chrono::milliseconds(200);
  const CpuTimer timer;
  const auto result = solve(problem, load, options);
  const double over = timer.seconds() - 0.2;
  CAPTURE(over);
  CHECK(over < std::max(0.05, sweep(problem)));
  CHECK(result.stopped_by == Stop::kTimeLimit);
}

// Each pool has a problem of its own, too small for anybody to ask while it is made.
TEST_CASE("time: many pools end soon after their time", "[time]") {
  const Problem<> problem = make(Kind::kPlain, 1000);
  snug::Pools<> pools;
  pools.pools.resize(2000);
  for (snug::Pool<>& pool : pools.pools) pool.capacity = 1000;
  // The first is over before there is a linear program, the others within it.
  for (const int limit : {50, 300, 400}) {
    Options options;
    options.time_limit = std::chrono::milliseconds(limit);
    const CpuTimer timer;
    const auto found = snug::assign(problem, pools, options);
    const double over = timer.seconds() - limit / 1000.0;
    const double sweeps = limit == 50 ? 100 : 2000;
    CAPTURE(limit, over);
    CHECK(over < 0.1 + sweeps * sweep(problem));
    // A fast machine may be done before the last ones.
    if (limit == 50) CHECK(found.stopped_by == Stop::kTimeLimit);
  }
}

// Of long lives, each of the many sections has most of them.
TEST_CASE("time: pools of long lives end soon after their time", "[time]") {
  Problem<> problem;
  for (std::int64_t i = 0; i < 2000; ++i)
    problem.buffers.push_back(
        {{i, i + 1 + i * 977 % 2000}, 1 + i * 7919 % 1000});
  const std::int64_t load = snug::load(problem);
  snug::Pools<> pools;
  pools.pools.resize(3);
  pools.pools[0].capacity = load / 3;
  pools.pools[1].capacity = load / 3;
  pools.pools[1].cost_per_byte = 1;
  pools.pools[2].capacity = std::int64_t{1} << 50;
  pools.pools[2].cost_per_byte = 3;
  Options options;
  options.time_limit = std::chrono::milliseconds(50);
  const CpuTimer timer;
  const auto found = snug::assign(problem, pools, options);
  const double over = timer.seconds() - 0.05;
  CAPTURE(over);
  CHECK(over < 0.04 + 100 * sweep(problem));
  CHECK(found.stopped_by == Stop::kTimeLimit);
}

// Each placement of all but one says of many others that they are necessary, too.
TEST_CASE("time: sets with many exchanges end soon after their time",
          "[time]") {
  Problem<> problem;
  const std::int64_t count = 3000;
  for (std::int64_t i = 0; i < count; ++i)
    problem.buffers.push_back({{i, 2 * count - i}, 1 + i * 7919 % 1000});
  for (std::size_t i = 0; i < problem.buffers.size(); i += 2)
    problem.buffers[i].end = snug::End::kBottom;
  problem.reserved.push_back(
      {{100, 150}, snug::Interval<std::int64_t>{count - 5, count - 2}});
  const std::int64_t load = snug::load(problem);
  Options options;
  options.time_limit = std::chrono::milliseconds(300);
  const CpuTimer timer;
  const auto found = explain(problem, load - load / 10, options);
  const double over = timer.seconds() - 0.3;
  CAPTURE(over);
  CHECK(over < 0.1 + 100 * sweep(problem));
  CHECK(found.status == Status::kInfeasible);
}

// The first node looks at all sections, each of which holds a thousand buffers; and
// with pairs kept apart, heavy cliques have as many.
TEST_CASE("time: certificates of long lives end soon after their time",
          "[time]") {
  Problem<> problem;
  for (std::int64_t i = 0; i < 4000; ++i)
    problem.buffers.push_back(
        {{i, i + 1 + i * 977 % 1500}, 1 + i * 7919 % 1000});
  for (const std::size_t pairs : {std::size_t{0}, std::size_t{10}}) {
    for (std::size_t i = 0; i < pairs; ++i)
      problem.apart.push_back({i, problem.buffers.size() - 1 - i});
    Options options;
    options.time_limit = std::chrono::milliseconds(100);
    const CpuTimer timer;
    const auto found = certify(problem, snug::load(problem), options);
    const double over = timer.seconds() - 0.1;
    CAPTURE(pairs, over);
    CHECK(over < 0.1 + 100 * sweep(problem));
    CHECK(found.status == Status::kUnknown);
    CHECK(found.stopped_by == Stop::kTimeLimit);
  }
}

// What certificates speak of is found within the time, and so is what is wrong.
TEST_CASE("time: certificates of many ties and pairs end soon after their time",
          "[time]") {
  Problem<> problem;
  for (std::size_t i = 0; i < 400000; ++i) {
    const auto time = static_cast<std::int64_t>(i);
    problem.buffers.push_back(
        {{time, time + 1 + time * 31 % 50}, 1 + time * 7919 % 1000});
    if (i % 2 == 1) problem.aliases.push_back({i, i - 1, 0});
    if (i > 0) problem.may_overlap.push_back({i, (i * 104729 + 1) % i});
  }
  const std::int64_t load = snug::load(problem);
  const CpuTimer check_timer;
  REQUIRE(snug::check(problem).ok());
  const double check_seconds = check_timer.seconds();
  Options options;
  options.time_limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1.1 * check_seconds));
  const CpuTimer timer;
  const auto found = certify(problem, load, options);
  const double over = timer.seconds() - 1.1 * check_seconds;
  CAPTURE(check_seconds, over);
  CHECK(over < check_seconds);
  CHECK(found.status == Status::kUnknown);
  CHECK(found.stopped_by == Stop::kTimeLimit);
}

// Neither a look at all pairs of them nor one at all pairs of spots.
TEST_CASE("time: to replan one of many that are live together", "[time]") {
  Problem<> problem;
  std::int64_t top = 0;
  for (std::int64_t i = 0; i < 50000; ++i) {
    problem.buffers.push_back({{i % 7, 10 + i % 5}, 100 + i * 7919 % 1000});
    problem.buffers.back().hint = top;
    top += problem.buffers.back().size;
  }
  problem.buffers[777].size += 50;
  const CpuTimer timer;
  const auto result = solve(problem, top + top / 20);
  const double seconds = timer.seconds();
  CAPTURE(seconds);
  CHECK(seconds < 0.1 + 60 * sweep(problem));
  REQUIRE(result.has_solution());
  CHECK(validate(problem, top + top / 20, result.offsets).ok());
  CHECK(result.moved.size() == 1);
}

// Each look at the clock is a report.
TEST_CASE("time: the clock is read at each node that may take long", "[time]") {
  const Problem<> problem = make(Kind::kConstrained, 300);
  std::int64_t reports = 0;
  Options options;
  options.node_limit = 2000;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress_data = &reports;
  options.progress = [](const snug::Progress&, void* data) {
    ++*static_cast<std::int64_t*>(data);
    return true;
  };
  const auto result = solve(problem, snug::load(problem), options);
  CAPTURE(result.stats.nodes, reports);
  REQUIRE(result.stats.nodes > 200);
  CHECK(reports > result.stats.nodes / 2);
}

TEST_CASE("time: calls end soon after they are cancelled", "[time]") {
  for (const Kind kind : {Kind::kPlain, Kind::kConstrained}) {
    const Problem<> problem = make(kind, 5000);
    const std::int64_t load = snug::load(problem);
    const double allowed = std::max(0.01, 20 * sweep(problem));
    for (int k = 0; k < kCallCount; ++k) {
      Cancelling cancelling;
      Options options;
      options.time_limit = std::chrono::milliseconds(300);
      options.cancel = &cancelling.flag;
      options.progress = &cancel;
      options.progress_data = &cancelling;
      options.progress_interval = std::chrono::milliseconds(1);
      double after = 0;
      call(k, problem, load, options, [&] {
        if (cancelling.since) after = cancelling.since->seconds();
      });
      CAPTURE(kCalls[k], static_cast<int>(kind), after, allowed);
      CHECK(after < allowed);
    }
  }
}

TEST_CASE(
    "time: calls of a million buffers that are cancelled before they begin",
    "[time]") {
  const Problem<> problem = make(Kind::kPlain, effort(kMillion));
  const std::int64_t load = snug::load(problem);
  // The input is checked, and what is returned is written, all the same.
  const double allowed = std::max(0.05, sweep(problem) / 3);
  const std::atomic<bool> flag{true};
  for (int k = 0; k < kCallCount; ++k) {
    Options options;
    options.cancel = &flag;
    double after = 0;
    const CpuTimer timer;
    const auto ended = [&] { after = timer.seconds(); };
    if (is_large(problem))
      stopped_call(k, problem, load, options, Stop::kCancelled, ended);
    else
      call(k, problem, load, options, ended);
    CAPTURE(kCalls[k], after, allowed);
    CHECK(after < allowed);
  }
}

namespace {

/// How long call k goes on, in CPU seconds, once another thread has cancelled it, so
/// many seconds after it began.
double time_after_cancel(int k, const Problem<>& problem, std::int64_t load,
                         double begun) {
  std::atomic<bool> flag{false};
  std::atomic<double> at{0};
  double after = 0;
  const CpuTimer timer;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(begun));
    at = timer.seconds();
    flag = true;
  });
  Options options;
  options.cancel = &flag;
  call(k, problem, load, options, [&] {
    if (flag) after = timer.seconds() - at;
  });
  other.join();
  return after;
}

}  // namespace

TEST_CASE("time: calls of a million buffers that another thread cancels",
          "[time]") {
  for (const Kind kind : {Kind::kPlain, Kind::kConstrained}) {
    const Problem<> problem = make(kind, effort(kMillion));
    const std::int64_t load = snug::load(problem);
    const double pass = sweep(problem);
    const bool is_plain = kind == Kind::kPlain;
    // Amid what is made of the problem before anything is searched.
    const double begun = is_plain ? 0.06 : pass / 2;
    const double allowed = std::max(0.05, is_plain ? pass / 3 : pass);
    for (int k = 0; k < kCallCount; ++k) {
      // What else the machine does only adds to it.
      double after = time_after_cancel(k, problem, load, begun);
      for (int again = 0; again < 2 && after >= allowed; ++again)
        after = std::min(after, time_after_cancel(k, problem, load, begun));
      CAPTURE(kCalls[k], static_cast<int>(kind), after, allowed);
      CHECK(after < allowed);
    }
  }
}

}  // namespace time_limit_test
