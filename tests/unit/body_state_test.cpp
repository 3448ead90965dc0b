// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_state.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace body_state_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::BodyState;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::Key;
using snug::detail::Memory;
using snug::detail::Range;

namespace {

using Ranges = std::vector<Range>;

Ranges domain_of(const BodyState& state, Index x) {
  return {state.begin(x), state.end(x)};
}

/// Everything that undoing must bring back.
struct Snapshot {
  explicit Snapshot(const BodyState& state) {
    const Component& component = *state.component;
    for (Index x = 0; x < component.size; ++x) {
      unplaced.push_back(state.is_unplaced(x));
      domains.push_back(domain_of(state, x));
      release.push_back(state.release[x]);
      if (!state.is_unplaced(x)) offset.push_back(state.offset[x]);
    }
    spare.assign(state.spare, state.spare + component.clique_count());
    total.assign(state.total, state.total + component.clique_count());
    weight.assign(state.weight, state.weight + component.clique_count());
  }

  std::vector<bool> unplaced;
  std::vector<Ranges> domains;
  std::vector<std::int64_t> release;
  std::vector<std::int64_t> offset;
  std::vector<std::int64_t> spare;
  std::vector<std::int64_t> total;
  std::vector<std::int64_t> weight;
};

void require_same(const Snapshot& a, const Snapshot& b) {
  REQUIRE(a.unplaced == b.unplaced);
  REQUIRE(a.domains == b.domains);
  REQUIRE(a.release == b.release);
  REQUIRE(a.offset == b.offset);
  REQUIRE(a.spare == b.spare);
  REQUIRE(a.total == b.total);
  REQUIRE(a.weight == b.weight);
}

/// The key of all unplaced bodies, from their terms.
Key sum_of_terms(const BodyState& state) {
  Key key;
  for (Index x = 0; x < state.component->size; ++x)
    if (state.is_unplaced(x)) key += state.term(x);
  return key;
}

Key difference(Key a, const Key& b) {
  a -= b;
  return a;
}

/// The sums of each clique, from its jobs.
void check_cliques(const BodyState& state) {
  const Component& component = *state.component;
  for (Index c = 0; c < component.clique_count(); ++c) {
    std::int64_t total = 0;
    std::vector<Index> members;
    for (const auto& job : component.jobs[c]) {
      if (job.body == snug::detail::Job::kFixed || !state.is_unplaced(job.body))
        continue;
      total += job.length;
      if (std::count(members.begin(), members.end(), job.body) == 0)
        members.push_back(job.body);
    }
    std::int64_t weight = 0;
    for (const Index x : members) weight += state.body_weight[x];
    REQUIRE(state.total[c] == total);
    REQUIRE(state.weight[c] == weight);
  }
}

/// The domain by its meaning: the offsets before, less those at which x meets a
/// placed body; open ranges keep what was forbidden of them.
Ranges by_definition(const BodyState& state, Index x, const Ranges& before) {
  const Component& component = *state.component;
  const std::int64_t step = component.steps[x].step;
  std::vector<std::int64_t> offsets;
  for (const Range& range : before)
    for (std::int64_t at = range.lower; at <= range.upper; at += step)
      offsets.push_back(at);
  Ranges result;
  for (const std::int64_t at : offsets) {
    bool fits = true;
    for (Index y = 0; y < component.size && fits; ++y)
      fits = state.is_unplaced(y) ||
             may_be_at(component, y, state.offset[y], x, at);
    if (!fits) continue;
    if (!result.empty() && result.back().upper + step == at) {
      result.back().upper = at;
      continue;
    }
    const bool open = std::any_of(
        before.begin(), before.end(),
        [&](const Range& range) { return range.open && range.lower == at; });
    result.push_back({at, at, open});
  }
  return result;
}

/// Two of 4 in one section; the second has an alignment of 3 in units of 1.
struct Pair {
  explicit Pair(std::int64_t capacity) : bodies(bodies_of_pair()) {
    components = components_of(bodies);
    REQUIRE(components.size() == 1);
    walker.emplace_back(components[0], capacity);
  }
  static Bodies bodies_of_pair() {
    Problem<> problem;
    problem.buffers = {{{0, 1}, 4}, {{0, 1}, 4, 3}};
    return bodies_of(problem);
  }
  BodyState& state() { return walker.front().state; }

  Bodies bodies;
  std::vector<Component> components;
  std::list<BodyWalker> walker;
};

}  // namespace

TEST_CASE("body state: domains end with the capacity", "[body_state]") {
  Pair pair(12);
  BodyState& state = pair.state();
  CHECK(domain_of(state, 0) == Ranges{{0, 8, false}});
  CHECK(domain_of(state, 1) == Ranges{{0, 6, false}});
  CHECK(state.release[0] == 0);
  CHECK(state.candidate(1) == 0);
  CHECK(state.total[0] == 8);
  CHECK(state.nobody() == 2);
  Pair low(3);
  CHECK(domain_of(low.state(), 0).empty());
  CHECK(low.state().release[0] == BodyState::kNever);
  CHECK(low.state().candidate(0) == BodyState::kNever);
}

TEST_CASE("body state: what a placement leaves the others", "[body_state]") {
  Pair pair(12);
  BodyState& state = pair.state();
  SECTION("at the bottom") {
    CHECK(state.place(0, 0) == state.nobody());
    CHECK(domain_of(state, 1) == Ranges{{6, 6, false}});
    CHECK(state.release[1] == 6);
    CHECK(state.release[0] == BodyState::kNever);
    CHECK(state.total[0] == 4);
    CHECK_FALSE(state.is_unplaced(0));
    CHECK(domain_of(state, 0) == Ranges{{0, 8, false}});
  }
  SECTION("in the middle, with room below") {
    CHECK(state.place(0, 4) == state.nobody());
    CHECK(domain_of(state, 1) == Ranges{{0, 0, false}});
  }
  SECTION("nowhere") {
    Pair tight(7);
    CHECK(tight.state().place(0, 1) == 1);
  }
  SECTION("nothing but what a skip forbids") {
    Pair tight(8);
    tight.state().skip(1);
    CHECK(domain_of(tight.state(), 1) == Ranges{{0, 3, true}});
    CHECK(tight.state().place(0, 4) == 1);
    CHECK(domain_of(tight.state(), 1) == Ranges{{0, 0, true}});
    tight.state().undo_to(1);
    CHECK(tight.state().place(0, 3) == 1);
    CHECK(domain_of(tight.state(), 1).empty());
  }
  SECTION("out of the way, so nothing changes") {
    state.skip(1);
    CHECK(state.place(0, 0) == state.nobody());
    // The open range has lost its lower end, and a candidate is back.
    CHECK(domain_of(state, 1) == Ranges{{6, 6, false}});
    CHECK(state.candidate(1) == 6);
  }
}

TEST_CASE("body state: skips move the candidate", "[body_state]") {
  Pair pair(20);
  BodyState& state = pair.state();
  CHECK(state.place(0, 7) == state.nobody());
  CHECK(domain_of(state, 1) == Ranges{{0, 3, false}, {12, 15, false}});
  CHECK_FALSE(state.is_skipped(1));
  CHECK_FALSE(state.is_open(1));
  state.skip(1);
  CHECK(state.is_skipped(1));
  CHECK(state.is_open(1));
  CHECK(state.candidate(1) == 12);
  CHECK(state.candidate_range(1) == state.begin(1) + 1);
  state.skip(1);
  CHECK(state.candidate(1) == BodyState::kNever);
  CHECK(state.candidate_range(1) == state.end(1));
  CHECK(domain_of(state, 1) == Ranges{{0, 3, true}, {12, 15, true}});
  SECTION("a reopened range begins higher") {
    const Key before = sum_of_terms(state);
    const Key key = state.key;
    state.reopen(1, 3);
    CHECK(domain_of(state, 1) == Ranges{{3, 3, false}, {12, 15, true}});
    CHECK(difference(state.key, key) ==
          difference(sum_of_terms(state), before));
    state.reopen(1, 15);
    CHECK(domain_of(state, 1) == Ranges{{15, 15, false}});
    state.undo_to(state.trail.size() - 1);
    CHECK(domain_of(state, 1) == Ranges{{3, 3, false}, {12, 15, true}});
  }
  SECTION("undone one by one") {
    state.undo_to(state.trail.size() - 1);
    CHECK(domain_of(state, 1) == Ranges{{0, 3, true}, {12, 15, false}});
    state.undo_to(0);
    CHECK(domain_of(state, 1) == Ranges{{0, 15, false}});
    CHECK(state.is_unplaced(0));
  }
}

TEST_CASE("body state: the key knows ranges and what is open", "[body_state]") {
  Pair pair(20);
  BodyState& state = pair.state();
  const Key whole = state.term(1);
  state.skip(1);
  const Key skipped = state.term(1);
  CHECK_FALSE(whole == skipped);
  CHECK(state.place(0, 16) == state.nobody());
  CHECK_FALSE(state.term(1) == skipped);  // Its upper end is lower.
  state.undo_to(0);
  CHECK(state.term(1) == whole);
  // The same offsets, but one of the later ranges open.
  CHECK(state.place(0, 7) == state.nobody());
  state.skip(1);
  const Key one = state.term(1);
  state.skip(1);
  CHECK_FALSE(state.term(1) == one);
}

TEST_CASE("body state: same domains", "[body_state]") {
  Problem<> problem;
  problem.buffers.resize(3, {{0, 1}, 4});
  const Bodies bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  Memory memory;
  BodyState state(components[0], 30, memory);
  CHECK(state.same_domain(0, 1));
  state.skip(0);
  CHECK_FALSE(state.same_domain(0, 1));
  state.skip(1);
  CHECK(state.same_domain(0, 1));
  CHECK(state.place(2, 5) == state.nobody());
  CHECK(state.same_domain(0, 1));
  state.reopen(0, 1);
  CHECK_FALSE(state.same_domain(0, 1));
}

TEST_CASE("body state: places and skips as they are defined", "[body_state]") {
  std::size_t placements = 0;
  std::size_t stuck_seen = 0;
  std::size_t open_kept = 0;
  std::size_t several = 0;
  for_each_body_walker(effort(300U), 9, [&](BodyWalker& walker, auto& random) {
    walker.narrows = false;
    BodyState& state = walker.state;
    const Component& component = walker.component;
    for (Index x = 0; x < component.size; ++x)
      state.body_weight[x] = 0;  // See body_weights_test.cpp.
    std::vector<Ranges> before;
    const auto note = [&] {
      before.clear();
      for (Index x = 0; x < component.size; ++x)
        before.push_back(domain_of(state, x));
    };
    note();
    Key terms = sum_of_terms(state);
    Key key = state.key;
    walker.walk(random, 40, [&](const BodyWalker::Move& move) {
      // The walk undoes moves, so what was before is asked for anew.
      const std::size_t end = state.trail.size();
      const Ranges now = domain_of(state, move.body);
      const Key terms_after = sum_of_terms(state);
      std::vector<Ranges> after;
      for (Index x = 0; x < component.size; ++x)
        after.push_back(domain_of(state, x));
      const std::vector<std::int64_t> release(state.release,
                                              state.release + component.size);
      const bool placed_at_candidate = move.placed;
      const std::int64_t at = state.offset[move.body];
      check_cliques(state);
      state.undo_to(move.mark);
      check_cliques(state);
      note();
      terms = sum_of_terms(state);
      key = state.key;
      const std::int64_t candidate = state.candidate(move.body);
      if (placed_at_candidate) {
        REQUIRE(at == candidate);
        const Index stuck = state.place(move.body, candidate);
        REQUIRE((stuck != state.nobody()) == move.stuck);
        ++placements;
        if (move.stuck) {
          ++stuck_seen;
          for (const Range& range : domain_of(state, stuck))
            REQUIRE((range.open && range.lower == range.upper));
        }
      } else {
        state.skip(move.body);
      }
      REQUIRE(state.trail.size() == end);
      REQUIRE(difference(state.key, key) ==
              difference(sum_of_terms(state), terms));
      REQUIRE(sum_of_terms(state) == terms_after);
      if (move.stuck) return false;
      for (Index x = 0; x < component.size; ++x) {
        REQUIRE(domain_of(state, x) == after[x]);
        REQUIRE(state.release[x] == release[x]);
        if (!state.is_unplaced(x)) continue;
        if (!move.placed && x == move.body) {
          const Range* const range = std::find_if(
              state.begin(x), state.end(x),
              [&](const Range& each) { return each.lower == candidate; });
          REQUIRE(range != state.end(x));
          REQUIRE(range->open);
          REQUIRE(state.candidate(x) > candidate);
          continue;
        }
        REQUIRE(domain_of(state, x) == by_definition(state, x, before[x]));
        if (!state.is_skipped(x))
          REQUIRE(state.release[x] == state.begin(x)->lower);
        if (state.is_open(x)) ++open_kept;
        if (after[x].size() > 2) ++several;
      }
      return true;
    });
  });
  CHECK(placements > at_least(1000U));
  CHECK(stuck_seen > at_least(20U));
  CHECK(open_kept > at_least(500U));
  CHECK(several > at_least(100U));
}

//   C 11 +-------+      0 of 6 below 11 covers [5, 6) wherever it is, so 1 of
//        |   0   |      3 has to be at 2 or below, or at 6 or above.
//      5 +-------+
TEST_CASE("body state: what a body is in the way of anywhere", "[body_state]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 6}, {{0, 1}, 3}, {{0, 1}, 1}};
  const Bodies bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  Memory memory;
  BodyState state(components[0], 11, memory);
  CHECK(state.narrow_all() == state.nobody());
  CHECK(domain_of(state, 0) == Ranges{{0, 5, false}});
  CHECK(domain_of(state, 1) == Ranges{{0, 2, false}, {6, 8, false}});
  CHECK(domain_of(state, 2) == Ranges{{0, 4, false}, {6, 10, false}});
  state.trail.shrink(0);

  SECTION("after a placement") {
    REQUIRE(state.place(2, 0) == state.nobody());
    CHECK(domain_of(state, 0) == Ranges{{1, 5, false}});
    CHECK(domain_of(state, 1) == Ranges{{1, 2, false}, {6, 8, false}});
    const std::size_t placed = state.trail.size();
    CHECK(state.narrow(0) == state.nobody());
    CHECK(domain_of(state, 0) == Ranges{{1, 2, false}, {4, 5, false}});
    CHECK(domain_of(state, 1) == Ranges{{1, 2, false}, {7, 8, false}});
    // It says who was in the way; a placement does not.
    for (std::size_t k = 1; k < state.trail.size(); ++k) {
      const auto& entry = state.trail[k];
      REQUIRE(entry.change == BodyState::Change::kDomain);
      CHECK(entry.cause == (k < placed ? state.nobody() : 1 - entry.body));
    }
    CHECK(state.trail.size() == placed + 2);
    state.undo_to(0);
    CHECK(domain_of(state, 0) == Ranges{{0, 5, false}});
  }
  SECTION("and one that then has nowhere to go") {
    REQUIRE(state.place(2, 2) == state.nobody());
    CHECK(domain_of(state, 0) == Ranges{{3, 5, false}});
    const Index stuck = state.narrow(0);
    CHECK((stuck == 0 || stuck == 1));
  }
  SECTION("with no more than the change") {
    CHECK(state.narrow(state.trail.size()) == state.nobody());
    CHECK(state.trail.empty());
  }
}

TEST_CASE("body state: narrowing keeps every placement", "[body_state]") {
  std::size_t kept = 0;
  std::size_t narrowed = 0;
  std::size_t stuck_seen = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(500); ++seed) {
    const Bodies bodies = bodies_of(draw_constrained(seed, 5));
    Random random(seed);
    for (const Component& component : components_of(bodies)) {
      const std::int64_t capacity =
          least_capacity(component) + random.between(0, 3);
      if (component.size < 2 || capacity > 16) continue;
      BodyWalker walker(component, capacity);
      walker.narrows = false;
      if (!walker.begin()) continue;
      BodyState& state = walker.state;
      const Placements placements(component, capacity);
      CAPTURE(seed, capacity);
      const auto narrow = [&](std::size_t mark, bool all) {
        std::vector<Placements::Offsets> left;
        for (const auto& offsets : placements.all())
          if (walker.admits(offsets)) left.push_back(offsets);
        const std::size_t end = state.trail.size();
        const Index stuck = all ? state.narrow_all() : state.narrow(mark);
        for (std::size_t k = end; k < state.trail.size(); ++k) {
          REQUIRE(state.trail[k].change == BodyState::Change::kDomain);
          REQUIRE(state.is_unplaced(state.trail[k].cause));
          ++narrowed;
        }
        if (stuck != state.nobody()) {
          REQUIRE(left.empty());
          ++stuck_seen;
          return false;
        }
        for (const auto& offsets : left) {
          REQUIRE(walker.admits(offsets));
          ++kept;
        }
        // Nothing is left to be taken.
        const std::size_t size = state.trail.size();
        REQUIRE(state.narrow_all() == state.nobody());
        REQUIRE(state.trail.size() == size);
        return true;
      };
      if (!narrow(0, true)) continue;
      state.trail.shrink(0);
      walker.walk(random, 20, [&](const BodyWalker::Move& move) {
        return !move.stuck && (!move.placed || narrow(move.mark, false)) &&
               walker.propagate(move);
      });
    }
  }
  CHECK(narrowed > at_least<std::size_t>(500));
  CHECK(kept > at_least(3000U));
  CHECK(stuck_seen > at_least(10U));
}

TEST_CASE("body state: undoing brings everything back", "[body_state]") {
  std::size_t undone = 0;
  for_each_body_walker(200, 10, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    for (Index x = 0; x < walker.component.size; ++x) {
      // Weights as a search would have them: unplaced bodies count.
      state.body_weight[x] = random.between(0, 9);
      for (const auto& of : walker.component.cliques[x])
        state.weight[of.clique] += state.body_weight[x];
    }
    std::vector<Snapshot> snapshots;
    std::vector<std::size_t> marks;
    for (int k = 0; k < 60; ++k) {
      if (walker.candidates().empty() ||
          (!marks.empty() && random.chance(10))) {
        if (marks.empty()) break;
        const std::size_t kept =
            random.between(std::size_t{0}, marks.size() - 1);
        state.undo_to(marks[kept]);
        require_same(Snapshot(state), snapshots[kept]);
        check_cliques(state);
        marks.resize(kept);
        snapshots.erase(snapshots.begin() + static_cast<std::ptrdiff_t>(kept),
                        snapshots.end());
        ++undone;
        continue;
      }
      marks.push_back(state.trail.size());
      snapshots.emplace_back(state);
      const BodyWalker::Move move = walker.move(random);
      if (!walker.propagate(move)) {
        state.undo_to(marks.back());
        require_same(Snapshot(state), snapshots.back());
        marks.pop_back();
        snapshots.pop_back();
      }
    }
  });
  CHECK(undone > 300);
}

TEST_CASE("body state: undoing leaves no old ranges behind", "[body_state]") {
  // The stack of ranges may not grow with the number of nodes.
  Pair pair(20);
  BodyState& state = pair.state();
  const Range* const begin = state.begin(0);
  for (int k = 0; k < 100000; ++k) {
    state.skip(0);
    state.skip(1);
    CHECK_FALSE(state.place(0, 7) == 0);
    state.undo_to(0);
  }
  CHECK(state.begin(0) == begin);
}

TEST_CASE("body state: releases and spares are undone", "[body_state]") {
  Pair pair(20);
  BodyState& state = pair.state();
  state.spare[0] = 12;
  state.set_release(0, 0);
  state.set_spare(0, 12);
  CHECK(state.trail.size() == 0);  // Nothing has changed.
  state.set_release(0, 5);
  state.set_spare(0, 7);
  CHECK(state.trail.size() == 2);
  CHECK(state.release[0] == 5);
  CHECK(state.spare[0] == 7);
  state.undo_to(1);
  CHECK(state.release[0] == 5);
  CHECK(state.spare[0] == 12);
  state.undo_to(0);
  CHECK(state.release[0] == 0);
}

}  // namespace body_state_test
