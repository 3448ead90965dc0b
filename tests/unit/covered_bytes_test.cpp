// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/covered_bytes.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace covered_bytes_test {

namespace {

using snug::detail::CoveredBytes;

/// The figure as an integer, which all figures of these tests are.
std::int64_t count(const CoveredBytes& bytes) {
  return static_cast<std::int64_t>(bytes.count());
}

}  // namespace

TEST_CASE("covered bytes: intervals come and go") {
  CoveredBytes bytes({9, 0, 2, 5, 2, 7});
  CHECK(count(bytes) == 0);
  bytes.change(2, 9, 1);
  CHECK(count(bytes) == 7);
  bytes.change(0, 5, 1);
  CHECK(count(bytes) == 9);
  bytes.change(0, 5, 1);
  bytes.change(2, 9, -1);
  CHECK(count(bytes) == 5);
  bytes.change(0, 5, -1);
  CHECK(count(bytes) == 5);
  bytes.change(0, 5, -1);
  CHECK(count(bytes) == 0);
  bytes.change(5, 7, 1);
  CHECK(count(bytes) == 2);
}

TEST_CASE("covered bytes: one interval, or none") {
  CHECK(count(CoveredBytes({})) == 0);
  CHECK(count(CoveredBytes({3})) == 0);
  CoveredBytes bytes({3, 7});
  bytes.change(3, 7, 1);
  CHECK(count(bytes) == 4);
  bytes.change(3, 7, -1);
  CHECK(count(bytes) == 0);
}

TEST_CASE("covered bytes: the same as counting every byte") {
  snug::testing::Random random(5);
  for (int round = 0; round < 200; ++round) {
    struct Interval {
      int low;
      int high;
      bool present = false;
    };
    std::vector<Interval> intervals;
    std::vector<double> ends;
    for (int k = random.between(1, 12); k > 0; --k) {
      const int low = random.between(0, 38);
      intervals.push_back({low, random.between(low + 1, 40)});
      ends.push_back(low);
      ends.push_back(intervals.back().high);
    }
    CoveredBytes bytes(ends);
    for (int step = 0; step < 40; ++step) {
      Interval& one =
          intervals[random.between(std::size_t{0}, intervals.size() - 1)];
      bytes.change(one.low, one.high, one.present ? -1 : 1);
      one.present = !one.present;
      std::vector<bool> used(40, false);
      for (const Interval& interval : intervals)
        for (int at = interval.low; interval.present && at < interval.high;
             ++at)
          used[static_cast<std::size_t>(at)] = true;
      std::int64_t expected = 0;
      for (const bool in_use : used) expected += in_use ? 1 : 0;
      REQUIRE(count(bytes) == expected);
    }
  }
}

}  // namespace covered_bytes_test
