// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_fit.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_fit_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::BodyBuilder;
using snug::detail::BodyFit;
using snug::detail::Index;
using snug::detail::Interrupt;
using snug::detail::Keep;
using snug::detail::List;
using snug::detail::Slab;

constexpr std::int64_t kHigh = 1000;

Bodies bodies_of(const Problem<>& problem) {
  return BodyBuilder(snug::detail::flatten(problem)).build();
}

List<std::int64_t> buffer_offsets(const Bodies& bodies,
                                  const List<std::int64_t>& offsets) {
  List<std::int64_t> result;
  bodies.write_offsets(offsets, result);
  return result;
}

const auto never = [] { return false; };

}  // namespace

namespace {

/// Whether a body may be at an offset, beside those that have a place.
bool may_be_at(const Bodies& bodies, Index b, std::int64_t offset,
               const List<std::int64_t>& offsets,
               const std::vector<bool>& placed) {
  const auto slabs = bodies.bodies[b].slabs;
  for (Index k = slabs.lower; k < slabs.upper; ++k)
    for (const Slab& other : bodies.slabs) {
      const Slab& slab = bodies.slabs[k];
      if (!placed[other.body] || !bodies.exclude(other, slab) ||
          !slab.sections.overlaps(other.sections))
        continue;
      const auto apart = snug::detail::forbidden(other, slab);
      const std::int64_t difference = offset - offsets[other.body];
      if (apart.lower < difference && difference < apart.upper) return false;
    }
  return true;
}

std::int64_t lowest_offset(const Bodies& bodies, Index b,
                           const List<std::int64_t>& offsets,
                           const std::vector<bool>& placed) {
  std::int64_t offset = bodies.bodies[b].first;
  while (offset <= kHigh && !may_be_at(bodies, b, offset, offsets, placed))
    offset += bodies.bodies[b].step;
  return offset;
}

}  // namespace

TEST_CASE("first fit gives placements in every order") {
  Random random(41);
  int placed = 0;
  for (int round = 0; round < effort(900); ++round) {
    const Problem<> problem = uniform_constrained(random, 12);
    const Bodies bodies = bodies_of(problem);
    BodyFit fit(bodies);
    for (const auto order : {BodyFit::Order::kArea, BodyFit::Order::kExtent}) {
      List<std::int64_t> offsets = bodies.fixed_offsets();
      List<Keep> keep(offsets.size(), Keep::kNo);
      for (Index b = 0; b < offsets.size(); ++b) {
        const Body& body = bodies.bodies[b];
        if (body.fixed != Body::kFree) continue;
        offsets[b] = body.first + body.step * random.between(0, 9);
        if (random.below(2) == 0) keep[b] = Keep::kIfFree;
      }
      if (!fit.place(order, kHigh, keep, offsets, never)) continue;
      ++placed;
      CHECK(snug::validate(problem, kHigh * bodies.unit,
                           vector_of(buffer_offsets(bodies, offsets)))
                .ok());
    }
  }
  CHECK(placed > at_least(1500));
}

// So long that time is cut into more blocks than usual.
TEST_CASE("first fit of a long problem: all lie on others") {
  Random random(40);
  Problem<> problem;
  for (std::int64_t k = 0; k < 60'000; ++k)
    problem.buffers.push_back(
        {{2 * k, 2 * (k + random.between(0, 20)) + 1}, random.between(1, 50)});
  const Bodies bodies = bodies_of(problem);
  REQUIRE(bodies.sections > 1U << 15);
  List<std::int64_t> offsets = bodies.fixed_offsets();
  const List<Keep> keep(offsets.size(), Keep::kNo);
  REQUIRE(BodyFit(bodies).place(BodyFit::Order::kArea, kHigh, keep, offsets,
                                never));
  CHECK(snug::validate(problem, kHigh, vector_of(offsets)).ok());
  std::size_t lying = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    bool lies = offsets[i] == 0;
    for (std::size_t j = i < 20 ? 0 : i - 20;
         j < problem.buffers.size() && j <= i + 20; ++j)
      lies =
          lies ||
          (offsets[j] + problem.buffers[j].size == offsets[i] &&
           problem.buffers[j].lifespan.overlaps(problem.buffers[i].lifespan));
    lying += lies ? 1 : 0;
  }
  CHECK(lying == problem.buffers.size());
}

TEST_CASE("first fit takes the lowest offset, the largest first") {
  Random random(42);
  std::size_t most = 0;
  for (int round = 0; round < effort(60); ++round) {
    const Problem<> problem = uniform_constrained(random, 60);
    const Bodies bodies = bodies_of(problem);
    const Index count = static_cast<Index>(bodies.bodies.size());
    std::vector<Index> order;
    for (Index b = 0; b < count; ++b) order.push_back(b);
    std::stable_sort(order.begin(), order.end(), [&](Index x, Index y) {
      return bodies.bodies[x].area > bodies.bodies[y].area;
    });
    List<std::int64_t> expected = bodies.fixed_offsets();
    std::vector<bool> is_placed(count, false);
    for (Index b = 0; b < count; ++b)
      is_placed[b] = bodies.bodies[b].fixed != Body::kFree;
    bool has_ends = false;
    for (const Slab& slab : bodies.slabs)
      has_ends = has_ends || slab.end != snug::End::kAny;
    if (has_ends) continue;  // They come in an order of their own.
    bool fits = true;
    for (const Index b : order) {
      if (is_placed[b] || !fits) continue;
      expected[b] = lowest_offset(bodies, b, expected, is_placed);
      fits = expected[b] + bodies.bodies[b].extent <= kHigh;
      is_placed[b] = true;
    }
    List<std::int64_t> offsets = bodies.fixed_offsets();
    const List<Keep> keep(count, Keep::kNo);
    REQUIRE(BodyFit(bodies).place(BodyFit::Order::kArea, kHigh, keep, offsets,
                                  never) == fits);
    if (fits) CHECK(offsets == expected);
    most = std::max(most, bodies.slabs.size());
  }
  CHECK(most > 60);
}

TEST_CASE("first fit keeps what may stay and respects the capacity") {
  Problem<> problem;
  problem.buffers.push_back({{0, 4}, 4});
  problem.buffers.push_back({{0, 4}, 2});
  problem.buffers.push_back({{0, 4}, 3});
  problem.buffers[0].offset = 1;
  const Bodies bodies = bodies_of(problem);
  BodyFit fit(bodies);
  const auto place = [&](std::int64_t capacity, Keep second, Keep third,
                         List<std::int64_t>& offsets) {
    return fit.place(BodyFit::Order::kArea, capacity,
                     {Keep::kNo, second, third}, offsets, never);
  };
  for (const Keep kind : {Keep::kIfFree, Keep::kUnlessTaken}) {
    // The second stays where it is; the third would meet the fixed one.
    List<std::int64_t> offsets = {1, 7, 3};
    CHECK(place(12, kind, kind, offsets));
    CHECK(offsets == List<std::int64_t>{1, 7, 9});
    offsets = {1, 7, 3};
    CHECK(!place(11, kind, kind, offsets));
    // Above the capacity nothing is kept.
    offsets = {1, 7, 3};
    CHECK(place(10, Keep::kNo, kind, offsets));
    CHECK(offsets == List<std::int64_t>{1, 8, 5});
    offsets = {1, 20, 3};
    CHECK(place(10, kind, Keep::kNo, offsets));
    CHECK(offsets == List<std::int64_t>{1, 8, 5});
  }
  // Of two that meet, the first one stays; what stays in any case comes before.
  List<std::int64_t> offsets = {1, 7, 8};
  CHECK(place(12, Keep::kIfFree, Keep::kIfFree, offsets));
  CHECK(offsets == List<std::int64_t>{1, 7, 9});
  offsets = {1, 7, 8};
  CHECK(place(12, Keep::kUnlessTaken, Keep::kYes, offsets));
  CHECK(offsets == List<std::int64_t>{1, 5, 8});
  const List<Keep> none(3, Keep::kNo);
  CHECK(!fit.place(BodyFit::Order::kArea, 10, none, offsets,
                   [] { return true; }));
}

TEST_CASE("first fit of bodies lists who does not fit, one after the other") {
  Random random(47);
  int listed = 0;
  for (int round = 0; round < effort(1500); ++round) {
    CAPTURE(round);
    const Problem<> problem = uniform_constrained(random, 12);
    const Bodies bodies = bodies_of(problem);
    BodyFit fit(bodies);
    BodyFit one_by_one(bodies);
    const std::int64_t capacity = random.between(4, 12);
    std::vector<BodyFit::Ranked> ranked;
    for (Index b = 0; b < bodies.bodies.size(); ++b) {
      if (bodies.bodies[b].is_fixed())
        one_by_one.add(b);
      else
        ranked.push_back({fit.rank_of(b), bodies.bodies[b].area, b});
    }
    std::sort(ranked.begin(), ranked.end());
    const List<Keep> keep(bodies.bodies.size(), Keep::kNo);
    List<std::int64_t> expected = bodies.fixed_offsets();
    std::vector<Index> misfits;
    std::size_t end = ranked.size();
    for (std::size_t k = 0; k < end; ++k) {
      if (one_by_one.put(ranked[k].body, capacity, expected)) continue;
      const std::size_t before = keep.size() - ranked.size() + k;
      if (misfits.empty()) end = (std::min)(end, k + before);
      misfits.push_back(ranked[k].body);
    }
    List<std::int64_t> offsets = bodies.fixed_offsets();
    List<Index> found;
    CHECK(fit.place<true>(BodyFit::Order::kArea, capacity, keep, offsets, never,
                          &found) == misfits.empty());
    CHECK(vector_of(found) == misfits);
    if (misfits.empty()) CHECK(offsets == expected);
    listed += misfits.size() > 1 ? 1 : 0;
  }
  CHECK(listed > at_least(100));
}

TEST_CASE("first fit of bodies lists no misfits if they are many") {
  for (const std::size_t count : {std::size_t{40}, std::size_t{80}}) {
    CAPTURE(count);
    // Of the smaller ones, which come last, none fits beside the long one.
    Problem<> problem;
    problem.buffers.push_back({{0, 1000}, 10});
    for (std::int64_t t = 1; t < static_cast<std::int64_t>(count); ++t)
      problem.buffers.push_back({{1000 * t, 1000 * t + 500}, 10});
    for (std::int64_t t = 0; t < 200; ++t)
      problem.buffers.push_back({{t, t + 1}, 1});
    const Bodies bodies = bodies_of(problem);
    List<std::int64_t> offsets = bodies.fixed_offsets();
    const List<Keep> keep(offsets.size(), Keep::kNo);
    List<Index> found;
    CHECK(!BodyFit(bodies).place<true>(BodyFit::Order::kArea, 10, keep, offsets,
                                       never, &found));
    CHECK(found.size() == (count <= BodyFit::kMostMisfits ? count : 0));
  }
}

namespace {

bool is_top(const Bodies& bodies, Index b) {
  const auto slabs = bodies.bodies[b].slabs;
  bool result = slabs.lower < slabs.upper;
  for (Index k = slabs.lower; k < slabs.upper; ++k)
    result = result && bodies.slabs[k].end == End::kTop;
  return result && bodies.bodies[b].fixed == Body::kFree;
}

}  // namespace

TEST_CASE("first fit raises tops to the highest offset, the highest first") {
  Random random(43);
  int raised = 0;
  for (int round = 0; round < effort(1500); ++round) {
    const Problem<> problem = uniform_constrained(random, 12);
    const Bodies bodies = bodies_of(problem);
    BodyFit fit(bodies);
    List<std::int64_t> offsets = bodies.fixed_offsets();
    const List<Keep> keep(offsets.size(), Keep::kNo);
    if (!fit.place(BodyFit::Order::kArea, kHigh, keep, offsets, never))
      continue;
    std::int64_t capacity = random.between(0, 20);
    std::vector<Index> tops;
    for (Index b = 0; b < offsets.size(); ++b) {
      capacity = std::max(capacity, offsets[b] + bodies.bodies[b].extent);
      if (is_top(bodies, b)) tops.push_back(b);
    }
    std::stable_sort(tops.begin(), tops.end(),
                     [&](Index a, Index b) { return offsets[a] > offsets[b]; });
    const std::vector<bool> all(offsets.size(), true);
    List<std::int64_t> expected = offsets;
    for (const Index b : tops) {
      const Body& body = bodies.bodies[b];
      for (std::int64_t at = expected[b]; at <= capacity - body.extent;
           at += body.step)
        if (may_be_at(bodies, b, at, expected, all)) expected[b] = at;
    }
    if (!(expected == offsets)) ++raised;
    BodyFit(bodies).raise_tops(capacity, Interrupt(), offsets);
    CAPTURE(round);
    REQUIRE(offsets == expected);
    REQUIRE(snug::validate(problem, capacity * bodies.unit,
                           vector_of(buffer_offsets(bodies, offsets)))
                .ok());
  }
  CHECK(raised > at_least(200));
}

TEST_CASE("first fit raises tops past what is in their way, and no others") {
  //  C 20 +-------+
  //       |   1   |     1 and 2 are of the top, 3 is fixed in their way, and 4
  //    17 +-------+     is of both ends, so it stays.
  //       |   2   |
  //    15 +---+---+
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 3}, {{0, 2}, 2},
                     {{2, 4}, 4}, {{2, 4}, 2}, {{2, 4}, 1}};
  for (const std::size_t i : {1U, 2U, 4U}) problem.buffers[i].end = End::kTop;
  problem.buffers[3].offset = 14;
  const auto raise = [&](std::int64_t capacity, List<std::int64_t> offsets) {
    const Bodies bodies = bodies_of(problem);
    REQUIRE(bodies.unit == 1);
    BodyFit(bodies).raise_tops(capacity, Interrupt(), offsets);
    return offsets;
  };
  SECTION("some stay") {
    problem.contiguous = {{4, 5}};
    const List<std::int64_t> high = {0, 17, 15, 14, 0};
    CHECK(raise(20, {0, 5, 3, 14, 0}) == high);
    CHECK(raise(20, high) == high);
    CHECK(raise(20, {0, 3, 6, 14, 0}) == List<std::int64_t>{0, 15, 18, 14, 0});
  }
  SECTION("on their grids") {
    problem.buffers[4].alignment = 4;
    problem.buffers[2].alignment = 6;
    CHECK(raise(17, {0, 3, 6, 14, 0, 2}) ==
          List<std::int64_t>{0, 14, 12, 14, 12, 2});
  }
  SECTION("all the way, or not at all") {
    List<std::int64_t> offsets = {0, 3, 6, 14, 0, 2};
    const Bodies bodies = bodies_of(problem);
    struct {
      bool operator()() { return true; }
    } late;
    BodyFit(bodies).raise_tops(20, Interrupt(late), offsets);
    CHECK(offsets == List<std::int64_t>{0, 3, 6, 14, 0, 2});
  }
}

TEST_CASE("first fit raises tops up to what they are kept apart from") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{2, 3}, 5}, {{4, 5}, 4}};
  problem.buffers[1].end = End::kTop;
  problem.apart = {{0, 1}, {1, 2}};
  const Bodies bodies = bodies_of(problem);
  REQUIRE(bodies.unit == 1);
  List<std::int64_t> offsets = {10, 0, 20};
  BodyFit(bodies).raise_tops(14, Interrupt(), offsets);
  CHECK(offsets == List<std::int64_t>{10, 5, 20});
  offsets = {20, 0, 10};
  BodyFit(bodies).raise_tops(14, Interrupt(), offsets);
  CHECK(offsets == List<std::int64_t>{20, 5, 10});
}

}  // namespace body_fit_test
