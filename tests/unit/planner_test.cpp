// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/planner.hpp"

#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace planner_test {

using namespace snug::testing;
using snug::Buffer;
using snug::End;
using snug::Options;
using snug::Planner;
using snug::Problem;
using snug::Reason;
using snug::Result;
using snug::Status;
using snug::Stop;

namespace {

using Indices = std::vector<std::size_t>;
using Offsets = std::vector<std::int64_t>;

Buffer<> buffer(std::int64_t lower, std::int64_t upper, std::int64_t size) {
  Buffer<> made;
  made.lifespan = {lower, upper};
  made.size = size;
  return made;
}

Buffer<> fixed(std::int64_t lower, std::int64_t upper, std::int64_t size,
               std::int64_t offset) {
  Buffer<> made = buffer(lower, upper, size);
  made.offset = offset;
  return made;
}

/// Adds one that needs nobody to move.
void put(Planner<>& planner, const Buffer<>& added, std::int64_t offset) {
  const Result<> result = planner.add(added);
  REQUIRE(result.status == Status::kFeasible);
  CHECK(result.moved.empty());
  CHECK(result.offsets.back() == offset);
  CHECK(planner.offsets() == result.offsets);
}

}  // namespace

TEST_CASE("planner: a buffer goes to the lowest hole", "[planner]") {
  Planner<> planner(20);
  put(planner, buffer(0, 4, 5), 0);
  put(planner, buffer(2, 6, 5), 5);
  put(planner, buffer(3, 9, 5), 10);
  put(planner, buffer(4, 9, 5), 0);  // The first one is gone by then.
  put(planner, buffer(0, 2, 7), 5);  // And the second one not yet here.
  put(planner, buffer(6, 9, 4), 5);
}

TEST_CASE("planner: a hole is aligned, and around what is reserved",
          "[planner]") {
  Problem<> problem;
  problem.base = 3;
  problem.alignment = 2;
  problem.reserved = {{{8, 12}, {{0, 5}}}};
  Planner<> planner(problem, {}, 30);
  put(planner, buffer(0, 2, 4), 4);
  Buffer<> aligned = buffer(0, 2, 4);
  aligned.alignment = 3;
  put(planner, aligned, 12);
  put(planner, buffer(0, 2, 1), 16);
  put(planner, buffer(5, 6, 9), 4);
}

TEST_CASE("planner: hints and fixed offsets", "[planner]") {
  Planner<> planner(20);
  Buffer<> hinted = buffer(0, 4, 5);
  hinted.hint = 7;
  put(planner, hinted, 7);
  put(planner, hinted, 0);  // The hint is taken.
  hinted.hint = 16;         // Too high.
  put(planner, hinted, 12);
  put(planner, fixed(0, 4, 1, 17), 17);
  put(planner, buffer(0, 4, 0), 0);
}

TEST_CASE("planner: others move where they have to", "[planner]") {
  Planner<> planner(12);
  put(planner, buffer(0, 4, 4), 0);
  Buffer<> high = buffer(2, 6, 4);
  high.hint = 6;
  put(planner, high, 6);
  put(planner, buffer(20, 30, 12), 0);
  const Result<> result = planner.add(buffer(3, 5, 4));
  REQUIRE(result.status == Status::kFeasible);
  CHECK(result.moved.size() == 1);
  CHECK(result.height == 12);
  CHECK(snug::validate(planner.problem(), 12, planner.offsets()).ok());
}

TEST_CASE("planner: where neighbours are not enough, theirs move as well",
          "[planner]") {
  // a below b, b below c: d needs the place of a, so all go up, one by one.
  Planner<> planner(10);
  Buffer<> first = buffer(0, 4, 6);
  first.hint = 0;
  put(planner, first, 0);
  put(planner, buffer(3, 8, 4), 6);
  put(planner, buffer(6, 12, 6), 0);
  const Result<> pushed = planner.add(fixed(0, 1, 3, 1));
  REQUIRE(pushed.status == Status::kFeasible);
  CHECK(pushed.moved == Indices{0, 1, 2});
  CHECK(snug::validate(planner.problem(), 10, planner.offsets()).ok());
}

TEST_CASE("planner: a long chain takes many rounds", "[planner]") {
  // The new one moves all others, each a round later than the one before it:
  // more rounds than a 64-bit number of nodes can grow in.
  Problem<> chain;
  Offsets offsets;
  for (std::int64_t i = 0; i < 60; ++i) {
    chain.buffers.push_back(buffer(i, i + 2, 1));
    offsets.push_back(i % 2);
  }
  Planner<> planner(chain, offsets, 2);
  const Result<> result = planner.add(fixed(-1, 1, 1, 0));
  REQUIRE(is_solved(result));
  CHECK(result.moved.size() == 60);
  CHECK(snug::validate(planner.problem(), 2, planner.offsets()).ok());
}

TEST_CASE("planner: what is removed leaves no windows behind", "[planner]") {
  Problem<> problem;
  problem.buffers = {buffer(0, 4, 4), buffer(0, 4, 4), buffer(4, 5, 4)};
  problem.buffers[0].gaps.push_back(
      {{1, 2}, snug::Interval<std::int64_t>{0, 2}});
  problem.apart = {{1, 2}};
  Planner<> planner(problem, {0, 6, 0}, 12);
  planner.remove(0);
  REQUIRE(snug::check(planner.problem()).ok());
  REQUIRE(is_solved(planner.add(buffer(0, 4, 8))));
  CHECK(snug::validate(planner.problem(), 12, planner.offsets()).ok());
}

TEST_CASE("planner: nothing changes if there is no placement", "[planner]") {
  Planner<> planner(10);
  put(planner, buffer(0, 4, 6), 0);
  put(planner, buffer(0, 4, 3), 6);
  const Offsets before = planner.offsets();
  const Result<> result = planner.add(buffer(2, 9, 2));
  CHECK(result.status == Status::kInfeasible);
  CHECK(result.stopped_by == Stop::kNone);
  CHECK(result.offsets.empty());
  CHECK(planner.offsets() == before);
  CHECK(planner.problem().buffers.size() == 2);
  SECTION("until one is removed") {
    planner.remove(1);
    put(planner, buffer(2, 9, 2), 6);
    CHECK(planner.problem().buffers[1].size == 0);
  }
  SECTION("because they are fixed, until they are not") {
    Planner<> other(10);
    put(other, fixed(0, 4, 4, 3), 3);
    CHECK(other.add(buffer(2, 9, 5)).status == Status::kInfeasible);
    other.unfix(0);
    const Result<> moved = other.add(buffer(2, 9, 5));
    CHECK(moved.status == Status::kFeasible);
    CHECK(moved.moved == Indices{0});
  }
}

TEST_CASE("planner: what is wrong with a buffer", "[planner]") {
  Planner<> planner(10);
  put(planner, fixed(0, 4, 4, 3), 3);
  SECTION("by itself") {
    const Result<> result = planner.add(buffer(3, 3, 1));
    CHECK(result.status == Status::kInvalid);
    CHECK(result.error.reason == Reason::kEmptyLifespan);
    CHECK(result.error.buffer == 1);
    CHECK(result.error.index == 1);
  }
  SECTION("because of a reserved range") {
    Problem<> problem;
    problem.reserved = {{{2, 3}, {}}};
    planner = Planner<>(problem, {}, 10);
    const Result<> result = planner.add(fixed(0, 1, 4, 0));
    CHECK(result.error.reason == Reason::kReservedOffset);
    CHECK(result.error.buffer == 0);
  }
  SECTION("because of another one") {
    put(planner, buffer(9, 10, 1), 0);
    const Result<> result = planner.add(fixed(2, 5, 4, 1));
    CHECK(result.status == Status::kInvalid);
    CHECK(result.error.reason == Reason::kConflictingOffsets);
    CHECK(result.error.buffer + result.error.other == 2);
  }
  SECTION("or with the capacity") {
    Planner<> none(-1);
    const Result<> result = none.add(buffer(0, 1, 1));
    CHECK(result.status == Status::kInvalid);
    CHECK(result.error.reason == Reason::kNegativeCapacity);
  }
  CHECK(planner.problem().buffers.size() <= 2);
}

TEST_CASE("planner: limits are for each call", "[planner]") {
  Options options;
  SECTION("of nodes") {
    options.node_limit = 0;
  }
  SECTION("of time") {
    options.time_limit = std::chrono::nanoseconds(0);
  }
  Planner<> planner(12);
  const auto take = [&](const Buffer<>& added, std::int64_t offset) {
    const Result<> result = planner.add(added, options);
    CHECK(result.status == Status::kFeasible);
    CHECK(planner.offsets().back() == offset);
  };
  take(buffer(0, 4, 4), 0);  // It takes neither.
  Buffer<> high = buffer(0, 4, 3);
  high.hint = 5;
  take(high, 5);
  Buffer<> tight = buffer(0, 4, 5);
  tight.alignment = 4;
  const Result<> result = planner.add(tight, options);
  if (result.status == Status::kUnknown) {
    CHECK(result.stopped_by != Stop::kNone);
    CHECK(planner.offsets() == Offsets{0, 5});
  } else {
    CHECK(result.status == Status::kFeasible);
  }
}

TEST_CASE("planner: it does not know when its time is up", "[planner]") {
  Problem<> chain;
  chain.buffers = {buffer(0, 4, 6), buffer(3, 8, 4), buffer(6, 12, 6)};
  const Offsets offsets = {0, 6, 0};
  Options options;
  options.time_limit = std::chrono::nanoseconds(0);
  Planner<> planner(chain, offsets, 10);
  const Result<> result = planner.add(fixed(0, 1, 3, 1), options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kTimeLimit);
  CHECK(planner.offsets() == offsets);
  CHECK(planner.problem().buffers.size() == 3);
}

TEST_CASE("planner: 32-bit values, up to their limit", "[planner]") {
  constexpr std::int32_t kMost = 2147483647;
  Planner<std::int32_t, std::int32_t> planner(kMost);
  Buffer<std::int32_t, std::int32_t> half;
  half.lifespan = {-2, 7};
  half.size = kMost / 2;
  CHECK(planner.add(half).status == Status::kFeasible);
  CHECK(planner.add(half).offsets.back() == kMost / 2);
  half.size = 1;
  CHECK(planner.add(half).height == kMost);
  CHECK(planner.add(half).error.reason == Reason::kLoadOverflow);
  half.lifespan = {7, 8};
  half.hint = kMost;  // Its end would be above all numbers.
  CHECK(planner.add(half).offsets.back() == 0);
}

TEST_CASE("planner: as solve() of the whole, whatever is added",
          "[planner][property]") {
  const std::uint64_t cases = effort(std::uint64_t{1500});
  std::size_t added = 0;
  std::size_t moved = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{6}, std::size_t{12});
    Problem<> all = uniform<>(shape, random);
    if (seed % 2 == 0) add_constraints(all, random);
    CAPTURE(seed);
    const std::size_t n = all.buffers.size();
    Indices first(random.between(std::size_t{0}, n - 1));
    std::iota(first.begin(), first.end(), std::size_t{0});
    const Problem<> begin = snug::subset(all, first);
    const Result<> lowest = snug::minimize(all);
    const Result<> start = snug::solve(begin, lowest.height);
    if (!is_solved(lowest) || !is_solved(start)) continue;
    Planner<> planner(begin, start.offsets, lowest.height);
    for (std::size_t i = first.size(); i < n; ++i) {
      if (i > 0 && random.chance(20)) {
        const std::size_t k = random.between(std::size_t{0}, i - 1);
        if (k < planner.offsets().size() && planner.problem().aliases.empty() &&
            planner.problem().contiguous.empty())
          planner.fix(k);
      }
      Problem<> whole = planner.problem();
      whole.buffers.push_back(all.buffers[i]);
      const Offsets before = planner.offsets();
      const Result<> expected = snug::solve(whole, lowest.height);
      const Result<> result = planner.add(all.buffers[i]);
      REQUIRE(is_solved(result) == is_solved(expected));
      if (!result.has_solution()) {
        REQUIRE(result.status == expected.status);
        REQUIRE(planner.offsets() == before);
        ++refused;
        continue;
      }
      ++added;
      REQUIRE(snug::validate(planner.problem(), lowest.height, result.offsets)
                  .ok());
      Indices elsewhere;
      for (std::size_t k = 0; k < before.size(); ++k)
        if (result.offsets[k] != before[k]) elsewhere.push_back(k);
      REQUIRE(result.moved == elsewhere);
      moved += elsewhere.size();
    }
  }
  CHECK(added > cases);
  CHECK(moved > cases / 20);
  CHECK(refused > cases / 20);
}

TEST_CASE("planner: next to what is as high as can be", "[planner]") {
  // The top buffer cannot be fixed there: with the others the sum is too large.
  constexpr std::int64_t kCapacity = (std::int64_t{1} << 62) - 38;
  Problem<> problem;
  problem.alignment = 7;
  problem.buffers = {{{0, 1}, 1}, {{0, 2}, 4, 2}};
  problem.buffers[0].end = snug::End::kTop;
  Planner<> planner(problem, {kCapacity - 1, 0}, kCapacity);
  snug::Buffer<> buffer{{1, 2}, 2, 2};
  buffer.end = snug::End::kBottom;
  const snug::Result<> result = planner.add(buffer);
  CHECK(result.status == Status::kFeasible);
  CHECK(snug::validate(planner.problem(), kCapacity, planner.offsets()).ok());
}

TEST_CASE("planner: sums that are too large", "[planner]") {
  constexpr std::int64_t kHalf = std::int64_t{1} << 61;
  Planner<> planner(2 * kHalf);
  for (std::int64_t t = 0; t < 5; ++t) {
    // As long as nothing is constrained, only those live by turns are added up.
    CHECK(planner.add({{t, t + 1}, kHalf}).status == Status::kFeasible);
    CHECK(snug::check(planner.problem()).ok());
  }
  snug::Buffer<> hinted{{9, 10}, 1};
  hinted.hint = 0;
  const snug::Result<> result = planner.add(hinted);
  CHECK(result.status == Status::kInvalid);
  CHECK(result.error.reason == snug::Reason::kSizeOverflow);
  CHECK(planner.offsets().size() == 5);
  CHECK(snug::check(planner.problem()).ok());
  for (std::size_t i = 0; i < 4; ++i) planner.remove(i);
  CHECK(planner.add(hinted).status == Status::kFeasible);
  CHECK(snug::check(planner.problem()).ok());
}

TEST_CASE("planner: all must fit on top of what is fixed or reserved",
          "[planner]") {
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  constexpr std::int64_t kTop = (std::int64_t{1} << 62) - 16;
  const auto adds_too_much = [](Planner<>& planner) {
    const std::size_t before = planner.offsets().size();
    const snug::Result<> result = planner.add({{0, 10}, 1 << 20});
    CHECK(result.status == Status::kInvalid);
    CHECK(result.error.reason == snug::Reason::kSizeOverflow);
    CHECK(planner.offsets().size() == before);
    CHECK(snug::check(planner.problem()).ok());
  };
  snug::Buffer<> high{{0, 10}, 8};
  high.offset = kTop;
  SECTION("fixed when it is added") {
    Planner<> planner(kMost);
    REQUIRE(planner.add(high).status == Status::kFeasible);
    adds_too_much(planner);
  }
  SECTION("fixed from the beginning") {
    snug::Problem<> problem;
    problem.buffers.push_back(high);
    Planner<> planner(problem, {kTop}, kMost);
    adds_too_much(planner);
  }
  SECTION("fixed later") {
    snug::Problem<> problem;
    high.offset.reset();
    problem.buffers.push_back(high);
    Planner<> planner(problem, {kTop}, kMost);
    planner.fix(0);
    adds_too_much(planner);
  }
  SECTION("reserved") {
    snug::Problem<> problem;
    problem.reserved.push_back({{kTop, kTop + 8}});
    Planner<> planner(problem, {}, kMost);
    adds_too_much(planner);
  }
}

TEST_CASE("planner: top buffers of memory without an end", "[planner]") {
  constexpr std::int64_t kEndless = (std::numeric_limits<std::int64_t>::max)();
  Planner<> planner(kEndless);
  snug::Buffer<> buffer{{0, 2}, 3};
  buffer.end = snug::End::kTop;
  REQUIRE(planner.add(buffer).status == Status::kFeasible);
  planner.fix(0);
  CHECK(planner.add(buffer).status == Status::kFeasible);
  CHECK(snug::validate(planner.problem(), kEndless, planner.offsets()).ok());
}

}  // namespace planner_test
