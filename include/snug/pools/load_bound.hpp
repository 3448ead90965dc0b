// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A lower bound on the cost of dividing items among pools such that no section
/// of a pool holds more bytes than there are: that of dividing them in part, by
/// its Lagrangian dual, over all sections of all pools at once.
///
/// Each section s of a pool p asks a price y(p, s) >= 0 for each of its bytes,
/// so that an item in the pool costs what it costs and what its bytes do:
///
///     price(i, p) = cost(i, p) + sum over s of y(p, s) * bytes(i, p, s)
///     bound(y)    = sum over i of the least price(i, p) over all p
///                 - sum over p, s of y(p, s) * room(p, s)
///
/// is at most the cost of any division that fits, for any prices. With *elsewhere*,
/// a pool without end, that is the linear program of what to spill. Prices
/// follow the subgradient, the bytes too many in each section
/// (support/subgradient.hpp). Of many sections each moves by next to nothing, so at
/// first blocks of neighbours rise and sink as one, by their mean:
///
///     excess   5  3 -1  1     blocks of 2   4  4  0  0
///
/// All is computed exactly, in integers.
///
/// Cost: O(parts + sections) an iteration, sums over sections being differences.
/// Source: Held, Wolfe and Crowder, "Validation of subgradient optimization"
/// (Mathematical Programming, 1974).
#ifndef SNUG_POOLS_LOAD_BOUND_HPP
#define SNUG_POOLS_LOAD_BOUND_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/load_program.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/subgradient.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class LoadBound {
 public:
  /// Both must outlive the bound. The last column of the costs is elsewhere.
  LoadBound(const std::vector<PoolLoads>& pools, const CostTable& costs)
      : pools_(&pools),
        costs_(&costs),
        most_(kMostSum / static_cast<std::int64_t>(costs.items + 1)),
        shares_(costs.costs.size(), 0) {
    first_.push_back(0);
    for (const PoolLoads& loads : pools)
      first_.push_back(first_.back() + loads.sections);
    const std::size_t rows = first_.back();
    prices_.assign(rows, 0);
    best_prices_.assign(rows, 0);
    direction_.assign(rows, 0);
    excess_.assign(rows, 0);
    sums_.assign(rows + pools.size(), 0);
  }

  /// No division costs less, in the units of the table.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

  /// What an item costs in a column by the best prices so far, as far as it
  /// counts; the table's kNever if it is not allowed there.
  [[nodiscard]] std::int64_t price(std::size_t item, std::size_t column) const {
    if (!costs_->allows(item, column)) return CostTable::kNever;
    return (std::min)(price_of(item, column), most_);
  }

  /// All of them.
  [[nodiscard]] CostTable price_table() const {
    CostTable prices(costs_->items, costs_->columns);
    for (std::size_t i = 0; i < costs_->items; ++i)
      for (std::size_t c = 0; c < costs_->columns; ++c)
        prices.at(i, c) = price(i, c);
    return prices;
  }
  /// What an item gains by the prices if it is not where it costs most.
  [[nodiscard]] std::int64_t advantage(std::size_t item) const {
    std::int64_t least = CostTable::kMostSum;
    std::int64_t most = costs_->allows(item, pools_->size()) ? 0 : 2 * least;
    for (std::size_t c = 0; c < costs_->columns; ++c) {
      if (!costs_->allows(item, c)) continue;
      least = (std::min)(least, price(item, c));
      most = (std::max)(most, costs_->at(item, c));
    }
    return most - least;
  }
  /// The least of them.
  [[nodiscard]] std::int64_t least(std::size_t item) const {
    std::int64_t least = most_;
    for (std::size_t c = 0; c < costs_->columns; ++c)
      if (costs_->allows(item, c)) least = (std::min)(least, price_of(item, c));
    return least;
  }
  /// The price of a byte in a section.
  [[nodiscard]] std::int64_t price_at(std::size_t pool, Index section) const {
    return prices_[first_[pool] + section];
  }

  /// Goes on from the prices of a bound for the same pools, of which some have
  /// more sections now.
  void inherit(const LoadBound& other) {
    for (std::size_t p = 0; p < pools_->size(); ++p)
      std::copy(other.best_prices_.data() + other.first_[p],
                other.best_prices_.data() + other.first_[p + 1],
                best_prices_.data() + first_[p]);
    bound_ = other.bound_;
    shares_ = other.shares_;
  }

  /// Takes the prices and shares of a linear program over the same pools.
  void follow(const LoadProgram& program) {
    std::int64_t left = kMostPrices;
    for (std::size_t p = 0; p < pools_->size(); ++p)
      for (Index s = 0; s < (*pools_)[p].sections; ++s) {
        prices_[first_[p] + s] =
            nearest((std::min)(program.price(p, s), static_cast<double>(left)));
        left -= prices_[first_[p] + s];
      }
    best_prices_ = prices_;
    bound_ = (std::max)(evaluate(), std::int64_t{0});
    for (std::size_t i = 0; i < costs_->items; ++i)
      for (std::size_t c = 0; c < costs_->columns; ++c)
        shares_[costs_->index(i, c)] =
            nearest(program.share(i, c) * kWholeShare);
  }

  /// How much of an item was in a column, of kWholeShare, in a moving average
  /// over the iterations: close to the best division in part.
  static constexpr std::int64_t kWholeShare = std::int64_t{1} << 20;
  [[nodiscard]] std::int64_t share(std::size_t item, std::size_t column) const {
    return shares_[costs_->index(item, column)];
  }

  /// Improves the prices for some iterations, `target` being a cost that can be
  /// had; stop() ends it early. Blocks of `width` sections move as one.
  void raise(std::int64_t iterations, std::int64_t target,
             const Interrupt& stop, Index width = 1) {
    prices_ = best_prices_;
    std::fill(direction_.begin(), direction_.end(), 0);
    std::int64_t stalled = 0;
    double pace = 1;
    for (std::int64_t k = 0; k < iterations && !stop(); ++k) {
      const std::int64_t value = evaluate();
      if (k == 0 || value > bound_) {
        if (k > 0) stalled = 0;
        bound_ = (std::max)(bound_, value);
        best_prices_ = prices_;
      } else if (++stalled >= kPatience) {
        pace *= 0.5;
        stalled = 0;
        prices_ = best_prices_;
        std::fill(direction_.begin(), direction_.end(), 0);
        (void)evaluate();
      }
      // Aims a little higher than what there is; blocks are far from their end.
      const std::int64_t more = bound_ / 16 + costs_->most() / 256 + 1;
      const std::int64_t aim =
          width > 1 ? target : (std::min)(target, bound_ + more);
      if (width > 1) even_out(width);
      if (bound_ >= target || !step(pace, aim - value)) break;
    }
    prices_ = best_prices_;
    (void)evaluate();
  }

 private:
  static constexpr std::int64_t kMostSum = std::int64_t{1} << 60;
  /// Of all prices together, so that no product with a load overflows.
  static constexpr std::int64_t kMostPrices = std::int64_t{1} << 30;
  static constexpr std::int64_t kMostExcess = std::int64_t{1} << 30;
  static constexpr std::int64_t kPart = 1024;  ///< so that squares fit
  static constexpr std::int64_t kPatience = 24;
  static constexpr std::int64_t kMemory = 64;  ///< iterations

  /// An item's cost and that of its bytes.
  [[nodiscard]] std::int64_t price_of(std::size_t item,
                                      std::size_t column) const {
    std::int64_t price = costs_->at(item, column);
    if (column == pools_->size()) return price;
    const std::size_t sums = first_[column] + column;
    for (const LoadPart& part : (*pools_)[column].parts[item])
      price += part.bytes * (sums_[sums + part.sections.upper] -
                             sums_[sums + part.sections.lower]);
    return price;
  }

  /// The bound at the prices as they are, and the excess of each section.
  [[nodiscard]] std::int64_t evaluate() {
    std::int64_t value = 0;
    for (std::size_t p = 0; p < pools_->size(); ++p) {
      const PoolLoads& loads = (*pools_)[p];
      const std::size_t sums = first_[p] + p;
      for (Index s = 0; s < loads.sections; ++s) {
        const std::size_t row = first_[p] + s;
        sums_[sums + s + 1] = sums_[sums + s] + prices_[row];
        value -= prices_[row] * loads.room[s];
        excess_[row] = 0;
      }
    }
    for (std::size_t i = 0; i < costs_->items; ++i) value += put_cheaply(i);
    for (std::size_t p = 0; p < pools_->size(); ++p) {
      std::int64_t load = 0;
      for (Index s = 0; s < (*pools_)[p].sections; ++s) {
        load += excess_[first_[p] + s];
        excess_[first_[p] + s] =
            (std::min)(load - (*pools_)[p].room[s], kMostExcess);
      }
    }
    return value;
  }
  /// Puts an item where it costs least, and returns how much that is.
  std::int64_t put_cheaply(std::size_t item) {
    std::int64_t least = most_;
    std::size_t cheapest = costs_->columns;
    // The last of equal ones: what is dear in no pool is best left elsewhere.
    for (std::size_t c = 0; c < costs_->columns; ++c) {
      if (!costs_->allows(item, c)) continue;
      const std::int64_t price = price_of(item, c);
      if (price > least) continue;
      least = price;
      cheapest = c;
    }
    for (std::size_t c = 0; c < costs_->columns; ++c) {
      std::int64_t& share = shares_[costs_->index(item, c)];
      share += ((cheapest == c ? kWholeShare : 0) - share) / kMemory;
    }
    if (cheapest < pools_->size()) note_load(item, cheapest);
    return least;
  }
  /// Enters the bytes of an item as differences of neighbouring sections.
  void note_load(std::size_t item, std::size_t pool) {
    const PoolLoads& loads = (*pools_)[pool];
    for (const LoadPart& part : loads.parts[item]) {
      excess_[first_[pool] + part.sections.lower] += part.bytes;
      if (part.sections.upper < loads.sections)
        excess_[first_[pool] + part.sections.upper] -= part.bytes;
    }
  }

  /// Makes the excess of the sections of each block their mean.
  void even_out(Index width) {
    for (std::size_t p = 0; p < pools_->size(); ++p)
      for (std::size_t row = first_[p]; row < first_[p + 1]; row += width) {
        std::int64_t* const begin = excess_.data() + row;
        std::int64_t* const end =
            excess_.data() + (std::min)(row + width, first_[p + 1]);
        const std::int64_t sum = std::accumulate(begin, end, std::int64_t{0});
        std::fill(begin, end, sum / (end - begin));
      }
  }

  /// One step of the prices; false at a standstill.
  [[nodiscard]] bool step(double pace, std::int64_t gap) {
    const double length =
        turn_direction(direction_, prices_, pace * static_cast<double>(gap),
                       kPart, [&](std::size_t row) { return excess_[row]; });
    bool moved = false;
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < prices_.size(); ++row) {
      const double change =
          rounded(length * static_cast<double>(direction_[row]));
      const std::int64_t next =
          change >= kMostPrices
              ? kMostPrices
              : (std::max)(prices_[row] + static_cast<std::int64_t>(change),
                           std::int64_t{0});
      moved = moved || next != prices_[row];
      prices_[row] = next;
      sum = (std::min)(sum + next, 2 * kMostPrices);
      if (sum > kMostPrices) prices_[row] = 0;
    }
    return moved;
  }

  const std::vector<PoolLoads>* pools_;
  const CostTable* costs_;
  std::int64_t most_;                 ///< that counts of one item's price
  std::vector<std::size_t> first_{};  ///< row of each pool
  std::vector<std::int64_t> prices_{};
  std::vector<std::int64_t> best_prices_{};
  std::vector<std::int64_t> direction_{};
  std::vector<std::int64_t> excess_{};  ///< of each row, at the last prices
  std::vector<std::int64_t> sums_{};    ///< of prices, from 0 on for each pool
  std::vector<std::int64_t> shares_;    ///< by item, then by column
  std::int64_t bound_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_LOAD_BOUND_HPP
