// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement brought down by halves (plan/heights.hpp), in short searches, for
/// minimize() of problems with constraints or coarse alignments:
///
///     at the bound   for a few nodes a buffer, unless the bound is weak
///     halves         for as many at each capacity
///     halves         from the bound again, for four times as many
///
/// A capacity with some room mostly takes a few nodes a buffer, or very many. The rungs
/// of the ladder (plan/ladder.hpp) stay where they are as long as they know no answer;
/// they begin below what came of this.
///
/// Where alignments are mixed, or constraints keep the height *far* above the bound,
/// each capacity has a walk (plan/ejection_walks.hpp) as well, of twice as many moves: ties,
/// for one, keep searches from any answer. Which of the two comes to placements depends
/// on the problem, so the one that did so last goes first, and the other is for where it
/// fails. Every walk begins with no body placed: what was built up from the bottom, or
/// fits a greater height, has the coarse ones in bad places.
///
/// Nothing is proved but what a search refutes.
///
/// Cost: some eight searches, and walks, each time.
#ifndef SNUG_PLAN_BISECTION_HPP
#define SNUG_PLAN_BISECTION_HPP

#include "snug/config.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/ejection_walks.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/heights.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `Search` is that of the ladder.
template <class M, class Search>
class Bisection {
 public:
  /// Models and call must outlive it.
  Bisection(FlatModels<M>& models, const Heights& heights, Call& call)
      : models_(&models), heights_(heights), call_(&call) {}

  /// Brings the placement in `found` down.
  void run(Found& found) {
    constexpr std::int64_t kNodes = 4;  // a buffer
    if (!models_->is_mixed() &&
        height_of(models_->buffers, found.offsets) > found.bound &&
        search(found.bound, kNodes, found)) {
      call_->limits().note_height(found.bound);
      return;
    }
    halve(kNodes, found);
    halve(4 * kNodes, found);
  }

  /// The same in so many nodes a buffer for each search.
  void halve(std::int64_t nodes, Found& found) {
    bisect(models_->buffers, heights_, *call_, found,
           [&](std::int64_t capacity) {
             return models_->is_mixed() || is_far(found)
                        ? place_by_turns(capacity, nodes, found)
                        : search(capacity, nodes, found);
           });
  }

  /// Whether constraints keep the height so far above the bound that walks may come much
  /// lower than searches. Where little is missing, they hardly ever do.
  [[nodiscard]] bool is_far(const Found& found) const {
    constexpr std::int64_t kPart = 8;
    const std::int64_t height = height_of(models_->buffers, found.offsets);
    return !models_->ground() && !models_->is_mixed() &&
           height - found.bound > height / kPart;
  }

 private:
  /// Moves of a walk for each node of a search.
  static constexpr std::int64_t kMoves = 2;

  /// By what placed all last, or else by the other one.
  [[nodiscard]] bool place_by_turns(std::int64_t capacity, std::int64_t nodes,
                                    Found& found) {
    for (int k = 0; k < 2; ++k, walks_first_ = !walks_first_)
      if (walks_first_ ? walk(capacity, kMoves * nodes, found)
                       : search(capacity, nodes, found))
        return true;
    return false;
  }

  [[nodiscard]] bool search(std::int64_t capacity, std::int64_t nodes,
                            Found& found) {
    const auto size = static_cast<std::int64_t>(models_->buffers.size());
    Share share(*call_, multiply_nodes(nodes, size));
    Found lower;
    lower.bound = found.bound;
    const Outcome outcome = Search(*models_, capacity, share.call()).run(lower);
    found.bound = (std::max)(found.bound, lower.bound);
    if (outcome == Outcome::kRefuted)
      found.bound = (std::max)(found.bound, heights_.above(capacity));
    call_->note_bound(found.bound);
    if (outcome != Outcome::kPlacedAll) return false;
    found.offsets = std::move(lower.offsets);
    return true;
  }

  [[nodiscard]] bool walk(std::int64_t capacity, std::int64_t moves,
                          Found& found) {
    if (!walk_) walk_.emplace(models_->searched(*call_), *call_);
    if (call_->gave_up()) return false;
    walk_->aim(capacity);
    return walk_->run(moves, found) == Outcome::kPlacedAll;
  }

  FlatModels<M>* models_;
  Heights heights_;
  Call* call_;
  std::optional<EjectionWalks> walk_{};
  bool walks_first_ = true;  ///< it was a walk that placed all last, if any did
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BISECTION_HPP
