// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/rows.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rows_test {

using snug::detail::List;
using snug::detail::Rows;
using snug::testing::Random;

namespace {

using Plain = std::vector<std::vector<int>>;

template <class Place>
Plain plain(const Rows<int, Place>& rows) {
  Plain result;
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    result.emplace_back(rows[k].begin(), rows[k].end());
    const auto begin = static_cast<std::size_t>(rows.begin_of(k));
    CHECK(rows[k].begin() == rows.all().data() + begin);
    CHECK(rows.begin_of(k + 1) - rows.begin_of(k) == rows[k].size());
  }
  return result;
}

}  // namespace

TEST_CASE("rows: those that are written one by one", "[rows]") {
  Rows<int> rows;
  CHECK(rows.size() == 0);
  CHECK(rows.empty());
  CHECK(rows.bytes() == 0);
  rows.end_row();
  CHECK(rows.empty());
  rows.push_back(4);
  rows.push_back(2);
  CHECK(rows.size() == 1);  // The second has not ended.
  rows.end_row();
  rows.add_row(List<int>{});
  rows.add_row(List<int>{7, 1, 3});
  CHECK(plain(rows) == Plain{{}, {4, 2}, {}, {7, 1, 3}});
  CHECK_FALSE(rows.empty());
  rows.all().back() = 5;
  CHECK(plain(rows) == Plain{{}, {4, 2}, {}, {7, 1, 5}});

  const Rows<int> copy = rows;
  Rows<int> moved = std::move(rows);
  CHECK(plain(copy) == plain(moved));
  moved.clear();
  CHECK(moved.size() == 0);
  moved.add_row(List<int>{9});
  CHECK(plain(moved) == Plain{{9}});
  CHECK(plain(copy) == Plain{{}, {4, 2}, {}, {7, 1, 5}});
}

TEST_CASE("rows: room that is reserved is enough", "[rows]") {
  Rows<int, std::uint32_t> rows;
  rows.reserve(3, 4);
  const std::size_t bytes = rows.bytes();
  CHECK(bytes == 4 * sizeof(int) + 4 * sizeof(std::uint32_t));
  for (int k = 0; k < 3; ++k) rows.add_row(List<int>{k});
  CHECK(plain(rows) == Plain{{0}, {1}, {2}});
  CHECK(rows.bytes() == bytes);
}

TEST_CASE("rows: elements are dealt out in their order", "[rows]") {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    const auto count = random.between(std::size_t{0}, std::size_t{8});
    List<std::size_t> row;
    if (count > 0)
      for (int k = random.between(0, 30); k > 0; --k)
        row.push_back(random.between(std::size_t{0}, count - 1));
    Plain expected(count);
    for (std::size_t k = 0; k < row.size(); ++k)
      expected[row[k]].push_back(static_cast<int>(k));
    const auto for_each = [&](auto&& give) {
      for (std::size_t k = 0; k < row.size(); ++k)
        give(row[k], static_cast<int>(k));
    };
    Rows<int, std::uint32_t> rows;
    rows.add_row(List<int>{1, 2});  // All that was there goes.
    rows.deal(count, for_each);
    REQUIRE(plain(rows) == expected);
    REQUIRE(rows.all().size() == row.size());
    REQUIRE(rows.empty() == row.empty());
    snug::detail::Memory memory;
    const snug::detail::RowsView<int, std::uint32_t> view(memory, count,
                                                          for_each);
    REQUIRE(view.size() == count);
    REQUIRE(view.empty() == row.empty());
    REQUIRE(view.all().size() == row.size());
    for (std::uint32_t k = 0; k < count; ++k) {
      REQUIRE(std::vector<int>(view[k].begin(), view[k].end()) == expected[k]);
      REQUIRE((row.empty() ||
               view[k].begin() == view.all().begin() + view.begin_of(k)));
      for (std::uint32_t j = 0; j < count; ++j)
        REQUIRE(view.are_equal(j, k) == (expected[j] == expected[k]));
    }
  }
}

}  // namespace rows_test
