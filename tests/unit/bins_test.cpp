// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/bins.hpp"

#include "snug/minimize.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/obstructed.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bins_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bins;
using snug::detail::Outcome;
using snug::detail::Plain;

namespace {

/// What the bins say of the first partition; offsets if it is placed.
struct Packed {
  bool applies = false;
  Outcome outcome = Outcome::kOpen;
  std::int64_t nodes = 0;
  std::vector<std::int64_t> offsets{};
};

Packed pack(const Problem<>& problem, std::int64_t capacity,
            std::int64_t most = (std::numeric_limits<std::int64_t>::max)()) {
  const Plain plain = obstructed_of(problem);
  REQUIRE(plain.partitions.size() == 1);
  Bins bins(plain, plain.partitions[0], capacity);
  Packed packed;
  packed.applies = bins.applies();
  if (!packed.applies) return packed;
  packed.outcome = bins.run(packed.nodes, [&] { return packed.nodes >= most; });
  if (packed.outcome != Outcome::kPlacedAll) return packed;
  snug::detail::List<std::int64_t> offsets(problem.buffers.size(), -1);
  if (!bins.write(offsets)) packed.outcome = Outcome::kOpen;
  packed.offsets = vector_of(offsets);
  return packed;
}

snug::Reserved<> range_of(std::int64_t lower, std::int64_t upper) {
  snug::Reserved<> range;
  range.bytes = {lower, upper};
  return range;
}

/// Holes between ranges reserved while all buffers live, which one way of
/// cutting them fills but for `waste` bytes.
Problem<> draw(Random& random, std::int64_t unit, std::int64_t waste,
               std::int64_t& capacity) {
  Problem<> problem;
  capacity = 0;
  const int holes = random.between(2, 3);
  for (int hole = 0; hole < holes; ++hole) {
    const int pieces = random.between(1, 3);
    for (int piece = 0; piece < pieces; ++piece) {
      const std::int64_t begin = random.between(0, 3);
      const std::int64_t size = unit * random.between(1, 6);
      problem.buffers.push_back({{begin, random.between(4, 7)}, size, unit});
      capacity += size;
    }
    const std::int64_t lost = random.between(std::int64_t{0}, waste);
    waste -= lost;
    capacity += unit * lost;
    if (hole + 1 == holes) break;
    // From any address to any other: what is below and above is of no use.
    capacity += random.between(std::int64_t{0}, unit - 1);
    const std::int64_t width = random.between(std::int64_t{1}, 2 * unit);
    snug::Reserved<> range = range_of(capacity, capacity + width);
    if (random.chance(50)) range.lifespan = snug::Interval<std::int64_t>{3, 5};
    problem.reserved.push_back(range);
    capacity = snug::detail::align_up(capacity + width, unit);
  }
  return problem;
}

/// Whether the buffers from the k-th on fit what is left of the holes between
/// the ranges, by trying each in each hole.
bool fits(const Problem<>& problem, std::size_t k,
          std::vector<std::int64_t>& left) {
  if (k == problem.buffers.size()) return true;
  for (std::int64_t& room : left) {
    const std::int64_t size = problem.buffers[k].size;
    if (room < size) continue;
    room -= size;
    const bool found = fits(problem, k + 1, left);
    room += size;
    if (found) return true;
  }
  return false;
}

bool fits(const Problem<>& problem, std::int64_t capacity) {
  // The ranges are in order of their bytes, and begin where a hole may end.
  std::vector<std::int64_t> holes;
  std::int64_t from = 0;
  const std::int64_t unit = problem.buffers[0].alignment;
  for (const snug::Reserved<>& range : problem.reserved) {
    holes.push_back(range.bytes.lower - from);
    from = snug::detail::align_up(range.bytes.upper, unit);
  }
  holes.push_back(capacity - from);
  for (std::int64_t& hole : holes) hole -= hole % unit;
  return fits(problem, 0, holes);
}

}  // namespace

TEST_CASE("bins: each hole takes a set of sizes that fills it", "[bins]") {
  // 7 + 3, 6 + 4 and 5 + 5: no other way, and the largest do not go together.
  Problem<> problem;
  for (const std::int64_t size : {3, 4, 5, 5, 6, 7})
    problem.buffers.push_back({{0, 4}, size});
  problem.reserved = {range_of(10, 12), range_of(22, 30)};
  const Packed packed = pack(problem, 40);
  REQUIRE(packed.applies);
  CHECK(packed.outcome == Outcome::kPlacedAll);
  CHECK(snug::validate(problem, std::int64_t{40}, packed.offsets).ok());
  CHECK(packed.nodes <= 4);
  // The same bytes in other pieces.
  for (const std::size_t k : {0U, 1U}) problem.buffers[k].size = 2;
  problem.buffers[4].size = 9;
  CHECK(pack(problem, 40).outcome == Outcome::kRefuted);
  // Limits are honoured.
  CHECK(pack(problem, 40, 0).outcome == Outcome::kOpen);
  // Less room than bytes is nothing for them.
  CHECK_FALSE(pack(problem, 39).applies);
}

TEST_CASE("bins: what they are not for", "[bins]") {
  Problem<> problem;
  for (const std::int64_t size : {4, 4, 6})
    problem.buffers.push_back({{0, 4}, size});
  CHECK_FALSE(pack(problem, 14).applies);
  problem.reserved = {range_of(8, 9)};
  CHECK(pack(problem, 15).applies);

  SECTION("a buffer that ends before another one begins") {
    problem.buffers.push_back({{0, 1}, 1});
    problem.buffers[0].lifespan = {1, 4};
    CHECK_FALSE(pack(problem, 16).applies);
  }
  SECTION("an obstacle that some do not meet") {
    problem.buffers[0].lifespan = {2, 4};
    problem.reserved[0].lifespan = snug::Interval<std::int64_t>{0, 2};
    CHECK_FALSE(pack(problem, 15).applies);
  }
  SECTION("alignments that differ, and sizes that are no multiples") {
    problem.buffers[0].alignment = 2;
    CHECK_FALSE(pack(problem, 15).applies);
    for (auto& buffer : problem.buffers) buffer.alignment = 2;
    CHECK(pack(problem, 16).applies);
    problem.buffers[0].size = 3;
    CHECK_FALSE(pack(problem, 16).applies);
  }
  SECTION("more patterns than can be listed") {
    for (std::int64_t size = 1; size < 60; ++size)
      problem.buffers.push_back({{0, 4}, 100 + size});
    problem.reserved = {range_of(4000, 4001)};
    CHECK_FALSE(pack(problem, 9000).applies);
  }
}

TEST_CASE("bins: what is kept apart from a fixed buffer", "[bins]") {
  // 0 and 1 fill the holes below and above the range, 0 one of 4 bytes; what is
  // fixed at other times is in the way of either.
  Problem<> problem;
  for (const std::int64_t size : {4, 4})
    problem.buffers.push_back({{0, 4}, size});
  problem.reserved = {range_of(4, 5)};
  problem.buffers.push_back({{9, 10}, 4});
  problem.buffers[2].offset = 0;
  problem.apart = {{0, 2}};
  int barred = 0;
  for (const std::size_t other : {0U, 1U}) {
    problem.apart[0].first = other;
    if (pack(problem, 9).outcome == Outcome::kOpen) ++barred;
    const snug::Result<> result = snug::solve(problem, std::int64_t{9});
    REQUIRE(result.has_solution());
    CHECK(result.offsets[other] == 5);
  }
  CHECK(barred == 1);
}

TEST_CASE("bins: placements and proofs are those of trying everything",
          "[bins]") {
  int placed = 0;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    Random random(seed);
    CAPTURE(seed);
    const std::int64_t unit = random.chance(30) ? 4 : 1;
    std::int64_t capacity = 0;
    Problem<> problem = draw(random, unit, random.between(0, 4), capacity);
    // Some sizes are exchanged for others, with as many bytes in all or less.
    const auto any = [&] {
      return random.between(std::size_t{0}, problem.buffers.size() - 1);
    };
    for (int k = random.between(0, 6); k > 0; --k) {
      const std::size_t a = any();
      const std::size_t b = any();
      if (a == b || problem.buffers[a].size == unit) continue;
      problem.buffers[a].size -= unit;
      problem.buffers[b].size += unit;
    }
    // Odd ends, of which nobody can use anything.
    if (unit > 1 && random.chance(50)) capacity += random.between(1, 3);
    const Packed packed = pack(problem, capacity);
    REQUIRE(packed.applies);
    REQUIRE(packed.outcome != Outcome::kOpen);
    const bool has_placement = fits(problem, capacity);
    REQUIRE((packed.outcome == Outcome::kPlacedAll) == has_placement);
    const snug::Result<> result = snug::solve(problem, capacity);
    REQUIRE(result.has_solution() == has_placement);
    if (problem.buffers.size() <= 5 && unit == 1)
      REQUIRE(Exhaustive(problem).fits(capacity) == has_placement);
    ++(has_placement ? placed : refuted);
    if (!has_placement) continue;
    REQUIRE(snug::validate(problem, capacity, packed.offsets).ok());
    REQUIRE(snug::validate(problem, capacity, result.offsets).ok());
  }
  CHECK(placed > at_least(400));
  CHECK(refuted > at_least(50));
}

TEST_CASE("bins: three to a hole", "[bins]") {
  // 20 holes of 1000 bytes, cut into three each, and 19 ranges between them.
  int placed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(20); ++seed) {
    Random random(seed);
    CAPTURE(seed);
    Problem<> problem;
    for (std::int64_t hole = 0; hole < 20; ++hole) {
      const std::int64_t a = random.between(260, 440);
      const std::int64_t b = random.between(260, 440);
      for (const std::int64_t size : {a, b, 1000 - a - b})
        problem.buffers.push_back({{0, 1}, size});
      if (hole > 0)
        problem.reserved.push_back(range_of(1001 * hole - 1, 1001 * hole));
    }
    snug::Options options;
    options.node_limit = 4000;
    const snug::Result<> result = snug::solve(problem, std::int64_t{20019});
    REQUIRE(result.has_solution());
    REQUIRE(snug::validate(problem, std::int64_t{20019}, result.offsets).ok());
    CHECK(snug::minimize(problem, options).height == 20019);
    ++placed;
  }
  CHECK(placed == effort(20));
}

}  // namespace bins_test
