// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/validate.hpp"

#include "../../benchmarks/generate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace validate_test {

namespace {

using namespace snug::testing;
using snug::Check;
using snug::Fault;
using snug::Gap;
using snug::Interval;
using snug::Problem;
using snug::Reason;
using snug::validate;
using snug::Validation;

constexpr std::size_t kNone = Check::kNoBuffer;
constexpr Fault kLastFault = Fault::kReservedBytes;

bool same(const Validation& a, const Validation& b) {
  return a.fault == b.fault && a.buffer == b.buffer && a.other == b.other;
}

/// The running example of model/problem.hpp, with its placement.
Problem<> example() {
  Problem<> problem;
  problem.buffers.push_back({{0, 3}, 4});
  problem.buffers.push_back({{3, 9}, 4});
  problem.buffers.push_back({{0, 9}, 4});
  problem.buffers.push_back({{9, 21}, 4});
  problem.buffers.push_back({{0, 21}, 4});
  return problem;
}

const std::vector<std::int64_t> kExampleOffsets = {0, 0, 8, 0, 4};

bool is(const Validation& verdict, Fault fault, std::size_t buffer = kNone,
        std::size_t other = kNone) {
  return same(verdict, {fault, buffer, other, {}});
}

}  // namespace

TEST_CASE("validate accepts what is right", "[validate]") {
  CHECK(validate(example(), 12, kExampleOffsets).ok());
  CHECK(validate(example(), kExampleOffsets).ok());
  CHECK(validate(Problem<>{}, 0, {}).ok());
  CHECK(validate(Problem<>{}, std::vector<std::int64_t>{}).ok());
}

TEST_CASE("validate names the fault of one buffer", "[validate]") {
  Problem<> problem = example();
  std::vector<std::int64_t> offsets = kExampleOffsets;

  SECTION("too few offsets") {
    offsets.pop_back();
    CHECK(is(validate(problem, 12, offsets), Fault::kWrongOffsetCount));
  }
  SECTION("too many offsets") {
    offsets.push_back(0);
    CHECK(is(validate(problem, 12, offsets), Fault::kWrongOffsetCount));
  }
  SECTION("no offsets") {
    CHECK(is(validate(problem, 12, {}), Fault::kWrongOffsetCount));
  }
  SECTION("negative offset") {
    offsets[3] = -1;
    CHECK(is(validate(problem, 12, offsets), Fault::kNegativeOffset, 3));
  }
  SECTION("top beyond the capacity") {
    CHECK(is(validate(problem, 11, offsets), Fault::kBeyondCapacity, 2));
    CHECK(is(validate(problem, 0, offsets), Fault::kBeyondCapacity, 0));
    offsets[4] = 9;
    CHECK(is(validate(problem, 12, offsets), Fault::kBeyondCapacity, 4));
  }
  SECTION("top beyond the type") {
    constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
    offsets[1] = kMost;
    CHECK(is(validate(problem, offsets), Fault::kBeyondCapacity, 1));
    offsets[1] = kMost - 3;
    CHECK(is(validate(problem, offsets), Fault::kBeyondCapacity, 1));
    offsets[1] = kMost - 4;
    CHECK(validate(problem, offsets).ok());
    CHECK(is(validate(problem, 12, offsets), Fault::kBeyondCapacity, 1));
    offsets[1] = (std::numeric_limits<std::int64_t>::min)();
    CHECK(is(validate(problem, offsets), Fault::kNegativeOffset, 1));
  }
  SECTION("misaligned") {
    problem.buffers[4].alignment = 4;
    CHECK(validate(problem, 12, offsets).ok());
    problem.buffers[4].alignment = 8;
    CHECK(is(validate(problem, 12, offsets), Fault::kMisalignedPlacement, 4));
    problem.buffers[4].alignment = 3;
    CHECK(is(validate(problem, 12, offsets), Fault::kMisalignedPlacement, 4));
  }
  SECTION("fixed offset not honoured") {
    problem.buffers[2].offset = 8;
    CHECK(validate(problem, 12, offsets).ok());
    problem.buffers[2].offset = 7;
    CHECK(is(validate(problem, 12, offsets), Fault::kMovedFixedOffset, 2));
  }
  SECTION("a hint binds nobody") {
    problem.buffers[2].hint = 7;
    CHECK(validate(problem, 12, offsets).ok());
  }
  SECTION("the first buffer, and its first fault") {
    offsets[1] = -7;
    offsets[3] = -1;
    problem.buffers[1].alignment = 2;
    CHECK(is(validate(problem, 12, offsets), Fault::kNegativeOffset, 1));
    offsets[1] = 101;
    CHECK(is(validate(problem, 12, offsets), Fault::kMisalignedPlacement, 1));
    offsets[1] = 102;
    CHECK(is(validate(problem, 12, offsets), Fault::kBeyondCapacity, 1));
  }
}

TEST_CASE("validate names overlapping pairs", "[validate]") {
  Problem<> problem = example();
  std::vector<std::int64_t> offsets = kExampleOffsets;

  SECTION("by one byte") {
    offsets[4] = 5;
    CHECK(is(validate(problem, 100, offsets), Fault::kOverlap, 2, 4));
    offsets[4] = 3;
    CHECK(is(validate(problem, 100, offsets), Fault::kOverlap, 0, 4));
  }
  SECTION("by one time step") {
    problem.buffers[1].lifespan.lower = 2;
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 0, 1));
  }
  SECTION("one inside the other") {
    offsets = {0, 0, 101, 0, 100};
    problem.buffers[4].size = 6;
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 2, 4));
    offsets = {0, 0, 101, 0, 103};
    problem.buffers[4].size = 1;
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 2, 4));
  }
  SECTION("the earliest in time, whatever the order of the rows") {
    offsets = {0, 2, 8, 4, 4};  // 1 meets 4 at time 3, 3 meets 4 at time 9
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 1, 4));
    std::swap(problem.buffers[0], problem.buffers[3]);
    std::swap(offsets[0], offsets[3]);
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 1, 4));
  }
  SECTION("the first that does not fit") {
    offsets = {0, 0, 0, 0, 0};
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 0, 2));
  }
  SECTION("the lowest of those it hits") {
    problem.buffers.clear();
    problem.buffers.push_back({{0, 9}, 4});
    problem.buffers.push_back({{0, 9}, 4});
    problem.buffers.push_back({{1, 9}, 8});
    CHECK(is(validate(problem, {4, 0, 0}), Fault::kOverlap, 1, 2));
    CHECK(is(validate(problem, {4, 0, 3}), Fault::kOverlap, 1, 2));
    CHECK(is(validate(problem, {4, 0, 4}), Fault::kOverlap, 0, 2));
    CHECK(validate(problem, {4, 0, 8}).ok());
  }
  SECTION("touching in time and memory is no overlap") {
    problem.buffers.clear();
    problem.buffers.push_back({{0, 5}, 4});
    problem.buffers.push_back({{5, 9}, 4});
    problem.buffers.push_back({{0, 9}, 4});
    CHECK(validate(problem, {0, 0, 4}).ok());
  }
}

TEST_CASE("validate lets buffers of size zero be anywhere", "[validate]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 9}, 8});
  problem.buffers.push_back({{0, 9}, 0});
  problem.buffers.push_back({{0, 9}, 0});
  CHECK(validate(problem, 8, {0, 4, 4}).ok());
  CHECK(validate(problem, 8, {0, 0, 8}).ok());
  CHECK(is(validate(problem, 8, {0, 0, 9}), Fault::kBeyondCapacity, 2));
  CHECK(is(validate(problem, 8, {0, -1, 8}), Fault::kNegativeOffset, 1));
}

TEST_CASE("validate knows gaps and windows", "[validate]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 10}, 8});
  problem.buffers.push_back({{4, 6}, 8});

  SECTION("without its gap the pair overlaps") {
    CHECK(is(validate(problem, {0, 0}), Fault::kOverlap, 0, 1));
  }
  SECTION("in a gap without window a buffer occupies nothing") {
    problem.buffers[0].gaps.push_back({{4, 6}, std::nullopt});
    CHECK(validate(problem, 8, {0, 0}).ok());
    problem.buffers[0].gaps[0].lifespan = {5, 6};
    CHECK(is(validate(problem, 8, {0, 0}), Fault::kOverlap, 0, 1));
    problem.buffers[0].gaps[0].lifespan = {4, 5};
    CHECK(is(validate(problem, 8, {0, 0}), Fault::kOverlap, 0, 1));
  }
  SECTION("in a gap with a window it occupies the window") {
    problem.buffers[0].gaps.push_back({{4, 6}, Interval<std::int64_t>{2, 5}});
    CHECK(is(validate(problem, {0, 0}), Fault::kOverlap, 0, 1));
    CHECK(validate(problem, {0, 5}).ok());
    CHECK(is(validate(problem, {0, 4}), Fault::kOverlap, 0, 1));
    CHECK(validate(problem, {6, 0}).ok());
    CHECK(is(validate(problem, {5, 0}), Fault::kOverlap, 0, 1));
  }
  SECTION("the height counts the empty top") {
    problem.buffers[0].gaps.push_back({{0, 10}, Interval<std::int64_t>{0, 1}});
    problem.buffers[1].size = 1;
    CHECK(validate(problem, 8, {0, 1}).ok());
    CHECK(is(validate(problem, 7, {0, 1}), Fault::kBeyondCapacity, 0));
  }
  SECTION("two buffers with windows may interlock") {
    // Each is the lower one for a time: neither lies above the other.
    problem.buffers[0].lifespan = problem.buffers[1].lifespan = {0, 2};
    problem.buffers[0].gaps = {{{0, 1}, Interval<std::int64_t>{0, 4}},
                               {{1, 2}, Interval<std::int64_t>{4, 8}}};
    problem.buffers[1].gaps = {{{0, 1}, Interval<std::int64_t>{4, 8}},
                               {{1, 2}, Interval<std::int64_t>{0, 4}}};
    CHECK(validate(problem, 8, {0, 0}).ok());
    CHECK(is(validate(problem, {0, 1}), Fault::kOverlap, 0, 1));
    CHECK(is(validate(problem, {1, 0}), Fault::kOverlap, 0, 1));
    CHECK(validate(problem, 16, {8, 0}).ok());
  }
  SECTION("a buffer does not overlap itself where gaps touch") {
    problem.buffers.pop_back();
    problem.buffers[0].gaps = {{{6, 8}, Interval<std::int64_t>{0, 4}},
                               {{2, 6}, Interval<std::int64_t>{2, 6}}};
    CHECK(validate(problem, 8, {0}).ok());
  }
}

TEST_CASE("validate reports ill-formed problems", "[validate]") {
  Problem<> problem = example();
  const auto reason = [&](std::size_t buffer) {
    const Validation verdict = validate(problem, 12, kExampleOffsets);
    CHECK(verdict.fault == Fault::kInvalidProblem);
    CHECK(verdict.buffer == buffer);
    CHECK(verdict.error.buffer == buffer);
    return verdict.error.reason;
  };
  SECTION("negative size") {
    problem.buffers[1].size = -1;
    CHECK(reason(1) == Reason::kNegativeSize);
  }
  SECTION("empty lifespan") {
    problem.buffers[2].lifespan = {5, 5};
    CHECK(reason(2) == Reason::kEmptyLifespan);
  }
  SECTION("no alignment") {
    problem.buffers[3].alignment = 0;
    CHECK(reason(3) == Reason::kBadAlignment);
  }
  SECTION("window outside the size") {
    problem.buffers[4].gaps = {{{0, 1}, Interval<std::int64_t>{0, 5}}};
    CHECK(reason(4) == Reason::kWindowOutsideSize);
  }
  SECTION("negative capacity") {
    for (const std::int64_t capacity :
         {std::int64_t{-1}, (std::numeric_limits<std::int64_t>::min)()}) {
      const Validation verdict = validate(problem, capacity, kExampleOffsets);
      CHECK(verdict.fault == Fault::kInvalidProblem);
      CHECK(verdict.buffer == kNone);
      CHECK(verdict.error.reason == Reason::kNegativeCapacity);
      CHECK_FALSE(validate(Problem<>{}, capacity, {}).ok());
    }
  }
}

TEST_CASE("validate has a sentence for every fault", "[validate]") {
  std::vector<std::string> sentences;
  for (int k = 0; k <= static_cast<int>(kLastFault); ++k)
    sentences.emplace_back(to_string(static_cast<Fault>(k)));
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CHECK_FALSE(sentences[i].empty());
    CHECK(sentences[i] != "unknown");
    for (std::size_t j = 0; j < i; ++j) CHECK(sentences[i] != sentences[j]);
  }
}

TEMPLATE_TEST_CASE("validate survives absurd values", "[validate]",
                   std::int32_t, std::int64_t) {
  using Size = TestType;
  using Time = TestType;
  constexpr Size kLeast = (std::numeric_limits<Size>::min)();
  constexpr Size kMost = (std::numeric_limits<Size>::max)();
  const std::vector<Size> values = {kLeast, kLeast + 1, -1,        0,
                                    1,      kMost / 2,  kMost - 1, kMost};
  Random random(1);
  const auto any = [&] {
    return values[random.between(std::size_t{0}, values.size() - 1)];
  };
  std::size_t valid = 0;
  std::size_t well_formed = 0;
  for (int round = 0; round < 20000; ++round) {
    Problem<Size, Time> problem;
    std::vector<Size> offsets;
    for (int k = random.between(0, 3); k > 0; --k) {
      snug::Buffer<Size, Time> buffer;
      buffer.lifespan = {any(), any()};
      buffer.size = any();
      if (random.chance(20)) buffer.alignment = any();
      if (random.chance(20)) buffer.offset = any();
      if (random.chance(20))
        buffer.gaps.push_back(
            {{any(), any()},
             random.chance(50) ? std::optional<Interval<Size>>({any(), any()})
                               : std::nullopt});
      problem.buffers.push_back(buffer);
      offsets.push_back(any());
    }
    const Size capacity = any();
    const Validation verdict = validate(problem, capacity, offsets);
    if (!snug::check(problem).ok() || capacity < 0) {
      CHECK(verdict.fault == Fault::kInvalidProblem);
      continue;
    }
    ++well_formed;
    if (verdict.ok()) ++valid;
    CHECK(same(verdict, validate_pairwise(problem, capacity, offsets)));
  }
  CHECK(well_formed > 1000);
  CHECK(valid > 100);
}

namespace {

/// Random offsets, first fit in input order, so that they are valid unless
/// gaps deceive it; then perhaps damaged.
template <class Size, class Time>
std::vector<Size> random_offsets(const Problem<Size, Time>& problem,
                                 Random& random) {
  std::vector<Size> offsets;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Size alignment = problem.buffers[i].alignment;
    Size offset = 0;
    const auto hits_one_before = [&] {
      for (std::size_t j = 0; j < i; ++j)
        if (first_meeting(problem.buffers[i], offset, problem.buffers[j],
                          offsets[j]))
          return true;
      return false;
    };
    while (hits_one_before()) offset = static_cast<Size>(offset + alignment);
    offsets.push_back(offset);
  }
  if (random.chance(60) && !offsets.empty()) {
    Size& victim = offsets[random.between(std::size_t{0}, offsets.size() - 1)];
    victim = static_cast<Size>(victim + random.between(-3, 3));
  }
  if (random.chance(20))
    for (Size& offset : offsets) offset = random.between(Size{0}, Size{12});
  return offsets;
}

}  // namespace

TEMPLATE_TEST_CASE("validate agrees with the definition on random placements",
                   "[validate]", std::int32_t, std::int64_t) {
  using Size = TestType;
  using Time = TestType;
  std::vector<std::size_t> seen(static_cast<std::size_t>(kLastFault) + 1);
  std::size_t with_gaps = 0;
  for (std::uint64_t seed = 1; seed <= effort<std::uint64_t>(6000); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{9});
    shape.length = random.between(1, 10);
    shape.smallest = 0;
    Problem<Size, Time> problem =
        seed % 3 == 0   ? uniform<Size, Time>(shape, random)
        : seed % 3 == 1 ? clique<Size, Time>(shape, random)
                        : twins<Size, Time>(shape, random);
    if (random.chance(30)) align(problem, 40, Size{1}, random);
    if (random.chance(70)) add_gaps(problem, 70, random);
    REQUIRE(snug::check(problem).ok());
    const std::vector<Size> offsets = random_offsets(problem, random);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (random.chance(10) && offsets[i] >= 0) {
        auto& fixed = problem.buffers[i].offset;
        fixed = static_cast<Size>(offsets[i] / problem.buffers[i].alignment *
                                  problem.buffers[i].alignment);
        if (!snug::check(problem).ok()) fixed.reset();
      }
    const Size height = height_of(problem, offsets);
    const Size capacity = static_cast<Size>((std::max)(Size{0}, height) +
                                            (random.chance(10) ? -1 : 0));
    if (capacity < 0) continue;
    INFO(as_csv(problem, offsets));
    const Validation expected = validate_pairwise(problem, capacity, offsets);
    const Validation actual = validate(problem, capacity, offsets);
    CAPTURE(seed, to_string(expected.fault), expected.buffer, expected.other,
            to_string(actual.fault), actual.buffer, actual.other);
    CHECK(same(actual, expected));
    ++seen[static_cast<std::size_t>(expected.fault)];
    for (const auto& buffer : problem.buffers)
      if (!buffer.gaps.empty()) {
        ++with_gaps;
        break;
      }
  }
  CHECK(with_gaps > at_least<std::size_t>(3000));
  CHECK(seen[static_cast<std::size_t>(Fault::kNone)] >
        at_least<std::size_t>(1000));
  CHECK(seen[static_cast<std::size_t>(Fault::kOverlap)] >
        at_least<std::size_t>(1000));
  CHECK(seen[static_cast<std::size_t>(Fault::kBeyondCapacity)] >
        at_least<std::size_t>(200));
  CHECK(seen[static_cast<std::size_t>(Fault::kMisalignedPlacement)] >
        at_least(50U));
  CHECK(seen[static_cast<std::size_t>(Fault::kNegativeOffset)] > at_least(50U));
}

TEST_CASE("validate knows the base and the alignment of the problem",
          "[validate]") {
  Problem<> problem = example();
  problem.base = 4;
  problem.alignment = 4;
  std::vector<std::int64_t> offsets = {4, 4, 12, 4, 8};
  CHECK(validate(problem, 16, offsets).ok());
  CHECK(is(validate(problem, 15, offsets), Fault::kBeyondCapacity, 2));
  offsets[1] = 2;
  CHECK(is(validate(problem, 16, offsets), Fault::kBelowBase, 1));
  offsets[1] = -4;
  CHECK(is(validate(problem, 16, offsets), Fault::kNegativeOffset, 1));
  offsets[1] = 6;
  CHECK(is(validate(problem, 16, offsets), Fault::kMisalignedPlacement, 1));
}

TEST_CASE("validate knows ties", "[validate]") {
  Problem<> problem = example();
  std::vector<std::int64_t> offsets = kExampleOffsets;  // 0 0 8 0 4
  SECTION("aliases") {
    problem.aliases = {{4, 0, 4}, {2, 4, 4}};
    CHECK(validate(problem, 12, offsets).ok());
    problem.aliases[1].delta = 3;
    CHECK(is(validate(problem, 12, offsets), Fault::kBrokenAlias, 2, 4));
    problem.aliases[0].delta = -4;
    CHECK(is(validate(problem, 12, offsets), Fault::kBrokenAlias, 0, 4));
  }
  SECTION("groups") {
    problem.contiguous = {{0, 4, 2}};
    CHECK(validate(problem, 12, offsets).ok());
    problem.contiguous = {{3}, {}, {0, 4, 1}};
    CHECK(is(validate(problem, 12, offsets), Fault::kBrokenGroup, 1, 4));
    problem.aliases = {{2, 1, 7}};
    CHECK(is(validate(problem, 12, offsets), Fault::kBrokenAlias, 1, 2));
  }
  SECTION("tied buffers may share bytes, also through others") {
    offsets[4] = 2;
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 0, 4));
    problem.aliases = {{4, 0, 2}};
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 1, 4));
    problem.aliases.push_back({3, 4, -2});
    CHECK(is(validate(problem, 12, offsets), Fault::kOverlap, 1, 4));
    problem.aliases.push_back({1, 3, 0});
    CHECK(validate(problem, 12, offsets).ok());
    problem.buffers[4].end = snug::End::kBottom;
    problem.buffers[3].end = snug::End::kTop;
    CHECK(validate(problem, 12, offsets).ok());
  }
}

TEST_CASE("validate knows pairs", "[validate]") {
  Problem<> problem = example();
  std::vector<std::int64_t> offsets = kExampleOffsets;
  SECTION("kept apart, whatever their lifespans") {
    problem.apart = {{4, 0}, {3, 1}};
    CHECK(is(validate(problem, offsets), Fault::kNotApart, 1, 3));
    offsets = {8, 4, 0, 0, 12};
    CHECK(validate(problem, offsets).ok());
    problem.buffers[3].gaps.push_back({{9, 21}, std::nullopt});
    offsets[3] = 1;
    CHECK(is(validate(problem, offsets), Fault::kNotApart, 1, 3));
    problem.buffers[3].size = 0;
    problem.buffers[3].end = snug::End::kTop;
    problem.buffers[1].end = snug::End::kBottom;
    CHECK(validate(problem, offsets).ok());
  }
  SECTION("kept apart, with ends") {
    problem.apart = {{0, 3}};
    offsets[3] = 8;
    CHECK(validate(problem, offsets).ok());
    problem.buffers[3].end = snug::End::kTop;
    problem.buffers[0].end = snug::End::kBottom;
    CHECK(validate(problem, offsets).ok());
    std::swap(problem.buffers[0].end, problem.buffers[3].end);
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 0, 3));
  }
  SECTION("free to overlap") {
    offsets = {0, 0, 8, 0, 3};
    problem.may_overlap = {{0, 4}, {4, 1}};
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 3, 4));
    problem.may_overlap.push_back({4, 3});
    CHECK(validate(problem, offsets).ok());
    offsets[4] = 7;
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 2, 4));
  }
  SECTION("others behind those that are free to overlap") {
    // 4 hits 2, but also 0, which it may overlap and which lies lower.
    offsets = {0, 20, 4, 0, 0};
    problem.buffers[4].size = 8;
    problem.may_overlap = {{0, 4}, {3, 4}};
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 2, 4));
  }
}

TEST_CASE("validate knows ends", "[validate]") {
  Problem<> problem = example();
  std::vector<std::int64_t> offsets = kExampleOffsets;  // 0 0 8 0 4
  problem.buffers[4].end = snug::End::kTop;
  CHECK(validate(problem, offsets).ok());
  problem.buffers[0].end = snug::End::kBottom;
  problem.buffers[3].end = snug::End::kBottom;
  CHECK(validate(problem, offsets).ok());
  SECTION("bottom above top") {
    problem.buffers[2].end = snug::End::kBottom;
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 2, 4));
    problem.may_overlap = {{2, 4}};
    CHECK(validate(problem, offsets).ok());
    problem.may_overlap.clear();
    offsets[2] = 0;
    offsets[0] = 8;
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 0, 4));
  }
  SECTION("only where both occupy memory") {
    problem.buffers[2].end = snug::End::kBottom;
    problem.buffers[4].gaps.push_back({{0, 9}, std::nullopt});
    CHECK(validate(problem, offsets).ok());
    problem.buffers[4].gaps[0].lifespan.upper = 8;
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 2, 4));
  }
  SECTION("overlaps first") {
    offsets[2] = 20;
    offsets[0] = 6;
    CHECK(is(validate(problem, offsets), Fault::kOverlap, 0, 4));
    offsets[0] = 9;
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 0, 4));
    problem.reserved.push_back({{4, 6}, std::nullopt});
    CHECK(is(validate(problem, offsets), Fault::kWrongEnd, 0, 4));
    offsets[0] = 0;
    CHECK(is(validate(problem, offsets), Fault::kReservedBytes, 4, 0));
  }
}

TEST_CASE("validate knows reserved bytes", "[validate]") {
  Problem<> problem = example();
  problem.reserved.push_back({{12, 20}, std::nullopt});
  problem.reserved.push_back({{2, 4}, Interval<std::int64_t>{-3, 0}});
  problem.reserved.push_back({{2, 14}, Interval<std::int64_t>{21, 30}});
  CHECK(validate(problem, 12, kExampleOffsets).ok());
  problem.reserved[0].bytes.lower = 11;
  CHECK(is(validate(problem, kExampleOffsets), Fault::kReservedBytes, 2, 0));
  problem.reserved[2].lifespan->lower = 20;
  CHECK(is(validate(problem, kExampleOffsets), Fault::kReservedBytes, 2, 0));
  problem.reserved[0].bytes.lower = 12;
  CHECK(is(validate(problem, kExampleOffsets), Fault::kReservedBytes, 3, 2));
  problem.reserved[1].lifespan->upper = 1;
  CHECK(is(validate(problem, kExampleOffsets), Fault::kReservedBytes, 0, 1));
  problem.buffers[0].gaps.push_back({{0, 1}, Interval<std::int64_t>{0, 2}});
  CHECK(is(validate(problem, kExampleOffsets), Fault::kReservedBytes, 3, 2));
}

TEMPLATE_TEST_CASE("validate agrees with the definition on constrained ones",
                   "[validate]", std::int32_t, std::int64_t) {
  using Size = TestType;
  using Time = TestType;
  std::vector<std::size_t> seen(static_cast<std::size_t>(kLastFault) + 1);
  for (std::uint64_t seed = 1; seed <= effort(5000U); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.length = random.between(1, 6);
    shape.largest = 4;
    Problem<Size, Time> problem = uniform<Size, Time>(shape, random);
    add_constraints(problem, random);
    REQUIRE(snug::check(problem).ok());
    std::vector<Size> offsets =
        Exhaustive<Size, Time>(problem).place(14).value_or(
            std::vector<Size>(problem.buffers.size(), problem.base));
    for (int k = random.between(0, 2); k > 0; --k) {
      const std::size_t victim = any_buffer(problem, random);
      const auto distance = static_cast<Size>(
          random.chance(70) ? 12 / problem.alignment * problem.alignment
                            : random.between(-2, 2));
      const auto tied = tied_of(problem);
      for (std::size_t i = 0; i < offsets.size(); ++i)
        if (i == victim || (tied.of[i] == tied.of[victim] && seed % 3 != 0))
          offsets[i] = static_cast<Size>(offsets[i] + distance);
    }
    const Size height = height_of(problem, offsets);
    const auto capacity = (std::max)(
        Size{0}, static_cast<Size>(height - (random.chance(10) ? 1 : 0)));
    const Validation expected = validate_pairwise(problem, capacity, offsets);
    const Validation actual = validate(problem, capacity, offsets);
    INFO(as_csv(problem, offsets));
    CAPTURE(seed, to_string(expected.fault), expected.buffer, expected.other,
            to_string(actual.fault), actual.buffer, actual.other);
    CHECK(same(actual, expected));
    ++seen[static_cast<std::size_t>(expected.fault)];
  }
  const auto count = [&](Fault fault) {
    return seen[static_cast<std::size_t>(fault)];
  };
  CHECK(count(Fault::kNone) >= at_least(1000U));
  CHECK(count(Fault::kBelowBase) >= at_least(50U));
  CHECK(count(Fault::kMovedFixedOffset) >= at_least(50U));
  CHECK(count(Fault::kBrokenAlias) >= at_least(50U));
  CHECK(count(Fault::kBrokenGroup) >= at_least(50U));
  CHECK(count(Fault::kNotApart) >= at_least(50U));
  CHECK(count(Fault::kOverlap) >= at_least(200U));
  CHECK(count(Fault::kWrongEnd) >= at_least(50U));
  CHECK(count(Fault::kReservedBytes) >= at_least(50U));
}

TEST_CASE("validate finds tops of other classes", "[validate]") {
  using TopTree = snug::detail::TopTree<std::int64_t>;
  struct Leaf {
    std::int64_t top = 0;
    std::uint32_t of = 0;
  };
  Random random(1);
  for (std::size_t n = 0; n < effort(200U); ++n) {
    std::vector<Leaf> leaves(n % 20);
    TopTree tree(leaves.size(), true);
    for (int step = 0; step < 40 && !leaves.empty(); ++step) {
      const auto rank = random.between(std::size_t{0}, leaves.size() - 1);
      leaves[rank] = {random.between(0, 4), random.between(0U, 3U)};
      tree.set(rank, leaves[rank].top, leaves[rank].of);
      const auto from = random.between(std::size_t{0}, leaves.size());
      const std::int64_t bottom = random.between(0, 4);
      const std::uint32_t of = random.between(0U, 3U);
      std::size_t expected = from;
      while (expected < leaves.size() &&
             (leaves[expected].of == of || leaves[expected].top <= bottom))
        ++expected;
      const std::size_t found = tree.find(from, bottom, of);
      CHECK((found == TopTree::kNone ? leaves.size() : found) == expected);
    }
  }
}

TEST_CASE("validate takes n log n time", "[validate]") {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kCount = 100000;

  // Everybody is live at the same time, the worst case for pairs.
  Problem<> tower;
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto k = static_cast<std::int64_t>(i);
    tower.buffers.push_back({{k, 2 * static_cast<std::int64_t>(kCount)}, 16});
    offsets.push_back(16 * k);
  }
  const auto cut = snug::benchmarks::guillotine<>(1 << 20, 1 << 20, kCount, 1);

  const Clock::time_point start = Clock::now();
  CHECK(validate(tower, 16 * static_cast<std::int64_t>(kCount), offsets).ok());
  CHECK(validate(cut.problem, 1 << 20, cut.offsets).ok());
  for (std::size_t i = 0; i < kCount; ++i)
    tower.buffers[i].end =
        i < kCount / 2 ? snug::End::kBottom : snug::End::kTop;
  tower.may_overlap.assign(kCount, {0, 1});
  tower.apart.assign(kCount, {2, 3});
  tower.reserved.assign(
      kCount, {{std::int64_t{1} << 30, std::int64_t{1} << 31}, std::nullopt});
  tower.aliases.push_back({7, 5, 32});
  CHECK(validate(tower, offsets).ok());
  ++offsets[kCount / 2];
  CHECK(is(validate(tower, offsets), Fault::kOverlap, kCount / 2,
           kCount / 2 + 1));
  // Tied ones that all meet, none within another, and a last one among them.
  constexpr std::int64_t kSteps = 150000;
  Problem<> stairs;
  offsets.clear();
  for (std::int64_t k = 0; k < kSteps; ++k) {
    stairs.buffers.push_back({{k, k + kSteps}, kSteps});
    offsets.push_back(k);
    const auto i = static_cast<std::size_t>(k);
    if (k > 0) stairs.aliases.push_back({i, i - 1, 1});
  }
  CHECK(validate(stairs, offsets).ok());
  stairs.buffers.push_back({{kSteps, kSteps + 1}, 1});
  offsets.push_back(kSteps);
  CHECK(is(validate(stairs, offsets), Fault::kOverlap, 1, kSteps));
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  // Quadratic work on any of them would take minutes.
  CHECK(elapsed.count() < 10.0);
}

}  // namespace validate_test
