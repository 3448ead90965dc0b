// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/obstacle_dive.hpp"

#include "snug/heuristics/dive.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace obstacle_dive_test {

using namespace snug::testing;  // NOLINT(google-build-using-namespace)
using snug::Interval;
using snug::Problem;
using snug::detail::Boxes;
using snug::detail::Dive;
using snug::detail::Flat;
using snug::detail::FlatReserved;
using snug::detail::Index;
using snug::detail::Obstacle;
using snug::detail::ObstacleDive;
using snug::detail::ObstructedSpace;
using snug::detail::Plain;

namespace {

const auto never = [] { return false; };

/// A problem some of whose buffers are fixed where a dive places them, with ranges
/// that are reserved, and what the heuristics make of it.
struct Around {
  Around(const Problem<>& problem, std::uint64_t seed) {
    Random random(seed);
    flat = snug::detail::flatten(problem);
    const std::int64_t height = fix_some(problem, random);
    for (int k = random.between(0, 3); k > 0; --k) reserve(height, random);
    plain = snug::detail::Obstructed(flat, 0, {}).make_unbarred();
    boxes = snug::detail::make_boxes(plain, memory);
  }

  /// Fixes some buffers; returns the height of the placement.
  std::int64_t fix_some(const Problem<>& problem, Random& random) {
    Boxed boxed(problem);
    if (boxed.boxes.count == 0) return 1;
    Dive dive(boxed.boxes, boxed.memory);
    const std::vector<Index> order = boxed.shuffled(random);
    REQUIRE(dive.run(order.data(), Dive::kNoCeiling, never));
    const std::vector<std::int64_t> offsets = boxed.unboxed(dive.offsets());
    const int share = random.between(0, 2) * 30;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (!random.chance(share)) continue;
      flat.fixed.resize(offsets.size(), Flat::kNone);
      // Also where no free one can be, if alignments are coarse.
      flat.fixed[i] = offsets[i];
    }
    return dive.height();
  }

  void reserve(std::int64_t height, Random& random) {
    FlatReserved range;
    range.bytes.lower = random.between(std::int64_t{0}, height);
    range.bytes.upper =
        range.bytes.lower + random.between(std::int64_t{1}, std::int64_t{9});
    if (random.chance(70)) {
      range.lifespan.lower = random.between(std::int64_t{0}, std::int64_t{30});
      range.lifespan.upper = range.lifespan.lower +
                             random.between(std::int64_t{1}, std::int64_t{20});
    }
    flat.reserved.push_back(range);
  }

  Flat flat{};
  Plain plain{};
  snug::detail::Memory memory{};
  Boxes boxes{};
};

Interval<std::int64_t> in_units(Interval<std::int64_t> bytes,
                                std::int64_t unit) {
  return {bytes.lower / unit, (bytes.upper + unit - 1) / unit};
}

/// By the definition, one section after the other: the lowest valley first.
std::vector<std::int64_t> naive(const Around& a,
                                const std::vector<Index>& order) {
  const Boxes& boxes = a.boxes;
  std::vector<std::int64_t> level(boxes.sections, 0);
  std::vector<std::int64_t> offsets(boxes.count, -1);
  // The lowest obstacle above a floor in a span, in units; none: an empty one.
  const auto lowest_in = [&](Interval<Index> span, std::int64_t floor,
                             Interval<Index>& sections) {
    Interval<std::int64_t> lowest{0, 0};
    for (const Obstacle& obstacle : a.plain.obstacles) {
      const auto taken = in_units(obstacle.bytes, boxes.unit);
      if (!obstacle.sections.overlaps(span) || taken.upper <= floor) continue;
      if (!lowest.empty() && lowest.lower <= taken.lower) continue;
      lowest = taken;
      sections = obstacle.sections;
    }
    return lowest;
  };
  for (Index left = boxes.count; left > 0;) {
    const auto first = std::min_element(level.begin(), level.end());
    const std::int64_t floor = *first;
    const auto last = std::find_if(
        first, level.end(), [&](std::int64_t at) { return at != floor; });
    const Interval<Index> valley{static_cast<Index>(first - level.begin()),
                                 static_cast<Index>(last - level.begin())};
    const auto raise = [&](Interval<Index> span, std::int64_t to) {
      for (Index s = span.lower; s < span.upper; ++s) level[s] = to;
    };
    Interval<Index> sections;
    const auto goes = [&](Index x) {
      if (offsets[x] >= 0 || !valley.contains(boxes.span[x])) return false;
      const auto next = lowest_in(boxes.span[x], floor, sections);
      return next.empty() ||
             boxes.offset_at(floor, x) + boxes.size[x] <= next.lower;
    };
    const auto x = std::find_if(order.begin(), order.end(), goes);
    if (x != order.end()) {
      offsets[*x] = boxes.offset_at(floor, *x);
      raise(boxes.span[*x], offsets[*x] + boxes.size[*x]);
      --left;
      continue;
    }
    std::int64_t rim = std::numeric_limits<std::int64_t>::max();
    if (valley.lower > 0) rim = level[valley.lower - 1];
    if (valley.upper < level.size()) rim = std::min(rim, level[valley.upper]);
    const auto next = lowest_in(valley, floor, sections);
    if (next.empty() || next.lower >= rim) {
      raise(valley, rim);
    } else {
      raise({std::max(valley.lower, sections.lower),
             std::min(valley.upper, sections.upper)},
            next.upper);
    }
  }
  return offsets;
}

/// Whether no box meets another one or an obstacle.
bool is_placement(const Around& a, const std::int64_t* offsets) {
  const Boxes& boxes = a.boxes;
  const auto bytes = [&](Index x) {
    const std::int64_t at = offsets[x] * boxes.unit;
    return Interval<std::int64_t>{at, at + boxes.bytes[x]};
  };
  for (Index x = 0; x < boxes.count; ++x) {
    if (offsets[x] * boxes.unit % a.plain.buffers[boxes.input[x]].alignment !=
        0)
      return false;
    for (Index y = 0; y < x; ++y)
      if (boxes.span[x].overlaps(boxes.span[y]) && bytes(x).overlaps(bytes(y)))
        return false;
    for (const Obstacle& obstacle : a.plain.obstacles)
      if (boxes.span[x].overlaps(obstacle.sections) &&
          bytes(x).overlaps(obstacle.bytes))
        return false;
  }
  return true;
}

}  // namespace

TEST_CASE("obstacle dive: places as the naive one does") {
  std::size_t met = 0;
  std::size_t shared_units = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(20000); ++seed) {
    CAPTURE(seed);
    Around around(draw_any(seed, seed % 10 == 0 ? 80 : 20, seed % 3 == 0),
                  seed);
    const Boxes& boxes = around.boxes;
    if (boxes.count == 0) continue;
    Random random(seed);
    std::vector<Index> order(boxes.count);
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(order);
    const ObstructedSpace space(around.plain, boxes);
    ObstacleDive dive(boxes, around.memory, space);
    REQUIRE(dive.run(order.data(), ObstacleDive::kNoCeiling, never));
    const std::vector<std::int64_t> expected = naive(around, order);
    std::int64_t height = 0;
    for (Index x = 0; x < boxes.count; ++x) {
      CAPTURE(x);
      REQUIRE(dive.offsets()[x] == expected[x]);
      height = std::max(height, boxes.top(expected[x], x));
    }
    REQUIRE(dive.height() == height);
    REQUIRE(is_placement(around, dive.offsets()));
    REQUIRE(dive.run(order.data(), height, never));
    REQUIRE(!dive.run(order.data(), height - 1, never));
    if (!around.plain.obstacles.empty()) ++met;
    for (const Obstacle& obstacle : around.plain.obstacles)
      if (obstacle.bytes.lower % boxes.unit != 0) ++shared_units;
  }
  CHECK(met > at_least<std::size_t>(10000));
  CHECK(shared_units > at_least<std::size_t>(2000));
}

TEST_CASE("obstacle dive: the lowest obstacle above a floor") {
  std::size_t found = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Plain plain;
    plain.sections = random.between(Index{1}, Index{3000});
    const auto draw_span = [&] {
      const Index lower = random.between(Index{0}, plain.sections - 1);
      const Index most = random.chance(50) ? lower + 5 : plain.sections;
      return Interval<Index>{
          lower, random.between(lower + 1, (std::min)(most, plain.sections))};
    };
    const std::int64_t unit = random.between(std::int64_t{1}, std::int64_t{3});
    std::int64_t lower = 0;
    for (int k = random.between(0, 60); k > 0; --k) {
      lower += random.between(std::int64_t{0}, std::int64_t{9});
      plain.obstacles.push_back(
          {draw_span(),
           {lower, lower + random.between(std::int64_t{1}, std::int64_t{40})}});
    }
    const snug::detail::ObstacleList list(plain, unit);
    for (int k = 0; k < 200; ++k) {
      const Interval<Index> span = draw_span();
      const std::int64_t floor = random.between(std::int64_t{0}, lower / unit);
      Index expected = 0;
      for (; expected < plain.obstacles.size(); ++expected)
        if (plain.obstacles[expected].sections.overlaps(span) &&
            in_units(plain.obstacles[expected].bytes, unit).upper > floor)
          break;
      const bool is_any = expected < plain.obstacles.size();
      REQUIRE(list.lowest(span, floor, 0) ==
              (is_any ? expected : snug::detail::ObstacleList::kNothing));
      ++(is_any ? found : none);
    }
  }
  CHECK(found > at_least<std::size_t>(10000));
  CHECK(none > at_least<std::size_t>(10000));
}

TEST_CASE("obstacle dive: without obstacles it is the dive") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 60, seed % 3 == 0));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    Dive dive(boxed.boxes, boxed.memory);
    const ObstructedSpace space(boxed.plain, boxed.boxes);
    ObstacleDive around(boxed.boxes, boxed.memory, space);
    REQUIRE(dive.run(order.data(), Dive::kNoCeiling, never));
    REQUIRE(around.run(order.data(), Dive::kNoCeiling, never));
    REQUIRE(boxed.unboxed(around.offsets()) == boxed.unboxed(dive.offsets()));
  }
}

TEST_CASE("obstacle dive: stops when told to") {
  Boxed boxed(snug::benchmarks::exponential<>(2000, 1000, 20, 100, 1));
  Random random(1);
  const std::vector<Index> order = boxed.shuffled(random);
  const ObstructedSpace space(boxed.plain, boxed.boxes);
  ObstacleDive dive(boxed.boxes, boxed.memory, space);
  int asked = 0;
  CHECK(
      !dive.run(order.data(), Dive::kNoCeiling, [&] { return ++asked == 30; }));
  CHECK(asked == 30);
  CHECK(dive.run(order.data(), Dive::kNoCeiling, never));
}

}  // namespace obstacle_dive_test
