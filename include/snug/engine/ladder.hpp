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
///              ---  the upper rung: a step below it
///              ---  the middle rung: halfway
///              ---  the lower rung: near the load the section bound prunes
///     lowest   ===  hardest, and what is found at `lowest` is optimal
///
/// A run that places everything brings `highest` down to its height, one that
/// refutes its capacity lifts `lowest` above it. A rung that is no longer
/// between the two is moved to where it should be.
///
/// Nobody knows how hard a capacity is: one may take a few nodes a buffer, and
/// one a little lower millions. So all rungs get the same number of nodes, and
/// the upper one finds its step: a quarter of the gap at most, doubled by a
/// success, halved when half of the rung's nodes did not bring one, and after a
/// step of one unit a quarter again. The lower one starts at `lowest`. What it
/// refutes may be one of many capacities that are as easily refuted, so its next
/// climb is twice as high, up to half of the gap; a climb that has not brought an
/// answer after as many nodes as a step is halved.
///
/// When a rung comes down it keeps what it has learnt, since a state that is
/// refuted at one capacity is refuted at every smaller one; but it takes the
/// strategies in turn again: where they find anything, they are the fastest.
/// A rung that goes up begins with nothing learnt. That costs little: a search
/// whose restarts have led nowhere for a while is no nearer to a placement than
/// one that just began.
///
/// Heights are multiples of the unit (instance.hpp), so capacities are counted
/// in units. Cost: that of the searches; memory for three of them.
#ifndef SNUG_ENGINE_LADDER_HPP
#define SNUG_ENGINE_LADDER_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
        highest_(instance.capacity),
        step_(largest_step()) {}

  [[nodiscard]] Lane lowest() const noexcept { return lowest_; }
  [[nodiscard]] Lane highest() const noexcept { return highest_; }

  /// Searches until the optimum is known, a limit is hit or `most_nodes` were
  /// needed, about. After each better placement calls found(offsets), an array
  /// in units by buffer.
  template <class Found>
  void climb(std::int64_t most_nodes, Found&& found) {
    const std::int64_t start = stats_->nodes;
    while (lowest_ < highest_ && limits_->status() == Status::kSolved &&
           stats_->nodes - start < most_nodes) {
      const std::size_t k = next();
      Rung& rung = set_up(k);
      const std::int64_t before = stats_->nodes;
      const Outcome outcome = rung.portfolio.run();
      rung.nodes += stats_->nodes - before;
      nodes_[k] += stats_->nodes - before;
      if (outcome == Outcome::kPlacedAll) {
        highest_ = height(rung.portfolio.state());
        found(rung.portfolio.state().minimum);
        if (k == kUpper && step_ < largest_step())
          step_ = static_cast<Lane>(2 * step_);
      } else if (outcome == Outcome::kRefuted) {
        lowest_ = static_cast<Lane>(rung.instance.capacity + 1);
        if (k == kLower) climb_ = static_cast<Lane>(2 * climb_ + 1);
      } else if (k == kUpper && is_spent(k)) {
        step_ = step_ > 1 ? static_cast<Lane>(step_ / 2) : largest_step();
        drop(k);
      } else if (k == kLower && climb_ > 0 && is_spent(k)) {
        climb_ = static_cast<Lane>(climb_ / 2);
        drop(k);
      }
      step_ = (std::min)(step_, largest_step());
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
  enum : std::size_t { kLower, kMiddle, kUpper, kRungs };
  /// A step is given up after so many nodes a buffer at least.
  static constexpr std::int64_t kPatience = 16;

  struct Rung {
    Rung(const Instance<Lane>& base, Lane capacity, const Options& options,
         Stats& stats, Limits& limits)
        : instance(with_capacity(base, capacity)),
          portfolio(instance, options, kMinimizeStrategies, stats, limits,
                    memory) {}

    [[nodiscard]] static Instance<Lane> with_capacity(Instance<Lane> base,
                                                      Lane capacity) {
      base.capacity = capacity;
      return base;
    }

    Memory memory;
    Instance<Lane> instance;
    Portfolio<Lane> portfolio;
    std::int64_t nodes = 0;  ///< at its capacity
  };

  [[nodiscard]] Lane largest_step() const noexcept {
    return static_cast<Lane>(
        (std::max)(static_cast<Lane>((highest_ - lowest_) / 4), Lane{1}));
  }

  /// The capacity that rung k should have.
  [[nodiscard]] Lane wanted(std::size_t k) const noexcept {
    const Lane half = static_cast<Lane>((highest_ - lowest_) / 2);
    if (k == kLower)
      return static_cast<Lane>(lowest_ + (std::min)(climb_, half));
    if (k == kMiddle) return static_cast<Lane>(lowest_ + half);
    return static_cast<Lane>(highest_ - step_);
  }

  /// Whether rung k has a place of its own, strictly between the bounds.
  [[nodiscard]] bool is_of_use(std::size_t k) const noexcept {
    const Lane gap = static_cast<Lane>(highest_ - lowest_);
    return k == kLower || gap > static_cast<Lane>(k);
  }

  /// The rung of use that has had the fewest nodes.
  [[nodiscard]] std::size_t next() const noexcept {
    std::size_t best = kLower;
    for (std::size_t k = kMiddle; k < kRungs; ++k)
      if (is_of_use(k) && nodes_[k] < nodes_[best]) best = k;
    return best;
  }

  /// Rung k where it should be: it stays where it is as long as that is
  /// strictly between the bounds.
  [[nodiscard]] Rung& set_up(std::size_t k) {
    std::unique_ptr<Rung>& rung = rungs_[k];
    const Lane least = static_cast<Lane>(lowest_ + (k == kLower ? 0 : 1));
    if (rung && rung->instance.capacity < least) drop(k);
    if (rung && rung->instance.capacity >= highest_) {
      rung->portfolio.lower_capacity(rung->instance, wanted(k));
      rung->nodes = 0;
    }
    if (!rung)
      rung = std::make_unique<Rung>(*instance_, wanted(k), *options_, *stats_,
                                    *limits_);
    return *rung;
  }

  void drop(std::size_t k) {
    peak_ = peak_bytes();
    rungs_[k].reset();
  }

  [[nodiscard]] bool is_spent(std::size_t k) const noexcept {
    return rungs_[k]->nodes >
           (std::max)(kPatience * instance_->size, nodes_[k] / 2);
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
  Lane step_;                     ///< of the upper rung
  Lane climb_ = 0;                ///< of the lower rung
  std::int64_t nodes_[kRungs]{};  ///< that each has had
  std::size_t peak_ = 0;
  std::unique_ptr<Rung> rungs_[kRungs];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_LADDER_HPP
