// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A search that takes turns with others, in a share of a call (plan/call.hpp). In
/// each turn it goes on where it was, until it has had so many nodes in all:
///
///     up to   100                 400                  1600
///     this    |= 100 nodes =|     |= 300 more =|       |= 1200 more = ...
///     others                 |==|               |====|
///
/// It is made in its first turn. What was interrupted meanwhile is of no use, so the
/// next turn makes it again.
#ifndef SNUG_PLAN_SEARCH_IN_TURNS_HPP
#define SNUG_PLAN_SEARCH_IN_TURNS_HPP

#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Search>
class SearchInTurns {
 public:
  explicit SearchInTurns(Call& whole, Share::Of of = Share::Of::kPart)
      : share_(whole, of) {}

  /// Leaves half of the memory to others that hold some at the same time.
  void leave_memory() noexcept { share_.leave_memory(); }

  /// One turn of so many nodes. run(search, call) makes the search where std::optional
  /// `search` has none, and lets it go on.
  template <class Run>
  [[nodiscard]] Outcome take_turn(std::int64_t nodes, Share::Time time,
                                  Run&& run) {
    const Turn turn(share_, nodes, time);
    Call& call = share_.call();
    const std::int64_t before = call.stats().nodes;
    const Outcome outcome = run(search_, call);
    of_last_turn_ = call.stats().nodes - before;
    nodes_ += of_last_turn_;
    stops_ = outcome == Outcome::kOpen && !call.is_stopped();
    is_over_ = outcome != Outcome::kOpen || stops_ || call.gave_up();
    // What was interrupted while it was made is of no use.
    if (call.gave_up()) search_.reset();
    return outcome;
  }
  /// The same, if it has not had so many nodes yet, until it has.
  template <class Run>
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Run&& run) {
    if (nodes_ >= nodes) return Outcome::kOpen;
    return take_turn(nodes == kNoNodeLimit ? nodes : nodes - nodes_,
                     Share::Time::kHalf, run);
  }
  /// The next turn begins anew.
  void forget() { search_.reset(); }

  /// Whether it stopped by itself in the last turn, for want of memory or time:
  /// then more nodes do not help.
  [[nodiscard]] bool stops() const noexcept { return stops_; }
  /// Whether that, or an outcome, or an interruption ended it.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  /// The nodes of the last turn.
  [[nodiscard]] std::int64_t of_last_turn() const noexcept {
    return of_last_turn_;
  }

 private:
  Share share_;
  std::optional<Search> search_{};
  std::int64_t nodes_ = 0;  ///< so far
  std::int64_t of_last_turn_ = 0;
  bool stops_ = false;
  bool is_over_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SEARCH_IN_TURNS_HPP
