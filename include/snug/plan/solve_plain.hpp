// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() of a plain problem, as a list of attempts: the first one that knows
/// the answer ends it.
///
///     load      it exceeds the capacity: infeasible
///     joins     where memory is full some buffers are one (joins/joins.hpp);
///               if they are many, what is left is solved instead
///     fillers   the same once what is free, less than half, is filled by a
///               guess (joins/fillers.hpp), for a few nodes
///     guess     the same with guessed joins, for a few nodes; where a large
///               problem is left, for a few dives
///     fit       if there are pairs or obstacles: first fit that keeps them apart
///               and goes around them; no dives then. With the plain model alone it
///               stands for all between load and search, for large problems
///     dives     a few placements by rules of thumb; the more buffers, the more.
///               None if a placement is known and the capacity is the bound: those
///               of minimize() are the same
///     peak      large problems only: a search around the peak, and first fit
///     sections  what is live at one time does not fit: packings beside obstacles
///               (bounds/packed_load.hpp), and stacks (bounds/aligned_stack.hpp)
///     rounded   where all alignments have a common grid, with sizes that are multiples
///               of it from here on (normal/rounded_plain.hpp)
///     open      partitions that need no search: all on top of each other
///               (joins/stack.hpp), or in bins (joins/bins.hpp)
///     search    each partition by itself; one that does not fit settles all;
///               in turn with what was guessed, where there are many joins
///
/// Packings and stacks of many buffers take longer than most searches, so where there are
/// any the search has a first turn before them. In each turn what is joined by a guess
/// goes on where it was, as the search does, and so does the whole when its call has
/// another turn (plan/call.hpp).
#ifndef SNUG_PLAN_SOLVE_PLAIN_HPP
#define SNUG_PLAN_SOLVE_PLAIN_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/bounds/load.hpp"
#include "snug/bounds/packed_load.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/heuristics/pair_fit.hpp"
#include "snug/joins/stack.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/rounded_plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/joined_plain.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/partition.hpp"
#include "snug/plan/partitions.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// First fit that keeps pairs apart (heuristics/pair_fit.hpp): a placement that is at
/// most `highest` high. False if there is none, or the call gave up before.
[[nodiscard]] inline bool fit_pairs(const Plain& plain, std::int64_t target,
                                    std::int64_t highest, Call& call,
                                    List<std::int64_t>& offsets) {
  PairFit fit(plain);
  const bool is_placed =
      fit.run(target, highest, call.interrupt(), call.stopper(), offsets);
  call.count_bytes(fit.bytes());
  return is_placed;
}

/// solve() of a plain problem.
template <class M>
class PlainSolve {
 public:
  PlainSolve(const PlainTask& task, Call& call)
      : task_(task),
        plain_(task.plain),
        call_(&call),
        held_(call, plain_->buffers.size() * sizeof(std::int64_t)),
        partitions_(*plain_, task.capacity, call) {
    found_.offsets.assign(plain_->buffers.size(), 0);
    if constexpr (M::kBoth) {
      joins_ = std::make_unique<JoinAttempts<PlainSolve>>(task_, call);
      held_.change(held_.bytes() + sizeof(*joins_));
    }
  }
  PlainSolve(const PlainSolve&) = delete;
  PlainSolve& operator=(const PlainSolve&) = delete;

  /// A placement is known that is too high. As a rule it came of dives towards the
  /// bound; at that capacity they are not made again. Packings raised the bound then.
  void note_placed() noexcept {
    makes_dives_ = task_.bound < task_.capacity;
    has_packings_ = false;
  }

  /// Until the answer is known or the call is stopped. If that was a turn, goes on
  /// in the next one.
  [[nodiscard]] Outcome run() {
    using Attempt = Outcome (PlainSolve::*)();
    if constexpr (M::kBoth) {
      constexpr Attempt kAttempts[] = {
          &PlainSolve::compare_load,
          &PlainSolve::join,
          &PlainSolve::fill,
          &PlainSolve::guess,
          &PlainSolve::fit_constrained,
          &PlainSolve::dive,
          &PlainSolve::place_peak_first,
          &PlainSolve::compare_sections,
          &PlainSolve::open_rounded,
          &PlainSolve::search_and_guess,
      };
      return joins_->has_joined() ? join() : make(kAttempts);
    } else {
      constexpr Attempt kAttempts[] = {
          &PlainSolve::compare_load,
          &PlainSolve::fit_large,
          &PlainSolve::open_partitions,
          &PlainSolve::search,
      };
      return make(kAttempts);
    }
  }

  /// The attempts `load` and `dives` by themselves.
  [[nodiscard]] Outcome run_dives() {
    const Outcome outcome = compare_load();
    return outcome == Outcome::kOpen ? dive() : outcome;
  }

  /// The attempts `joins`, `fillers` and `guess` by themselves.
  [[nodiscard]] Outcome run_joins() {
    constexpr Outcome (PlainSolve::*kAttempts[])() = {
        &PlainSolve::join, &PlainSolve::fill, &PlainSolve::guess};
    for (const auto attempt : kAttempts) {
      const Outcome outcome = (this->*attempt)();
      if (call_->is_settled(outcome)) return outcome;
    }
    return Outcome::kOpen;
  }

  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return task_.bound; }
  /// Offsets after kPlacedAll, a core after kRefuted.
  [[nodiscard]] Found& found() noexcept { return found_; }

 private:
  /// Nodes of the first turn of a partition.
  static constexpr std::int64_t kFirstTurn = 4096;

  /// Those that were not made before, until one is settled; the last one anew
  /// each time.
  template <class Attempt, std::size_t n>
  [[nodiscard]] Outcome make(const Attempt (&attempts)[n]) {
    while (made_ + 1 < n) {
      const Outcome outcome = (this->*attempts[made_++])();
      if (call_->is_settled(outcome)) return outcome;
    }
    return (this->*attempts[made_])();
  }

  [[nodiscard]] bool is_large() const noexcept {
    return has_large_partition(*plain_);
  }

  [[nodiscard]] Outcome compare_load() {
    if (task_.bound <= task_.capacity) return Outcome::kOpen;
    return refute();
  }

  [[nodiscard]] Outcome join() {
    // A refutation rests on all buffers, as these make memory full.
    return with_core(joins_->join(found_.offsets));
  }
  [[nodiscard]] Outcome fill() { return joins_->fill(found_.offsets); }
  [[nodiscard]] Outcome guess() { return joins_->guess(found_.offsets); }

  [[nodiscard]] Outcome fit_constrained() {
    return plain_->is_pure() ? Outcome::kOpen : fit();
  }
  [[nodiscard]] Outcome fit_large() {
    return is_large() ? fit() : Outcome::kOpen;
  }
  [[nodiscard]] Outcome fit() {
    List<std::int64_t> offsets;
    if (!fit_pairs(*plain_, task_.capacity, task_.capacity, *call_, offsets))
      return Outcome::kOpen;
    found_.offsets.swap(offsets);
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome dive() {
    if (!plain_->is_pure() || !makes_dives_) return Outcome::kOpen;
    const std::int64_t dives = dives_for(plain_->order.size());
    if (dives == 0 && !is_large()) return Outcome::kOpen;
    if (call_->must_stop()) return Outcome::kOpen;
    const Interrupt stop = call_->stopper();
    incumbent_ = std::make_unique<IncumbentSearch>(*plain_, call_->interrupt());
    incumbent_->dive(*plain_, task_.capacity,
                     (std::max)(dives, std::int64_t{1}), stop);
    if (incumbent_->dives() == 0) return Outcome::kOpen;
    if (is_large()) incumbent_->fit(*plain_, task_.capacity, stop);
    return take_incumbent();
  }

  [[nodiscard]] Outcome place_peak_first() {
    if (!is_large() || !incumbent_) return Outcome::kOpen;
    const Interrupt stop = call_->stopper();
    const auto place_crest = [&](const Crest& crest, std::int64_t& nodes,
                                 List<std::int64_t>& offsets) {
      const Held held(*call_, incumbent_->peak_bytes() + crest.bytes_in_use());
      const std::int64_t start = call_->stats().nodes;
      Found placed;
      placed.offsets.assign(offsets.size(), 0);
      const Plain& above = crest.above();
      const std::int64_t capacity = task_.capacity - crest.ground();
      if (capacity < 0) return Outcome::kRefuted;
      Outcome outcome = Outcome::kPlacedAll;
      for (const Partition& partition : above.partitions) {
        if (stack_all(above, partition, capacity, placed.offsets)) continue;
        outcome = PartitionSearch<M>(above, partition, capacity, *call_)
                      .go_on(nodes, placed);
        if (outcome != Outcome::kPlacedAll) break;
      }
      nodes = call_->stats().nodes - start;
      if (outcome == Outcome::kPlacedAll) offsets.swap(placed.offsets);
      return outcome;
    };
    if (lower_large(*plain_, task_.capacity, task_.capacity, place_crest, stop,
                    *incumbent_) == Outcome::kRefuted)
      return refute();
    return take_incumbent();
  }

  /// By all buffers together, or by some of them.
  [[nodiscard]] Outcome refute() { return refute_by(plain_->order); }
  [[nodiscard]] Outcome refute_by(const List<Index>& core) {
    found_.core = core;
    heap_sort(found_.core);
    return Outcome::kRefuted;
  }

  /// Whether the lowest placement so far will do.
  [[nodiscard]] Outcome take_incumbent() {
    call_->count_bytes(incumbent_->peak_bytes());
    if (incumbent_->best().height > task_.capacity) return Outcome::kOpen;
    incumbent_->write(found_.offsets);
    return Outcome::kPlacedAll;
  }

  [[nodiscard]] Outcome compare_sections() {
    incumbent_.reset();
    has_packings_ = has_packings_ && !plain_->obstacles.empty();
    Outcome outcome = refute_by_packings(kFirstPackingSteps);
    if (call_->is_settled(outcome)) return outcome;
    stacks_ = std::make_unique<AlignedStacks>(*plain_,
                                              table_bytes_of(call_->options()));
    outcome = refute_by_stacks(kFirstStackSteps);
    if (outcome != Outcome::kOpen || !stacks_->has_more()) stacks_.reset();
    return outcome;
  }

  /// Packings and stacks that take long, after a first turn of the search.
  [[nodiscard]] Outcome compare_long() {
    if (!has_packings_ && !stacks_) return Outcome::kOpen;
    Outcome outcome = partitions().search_up_to(kFirstTurn, found_);
    if (call_->is_settled(outcome)) return outcome;
    outcome = refute_by_packings(packing_steps_for(plain_->order.size()));
    has_packings_ = false;
    if (call_->is_settled(outcome) || !stacks_) return outcome;
    // A bound that does not refute is not worth their time.
    stacks_->look_only_above(task_.capacity);
    outcome = refute_by_stacks(kMostStackSteps);
    stacks_.reset();
    return outcome;
  }

  [[nodiscard]] Outcome refute_by_packings(std::int64_t steps) {
    if (!has_packings_) return Outcome::kOpen;
    PackedLoads loads(*plain_);
    has_packings_ =
        !loads.run(task_.capacity, task_.capacity, steps, call_->stopper());
    call_->count_bytes(sizeof(loads) + loads.bytes());
    return raise_bound(loads.height(), loads.highest());
  }

  [[nodiscard]] Outcome refute_by_stacks(std::int64_t steps) {
    stacks_->run(task_.bound, task_.capacity, steps, call_->stopper());
    call_->count_bytes(sizeof(*stacks_) + stacks_->bytes());
    return raise_bound(stacks_->height(), stacks_->highest());
  }

  /// Refutes if these buffers, which need that height, need more than there is.
  [[nodiscard]] Outcome raise_bound(std::int64_t height,
                                    const List<Index>& buffers) {
    task_.bound = (std::max)(task_.bound, height);
    call_->note_bound(task_.bound);
    return height <= task_.capacity ? Outcome::kOpen : refute_by(buffers);
  }

  /// Those of the rounded problem instead, if it is another one.
  [[nodiscard]] Outcome open_rounded() {
    const std::int64_t grid = common_grid(*plain_);
    if (grid > 1) {
      rounded_ =
          std::make_unique<Rounded>(*plain_, grid, task_.capacity, *call_);
      const std::int64_t load =
          obstructed_load(rounded_->plain, call_->interrupt());
      // What is not complete must not be searched in the next turn.
      if (call_->gave_up()) rounded_.reset();
      // The search takes for granted that loads fit, and these are larger.
      else if (load > rounded_->capacity)
        return refute();
    }
    return open_partitions();
  }

  [[nodiscard]] Outcome open_partitions() {
    return with_core(partitions().open(found_));
  }

  /// A refutation that has no core is one by all buffers.
  [[nodiscard]] Outcome with_core(Outcome outcome) {
    return outcome == Outcome::kRefuted ? refute() : outcome;
  }

  [[nodiscard]] Outcome search() {
    for (;; turn_ = longer_turn(turn_)) {
      const Outcome outcome = search_partitions(partitions().size() == 1);
      if (call_->is_settled(outcome)) return outcome;
    }
  }

  [[nodiscard]] Outcome search_and_guess() {
    Outcome outcome = compare_long();
    if (call_->is_settled(outcome)) return outcome;
    for (;; turn_ = longer_turn(turn_)) {
      outcome =
          search_partitions(partitions().size() == 1 && !joins_->guesses());
      if (call_->is_settled(outcome)) return outcome;
      outcome = joins_->guess_up_to(turn_, found_.offsets);
      if (call_->is_settled(outcome)) return outcome;
    }
  }

  /// One turn, without end if it is alone.
  [[nodiscard]] Outcome search_partitions(bool is_alone) {
    return partitions().search_up_to(is_alone ? kNoNodeLimit : turn_, found_);
  }

  /// The rounded problem.
  struct Rounded {
    Rounded(const Plain& of, std::int64_t grid, std::int64_t below, Call& call)
        : capacity(below),
          plain(round_sizes(of, grid, capacity, call.interrupt())),
          held(call, plain.bytes()),
          partitions(plain, capacity, call) {}

    std::int64_t capacity;
    Plain plain;
    Held held;
    Partitions<M> partitions;
  };

  /// What is searched.
  [[nodiscard]] Partitions<M>& partitions() noexcept {
    if constexpr (M::kBoth)
      if (rounded_) return rounded_->partitions;
    return partitions_;
  }

  PlainTask task_;
  const Plain* plain_;
  Call* call_;
  Held held_;  ///< the offsets, and joins_
  Found found_{};
  std::size_t made_ = 0;  ///< attempts
  // What the plain model alone does not attempt.
  IfBoth<M, std::unique_ptr<JoinAttempts<PlainSolve>>> joins_{};
  IfBoth<M, std::unique_ptr<IncumbentSearch>> incumbent_{};
  /// Those that take long.
  IfBoth<M, std::unique_ptr<AlignedStacks>> stacks_{};
  IfBoth<M, std::unique_ptr<Rounded>> rounded_{};
  bool makes_dives_ = true;
  bool has_packings_ = true;  ///< some may not have been looked at
  std::int64_t turn_ = kFirstTurn;
  Partitions<M> partitions_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SOLVE_PLAIN_HPP
