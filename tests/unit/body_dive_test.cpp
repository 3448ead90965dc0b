// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_dive.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/body_obstacles.hpp"
#include "snug/bodies/body_orders.hpp"
#include "snug/heuristics/dive.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace body_dive_test {

using namespace snug::testing;
using snug::End;
using snug::Interval;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::BodyBuilder;
using snug::detail::BodyDive;
using snug::detail::BodyObstacles;
using snug::detail::Dive;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::Slab;

namespace {

constexpr std::int64_t kHigh = 4000;
constexpr std::int64_t kNever = INT64_MAX;

const auto never = [] { return false; };

Bodies bodies_of(const Problem<>& problem) {
  return BodyBuilder(snug::detail::flatten(problem))
      .build(snug::detail::CliqueScope::kNone);
}

List<Index> shuffled(const Bodies& bodies, Random& random) {
  std::vector<Index> order(bodies.bodies.size());
  std::iota(order.begin(), order.end(), Index{0});
  random.shuffle(order);
  List<Index> result;
  for (const Index b : order) result.push_back(b);
  return result;
}

std::int64_t height_of(const Bodies& bodies,
                       const List<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (Index b = 0; b < offsets.size(); ++b)
    if (!bodies.bodies[b].is_fixed())
      height = std::max(height, offsets[b] + bodies.bodies[b].extent);
  return height;
}

/// By the definition, section by section and offset by offset. Not for ends.
class Naive {
 public:
  Naive(const Bodies& bodies, const List<Index>& order)
      : bodies_(bodies),
        level_(bodies.sections, 0),
        offset_(bodies.bodies.size(), -1),
        rank_(bodies.bodies.size(), 0) {
    for (Index k = 0; k < order.size(); ++k) rank_[order[k]] = k;
    for (Index k = 0; k < bodies.slabs.size(); ++k) {
      if (bodies.bodies[bodies.slabs[k].body].is_fixed())
        obstacles_.push_back(k);
    }
    std::sort(obstacles_.begin(), obstacles_.end(), [&](Index a, Index b) {
      return std::make_tuple(bytes(a).lower, bodies_.slabs[a].sections.lower) <
             std::make_tuple(bytes(b).lower, bodies_.slabs[b].sections.lower);
    });
    for (Index b = 0; b < offset_.size(); ++b)
      if (bodies.bodies[b].is_fixed() || bodies.bodies[b].slabs.empty())
        offset_[b] = bodies.bodies[b].is_fixed() ? bodies.bodies[b].fixed
                                                 : bodies.bodies[b].first;
  }

  std::vector<std::int64_t> run() {
    while (std::find(offset_.begin(), offset_.end(), -1) != offset_.end())
      step();
    return offset_;
  }

 private:
  using Valley = std::tuple<Index, Index, std::int64_t>;

  Interval<std::int64_t> bytes(Index slab) const {
    const Slab& one = bodies_.slabs[slab];
    const std::int64_t at = bodies_.bodies[one.body].fixed;
    return {at + one.bytes.lower, at + one.bytes.upper};
  }
  void raise(Interval<Index> span, std::int64_t to) {
    for (Index s = span.lower; s < span.upper; ++s)
      level_[s] = std::max(level_[s], to);
  }
  bool is_free(Index b, std::int64_t offset) const {
    const Body& body = bodies_.bodies[b];
    for (Index k = body.slabs.lower; k < body.slabs.upper; ++k) {
      const Slab& slab = bodies_.slabs[k];
      for (Index s = slab.sections.lower; s < slab.sections.upper; ++s)
        if (offset + slab.bytes.lower < level_[s]) return false;
      const Interval<std::int64_t> at{offset + slab.bytes.lower,
                                      offset + slab.bytes.upper};
      for (const Index obstacle : obstacles_)
        if (bodies_.slabs[obstacle].sections.overlaps(slab.sections) &&
            bytes(obstacle).overlaps(at))
          return false;
    }
    return true;
  }
  std::int64_t lowest(Index b) const {
    std::int64_t offset = bodies_.bodies[b].first;
    while (!is_free(b, offset)) offset += bodies_.bodies[b].step;
    return offset;
  }

  void step() {
    Valley lowest_valley;
    std::int64_t key = kNever;
    for (Index s = 0; s < level_.size();) {
      Index end = s;
      while (end < level_.size() && level_[end] == level_[s]) ++end;
      const Valley valley{s, end, level_[s]};
      if (rim(valley) > level_[s]) {
        const auto waits = waits_.find(valley);
        const std::int64_t until =
            waits == waits_.end() ? level_[s] : waits->second;
        if (until < key) {
          key = until;
          lowest_valley = valley;
        }
      }
      s = end;
    }
    if (joined_ < obstacles_.size() &&
        bytes(obstacles_[joined_]).lower <= key) {
      const Index obstacle = obstacles_[joined_++];
      raise(bodies_.slabs[obstacle].sections, bytes(obstacle).upper);
      return;
    }
    go_on(lowest_valley, key);
  }
  void go_on(const Valley& valley, std::int64_t key) {
    const Interval<Index> sections{std::get<0>(valley), std::get<1>(valley)};
    std::int64_t due = rim(valley);
    Index first = 0;
    bool is_any = false;
    for (const Slab& slab : bodies_.slabs) {
      if (offset_[slab.body] >= 0 || !sections.contains(slab.sections))
        continue;
      const std::int64_t at =
          std::max(key, lowest(slab.body) + slab.bytes.lower);
      if (at > due ||
          (at == due && (!is_any || rank_[slab.body] >= rank_[first])))
        continue;
      due = at;
      first = slab.body;
      is_any = true;
    }
    if (!is_any) return raise(sections, due);
    if (due > key) {
      waits_[valley] = due;
      return;
    }
    offset_[first] = lowest(first);
    const Body& body = bodies_.bodies[first];
    for (Index k = body.slabs.lower; k < body.slabs.upper; ++k)
      raise(bodies_.slabs[k].sections,
            offset_[first] + bodies_.slabs[k].bytes.upper);
  }
  std::int64_t rim(const Valley& valley) const {
    std::int64_t rim = kNever;
    if (std::get<0>(valley) > 0) rim = level_[std::get<0>(valley) - 1];
    if (std::get<1>(valley) < level_.size())
      rim = std::min(rim, level_[std::get<1>(valley)]);
    return rim;
  }

  const Bodies& bodies_;
  std::vector<std::int64_t> level_;
  std::vector<std::int64_t> offset_;
  std::vector<Index> rank_;
  std::vector<Index> obstacles_{};
  std::size_t joined_ = 0;
  std::map<Valley, std::int64_t> waits_{};
};

}  // namespace

TEST_CASE("body dive: places as the naive one does") {
  Random random(71);
  std::size_t with_obstacles = 0;
  std::size_t with_pieces = 0;
  for (int round = 0; round < effort(3000); ++round) {
    CAPTURE(round);
    Problem<> problem = uniform_constrained(
        random, random.between(std::size_t{1}, std::size_t{20}));
    for (auto& buffer : problem.buffers) buffer.end = End::kAny;
    const Bodies bodies = bodies_of(problem);
    const List<Index> order = shuffled(bodies, random);
    BodyDive dive(bodies);
    List<std::int64_t> offsets = bodies.fixed_offsets();
    REQUIRE(dive.run(order, kHigh, offsets, never));
    const std::vector<std::int64_t> expected = Naive(bodies, order).run();
    REQUIRE(vector_of(offsets) == expected);
    if (BodyObstacles(bodies).next() != nullptr) ++with_obstacles;
    if (bodies.slabs.size() > bodies.bodies.size()) ++with_pieces;
  }
  CHECK(with_obstacles > at_least<std::size_t>(1000));
  CHECK(with_pieces > at_least<std::size_t>(1500));
}

TEST_CASE("body dive: its placements are valid, and no higher than asked for") {
  Random random(72);
  std::size_t placed = 0;
  std::size_t with_ends = 0;
  for (int round = 0; round < effort(3000); ++round) {
    CAPTURE(round);
    const Problem<> problem = uniform_constrained(
        random, random.between(std::size_t{1}, std::size_t{40}));
    const Bodies bodies = bodies_of(problem);
    const List<Index> order = shuffled(bodies, random);
    BodyDive dive(bodies);
    List<std::int64_t> offsets = bodies.fixed_offsets();
    if (!dive.run(order, kHigh, offsets, never)) continue;
    ++placed;
    List<std::int64_t> of_buffers;
    bodies.write_offsets(offsets, of_buffers);
    REQUIRE(snug::validate(problem, kHigh * bodies.unit, vector_of(of_buffers))
                .ok());
    for (const auto& buffer : problem.buffers)
      if (buffer.end != End::kAny) {
        ++with_ends;
        break;
      }
    const std::int64_t height = height_of(bodies, offsets);
    if (height == 0) continue;
    const std::vector<std::int64_t> before = vector_of(offsets);
    REQUIRE(dive.run(order, height, offsets, never));
    REQUIRE(vector_of(offsets) == before);
    REQUIRE(!dive.run(order, height - 1, offsets, never));
  }
  CHECK(placed > at_least<std::size_t>(2500));
  CHECK(with_ends > at_least<std::size_t>(300));
}

TEST_CASE("body dive: without constraints it is the canonical dive") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 60, false));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> boxes = boxed.shuffled(random);
    Dive dive(boxed.boxes, boxed.memory);
    REQUIRE(dive.run(boxes.data(), Dive::kNoCeiling, never));
    const Bodies bodies = bodies_of(boxed.problem);
    List<Index> order;
    for (const Index x : boxes)
      order.push_back(bodies.body_of[boxed.boxes.input[x]]);
    BodyDive body_dive(bodies);
    List<std::int64_t> offsets = bodies.fixed_offsets();
    REQUIRE(body_dive.run(order, kHigh, offsets, never));
    List<std::int64_t> of_buffers;
    bodies.write_offsets(offsets, of_buffers);
    REQUIRE(vector_of(of_buffers) == boxed.unboxed(dive.offsets()));
  }
}

TEST_CASE("body dive: whom a fixed buffer of the top does not let place") {
  Problem<> problem;
  problem.buffers.resize(2);
  problem.buffers[0] = {{0, 4}, 10};
  problem.buffers[0].end = End::kTop;
  problem.buffers[0].offset = 5;
  problem.buffers[1] = {{0, 4}, 8};
  problem.buffers[1].end = End::kBottom;
  const Bodies bodies = bodies_of(problem);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Index> order = {0, 1};
  CHECK(!dive.run(order, kHigh, offsets, never));
}

TEST_CASE("body dive: what is fixed on every aligned address is passed soon") {
  // Each of those that are not fixed has to pass all the others.
  constexpr std::int64_t kFixed = 20000;
  Problem<> problem;
  for (std::int64_t k = 0; k < kFixed; ++k) {
    problem.buffers.push_back({{0, 4}, 8});
    problem.buffers.back().offset = 64 * k;
  }
  problem.buffers.push_back({{0, 2}, 8, 64});
  problem.buffers.push_back({{2, 4}, 60, 64});
  const Bodies bodies = bodies_of(problem);
  List<Index> order(bodies.bodies.size(), 0);
  for (Index b = 0; b < order.size(); ++b) order[b] = b;
  List<std::int64_t> offsets = bodies.fixed_offsets();
  BodyDive dive(bodies);
  REQUIRE(dive.run(order, snug::detail::kMaxTotal, offsets, never));
  for (const std::size_t i : {std::size_t{kFixed}, std::size_t{kFixed} + 1})
    CHECK(bodies.offset_of(static_cast<Index>(i), offsets[bodies.body_of[i]]) ==
          64 * kFixed);
  snug::detail::BodyObstacles obstacles(bodies);
  for (std::int64_t k = 0; k < kFixed; ++k) {
    const std::int64_t first = 64 / bodies.unit * k;
    CHECK(obstacles.end_of_met({0, 1}, {first, first + 1}) == first + 2);
  }
  CHECK(obstacles.looks() == kFixed);
  // The second time it is asked, while one of them passes the others, it stops.
  int asked = 0;
  offsets = bodies.fixed_offsets();
  CHECK(!BodyDive(bodies).run(order, snug::detail::kMaxTotal, offsets,
                              [&] { return ++asked > 1; }));
  CHECK(asked == 2);
}

TEST_CASE("body dive: the top lies above a fixed buffer of the bottom") {
  Problem<> problem;
  problem.buffers.resize(2);
  problem.buffers[0] = {{0, 4}, 10};
  problem.buffers[0].end = End::kBottom;
  problem.buffers[0].offset = 5;
  problem.buffers[1] = {{2, 6}, 3};
  problem.buffers[1].end = End::kTop;
  const Bodies bodies = bodies_of(problem);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Index> order = {0, 1};
  REQUIRE(dive.run(order, kHigh, offsets, never));
  CHECK(bodies.offset_of(1, offsets[1]) == 15);
}

TEST_CASE("body dive: the top waits for the bottom of its own time alone") {
  // If it waited for both others, the valley below it would be filled up meanwhile.
  Problem<> problem;
  problem.buffers.resize(3);
  problem.buffers[0] = {{0, 20}, 20};
  problem.buffers[0].end = End::kTop;
  for (std::size_t i = 1; i < 3; ++i) {
    problem.buffers[i] = {{20, 30}, 10};
    problem.buffers[i].end = End::kBottom;
  }
  const Bodies bodies = bodies_of(problem);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Index> order = {0, 1, 2};
  REQUIRE(dive.run(order, 20 / bodies.unit, offsets, never));
  CHECK(offsets[bodies.body_of[0]] == 0);
}

TEST_CASE("body dive: the top waits for the bottom of all of its time") {
  // The second of the bottom has to wait for what is fixed below it.
  Problem<> problem;
  problem.buffers.resize(4);
  problem.buffers[0] = {{0, 20}, 10};
  problem.buffers[0].end = End::kTop;
  problem.buffers[1] = {{10, 20}, 8};
  problem.buffers[2] = {{0, 10}, 4};
  for (std::size_t i = 1; i < 3; ++i) problem.buffers[i].end = End::kBottom;
  problem.buffers[3] = {{0, 10}, 16};
  problem.buffers[3].offset = 0;
  const Bodies bodies = bodies_of(problem);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Index> order = {0, 1, 2, 3};
  REQUIRE(dive.run(order, kHigh, offsets, never));
  const auto offset = [&](Index i) {
    return bodies.offset_of(i, offsets[bodies.body_of[i]]);
  };
  CHECK(offset(1) == 0);
  CHECK(offset(2) == 16);
  CHECK(offset(0) == 20);
}

TEST_CASE("body dive: a fixed top lets those of the bottom at other times be") {
  Problem<> problem;
  problem.buffers.resize(2);
  problem.buffers[0] = {{0, 4}, 10};
  problem.buffers[0].end = End::kTop;
  problem.buffers[0].offset = 5;
  problem.buffers[1] = {{4, 8}, 8};
  problem.buffers[1].end = End::kBottom;
  const Bodies bodies = bodies_of(problem);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Index> order = {0, 1};
  REQUIRE(dive.run(order, kHigh, offsets, never));
  CHECK(offsets[bodies.body_of[1]] == 0);
}

TEST_CASE("body dive: stops when told to") {
  const Problem<> problem =
      snug::benchmarks::exponential<>(20000, 10000, 20, 100, 1);
  const Bodies bodies = bodies_of(problem);
  Random random(1);
  const List<Index> order = shuffled(bodies, random);
  BodyDive dive(bodies);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  int asked = 0;
  CHECK(!dive.run(order, kHigh * kHigh, offsets, [&] { return ++asked == 3; }));
  CHECK(asked == 3);
  CHECK(dive.run(order, kHigh * kHigh, offsets, never));
}

TEST_CASE("body dive: obstacles that did not join") {
  Random random(73);
  std::size_t met = 0;
  for (int round = 0; round < effort(300); ++round) {
    Bodies bodies;
    bodies.sections = random.between(Index{1}, Index{3000});
    const auto draw_span = [&] {
      const Index lower = random.between(Index{0}, bodies.sections - 1);
      const Index most = random.chance(50) ? lower + 5 : bodies.sections;
      return Interval<Index>{
          lower, random.between(lower + 1, std::min(most, bodies.sections))};
    };
    const Index count = random.between(Index{0}, Index{60});
    for (Index b = 0; b < count; ++b) {
      Body body;
      body.fixed = random.between(std::int64_t{0}, std::int64_t{500});
      bodies.bodies.push_back(body);
      Slab slab;
      slab.sections = draw_span();
      slab.bytes.lower = random.between(std::int64_t{0}, std::int64_t{5});
      slab.bytes.upper =
          slab.bytes.lower + random.between(std::int64_t{1}, std::int64_t{40});
      slab.body = b;
      bodies.slabs.push_back(slab);
    }
    BodyObstacles obstacles(bodies);
    std::vector<BodyObstacles::Obstacle> all;
    for (; obstacles.next() != nullptr; obstacles.join_next())
      all.push_back(*obstacles.next());
    obstacles.restart();
    for (Index joined = 0; joined <= count; ++joined) {
      REQUIRE((obstacles.next() != nullptr) == (joined < count));
      for (int k = 0; k < 20; ++k) {
        const Interval<Index> span = draw_span();
        const std::int64_t at =
            random.between(std::int64_t{0}, std::int64_t{600});
        const Interval<std::int64_t> bytes{
            at, at + random.between(std::int64_t{1}, std::int64_t{60})};
        bool meets = false;
        bool is_end = false;
        const std::int64_t end = obstacles.end_of_met(span, bytes);
        for (Index o = joined; o < count; ++o) {
          const auto& one = all[o];
          if (!one.sections.overlaps(span) || !one.bytes.overlaps(bytes))
            continue;
          meets = true;
          is_end = is_end || one.bytes.upper == end;
        }
        REQUIRE(meets == (end != BodyObstacles::kNone));
        REQUIRE(is_end == meets);
        if (meets) ++met;
      }
      if (joined < count) obstacles.join_next();
    }
  }
  CHECK(met > at_least<std::size_t>(10000));
}

TEST_CASE("body dive: orders") {
  Problem<> problem;
  problem.buffers.resize(3);
  problem.buffers[0] = {{0, 2}, 30};
  problem.buffers[1] = {{1, 9}, 10};
  problem.buffers[2] = {{4, 9}, 20};
  const Bodies bodies = bodies_of(problem);
  const auto order = [&](const char* letters) {
    return vector_of(snug::detail::sort_bodies(bodies, letters));
  };
  CHECK(order("A") == std::vector<Index>{2, 1, 0});
  CHECK(order("Z") == std::vector<Index>{0, 2, 1});
  CHECK(order("W") == std::vector<Index>{1, 2, 0});
  CHECK(order("TZ") == std::vector<Index>{0, 1, 2});
}

TEST_CASE("body dive: later letters order those that are equal so far") {
  Random random(33);
  for (int round = 0; round < effort(300); ++round) {
    Problem<> problem;
    problem.buffers.resize(random.between(std::size_t{1}, std::size_t{40}));
    for (auto& buffer : problem.buffers) {
      const std::int64_t lower = random.between(0, 30);
      buffer = {{lower, lower + random.between(1, 3)}, random.between(1, 3)};
    }
    const Bodies bodies = bodies_of(problem);
    std::vector<Index> expected(problem.buffers.size());
    std::iota(expected.begin(), expected.end(), Index{0});
    std::stable_sort(expected.begin(), expected.end(), [&](Index a, Index b) {
      const Body& x = bodies.bodies[a];
      const Body& y = bodies.bodies[b];
      return x.width != y.width ? x.width > y.width : x.extent > y.extent;
    });
    CHECK(vector_of(snug::detail::sort_bodies(bodies, "WZ")) == expected);
  }
}

}  // namespace body_dive_test
