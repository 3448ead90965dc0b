// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/event.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace event_test {

using snug::detail::is_start;
using snug::detail::owner_of;
using snug::detail::time_of;

namespace {

template <class Time>
using Span = snug::Interval<Time>;
using Row =
    std::tuple<std::int64_t, bool, std::uint32_t>;  // time, is_start, owner

std::vector<Row> rows_of(const snug::detail::Events& events) {
  std::vector<Row> rows;
  for (const auto& event : events)
    rows.emplace_back(time_of(event), is_start(event), owner_of(event));
  return rows;
}

}  // namespace

TEMPLATE_TEST_CASE("events come by time, ends before starts, then by owner",
                   "[event]", std::int64_t, std::int32_t) {
  snug::detail::Events events(4);
  events.add(Span<TestType>{3, 9}, 0);
  events.add(Span<TestType>{0, 3}, 1);
  events.add(Span<TestType>{3, 5}, 2);
  events.add(Span<TestType>{0, 3}, 3);
  events.sort();
  const std::vector<Row> expected = {{0, true, 1},  {0, true, 3}, {3, false, 1},
                                     {3, false, 3}, {3, true, 0}, {3, true, 2},
                                     {5, false, 2}, {9, false, 0}};
  CHECK(rows_of(events) == expected);
}

TEST_CASE("fewer intervals than announced leave no events behind", "[event]") {
  snug::detail::Events events(3);
  CHECK(events.begin() == events.end());
  events.sort();
  events.add(Span<std::int64_t>{-5, 7}, 2);
  events.sort();
  const std::vector<Row> expected = {{-5, true, 2}, {7, false, 2}};
  CHECK(rows_of(events) == expected);
}

TEMPLATE_TEST_CASE("events reach from end to end of the time type", "[event]",
                   std::int64_t, std::int32_t) {
  constexpr TestType kMin = (std::numeric_limits<TestType>::min)();
  constexpr TestType kMax = (std::numeric_limits<TestType>::max)();
  snug::detail::Events events(2);
  events.add(Span<TestType>{0, kMax}, 0);
  events.add(Span<TestType>{kMin, 0}, 1);
  events.sort();
  const std::vector<Row> expected = {
      {kMin, true, 1}, {0, false, 1}, {0, true, 0}, {kMax, false, 0}};
  CHECK(rows_of(events) == expected);
}

TEST_CASE("the order does not depend on the order of insertion", "[event]") {
  snug::testing::Random random(7);
  for (int round = 0; round < 50; ++round) {
    struct Item {
      snug::Interval<std::int64_t> lifespan;
      std::size_t owner;
    };
    std::vector<Item> items;
    for (std::size_t i = 0; i < 12; ++i) {
      const std::int64_t lower = random.between(0, 6);
      items.push_back({{lower, random.between(lower + 1, std::int64_t{8})}, i});
    }
    const auto sorted = [&] {
      snug::detail::Events events(items.size());
      for (const Item& item : items) events.add(item.lifespan, item.owner);
      events.sort();
      return rows_of(events);
    };
    const auto before = sorted();
    random.shuffle(items);
    CHECK(sorted() == before);
    CHECK(std::is_sorted(before.begin(), before.end()));
    CHECK(before.size() == 2 * items.size());
  }
}

}  // namespace event_test
