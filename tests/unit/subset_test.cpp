// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/subset.hpp"

#include "snug/model/check.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace subset_test {

namespace {

using namespace snug::testing;
using snug::Problem;

/// Three buffers of 4, 2 and 8 bytes, live one after the other.
Problem<> three() {
  Problem<> problem;
  problem.buffers.push_back({{0, 2}, 4});
  problem.buffers.push_back({{2, 4}, 2});
  problem.buffers.push_back({{4, 6}, 8});
  return problem;
}

/// Each buffer with a chance of one half.
std::vector<std::size_t> some_of(std::size_t n, Random& random) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < n; ++i)
    if (random.chance(50)) result.push_back(i);
  return result;
}

}  // namespace

TEST_CASE("subset: what a buffer brings goes with it", "[subset]") {
  Problem<> problem = three();
  problem.buffers[2].alignment = 4;
  problem.buffers[2].gaps = {{{4, 5}, std::nullopt}};
  problem.buffers[2].offset = 12;
  problem.buffers[2].hint = 16;
  problem.buffers[2].end = snug::End::kTop;
  problem.base = 2;
  problem.alignment = 2;
  problem.reserved.push_back({{6, 8}, std::nullopt});
  const Problem<> kept = snug::subset(problem, {1, 2});
  REQUIRE(kept.buffers.size() == 2);
  CHECK(kept.buffers[0].size == 2);
  const snug::Buffer<>& last = kept.buffers[1];
  CHECK(last.size == 8);
  CHECK(last.lifespan == snug::Interval<std::int64_t>{4, 6});
  CHECK(last.alignment == 4);
  REQUIRE(last.gaps.size() == 1);
  CHECK(last.gaps[0].lifespan == snug::Interval<std::int64_t>{4, 5});
  CHECK(last.offset == 12);
  CHECK(last.hint == 16);
  CHECK(last.end == snug::End::kTop);
  CHECK(kept.base == 2);
  CHECK(kept.alignment == 2);
  REQUIRE(kept.reserved.size() == 1);
  CHECK(kept.reserved[0].bytes == snug::Interval<std::int64_t>{6, 8});
  CHECK(snug::subset(problem, {}).buffers.empty());
}

TEST_CASE("subset: a pair stays if both ends do", "[subset]") {
  Problem<> problem = three();
  problem.apart = {{0, 1}, {2, 1}};
  problem.may_overlap = {{2, 0}};
  const Problem<> last = snug::subset(problem, {1, 2});
  REQUIRE(last.apart.size() == 1);
  CHECK(last.apart[0].first == 1);
  CHECK(last.apart[0].second == 0);
  CHECK(last.may_overlap.empty());
  const Problem<> outer = snug::subset(problem, {0, 2});
  CHECK(outer.apart.empty());
  REQUIRE(outer.may_overlap.size() == 1);
  CHECK(outer.may_overlap[0].first == 1);
  CHECK(outer.may_overlap[0].second == 0);
}

TEST_CASE("subset: ties survive those that made them", "[subset]") {
  Problem<> problem = three();
  SECTION("group") {
    problem.contiguous = {{0, 1, 2}};
  }
  SECTION("aliases") {
    problem.aliases = {{1, 0, 4}, {2, 1, 2}};
  }
  SECTION("both") {
    problem.contiguous = {{1, 2}};
    problem.aliases = {{0, 1, -4}};
  }
  const Problem<> kept = snug::subset(problem, {0, 2});
  REQUIRE(kept.aliases.size() == 1);
  CHECK(kept.contiguous.empty());
  CHECK(kept.aliases[0].buffer == 1);
  CHECK(kept.aliases[0].of == 0);
  CHECK(kept.aliases[0].delta == 6);
  CHECK(snug::subset(problem, {1}).aliases.empty());
  CHECK(snug::subset(problem, {0, 1, 2}).aliases.size() == 2);
}

TEST_CASE("subset: a distance beyond the size type stays impossible",
          "[subset]") {
  using Small = Problem<std::int8_t, std::int8_t>;
  Small problem;
  for (int k = 0; k < 3; ++k) problem.buffers.push_back({{0, 1}, 1});
  problem.aliases = {{1, 0, 100}, {2, 1, 100}};
  const Small up = snug::subset(problem, {0, 2});
  REQUIRE(up.aliases.size() == 1);
  CHECK(up.aliases[0].delta == 127);
  problem.aliases = {{1, 0, -100}, {2, 1, -100}};
  const Small down = snug::subset(problem, {0, 2});
  REQUIRE(down.aliases.size() == 1);
  CHECK(down.aliases[0].delta == -127);
}

TEST_CASE("subset: put_back", "[subset]") {
  std::vector<std::int64_t> all = {-1, -1, -1, 7};
  snug::put_back({0, 2}, std::vector<std::int64_t>{5, 6}, all);
  CHECK(all == std::vector<std::int64_t>{5, -1, 6, 7});
}

TEST_CASE("subset: well formed, tied as before, and fits with less",
          "[subset]") {
  constexpr std::int64_t kCapacity = 14;
  int tied_pairs = 0;
  int placed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{3}, std::size_t{7});
    shape.length = random.between(2, 6);
    shape.largest = 4;
    Problem<> problem = uniform<>(shape, random);
    add_constraints(problem, random);
    const std::size_t n = problem.buffers.size();
    const std::vector<std::size_t> kept = some_of(n, random);
    const Problem<> part = snug::subset(problem, kept);
    REQUIRE(snug::check(part).ok());

    const snug::detail::Ties before = snug::detail::tie(problem);
    const snug::detail::Ties after = snug::detail::tie(part);
    for (std::size_t a = 0; a < kept.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool tied = before.root[kept[a]] == before.root[kept[b]];
        CHECK(tied == (after.root[a] == after.root[b]));
        if (!tied) continue;
        ++tied_pairs;
        CHECK(before.delta[kept[a]] - before.delta[kept[b]] ==
              after.delta[a] - after.delta[b]);
      }

    const auto whole =
        Exhaustive<std::int64_t, std::int64_t>(problem).place(kCapacity);
    if (!whole) continue;
    ++placed;
    std::vector<std::int64_t> offsets;
    for (const std::size_t i : kept) offsets.push_back((*whole)[i]);
    CHECK(snug::validate(part, kCapacity, offsets).ok());
  }
  CHECK(tied_pairs > at_least(50));
  CHECK(placed > at_least(100));
}

}  // namespace subset_test
