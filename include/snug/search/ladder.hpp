// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lowest capacity at which a partition can be placed: searches at several
/// capacities, in turns.
///
/// Let the optimum be in [lowest, highest], where `lowest` was proved and a
/// placement of height `highest` is known. The ladder has up to three rungs,
/// each a portfolio of its own:
///
///     highest  ===  known
///              ---  rung 1: highest - 1, to come down from above
///              ---  rung 2: a third of the way up; every other run
///     lowest   ---  rung 0: near the load the section bound prunes hardest,
///                   and what is found there is optimal
///
/// A run that places everything brings `highest` down to its height, one that
/// refutes its capacity lifts `lowest` above it. Rungs that are no longer
/// between the two are lowered, or given up. A rung that is lowered keeps what
/// it has learnt, since a state that is refuted at one capacity is refuted at
/// every smaller one. It never rises.
///
/// Heights are multiples of the unit (instance.hpp), so capacities are counted
/// in units. Cost: that of the searches; memory for three of them.
#ifndef SNUG_SEARCH_LADDER_HPP
#define SNUG_SEARCH_LADDER_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/search/instance.hpp"
#include "snug/search/limits.hpp"
#include "snug/search/memory.hpp"
#include "snug/search/portfolio.hpp"
#include "snug/search/search.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Lane>
class Ladder {
 public:
  /// The capacity of `instance` is a height that is known to be possible;
  /// `lowest` one below which there is nothing.
  Ladder(const Instance<Lane>& instance, Lane lowest, const Options& options,
         Stats& stats, Limits& limits)
      : instance_(&instance),
        options_(&options),
        stats_(&stats),
        limits_(&limits),
        lowest_(lowest),
        highest_(instance.capacity) {}

  [[nodiscard]] Lane lowest() const noexcept { return lowest_; }
  [[nodiscard]] Lane highest() const noexcept { return highest_; }

  /// Searches until the optimum is known or a limit is hit. After each better
  /// placement calls found(offsets), an array in units by buffer.
  template <class Found>
  void climb(Found&& found) {
    for (std::size_t turn = 0;
         lowest_ < highest_ && limits_->status() == Status::kSolved; ++turn) {
      constexpr std::size_t kTurns[] = {0, 2, 1, 2};
      const std::size_t k = kTurns[turn % 4];
      Rung* const rung = set_up(k);
      if (rung == nullptr) continue;
      const Outcome outcome = rung->portfolio.run();
      if (outcome == Outcome::kPlacedAll) {
        highest_ = height(rung->portfolio.state());
        found(rung->portfolio.state().minimum);
      } else if (outcome == Outcome::kRefuted) {
        lowest_ = static_cast<Lane>(rung->instance.capacity + 1);
      }
    }
  }

  /// The most bytes that the rungs held.
  [[nodiscard]] std::size_t peak_bytes() const noexcept {
    std::size_t sum = 0;
    for (const std::unique_ptr<Rung>& rung : rungs_)
      if (rung) sum += rung->memory.peak_bytes();
    return (std::max)(sum, peak_);
  }

 private:
  static constexpr std::size_t kRungs = 3;
  static constexpr Lane kNone = -1;

  struct Rung {
    Rung(const Instance<Lane>& base, Lane capacity, const Options& options,
         Stats& stats, Limits& limits)
        : instance(with_capacity(base, capacity)),
          portfolio(instance, options, stats, limits, memory) {}

    [[nodiscard]] static Instance<Lane> with_capacity(Instance<Lane> base,
                                                      Lane capacity) {
      base.capacity = capacity;
      return base;
    }

    Memory memory;
    Instance<Lane> instance;
    Portfolio<Lane> portfolio;
  };

  /// The capacity that the k-th rung should have; kNone if it should not be.
  [[nodiscard]] Lane wanted(std::size_t k) const noexcept {
    const Lane gap = static_cast<Lane>(highest_ - lowest_);
    if (k == 0) return lowest_;
    if (k == 1) return gap > 1 ? static_cast<Lane>(highest_ - 1) : kNone;
    return gap > 3 ? static_cast<Lane>(lowest_ + gap / 3) : kNone;
  }

  /// The k-th rung where it should be, or null.
  [[nodiscard]] Rung* set_up(std::size_t k) {
    const Lane capacity = wanted(k);
    std::unique_ptr<Rung>& rung = rungs_[k];
    if (capacity != kNone && rung) {
      const Lane now = rung->instance.capacity;
      // The rung between may stay anywhere between.
      if (now == capacity || (k == 2 && lowest_ < now && now < highest_ - 1))
        return rung.get();
      if (now > capacity) {
        rung->portfolio.lower_capacity(rung->instance, capacity);
        return rung.get();
      }
    }
    peak_ = peak_bytes();
    rung.reset();
    if (capacity == kNone) return nullptr;
    rung = std::make_unique<Rung>(*instance_, capacity, *options_, *stats_,
                                  *limits_);
    return rung.get();
  }

  [[nodiscard]] Lane height(const State<Lane>& state) const noexcept {
    Lane highest = 0;
    for (Index x = 0; x < instance_->size; ++x)
      highest = (std::max)(highest, state.top(x));
    return highest;
  }

  const Instance<Lane>* instance_;
  const Options* options_;
  Stats* stats_;
  Limits* limits_;
  Lane lowest_;
  Lane highest_;
  std::size_t peak_ = 0;
  std::unique_ptr<Rung> rungs_[kRungs];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_LADDER_HPP
