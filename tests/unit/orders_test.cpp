// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/orders.hpp"

#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace orders_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Orders;
using snug::detail::RangeMaximum;

namespace {

std::vector<std::size_t> sorted(Boxed& boxed, const std::string& letters) {
  const Orders orders(boxed.plain, boxed.boxes, boxed.memory);
  std::vector<Index> order(boxed.boxes.count);
  orders.sort(letters, order.data());
  std::vector<std::size_t> result;
  for (const Index x : order) result.push_back(boxed.boxes.input[x]);
  return result;
}

}  // namespace

TEST_CASE("orders: range maximum is the largest of a range") {
  Random random(1);
  for (std::size_t size = 1; size < 40; ++size) {
    snug::detail::List<std::int64_t> values(size);
    for (std::int64_t& value : values)
      value = random.between(std::int64_t{1}, std::int64_t{9});
    const RangeMaximum maximum(values);
    for (std::size_t l = 0; l < size; ++l)
      for (std::size_t u = l + 1; u <= size; ++u)
        REQUIRE(
            maximum.in(l, u) ==
            *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(l),
                              values.begin() + static_cast<std::ptrdiff_t>(u)));
  }
}

TEST_CASE("orders: every letter, alone and behind others") {
  const std::vector<std::string> names = {"A",   "T",   "W",   "Z",   "TZ",
                                          "TWA", "TAW", "ZWT", "ATWZ"};
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, false));
    for (const std::string& name : names) {
      CAPTURE(name);
      CHECK(sorted(boxed, name) == naive_order(boxed.problem, name));
    }
  }
}

TEST_CASE("orders: lifespans as long as the type of times allows") {
  using Limits = std::numeric_limits<std::int64_t>;
  snug::Problem<> problem;
  problem.buffers = {
      make_buffer<std::int64_t, std::int64_t>(0, 5, 1),
      make_buffer<std::int64_t, std::int64_t>(Limits::min(), Limits::max(), 1),
      make_buffer<std::int64_t, std::int64_t>(0, Limits::max(), 1)};
  Boxed boxed(problem);
  CHECK(sorted(boxed, "W") == std::vector<std::size_t>{1, 2, 0});
  CHECK(sorted(boxed, "A") == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("orders: no boxes") {
  Boxed boxed(snug::Problem<>{});
  CHECK(sorted(boxed, "TWA").empty());
}

}  // namespace orders_test
