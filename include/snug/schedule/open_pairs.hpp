// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which sets of operators, such as the users of two buffers, may be at work
/// together although the span of one ends before that of the other begins: the
/// pairs that are open, without a look at those that are not.
///
/// Of two sets the first precedes the second if the second knows, on each chain,
/// that the latest operator of the first has finished (UserOrder). So each chain
/// lists the sets that have operators on it, the latest first, and a walk from
/// the front of a list, as far as a set does not know it, meets nobody but sets
/// that do not precede it:
///
///     chain 0   a 17 - d 12 - b 9 - c 4     e knows chain 0 up to 9: a, d are open
///     chain 1   d 15 - f 3                        and chain 1 up to 15: no more are
///
/// Spans come from the one that begins last. Before one begins, all that end later
/// have left the lists; so who is met has ended by then.
///
/// Cost: O(n log n) for n sets, O(n * chains), and O(1) for each chain that leaves a
/// pair open. Memory: O(1) for each chain of each set, and for each open pair.
#ifndef SNUG_SCHEDULE_OPEN_PAIRS_HPP
#define SNUG_SCHEDULE_OPEN_PAIRS_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pairs.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of each chain the sets that have operators on it, by the latest of these. Sets
/// may leave.
class LatestFirst {
 public:
  /// Refers to `users`.
  LatestFirst(const HappensBefore& order, const UserOrder& users)
      : latest_(users.latest()), heads_(latest_.all().size()) {
    nodes_.resize(heads_ + order.chains());
    for (std::size_t k = heads_; k < nodes_.size(); ++k)
      nodes_[k].next = nodes_[k].previous = k;
    for (std::size_t i = 0; i < latest_.size(); ++i)
      for (std::size_t k = latest_.begin_of(i); k < latest_.begin_of(i + 1);
           ++k)
        nodes_[k].set = static_cast<Index>(i);
    const List<UserOrder::Latest>& all = latest_.all();
    Rows<std::size_t> by_entry;
    by_entry.deal(order.operators() + 1, [&](auto&& give) {
      for (std::size_t k = 0; k < heads_; ++k) give(all[k].entry, k);
    });
    // The latest comes last, and so is the first of its list.
    for (const std::size_t k : by_entry.all()) {
      nodes_[k].entry = all[k].entry;
      push_front(heads_ + all[k].chain, k);
    }
  }

  /// Drops set `i` from all lists; once.
  void remove(std::size_t i) noexcept {
    for (std::size_t k = latest_.begin_of(i); k < latest_.begin_of(i + 1);
         ++k) {
      nodes_[nodes_[k].previous].next = nodes_[k].next;
      nodes_[nodes_[k].next].previous = nodes_[k].previous;
    }
  }

  /// Hands visit() each set whose latest operator on `chain` is later than `entry`,
  /// the latest first.
  template <class Visit>
  void visit_later(std::size_t chain, std::uint32_t entry,
                   Visit&& visit) const {
    // Nothing is later than any entry where the list ends.
    for (std::size_t k = nodes_[heads_ + chain].next; nodes_[k].entry > entry;
         k = nodes_[k].next)
      visit(nodes_[k].set);
  }

 private:
  /// In a ring that begins and ends at a node of no set.
  struct Node {
    Index set = 0;
    std::uint32_t entry = 0;
    std::size_t next = 0;
    std::size_t previous = 0;
  };

  void push_front(std::size_t head, std::size_t k) noexcept {
    nodes_[k].previous = head;
    nodes_[k].next = nodes_[head].next;
    nodes_[nodes_[head].next].previous = k;
    nodes_[head].next = k;
  }

  const Rows<UserOrder::Latest>& latest_;
  std::size_t heads_;   ///< where those of the chains begin
  List<Node> nodes_{};  ///< one for each element of `latest_`, and each chain
};

/// The pairs of sets of which one ends, by `spans`, before the other begins, and
/// does not precede it. Each once, in no order. A set whose span is empty is in no
/// pair.
[[nodiscard]] inline List<IndexPair> open_pairs(
    const HappensBefore& order, const UserOrder& users,
    const List<Interval<std::int64_t>>& spans) {
  LatestFirst ended(order, users);
  Events events(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].empty())
      ended.remove(i);
    else
      events.add(spans[i], i);
  }
  events.sort();
  List<IndexPair> pairs;
  // Of each set the last one that it is in a pair with; none so far.
  List<Index> met(spans.size(), static_cast<Index>(spans.size()));
  for (const Event* event = events.end(); event != events.begin();) {
    const Index b = owner_of(*--event);
    if (!is_start(*event)) {
      ended.remove(b);
      continue;
    }
    for (std::size_t c = 0; c < order.chains(); ++c)
      ended.visit_later(c, users.known(b, c), [&](Index a) {
        if (met[a] != b) pairs.push_back({a, b});
        met[a] = b;
      });
  }
  return pairs;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_OPEN_PAIRS_HPP
