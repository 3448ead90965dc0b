// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A lower bound on the cost of all demands together: that of choosing pairs in
/// part, by its Lagrangian dual.
///
/// Each demand d gets a price y(d) >= 0 for what it needs, and each pair p costs
/// what it costs less the prices of what it is worth:
///
///     bound(y) = sum over d of y(d) * needed(d)
///              + sum over p of min(0, cost(p) - sum over d of y(d) * worth(d, p))
///
/// is at most the cost of any choice that meets the demands, for any prices.
/// They follow the subgradient, needed(d) less the worth of the pairs whose
/// reduced cost is negative (support/subgradient.hpp).
///
/// Demands are scaled such that kNeeded is needed and the worths are rounded up;
/// costs are rounded down to multiples of 2^shift, or scaled up, so that prices are as
/// fine whatever the costs are; prices are integers. So the bound is computed exactly,
/// in integers.
///
/// From the number of pairs that it takes at least to meet a demand follows a
/// second one, in which all pairs are worth the same: what LPs lack most is that
/// pairs pay in full.
///
/// Cost: linear in the pairs of all demands an iteration.
#ifndef SNUG_PENALTY_DUAL_BOUND_HPP
#define SNUG_PENALTY_DUAL_BOUND_HPP

#include "snug/config.hpp"
#include "snug/penalty/cover.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/subgradient.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class DualBound {
 public:
  /// Costs are not negative and sum up to 2^62 at most.
  explicit DualBound(const std::vector<std::int64_t>& costs)
      : chosen_(costs.size(), 0), reduced_(costs.size(), 0) {
    std::int64_t sum = 0;
    for (const std::int64_t cost : costs) sum += cost;
    while (sum >> shift_ > kMostCost) ++shift_;
    while (sum != 0 && sum <= kFineCost / 2) {
      sum *= 2;
      scale_ *= 2;
    }
    for (const std::int64_t cost : costs)
      costs_.push_back((cost >> shift_) * scale_);
  }

  void add(const Demand& demand) {
    constexpr std::int64_t kMost = std::int64_t{1} << 52;
    if (demand.needed > kMost) return;
    std::int64_t left = demand.needed;
    std::vector<std::int64_t> worth = demand.worth;
    heap_sort(worth);
    std::int64_t count = 0;
    for (std::size_t k = worth.size(); k-- > 0 && left > 0; ++count)
      left -= worth[k];
    const bool is_even = worth.empty() || worth.front() == worth.back();
    const auto add_row = [&](auto&& worth_of) {
      for (std::size_t k = 0; k < demand.pairs.size(); ++k) {
        const auto pair = static_cast<std::uint32_t>(demand.pairs[k]);
        rows_.push_back({pair, worth_of(k)});
      }
      rows_.end_row();
      price_.push_back(0);
      best_price_.push_back(0);
      direction_.push_back(0);
    };
    if (!is_even)
      add_row([&](std::size_t k) {
        return (demand.worth[k] * kNeeded + demand.needed - 1) / demand.needed;
      });
    add_row([&](std::size_t) { return (kNeeded + count - 1) / count; });
  }

  [[nodiscard]] std::size_t demands() const noexcept { return price_.size(); }
  /// The pairs of all demands.
  [[nodiscard]] std::size_t size() const noexcept { return rows_.all().size(); }
  /// No choice costs less.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// Whether a pair was chosen in at least half of the last iterations.
  [[nodiscard]] bool is_chosen(std::size_t p) const noexcept {
    return 2 * chosen_[p] >= iterations_;
  }

  /// Improves the prices for some iterations, `target` being a cost that can be
  /// had; stop() ends it early.
  void raise(std::int64_t iterations, std::int64_t target,
             const Interrupt& stop) {
    std::fill(chosen_.begin(), chosen_.end(), 0);
    iterations_ = iterations;
    price_ = best_price_;
    std::fill(direction_.begin(), direction_.end(), 0);
    std::int64_t best = evaluate();
    std::int64_t stalled = 0;
    double pace = 1;
    for (std::int64_t k = 0; k < iterations; ++k) {
      const std::int64_t value = k == 0 ? best : evaluate();
      if (value > best) {
        best = value;
        best_price_ = price_;
        stalled = 0;
      } else if (++stalled >= 16) {
        pace *= 0.5;
        stalled = 0;
      }
      const std::int64_t gap =
          ((target >> shift_) + (shift_ > 0 ? 1 : 0)) * scale_ - value;
      if (gap <= 0 || stop() || !step(pace, gap)) break;
    }
    // What is above a multiple of the unit counts as the next one.
    const std::int64_t rounded = (best + scale_ - 1) / scale_;
    bound_ = (std::max)(bound_, rounded << shift_);
  }

 private:
  static constexpr std::int64_t kNeeded = 1024;
  static constexpr std::int64_t kPart = 32;  ///< so that squares fit
  static constexpr std::int64_t kLeastScale = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostCost = std::int64_t{1} << 30;
  /// Of all pairs; prices far below most_price() are as fine as they need be.
  static constexpr std::int64_t kFineCost = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostPrice = std::int64_t{1} << 40;
  static constexpr std::int64_t kLeastValue = -(std::int64_t{1} << 60);

  struct Entry {
    std::uint32_t pair;
    std::int64_t worth;
  };

  /// The bound at the prices as they are; notes which pairs are chosen.
  [[nodiscard]] std::int64_t evaluate() {
    reduced_ = costs_;
    std::int64_t value = 0;
    for (std::size_t d = 0; d < price_.size(); ++d) {
      if (price_[d] == 0) continue;
      value += price_[d] * kNeeded;
      for (const auto& [pair, worth] : rows_[d])
        reduced_[pair] -= price_[d] * worth;
    }
    for (std::size_t p = 0; p < reduced_.size(); ++p) {
      if (reduced_[p] >= 0) continue;
      // Below 0 it says nothing, and this far from the end no sum overflows.
      value = (std::max)(value + reduced_[p], kLeastValue);
      ++chosen_[p];
    }
    return value;
  }

  /// One step of the prices; false at a standstill.
  [[nodiscard]] bool step(double pace, std::int64_t gap) {
    const auto slope_at = [&](std::size_t d) {
      std::int64_t slope = kNeeded;
      for (const auto& [pair, worth] : rows_[d])
        if (reduced_[pair] < 0) slope -= worth;
      return slope;
    };
    const double length = turn_direction(
        direction_, price_, pace * static_cast<double>(gap), kPart, slope_at);
    bool moved = false;
    for (std::size_t d = 0; d < price_.size(); ++d) {
      const auto change = static_cast<std::int64_t>(
          rounded(length * static_cast<double>(direction_[d])));
      const std::int64_t next = (std::min)(
          (std::max)(price_[d] + change, std::int64_t{0}), most_price());
      moved = moved || next != price_[d];
      price_[d] = next;
    }
    return moved;
  }

  /// Such that no sum over all demands overflows, nor what one pair is reduced by.
  [[nodiscard]] std::int64_t most_price() const noexcept {
    return kMostPrice / static_cast<std::int64_t>(price_.size() + 1);
  }

  int shift_ = 0;
  std::int64_t scale_ = kLeastScale;
  std::vector<std::int64_t> costs_{};
  Rows<Entry> rows_{};  ///< of each demand
  std::vector<std::int64_t> price_{};
  std::vector<std::int64_t> best_price_{};
  std::vector<std::int64_t> direction_{};
  std::vector<std::int64_t> chosen_;
  std::int64_t iterations_ = 0;
  std::vector<std::int64_t> reduced_;
  std::int64_t bound_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_DUAL_BOUND_HPP
