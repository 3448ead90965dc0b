// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/plain.hpp"

#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace plain_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Plain;
using Sections = snug::Interval<Index>;
using SectionsOfEach = snug::detail::List<Sections>;
using Order = snug::detail::List<Index>;

namespace {

template <class T>
snug::Problem<T, T> problem_of(std::vector<std::tuple<int, int, int>> buffers) {
  snug::Problem<T, T> problem;
  for (const auto& [lower, upper, size] : buffers)
    problem.buffers.push_back(make_buffer<T, T>(lower, upper, size));
  return problem;
}

/// Sections and buffers of each partition.
std::vector<std::pair<Sections, Sections>> parts_of(const Plain& plain) {
  std::vector<std::pair<Sections, Sections>> parts;
  for (const snug::detail::Partition& partition : plain.partitions)
    parts.emplace_back(partition.sections, partition.buffers);
  return parts;
}
using Parts = std::vector<std::pair<Sections, Sections>>;

/// The maximal sets of buffers live together, in order of time: the sets at
/// all starts, without those that another one contains.
std::vector<std::set<Index>> sections_by_definition(
    const snug::Problem<>& problem) {
  std::vector<std::int64_t> times;
  for (const auto& buffer : problem.buffers)
    times.push_back(buffer.lifespan.lower);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<std::set<Index>> live;
  for (const std::int64_t time : times) {
    std::set<Index> now;
    for (Index i = 0; i < problem.buffers.size(); ++i) {
      const auto& buffer = problem.buffers[i];
      if (buffer.size > 0 && buffer.lifespan.lower <= time &&
          time < buffer.lifespan.upper)
        now.insert(i);
    }
    live.push_back(now);
  }
  std::vector<std::set<Index>> result;
  for (const std::set<Index>& some : live) {
    const bool within = std::any_of(
        live.begin(), live.end(), [&](const std::set<Index>& other) {
          return some != other && std::includes(other.begin(), other.end(),
                                                some.begin(), some.end());
        });
    const bool repeated =
        std::find(result.begin(), result.end(), some) != result.end();
    if (!some.empty() && !within && !repeated) result.push_back(some);
  }
  return result;
}

}  // namespace

//      time      0     3           9                     21      30
//                +-----------------+                     .       .
//                |        b3       |                     .       .
//                +-----------------+---------------------+       .
//                |                  b5                   |       .
//                +-----+-----------+---------------------+-------+
//                | b1  |    b2     |         b4          |  b6   |
//                +-----+-----------+---------------------+-------+
//      sections     0        1                2              3
TEMPLATE_TEST_CASE("plain: the running example", "[plain]", std::int64_t,
                   std::int32_t) {
  const auto problem = problem_of<TestType>(
      {{0, 3, 4}, {3, 9, 4}, {0, 9, 4}, {9, 21, 4}, {0, 21, 4}, {21, 30, 4}});
  const Plain plain = plain_of(problem);
  CHECK(plain.sections == 4);
  CHECK(plain.spans ==
        SectionsOfEach{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}, {3, 4}});
  CHECK(plain.order == Order{0, 2, 4, 1, 3, 5});
  CHECK(parts_of(plain) == Parts{{{0, 3}, {0, 5}}, {{3, 4}, {5, 6}}});
}

TEST_CASE("plain: no buffers, no sections", "[plain]") {
  const Plain plain = plain_of(snug::Problem<>{});
  CHECK(plain.sections == 0);
  CHECK(plain.spans.empty());
  CHECK(plain.order.empty());
  CHECK(plain.partitions.empty());
  CHECK(plain.bytes() == 0);
}

//      0   2   4   6
//      +---+---+---+
//      | 0 | 1 | 2 |      touching ends: three partitions
//      +---+---+---+
TEST_CASE("plain: buffers that touch do not meet", "[plain]") {
  const Plain plain =
      plain_of(problem_of<std::int64_t>({{0, 2, 1}, {2, 4, 1}, {4, 6, 1}}));
  CHECK(plain.sections == 3);
  CHECK(plain.spans == SectionsOfEach{{0, 1}, {1, 2}, {2, 3}});
  CHECK(parts_of(plain) ==
        Parts{{{0, 1}, {0, 1}}, {{1, 2}, {1, 2}}, {{2, 3}, {2, 3}}});
}

//      0   2       6   8         a run of starts is one section, whatever the
//      +-----------+   .         time between them; so is a run of ends
//      |     0     |   .
//      +---+-------+---+
//      .   |     1     |
//      .   +-----------+
TEST_CASE("plain: starts without an end between them share a section",
          "[plain]") {
  const Plain plain =
      plain_of(problem_of<std::int64_t>({{0, 6, 1}, {2, 8, 1}}));
  CHECK(plain.sections == 1);
  CHECK(plain.spans == SectionsOfEach{{0, 1}, {0, 1}});
  CHECK(parts_of(plain) == Parts{{{0, 1}, {0, 2}}});
}

//      0       4 5       9
//      +-------+ .       .
//      |   0   | .       .
//      +-------+-+-------+
//      |        1        |     1 links both ends; nobody else does
//      +---------+-------+
//      .         |   2   |
//      .         +-------+
TEST_CASE("plain: a buffer that crosses links two sections", "[plain]") {
  auto problem = problem_of<std::int64_t>({{0, 4, 1}, {0, 9, 1}, {5, 9, 1}});
  Plain plain = plain_of(problem);
  CHECK(plain.sections == 2);
  CHECK(plain.spans == SectionsOfEach{{0, 1}, {0, 2}, {1, 2}});
  CHECK(parts_of(plain) == Parts{{{0, 2}, {0, 3}}});

  problem.buffers[1].lifespan.upper = 5;  // Alone from 4 to 5: no section.
  plain = plain_of(problem);
  CHECK(plain.sections == 2);
  CHECK(plain.spans == SectionsOfEach{{0, 1}, {0, 1}, {1, 2}});
  CHECK(parts_of(plain) == Parts{{{0, 1}, {0, 2}}, {{1, 2}, {2, 3}}});
}

//      0     3     6     9
//      +-----+     +-----+
//      |  0  |  1  |  2  |       1 has no size: as if it were not there
//      +-----+ - - +-----+
TEST_CASE("plain: buffers of size zero take part in nothing", "[plain]") {
  Plain plain =
      plain_of(problem_of<std::int64_t>({{0, 3, 2}, {1, 8, 0}, {6, 9, 2}}));
  CHECK(plain.sections == 2);
  CHECK(plain.spans[0] == Sections{0, 1});
  CHECK(plain.spans[1].empty());
  CHECK(plain.spans[2] == Sections{1, 2});
  CHECK(plain.order == Order{0, 2});
  CHECK(parts_of(plain) == Parts{{{0, 1}, {0, 1}}, {{1, 2}, {1, 2}}});

  plain = plain_of(problem_of<std::int64_t>({{0, 3, 0}, {1, 8, 0}}));
  CHECK(plain.sections == 0);
  CHECK(plain.partitions.empty());
  CHECK(plain.spans.size() == 2);
}

TEST_CASE("plain: buffers by span, size, alignment and index", "[plain]") {
  auto problem = problem_of<std::int64_t>({{0, 9, 5},    // 0
                                           {0, 4, 5},    // 1
                                           {0, 9, 3},    // 2
                                           {0, 9, 3},    // 3: aligned
                                           {0, 9, 3},    // 4: twin of 2
                                           {4, 9, 1}});  // 5
  problem.buffers[3].alignment = 2;
  const Plain plain = plain_of(problem);
  CHECK(plain.order == Order{1, 2, 4, 3, 0, 5});
}

TEMPLATE_TEST_CASE("plain: lifespans at the ends of the time type", "[plain]",
                   std::int64_t, std::int32_t) {
  constexpr TestType kMin = (std::numeric_limits<TestType>::min)();
  constexpr TestType kMax = (std::numeric_limits<TestType>::max)();
  snug::Problem<TestType, TestType> problem;
  problem.buffers = {
      {{kMax - 1, kMax}, 1}, {{kMin, kMax}, 1}, {{kMin, kMin + 1}, 1}};
  const Plain plain = plain_of(problem);
  CHECK(plain.sections == 2);
  CHECK(plain.spans == SectionsOfEach{{1, 2}, {0, 2}, {0, 1}});
  CHECK(parts_of(plain) == Parts{{{0, 2}, {0, 3}}});
}

TEST_CASE("plain: sections are the maximal sets live together", "[plain]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{12});
    shape.length = random.between(1, 20);
    shape.smallest = seed % 3 == 0 ? 0 : 1;
    const snug::Problem<> problem = uniform<>(shape, random);
    const Plain plain = plain_of(problem);
    CAPTURE(seed);

    std::vector<std::set<Index>> sections(plain.sections);
    for (Index i = 0; i < problem.buffers.size(); ++i)
      for (Index s = plain.spans[i].lower; s < plain.spans[i].upper; ++s)
        sections.at(s).insert(i);
    CHECK(sections == sections_by_definition(problem));
  }
}

TEST_CASE("plain: partitions are the runs that nobody crosses", "[plain]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{12});
    shape.length = random.between(1, 40);
    snug::Problem<> problem = uniform<>(shape, random);
    for (auto& buffer : problem.buffers)  // Short ones, for more partitions.
      buffer.lifespan.upper =
          (std::min)(buffer.lifespan.upper, buffer.lifespan.lower + 5);
    const Plain plain = plain_of(problem);
    CAPTURE(seed);

    const auto key = [&](Index i) {
      const auto& buffer = problem.buffers[i];
      return std::make_tuple(plain.spans[i].lower, plain.spans[i].upper,
                             buffer.size, buffer.alignment, i);
    };
    CHECK(std::is_sorted(plain.order.begin(), plain.order.end(),
                         [&](Index a, Index b) { return key(a) < key(b); }));

    // They tile the sections and the order, and every border is one that no
    // span crosses while every section inside is crossed.
    std::vector<bool> crossed(plain.sections + 1, false);
    for (const Sections& span : plain.spans)
      for (Index s = span.lower + 1; s < span.upper; ++s) crossed[s] = true;
    Index section = 0;
    Index buffer = 0;
    for (const snug::detail::Partition& partition : plain.partitions) {
      CHECK(partition.sections.lower == section);
      CHECK(partition.buffers.lower == buffer);
      CHECK_FALSE(crossed[section]);
      for (Index s = section + 1; s < partition.sections.upper; ++s)
        CHECK(crossed[s]);
      for (Index k = partition.buffers.lower; k < partition.buffers.upper; ++k)
        CHECK(partition.sections.contains(plain.spans[plain.order[k]]));
      section = partition.sections.upper;
      buffer = partition.buffers.upper;
    }
    CHECK(section == plain.sections);
    CHECK(buffer == problem.buffers.size());
  }
}

TEST_CASE("plain: the height is the largest top", "[plain]") {
  using snug::detail::height_of;
  snug::Problem<> problem;
  CHECK(height_of(plain_of(problem).buffers, {}) == 0);
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 2}, {{1, 2}, 0}, {{1, 2}, 3}};
  const Plain plain = plain_of(problem);
  CHECK(height_of(plain.buffers, {0, 4, 0, 0}) == 6);
  CHECK(height_of(plain.buffers, {2, 0, 0, 0}) == 6);
  CHECK(height_of(plain.buffers, {0, 4, 9, 0}) == 9);
}

TEST_CASE("plain: heights beyond the types of the problem", "[plain]") {
  snug::Problem<std::int8_t, std::int8_t> problem;
  problem.buffers = {{{0, 1}, 100}};
  const Plain plain = plain_of(problem);
  CHECK(snug::detail::height_of(plain.buffers, {100}) == 200);
  CHECK(snug::detail::height_of(plain.buffers, {1000}) == 1100);
}

TEST_CASE("plain: some of the buffers, in the order that is asked for",
          "[plain]") {
  const auto problem =
      problem_of<std::int64_t>({{0, 3, 4}, {3, 9, 5}, {0, 9, 6}, {9, 21, 7}});
  const Plain plain = plain_of(problem);
  const Plain some =
      snug::detail::subset_of(plain.buffers, std::vector<std::size_t>{3, 0});
  REQUIRE(some.buffers.size() == 2);
  CHECK(some.buffers[0].size == 7);
  CHECK(some.buffers[1].size == 4);
  CHECK(some.sections == 2);
  CHECK(some.order == Order{1, 0});
}

TEST_CASE("plain: the ground is the base, rounded up for each buffer",
          "[plain]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 4, 8}, {{0, 1}, 4, 4}};
  const auto ground_above = [&](std::int64_t base) {
    problem.base = base;
    return snug::detail::plain_ground(snug::detail::flatten(problem));
  };
  CHECK(ground_above(0) == 0);
  CHECK(ground_above(5) == 8);
  // The second one may begin at 4, the first one not below 8.
  CHECK_FALSE(ground_above(3));
}

TEST_CASE("plain: rounded up to an alignment", "[plain]") {
  using snug::detail::align_up;
  CHECK(align_up(0, 8) == 0);
  CHECK(align_up(1, 8) == 8);
  CHECK(align_up(8, 8) == 8);
  CHECK(align_up(9, 7) == 14);
  CHECK(align_up(5, std::int64_t{1} << 40) == std::int64_t{1} << 40);
}

}  // namespace plain_test
