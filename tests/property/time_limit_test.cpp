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
#include "support/solved.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using snug::Options;
using snug::Problem;
using snug::Status;
using snug::Stop;
using snug::testing::CpuTimer;
using snug::testing::effort;

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

/// Seconds that a sweep over the problem takes.
double sweep(const Problem<>& problem) {
  const CpuTimer timer;
  std::int64_t sum = 0;
  for (int k = 0; k < 4; ++k) sum += snug::load(problem);
  REQUIRE(sum > 0);
  return timer.seconds() / 4;
}

/// Makes one call, the k-th, and judges what it returns.
void call(int k, const Problem<>& problem, std::int64_t load,
          const Options& options) {
  if (k == 0) {
    const auto result = minimize(problem, options);
    if (result.has_solution())
      REQUIRE(validate(problem, result.height, result.offsets).ok());
    REQUIRE(result.lower_bound <=
            (result.has_solution() ? result.height : 2 * load));
  } else if (k == 1) {
    const auto result = solve(problem, load, options);
    if (result.has_solution())
      REQUIRE(validate(problem, load, result.offsets).ok());
  } else if (k == 2) {
    const auto result = explain(problem, load, options);
    REQUIRE(result.status != Status::kInvalid);
  } else if (k == 3) {
    const auto result = suggest_spills(problem, load / 2, {}, options);
    REQUIRE(result.status == Status::kFeasible);
    std::vector<std::size_t> kept;
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < result.offsets.size(); ++i) {
      if (result.offsets[i] < 0) continue;
      kept.push_back(i);
      offsets.push_back(result.offsets[i]);
    }
    REQUIRE(validate(subset(problem, kept), load / 2, offsets).ok());
  } else {
    const auto result = minimize_penalty(problem, load, options);
    if (result.has_solution())
      REQUIRE(validate(problem, load, result.offsets).ok());
  }
}
constexpr const char* kCalls[] = {"minimize", "solve", "explain",
                                  "suggest_spills", "minimize_penalty"};

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
      for (int k = 0; k < 5; ++k) {
        Options options;
        options.time_limit = std::chrono::milliseconds(limit);
        const CpuTimer timer;
        call(k, problem, load, options);
        const double over = timer.seconds() - limit / 1000.0;
        CAPTURE(kCalls[k], static_cast<int>(kind), limit, over, allowed);
        CHECK(over < allowed);
      }
  }
}

TEST_CASE("time: calls end soon after they are cancelled", "[time]") {
  for (const Kind kind : {Kind::kPlain, Kind::kConstrained}) {
    const Problem<> problem = make(kind, 5000);
    const std::int64_t load = snug::load(problem);
    const double allowed = std::max(0.01, 20 * sweep(problem));
    for (int k = 0; k < 5; ++k) {
      Cancelling cancelling;
      Options options;
      options.time_limit = std::chrono::milliseconds(300);
      options.cancel = &cancelling.flag;
      options.progress = &cancel;
      options.progress_data = &cancelling;
      options.progress_interval = std::chrono::milliseconds(1);
      call(k, problem, load, options);
      if (!cancelling.since) continue;
      const double after = cancelling.since->seconds();
      CAPTURE(kCalls[k], static_cast<int>(kind), after, allowed);
      CHECK(after < allowed);
    }
  }
}
