// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// explain(): which buffers make a problem infeasible.
///
/// The answer is an *irreducible* set: it does not fit, and without any one of
/// its buffers it does. There may be several; it is one of them.
///
///     load too high --> the largest buffers live at the worst moment
///        | no
///     refute everything, or a window of time, whichever is sooner
///        |
///     its core --> a shorter window in it --> leave out what is not needed
///
/// Whoever leaves out one buffer after the other makes as many solves as there
/// are buffers, most of them of large sets. Here most buffers go at once: those
/// that a refutation did not use (trial.hpp), those outside a short window
/// (window_trials.hpp), and those in a chunk (shrink.hpp).
///
/// Source of the notion: irreducible infeasible subsets, van Loon (1981),
/// Chinneck and Dravnieks, "Locating minimal infeasible constraint sets in
/// linear programs" (ORSA Journal on Computing, 1991).
#ifndef SNUG_EXPLAIN_HPP
#define SNUG_EXPLAIN_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/explain/overload.hpp"
#include "snug/explain/shrink.hpp"
#include "snug/explain/trial.hpp"
#include "snug/explain/window_trials.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/model/widen.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

/// Whether the buffers of a result are live together at one time and too much
/// then, or only a search shows that they do not fit.
inline void find_cause(const Problem<>& problem, std::int64_t capacity,
                       Explanation<>& result) {
  result.cause = Cause::kSearch;
  auto overload =
      find_overload(make_moments(subset(problem, result.buffers), capacity));
  if (!overload) return;
  result.cause = Cause::kLoad;
  result.moment = overload->moment;
  // They are fewer where the time was up before the shrinker came to them.
  for (std::size_t& i : overload->buffers) i = result.buffers[i];
  result.buffers = std::move(overload->buffers);
  result.proved_irreducible =
      result.proved_irreducible || all_but_one_stack(problem, result.buffers);
}

/// explain() of a well-formed problem, by some models.
template <class M>
[[nodiscard]] Explanation<> explain_wide(const Problem<>& problem,
                                         std::int64_t capacity,
                                         Budget& budget) {
  Explanation<> result;
  Trials<M> trials(problem, capacity, budget);
  Refuted found;
  const Interrupt interrupt = budget.interrupt();
  if (auto overload = find_overload(make_moments(problem, capacity, interrupt),
                                    interrupt)) {
    result.status = Status::kInfeasible;
    found.buffers = std::move(overload->buffers);
    found.core = found.buffers;
    result.proved_irreducible = all_but_one_stack(problem, found.buffers);
  } else if (budget.gave_up()) {
    result.status = Status::kUnknown;
  } else {
    const auto all =
        numbers_below<std::vector<std::size_t>>(problem.buffers.size());
    const Trial trial = place_or_refute(trials, all, kNoNodeLimit, found);
    result.status = trial.outcome == Outcome::kPlacedAll ? Status::kFeasible
                    : trial.outcome == Outcome::kRefuted ? Status::kInfeasible
                                                         : Status::kUnknown;
  }
  if (result.status == Status::kInfeasible) {
    result.buffers = found.buffers;
    if (!result.proved_irreducible) {
      Shrinker<M> shrinker(trials, std::move(found));
      shrinker.run(kNoNodeLimit);
      result.buffers = shrinker.buffers();
      result.proved_irreducible = shrinker.is_irreducible();
    }
    find_cause(problem, capacity, result);
  }
  if (result.status != Status::kFeasible && !result.proved_irreducible)
    result.stopped_by = budget.left_open_by();
  result.stats = budget.stats();
  return result;
}

}  // namespace detail

template <class Size, class Time>
Explanation<Time> explain(const Problem<Size, Time>& problem,
                          typename Problem<Size, Time>::SizeType capacity,
                          const Options& options) {
  Explanation<Time> result;
  detail::Budget budget(options);
  if (!detail::is_worth_search(problem, capacity, budget, result))
    return result;
  Explanation<> wide = detail::explain_wide<detail::BothModels>(
      detail::widen(problem), std::int64_t{capacity}, budget);
  result.status = wide.status;
  result.buffers = std::move(wide.buffers);
  result.proved_irreducible = wide.proved_irreducible;
  result.stopped_by = wide.stopped_by;
  result.cause = wide.cause;
  result.moment = static_cast<Time>(wide.moment);
  result.stats = wide.stats;
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_HPP
