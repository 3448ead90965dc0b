// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/dominance.hpp"

#include "support/catch.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dominance_test {

using namespace snug::testing;
using snug::detail::find_pending;
using snug::detail::find_witness;
using snug::detail::Index;

namespace {

/// Whether y may come to lie in or below x's slot.
template <class Units>
bool may_block(const Walker<Units>& walker, Index y, Index x) {
  return walker.neighbours(x, y) && walker.state.is_unplaced(y) &&
         walker.state.release[y] < walker.state.top(x);
}

template <class Units>
bool is_blocked(const Walker<Units>& walker, Index x) {
  for (Index y = 0; y < walker.instance.size; ++y)
    if (may_block(walker, y, x)) return true;
  return false;
}

template <class Units>
void check_witnesses(const Walker<Units>& walker) {
  const auto& state = walker.state;
  std::vector<Index> listed;
  for (Index y = 0; y <= state.nobody(); ++y)
    for (Index x = state.watchers[y]; x != state.nobody();
         x = state.next_watcher[x]) {
      REQUIRE(state.witness[x] == y);
      listed.push_back(x);
    }
  std::sort(listed.begin(), listed.end());
  REQUIRE(listed == walker.unplaced());
  for (const Index x : walker.unplaced()) {
    if (state.witness[x] == state.nobody()) {
      REQUIRE_FALSE(is_blocked(walker, x));
    } else {
      REQUIRE(may_block(walker, state.witness[x], x));
    }
  }
}

}  // namespace

//      +---+---+            0 [0,1) of 3, 1 [0,2) of 2, 2 [1,2) of 4
//      |   1   |
//      +---+---+
//      | 0 | 2 |
//      +---+---+
TEMPLATE_TEST_CASE("dominance: witnesses come and go", "[dominance]",
                   std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 2}, 2}, {{1, 2}, 4}};
  Walker<TestType> walker(problem, 9);
  auto& state = walker.state;
  const Index nobody = state.nobody();
  CHECK(state.witness[0] == 1);
  CHECK(state.witness[1] == 0);
  CHECK(state.witness[2] == 1);
  CHECK(find_pending(state, 0, 3, false) == nobody);

  // With 0 placed, only 2 may still come to lie below 1.
  state.place(0);
  snug::detail::update_witnesses(state, 0);
  CHECK(state.witness[1] == 2);
  CHECK(state.witness[2] == 1);  // 1 is at 3 now, and 2's top is 4.
  CHECK(find_pending(state, 0, 3, false) == nobody);

  // With 1 out of its way, 2 is pending; so it may be placed without harm.
  const std::size_t mark = state.trail.size();
  state.set_release(1, 4);
  snug::detail::update_witnesses(state, mark);
  CHECK(state.witness[2] == nobody);
  CHECK(find_pending(state, 0, 3, false) == 2);
  CHECK(find_pending(state, 0, 2, false) == nobody);
  CHECK(find_pending(state, 0, 3, true) == nobody);

  SECTION("a pending buffer that is skipped has abandoned its slot") {
    const std::size_t skipped = state.trail.size();
    state.skip(2);
    snug::detail::update_witnesses(state, skipped);
    CHECK(state.witness[2] == state.nobody());
    CHECK(find_pending(state, 2, 3, true) == 2);
    CHECK(find_pending(state, 0, 3, false) == nobody);
  }
  SECTION("undoing gives witnesses back") {
    state.undo_to(mark);
    CHECK(state.witness[2] == 1);
    state.undo_to(0);
    CHECK(state.witness[1] == 0);
    check_witnesses(walker);
  }
}

TEST_CASE("dominance: a pending buffer that rises may find a witness",
          "[dominance]") {
  // 0 [0,1) of 2, 1 [0,1) of 1, 2 [0,1) of 9: 0 with both out of its slot,
  // then raised to 5, where 2 is.
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 1}, 1}, {{0, 1}, 9}};
  Walker<std::int32_t> walker(problem, 20);
  auto& state = walker.state;  // By size: 0 of 1, 1 of 2, 2 of 9.
  state.set_release(0, 5);
  state.set_release(2, 5);
  snug::detail::update_witnesses(state, 0);
  CHECK(state.witness[1] == state.nobody());
  const std::size_t mark = state.trail.size();
  state.minimum[0] = 4;
  state.place(0);
  snug::detail::update_witnesses(state, mark);
  CHECK(state.minimum[1] == 5);
  CHECK(state.witness[1] == 2);
  check_witnesses(walker);
}

TEMPLATE_TEST_CASE("dominance: who has a witness is blocked, who has none not",
                   "[dominance]", std::int32_t, std::int64_t) {
  std::size_t pending = 0;
  std::size_t blocked = 0;
  for_each_walker<TestType>(140, 14, [&](auto& walker, auto& random) {
    auto& state = walker.state;
    check_witnesses(walker);
    walker.walk(random, 60, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      check_witnesses(walker);
      const Index from = random.between(Index{0}, state.nobody());
      const Index to = random.between(from, state.nobody());
      for (const bool skipped : {false, true}) {
        std::vector<Index> expected;
        for (const Index x : walker.unplaced())
          if (from <= x && x < to && state.is_skipped(x) == skipped &&
              !is_blocked(walker, x))
            expected.push_back(x);
        const Index found = find_pending(state, from, to, skipped);
        if (expected.empty()) {
          REQUIRE(found == state.nobody());
        } else {
          REQUIRE(std::count(expected.begin(), expected.end(), found) == 1);
        }
      }
      for (const Index x : walker.unplaced()) {
        REQUIRE((find_witness(state, x) == state.nobody()) ==
                !is_blocked(walker, x));
        ++(is_blocked(walker, x) ? blocked : pending);
      }
      return true;
    });
  });
  CHECK(pending > 500);
  CHECK(blocked > 5000);
}

}  // namespace dominance_test
