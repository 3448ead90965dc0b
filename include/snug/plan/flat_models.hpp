// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What searches and walks make of a flat problem, once for all capacities: the rungs
/// of a ladder (plan/ladder.hpp), and the walks beside it, each have no more than what
/// their own capacity adds.
///
/// Whoever is the first to need something makes it. What was interrupted meanwhile is
/// forgotten, so the next one makes it again.
#ifndef SNUG_PLAN_FLAT_MODELS_HPP
#define SNUG_PLAN_FLAT_MODELS_HPP

#include "snug/bodies/conflict_cliques.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"

#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

class FlatModels {
 public:
  /// Of a problem that outlives it, and stays as it is once something was made.
  explicit FlatModels(const Flat& flat) : buffers(flat.buffers), flat_(&flat) {}

  const List<FlatBuffer>& buffers;  ///< of the problem

  [[nodiscard]] const Flat& flat() const noexcept { return *flat_; }

  /// For searches; null if the call gave up.
  [[nodiscard]] BodyComponents* searched(Call& call) {
    return made(searched_, Cliques::kOfPairs, call);
  }
  /// For walks, which read no cliques; null if the call gave up.
  [[nodiscard]] BodyComponents* walked(Call& call) {
    // A section for a clique would change the order of the bodies.
    return ConflictCliques::is_of_use(*flat_, Cliques::kOfPairs)
               ? made(walked_, Cliques::kNone, call)
               : searched(call);
  }

 private:
  [[nodiscard]] BodyComponents* made(std::optional<BodyComponents>& models,
                                     Cliques cliques, Call& call) {
    if (!models) {
      models.emplace(*flat_, cliques, call);
      if (call.gave_up()) models.reset();
    }
    return models ? &*models : nullptr;
  }

  const Flat* flat_;
  std::optional<BodyComponents> searched_{};
  std::optional<BodyComponents> walked_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FLAT_MODELS_HPP
