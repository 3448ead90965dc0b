// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Dominance for bodies: slots that nobody can want.
///
/// Let x be unplaced and X the lower end of its domain. If every unplaced y it
/// has a relation to is released at X + clear or above, nobody can come to be in
/// the way of x at X: x can be placed there without a branch, or, if a skip
/// forbids it, the node fails. The argument is in body_model.hpp.
///
/// Cost: one relation for each body that has a witness against it, else all of
/// its relations. Source: as plain/dominance.hpp.
#ifndef SNUG_BODIES_BODY_DOMINANCE_HPP
#define SNUG_BODIES_BODY_DOMINANCE_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/view.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyDominance {
 public:
  BodyDominance(const Component& component, Memory& memory)
      : witness_(memory.take<Index>(component.size)) {}

  /// An unplaced body of `set` that nobody can come to be in the way of, whose
  /// first range is open (or is not), or nobody().
  [[nodiscard]] Index find_pending(const BodyState& state, const Word* set,
                                   bool skipped) {
    for (Index w = 0; w < state.component->words(); ++w)
      for (Word word = set[w] & state.unplaced[w] &
                       (skipped ? state.skipped[w] : ~state.skipped[w]);
           word != 0; word &= word - 1) {
        const Index x = w * 64 + lowest_bit(word);
        if (!has_witness(state, x)) return x;
      }
    return state.nobody();
  }

 private:
  /// Whether an unplaced body may still come to be in the way of x at the lower
  /// end of its domain. The last one that might is asked first.
  [[nodiscard]] bool has_witness(const BodyState& state, Index x) {
    const View<const Relation> relations = state.component->relations[x];
    const std::int64_t at = state.begin(x)->lower;
    const auto in_the_way = [&](const Relation& relation) {
      return state.is_unplaced(relation.body) &&
             state.release[relation.body] < at + relation.clear;
    };
    if (!relations.empty() && in_the_way(relations[witness_[x]])) return true;
    for (Index k = 0; k < relations.size(); ++k)
      if (in_the_way(relations[k])) {
        witness_[x] = k;
        return true;
      }
    return false;
  }

  Index* witness_;  ///< of each body, one of its relations; only a hint
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_DOMINANCE_HPP
