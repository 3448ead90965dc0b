// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a plain problem, as a list of attempts: the first one that knows
/// the answer ends it.
///
///     load      it exceeds the capacity: infeasible
///     joins     where memory is full some buffers are one (presolve/joins.hpp);
///               if they are many, what is left is solved instead
///     fillers   the same once what is free, less than half, is filled by a
///               guess (presolve/fillers.hpp), for a few nodes
///     guess     the same with guessed joins, for a few nodes; where a large
///               problem is left, for a few dives
///     fit       if there are pairs or obstacles: first fit that keeps them apart
///               and goes around them; no dives then. An engine of the plain model
///               alone has it instead of the next two, for large problems
///     dives     a few placements by rules of thumb; the more buffers, the more
///     peak      large problems only: a search around the peak, and first fit
///     stacks    what is live at one time does not fit because of alignments
///     search    each partition by itself; one that does not fit settles all;
///               in turn with guessed joins, where there are many: other ones
///
/// Stacks of many buffers take longer than most searches, so where there are any
/// the search has a first turn before them. In each turn what is joined by a guess
/// goes on where it was, as the search does, and so does the whole when its call has
/// another turn (plan/call.hpp).
#ifndef SNUG_PLAN_SOLVE_PLAIN_HPP
#define SNUG_PLAN_SOLVE_PLAIN_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/heuristics/pair_fit.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/joined_plain.hpp"
#include "snug/plan/partition.hpp"
#include "snug/plan/partitions.hpp"
#include "snug/presolve/fillers.hpp"
#include "snug/presolve/joins.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A plain problem that is to be placed below a capacity.
template <class E>
class PlainSolve {
 public:
  /// `bound`: a height that no placement is below.
  PlainSolve(const Plain& plain, std::int64_t capacity, std::int64_t bound,
             Call& call)
      : plain_(&plain),
        capacity_(capacity),
        bound_(bound),
        call_(&call),
        held_(call, plain.buffers.size() * sizeof(std::int64_t)),
        partitions_(plain, capacity, call) {
    answer_.offsets.assign(plain.buffers.size(), 0);
  }

  /// Until the answer is known or the call is stopped. If that was a turn, goes on
  /// in the next one.
  [[nodiscard]] Outcome run() {
    using Attempt = Outcome (PlainSolve::*)();
    constexpr Attempt kAttempts[] = {
        &PlainSolve::compare_load,
        &PlainSolve::join,
        &PlainSolve::fill,
        &PlainSolve::guess,
        &PlainSolve::fit,
        &PlainSolve::dive,
        &PlainSolve::place_peak_first,
        &PlainSolve::compare_stacks,
    };
    if constexpr (E::kFull)
      if (joined_) return run_proved();
    while (made_ < std::size(kAttempts)) {
      const Outcome outcome = (this->*kAttempts[made_++])();
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
    }
    return search();
  }

  /// The attempts `load` and `dives` by themselves.
  [[nodiscard]] Outcome run_dives() {
    const Outcome outcome = compare_load();
    return outcome == Outcome::kStopped ? dive() : outcome;
  }

  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// Offsets after kPlacedAll, a core after kRefuted.
  [[nodiscard]] Answer& answer() noexcept { return answer_; }

 private:
  /// Nodes of the first turn of a partition.
  static constexpr std::int64_t kFirstTurn = 4096;
  /// Nodes of a search with fillers and of the first one with guessed joins, a
  /// buffer.
  static constexpr std::int64_t kFilledPerBuffer = 8;
  static constexpr std::int64_t kGuessPerBuffer = 2;

  [[nodiscard]] bool is_large() const noexcept {
    return plain_->order.size() > kLarge;
  }

  [[nodiscard]] Outcome compare_load() {
    if (bound_ <= capacity_) return Outcome::kStopped;
    return refute();
  }

  [[nodiscard]] bool may_join() const noexcept {
    return E::kFull && plain_->is_pure() &&
           plain_->order.size() >= Joins::kFewest;
  }

  struct None {};
  /// An engine of the plain model alone does not join.
  template <class T>
  using Kept = std::conditional_t<E::kFull, std::unique_ptr<T>, None>;

  using Joined = JoinedPlain<PlainSolve>;

  [[nodiscard]] Outcome join() {
    if constexpr (E::kFull) {
      if (!may_join()) return Outcome::kStopped;
      joined_ = std::make_unique<Joined>(*plain_, capacity_, bound_,
                                         Trust::kProved, *call_);
      if (joined_->can_run()) return run_proved();
      joined_.reset();
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome run_proved() {
    const Outcome outcome = joined_->run(answer_.offsets);
    // That all is full takes all buffers.
    return outcome == Outcome::kRefuted ? refute() : outcome;
  }

  [[nodiscard]] Outcome fill() {
    if constexpr (E::kFull) {
      if (!may_join() || bound_ < capacity_ / 2) return Outcome::kStopped;
      const Fillers fillers(*plain_, capacity_);
      if (fillers.count() == 0) return Outcome::kStopped;
      const Plain filled = fillers.filled(call_->interrupt());
      const Held held(*call_, fillers.bytes() + filled.bytes());
      if (call_->gave_up()) return Outcome::kStopped;
      Share share(*call_, nodes_for(kFilledPerBuffer));
      PlainSolve solve(filled, capacity_, bound_, share.call());
      if (solve.join() == Outcome::kPlacedAll) {
        // The fillers are the last ones.
        answer_.offsets = std::move(solve.answer_.offsets);
        answer_.offsets.resize(plain_->buffers.size());
        return Outcome::kPlacedAll;
      }
    }
    return Outcome::kStopped;
  }

  /// Solves what is joined by a bold guess, for a few nodes.
  [[nodiscard]] Outcome guess() {
    if constexpr (E::kFull) {
      if (!may_join()) return Outcome::kStopped;
      Share share(*call_, nodes_for(kGuessPerBuffer));
      Joined joined(*plain_, capacity_, bound_, Trust::kBold, share.call());
      guesses_ = joined.pays();
      if (joined.can_run() &&
          joined.run(answer_.offsets) == Outcome::kPlacedAll)
        return Outcome::kPlacedAll;
    }
    return Outcome::kStopped;
  }

  /// What is joined by a cautious guess goes on from turn to turn.
  struct Guess {
    explicit Guess(Call& whole) : share(whole) { share.leave_memory(); }

    Share share;
    std::optional<Joined> joined{};
    std::int64_t nodes = 0;  ///< so far
  };

  /// Solves that until it has had so many nodes, as long as it may be right.
  [[nodiscard]] Outcome guess_up_to(std::int64_t nodes) {
    if constexpr (E::kFull) {
      if (!guesses_ || call_->is_stopped()) return Outcome::kStopped;
      if (!guess_) guess_ = std::make_unique<Guess>(*call_);
      if (guess_->nodes >= nodes) return Outcome::kStopped;
      Outcome outcome = Outcome::kRefuted;
      {
        const Turn turn(guess_->share, nodes - guess_->nodes);
        const std::int64_t before = call_->stats().nodes;
        Call& call = guess_->share.call();
        if (!guess_->joined)
          guess_->joined.emplace(*plain_, capacity_, bound_, Trust::kCautious,
                                 call);
        if (guess_->joined->can_run())
          outcome = guess_->joined->run(answer_.offsets);
        guess_->nodes += call_->stats().nodes - before;
        // If it stopped by itself, or for want of time, there is nothing more to
        // come.
        guesses_ = outcome == Outcome::kStopped && call.is_stopped() &&
                   !call.gave_up();
        if (!guesses_) guess_->joined.reset();
      }
      if (!guesses_) guess_.reset();
      if (outcome == Outcome::kPlacedAll) return outcome;
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] std::int64_t nodes_for(std::int64_t per_buffer) const noexcept {
    return per_buffer * static_cast<std::int64_t>(plain_->order.size());
  }

  [[nodiscard]] Outcome fit() {
    if (plain_->is_pure() && (E::kFull || !is_large()))
      return Outcome::kStopped;
    PairFit fit(*plain_);
    List<std::int64_t> offsets;
    const bool is_placed = fit.run(
        capacity_, call_->interrupt(), [&] { return call_->stop(); }, offsets);
    call_->count_bytes(fit.bytes());
    if (!is_placed || height_of(plain_->buffers, offsets) > capacity_)
      return Outcome::kStopped;
    answer_.offsets.swap(offsets);
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome dive() {
    if constexpr (E::kFull) {
      if (!plain_->is_pure()) return Outcome::kStopped;
      const std::int64_t dives = dives_for(plain_->order.size());
      if (dives == 0 && !is_large()) return Outcome::kStopped;
      if (call_->stop()) return Outcome::kStopped;
      const Stopper stop{&call_->limits(), &call_->stats(), nullptr};
      IncumbentBudget budget;
      budget.interrupt = call_->interrupt();
      incumbent_ = std::make_unique<IncumbentSearch>(*plain_, budget);
      incumbent_->dive(*plain_, capacity_, (std::max)(dives, std::int64_t{1}),
                       stop);
      if (incumbent_->dives() == 0) return Outcome::kStopped;
      if (is_large()) incumbent_->fit(*plain_, capacity_, stop);
      return take_incumbent();
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome place_peak_first() {
    if constexpr (E::kFull) {
      if (is_large() && plain_->is_pure()) return lower_peak();
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome lower_peak() {
    const Stopper stop{&call_->limits(), &call_->stats(), nullptr};
    const auto place_core = [&](const Plain& core, std::int64_t& nodes,
                                List<std::int64_t>& offsets) {
      const Held held(*call_, incumbent_->peak_bytes() + bytes_of_core(core));
      const std::int64_t start = call_->stats().nodes;
      Answer placed;
      placed.offsets.assign(offsets.size(), 0);
      Outcome outcome = Outcome::kPlacedAll;
      for (const Partition& partition : core.partitions) {
        if (stack_all(core, partition, capacity_, placed.offsets)) continue;
        outcome = place_partition<E>(core, partition, capacity_, nodes, *call_,
                                     placed);
        if (outcome != Outcome::kPlacedAll) break;
      }
      nodes = call_->stats().nodes - start;
      if (outcome == Outcome::kPlacedAll) offsets.swap(placed.offsets);
      return outcome;
    };
    if (lower_large(*plain_, capacity_, capacity_, place_core, stop,
                    *incumbent_) == Outcome::kRefuted)
      return refute();
    return take_incumbent();
  }

  /// By all buffers together.
  [[nodiscard]] Outcome refute() {
    answer_.core = plain_->order;
    heap_sort(answer_.core);
    return Outcome::kRefuted;
  }

  /// Whether the lowest placement so far will do.
  [[nodiscard]] Outcome take_incumbent() {
    call_->count_bytes(incumbent_->peak_bytes());
    if (incumbent_->best().height > capacity_) return Outcome::kStopped;
    incumbent_->write(answer_.offsets);
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome compare_stacks() {
    if constexpr (E::kFull) {
      incumbent_.reset();
      stacks_.emplace(*plain_, table_bytes_of(call_->options()));
      const Outcome outcome = raise_by_stacks(kFirstStackSteps);
      if (outcome != Outcome::kStopped || !stacks_->has_more()) stacks_.reset();
      return outcome;
    }
    return Outcome::kStopped;
  }

  /// Those that take long, after a first turn of the search.
  [[nodiscard]] Outcome compare_long_stacks() {
    if constexpr (E::kFull) {
      if (!stacks_) return Outcome::kStopped;
      Outcome outcome = partitions_.search_up_to(kFirstTurn, answer_);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
      // They take too long for what does not refute.
      stacks_->look_only_above(capacity_);
      outcome = raise_by_stacks(kMostStackSteps);
      stacks_.reset();
      return outcome;
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome raise_by_stacks(std::int64_t steps) {
    stacks_->run(bound_, capacity_, steps, [&] { return call_->stop(); });
    call_->count_bytes(stacks_->bytes());
    bound_ = stacks_->height();
    call_->note_bound(bound_);
    if (bound_ <= capacity_) return Outcome::kStopped;
    answer_.core = stacks_->highest();
    heap_sort(answer_.core);
    return Outcome::kRefuted;
  }

  [[nodiscard]] Outcome search() {
    Outcome outcome = open_partitions();
    if (outcome == Outcome::kStopped) outcome = compare_long_stacks();
    if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
    for (;; turn_ = longer_turn(turn_)) {
      const bool is_alone = partitions_.size() == 1 && !guesses_;
      outcome =
          partitions_.search_up_to(is_alone ? kNoNodeLimit : turn_, answer_);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
      outcome = guess_up_to(turn_);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
    }
  }

  [[nodiscard]] Outcome open_partitions() {
    if (is_open_) return Outcome::kStopped;
    is_open_ = true;
    const Outcome outcome = partitions_.open(answer_);
    return outcome == Outcome::kRefuted ? refute() : outcome;
  }

  const Plain* plain_;
  std::int64_t capacity_;
  std::int64_t bound_;
  Call* call_;
  Held held_;  ///< the offsets
  Answer answer_{};
  std::size_t made_ = 0;   ///< attempts
  Kept<Joined> joined_{};  ///< solved instead, if there is one
  Kept<IncumbentSearch> incumbent_{};
  std::conditional_t<E::kFull, std::optional<AlignedStacks>, None>
      stacks_{};  ///< those that take long
  std::int64_t turn_ = kFirstTurn;
  bool guesses_ = false;  ///< guessed joins may be right
  Kept<Guess> guess_{};
  bool is_open_ = false;  ///< the partitions are
  Partitions<E> partitions_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SOLVE_PLAIN_HPP
