// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search of a presolved problem itself, in turns with that of a similar one
/// (plan/presolved.hpp):
///
///     plain     from its ground (plan/from_ground.hpp): load, dives, peak, search
///     bodies    all else (plan/body_placer.hpp)
#ifndef SNUG_PLAN_WHOLE_SEARCH_HPP
#define SNUG_PLAN_WHOLE_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_placer.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// It goes on where it was, until it has had so many nodes.
template <class M>
class WholeSearch {
 public:
  /// If there is a ground, the plain search takes all of it from there, and there is
  /// nothing to make yet. Where it does not, models that are not there yet take as long as
  /// thousands of nodes to make, most of it for cliques. They must outlive this. Of no
  /// use if the call gave up.
  WholeSearch(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : models_(&models), capacity_(capacity), call_(&call) {
    if constexpr (M::kBoth) {
      if (models.ground()) {
        in_plain_.emplace(call, Share::Of::kWhole);
        return;
      }
    }
    BodyComponents* const parts = models.searched(call);
    if (parts == nullptr) return;
    bodies_.emplace(*parts, capacity / parts->bodies().unit, call);
    bound_ = bodies_->lower_bound() * bodies_->bodies().unit;
    call.note_bound(bound_);
  }
  WholeSearch(const WholeSearch&) = delete;
  WholeSearch& operator=(const WholeSearch&) = delete;

  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    if constexpr (M::kBoth)
      if (in_plain_)
        return in_plain_->search_up_to(
            nodes, [&](std::optional<GroundSolve<M>>& search, Call& call) {
              if (!search) search.emplace(*models_, capacity_, call);
              return search->run(found);
            });
    if (nodes_ >= nodes) return Outcome::kStopped;
    const std::int64_t before = call_->stats().nodes;
    const Outcome outcome =
        bodies_->place(nodes == kNoNodeLimit ? nodes : nodes - nodes_);
    nodes_ += call_->stats().nodes - before;
    if (outcome == Outcome::kPlacedAll) bodies_->write(found.offsets);
    return outcome;
  }

 private:
  FlatModels<M>* models_;
  std::int64_t capacity_;
  Call* call_;
  std::int64_t bound_ = 0;
  std::int64_t nodes_ = 0;  ///< of the model of bodies
  std::optional<BodyPlacer> bodies_{};
  IfBoth<M, std::optional<SearchInTurns<GroundSolve<M>>>> in_plain_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WHOLE_SEARCH_HPP
