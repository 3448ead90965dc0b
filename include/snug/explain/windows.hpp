// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Windows of time whose buffers do not fit: short ones are soon refuted, and
/// say more than a refutation of everything; and whether buffers fit, by trying
/// them all and their windows in turn.
///
///     window      |-----------|              the buffers live in it, with
///               +---------+                  their whole lifespans
///           +---+-----+---+----+ +---+
///           |   in    | in     | |   |  not in
///           +---------+--------+ +---+
///
/// Windows are runs of sections, the shorter the earlier: of each length, those
/// that begin at every fourth of it, from left to right; then half as long again.
/// Those that fit are not asked twice.
///
/// Cost: O(n log n), and O(k log k) and a try for each window of k buffers, of which
/// there are about 12 for each section; the tries of most windows need no search.
#ifndef SNUG_EXPLAIN_WINDOWS_HPP
#define SNUG_EXPLAIN_WINDOWS_HPP

#include "snug/config.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class Windows {
 public:
  /// Windows of `buffers`, ascending, which together do not fit or may not.
  Windows(Trials<M>& trials, std::vector<std::size_t> buffers)
      : trials_(&trials),
        buffers_(std::move(buffers)),
        plain_(make_plain(flatten_some(trials.problem(), buffers_),
                          trials.budget().interrupt())) {}

  /// Tries those that are not known to fit, each for at most `limit` nodes,
  /// until one is refuted or all of them together have taken `most`.
  [[nodiscard]] Refuted search(std::int64_t limit, std::int64_t most) {
    std::size_t number = 0;
    wants_nodes_ = is_stuck_ = false;
    for (Index length = kShortest; length < plain_.sections && !is_stuck_;
         length += (length + 1) / 2) {
      const Index last = plain_.sections - length;
      const Index step = (std::max)(length / 4, Index{1});
      // Back to before the first one.
      inside_.clear();
      begun_ = 0;
      for (Index from = 0;; from = (std::min)(from + step, last)) {
        if (number == fits_.size()) fits_.push_back(false);
        if (!fits_[number] && most > 0) {
          if (trials_->budget().is_spent()) return {};
          move_to({from, from + length});
          Refuted found = try_window(limit, most, number);
          if (!found.buffers.empty()) return found;
        }
        ++number;
        if (from == last) break;
      }
    }
    return {};
  }

  /// Whether another search with a larger limit may come to more.
  [[nodiscard]] bool wants_nodes() const noexcept { return wants_nodes_; }

 private:
  /// Two sections always fit where their loads do, but for alignments.
  static constexpr Index kShortest = 3;

  [[nodiscard]] static List<FlatBuffer> flatten_some(
      const Problem<>& problem, const std::vector<std::size_t>& buffers) {
    List<FlatBuffer> some;
    some.reserve(buffers.size());
    for (const std::size_t b : buffers)
      some.push_back(flatten_buffer(problem.buffers[b], problem.alignment));
    return some;
  }

  /// To a window that does not begin or end before the last one.
  void move_to(Interval<Index> window) {
    const List<Interval<Index>>& spans = plain_.spans;
    erase_if(inside_, [&](Index k) { return spans[k].upper <= window.lower; });
    for (; begun_ < plain_.order.size(); ++begun_) {
      const Index k = plain_.order[begun_];
      if (spans[k].lower >= window.upper) break;
      if (spans[k].upper > window.lower) inside_.push_back(k);
    }
  }

  /// Tries those inside.
  [[nodiscard]] Refuted try_window(std::int64_t limit, std::int64_t& most,
                                   std::size_t number) {
    Refuted found;
    for (const Index k : inside_) found.buffers.push_back(buffers_[k]);
    heap_sort(found.buffers);
    limit = (std::min)(limit, most);
    Trial trial = trials_->run(found.buffers, limit);
    if (trial.outcome == Outcome::kStopped)
      (trial.is_stuck(limit) ? is_stuck_ : wants_nodes_) = true;
    most -= trial.nodes;
    fits_[number] = trial.outcome == Outcome::kPlacedAll;
    if (trial.outcome != Outcome::kRefuted) return {};
    found.core = std::move(trial.core);
    found.nodes = trial.nodes;
    return found;
  }

  Trials<M>* trials_;
  std::vector<std::size_t> buffers_;
  Plain plain_;
  List<Index> inside_{};      ///< positions in buffers_ of those in the window
  std::size_t begun_ = 0;     ///< how many of plain_.order begin before its end
  List<bool> fits_{};         ///< of each window
  bool wants_nodes_ = false;  ///< one in the last search, of more than it had
  bool is_stuck_ = false;     ///< one in it, as longer ones mostly would be
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
  Windows<M> windows(trials, buffers);
  std::int64_t limit = multiply_nodes(
      kFirstNodes, static_cast<std::int64_t>(buffers.size()) + 1);
  for (;; limit = longer_turn(limit)) {
    limit = (std::min)(limit, most);
    Trial trial = trials.run(buffers, limit);
    if (trial.outcome == Outcome::kRefuted)
      found = {buffers, std::move(trial.core), trial.nodes};
    if (trial.outcome != Outcome::kStopped || trials.budget().is_spent())
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

#endif  // SNUG_EXPLAIN_WINDOWS_HPP
