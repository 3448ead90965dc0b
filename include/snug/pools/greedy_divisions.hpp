// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Divisions of items among pools by one look at each item: greedily in some
/// orders, by their loads. Where the bytes lie is for others to find out.
///
///     order    by what an item saves, for its bytes, for its time, for both; large
///              or small ones first. With prices for bytes (program_bound.hpp), by
///              what an item saves beyond them, or for them
///     refuge   of an item: elsewhere, or a pool that has room for all there is
///     fill     one after the other, into the cheapest pool that has room, else
///              to its refuge
///     thin     all where they cost least; where that is too full, the last ones
///              of the order go out
///
/// Cost: O(n log n + s) for n items in s sections together.
#ifndef SNUG_POOLS_GREEDY_DIVISIONS_HPP
#define SNUG_POOLS_GREEDY_DIVISIONS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class GreedyDivisions {
 public:
  /// The room that is left free is counted in such parts of it.
  static constexpr std::int64_t kParts = 64;

  /// Both must outlive this. If it is interrupted, there are not all orders.
  GreedyDivisions(PoolSet<M>& pools, const CostTable& costs)
      : pools_(&pools),
        costs_(&costs),
        interrupt_(pools.budget().interrupt()),
        elsewhere_(static_cast<Index>(pools.size())) {
    find_refuges();
    find_pools(costs);
    find_orders();
  }

  /// All items, best to have first, in each order.
  [[nodiscard]] const Lists<Index>& orders() const noexcept { return orders_; }
  /// Of an item; elsewhere if it has none.
  [[nodiscard]] Index refuge(Index i) const { return refuge_[i]; }
  /// Whether a pool is one.
  [[nodiscard]] bool is_refuge(Index p) const { return is_refuge_[p]; }

  /// From now on pools are filled by what items cost with the price of their
  /// bytes. Returns two orders by it.
  Lists<Index> follow(const CostTable& prices) {
    find_pools(prices);
    const auto least_price = [&](Index i) {
      const View<const Index> pools = pools_for(i);
      const std::int64_t most = CostTable::kMostSum;
      return static_cast<double>(
          pools.empty() ? most : (std::min)(most, prices.at(i, pools[0])));
    };
    Lists<Index> orders;
    add_order(orders, [&](Index i) {
      return static_cast<double>(cost_in_refuge(i)) - least_price(i);
    });
    add_order(orders, [&](Index i) {
      return (static_cast<double>(cost_in_refuge(i)) + 1) /
             (least_price(i) + 1);
    });
    return orders;
  }

  /// Items where there is room by the loads, with so many of kParts or other
  /// `parts` of it left free. If it is interrupted, the last ones are in their
  /// refuges.
  [[nodiscard]] List<Index> fill(const List<Index>& order, std::int64_t free,
                                 std::int64_t parts = kParts) const {
    PoolRooms room = rooms(free, parts);
    List<Index> division = refuge_;
    std::size_t work = 0;
    for (const Index i : order) {
      if (is_interrupted(i, work)) break;
      settle(i, 0, room, division);
    }
    return division;
  }

  /// Each item where it costs least. The last ones go where the loads are too
  /// high, then `more` of the others, to the next pools that have room.
  [[nodiscard]] List<Index> thin(const List<Index>& order,
                                 std::int64_t more) const {
    PoolRooms room = rooms(0, kParts);
    List<Index> division = refuge_;
    for (const Index i : order) {
      const View<const Index> pools = pools_for(i);
      if (pools.empty()) continue;
      division[i] = pools[0];
      pools_->loads()[division[i]].take(i, 1, room[division[i]]);
    }
    List<Index> out;
    const auto leave = [&](Index i) {
      pools_->loads()[division[i]].take(i, -1, room[division[i]]);
      division[i] = refuge_[i];
      out.push_back(i);
    };
    for (std::size_t k = order.size(); k-- > 0;)
      if (const Index i = order[k];
          division[i] != refuge_[i] &&
          !pools_->loads()[division[i]].has_room(i, 0, room[division[i]]))
        leave(i);
    for (std::size_t k = order.size(); k-- > 0 && more > 0;)
      if (const Index i = order[k]; division[i] != refuge_[i]) {
        leave(i);
        --more;
      }
    for (std::size_t k = out.size(); k-- > 0;)
      settle(out[k], 1, room, division);
    return division;
  }

 private:
  /// The pools that are better for an item than its refuge, the cheapest first,
  /// from follow() on by its prices.
  [[nodiscard]] View<const Index> pools_for(Index i) const {
    return better_[i];
  }
  /// Of empty pools, with some parts of it left free.
  [[nodiscard]] PoolRooms rooms(std::int64_t free, std::int64_t parts) const {
    PoolRooms rooms;
    for (std::size_t p = 0; p < pools_->size(); ++p) {
      rooms.push_back(pools_->loads()[p].room);
      for (Index s = 0; s < pools_->sections(p); ++s)
        rooms[p][s] -= rooms[p][s] / parts * free;
    }
    return rooms;
  }
  /// Asks whether to go on where the items so far have many sections.
  [[nodiscard]] bool is_interrupted(Index i, std::size_t& work) const {
    constexpr std::size_t kMostSections = std::size_t{1} << 20;
    work += 1 + pools_->loads().front().count_sections(i);
    if (work * pools_->size() < kMostSections) return false;
    work = 0;
    return interrupt_();
  }

  /// Puts an item into the first of its pools from the n-th on that has room.
  void settle(Index i, std::size_t n, PoolRooms& room,
              List<Index>& division) const {
    const View<const Index> pools = pools_for(i);
    for (; n < pools.size(); ++n) {
      const Index p = pools[n];
      if (!pools_->loads()[p].has_room(i, 1, room[p])) continue;
      pools_->loads()[p].take(i, 1, room[p]);
      division[i] = p;
      return;
    }
  }

  /// Where an item surely finds room: elsewhere, or in the cheapest pool that
  /// has room for all that may be there on top of one another.
  void find_refuges() {
    refuge_.assign(costs_->items, elsewhere_);
    is_refuge_.assign(elsewhere_, false);
    std::size_t since = 0;
    for (Index p = 0; p < elsewhere_; ++p) {
      if (interrupt_.after(costs_->items, since)) break;
      if (!pools_->is_ample(p, *costs_)) continue;
      for (Index i = 0; i < costs_->items; ++i)
        if (!costs_->allows(i, elsewhere_) && costs_->allows(i, p) &&
            (refuge_[i] == elsewhere_ ||
             costs_->at(i, p) < costs_->at(i, refuge_[i])))
          refuge_[i] = p;
    }
    for (const Index refuge : refuge_)
      if (refuge != elsewhere_) is_refuge_[refuge] = true;
  }

  /// As pools_for() says, the cheapest by `prices` first. If it is interrupted,
  /// the last items have none.
  void find_pools(const CostTable& prices) {
    better_.clear();
    List<Index> pools;
    std::size_t since = 0;
    bool is_over = false;
    for (Index i = 0; i < costs_->items; ++i) {
      pools.clear();
      is_over = is_over || interrupt_.after(costs_->columns, since);
      for (Index p = 0; p < elsewhere_ && !is_over; ++p)
        if (costs_->allows(i, p) && costs_->at(i, p) < cost_in_refuge(i))
          pools.push_back(p);
      sort_ascending(pools, [&](Index p) { return prices.at(i, p); });
      better_.add_row(pools);
    }
  }

  struct Valued {
    double value;
    Index item;
  };

  void find_orders() {
    add_order(orders_, [&](Index i) { return saving(i) / pools_->area_of(i); });
    add_order(orders_, [&](Index i) { return saving(i) / bytes_of(i); });
    add_order(orders_, [&](Index i) { return saving(i); });
    add_order(orders_, [&](Index i) {
      return rounded(saving(i) * bytes_of(i)) / pools_->area_of(i);
    });
    add_order(orders_, [&](Index i) { return pools_->area_of(i); });
    add_order(orders_, [&](Index i) { return -bytes_of(i); });
    add_order(orders_, [&](Index i) { return -pools_->area_of(i); });
  }
  /// Adds the order by a value of items, unless it is interrupted.
  template <class Value>
  void add_order(Lists<Index>& orders, Value&& value) const {
    List<Valued> all;
    for (Index i = 0; i < costs_->items; ++i) {
      if (interrupt_.at(i)) return;
      all.push_back({rounded(value(i)), i});
    }
    if (!sort_in_parts(
            all.data(), all.data() + all.size(),
            [](const Valued& a, const Valued& b) {
              return a.value != b.value ? a.value > b.value : a.item < b.item;
            },
            interrupt_))
      return;
    List<Index> order;
    for (const Valued& one : all) order.push_back(one.item);
    orders.push_back(std::move(order));
  }
  /// What an item costs less where it costs least than in its refuge or, if it has none,
  /// than where it costs most.
  [[nodiscard]] double saving(Index i) const {
    Interval<std::int64_t> range = costs_->range_of(i);
    if (costs_->allows(i, refuge_[i])) range.upper = costs_->at(i, refuge_[i]);
    return static_cast<double>(range.upper - range.lower);
  }
  [[nodiscard]] std::int64_t cost_in_refuge(Index i) const {
    return costs_->allows(i, refuge_[i]) ? costs_->at(i, refuge_[i])
                                         : 2 * CostTable::kMostSum;
  }
  [[nodiscard]] double bytes_of(Index i) const {
    double bytes = 1;
    for (const std::size_t b : pools_->items()[i])
      bytes = rounded(bytes +
                      static_cast<double>(pools_->problem(0).buffers[b].size));
    return bytes;
  }

  const PoolSet<M>* pools_;
  const CostTable* costs_;
  Interrupt interrupt_;
  Index elsewhere_;
  List<bool> is_refuge_{};  ///< whether a pool is one
  List<Index> refuge_{};    ///< of each item; elsewhere if it has none
  Rows<Index> better_{};    ///< the pools for each item
  Lists<Index> orders_{};   ///< items, best to have first
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_GREEDY_DIVISIONS_HPP
