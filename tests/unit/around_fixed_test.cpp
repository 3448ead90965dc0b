// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/around_fixed.hpp"

#include "snug/model/check.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace around_fixed_test {

namespace {

using namespace snug::testing;
using snug::Problem;
using snug::Status;
using snug::detail::around_fixed;
using snug::detail::Flat;
using snug::detail::flatten;
using snug::detail::Index;
using snug::detail::list_not_ranges;

using Numbers = std::vector<Index>;

Numbers members_of(const Problem<>& problem) {
  return vector_of(list_not_ranges(flatten(problem)));
}

/// The problem around the fixed buffers, with the types of a whole one.
Problem<> problem_around(const Problem<>& problem) {
  const Flat flat = flatten(problem);
  const auto members = list_not_ranges(flat);
  const Flat around = around_fixed(flat, members);
  std::vector<std::size_t> kept(members.begin(), members.end());
  Problem<> some = snug::subset(problem, kept);
  // Who is tied to one that is left out is fixed all the same.
  for (Index k = 0; k < kept.size(); ++k)
    if (around.is_fixed(k)) some.buffers[k].offset = around.fixed[k];
  some.reserved.clear();
  for (const auto& range : around.reserved) {
    some.reserved.push_back({range.bytes, {}});
    if (!range.lifespan.empty()) some.reserved.back().lifespan = range.lifespan;
  }
  return some;
}

}  // namespace

//   free     |--0--|
//   fixed    |--1--|--2--|
//            |-----3-----|
TEST_CASE("around fixed: who is a reserved range") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2}, {{0, 4}, 2}, {{4, 8}, 3}, {{0, 8}, 4}};
  problem.reserved = {{{20, 21}, {}}};
  for (const std::size_t i : {1U, 2U, 3U})
    problem.buffers[i].offset = static_cast<std::int64_t>(4 * i);
  CHECK(members_of(problem) == Numbers{0});
  SECTION("for the time that it is live, if it meets a free one") {
    const Problem<> around = problem_around(problem);
    REQUIRE(around.reserved.size() == 3);
    CHECK(around.reserved[0].bytes == snug::Interval<std::int64_t>{20, 21});
    CHECK_FALSE(around.reserved[0].lifespan);
    CHECK(around.reserved[1].bytes == snug::Interval<std::int64_t>{4, 6});
    CHECK(around.reserved[1].lifespan == snug::Interval<std::int64_t>{0, 4});
    CHECK(around.reserved[2].bytes == snug::Interval<std::int64_t>{12, 16});
    CHECK(around.reserved[2].lifespan == snug::Interval<std::int64_t>{0, 8});
  }
  SECTION("not one with a gap") {
    problem.buffers[3].gaps = {{{1, 2}}};
    CHECK(members_of(problem) == Numbers{0, 3});
  }
  SECTION("not one in a pair") {
    problem.apart = {{1, 0}};
    problem.may_overlap = {{2, 0}};
    CHECK(members_of(problem) == Numbers{0, 1, 2});
  }
  SECTION("not one at an end") {
    problem.buffers[2].end = snug::End::kTop;
    CHECK(members_of(problem) == Numbers{0, 2});
  }
  SECTION("not one that is tied to such a one, and may share bytes with it") {
    problem.buffers[3].gaps = {{{1, 2}}};
    problem.buffers[2].offset.reset();
    problem.aliases = {{2, 3, 0}};
    CHECK(members_of(problem) == Numbers{0, 2, 3});
  }
  SECTION("not one without a size") {
    problem.buffers[1].size = 0;
    CHECK(members_of(problem) == Numbers{0});
    CHECK(problem_around(problem).reserved.size() == 2);
  }
}

TEST_CASE("around fixed: the free ones fit where they do in the whole") {
  Random random(12);
  std::size_t ranges = 0;
  std::size_t fixed = 0;
  std::size_t fitting = 0;
  std::size_t unfit = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2500); ++seed) {
    Problem<> problem = draw_constrained(seed, 7);
    for (auto& buffer : problem.buffers) {
      buffer.offset.reset();
      buffer.hint.reset();
    }
    const auto placed = snug::minimize(problem);
    if (placed.status != Status::kOptimal) continue;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      problem.buffers[i].offset = placed.offsets[i];
    for (int k = random.between(1, 3); k > 0; --k) {
      auto& buffer = problem.buffers[random.between(
          std::size_t{0}, problem.buffers.size() - 1)];
      buffer.offset.reset();
      buffer.size += random.between(0, 2);
    }
    if (!snug::check(problem).ok()) continue;
    // Who is tied to a fixed one may meet others by now, or be higher.
    const Flat flat = flatten(problem);
    std::vector<std::size_t> all_fixed;
    std::int64_t height = placed.height;
    for (Index i = 0; i < problem.buffers.size(); ++i) {
      if (!flat.is_fixed(i)) continue;
      all_fixed.push_back(i);
      height = (std::max)(height, flat.fixed[i] + flat.buffers[i].size);
    }
    if (!fits(problem, height, all_fixed)) continue;
    const Problem<> around = problem_around(problem);
    CAPTURE(seed);
    INFO(as_csv(problem));
    REQUIRE(snug::check(around).ok());
    ranges += around.reserved.size() - problem.reserved.size();
    for (const auto& buffer : around.buffers)
      if (buffer.offset) ++fixed;
    for (std::int64_t most = height; most < height + 4; ++most) {
      const bool fits_whole = lowest_within(problem, most).has_value();
      REQUIRE(lowest_within(around, most).has_value() == fits_whole);
      ++(fits_whole ? fitting : unfit);
    }
  }
  CHECK(ranges > at_least<std::size_t>(1500));
  CHECK(fixed > at_least<std::size_t>(500));
  CHECK(fitting > at_least<std::size_t>(1000));
  CHECK(unfit > at_least<std::size_t>(500));
}

}  // namespace around_fixed_test
