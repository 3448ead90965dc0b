// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which buffer is branched on, by a strategy (engine/strategy.hpp).
///
/// Cost: a scan of the part's releases; the sections that the ties span.
#ifndef SNUG_PLAIN_CHOOSER_HPP
#define SNUG_PLAIN_CHOOSER_HPP

#include "snug/config.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/engine/preorder.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/tuning.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/state.hpp"
#include "snug/plain/waste.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Chooses buffers by a strategy; holds the keys of its preorder.
template <class Units>
class Chooser {
 public:
  Chooser(const Instance<Units>& instance, Memory& memory)
      : preorder_(instance.size, std::int64_t{instance.capacity}, memory),
        ties_(memory, instance.size),
        starts_(memory.take<std::int32_t>(std::size_t{instance.sections} + 1)),
        degree_(memory.take<Index>(instance.size)),
        waste_(instance, memory) {
    // Of the buffers that begin before x ends, those that end before it
    // begins do not overlap it.
    for (Index x = 0; x < instance.size; ++x)
      degree_[x] = instance.first_at[instance.upper[x]] -
                   waste_.ended(instance.lower[x]) - 1;
  }

  [[nodiscard]] Preorder& preorder() noexcept { return preorder_; }

  void use(const Instance<Units>& instance, const Strategy& strategy) {
    preorder_.use(strategy, [&](Criterion criterion, Index x) {
      return value(instance, criterion, x);
    });
  }

  /// The buffer to branch on among the unplaced ones of [begin, end).
  [[nodiscard]] Index choose(const State<Units>& state, Index begin,
                             Index end) {
    const Units lowest =
        least_in_range(state.release, begin, end, Instance<Units>::kNever);
    ties_.shrink(0);
    Index* const ties = ties_.extend(end - begin);
    ties_.shrink(static_cast<std::size_t>(
        list_at_most(state.release, begin, end, lowest, ties) - ties));
    const Strategy& strategy = preorder_.strategy();
    if (strategy.branching == Branching::kFrugal && ties_.size() > 1)
      waste_.keep_least(state, begin, end, preorder_.factors(), ties_);
    if (strategy.branching != Branching::kAll && ties_.size() > 1)
      keep_most_urgent(state);
    return preorder_.first(ties_, [&](Index x) {
      return state.instance->capacity -
             least_in_range(state.room, state.instance->lower[x],
                            state.instance->upper[x], state.instance->capacity);
    });
  }

 private:
  [[nodiscard]] double value(const Instance<Units>& instance,
                             Criterion criterion, Index x) const {
    switch (criterion) {
      case Criterion::kArea:
        return instance.width[x] * static_cast<double>(instance.length[x]);
      case Criterion::kSections:
        return static_cast<double>(instance.upper[x] - instance.lower[x]);
      case Criterion::kLower:
        return static_cast<double>(instance.lower[x]);
      case Criterion::kOverlaps:
        return static_cast<double>(degree_[x]);
      case Criterion::kUpper:
        return static_cast<double>(instance.upper[x]);
      case Criterion::kWidth:
        return instance.width[x];
      default:  // kSize; kTotal is not asked for.
        return static_cast<double>(instance.length[x]);
    }
  }

  /// Keeps the ties that span the section with the fewest ties for its weight.
  void keep_most_urgent(const State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    Interval<Index> hull{instance.sections, 0};
    for (const Index x : ties_) {
      hull = hull_of(hull, {instance.lower[x], instance.upper[x]});
      ++starts_[instance.lower[x]];
      --starts_[instance.upper[x]];
    }
    Index urgent = hull.lower;
    std::int64_t fewest = 0;
    std::int64_t heaviest = 0;
    std::int64_t count = 0;
    for (Index s = hull.lower; s < hull.upper; ++s) {
      count += starts_[s];
      starts_[s] = 0;
      const std::int64_t weight = std::int64_t{state.section_weight[s]} + 1;
      if (count == 0 || (fewest > 0 && count * heaviest >= fewest * weight))
        continue;
      urgent = s;
      fewest = count;
      heaviest = weight;
    }
    starts_[hull.upper] = 0;
    erase_if(ties_, [&](Index x) {
      return urgent < instance.lower[x] || instance.upper[x] <= urgent;
    });
  }

  Preorder preorder_;
  Stack<Index> ties_;
  std::int32_t* starts_;  ///< ties that start less those that end; 0 between
  Index* degree_;
  Waste<Units> waste_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_CHOOSER_HPP
