// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/flat.hpp"
#include "snug/support/align.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace unit_test {

namespace {

std::int64_t unit_of(std::int64_t divisor,
                     const std::vector<std::int64_t>& steps) {
  return snug::detail::unit_beside(divisor, [&](auto&& visit) {
    for (const std::int64_t step : steps) visit(step);
  });
}

}  // namespace

TEST_CASE("unit: divides each step, or is divided by it", "[unit]") {
  CHECK(unit_of(12, {}) == 12);
  CHECK(unit_of(12, {4, 24}) == 12);
  CHECK(unit_of(12, {8}) == 4);
  CHECK(unit_of(12, {8, 6}) == 2);
  // 30 makes it 10, which 4, though it came first and divides 20, does not divide.
  CHECK(unit_of(20, {4, 30}) == 2);
  CHECK(unit_of(7, {2}) == 1);
  // No divisor: whatever the steps are.
  CHECK(unit_of(0, {3, 4}) == 1);
}

TEST_CASE("unit: of a flat problem, counted from an origin", "[unit]") {
  snug::detail::Flat flat;
  flat.buffers = {{{0, 1}, 8, 4}, {{0, 1}, 12, 2}};
  CHECK(snug::detail::unit_of(flat, 0) == 4);
  flat.base = 6;
  CHECK(snug::detail::unit_of(flat, 0) == 2);
  // From 8, the lowest address of both on, all are multiples of 4 again.
  CHECK(snug::detail::unit_of(flat, 8) == 4);
  flat.fixed = {snug::detail::Flat::kNone, 20};
  CHECK(snug::detail::unit_of(flat, 8) == 4);
  flat.fixed[1] = 21;
  CHECK(snug::detail::unit_of(flat, 8) == 1);
  flat.fixed.clear();
  flat.reserved.push_back({{10, 30}, {}});
  CHECK(snug::detail::unit_of(flat, 8) == 2);
  flat.reserved.clear();
  flat.gaps.push_back({0, {0, 1}, {1, 3}});
  CHECK(snug::detail::unit_of(flat, 8) == 1);
}

}  // namespace unit_test
