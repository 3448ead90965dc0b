// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/interrupt.hpp"

#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace interrupt_test {

namespace {

using namespace snug::testing;
using snug::detail::Interrupt;

/// A value, and where it stood: no two are equal.
struct Entry {
  std::int64_t value;
  std::size_t place;
};

bool is_before(const Entry& a, const Entry& b) {
  return a.value != b.value ? a.value < b.value : a.place < b.place;
}

bool operator==(const Entry& a, const Entry& b) {
  return a.value == b.value && a.place == b.place;
}

/// Counts the questions, and gives up at one of them.
struct Asked {
  int questions = 0;
  int last = 0;  ///< 0: never
  bool operator()() { return ++questions == last; }
};

/// `count` entries of each order that sorts are known to be slow on.
std::vector<std::vector<Entry>> orders(std::size_t count, Random& random) {
  std::vector<std::vector<Entry>> result(6, std::vector<Entry>(count));
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::int64_t>(k);
    const auto end = static_cast<std::int64_t>(count) - at;
    result[0][k] = {random.between(0, 1'000'000'000), k};  // any
    result[1][k] = {random.between(0, 2), k};              // few values
    result[2][k] = {at, k};                                // sorted
    result[3][k] = {end, k};                               // reversed
    result[4][k] = {(std::min)(at, end), k};               // up and down
    result[5][k] = {at % 9, count - k};                    // a saw
  }
  return result;
}

}  // namespace

TEST_CASE("interrupt: sorts as std::sort does", "[interrupt]") {
  Random random(5);
  for (const std::size_t count :
       {0U, 1U, 2U, 24U, 25U, 26U, 200U, 4097U, 65'537U, effort(200'000U)}) {
    for (std::vector<Entry> entries : orders(count, random)) {
      std::vector<Entry> expected = entries;
      std::sort(expected.begin(), expected.end(), is_before);
      Asked asked;
      CHECK(snug::detail::sort_in_parts(entries.data(), entries.data() + count,
                                        is_before, Interrupt(asked)));
      CHECK(entries == expected);
      CHECK((asked.questions > 0) == (count > 4 * Interrupt::kElements));
    }
  }
}

TEST_CASE("interrupt: a sort ends where it is told to", "[interrupt]") {
  const std::size_t count = effort(std::size_t{400'000});
  Random random(6);
  for (std::vector<Entry> entries : orders(count, random)) {
    std::vector<Entry> expected = entries;
    std::sort(expected.begin(), expected.end(), is_before);
    for (const int last : {1, 2}) {
      Asked asked;
      asked.last = last;
      std::vector<Entry> some = entries;
      const bool ended = snug::detail::sort_in_parts(
          some.data(), some.data() + count, is_before, Interrupt(asked));
      CHECK(ended == (asked.questions < last));
      CHECK(asked.questions <= last);
      // Interrupted or not, nothing is lost.
      std::sort(some.begin(), some.end(), is_before);
      CHECK(some == expected);
    }
  }
}

// Samples at equal distances would all be alike.
TEST_CASE("interrupt: what repeats is sorted in parts, too", "[interrupt]") {
  constexpr std::size_t kPeriod = 1024;
  std::vector<Entry> entries(9 * 16 * kPeriod);
  for (std::size_t k = 0; k < entries.size(); ++k)
    entries[k] = {static_cast<std::int64_t>(k * 389 % kPeriod), k};
  Asked asked;
  CHECK(snug::detail::sort_in_parts(entries.data(),
                                    entries.data() + entries.size(), is_before,
                                    Interrupt(asked)));
  CHECK(std::is_sorted(entries.begin(), entries.end(), is_before));
  CHECK(asked.questions > 1);
}

TEST_CASE("interrupt: selects as std::nth_element does", "[interrupt]") {
  Random random(8);
  for (const std::size_t count : {1U, 2U, 25U, 200U, 4097U, effort(50'000U)})
    for (std::vector<Entry> entries : orders(count, random)) {
      std::vector<Entry> expected = entries;
      std::sort(expected.begin(), expected.end(), is_before);
      const std::size_t middle =
          random.between(std::size_t{0}, std::size_t{count});
      snug::detail::select_in_parts(entries.data(), entries.data() + middle,
                                    entries.data() + count, is_before);
      for (const auto& [first, last] : {std::make_pair(std::size_t{0}, middle),
                                        std::make_pair(middle, count)})
        std::sort(entries.begin() + static_cast<std::ptrdiff_t>(first),
                  entries.begin() + static_cast<std::ptrdiff_t>(last),
                  is_before);
      CHECK(entries == expected);
    }
}

TEST_CASE("interrupt: asks before each so many elements but the first",
          "[interrupt]") {
  Asked asked;
  asked.last = 3;
  const Interrupt interrupt(asked);
  std::size_t element = 0;
  while (!interrupt.at(element)) ++element;
  CHECK(element == 3 * Interrupt::kElements);
  CHECK(asked.questions == 3);
  CHECK_FALSE(Interrupt().at(Interrupt::kElements));
  CHECK_FALSE(Interrupt()());
}

template <std::size_t kWidth>
struct Wide {
  unsigned char bytes[kWidth];
};

/// Sorts elements of a width by their first byte, down from what it was.
template <std::size_t kWidth>
void check_width(Random& random) {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<Wide<kWidth>> all(count);
    for (auto& one : all)
      std::fill(one.bytes, one.bytes + kWidth,
                static_cast<unsigned char>(random.between(0, 9)));
    const auto is_larger = [](const Wide<kWidth>& a, const Wide<kWidth>& b) {
      return a.bytes[0] > b.bytes[0];
    };
    std::vector<Wide<kWidth>> expected = all;
    std::sort(expected.begin(), expected.end(), is_larger);
    snug::detail::heap_sort(all, is_larger);
    for (std::size_t k = 0; k < count; ++k)
      REQUIRE(
          std::equal(all[k].bytes, all[k].bytes + kWidth, expected[k].bytes));
  }
}

TEST_CASE("sort unique: as a set", "[interrupt]") {
  Random random(8);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<int> all(count);
    for (int& one : all) one = random.between(0, 30);
    const std::set<int> expected(all.begin(), all.end());
    snug::detail::sort_unique(all);
    REQUIRE(all == std::vector<int>(expected.begin(), expected.end()));
  }
}

TEST_CASE("heap sort: elements of any width", "[interrupt]") {
  Random random(7);
  check_width<1>(random);
  check_width<3>(random);
  check_width<4>(random);
  check_width<8>(random);
  check_width<24>(random);
  check_width<64>(random);
}

TEST_CASE("interrupt: steps of any size") {
  Asked asked;
  asked.last = 3;
  const Interrupt interrupt(asked);
  std::size_t since = 0;
  CHECK_FALSE(interrupt.after(Interrupt::kElements - 1, since));
  CHECK(asked.questions == 0);
  CHECK_FALSE(interrupt.after(1, since));
  CHECK(asked.questions == 1);
  CHECK_FALSE(interrupt.after(5 * Interrupt::kElements, since));
  CHECK(asked.questions == 2);
  CHECK_FALSE(interrupt.after(Interrupt::kElements - 1, since));
  CHECK(interrupt.after(1, since));
  CHECK(asked.questions == 3);
}

TEST_CASE("sort: indices by a key, the lower one first of two that are equal") {
  const std::vector<std::int64_t> keys{3, 1, 3, 2, 1};
  std::vector<std::size_t> indices{4, 3, 2, 1, 0};
  const auto key = [&](std::size_t k) { return keys[k]; };
  snug::detail::sort_ascending(indices, key);
  CHECK(indices == std::vector<std::size_t>{1, 4, 3, 0, 2});
  snug::detail::sort_descending(indices, key);
  CHECK(indices == std::vector<std::size_t>{0, 2, 3, 1, 4});
}

}  // namespace interrupt_test
