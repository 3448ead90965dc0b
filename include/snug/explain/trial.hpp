// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether some of the buffers fit, and if not, which of them the proof used.
///
/// solve() answers that for a problem. Here a plain problem's search is asked
/// as well for the conflict that it ends with (plain/explainer.hpp): all other
/// buffers played no part in its refutation. Its partitions take turns, so that
/// one that is hard to place does not hide another that is easily refuted. For
/// constrained problems the core is everything.
///
/// A core is a good guess and no more; whoever claims that it does not fit
/// tries it in turn.
///
/// Cost: as solve().
#ifndef SNUG_EXPLAIN_TRIAL_HPP
#define SNUG_EXPLAIN_TRIAL_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/explain/budget.hpp"
#include "snug/explain/overload.hpp"
#include "snug/model/kind.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/solve.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The answer for some of the buffers of a problem.
template <class Size>
struct Trial {
  Outcome outcome = Outcome::kStopped;
  /// kPlacedAll: offsets in the order of the buffers that were tried.
  std::vector<Size> offsets{};
  /// kRefuted: those of the buffers that the proof used, ascending.
  std::vector<std::size_t> core{};
  std::int64_t nodes = 0;
  Check error{};  ///< why solve() refused the problem, if it did
};

/// Buffers that were refuted.
struct Refuted {
  std::vector<std::size_t> buffers{};  ///< ascending; empty: none were
  std::vector<std::size_t> core{};     ///< of the refutation
  std::int64_t nodes = 0;              ///< that it took
};

/// Tries subsets of one problem, which must outlive this.
template <bool kSmall, class Size, class Time>
class Trials {
 public:
  Trials(const Problem<Size, Time>& problem, Size capacity, Budget& budget)
      : problem_(&problem), capacity_(capacity), budget_(&budget) {}

  [[nodiscard]] const Problem<Size, Time>& problem() const noexcept {
    return *problem_;
  }
  [[nodiscard]] Size capacity() const noexcept { return capacity_; }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }

  /// Tries `buffers`, ascending, for at most `nodes` nodes.
  [[nodiscard]] Trial<Size> run(const std::vector<std::size_t>& buffers,
                                std::int64_t nodes) {
    Trial<Size> trial;
    if (budget_->is_spent()) return trial;
    Problem<Size, Time> part = subset(*problem_, buffers);
    if (!is_constrained(part)) {
      if (part.alignment > 1) part = aligned(part);
      const Sweep sweep = snug::sweep(part);
      if (!overloads(find_overload(part, sweep, section_loads(part, sweep),
                                   std::int64_t{capacity_}),
                     trial))
        search(part, sweep, nodes, trial);
    } else if (!overloads(find_overload(make_moments(part, capacity_)),
                          trial)) {
      ask_solve(part, nodes, trial);
    }
    for (std::size_t& i : trial.core) i = buffers[i];
    return trial;
  }

 private:
  [[nodiscard]] static bool overloads(std::optional<Overload<Time>> overload,
                                      Trial<Size>& trial) {
    if (!overload) return false;
    trial.outcome = Outcome::kRefuted;
    trial.core = std::move(overload->buffers);
    return true;
  }

  void ask_solve(const Problem<Size, Time>& part, std::int64_t nodes,
                 Trial<Size>& trial) {
    const Options options = budget_->share(nodes);
    Result<Size> result = solve<Size, Time, kSmall>(part, capacity_, options);
    budget_->add(result.stats, result.status);
    trial.nodes = result.stats.nodes;
    trial.error = result.error;
    if (result.status == Status::kSolved) {
      trial.outcome = Outcome::kPlacedAll;
      trial.offsets = std::move(result.offsets);
    } else if (result.status == Status::kInfeasible) {
      trial.outcome = Outcome::kRefuted;
      for (std::size_t i = 0; i < part.buffers.size(); ++i)
        trial.core.push_back(i);
    }
  }

  /// A few dives, as solve() makes them.
  void dive(const Problem<Size, Time>& part, const Sweep& sweep,
            const Options& options, std::vector<Size>& offsets,
            Trial<Size>& trial) const {
    const std::int64_t dives = dives_for(sweep.order.size());
    if (dives == 0) return;
    Limits limits(options);
    const Stats stats;
    const Stopper stop{&limits, &stats, nullptr};
    IncumbentSearch incumbent(part, sweep, {});
    incumbent.dive(part, sweep, std::int64_t{capacity_}, dives, stop);
    if (incumbent.best().height > std::int64_t{capacity_}) return;
    incumbent.write(offsets);
    trial.outcome = Outcome::kPlacedAll;
  }

  void search(const Problem<Size, Time>& part, const Sweep& sweep,
              std::int64_t nodes, Trial<Size>& trial) {
    Result<Size> result;
    result.offsets.assign(part.buffers.size(), 0);
    const Options all = budget_->share(nodes);
    dive(part, sweep, all, result.offsets, trial);
    std::vector<Partition> open;
    if (trial.outcome == Outcome::kStopped)
      for (const Partition& partition : sweep.partitions)
        if (!stack_all(part, sweep, partition, std::int64_t{capacity_},
                       result.offsets))
          open.push_back(partition);
    if (open.empty()) trial.outcome = Outcome::kPlacedAll;
    std::int64_t turn = kFirstTurn;
    for (; trial.outcome == Outcome::kStopped; turn *= kTurnGrowth) {
      if (trial.nodes >= nodes || budget_->is_spent()) break;
      std::vector<Partition> still;
      for (const Partition& partition : open) {
        const std::int64_t left = nodes - trial.nodes;
        const Outcome outcome = search(
            part, sweep, partition,
            open.size() == 1 ? left : (std::min)(turn, left), result, trial);
        if (outcome == Outcome::kStopped) still.push_back(partition);
        if (outcome == Outcome::kRefuted) {
          trial.outcome = outcome;
          break;
        }
      }
      if (trial.outcome == Outcome::kRefuted) break;
      open.swap(still);
      if (open.empty()) trial.outcome = Outcome::kPlacedAll;
    }
    if (trial.outcome == Outcome::kPlacedAll)
      trial.offsets = std::move(result.offsets);
  }

  /// Searches one partition for at most `nodes` nodes.
  [[nodiscard]] Outcome search(const Problem<Size, Time>& part,
                               const Sweep& sweep, const Partition& partition,
                               std::int64_t nodes, Result<Size>& result,
                               Trial<Size>& trial) {
    const std::int64_t unit = common_unit(part, sweep, partition);
    return with_lane<kSmall>(capacity_ / unit, [&](auto lane) {
      return search<decltype(lane)>(part, sweep, partition, unit, nodes, result,
                                    trial);
    });
  }

  template <class Lane>
  [[nodiscard]] Outcome search(const Problem<Size, Time>& part,
                               const Sweep& sweep, const Partition& partition,
                               std::int64_t unit, std::int64_t nodes,
                               Result<Size>& result, Trial<Size>& trial) {
    const Options options = budget_->share(nodes);
    Limits limits(options);
    Stats stats;
    Memory memory;
    const Instance<Lane> instance = make_instance<Lane>(
        part, sweep, partition, unit, std::int64_t{capacity_}, memory);
    Portfolio<PlainModel<Lane>> portfolio(instance, instance.capacity,
                                          kSolveStrategies,
                                          {&options, &stats, &limits}, memory);
    const Outcome outcome =
        portfolio.run_all((std::numeric_limits<std::int64_t>::max)());
    budget_->add(stats, limits.status());
    trial.nodes += stats.nodes;
    for (Index x = 0; x < instance.size; ++x) {
      const Index i = sweep.order[partition.buffers.lower + x];
      if (outcome == Outcome::kPlacedAll)
        result.offsets[i] =
            static_cast<Size>(portfolio.model().offsets()[x] * unit);
      if (outcome == Outcome::kRefuted && has_bit(portfolio.refuted(), x))
        trial.core.push_back(i);
    }
    std::sort(trial.core.begin(), trial.core.end());
    return outcome;
  }

  /// Nodes of the first turn of a partition, and how much longer the next is.
  static constexpr std::int64_t kFirstTurn = 4096;
  static constexpr std::int64_t kTurnGrowth = 4;

  const Problem<Size, Time>* problem_;
  Size capacity_;
  Budget* budget_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_TRIAL_HPP
