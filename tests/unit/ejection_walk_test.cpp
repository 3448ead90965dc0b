// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/ejection_walk.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/component.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ejection_walk_test {

namespace {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::BodyBuilder;
using snug::detail::Component;
using snug::detail::ComponentBuilder;
using snug::detail::EjectionWalk;
using snug::detail::Flat;
using snug::detail::List;

constexpr std::int64_t kHigh = 18;

/// The components of a problem, each with a walk.
struct Walks {
  Walks(const Problem<>& problem, std::int64_t capacity,
        std::uint64_t seed = 1) {
    const Flat flat = snug::detail::flatten(problem);
    BodyBuilder builder(flat);
    bodies = builder.build(snug::detail::CliqueScope::kNone);
    components = ComponentBuilder(bodies).build();
    for (const Component& component : components)
      walks.emplace_back(component, capacity / bodies.unit, seed);
  }

  /// Whether all have a place after so many moves.
  bool run(int moves) {
    for (EjectionWalk& walk : walks) {
      for (int k = 0; k < moves && !walk.is_done(); ++k)
        if (!walk.move()) return false;
      if (!walk.is_done()) return false;
    }
    return true;
  }

  /// Offsets of the buffers in bytes.
  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> of_bodies;
    for (const Body& body : bodies.bodies) of_bodies.push_back(body.fixed);
    for (const EjectionWalk& walk : walks)
      for (std::size_t x = 0; x < walk.offsets().size(); ++x)
        of_bodies[walk.component().body[x]] = walk.offsets()[x];
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < bodies.body_of.size(); ++i)
      result.push_back((of_bodies[bodies.body_of[i]] + bodies.delta[i]) *
                       bodies.unit);
    return result;
  }

  Bodies bodies{};
  std::vector<Component> components{};
  std::vector<EjectionWalk> walks{};
};

/// Two buffers side by side and one across, as high as they are live.
Problem<> stack() {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2}, {{0, 2}, 3}, {{2, 4}, 5}};
  return problem;
}

}  // namespace

TEST_CASE("ejection walk: finds what fits, as the oracle has it",
          "[ejection_walk]") {
  std::size_t fits = 0;
  std::size_t placed = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    CAPTURE(seed);
    const std::int64_t low = lowest ? *lowest - 1 : kHigh;
    if (low >= 0) {
      Walks walks(problem, low);
      bool all_fixed_fit = true;
      for (const auto& buffer : problem.buffers)
        if (buffer.offset && *buffer.offset + buffer.size > low)
          all_fixed_fit = false;
      // What is fixed is not the walk's to judge.
      if (all_fixed_fit && !walks.walks.empty() && walks.run(64)) {
        REQUIRE_FALSE(snug::validate(problem, low, walks.offsets()).ok());
      } else {
        ++refused;
      }
    }
    if (!lowest) continue;
    ++fits;
    Walks walks(problem, *lowest);
    if (!walks.run(256)) continue;
    ++placed;
    REQUIRE(snug::validate(problem, *lowest, walks.offsets()).ok());
  }
  CAPTURE(fits, placed, refused);
  CHECK(fits > at_least<std::size_t>(1000));
  CHECK(placed * 100 >= fits * 99);
  CHECK(refused > at_least<std::size_t>(1000));
}

TEST_CASE("ejection walk: goes down from a placement", "[ejection_walk]") {
  // The lifespans put them in the order b, a, c.
  const List<std::int64_t> start{0, 3, 5};
  Walks high(stack(), 10);
  CHECK_FALSE(high.walks[0].is_done());
  high.walks[0].start_from(start);
  CHECK(high.walks[0].is_done());
  CHECK(high.walks[0].moves() == 0);
  Walks walks(stack(), 7);
  REQUIRE(walks.walks.size() == 1);
  EjectionWalk& walk = walks.walks[0];
  walk.start_from(start);
  CHECK_FALSE(walk.is_done());
  CHECK(walk.offsets()[2] == EjectionWalk::kNowhere);
  CHECK(walk.offsets()[0] == 0);
  int moves = 0;
  for (; moves < 100 && !walk.is_done(); ++moves) REQUIRE(walk.move());
  REQUIRE(walk.is_done());
  CHECK(walk.moves() == moves);
  CHECK(snug::validate(stack(), 7, walks.offsets()).ok());
}

TEST_CASE("ejection walk: a hole that is small beside all of the memory",
          "[ejection_walk]") {
  // Its ends are so close to each other that they are dealt to one part of the
  // addresses, in the order of the two that have these ends.
  constexpr std::int64_t kCapacity = 6400;
  for (const bool upper_first : {false, true})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(upper_first, seed);
      Problem<> problem;
      problem.buffers.resize(3, {{0, 1}, 3});
      problem.buffers[upper_first ? 1 : 0].size = 10;
      problem.buffers[upper_first ? 0 : 1].size = kCapacity - 13;
      Walks walks(problem, kCapacity, seed);
      EjectionWalk& walk = walks.walks[0];
      walk.start_from(upper_first ? List<std::int64_t>{13, 0, kCapacity}
                                  : List<std::int64_t>{0, 13, kCapacity});
      REQUIRE_FALSE(walk.is_done());
      REQUIRE(walk.move());
      CHECK(walk.is_done());
      CHECK(walk.offsets()[2] == 10);
    }
}

TEST_CASE("ejection walk: no address at all", "[ejection_walk]") {
  Walks walks(stack(), 1);
  EjectionWalk& walk = walks.walks[0];
  CHECK_FALSE(walk.move());
  CHECK(walk.moves() == 0);
  CHECK_FALSE(walk.is_done());
}

TEST_CASE("ejection walk: promises less the longer it takes",
          "[ejection_walk]") {
  Walks walks(stack(), 6);  // One byte too few.
  EjectionWalk& walk = walks.walks[0];
  CHECK(walk.is_promising());
  int moves = 0;
  while (moves < 1000 && walk.is_promising()) {
    REQUIRE(walk.move());
    ++moves;
  }
  // Two of three are 16 / 3 eighths: (16 / 3)^3 (1 / 12)^2 is above 1.
  CHECK(moves == 1);
  // One that begins with a third of them promises less soon.
  Walks lower(stack(), 6);
  lower.walks[0].start_from(List<std::int64_t>{0, 3, 5});
  CHECK(lower.walks[0].is_promising());
  REQUIRE(lower.walks[0].move());
  CHECK_FALSE(lower.walks[0].is_promising());
}

TEST_CASE("ejection walk: the same for the same seed", "[ejection_walk]") {
  const Problem<> problem = draw_constrained(11, 12);
  Walks first(problem, 1000, 5);
  Walks second(problem, 1000, 5);
  Walks other(problem, 1000, 6);
  (void)first.run(50);
  (void)second.run(50);
  (void)other.run(50);
  CHECK(first.offsets() == second.offsets());
  CHECK(first.offsets() != other.offsets());
}

}  // namespace ejection_walk_test
