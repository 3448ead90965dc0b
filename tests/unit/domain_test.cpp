// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/domain.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

namespace domain_test {

using namespace snug::testing;
using snug::detail::Forbidden;
using snug::detail::kFar;
using snug::detail::kSame;
using snug::detail::Range;
using snug::detail::Steps;
using snug::detail::take_out;

namespace {

/// A domain as sets: offsets, and those of them that are forbidden although
/// they are there, the lower ends of open ranges.
struct DomainSets {
  std::set<std::int64_t> offsets;
  std::set<std::int64_t> open;
};

DomainSets sets_of(const std::vector<Range>& ranges, const Steps& steps) {
  DomainSets sets;
  for (const Range& range : ranges) {
    REQUIRE(range.lower <= range.upper);
    for (std::int64_t at = range.lower; at <= range.upper; at += steps.step)
      sets.offsets.insert(at);
    if (range.open) sets.open.insert(range.lower);
  }
  return sets;
}

/// The longest runs of offsets that follow one another.
std::vector<Range> ranges_of(const DomainSets& sets, const Steps& steps) {
  std::vector<Range> ranges;
  for (const std::int64_t at : sets.offsets) {
    if (!ranges.empty() && ranges.back().upper + steps.step == at) {
      ranges.back().upper = at;
    } else {
      ranges.push_back({at, at, sets.open.count(at) != 0});
    }
  }
  return ranges;
}

std::vector<Range> taken(const std::vector<Range>& ranges,
                         const Forbidden& interval, const Steps& steps) {
  std::vector<Range> out(ranges.size() + 1);
  const std::size_t count =
      take_out(ranges.data(), ranges.size(), interval, steps, out.data());
  if (count == kSame) return ranges;
  REQUIRE(count <= out.size());
  out.resize(count);
  CHECK_FALSE(out == ranges);
  return out;
}

}  // namespace

TEST_CASE("domain: rounding to a grid, whatever the sign", "[domain]") {
  for (std::int64_t step = 1; step <= 7; ++step)
    for (std::int64_t first = 0; first < 2 * step; ++first) {
      const Steps steps{first, step};
      for (std::int64_t address = -30; address <= 30; ++address) {
        CAPTURE(step, first, address);
        const std::int64_t up = steps.up(address);
        const std::int64_t down = steps.down(address);
        CHECK((up - first) % step == 0);
        CHECK((down - first) % step == 0);
        CHECK((address <= up && up < address + step));
        CHECK((address - step < down && down <= address));
      }
    }
}

TEST_CASE("domain: numbers as far apart as there are", "[domain]") {
  const Steps steps{3, std::int64_t{1} << 60};
  CHECK(steps.down(kFar) == 3 * (std::int64_t{1} << 60) + 3);
  CHECK(steps.up(-kFar) == -4 * (std::int64_t{1} << 60) + 3);
}

// A hint may be any number that is not negative.
TEST_CASE("domain: what is next to the largest number", "[domain]") {
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  const Steps steps{1, 8};
  CHECK(steps.up(kMost - 6) == kMost - 6);
  CHECK(steps.up(kMost - 7) == kMost - 6);
  CHECK(steps.up(kMost - 5) == kMost - 6);
  CHECK(steps.up(kMost) == kMost - 6);
  CHECK(Steps{0, std::int64_t{1} << 62}.up(kMost) == std::int64_t{1} << 62);
  CHECK(Steps{0, 1}.up(kMost) == kMost);
}

//     0    3 4 5   7    9
//     [....x x x x x....]        (3, 7) taken out of [0, 9]
TEST_CASE("domain: what an interval leaves", "[domain]") {
  const Steps one{0, 1};
  const std::vector<Range> whole = {{0, 9, false}};
  using List = std::vector<Range>;
  CHECK(taken(whole, {3, 7}, one) == List{{0, 3, false}, {7, 9, false}});
  CHECK(taken(whole, {-4, 7}, one) == List{{7, 9, false}});
  CHECK(taken(whole, {3, 12}, one) == List{{0, 3, false}});
  CHECK(taken(whole, {0, 9}, one) == List{{0, 0, false}, {9, 9, false}});
  CHECK(taken(whole, {-1, 10}, one).empty());
  CHECK(taken(whole, {-kFar, 4}, one) == List{{4, 9, false}});
  CHECK(taken(whole, {4, kFar}, one) == List{{0, 4, false}});
  SECTION("the interval is open") {
    CHECK(taken(whole, {-5, 0}, one) == whole);
    CHECK(taken(whole, {9, 12}, one) == whole);
    CHECK(taken(whole, {4, 5}, one) == whole);
  }
  SECTION("a range stays open as long as its lower end is there") {
    const List open = {{0, 9, true}};
    CHECK(taken(open, {3, 7}, one) == List{{0, 3, true}, {7, 9, false}});
    CHECK(taken(open, {0, 3}, one) == List{{0, 0, true}, {3, 9, false}});
    CHECK(taken(open, {-1, 3}, one) == List{{3, 9, false}});
  }
  SECTION("what lies between two offsets of the grid takes nothing") {
    const Steps fours{2, 4};
    const List grid = {{2, 14, true}};
    CHECK(taken(grid, {2, 6}, fours) == grid);
    CHECK(taken(grid, {3, 6}, fours) == grid);
    CHECK(taken(grid, {11, 14}, fours) == grid);
    CHECK(taken(grid, {13, 14}, fours) == grid);
    CHECK(taken(grid, {14, 20}, fours) == grid);
    CHECK(taken(grid, {3, 7}, fours) == List{{2, 2, true}, {10, 14, false}});
    CHECK(taken(grid, {1, 3}, fours) == List{{6, 14, false}});
    CHECK(taken(grid, {13, 15}, fours) == List{{2, 10, true}});
  }
}

TEST_CASE("domain: agrees with sets of offsets", "[domain]") {
  std::size_t changes = 0;
  std::size_t open_kept = 0;
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < effort(2000U); ++seed) {
    Random random(seed);
    const std::int64_t step = random.chance(50) ? 1 : random.between(2, 5);
    const Steps steps{random.between(std::int64_t{0}, 3 * step), step};
    std::vector<Range> ranges = {
        {steps.first, steps.first + step * random.between(0, 30), false}};
    for (int k = 0; k < 12 && !ranges.empty(); ++k) {
      Range& some = ranges[random.between(std::size_t{0}, ranges.size() - 1)];
      if (random.chance(30)) some.open = true;
      const std::int64_t lower = random.between(-6, 60);
      Forbidden interval{lower, lower + random.between(1, 12)};
      if (random.chance(4)) interval.lower = -kFar;
      if (random.chance(4)) interval.upper = kFar;
      DomainSets expected = sets_of(ranges, steps);
      for (std::set<std::int64_t>* set : {&expected.offsets, &expected.open})
        for (auto at = set->begin(); at != set->end();)
          at = interval.lower < *at && *at < interval.upper ? set->erase(at)
                                                            : std::next(at);
      const std::vector<Range> before = ranges;
      ranges = taken(ranges, interval, steps);
      CAPTURE(seed, step, interval.lower, interval.upper);
      REQUIRE(ranges == ranges_of(expected, steps));
      if (!(ranges == before)) ++changes;
      if (!expected.open.empty()) ++open_kept;
      if (ranges.size() > 2) ++several;
    }
  }
  CHECK(changes > at_least(3000U));
  CHECK(open_kept > at_least(2000U));
  CHECK(several > at_least(500U));
}

}  // namespace domain_test
