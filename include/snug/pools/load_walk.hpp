// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Local search for a division of items among pools such that no section holds
/// too many bytes, at a low cost. Where the bytes lie is for others to find out.
///
///     pick      an item that is not where it costs least, and a cheaper pool
///     put in    and where a section becomes too full, move out the ones that
///               cost least for their bytes
///     fill      what was moved out, and some others, where there is room
///     accept    what is cheaper, and what is a little dearer as long as it is
///               hot; else all of it is undone
///
/// The walk starts hot and cools down in cycles, each twice as long as the one
/// before and from the best division so far. It needs no clock: the same number
/// of steps leads to the same division everywhere.
///
/// Cost: O(s + d) for each item that is moved, for its s sections and the d items
/// that share the fullest of them.
/// Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing"
/// (Science, 1983); ejections after Glover (Discrete Applied Mathematics, 1996).
#ifndef SNUG_POOLS_LOAD_WALK_HPP
#define SNUG_POOLS_LOAD_WALK_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cooling.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/pools/unhappy.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/random.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class LoadWalk {
 public:
  /// All must outlive the walk, which begins with all items elsewhere.
  LoadWalk(const std::vector<PoolLoads>& pools, const CostTable& costs,
           std::uint64_t seed)
      : pools_(&pools),
        costs_(&costs),
        elsewhere_(static_cast<Index>(pools.size())),
        random_(seed),
        columns_(costs.items, elsewhere_),
        unhappy_(costs.items),
        heat_(heat_of(costs, kHeat)) {
    std::size_t sections = 0;
    for (const PoolLoads& loads : pools) {
      room_.push_back(loads.room);
      first_.push_back(sections);
      sections += loads.sections;
    }
    live_.deal(sections, [&](auto& give) {
      for (Index i = 0; i < costs.items; ++i)
        for (Index c = 0; c < elsewhere_; ++c)
          if (costs.allows(i, c))
            pools[c].for_each_section(i, [&](Index s, std::int64_t bytes) {
              give(first_[c] + s, {i, bytes});
            });
    });
    for (Index i = 0; i < costs.items; ++i) {
      cost_ += cost_in(i, elsewhere_);
      note_mood(i);
    }
    best_ = columns_;
    best_cost_ = cost_;
  }

  /// Whether the pools have sections that they had not: the walk is of no use
  /// any more, but for its best division.
  [[nodiscard]] bool is_stale() const noexcept {
    for (std::size_t c = 0; c < room_.size(); ++c)
      if (room_[c].size() != (*pools_)[c].room.size()) return true;
    return false;
  }
  /// Of the best division so far: the column of each item, and their cost.
  [[nodiscard]] const List<Index>& best() const noexcept { return best_; }
  [[nodiscard]] std::int64_t best_cost() const noexcept { return best_cost_; }

  /// Puts items where there is room, in this order: where they are in a
  /// division, and then the others.
  void fill(const List<Index>& order, const List<Index>& division) {
    for (const Index i : order)
      if (division[i] != elsewhere_ && prefers(i, division[i]) &&
          has_room(i, division[i]))
        move(i, division[i]);
    for (const Index i : order) settle(i);
    trail_.clear();
    note_best();
  }

  /// Takes `steps` steps, or fewer if the cost is not above `target` or stop()
  /// says so. Returns the number of steps.
  std::int64_t run(std::int64_t steps, std::int64_t target,
                   const Interrupt& stop) {
    constexpr std::int64_t kStepsForLook = 16;
    for (std::int64_t step = 0; step < steps; ++step) {
      if (best_cost_ <= target || unhappy_.empty() ||
          (step % kStepsForLook == 0 && stop()))
        return step;
      if (step_ == length_) restart();
      take_step();
      ++step_;
    }
    return steps;
  }

 private:
  static constexpr int kFills = 6;
  static constexpr std::int64_t kHeat = 4;

  /// An item and what it takes in a section.
  struct Live {
    Index item;
    std::int64_t bytes;
  };
  struct Move {
    Index item;
    Index from;
  };

  [[nodiscard]] std::int64_t cost_in(Index i, Index column) const noexcept {
    return costs_->paid_at(i, column);
  }
  [[nodiscard]] std::int64_t cost_of(Index i) const noexcept {
    return cost_in(i, columns_[i]);
  }
  /// Whether an item would cost less in a pool than where it is.
  [[nodiscard]] bool prefers(Index i, Index pool) const noexcept {
    return costs_->allows(i, pool) && costs_->at(i, pool) < cost_of(i);
  }

  void place(Index i, Index column) {
    const auto take = [&](Index pool, std::int64_t times) {
      if (pool != elsewhere_) (*pools_)[pool].take(i, times, room_[pool]);
    };
    cost_ += cost_in(i, column) - cost_of(i);
    take(columns_[i], -1);
    take(column, 1);
    columns_[i] = column;
    note_mood(i);
  }
  void move(Index i, Index column) {
    trail_.push_back({i, columns_[i]});
    place(i, column);
  }
  void undo() {
    while (!trail_.empty()) {
      const auto [i, column] = trail_.back();
      trail_.pop_back();
      place(i, column);
    }
  }

  /// Keeps the list of those that cost less in some pool than where they are.
  void note_mood(Index i) {
    bool is_unhappy = false;
    for (Index c = 0; c < elsewhere_; ++c)
      is_unhappy = is_unhappy || prefers(i, c);
    unhappy_.note(i, is_unhappy);
  }

  void note_best() {
    if (cost_ >= best_cost_) return;
    best_cost_ = cost_;
    best_ = columns_;
  }

  /// Begins a new cycle with the best division.
  void restart() {
    for (Index i = 0; i < columns_.size(); ++i)
      if (columns_[i] != best_[i]) place(i, best_[i]);
    step_ = 0;
    length_ *= 2;
  }

  void take_step() {
    const Index i = unhappy_.draw(random_);
    const std::int64_t before = cost_;
    const std::int64_t slack = draw_slack(heat_, step_, length_, random_);
    put_in(i, draw_column(i));
    List<Index> out;
    for (std::size_t k = 1; k < trail_.size(); ++k)
      out.push_back(trail_[k].item);
    sort_descending(out, [&](Index k) { return cost_of(k); });
    for (const Index other : out) settle(other);
    for (int k = 0; k < kFills && !unhappy_.empty(); ++k)
      settle(unhappy_.draw(random_));
    if (cost_ - before > slack) {
      undo();
      return;
    }
    trail_.clear();
    note_best();
  }

  /// A pool in which it costs less than where it is.
  [[nodiscard]] Index draw_column(Index i) {
    Index found = elsewhere_;
    std::uint32_t number = 0;
    for (Index c = 0; c < elsewhere_; ++c)
      if (prefers(i, c) && random_.below(++number) == 0) found = c;
    return found;
  }

  /// Puts an item into a pool, and others out of it as long as one of its
  /// sections is too full.
  void put_in(Index i, Index pool) {
    move(i, pool);
    const std::vector<std::int64_t>& room = room_[pool];
    for (;;) {
      Index worst = 0;
      std::int64_t least = 0;
      (*pools_)[pool].for_each_section(i, [&](Index s, std::int64_t) {
        if (room[s] >= least) return;
        least = room[s];
        worst = s;
      });
      if (least == 0) return;
      Index cheapest = i;
      double lowest = 0;
      for (const Live& live : live_[first_[pool] + worst]) {
        if (live.item == i || columns_[live.item] != pool || live.bytes == 0)
          continue;
        // Some luck, so that it is not always the same ones.
        const double price = rounded(
            rounded(static_cast<double>(eviction(live.item)) /
                    static_cast<double>((std::min)(live.bytes, -least))) *
            static_cast<double>(2048 + random_.below(2048)));
        if (cheapest != i && price >= lowest) continue;
        cheapest = live.item;
        lowest = price;
      }
      move(cheapest, elsewhere_);
      if (cheapest == i) return;
    }
  }

  /// What it costs more at least outside of its pool.
  [[nodiscard]] std::int64_t eviction(Index i) const noexcept {
    std::int64_t least = cost_in(i, elsewhere_);
    for (Index c = 0; c < elsewhere_; ++c)
      if (c != columns_[i] && costs_->allows(i, c))
        least = (std::min)(least, costs_->at(i, c));
    return (std::max)(least - cost_of(i), std::int64_t{0}) + 1;
  }

  /// Puts an item into the cheapest pool that has room, if that is better.
  void settle(Index i) {
    Index cheapest = elsewhere_;
    for (Index c = 0; c < elsewhere_; ++c)
      if (prefers(i, c) &&
          (cheapest == elsewhere_ ||
           costs_->at(i, c) < costs_->at(i, cheapest)) &&
          has_room(i, c))
        cheapest = c;
    if (cheapest != elsewhere_) move(i, cheapest);
  }
  [[nodiscard]] bool has_room(Index i, Index pool) const {
    return (*pools_)[pool].has_room(i, 1, room_[pool]);
  }

  const std::vector<PoolLoads>* pools_;
  const CostTable* costs_;
  Index elsewhere_;
  Random random_;
  List<Index> columns_;  ///< where each item is
  std::int64_t cost_ = 0;
  List<Index> best_{};
  std::int64_t best_cost_ = 0;
  std::vector<std::vector<std::int64_t>> room_{};  ///< left in each section
  List<std::size_t> first_{};  ///< section of each pool in live_
  Rows<Live> live_{};          ///< of each section
  List<Move> trail_{};         ///< moves of this step
  Unhappy unhappy_;
  std::int64_t step_ = 512;
  std::int64_t length_ = 512;  ///< of the cycle, in steps
  std::int64_t heat_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_LOAD_WALK_HPP
