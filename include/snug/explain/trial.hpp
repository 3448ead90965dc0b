// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether some of the buffers fit, and if not, which of them the proof used.
///
/// solve() answers that for a problem. A search from a ground
/// (plan/from_ground.hpp) also says with what conflict it ended
/// (engine/conflict.hpp): all other buffers played no part in its refutation.
/// So do bounds by packings and stacks (plan/relaxed_packings.hpp, plan/relaxed_stacks.hpp).
/// In any other problem the core is all of the buffers.
///
/// A core is a good guess and no more; whoever claims that it does not fit
/// tries it in turn.
///
/// Cost: as solve().
#ifndef SNUG_EXPLAIN_TRIAL_HPP
#define SNUG_EXPLAIN_TRIAL_HPP

#include "snug/config.hpp"
#include "snug/explain/overload.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plan.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The answer for some of the buffers of a problem.
struct Trial {
  Outcome outcome = Outcome::kOpen;
  /// kPlacedAll: offsets in the order of the buffers that were tried.
  std::vector<std::int64_t> offsets{};
  /// kRefuted: those of the buffers that the proof used, ascending.
  std::vector<std::size_t> core{};
  std::int64_t nodes = 0;

  /// Whether it stopped with nodes of its `limit` left: for want of memory or time,
  /// and then more nodes do not help.
  [[nodiscard]] bool is_stuck(std::int64_t limit) const noexcept {
    return outcome == Outcome::kOpen && nodes < limit;
  }
};

/// The answer for a problem within a share of the budget, at most `nodes` nodes.
template <class M>
[[nodiscard]] Trial solve_within(Flat flat, std::int64_t capacity,
                                 std::int64_t nodes, Budget& budget) {
  const std::size_t count = flat.buffers.size();
  const Options options = budget.share(nodes);
  Stats stats;
  Call call(options, stats);
  Found found;
  Trial trial;
  trial.outcome =
      place_flat<M, Wanted::kAny>(std::move(flat), capacity, call, found);
  budget.add(stats, call.limits().stopped_by());
  trial.nodes = stats.nodes;
  if (trial.outcome == Outcome::kPlacedAll)
    trial.offsets.assign(found.offsets.begin(), found.offsets.end());
  if (trial.outcome != Outcome::kRefuted) return trial;
  trial.core.assign(found.core.begin(), found.core.end());
  if (trial.core.empty())
    trial.core = numbers_below<std::vector<std::size_t>>(count);
  return trial;
}

/// Buffers that were refuted.
struct Refuted {
  std::vector<std::size_t> buffers{};  ///< ascending; empty: none were
  std::vector<std::size_t> core{};     ///< of the refutation
  std::int64_t nodes = 0;              ///< that it took
};

/// Tries subsets of one problem, which must outlive this.
template <class M>
class Trials {
 public:
  Trials(const Problem<>& problem, std::int64_t capacity, Budget& budget)
      : problem_(&problem), capacity_(capacity), budget_(&budget) {}

  [[nodiscard]] const Problem<>& problem() const noexcept { return *problem_; }
  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }

  /// Tries `buffers`, ascending, for at most `nodes` nodes.
  [[nodiscard]] Trial run(const std::vector<std::size_t>& buffers,
                          std::int64_t nodes) {
    Trial trial;
    if (budget_->is_spent()) return trial;
    const Interrupt interrupt = budget_->interrupt();
    const Problem<> part = make_subset(*problem_, buffers, interrupt);
    if (auto overload = find_overload(make_moments(part, capacity_, interrupt),
                                      interrupt)) {
      trial.outcome = Outcome::kRefuted;
      trial.core = std::move(overload->buffers);
    } else if (!budget_->gave_up()) {
      Flat flat = flatten(part, interrupt);
      flat.hints.clear();
      if (!budget_->gave_up())
        trial = solve_within<M>(std::move(flat), capacity_, nodes, *budget_);
    }
    for (std::size_t& i : trial.core) i = buffers[i];
    return trial;
  }

 private:
  const Problem<>* problem_;
  std::int64_t capacity_;
  Budget* budget_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_TRIAL_HPP
