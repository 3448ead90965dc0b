// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first divisions of a search, placed soon: greedy ones
/// (pools/greedy_divisions.hpp).
///
///     dive     places what it can (pools/pool_fit.hpp): of a division, or all in its
///              order. Of many buffers there is a first one without repair
///     solve    places all or nothing. By bisection: how little of the room has
///              to be left free, or how few of the last items left out, so
///              that it does
///     walk     from there (pools/place_walk.hpp)
///     follow   dives in the orders of prices for bytes, without repair; then
///              solve_by_price() does all else in these orders
///
/// Cost: one dive for the first division, which is only cut short where there
/// are many items. O(log k) solves of few nodes for each order.
#ifndef SNUG_POOLS_POOL_START_HPP
#define SNUG_POOLS_POOL_START_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/budget.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_placer.hpp"
#include "snug/pools/greedy_divisions.hpp"
#include "snug/pools/pool_fit.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
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
        greedy_(pools, costs),
        fit_(pools, costs) {}

  /// Dives; the first one whatever the limits, unless it is interrupted. Where plain
  /// problems and refuges do not help, first fit of all may do better than that of a
  /// division.
  void dive() {
    // In plain problems, to have small ones first is seldom worth the time.
    constexpr std::size_t kBySaving = 4;
    for (std::size_t k = 0; k < greedy_.orders().size(); ++k) {
      if (k >= kBySaving && fit_.is_plain() &&
          placer_->cost() < DivisionPlacer<M>::kNoCost)
        return;
      const List<Index>& order = greedy_.orders()[k];
      const bool is_easy = dive(order, greedy_.fill(order, 0), false);
      if (pools_->budget().is_spent()) return;
      if (is_easy) continue;
      (void)dive(order, List<Index>(order.size(), elsewhere_), false);
      if (pools_->budget().is_spent()) return;
    }
  }
  /// One dive, from the fill of the first order, without repair.
  void dive_hastily() {
    if (greedy_.orders().empty()) return;
    const List<Index>& order = greedy_.orders().front();
    (void)dive(order, greedy_.fill(order, 0), true);
  }

  /// Walks where alignments are mixed (pools/pool_fit.hpp): as long as all else took
  /// since the last time, or `least` nodes would; until nothing can be cheaper than
  /// `bound`.
  void walk(std::int64_t least, std::int64_t bound) {
    Budget& budget = pools_->budget();
    if (!fit_.is_mixed() || placer_->cost() <= bound || budget.is_spent())
      return;
    const std::int64_t nodes =
        (std::min)((std::max)(budget.stats().nodes - nodes_walked_, least),
                   budget.nodes_left());
    List<Index> division = placer_->division();
    std::vector<std::int64_t> offsets = placer_->offsets();
    const std::int64_t before = fit_.looks();
    const bool is_whole =
        fit_.walk(greedy_.orders(), multiply_nodes(nodes, kLooksForNode), bound,
                  division, offsets);
    budget.add_nodes((fit_.looks() - before) / kLooksForNode);
    nodes_walked_ = budget.stats().nodes;
    if (is_whole) placer_->note(division, offsets);
  }

  /// Dives hastily in the orders of prices: what items cost with their bytes.
  void follow(const CostTable& prices, std::int64_t bound) {
    by_price_ = greedy_.follow(prices);
    dive_by_price(true, bound);
  }
  /// Solves and dives in these orders.
  void solve_by_price(std::int64_t nodes, std::int64_t bound) {
    constexpr std::int64_t kParts = 1024;
    // What leaves much room free is placed soon, and then less is tried.
    constexpr std::int64_t kStep = 8;
    for (const List<Index>& order : by_price_)
      solve(kParts, kStep, nodes, bound, [&](std::int64_t free) {
        return greedy_.fill(order, free, kParts);
      });
    dive_by_price(false, bound);
  }

  /// Solves of at most `nodes` nodes each, until nothing can be cheaper than
  /// `bound`. Then moves back what can be placed.
  void solve(std::int64_t nodes, std::int64_t bound) {
    const std::int64_t before = placer_->cost();
    const auto count = static_cast<std::int64_t>(costs_->items);
    for (const List<Index>& order : greedy_.orders()) {
      solve(GreedyDivisions<M>::kParts, 2, nodes, bound,
            [&](std::int64_t free) { return greedy_.fill(order, free); });
      solve(count, 2, nodes, bound,
            [&](std::int64_t last) { return greedy_.thin(order, last); });
    }
    if (placer_->cost() < before) placer_->move_back(nodes, bound);
  }

 private:
  /// First fit of what dives left seldom gains such a part of the cost.
  static constexpr std::int64_t kNear = 10;
  /// About as many take as long as a node.
  static constexpr std::int64_t kLooksForNode = 512;
  /// Of more items, what dives have placed is not improved.
  static constexpr std::size_t kMostFitted = std::size_t{1} << 14;

  /// Looks between 0 and `most` for the least number of which the division is
  /// placed: by bisection from 0 on, or a `part`-th of what is left at a time.
  template <class DivisionOf>
  void solve(std::int64_t most, std::int64_t part, std::int64_t nodes,
             std::int64_t bound, DivisionOf&& division_of) {
    for (std::int64_t low = 0, at = part > 2 ? most / part : 0; low < most;
         at = low + (most - low) / part) {
      if (placer_->cost() <= bound || pools_->budget().is_spent()) return;
      // What costs too much is not placed: with a larger number it costs more.
      const List<Index> division = division_of(at);
      if (placer_->cost_of(division) >= placer_->cost() ||
          placer_->has_placed(division, nodes))
        most = at;
      else
        low = at + 1;
    }
  }

  void dive_by_price(bool is_hasty, std::int64_t bound) {
    for (const List<Index>& order : by_price_) {
      if (placer_->cost() <= bound || pools_->budget().is_spent()) return;
      const List<Index> division = greedy_.fill(order, 0);
      if (placer_->cost_of(division) < placer_->cost())
        (void)dive(order, division, is_hasty);
    }
  }

  /// Places a division as far as it can, and the rest in an order where it can.
  /// Whether all of it was placed by dives at once.
  bool dive(const List<Index>& order, List<Index> division, bool is_hasty) {
    if (pools_->budget().gave_up()) return false;
    std::vector<std::int64_t> offsets(pools_->buffers(), kAbsent);
    const bool is_easy =
        fit_.is_plain() && has_dived(division, is_hasty, offsets);
    if (is_easy) {
      const std::int64_t cost = placer_->cost_of(division);
      const bool is_near = cost - cost / kNear < placer_->cost();
      placer_->note(division, offsets);
      if (is_hasty || !is_near || order.size() > kMostFitted) return true;
    }
    for (Index i = 0; i < division.size(); ++i)
      if (division[i] == greedy_.refuge(i) && !is_placed(i, offsets))
        division[i] = elsewhere_;
    if (fit_.fit(order, division, offsets)) placer_->note(division, offsets);
    return is_easy;
  }
  /// Places what it can of a division, and the rest in refuges. Whether that is all.
  [[nodiscard]] bool has_dived(List<Index>& division, bool is_hasty,
                               std::vector<std::int64_t>& offsets) {
    const auto stop = [&] { return is_hasty || pools_->budget().is_spent(); };
    for (const bool refuge : {false, true}) {
      for (Index p = 0; p < elsewhere_; ++p)
        if (greedy_.is_refuge(p) == refuge)
          fit_.dive(p, pools_->buffers_in(p, division), offsets, stop);
      for (Index i = 0; i < division.size() && !refuge; ++i)
        if (!is_placed(i, offsets)) division[i] = greedy_.refuge(i);
    }
    bool is_whole = true;
    for (Index i = 0; i < division.size(); ++i)
      is_whole = is_whole && costs_->allows(i, division[i]) &&
                 (division[i] == elsewhere_ || is_placed(i, offsets));
    return is_whole;
  }
  [[nodiscard]] bool is_placed(Index i,
                               const std::vector<std::int64_t>& offsets) const {
    for (const std::size_t b : pools_->items()[i])
      if (offsets[b] == kAbsent) return false;
    return true;
  }

  PoolSet<M>* pools_;
  const CostTable* costs_;
  DivisionPlacer<M>* placer_;
  Index elsewhere_;
  GreedyDivisions<M> greedy_;
  PoolFit<M> fit_;
  Lists<Index> by_price_{};
  std::int64_t nodes_walked_ = 0;  ///< spent when the last walk had ended
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_START_HPP
