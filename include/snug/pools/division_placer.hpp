// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Divisions of items among pools, placed: each pool by itself. Keeps the
/// cheapest one that was.
///
///     division   a b | c | d      a, b in pool 0, c in pool 1, d elsewhere
///     place      pool 0, pool 1   all of them: it counts
///     move back  c to pool 0?     places that pool once more
///
/// Cost: a solve of few nodes for each pool of a division.
#ifndef SNUG_POOLS_DIVISION_PLACER_HPP
#define SNUG_POOLS_DIVISION_PLACER_HPP

#include "snug/config.hpp"
#include "snug/explain/spots.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class DivisionPlacer {
 public:
  static constexpr std::int64_t kNoCost =
      (std::numeric_limits<std::int64_t>::max)() / 2;

  /// Both must outlive the placer. The last column of the costs is elsewhere.
  DivisionPlacer(PoolSet<M>& pools, const CostTable& costs)
      : pools_(&pools),
        costs_(&costs),
        elsewhere_(static_cast<Index>(pools.size())) {}

  /// Of the cheapest division that was placed; kNoCost if there is none.
  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  /// The column of each item.
  [[nodiscard]] const List<Index>& division() const noexcept {
    return division_;
  }
  /// Of each buffer in its pool; kAbsent elsewhere.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept {
    return offsets_;
  }

  /// kNoCost if an item is where it may not be.
  [[nodiscard]] std::int64_t cost_of(const List<Index>& division) const {
    const std::int64_t cost = costs_->cost_of(division);
    return cost == CostTable::kNever ? kNoCost : cost;
  }

  /// Places all pools of a division with at most `nodes` nodes a try.
  [[nodiscard]] Outcome place(const List<Index>& division, std::int64_t nodes,
                              Effort how) {
    std::vector<std::int64_t> offsets(pools_->buffers(), kAbsent);
    bool is_refuted = false;
    for (Index p = 0; p < elsewhere_; ++p) {
      const std::vector<std::size_t> buffers = pools_->buffers_in(p, division);
      const Trial trial = place_in(p, buffers, nodes, how);
      if (trial.outcome == Outcome::kOpen) return Outcome::kOpen;
      is_refuted = is_refuted || trial.outcome == Outcome::kRefuted;
      if (is_refuted && how == Effort::kPlace) return Outcome::kRefuted;
      if (!is_refuted) put_back(buffers, trial.offsets, offsets);
    }
    if (is_refuted) return Outcome::kRefuted;
    note(division, offsets);
    return Outcome::kPlacedAll;
  }
  [[nodiscard]] bool has_placed(const List<Index>& division,
                                std::int64_t nodes) {
    return place(division, nodes, Effort::kPlace) == Outcome::kPlacedAll;
  }

  /// How many divisions were neither placed nor refuted.
  [[nodiscard]] std::int64_t undecided() const noexcept { return undecided_; }

  /// Keeps a division that is placed, if it is the cheapest so far.
  void note(const List<Index>& division,
            const std::vector<std::int64_t>& offsets) {
    const std::int64_t cost = cost_of(division);
    if (cost >= cost_) return;
    cost_ = cost;
    division_ = division;
    offsets_ = offsets;
  }

  /// Moves what is dearer than need be in division() to a cheaper pool, where
  /// that can be placed, until nothing can be cheaper than `bound`.
  void move_back(std::int64_t nodes, std::int64_t bound) {
    List<double> gains(division_.size(), 0);  // For their sizes.
    List<Index> order;
    for (Index i = 0; i < division_.size(); ++i)
      for (Index p = 0; p < elsewhere_; ++p)
        if (is_cheaper(i, p, division_[i])) {
          gains[i] = gain_for_size(i, division_[i], p);
          order.push_back(i);
          break;
        }
    sort_descending(order, [&](Index i) { return gains[i]; });
    PoolRooms rooms = pools_->rooms_left_by(division_);
    for (const Index i : order)
      for (Index p = 0; p < elsewhere_; ++p) {
        if (cost_ <= bound || pools_->budget().is_spent()) return;
        const Index last = division_[i];
        if (!is_cheaper(i, p, last) ||
            !pools_->loads()[p].has_room(i, 1, rooms[p]) ||
            !has_moved(i, p, nodes))
          continue;
        pools_->loads()[p].take(i, 1, rooms[p]);
        if (last != elsewhere_) pools_->loads()[last].take(i, -1, rooms[last]);
      }
  }

 private:
  static constexpr std::size_t kBuffersForNode = 16;

  [[nodiscard]] Trial place_in(Index pool,
                               const std::vector<std::size_t>& buffers,
                               std::int64_t nodes, Effort how) {
    // What a solve does before its first node counts as well.
    if (!pools_->budget().is_spent())
      pools_->budget().add_nodes(
          static_cast<std::int64_t>(buffers.size() / kBuffersForNode) + 1);
    Trial trial = pools_->place(pool, buffers, nodes, how);
    if (trial.outcome == Outcome::kOpen) ++undecided_;
    return trial;
  }
  /// Moves an item of division() to another pool if that can be placed with it.
  /// Where it was, what remains stays where it is.
  [[nodiscard]] bool has_moved(Index i, Index pool, std::int64_t nodes) {
    const Index last = std::exchange(division_[i], pool);
    const std::vector<std::size_t> buffers =
        pools_->buffers_in(pool, division_);
    const Trial trial = place_in(pool, buffers, nodes, Effort::kPlace);
    if (trial.outcome != Outcome::kPlacedAll) {
      division_[i] = last;
      return false;
    }
    put_back(buffers, trial.offsets, offsets_);
    cost_ += costs_->at(i, pool) - costs_->at(i, last);
    return true;
  }

  [[nodiscard]] bool is_cheaper(Index i, Index pool, Index than) const {
    return costs_->allows(i, pool) && costs_->at(i, pool) < costs_->at(i, than);
  }
  [[nodiscard]] double gain_for_size(Index i, Index from, Index to) const {
    return rounded(
        static_cast<double>(costs_->at(i, from) - costs_->at(i, to)) /
        pools_->area_of(i));
  }

  PoolSet<M>* pools_;
  const CostTable* costs_;
  Index elsewhere_;
  std::int64_t cost_ = kNoCost;
  std::int64_t undecided_ = 0;
  List<Index> division_{};
  std::vector<std::int64_t> offsets_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_DIVISION_PLACER_HPP
