// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pools that are alike, such as banks of one memory, taken as one pool:
///
///     pools      bank  bank  slow          a buffer costs the same in each bank
///     column      0     0     1            and has the same placements there
///     room      that of both  its own
///
/// A division among all pools is one among the columns that costs the same, and
/// what sections, cores and cuts hold together is at most the sum of their rooms.
/// So a bound on divisions among the columns is one on those among the pools. A
/// linear program over the columns cannot evade cuts by having half of everything
/// in either bank, and so comes to a good bound much sooner; one over the pools,
/// which may keep apart what is in different banks, to a better one in the end.
///
/// Cost: that of copying costs and loads.
#ifndef SNUG_POOLS_EQUAL_POOLS_HPP
#define SNUG_POOLS_EQUAL_POOLS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class EqualPools {
 public:
  /// A column for each pool; the last one of the costs is elsewhere.
  explicit EqualPools(const CostTable& costs)
      : firsts_(numbers_below(costs.columns - 1)),
        copies_(costs.columns - 1, 1),
        costs_(costs) {}
  /// alike[p] is the first pool with the same placements as pool p, and with the
  /// same loads, also later on.
  EqualPools(const CostTable& costs, const List<Index>& alike) : costs_(costs) {
    for (Index p = 0; p < alike.size(); ++p) {
      std::size_t column = 0;
      while (column < size() && !joins(costs, alike, p, column)) ++column;
      if (column == size()) {
        firsts_.push_back(p);
        copies_.push_back(0);
      }
      ++copies_[column];
    }
    costs_ = CostTable(costs.items, size() + 1);
    for (std::size_t i = 0; i < costs.items; ++i) {
      for (std::size_t c = 0; c < size(); ++c)
        costs_.at(i, c) = costs.at(i, firsts_[c]);
      costs_.at(i, size()) = costs.at(i, alike.size());
    }
  }

  /// How many columns there are, without elsewhere.
  [[nodiscard]] std::size_t size() const noexcept { return firsts_.size(); }
  /// How many pools a column is made of.
  [[nodiscard]] std::int64_t copies(std::size_t column) const noexcept {
    return copies_[column];
  }
  [[nodiscard]] const CostTable& costs() const noexcept { return costs_; }
  /// What the columns hold, given the loads of the pools.
  [[nodiscard]] std::vector<PoolLoads> join(
      const std::vector<PoolLoads>& pools) const {
    std::vector<PoolLoads> joined;
    for (std::size_t c = 0; c < size(); ++c) {
      joined.push_back(pools[firsts_[c]]);
      for (std::int64_t& room : joined.back().room) room *= copies_[c];
    }
    return joined;
  }

 private:
  /// More pools than that become several columns, so that no sum overflows.
  static constexpr std::int64_t kMostCopies = 16;

  [[nodiscard]] bool joins(const CostTable& costs, const List<Index>& alike,
                           Index pool, std::size_t column) const {
    const Index first = firsts_[column];
    if (alike[first] != alike[pool] || copies_[column] == kMostCopies)
      return false;
    for (std::size_t i = 0; i < costs.items; ++i)
      if (costs.at(i, first) != costs.at(i, pool)) return false;
    return true;
  }

  List<Index> firsts_{};                ///< pool of each column
  std::vector<std::int64_t> copies_{};  ///< of each column
  CostTable costs_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_EQUAL_POOLS_HPP
