// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/preorder.hpp"

#include "support/catch.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace preorder_test {

using snug::Strategy;
using snug::detail::Index;
using snug::detail::Memory;
using snug::detail::Preorder;
using snug::detail::Stack;

namespace {

Strategy strategy(const char* text) {
  return snug::testing::strategy_named(text);
}

/// The first of items with these values of letter Z and these totals.
Index first(Preorder& preorder, const char* text,
            const std::vector<double>& values,
            const std::vector<std::int64_t>& totals) {
  Memory memory;
  Stack<Index> items(memory, values.size());
  for (Index x = 0; x < values.size(); ++x) items.push(x);
  preorder.use(strategy(text),
               [&](snug::Criterion, Index x) { return values[x]; });
  return preorder.first(items, [&](Index x) { return totals[x]; });
}

}  // namespace

TEST_CASE("preorder: larger first, letter by letter, then by number",
          "[preorder]") {
  Memory memory;
  Preorder preorder(3, 100, memory);
  CHECK(first(preorder, "0Z", {4, 7, 7}, {0, 0, 0}) == 1);
  CHECK(first(preorder, "0ZT", {4, 7, 7}, {9, 5, 6}) == 2);
  CHECK(first(preorder, "0TZ", {4, 7, 7}, {9, 5, 6}) == 0);
  CHECK(first(preorder, "0T", {0, 0, 0}, {6, 6, 6}) == 0);
}

TEST_CASE("preorder: keys are exact to 42 bits, with their factors",
          "[preorder]") {
  // Products of 62 bits that differ in the last ones: no double tells them
  // apart, and a fused operation would round them otherwise than two do.
  constexpr double kMost = 4398046511103;  // 2^42 - 1
  Memory memory;
  Preorder preorder(2, std::int64_t{1} << 41, memory);
  snug::detail::Random random(3);
  CHECK(first(preorder, "0Z", {kMost - 1, kMost}, {0, 0}) == 1);
  CHECK(first(preorder, "0Z", {kMost, kMost - 1}, {0, 0}) == 0);
  for (int k = 0; k < 2000; ++k) {
    preorder.shake(random, 1);
    const std::int64_t a = preorder.factors()[0] * std::int64_t{4398046511102};
    const std::int64_t b = preorder.factors()[1] * std::int64_t{4398046511103};
    REQUIRE(first(preorder, "0Z", {kMost - 1, kMost}, {0, 0}) ==
            (a < b ? 1U : 0U));
    const std::vector<std::int64_t> totals = {2199023255551, 2199023255552};
    REQUIRE(
        first(preorder, "0T", {0, 0}, totals) ==
        (preorder.factors()[0] * totals[0] < preorder.factors()[1] * totals[1]
             ? 1U
             : 0U));
  }
}

TEST_CASE("preorder: larger values keep their order but for the last bits",
          "[preorder]") {
  Memory memory;
  Preorder preorder(2, std::int64_t{1} << 62, memory);
  CHECK(first(preorder, "0Z", {4e18, 4.1e18}, {0, 0}) == 1);
  CHECK(first(preorder, "0Z", {1e300, 1.1e300}, {0, 0}) == 1);
  CHECK(first(preorder, "0T", {0, 0},
              {std::int64_t{1} << 62, std::int64_t{3} << 60}) == 0);
  CHECK(first(preorder, "0T", {0, 0},
              {std::int64_t{1} << 60, std::int64_t{3} << 60}) == 1);
}

TEST_CASE("preorder: the noise is the same everywhere", "[preorder]") {
  Memory memory;
  Preorder preorder(6, 100, memory);
  snug::detail::Random random(1);
  preorder.shake(random, Preorder::kOne / 5);
  CHECK(std::vector<std::int32_t>(preorder.factors(), preorder.factors() + 6) ==
        std::vector<std::int32_t>{1076494, 1151664, 1246129, 1025239, 1025199,
                                  1158842});
  std::int32_t lowest = Preorder::kOne;
  std::int32_t highest = Preorder::kOne;
  for (int k = 0; k < 5000; ++k) {
    preorder.shake(random, Preorder::kOne / 5);
    for (Index x = 0; x < 6; ++x) {
      lowest = (std::min)(lowest, preorder.factors()[x]);
      highest = (std::max)(highest, preorder.factors()[x]);
    }
  }
  CHECK(lowest >= Preorder::kOne - Preorder::kOne / 5);
  CHECK(highest <= Preorder::kOne + Preorder::kOne / 5);
  CHECK(highest - lowest > Preorder::kOne / 5 * 2 * 99 / 100);
}

}  // namespace preorder_test
