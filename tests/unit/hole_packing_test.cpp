// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/hole_packing.hpp"

#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace hole_packing_test {

using namespace snug::testing;
using snug::detail::HolePacking;
using snug::detail::List;
using snug::detail::Outcome;

namespace {

using Numbers = std::vector<std::int64_t>;

/// What a packing says, in so many steps; `left` of them afterwards.
Outcome pack(Numbers sizes, const Numbers& rooms, std::int64_t steps,
             std::int64_t* left = nullptr) {
  std::sort(sizes.rbegin(), sizes.rend());
  List<std::int64_t> items;
  items.assign(sizes.begin(), sizes.end());
  List<std::int64_t> holes;
  holes.assign(rooms.begin(), rooms.end());
  const Outcome outcome = HolePacking(items).run(holes, steps);
  if (left != nullptr) *left = steps;
  return outcome;
}

/// Each item in each hole.
bool fits(const Numbers& sizes, Numbers& rooms, std::size_t item = 0) {
  if (item == sizes.size()) return true;
  for (std::int64_t& room : rooms) {
    if (room < sizes[item]) continue;
    room -= sizes[item];
    const bool is_found = fits(sizes, rooms, item + 1);
    room += sizes[item];
    if (is_found) return true;
  }
  return false;
}

constexpr std::int64_t kEnough = 1000000;

}  // namespace

TEST_CASE("hole packing: as all ways to pack have it", "[hole_packing]") {
  std::size_t tight = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(30000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    // Many of few sizes and holes of one room, or few of many.
    const int largest = random.between(3, 12);
    Numbers sizes;
    Numbers rooms;
    std::int64_t free = 0;
    for (int k = random.between(1, 7); k > 0; --k)
      sizes.push_back(random.between(1, largest));
    for (int k = random.between(1, 4); k > 0; --k) {
      rooms.push_back(random.between(0, 2 * largest));
      free += rooms.back();
    }
    for (const std::int64_t size : sizes) free -= size;
    Numbers copy = rooms;
    const bool is_fitting = fits(sizes, copy);
    REQUIRE(pack(sizes, rooms, kEnough) ==
            (is_fitting ? Outcome::kPlacedAll : Outcome::kRefuted));
    if (is_fitting && free <= 1) ++tight;
    if (!is_fitting && free >= 0) ++refuted;
  }
  CHECK(tight > at_least<std::size_t>(500));
  CHECK(refuted > at_least<std::size_t>(500));
}

TEST_CASE("hole packing: into nothing", "[hole_packing]") {
  CHECK(pack({3}, {}, kEnough) == Outcome::kRefuted);
  CHECK(pack({3}, {0, 2, 2}, 0) == Outcome::kRefuted);
  CHECK(pack({3}, {0, 2, 3}, 1) == Outcome::kPlacedAll);
}

TEST_CASE("hole packing: out of steps", "[hole_packing]") {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Numbers sizes;
    std::int64_t sum = 0;
    for (int k = 0; k < 12; ++k) {
      sizes.push_back(random.between(20, 60));
      sum += sizes.back();
    }
    const Numbers rooms(4, sum / 4 + 2);
    std::int64_t left = 0;
    const Outcome outcome = pack(sizes, rooms, kEnough, &left);
    REQUIRE(outcome != Outcome::kOpen);
    REQUIRE(left <= kEnough);
    const std::int64_t needed = kEnough - left;
    CHECK(pack(sizes, rooms, needed, &left) == outcome);
    if (needed < 100) continue;
    CHECK(pack(sizes, rooms, needed / 2, &left) == Outcome::kOpen);
    CHECK(left <= 0);
    ++stopped;
  }
  CHECK(stopped > 20);
}

TEST_CASE("hole packing: equal items and equal holes take few steps",
          "[hole_packing]") {
  // A hundred of 7 in fifty holes of 20, and one more that is too much: with all ways
  // to exchange them it would take forever.
  std::int64_t left = 0;
  CHECK(pack(Numbers(101, 7), Numbers(50, 20), kEnough, &left) ==
        Outcome::kRefuted);
  CHECK(pack(Numbers(100, 7), Numbers(50, 20), kEnough, &left) ==
        Outcome::kPlacedAll);
}

TEST_CASE("hole packing: what no sum comes to is lost", "[hole_packing]") {
  // Even sizes in twenty odd holes, with 14 bytes to spare.
  Random random(1);
  Numbers sizes;
  std::int64_t left = 20 * 121 - 14;
  while (left > 60) {
    sizes.push_back(2 * random.between(10, 30));
    left -= sizes.back();
  }
  sizes.push_back(left);
  CHECK(pack(sizes, Numbers(20, 121), 1) == Outcome::kRefuted);
}

}  // namespace hole_packing_test
