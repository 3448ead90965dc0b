// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a plain problem, as a list of attempts: the first one that knows
/// the answer ends it.
///
///     load      it exceeds the capacity: infeasible
///     joins     where memory is full some buffers are one (presolve/joins.hpp);
///               if they are many, what is left is solved instead
///     fillers   the same once what is free is filled by a guess
///               (presolve/fillers.hpp), for a few nodes
///     guess     the same with guessed joins, for a few nodes; where a large
///               problem is left, for a few dives
///     pairs     if there are any: first fit that keeps them apart, no dives
///     dives     a few placements by rules of thumb; the more buffers, the more
///     peak      large problems only: a search around the peak, and first fit
///     stacks    what is live at one time does not fit because of alignments
///     search    each partition by itself; one that does not fit settles all;
///               in turn with guessed joins, where there are many: other ones
///
/// Stacks of many buffers take longer than most searches, so where there are any
/// the search has a first turn before them. Partitions share no moment of time.
/// They take turns, so that one that is hard to place does not hide another that
/// is easily refuted.
#ifndef SNUG_PLAN_SOLVE_PLAIN_HPP
#define SNUG_PLAN_SOLVE_PLAIN_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/heuristics/pair_fit.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/partition.hpp"
#include "snug/presolve/bins.hpp"
#include "snug/presolve/fillers.hpp"
#include "snug/presolve/joins.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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
        held_(call, plain.buffers.size() * sizeof(std::int64_t)) {
    answer_.offsets.assign(plain.buffers.size(), 0);
  }

  [[nodiscard]] Outcome run() {
    using Attempt = Outcome (PlainSolve::*)();
    constexpr Attempt kAttempts[] = {
        &PlainSolve::compare_load,
        &PlainSolve::join,
        &PlainSolve::fill,
        &PlainSolve::guess,
        &PlainSolve::fit_pairs,
        &PlainSolve::dive,
        &PlainSolve::place_peak_first,
        &PlainSolve::compare_stacks,
        &PlainSolve::search,
    };
    for (const Attempt attempt : kAttempts) {
      const Outcome outcome = (this->*attempt)();
      if (outcome != Outcome::kStopped) return outcome;
      if (call_->is_stopped()) break;
    }
    return Outcome::kStopped;
  }

  /// The attempts `joins`, `fillers` and `guess` by themselves; beside pairs and
  /// obstacles, stacks and bins.
  [[nodiscard]] Outcome run_joined() {
    if (!plain_->is_pure()) return open_partitions();
    Outcome outcome = join();
    if (outcome == Outcome::kStopped) outcome = fill();
    return outcome == Outcome::kStopped ? guess() : outcome;
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
    return !E::kSmall && plain_->is_pure() &&
           plain_->order.size() >= Joins::kFewest;
  }

  [[nodiscard]] Outcome join() {
    if constexpr (!E::kSmall) {
      if (!may_join()) return Outcome::kStopped;
      const Joins joins(*plain_, capacity_, call_->interrupt());
      call_->count_bytes(joins.bytes());
      if (!joins.pay()) return Outcome::kStopped;
      const Outcome outcome = solve_joined(joins, Trust::kProved, *call_);
      // That all is full takes all buffers.
      return outcome == Outcome::kRefuted ? refute() : outcome;
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome solve_joined(const Joins& joins, Trust trust,
                                     Call& call) {
    const Plain joined = joins.joined(call.interrupt());
    const Held held(call, joins.bytes() + joined.bytes());
    if (call.gave_up()) return Outcome::kStopped;
    PlainSolve solve(joined, capacity_, (std::max)(bound_, load(joined)), call);
    const bool is_brief = trust != Trust::kProved && solve.is_large();
    const Outcome outcome = is_brief ? solve.run_dives() : solve.run();
    if (outcome == Outcome::kPlacedAll)
      joins.expand(solve.answer().offsets, answer_.offsets);
    return outcome;
  }

  [[nodiscard]] Outcome fill() {
    if constexpr (!E::kSmall) {
      if (!may_join()) return Outcome::kStopped;
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

  [[nodiscard]] Outcome guess() {
    guesses_ = may_join();
    return guess_for(nodes_for(kGuessPerBuffer), Trust::kBold);
  }

  /// Solves what is joined by a guess, as long as some may be right.
  [[nodiscard]] Outcome guess_for(std::int64_t nodes, Trust trust) {
    if constexpr (!E::kSmall) {
      if (!guesses_ || call_->is_stopped()) return Outcome::kStopped;
      const Joins joins(*plain_, capacity_, call_->interrupt(), trust);
      call_->count_bytes(joins.bytes());
      guesses_ = joins.pay();
      if (!guesses_) return Outcome::kStopped;
      Share share(*call_, nodes);
      const Outcome outcome = solve_joined(joins, trust, share.call());
      if (outcome == Outcome::kRefuted) guesses_ = trust == Trust::kBold;
      if (outcome == Outcome::kPlacedAll) return outcome;
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] std::int64_t nodes_for(std::int64_t per_buffer) const noexcept {
    return per_buffer * static_cast<std::int64_t>(plain_->order.size());
  }

  [[nodiscard]] Outcome fit_pairs() {
    if constexpr (E::kBodies) {
      if (plain_->is_pure()) return Outcome::kStopped;
      List<std::int64_t> offsets =
          PairFit(*plain_).run(capacity_, [&] { return call_->stop(); });
      if (height_of(plain_->buffers, offsets) <= capacity_) {
        answer_.offsets.swap(offsets);
        return Outcome::kPlacedAll;
      }
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome dive() {
    if (!plain_->is_pure()) return Outcome::kStopped;
    const std::int64_t dives = dives_for(plain_->order.size());
    if (dives == 0 && !is_large()) return Outcome::kStopped;
    if (call_->stop()) return Outcome::kStopped;
    const Stopper stop{&call_->limits(), &call_->stats(), nullptr};
    IncumbentBudget budget;
    budget.interrupt = call_->interrupt();
    incumbent_.emplace(*plain_, budget);
    incumbent_->dive(*plain_, capacity_, (std::max)(dives, std::int64_t{1}),
                     stop);
    if (incumbent_->dives() == 0) return Outcome::kStopped;
    if (is_large()) incumbent_->fit(*plain_, capacity_, stop);
    return take_incumbent();
  }

  [[nodiscard]] Outcome place_peak_first() {
    if (!is_large() || !plain_->is_pure()) return Outcome::kStopped;
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
    if (lower_large<!E::kSmall>(*plain_, capacity_, capacity_, place_core, stop,
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
    incumbent_.reset();
    if constexpr (!E::kSmall) {
      AlignedStacks stacks(*plain_, table_bytes_of(call_->options()));
      Outcome outcome = raise_by(stacks, kFirstStackSteps);
      if (outcome != Outcome::kStopped || !stacks.has_more()) return outcome;
      outcome = open_partitions();
      if (outcome == Outcome::kStopped) outcome = take_turn(kFirstTurn);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
      return raise_by(stacks, kMostStackSteps);
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome raise_by(AlignedStacks& stacks, std::int64_t steps) {
    stacks.run(bound_, capacity_, steps, [&] { return call_->stop(); });
    call_->count_bytes(stacks.bytes());
    call_->known().lower_bound = bound_ = stacks.height();
    if (bound_ <= capacity_) return Outcome::kStopped;
    answer_.core = stacks.highest();
    heap_sort(answer_.core);
    return Outcome::kRefuted;
  }

  [[nodiscard]] Outcome search() {
    Outcome outcome = Outcome::kStopped;
    if (open_.empty()) outcome = open_partitions();
    if (outcome != Outcome::kStopped) return outcome;
    for (std::int64_t turn = kFirstTurn;; turn = longer_turn(turn)) {
      outcome = take_turn(open_.size() == 1 && !guesses_ ? kNoNodeLimit : turn);
      if (outcome != Outcome::kStopped || call_->is_stopped()) return outcome;
      outcome = guess_for(turn, Trust::kCautious);
      if (outcome != Outcome::kStopped) return outcome;
    }
  }

  /// Lists the partitions that are to be searched, unless one does not fit.
  [[nodiscard]] Outcome open_partitions() {
    for (const Partition& partition : plain_->partitions) {
      if (stack_all(*plain_, partition, capacity_, answer_.offsets)) continue;
      const Outcome outcome = pack_bins(partition);
      if (outcome == Outcome::kRefuted) return refute();
      if (outcome == Outcome::kStopped) open_.push_back(&partition);
    }
    return open_.empty() ? Outcome::kPlacedAll : Outcome::kStopped;
  }

  [[nodiscard]] Outcome pack_bins(const Partition& partition) {
    if constexpr (!E::kSmall) {
      Bins bins(*plain_, partition, capacity_);
      call_->count_bytes(bins.bytes());
      if (!bins.applies()) return Outcome::kStopped;
      const Outcome outcome =
          bins.run(call_->stats().nodes, [&] { return call_->stop(); });
      if (outcome == Outcome::kPlacedAll && !bins.write(answer_.offsets))
        return Outcome::kStopped;
      return outcome;
    }
    return Outcome::kStopped;
  }

  /// Searches each open partition for some nodes.
  [[nodiscard]] Outcome take_turn(std::int64_t nodes) {
    List<const Partition*> still_open;
    for (const Partition* const partition : open_) {
      const Outcome outcome = place_partition<E>(*plain_, *partition, capacity_,
                                                 nodes, *call_, answer_);
      if (outcome == Outcome::kRefuted) return outcome;
      if (outcome == Outcome::kStopped) still_open.push_back(partition);
    }
    open_.swap(still_open);
    return open_.empty() ? Outcome::kPlacedAll : Outcome::kStopped;
  }

  const Plain* plain_;
  std::int64_t capacity_;
  std::int64_t bound_;
  Call* call_;
  Held held_;  ///< the offsets
  Answer answer_{};
  bool guesses_ = false;  ///< guessed joins may be right
  std::optional<IncumbentSearch> incumbent_{};
  List<const Partition*> open_{};  ///< that are to be searched
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SOLVE_PLAIN_HPP
