// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/clique_bound.hpp"

#include "snug/solve.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clique_bound_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyState;
using snug::detail::CliqueBound;
using snug::detail::CliqueOverflow;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::Job;

namespace {

/// Where a job begins at the earliest.
std::int64_t start_of(const BodyState& state, const Job& job) {
  if (job.body == Job::kFixed) return job.lower;
  return job.lower + (state.is_unplaced(job.body) ? state.release[job.body]
                                                  : state.offset[job.body]);
}

/// How far the jobs of a clique that may lie at `threshold` or above, and what
/// those that are where they are have there, exceed the capacity. Reserved
/// bytes above the capacity do not count, nor idle ones of a body that is placed.
std::int64_t excess(const BodyState& state, Index c, std::int64_t threshold) {
  const Component& component = *state.component;
  std::int64_t sum = threshold;
  for (const Job& job : component.jobs[c]) {
    const std::int64_t start = start_of(state, job);
    std::int64_t top = start + job.length;
    if (job.body == Job::kFixed) top = (std::min)(top, state.capacity);
    const bool moves = job.body != Job::kFixed && state.is_unplaced(job.body);
    if (job.is_idle && !moves) continue;
    if (start >= threshold) {
      sum += (std::max)(top - start, std::int64_t{0});
    } else if (!moves) {
      sum += (std::max)(top - threshold, std::int64_t{0});
    }
  }
  return sum - state.capacity;
}

/// The beginnings of the jobs of a clique that move.
std::vector<std::int64_t> thresholds(const BodyState& state, Index c) {
  const Component& component = *state.component;
  std::vector<std::int64_t> result;
  for (const Job& job : component.jobs[c]) {
    if (job.body != Job::kFixed && state.is_unplaced(job.body))
      result.push_back(start_of(state, job));
  }
  return result;
}

bool holds(const BodyState& state) {
  for (Index c = 0; c < state.component->clique_count(); ++c)
    for (const std::int64_t t : thresholds(state, c))
      if (excess(state, c, t) > 0) return false;
  return true;
}

/// No clique is closer to an overflow than its spare says.
void check_spare(const BodyState& state) {
  for (Index c = 0; c < state.component->clique_count(); ++c) {
    REQUIRE(state.spare[c] >= 0);
    for (const std::int64_t t : thresholds(state, c))
      REQUIRE(-excess(state, c, t) >= state.spare[c]);
  }
}

/// Bodies and components of a problem of one component, and a walker.
struct CliqueBench {
  CliqueBench(const Problem<>& problem, std::int64_t capacity)
      : bodies(bodies_of(problem)),
        components(components_of(bodies)),
        walker(components.at(0), capacity) {
    REQUIRE(components.size() == 1);
    REQUIRE(bodies.unit == 1);
  }

  [[nodiscard]] CliqueOverflow check(std::size_t mark) {
    return walker.bound.check(walker.state, mark);
  }

  snug::detail::Bodies bodies;
  std::vector<Component> components;
  BodyWalker walker;
};

}  // namespace

//        11 +-------+     0 of 4, 1 and 2 of 3, all live together below 10.
//      C 10 |   2   |     With 1 and 2 released at 5 the byte [4, 5) is lost,
//         8 +-------+     and 5 + 3 + 3 = 11 does not fit.
//         5 |   1   |
//         4 |.......|
//           |   0   |
//         0 +-------+
TEST_CASE("clique bound: lost bytes do not come back", "[clique_bound]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 3}, {{0, 1}, 3}};
  CliqueBench bench(problem, 10);
  BodyState& state = bench.walker.state;
  REQUIRE(bench.walker.begin());
  CHECK(state.spare[0] == 0);
  for (const Index x : {1U, 2U}) state.set_release(x, 4);
  CHECK(bench.check(0).excess == 0);
  CHECK(state.spare[0] == 0);
  state.undo_to(0);
  for (const Index x : {1U, 2U}) state.set_release(x, 5);
  const CliqueOverflow overflow = bench.check(0);
  CHECK(overflow.clique == 0);
  CHECK(overflow.threshold == 5);
  CHECK(overflow.excess == 1);
  state.undo_to(0);
  state.set_release(1, 8);
  CHECK(bench.check(0).threshold == 8);
}

//      0   1   2
//      +---+---+      0 spans both sections, 1 the first, 2 the second.
//      | 1 |   |      Placing 0 pays for raising 1 and 2 to its top.
//      +---+ 2 |
//      +---+---+
//      |   0   |
//      +---+---+
TEST_CASE("clique bound: a placement pays for what it raises to its top",
          "[clique_bound]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 5}, {{0, 1}, 2}, {{1, 2}, 3}};
  CliqueBench bench(problem, 8);
  BodyState& state = bench.walker.state;
  REQUIRE(bench.walker.begin());
  // In order of time: 1 and 0 begin together, 1 ends first.
  REQUIRE(bench.components[0].body == snug::detail::List<Index>{1, 0, 2});
  CHECK(state.spare[0] == 1);
  CHECK(state.spare[1] == 0);
  REQUIRE(state.place(1, 0) == state.nobody());
  CHECK(bench.check(0).excess == 0);
  CHECK(state.spare[0] == 1);
  CHECK(state.spare[1] == 0);
  SECTION("but not for what rises further") {
    state.undo_to(0);
    REQUIRE(state.place(1, 0) == state.nobody());
    state.set_release(0, 6);
    CHECK(bench.check(0).excess == 0);
    CHECK(state.spare[0] == 0);
    state.undo_to(0);
    REQUIRE(state.place(1, 0) == state.nobody());
    state.set_release(2, 6);
    CHECK(bench.check(0).excess == 1);
  }
  SECTION("nor for what begins below it") {
    problem.buffers.push_back({{0, 1}, 1});
    CliqueBench more(problem, 8);
    REQUIRE(more.walker.begin());
    BodyState& other = more.walker.state;
    REQUIRE(more.components[0].body == snug::detail::List<Index>{1, 3, 0, 2});
    REQUIRE(other.place(2, 0) == other.nobody());
    CHECK(more.check(0).excess == 0);
    CHECK(other.spare[0] == 0);
    const std::size_t mark = other.trail.size();
    REQUIRE(other.place(0, 6) == other.nobody());
    CHECK(other.release[1] == 5);
    CHECK(more.check(mark).excess == 0);
  }
}

TEST_CASE("clique bound: what is fixed counts where it is", "[clique_bound]") {
  // 2 of 4 at [3, 7); 0 and 1 of 3 fit below and above it.
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 3}, {{0, 1}, 4}};
  problem.buffers[2].offset = 3;
  CHECK(CliqueBench(problem, 10).walker.begin());
  CHECK_FALSE(CliqueBench(problem, 9).walker.begin());
  // At [2, 6) both would have to lie above it.
  problem.buffers[2].offset = 2;
  CHECK(CliqueBench(problem, 12).walker.begin());
  CliqueBench bench(problem, 11);
  const CliqueOverflow overflow =
      bench.walker.bound.check_all(bench.walker.state);
  CHECK(overflow.excess == 1);
  // Nothing but what lies above a threshold counts: 1 byte of 2 at 5.
  CliqueBench higher(problem, 12);
  REQUIRE(higher.walker.begin());
  for (const Index x : {0U, 1U}) higher.walker.state.set_release(x, 5);
  CHECK(higher.check(0).excess == 0);
}

TEST_CASE("clique bound: reserved bytes above the capacity do not count",
          "[clique_bound]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 3}};
  problem.reserved = {{{6, 90}, {}}};
  problem.base = 1;  // Not to have a unit of 3.
  CHECK_FALSE(CliqueBench(problem, 6).walker.begin());
  problem.reserved = {{{7, 90}, {}}};
  CHECK(CliqueBench(problem, 7).walker.begin());
  CHECK(CliqueBench(problem, 8).walker.begin());
  problem.reserved = {{{20, 90}, {}}};
  CHECK(CliqueBench(problem, 7).walker.begin());
  CHECK_FALSE(CliqueBench(problem, 6).walker.begin());
}

//     C 13 +-----+
//       10 |  2  |      0 of 3 and 1 of 5: the hole of 4 takes 3 bytes of
//          |     |      them, so if both begin at 6 they do not fit, though
//          +-----+      8 are free there.
//        6 |     |
//          +-----+
TEST_CASE("clique bound: holes that cannot be filled", "[clique_bound]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 5}, {{0, 1}, 3}};
  problem.buffers[2].offset = 10;
  CliqueBench bench(problem, 17);
  BodyState& state = bench.walker.state;
  REQUIRE(bench.walker.begin());
  for (const Index x : {0U, 1U}) state.set_release(x, 6);
  // The spare paid for that, so only a look at all of them finds it.
  CHECK(bench.check(0).excess == 0);
  const CliqueOverflow overflow = bench.walker.bound.check_all(state);
  REQUIRE(overflow.excess > 0);
  CHECK(overflow.holes);
  CHECK(overflow.threshold == 6);
  CHECK(holds(state));
  // With one byte more above, the one of 5 goes there.
  CliqueBench higher(problem, 18);
  REQUIRE(higher.walker.begin());
  for (const Index x : {0U, 1U}) higher.walker.state.set_release(x, 6);
  CHECK(higher.walker.bound.check_all(higher.walker.state).excess == 0);
}

//       15 +-----+
//          |  3  |      0 has 10 bytes between 1 and 2, which are fixed, but is in
//          +-----+      a gap then: 4 are live, 6 idle. These are what the hole
//          |  2  |      between 1 and 2 loses; who counts them twice finds that
//       12 +-----+      the memory is too small.
//          |. . .|
//          |  0  |
//        2 +-----+
//          |  1  |
//        0 +-----+
TEST_CASE("clique bound: idle bytes may lie in holes", "[clique_bound]") {
  for (const snug::Interval<std::int64_t>& window :
       {snug::Interval<std::int64_t>{0, 4}, {3, 7}, {6, 10}}) {
    Problem<> problem;
    problem.buffers = {{{0, 10}, 10}, {{0, 10}, 2}, {{0, 10}, 2}, {{0, 2}, 1}};
    problem.buffers[0].gaps.push_back({{2, 8}, window});
    problem.buffers[1].offset = 0;
    problem.buffers[2].offset = 12;
    CliqueBench bench(problem, 15);
    REQUIRE(bench.walker.begin());
    CHECK(bench.walker.bound.check_all(bench.walker.state).excess == 0);
    CHECK(snug::solve(problem, 15).has_solution());
    CHECK(snug::solve(problem, 14).status == snug::Status::kInfeasible);
  }
}

TEST_CASE("clique bound: many small rises use up the spare", "[clique_bound]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 10}, {{0, 1}, 11}};
  CliqueBench bench(problem, 60);
  BodyState& state = bench.walker.state;
  REQUIRE(bench.walker.begin());
  CHECK(state.spare[0] == 39);
  for (std::int64_t release = 1; release <= 50; ++release) {
    const std::size_t mark = state.trail.size();
    state.set_release(0, release);
    REQUIRE(bench.check(mark).excess == 0);
    check_spare(state);
  }
  const std::size_t mark = state.trail.size();
  state.set_release(0, 51);
  CHECK(bench.check(mark).excess == 1);
  state.undo_to(0);
  CHECK(state.spare[0] == 39);
  CHECK(bench.check(0).excess == 0);  // Nothing has changed.
}

TEST_CASE("clique bound: finds an overflow exactly when there is one",
          "[clique_bound]") {
  std::size_t overflows = 0;
  std::size_t passes = 0;
  std::size_t after_placing = 0;
  std::size_t full = 0;
  for_each_body_walker(
      (std::max)(effort(700U), 420U), 12,
      [&](BodyWalker& walker, auto& random) {
        BodyState& state = walker.state;
        REQUIRE(holds(state));
        check_spare(state);
        CliqueBound eager(walker.component, walker.memory);
        walker.walk(random, 40, [&](const BodyWalker::Move& move) {
          if (move.stuck ||
              walker.releases.update(state, walker.all()) != state.nobody())
            return false;
          const CliqueOverflow overflow = walker.bound.check(state, move.mark);
          if (overflow.excess == 0 || overflow.holes) {
            REQUIRE((overflow.holes || holds(state)));
          } else {
            REQUIRE(overflow.clique < walker.component.clique_count());
            REQUIRE(excess(state, overflow.clique, overflow.threshold) ==
                    overflow.excess);
          }
          if (overflow.excess > 0) {
            REQUIRE(eager.check_all(state).excess > 0);
            if (overflow.holes) ++full;
            ++overflows;
            if (move.placed) ++after_placing;
            return false;
          }
          ++passes;
          check_spare(state);
          // Looking at all may find holes that no change has led to.
          const std::size_t mark = state.trail.size();
          const CliqueOverflow any = eager.check_all(state);
          REQUIRE((any.excess == 0 || any.holes));
          check_spare(state);
          state.undo_to(mark);
          return true;
        });
      });
  CHECK(overflows > at_least(150U));
  CHECK(after_placing > at_least(50U));
  CHECK(full > 0);
  CHECK(passes > at_least(3000U));
}

TEST_CASE("clique bound: refutes no state that admits a placement",
          "[clique_bound]") {
  std::size_t admitted = 0;
  std::size_t refuted = 0;
  for_each_body_walker(400, 5, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    if (state.capacity > 16) return;
    const auto settled = Placements(walker.component, state.capacity).settled();
    walker.walk(random, 25, [&](const BodyWalker::Move& move) {
      const bool stands = walker.propagate(move);
      if (!stands) ++refuted;
      for (const auto& offsets : settled)
        if (walker.admits(offsets)) {
          REQUIRE(stands);
          ++admitted;
        }
      return stands;
    });
  });
  CHECK(admitted > 1000);
  CHECK(refuted > 500);
}

}  // namespace clique_bound_test
