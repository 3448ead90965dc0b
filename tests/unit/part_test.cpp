// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/part.hpp"

#include "support/catch.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace part_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Key;
using snug::detail::make_part;
using snug::detail::Part;
using snug::detail::Stack;

namespace {

using Span = snug::Interval<Index>;

/// The unplaced buffers of a part.
template <class Units>
std::vector<Index> unplaced_of(const Walker<Units>& walker, const Part& part) {
  std::vector<Index> result;
  for (const Index x : walker.unplaced())
    if (part.buffers.lower <= x && x < part.buffers.upper) result.push_back(x);
  return result;
}

template <class Units>
void check_part(const Walker<Units>& walker, const Part& part) {
  std::vector<Index> inside;
  Key key;
  for (const Index x : walker.unplaced()) {
    const Span span{walker.instance.lower[x], walker.instance.upper[x]};
    if (!part.sections.overlaps(span)) continue;
    REQUIRE(part.sections.contains(span));
    inside.push_back(x);
    key += walker.state.keys.term(x, walker.state.minimum[x],
                                  walker.state.is_skipped(x));
  }
  REQUIRE(unplaced_of(walker, part) == inside);
  REQUIRE(part.unplaced == inside.size());
  REQUIRE(part.key == key);
}

/// Many buffers that live for a short time, and a few that link them.
snug::Problem<> linked(Random& random) {
  snug::Problem<> problem;
  for (int k = 0; k < 18; ++k) {
    const std::int64_t lower = random.between(0, 30);
    const std::int64_t width =
        k < 14 ? random.between(1, 5) : random.between(8, 20);
    problem.buffers.push_back({{lower, lower + width}, random.between(1, 6)});
  }
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
TEST_CASE("part: what falls apart when a link is placed", "[part]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 9}, 1}, {{5, 9}, 4}, {{5, 9}, 5}};
  Walker<std::int32_t> walker(problem, 10);
  auto& state = walker.state;
  Stack<Part> parts(walker.memory, 0);
  const Part all = make_part(state, {0, 2});
  CHECK(all.buffers == Span{0, 4});
  check_part(walker, all);

  // A part in which a buffer is skipped is another state.
  const Key before = state.key;
  state.skip(0);
  const Part skipped = make_part(state, {0, 2});
  check_part(walker, skipped);
  CHECK(!(skipped.key == all.key));
  Key changed = all.key;
  changed += state.key;
  changed -= before;
  CHECK(skipped.key == changed);
  state.undo_to(0);
  state.key = before;

  state.place(1);
  const Part rest = make_part(state, {0, 2});
  CHECK(rest.unplaced == 3);
  SECTION("the smaller part first") {
    snug::detail::split(state, rest, 1, true, parts);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].sections == Span{0, 1});
    CHECK(parts[0].buffers == Span{0, 2});
    CHECK(parts[0].unplaced == 1);
    CHECK(parts[1].sections == Span{1, 2});
    CHECK(parts[1].buffers == Span{2, 4});
    CHECK(parts[1].unplaced == 2);
  }
  SECTION("unless it may not") {
    snug::detail::split(state, rest, 1, false, parts);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].sections == Span{0, 2});
    CHECK(parts[0].unplaced == 3);
    CHECK(parts[0].key == rest.key);
  }
  SECTION("parts without unplaced buffers are left out") {
    state.undo_to(0);
    state.place(0);
    state.place(1);
    snug::detail::split(state, make_part(state, {0, 2}), 1, true, parts);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].sections == Span{1, 2});
  }
  SECTION("and nothing at all when all is placed") {
    for (const Index x : {0U, 2U, 3U}) state.place(x);
    for (const bool decompose : {false, true})
      snug::detail::split(state, make_part(state, {0, 2}), 3, decompose, parts);
    CHECK(parts.empty());
  }
}

TEMPLATE_TEST_CASE("part: the maximal independent runs", "[part]", std::int32_t,
                   std::int64_t) {
  std::size_t splits = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const snug::Problem<> problem = linked(random);
    Walker<TestType> walker(problem, load_of(problem));
    auto& state = walker.state;
    Stack<Part> parts(walker.memory, 1);
    parts.push({});  // Those of nodes above stay as they are.
    // One path: always on with one of the parts of the last placement.
    Part part = make_part(state, {0, walker.instance.sections});
    while (part.unplaced > 0) {
      const std::vector<Index> left = unplaced_of(walker, part);
      std::vector<Index> eligible;
      for (const Index x : walker.candidates())
        if (std::count(left.begin(), left.end(), x) != 0) eligible.push_back(x);
      const Index x =
          eligible[random.between(std::size_t{0}, eligible.size() - 1)];
      Part rest = part;
      const Key before = state.key;
      state.place(x);
      rest.key += state.key;
      rest.key -= before;
      --rest.unplaced;
      check_part(walker, rest);

      parts.shrink(1);
      snug::detail::split(state, rest, x, true, parts);
      std::set<Index> covered;
      for (std::size_t k = 1; k < parts.size(); ++k) {
        const Part& piece = parts[k];
        REQUIRE(part.sections.contains(piece.sections));
        check_part(walker, piece);
        REQUIRE(piece.unplaced > 0);
        if (k > 1)  // Those of one size in order of time.
          REQUIRE(std::make_pair(parts[k - 1].unplaced,
                                 parts[k - 1].sections.lower) <
                  std::make_pair(piece.unplaced, piece.sections.lower));
        for (const Index y : unplaced_of(walker, piece))
          REQUIRE(covered.insert(y).second);
      }
      REQUIRE(covered.size() == rest.unplaced);
      if (parts.size() > 2) ++splits;
      if (parts.size() == 1) break;
      // Within x's span nobody is cut who is linked: no border is left.
      for (std::size_t k = 1; k < parts.size(); ++k)
        for (Index s = parts[k].sections.lower; s + 1 < parts[k].sections.upper;
             ++s)
          if (walker.instance.lower[x] <= s && s + 1 < walker.instance.upper[x])
            REQUIRE(state.crossing[s] > 0);
      part = parts[random.between(std::size_t{1}, parts.size() - 1)];
    }
  }
  CHECK(splits > 50);
}

}  // namespace part_test
