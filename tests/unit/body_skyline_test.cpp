// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_skyline.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace body_skyline_test {

using namespace snug::testing;
using snug::Interval;
using snug::detail::BodySkyline;
using snug::detail::Index;
using snug::detail::OrderedSet;

TEST_CASE("body skyline: plateaus, whatever is raised") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(200); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index sections = random.between(Index{1}, Index{300});
    std::vector<std::int64_t> level(sections, 0);
    BodySkyline skyline(sections);
    skyline.clear();
    for (int k = 0; k < 60; ++k) {
      const Index lower = random.between(Index{0}, sections - 1);
      const Interval<Index> span{lower, random.between(lower + 1, sections)};
      const std::int64_t to = random.between(std::int64_t{0}, std::int64_t{9});
      skyline.raise(span, to);
      for (Index s = span.lower; s < span.upper; ++s)
        level[s] = std::max(level[s], to);
      for (Index s = 0; s < sections;) {
        Index end = s;
        while (end < sections && level[end] == level[s]) ++end;
        REQUIRE(skyline.plateau_of(s) == s);
        REQUIRE(skyline.plateau_of(end - 1) == s);
        REQUIRE(skyline.level(s) == level[s]);
        REQUIRE(skyline.end(s) == end);
        s = end;
      }
      const Index first = random.between(Index{0}, sections - 1);
      const Interval<Index> in{first, random.between(first + 1, sections)};
      const std::int64_t highest =
          *std::max_element(level.begin() + in.lower, level.begin() + in.upper);
      REQUIRE(skyline.highest(in, 100) == highest);
      const std::int64_t some = skyline.highest(in, 4);
      REQUIRE((some > 4) == (highest > 4));
      REQUIRE(some <= highest);
    }
  }
}

TEST_CASE("body skyline: the number before another one") {
  Random random(5);
  for (const Index size : {Index{1}, Index{64}, Index{65}, Index{20000}}) {
    OrderedSet set(size);
    std::set<Index> expected = {0};
    set.insert(0);
    for (int k = 0; k < 400; ++k) {
      const Index one = random.between(Index{0}, size - 1);
      if (random.chance(50) && one > 0) {
        set.erase(one);
        expected.erase(one);
      } else {
        set.insert(one);
        expected.insert(one);
      }
      const Index at = random.between(Index{0}, size - 1);
      REQUIRE(set.at_most(at) == *std::prev(expected.upper_bound(at)));
    }
    set.clear();
    set.insert(0);
    CHECK(set.at_most(size - 1) == 0);
  }
}

}  // namespace body_skyline_test
