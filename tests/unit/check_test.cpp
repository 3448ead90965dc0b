// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/check.hpp"

#include "support/catch.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace check_test {

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

/// Gives up at the last question; never at 0.
struct Asked {
  int last;
  int questions = 0;
  bool operator()() { return ++questions == last; }
};

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
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{0, 0}}}})) == Reason::kNone);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{3, 3}}}})) == Reason::kNone);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{8, 8}}}})) == Reason::kNone);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{9, 9}}}})) ==
          Reason::kWindowOutsideSize);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{-1, -1}}}})) ==
          Reason::kWindowOutsideSize);
    CHECK(verdict(with_gaps<T>({{{12, 13}, {{4, 3}}}})) ==
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
  // 64-bit offsets must leave room for the rest below 2^62.
  const Reason huge = sizeof(T) == 8 ? Reason::kSizeOverflow : Reason::kNone;
  CHECK(verdict(with_offset<T>(8, 1, kMax<T> - 8)) == huge);
  CHECK(verdict(with_offset<T>(8, 1, kMax<T> - 7)) == Reason::kOffsetOverflow);
  CHECK(verdict(with_offset<T>(1, 1, kMax<T>)) == Reason::kOffsetOverflow);
  CHECK(verdict(with_offset<T>(0, 1, kMax<T>)) == huge);
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

TEST_CASE("sizes and padding of a partition stay within 2^62", "[check]") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 1}, kLimit});
  CHECK(snug::check(problem).ok());

  SECTION("one byte more") {
    problem.buffers.push_back({{0, 1}, 1});
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 1);
    problem.buffers[1].lifespan = {1, 2};
    CHECK(snug::check(problem).ok());
  }
  SECTION("in any number of partitions") {
    for (int k = 9; k > 0; --k) problem.buffers.push_back({{k, k + 1}, kLimit});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{4, 5}, 0});
    CHECK(snug::check(problem).ok());
    problem.buffers.push_back({{20, 21}, kLimit});
    problem.buffers.push_back({{7, 8}, 1});
    problem.buffers.push_back({{3, 4}, 1});
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 13);  // The first by time.
    problem.buffers[13].lifespan = {22, 23};
    CHECK(snug::check(problem).buffer == 12);
    problem.buffers[12].lifespan = {22, 23};
    CHECK(snug::check(problem).ok());
    // What is live together is far less here, but may be stacked.
    problem.buffers[1].lifespan.upper = 11;
    CHECK(snug::check(problem).ok());
    problem.buffers[2].lifespan.upper = 10;
    CHECK(snug::check(problem).buffer == 1);
  }
  SECTION("padding counts in each, and the order of errors is kept") {
    problem.buffers.push_back({{4, 5}, kLimit - 6, 4});
    problem.alignment = 2;
    problem.buffers[0].size = kLimit - 1;
    CHECK(snug::check(problem).ok());
    problem.alignment = 8;
    CHECK(snug::check(problem).buffer == 0);
    problem.buffers[0].size = kLimit - 7;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 1);
    problem.buffers.push_back({{8, 9}, -1});
    CHECK(snug::check(problem).reason == Reason::kNegativeSize);
    CHECK(snug::check(problem).buffer == 2);
  }
  SECTION("over all where there are constraints or hints") {
    problem.buffers.push_back({{5, 6}, 1});
    snug::Problem<> constrained = problem;
    CHECK(snug::check(constrained).ok());
    SECTION("base") {
      constrained.base = 1;
    }
    SECTION("hint") {
      constrained.buffers[0].hint = 0;
    }
    SECTION("end") {
      constrained.buffers[0].end = snug::End::kTop;
    }
    SECTION("gap") {
      constrained.buffers[1].gaps = {{{5, 6}}};
    }
    SECTION("offset") {
      constrained.buffers[1].offset = 0;
    }
    SECTION("apart") {
      constrained.apart = {{0, 1}};
    }
    SECTION("alias") {
      constrained.aliases = {{0, 1}};
    }
    SECTION("reserved") {
      constrained.reserved = {{{0, 1}}};
    }
    CHECK(snug::check(constrained).ok() ==
          snug::detail::is_unconstrained(constrained));
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

TEST_CASE("32-bit sizes: what shares bytes or is in a gap is no load",
          "[check]") {
  constexpr std::int32_t kLargest = kMax<std::int32_t>;
  snug::Problem<std::int32_t, std::int32_t> problem;
  problem.buffers.push_back({{0, 9}, kLargest});
  problem.buffers.push_back({{3, 6}, kLargest});
  CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
  CHECK(snug::check(problem).buffer == 1);

  SECTION("a gap without window") {
    problem.buffers[0].gaps.push_back({{3, 6}, std::nullopt});
    CHECK(snug::check(problem).ok());
    problem.buffers[0].gaps[0].lifespan.lower = 4;
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 1);
    problem.buffers[0].gaps[0].lifespan = {3, 5};
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    CHECK(snug::check(problem).buffer == 0);
  }
  SECTION("a window") {
    problem.buffers[0].gaps.push_back({{3, 6}, snug::Interval<std::int32_t>{}});
    problem.buffers[0].gaps[0].window = {0, 4};
    CHECK(snug::check(problem).reason == Reason::kLoadOverflow);
    problem.buffers[1].size = kLargest - 4;
    CHECK(snug::check(problem).ok());
  }
  SECTION("a pair that may overlap") {
    problem.may_overlap.push_back({0, 1});
    CHECK(snug::check(problem).ok());
  }
  SECTION("an alias") {
    problem.aliases.push_back({0, 1, 0});
    CHECK(snug::check(problem).ok());
    problem.aliases[0].delta = 1;
    CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
    CHECK(snug::check(problem).buffer == 0);
  }
}

namespace {

template <class T>
using ProblemOf = snug::Problem<T, T>;

/// Buffers of these sizes, all live during [0, 9).
template <class T>
ProblemOf<T> live_together(const std::vector<T>& sizes) {
  ProblemOf<T> problem;
  for (const T size : sizes) problem.buffers.push_back({{0, 9}, size});
  return problem;
}

template <class T>
bool refuses(const ProblemOf<T>& problem, Reason reason, std::size_t buffer) {
  const Check result = snug::check(problem);
  CAPTURE(to_string(result.reason), result.buffer);
  CHECK(result.reason == reason);
  CHECK(result.buffer == buffer);
  return result.reason == reason && result.buffer == buffer;
}

constexpr std::size_t kNobody = Check::kNoBuffer;

}  // namespace

TEMPLATE_TEST_CASE("check refuses bad heaps", "[check]", std::int64_t,
                   std::int32_t) {
  ProblemOf<TestType> problem = live_together<TestType>({4, 6});
  problem.base = -1;
  CHECK(refuses(problem, Reason::kNegativeBase, kNobody));
  problem.base = kMin<TestType>;
  CHECK(refuses(problem, Reason::kNegativeBase, kNobody));
  problem.base = 3;
  CHECK(snug::check(problem).ok());
  problem.alignment = 0;
  CHECK(refuses(problem, Reason::kBadHeapAlignment, kNobody));
  problem.alignment = kMin<TestType>;
  CHECK(refuses(problem, Reason::kBadHeapAlignment, kNobody));
  problem.alignment = 4;
  CHECK(snug::check(problem).ok());
  problem.buffers[1].offset = 2;
  CHECK(refuses(problem, Reason::kOffsetBelowBase, 1));
  problem.buffers[1].offset = 3;
  CHECK(refuses(problem, Reason::kMisalignedOffset, 1));
  problem.buffers[1].offset = 4;
  CHECK(snug::check(problem).ok());
  problem.buffers[1].alignment = 3;
  CHECK(refuses(problem, Reason::kMisalignedOffset, 1));
  problem.buffers[1].offset = 12;
  CHECK(snug::check(problem).ok());
}

TEMPLATE_TEST_CASE("check refuses bad reserved ranges", "[check]", std::int64_t,
                   std::int32_t) {
  ProblemOf<TestType> problem = live_together<TestType>({4});
  problem.reserved.push_back({{2, 8}, std::nullopt});
  problem.reserved.push_back({{4, 9}, snug::Interval<TestType>{3, 4}});
  CHECK(snug::check(problem).ok());
  auto& reserved = problem.reserved[1];
  SECTION("no bytes") {
    reserved.bytes = {4, 4};
    CHECK(refuses(problem, Reason::kBadReserved, kNobody));
  }
  SECTION("bytes below zero") {
    reserved.bytes = {-1, 4};
    CHECK(refuses(problem, Reason::kBadReserved, kNobody));
    reserved.bytes = {kMax<TestType>, kMin<TestType>};
    CHECK(refuses(problem, Reason::kBadReserved, kNobody));
  }
  SECTION("no time") {
    reserved.lifespan->upper = 3;
    CHECK(refuses(problem, Reason::kBadReserved, kNobody));
  }
}

TEMPLATE_TEST_CASE("check refuses contradictory ties", "[check]", std::int64_t,
                   std::int32_t) {
  ProblemOf<TestType> problem = live_together<TestType>({4, 6, 2, 0});
  SECTION("what ties.hpp finds") {
    problem.aliases = {{0, 4, 0}};
    CHECK(refuses(problem, Reason::kUnknownBuffer, 4));
    problem.aliases = {{2, 2, 1}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 2));
    problem.aliases.clear();
    problem.contiguous = {{0, 1, 0}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 0));
  }
  SECTION("alignments that never agree") {
    problem.buffers[0].alignment = 4;
    problem.buffers[2].alignment = 2;
    problem.aliases = {{2, 0, 1}, {0, 1, 1}};
    CHECK(refuses(problem, Reason::kUnalignableAlias, 2));
    problem.aliases = {{2, 0, 2}, {0, 1, 1}};
    CHECK(snug::check(problem).ok());
    problem.alignment = 2;
    CHECK(refuses(problem, Reason::kUnalignableAlias, 1));
    problem.aliases = {{2, 0, 2}};
    CHECK(snug::check(problem).ok());
    problem.buffers[2].alignment = 4;
    CHECK(refuses(problem, Reason::kUnalignableAlias, 2));
  }
  SECTION("fixed offsets of tied buffers") {
    problem.aliases = {{2, 1, 3}, {1, 0, -2}};
    problem.buffers[1].offset = 5;  // so 0 is at 7 and 2 at 8
    CHECK(snug::check(problem).ok());
    problem.buffers[2].offset = 8;
    CHECK(snug::check(problem).ok());
    problem.buffers[2].offset = 7;
    CHECK(refuses(problem, Reason::kContradictoryOffset, 2));
    problem.buffers[2].offset = 8;
    problem.buffers[0].offset = 6;
    CHECK(refuses(problem, Reason::kContradictoryOffset, 1));
    problem.buffers[0].offset.reset();
    problem.buffers[0].alignment = 2;
    CHECK(refuses(problem, Reason::kMisalignedOffset, 0));
    problem.buffers[0].alignment = 7;
    CHECK(snug::check(problem).ok());
    problem.aliases[0].delta = -6;
    problem.buffers[2].offset.reset();
    CHECK(refuses(problem, Reason::kOffsetBelowBase, 2));
    problem.aliases[0].delta = -5;
    CHECK(snug::check(problem).ok());
    problem.base = 1;
    CHECK(refuses(problem, Reason::kOffsetBelowBase, 2));
  }
  SECTION("an implied top beyond the type") {
    problem.aliases = {{1, 0, 10}};
    problem.buffers[0].offset = kMax<TestType> - 15;
    CHECK(refuses(
        problem,
        sizeof(TestType) == 8 ? Reason::kSizeOverflow : Reason::kOffsetOverflow,
        sizeof(TestType) == 8 ? 0 : 1));
    problem.buffers[0].offset = *problem.buffers[0].offset - 1;
    if (sizeof(TestType) == 4) CHECK(snug::check(problem).ok());
  }
}

TEMPLATE_TEST_CASE("check refuses bad pairs", "[check]", std::int64_t,
                   std::int32_t) {
  ProblemOf<TestType> problem = live_together<TestType>({4, 6, 2, 0});
  SECTION("indices") {
    for (auto* pairs : {&problem.apart, &problem.may_overlap}) {
      *pairs = {{0, 1}, {2, 4}};
      CHECK(refuses(problem, Reason::kUnknownBuffer, 4));
      *pairs = {{0, 1}, {9, 4}};
      CHECK(refuses(problem, Reason::kUnknownBuffer, 9));
      *pairs = {{0, 1}, {2, 2}};
      CHECK(refuses(problem, Reason::kPairOfOne, 2));
      *pairs = {{0, 1}, {1, 0}, {0, 1}};
      CHECK(snug::check(problem).ok());
      pairs->clear();
    }
  }
  SECTION("both at once") {
    problem.apart = {{0, 2}, {2, 1}};
    problem.may_overlap = {{0, 1}, {1, 2}};
    CHECK(refuses(problem, Reason::kApartButMayOverlap, 2));
    problem.may_overlap[1] = {1, 3};
    CHECK(snug::check(problem).ok());
  }
  SECTION("tied to overlap") {
    problem.apart = {{1, 0}};
    problem.aliases = {{0, 1, 5}};
    CHECK(refuses(problem, Reason::kApartButTied, 1));
    problem.aliases[0].delta = 6;
    CHECK(snug::check(problem).ok());
    problem.aliases[0].delta = -3;
    CHECK(refuses(problem, Reason::kApartButTied, 1));
    problem.aliases[0].delta = -4;
    CHECK(snug::check(problem).ok());
    // Empty buffers constrain nothing.
    problem.apart = {{1, 3}};
    problem.aliases = {{3, 1, 2}};
    CHECK(snug::check(problem).ok());
  }
}

TEMPLATE_TEST_CASE("check refuses fixed buffers that conflict", "[check]",
                   std::int64_t, std::int32_t) {
  ProblemOf<TestType> problem = live_together<TestType>({4, 6, 2, 0});
  problem.buffers[1].offset = 10;
  problem.buffers[2].offset = 15;
  CHECK(refuses(problem, Reason::kConflictingOffsets, 1));

  SECTION("not where one is in a gap") {
    problem.buffers[1].gaps.push_back({{0, 9}, snug::Interval<TestType>{0, 5}});
    CHECK(snug::check(problem).ok());
    problem.apart = {{2, 1}};
    CHECK(refuses(problem, Reason::kConflictingOffsets, 1));
  }
  SECTION("nor if only one of two kept apart is fixed") {
    problem.buffers[2].offset.reset();
    problem.buffers[1].offset = 0;
    problem.apart = {{0, 1}, {1, 2}};
    CHECK(snug::check(problem).ok());
  }
  SECTION("nor if they may overlap") {
    problem.may_overlap = {{2, 1}};
    CHECK(snug::check(problem).ok());
  }
  SECTION("nor if they are tied") {
    problem.aliases = {{2, 1, 5}};
    CHECK(snug::check(problem).ok());
    problem.buffers[2].offset.reset();
    CHECK(snug::check(problem).ok());
  }
  SECTION("nor if one is empty") {
    problem.buffers[3].offset = 11;
    problem.buffers[2].offset = 16;
    CHECK(snug::check(problem).ok());
  }
  SECTION("through ties") {
    problem.buffers[2].offset.reset();
    problem.buffers[0].offset = 0;
    problem.contiguous = {{0, 2}};
    CHECK(snug::check(problem).ok());
    problem.buffers[1].offset = 5;
    CHECK(refuses(problem, Reason::kConflictingOffsets, 1));
  }
  SECTION("ends") {
    problem.buffers[2].offset = 16;
    problem.buffers[1].end = snug::End::kBottom;
    problem.buffers[2].end = snug::End::kTop;
    CHECK(snug::check(problem).ok());
    std::swap(problem.buffers[1].end, problem.buffers[2].end);
    CHECK(refuses(problem, Reason::kConflictingOffsets, 1));
    problem.may_overlap = {{1, 2}};
    CHECK(snug::check(problem).ok());
    problem.may_overlap.clear();
    problem.buffers[2].lifespan = {9, 10};
    CHECK(snug::check(problem).ok());
    problem.apart = {{1, 2}};
    CHECK(refuses(problem, Reason::kConflictingOffsets, 1));
  }
  SECTION("reserved bytes") {
    problem.buffers[2].offset = 16;
    problem.reserved.push_back({{17, 20}, snug::Interval<TestType>{8, 20}});
    CHECK(refuses(problem, Reason::kReservedOffset, 2));
    problem.reserved[0].lifespan->lower = 9;
    CHECK(snug::check(problem).ok());
    problem.reserved[0].lifespan.reset();
    CHECK(refuses(problem, Reason::kReservedOffset, 2));
    problem.reserved[0].bytes.lower = 18;
    CHECK(snug::check(problem).ok());
  }
}

TEST_CASE("check leaves room below 2^62 for all that is constrained",
          "[check]") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  ProblemOf<std::int64_t> problem = live_together<std::int64_t>({10, 10});
  SECTION("the base") {
    problem.base = kLimit - 20;
    CHECK(snug::check(problem).ok());
    problem.base = kLimit - 19;
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.base = kMax<std::int64_t>;
    CHECK(refuses(problem, Reason::kSizeOverflow, kNobody));
  }
  SECTION("the alignment of the heap") {
    problem.alignment = 6;
    problem.buffers[0].alignment = 4;
    problem.buffers[1].size = kLimit - 10 - 11 - 5;
    CHECK(snug::check(problem).ok());
    ++problem.buffers[1].size;
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.buffers[1].size = 10;
    problem.alignment = kMax<std::int64_t>;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
    problem.alignment = (std::int64_t{1} << 40) + 1;
    problem.buffers[0].alignment = std::int64_t{1} << 40;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
  }
  SECTION("reserved ranges") {
    problem.reserved.push_back({{3, kLimit - 20}, std::nullopt});
    CHECK(snug::check(problem).ok());
    ++problem.reserved[0].bytes.upper;
    CHECK(refuses(problem, Reason::kSizeOverflow, kNobody));
    problem.reserved[0].bytes.upper = kMax<std::int64_t>;
    CHECK(refuses(problem, Reason::kSizeOverflow, kNobody));
  }
  SECTION("fixed offsets") {
    problem.buffers[0].offset = kLimit - 30;
    CHECK(snug::check(problem).ok());
    problem.buffers[0].offset = kLimit - 29;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
    problem.buffers[0].offset = kMax<std::int64_t> - 10;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
  }
  SECTION("tied buffers, with what lies between") {
    problem.aliases = {{1, 0, kLimit - 30}};
    CHECK(snug::check(problem).ok());
    problem.aliases[0].delta += 1;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
    problem.aliases[0].delta *= -1;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
    problem.aliases[0].delta = kLimit;
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.aliases[0].delta = kMax<std::int64_t>;
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.aliases[0].delta = 0;
    problem.buffers[0].alignment = std::int64_t{1} << 31;
    problem.buffers[1].alignment = (std::int64_t{1} << 31) - 1;
    CHECK(refuses(problem, Reason::kSizeOverflow, 0));
    problem.buffers[1].alignment = (std::int64_t{1} << 30) - 1;
    CHECK(snug::check(problem).ok());
  }
}

TEST_CASE("check names the first error in the documented order", "[check]") {
  // Everything is wrong; mended one by one, in this order.
  ProblemOf<std::int64_t> problem =
      live_together<std::int64_t>({4, 6, 2, 3, 5});
  problem.base = -1;
  problem.alignment = 0;
  problem.buffers[4].size = -1;
  problem.reserved.push_back({{4, 4}, std::nullopt});
  problem.aliases = {{1, 7, 0}};
  problem.contiguous = {{2, 2}};
  problem.apart = {{3, 3}};
  problem.may_overlap = {{8, 3}};
  problem.buffers[0].offset = 0;
  problem.buffers[1].offset = 3;
  CHECK(refuses(problem, Reason::kNegativeBase, kNobody));
  problem.base = 0;
  CHECK(refuses(problem, Reason::kBadHeapAlignment, kNobody));
  problem.alignment = 1;
  CHECK(refuses(problem, Reason::kNegativeSize, 4));
  problem.buffers[4].size = 5;
  CHECK(refuses(problem, Reason::kBadReserved, kNobody));
  problem.reserved[0].bytes.upper = 5;
  CHECK(refuses(problem, Reason::kUnknownBuffer, 7));
  problem.aliases.clear();
  CHECK(refuses(problem, Reason::kContradictoryAlias, 2));
  problem.contiguous.clear();
  CHECK(refuses(problem, Reason::kPairOfOne, 3));
  problem.apart = {{3, 4}};
  CHECK(refuses(problem, Reason::kUnknownBuffer, 8));
  problem.may_overlap[0] = {4, 3};
  CHECK(refuses(problem, Reason::kApartButMayOverlap, 3));
  problem.may_overlap.clear();
  CHECK(refuses(problem, Reason::kConflictingOffsets, 0));
  problem.buffers[1].offset = 4;
  CHECK(refuses(problem, Reason::kReservedOffset, 1));
  problem.buffers[1].offset = 5;
  CHECK(snug::check(problem).ok());
}

TEMPLATE_TEST_CASE("fixed buffers conflict where they would in a placement",
                   "[check]", std::int64_t, std::int32_t) {
  using snug::testing::Random;
  using T = TestType;
  std::size_t conflicts = 0;
  std::size_t reserved = 0;
  std::size_t fine = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    ProblemOf<T> problem;
    std::vector<T> offsets;
    const int n = random.between(2, 5);
    const auto any = [&] {
      return random.between(std::size_t{0}, static_cast<std::size_t>(n - 1));
    };
    for (int i = 0; i < n; ++i) {
      const T lower = random.between(T{0}, T{4});
      problem.buffers.push_back(
          {{lower, random.between(static_cast<T>(lower + 1), T{6})},
           random.between(T{0}, T{4})});
      auto& buffer = problem.buffers.back();
      buffer.end = static_cast<snug::End>(random.between(0, 2));
      if (random.chance(30)) buffer.gaps.push_back({buffer.lifespan, {}});
      if (random.chance(50) && buffer.size > 1 && !buffer.gaps.empty())
        buffer.gaps[0].window = snug::Interval<T>{1, buffer.size};
      offsets.push_back(random.between(T{0}, T{9}));
      buffer.offset = offsets.back();
    }
    if (random.chance(30)) {
      const std::size_t a = any();
      const std::size_t b = any();
      problem.aliases.push_back(
          {a, b, static_cast<T>(offsets[a] - offsets[b])});
      if (a != b) problem.buffers[a].offset.reset();
    }
    if (random.chance(30)) problem.may_overlap.push_back({any(), any()});
    if (random.chance(30)) problem.apart.push_back({any(), any()});
    if (random.chance(30)) {
      const T lower = random.between(T{0}, T{9});
      problem.reserved.push_back({{lower, static_cast<T>(lower + 1)}, {}});
    }
    const Check actual = snug::check(problem);
    if (actual.reason == Reason::kPairOfOne ||
        actual.reason == Reason::kApartButTied ||
        actual.reason == Reason::kApartButMayOverlap)
      continue;
    const snug::Validation expected =
        snug::testing::validate_pairwise(problem, T{100}, offsets);
    CAPTURE(seed, to_string(actual.reason), to_string(expected.fault));
    CHECK(actual.ok() == expected.ok());
    if (expected.ok()) {
      ++fine;
      continue;
    }
    const bool in_reserved = expected.fault == snug::Fault::kReservedBytes;
    CHECK(actual.reason == (in_reserved ? Reason::kReservedOffset
                                        : Reason::kConflictingOffsets));
    CHECK(actual.buffer == expected.buffer);
    ++(in_reserved ? reserved : conflicts);
  }
  CHECK(fine > 500);
  CHECK(conflicts > 500);
  CHECK(reserved > 50);
}

TEST_CASE("checking fixed buffers takes n log n time", "[check]") {
  constexpr std::size_t kCount = 100000;
  ProblemOf<std::int64_t> problem;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto k = static_cast<std::int64_t>(i);
    problem.buffers.push_back({{k % 97, 200 + k % 89}, 16});
    problem.buffers.back().offset = 16 * k;
    problem.buffers.back().end =
        k < 50000 ? snug::End::kBottom : snug::End::kTop;
    problem.reserved.push_back({{2000000, 2000001 + k}, std::nullopt});
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(snug::check(problem).ok());
  problem.buffers[70000].end = snug::End::kBottom;
  CHECK(refuses(problem, Reason::kConflictingOffsets, 50000));
  problem.buffers[70000].end = snug::End::kTop;
  *problem.buffers[70000].offset += 1;
  CHECK(refuses(problem, Reason::kConflictingOffsets, 70000));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  // Quadratic work would take minutes.
  CHECK(elapsed.count() < 10.0);
}

namespace {

using snug::Entry;

bool names(const snug::Problem<>& problem, const Check& expected) {
  const Check found = snug::check(problem);
  CAPTURE(to_string(found.reason), to_string(found.entry), found.buffer,
          found.index, found.other);
  CHECK(found.reason == expected.reason);
  CHECK(found.buffer == expected.buffer);
  CHECK(found.entry == expected.entry);
  CHECK(found.index == expected.index);
  CHECK(found.other == expected.other);
  return found.reason == expected.reason && found.buffer == expected.buffer &&
         found.entry == expected.entry && found.index == expected.index &&
         found.other == expected.other;
}

/// How often check() asks whether to go on, until it finds `reason`. Told at any of
/// these questions to stop, it finds nothing, and asks no more.
template <bool kPlainOnly, class Size>
int questions_of(const snug::Problem<Size, Size>& problem, Reason reason) {
  Asked never{0};
  CHECK(snug::detail::check<kPlainOnly>(problem, snug::detail::Interrupt(never))
            .reason == reason);
  for (int last = 1; last <= never.questions; ++last) {
    Asked asked{last};
    const snug::detail::Interrupt interrupt(asked);
    CHECK(snug::detail::check<kPlainOnly>(problem, interrupt).ok());
    CHECK(asked.questions == last);
  }
  return never.questions;
}

}  // namespace

TEMPLATE_TEST_CASE("check can be interrupted where it adds up what is live",
                   "[check]", std::int32_t, std::int64_t) {
  // Each size fits, and all that are live at one time do not.
  const auto each = static_cast<TestType>(kMax<TestType> / 4 + 1);
  snug::Problem<TestType, TestType> problem;
  for (TestType i = 0; i < 40000; ++i)
    problem.buffers.push_back({{i / 4, i / 4 + 1}, each});
  const Check whole = snug::detail::check<true>(problem);
  CHECK(whole.reason == (sizeof(TestType) == 4 ? Reason::kLoadOverflow
                                               : Reason::kSizeOverflow));
  CHECK(whole.buffer == (sizeof(TestType) == 4 ? 3 : 2));
  CHECK(questions_of<true>(problem, whole.reason) > 0);
}

TEST_CASE("check can be interrupted wherever it asks", "[check]") {
  snug::Problem<> problem;
  for (std::int64_t i = 0; i < 40000; ++i) {
    problem.buffers.push_back({{i, i + 2}, 1});
    problem.buffers.back().offset = i % 2;
  }
  problem.buffers.back().offset = 0;
  // In a list, in two sorts, and between the steps.
  CHECK(questions_of<false>(problem, Reason::kConflictingOffsets) > 6);
}

TEST_CASE("check names the entry that is wrong, and its partner", "[check]") {
  snug::Problem<> problem = live_together<std::int64_t>({4, 4, 4, 4});
  CHECK(names(problem, {}));
  SECTION("the problem") {
    problem.base = -1;
    CHECK(names(problem, {Reason::kNegativeBase, kNobody}));
  }
  SECTION("a buffer") {
    problem.buffers[2].alignment = 0;
    CHECK(
        names(problem, {Reason::kBadAlignment, 2, Entry::kBuffer, 2, kNobody}));
  }
  SECTION("a gap, and another") {
    problem.buffers[1].gaps = {{{1, 2}}, {{6, 8}}, {{3, 3}}};
    CHECK(names(problem, {Reason::kEmptyGap, 1, Entry::kGap, 2, kNobody}));
    problem.buffers[1].gaps[2].lifespan = {3, 7};
    CHECK(names(problem, {Reason::kOverlappingGaps, 1, Entry::kGap, 2, 1}));
    problem.buffers[1].gaps[1].window = {0, 5};
    CHECK(names(problem,
                {Reason::kWindowOutsideSize, 1, Entry::kGap, 1, kNobody}));
  }
  SECTION("a reserved range") {
    problem.reserved = {{{0, 4}}, {{8, 8}}};
    CHECK(names(problem,
                {Reason::kBadReserved, kNobody, Entry::kReserved, 1, kNobody}));
    problem.reserved[1].bytes = {8, kMax<std::int64_t>};
    CHECK(names(problem, {Reason::kSizeOverflow, kNobody, Entry::kReserved, 1,
                          kNobody}));
    problem.reserved[1].bytes = {8, 12};
    problem.buffers[3].offset = 11;
    CHECK(names(problem,
                {Reason::kReservedOffset, 3, Entry::kReserved, 1, kNobody}));
  }
  SECTION("an alias") {
    problem.aliases = {{1, 0, 0}, {2, 7, 0}};
    CHECK(names(problem, {Reason::kUnknownBuffer, 7, Entry::kAlias, 1, 2}));
    problem.aliases[1] = {0, 1, 4};
    CHECK(
        names(problem, {Reason::kContradictoryAlias, 0, Entry::kAlias, 1, 1}));
  }
  SECTION("a group") {
    problem.contiguous = {{0, 1}, {2, 3, 9}};
    CHECK(names(problem, {Reason::kUnknownBuffer, 9, Entry::kGroup, 1, 3}));
    problem.contiguous[1] = {9};
    CHECK(
        names(problem, {Reason::kUnknownBuffer, 9, Entry::kGroup, 1, kNobody}));
    problem.contiguous[1] = {2, 3, 2};
    CHECK(
        names(problem, {Reason::kContradictoryAlias, 2, Entry::kGroup, 1, 3}));
    problem.contiguous[1] = {1, 0};
    CHECK(
        names(problem, {Reason::kContradictoryAlias, 0, Entry::kGroup, 1, 1}));
  }
  SECTION("a pair kept apart") {
    problem.apart = {{0, 1}, {8, 2}};
    CHECK(names(problem, {Reason::kUnknownBuffer, 8, Entry::kApart, 1, 2}));
    problem.apart[1] = {2, 2};
    CHECK(names(problem, {Reason::kPairOfOne, 2, Entry::kApart, 1, 2}));
    problem.apart[1] = {3, 2};
    problem.aliases = {{2, 3, 1}};
    CHECK(names(problem, {Reason::kApartButTied, 3, Entry::kApart, 1, 2}));
    problem.aliases.clear();
    problem.may_overlap = {{2, 3}};
    CHECK(
        names(problem, {Reason::kApartButMayOverlap, 3, Entry::kApart, 1, 2}));
    problem.may_overlap.clear();
    problem.buffers[3].offset = 0;
    problem.buffers[2].offset = 2;
    CHECK(
        names(problem, {Reason::kConflictingOffsets, 2, Entry::kApart, 1, 3}));
  }
  SECTION("a pair that may overlap") {
    problem.may_overlap = {{0, 1}, {2, 8}};
    CHECK(
        names(problem, {Reason::kUnknownBuffer, 8, Entry::kMayOverlap, 1, 2}));
    problem.may_overlap[1] = {2, 2};
    CHECK(names(problem, {Reason::kPairOfOne, 2, Entry::kMayOverlap, 1, 2}));
  }
  SECTION("a buffer, because of another") {
    problem.aliases = {{2, 1, 3}};
    problem.buffers[1].alignment = problem.buffers[2].alignment = 2;
    CHECK(names(problem, {Reason::kUnalignableAlias, 2, Entry::kBuffer, 2, 1}));
    problem.aliases[0].delta = 2;
    problem.buffers[1].offset = 0;
    problem.buffers[2].offset = 4;
    CHECK(names(problem,
                {Reason::kContradictoryOffset, 2, Entry::kBuffer, 2, 1}));
    problem.buffers[2].offset.reset();
    problem.buffers[3].offset = 5;
    CHECK(
        names(problem, {Reason::kConflictingOffsets, 2, Entry::kBuffer, 2, 3}));
  }
}

}  // namespace check_test
