// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/idle.hpp"

#include "snug/bodies/body_loads.hpp"
#include "snug/solve.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace idle_test {

namespace {

using namespace snug::testing;
using snug::Interval;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::find_idle;
using snug::detail::Idle;
using snug::detail::Index;

/// The buffer x of the picture in idle.hpp: 5 bytes, in a gap in [2, 8) with a
/// window of 2.
Problem<> picture() {
  Problem<> problem;
  problem.buffers.push_back({{0, 10}, 5});
  problem.buffers[0].gaps.push_back({{2, 8}, Interval<std::int64_t>{1, 3}});
  return problem;
}

/// Idle bytes of body 0, by section.
std::vector<std::int64_t> idle_of(const Problem<>& problem) {
  const Bodies bodies = bodies_of(problem);
  std::vector<std::int64_t> result(bodies.times, 0);
  for (const Idle& idle : find_idle(bodies))
    if (idle.body == 0) result[idle.section] = idle.bytes;
  return result;
}

/// Bytes, one bit each: none is above 63 here.
using Bytes = std::uint64_t;

Bytes bytes_of(const Interval<std::int64_t>& bytes, std::int64_t at) {
  Bytes result = 0;
  for (std::int64_t k = at + bytes.lower; k < at + bytes.upper; ++k)
    result |= Bytes{1} << k;
  return result;
}

/// What a body has from its lowest byte to its highest one, if it has slabs
/// before and after section s, or in it.
Bytes range_of(const Bodies& bodies, Index b, std::int64_t at, Index s) {
  bool before = false;
  bool after = false;
  Interval<std::int64_t> range{64, -64};
  const Interval<Index> slabs = bodies.bodies[b].slabs;
  for (Index k = slabs.lower; k < slabs.upper; ++k) {
    const snug::detail::Slab& slab = bodies.slabs[k];
    if (slab.sections.lower >= bodies.times) continue;
    before = before || slab.sections.lower <= s;
    after = after || slab.sections.upper > s;
    range = {(std::min)(range.lower, slab.bytes.lower),
             (std::max)(range.upper, slab.bytes.upper)};
  }
  return before && after ? bytes_of(range, at) : 0;
}

/// How many bytes are in the range of x alone, and not live, in section s.
std::int64_t count_idle(const Bodies& bodies,
                        const std::vector<std::int64_t>& at, Index x, Index s) {
  Bytes left = range_of(bodies, x, at[x], s);
  for (Index y = 0; y < at.size(); ++y)
    if (y != x && at[y] >= 0) left &= ~range_of(bodies, y, at[y], s);
  const Interval<Index> slabs = bodies.bodies[x].slabs;
  for (Index k = slabs.lower; k < slabs.upper; ++k)
    if (bodies.slabs[k].sections.lower <= s &&
        s < bodies.slabs[k].sections.upper)
      left &= ~bytes_of(bodies.slabs[k].bytes, at[x]);
  std::int64_t count = 0;
  for (; left != 0; left &= left - 1) ++count;
  return count;
}

}  // namespace

TEST_CASE("idle: what others cover in a gap", "[idle]") {
  Problem<> problem = picture();
  SECTION("nothing, with nobody there") {
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 3, 0});
  }
  SECTION("two of three bytes, as in the picture") {
    problem.buffers.push_back({{4, 6}, 3});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 1, 0});
    // Who meets it whole covers nothing.
    problem.buffers.push_back({{1, 3}, 3});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 3, 1, 0});
    // One byte more, and then all of them.
    problem.buffers.push_back({{5, 6}, 1});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 3, 0, 0});
  }
  SECTION("by who is kept apart, nothing") {
    problem.buffers.push_back({{4, 6}, 3});
    problem.apart.push_back({0, 1});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 3, 0});
  }
  SECTION("by who may overlap it, all that fit") {
    problem.buffers.push_back({{1, 6}, 2});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 3, 0});
    problem.may_overlap.push_back({0, 1});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 1, 0});
  }
  SECTION("by who is in a gap as well, what it could cover") {
    problem.buffers.push_back({{4, 7}, 3});
    problem.buffers.push_back({{5, 6}, 1});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 0, 0});
    problem.buffers[1].gaps.push_back({{5, 6}, {}});
    CHECK(idle_of(problem) == std::vector<std::int64_t>{0, 1, 0, 1, 0});
  }
}

TEST_CASE("idle: a section needs them too", "[idle]") {
  // Two that meet x when it is whole, and each other and y while it is not.
  Problem<> problem = picture();
  problem.buffers.push_back({{0, 5}, 4});
  problem.buffers.push_back({{4, 10}, 4});
  CHECK(snug::detail::quick_bound(bodies_of(problem)) == 13);
  problem.buffers.push_back({{4, 5}, 3});
  CHECK(snug::detail::quick_bound(bodies_of(problem)) == 14);
  CHECK(snug::solve(problem, 13).status == snug::Status::kInfeasible);
  CHECK(snug::solve(problem, 14).status == snug::Status::kOptimal);
}

// The windows of the second one come down byte by byte; of the other two every
// pair of slabs would be looked at.
TEST_CASE("idle: very many windows take little time", "[idle]") {
  const std::int64_t count = effort(std::int64_t{100000});
  Problem<> problem;
  problem.buffers = {{{0, count + 1}, 2}, {{0, count}, count}};
  problem.buffers[0].gaps.push_back({{0, 1}, Interval<std::int64_t>{0, 1}});
  const auto add_windows = [&](std::size_t i) {
    for (std::int64_t k = 0; k < count; ++k)
      problem.buffers[i].gaps.push_back(
          {{k, k + 1}, Interval<std::int64_t>{count - k - 1, count - k}});
  };
  add_windows(1);
  const CpuTimer timer;
  CHECK(idle_of(problem).front() == 1);
  problem.buffers[0].size = count;
  problem.buffers[0].gaps.clear();
  add_windows(0);
  CHECK(idle_of(problem).front() == 0);
  CHECK(timer.seconds() < 10);
}

TEST_CASE("idle: wherever all are, nobody else has them", "[idle]") {
  std::size_t sections = 0;
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(40'000); ++seed) {
    Problem<> problem = draw_constrained(seed, 4);
    Random random(seed + 7);
    for (const auto kind : {Constraint::kGaps, Constraint::kInterlocking})
      if (random.chance(70)) add_constraint(problem, kind, random);
    const Bodies bodies = bodies_of(problem);
    const auto all_idle = find_idle(bodies);
    if (all_idle.empty()) continue;
    std::vector<std::int64_t> least(all_idle.size(), -1);
    CAPTURE(seed);
    for (const auto& component : components_of(bodies)) {
      const Placements placements(component, 11);
      for (const auto& offsets : placements.all()) {
        std::vector<std::int64_t> at;
        for (const Body& body : bodies.bodies) at.push_back(body.fixed);
        for (Index x = 0; x < component.size; ++x)
          at[component.body[x]] = offsets[x];
        for (std::size_t k = 0; k < all_idle.size(); ++k) {
          const Idle& idle = all_idle[k];
          if (at[idle.body] == Body::kFree) continue;  // In another one.
          const std::int64_t left =
              count_idle(bodies, at, idle.body, idle.section);
          SNUG_REQUIRE_OFTEN(left >= idle.bytes);
          if (least[k] < 0 || left < least[k]) least[k] = left;
        }
      }
    }
    for (std::size_t k = 0; k < all_idle.size(); ++k) {
      if (least[k] < 0) continue;
      ++sections;
      if (least[k] == all_idle[k].bytes) ++exact;
    }
  }
  CHECK(sections > at_least<std::size_t>(4000));
  CHECK(exact > at_least<std::size_t>(3000));
}

}  // namespace idle_test
