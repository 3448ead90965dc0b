// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/kind.hpp"

#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"

#include <cstddef>
#include <cstdint>

using snug::End;
using snug::Problem;
using snug::detail::is_constrained;

namespace {

template <class Size = std::int64_t>
Problem<Size, std::int64_t> plain() {
  Problem<Size, std::int64_t> problem;
  problem.buffers = {{{0, 2}, 6, 4}, {{1, 3}, 5, 6}, {{0, 3}, 0}};
  return problem;
}

}  // namespace

TEST_CASE("kind: each constraint makes a problem constrained", "[kind]") {
  Problem<> problem = plain();
  CHECK_FALSE(is_constrained(problem));
  CHECK_FALSE(is_constrained(Problem<>{}));
  SECTION("not hints, nor the alignment of all") {
    problem.buffers[0].hint = 3;
    problem.alignment = 8;
    CHECK_FALSE(is_constrained(problem));
    return;
  }
  SECTION("a gap") {
    problem.buffers[1].gaps = {{{1, 2}, {}}};
  }
  SECTION("a fixed offset") {
    problem.buffers[1].offset = 0;
  }
  SECTION("the bottom") {
    problem.buffers[1].end = End::kBottom;
  }
  SECTION("the top") {
    problem.buffers[2].end = End::kTop;
  }
  SECTION("an alias") {
    problem.aliases = {{0, 1, 0}};
  }
  SECTION("a group") {
    problem.contiguous = {{0, 1}};
  }
  SECTION("a pair kept apart") {
    problem.apart = {{0, 1}};
  }
  SECTION("a pair that may overlap") {
    problem.may_overlap = {{0, 1}};
  }
  SECTION("reserved bytes") {
    problem.reserved = {{{0, 1}, {}}};
  }
  SECTION("a base") {
    problem.base = 1;
  }
  CHECK(is_constrained(problem));
}

TEST_CASE("kind: an alignment of all that might not fit a narrow type",
          "[kind]") {
  auto problem = plain<std::int32_t>();
  CHECK_FALSE(is_constrained(problem));
  problem.alignment = 2;
  CHECK(is_constrained(problem));
}

TEST_CASE("kind: one hint is enough", "[kind]") {
  Problem<> problem = plain();
  CHECK_FALSE(snug::detail::has_hints(problem));
  problem.buffers[2].hint = 0;
  CHECK(snug::detail::has_hints(problem));
}

TEST_CASE("kind: aligned, each buffer has the alignment of all", "[kind]") {
  Problem<> problem = plain();
  problem.alignment = 10;
  problem.buffers[1].hint = 7;
  const Problem<> aligned = snug::detail::aligned(problem);
  CHECK(aligned.alignment == 1);
  REQUIRE(aligned.buffers.size() == 3);
  CHECK(aligned.buffers[0].alignment == 20);
  CHECK(aligned.buffers[1].alignment == 30);
  CHECK(aligned.buffers[2].alignment == 10);
  CHECK(aligned.buffers[1].hint == problem.buffers[1].hint);
  CHECK(aligned.buffers[1].size == 5);
}

TEST_CASE("kind: relaxed, nothing is left but sizes, times and alignments",
          "[kind]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    snug::testing::Random random(seed);
    Problem<> problem = snug::testing::uniform<>({}, random);
    snug::testing::add_constraints(problem, random);
    const Problem<> relaxed = snug::detail::relaxed(problem);
    CAPTURE(seed);
    CHECK_FALSE(is_constrained(relaxed));
    CHECK_FALSE(snug::detail::has_hints(relaxed));
    CHECK(relaxed.alignment == 1);
    REQUIRE(relaxed.buffers.size() == problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      CHECK(relaxed.buffers[i].lifespan == problem.buffers[i].lifespan);
      CHECK(relaxed.buffers[i].size == problem.buffers[i].size);
      CHECK(relaxed.buffers[i].alignment == problem.buffers[i].alignment);
    }
  }
}

TEST_CASE("kind: loose is what has gaps or exempt pairs", "[kind]") {
  Problem<> problem = plain();
  problem.base = 2;
  problem.apart = {{0, 1}};
  CHECK_FALSE(snug::detail::is_loose(problem));
  SECTION("gaps") {
    problem.buffers[1].gaps = {{{1, 2}, {}}};
    CHECK(snug::detail::is_loose(problem));
    CHECK(snug::detail::tightened(problem).buffers[1].gaps.empty());
  }
  SECTION("pairs") {
    problem.may_overlap = {{0, 2}};
    CHECK(snug::detail::is_loose(problem));
    const Problem<> tight = snug::detail::tightened(problem);
    CHECK(tight.may_overlap.empty());
    CHECK(tight.apart.size() == 1);
    CHECK(tight.base == 2);
  }
}

TEST_CASE("kind: placements of the tightened problem are placements",
          "[kind]") {
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    snug::testing::Random random(seed);
    snug::testing::Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.largest = 4;
    Problem<> problem = snug::testing::uniform<>(shape, random);
    snug::testing::add_constraints(problem, random);
    const Problem<> tight = snug::detail::tightened(problem);
    REQUIRE_FALSE(snug::detail::is_loose(tight));
    if (!snug::detail::is_loose(problem) || !snug::check(tight).ok()) continue;
    snug::testing::Exhaustive<std::int64_t, std::int64_t> oracle(tight);
    const auto placement = oracle.place(20);
    if (!placement) continue;
    CAPTURE(seed);
    REQUIRE(snug::validate(problem, 20, *placement).ok());
    ++placed;
  }
  CHECK(placed > 100);
}
