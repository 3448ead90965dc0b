// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Windows of time (plan/windows.hpp) whose buffers do not fit, which say more than a
/// refutation of everything; and whether buffers fit, by trying them all and their
/// windows in turn.
///
/// Cost: that of the windows, and of the tries.
#ifndef SNUG_EXPLAIN_WINDOW_TRIALS_HPP
#define SNUG_EXPLAIN_WINDOW_TRIALS_HPP

#include "snug/config.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/windows.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class WindowTrials {
 public:
  /// Windows of `buffers`, ascending, which together do not fit or may not.
  WindowTrials(Trials<M>& trials, std::vector<std::size_t> buffers)
      : trials_(&trials),
        buffers_(std::move(buffers)),
        windows_(make_plain(flatten_some(trials.problem(), buffers_),
                            trials.budget().interrupt()),
                 kParts) {}

  /// Tries those that are not known to fit, each for at most `limit` nodes,
  /// until one is refuted or all of them together have taken `most`.
  [[nodiscard]] Refuted search(std::int64_t limit, std::int64_t most) {
    Refuted found;
    const auto must_stop = [&] { return trials_->budget().is_spent(); };
    const auto try_some = [&](const List<Index>& inside, std::int64_t nodes) {
      found.buffers.clear();
      for (const Index k : inside) found.buffers.push_back(buffers_[k]);
      Trial trial = trials_->run(found.buffers, nodes);
      found.core = std::move(trial.core);
      found.nodes = trial.nodes;
      return Windows::Answer{trial.outcome, trial.nodes};
    };
    if (windows_.search(limit, most, must_stop, try_some)) return found;
    return {};
  }

  /// Whether another search with a larger limit may come to more.
  [[nodiscard]] bool wants_nodes() const noexcept {
    return windows_.wants_nodes();
  }

 private:
  /// Of a window: who wants a short one looks at many.
  static constexpr Index kParts = 4;

  [[nodiscard]] static List<FlatBuffer> flatten_some(
      const Problem<>& problem, const std::vector<std::size_t>& buffers) {
    List<FlatBuffer> some;
    some.reserve(buffers.size());
    for (const std::size_t b : buffers)
      some.push_back(flatten_buffer(problem.buffers[b], problem.alignment));
    return some;
  }

  Trials<M>* trials_;
  std::vector<std::size_t> buffers_;
  Windows windows_;
};

/// Places `buffers` or refutes some of them, which then are in `found`. Gives
/// up when one try has had `most` nodes, or when the budget is spent.
///
/// A window can be refuted long before the whole, and sometimes the whole long
/// before any window. So they take turns, of more and more nodes: each round gives
/// a window as many as the whole, and all of them together four times as many. It
/// costs a few times what the first to be decided does.
template <class M>
[[nodiscard]] Trial place_or_refute(Trials<M>& trials,
                                    const std::vector<std::size_t>& buffers,
                                    std::int64_t most, Refuted& found) {
  WindowTrials<M> windows(trials, buffers);
  std::int64_t limit = multiply_nodes(
      kFirstNodes, static_cast<std::int64_t>(buffers.size()) + 1);
  for (;; limit = longer_turn(limit)) {
    limit = (std::min)(limit, most);
    Trial trial = trials.run(buffers, limit);
    if (trial.outcome == Outcome::kRefuted)
      found = {buffers, std::move(trial.core), trial.nodes};
    if (trial.outcome != Outcome::kOpen || trials.budget().is_spent())
      return trial;
    const bool is_stuck = trial.is_stuck(limit);
    found = windows.search(limit, multiply_nodes(4, limit));
    if (!found.buffers.empty()) trial.outcome = Outcome::kRefuted;
    if (trial.outcome == Outcome::kRefuted || limit == most ||
        trials.budget().is_spent() || (is_stuck && !windows.wants_nodes()))
      return trial;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_WINDOW_TRIALS_HPP
