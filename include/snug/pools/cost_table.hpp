// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each item costs in each pool, in units that searches can add up.
///
/// Costs of any type become integers: multiplied by a power of two such that all
/// that is ever paid together is close to kMostSum, and rounded down. So a bound
/// in units is one of the costs, too.
#ifndef SNUG_POOLS_COST_TABLE_HPP
#define SNUG_POOLS_COST_TABLE_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Columns are pools, and elsewhere as the last one.
struct CostTable {
  static constexpr std::int64_t kNever = -1;
  static constexpr std::int64_t kMostSum = std::int64_t{1} << 44;

  std::size_t items = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> costs{};  ///< by item, then by column

  CostTable(std::size_t item_count, std::size_t column_count)
      : items(item_count),
        columns(column_count),
        costs(item_count * column_count, kNever) {}

  [[nodiscard]] std::int64_t& at(std::size_t item, std::size_t column) {
    return costs[item * columns + column];
  }
  [[nodiscard]] std::int64_t at(std::size_t item,
                                std::size_t column) const noexcept {
    return costs[item * columns + column];
  }
  [[nodiscard]] bool allows(std::size_t item,
                            std::size_t column) const noexcept {
    return at(item, column) != kNever;
  }
  /// The largest cost; 0 if there is none.
  [[nodiscard]] std::int64_t most() const {
    std::int64_t most = 0;
    for (const std::int64_t cost : costs) most = (std::max)(most, cost);
    return most;
  }
};

/// The unit for costs that are not negative, of which at most `sum` is ever paid.
template <class Cost>
class CostScale {
 public:
  explicit CostScale(Cost sum) {
    if constexpr (std::is_integral_v<Cost>) {
      const auto most = static_cast<std::uint64_t>(sum);
      constexpr auto kMost = static_cast<std::uint64_t>(CostTable::kMostSum);
      while (most >> -power_ > kMost) --power_;
      while (power_ >= 0 && power_ < kMostPower &&
             most <= kMost >> (power_ + 1))
        ++power_;
    } else if (sum > 0) {
      int exponent = 0;
      (void)std::frexp(sum, &exponent);
      power_ = kMostPower - exponent;
    }
  }

  /// Whether nothing is lost by rounding.
  [[nodiscard]] bool is_exact() const noexcept {
    return std::is_integral_v<Cost> && power_ >= 0;
  }
  [[nodiscard]] std::int64_t scale(Cost cost) const {
    if constexpr (std::is_integral_v<Cost>)
      return power_ < 0 ? std::int64_t{cost} >> -power_
                        : std::int64_t{cost} << power_;
    else
      return static_cast<std::int64_t>(std::ldexp(cost, power_));
  }
  /// At most every cost that is at least so much in units.
  [[nodiscard]] Cost unscale(std::int64_t bound) const {
    if constexpr (std::is_integral_v<Cost>)
      return static_cast<Cost>(
          power_ < 0
              ? bound << -power_
              : (bound >> power_) +
                    ((bound & ((std::int64_t{1} << power_) - 1)) != 0 ? 1 : 0));
    else
      return std::ldexp(static_cast<Cost>(bound), -power_);
  }

 private:
  static constexpr int kMostPower = 44;

  int power_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_COST_TABLE_HPP
