// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first divisions of a search, placed soon: greedily in some orders.
///
///     order    by what an item saves, for its bytes, for bytes times lifespan;
///              or small ones first
///     fill     one after the other, into the cheapest pool that has room by
///              its loads, else to its *refuge*: elsewhere, or a pool that has
///              room for all there is
///
///     dive     places what it can. Misfits go into the holes of all pools,
///              the cheapest first, and the rest to their refuge
///     solve    places all or nothing. By bisection: how little of the room has
///              to be left free, or how few of the last items left out, so
///              that it does
///
/// Cost: one dive for the first division, which no limit cuts short. O(log k)
/// solves of few nodes for each order.
#ifndef SNUG_POOLS_POOL_START_HPP
#define SNUG_POOLS_POOL_START_HPP

#include "snug/config.hpp"
#include "snug/explain/budget.hpp"
#include "snug/explain/first_placement.hpp"
#include "snug/explain/spots.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_placer.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class E>
class PoolStart {
 public:
  /// All must outlive this.
  PoolStart(PoolSet<E>& pools, const CostTable& costs,
            DivisionPlacer<E>& placer)
      : pools_(&pools),
        costs_(&costs),
        placer_(&placer),
        elsewhere_(static_cast<Index>(pools.size())) {
    find_refuges();
    find_orders();
  }

  /// Dives; the first one whatever the limits.
  void dive() {
    for (const std::vector<Index>& order : orders_) {
      dive(order, fill(order, 0));
      if (pools_->budget().is_spent()) return;
    }
  }

  /// Solves of at most `nodes` nodes each, until nothing can be cheaper than
  /// `bound`. Then moves back what can be placed.
  void solve(std::int64_t nodes, std::int64_t bound) {
    const std::int64_t before = placer_->cost();
    const auto count = static_cast<std::int64_t>(costs_->items);
    for (const std::vector<Index>& order : orders_) {
      solve(kParts, nodes, bound,
            [&](std::int64_t free) { return fill(order, free); });
      solve(count, nodes, bound,
            [&](std::int64_t last) { return thin(order, last); });
    }
    if (placer_->cost() < before)
      placer_->move_back(placer_->division(), nodes, bound);
  }

 private:
  /// The room that is left free is counted in such parts of it.
  static constexpr std::int64_t kParts = 64;

  /// Bisection between 0 and `most` for the least number of which the division
  /// is placed.
  template <class DivisionOf>
  void solve(std::int64_t most, std::int64_t nodes, std::int64_t bound,
             DivisionOf&& division_of) {
    for (std::int64_t low = 0, at = 0; low < most;
         at = low + (most - low) / 2) {
      if (placer_->cost() <= bound || pools_->budget().is_spent()) return;
      // What costs too much is not placed: with a larger number it costs more.
      const std::vector<Index> division = division_of(at);
      if (placer_->cost_of(division) >= placer_->cost() ||
          placer_->has_placed(division, nodes))
        most = at;
      else
        low = at + 1;
    }
  }

  /// Where an item surely finds room: elsewhere, or in the cheapest pool that
  /// has room for all that may be there on top of one another.
  void find_refuges() {
    refuge_.assign(costs_->items, elsewhere_);
    is_refuge_.assign(elsewhere_, false);
    for (Index p = 0; p < elsewhere_; ++p) {
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

  void find_orders() {
    const auto add = [&](auto&& value) {
      std::vector<std::pair<double, Index>> keys;
      for (Index i = 0; i < costs_->items; ++i) keys.emplace_back(-value(i), i);
      heap_sort(keys);
      std::vector<Index>& order = orders_.emplace_back();
      for (const auto& [minus, i] : keys) order.push_back(i);
    };
    add([&](Index i) { return saving(i) / pools_->area_of(i); });
    add([&](Index i) { return saving(i) / bytes_of(i); });
    add([&](Index i) { return saving(i); });
    add([&](Index i) { return -bytes_of(i); });
    add([&](Index i) { return -pools_->area_of(i); });
  }
  /// What an item costs less where it costs least than in its refuge.
  [[nodiscard]] double saving(Index i) const {
    std::int64_t least = CostTable::kMostSum;
    for (Index c = 0; c <= elsewhere_; ++c)
      if (costs_->allows(i, c)) least = (std::min)(least, costs_->at(i, c));
    return static_cast<double>(cost_in_refuge(i) - least);
  }
  [[nodiscard]] std::int64_t cost_in_refuge(Index i) const {
    return costs_->allows(i, refuge_[i]) ? costs_->at(i, refuge_[i])
                                         : 2 * CostTable::kMostSum;
  }
  [[nodiscard]] double bytes_of(Index i) const {
    double bytes = 1;
    for (const std::size_t b : pools_->items()[i])
      bytes += static_cast<double>(pools_->pool(0).problem.buffers[b].size);
    return bytes;
  }

  /// The pools that are better for an item than its refuge, the cheapest first.
  [[nodiscard]] std::vector<Index> pools_for(Index i) const {
    std::vector<std::pair<std::int64_t, Index>> keys;
    for (Index p = 0; p < elsewhere_; ++p)
      if (costs_->allows(i, p) && costs_->at(i, p) < cost_in_refuge(i))
        keys.emplace_back(costs_->at(i, p), p);
    heap_sort(keys);
    std::vector<Index> pools;
    for (const auto& [cost, p] : keys) pools.push_back(p);
    return pools;
  }

  using Rooms = std::vector<std::vector<std::int64_t>>;

  /// The room in each section of each pool, with some parts of it left free.
  [[nodiscard]] Rooms rooms(std::int64_t free) const {
    Rooms rooms;
    for (std::size_t p = 0; p < pools_->size(); ++p) {
      rooms.push_back(pools_->loads()[p].room);
      for (Index s = 0; s < pools_->sections(p); ++s)
        rooms[p][s] -= rooms[p][s] / kParts * free;
    }
    return rooms;
  }
  /// Whether all sections of an item have room for its bytes so many times.
  [[nodiscard]] bool has_room(Index i, Index p, const Rooms& rooms,
                              std::int64_t times) const {
    bool fits = true;
    pools_->loads()[p].for_each_section(i, [&](Index s, std::int64_t bytes) {
      fits = fits && times * bytes <= rooms[p][s];
    });
    return fits;
  }
  void take(Index i, Index p, std::int64_t times, Rooms& rooms) const {
    pools_->loads()[p].for_each_section(
        i, [&](Index s, std::int64_t bytes) { rooms[p][s] -= times * bytes; });
  }

  /// Items where there is room by the loads, with some parts of it left free.
  [[nodiscard]] std::vector<Index> fill(const std::vector<Index>& order,
                                        std::int64_t free) const {
    Rooms room = rooms(free);
    std::vector<Index> division = refuge_;
    for (const Index i : order)
      for (const Index p : pools_for(i)) {
        if (!has_room(i, p, room, 1)) continue;
        take(i, p, 1, room);
        division[i] = p;
        break;
      }
    return division;
  }

  /// Each item where it costs least. The last ones go where the loads are too
  /// high, then `more` of the others, to the next pools that have room.
  [[nodiscard]] std::vector<Index> thin(const std::vector<Index>& order,
                                        std::int64_t more) const {
    Rooms room = rooms(0);
    std::vector<Index> division = refuge_;
    for (const Index i : order) {
      const std::vector<Index> pools = pools_for(i);
      if (pools.empty()) continue;
      division[i] = pools.front();
      take(i, division[i], 1, room);
    }
    std::vector<Index> out;
    const auto leave = [&](Index i) {
      take(i, division[i], -1, room);
      division[i] = refuge_[i];
      out.push_back(i);
    };
    for (std::size_t k = order.size(); k-- > 0;)
      if (const Index i = order[k];
          division[i] != refuge_[i] && !has_room(i, division[i], room, 0))
        leave(i);
    for (std::size_t k = order.size(); k-- > 0 && more > 0;)
      if (const Index i = order[k]; division[i] != refuge_[i]) {
        leave(i);
        --more;
      }
    for (std::size_t k = out.size(); k-- > 0;) {
      const std::vector<Index> pools = pools_for(out[k]);
      for (std::size_t n = 1; n < pools.size(); ++n) {
        if (!has_room(out[k], pools[n], room, 1)) continue;
        take(out[k], pools[n], 1, room);
        division[out[k]] = pools[n];
        break;
      }
    }
    return division;
  }

  /// Places a division as far as a dive does, and the rest where it can.
  void dive(const std::vector<Index>& order, std::vector<Index> division) {
    std::vector<std::vector<std::int64_t>> offsets(
        elsewhere_, std::vector<std::int64_t>(pools_->buffers(), kAbsent));
    const auto fill_pools = [&](bool refuge) {
      for (Index p = 0; p < elsewhere_; ++p)
        if (is_refuge_[p] == refuge)
          place_some(pools_->pool(p).problem, pools_->pool(p).capacity,
                     pools_->buffers_in(p, division), offsets[p],
                     [&] { return pools_->budget().is_spent(); });
    };
    fill_pools(false);
    for (Index i = 0; i < division.size(); ++i) {
      const Index p = division[i];
      if (p == elsewhere_ || is_refuge_[p] || is_placed(i, offsets[p]))
        continue;
      for (const std::size_t b : pools_->items()[i]) offsets[p][b] = kAbsent;
      division[i] = refuge_[i];
    }
    for (const Index i : order)
      if (division[i] == refuge_[i] && !pools_->budget().is_spent())
        put_into_hole(i, division, offsets);
    fill_pools(true);
    std::vector<std::int64_t> all(pools_->buffers(), kAbsent);
    for (Index i = 0; i < division.size(); ++i) {
      if (division[i] == elsewhere_) continue;
      if (!is_placed(i, offsets[division[i]])) return;
      for (const std::size_t b : pools_->items()[i])
        all[b] = offsets[division[i]][b];
    }
    placer_->note(division, all);
  }
  [[nodiscard]] bool is_placed(Index i,
                               const std::vector<std::int64_t>& offsets) const {
    for (const std::size_t b : pools_->items()[i])
      if (offsets[b] == kAbsent) return false;
    return true;
  }

  /// An item of one buffer, in the cheapest pool that has a hole for it.
  void put_into_hole(Index i, std::vector<Index>& division,
                     std::vector<std::vector<std::int64_t>>& offsets) const {
    if (pools_->items()[i].size() != 1) return;
    const std::size_t b = pools_->items()[i].front();
    for (const Index p : pools_for(i)) {
      if (is_refuge_[p]) continue;
      const PoolProblem& pool = pools_->pool(p);
      const Spots spots =
          find_spots(pool.problem, b, pool.capacity, offsets[p]);
      if (!spots.hole) continue;
      offsets[p][b] = *spots.hole;
      division[i] = p;
      if (is_placement(pool.problem, pool.capacity, offsets[p])) return;
      offsets[p][b] = kAbsent;
      division[i] = refuge_[i];
    }
  }

  PoolSet<E>* pools_;
  const CostTable* costs_;
  DivisionPlacer<E>* placer_;
  Index elsewhere_;
  std::vector<bool> is_refuge_{};  ///< whether a pool is one
  std::vector<Index> refuge_{};    ///< of each item; elsewhere if it has none
  std::vector<std::vector<Index>> orders_{};  ///< items, best to have first
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_START_HPP
