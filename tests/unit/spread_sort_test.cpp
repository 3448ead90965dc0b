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
void check_sorted(const std::vector<std::int64_t>& keys,
                  SpreadSort<Item>& sort) {
  List<Item> items = with_keys(keys);
  sort.sort(items.begin(), items.end(), key_of);
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
    const auto distinct =
        random.between<std::int64_t>(0, std::int64_t{1} << (k % 40));
    std::vector<std::int64_t> keys(random.between<std::size_t>(0, 300));
    for (std::int64_t& key : keys)
      key = random.between<std::int64_t>(0, distinct);
    CAPTURE(k, distinct, keys.size());
    check_sorted(keys, sort);
  }
}

TEST_CASE("spread sort: keys that are not spread", "[spread_sort]") {
  Random random(2);
  SpreadSort<Item> sort(6000);
  std::vector<std::int64_t> keys;
  for (int k = 0; k < 5000; ++k)
    keys.push_back(random.between<std::int64_t>(0, 999999));
  check_sorted(keys, sort);
  // All but one in the first part, or in the last one, in any order.
  keys.push_back(std::int64_t{1} << 61);
  check_sorted(keys, sort);
  for (std::int64_t& key : keys) key = -key;
  check_sorted(keys, sort);
  std::fill(keys.begin(), keys.end(), 7);
  check_sorted(keys, sort);
  keys[3] = 8;
  check_sorted(keys, sort);
  check_sorted({}, sort);
  check_sorted({5}, sort);
  check_sorted({(std::numeric_limits<std::int64_t>::max)(), 0}, sort);
}

TEST_CASE("spread sort: bytes", "[spread_sort]") {
  CHECK(SpreadSort<Item>(0).bytes() < 16);
  CHECK(SpreadSort<Item>(100).bytes() >= 100 * sizeof(Item));
  // The parts are no more than so many.
  CHECK(SpreadSort<Item>(1 << 16).bytes() < (std::size_t{17} << 16) + 65536);
}

}  // namespace spread_sort_test
