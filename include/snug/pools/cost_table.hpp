// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each item costs in each pool, in units that searches can add up.
///
/// Costs of any type become integers: multiplied by a power of two such that
/// all that is ever paid together is close to kMostSum, and rounded down. So a
/// bound in units is one of the costs, too. Integers with a larger sum are
/// first divided by what divides them all: round numbers lose nothing.
///
/// What an item costs at the least is paid in any case, and is no part of it:
///
///     costs      2^60 + 3, 2^60, never        paid at the least  2^60, 4
///                       4,    5, 9            in the table       3, 0, never
///                                                                0, 1, 5
#ifndef SNUG_POOLS_COST_TABLE_HPP
#define SNUG_POOLS_COST_TABLE_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Columns are pools, and elsewhere as the last one.
struct CostTable {
  static constexpr std::int64_t kNever = -1;
  static constexpr std::int64_t kMostSum = std::int64_t{1} << 44;
  /// What it costs a walk if an item is where it is never to be: more than all else.
  static constexpr std::int64_t kMissing = 2 * kMostSum;

  std::size_t items = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> costs{};  ///< by item, then by column

  CostTable(std::size_t item_count, std::size_t column_count)
      : items(item_count),
        columns(column_count),
        costs(item_count * column_count, kNever) {}

  /// Where all that is listed by item and then by column has that of these.
  [[nodiscard]] std::size_t index(std::size_t item,
                                  std::size_t column) const noexcept {
    return item * columns + column;
  }
  [[nodiscard]] std::int64_t& at(std::size_t item, std::size_t column) {
    return costs[index(item, column)];
  }
  [[nodiscard]] std::int64_t at(std::size_t item,
                                std::size_t column) const noexcept {
    return costs[index(item, column)];
  }
  [[nodiscard]] bool allows(std::size_t item,
                            std::size_t column) const noexcept {
    return at(item, column) != kNever;
  }
  /// What a walk pays for an item in a column, allowed or not.
  [[nodiscard]] std::int64_t paid_at(std::size_t item,
                                     std::size_t column) const noexcept {
    return allows(item, column) ? at(item, column) : kMissing;
  }
  /// What an item costs at least and at most; {kMostSum, 0} if it may be nowhere.
  [[nodiscard]] Interval<std::int64_t> range_of(std::size_t item) const {
    Interval<std::int64_t> range{kMostSum, 0};
    for (std::size_t c = 0; c < columns; ++c)
      if (allows(item, c)) {
        range.lower = (std::min)(range.lower, at(item, c));
        range.upper = (std::max)(range.upper, at(item, c));
      }
    return range;
  }
  /// Whether an item may be in several columns.
  [[nodiscard]] bool is_open(std::size_t item) const noexcept {
    std::size_t count = 0;
    for (std::size_t c = 0; c < columns; ++c)
      if (allows(item, c)) ++count;
    return count > 1;
  }
  /// Of a division, the column of each item; kNever if one may not be in its own.
  template <class Columns>
  [[nodiscard]] std::int64_t cost_of(const Columns& division) const {
    std::int64_t cost = 0;
    for (std::size_t i = 0; i < items; ++i) {
      if (!allows(i, division[i])) return kNever;
      cost += at(i, division[i]);
    }
    return cost;
  }
  /// The largest cost; 0 if there is none.
  [[nodiscard]] std::int64_t most() const {
    std::int64_t most = 0;
    for (const std::int64_t cost : costs) most = (std::max)(most, cost);
    return most;
  }
};

/// What divides `divisor` and `cost`, both not negative; 0 divides with all.
template <class Cost>
[[nodiscard]] Cost common_divisor(Cost divisor, Cost cost) {
  if constexpr (std::is_integral_v<Cost>)
    return std::gcd(divisor, cost);
  else
    return Cost{1};
}

/// The unit for costs that are not negative, of which at most `sum` is paid.
template <class Cost>
class CostScale {
 public:
  /// All costs are multiples of `divisor`, which counts for integers only.
  explicit CostScale(Cost sum, Cost divisor = 1) {
    if constexpr (std::is_integral_v<Cost>) {
      constexpr auto kMost = static_cast<std::uint64_t>(CostTable::kMostSum);
      // Bounds are multiples of it, and so are costs in another unit alike.
      if (divisor > 0) divisor_ = divisor;
      const auto most = static_cast<std::uint64_t>(sum / divisor_);
      while (most >> -power_ > kMost) --power_;
      while (power_ >= 0 && power_ < kMostPower &&
             most <= kMost >> (power_ + 1))
        ++power_;
    } else if (sum > 0) {
      constexpr auto kMost = static_cast<Cost>(CostTable::kMostSum);
      for (; sum >= kMost; sum /= 2) --power_;
      for (; sum < kMost / 2; sum *= 2) ++power_;
      // Of two factors, as one may be more than the type holds.
      const int half = power_ / 2;
      up_ = {power_of_two(half), power_of_two(power_ - half)};
      down_ = {power_of_two(-half), power_of_two(half - power_)};
    }
  }

  /// Whether nothing is lost by rounding.
  [[nodiscard]] bool is_exact() const noexcept {
    return std::is_integral_v<Cost> && power_ >= 0;
  }
  [[nodiscard]] std::int64_t scale(Cost cost) const {
    if constexpr (std::is_integral_v<Cost>)
      return power_ < 0 ? std::int64_t{cost / divisor_} >> -power_
                        : std::int64_t{cost / divisor_} << power_;
    else
      return static_cast<std::int64_t>(cost * up_.first * up_.second);
  }
  /// At most every cost that is at least so much in units.
  [[nodiscard]] Cost unscale(std::int64_t bound) const {
    if constexpr (std::is_integral_v<Cost>) {
      if (power_ < 0) return static_cast<Cost>(divisor_ * (bound << -power_));
      const std::int64_t rest = bound & ((std::int64_t{1} << power_) - 1);
      return static_cast<Cost>(divisor_ *
                               ((bound >> power_) + (rest != 0 ? 1 : 0)));
    } else {
      return static_cast<Cost>(bound) * down_.first * down_.second;
    }
  }

 private:
  static constexpr int kMostPower = 44;

  struct Factors {
    Cost first;
    Cost second;
  };
  [[nodiscard]] static Cost power_of_two(int exponent) {
    Cost power = 1;
    for (; exponent > 0; --exponent) power *= 2;
    for (; exponent < 0; ++exponent) power /= 2;
    return power;
  }

  Cost divisor_ = 1;
  int power_ = 0;
  Factors up_{1, 1};
  Factors down_{1, 1};
};

/// The table of some costs, without what is paid in any case.
template <class Cost>
class ScaledCosts {
 public:
  /// cost_of(item, column) points to a cost; null: never.
  template <class CostOf>
  ScaledCosts(std::size_t items, std::size_t columns, CostOf&& cost_of)
      : table_(items, columns) {
    std::vector<Cost> least(items);
    Cost sum{};
    Cost divisor{};
    for (std::size_t i = 0; i < items; ++i) {
      const Cost* low = nullptr;
      const Cost* high = nullptr;
      for (std::size_t k = 0; k < columns; ++k) {
        const Cost* const cost = cost_of(i, k);
        if (cost == nullptr) continue;
        if (low == nullptr || *cost < *low) low = cost;
        if (high == nullptr || *high < *cost) high = cost;
      }
      if (low == nullptr) continue;
      least[i] = *low;
      least_ += *low;
      sum += *high - *low;
      for (std::size_t k = 0; k < columns; ++k)
        if (const Cost* const cost = cost_of(i, k))
          divisor = common_divisor<Cost>(divisor, *cost - *low);
    }
    scale_ = CostScale<Cost>(sum, divisor);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t k = 0; k < columns; ++k)
        if (const Cost* const cost = cost_of(i, k))
          table_.at(i, k) = scale_.scale(*cost - least[i]);
  }

  [[nodiscard]] const CostTable& table() const noexcept { return table_; }
  /// Whether nothing is lost by rounding.
  [[nodiscard]] bool is_exact() const noexcept { return scale_.is_exact(); }
  /// What all cost at the least where the table says that they do.
  [[nodiscard]] Cost bound(std::int64_t units) const {
    return least_ + scale_.unscale(units);
  }

 private:
  CostTable table_;
  Cost least_{};
  CostScale<Cost> scale_{Cost{}};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_COST_TABLE_HPP
