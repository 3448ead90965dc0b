// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Failure weights of bodies and cliques: plain/weights.hpp for bodies.
///
/// Every conflict adds to the weight of its unplaced members, later ones more,
/// and each clique has the weights of its unplaced bodies for its own.
///
/// Cost: the cliques of the members.
#ifndef SNUG_BODIES_BODY_WEIGHTS_HPP
#define SNUG_BODIES_BODY_WEIGHTS_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyWeights {
 public:
  /// Blames the unplaced members of a conflict.
  void blame(BodyState& state, const Conflict& conflict) {
    for_each_in_both(conflict.members(), state.unplaced, conflict.words(),
                     [&](Index x) {
                       state.body_weight[x] += increment_;
                       add(state, x, increment_);
                     });
    increment_ += increment_ / 100 + 1;
    if (increment_ >= kMost) scale_down(state);
  }

 private:
  // Below 101 largest increments a body, so that 2^20 of them fit a clique.
  static constexpr std::int64_t kMost = std::int64_t{1} << 36;
  static constexpr std::int64_t kFirst = 1 << 10;

  static void add(BodyState& state, Index x, std::int64_t amount) {
    for (const Membership& of : state.component->cliques[x])
      state.weight[of.clique] += amount;
  }

  void scale_down(BodyState& state) {
    constexpr int kShift = 26;
    increment_ = kFirst;
    for (Index x = 0; x < state.component->size; ++x) {
      const std::int64_t old = state.body_weight[x];
      state.body_weight[x] = old >> kShift;
      if (state.is_unplaced(x)) add(state, x, state.body_weight[x] - old);
    }
  }

  std::int64_t increment_ = kFirst;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_WEIGHTS_HPP
