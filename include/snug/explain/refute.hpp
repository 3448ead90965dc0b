// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether buffers fit, and if not, a part of them that does not: everything
/// and its windows of time in turn, with more and more nodes.
///
/// A window can be refuted long before the whole, and sometimes the whole long
/// before any window. Each round gives the windows as many nodes as the whole,
/// and all of them together four times as many.
///
/// Cost: a few times that of whichever is decided first.
#ifndef SNUG_EXPLAIN_REFUTE_HPP
#define SNUG_EXPLAIN_REFUTE_HPP

#include "snug/config.hpp"
#include "snug/explain/trial.hpp"
#include "snug/explain/windows.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Places `buffers` or refutes some of them, which then are in `found`. Gives
/// up when one try has had `most` nodes, or when the budget is spent.
template <class M>
[[nodiscard]] Trial place_or_refute(Trials<M>& trials,
                                    const std::vector<std::size_t>& buffers,
                                    std::int64_t most, Refuted& found) {
  constexpr std::int64_t kGrowth = 4;
  Windows<M> windows(trials, buffers);
  std::int64_t limit = multiply_nodes(
      kFirstNodes, static_cast<std::int64_t>(buffers.size()) + 1);
  for (;; limit = multiply_nodes(kGrowth, limit)) {
    limit = (std::min)(limit, most);
    Trial trial = trials.run(buffers, limit);
    if (trial.outcome == Outcome::kRefuted)
      found = {buffers, std::move(trial.core), trial.nodes};
    if (trial.outcome != Outcome::kStopped || trials.budget().is_spent())
      return trial;
    found = windows.search(limit, multiply_nodes(4, limit));
    if (!found.buffers.empty()) trial.outcome = Outcome::kRefuted;
    if (trial.outcome == Outcome::kRefuted || limit == most ||
        trials.budget().is_spent())
      return trial;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_REFUTE_HPP
