// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/first_fit.hpp"

#include "baselines/greedy.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/naive_dive.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace first_fit_test {

using namespace snug::testing;
using snug::detail::GreedyFit;
using snug::detail::Index;
using snug::detail::Orders;

namespace {

constexpr std::int64_t kNoCeiling = (std::numeric_limits<std::int64_t>::max)();
const auto never = [] { return false; };

}  // namespace

TEST_CASE("first fit: by size, the greedy placement of the baseline") {
  for (std::uint64_t seed = 0; seed < effort(2000U); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 2 == 0));
    std::vector<Index> order(boxed.boxes.count);
    Orders(boxed.plain, boxed.boxes, boxed.memory).sort("Z", order.data());
    GreedyFit greedy(boxed.boxes, boxed.memory);
    REQUIRE(greedy.run(order.data(), kNoCeiling, never));
    const auto offsets = boxed.unboxed(greedy.offsets());
    REQUIRE(greedy.height() == height_of(boxed.problem, offsets));
    REQUIRE(snug::validate(boxed.problem, greedy.height(), offsets).ok());
    CHECK(offsets == snug::baselines::greedy_first_fit(boxed.problem));
  }
}

TEST_CASE("first fit: in any order, and gives up above the ceiling") {
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 2 == 0));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    GreedyFit greedy(boxed.boxes, boxed.memory);
    REQUIRE(greedy.run(order.data(), kNoCeiling, never));
    const std::int64_t height = greedy.height();
    REQUIRE(
        snug::validate(boxed.problem, height, boxed.unboxed(greedy.offsets()))
            .ok());
    CHECK(greedy.run(order.data(), height, never));
    CHECK(!greedy.run(order.data(), height - 1, never));
  }
}

TEST_CASE("first fit: the same placements where few boxes overlap") {
  for (const std::size_t count :
       {std::size_t{500}, std::size_t{1500}, std::size_t{3000}}) {
    CAPTURE(count);
    Boxed boxed(snug::benchmarks::exponential<>(
        count, static_cast<std::int64_t>(count), 4, 100, count));
    const auto pairs =
        snug::detail::overlapping_pairs(boxed.boxes, boxed.memory);
    CHECK(pairs * 64 < static_cast<std::int64_t>(count * count));
    std::vector<Index> order(boxed.boxes.count);
    Orders(boxed.plain, boxed.boxes, boxed.memory).sort("Z", order.data());
    GreedyFit greedy(boxed.boxes, boxed.memory);
    REQUIRE(greedy.run(order.data(), kNoCeiling, never));
    CHECK(boxed.unboxed(greedy.offsets()) ==
          snug::baselines::greedy_first_fit(boxed.problem));
  }
}

TEST_CASE("first fit: pairs of boxes that overlap") {
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, false));
    std::int64_t pairs = 0;
    for (Index x = 0; x < boxed.boxes.count; ++x)
      for (Index y = 0; y < x; ++y)
        pairs += boxed.boxes.span[x].overlaps(boxed.boxes.span[y]) ? 1 : 0;
    CHECK(snug::detail::overlapping_pairs(boxed.boxes, boxed.memory) == pairs);
  }
}

TEST_CASE("first fit: stops when told to") {
  Boxed boxed(snug::benchmarks::exponential<>(2000, 1000, 20, 100, 1));
  Random random(1);
  const std::vector<Index> order = boxed.shuffled(random);
  GreedyFit greedy(boxed.boxes, boxed.memory);
  int asked = 0;
  CHECK(!greedy.run(order.data(), kNoCeiling, [&] { return ++asked == 2; }));
  CHECK(asked == 2);
}

TEST_CASE("first fit: lists who does not fit, if they are few") {
  int listed = 0;
  int late = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 2 == 0));
    const Index count = boxed.boxes.count;
    if (count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    GreedyFit greedy(boxed.boxes, boxed.memory);
    REQUIRE(greedy.run(order.data(), kNoCeiling, NeverStop{}));
    const std::int64_t ceiling = greedy.height() * 3 / 4;
    // Box after box, each at the lowest offset where it meets none of those below the
    // ceiling; as far again as before the first one that does not fit.
    std::vector<Index> placed;
    std::vector<std::int64_t> offset(count, 0);
    std::vector<Index> misfits;
    Index end = count;
    for (Index k = 0; k < end; ++k) {
      const Index x = order[k];
      std::int64_t at = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (const Index y : placed) {
          if (!boxed.boxes.span[x].overlaps(boxed.boxes.span[y]) ||
              at >= offset[y] + boxed.boxes.size[y] ||
              at + boxed.boxes.size[x] <= offset[y])
            continue;
          at = boxed.boxes.offset_at(offset[y] + boxed.boxes.size[y], x);
          moved = true;
        }
      }
      offset[x] = at;
      if (boxed.boxes.top(at, x) <= ceiling) {
        placed.push_back(x);
      } else {
        if (misfits.empty()) end = (std::min)(count, 2 * k);
        misfits.push_back(x);
      }
    }
    for (const std::size_t most : {std::size_t{2}, std::size_t{5}}) {
      snug::detail::List<Index> found;
      const bool fits =
          greedy.run(order.data(), ceiling, NeverStop{}, most, found);
      CHECK(fits == misfits.empty());
      CHECK(vector_of(found) ==
            (misfits.size() <= most ? misfits : std::vector<Index>()));
      listed += found.empty() ? 0 : 1;
      late += found.size() > 1 ? 1 : 0;
    }
  }
  CHECK(listed > 100);
  CHECK(late > 20);
}

}  // namespace first_fit_test
