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
#include "snug/engine/preorder.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/engine/tree_search.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The i-th number of the Luby sequence 1 1 2 1 1 2 4 ..., i >= 1: lengths of runs
/// that are at most a logarithmic factor worse than the best ones, whatever these are.
[[nodiscard]] constexpr std::int64_t luby(std::int64_t i) noexcept {
  for (;;) {
    std::int64_t power = 1;
    while (2 * power - 1 < i) power *= 2;
    if (2 * power - 1 == i) return power;
    i -= power - 1;
  }
}

/// The strategy and the nodes of each run: strategies in turn, then at random.
class RestartSchedule {
 public:
  /// `usual`: the strategies where the options name none.
  RestartSchedule(const Options& options, const Strategies& usual)
      : strategies_(strategies_of(options, usual)),
        random_(options.seed),
        restarts_(rules_of(options).restarts) {}

  /// Goes on to the next run.
  void advance() {
    at_ = static_cast<std::size_t>(run_++);
    if (is_random())
      at_ = strategies_.once + random_.below(static_cast<std::uint32_t>(
                                   strategies_.count - strategies_.once));
  }
  /// Whether the run's preorder is to be shaken.
  [[nodiscard]] bool is_random() const noexcept {
    return run_ > static_cast<std::int64_t>(strategies_.count);
  }
  [[nodiscard]] const Strategy& strategy() const noexcept {
    return strategies_.strategy[at_];
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
  std::size_t at_ = 0;  ///< of the strategies
};

/// The searches of one instance at one capacity; `Model` is that of
/// engine/tree_search.hpp, and can
///
///     use(strategy)      choose by it from now on
///     shake(random, a)   multiply its keys by random factors, see Preorder
///     offsets()          of what was placed, after kPlacedAll
template <class Model>
class Portfolio {
 public:
  using Instance = typename Model::Instance;
  using Offset = typename Model::Offset;

  /// `instance`, and what `run` points at, must outlive the portfolio. `usual`:
  /// see RestartSchedule.
  Portfolio(const Instance& instance, Offset capacity, const Strategies& usual,
            const Run& run, Memory& memory)
      : run_(run),
        schedule_(*run.options, usual),
        model_(instance, capacity, rules_of(*run.options), memory),
        tree_(model_, run, memory) {}
  Portfolio(const Portfolio&) = delete;
  Portfolio& operator=(const Portfolio&) = delete;

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  /// See TreeSearch::refuted().
  [[nodiscard]] const Word* refuted() const noexcept { return tree_.refuted(); }

  /// Makes one run, or the rest of one that a limit stopped. kOpen: it ran out
  /// of its nodes, or hit a limit.
  [[nodiscard]] Outcome run() {
    if (tree_.is_paused()) return tree_.go_on();
    schedule_.advance();
    if (schedule_.is_random()) model_.shake(schedule_.random(), kNoise);
    model_.use(schedule_.strategy());
    write_name(schedule_.strategy(), run_.stats->strategy);
    ++run_.stats->runs;
    return tree_.run(schedule_.nodes(model_.size()));
  }

  /// Makes runs until the outcome is known, a limit is hit or `most_nodes` were
  /// needed, about.
  [[nodiscard]] Outcome run_all(std::int64_t most_nodes) {
    const std::int64_t start = run_.stats->nodes;
    Outcome outcome = Outcome::kOpen;
    while (outcome == Outcome::kOpen &&
           run_.limits->stopped_by() == Stop::kNone &&
           run_.stats->nodes - start < most_nodes)
      outcome = run();
    return outcome;
  }

 private:
  static constexpr std::int32_t kNoise = Preorder::kOne / 5;

  Run run_;
  RestartSchedule schedule_;
  Model model_;
  TreeSearch<Model> tree_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_PORTFOLIO_HPP
