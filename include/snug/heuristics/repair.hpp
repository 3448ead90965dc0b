// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Repair: dives again with an order changed where the last dive went wrong.
///
/// A dive that misses the target names the candidates of its first conflict
/// (watched_dive.hpp). A *repair* moves one of them in the order to just before
/// its most preferred blocker, or to the front. Which of them helps is not
/// known, so repairs are searched in two ways:
///
/// - The tree: a node is a base order with a few repairs; its children add one
///   more. A node costs its discrepancies: 2 for each repair and 1 more for
///   each candidate that was passed over for it. The cheapest comes first, of
///   equal ones the oldest; one that gives the best height so far becomes
///   cheaper. Deterministic by nature.
/// - The walk: repairs drawn at random on top of each other, for 8 luby(i)
///   dives: three times out of four from the order that gave the best height,
///   else from a base order. No dive is judged before the next repair: taking
///   back those that do not pay was tried and is worse.
///
/// The tree comes first, and the walk has most of the dives after that. On
/// large problems, whose sections mostly have room to spare, the tree finds a
/// placement as low as the load within a few dives. On small tight ones the
/// walk takes thousands of dives to come close, and now and then gets there;
/// they need the search.
///
/// Cost: a dive each; O(n + sections) memory, and at most 2^16 nodes.
///
/// Source: least-discrepancy search is due to Harvey and Ginsberg (IJCAI
/// 1995), changing a priority where a greedy run failed to Joslin and Clements
/// ("Squeaky wheel optimization", JAIR 1999).
#ifndef SNUG_HEURISTICS_REPAIR_HPP
#define SNUG_HEURISTICS_REPAIR_HPP

#include "snug/config.hpp"
#include "snug/engine/luby.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/heuristics/watched_dive.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"
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
        base_count_(count),
        dive_(boxes, memory),
        current_(boxes.count, memory),
        elite_(memory.take_raw<Index>(boxes.count)),
        nodes_(memory, kFirstRoom),
        open_(memory, kFirstRoom),
        choices_(memory, kFirstRoom),
        random_(/*seed=*/1) {
    for (Index base = 0; base < count; ++base) add_node({});
  }

  /// Dives until best.height is at most `target` (bytes), `most_dives` dives
  /// were made or stop() says so; that is also asked during dives. Returns the
  /// number of dives. A later call goes on where this one ended.
  std::int64_t run(std::int64_t target, std::int64_t most_dives,
                   const Interrupt& stop, Best& best) {
    target_ = target;
    dives_left_ = most_dives;
    best_ = &best;
    // Without a conflict there is nothing to repair, in no run of the walk.
    Index idle = 0;
    while (goes_on(stop) && (!open_.empty() || idle <= 2 * base_count_)) {
      if (!open_.empty() &&
          tree_dives_ < kTreeFirst + walk_dives_ / kWalkShare) {
        search_tree(stop);
      } else {
        idle = walk(stop) ? 0 : idle + 1;
      }
    }
    return most_dives - dives_left_;
  }

 private:
  static constexpr std::size_t kFirstRoom = 64;
  static constexpr std::size_t kMostNodes = std::size_t{1} << 16;
  /// The tree has so many dives first, then one for so many of the walk.
  static constexpr std::int64_t kTreeFirst = 128;
  static constexpr std::int64_t kWalkShare = 16;
  static constexpr Index kMostRepairs = 40;  ///< on the way to one node
  static constexpr std::size_t kMostPromoted = 12;
  static constexpr std::size_t kMostToFront = 4;
  static constexpr std::int64_t kRepairCost = 2;
  static constexpr std::int64_t kWalkDives = 8;

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

  [[nodiscard]] bool goes_on(const Interrupt& stop) const {
    return best_->height > target_ && dives_left_ > 0 && !stop();
  }

  /// Dives in the current order; true if that gave the best height so far.
  bool dive(const Interrupt& stop) {
    --dives_left_;
    if (!dive_.run(current_.order(), current_.rank(), target_, best_->height,
                   stop))
      return false;
    best_->keep(dive_.height(), dive_.offsets(), boxes_->count);
    std::copy(current_.order(), current_.order() + boxes_->count, elite_);
    has_elite_ = true;
    return true;
  }

  /// Whether the repair of a candidate is to move it before its blocker.
  [[nodiscard]] bool is_blocked(const Candidate& candidate) const {
    return candidate.blocker != SpanTree::kNobody &&
           current_.rank()[candidate.blocker] < current_.rank()[candidate.box];
  }

  // ---- the tree

  void add_node(const Node& node) {
    if (nodes_.size() == kMostNodes) return;
    open_.push({node.cost, static_cast<Index>(nodes_.size())});
    std::push_heap(open_.begin(), open_.end());
    nodes_.push(node);
  }

  void search_tree(const Interrupt& stop) {
    std::pop_heap(open_.begin(), open_.end());
    const Index at = open_.pop().node;
    make_order(at);
    ++tree_dives_;
    if (dive(stop)) nodes_[at].cost /= 2;
    if (nodes_[at].depth < kMostRepairs) branch(at);
  }

  void make_order(Index node) {
    Index path[kMostRepairs];
    const Index depth = nodes_[node].depth;
    for (Index k = depth; k-- > 0; node = nodes_[node].parent) path[k] = node;
    current_.assign(base(node));
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

  // ---- the walk

  /// Makes a run of it; false if there was nothing to repair.
  bool walk(const Interrupt& stop) {
    const Index base_of_run = static_cast<Index>(walks_ % base_count_);
    const bool from_elite = has_elite_ && walks_ % 4 != 0;
    const bool to_front = walks_ % 3 == 2;
    current_.assign(from_elite ? elite_ : base(base_of_run));
    ++walks_;
    std::int64_t repairs = 0;
    for (std::int64_t k = kWalkDives * luby(walks_); k > 0; --k) {
      if (!goes_on(stop)) break;
      ++walk_dives_;
      dive(stop);
      choose(true);
      const bool blocked = !choices_.empty();
      if (!blocked) choose(false);
      if (choices_.empty()) break;
      const Candidate chosen =
          choices_[random_.below(static_cast<std::uint32_t>(choices_.size()))];
      current_.promote(chosen.box, blocked && !to_front ? chosen.blocker
                                                        : SpanTree::kNobody);
      ++repairs;
    }
    return repairs > 0;
  }

  [[nodiscard]] const Index* base(Index which) const {
    return bases_ + std::size_t{which} * boxes_->count;
  }

  const Boxes* boxes_;
  const Index* bases_;
  Index base_count_;
  WatchedDive dive_;
  MutableOrder current_;
  Index* elite_;  ///< the order that gave the best height
  bool has_elite_ = false;
  Stack<Node> nodes_;
  Stack<OpenNode> open_;
  Stack<Candidate> choices_;
  Random random_;
  std::int64_t tree_dives_ = 0;
  std::int64_t walk_dives_ = 0;
  std::int64_t walks_ = 0;
  std::int64_t target_ = 0;      ///< of the run at hand
  std::int64_t dives_left_ = 0;  ///< of the run at hand
  Best* best_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_REPAIR_HPP
