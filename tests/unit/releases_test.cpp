// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/releases.hpp"

#include "support/catch.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace releases_test {

using namespace snug::testing;
using snug::detail::Index;

namespace {

/// The releases of all buffers by their equations: starts from "never" for
/// those that are skipped and repeats them until nothing changes.
template <class Units>
std::vector<Units> by_equations(const Walker<Units>& walker) {
  constexpr Units kNever = Walker<Units>::kNever;
  const auto& state = walker.state;
  std::vector<Units> release(walker.instance.size, kNever);
  std::vector<Index> skipped;
  for (const Index x : walker.unplaced()) {
    if (state.is_skipped(x)) {
      skipped.push_back(x);
    } else {
      release[x] = state.minimum[x];
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Index x : skipped) {
      Units lowest = kNever;
      for (const Index y : walker.unplaced_neighbours(x))
        if (release[y] != kNever)
          lowest = (std::min)(
              lowest, walker.instance.round_up(
                          x, static_cast<Units>(release[y] +
                                                walker.instance.length[y])));
      changed = changed || lowest != release[x];
      release[x] = lowest;
    }
  }
  return release;
}

template <class Units>
std::vector<Units> releases_of(const Walker<Units>& walker) {
  return {walker.state.release, walker.state.release + walker.instance.size};
}

}  // namespace

//      +---+---+            0 [0,1) of 2, 1 [0,2) of 3, 2 [1,2) of 4;
//      | 0 |   |            0 meets 1 alone, and so does 2
//      +---+ 1 +---+
//          |   | 2 |
//          +---+---+
TEMPLATE_TEST_CASE("releases: what holds a skipped buffer up", "[releases]",
                   std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 2}, 3}, {{1, 2}, 4}};
  Walker<TestType> walker(problem, 9);
  auto& state = walker.state;
  const auto update = [&] { return walker.releases.update(state, 0, 3); };
  CHECK(update() == state.nobody());

  state.skip(0);
  CHECK(update() == state.nobody());
  CHECK(state.release[0] == 3);
  CHECK(state.support[0] == 1);

  SECTION("a chain: 2 holds 1, which holds 0") {
    state.skip(1);
    CHECK(update() == state.nobody());
    CHECK(state.release[1] == 4);
    CHECK(state.release[0] == 7);
    SECTION("skipping the last support leaves everybody in the air") {
      state.skip(2);
      const Index unheld = update();
      REQUIRE(unheld != state.nobody());
      CHECK(state.release[unheld] == Walker<TestType>::kNever);
    }
    SECTION("a placed support raises instead") {
      state.place(2);
      CHECK_FALSE(state.is_skipped(1));
      CHECK(state.minimum[1] == 4);
      CHECK(update() == state.nobody());
      CHECK(state.release[0] == 7);
      CHECK(state.is_skipped(0));
    }
  }
  SECTION("without an unplaced neighbour nothing holds it up") {
    state.place(1);
    CHECK_FALSE(state.is_skipped(0));
    state.skip(0);
    CHECK(update() == 0);
  }
}

TEST_CASE("releases: are rounded up to the alignment", "[releases]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 1}, 3}};
  problem.buffers[0].alignment = 4;
  Walker<std::int32_t> walker(problem, 9);
  walker.state.skip(0);
  CHECK(walker.releases.update(walker.state, 0, 2) == 2);
  CHECK(walker.state.release[0] == 4);
  // Its support is where it was, so it is not computed anew.
  const std::size_t mark = walker.state.trail.size();
  CHECK(walker.releases.update(walker.state, 0, 2) == 2);
  CHECK(walker.state.trail.size() == mark);
}

TEST_CASE("releases: only those of the part are brought up to date",
          "[releases]") {
  // Two groups that do not meet, linked by buffer 64 that has been placed.
  snug::Problem<> problem;
  for (int k = 0; k < 64; ++k) problem.buffers.push_back({{0, 1}, 1});
  problem.buffers.push_back({{0, 9}, 1});
  for (int k = 0; k < 64; ++k) problem.buffers.push_back({{8, 9}, 1});
  Walker<std::int32_t> walker(problem, 100);
  auto& state = walker.state;
  state.place(64);
  state.skip(0);
  state.skip(128);
  CHECK(walker.releases.update(state, 0, 64) == state.nobody());
  CHECK(state.release[0] == 2);
  CHECK(state.release[128] == Walker<std::int32_t>::kNever);
  CHECK(walker.releases.update(state, 65, 129) == state.nobody());
  CHECK(state.release[128] == 2);
}

TEMPLATE_TEST_CASE("releases: agree with the equations they solve",
                   "[releases]", std::int32_t, std::int64_t) {
  std::size_t unheld_seen = 0;
  std::size_t chains = 0;
  for_each_walker<TestType>(200, 12, [&](auto& walker, auto& random) {
    auto& state = walker.state;
    walker.walk(random, 60, [&](const auto&) {
      const Index unheld =
          walker.releases.update(state, 0, walker.instance.size);
      const std::vector<TestType> expected = by_equations(walker);
      if (unheld != state.nobody()) {
        REQUIRE(state.is_unplaced(unheld));
        REQUIRE(expected[unheld] == Walker<TestType>::kNever);
        ++unheld_seen;
        return false;
      }
      REQUIRE(releases_of(walker) == expected);
      for (const Index x : walker.unplaced()) {
        if (!state.is_skipped(x)) continue;
        REQUIRE(expected[x] != Walker<TestType>::kNever);
        const Index y = state.support[x];
        REQUIRE(walker.neighbours(x, y));
        REQUIRE(state.is_unplaced(y));
        REQUIRE(walker.instance.round_up(
                    x, static_cast<TestType>(state.release[y] +
                                             walker.instance.length[y])) ==
                state.release[x]);
        if (state.is_skipped(y)) ++chains;
      }
      return true;
    });
  });
  CHECK(unheld_seen > 80);
  CHECK(chains > 300);
}

TEST_CASE("releases: only rise down a branch", "[releases]") {
  std::size_t moves = 0;
  for_each_walker<std::int32_t>(100, 12, [&](auto& walker, auto& random) {
    std::vector<std::int32_t> before = releases_of(walker);
    while (!walker.candidates().empty()) {
      if (!walker.propagate(walker.move(random))) break;
      const std::vector<std::int32_t> after = releases_of(walker);
      for (Index x = 0; x < walker.instance.size; ++x)
        REQUIRE(after[x] >= before[x]);
      before = after;
      ++moves;
    }
  });
  CHECK(moves > 100);
}

}  // namespace releases_test
