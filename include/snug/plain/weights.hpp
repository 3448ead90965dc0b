// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Failure weights: where the search failed, it should look first.
///
/// Every time propagation refutes a node, the unplaced members of the conflict
/// gain an increment, and the increment grows by 1 %, so that recent failures
/// count most. A section weighs the sum of its unplaced buffers. Weights are
/// integers, so that they are the same on every platform, and are scaled down
/// together before they overflow.
///
/// Source: the weighted-degree heuristic of Boussemart, Hemery, Lecoutre and
/// Sais (ECAI 2004), with the decay of MiniSat's variable activity.
#ifndef SNUG_PLAIN_WEIGHTS_HPP
#define SNUG_PLAIN_WEIGHTS_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Weights {
 public:
  Weights(Index buffers, Index sections, Memory& memory)
      : largest_((std::numeric_limits<std::int32_t>::max)() /
                 (kMostIncrements * static_cast<std::int32_t>(
                                        (std::min)(buffers, kMostBuffers)))),
        increment_((std::max)(largest_ >> kShift, 1)),
        difference_(memory.take<std::int32_t>(std::size_t{sections} + 1)) {}

  /// Blames the unplaced members of a conflict.
  template <class Units>
  void blame(State<Units>& state, const Conflict& conflict) {
    const Instance<Units>& instance = *state.instance;
    Index from = instance.sections;
    Index to = 0;
    for_each_in_both(conflict.members(), state.unplaced, conflict.words(),
                     [&](Index x) {
                       state.weight[x] += increment_;
                       difference_[instance.lower[x]] += increment_;
                       difference_[instance.upper[x]] -= increment_;
                       from = (std::min)(from, instance.lower[x]);
                       to = (std::max)(to, instance.upper[x]);
                     });
    std::int32_t sum = 0;
    for (Index s = from; s < to; ++s) {
      sum += difference_[s];
      state.section_weight[s] += sum;
      difference_[s] = 0;
    }
    difference_[to] = 0;
    increment_ += increment_ / 100 + 1;
    if (increment_ > largest_) scale_down(state);
  }

 private:
  // A weight stays below 101 largest increments, so the sum over all buffers
  // that are live together fits 32 bits.
  static constexpr std::int32_t kMostIncrements = 128;
  static constexpr Index kMostBuffers = 1 << 20;
  static constexpr int kShift = 8;

  template <class Units>
  void scale_down(State<Units>& state) {
    increment_ = (std::max)(increment_ >> kShift, 1);
    std::fill(state.section_weight,
              state.section_weight + state.instance->sections, 0);
    for (Index x = 0; x < state.instance->size; ++x) {
      state.weight[x] >>= kShift;
      if (state.is_unplaced(x))
        add_to_range(state.section_weight, state.instance->lower[x],
                     state.instance->upper[x], state.weight[x]);
    }
  }

  std::int32_t largest_;
  std::int32_t increment_;
  std::int32_t* difference_;  ///< 0 between calls
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_WEIGHTS_HPP
