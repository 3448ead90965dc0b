// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/replan.hpp"

#include "generate.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/free_nearest.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/lists.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace replan_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::Flat;
using snug::detail::List;
using snug::detail::Replanner;

namespace {

constexpr std::int64_t kNone = Flat::kNone;

/// Where those stay that do not lose their places; trees tell who may meet where
/// more than `many` are live.
std::vector<std::int64_t> places_left(const Flat& flat, std::int64_t capacity,
                                      std::size_t many) {
  const Options options;
  snug::Stats stats;
  snug::detail::Call call(options, stats);
  Replanner replanner(flat, capacity, call);
  snug::detail::LiveSlabs slabs = replanner.live_slabs();
  using snug::detail::Index;
  using snug::detail::List;
  replanner.drop_met(call.interrupt(), [&](Index k, const List<Index>& live) {
    return slabs.may_meet(k, live, many, {});
  });
  return vector_of(replanner.offsets());
}

/// Where buffers are kept, and where they are fixed anyway.
std::vector<std::int64_t> kept(const Problem<>& problem, std::int64_t capacity,
                               std::size_t free) {
  REQUIRE(snug::check(problem).ok());
  const Flat flat = snug::detail::flatten(problem);
  std::vector<std::int64_t> offsets = places_left(flat, capacity, 0);
  CHECK(std::count(offsets.begin(), offsets.end(), kNone) ==
        static_cast<std::ptrdiff_t>(free));
  return offsets;
}

using Offsets = std::vector<std::int64_t>;

/// Eight buffers live together, of size 2, with hints on top of each other.
Problem<> stack_of_eight() {
  Problem<> problem;
  for (std::int64_t k = 0; k < 8; ++k) {
    problem.buffers.push_back({{0, 4}, 2});
    problem.buffers.back().hint = 2 * k;
  }
  return problem;
}

/// Asks for the relations of a body by themselves.
struct Related : snug::detail::HintedBodies {
  using HintedBodies::HintedBodies;
  std::size_t count(snug::detail::Index b) { return related(b).size(); }
};

}  // namespace

TEST_CASE("replan: who may stay", "[replan]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 3}, {{1, 3}, 4}, {{5, 6}, 1}};
  problem.buffers[0].hint = 11;
  problem.buffers[1].hint = 2;
  problem.buffers[2].hint = 5;
  SECTION("those that leave each other alone") {
    CHECK(kept(problem, 14, 1) == Offsets{11, 2, 5, kNone});
  }
  SECTION("none above the capacity") {
    CHECK(kept(problem, 13, 2) == Offsets{kNone, 2, 5, kNone});
  }
  SECTION("none below the base, or at no multiple of the alignment") {
    problem.base = 3;
    problem.buffers[2].alignment = 4;
    CHECK(kept(problem, 14, 3) == Offsets{11, kNone, kNone, kNone});
  }
  SECTION("of two that meet, the first") {
    problem.buffers[2].hint = 9;
    CHECK(kept(problem, 14, 2) == Offsets{11, 2, kNone, kNone});
  }
  SECTION("but not the first where the other is fixed") {
    problem.buffers[2].offset = 9;
    problem.buffers[2].hint.reset();
    CHECK(kept(problem, 14, 2) == Offsets{kNone, 2, 9, kNone});
  }
  SECTION("none in reserved bytes, for as long as they are") {
    problem.reserved = {{{12, 13}, {{2, 7}}}, {{4, 6}, {{1, 2}}}};
    CHECK(kept(problem, 14, 3) == Offsets{11, kNone, kNone, kNone});
  }
  SECTION("where gaps and pairs let them meet") {
    problem.buffers[1].hint = 10;
    problem.may_overlap = {{0, 1}};
    CHECK(kept(problem, 14, 1) == Offsets{11, 10, 5, kNone});
    problem.may_overlap.clear();
    problem.buffers[1].gaps = {{{0, 2}, {{0, 1}}}};
    CHECK(kept(problem, 14, 1) == Offsets{11, 10, 5, kNone});
  }
  SECTION("not kept apart ones that meet in space alone") {
    problem.buffers[3].hint = 12;
    CHECK(kept(problem, 14, 0) == Offsets{11, 2, 5, 12});
    problem.apart = {{0, 3}};
    CHECK(kept(problem, 14, 1) == Offsets{11, 2, 5, kNone});
  }
  SECTION("of one body the first hint counts") {
    problem.aliases = {{1, 0, 3}};
    problem.buffers[0].hint.reset();
    problem.buffers[1].hint = 12;
    CHECK(kept(problem, 15, 1) == Offsets{9, 12, 5, kNone});
    problem.buffers[0].hint = 11;
    CHECK(kept(problem, 20, 1) == Offsets{11, 14, 5, kNone});
  }
  SECTION("no bottom above a top") {
    problem.buffers[0].end = End::kBottom;
    problem.buffers[2].end = End::kTop;
    CHECK(kept(problem, 14, 2) == Offsets{11, 2, kNone, kNone});
    problem.buffers[0].end = End::kTop;
    problem.buffers[2].end = End::kBottom;
    CHECK(kept(problem, 14, 1) == Offsets{11, 2, 5, kNone});
  }
}

TEST_CASE("replan: all at their hints, without a node", "[replan]") {
  Problem<> problem = stack_of_eight();
  Offsets expected;
  for (const auto& buffer : problem.buffers) expected.push_back(*buffer.hint);
  SECTION("plain") {}
  SECTION("with a top") {
    problem.buffers[7].end = End::kTop;
  }
  SECTION("with a pair") {
    problem.may_overlap = {{0, 7}};
  }
  SECTION("with an empty buffer that has none") {
    problem.buffers.push_back({{0, 1}, 0, 8});
    expected.push_back(0);
  }
  const Result<> result = snug::solve(problem, 40);
  REQUIRE(is_solved(result));
  CHECK(result.offsets == expected);
  CHECK(result.moved.empty());
  CHECK(result.stats.nodes == 0);
  CHECK(snug::validate(problem, 40, result.offsets).ok());
}

TEST_CASE("replan: one that meets another is placed around the others",
          "[replan]") {
  Problem<> problem = stack_of_eight();
  problem.buffers[3].hint = 1;
  for (const bool with_top : {false, true}) {
    if (with_top) problem.buffers[7].end = End::kTop;
    CAPTURE(with_top);
    const Result<> result = snug::solve(problem, 16);
    REQUIRE(is_solved(result));
    REQUIRE(snug::validate(problem, 16, result.offsets).ok());
    CHECK(result.offsets == Offsets{0, 2, 4, 6, 8, 10, 12, 14});
    CHECK(result.moved == std::vector<std::size_t>{3});
  }
}

TEST_CASE("replan: where the kept ones leave no room, neighbours are freed",
          "[replan]") {
  // A new buffer of 4 needs two holes of 2 that are not next to each other.
  Problem<> problem;
  for (std::int64_t k = 0; k < 20; ++k) {
    problem.buffers.push_back({{10 * (k / 5), 10 * (k / 5) + 10}, 2});
    problem.buffers.back().hint = 4 * (k % 5) + (k % 5 > 2 ? -2 : 0);
  }
  problem.buffers.push_back({{0, 10}, 6});
  for (std::size_t k : {0U, 1U, 2U, 3U, 4U}) {
    const Offsets hints = {0, 3, 6, 9, 12};
    problem.buffers[k].hint = hints[k];
  }
  const Result<> result = snug::solve(problem, 16);
  REQUIRE(is_solved(result));
  REQUIRE(snug::validate(problem, 16, result.offsets).ok());
  for (std::size_t k = 5; k < 20; ++k)
    CHECK(result.offsets[k] == *problem.buffers[k].hint);
}

TEST_CASE("replan: most buffers stay where a similar problem had them",
          "[replan]") {
  std::size_t stay = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Problem<> problem = middle_walk<>(seed);
    const Result<> before = snug::minimize(problem);
    REQUIRE(is_solved(before));
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      problem.buffers[i].hint = before.offsets[i];
    // One grows, and there is a little more room.
    auto& changed = problem.buffers[random.between(std::size_t{0},
                                                   problem.buffers.size() - 1)];
    changed.size += 1;
    const std::int64_t capacity = before.height + 2;
    const Result<> after = snug::solve(problem, capacity);
    CAPTURE(seed);
    Problem<> bare = problem;
    for (auto& buffer : bare.buffers) buffer.hint.reset();
    REQUIRE(is_placed(after.status) ==
            is_placed(snug::solve(bare, capacity).status));
    if (!is_solved(after)) continue;
    REQUIRE(snug::validate(problem, capacity, after.offsets).ok());
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      if (after.offsets[i] != before.offsets[i]) moved.push_back(i);
    REQUIRE(after.moved == moved);
    stay += problem.buffers.size() - moved.size();
    all += problem.buffers.size();
  }
  CAPTURE(all);
  CHECK(stay > all * 2 / 3);
}

TEST_CASE("replan: the nearest are freed first", "[replan]") {
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    constexpr std::int64_t kCapacity = 10000;
    const auto cut = snug::benchmarks::guillotine<>(100, kCapacity, 80, seed);
    Problem<> problem = cut.problem;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      problem.buffers[i].hint = cut.offsets[i] + (i % 10 == 3 ? 1 : 0);
    const Result<> result = snug::solve(problem, kCapacity);
    CAPTURE(seed);
    REQUIRE(is_solved(result));
    REQUIRE(snug::validate(problem, kCapacity, result.offsets).ok());
    moved += result.moved.size();
  }
  // Eight have to, each time.
  CHECK(moved < 8 * 30);
}

TEST_CASE("replan: who is the nearest", "[replan]") {
  using snug::detail::free_nearest;
  //  40 +-----+-----+
  //     |  4  |  5  |   0 has no place, and would be at 10
  //  30 +-----+-----+
  //     |     3     |
  //  20 +-----+-----+
  //     |     |  2  |
  //  10 +-----+-----+
  //     |     1     |
  //   0 +-----+-----+
  Problem<> problem;
  problem.buffers = {{{0, 5}, 10}, {{0, 9}, 10}, {{5, 9}, 10},
                     {{0, 9}, 10}, {{0, 5}, 10}, {{5, 9}, 10}};
  const std::int64_t at[] = {10, 0, 10, 20, 30, 30};
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    problem.buffers[i].hint = at[i];
  const Flat flat = snug::detail::flatten(problem);
  Flat pinned = flat;
  pinned.fixed = flat.hints;
  pinned.fixed[0] = kNone;
  const auto freed = [&](const Flat& of, std::size_t most) {
    Flat wider = pinned;
    (void)free_nearest(of, most, 42, wider.fixed);
    return vector_of(wider.fixed);
  };
  CHECK(freed(flat, 1) == Offsets{kNone, kNone, 10, 20, 30, 30});
  CHECK(freed(flat, 2) == Offsets{kNone, kNone, 10, kNone, 30, 30});
  CHECK(freed(flat, 16) == Offsets{kNone, kNone, 10, kNone, kNone, 30});
  // With one that is tied to it; and not what is fixed.
  Flat tied = flat;
  for (snug::detail::Index i = 0; i < 6; ++i) tied.root.push_back(i);
  tied.root[2] = 1;
  CHECK(freed(tied, 1) == Offsets{kNone, kNone, kNone, 20, 30, 30});
  tied.root[2] = 2;
  tied.root[3] = 2;
  CHECK(freed(tied, 2) == Offsets{kNone, kNone, kNone, kNone, 30, 30});
  Flat fixed = flat;
  fixed.fixed.assign(6, kNone);
  fixed.fixed[1] = 0;
  CHECK(freed(fixed, 1) == Offsets{kNone, 0, 10, kNone, 30, 30});
  // Without a hint, those near the capacity are.
  Flat added = flat;
  added.hints[0] = kNone;
  CHECK(freed(added, 1) == Offsets{kNone, 0, 10, 20, kNone, 30});
  CHECK(freed(added, 2) == Offsets{kNone, 0, 10, kNone, kNone, 30});
}

TEST_CASE("replan: to look for the nearest of many can be interrupted",
          "[replan]") {
  using snug::detail::free_nearest;
  Problem<> problem;
  for (std::int64_t k = 0; k < 1000; ++k) {
    problem.buffers.push_back({{k, k + 2}, 8});
    problem.buffers.back().hint = 0;
  }
  const Flat flat = snug::detail::flatten(problem);
  // One in four has no place, and those beside it do.
  List<std::int64_t> offsets(flat.buffers.size(), 0);
  for (std::size_t i = 1; i < offsets.size(); i += 4) offsets[i] = kNone;
  List<std::int64_t> all = offsets;
  CHECK(free_nearest(flat, 8, 64, all) == 500);
  std::size_t asked = 0;
  const auto ask = [&] { return ++asked == 2; };
  const std::size_t freed = free_nearest(flat, 8, 64, offsets, ask);
  CHECK(asked == 2);
  CHECK(freed > 0);
  CHECK(freed < 100);
}

TEST_CASE("replan: trees and a look at all let the same ones stay",
          "[replan]") {
  std::size_t stays = 0;
  std::size_t goes = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2000); ++seed) {
    Random random(seed);
    Problem<> problem =
        draw_constrained(seed, random.between(std::size_t{4}, std::size_t{24}));
    const std::int64_t most = random.chance(50) ? 40 : 200;
    for (auto& buffer : problem.buffers)
      if (random.chance(90))
        buffer.hint = random.between(std::int64_t{0}, most);
    Flat flat = snug::detail::flatten(problem);
    std::int64_t ceiling = 400;
    ceiling = snug::detail::presolve(flat, ceiling);
    if (flat.hints.empty()) continue;
    CAPTURE(seed);
    INFO(as_csv(problem));
    const Offsets offsets = places_left(flat, ceiling, flat.buffers.size());
    for (std::size_t many = 0; many < 8; many += 3)
      REQUIRE(offsets == places_left(flat, ceiling, many));
    for (const std::int64_t offset : offsets)
      ++(offset == kNone ? goes : stays);
  }
  CHECK(stays > at_least<std::size_t>(4000));
  CHECK(goes > at_least<std::size_t>(4000));
}

TEST_CASE("replan: hints change no answer, at the height and around it",
          "[replan]") {
  // Hints from a placement, some of them wrong; all constraints.
  std::size_t solved = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(600); ++seed) {
    Random random(seed);
    Problem<> problem = draw_constrained(seed, 9);
    for (auto& buffer : problem.buffers) buffer.hint.reset();
    const Result<> lowest = snug::minimize(problem);
    Problem<> hinted = problem;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      if (lowest.has_solution() && random.chance(90))
        hinted.buffers[i].hint =
            random.chance(90) ? lowest.offsets[i] : random.between(0, 30);
    CAPTURE(seed);
    INFO(as_csv(hinted));
    const Result<> again = snug::minimize(hinted);
    REQUIRE(again.status == lowest.status);
    REQUIRE(again.height == lowest.height);
    REQUIRE(again.lower_bound == lowest.lower_bound);
    if (!lowest.has_solution()) continue;
    REQUIRE(snug::validate(hinted, again.height, again.offsets).ok());
    for (const std::int64_t more : {-1, 0, 1, 4}) {
      const std::int64_t capacity = lowest.height + more;
      if (capacity < 0) continue;
      const Result<> result = snug::solve(hinted, capacity);
      REQUIRE((more < 0 ? result.status == Status::kInfeasible
                        : is_solved(result)));
      ++(more < 0 ? infeasible : solved);
      if (more >= 0)
        REQUIRE(snug::validate(hinted, capacity, result.offsets).ok());
      for (const std::size_t i : result.moved)
        REQUIRE(hinted.buffers[i].hint != result.offsets[i]);
    }
  }
  CHECK(solved > at_least<std::size_t>(1000));
  CHECK(infeasible > at_least<std::size_t>(300));
}

TEST_CASE("replan: to look for relations of many slabs can be interrupted",
          "[replan]") {
  // 200 slabs of one buffer, each of which meets another buffer.
  Problem<> problem;
  problem.buffers.push_back({{0, 400}, 1});
  for (std::int64_t k = 0; k < 200; ++k) {
    problem.buffers[0].gaps.push_back({{2 * k, 2 * k + 1}});
    problem.buffers.push_back({{2 * k, 2 * k + 2}, 1});
    problem.buffers.back().hint = 1;
  }
  const Flat flat = snug::detail::flatten(problem);
  for (const bool is_cancelled : {false, true}) {
    std::atomic<bool> cancel{false};
    Options options;
    options.cancel = &cancel;
    snug::Stats stats;
    snug::detail::Call call(options, stats);
    Related bodies(flat, 2, call);
    REQUIRE_FALSE(call.gave_up());
    cancel = is_cancelled;
    CHECK((bodies.count(0) == 200) != is_cancelled);
    CHECK(call.gave_up() == is_cancelled);
  }
}

}  // namespace replan_test
