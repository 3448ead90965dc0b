// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/list.hpp"

#include "snug/model/interval.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace snug::testing;
using snug::detail::List;
using snug::detail::Lists;

namespace {

/// Three bytes: an odd width.
struct Triple {
  std::uint8_t a = 1;
  std::uint8_t b = 2;
  std::uint8_t c = 3;

  friend bool operator==(const Triple& p, const Triple& q) {
    return p.a == q.a && p.b == q.b && p.c == q.c;
  }
};

template <class T>
T make(int value);
template <>
std::int64_t make<std::int64_t>(int value) {
  return value * (std::int64_t{1} << 33);
}
template <>
bool make<bool>(int value) {
  return value % 2 == 1;
}
template <>
Triple make<Triple>(int value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value),
          7};
}

}  // namespace

TEMPLATE_TEST_CASE("list: does what std::vector does", "[list]", std::int64_t,
                   bool, Triple) {
  using T = TestType;
  Random random(5);
  std::size_t largest = 0;
  for (int round = 0; round < effort(300); ++round) {
    List<T> list;
    std::vector<T> vector;
    for (int step = 0; step < 60; ++step) {
      const T value = make<T>(random.between(0, 100));
      const std::size_t size = vector.size();
      const auto at = [&] { return random.between(std::size_t{0}, size); };
      switch (random.between(0, 9)) {
        case 0:
        case 1:
          list.push_back(value);
          vector.push_back(value);
          break;
        case 2:
          if (size == 0) break;
          // An element of the list itself, which may move meanwhile.
          list.push_back(list.front());
          vector.push_back(T(vector.front()));
          break;
        case 3: {
          const std::size_t count = at() + 3;
          list.resize(count, value);
          vector.resize(count, value);
          break;
        }
        case 4:
        case 5: {
          const std::vector<T> more(at() / 2, value);
          list.append(more.begin(), more.end());
          vector.insert(vector.end(), more.begin(), more.end());
          break;
        }
        case 6: {
          const std::size_t kept = size - at() / 4;
          list.erase(list.begin() + kept, list.end());
          vector.resize(kept, value);
          break;
        }
        case 7:
          if (size == 0) break;
          list.shrink(size - size / 8);
          vector.resize(list.size(), value);
          list.pop_back();
          vector.pop_back();
          break;
        case 8:
          list.assign(at(), value);
          vector.assign(list.size(), value);
          break;
        default:
          list.reserve(at() + 5);
          break;
      }
      REQUIRE(vector_of(list) == vector);
      REQUIRE(list.empty() == vector.empty());
      REQUIRE(list.capacity() >= list.size());
      if (!vector.empty()) {
        const List<T>& same = list;
        REQUIRE(list.front() == vector.front());
        REQUIRE(same.back() == vector.back());
        REQUIRE(same[same.size() / 2] == vector[vector.size() / 2]);
      }
      largest = (std::max)(largest, vector.size());
    }
    REQUIRE(list == list_of(vector));
    if (vector.empty()) continue;
    vector.pop_back();
    REQUIRE_FALSE(list == list_of(vector));
  }
  CHECK(largest > at_least(std::size_t{40}));
}

TEST_CASE("list: copies are of their own, moves are not", "[list]") {
  List<int> first = {1, 2, 3};
  List<int> second = first;
  second[0] = 9;
  CHECK(vector_of(first) == std::vector<int>{1, 2, 3});
  CHECK(vector_of(second) == std::vector<int>{9, 2, 3});
  first = second;
  CHECK(first == second);
  const List<int>& itself = first;
  first = itself;
  CHECK(first == second);
  // A shorter one takes the room there is.
  const std::size_t capacity = first.capacity();
  first = List<int>();
  second = {4};
  CHECK(vector_of(second) == std::vector<int>{4});
  CHECK(first.empty());
  CHECK(capacity == 3);

  const int* const data = second.data();
  List<int> third = std::move(second);
  CHECK(third.data() == data);
  first.swap(third);
  CHECK(first.data() == data);
  CHECK(third.empty());
  third = std::move(first);
  CHECK(third.data() == data);
}

TEST_CASE("list: what is made has the values of its type", "[list]") {
  CHECK(vector_of(List<Triple>(2)) == std::vector<Triple>(2));
  CHECK(vector_of(List<bool>(2)) == std::vector<bool>{false, false});
  CHECK(vector_of(List<int>(3, 7)) == std::vector<int>{7, 7, 7});
  CHECK(List<int>().data() == nullptr);
  CHECK(List<int>(0).empty());
}

TEST_CASE("list: lists of lists", "[list]") {
  Lists<int> all(2);
  CHECK(all.back().empty());
  all[1].push_back(4);
  all.push_back({5, 6});
  std::size_t moves = 0;
  const int* const data = all[2].data();
  for (int k = 0; k < 100; ++k) {
    const std::size_t before = all.capacity();
    all.push_back(List<int>(1, k));
    if (all.capacity() != before) ++moves;
  }
  CHECK(moves < 8);
  CHECK(all.size() == 103);
  CHECK(all[2].data() == data);

  Lists<int> copy = all;
  copy[1][0] = 9;
  CHECK(vector_of(all[1]) == std::vector<int>{4});
  CHECK(vector_of(copy[2]) == std::vector<int>{5, 6});
  copy = std::move(all);
  CHECK(copy[2].data() == data);
  // What is dropped does not come back.
  copy.resize(2);
  copy.pop_back();
  copy.resize(3);
  CHECK(copy[1].empty());
  CHECK(copy[2].capacity() == 0);
  copy.clear();
  CHECK(copy.empty());
  CHECK(Lists<int>().begin() == Lists<int>(0).end());
}

TEST_CASE("list: intervals that overlap are joined", "[list]") {
  using Run = snug::Interval<int>;
  const auto joined = [](List<Run> runs) {
    snug::detail::join_neighbours(runs, snug::detail::join_overlapping<int>);
    return runs;
  };
  CHECK(joined({}) == List<Run>{});
  CHECK(joined({{1, 3}}) == List<Run>{{1, 3}});
  // One in another, a chain, two that touch, one behind a gap.
  CHECK(joined({{0, 9}, {1, 2}, {8, 11}, {10, 12}, {12, 13}, {15, 16}}) ==
        List<Run>{{0, 12}, {12, 13}, {15, 16}});
}

TEST_CASE("list: room doubles", "[list]") {
  List<int> list;
  std::size_t moves = 0;
  for (int k = 0; k < 1000; ++k) {
    const std::size_t before = list.capacity();
    list.push_back(k);
    if (list.capacity() != before) ++moves;
  }
  CHECK(moves < 12);
  list.clear();
  CHECK(list.capacity() >= 1000);
}
