// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against plain loops, on every range of arrays that end where their memory
// does, so that sanitizers see a lane too many.
#include "snug/engine/lanes.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanes_test {

using namespace snug::testing;
using snug::detail::Index;
namespace detail = snug::detail;

namespace {

constexpr Index kSize = 37;

template <class T>
std::vector<T> draw(Random& random, int low, int high) {
  std::vector<T> values(kSize);
  for (T& value : values) value = static_cast<T>(random.between(low, high));
  return values;
}

/// Calls visit(begin, end) for all 0 <= begin <= end <= kSize.
template <class Visit>
void for_each_range(Visit&& visit) {
  for (Index begin = 0; begin <= kSize; ++begin)
    for (Index end = begin; end <= kSize; ++end) visit(begin, end);
}

}  // namespace

TEMPLATE_TEST_CASE("lanes: load, store and least", "[lanes]", std::int32_t,
                   std::int64_t) {
  constexpr Index kLanes = detail::kLanes<TestType>;
  std::vector<TestType> values(kLanes);
  for (Index low = 0; low < kLanes; ++low) {
    for (Index k = 0; k < kLanes; ++k)
      values[k] = k == low ? TestType{-3} : static_cast<TestType>(5 + k);
    std::vector<TestType> copy(kLanes);
    detail::set_lanes<TestType>(copy.data(),
                                detail::get_lanes<TestType>(values.data()));
    CHECK(copy == values);
    CHECK(detail::least<TestType>(detail::get_lanes(values.data())) == -3);
  }
}

TEMPLATE_TEST_CASE("lanes: any sees each single lane", "[lanes]", std::int32_t,
                   std::int64_t) {
  constexpr Index kLanes = detail::kLanes<TestType>;
  const std::vector<TestType> limits(kLanes, 10);
  std::vector<TestType> values(kLanes, 11);
  const auto is_any = [&] {
    return detail::any(detail::get_lanes(values.data()) <=
                       detail::get_lanes(limits.data()));
  };
  CHECK_FALSE(is_any());
  for (Index k = 0; k < kLanes; ++k) {
    values[k] = 10;
    CHECK(is_any());
    values[k] = 11;
  }
}

TEMPLATE_TEST_CASE("lanes: adding to a range", "[lanes]", std::int32_t,
                   std::int64_t) {
  Random random(1);
  for_each_range([&](Index begin, Index end) {
    std::vector<TestType> values = draw<TestType>(random, -1000, 1000);
    const auto amount = static_cast<TestType>(random.between(-50, 50));
    std::vector<TestType> expected = values;
    for (Index i = begin; i < end; ++i) expected[i] += amount;
    detail::add_to_range(values.data(), begin, end, amount);
    CAPTURE(begin, end, amount);
    REQUIRE(values == expected);
  });
}

TEMPLATE_TEST_CASE("lanes: raising a range", "[lanes]", std::int32_t,
                   std::int64_t) {
  Random random(2);
  for_each_range([&](Index begin, Index end) {
    std::vector<TestType> values = draw<TestType>(random, -10, 10);
    const auto floor = static_cast<TestType>(random.between(-9, 9));
    std::vector<TestType> expected = values;
    for (Index i = begin; i < end; ++i)
      expected[i] = (std::max)(expected[i], floor);
    detail::raise_range(values.data(), begin, end, floor);
    CAPTURE(begin, end, floor);
    REQUIRE(values == expected);
  });
}

TEMPLATE_TEST_CASE("lanes: the least of a range", "[lanes]", std::int32_t,
                   std::int64_t) {
  constexpr TestType kMax = (std::numeric_limits<TestType>::max)();
  Random random(3);
  for_each_range([&](Index begin, Index end) {
    const std::vector<TestType> values = draw<TestType>(random, -1000, 1000);
    const TestType so_far =
        random.chance(50) ? kMax
                          : static_cast<TestType>(random.between(-999, 999));
    TestType expected = so_far;
    for (Index i = begin; i < end; ++i)
      expected = (std::min)(expected, values[i]);
    CAPTURE(begin, end, so_far);
    REQUIRE(detail::least_in_range(values.data(), begin, end, so_far) ==
            expected);
  });
  // The least at every place of a long range.
  for (Index place = 0; place < kSize; ++place) {
    std::vector<TestType> values(kSize, 9);
    values[place] = 8;
    REQUIRE(detail::least_in_range(values.data(), 0, kSize, kMax) == 8);
    REQUIRE(detail::least_in_range(values.data(), 0, place, kMax) ==
            (place == 0 ? kMax : 9));
  }
}

TEMPLATE_TEST_CASE("lanes: lowering by a difference", "[lanes]", std::int32_t,
                   std::int64_t) {
  Random random(5);
  for_each_range([&](Index begin, Index end) {
    if (begin == end) return;  // The least of nothing is not defined.
    const std::vector<TestType> values = draw<TestType>(random, 0, 100);
    std::vector<TestType> lowered = draw<TestType>(random, -50, 50);
    const auto amount = static_cast<TestType>(random.between(0, 80));
    std::vector<TestType> expected = lowered;
    TestType least = (std::numeric_limits<TestType>::max)();
    for (Index i = begin; i < end; ++i) {
      const auto difference = static_cast<TestType>(values[i] - amount);
      expected[i] = (std::min)(expected[i], difference);
      least = (std::min)(least, difference);
    }
    CAPTURE(begin, end, amount);
    REQUIRE(detail::lower_by_difference(lowered.data(), values.data(), begin,
                                        end, amount) == least);
    REQUIRE(lowered == expected);
  });
}

TEMPLATE_TEST_CASE("lanes: listing what is at most a limit, ascending",
                   "[lanes]", std::int32_t, std::int64_t) {
  Random random(6);
  for (const int high : {4, 40, 400}) {
    for_each_range([&](Index begin, Index end) {
      const std::vector<TestType> values = draw<TestType>(random, -3, high);
      const TestType limit = 2;
      std::vector<Index> expected;
      for (Index i = begin; i < end; ++i)
        if (values[i] <= limit) expected.push_back(i);
      std::vector<Index> listed(end - begin);
      const Index* const list_end =
          detail::list_at_most(values.data(), begin, end, limit, listed.data());
      listed.resize(static_cast<std::size_t>(list_end - listed.data()));
      CAPTURE(begin, end, high);
      REQUIRE(listed == expected);
    });
  }
}

}  // namespace lanes_test
