// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Repair: dives again with an order changed where the last dive went wrong.
///
/// A dive that misses the target names the candidates of its first conflict
/// (watched_dive.hpp). A *repair* moves one of them in the order to just before
/// its most preferred blocker, or to the front. Which of them helps is not
/// known, so repairs are searched as a tree: a node is a base order with a few
/// repairs; its children add one more. A node costs its discrepancies: 2 for each
/// repair and 1 more for each candidate that was passed over for it. The cheapest
/// comes first, of equal ones the oldest; one that gives the best height so far
/// becomes cheaper.
///
/// On large problems, whose sections mostly have room to spare, that finds a
/// placement as low as the load within a few dives. Small tight ones need the
/// search.
///
/// Cost: a dive each; O(n + sections) memory, and at most 2^16 nodes.
///
/// Source: least-discrepancy search is due to Harvey and Ginsberg (IJCAI
/// 1995), changing a priority where a greedy run failed to Joslin and Clements
/// ("Squeaky wheel optimization", JAIR 1999).
#ifndef SNUG_HEURISTICS_REPAIR_HPP
#define SNUG_HEURISTICS_REPAIR_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/heuristics/watched_dive.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The lowest placement so far, of which there is one from the start.
struct Best {
  std::int64_t height;    ///< in bytes
  std::int64_t* offsets;  ///< in units, of each box

  void keep(std::int64_t lower, const std::int64_t* from, Index count) {
    height = lower;
    std::copy(from, from + count, offsets);
  }
};

/// An order of boxes that can be changed, and its inverse.
class MutableOrder {
 public:
  MutableOrder(Index count, Memory& memory)
      : count_(count),
        order_(memory.take_raw<Index>(count)),
        rank_(memory.take_raw<Index>(count)) {}

  void assign(const Index* order) {
    std::copy(order, order + count_, order_);
    for (Index r = 0; r < count_; ++r) rank_[order_[r]] = r;
  }
  /// Moves `box` to just before `other`, or to the front if that is nobody;
  /// does nothing if it comes before already.
  void promote(Index box, Index other) {
    const Index from = rank_[box];
    const Index to = other == SpanTree::kNobody ? 0 : rank_[other];
    if (to >= from) return;
    std::memmove(order_ + to + 1, order_ + to, (from - to) * sizeof(Index));
    order_[to] = box;
    for (Index r = to; r <= from; ++r) rank_[order_[r]] = r;
  }

  [[nodiscard]] const Index* order() const noexcept { return order_; }
  [[nodiscard]] const Index* rank() const noexcept { return rank_; }

 private:
  Index count_;
  Index* order_;
  Index* rank_;
};

class Repair {
 public:
  /// `orders` holds `count` >= 1 base orders one behind the other. It must
  /// outlive this, as must the boxes, of which there must be some.
  Repair(const Boxes& boxes, const Index* orders, Index count, Memory& memory)
      : boxes_(&boxes),
        bases_(orders),
        dive_(boxes, memory),
        current_(boxes.count, memory),
        nodes_(memory, kFirstRoom),
        open_(memory, kFirstRoom),
        choices_(memory, kFirstRoom) {
    for (Index base = 0; base < count; ++base) add_node({});
  }

  /// Dives until best.height is at most `target` (bytes), `most_dives` dives
  /// were made, there is nothing left to repair or stop() says so; that is also
  /// asked during dives. Returns the number of dives. A later call goes on where
  /// this one ended.
  std::int64_t run(std::int64_t target, std::int64_t most_dives,
                   const Interrupt& stop, Best& best) {
    target_ = target;
    best_ = &best;
    std::int64_t dives = 0;
    for (; best.height > target && dives < most_dives && !open_.empty() &&
           !stop();
         ++dives)
      repair_next(stop);
    return dives;
  }

 private:
  static constexpr std::size_t kFirstRoom = 64;
  static constexpr std::size_t kMostNodes = std::size_t{1} << 16;
  static constexpr Index kMostRepairs = 40;  ///< on the way to one node
  static constexpr std::size_t kMostPromoted = 12;
  static constexpr std::size_t kMostToFront = 4;
  static constexpr std::int64_t kRepairCost = 2;

  /// A node of the tree. The first ones are the base orders; their repair is
  /// none.
  struct Node {
    std::int64_t cost = 0;
    Index parent = 0;
    Index depth = 0;                   ///< repairs from the base order on
    Index box = 0;                     ///< is moved ...
    Index before = SpanTree::kNobody;  ///< ... there, or to the front
  };

  /// A node without children yet, in a heap with the cheapest on top.
  struct OpenNode {
    std::int64_t cost;
    Index node;

    [[nodiscard]] bool operator<(const OpenNode& other) const {
      return cost != other.cost ? cost > other.cost : node > other.node;
    }
  };

  /// Dives in the current order; true if that gave the best height so far.
  bool dive(const Interrupt& stop) {
    if (!dive_.run(current_.order(), current_.rank(), target_, best_->height,
                   stop))
      return false;
    best_->keep(dive_.height(), dive_.offsets(), boxes_->count);
    return true;
  }

  /// Whether the repair of a candidate is to move it before its blocker.
  [[nodiscard]] bool is_blocked(const Candidate& candidate) const {
    return candidate.blocker != SpanTree::kNobody &&
           current_.rank()[candidate.blocker] < current_.rank()[candidate.box];
  }

  void add_node(const Node& node) {
    if (nodes_.size() == kMostNodes) return;
    open_.push({node.cost, static_cast<Index>(nodes_.size())});
    std::push_heap(open_.begin(), open_.end());
    nodes_.push(node);
  }

  void repair_next(const Interrupt& stop) {
    std::pop_heap(open_.begin(), open_.end());
    const Index at = open_.pop().node;
    make_order(at);
    if (dive(stop)) nodes_[at].cost /= 2;
    if (nodes_[at].depth < kMostRepairs) branch(at);
  }

  void make_order(Index node) {
    Index path[kMostRepairs];
    const Index depth = nodes_[node].depth;
    for (Index k = depth; k-- > 0; node = nodes_[node].parent) path[k] = node;
    current_.assign(bases_ + std::size_t{node} * boxes_->count);
    for (Index k = 0; k < depth; ++k)
      current_.promote(nodes_[path[k]].box, nodes_[path[k]].before);
  }

  void branch(Index parent) {
    const Index depth = nodes_[parent].depth + 1;
    std::int64_t cost = nodes_[parent].cost + kRepairCost;
    choose(true);
    sort_choices(true);
    const Candidate* last = nullptr;
    std::size_t added = 0;
    for (const Candidate& choice : choices_) {
      if (added == kMostPromoted) break;
      if (last != nullptr && are_twins(last->box, choice.box)) continue;
      last = &choice;
      add_node({cost + static_cast<std::int64_t>(added++), parent, depth,
                choice.box, choice.blocker});
    }
    if (added > 0) cost += kRepairCost;
    choose(false);
    sort_choices(false);
    for (std::size_t k = 0; k < (std::min)(choices_.size(), kMostToFront); ++k)
      add_node({cost + static_cast<std::int64_t>(k), parent, depth,
                choices_[k].box, SpanTree::kNobody});
  }

  /// Largest first, those with fewer blockers before others; or by rank.
  void sort_choices(bool by_size) {
    const Index* const rank = current_.rank();
    heap_sort(choices_, [this, by_size, rank](const Candidate& a,
                                              const Candidate& b) {
      if (!by_size) return rank[a.box] < rank[b.box];
      if (boxes_->size[a.box] != boxes_->size[b.box])
        return boxes_->size[a.box] > boxes_->size[b.box];
      return a.blockers != b.blockers ? a.blockers < b.blockers : a.box < b.box;
    });
  }

  /// The candidates that are blocked, or those that are not.
  void choose(bool blocked) {
    choices_.shrink(0);
    if (!dive_.has_conflict()) return;
    for (const Candidate& candidate : dive_.candidates())
      if (is_blocked(candidate) == blocked) choices_.push(candidate);
  }

  [[nodiscard]] bool are_twins(Index x, Index y) const {
    return boxes_->size[x] == boxes_->size[y] &&
           boxes_->span[x] == boxes_->span[y];
  }

  const Boxes* boxes_;
  const Index* bases_;
  WatchedDive dive_;
  MutableOrder current_;
  Stack<Node> nodes_;
  Stack<OpenNode> open_;
  Stack<Candidate> choices_;
  std::int64_t target_ = 0;  ///< of the run at hand
  Best* best_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_REPAIR_HPP
