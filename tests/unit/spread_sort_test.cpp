// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/spread_sort.hpp"

#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace spread_sort_test {

namespace {

using namespace snug::testing;
using snug::detail::List;
using snug::detail::SpreadSort;

struct Item {
  std::int64_t key;
  std::int64_t value;
};

std::int64_t key_of(const Item& item) {
  return item.key;
}

/// Items with these keys, and with values that tell them apart.
List<Item> with_keys(const std::vector<std::int64_t>& keys) {
  List<Item> items;
  for (const std::int64_t key : keys)
    items.push_back({key, static_cast<std::int64_t>(items.size())});
  return items;
}

/// Sorts and compares with the standard library; all items must still be there.
void check_sorted(const std::vector<std::int64_t>& keys, std::int64_t largest,
                  SpreadSort<Item>& sort) {
  List<Item> items = with_keys(keys);
  sort.sort(items, largest, key_of);
  std::vector<std::int64_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  REQUIRE(items.size() == keys.size());
  std::vector<bool> is_there(keys.size(), false);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    CHECK(items[k].key == expected[k]);
    const auto value = static_cast<std::size_t>(items[k].value);
    CHECK(keys[value] == items[k].key);
    CHECK_FALSE(is_there[value]);
    is_there[value] = true;
  }
}

}  // namespace

TEST_CASE("spread sort: as the standard library has it", "[spread_sort]") {
  Random random(1);
  SpreadSort<Item> sort(6000);
  for (int k = 0; k < effort<int>(200); ++k) {
    const auto largest = random.between<std::int64_t>(0, 1 << (k % 40));
    const auto distinct = random.between<std::int64_t>(0, largest);
    std::vector<std::int64_t> keys(random.between<std::size_t>(0, 300));
    for (std::int64_t& key : keys)
      key = random.between<std::int64_t>(0, distinct);
    CAPTURE(k, largest, distinct, keys.size());
    check_sorted(keys, largest, sort);
  }
}

TEST_CASE("spread sort: keys that are not spread", "[spread_sort]") {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  Random random(2);
  SpreadSort<Item> sort(6000);
  std::vector<std::int64_t> keys;
  // All in the first part, in any order; of two, the last one; outside; equal.
  for (int k = 0; k < 5000; ++k)
    keys.push_back(random.between<std::int64_t>(0, 999999));
  check_sorted(keys, kMost, sort);
  check_sorted(keys, 1, sort);
  for (std::int64_t& key : keys) key -= 500000;
  check_sorted(keys, 100000, sort);
  std::fill(keys.begin(), keys.end(), 7);
  check_sorted(keys, kMost, sort);
  check_sorted(keys, 0, sort);
  check_sorted({}, 100, sort);
  check_sorted({(std::numeric_limits<std::int64_t>::max)(), 0, -1}, kMost,
               sort);
}

TEST_CASE("spread sort: bytes", "[spread_sort]") {
  CHECK(SpreadSort<Item>().bytes() == 0);
  CHECK(SpreadSort<Item>(100).bytes() >= 100 * sizeof(Item));
  // The parts are no more than so many.
  CHECK(SpreadSort<Item>(1 << 16).bytes() < (std::size_t{17} << 16) + 65536);
}

}  // namespace spread_sort_test
