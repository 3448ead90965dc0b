// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The partitions of a plain problem that are left to be searched, in turns: they
/// share no moment of time, and one that is hard to place must not hide another
/// that is easily refuted.
///
/// In each turn they go on where they were, as far as there is memory to keep
/// their searches: all of them 64 MiB or a quarter of the memory limit at most, but
/// for the one that is searched. The others begin anew.
#ifndef SNUG_PLAN_PARTITIONS_HPP
#define SNUG_PLAN_PARTITIONS_HPP

#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/joins/bins.hpp"
#include "snug/joins/stack.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/partition.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class Partitions {
 public:
  Partitions(const Plain& plain, std::int64_t capacity, Call& call)
      : plain_(&plain), capacity_(capacity), call_(&call), held_(call, 0) {}
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;

  /// How many are left.
  [[nodiscard]] std::size_t size() const noexcept { return left_; }

  /// Places those that need no search, and lists the others. kRefuted if one of
  /// them does not fit, for a reason that has no core.
  [[nodiscard]] Outcome open(Found& found) {
    const std::size_t count = plain_->partitions.size();
    searches_ = std::make_unique<Search[]>(count);
    held_.change(count * sizeof(Search));
    for (std::size_t k = 0; k < count; ++k) {
      const Partition& partition = plain_->partitions[k];
      if (stack_all(*plain_, partition, capacity_, found.offsets)) continue;
      const Outcome outcome = pack_bins(partition, found);
      if (outcome == Outcome::kRefuted) return outcome;
      searches_[k].is_left = outcome == Outcome::kOpen;
      if (searches_[k].is_left) ++left_;
    }
    return left_ == 0 ? Outcome::kPlacedAll : Outcome::kOpen;
  }

  /// Searches each of them until it has had so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    std::size_t placed = 0;
    for (std::size_t k = 0; k < plain_->partitions.size(); ++k) {
      if (!searches_[k].is_left) continue;
      const Outcome outcome = search_up_to(nodes, k, found);
      if (outcome == Outcome::kRefuted) return outcome;
      if (outcome == Outcome::kOpen) continue;
      searches_[k].is_left = false;
      ++placed;
    }
    left_ -= placed;
    return left_ == 0 ? Outcome::kPlacedAll : Outcome::kOpen;
  }

 private:
  /// That of a partition.
  struct Search {
    std::unique_ptr<PartitionSearch<M>> kept{};
    std::int64_t nodes = 0;  ///< that it has had
    bool is_left = false;
  };

  [[nodiscard]] Outcome pack_bins(const Partition& partition, Found& found) {
    if constexpr (M::kBoth) {
      Bins bins(*plain_, partition, capacity_);
      call_->count_bytes(bins.bytes());
      if (!bins.applies()) return Outcome::kOpen;
      const Outcome outcome = bins.run(call_->stats().nodes, call_->stopper());
      if (outcome == Outcome::kPlacedAll && !bins.write(found.offsets))
        return Outcome::kOpen;
      return outcome;
    }
    return Outcome::kOpen;
  }

  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, std::size_t k,
                                     Found& found) {
    Search& search = searches_[k];
    if (search.nodes >= nodes || call_->is_stopped()) return Outcome::kOpen;
    if (!search.kept) {
      search.kept = std::make_unique<PartitionSearch<M>>(
          *plain_, plain_->partitions[k], capacity_, *call_);
      held_.change(held_.bytes() + sizeof(*search.kept));
    }
    const std::int64_t before = call_->stats().nodes;
    const Outcome outcome = search.kept->go_on(nodes - search.nodes, found);
    search.nodes += call_->stats().nodes - before;
    if (outcome == Outcome::kOpen &&
        (left_ == 1 || call_->held() <= most_kept()))
      return outcome;
    search.kept.reset();
    search.nodes = 0;
    held_.change(held_.bytes() - sizeof(*search.kept));
    return outcome;
  }

  [[nodiscard]] std::size_t most_kept() const noexcept {
    return (std::min)(std::size_t{1} << 26, overlap_bytes_of(call_->options()));
  }

  const Plain* plain_;
  std::int64_t capacity_;
  Call* call_;
  Held held_;                             ///< the searches themselves
  std::unique_ptr<Search[]> searches_{};  ///< of all partitions
  std::size_t left_ = 0;                  ///< how many are not placed
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PARTITIONS_HPP
