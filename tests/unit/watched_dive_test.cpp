// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/watched_dive.hpp"

#include "snug/heuristics/dive.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/naive_dive.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace watched_dive_test {

using namespace snug::testing;
using snug::detail::Candidate;
using snug::detail::Dive;
using snug::detail::Index;
using snug::detail::SpanTree;
using snug::detail::WatchedDive;

namespace {

const auto is_never_over = [] { return false; };

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> rank(order.size());
  for (Index r = 0; r < order.size(); ++r) rank[order[r]] = r;
  return rank;
}

}  // namespace

TEST_CASE("watched dive: places as the dive does, and gives up rightly") {
  int conflicts = 0;
  for (std::uint64_t seed = 0; seed < effort(3000U); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 3 == 0));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    const std::vector<Index> rank = inverse(order);
    Dive plain(boxed.boxes, boxed.memory);
    REQUIRE(plain.run(order.data(), Dive::kNoCeiling, is_never_over));
    const std::int64_t height = plain.height();
    WatchedDive dive(boxed.boxes, boxed.memory);
    const std::int64_t target =
        load_of(boxed.problem) +
        random.between(std::int64_t{0}, std::int64_t{5});

    REQUIRE(
        dive.run(order.data(), rank.data(), target, height + 1, is_never_over));
    CHECK(dive.height() == height);
    CHECK(boxed.unboxed(dive.offsets()) == boxed.unboxed(plain.offsets()));
    const bool had_conflict = dive.has_conflict();
    conflicts += had_conflict ? 1 : 0;
    // With alignments, the last box at a section may be what wastes too much.
    if (boxed.boxes.alignment == nullptr)
      CHECK(had_conflict == !dive.candidates().empty());
    if (!had_conflict) CHECK(dive.candidates().empty());
    if (boxed.boxes.unit == 1)
      CHECK(had_conflict == (height > target));
    else if (height <= target)
      CHECK(!had_conflict);

    CHECK(!dive.run(order.data(), rank.data(), target, height, is_never_over));
    CHECK(!dive.run(order.data(), rank.data(), target, 1, is_never_over));
  }
  CHECK(conflicts > at_least(500));
}

TEST_CASE("watched dive: candidates share a section, blockers block them") {
  int blocked = 0;
  for (std::uint64_t seed = 0; seed < effort(2000U); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, false));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    const std::vector<Index> rank = inverse(order);
    WatchedDive dive(boxed.boxes, boxed.memory);
    if (!dive.run(order.data(), rank.data(), 0, Dive::kNoCeiling,
                  is_never_over))
      FAIL("gave up");
    const auto* const span = boxed.boxes.span;
    Index latest = 0;
    Index earliest = boxed.boxes.sections;
    for (const Candidate& candidate : dive.candidates()) {
      latest = (std::max)(latest, span[candidate.box].lower);
      earliest = (std::min)(earliest, span[candidate.box].upper);
      REQUIRE((candidate.blocker == SpanTree::kNobody) ==
              (candidate.blockers == 0));
      if (candidate.blocker == SpanTree::kNobody) continue;
      ++blocked;
      CHECK(span[candidate.box].overlaps(span[candidate.blocker]));
      // It lies under the candidate, which was not placed yet.
      CHECK(dive.offsets()[candidate.blocker] +
                boxed.boxes.size[candidate.blocker] <=
            dive.offsets()[candidate.box]);
    }
    if (dive.has_conflict()) CHECK(latest < earliest);
  }
  CHECK(blocked > at_least(1000));
}

TEST_CASE("watched dive: the conflict of the picture") {
  // Sections 0 to 2. The blocker [0, 1) comes first, so that the candidate
  // [0, 2) leaves the floor of [1, 2) to nobody.
  snug::Problem<> problem;
  problem.buffers = {make_buffer<std::int64_t, std::int64_t>(0, 1, 4),
                     make_buffer<std::int64_t, std::int64_t>(0, 2, 6),
                     make_buffer<std::int64_t, std::int64_t>(1, 3, 4),
                     make_buffer<std::int64_t, std::int64_t>(2, 3, 3)};
  Boxed boxed(problem);
  std::vector<Index> order(4);
  for (Index x = 0; x < 4; ++x) {
    const Index rank_of_input[4] = {1, 2, 3, 0};
    order[rank_of_input[boxed.boxes.input[x]]] = x;
  }
  const std::vector<Index> rank = inverse(order);
  WatchedDive dive(boxed.boxes, boxed.memory);
  REQUIRE(dive.run(order.data(), rank.data(), 10, 1000, is_never_over));
  // Input 3 and 0 at 0; 3 levels are lost in [1, 2), then input 2 at 3 and
  // input 1 on top of it.
  CHECK(boxed.unboxed(dive.offsets()) == std::vector<std::int64_t>{0, 7, 3, 0});
  REQUIRE(dive.has_conflict());
  REQUIRE(dive.candidates().size() == 2);
  for (const Candidate& candidate : dive.candidates()) {
    const Index expected = boxed.boxes.input[candidate.box] == 1 ? 0 : 3;
    REQUIRE(candidate.blocker != SpanTree::kNobody);
    CHECK(boxed.boxes.input[candidate.blocker] == expected);
    CHECK(candidate.blockers == 1);
  }
}

TEST_CASE("watched dive: stops when told to") {
  Boxed boxed(snug::benchmarks::exponential<>(5000, 1000, 20, 100, 1));
  Random random(1);
  const std::vector<Index> order = boxed.shuffled(random);
  const std::vector<Index> rank = inverse(order);
  WatchedDive dive(boxed.boxes, boxed.memory);
  int asked = 0;
  CHECK(!dive.run(order.data(), rank.data(), 0, Dive::kNoCeiling,
                  [&] { return ++asked == 3; }));
  CHECK(asked == 3);
}

}  // namespace watched_dive_test
