// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_parts.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

namespace body_parts_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyPart;
using snug::detail::BodyParts;
using snug::detail::BodyState;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::Key;

namespace {

using Set = std::set<Index>;

/// The unplaced bodies of a part.
Set unplaced_of(const BodyState& state, const BodyParts& parts,
                const BodyPart& part) {
  Set result;
  for (Index x = 0; x < state.component->size; ++x)
    if (snug::detail::has_bit(parts.set_of(part), x) && state.is_unplaced(x))
      result.insert(x);
  return result;
}

Key key_of(const BodyState& state, const Set& set) {
  Key key;
  for (const Index x : set) key += state.term(x);
  return key;
}

/// The sets that a set of unplaced bodies falls into, by joining those with a
/// relation until nothing changes.
std::set<Set> pieces_of(const BodyState& state, const Set& all) {
  const Component& component = *state.component;
  std::set<Set> result;
  for (const Index first : all) {
    Set piece = {first};
    for (std::size_t size = 0; size != piece.size();) {
      size = piece.size();
      for (const Index x : Set(piece))
        for (const auto& relation : component.relations[x])
          if (all.count(relation.body) != 0) piece.insert(relation.body);
    }
    result.insert(piece);
  }
  return result;
}

void check_part(const BodyState& state, const BodyParts& parts,
                const BodyPart& part) {
  const Set set = unplaced_of(state, parts, part);
  REQUIRE(part.unplaced == set.size());
  REQUIRE(part.key == key_of(state, set));
}

/// Short lives, and a few long ones that link them; some kept apart.
Problem<> linked(Random& random) {
  Problem<> problem;
  for (int k = 0; k < 18; ++k) {
    const std::int64_t lower = random.between(0, 30);
    const std::int64_t width =
        k < 14 ? random.between(1, 5) : random.between(8, 20);
    problem.buffers.push_back({{lower, lower + width}, random.between(1, 6)});
  }
  if (random.chance(50)) add_apart(problem, random);
  if (random.chance(50)) add_may_overlap(problem, random);
  if (random.chance(50)) add_gaps(problem, 20, random);
  return problem;
}

}  // namespace

//      0       4 5       9
//      +-------+ .       .
//      |   0   | .       .      1 is the only link between 0 and 2, 3
//      +-------+-+-------+
//      |        1        |
//      +---------+-------+
//      .         |   2   |
//      .         +-------+
//      .         |   3   |
//      .         +-------+
TEST_CASE("body parts: what falls apart when a link is placed",
          "[body_parts]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 9}, 1}, {{5, 9}, 4}, {{5, 9}, 5}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  BodyWalker walker(components[0], 30);
  BodyState& state = walker.state;
  BodyParts parts(components[0], walker.memory);
  const BodyPart all = parts.start(state);
  CHECK(parts.size() == 0);
  check_part(state, parts, all);
  CHECK(all.unplaced == 4);
  REQUIRE(state.place(1, 0) == state.nobody());
  const Key rest = key_of(state, {0, 2, 3});
  const auto mark = parts.mark();
  SECTION("the smaller part first") {
    parts.split(state, all, rest, 1, true);
    REQUIRE(parts.size() == 2);
    CHECK(unplaced_of(state, parts, parts[0]) == Set{0});
    CHECK(unplaced_of(state, parts, parts[1]) == Set{2, 3});
    for (const std::size_t k : {0U, 1U}) check_part(state, parts, parts[k]);
  }
  SECTION("unless it may not") {
    parts.split(state, all, rest, 1, false);
    REQUIRE(parts.size() == 1);
    CHECK(unplaced_of(state, parts, parts[0]) == Set{0, 2, 3});
    check_part(state, parts, parts[0]);
  }
  SECTION("taken back") {
    parts.split(state, all, rest, 1, true);
    parts.shrink(mark);
    CHECK(parts.size() == 0);
    parts.split(state, all, rest, 1, true);
    CHECK(unplaced_of(state, parts, parts[1]) == Set{2, 3});
  }
  SECTION("nothing is left of a part of one") {
    parts.split(state, all, rest, 1, true);
    const BodyPart one = parts[0];
    REQUIRE(state.place(0, 1) == state.nobody());
    for (const bool decompose : {false, true})
      parts.split(state, one, Key{}, 0, decompose);
    CHECK(parts.size() == 2);
  }
}

TEST_CASE("body parts: links that lead back to lower numbers", "[body_parts]") {
  // Kept apart, though never live together: a chain of one of the first 64 bodies
  // and one of the others in turn, so that it leads from each word of a set to the
  // other one. Lives make no such chain: two that meet a later one meet each other.
  Problem<> problem;
  for (std::int64_t k = 0; k < 128; ++k)
    problem.buffers.push_back({{2 * k, 2 * k + 1}, 1});
  const auto link = [](std::size_t k) { return k / 2 + 64 * (k % 2); };
  for (std::size_t k = 0; k + 1 < 128; ++k)
    problem.apart.push_back({link(k), link(k + 1)});
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  REQUIRE(components[0].size == 128);
  BodyWalker walker(components[0], 1000);
  BodyState& state = walker.state;
  BodyParts parts(components[0], walker.memory);
  const BodyPart all = parts.start(state);
  Set rest;
  for (Index x = 1; x < 128; ++x) rest.insert(x);
  REQUIRE(state.place(0, 0) == state.nobody());
  parts.split(state, all, key_of(state, rest), 0, true);
  REQUIRE(parts.size() == 1);
  CHECK(unplaced_of(state, parts, parts[0]) == rest);
}

TEST_CASE("body parts: a skip is another state", "[body_parts]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 9}, 1}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 9);
  BodyParts parts(components[0], walker.memory);
  const BodyPart before = parts.start(walker.state);
  walker.state.skip(1);
  const BodyPart after = parts.start(walker.state);
  CHECK_FALSE(before.key == after.key);
  CHECK(after.words == 0);
}

TEST_CASE("body parts: are what relations link", "[body_parts]") {
  std::size_t splits = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    Random random(seed);
    const auto bodies = bodies_of(linked(random));
    for (const Component& component : components_of(bodies)) {
      if (component.size < 4) continue;
      BodyWalker walker(component, 1000);
      BodyState& state = walker.state;
      BodyParts parts(component, walker.memory);
      BodyPart part = parts.start(state);
      // One path: always on with one of the parts of the last placement.
      while (part.unplaced > 0) {
        check_part(state, parts, part);
        const Set before = unplaced_of(state, parts, part);
        auto chosen = before.begin();
        std::advance(chosen, random.between(std::size_t{0}, before.size() - 1));
        Key rest = part.key;
        const Key key = state.key;
        REQUIRE(state.place(*chosen, state.candidate(*chosen)) ==
                state.nobody());
        rest += state.key;
        rest -= key;
        Set left = before;
        left.erase(*chosen);
        const std::size_t first = parts.size();
        parts.split(state, part, rest, *chosen, true);
        std::set<Set> found;
        for (std::size_t k = first; k < parts.size(); ++k) {
          check_part(state, parts, parts[k]);
          found.insert(unplaced_of(state, parts, parts[k]));
          if (k > first) REQUIRE(parts[k - 1].unplaced <= parts[k].unplaced);
        }
        REQUIRE(found == pieces_of(state, left));
        REQUIRE(parts.size() - first == found.size());
        if (found.size() > 1) ++splits;
        if (found.empty()) break;
        part = parts[random.between(first, parts.size() - 1)];
      }
    }
  }
  CHECK(splits > at_least(100U));
}

}  // namespace body_parts_test
