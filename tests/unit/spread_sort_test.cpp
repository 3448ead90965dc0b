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
using snug::detail::Keyed;
using snug::detail::List;
using snug::detail::sort_keyed;
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
  std::vector<bool> is_there(keys.size(), false);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    CHECK(items[k].key == expected[k]);
    const auto value = static_cast<std::size_t>(items[k].value);
    CHECK(keys[value] == items[k].key);
    CHECK_FALSE(is_there[value]);
    is_there[value] = true;
  }
}

/// The same for indices by keys, which are in order of their indices then.
void check_keyed(const std::vector<std::int64_t>& keys, Random& random) {
  List<Keyed> all;
  for (const std::int64_t key : keys)
    all.push_back({key, static_cast<std::uint32_t>(all.size())});
  for (std::size_t k = all.size(); k > 1; --k)
    std::swap(all[k - 1], all[random.between<std::size_t>(0, k - 1)]);
  std::vector<Keyed> expected(all.begin(), all.end());
  std::sort(expected.begin(), expected.end());
  CHECK(sort_keyed(all));
  for (std::size_t k = 0; k < keys.size(); ++k) {
    CHECK(all[k].key == expected[k].key);
    CHECK(all[k].index == expected[k].index);
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
    check_keyed(keys, random);
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

TEST_CASE("spread sort: keys as far apart as numbers are", "[spread_sort]") {
  using Limits = std::numeric_limits<std::int64_t>;
  Random random(3);
  SpreadSort<Item> sort(6000);
  std::vector<std::int64_t> keys;
  for (int k = 0; k < 50; ++k) {
    keys.push_back((Limits::max)() - k % 7);
    keys.push_back((Limits::min)() + k % 5);
    keys.push_back(k - 25);
  }
  check_sorted(keys, sort);
  check_keyed(keys, random);
  // Each part in turn has most of what is left.
  keys.clear();
  for (int k = 0; k < 62; ++k)
    for (int n = 0; n < 40; ++n) keys.push_back(std::int64_t{1} << k);
  check_sorted(keys, sort);
  check_keyed(keys, random);
}

TEST_CASE("spread sort: a range by keys, then by indices", "[spread_sort]") {
  List<Keyed> all{{0, 9}, {7, 2}, {-3, 4}, {7, 1}, {-3, 0}, {-9, 5}};
  CHECK(sort_keyed(all.begin() + 1, all.begin() + 5));
  std::vector<std::uint32_t> indices;
  for (const auto& one : all) indices.push_back(one.index);
  CHECK(indices == std::vector<std::uint32_t>{9, 0, 4, 1, 2, 5});
}

TEST_CASE("spread sort: many keys ask, and are left then", "[spread_sort]") {
  using snug::detail::Interrupt;
  List<Keyed> all;
  for (std::uint32_t k = 0; k < Interrupt::kElements; ++k)
    all.push_back({-std::int64_t{k}, k});
  int questions = 0;
  const auto stop = [&] {
    ++questions;
    return true;
  };
  const Interrupt interrupt(stop);
  CHECK(sort_keyed(all.begin(), all.end() - 1, interrupt));
  CHECK(questions == 0);
  CHECK_FALSE(sort_keyed(all, interrupt));
  CHECK(questions == 1);
  // Large parts ask again.
  for (std::uint32_t k = Interrupt::kElements; k < 4 * Interrupt::kElements;
       ++k)
    all.push_back({-std::int64_t{k}, k});
  questions = 0;
  const auto stop_third = [&] { return ++questions == 3; };
  CHECK_FALSE(sort_keyed(all, Interrupt(stop_third)));
  CHECK(questions == 3);
}

TEST_CASE("spread sort: bytes", "[spread_sort]") {
  for (const std::size_t most : {0U, 32U, 33U, 100U, 1U << 16}) {
    const std::size_t bytes = SpreadSort<Item>(most).bytes();
    CHECK(bytes >= SpreadSort<Item>::bytes_for(most));
    CHECK(bytes <= SpreadSort<Item>::bytes_for(most) + 8);
  }
  CHECK(SpreadSort<Item>::bytes_for(32) == 0);
  CHECK(SpreadSort<Item>::bytes_for(100) >= 100 * sizeof(Item));
  // A copy of no more than so many.
  CHECK(SpreadSort<Item>::bytes_for(1 << 16) <= 4096 * (sizeof(Item) + 4));
}

}  // namespace spread_sort_test
