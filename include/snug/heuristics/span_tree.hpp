// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds the most preferred unplaced box whose span lies inside a range of
/// sections.
///
/// A complete binary tree over the blocks of boxes (see boxes.hpp). A node
/// knows the bounds of its unplaced boxes in the plane of (lower, upper), and
/// the best rank among them:
///
///     upper |    . .           A query is the quadrant lower >= a and
///           |  .     .         upper <= b. A node outside it, or without a
///         b |-----+  .         better rank than the best so far, is dropped;
///           |  .  | .          one wholly inside is taken at its best rank;
///           |   . |            others are opened, better rank first.
///           +-----+------ lower
///                 a
///
/// Cost: O(n) to fill, O(log n) to remove. A query is O(sqrt(n)) if all nodes
/// on the border of the quadrant are opened; ranks make it about 20 nodes.
#ifndef SNUG_HEURISTICS_SPAN_TREE_HPP
#define SNUG_HEURISTICS_SPAN_TREE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bounds of some spans, and the best of their ranks; of none at first.
struct SpanBounds {
  /// The rank of nobody, behind all others.
  static constexpr Index kNobody = (std::numeric_limits<Index>::max)();

  Index least_lower = kNobody;
  Index most_lower = 0;
  Index least_upper = kNobody;
  Index most_upper = 0;
  Index best = kNobody;

  [[nodiscard]] static SpanBounds of(Interval<Index> span, Index rank) {
    return {span.lower, span.lower, span.upper, span.upper, rank};
  }
  [[nodiscard]] friend SpanBounds both(const SpanBounds& a,
                                       const SpanBounds& b) {
    return {(std::min)(a.least_lower, b.least_lower),
            (std::max)(a.most_lower, b.most_lower),
            (std::min)(a.least_upper, b.least_upper),
            (std::max)(a.most_upper, b.most_upper), (std::min)(a.best, b.best)};
  }
  [[nodiscard]] bool operator==(const SpanBounds& other) const {
    return least_lower == other.least_lower && most_lower == other.most_lower &&
           least_upper == other.least_upper && most_upper == other.most_upper &&
           best == other.best;
  }

  /// Whether all of them are inside a range; and whether one may be.
  [[nodiscard]] bool are_inside(Interval<Index> range) const {
    return least_lower >= range.lower && most_upper <= range.upper;
  }
  [[nodiscard]] bool may_be_inside(Interval<Index> range) const {
    return most_lower >= range.lower && least_upper <= range.upper;
  }
};

class SpanTree {
 public:
  static constexpr Index kNobody = SpanBounds::kNobody;

  SpanTree(const Boxes& boxes, Memory& memory)
      : boxes_(&boxes), rank_(memory.take_raw<Index>(boxes.count)) {
    while (std::size_t{leaves_} * Boxes::kBlock < boxes.count) leaves_ *= 2;
    nodes_ = memory.take_raw<SpanBounds>(2 * std::size_t{leaves_});
  }

  /// Makes all boxes unplaced, ranked as in `order`.
  void fill(const Index* order) {
    for (Index r = 0; r < boxes_->count; ++r) rank_[order[r]] = r;
    for (Index k = 0; k < leaves_; ++k) nodes_[leaves_ + k] = sum_up_block(k);
    for (Index v = leaves_; v-- > 1;)
      nodes_[v] = both(nodes_[2 * v], nodes_[2 * v + 1]);
  }

  /// The best rank of an unplaced box inside `range`, or kNobody.
  [[nodiscard]] Index best_inside(Interval<Index> range) const {
    Index best = kNobody;
    Index open[kMostOpen];
    Index count = 0;
    const auto may_improve = [&](const SpanBounds& node) {
      return node.best < best && node.may_be_inside(range);
    };
    if (may_improve(nodes_[1])) open[count++] = 1;
    while (count > 0) {
      const Index v = open[--count];
      const SpanBounds& node = nodes_[v];
      if (node.best >= best) continue;
      if (node.are_inside(range)) {
        best = node.best;
      } else if (v >= leaves_) {
        best = best_in_block(v - leaves_, range, best);
      } else {
        Index worse = 2 * v;
        Index better = 2 * v + 1;
        if (nodes_[worse].best < nodes_[better].best) std::swap(worse, better);
        if (may_improve(nodes_[worse])) open[count++] = worse;
        if (may_improve(nodes_[better])) open[count++] = better;
      }
    }
    return best;
  }

  /// Takes out a box that has been placed.
  void remove(Index x) {
    rank_[x] = kNobody;
    const Index block = x / Boxes::kBlock;
    Index v = leaves_ + block;
    nodes_[v] = sum_up_block(block);
    for (v /= 2; v > 0; v /= 2) {
      const SpanBounds now = both(nodes_[2 * v], nodes_[2 * v + 1]);
      if (now == nodes_[v]) return;
      nodes_[v] = now;
    }
  }

  [[nodiscard]] bool is_placed(Index x) const { return rank_[x] == kNobody; }

 private:
  // One node of each level waits while its sibling is open.
  static constexpr Index kMostOpen = 40;

  [[nodiscard]] SpanBounds sum_up_block(Index block) const {
    SpanBounds bounds;
    const Interval<Index> in = boxes_->block(block);
    for (Index x = in.lower; x < in.upper; ++x)
      if (!is_placed(x))
        bounds = both(bounds, SpanBounds::of(boxes_->span[x], rank_[x]));
    return bounds;
  }

  [[nodiscard]] Index best_in_block(Index block, Interval<Index> range,
                                    Index best) const {
    const Interval<Index> in = boxes_->block(block);
    for (Index x = in.lower; x < in.upper; ++x)
      if (rank_[x] < best && range.contains(boxes_->span[x])) best = rank_[x];
    return best;
  }

  const Boxes* boxes_;
  Index* rank_;
  Index leaves_ = 1;
  SpanBounds* nodes_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_SPAN_TREE_HPP
