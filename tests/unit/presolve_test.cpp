// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/presolve.hpp"

#include "snug/model/check.hpp"
#include "snug/normal/plain.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace presolve_test {

using namespace snug::testing;
using snug::End;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::flatten;
using snug::detail::Ground;
using snug::detail::presolve;

namespace {

constexpr std::int64_t kHigh = 1000;

Problem<> plain() {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 6, 4}, {{1, 3}, 5, 6}, {{0, 3}, 0}};
  return problem;
}

struct Presolved {
  Flat flat;
  std::int64_t ceiling;
  Ground ground;  ///< if it is plain
};

Presolved presolved(const Problem<>& problem, std::int64_t ceiling = kHigh) {
  REQUIRE(snug::check(problem).ok());
  Presolved result{flatten(problem), ceiling, {}};
  result.ceiling = presolve(result.flat, result.ceiling);
  result.ground = snug::detail::plain_ground(result.flat);
  return result;
}

/// Calls visit(offsets) with all offsets from 0 to `ceiling` of n buffers.
template <class Visit>
void for_each_offsets(std::size_t n, std::int64_t ceiling, Visit&& visit) {
  std::vector<std::int64_t> offsets(n, 0);
  for (;;) {
    visit(offsets);
    std::size_t i = 0;
    while (i < n && offsets[i] == ceiling) offsets[i++] = 0;
    if (i == n) return;
    ++offsets[i];
  }
}

/// A few buffers with one to four kinds of constraints, or nothing.
Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Shape shape;
  shape.count = random.between(std::size_t{1}, std::size_t{3});
  shape.length = random.between(1, 4);
  shape.largest = 3;
  Problem<> problem = uniform<>(shape, random);
  for (int k = random.between(1, 4); k > 0; --k) {
    const Problem<> before = problem;
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
    if (problem.buffers.size() > 3 || !snug::check(problem).ok())
      problem = before;
  }
  return problem;
}

/// Reserved bytes at both ends, for all time or some, and across each other, and gaps that begin and
/// end where other buffers do: what presolve looks for.
Problem<> draw_vacuous(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem = draw(seed + 5000);
  for (int k = random.between(1, 3); k > 0; --k) {
    const std::int64_t lower = random.between(0, 6);
    problem.reserved.push_back({{lower, lower + random.between(1, 8)}, {}});
    const std::int64_t from = random.between<std::int64_t>(-1, 4);
    if (random.chance(40))
      problem.reserved.back().lifespan = snug::Interval<std::int64_t>{
          from, random.between<std::int64_t>(from + 1, 5)};
    if (!snug::check(problem).ok()) problem.reserved.pop_back();
  }
  for (auto& buffer : problem.buffers) {
    if (!buffer.gaps.empty() || random.chance(60)) continue;
    const auto before = buffer;
    const std::int64_t lower =
        random.between(buffer.lifespan.lower, buffer.lifespan.upper - 1);
    buffer.gaps = {
        {{lower, random.between(lower + 1, buffer.lifespan.upper)}, {}}};
    if (buffer.size > 0 && random.chance(40))
      buffer.gaps[0].window = snug::Interval<std::int64_t>{
          random.between(std::int64_t{0}, buffer.size - 1), buffer.size};
    if (!snug::check(problem).ok()) buffer = before;
  }
  return problem;
}

/// What is left is fewer.
std::size_t count_of(const Flat& flat) {
  return flat.gaps.size() + flat.ends.size() + flat.root.size() +
         flat.apart.size() + flat.may_overlap.size() + flat.reserved.size();
}

}  // namespace

TEST_CASE("presolve: the placements below the ceiling stay as they are",
          "[presolve]") {
  std::size_t placements = 0;
  std::size_t simpler = 0;
  std::size_t became_plain = 0;
  std::size_t without = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2400); ++seed) {
    const Problem<> problem = seed % 2 == 0 ? draw(seed) : draw_vacuous(seed);
    Random random(seed);
    const std::int64_t ceiling = random.between(0, 10);
    Presolved after = presolved(problem, ceiling);
    const Problem<> rest = unflatten(after.flat);
    CAPTURE(seed, ceiling, after.ceiling);
    INFO(as_csv(problem));
    REQUIRE(after.ceiling <= ceiling);
    if (count_of(after.flat) < count_of(flatten(problem))) ++simpler;
    if (after.ground) ++became_plain;
    std::size_t count = 0;
    for_each_offsets(problem.buffers.size(), ceiling, [&](const auto& offsets) {
      const bool is_placement =
          validate_pairwise(problem, ceiling, offsets).ok();
      if (is_placement !=
          validate_pairwise(rest, after.ceiling, offsets).ok()) {
        CAPTURE(offsets);
        REQUIRE(is_placement !=
                validate_pairwise(problem, ceiling, offsets).ok());
      }
      count += is_placement ? 1 : 0;
    });
    placements += count;
    without += count == 0 ? 1 : 0;
  }
  CHECK(placements > at_least<std::size_t>(20000));
  CHECK(without > at_least(200U));
  CHECK(simpler > at_least<std::size_t>(600));
  CHECK(became_plain > at_least<std::size_t>(400));
}

TEST_CASE("presolve: plain, and all that makes no difference", "[presolve]") {
  Problem<> problem = plain();
  const auto check_plain = [&](std::int64_t ceiling = kHigh) {
    const Presolved after = presolved(problem);
    CHECK(after.ground == 0);
    CHECK(after.ceiling == ceiling);
  };
  check_plain();
  SECTION("hints, and the alignment of all") {
    problem.buffers[0].hint = 3;
    problem.alignment = 8;
    check_plain();
  }
  SECTION("reserved bytes above the ceiling, and at it") {
    problem.reserved = {{{1000, 1001}, {}}, {{4000, 4001}, {{0, 2}}}};
    check_plain();
    problem.buffers.pop_back();
    problem.reserved.push_back({{900, 1000}, {}});
    problem.reserved.push_back({{700, 910}, {}});
    check_plain(700);
  }
  SECTION("a gap while nobody else is live") {
    problem.buffers[1].gaps = {{{2, 3}, {}}};
    check_plain();
  }
  SECTION("a gap, next to a buffer that it meets elsewhere") {
    problem.buffers.push_back({{0, 3}, 4});
    problem.buffers[3].gaps = {{{1, 2}, {{0, 1}}}};
    check_plain();
    problem.buffers.push_back({{1, 2}, 4});
    CHECK_FALSE(presolved(problem).ground);
  }
  SECTION("a gap whose window is the whole") {
    problem.buffers[1].gaps = {{{1, 2}, {{0, 5}}}};
    check_plain();
  }
  SECTION("bottoms without a top") {
    problem.buffers[1].end = End::kBottom;
    check_plain();
  }
  SECTION("a buffer tied to itself, groups of one and none") {
    problem.aliases = {{0, 0, 0}};
    problem.contiguous = {{1}, {}};
    check_plain();
  }
  SECTION("a pair kept apart by time and space") {
    problem.apart = {{1, 0}, {0, 1}, {1, 2}};
    check_plain();
  }
  SECTION("a pair that may overlap and never could") {
    problem.buffers.push_back({{5, 6}, 1});
    problem.may_overlap = {{0, 3}, {3, 1}, {2, 0}};
    check_plain();
  }
}

TEST_CASE("presolve: the ground is where all buffers can begin", "[presolve]") {
  Problem<> problem = plain();
  problem.buffers.pop_back();
  SECTION("a base at which all are aligned") {
    problem.base = 12;
    CHECK(presolved(problem).ground == 12);
  }
  SECTION("a base above which all are aligned") {
    problem.base = 11;
    CHECK(presolved(problem).ground == 12);
  }
  SECTION("not one above which only some are") {
    problem.base = 6;
    CHECK_FALSE(presolved(problem).ground);
  }
  SECTION("reserved from the base") {
    problem.base = 3;
    problem.reserved = {{{5, 11}, {}}, {{0, 6}, {}}};
    const Presolved after = presolved(problem);
    CHECK(after.ground);
    CHECK(after.flat.base == 11);
    CHECK(after.ground == 12);
  }
  SECTION("where buffers of size zero can begin, too") {
    problem.base = 11;
    problem.buffers.push_back({{0, 1}, 0, 4});
    CHECK(presolved(problem).ground);
    problem.buffers.push_back({{0, 1}, 0, 64});
    CHECK_FALSE(presolved(problem).ground);
  }
}

TEST_CASE("presolve: what makes a difference stays", "[presolve]") {
  Problem<> problem = plain();
  SECTION("a gap") {
    problem.buffers[1].gaps = {{{1, 2}, {}}};
  }
  SECTION("a fixed offset") {
    problem.buffers[1].offset = 0;
  }
  SECTION("the top") {
    problem.buffers[1].end = End::kTop;
  }
  SECTION("an alias") {
    problem.buffers.push_back({{5, 6}, 2});
    problem.aliases = {{3, 0, 0}};
  }
  SECTION("a group") {
    problem.contiguous = {{0, 1}};
    problem.buffers[1].alignment = 1;
  }
  SECTION("a pair that may overlap") {
    problem.may_overlap = {{0, 1}};
  }
  SECTION("reserved bytes in the middle") {
    problem.reserved = {{{7, 8}, {}}};
  }
  SECTION("reserved bytes for some time") {
    problem.reserved = {{{0, 8}, {{0, 1}}}};
  }
  CHECK_FALSE(presolved(problem).ground);
}

TEST_CASE("presolve: a pair kept apart stays, and is plain", "[presolve]") {
  Problem<> problem = plain();
  problem.buffers.push_back({{5, 6}, 2});
  problem.apart = {{0, 3}};
  CHECK(presolved(problem).ground);
  std::int64_t ceiling = 1000;
  snug::detail::Flat flat = snug::detail::flatten(problem);
  ceiling = snug::detail::presolve(flat, ceiling);
  CHECK(flat.apart.size() == 1);
}

TEST_CASE("presolve: what is reserved while nobody is live", "[presolve]") {
  Problem<> problem = plain();
  const auto left_with = [&](std::int64_t lower, std::int64_t upper) {
    problem.reserved = {{{7, 8}, {{lower, upper}}}};
    return presolved(problem).flat.reserved;
  };
  CHECK(left_with(-4, 0).empty());
  CHECK(left_with(3, 5).empty());
  CHECK(left_with(-4, 1).size() == 1);
  CHECK(left_with(2, 5).size() == 1);
  // As long as anybody is: for all time.
  CHECK(left_with(0, 3)[0].lifespan.empty());
  CHECK(left_with(-1, 9)[0].lifespan.empty());
  CHECK_FALSE(left_with(0, 2)[0].lifespan.empty());
  CHECK_FALSE(left_with(1, 3)[0].lifespan.empty());
  // Who has no bytes does not matter.
  problem.buffers.push_back({{20, 30}, 0});
  CHECK(left_with(20, 30).empty());
  CHECK(left_with(0, 3)[0].lifespan.empty());
  // Between others, too.
  problem.buffers.push_back({{10, 12}, 1});
  CHECK(left_with(3, 10).empty());
  CHECK(left_with(3, 11).size() == 1);
  // Like this it lifts the base.
  problem.buffers = {{{0, 2}, 6}, {{1, 3}, 5}};
  problem.reserved = {{{0, 4}, {{0, 3}}}};
  CHECK(presolved(problem).flat.base == 4);
}

TEST_CASE("presolve: buffers of size zero may lie in reserved bytes",
          "[presolve]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 0}, {{0, 2}, 3}};
  problem.reserved = {{{0, 4}, {}}, {{8, 2000}, {}}};
  problem.buffers[0].offset = 2;
  const auto is_placement = [&](std::int64_t a, std::int64_t b) {
    const Presolved after = presolved(problem);
    return validate_pairwise(unflatten(after.flat), after.ceiling, {a, b}).ok();
  };
  CHECK(is_placement(2, 4));
  CHECK_FALSE(is_placement(2, 3));
  CHECK_FALSE(is_placement(2, 6));
  problem.buffers[0].offset = 10;
  CHECK(is_placement(10, 5));
}

TEST_CASE("presolve: which gaps free something", "[presolve]") {
  Problem<> problem = plain();
  problem.buffers.push_back({{0, 3}, 4});
  problem.buffers[3].gaps = {{{2, 3}, {}}};
  problem.buffers.push_back({{2, 3}, 4});
  CHECK(presolved(problem).flat.gaps.size() == 1);
  SECTION("not where who is live has no bytes") {
    problem.buffers[4].size = 0;
    CHECK(presolved(problem).flat.gaps.empty());
  }
  SECTION("not where who is live may overlap with it anyway") {
    problem.may_overlap = {{4, 3}};
    CHECK(presolved(problem).flat.gaps.empty());
  }
  SECTION("not where who is live is kept apart anyway") {
    problem.apart = {{4, 3}};
    CHECK(presolved(problem).flat.gaps.empty());
  }
  SECTION("nor where others are tied") {
    problem.buffers.push_back({{3, 4}, 4});
    problem.aliases = {{5, 4, 0}};
    CHECK(presolved(problem).flat.gaps.size() == 1);
    problem.buffers[4].lifespan = {1, 3};
    CHECK(presolved(problem).flat.gaps.empty());
  }
}

// Whether two buffers meet whole is asked once, and not for each of their gaps.
TEST_CASE("presolve: two buffers with very many gaps", "[presolve]") {
  Problem<> problem;
  const std::int64_t count = effort(std::int64_t{20000});
  problem.buffers = {{{0, 2 * count}, 4}, {{0, 2 * count}, 5}};
  for (std::int64_t k = 0; k < count; ++k) {
    problem.buffers[0].gaps.push_back({{2 * k, 2 * k + 1}, std::nullopt});
    problem.buffers[1].gaps.push_back({{2 * k + 1, 2 * k + 2}, std::nullopt});
  }
  const CpuTimer timer;
  CHECK(presolved(problem).flat.gaps.size() ==
        static_cast<std::size_t>(2 * count));
  problem.buffers[1].gaps.pop_back();
  CHECK(presolved(problem).flat.gaps.empty());
  CHECK(timer.seconds() < 10);
}

TEST_CASE("presolve: very many gaps beside very many reserved ranges",
          "[presolve]") {
  Problem<> problem;
  const std::int64_t count = effort(std::int64_t{100000});
  problem.buffers = {{{0, 4 * count}, 4}};
  for (std::int64_t k = 0; k < count; ++k) {
    problem.buffers[0].gaps.push_back({{2 * k, 2 * k + 1}, std::nullopt});
    const std::int64_t at = 3 * count + k;
    problem.reserved.push_back({{5, 6}, {{at, at + 1}}});
  }
  const CpuTimer timer;
  (void)presolved(problem);
  CHECK(timer.seconds() < 10);
}

TEST_CASE("presolve: tight is what has no gaps and no exempt pairs",
          "[presolve]") {
  Problem<> problem = plain();
  problem.base = 2;
  problem.apart = {{0, 1}};
  Flat flat = flatten(problem);
  CHECK_FALSE(tighten(flat));
  SECTION("gaps") {
    problem.buffers[1].gaps = {{{1, 2}, {}}};
    flat = flatten(problem);
    CHECK(tighten(flat));
    CHECK(flat.gaps.empty());
  }
  SECTION("pairs") {
    problem.may_overlap = {{0, 2}};
    flat = flatten(problem);
    CHECK(tighten(flat));
    CHECK(flat.may_overlap.empty());
    CHECK(flat.apart.size() == 1);
    CHECK(flat.base == 2);
  }
  SECTION("but fixed buffers keep their gaps, and pairs of them") {
    problem.base = 0;
    problem.buffers[0].offset = 0;
    problem.buffers[1].offset = 0;
    problem.buffers[1].gaps = {{{1, 2}, {}}};
    problem.apart.clear();
    problem.may_overlap = {{0, 1}};
    flat = flatten(problem);
    CHECK_FALSE(tighten(flat));
    CHECK(flat.gaps.size() == 1);
    CHECK(flat.may_overlap.size() == 1);
  }
}

TEST_CASE("presolve: placements of the tightened problem are placements",
          "[presolve]") {
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{6});
    shape.largest = 4;
    Problem<> problem = uniform<>(shape, random);
    add_constraints(problem, random);
    Flat flat = flatten(problem);
    if (!tighten(flat)) continue;
    REQUIRE_FALSE(tighten(flat));
    const Problem<> tight = unflatten(flat);
    if (!snug::check(tight).ok()) continue;
    Exhaustive<std::int64_t, std::int64_t> oracle(tight);
    const auto placement = oracle.place(20);
    if (!placement) continue;
    CAPTURE(seed);
    REQUIRE(snug::validate(problem, 20, *placement).ok());
    ++placed;
  }
  CHECK(placed > 100);
}

TEST_CASE("presolve: ends that ask nothing, by the definition") {
  std::size_t nothing = 0;
  std::size_t something = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2000); ++seed) {
    Random random(seed);
    Problem<> problem;
    for (std::size_t n = random.between<std::size_t>(2, 5); n > 0; --n) {
      const std::int64_t begin = random.between(0, 4);
      problem.buffers.push_back(
          {{begin, begin + random.between(1, 4)}, random.between(0, 3)});
      if (random.chance(40)) problem.buffers.back().end = snug::End::kBottom;
      if (random.chance(40)) problem.buffers.back().end = snug::End::kTop;
    }
    if (random.chance(30)) problem.apart.push_back({0, 1});
    const auto are_of_both = [&](std::size_t a, std::size_t b) {
      return problem.buffers[a].size > 0 && problem.buffers[b].size > 0 &&
             problem.buffers[a].end == snug::End::kBottom &&
             problem.buffers[b].end == snug::End::kTop;
    };
    bool asks = false;
    for (std::size_t a = 0; a < problem.buffers.size(); ++a)
      for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        asks =
            asks || (are_of_both(a, b) && problem.buffers[a].lifespan.overlaps(
                                              problem.buffers[b].lifespan));
    for (const auto& [a, b] : problem.apart)
      asks = asks || are_of_both(a, b) || are_of_both(b, a);
    CAPTURE(seed);
    Flat flat = snug::detail::flatten(problem);
    std::int64_t ceiling = 100;
    ceiling = snug::detail::presolve(flat, ceiling);
    REQUIRE(snug::detail::ends_ask_nothing(flat) == !asks);
    ++(asks ? something : nothing);
  }
  CHECK(nothing > at_least<std::size_t>(500));
  CHECK(something > at_least<std::size_t>(300));
}

}  // namespace presolve_test
