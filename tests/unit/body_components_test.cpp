// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/body_components.hpp"

#include "snug/bodies/domain.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/body_placer.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_components_test {

using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BodyComponents;
using snug::detail::BodyPlacer;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Outcome;
using snug::detail::Share;

namespace {

/// All meet: 4950 pairs of 100.
Flat crowd(std::int64_t bodies = 100) {
  Problem<> problem;
  for (std::int64_t k = 0; k < bodies; ++k) {
    problem.buffers.push_back({{0, 10}, 1 + k % 3});
    problem.buffers.back().gaps.push_back({{k % 8 + 1, k % 8 + 2}, {}});
  }
  return snug::detail::flatten(problem);
}

}  // namespace

TEST_CASE("body components: each call has its own memory and time",
          "[body_components]") {
  const Flat flat = crowd();
  Stats stats;
  const Options options;
  Call call(options, stats);
  BodyComponents parts(flat, call);
  CHECK(parts.components().empty());
  Options hurried;
  hurried.time_limit = std::chrono::milliseconds(4);
  Options small;
  small.memory_limit = std::size_t{1} << 10;
  for (const bool is_made : {false, true}) {
    Call without_time(hurried, stats);
    CHECK(parts.make(without_time) == is_made);
    CHECK(without_time.limits().leaves_out() == !is_made);
    Call without_memory(small, stats);
    CHECK_FALSE(parts.make(without_memory));
    CHECK_FALSE(without_memory.limits().leaves_out());
    if (!is_made) REQUIRE(parts.make(call));
    CHECK(parts.components().size() == 1);
  }
  const snug::detail::Component* const first = parts.components().data();
  REQUIRE(parts.make(call));
  CHECK(parts.components().data() == first);
}

TEST_CASE("body components: a call that gives up has none",
          "[body_components]") {
  const Flat flat = crowd(300);
  Stats stats;
  const Options options;
  Call call(options, stats);
  BodyComponents parts(flat, call);
  std::atomic<bool> cancelled{true};
  Options stopped;
  stopped.cancel = &cancelled;
  Call no_call(stopped, stats);
  CHECK_FALSE(parts.make(no_call));
  CHECK(no_call.gave_up());
  CHECK(parts.components().empty());
  CHECK(call.held() == parts.bodies().bytes());
  REQUIRE(parts.make(call));
  CHECK(parts.components().size() == 1);
}

TEST_CASE("body components: what they hold is counted, whoever made them",
          "[body_components]") {
  const Flat flat = crowd();
  Stats stats;
  const Options options;
  Call call(options, stats);
  {
    BodyComponents parts(flat, call);
    CHECK(call.held() == parts.bodies().bytes());
    {
      Share share(call, 1);
      REQUIRE(parts.make(share.call()));
    }
    CHECK(call.held() == parts.bodies().bytes() + bytes_of(parts.components()));
    CHECK(stats.peak_bytes > call.held());
  }
  CHECK(call.held() == 0);
}

TEST_CASE("body components: placers in turns do not disturb each other",
          "[body_components]") {
  std::size_t in_turns = 0;
  for (std::uint64_t seed = 0; seed < snug::testing::effort<std::uint64_t>(300);
       ++seed) {
    const Flat flat =
        snug::detail::flatten(snug::testing::draw_constrained(seed, 12));
    CAPTURE(seed);
    Stats stats;
    const Options options;
    Call call(options, stats);
    BodyComponents parts(flat, call);
    const std::int64_t lowest = BodyPlacer(parts, 0, call).lower_bound();
    // One after the other, and each with its own bodies.
    std::vector<std::vector<std::int64_t>> alone;
    for (std::int64_t capacity = lowest; capacity < lowest + 4; ++capacity) {
      BodyComponents own(flat, call);
      BodyPlacer one(own, capacity, call);
      alone.emplace_back();
      if (one.place(snug::detail::kNoNodeLimit) != Outcome::kPlacedAll)
        continue;
      snug::detail::List<std::int64_t> offsets;
      one.write(offsets);
      alone.back().assign(offsets.begin(), offsets.end());
    }
    for (std::int64_t capacity = lowest; capacity < lowest + 4; ++capacity) {
      const std::int64_t above = capacity == lowest + 3 ? lowest : capacity + 1;
      BodyPlacer placer(parts, capacity, call);
      BodyPlacer other(parts, above, call);
      Outcome outcome = Outcome::kOpen;
      while (outcome == Outcome::kOpen) {
        outcome = placer.place(1);
        if (outcome != Outcome::kOpen) continue;
        (void)other.place(1);
        ++in_turns;
      }
      const std::vector<std::int64_t>& as =
          alone[static_cast<std::size_t>(capacity - lowest)];
      REQUIRE((outcome == Outcome::kPlacedAll) == !as.empty());
      if (as.empty()) continue;
      snug::detail::List<std::int64_t> offsets;
      placer.write(offsets);
      REQUIRE(std::vector<std::int64_t>(offsets.begin(), offsets.end()) == as);
    }
  }
  CHECK(in_turns > snug::testing::at_least<std::size_t>(20));
}

}  // namespace body_components_test
