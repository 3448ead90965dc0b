// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One partition of a plain problem, placed at a capacity. The one place that starts
/// a search of plain problems.
///
/// Cost: that of plain search, see engine/tree_search.hpp; O(n^2 / 64) memory and at
/// most 64 MiB for who overlaps whom.
#ifndef SNUG_PLAN_PARTITION_HPP
#define SNUG_PLAN_PARTITION_HPP

#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/held_search.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A partition, the unit of its offsets, and how high it may be.
struct PartitionTask {
  const Plain* plain;
  const Partition* partition;
  std::int64_t capacity;  ///< bytes
  std::int64_t unit;

  [[nodiscard]] Index buffer(Index x) const noexcept {
    return plain->order[partition->buffers.lower + x];
  }
};

/// The search of a partition for a placement below its capacity, which can go on
/// where it was.
template <class M, class Units>
class SearchInUnits {
 public:
  SearchInUnits(const PartitionTask& task, Call& call)
      : task_(task),
        instance_(make_instance<Units, M::kBodies>(
            *task.plain, *task.partition, task.unit, task.capacity, memory_,
            overlap_bytes_of(call.options()))),
        search_(instance_, instance_.capacity,
                task.plain->is_pure() ? kPlainStrategies : kPairStrategies,
                call, memory_) {}

  [[nodiscard]] Outcome go_on(std::int64_t most_nodes, Found& found) {
    const Outcome outcome = search_.go_on(most_nodes);
    for (Index x = 0; x < instance_.size; ++x) {
      if (outcome == Outcome::kPlacedAll)
        found.offsets[task_.buffer(x)] =
            std::int64_t{search_.offsets()[x]} * task_.unit;
      if (outcome == Outcome::kRefuted && search_.refutes_with(x))
        found.core.push_back(task_.buffer(x));
    }
    heap_sort(found.core);
    return outcome;
  }

 private:
  PartitionTask task_;
  Memory memory_{};
  Instance<Units> instance_;
  HeldSearch<PlainModel<Units, M::kBodies>> search_;
};

/// The same, in numbers as narrow as the capacity allows. With the
/// plain model alone there is one width.
template <class M>
class PartitionSearch {
 public:
  PartitionSearch(const Plain& plain, const Partition& partition,
                  std::int64_t capacity, Call& call) {
    const PartitionTask task{&plain, &partition, capacity,
                             common_unit(plain, partition)};
    if constexpr (M::kBoth)
      if (capacity / task.unit < kNarrowCapacity) {
        narrow_.emplace(task, call);
        return;
      }
    wide_.emplace(task, call);
  }

  /// Searches until the outcome is known, a limit is hit or `most_nodes` more were
  /// needed, about.
  [[nodiscard]] Outcome go_on(std::int64_t most_nodes, Found& found) {
    if constexpr (M::kBoth)
      if (narrow_) return narrow_->go_on(most_nodes, found);
    return wide_->go_on(most_nodes, found);
  }

 private:
  IfBoth<M, std::optional<SearchInUnits<M, std::int32_t>>> narrow_{};
  std::optional<SearchInUnits<M, std::int64_t>> wide_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PARTITION_HPP
