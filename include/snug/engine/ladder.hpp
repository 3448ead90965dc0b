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
/// one a little lower millions. So all rungs get the same number of nodes, until
/// there is little left to win but the proof: once `highest` is *close*, less
/// than a 128th above `lowest`, the lower rung gets four times as many as
/// another.
///
/// The upper one finds its step: a quarter of the gap at most, doubled by a
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
/// Heights are multiples of the unit (plain/instance.hpp), so capacities are counted
/// in units. Cost: that of the searches; memory for three of them.
#ifndef SNUG_ENGINE_LADDER_HPP
#define SNUG_ENGINE_LADDER_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/model/result.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Model>
class Ladder {
 public:
  using Instance = typename Model::Instance;
  using Offset = typename Model::Offset;

  /// A placement of height `highest` is known, and nothing is below `lowest`.
  /// `instance`, and what `run` points at, must outlive the ladder.
  Ladder(const Instance& instance, Offset lowest, Offset highest,
         const Run& run)
      : instance_(&instance),
        run_(run),
        lowest_(lowest),
        highest_(highest),
        step_(largest_step()) {}

  [[nodiscard]] Offset lowest() const noexcept { return lowest_; }
  [[nodiscard]] Offset highest() const noexcept { return highest_; }

  /// Searches until the optimum is known, a limit is hit or `most_nodes` were
  /// needed, about. After each better placement calls found(offsets), an array
  /// in units by buffer.
  template <class Found>
  void climb(std::int64_t most_nodes, Found&& found) {
    const std::int64_t start = run_.stats->nodes;
    while (lowest_ < highest_ && run_.limits->stopped_by() == Stop::kNone &&
           run_.stats->nodes - start < most_nodes) {
      const std::size_t k = next();
      Rung& rung = set_up(k);
      const std::int64_t before = run_.stats->nodes;
      const Outcome outcome = rung.portfolio.run();
      note_bytes(rung.memory);
      rung.nodes += run_.stats->nodes - before;
      nodes_[k] += run_.stats->nodes - before;
      if (outcome == Outcome::kPlacedAll) {
        highest_ = rung.portfolio.model().height();
        found(rung.portfolio.model().offsets());
        if (k == kUpper && step_ < largest_step())
          step_ = static_cast<Offset>(2 * step_);
      } else if (outcome == Outcome::kRefuted) {
        lowest_ = static_cast<Offset>(rung.capacity() + 1);
        // No higher than half of the gap, lest it overflows.
        if (k == kLower)
          climb_ = static_cast<Offset>(2 * (std::min)(climb_, half_gap()) + 1);
      } else if (k == kUpper && is_spent(k)) {
        step_ = step_ > 1 ? static_cast<Offset>(step_ / 2) : largest_step();
        drop(k);
      } else if (k == kLower && climb_ > 0 && is_spent(k)) {
        climb_ = static_cast<Offset>(climb_ / 2);
        drop(k);
      }
      step_ = (std::min)(step_, largest_step());
    }
  }

  /// The most bytes that the rungs held.
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_; }

 private:
  enum : std::size_t { kLower, kMiddle, kUpper, kRungs };
  /// A step is given up after so many nodes a buffer at least.
  static constexpr std::int64_t kPatience = 16;
  static constexpr Offset kClose = 128;
  static constexpr std::int64_t kShareWhenClose = 4;

  struct Rung {
    Rung(const Instance& instance, Offset capacity, const Run& run)
        : portfolio(instance, capacity, Model::kMinimizeStrategies, run,
                    memory) {}

    [[nodiscard]] Offset capacity() const noexcept {
      return portfolio.model().capacity();
    }

    Memory memory;
    Portfolio<Model> portfolio;
    std::int64_t nodes = 0;  ///< at its capacity
  };

  [[nodiscard]] Offset largest_step() const noexcept {
    return static_cast<Offset>(
        (std::max)(static_cast<Offset>((highest_ - lowest_) / 4), Offset{1}));
  }

  [[nodiscard]] Offset half_gap() const noexcept {
    return static_cast<Offset>((highest_ - lowest_) / 2);
  }

  /// The capacity that rung k should have.
  [[nodiscard]] Offset wanted(std::size_t k) const noexcept {
    const Offset half = half_gap();
    if (k == kLower)
      return static_cast<Offset>(lowest_ + (std::min)(climb_, half));
    if (k == kMiddle) return static_cast<Offset>(lowest_ + half);
    return static_cast<Offset>(highest_ - step_);
  }

  /// Whether rung k has a place of its own, strictly between the bounds.
  [[nodiscard]] bool is_of_use(std::size_t k) const noexcept {
    const Offset gap = static_cast<Offset>(highest_ - lowest_);
    return k == kLower || gap > static_cast<Offset>(k);
  }

  /// The rung of use that has had the fewest nodes for its share.
  [[nodiscard]] std::size_t next() const noexcept {
    const bool close = highest_ - lowest_ < highest_ / kClose;
    std::int64_t fewest = nodes_[kLower] / (close ? kShareWhenClose : 1);
    std::size_t best = kLower;
    for (std::size_t k = kMiddle; k < kRungs; ++k)
      if (is_of_use(k) && nodes_[k] < fewest) {
        fewest = nodes_[k];
        best = k;
      }
    return best;
  }

  /// Rung k where it should be: it stays where it is as long as that is
  /// strictly between the bounds.
  [[nodiscard]] Rung& set_up(std::size_t k) {
    std::unique_ptr<Rung>& rung = rungs_[k];
    const Offset least = static_cast<Offset>(lowest_ + (k == kLower ? 0 : 1));
    if (rung && rung->capacity() < least) drop(k);
    if (rung && rung->capacity() >= highest_) {
      rung->portfolio.lower_capacity(wanted(k));
      rung->nodes = 0;
    }
    if (!rung) rung = std::make_unique<Rung>(*instance_, wanted(k), run_);
    return *rung;
  }

  /// What the others hold, and the most that this one did in its run.
  void note_bytes(Memory& memory) noexcept {
    std::size_t sum = memory.peak_bytes() - memory.bytes();
    for (const std::unique_ptr<Rung>& rung : rungs_)
      if (rung) sum += sizeof(Rung) + rung->memory.bytes();
    peak_ = (std::max)(peak_, sum);
    memory.restart_peak();
  }

  void drop(std::size_t k) { rungs_[k].reset(); }

  [[nodiscard]] bool is_spent(std::size_t k) const noexcept {
    return rungs_[k]->nodes >
           (std::max)(kPatience * std::int64_t{instance_->size}, nodes_[k] / 2);
  }

  const Instance* instance_;
  Run run_;
  Offset lowest_;
  Offset highest_;
  Offset step_;                   ///< of the upper rung
  Offset climb_ = 0;              ///< of the lower rung
  std::int64_t nodes_[kRungs]{};  ///< that each has had
  std::size_t peak_ = 0;
  std::unique_ptr<Rung> rungs_[kRungs];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_LADDER_HPP
