// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/flat.hpp"

#include "snug/model/check.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace flat_test {

using namespace snug::testing;
using snug::End;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::flatten;

namespace {

Problem<> plain() {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 6, 4}, {{1, 3}, 5, 6}, {{0, 3}, 0}};
  return problem;
}

}  // namespace

TEST_CASE("flat: a plain problem has no lists", "[flat]") {
  const Flat flat = flatten(plain());
  REQUIRE(flat.buffers.size() == 3);
  CHECK(flat.buffers[1].lifespan == snug::Interval<std::int64_t>{1, 3});
  CHECK(flat.buffers[1].size == 5);
  CHECK(flat.buffers[1].alignment == 6);
  CHECK(flat.base == 0);
  CHECK(flat.gaps.empty());
  CHECK(flat.fixed.empty());
  CHECK(flat.hints.empty());
  CHECK(flat.ends.empty());
  CHECK(flat.root.empty());
  CHECK(flat.delta.empty());
  CHECK(flat.apart.empty());
  CHECK(flat.may_overlap.empty());
  CHECK(flat.reserved.empty());
  CHECK_FALSE(flat.is_fixed(0));
  CHECK(flatten(Problem<>{}).buffers.empty());
}

TEST_CASE("flat: each buffer has the alignment of all", "[flat]") {
  Problem<> problem = plain();
  problem.alignment = 10;
  problem.buffers[1].hint = 7;
  const Flat flat = flatten(problem);
  CHECK(flat.buffers[0].alignment == 20);
  CHECK(flat.buffers[1].alignment == 30);
  CHECK(flat.buffers[2].alignment == 10);
  CHECK(flat.hints == snug::detail::List<std::int64_t>{-1, 7, -1});
  CHECK(flat.buffers[1].size == 5);
}

TEST_CASE("flat: alignments that together do not fit a narrow type", "[flat]") {
  Problem<std::int32_t, std::int32_t> problem;
  problem.buffers = {{{0, 1}, 1, 1 << 30}};
  problem.alignment = 3;
  REQUIRE(snug::check(problem).ok());
  CHECK(flatten(problem).buffers[0].alignment == std::int64_t{3} << 30);
}

TEST_CASE("flat: a hint that no offset can equal is none", "[flat]") {
  Problem<> problem = plain();
  problem.buffers[0].hint = (std::numeric_limits<std::int64_t>::max)();
  CHECK(flatten(problem).hints.empty());
  problem.buffers[0].hint = snug::detail::kMaxTotal;
  CHECK(flatten(problem).hints ==
        snug::detail::List<std::int64_t>{snug::detail::kMaxTotal, -1, -1});
}

TEST_CASE("flat: gaps by buffer, then by time", "[flat]") {
  Problem<> problem = plain();
  problem.buffers[0].gaps = {{{1, 2}, {}}, {{0, 1}, {{2, 4}}}};
  problem.buffers[1].gaps = {{{2, 3}, {{1, 2}}}};
  const Flat flat = flatten(problem);
  REQUIRE(flat.gaps.size() == 3);
  CHECK(flat.gaps[0].buffer == 0);
  CHECK(flat.gaps[0].lifespan == snug::Interval<std::int64_t>{0, 1});
  CHECK(flat.gaps[0].window == snug::Interval<std::int64_t>{2, 4});
  CHECK(flat.gaps[1].buffer == 0);
  CHECK(flat.gaps[1].window.empty());
  CHECK(flat.gaps[2].buffer == 1);
  CHECK(flat.gaps[2].window == snug::Interval<std::int64_t>{1, 2});
}

TEST_CASE("flat: who is tied to a fixed buffer is fixed", "[flat]") {
  Problem<> problem = plain();
  problem.buffers.push_back({{5, 6}, 3});
  problem.buffers.push_back({{5, 6}, 3});
  problem.buffers[3].offset = 12;
  problem.aliases = {{3, 1, 6}};
  const Flat flat = flatten(problem);
  CHECK(flat.is_fixed(1));
  CHECK(flat.fixed == snug::detail::List<std::int64_t>{-1, 6, -1, 12, -1});
}

TEST_CASE("flat: a unit divides both ends of windows", "[flat]") {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 12}, {{0, 3}, 8}};
  CHECK(snug::detail::unit_of(flatten(problem), 0) == 4);
  problem.buffers[0].gaps = {{{1, 2}, {{4, 8}}}};
  CHECK(snug::detail::unit_of(flatten(problem), 0) == 4);
  problem.buffers[0].gaps = {{{1, 2}, {{2, 8}}}};
  CHECK(snug::detail::unit_of(flatten(problem), 0) == 2);
  problem.buffers[0].gaps = {{{1, 2}, {{4, 7}}}};
  CHECK(snug::detail::unit_of(flatten(problem), 0) == 1);
}

TEMPLATE_TEST_CASE("flat: says what the problem says", "[flat]", std::int64_t,
                   std::int32_t) {
  std::size_t faults = 0;
  std::size_t placements = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{5});
    shape.largest = 4;
    auto problem = uniform<TestType, TestType>(shape, random);
    add_constraints(problem, random);
    if (!snug::check(problem).ok()) continue;
    const Problem<> same = unflatten(flatten(problem));
    CAPTURE(seed);
    for (int k = 0; k < 60; ++k) {
      std::vector<TestType> offsets;
      for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        offsets.push_back(problem.buffers[i].offset && random.chance(80)
                              ? *problem.buffers[i].offset
                              : static_cast<TestType>(random.between(0, 12)));
      const bool ok = validate_pairwise(problem, TestType{14}, offsets).ok();
      REQUIRE(ok == validate_pairwise(same, 14,
                                      std::vector<std::int64_t>(offsets.begin(),
                                                                offsets.end()))
                        .ok());
      ++(ok ? placements : faults);
    }
  }
  CHECK(placements > at_least(300U));
  CHECK(faults > at_least(10000U));
}

TEST_CASE("flat: many gaps of one buffer in any order", "[flat]") {
  constexpr std::int64_t kGaps = 200000;
  Problem<> problem;
  problem.buffers = {{{0, 2 * kGaps}, 1}};
  for (std::int64_t k = kGaps; k-- > 0;)
    problem.buffers[0].gaps.push_back({{2 * k, 2 * k + 1}, {}});
  const auto start = std::chrono::steady_clock::now();
  const Flat flat = flatten(problem);
  const std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  REQUIRE(flat.gaps.size() == std::size_t{kGaps});
  bool is_sorted = true;
  for (std::size_t k = 1; k < flat.gaps.size(); ++k)
    is_sorted = is_sorted &&
                flat.gaps[k - 1].lifespan.lower < flat.gaps[k].lifespan.lower;
  CHECK(is_sorted);
  CHECK(spent.count() < 5);  // One after the other: more than half a minute.
}

TEST_CASE("flat: the pieces of a buffer between and in its gaps", "[flat]") {
  using Numbers = snug::Interval<std::int64_t>;
  Problem<> problem;
  problem.buffers = {{{0, 9}, 4}, {{2, 8}, 7}, {{1, 3}, 2}};
  problem.buffers[1].gaps = {{{3, 5}, Numbers{2, 6}}, {{6, 8}, {}}};
  problem.buffers[2].gaps = {{{1, 2}, Numbers{0, 1}}};
  const Flat flat = flatten(problem);
  std::size_t gap = 0;
  std::vector<std::vector<std::int64_t>> pieces;
  // The first one is left out: its gaps, if it had some, would be passed over.
  for (const snug::detail::Index i : {1U, 2U})
    snug::detail::visit_pieces(
        flat, i, gap, [&](const Numbers& time, const Numbers& bytes) {
          pieces.push_back(
              {i, time.lower, time.upper, bytes.lower, bytes.upper});
        });
  CHECK(pieces == std::vector<std::vector<std::int64_t>>{{1, 2, 3, 0, 7},
                                                         {1, 3, 5, 2, 6},
                                                         {1, 5, 6, 0, 7},
                                                         {1, 6, 8, 0, 0},
                                                         {1, 8, 8, 0, 7},
                                                         {2, 1, 1, 0, 2},
                                                         {2, 1, 2, 0, 1},
                                                         {2, 2, 3, 0, 2}});
  CHECK(gap == 3);
}

}  // namespace flat_test
