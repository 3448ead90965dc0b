// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/bodies.hpp"

#include "snug/bodies/body_builder.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

namespace bodies_test {

using namespace snug::testing;
using snug::End;
using snug::Interval;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::Index;
using snug::detail::Slab;

namespace {

Bodies build(const Problem<>& problem) {
  return snug::detail::BodyBuilder(snug::detail::flatten(problem)).build();
}

/// Sections, bytes, buffer and end of the slabs of a body, sorted.
using Box = std::tuple<Index, Index, std::int64_t, std::int64_t, Index, End>;
std::vector<Box> boxes_of(const Bodies& bodies, Index body) {
  std::vector<Box> result;
  const Interval<Index> slabs = bodies.bodies[body].slabs;
  for (Index k = slabs.lower; k < slabs.upper; ++k) {
    const Slab& slab = bodies.slabs[k];
    REQUIRE(slab.body == body);
    result.emplace_back(slab.sections.lower, slab.sections.upper,
                        slab.bytes.lower, slab.bytes.upper, slab.buffer,
                        slab.end);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The unit by its definition, from the largest number that could be.
std::int64_t unit_by_definition(const Problem<>& problem) {
  const auto tied = tied_of(problem);
  std::vector<std::int64_t> numbers = {problem.base};
  std::set<std::int64_t> steps;
  std::vector<std::int64_t> least(problem.buffers.size(), 0);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    least[tied.of[i]] = (std::min)(least[tied.of[i]], tied.delta[i]);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto& buffer = problem.buffers[i];
    numbers.push_back(buffer.size);
    numbers.push_back(tied.delta[i] - least[tied.of[i]]);
    if (buffer.offset) numbers.push_back(*buffer.offset);
    for (const auto& gap : buffer.gaps)
      if (gap.window) {
        numbers.push_back(gap.window->lower);
        numbers.push_back(gap.window->upper);
      }
    // The offsets that suit all members of a class, one period of them.
    std::int64_t period = problem.alignment;
    for (std::size_t j = 0; j < problem.buffers.size(); ++j)
      if (tied.of[j] == tied.of[i])
        period = std::lcm(period, problem.buffers[j].alignment);
    std::int64_t first = 0;
    const auto suits = [&](std::int64_t at) {
      for (std::size_t j = 0; j < problem.buffers.size(); ++j) {
        const std::int64_t offset = at + tied.delta[j] - least[tied.of[j]];
        if (tied.of[j] == tied.of[i] &&
            (offset % problem.buffers[j].alignment != 0 ||
             offset % problem.alignment != 0))
          return false;
      }
      return true;
    };
    while (!suits(first)) ++first;
    numbers.push_back(first);
    steps.insert(period);
  }
  for (const auto& reserved : problem.reserved) {
    numbers.push_back(reserved.bytes.lower);
    numbers.push_back(reserved.bytes.upper);
  }
  std::int64_t most = 0;
  for (const std::int64_t number : numbers) most = std::gcd(most, number);
  for (std::int64_t unit = most; unit > 1; --unit) {
    const bool fits =
        most % unit == 0 &&
        std::all_of(steps.begin(), steps.end(), [&](std::int64_t step) {
          return step % unit == 0 || unit % step == 0;
        });
    if (fits) return unit;
  }
  return 1;
}

}  // namespace

//     8 +-----+     +-----+      b: [0, 9) of 8 bytes, with a gap [3, 5), then
//       |  b  |     |     |      the window [4, 8) in [5, 9); a: [4, 9) of 2,
//     4 |     |     +-----+      b's alias at 2. So 1 and 2 begin with a in the
//     2 |     | +---+-----+      same section, 3 with the window.
//     0 +-----+ |    a    |
//               +---------+
TEST_CASE("bodies: gaps, windows and ties make slabs of one body", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 8}, {{4, 9}, 2}, {{0, 9}, 3}};
  problem.buffers[0].gaps = {{{5, 9}, Interval<std::int64_t>{4, 8}},
                             {{3, 5}, {}}};
  problem.buffers[0].end = End::kTop;
  problem.aliases = {{1, 0, 2}};
  const Bodies bodies = build(problem);
  CHECK(bodies.unit == 1);
  REQUIRE(bodies.bodies.size() == 2);
  CHECK(bodies.body_of == snug::detail::List<Index>{0, 0, 1});
  CHECK(bodies.delta == snug::detail::List<std::int64_t>{0, 2, 0});
  CHECK(bodies.bodies[0].extent == 8);
  CHECK(bodies.bodies[0].fixed == Body::kFree);
  REQUIRE(boxes_of(bodies, 0).size() == 3);
  const std::vector<Box> boxes = boxes_of(bodies, 0);
  const std::vector<Box> other = boxes_of(bodies, 1);
  REQUIRE(other.size() == 1);
  CHECK(std::get<0>(other[0]) == 0);
  CHECK(std::get<1>(other[0]) == bodies.sections);
  CHECK(boxes[0] == Box{0, 1, 0, 8, 0, End::kTop});
  CHECK(boxes[1] == Box{1, bodies.sections, 2, 4, 1, End::kAny});
  CHECK(boxes[2] ==
        Box{bodies.sections - 1, bodies.sections, 4, 8, 0, End::kTop});
  CHECK(bodies.bodies[0].width == 3 + 4 + 5);
  CHECK(bodies.bodies[0].area == 3 * 8 + 4 * 4 + 5 * 2);
}

TEST_CASE("bodies: the offset of a body is that of its lowest member",
          "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{1, 2}, 6}, {{2, 3}, 2}};
  problem.contiguous = {{2, 1, 0}};
  Bodies bodies = build(problem);
  CHECK(bodies.unit == 2);
  REQUIRE(bodies.bodies.size() == 1);
  CHECK(bodies.delta == snug::detail::List<std::int64_t>{4, 1, 0});
  CHECK(bodies.bodies[0].extent == 6);
  SECTION("a fixed member fixes it") {
    problem.buffers[1].offset = 10;
    bodies = build(problem);
    CHECK(bodies.bodies[0].fixed == 4);
  }
  SECTION("the base holds for the lowest") {
    problem.base = 6;
    bodies = build(problem);
    CHECK(bodies.bodies[0].first == 3);
  }
  SECTION("the grid suits all") {
    problem.buffers[0].alignment = 6;  // offset + 8
    problem.buffers[1].alignment = 4;  // offset + 2
    bodies = build(problem);
    CHECK(bodies.bodies[0].first * bodies.unit == 10);
    CHECK(bodies.bodies[0].step * bodies.unit == 12);
    problem.base = 11;
    bodies = build(problem);
    CHECK(bodies.bodies[0].first * bodies.unit == 22);
  }
}

TEST_CASE("bodies: reserved ranges are one fixed body", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2}, {{2, 6}, 2}};
  problem.reserved = {{{4, 8}, {}},
                      {{6, 10}, Interval<std::int64_t>{1, 3}},
                      {{2, 4}, Interval<std::int64_t>{8, 9}}};
  const Bodies bodies = build(problem);
  CHECK(bodies.unit == 2);
  REQUIRE(bodies.bodies.size() == 3);
  CHECK(bodies.bodies[2].fixed == 0);
  CHECK(bodies.bodies[2].extent == 0);
  const std::vector<Box> boxes = boxes_of(bodies, 2);
  REQUIRE(boxes.size() == 3);
  for (const Box& box : boxes) CHECK(std::get<4>(box) == Bodies::kNoBuffer);
  const Box always{0, bodies.sections, 2, 4, Bodies::kNoBuffer, End::kAny};
  CHECK(std::count(boxes.begin(), boxes.end(), always) == 1);
  // What is reserved when no buffer lives is in a section all the same.
  CHECK(std::get<0>(boxes.back()) > 0);
  CHECK(std::get<2>(boxes.back()) == 1);
}

TEST_CASE("bodies: without a section for all time is nowhere", "[bodies]") {
  Problem<> problem;
  problem.reserved = {{{4, 8}, {}}};
  CHECK(build(problem).slabs.empty());
  problem.buffers = {{{0, 4}, 0}};
  const Bodies bodies = build(problem);
  CHECK(bodies.slabs.empty());
  REQUIRE(bodies.bodies.size() == 2);
  CHECK(bodies.bodies[0].slabs.empty());
}

TEST_CASE("bodies: each pair kept apart has a section of its own", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{4, 5}, 4}, {{8, 9}, 0}, {{8, 9}, 6}};
  problem.buffers[1].gaps = {{{4, 5}, {}}};
  problem.buffers[0].end = End::kBottom;
  problem.apart = {{0, 1}, {1, 2}, {3, 1}};
  Bodies bodies = build(problem);
  CHECK(bodies.sections == 2 + 2);
  CHECK(boxes_of(bodies, 0) == std::vector<Box>{{0, 1, 0, 1, 0, End::kBottom},
                                                {2, 3, 0, 1, 0, End::kBottom}});
  CHECK(boxes_of(bodies, 1) == std::vector<Box>{{2, 3, 0, 2, 1, End::kAny},
                                                {3, 4, 0, 2, 1, End::kAny}});
  CHECK(boxes_of(bodies, 2).empty());
  SECTION("unless they are tied") {
    problem.aliases = {{1, 0, 2}};
    bodies = build(problem);
    CHECK(bodies.sections == 2 + 1);
    CHECK(boxes_of(bodies, 0) == std::vector<Box>{{0, 1, 0, 1, 0, End::kBottom},
                                                  {2, 3, 1, 3, 1, End::kAny}});
  }
}

// a and b live together, c is kept apart from both; d, tied to a, lives alone.
TEST_CASE("bodies: a clique of pairs has a section as well", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2}, {{1, 3}, 4}, {{5, 6}, 6}, {{8, 9}, 8}};
  problem.apart = {{0, 2}, {1, 2}};
  problem.aliases = {{3, 0, 0}};
  const Bodies bodies = build(problem);
  // Besides times: the clique, and the two pairs.
  REQUIRE(bodies.sections == bodies.times + 3);
  std::vector<Index> members;
  for (const Slab& slab : bodies.slabs)
    if (slab.sections.lower <= bodies.times &&
        slab.sections.upper > bodies.times)
      members.push_back(slab.buffer);
  CHECK(members == std::vector<Index>{0, 1, 2});
}

// a and b meet before the gap of a, b and c within it, and c and a after it.
TEST_CASE("bodies: a clique of who meet at one time or another", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 10}, 2}, {{1, 4}, 4}, {{3, 9}, 6}};
  problem.buffers[0].gaps = {{{2, 8}, {}}};
  const Bodies bodies = build(problem);
  REQUIRE(bodies.sections == bodies.times + 1);
  std::vector<Index> members;
  for (const Slab& slab : bodies.slabs)
    if (slab.sections.upper > bodies.times) members.push_back(slab.buffer);
  CHECK(members == std::vector<Index>{0, 1, 2});
  SECTION("but not if two of them never do") {
    problem.buffers[2].lifespan.upper = 8;
    const Bodies apart = build(problem);
    CHECK(apart.sections == apart.times);
  }
}

TEST_CASE("bodies: who shares a section has to be apart anyway", "[bodies]") {
  int cliques = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    Problem<> problem = draw_constrained(seed, 7);
    const std::size_t last = problem.buffers.size() - 1;
    // What check() refuses is taken back.
    const auto add = [&](auto& list, const auto& what) {
      list.push_back(what);
      if (!snug::check(problem).ok()) list.pop_back();
    };
    for (int k = 0; k < 6; ++k) {
      const auto a = random.between(std::size_t{0}, last);
      const auto b = random.between(std::size_t{0}, last);
      if (k < 3)
        add(problem.aliases, snug::Alias<>{a, b, random.between(0, 3)});
      add(random.chance(30) ? problem.may_overlap : problem.apart,
          snug::BufferPair{a, b});
    }
    if (!snug::check(problem).ok()) continue;
    CAPTURE(seed);
    const Bodies bodies = build(problem);
    const auto must_differ = [&](std::size_t i, std::size_t j) {
      const auto& x = problem.buffers[i];
      const auto& y = problem.buffers[j];
      for (const snug::BufferPair& pair : problem.apart)
        if ((pair.first == i && pair.second == j) ||
            (pair.first == j && pair.second == i))
          return true;
      for (auto time = (std::max)(x.lifespan.lower, y.lifespan.lower);
           time < (std::min)(x.lifespan.upper, y.lifespan.upper); ++time)
        if (bytes_at(x, time) == Interval<std::int64_t>{0, x.size} &&
            bytes_at(y, time) == Interval<std::int64_t>{0, y.size})
          return true;
      return false;
    };
    for (const Slab& x : bodies.slabs)
      for (const Slab& y : bodies.slabs) {
        if (x.sections.lower < bodies.times || !bodies.exclude(x, y) ||
            !x.sections.overlaps(y.sections) || y.buffer == Bodies::kNoBuffer)
          continue;
        REQUIRE(must_differ(x.buffer, y.buffer));
        REQUIRE(x.length() * bodies.unit == problem.buffers[x.buffer].size);
        ++cliques;
      }
  }
  CHECK(cliques > 1000);
}

TEST_CASE("bodies: who conflicts with whom", "[bodies]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 1}, 4}, {{0, 1}, 5}, {{0, 1}, 5}};
  problem.may_overlap = {{2, 0}};
  problem.aliases = {{3, 0, 0}};
  const Bodies bodies = build(problem);
  const auto slab_of = [&](Index buffer) {
    for (const Slab& slab : bodies.slabs)
      if (slab.buffer == buffer) return slab;
    return Slab{};
  };
  const auto conflict = [&](Index a, Index b) {
    CHECK(bodies.exclude(slab_of(a), slab_of(b)) ==
          bodies.exclude(slab_of(b), slab_of(a)));
    return bodies.exclude(slab_of(a), slab_of(b));
  };
  CHECK(conflict(0, 1));
  CHECK_FALSE(conflict(0, 2));
  CHECK(conflict(1, 2));
  CHECK_FALSE(conflict(0, 3));
  CHECK(conflict(2, 3));
}

TEST_CASE("bodies: the unit is the largest that there is", "[bodies]") {
  std::size_t above_one = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    Problem<> problem = draw_constrained(seed, 6);
    if (random.chance(70)) {
      // All in larger units, and perhaps an alignment that does not fit them.
      const std::int64_t factor = random.between(2, 12);
      for (auto& buffer : problem.buffers) {
        buffer.size *= factor;
        if (random.chance(70)) buffer.alignment *= factor;
        if (random.chance(10)) buffer.alignment = random.between(1, 30);
        if (random.chance(10)) buffer.hint = random.between(0, 3);
        if (buffer.hint) *buffer.hint *= factor;
        if (buffer.offset) *buffer.offset *= factor;
        for (auto& gap : buffer.gaps)
          if (gap.window)
            gap.window = Interval<std::int64_t>{gap.window->lower * factor,
                                                gap.window->upper * factor};
      }
      for (auto& alias : problem.aliases) alias.delta *= factor;
      for (auto& reserved : problem.reserved)
        reserved.bytes = {reserved.bytes.lower * factor,
                          reserved.bytes.upper * factor};
      problem.base *= factor;
      if (random.chance(50)) problem.alignment *= factor;
      if (!snug::check(problem).ok()) continue;
    }
    CAPTURE(seed);
    const std::int64_t expected = unit_by_definition(problem);
    REQUIRE(build(problem).unit == expected);
    if (expected > 1) ++above_one;
  }
  CHECK(above_one > 150);
}

TEST_CASE("bodies: occupy what their buffers do", "[bodies]") {
  // In each unit of time, the bytes of all slabs are those of the buffers.
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Problem<> problem = draw_constrained(seed, 7);
    const Bodies bodies = build(problem);
    CAPTURE(seed);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      const auto& buffer = problem.buffers[i];
      const Body& body = bodies.bodies[bodies.body_of[i]];
      REQUIRE(body.extent >= bodies.delta[i] + buffer.size / bodies.unit);
      double width = 0;
      double area = 0;
      for (std::size_t j = 0; j < problem.buffers.size(); ++j) {
        if (bodies.body_of[j] != bodies.body_of[i]) continue;
        const auto& other = problem.buffers[j];
        for (auto time = other.lifespan.lower; time < other.lifespan.upper;
             ++time) {
          const auto bytes = bytes_at(other, time);
          if (bytes.empty()) continue;
          width += 1;
          area +=
              static_cast<double>((bytes.upper - bytes.lower) / bodies.unit);
        }
      }
      REQUIRE(body.width == width);
      REQUIRE(body.area == area);
      // Every allowed offset suits all members, and the lowest is allowed.
      const auto fits = [&](std::int64_t at) {
        for (std::size_t j = 0; j < problem.buffers.size(); ++j) {
          if (bodies.body_of[j] != bodies.body_of[i]) continue;
          const std::int64_t offset = (at + bodies.delta[j]) * bodies.unit;
          if (offset < problem.base || offset % problem.alignment != 0 ||
              offset % problem.buffers[j].alignment != 0)
            return false;
        }
        return true;
      };
      for (std::int64_t at = 0; at <= body.first + 2 * body.step; ++at)
        REQUIRE(fits(at) ==
                (at >= body.first && (at - body.first) % body.step == 0));
      if (buffer.offset)
        REQUIRE((body.fixed + bodies.delta[i]) * bodies.unit == *buffer.offset);
    }
  }
}

/// Counts the questions, and gives up from one of them on.
struct Asked {
  int questions = 0;
  int last = 0;  ///< 0: never
  bool operator()() { return ++questions >= last && last > 0; }
};

/// How often it asks with the answer yes from question `last` on.
int ask(const snug::detail::Flat& flat, int last) {
  Asked asked;
  asked.last = last;
  (void)snug::detail::BodyBuilder(flat, snug::detail::Interrupt(asked))
      .build(snug::detail::CliqueScope::kNone);
  return asked.questions;
}

TEST_CASE("bodies: making them asks for each so many pairs kept apart") {
  constexpr std::size_t kCount = 3 * snug::detail::Interrupt::kElements;
  Problem<> problem;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto time = static_cast<std::int64_t>(i);
    problem.buffers.push_back({{time, time + 1}, 1});
  }
  const int without = ask(snug::detail::flatten(problem), 0);
  for (std::size_t i = 2; i < kCount; ++i) problem.apart.push_back({i - 2, i});
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const int with = ask(flat, 0);
  // Three for the pairs, and six for their slabs.
  CHECK(with == without + 9);
  // After a yes nothing is done that takes another question.
  for (int last = with - 8; last <= with; ++last)
    CHECK(ask(flat, last) == last);
}

TEST_CASE("bodies: making them asks for each so many gaps, and pairs") {
  constexpr std::size_t kCount = 3 * snug::detail::Interrupt::kElements;
  Problem<> problem;
  problem.buffers.resize(300, {{0, 2 * std::int64_t{kCount} + 1}, 1});
  SECTION("gaps") {
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto time = 2 * static_cast<std::int64_t>(i) + 1;
      problem.buffers[0].gaps.push_back({{time, time + 1}, {}});
    }
  }
  SECTION("pairs that may overlap, listed in any order") {
    Random random(1);
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto first = random.below(300);
      problem.may_overlap.push_back(
          {first, (first + random.between<std::size_t>(1, 299)) % 300});
    }
    const auto exempt = build(problem).exempt;
    REQUIRE(exempt.size() == 2 * kCount);
    CHECK(std::is_sorted(exempt.begin(), exempt.end()));
  }
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const int all = ask(flat, 0);
  CHECK(all >= 7);
  // After a yes nothing is done that takes another question.
  for (int last = 1; last <= all; ++last) CHECK(ask(flat, last) == last);
}

TEST_CASE("bodies: no time for cliques leaves all else") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{2, 3}, 4}, {{4, 5}, 5}};
  problem.apart = {{0, 1}, {1, 2}, {0, 2}};
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  using snug::detail::CliqueScope;
  Asked never;
  Asked at_once;
  at_once.last = 1;
  const auto build = [&](CliqueScope scope, Asked& asked) {
    return snug::detail::BodyBuilder(flat).build(scope, asked);
  };
  const auto all = build(CliqueScope::kOfPairs, never);
  const auto none = build(CliqueScope::kNone, never);
  const auto some = build(CliqueScope::kOfPairs, at_once);
  CHECK(all.sections == none.sections + 1);
  CHECK(some.sections == none.sections);
  CHECK(some.slabs.size() == none.slabs.size());
  CHECK(some.bodies.size() == 3);
}

}  // namespace bodies_test
