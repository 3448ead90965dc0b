// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/skyline.hpp"

#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skyline_test {

using namespace snug::testing;
using snug::Interval;
using snug::detail::Index;
using snug::detail::Memory;
using snug::detail::Skyline;

namespace {

/// Whether the plateaus are the runs of equal levels, with the right links.
bool agrees(const Skyline& skyline, const std::vector<std::int64_t>& levels) {
  const auto sections = static_cast<Index>(levels.size());
  std::int64_t before = Skyline::kWall;
  Index previous = 0;
  for (Index at = 0; at < sections;) {
    Index end = at;
    while (end < sections && levels[end] == levels[at]) ++end;
    const std::int64_t behind = end == sections ? Skyline::kWall : levels[end];
    if (skyline.level(at) != levels[at] ||
        skyline.range(at) != Interval<Index>{at, end} ||
        skyline.next(at) != end || skyline.level_before(at) != before ||
        skyline.level_behind(at) != behind ||
        (at > 0 && skyline.previous(at) != previous))
      return false;
    for (Index s = at + 1; s < end; ++s)
      if (skyline.level(s) != Skyline::kNoPlateau) return false;
    before = levels[at];
    previous = at;
    at = end;
  }
  return true;
}

}  // namespace

TEST_CASE("skyline: plateaus are the runs of equal levels") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const Index sections = random.between(Index{1}, Index{12});
    Memory memory;
    Skyline skyline(sections, memory);
    skyline.clear();
    std::vector<std::int64_t> levels(sections, 0);
    REQUIRE(agrees(skyline, levels));
    for (int k = 0; k < 60; ++k) {
      Index at = random.between(Index{0}, sections - 1);
      while (skyline.level(at) == Skyline::kNoPlateau) --at;
      const Interval<Index> range = skyline.range(at);
      Interval<Index> span = range;
      Index roof = 0;
      const std::int64_t rim =
          (std::min)(skyline.level_before(at), skyline.level_behind(at));
      if (rim > skyline.level(at) && rim != Skyline::kWall &&
          random.chance(40)) {
        roof = skyline.raise(at);
        std::fill(levels.begin() + span.lower, levels.begin() + span.upper,
                  rim);
      } else {
        span.lower = random.between(range.lower, range.upper - 1);
        span.upper = random.between(span.lower + 1, range.upper);
        const std::int64_t level =
            skyline.level(at) +
            random.between(std::int64_t{1}, std::int64_t{4});
        roof = skyline.raise(at, span, level);
        std::fill(levels.begin() + span.lower, levels.begin() + span.upper,
                  level);
      }
      REQUIRE(agrees(skyline, levels));
      REQUIRE(skyline.level(roof) == levels[span.lower]);
      REQUIRE(skyline.range(roof).contains(span));
    }
  }
}

}  // namespace skyline_test
