// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Failure weights: where the search failed, it should look first.
///
/// Every time propagation refutes a node, the unplaced members of the conflict
/// gain an increment, and the increment grows by 2 %, so that recent failures
/// count most. A section weighs the sum of its unplaced buffers. Weights are
/// integers, so that they are the same on every platform, and are scaled down
/// together before they overflow.
///
/// Source: the weighted-degree heuristic of Boussemart, Hemery, Lecoutre and
/// Sais (ECAI 2004), with the decay of MiniSat's variable activity.
#ifndef SNUG_SEARCH_WEIGHTS_HPP
#define SNUG_SEARCH_WEIGHTS_HPP

#include "snug/config.hpp"
#include "snug/search/conflict.hpp"
#include "snug/search/state.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Weights {
 public:
  /// Blames the unplaced members of a conflict.
  template <class Lane>
  void blame(State<Lane>& state, const Conflict& conflict) {
    for_each_in_both(conflict.members(), state.unplaced.data(), 0,
                     conflict.words(),
                     [&](Index x) { state.add_weight(x, increment_); });
    increment_ += increment_ / 50;
    if (increment_ > kLargest) scale_down(state);
  }

 private:
  // A weight stays below 51 increments, so the sum over 2^20 buffers that are
  // live together stays below 2^62.
  static constexpr std::int64_t kLargest = std::int64_t{1} << 36;
  static constexpr int kShift = 16;

  template <class Lane>
  void scale_down(State<Lane>& state) {
    increment_ >>= kShift;
    std::fill(state.section_weight.begin(), state.section_weight.end(), 0);
    for (Index x = 0; x < state.instance->size; ++x) {
      const std::int64_t weight = state.weight[x] >> kShift;
      state.weight[x] = state.is_unplaced(x) ? 0 : weight;
      if (state.is_unplaced(x)) state.add_weight(x, weight);
    }
  }

  std::int64_t increment_ = std::int64_t{1} << 20;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_WEIGHTS_HPP
