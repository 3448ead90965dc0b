// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is made of a flat problem and does not depend on the capacity, so that searches
/// and walks at several capacities share it:
///
///     above      the plain problem from its ground (plan/above_ground.hpp)
///     searched   bodies and their components (plan/body_components.hpp)
///     stacks     what alignments need, whatever is asked of bodies
///                (plan/relaxed_stacks.hpp)
///     packings   what is needed beside what is fixed, the same
///                (plan/relaxed_packings.hpp)
///
/// The rungs of a ladder (plan/ladder.hpp), and the walks beside it, each have no
/// more than what their own capacity adds. Whoever is the first to need something
/// makes it, with the time it has: the cliques of a plain problem are as many as it found.
/// What was interrupted meanwhile is forgotten, so the next one makes it again.
#ifndef SNUG_PLAN_FLAT_MODELS_HPP
#define SNUG_PLAN_FLAT_MODELS_HPP

#include "snug/config.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/relaxed_packings.hpp"
#include "snug/plan/relaxed_stacks.hpp"
#include "snug/support/list.hpp"

#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Buffers that do not fit below a capacity, of all of a problem.
struct RefutedSome {
  List<Index> buffers{};   ///< ascending
  std::int64_t nodes = 0;  ///< that the proof took
};

template <class M>
class FlatModels {
 public:
  /// Of a problem that outlives it, and stays as it is.
  explicit FlatModels(const Flat& flat)
      : buffers(flat.buffers),
        flat_(&flat),
        ground_(searched_ground<M>(flat)),
        grid_(coarse_grid(flat)),
        is_mixed_(M::kBoth && has_mixed_alignments(flat, grid_)),
        has_coarser_(M::kBoth && count_coarser(flat) > 0),
        has_stacks_(M::kBoth && !ground_ && RelaxedStacks::suits(flat)),
        has_packings_(M::kBoth && !ground_ && RelaxedPackings::suits(flat)) {}

  const List<FlatBuffer>& buffers;  ///< of the problem
  RefutedSome refuted{};  ///< the last window (plan/window_search.hpp)

  [[nodiscard]] const Flat& flat() const noexcept { return *flat_; }
  /// That of searched_ground().
  [[nodiscard]] const Ground& ground() const noexcept { return ground_; }
  /// That of the coarser problem (normal/coarse.hpp); 1 if there is none.
  [[nodiscard]] std::int64_t grid() const noexcept { return grid_; }
  /// has_mixed_alignments(), where it can walk.
  [[nodiscard]] bool is_mixed() const noexcept { return is_mixed_; }
  /// Whether some are on a coarser grid than others, where it can walk.
  [[nodiscard]] bool has_coarser() const noexcept { return has_coarser_; }

  /// From its ground, if there is one; null if the call gave up.
  [[nodiscard]] const AboveGround<M>* above(Call& call) {
    if (above_) return &*above_;
    Flat taken = *flat_;
    return made(above_, call, taken, *ground_);
  }
  /// Null if they are of no use, or the call gave up. What has a ground has its own
  /// (plan/solve_plain.hpp).
  [[nodiscard]] RelaxedStacks* stacks(Call& call) {
    return has_stacks_ ? made(stacks_, call, *flat_) : nullptr;
  }
  /// The same.
  [[nodiscard]] RelaxedPackings* packings(Call& call) {
    return has_packings_ ? made(packings_, call, *flat_) : nullptr;
  }
  /// For searches and walks; null if the call gave up.
  [[nodiscard]] BodyComponents* searched(Call& call) {
    return made(searched_, call, *flat_);
  }

 private:
  template <class Model, class... Of>
  [[nodiscard]] static Model* made(std::optional<Model>& model, Call& call,
                                   Of&&... of) {
    if (!model) {
      model.emplace(of..., call);
      if (call.gave_up()) model.reset();
    }
    return model ? &*model : nullptr;
  }

  const Flat* flat_;
  Ground ground_;
  std::int64_t grid_;
  bool is_mixed_;
  bool has_coarser_;
  bool has_stacks_;
  bool has_packings_;
  IfBoth<M, std::optional<AboveGround<M>>> above_{};
  std::optional<BodyComponents> searched_{};
  IfBoth<M, std::optional<RelaxedStacks>> stacks_{};
  IfBoth<M, std::optional<RelaxedPackings>> packings_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FLAT_MODELS_HPP
