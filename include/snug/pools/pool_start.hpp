// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first divisions of a search, placed soon: greedy ones
/// (pools/greedy_divisions.hpp).
///
///     dive     places what it can. Misfits go into the holes of all pools,
///              the cheapest first, and the rest to their refuge. Of many
///              buffers there is a first one without holes and without repair
///     solve    places all or nothing. By bisection: how little of the room has
///              to be left free, or how few of the last items left out, so
///              that it does
///
/// Cost: one dive for the first division, which is only cut short where there
/// are many items. O(log k) solves of few nodes for each order.
#ifndef SNUG_POOLS_POOL_START_HPP
#define SNUG_POOLS_POOL_START_HPP

#include "snug/config.hpp"
#include "snug/explain/spots.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_placer.hpp"
#include "snug/pools/first_placement.hpp"
#include "snug/pools/greedy_divisions.hpp"
#include "snug/pools/pool_set.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class PoolStart {
 public:
  /// All must outlive this.
  PoolStart(PoolSet<M>& pools, const CostTable& costs,
            DivisionPlacer<M>& placer)
      : pools_(&pools),
        costs_(&costs),
        placer_(&placer),
        elsewhere_(static_cast<Index>(pools.size())),
        greedy_(pools, costs) {}

  /// Dives; the first one whatever the limits, unless it is interrupted.
  void dive() {
    constexpr std::size_t kMany = std::size_t{1} << 14;
    bool is_hasty = pools_->buffers() > kMany;
    for (const std::vector<Index>& order : greedy_.orders()) {
      const std::vector<Index> division = greedy_.fill(order, 0);
      if (is_hasty) {
        dive(order, division, is_hasty);
        if (pools_->budget().is_spent()) return;
      }
      is_hasty = false;
      dive(order, division, is_hasty);
      if (pools_->budget().is_spent()) return;
    }
  }

  /// Solves of at most `nodes` nodes each, until nothing can be cheaper than
  /// `bound`. Then moves back what can be placed.
  void solve(std::int64_t nodes, std::int64_t bound) {
    const std::int64_t before = placer_->cost();
    const auto count = static_cast<std::int64_t>(costs_->items);
    for (const std::vector<Index>& order : greedy_.orders()) {
      solve(GreedyDivisions<M>::kParts, nodes, bound,
            [&](std::int64_t free) { return greedy_.fill(order, free); });
      solve(count, nodes, bound,
            [&](std::int64_t last) { return greedy_.thin(order, last); });
    }
    if (placer_->cost() < before)
      placer_->move_back(placer_->division(), nodes, bound);
  }

 private:
  static constexpr std::size_t kBuffersForNode = 64;

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

  /// Places a division as far as a dive does, and the rest where it can.
  void dive(const std::vector<Index>& order, std::vector<Index> division,
            bool is_hasty) {
    std::vector<std::vector<std::int64_t>> offsets(
        elsewhere_, std::vector<std::int64_t>(pools_->buffers(), kAbsent));
    const auto fill_pools = [&](bool refuge) {
      for (Index p = 0; p < elsewhere_; ++p)
        if (greedy_.is_refuge(p) == refuge)
          place_some(
              pools_->pool(p).problem, pools_->pool(p).capacity,
              pools_->buffers_in(p, division), offsets[p],
              [&] { return is_hasty || pools_->budget().is_spent(); },
              pools_->budget().interrupt());
    };
    fill_pools(false);
    for (Index i = 0; i < division.size(); ++i) {
      const Index p = division[i];
      if (p == elsewhere_ || greedy_.is_refuge(p) || is_placed(i, offsets[p]))
        continue;
      for (const std::size_t b : pools_->items()[i]) offsets[p][b] = kAbsent;
      division[i] = greedy_.refuge(i);
    }
    for (const Index i : order)
      if (!is_hasty && division[i] == greedy_.refuge(i) &&
          !pools_->budget().is_spent())
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
    for (const Index p : greedy_.pools_for(i)) {
      if (greedy_.is_refuge(p)) continue;
      const PoolProblem& pool = pools_->pool(p);
      placer_->count_work(pools_->buffers() / kBuffersForNode);
      const Spots spots =
          find_spots(pool.problem, b, pool.capacity, offsets[p]);
      if (!spots.hole) continue;
      offsets[p][b] = *spots.hole;
      division[i] = p;
      if (is_placement(pool.problem, pool.capacity, offsets[p])) return;
      offsets[p][b] = kAbsent;
      division[i] = greedy_.refuge(i);
    }
  }

  PoolSet<M>* pools_;
  const CostTable* costs_;
  DivisionPlacer<M>* placer_;
  Index elsewhere_;
  GreedyDivisions<M> greedy_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_START_HPP
