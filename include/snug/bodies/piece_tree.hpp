// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds the piece inside a range of sections that can lie lowest, of those the
/// most preferred. Pieces are what bodies consist of: when one of them may come is
/// *due* to the others as well, as all move together.
///
/// A span tree (heuristics/span_tree.hpp) whose nodes also know the least time, that
/// is level, at which one of their pieces is due. That only grows while others are
/// placed, so what a piece had when it was looked at last is a lower bound. It is
/// evaluated anew where that bound would make it the first:
///
///     looked up    a: 3   b: 4   c: 7       a is asked, and says 6; then b, and
///     now          a: 6   b: 5   c: ?       says 5. c need not be asked
///
/// Cost: O(n) to fill, O(log n) for each piece that changes. A query opens about as
/// many nodes as that of a span tree, and more for each evaluation.
#ifndef SNUG_BODIES_PIECE_TREE_HPP
#define SNUG_BODIES_PIECE_TREE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PieceTree {
 public:
  /// The earliest one that a query found; none: due at the limit.
  struct First {
    std::int64_t due;
    Index rank = SpanBounds::kNobody;
    Index piece = 0;

    [[nodiscard]] bool is_any() const noexcept {
      return rank != SpanBounds::kNobody;
    }
  };

  /// The pieces are numbered anew. Of no use if that is interrupted.
  explicit PieceTree(List<SpannedBuffer> pieces,
                     const Interrupt& interrupt = {})
      : pieces_(std::move(pieces)),
        rank_(pieces_.size(), SpanBounds::kNobody),
        due_(pieces_.size(), 0) {
    arrange_in_blocks(pieces_.data(), pieces_.size(), interrupt);
    while (std::size_t{leaves_} * Boxes::kBlock < pieces_.size()) leaves_ *= 2;
    nodes_ = List<Node>(2 * std::size_t{leaves_});
  }

  [[nodiscard]] Index size() const noexcept {
    return static_cast<Index>(pieces_.size());
  }
  /// Which one of those that the tree was made of piece x is.
  [[nodiscard]] Index input(Index x) const { return pieces_[x].input; }

  /// Makes all pieces unplaced, due at 0, with the rank that rank_of(piece) says.
  template <class RankOf>
  void fill(RankOf&& rank_of) {
    for (Index x = 0; x < size(); ++x) {
      rank_[x] = rank_of(x);
      due_[x] = 0;
    }
    for (Index k = 0; k < leaves_; ++k) nodes_[leaves_ + k] = sum_up_block(k);
    for (Index v = leaves_; v-- > 1;)
      nodes_[v] = join(nodes_[2 * v], nodes_[2 * v + 1]);
  }

  /// The first piece inside `range` that is due before `limit`: all that are due at
  /// `now` or before count as due now. evaluate(piece, enough) says when a piece is
  /// due, or just a lower bound that is above `enough`.
  template <class Evaluate>
  [[nodiscard]] First first_inside(Interval<Index> range, std::int64_t now,
                                   std::int64_t limit, Evaluate&& evaluate) {
    First first{limit};
    const auto is_before = [&](std::int64_t due, Index rank) {
      due = (std::max)(due, now);
      return due != first.due ? due < first.due
                              : due < limit && rank < first.rank;
    };
    const auto may_improve = [&](const Node& node) {
      return is_before(node.due, node.bounds.best) &&
             node.bounds.may_be_inside(range);
    };
    Index open[kMostOpen];
    Index count = 0;
    open[count++] = 1;
    while (count > 0) {
      const Index v = open[--count];
      if (!may_improve(nodes_[v])) continue;
      if (v < leaves_) {
        Index later = 2 * v;
        Index sooner = 2 * v + 1;
        if (is_sooner(nodes_[later], nodes_[sooner], now))
          std::swap(later, sooner);
        open[count++] = later;
        open[count++] = sooner;
        continue;
      }
      bool changed = false;
      const Interval<Index> block = Boxes::block_of(v - leaves_, size());
      for (Index x = block.lower; x < block.upper; ++x) {
        if (!is_before(due_[x], rank_[x]) || !range.contains(pieces_[x].span))
          continue;
        const std::int64_t due = evaluate(x, first.due);
        changed = changed || due > due_[x];
        due_[x] = (std::max)(due_[x], due);
        if (is_before(due, rank_[x]))
          first = {(std::max)(due, now), rank_[x], x};
      }
      if (changed) update(v - leaves_);
    }
    return first;
  }

  /// Takes out a piece that has been placed.
  void remove(Index x) {
    rank_[x] = SpanBounds::kNobody;
    due_[x] = kNever;
    update(x / Boxes::kBlock);
  }
  /// Forgets when a piece is due.
  void forget(Index x) {
    due_[x] = 0;
    update(x / Boxes::kBlock);
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(pieces_, rank_, due_, nodes_);
  }

 private:
  static constexpr std::int64_t kNever =
      (std::numeric_limits<std::int64_t>::max)();
  // One node of each level waits while its sibling is open.
  static constexpr Index kMostOpen = 40;

  struct Node {
    SpanBounds bounds{};
    std::int64_t due = kNever;

    [[nodiscard]] bool operator==(const Node& other) const {
      return due == other.due && bounds == other.bounds;
    }
  };

  [[nodiscard]] static Node join(const Node& a, const Node& b) {
    return {both(a.bounds, b.bounds), (std::min)(a.due, b.due)};
  }
  [[nodiscard]] static bool is_sooner(const Node& a, const Node& b,
                                      std::int64_t now) {
    const std::int64_t first = (std::max)(a.due, now);
    const std::int64_t second = (std::max)(b.due, now);
    return first != second ? first < second : a.bounds.best < b.bounds.best;
  }

  [[nodiscard]] Node sum_up_block(Index k) const {
    Node node;
    const Interval<Index> block = Boxes::block_of(k, size());
    for (Index x = block.lower; x < block.upper; ++x)
      if (rank_[x] != SpanBounds::kNobody)
        node = join(node, {SpanBounds::of(pieces_[x].span, rank_[x]), due_[x]});
    return node;
  }
  void update(Index block) {
    Index v = leaves_ + block;
    nodes_[v] = sum_up_block(block);
    for (v /= 2; v > 0; v /= 2) {
      const Node now = join(nodes_[2 * v], nodes_[2 * v + 1]);
      if (now == nodes_[v]) return;
      nodes_[v] = now;
    }
  }

  List<SpannedBuffer> pieces_;
  List<Index> rank_;
  List<std::int64_t> due_;  ///< at least
  Index leaves_ = 1;
  List<Node> nodes_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_PIECE_TREE_HPP
