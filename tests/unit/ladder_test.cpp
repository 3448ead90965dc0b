// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/ladder.hpp"

#include "snug/bodies/body_model.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/hard_walks.hpp"
#include "support/pairwise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ladder_test {

using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::Stop;
using snug::detail::BodyModel;
using snug::detail::Component;
using snug::detail::height_of;
using snug::detail::Index;
using snug::detail::Limits;
using snug::detail::Outcome;
using snug::testing::at_least;
using snug::testing::effort;
using snug::testing::Placements;

namespace {

/// Calls visit(component, lowest, seed) for small components that can be
/// placed, with their lowest height.
template <class Visit>
void for_each_small(std::uint64_t seeds, Visit&& visit) {
  for (std::uint64_t seed = 0; seed < effort(seeds); ++seed) {
    const auto bodies =
        snug::testing::bodies_of(snug::testing::draw_constrained(seed, 6));
    for (const Component& component : snug::testing::components_of(bodies)) {
      const std::int64_t least = snug::testing::least_capacity(component);
      if (component.size < 2 || component.size > 6) continue;
      for (std::int64_t capacity = least; capacity < least + 4 && capacity < 16;
           ++capacity) {
        const auto all = Placements(component, capacity).all();
        if (all.empty()) continue;
        std::int64_t lowest = capacity;
        for (const auto& offsets : all)
          lowest = (std::min)(lowest, height_of(component, offsets.data()));
        visit(component, lowest, seed);
        break;
      }
    }
  }
}

bool is_placement(const Component& component, const std::int64_t* offsets) {
  const std::int64_t height = height_of(component, offsets);
  for (Index x = 0; x < component.size; ++x) {
    const auto allowed = snug::testing::allowed_offsets(component, x, height);
    if (std::count(allowed.begin(), allowed.end(), offsets[x]) != 1)
      return false;
    for (Index y = 0; y < x; ++y)
      if (!snug::testing::may_be_at(component, x, offsets[x], y, offsets[y]))
        return false;
  }
  return true;
}

/// The lowest height of a component, or what is known when a limit is hit.
template <class Found>
std::int64_t lower_component(const Component& component, std::int64_t lowest,
                             std::int64_t highest, const snug::detail::Run& run,
                             std::size_t& bytes, Found&& found) {
  snug::detail::Ladder<BodyModel> ladder(component, lowest, highest, run);
  ladder.climb((std::numeric_limits<std::int64_t>::max)(), found);
  bytes = ladder.peak_bytes();
  return ladder.lowest();
}

}  // namespace

TEST_CASE("ladder: the height of a placement", "[ladder]") {
  Component component;
  component.size = 2;
  component.extent = {4, 9};
  const std::int64_t offsets[] = {7, 1};
  CHECK(height_of(component, offsets) == 11);
  component.size = 0;
  CHECK(height_of(component, offsets) == 0);
}

TEST_CASE("ladder: closes in the lowest height, from anywhere", "[ladder]") {
  std::size_t lowered = 0;
  std::size_t proved = 0;
  for_each_small(1200, [&](const Component& component, std::int64_t lowest,
                           std::uint64_t seed) {
    snug::testing::Random random(seed);
    const std::int64_t from = (std::max)(
        std::int64_t{0}, lowest - random.between(std::int64_t{0}, lowest));
    const std::int64_t to = lowest + random.between(0, 40);
    Options options;
    options.seed = seed;
    Stats stats;
    Limits limits(options);
    std::size_t bytes = 0;
    std::int64_t last = to;
    CAPTURE(seed, from, to, lowest);
    const std::int64_t result =
        lower_component(component, from, to, {&options, &stats, &limits}, bytes,
                        [&](const std::int64_t* offsets) {
                          REQUIRE(is_placement(component, offsets));
                          REQUIRE(height_of(component, offsets) < last);
                          last = height_of(component, offsets);
                          REQUIRE(last >= lowest);
                          ++lowered;
                        });
    REQUIRE(result == lowest);
    REQUIRE((last == lowest || to == lowest));
    if (from < lowest) ++proved;
    if (from < to) REQUIRE(bytes > 0);
  });
  CHECK(lowered > at_least(300U));
  CHECK(proved > at_least(300U));
}

TEST_CASE("ladder: nothing to do", "[ladder]") {
  for_each_small(
      20, [&](const Component& component, std::int64_t lowest, std::uint64_t) {
        Options options;
        Stats stats;
        Limits limits(options);
        std::size_t bytes = 0;
        bool found = false;
        CHECK(lower_component(
                  component, lowest, lowest, {&options, &stats, &limits}, bytes,
                  [&](const std::int64_t*) { found = true; }) == lowest);
        CHECK_FALSE(found);
        CHECK(stats.runs == 0);
      });
}

TEST_CASE("ladder: stopped at any node, it tells the truth", "[ladder]") {
  std::size_t stopped = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    const Problem<> problem =
        snug::testing::small_walk<>(snug::testing::kHardSmallWalks[k]);
    const auto bodies = snug::testing::bodies_of(problem);
    const auto components = snug::testing::components_of(bodies);
    if (components.size() != 1) continue;
    const std::int64_t load = snug::testing::load_of(problem) / bodies.unit;
    const auto lower = [&](std::int64_t nodes, std::int64_t& height,
                           Stop& stopped_by, std::int64_t& used) {
      Options options;
      options.node_limit = nodes;
      Stats stats;
      Limits limits(options);
      std::size_t bytes = 0;
      height = 3 * load;
      const std::int64_t result = lower_component(
          components[0], load, height, {&options, &stats, &limits}, bytes,
          [&](const std::int64_t* offsets) {
            height = height_of(components[0], offsets);
          });
      stopped_by = limits.stopped_by();
      used = stats.nodes;
      return result;
    };
    std::int64_t height = 0;
    std::int64_t all = 0;
    Stop stopped_by = Stop::kNone;
    const std::int64_t lowest = lower(1000000, height, stopped_by, all);
    REQUIRE(stopped_by == Stop::kNone);
    REQUIRE(height == lowest);
    for (std::int64_t nodes = 0; nodes <= all; ++nodes) {
      std::int64_t used = 0;
      const std::int64_t bound = lower(nodes, height, stopped_by, used);
      CAPTURE(k, nodes);
      REQUIRE(used <= nodes);
      REQUIRE(bound <= lowest);
      REQUIRE(lowest <= height);
      REQUIRE((stopped_by == Stop::kNone || stopped_by == Stop::kNodeLimit));
      if (stopped_by == Stop::kNone) REQUIRE(bound == height);
      if (stopped_by == Stop::kNodeLimit) ++stopped;
    }
  }
  CHECK(stopped > 50);
}

}  // namespace ladder_test
