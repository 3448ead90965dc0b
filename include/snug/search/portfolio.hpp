// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs of the search under one strategy after another, until one of them
/// places everything or proves that it cannot be done. See strategy.hpp.
#ifndef SNUG_SEARCH_PORTFOLIO_HPP
#define SNUG_SEARCH_PORTFOLIO_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/search/instance.hpp"
#include "snug/search/limits.hpp"
#include "snug/search/random.hpp"
#include "snug/search/search.hpp"
#include "snug/search/strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr double kNoise = 0.2;

/// Searches until a run ends by itself or a limit is hit.
template <class Lane>
[[nodiscard]] Outcome run_portfolio(Search<Lane>& search,
                                    const Instance<Lane>& instance,
                                    const Options& options, Stats& stats,
                                    const Limits& limits) {
  Strategies strategies(options.strategies);
  if (strategies.count == 0) strategies = Strategies(Options{}.strategies);
  Random random(options.seed);
  for (std::int64_t run = 1;; ++run) {
    std::size_t turn = static_cast<std::size_t>(run - 1);
    if (turn >= strategies.count) {
      turn = random.below(static_cast<std::uint32_t>(strategies.count));
      search.chooser().shake(instance, random, kNoise);
    }
    search.chooser().use(instance, strategies.strategy[turn]);
    ++stats.runs;
    const std::int64_t n = instance.size;
    const Outcome outcome = search.run(
        options.rules.restarts ? n + n * luby(run)
                               : (std::numeric_limits<std::int64_t>::max)());
    strategies.strategy[turn].write(stats.strategy);
    if (outcome != Outcome::kStopped || limits.status() != Status::kSolved)
      return outcome;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_PORTFOLIO_HPP
