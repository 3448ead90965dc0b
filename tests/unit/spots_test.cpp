// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/explain/spots.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace spots_test {

namespace {

using snug::Problem;
using snug::detail::find_spots;
using snug::detail::kAbsent;
using snug::detail::Spot;
using snug::detail::Spots;

/// The buffers in the way of x at an offset.
std::vector<std::size_t> in_the_way(const Problem<>& problem, std::size_t x,
                                    std::int64_t at,
                                    const std::vector<std::int64_t>& offsets) {
  const snug::Buffer<>& buffer = problem.buffers[x];
  std::vector<std::size_t> result;
  for (std::size_t y = 0; y < offsets.size(); ++y) {
    const snug::Buffer<>& other = problem.buffers[y];
    if (y != x && offsets[y] != kAbsent &&
        other.lifespan.overlaps(buffer.lifespan) &&
        at < offsets[y] + other.size && offsets[y] < at + buffer.size)
      result.push_back(y);
  }
  return result;
}

}  // namespace

TEST_CASE("spots: the picture of the header", "[explain]") {
  // x, y, z.
  Problem<> problem;
  problem.buffers = {{{3, 5}, 3}, {{1, 4}, 3}, {{0, 4}, 3}};
  const Spots spots = find_spots(problem, 0, 6, {kAbsent, 0, 3});
  CHECK_FALSE(spots.hole);
  REQUIRE(spots.shared.size() == 2);
  CHECK(spots.shared[0].blocker == 1);
  CHECK(spots.shared[0].offset == 0);
  CHECK(spots.shared[1].blocker == 2);
  CHECK(spots.shared[1].offset == 3);
  CHECK(find_spots(problem, 0, 9, {kAbsent, 0, 3}).hole == 6);
}

TEST_CASE("spots: where at most one buffer is in the way", "[explain]") {
  std::size_t holes = 0;
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    snug::testing::Random random(seed);
    Problem<> problem;
    problem.alignment = random.between(1, 4);
    if (random.chance(30)) problem.base = random.between(0, 5);
    const std::int64_t capacity = random.between(8, 24);
    std::vector<std::int64_t> offsets;
    // A placement, but for x: others are absent where somebody is in the way.
    problem.buffers.push_back(
        {{2, 5}, random.between(1, 6), random.between(1, 4)});
    offsets.push_back(kAbsent);
    for (std::size_t y = 1; y < 7; ++y) {
      const std::int64_t lower = random.between(0, 5);
      problem.buffers.push_back(
          {{lower, lower + random.between(1, 3)}, random.between(1, 6)});
      const std::int64_t at = random.between(std::int64_t{0}, capacity);
      offsets.push_back(kAbsent);
      if (in_the_way(problem, y, at, offsets).empty()) offsets[y] = at;
    }
    const Spots spots = find_spots(problem, 0, capacity, offsets);
    std::optional<std::int64_t> lowest;
    std::vector<bool> can_go(7, false);
    for (std::int64_t at = problem.base;
         at + problem.buffers[0].size <= capacity; ++at) {
      if (at % problem.alignment != 0 || at % problem.buffers[0].alignment != 0)
        continue;
      const auto blockers = in_the_way(problem, 0, at, offsets);
      if (blockers.empty() && !lowest) lowest = at;
      if (blockers.size() == 1) can_go[blockers[0]] = true;
    }
    CHECK(spots.hole == lowest);
    if (lowest) ++holes;
    for (const Spot& spot : spots.shared) {
      CHECK(spot.offset % problem.alignment == 0);
      CHECK(spot.offset % problem.buffers[0].alignment == 0);
      CHECK(spot.offset >= problem.base);
      CHECK(spot.offset + problem.buffers[0].size <= capacity);
      const auto blockers = in_the_way(problem, 0, spot.offset, offsets);
      CHECK(blockers.size() <= 1);
      if (!blockers.empty()) CHECK(blockers[0] == spot.blocker);
      ++shared;
    }
    for (std::size_t y = 1; y < 7 && !spots.hole; ++y) {
      bool is_found = false;
      for (const Spot& spot : spots.shared)
        is_found = is_found || spot.blocker == y;
      CHECK(is_found == can_go[y]);
    }
  }
  CHECK(holes > 200);
  CHECK(shared > 200);
}

}  // namespace spots_test
