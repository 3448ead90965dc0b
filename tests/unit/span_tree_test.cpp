// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/span_tree.hpp"

#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"
#include "support/status.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace span_tree_test {

using namespace snug::testing;
using snug::Interval;
using snug::detail::Boxes;
using snug::detail::Index;
using snug::detail::SpanTree;

namespace {

/// The best rank of a box inside `range` that is not placed.
Index best_of_all(const Boxes& boxes, const std::vector<Index>& order,
                  const SpanTree& tree, Interval<Index> range) {
  for (Index r = 0; r < order.size(); ++r)
    if (!tree.is_placed(order[r]) && range.contains(boxes.span[order[r]]))
      return r;
  return SpanTree::kNobody;
}

}  // namespace

TEST_CASE("span tree: the best box inside a range, as boxes are removed") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 120, false));
    const Boxes& boxes = boxed.boxes;
    if (boxes.count == 0) continue;
    Random random(seed);
    SpanTree tree(boxes, boxed.memory);
    for (int again = 0; again < 2; ++again) {
      const std::vector<Index> order = boxed.shuffled(random);
      tree.fill(order.data());
      std::vector<Index> left = boxed.shuffled(random);
      while (!left.empty()) {
        REQUIRE(!tree.is_placed(left.back()));
        tree.remove(left.back());
        REQUIRE(tree.is_placed(left.back()));
        left.pop_back();
        for (int k = 0; k < 8; ++k) {
          const Index a = random.between(Index{0}, boxes.sections - 1);
          const Index b = random.between(a + 1, boxes.sections);
          REQUIRE(tree.best_inside({a, b}) ==
                  best_of_all(boxes, order, tree, {a, b}));
        }
      }
      CHECK(tree.best_inside({0, boxes.sections}) == SpanTree::kNobody);
    }
  }
}

}  // namespace span_tree_test
