// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_dominance.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_dominance_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyState;
using snug::detail::Index;
using snug::detail::Word;

namespace {

/// Whether an unplaced body may still come to be in the way of x at the lower
/// end of its domain: some offset from its release on meets x there. Only
/// distances matter, so some that are far enough are enough.
bool is_blocked(const BodyWalker& walker, Index x) {
  const BodyState& state = walker.state;
  const std::int64_t at = state.begin(x)->lower;
  for (const Index y : walker.unplaced()) {
    if (x == y) continue;
    for (std::int64_t more = 0; more <= 60; ++more)
      if (!may_be_at(walker.component, x, at, y, state.release[y] + more))
        return true;
  }
  return false;
}

}  // namespace

//      +---+---+            0 [0,1) of 3, 1 [0,2) of 2, 2 [1,2) of 4
//      |   1   |
//      +---+---+
//      | 0 | 2 |
//      +---+---+
TEST_CASE("body dominance: who cannot be in the way any more",
          "[body_dominance]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 2}, 2}, {{1, 2}, 4}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 9);
  BodyState& state = walker.state;
  const Index nobody = state.nobody();
  const auto pending = [&](bool skipped) {
    return walker.dominance.find_pending(state, walker.all(), skipped);
  };
  CHECK(pending(false) == nobody);
  CHECK(pending(true) == nobody);
  REQUIRE(state.place(0, 0) == nobody);
  CHECK(pending(false) == nobody);  // 2 may lie below 1, and 1 below 2.
  state.set_release(1, 4);
  CHECK(pending(false) == 2);
  CHECK(pending(true) == nobody);
  SECTION("only in the set that is asked for") {
    const std::vector<Word> others = {Word{3}};
    CHECK(walker.dominance.find_pending(state, others.data(), false) == nobody);
  }
  SECTION("an abandoned slot") {
    state.skip(2);
    CHECK(pending(true) == 2);
    CHECK(pending(false) == nobody);
  }
  SECTION("undoing gives witnesses back") {
    state.undo_to(0);
    CHECK(pending(false) == nobody);
  }
  SECTION("a placed body is in nobody's way") {
    state.undo_to(0);
    REQUIRE(state.place(1, 0) == nobody);
    CHECK(pending(false) == 0);
  }
}

TEST_CASE("body dominance: a body without relations is pending",
          "[body_dominance]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 9);
  CHECK(walker.dominance.find_pending(walker.state, walker.all(), false) == 0);
}

TEST_CASE("body dominance: pending is who nobody blocks", "[body_dominance]") {
  std::size_t pending = 0;
  std::size_t blocked = 0;
  std::size_t abandoned = 0;
  for_each_body_walker(effort(500U), 10, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    walker.walk(random, 40, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      for (const bool skipped : {false, true}) {
        // One after the other, until none is left.
        std::vector<Word> set(walker.all(),
                              walker.all() + walker.component.words());
        for (;;) {
          const Index found =
              walker.dominance.find_pending(state, set.data(), skipped);
          if (found == state.nobody()) break;
          REQUIRE(state.is_unplaced(found));
          REQUIRE(state.is_skipped(found) == skipped);
          REQUIRE_FALSE(is_blocked(walker, found));
          ++(skipped ? abandoned : pending);
          snug::detail::clear_bit(set.data(), found);
        }
        for (const Index x : walker.unplaced())
          if (state.is_skipped(x) == skipped &&
              snug::detail::has_bit(set.data(), x)) {
            REQUIRE(is_blocked(walker, x));
            ++blocked;
          }
      }
      return true;
    });
  });
  CHECK(pending > at_least(500U));
  CHECK(abandoned > at_least(200U));
  CHECK(blocked > at_least(5000U));
}

TEST_CASE("body dominance: agrees with every settled placement",
          "[body_dominance]") {
  std::size_t forced = 0;
  std::size_t abandoned_seen = 0;
  for_each_body_walker(500, 5, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    if (state.capacity > 16) return;
    const auto settled = Placements(walker.component, state.capacity).settled();
    walker.walk(random, 25, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      const Index pending =
          walker.dominance.find_pending(state, walker.all(), false);
      const Index abandoned =
          walker.dominance.find_pending(state, walker.all(), true);
      for (const auto& offsets : settled) {
        if (!walker.admits(offsets)) continue;
        REQUIRE(abandoned == state.nobody());
        if (pending == state.nobody()) continue;
        REQUIRE(offsets[pending] == state.begin(pending)->lower);
        ++forced;
      }
      if (abandoned != state.nobody()) ++abandoned_seen;
      return true;
    });
  });
  CHECK(forced > 1000);
  CHECK(abandoned_seen > 100);
}

}  // namespace body_dominance_test
