// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/section_bound.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace section_bound_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Overflow;

namespace {

/// t + sum of the sizes released at t or later in section s, less C.
template <class Units>
std::int64_t excess(const Walker<Units>& walker, Index s, Units t) {
  std::int64_t sum = t;
  for (const Index y : walker.unplaced())
    if (walker.instance.lower[y] <= s && s < walker.instance.upper[y] &&
        walker.state.release[y] >= t)
      sum += walker.instance.length[y];
  return sum - walker.instance.capacity;
}

/// The releases of the unplaced buffers of a section.
template <class Units>
std::vector<Units> thresholds(const Walker<Units>& walker, Index s) {
  std::vector<Units> result;
  for (const Index y : walker.unplaced())
    if (walker.instance.lower[y] <= s && s < walker.instance.upper[y])
      result.push_back(walker.state.release[y]);
  return result;
}

/// The bound by its definition: (*) for all releases of all sections.
template <class Units>
bool holds(const Walker<Units>& walker) {
  for (Index s = 0; s < walker.instance.sections; ++s)
    for (const Units t : thresholds(walker, s))
      if (excess(walker, s, t) > 0) return false;
  return true;
}

/// No section is closer to an overflow than its spare says.
template <class Units>
void check_spare(const Walker<Units>& walker) {
  for (Index s = 0; s < walker.instance.sections; ++s) {
    REQUIRE(walker.state.spare[s] >= 0);
    for (const Units t : thresholds(walker, s))
      REQUIRE(-excess(walker, s, t) >= walker.state.spare[s]);
  }
}

template <class Units>
Overflow<Units> check(Walker<Units>& walker,
                      const typename Walker<Units>::Move& move) {
  const Index placed = move.placed ? move.buffer : walker.state.nobody();
  return walker.bound.check(walker.state, move.mark, placed, 0,
                            walker.instance.size);
}

}  // namespace

//        11 +-------+     0 and 1 of 3, 2 of 4, all live together below 10.
//      C 10 |   1   |     With 0 and 1 released at 5 the byte [4, 5) is lost,
//         8 +-------+     and 5 + 3 + 3 = 11 does not fit.
//         5 |   0   |
//         4 |.......|
//           |   2   |
//         0 +-------+
TEMPLATE_TEST_CASE("section bound: lost bytes do not come back",
                   "[section_bound]", std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 3}, {{0, 1}, 3}};
  Walker<TestType> walker(problem, 10);
  auto& state = walker.state;
  // By size: 0 and 1 are those of 3.
  const auto check_all = [&] {
    return walker.bound.check(state, 0, state.nobody(), 0, 3);
  };
  CHECK(check_all().excess == 0);
  for (const Index x : {0U, 1U}) state.set_release(x, 4);
  CHECK(check_all().excess == 0);
  CHECK(state.spare[0] == 0);

  state.undo_to(0);
  CHECK(state.spare[0] == 0);  // Nothing to spare at the root either.
  for (const Index x : {0U, 1U}) state.set_release(x, 5);
  const Overflow<TestType> overflow = check_all();
  CHECK(overflow.section == 0);
  CHECK(overflow.threshold == 5);
  CHECK(overflow.excess == 1);

  state.undo_to(0);
  state.set_release(0, 8);
  CHECK(check_all().excess == 1);
  CHECK(check_all().threshold == 8);
}

//      0   1   2
//      +---+---+      0 spans both sections, 1 the first, 2 the second.
//      | 1 |   |      Placing 0 pays for raising 1 and 2 to its top.
//      +---+ 2 |
//      +---+---+
//      |   0   |
//      +---+---+
TEST_CASE("section bound: a placement pays for what it raises in its span",
          "[section_bound]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 5}, {{0, 1}, 2}, {{1, 2}, 3}};
  Walker<std::int32_t> walker(problem, 8);
  auto& state = walker.state;
  state.place(1);
  CHECK(walker.bound.check(state, 0, 1, 0, 3).excess == 0);
  CHECK(state.spare[0] == 1);
  CHECK(state.spare[1] == 0);
}

//      0   1   2
//          +---+      1 spans both, 2 of 6 the second. Raising 1 to 4 costs
//      +---| 2 |      the second section 4 bytes, of which it has 2.
//      | 0 +---+
//      +---+---+
//      |   1   |
//      +---+---+
TEST_CASE("section bound: but not beyond it", "[section_bound]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 2}, 2}, {{1, 2}, 6}};
  Walker<std::int32_t> walker(problem, 10);
  auto& state = walker.state;
  CHECK(state.spare[0] == 4);
  CHECK(state.spare[1] == 2);
  const auto place_first = [&] {
    state.place(0);
    return walker.bound.check(state, 0, 0, 0, 3);
  };
  SECTION("the reach of the lower ones covers it") {
    // 2 can lie below 1: reach(4) = 2 + 6.
    CHECK(place_first().excess == 0);
    CHECK(state.spare[1] == 2);
  }
  SECTION("unless they are raised as well") {
    state.set_release(2, 3);
    const auto overflow = place_first();
    CHECK(overflow.section == 1);
    CHECK(overflow.threshold == 3);
    CHECK(overflow.excess == 1);
  }
}

TEMPLATE_TEST_CASE("section bound: finds an overflow exactly when there is one",
                   "[section_bound]", std::int32_t, std::int64_t) {
  std::size_t overflows = 0;
  std::size_t passes = 0;
  for_each_walker<TestType>(effort(140U), 14, [&](auto& walker, auto& random) {
    auto& state = walker.state;
    REQUIRE(holds(walker));
    check_spare(walker);
    walker.walk(random, 60, [&](const auto& move) {
      if (walker.releases.update(state, 0, walker.instance.size) !=
          state.nobody())
        return false;
      const Overflow<TestType> overflow = check(walker, move);
      REQUIRE((overflow.excess == 0) == holds(walker));
      if (overflow.excess > 0) {
        REQUIRE(overflow.section < walker.instance.sections);
        REQUIRE(excess(walker, overflow.section, overflow.threshold) ==
                overflow.excess);
        ++overflows;
        return false;
      }
      ++passes;
      check_spare(walker);
      snug::detail::update_witnesses(state, move.mark);
      return true;
    });
  });
  CHECK(overflows > at_least(200U));
  CHECK(passes > at_least(1500U));
}

TEST_CASE("section bound: a part is checked for itself", "[section_bound]") {
  // Two groups that touch; the second begins with buffer 3.
  snug::Problem<> problem;
  problem.buffers = {
      {{0, 1}, 4}, {{0, 1}, 3}, {{0, 2}, 1}, {{1, 2}, 4}, {{1, 2}, 3}};
  Walker<std::int32_t> walker(problem, 8);
  auto& state = walker.state;
  state.place(2);  // By span and size: the one that crosses.
  REQUIRE(walker.bound.check(state, 0, 2, 0, 5).excess == 0);
  const std::size_t mark = state.trail.size();
  state.set_release(4, 5);
  CHECK(walker.bound.check(state, mark, state.nobody(), 3, 5).excess == 1);
  state.undo_to(mark);
  state.set_release(4, 4);
  CHECK(walker.bound.check(state, mark, state.nobody(), 3, 5).excess == 0);
  CHECK(state.spare[0] == 0);
  CHECK(state.spare[1] == 0);
}

TEST_CASE("section bound: many small rises use up the spare",
          "[section_bound]") {
  // Two buffers of 10 below 60, one of them raised step by step: it fits up
  // to 50, whatever the spare said at first.
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 10}, {{0, 1}, 11}};
  Walker<std::int32_t> walker(problem, 60);
  auto& state = walker.state;
  CHECK(state.spare[0] == 39);
  for (std::int32_t release = 1; release <= 50; ++release) {
    const std::size_t mark = state.trail.size();
    state.set_release(0, release);
    REQUIRE(walker.bound.check(state, mark, state.nobody(), 0, 2).excess == 0);
    check_spare(walker);
  }
  const std::size_t mark = state.trail.size();
  state.set_release(0, 51);
  CHECK(walker.bound.check(state, mark, state.nobody(), 0, 2).excess == 1);
  state.undo_to(0);
  CHECK(state.spare[0] == 39);
}

TEMPLATE_TEST_CASE("find too high: a changed buffer whose top is out of reach",
                   "[section_bound]", std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 3}, {{0, 1}, 3}};
  Walker<TestType> walker(problem, 10);
  auto& state = walker.state;
  state.set_release(0, 7);
  state.set_release(1, 7);
  CHECK(snug::detail::find_too_high(state, 0).excess == 0);
  state.set_release(2, 8);
  const auto overflow = snug::detail::find_too_high(state, 0);
  CHECK(overflow.section == 0);
  CHECK(overflow.threshold == 8);
  CHECK(overflow.excess == 2);
  CHECK(snug::detail::find_too_high(state, state.trail.size()).excess == 0);
}

TEST_CASE("find too high: agrees with the definition", "[section_bound]") {
  std::size_t found = 0;
  for_each_walker<std::int32_t>(300, 12, [&](auto& walker, auto& random) {
    auto& state = walker.state;
    const auto top = [&](Index x) {
      return state.release[x] + walker.instance.length[x];
    };
    while (!walker.candidates().empty()) {
      const auto move = walker.move(random);
      if (walker.releases.update(state, 0, walker.instance.size) !=
          state.nobody())
        break;
      bool expected = false;
      for (const Index x : walker.unplaced())
        expected = expected || top(x) > walker.instance.capacity;
      const auto overflow = snug::detail::find_too_high(state, move.mark);
      REQUIRE((overflow.excess > 0) == expected);
      if (!expected) continue;
      ++found;
      bool true_claim = false;
      for (const Index x : walker.unplaced())
        true_claim = true_claim ||
                     (state.release[x] == overflow.threshold &&
                      top(x) - walker.instance.capacity == overflow.excess &&
                      walker.instance.lower[x] <= overflow.section &&
                      overflow.section < walker.instance.upper[x]);
      REQUIRE(true_claim);
      break;
    }
  });
  CHECK(found > 30);
}

}  // namespace section_bound_test
