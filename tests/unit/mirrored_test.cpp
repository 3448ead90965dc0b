// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/mirrored.hpp"

#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/constrained_search.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace mirrored_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Interval;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::Mirrored;
using snug::detail::Outcome;

constexpr std::int64_t kHigh = 18;

/// With a base and alignments as well, which often divide the sizes.
[[nodiscard]] Problem<> draw(std::uint64_t seed) {
  Problem<> problem = draw_constrained(seed, 4);
  Random random(seed);
  if (random.chance(30)) problem.base = random.between(0, 3);
  if (random.chance(30))
    for (auto& buffer : problem.buffers)
      if (!buffer.offset && random.chance(60)) {
        buffer.alignment = 2;
        if (buffer.gaps.empty() && random.chance(80)) buffer.size &= ~1;
      }
  return problem;
}

[[nodiscard]] bool fits(const Problem<>& problem, std::int64_t capacity) {
  return lowest_within(problem, capacity).has_value();
}

}  // namespace

TEST_CASE("mirrored: the image fits if the problem does", "[mirrored]") {
  std::size_t fitting = 0;
  std::size_t flipped = 0;
  std::size_t upright = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    CAPTURE(seed);
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    for (const std::int64_t above : {1, 0, -1}) {
      if (!lowest && above > 0) continue;
      const std::int64_t capacity = lowest.value_or(kHigh) + above;
      if (capacity < 0) continue;
      Flat flat = snug::detail::flatten(problem);
      std::int64_t ceiling = capacity;
      ceiling = snug::detail::presolve(flat, ceiling);
      const Mirrored mirrored(flat, ceiling);
      REQUIRE(mirrored.capacity() <= ceiling);
      const Problem<> image = unflatten(mirrored.image());
      const bool has_placement = lowest && *lowest <= capacity;
      REQUIRE(fits(image, mirrored.capacity()) == has_placement);
      ++(mirrored.flips() ? flipped : upright);
      if (!has_placement) continue;
      ++fitting;
      const snug::Result<> placed = snug::solve(image, mirrored.capacity());
      REQUIRE(placed.has_solution());
      List<std::int64_t> offsets(placed.offsets.size(), 0);
      for (std::size_t i = 0; i < offsets.size(); ++i)
        offsets[i] = placed.offsets[i];
      mirrored.restore(offsets);
      REQUIRE(validate_pairwise(problem, capacity, vector_of(offsets)).ok());
    }
  }
  CAPTURE(fitting, flipped, upright);
  CHECK(fitting > at_least<std::size_t>(2000));
  CHECK(flipped > at_least<std::size_t>(2000));
  CHECK(upright > at_least<std::size_t>(300));
}

TEST_CASE("mirrored: a search of the image settles the problem", "[mirrored]") {
  std::size_t placed = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1500); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    CAPTURE(seed);
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    const std::int64_t capacity =
        lowest.value_or(kHigh) - (lowest && seed % 2 != 0 ? 1 : 0);
    if (capacity < 0) continue;
    Flat flat = snug::detail::flatten(problem);
    std::int64_t ceiling = capacity;
    ceiling = snug::detail::presolve(flat, ceiling);
    const snug::Options options;
    snug::Stats stats;
    snug::detail::Call call(options, stats);
    Found found;
    snug::detail::MirroredSearch<snug::detail::BothModels> search(flat, ceiling,
                                                                  call);
    const Outcome outcome =
        search.search_up_to(snug::detail::kNoNodeLimit, found);
    CHECK(search.is_over());
    if (lowest && *lowest <= capacity) {
      ++placed;
      REQUIRE(outcome == Outcome::kPlacedAll);
      REQUIRE(
          validate_pairwise(problem, capacity, vector_of(found.offsets)).ok());
      continue;
    }
    ++refuted;
    REQUIRE(outcome == Outcome::kRefuted);
    // What the refutation used does not fit by itself.
    if (found.core.empty() || !flat.reserved.empty()) continue;
    std::vector<std::size_t> core;
    for (const Index i : found.core) core.push_back(i);
    REQUIRE_FALSE(fits(snug::subset(problem, core), capacity));
  }
  CAPTURE(placed, refuted);
  CHECK(placed > at_least<std::size_t>(400));
  CHECK(refuted > at_least<std::size_t>(400));
}

TEST_CASE("mirrored: what stands where", "[mirrored]") {
  Flat flat;
  flat.base = 2;
  flat.buffers = {{{0, 4}, 4}, {{1, 2}, 2}, {{3, 9}, 6}};
  flat.fixed = {4, Flat::kNone, Flat::kNone};
  flat.ends = {End::kAny, End::kBottom, End::kTop};
  flat.gaps = {{2, {4, 5}, {0, 2}}, {2, {6, 7}, {}}};
  flat.reserved = {{{0, 4}, {}}, {{14, 98}, {2, 3}}};
  // Everything is even, but for the capacity.
  const Mirrored mirrored(flat, 21);
  REQUIRE(mirrored.flips());
  CHECK(mirrored.capacity() == 20);
  const Flat image = mirrored.image();
  CHECK(image.base == 2);
  CHECK(image.buffers[0].lifespan == Interval<std::int64_t>{-5, -1});
  CHECK(image.fixed[0] == 14);
  CHECK_FALSE(image.is_fixed(1));
  CHECK(image.ends[0] == End::kAny);
  CHECK(image.ends[1] == End::kTop);
  CHECK(image.ends[2] == End::kBottom);
  REQUIRE(image.gaps.size() == 2);
  CHECK(image.gaps[0].lifespan == Interval<std::int64_t>{-8, -7});
  CHECK(image.gaps[0].window.empty());
  CHECK(image.gaps[1].lifespan == Interval<std::int64_t>{-6, -5});
  CHECK(image.gaps[1].window == Interval<std::int64_t>{4, 6});
  REQUIRE(image.reserved.size() == 2);
  CHECK(image.reserved[0].bytes == Interval<std::int64_t>{18, 20});
  CHECK(image.reserved[0].lifespan.empty());
  CHECK(image.reserved[1].bytes == Interval<std::int64_t>{2, 8});
  CHECK(image.reserved[1].lifespan == Interval<std::int64_t>{-4, -3});
  List<std::int64_t> offsets{14, 2, 8};
  mirrored.restore(offsets);
  CHECK(offsets == List<std::int64_t>{4, 18, 8});
}

TEST_CASE("mirrored: the lowest one of a class is who had the highest top",
          "[mirrored]") {
  Flat flat;
  flat.buffers = {{{0, 1}, 4}, {{1, 2}, 2}, {{2, 3}, 3}};
  flat.root = {0, 0, 2};
  flat.delta = {1, 0, 0};
  const Mirrored mirrored(flat, 9);
  REQUIRE(mirrored.flips());
  const Flat image = mirrored.image();
  CHECK(image.root == flat.root);
  CHECK(image.delta == List<std::int64_t>{0, 3, 0});
}

TEST_CASE("mirrored: upright where it has to be", "[mirrored]") {
  Flat flat;
  flat.buffers = {{{0, 2}, 6, 4}, {{1, 3}, 4, 2}};
  flat.hints = {4, Flat::kNone};
  // 16 - 6 is no multiple of 4, 14 - 6 is one.
  CHECK_FALSE(Mirrored(flat, 16).flips());
  CHECK(Mirrored(flat, 14).flips());
  const Flat image = Mirrored(flat, 16).image();
  CHECK(image.buffers[0].lifespan == Interval<std::int64_t>{-3, -1});
  CHECK(image.hints.empty());
  List<std::int64_t> offsets{4, 10};
  Mirrored(flat, 16).restore(offsets);
  CHECK(offsets == List<std::int64_t>{4, 10});
  flat.buffers[0].alignment = 2;
  CHECK(Mirrored(flat, 16).flips());
  // Below the base, or above the capacity.
  flat.base = 2;
  flat.fixed = {Flat::kNone, 0};
  CHECK_FALSE(Mirrored(flat, 16).flips());
  flat.fixed = {Flat::kNone, 14};
  CHECK_FALSE(Mirrored(flat, 16).flips());
  flat.fixed = {Flat::kNone, 12};
  CHECK(Mirrored(flat, 16).flips());
  CHECK(Mirrored(flat, snug::detail::kMaxTotal - 2).flips());
  // More than there can be.
  CHECK_FALSE(Mirrored(flat, snug::detail::kMaxTotal).flips());
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  CHECK_FALSE(Mirrored(flat, kMost).flips());
}

TEST_CASE("mirrored: any time has an image", "[mirrored]") {
  constexpr std::int64_t kFirst = (std::numeric_limits<std::int64_t>::min)();
  constexpr std::int64_t kLast = (std::numeric_limits<std::int64_t>::max)();
  Flat flat;
  flat.buffers = {{{kFirst, 0}, 1}, {{0, kLast}, 1}};
  const Flat image = Mirrored(flat, 1).image();
  CHECK(image.buffers[0].lifespan == Interval<std::int64_t>{-1, kLast});
  CHECK(image.buffers[1].lifespan == Interval<std::int64_t>{kFirst, -1});
}

}  // namespace mirrored_test
