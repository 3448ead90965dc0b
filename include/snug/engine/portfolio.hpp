// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs of the search under one strategy after another, until one of them
/// places everything or proves that it cannot be done.
///
/// Run i has n + n * luby(i) nodes. The first runs take the strategies in
/// turn; later ones take one at random and multiply every preorder key by a
/// random factor in [0.8, 1.2]. Failed states and weights are kept from run to
/// run. With restarts switched off, the first strategy runs to the end.
///
/// Source: Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas
/// algorithms" (1993).
#ifndef SNUG_ENGINE_PORTFOLIO_HPP
#define SNUG_ENGINE_PORTFOLIO_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/luby.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What comes next: strategies in turn, then at random.
class Turns {
 public:
  /// `usual`: the strategies where the options name none.
  Turns(const Options& options, std::string_view usual)
      : strategies_(options.strategies),
        random_(options.seed),
        restarts_(options.rules.restarts) {
    if (strategies_.count == 0) strategies_ = Strategies(usual);
  }

  /// Goes on to the next run.
  void advance() {
    turn_ = static_cast<std::size_t>(run_++);
    if (is_random())
      turn_ = random_.below(static_cast<std::uint32_t>(strategies_.count));
  }
  /// Whether the run's preorder is to be shaken.
  [[nodiscard]] bool is_random() const noexcept {
    return run_ > static_cast<std::int64_t>(strategies_.count);
  }
  [[nodiscard]] const Strategy& strategy() const noexcept {
    return strategies_.strategy[turn_];
  }
  [[nodiscard]] Random& random() noexcept { return random_; }
  /// The nodes that the run may have in a search of `buffers` buffers.
  [[nodiscard]] std::int64_t nodes(std::int64_t buffers) const noexcept {
    return restarts_ ? buffers + buffers * luby(run_)
                     : (std::numeric_limits<std::int64_t>::max)();
  }

 private:
  Strategies strategies_;
  Random random_;
  bool restarts_;
  std::int64_t run_ = 0;
  std::size_t turn_ = 0;
};

/// The searches of one instance at its capacity.
template <class Lane>
class Portfolio {
 public:
  /// All of these must outlive the portfolio. `usual`: see Turns.
  Portfolio(const Instance<Lane>& instance, const Options& options,
            std::string_view usual, Stats& stats, Limits& limits,
            Memory& memory)
      : instance_(&instance),
        options_(&options),
        usual_(usual),
        stats_(&stats),
        turns_(options, usual),
        search_(instance, options, stats, limits, memory) {}

  /// Makes one run. kStopped: it ran out of its nodes, or hit a limit.
  [[nodiscard]] Outcome run() {
    constexpr double kNoise = 0.2;
    turns_.advance();
    if (turns_.is_random())
      search_.chooser().shake(*instance_, turns_.random(), kNoise);
    search_.chooser().use(*instance_, turns_.strategy());
    turns_.strategy().write(stats_->strategy);
    ++stats_->runs;
    return search_.run(turns_.nodes(instance_->size));
  }

  /// Goes on at a lower capacity, with all that was learnt, but from the first
  /// strategy again. `instance` is the one that the searches are of.
  void lower_capacity(Instance<Lane>& instance, Lane capacity) {
    turns_ = Turns(*options_, usual_);
    search_.chooser().calm(instance);
    search_.lower_capacity(static_cast<Lane>(instance.capacity - capacity));
    instance.capacity = capacity;
  }

  [[nodiscard]] const State<Lane>& state() const noexcept {
    return search_.state();
  }
  /// See Search::refuted().
  [[nodiscard]] const Word* refuted() const noexcept {
    return search_.refuted();
  }

 private:
  const Instance<Lane>* instance_;
  const Options* options_;
  std::string_view usual_;
  Stats* stats_;
  Turns turns_;
  Search<Lane> search_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_PORTFOLIO_HPP
