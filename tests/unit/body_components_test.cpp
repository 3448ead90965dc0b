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
using snug::detail::CliqueScope;
using snug::detail::Flat;
using snug::detail::FlatModels;
using snug::detail::Outcome;
using snug::detail::Share;

namespace {

/// All meet: 4950 pairs.
Flat crowd() {
  Problem<> problem;
  for (std::int64_t k = 0; k < 100; ++k) {
    problem.buffers.push_back({{0, 10}, 1 + k % 3});
    problem.buffers.back().gaps.push_back({{k % 8 + 1, k % 8 + 2}, {}});
  }
  return snug::detail::flatten(problem);
}

/// Tied in pairs, and one after the other.
Problem<> tied(std::int64_t n) {
  Problem<> problem;
  for (std::int64_t k = 0; k < n; ++k)
    problem.buffers.push_back({{k, k + 3}, 1 + k % 5});
  for (std::size_t k = 0; k + 9 < problem.buffers.size(); k += 10)
    problem.aliases.push_back({k, k + 9, 0});
  return problem;
}

}  // namespace

TEST_CASE("body components: each call has its own memory and time",
          "[body_components]") {
  const Flat flat = crowd();
  Stats stats;
  const Options options;
  Call call(options, stats);
  BodyComponents parts(flat, CliqueScope::kOfPairs, call);
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

TEST_CASE("body components: what they hold is counted, whoever made them",
          "[body_components]") {
  const Flat flat = crowd();
  Stats stats;
  const Options options;
  Call call(options, stats);
  {
    BodyComponents parts(flat, CliqueScope::kNone, call);
    CHECK(call.held() == parts.bodies().bytes());
    {
      Share share(call, 1);
      REQUIRE(parts.make(share.call()));
    }
    CHECK(call.held() == parts.bodies().bytes() + bytes_of(parts.components()));
    CHECK(stats.peak_bytes > call.held());
    CHECK(parts.components()[0].clique_count() == 0);
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
    BodyComponents parts(flat, CliqueScope::kOfPairs, call);
    const std::int64_t lowest = BodyPlacer(parts, 0, call).lower_bound();
    // One after the other, and each with its own bodies.
    std::vector<std::vector<std::int64_t>> alone;
    for (std::int64_t capacity = lowest; capacity < lowest + 4; ++capacity) {
      BodyComponents own(flat, CliqueScope::kOfPairs, call);
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
      Outcome outcome = Outcome::kStopped;
      while (outcome == Outcome::kStopped) {
        outcome = placer.place(1);
        if (outcome != Outcome::kStopped) continue;
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

TEST_CASE("flat models: each is made once", "[flat_models]") {
  Problem<> problem = tied(100);
  Stats stats;
  const Options options;
  Call call(options, stats);
  {
    const Flat flat = snug::detail::flatten(problem);
    FlatModels models(flat);
    CHECK(call.held() == 0);
    const BodyComponents* const made = models.searched(call);
    REQUIRE(made != nullptr);
    const std::size_t held = call.held();
    CHECK(held > 0);
    CHECK(models.searched(call) == made);
    CHECK(models.walked(call) == made);
    CHECK(call.held() == held);
  }
  // Sections of cliques are for searches alone.
  for (std::size_t k = 2; k < 5; ++k)
    for (std::size_t x = 0; x < k; ++x)
      problem.apart.push_back({20 * x, 20 * k});
  problem.apart.push_back({0, 20});
  const Flat flat = snug::detail::flatten(problem);
  FlatModels models(flat);
  const BodyComponents* const walked = models.walked(call);
  const BodyComponents* const searched = models.searched(call);
  REQUIRE(walked != nullptr);
  REQUIRE(searched != nullptr);
  CHECK(walked->bodies().sections < searched->bodies().sections);
  CHECK(models.walked(call) == walked);
  CHECK(models.searched(call) == searched);
}

TEST_CASE("flat models: what was interrupted is made again", "[flat_models]") {
  const Flat flat = snug::detail::flatten(tied(100000));
  std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  Stats stats;
  Call call(options, stats);
  FlatModels models(flat);
  {
    Share share(call, 1);
    CHECK(models.searched(share.call()) == nullptr);
    CHECK(share.call().gave_up());
    CHECK(models.walked(share.call()) == nullptr);
  }
  CHECK(call.held() == 0);
  cancel = false;
  {
    Share share(call, 1);
    REQUIRE(models.searched(share.call()) != nullptr);
    CHECK_FALSE(share.call().gave_up());
  }
  const BodyComponents* const made = models.searched(call);
  CHECK(made->bodies().body_of.size() == flat.buffers.size());
  CHECK(call.held() == made->bodies().bytes());
  // What is there is there for those who have no time, too.
  cancel = true;
  Share share(call, 1);
  CHECK(models.searched(share.call()) == made);
}

}  // namespace body_components_test
