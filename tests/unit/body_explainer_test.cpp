// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a conflict says, compared with all settled placements: those in which
// its members are where they are or in their domains, and nobody skipped of it
// is where it was skipped, must not have what it denies.
#include "snug/bodies/body_explainer.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_explainer_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyExplainer;
using snug::detail::BodyState;
using snug::detail::CliqueOverflow;
using snug::detail::Conflict;
using snug::detail::has_bit;
using snug::detail::Index;
using snug::detail::Word;

namespace {

using List = std::vector<Index>;

/// Whether a placement has what a conflict supposes.
bool satisfies(const BodyWalker& walker, const Conflict& conflict,
               const Placements::Offsets& offsets) {
  const BodyState& state = walker.state;
  for (Index x = 0; x < walker.component.size; ++x) {
    if (has_bit(conflict.members(), x)) {
      const bool holds = state.is_unplaced(x) ? walker.in_domain(x, offsets[x])
                                              : offsets[x] == state.offset[x];
      if (!holds) return false;
    }
    if (has_bit(conflict.skips(), x) && walker.at_open_end(x, offsets[x]))
      return false;
  }
  return true;
}

/// What every conflict must look like.
void check_form(const BodyWalker& walker, const Conflict& conflict) {
  const Index size = walker.component.size;
  for (const Index x : elements(conflict.skips(), size)) {
    REQUIRE(walker.state.is_unplaced(x));
    REQUIRE(walker.state.is_open(x));
    REQUIRE(has_bit(conflict.members(), x));
  }
  REQUIRE(elements(conflict.members(), 64 * conflict.words()) ==
          elements(conflict.members(), size));
}

/// Calls visit(walker, random, settled) for components that are small enough
/// to place in all ways, if there is one.
template <class Visit>
void for_each_small_walker(std::uint64_t seeds, Visit&& visit) {
  for_each_body_walker(effort(seeds), 6, [&](BodyWalker& walker, auto& random) {
    if (walker.state.capacity > 14 || walker.component.size > 6) return;
    const auto settled =
        Placements(walker.component, walker.state.capacity).settled();
    if (!settled.empty()) visit(walker, random, settled);
  });
}

}  // namespace

//      +---+---+            0 [0,1) of 2, 1 [0,2) of 3, 2 [1,2) of 4,
//      | 0 |   |            3 [1,4) of 1 with 2, and with 4 of 5
//      +---+ 1 +---+
//          |   | 2 |
//          +---+---+
TEST_CASE("body conflict: the reasons of a release", "[body_conflict]") {
  Problem<> problem;
  problem.buffers = {
      {{0, 1}, 2}, {{0, 2}, 3}, {{1, 2}, 4}, {{1, 4}, 1}, {{3, 4}, 5}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  BodyWalker walker(components[0], 9);
  BodyState& state = walker.state;
  BodyExplainer explainer(components[0], walker.memory);
  ConflictSets sets(walker.component.words());
  const Conflict& conflict = sets.conflict;
  const auto members = [&] { return elements(conflict.members(), 5); };
  const auto skips = [&] { return elements(conflict.skips(), 5); };
  for (const Index x : {0U, 1U}) state.skip(x);
  REQUIRE(walker.releases.update(state, walker.all()) == state.nobody());
  REQUIRE(state.release[1] == 1);  // On the one of 1.
  REQUIRE(state.release[0] == 4);

  SECTION("what the domain explains needs no skip") {
    explainer.release(state, 0, 0, conflict);
    CHECK(members() == List{0});
    CHECK(skips().empty());
  }
  SECTION("one skip, while its support is low enough anyway") {
    explainer.release(state, 0, 3, conflict);
    CHECK(members() == List{0, 1});
    CHECK(skips() == List{0});
  }
  SECTION("the skip of its support with it, and all that might hold that") {
    explainer.release(state, 0, 4, conflict);
    CHECK(members() == List{0, 1, 2, 3});
    CHECK(skips() == List{0, 1});
  }
  SECTION("two demands on one body, the stronger one second") {
    explainer.release(state, 0, 3, conflict);
    explainer.release(state, 0, 4, conflict);
    CHECK(skips() == List{0, 1});
  }
  SECTION("nothing is kept from one conflict to the next") {
    explainer.release(state, 0, 4, conflict);
    conflict.clear();
    explainer.release(state, 0, 4, conflict);
    CHECK(skips() == List{0, 1});
  }
  SECTION("all: everything in a part, and all it has a relation to") {
    const std::vector<Word> part = {Word{1}};
    BodyExplainer::all(state, part.data(), conflict);
    CHECK(members() == List{0, 1});
    CHECK(skips() == List{0});
  }
  SECTION("placed neighbours are members, too") {
    state.undo_to(0);
    REQUIRE(state.place(1, 5) == state.nobody());
    state.skip(0);
    REQUIRE(state.release[0] == 0);
    REQUIRE(walker.releases.update(state, walker.all()) != state.nobody());
    explainer.unheld(state, 0, conflict);
    CHECK(members() == List{0, 1});
    CHECK(skips() == List{0});
  }
  SECTION("stuck: a skip only if there is one") {
    BodyExplainer::stuck(state, 2, conflict);
    CHECK(members() == List{2});
    CHECK(skips().empty());
    BodyExplainer::stuck(state, 1, conflict);
    CHECK(members() == List{1, 2});
    CHECK(skips() == List{1});
  }
}

TEST_CASE("body conflict: releases follow from the members and skips alone",
          "[body_conflict]") {
  std::size_t explained = 0;
  std::size_t with_two_skips = 0;
  std::size_t compared = 0;
  for_each_small_walker(1500, [&](BodyWalker& walker, auto& random,
                                  const auto& settled) {
    BodyState& state = walker.state;
    BodyExplainer explainer(walker.component, walker.memory);
    walker.walk(random, 15, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      for (const Index x : walker.unplaced()) {
        if (!state.is_skipped(x) || state.release[x] <= state.begin(x)->lower)
          continue;
        const std::int64_t needed =
            random.between(state.begin(x)->lower + 1, state.release[x]);
        ConflictSets sets(walker.component.words());
        explainer.release(state, x, needed, sets.conflict);
        check_form(walker, sets.conflict);
        for (const auto& offsets : settled)
          if (satisfies(walker, sets.conflict, offsets)) {
            REQUIRE(offsets[x] >= needed);
            ++compared;
          }
        ++explained;
        if (elements(sets.conflict.skips(), walker.component.size).size() > 1)
          ++with_two_skips;
      }
      return true;
    });
  });
  CHECK(explained > at_least(500U));
  CHECK(with_two_skips > at_least(30U));
  CHECK(compared > at_least(500U));
}

TEST_CASE("body conflict: of a failure", "[body_conflict]") {
  std::size_t stuck_seen = 0;
  std::size_t unheld_seen = 0;
  std::size_t overflows = 0;
  std::size_t abandoned_seen = 0;
  std::size_t partial = 0;
  std::size_t refuted = 0;
  for_each_small_walker(3000, [&](BodyWalker& walker, auto& random,
                                  const auto& settled) {
    BodyState& state = walker.state;
    BodyExplainer explainer(walker.component, walker.memory);
    const auto refute = [&](const Conflict& conflict) {
      check_form(walker, conflict);
      for (const auto& offsets : settled) {
        REQUIRE_FALSE(satisfies(walker, conflict, offsets));
        ++refuted;
      }
      for (Index x = 0; x < walker.component.size; ++x)
        if (!has_bit(conflict.members(), x)) {
          ++partial;
          break;
        }
      return false;
    };
    // The search narrows domains on its way; what a conflict of one node says
    // does not depend on how they came about.
    walker.walk(random, 20, [&](const BodyWalker::Move& move) {
      ConflictSets sets(walker.component.words());
      if (move.stuck) {
        for (const Index x : walker.unplaced())
          if (std::all_of(state.begin(x), state.end(x), [](const auto& range) {
                return range.open && range.lower == range.upper;
              })) {
            ++stuck_seen;
            sets.conflict.clear();
            BodyExplainer::stuck(state, x, sets.conflict);
            (void)refute(sets.conflict);
          }
        return false;
      }
      const Index unheld = walker.releases.update(state, walker.all());
      if (unheld != state.nobody()) {
        ++unheld_seen;
        explainer.unheld(state, unheld, sets.conflict);
        return refute(sets.conflict);
      }
      const CliqueOverflow overflow = walker.bound.check(state, move.mark);
      if (overflow.excess > 0) {
        ++overflows;
        explainer.overflow(state, overflow, sets.conflict);
        return refute(sets.conflict);
      }
      const Index abandoned =
          walker.dominance.find_pending(state, walker.all(), true);
      if (abandoned != state.nobody()) {
        ++abandoned_seen;
        explainer.abandoned(state, abandoned, sets.conflict);
        return refute(sets.conflict);
      }
      return true;
    });
  });
  CHECK(stuck_seen > at_least(50U));
  CHECK(unheld_seen > at_least(100U));
  CHECK(overflows > at_least(100U));
  CHECK(abandoned_seen > at_least(100U));
  CHECK(partial > at_least(200U));
  CHECK(refuted > at_least(1000U));
}

TEST_CASE("body conflict: of holes that cannot be filled", "[body_conflict]") {
  std::size_t full = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort(3000U); ++seed) {
    Random random(seed);
    Problem<> problem;
    for (int k = random.between(3, 5); k > 0; --k)
      problem.buffers.push_back(
          {{random.between(0, 1), random.between(2, 3)}, random.between(2, 5)});
    std::int64_t at = random.between(2, 6);
    for (int k = random.between(1, 2); k > 0; --k) {
      problem.reserved.push_back({{at, at + random.between(1, 2)}, {}});
      at += random.between(4, 7);
    }
    const auto bodies = bodies_of(problem);
    const auto components = components_of(bodies);
    if (components.size() != 1) continue;
    const std::int64_t capacity =
        least_capacity(components[0]) + random.between(2, 6);
    if (capacity > 22) continue;
    BodyWalker walker(components[0], capacity);
    if (!walker.begin()) continue;
    const auto settled = Placements(components[0], capacity).settled();
    if (settled.empty()) continue;
    BodyState& state = walker.state;
    BodyExplainer explainer(components[0], walker.memory);
    CAPTURE(seed);
    walker.walk(random, 25, [&](const BodyWalker::Move& move) {
      if (move.stuck ||
          walker.releases.update(state, walker.all()) != state.nobody())
        return false;
      const CliqueOverflow overflow = walker.bound.check_all(state);
      if (overflow.excess == 0) return true;
      if (!overflow.holes) return false;
      ++full;
      ConflictSets sets(walker.component.words());
      explainer.overflow(state, overflow, sets.conflict);
      check_form(walker, sets.conflict);
      for (const auto& offsets : settled) {
        REQUIRE_FALSE(satisfies(walker, sets.conflict, offsets));
        ++refuted;
      }
      return false;
    });
  }
  CHECK(full > at_least(100U));
  CHECK(refuted > at_least(300U));
}

TEST_CASE("body conflict: why nobody reaches a slot", "[body_conflict]") {
  std::size_t pending = 0;
  std::size_t compared = 0;
  for_each_small_walker(1500, [&](BodyWalker& walker, auto& random,
                                  const auto& settled) {
    BodyState& state = walker.state;
    BodyExplainer explainer(walker.component, walker.memory);
    walker.walk(random, 15, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      std::vector<Word> set(walker.all(),
                            walker.all() + walker.component.words());
      for (;;) {
        const Index x = walker.dominance.find_pending(state, set.data(), false);
        if (x == state.nobody()) break;
        snug::detail::clear_bit(set.data(), x);
        const std::int64_t at = state.begin(x)->lower;
        ConflictSets sets(walker.component.words());
        explainer.no_witness(state, x, at, sets.conflict);
        check_form(walker, sets.conflict);
        ++pending;
        for (const auto& relation : walker.component.relations[x]) {
          REQUIRE(has_bit(sets.conflict.members(), relation.body));
          if (!state.is_unplaced(relation.body)) continue;
          for (const auto& offsets : settled)
            if (satisfies(walker, sets.conflict, offsets)) {
              REQUIRE(offsets[relation.body] >= at + relation.clear);
              ++compared;
            }
        }
      }
      return true;
    });
  });
  CHECK(pending > at_least(500U));
  CHECK(compared > at_least(300U));
}

}  // namespace body_explainer_test
