// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize_penalty(): the placement within a capacity whose pairs that share
/// bytes cost least, or the best one found and a lower bound.
///
///     no pair hard        for a few nodes, so that there soon is a placement;
///        |                does not fit: infeasible, done
///     all pairs hard      fits: nothing is paid, done
///        | no
///     no pair hard        if there is no placement so far
///        | fits
///     in turns, each for twice as long as before, until both ends meet
///        walk             local search for cheaper placements (penalty_walk.hpp)
///        cores            pairs that cannot all be hard, and what they cost at
///                         least (core_search.hpp); what fits the cheapest
///                         choice of pairs that pay is optimal
///
/// Ends of memory that ask nothing (normal/presolve.hpp) are left out. The walk goes
/// around what has others, around ties and what lies in gaps (penalty/pinned.hpp), and
/// begins anew there at a better placement of another one.
///
/// Tied buffers are merged, and parts left out, for all but the trials, as far as no
/// pair sees a difference (normal/merged_ties.hpp, parts.hpp).
///
/// Where trials lack memory, it is given up; after more turns if there is a walk.
///
/// Nothing of it hangs on the clock, so without a time limit it takes the same
/// way everywhere.
///
/// Source of the problem: T. Bohnlein, github.com/tonibohnlein/dsa-solver,
/// "reuse penalties".
#ifndef SNUG_PENALTY_HPP
#define SNUG_PENALTY_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/model/options.hpp"
#include "snug/model/penalty_result.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/widen.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/merged_ties.hpp"
#include "snug/normal/parts.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/clique_demands.hpp"
#include "snug/penalty/core_search.hpp"
#include "snug/penalty/hard_trials.hpp"
#include "snug/penalty/penalty_walk.hpp"
#include "snug/penalty/pinned.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// minimize_penalty() of a well-formed problem, by some models.
template <class M>
class PenaltySearch {
 public:
  /// The problem is of no use if the budget gave up.
  PenaltySearch(Problem<> problem, std::int64_t capacity, Budget& budget)
      : problem_(std::move(problem)),
        penalties_(std::move(problem_.penalties)),
        capacity_(capacity),
        top_(capacity),
        budget_(&budget),
        flat_(flatten(problem_, budget.interrupt())) {
    problem_.penalties.clear();
    if (budget.gave_up()) return;
    top_ = presolve(flat_, top_);
    if (ends_ask_nothing(flat_)) leave_out_ends();
    merge();
    if (!budget.gave_up()) bound_ = soft_.paid;
  }

  void run() {
    if (budget_->gave_up()) return;
    HardTrials<M> trials(problem_, soft_.pairs, capacity_, *budget_);
    const auto n = static_cast<std::int64_t>(problem_.buffers.size());
    Outcome outcome = Outcome::kOpen;
    if (!soft_.pairs.empty()) {
      outcome = place(trials, {}, multiply_nodes(kNodesOfAny, n + 1));
      if (is_optimal()) return;
    }
    if (!soft_.pairs.empty() && outcome != Outcome::kRefuted) {
      const auto every =
          numbers_below<std::vector<std::size_t>>(soft_.pairs.size());
      (void)place(trials, every, multiply_nodes(kFirstNodes, n + 1));
      if (is_optimal()) return;
    }
    if (outcome == Outcome::kOpen && !has_placement_)
      outcome = place(trials, {}, kNoNodeLimit);
    is_infeasible_ = outcome == Outcome::kRefuted;
    if (has_placement_ && !is_optimal() && !budget_->is_spent())
      close_the_gap(trials);
  }

  [[nodiscard]] bool is_infeasible() const noexcept { return is_infeasible_; }
  [[nodiscard]] bool is_optimal() const noexcept {
    return has_placement_ && bound_ >= cost_;
  }
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept {
    return offsets_;
  }
  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

 private:
  /// Nodes a buffer of the first try with no pair hard.
  static constexpr std::int64_t kNodesOfAny = 64;

  /// Of the trials, too.
  void leave_out_ends() {
    flat_.ends.clear();
    for (Buffer<>& buffer : problem_.buffers) buffer.end = End::kAny;
  }

  /// Merges what is tied, as far as penalties see no difference, and makes the pairs of
  /// what is left.
  void merge() {
    into_ = merge_ties(flat_);
    if (!into_.empty()) top_ = presolve(flat_, top_);
    std::int64_t paid = 0;
    std::vector<Penalty> penalties;
    for (Penalty penalty : penalties_) {
      if (!into_.empty()) {
        penalty.first = into_[penalty.first];
        penalty.second = into_[penalty.second];
      }
      if (penalty.first == penalty.second)
        paid += penalty.cost;  // They are at one place.
      else
        penalties.push_back(penalty);
    }
    soft_ = make_soft_pairs(penalties, flat_, budget_->interrupt());
    soft_.paid += paid;
    unit_ = divide_costs(soft_.pairs);
    List<std::uint8_t> stays(flat_.buffers.size(), 0);
    for (const SoftPair& pair : soft_.pairs) stays[pair.a] = stays[pair.b] = 1;
    parts_ = Parts(flat_, std::move(stays));
    if (!parts_.empty()) top_ = presolve(flat_, top_);
  }
  /// Of all buffers, from those of what is left.
  [[nodiscard]] std::vector<std::int64_t> unmerged(
      std::vector<std::int64_t> offsets) const {
    parts_.put(offsets);
    spread(into_, offsets);
    return offsets;
  }

  /// What pairs cost, in units, of a cost of all.
  [[nodiscard]] std::int64_t of_pairs(std::int64_t cost) const noexcept {
    return (cost - soft_.paid) / unit_;
  }

  Outcome place(HardTrials<M>& trials, const std::vector<std::size_t>& hard,
                std::int64_t nodes) {
    Trial trial = trials.run(trials.all_buffers(), hard, nodes);
    if (trial.outcome == Outcome::kPlacedAll) note(trial.offsets);
    return trial.outcome;
  }

  void note(const std::vector<std::int64_t>& offsets) {
    problem_.penalties.swap(penalties_);
    const std::int64_t cost = penalty_cost(problem_, offsets);
    problem_.penalties.swap(penalties_);
    if (has_placement_ && cost >= cost_) return;
    has_placement_ = true;
    cost_ = cost;
    offsets_ = offsets;
  }

  void close_the_gap(HardTrials<M>& trials) {
    constexpr std::int64_t kFirstSteps = 1024;
    constexpr int kPatience = 4;  // Turns whose trials come to nothing.
    std::optional<CliqueDemands> cliques;
    if (CliqueDemands::suits(flat_))
      cliques.emplace(flat_, soft_.pairs, top_ - flat_.base);
    CoreSearch<M> cores(trials, cliques ? &*cliques : nullptr);
    std::optional<Pinned> pinned;
    std::optional<PenaltyWalk> walk;
    const auto begin_walk = [&] {
      pinned.emplace(flat_, soft_.pairs, offsets_, budget_->interrupt());
      walk.emplace(pinned->flat, pinned->soft.pairs, top_,
                   budget_->options().seed, budget_->interrupt());
      if (budget_->gave_up()) return walk.reset();
      if (!walk->start(offsets_) && !walk->start_empty(budget_->stopper()))
        walk.reset();
    };
    const bool may_walk = PenaltyWalk::suits(
        flat_, overlap_bytes_of(budget_->options()), budget_->interrupt());
    if (budget_->gave_up()) return;
    if (may_walk) begin_walk();
    int idle_turns = 0;
    for (std::int64_t share = kFirstSteps;; share = multiply_nodes(2, share)) {
      const std::int64_t before = cost_;
      const std::int64_t most = (std::min)(share, budget_->nodes_left());
      if (walk) {
        const std::int64_t target = of_pairs(bound_) - pinned->soft.paid;
        budget_->add_nodes(
            walk->run(most, target, [&] { return budget_->is_interrupted(); }));
        note(unmerged(walk->best()));
      }
      const std::int64_t walked = cost_;
      if (is_optimal() || budget_->is_spent()) return;
      cores.round(
          most, of_pairs(cost_),
          [&](const std::vector<std::int64_t>& offsets) { note(offsets); });
      bound_ = (std::max)(bound_, soft_.paid + unit_ * cores.bound());
      if (is_optimal() || budget_->is_spent()) return;
      idle_turns = cores.is_stuck() && cost_ == before ? idle_turns + 1 : 0;
      if (idle_turns == (walk ? 2 * kPatience : kPatience)) return;
      // Not all that a round does is counted in nodes.
      if (most < share) budget_->add_nodes(budget_->nodes_left());
      if (budget_->is_spent()) return;
      if (pinned && pinned->pins_some && cost_ < walked) begin_walk();
    }
  }

  Problem<> problem_;  ///< without penalties
  std::vector<Penalty> penalties_;
  std::int64_t capacity_;
  std::int64_t top_;  ///< of the presolved problem
  Budget* budget_;
  Flat flat_;           ///< presolved
  List<Index> into_{};  ///< of merge_ties()
  Parts parts_{};       ///< of what is left then
  SoftPairs soft_{};    ///< their costs in units
  std::int64_t unit_ = 1;
  bool is_infeasible_ = false;
  bool has_placement_ = false;
  std::vector<std::int64_t> offsets_{};
  std::int64_t cost_ = 0;
  std::int64_t bound_ = 0;
};

}  // namespace detail

template <class Size, class Time>
PenaltyResult<Size> minimize_penalty(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity, const Options& options) {
  PenaltyResult<Size> result;
  detail::Budget budget(options);
  if (!detail::is_worth_search(problem, capacity, budget, result))
    return result;
  detail::PenaltySearch<detail::BothModels> search(
      detail::copy_widened(problem, budget.interrupt()), std::int64_t{capacity},
      budget);
  search.run();
  result.cost = search.cost();
  result.cost_bound = search.bound();
  for (std::size_t i = 0; i < search.offsets().size(); ++i) {
    const auto offset = static_cast<Size>(search.offsets()[i]);
    result.offsets.push_back(offset);
    result.height = (std::max)(
        result.height, static_cast<Size>(offset + problem.buffers[i].size));
  }
  result.status = search.is_infeasible()     ? Status::kInfeasible
                  : search.is_optimal()      ? Status::kOptimal
                  : search.offsets().empty() ? Status::kUnknown
                                             : Status::kFeasible;
  if (result.status == Status::kUnknown || result.status == Status::kFeasible)
    result.stopped_by = budget.left_open_by();
  result.stats = budget.stats();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_HPP
