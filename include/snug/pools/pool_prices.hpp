// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The prices of sections, cores and cuts together, as these come along.
///
///     loads     sections   cores ...           as others find them
///     priced    sections   cuts  cores  cuts   with the prices of before
///
/// Cost: that of load_bound.hpp for some hundred iterations a time.
#ifndef SNUG_POOLS_POOL_PRICES_HPP
#define SNUG_POOLS_POOL_PRICES_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/load_cuts.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PoolPrices {
 public:
  /// The costs must outlive the prices.
  explicit PoolPrices(const CostTable& costs) : costs_(&costs) {}
  PoolPrices(const PoolPrices&) = delete;
  PoolPrices& operator=(const PoolPrices&) = delete;

  /// Those of the last call of raise(), which must have been called.
  [[nodiscard]] const LoadBound& prices() const { return *prices_; }
  [[nodiscard]] std::int64_t bound() const { return prices_->bound(); }
  /// With the cuts.
  [[nodiscard]] const std::vector<PoolLoads>& loads() const noexcept {
    return priced_;
  }

  /// Takes over the loads, or what was added to them since the last time.
  void follow(const std::vector<PoolLoads>& loads) {
    follow_loads(loads, known_, priced_);
  }

  /// Improves the prices; see LoadBound::raise(). Those of many sections begin
  /// with blocks.
  void raise(std::int64_t target, const Interrupt& stop) {
    constexpr std::int64_t kIterations = 512;
    constexpr Index kMany = 512;
    LoadBound next(priced_, *costs_);
    Index sections = 0;
    for (const PoolLoads& loads : priced_)
      sections = (std::max)(sections, loads.sections);
    if (prices_)
      next.inherit(*prices_);
    else if (sections > kMany)
      for (Index width = sections / 4; width > 1 && !stop(); width /= 4)
        next.raise(kIterations / 4, target, stop, width);
    next.raise(kIterations, target, stop);
    prices_.emplace(std::move(next));
  }

  /// Adds cuts, of about so many bytes, and improves the prices as long as that
  /// helps.
  void cut(std::int64_t target, std::size_t bytes, const Interrupt& stop) {
    constexpr int kRounds = 24;
    constexpr std::size_t kMostParts = std::size_t{1} << 20;
    const std::size_t most_parts =
        (std::min)(bytes / sizeof(LoadPart), kMostParts);
    for (int round = 0; round < kRounds && bound() < target; ++round) {
      if (stop()) return;
      const std::int64_t before = bound();
      bool is_new = false;
      for (std::size_t p = 0; p < priced_.size(); ++p)
        if (priced_[p].parts.all().size() < most_parts) {
          LoadCuts cuts(priced_[p], *prices_, p, 1);
          cuts.find_in_sections();
          is_new = cuts.add_to(priced_[p]) || is_new;
        }
      if (!is_new) return;
      raise(target, stop);
      if (bound() - before < before / 4096) return;
    }
  }

 private:
  const CostTable* costs_;
  std::vector<PoolLoads> priced_{};
  List<Index> known_{};  ///< sections of each pool's loads
  std::optional<LoadBound> prices_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_PRICES_HPP
