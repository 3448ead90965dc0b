// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize() of a plain problem, as a list of attempts, each of which begins
/// where the one before it left off. It ends when height and bound meet.
///
///     dives     placements by rules of thumb, then first fit and best fit; with
///               pairs first fit that keeps them apart, and nothing to improve
///     joins     what is left at the bound where much is joined, known or by a
///               guess, for a few nodes
///     improve   repair; for large problems in turn with searches of the peak
///     start     a placement that was known before, if it is lower
///     fit       below the ceiling, if nothing is yet: solve()
///     stacks    a higher bound because of alignments: those of few buffers here,
///               of many before the search
///     aim       each partition at the bound, for a few nodes with the cheap
///               strategies of solve(): where there is an easy optimum, they
///               find it soonest
///     search    each partition is brought down (engine/ladder.hpp), none
///               further than to the largest lower bound of all; in turn with
///               what is joined by a guess, where that is much
#ifndef SNUG_PLAN_MINIMIZE_PLAIN_HPP
#define SNUG_PLAN_MINIMIZE_PLAIN_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/heuristics/pair_fit.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/partition.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/presolve/joins.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A plain problem whose lowest placement is wanted.
template <class E>
class PlainMinimize {
 public:
  /// `bound`: a height that no placement is below; placements above `ceiling`
  /// are of no use.
  PlainMinimize(const Plain& plain, std::int64_t ceiling, std::int64_t bound,
                Call& call)
      : plain_(&plain), ceiling_(ceiling), bound_(bound), call_(&call) {}

  /// kPlacedAll: there is a placement below the ceiling; kRefuted: there is
  /// none.
  [[nodiscard]] Outcome run() {
    using Attempt = Outcome (PlainMinimize::*)();
    constexpr Attempt kAttempts[] = {
        &PlainMinimize::dive,
        &PlainMinimize::aim_joined,
        &PlainMinimize::improve,
        &PlainMinimize::compare_start,
        &PlainMinimize::fit_below_ceiling,
        &PlainMinimize::raise_by_stacks,
        &PlainMinimize::aim,
        &PlainMinimize::raise_by_stacks,
        &PlainMinimize::search,
    };
    if (bound_ > ceiling_) return Outcome::kRefuted;
    offsets_.assign(plain_->buffers.size(), 0);
    if (plain_->order.empty()) return Outcome::kPlacedAll;
    const Held held(*call_, offsets_.capacity() * sizeof(std::int64_t));
    for (const Attempt attempt : kAttempts) {
      if ((this->*attempt)() == Outcome::kRefuted) return Outcome::kRefuted;
      if (call_->gave_up() && height_ == 0) return Outcome::kStopped;
    }
    return height_ <= ceiling_ ? Outcome::kPlacedAll : Outcome::kStopped;
  }

  /// Tells a placement to begin with, unless a better one is found at first.
  void start_from(List<std::int64_t> offsets) { start_ = std::move(offsets); }

  [[nodiscard]] List<std::int64_t>& offsets() noexcept { return offsets_; }
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

 private:
  /// Nodes of each aim, a buffer.
  static constexpr std::int64_t kAimPerBuffer = 8;
  /// Nodes of the first turn of guessed joins.
  static constexpr std::int64_t kFirstTurn = 4096;

  [[nodiscard]] Outcome dive() {
    if constexpr (E::kBodies) {
      if (!plain_->is_pure()) {
        PairFit fit(*plain_);
        offsets_ = fit.run(bound_, [&] { return call_->stop(); });
        call_->count_bytes(fit.bytes());
        note_height();
        return Outcome::kPlacedAll;
      }
    }
    IncumbentBudget budget;
    budget.interrupt = call_->interrupt();
    incumbent_.emplace(*plain_, budget);
    incumbent_->dive(*plain_, bound_, most_dives(), stopper());
    if (incumbent_->dives() == 0) return Outcome::kStopped;
    incumbent_->fit(*plain_, bound_, stopper());
    return take_incumbent();
  }

  [[nodiscard]] Outcome aim_joined() {
    if (height_ <= bound_ || call_->is_stopped()) return Outcome::kStopped;
    const Held held(*call_, incumbent_ ? incumbent_->memory().peak_bytes() : 0);
    Share share(*call_, kAimPerBuffer *
                            static_cast<std::int64_t>(plain_->order.size()));
    PlainSolve<E> solve(*plain_, bound_, bound_, share.call());
    const Outcome outcome = solve.run_joined();
    if (outcome == Outcome::kPlacedAll) {
      offsets_ = std::move(solve.answer().offsets);
      note_height();
      incumbent_.reset();
    }
    if (outcome == Outcome::kRefuted) call_->known().lower_bound = ++bound_;
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome improve() {
    if (!incumbent_) return Outcome::kPlacedAll;
    if (height_ > bound_) {
      if (plain_->order.size() <= kLarge) {
        incumbent_->repair(bound_, most_dives() - incumbent_->dives(),
                           stopper());
      } else {
        improve_around_peak();
      }
    }
    const Outcome outcome = take_incumbent();
    incumbent_.reset();
    return outcome;
  }

  void improve_around_peak() {
    const auto place_core = [&](const Plain& core, std::int64_t& nodes,
                                List<std::int64_t>& offsets) {
      const Held held(*call_, incumbent_->peak_bytes() + bytes_of_core(core));
      const std::int64_t start = call_->stats().nodes;
      aim_at_bound(core, offsets);
      lower_partitions<E>(
          core, nodes, *call_, [] {}, bound_, offsets);
      nodes = call_->stats().nodes - start;
      return height_of(core.buffers, offsets) <= bound_ ? Outcome::kPlacedAll
                                                        : Outcome::kStopped;
    };
    (void)lower_large<true>(*plain_, kMaxTotal, bound_, place_core, stopper(),
                            *incumbent_);
  }

  [[nodiscard]] Outcome compare_start() {
    if (!start_.empty() && height_of(plain_->buffers, start_) < height_) {
      offsets_.swap(start_);
      note_height();
    }
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome fit_below_ceiling() {
    if (height_ <= ceiling_ || call_->is_stopped()) return Outcome::kStopped;
    PlainSolve<E> solve(*plain_, ceiling_, bound_, *call_);
    const Outcome outcome = solve.run();
    if (outcome == Outcome::kPlacedAll) {
      offsets_ = std::move(solve.answer().offsets);
      note_height();
    }
    return outcome;
  }

  [[nodiscard]] Outcome raise_by_stacks() {
    if constexpr (!E::kSmall) {
      if (height_ <= bound_ || call_->is_stopped()) return Outcome::kStopped;
      AlignedStacks stacks(*plain_, table_bytes_of(call_->options()));
      stacks.run(bound_, height_ - 1, stack_steps_,
                 [&] { return call_->stop(); });
      call_->count_bytes(stacks.bytes());
      call_->known().lower_bound = bound_ = stacks.height();
      stack_steps_ = kMostStackSteps;
    }
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome aim() {
    if (height_ > ceiling_) return Outcome::kStopped;
    aim_at_bound(*plain_, offsets_);
    note_height();
    return Outcome::kPlacedAll;
  }

  /// Tries to place each partition of a problem at the bound, and raises that
  /// where it cannot be met.
  void aim_at_bound(const Plain& plain, List<std::int64_t>& offsets) {
    Answer answer;
    answer.offsets = offsets;
    for (const Partition& partition : plain.partitions) {
      if (height_of(plain, partition, offsets) <= bound_) continue;
      if (call_->is_stopped()) return;
      const std::int64_t size =
          partition.buffers.upper - partition.buffers.lower;
      const Outcome outcome = place_partition<E>(
          plain, partition, bound_, kAimPerBuffer * size, *call_, answer);
      if (outcome == Outcome::kPlacedAll) offsets = answer.offsets;
      if (outcome == Outcome::kRefuted) {
        const std::int64_t unit = common_unit(plain, partition);
        bound_ = (bound_ / unit + 1) * unit;
        call_->known().lower_bound = bound_;
      }
    }
  }

  [[nodiscard]] Outcome search() {
    if (height_ > ceiling_) return Outcome::kStopped;
    guesses_ = !E::kSmall && plain_->is_pure();
    std::int64_t turn = kFirstTurn;
    while (height_ > bound_ && !call_->is_stopped()) {
      if (guesses_) lower_guess(turn);
      const bool is_last = !guesses_;
      if (height_ > bound_)
        lower_partitions<E>(
            *plain_, is_last ? kNoNodeLimit : turn, *call_,
            [&] { note_height(); }, bound_, offsets_);
      if (is_last) break;
      turn = longer_turn(turn);
    }
    return Outcome::kPlacedAll;
  }

  /// Brings down what is joined by a guess, from where it was brought last.
  void lower_guess(std::int64_t nodes) {
    if constexpr (!E::kSmall) {
      const Joins joins(*plain_, bound_, call_->interrupt(), Trust::kCautious);
      call_->count_bytes(joins.bytes());
      guesses_ = joins.pay() && plain_->order.size() - joins.count() <= kLarge;
      if (!guesses_) return;
      const Plain joined = joins.joined(call_->interrupt());
      const Held held(*call_, joins.bytes() + joined.bytes() +
                                  guessed_.capacity() * sizeof(std::int64_t));
      if (call_->gave_up()) return;
      Share share(*call_, nodes);
      PlainMinimize lower(joined, kMaxTotal, (std::max)(bound_, load(joined)),
                          share.call());
      lower.start_from(std::move(guessed_));
      (void)lower.run();
      guesses_ = lower.height() > lower.bound();
      if (lower.height() > 0 && lower.height() < height_) {
        joins.expand(lower.offsets(), offsets_);
        note_height();
      }
      guessed_ = std::move(lower.offsets());
    }
  }

  /// The larger the problem, the less a search can do and the more repair can.
  [[nodiscard]] std::int64_t most_dives() const noexcept {
    return 4 + dives_for(plain_->order.size());
  }

  [[nodiscard]] Stopper stopper() noexcept {
    return {&call_->limits(), &call_->stats(), &incumbent_->best().height};
  }

  [[nodiscard]] Outcome take_incumbent() {
    call_->count_bytes(incumbent_->peak_bytes());
    incumbent_->write(offsets_);
    note_height();
    return Outcome::kPlacedAll;
  }

  void note_height() {
    height_ = height_of(plain_->buffers, offsets_);
    call_->limits().note_height(height_);
  }

  const Plain* plain_;
  std::int64_t ceiling_;
  std::int64_t bound_;
  Call* call_;
  List<std::int64_t> offsets_{};
  List<std::int64_t> start_{};
  List<std::int64_t> guessed_{};  ///< offsets of what is joined, lowest
  bool guesses_ = false;          ///< something is, and may be lowered
  std::int64_t height_ = 0;
  std::optional<IncumbentSearch> incumbent_{};
  std::int64_t stack_steps_ = kFirstStackSteps;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_MINIMIZE_PLAIN_HPP
