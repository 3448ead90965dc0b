// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_releases.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_releases_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyReleases;
using snug::detail::BodyState;
using snug::detail::Index;
using snug::detail::kFar;
using snug::detail::Range;

namespace {

constexpr std::int64_t kNever = BodyState::kNever;

/// The lowest offset at which x may be, resting at `support` or above where
/// the lower end of a range is forbidden; by trying them all.
std::int64_t lowest_at(const BodyState& state, Index x, std::int64_t support) {
  for (const Range* range = state.begin(x); range != state.end(x); ++range)
    for (std::int64_t at = range->lower; at <= range->upper;
         at += state.component->steps[x].step)
      if (at == range->lower ? !range->open : at >= support) return at;
  return kNever;
}

/// The releases by their equations: from "never" for those that are skipped,
/// until nothing changes.
std::vector<std::int64_t> by_equations(const BodyWalker& walker) {
  const BodyState& state = walker.state;
  const auto& component = walker.component;
  std::vector<std::int64_t> release(component.size, kNever);
  for (const Index x : walker.unplaced())
    if (!state.begin(x)->open) release[x] = state.begin(x)->lower;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Index x : walker.unplaced()) {
      if (!state.begin(x)->open) continue;
      std::int64_t support = kNever;
      for (const auto& relation : component.relations[x]) {
        if (!state.is_unplaced(relation.body)) continue;
        if (relation.rest <= 0) {
          support = -kFar;
        } else if (release[relation.body] != kNever && relation.rest < kFar) {
          support = (std::min)(support, release[relation.body] + relation.rest);
        }
      }
      const std::int64_t value = lowest_at(state, x, support);
      changed = changed || value != release[x];
      release[x] = value;
    }
  }
  return release;
}

/// 0 [0,1) of 2, 1 [0,2) of 3, 2 [1,2) of 4: 1 meets both.
Problem<> chain() {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 2}, 3}, {{1, 2}, 4}};
  return problem;
}

}  // namespace

TEST_CASE("body releases: the lowest offset above a support",
          "[body_releases]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2, 4}, {{0, 1}, 2}, {{0, 1}, 1}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 30);
  BodyState& state = walker.state;
  Index x = 0;
  while (components[0].body[x] != 0) ++x;
  const auto lowest = [&](std::int64_t support) {
    return BodyReleases::lowest(state, x, support);
  };
  CHECK(lowest(kNever) == 0);  // Its lower end is free.
  state.skip(x);
  CHECK(lowest(-kFar) == 4);
  CHECK(lowest(4) == 4);
  CHECK(lowest(5) == 8);
  CHECK(lowest(28) == 28);
  CHECK(lowest(29) == kNever);
  // A later range is free at its lower end, whatever the support.
  REQUIRE(state.place(x == 0 ? 1 : 0, 12) == state.nobody());
  CHECK(state.end(x) - state.begin(x) == 2);
  CHECK(lowest(9) == 16);
  CHECK(lowest(kNever) == 16);
  CHECK(lowest(6) == 8);
  state.skip(x);
  CHECK(lowest(9) == 20);
  CHECK(lowest(kNever) == kNever);
}

//      +---+---+
//      | 0 |   |
//      +---+ 1 +---+
//          |   | 2 |
//          +---+---+
TEST_CASE("body releases: what holds a skipped body up", "[body_releases]") {
  const auto bodies = bodies_of(chain());
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  BodyWalker walker(components[0], 9);
  BodyState& state = walker.state;
  const auto update = [&] {
    return walker.releases.update(state, walker.all());
  };
  CHECK(update() == state.nobody());
  state.skip(0);
  CHECK(update() == state.nobody());
  CHECK(state.release[0] == 3);
  SECTION("a chain: 2 holds 1, which holds 0") {
    state.skip(1);
    CHECK(update() == state.nobody());
    CHECK(state.release[1] == 4);
    CHECK(state.release[0] == 7);
    state.skip(2);
    const Index unheld = update();
    REQUIRE(unheld != state.nobody());
    CHECK(state.candidate(unheld) == kNever);
  }
  SECTION("a body above the capacity holds nobody") {
    state.skip(1);
    state.skip(2);
    CHECK(update() != state.nobody());
  }
  SECTION("without an unplaced neighbour nothing holds it up") {
    REQUIRE(state.place(1, 4) == state.nobody());
    CHECK(update() == state.nobody());
    CHECK(state.release[0] == 7);  // The lower end of what is above 1.
    state.skip(0);
    CHECK(update() == 0);
  }
  SECTION("a part that is not asked for stays as it is") {
    const std::size_t mark = state.trail.size();
    state.skip(1);
    const std::vector<snug::detail::Word> nothing(components[0].words(), 0);
    CHECK(walker.releases.update(state, nothing.data()) == state.nobody());
    CHECK(state.release[1] == 0);
    CHECK(state.trail.size() == mark + 1);
  }
  SECTION("undone with the move") {
    state.undo_to(0);
    CHECK(state.release[0] == 0);
  }
}

TEST_CASE("body releases: the bottom does not rest on the top",
          "[body_releases]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 1}, 3}};
  problem.buffers[0].end = snug::End::kBottom;
  problem.buffers[1].end = snug::End::kTop;
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 9);
  walker.state.skip(0);
  CHECK(walker.releases.update(walker.state, walker.all()) == 0);
  walker.state.undo_to(0);
  walker.state.skip(1);
  CHECK(walker.releases.update(walker.state, walker.all()) ==
        walker.state.nobody());
  CHECK(walker.state.release[1] == 2);
}

TEST_CASE("body releases: a window that reaches lower may offer anything",
          "[body_releases]") {
  // 0 of 8 occupies [6, 8) with 1; so 0 rests on 1 although it begins lower.
  Problem<> problem;
  problem.buffers = {{{0, 1}, 8}, {{0, 1}, 2}, {{0, 1}, 2}};
  problem.buffers[0].gaps = {{{0, 1}, snug::Interval<std::int64_t>{6, 8}}};
  const auto bodies = bodies_of(problem);
  REQUIRE(bodies.unit == 2);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 8);
  walker.state.skip(0);
  CHECK(walker.releases.update(walker.state, walker.all()) ==
        walker.state.nobody());
  CHECK(walker.state.release[0] == 1);
}

TEST_CASE("body releases: agree with the equations they solve",
          "[body_releases]") {
  std::size_t unheld_seen = 0;
  std::size_t raised = 0;
  std::size_t in_later_ranges = 0;
  for_each_body_walker(500, 10, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    walker.walk(random, 40, [&](const BodyWalker::Move& move) {
      if (move.stuck) return false;
      const Index unheld = walker.releases.update(state, walker.all());
      const std::vector<std::int64_t> expected = by_equations(walker);
      if (unheld != state.nobody()) {
        REQUIRE(state.is_unplaced(unheld));
        REQUIRE(expected[unheld] == kNever);
        ++unheld_seen;
        return false;
      }
      for (const Index x : walker.unplaced()) {
        REQUIRE(state.release[x] == expected[x]);
        if (!state.is_skipped(x)) continue;
        ++raised;
        if (expected[x] > state.begin(x)->upper) ++in_later_ranges;
      }
      return true;
    });
  });
  CHECK(unheld_seen > 100);
  CHECK(raised > 500);
  CHECK(in_later_ranges > 50);
}

TEST_CASE("body releases: are below every settled placement",
          "[body_releases]") {
  std::size_t compared = 0;
  std::size_t exact = 0;
  for_each_body_walker(500, 5, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    if (state.capacity > 16) return;
    const auto settled = Placements(walker.component, state.capacity).settled();
    walker.walk(random, 25, [&](const BodyWalker::Move& move) {
      const bool stands =
          !move.stuck &&
          walker.releases.update(state, walker.all()) == state.nobody();
      std::vector<std::int64_t> least(walker.component.size, kNever);
      for (const auto& offsets : settled) {
        if (!walker.admits(offsets)) continue;
        REQUIRE(stands);
        for (const Index x : walker.unplaced()) {
          REQUIRE(state.release[x] <= offsets[x]);
          least[x] = (std::min)(least[x], offsets[x]);
          ++compared;
        }
      }
      if (!stands) return false;
      for (const Index x : walker.unplaced())
        if (least[x] == state.release[x] && state.is_skipped(x)) ++exact;
      return true;
    });
  });
  CHECK(compared > 5000);
  CHECK(exact > 100);
}

}  // namespace body_releases_test
