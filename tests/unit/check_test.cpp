// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/check.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using snug::Check;
using snug::Reason;

namespace {

template <class T>
constexpr T kMin = (std::numeric_limits<T>::min)();
template <class T>
constexpr T kMax = (std::numeric_limits<T>::max)();

template <class T>
using Buffer = snug::Buffer<T, T>;
template <class T>
using Gap = snug::Gap<T, T>;

// The verdict on one buffer between two good ones, which must name it.
template <class T>
Reason verdict(Buffer<T> buffer) {
  snug::Problem<T, T> problem;
  problem.buffers.push_back({{0, 1}, 1});
  problem.buffers.push_back(std::move(buffer));
  problem.buffers.push_back({{0, 1}, 1});
  const Check result = snug::check(problem);
  CHECK(result.ok() == (result.reason == Reason::kNone));
  CHECK(result.buffer == (result.ok() ? Check::kNoBuffer : std::size_t{1}));
  return result.reason;
}

template <class T>
Buffer<T> with_gaps(std::vector<Gap<T>> gaps) {
  Buffer<T> buffer{{10, 20}, 8};
  buffer.gaps = std::move(gaps);
  return buffer;
}

template <class T>
Buffer<T> with_offset(T size, T alignment, T offset) {
  Buffer<T> buffer{{10, 20}, size};
  buffer.alignment = alignment;
  buffer.offset = offset;
  return buffer;
}

}  // namespace

TEMPLATE_TEST_CASE("a well-formed problem passes", "[check]", std::int64_t,
                   std::int32_t) {
  using T = TestType;
  CHECK(snug::check(snug::Problem<T, T>{}).ok());
  CHECK(snug::check(snug::Problem<T, T>{}).buffer == Check::kNoBuffer);
  CHECK(verdict<T>({{0, 3}, 4}) == Reason::kNone);
  CHECK(verdict<T>({{0, 3}, 0}) == Reason::kNone);
  CHECK(verdict<T>({{-7, -3}, 4}) == Reason::kNone);
  CHECK(verdict<T>({{kMin<T>, kMax<T>}, 4}) == Reason::kNone);
  CHECK(verdict<T>({{0, 3}, 4, 64}) == Reason::kNone);
}

TEMPLATE_TEST_CASE("check refuses bad sizes, lifespans and alignments",
                   "[check]", std::int64_t, std::int32_t) {
  using T = TestType;
  CHECK(verdict<T>({{0, 3}, -1}) == Reason::kNegativeSize);
  CHECK(verdict<T>({{0, 3}, kMin<T>}) == Reason::kNegativeSize);
  CHECK(verdict<T>({{3, 3}, 4}) == Reason::kEmptyLifespan);
  CHECK(verdict<T>({{4, 3}, 4}) == Reason::kEmptyLifespan);
  CHECK(verdict<T>({{kMax<T>, kMin<T>}, 4}) == Reason::kEmptyLifespan);
  CHECK(verdict<T>({{0, 3}, 4, 0}) == Reason::kBadAlignment);
  CHECK(verdict<T>({{0, 3}, 4, -8}) == Reason::kBadAlignment);
  CHECK(verdict<T>({{0, 3}, 4, kMin<T>}) == Reason::kBadAlignment);
}

TEMPLATE_TEST_CASE("check refuses bad gaps", "[check]", std::int64_t,
                   std::int32_t) {
  using T = TestType;
  SECTION("each gap has a lifespan") {
    CHECK(verdict(with_gaps<T>({{{12, 12}}})) == Reason::kEmptyGap);
    CHECK(verdict(with_gaps<T>({{{13, 12}}})) == Reason::kEmptyGap);
    CHECK(verdict(with_gaps<T>({{{12, 13}}})) == Reason::kNone);
  }
  SECTION("inside the buffer's") {
    CHECK(verdict(with_gaps<T>({{{9, 12}}})) == Reason::kGapOutsideLifespan);
    CHECK(verdict(with_gaps<T>({{{12, 21}}})) == Reason::kGapOutsideLifespan);
    CHECK(verdict(with_gaps<T>({{{kMin<T>, kMax<T>}}})) ==
          Reason::kGapOutsideLifespan);
    CHECK(verdict(with_gaps<T>({{{10, 20}}})) == Reason::kNone);
  }
  SECTION("gaps are disjoint, in any order") {
    CHECK(verdict(with_gaps<T>({{{12, 15}}, {{14, 16}}})) ==
          Reason::kOverlappingGaps);
    CHECK(verdict(with_gaps<T>({{{14, 16}}, {{12, 15}}})) ==
          Reason::kOverlappingGaps);
    CHECK(verdict(with_gaps<T>({{{12, 13}}, {{12, 13}}})) ==
          Reason::kOverlappingGaps);
    CHECK(verdict(with_gaps<T>({{{10, 19}}, {{17, 18}}, {{11, 12}}})) ==
          Reason::kOverlappingGaps);
    CHECK(verdict(with_gaps<T>({{{14, 16}}, {{12, 14}}, {{10, 11}}})) ==
          Reason::kNone);
  }
  SECTION("windows lie inside the buffer") {
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{0, 8}}}})) == Reason::kNone);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{3, 5}}}})) == Reason::kNone);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{3, 3}}}})) ==
          Reason::kWindowOutsideSize);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{-1, 3}}}})) ==
          Reason::kWindowOutsideSize);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{3, 9}}}})) ==
          Reason::kWindowOutsideSize);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{kMin<T>, kMax<T>}}}})) ==
          Reason::kWindowOutsideSize);
  }
}

TEMPLATE_TEST_CASE("check refuses bad fixed offsets and hints", "[check]",
                   std::int64_t, std::int32_t) {
  using T = TestType;
  CHECK(verdict(with_offset<T>(8, 1, 0)) == Reason::kNone);
  CHECK(verdict(with_offset<T>(8, 4, 12)) == Reason::kNone);
  CHECK(verdict(with_offset<T>(8, 1, -1)) == Reason::kNegativeOffset);
  CHECK(verdict(with_offset<T>(8, 1, kMin<T>)) == Reason::kNegativeOffset);
  CHECK(verdict(with_offset<T>(8, 4, 13)) == Reason::kMisalignedOffset);
  CHECK(verdict(with_offset<T>(8, kMax<T>, 1)) == Reason::kMisalignedOffset);
  CHECK(verdict(with_offset<T>(8, 1, kMax<T> - 8)) == Reason::kNone);
  CHECK(verdict(with_offset<T>(8, 1, kMax<T> - 7)) == Reason::kOffsetOverflow);
  CHECK(verdict(with_offset<T>(1, 1, kMax<T>)) == Reason::kOffsetOverflow);
  CHECK(verdict(with_offset<T>(0, 1, kMax<T>)) == Reason::kNone);
  CHECK(verdict(with_offset<T>(kMax<T>, 1, kMax<T>)) ==
        Reason::kOffsetOverflow);

  Buffer<T> hinted{{0, 3}, 4};
  hinted.hint = T{0};
  CHECK(verdict(hinted) == Reason::kNone);
  hinted.hint = kMax<T>;
  CHECK(verdict(hinted) == Reason::kNone);
  hinted.hint = T{-1};
  CHECK(verdict(hinted) == Reason::kNegativeHint);
  hinted.hint = kMin<T>;
  CHECK(verdict(hinted) == Reason::kNegativeHint);
}

TEMPLATE_TEST_CASE("check names the first bad buffer in input order", "[check]",
                   std::int64_t, std::int32_t) {
  snug::Problem<TestType, TestType> problem;
  for (TestType k = 0; k < 5; ++k) problem.buffers.push_back({{k, k + 1}, 1});
  problem.buffers[4].size = -1;
  problem.buffers[2].alignment = 0;
  problem.buffers[3].lifespan = {1, 1};
  CHECK(snug::check(problem).buffer == 2);
  CHECK(snug::check(problem).reason == Reason::kBadAlignment);
  problem.buffers[2].alignment = 1;
  CHECK(snug::check(problem).buffer == 3);
  CHECK(snug::check(problem).reason == Reason::kEmptyLifespan);
  problem.buffers[3].lifespan = {1, 2};
  CHECK(snug::check(problem).buffer == 4);
  CHECK(snug::check(problem).reason == Reason::kNegativeSize);
}

TEST_CASE("the sum of all sizes and padding stays within 2^62", "[check]") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 1}, kLimit});
  CHECK(snug::check(problem).ok());

  SECTION("one byte more, even at another time") {
    problem.buffers.push_back({{5, 6}, 1});
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 1);
  }
  SECTION("buffers without size add nothing") {
    problem.buffers.push_back({{0, 1}, 0});
    CHECK(snug::check(problem).ok());
  }
  SECTION("an alignment of 2 costs one byte of padding") {
    problem.buffers[0].alignment = 2;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 0);
    problem.buffers[0].size = kLimit - 1;
    CHECK(snug::check(problem).ok());
  }
  SECTION("the largest size and the largest alignment do not overflow") {
    problem.buffers[0].size = kMax<std::int64_t>;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    problem.buffers[0].alignment = kMax<std::int64_t>;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    problem.buffers[0].size = 0;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    problem.buffers[0] = {{0, 1}, 1};
    for (int k = 0; k < 4; ++k)
      problem.buffers.push_back({{0, 1}, kMax<std::int64_t>});
    CHECK(snug::check(problem).buffer == 1);
  }
}

TEST_CASE("32-bit sizes: the load must fit, the sum need not", "[check]") {
  constexpr std::int32_t kLargest = kMax<std::int32_t>;
  snug::Problem<std::int32_t, std::int32_t> problem;

  SECTION("one buffer of the largest size") {
    problem.buffers.push_back({{0, 1}, kLargest});
    CHECK(snug::check(problem).ok());
  }
  SECTION("largest sizes one after another") {
    for (std::int32_t k = 0; k < 10; ++k)
      problem.buffers.push_back({{k, k + 1}, kLargest});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{4, 6}, 0});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{5, 6}, 1});
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 11);
  }
  SECTION("the buffer at whose start the load passes the limit is named") {
    problem.buffers.push_back({{4, 9}, kLargest - 5});
    problem.buffers.push_back({{0, 9}, 5});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{2, 9}, 1});
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 0);
  }
  SECTION("buffers that start together, the last in input order") {
    for (int k = 0; k < 3; ++k)
      problem.buffers.push_back({{0, 1}, kLargest / 2});
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 2);
  }
  SECTION("lifespans at both ends of time") {
    constexpr std::int32_t kFirst = kMin<std::int32_t>;
    problem.buffers.push_back({{kFirst, kFirst + 1}, kLargest});
    problem.buffers.push_back({{kFirst + 1, kLargest}, kLargest});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{kLargest - 1, kLargest}, 1});
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 2);
  }
  SECTION("the largest alignment") {
    problem.buffers.push_back({{0, 1}, kLargest, kLargest});
    CHECK(snug::check(problem).ok());
  }
}
