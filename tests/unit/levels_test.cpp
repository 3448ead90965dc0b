// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/peak/levels.hpp"

#include "snug/bounds/load.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/orders.hpp"
#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/plain.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace levels_test {

using namespace snug::testing;
using snug::detail::Boxes;
using snug::detail::Index;
using snug::detail::Levels;
using snug::detail::Memory;
using snug::detail::Orders;

TEST_CASE("levels: in order of the most bytes live with each box") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_any(seed, 40, false);
    const Plain plain = plain_of(problem);
    Memory memory;
    const Boxes boxes = snug::detail::make_boxes(plain, memory);
    const Orders orders(plain, boxes, memory);
    const Levels levels = snug::detail::levels_of(boxes, orders, memory);
    const snug::detail::List<std::int64_t> loads = section_loads(plain);
    const auto level = [&](Index rank) {
      std::int64_t most = 0;
      const auto span = boxes.span[levels.order()[rank]];
      for (Index s = span.lower; s < span.upper; ++s)
        most = (std::max)(most, loads[s]);
      return most;
    };
    std::vector<Index> all(levels.order(), levels.order() + boxes.count);
    std::sort(all.begin(), all.end());
    for (Index x = 0; x < boxes.count; ++x) REQUIRE(all[x] == x);
    for (Index k = 1; k < boxes.count; ++k) CHECK(level(k - 1) >= level(k));
    for (Index least = 0; least <= boxes.count + 2; ++least) {
      const Index size = levels.crest(least);
      if (least >= boxes.count) {
        CHECK(size == boxes.count);
        continue;
      }
      REQUIRE(size >= (std::max)(least, Index{1}));
      REQUIRE(size <= boxes.count);
      // No box outside has the level of one inside, and none is in too many.
      if (size < boxes.count) CHECK(level(size) < level(size - 1));
      for (Index k = (std::max)(least, Index{1}); k < size; ++k)
        CHECK(level(k) == level(k - 1));
    }
  }
}

TEST_CASE("levels: who is promoted has the level of the one before") {
  int promoted = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Plain plain = plain_of(draw_any(seed, 40, false));
    Memory memory;
    const Boxes boxes = snug::detail::make_boxes(plain, memory);
    const Orders orders(plain, boxes, memory);
    Levels levels = snug::detail::levels_of(boxes, orders, memory);
    const Index size = levels.crest(boxes.count / 3 + 1);
    if (size + 2 > boxes.count) continue;
    std::vector<Index> expected(levels.order(), levels.order() + boxes.count);
    const auto from = expected.begin() + (size + boxes.count) / 2;
    const Index box = *from;
    std::rotate(expected.begin() + size, from, from + 1);
    levels.promote(box, size);
    CHECK(std::equal(expected.begin(), expected.end(), levels.order()));
    CHECK(levels.crest(size) == size + 1);
    ++promoted;
  }
  CHECK(promoted > 20);
}

}  // namespace levels_test
