// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/repair.hpp"

#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace repair_test {

using namespace snug::testing;
using snug::detail::Best;
using snug::detail::Index;
using snug::detail::Memory;
using snug::detail::MutableOrder;
using snug::detail::Repair;
using snug::detail::SpanTree;

namespace {

const auto never = [] { return false; };

/// Repair of `count` random orders.
struct Repaired {
  Repaired(Boxed& boxed, Index count, std::uint64_t seed)
      : random(seed), offsets(boxed.boxes.count, 0), best{0, offsets.data()} {
    best.height = (std::numeric_limits<std::int64_t>::max)();
    for (Index q = 0; q < count; ++q) {
      const std::vector<Index> order = boxed.shuffled(random);
      orders.insert(orders.end(), order.begin(), order.end());
    }
  }

  Random random;
  std::vector<Index> orders;
  std::vector<std::int64_t> offsets;
  Best best;
};

}  // namespace

TEST_CASE("repair: an order and its inverse under promotions") {
  Random random(1);
  Memory memory;
  constexpr Index kCount = 9;
  std::vector<Index> expected(kCount);
  for (Index k = 0; k < kCount; ++k) expected[k] = k;
  MutableOrder order(kCount, memory);
  order.assign(expected.data());
  for (int k = 0; k < 500; ++k) {
    const Index box = random.between(Index{0}, kCount - 1);
    const Index other = random.chance(20)
                            ? SpanTree::kNobody
                            : random.between(Index{0}, kCount - 1);
    const auto from = std::find(expected.begin(), expected.end(), box);
    const auto to = other == SpanTree::kNobody
                        ? expected.begin()
                        : std::find(expected.begin(), expected.end(), other);
    if (to < from) std::rotate(to, from, from + 1);
    order.promote(box, other);
    REQUIRE(std::equal(expected.begin(), expected.end(), order.order()));
    for (Index r = 0; r < kCount; ++r) REQUIRE(order.rank()[expected[r]] == r);
  }
}

TEST_CASE("repair: lower and lower, each placement valid") {
  int lowered = 0;
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 3 == 0));
    if (boxed.boxes.count == 0) continue;
    const std::int64_t load = load_of(boxed.problem);
    Repaired run(boxed, 3, seed);
    Repair repair(boxed.boxes, run.orders.data(), 3, boxed.memory);
    std::int64_t dives = repair.run(load, 1, never, run.best);
    const std::int64_t first = run.best.height;
    CHECK(dives == 1);
    for (int k = 0; k < 40; ++k) {
      const std::int64_t before = run.best.height;
      dives = repair.run(load, 10, never, run.best);
      CHECK(dives <= 10);
      CHECK(run.best.height <= before);
      if (before <= load) CHECK(dives == 0);
      const auto offsets = boxed.unboxed(run.best.offsets);
      REQUIRE(run.best.height == height_of(boxed.problem, offsets));
      REQUIRE(snug::validate(boxed.problem, run.best.height, offsets).ok());
    }
    lowered += run.best.height < first ? 1 : 0;
    reached += run.best.height == load ? 1 : 0;
  }
  // The others reach the load in their first dive, or never.
  CHECK(lowered > 40);
  CHECK(reached > 75);
}

TEST_CASE("repair: one call is as good as many, and the same every time") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Boxed boxed(snug::benchmarks::guillotine<>(60, 60, 40, seed).problem);
    Repaired once(boxed, 2, seed);
    Repaired again(boxed, 2, seed);
    Repair a(boxed.boxes, once.orders.data(), 2, boxed.memory);
    Repair b(boxed.boxes, again.orders.data(), 2, boxed.memory);
    CHECK(a.run(60, 500, never, once.best) ==
          b.run(60, 500, never, again.best));
    CHECK(once.best.height == again.best.height);
    CHECK(once.offsets == again.offsets);
  }
}

TEST_CASE("repair: ends when there is nothing to repair") {
  // Sizes are not multiples of the alignment: the load cannot be reached, but
  // no section ever wastes a unit.
  snug::Problem<> problem;
  for (int k = 0; k < 3; ++k) {
    problem.buffers.push_back(make_buffer<std::int64_t, std::int64_t>(0, 2, 5));
    problem.buffers.back().alignment = 8;
  }
  Boxed boxed(problem);
  Repaired run(boxed, 2, 1);
  Repair repair(boxed.boxes, run.orders.data(), 2, boxed.memory);
  CHECK(repair.run(15, 1000000, never, run.best) < 100);
  CHECK(run.best.height == 21);
}

TEST_CASE("repair: stops when told to") {
  Boxed boxed(snug::benchmarks::guillotine<>(200, 200, 80, 1).problem);
  Repaired run(boxed, 2, 1);
  Repair repair(boxed.boxes, run.orders.data(), 2, boxed.memory);
  int asked = 0;
  const std::int64_t dives = repair.run(
      0, 1000000, [&] { return ++asked >= 50; }, run.best);
  CHECK(asked >= 50);
  CHECK(asked <= 52);
  CHECK(dives < 50);
  CHECK(dives > 20);
}

}  // namespace repair_test
