// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/slack.hpp"

#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slack_test {

using namespace snug::testing;
using snug::detail::Boxes;
using snug::detail::Index;
using snug::detail::Slack;

TEST_CASE("slack: agrees with an array of slacks") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 60, seed % 2 == 0));
    const Boxes& boxes = boxed.boxes;
    if (boxes.count == 0) continue;
    std::vector<std::int64_t> totals(boxes.sections, 0);
    for (Index x = 0; x < boxes.count; ++x)
      for (Index s = boxes.span[x].lower; s < boxes.span[x].upper; ++s)
        totals[s] += boxes.size[x];
    const std::int64_t load = *std::max_element(totals.begin(), totals.end());
    Slack slack(boxes, boxed.memory);
    CHECK(slack.load() == load);
    Random random(seed);
    for (int again = 0; again < 2; ++again) {
      const std::int64_t target =
          load + random.between(std::int64_t{0}, std::int64_t{9});
      slack.fill(target);
      std::vector<std::int64_t> expected;
      for (const std::int64_t total : totals)
        expected.push_back(target - total);
      for (int k = 0; k < 50; ++k) {
        const auto least = std::min_element(expected.begin(), expected.end());
        REQUIRE(slack.least() == *least);
        REQUIRE(slack.tightest() ==
                static_cast<Index>(least - expected.begin()));
        const Index a = random.between(Index{0}, boxes.sections - 1);
        const Index b = random.between(a + 1, boxes.sections);
        const std::int64_t units =
            random.between(std::int64_t{1}, std::int64_t{5});
        slack.take_off({a, b}, units);
        for (Index s = a; s < b; ++s) expected[s] -= units;
      }
    }
  }
}

}  // namespace slack_test
