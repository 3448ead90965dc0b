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
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/partition.hpp"
#include "snug/presolve/bins.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class Partitions {
 public:
  Partitions(const Plain& plain, std::int64_t capacity, Call& call)
      : plain_(&plain), capacity_(capacity), call_(&call), held_(call, 0) {}
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;
  ~Partitions() {
    for (const Open& open : open_) delete open.search;
  }

  /// How many are left.
  [[nodiscard]] std::size_t size() const noexcept { return open_.size(); }

  /// Places those that need no search, and lists the others. kRefuted if one of
  /// them does not fit, for a reason that has no core.
  [[nodiscard]] Outcome open(Answer& answer) {
    for (const Partition& partition : plain_->partitions) {
      if (stack_all(*plain_, partition, capacity_, answer.offsets)) continue;
      const Outcome outcome = pack_bins(partition, answer);
      if (outcome == Outcome::kRefuted) return outcome;
      if (outcome == Outcome::kStopped)
        open_.push_back({&partition, nullptr, 0});
    }
    return open_.empty() ? Outcome::kPlacedAll : Outcome::kStopped;
  }

  /// Searches each of them until it has had so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Answer& answer) {
    std::size_t left = 0;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const Outcome outcome = search_up_to(nodes, open_[k], answer);
      if (outcome == Outcome::kRefuted) return outcome;
      // The others have no search any more.
      if (outcome == Outcome::kStopped) std::swap(open_[left++], open_[k]);
    }
    open_.resize(left);
    return open_.empty() ? Outcome::kPlacedAll : Outcome::kStopped;
  }

 private:
  struct Open {
    const Partition* partition = nullptr;
    PartitionSearch<M>* search = nullptr;  ///< owned
    std::int64_t nodes = 0;                ///< that the search has had
  };

  [[nodiscard]] Outcome pack_bins(const Partition& partition, Answer& answer) {
    if constexpr (M::kBoth) {
      Bins bins(*plain_, partition, capacity_);
      call_->count_bytes(bins.bytes());
      if (!bins.applies()) return Outcome::kStopped;
      const Outcome outcome =
          bins.run(call_->stats().nodes, [&] { return call_->stop(); });
      if (outcome == Outcome::kPlacedAll && !bins.write(answer.offsets))
        return Outcome::kStopped;
      return outcome;
    }
    return Outcome::kStopped;
  }

  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Open& open,
                                     Answer& answer) {
    if (open.nodes >= nodes || call_->is_stopped()) return Outcome::kStopped;
    if (open.search == nullptr) {
      open.search =
          new PartitionSearch<M>(*plain_, *open.partition, capacity_, *call_);
      held_.change(held_.bytes() + sizeof(*open.search));
    }
    const std::int64_t before = call_->stats().nodes;
    const Outcome outcome = open.search->go_on(nodes - open.nodes, answer);
    open.nodes += call_->stats().nodes - before;
    if (outcome == Outcome::kStopped &&
        (open_.size() == 1 || call_->held() <= most_kept()))
      return outcome;
    delete open.search;
    held_.change(held_.bytes() - sizeof(*open.search));
    open = {open.partition, nullptr, 0};
    return outcome;
  }

  [[nodiscard]] std::size_t most_kept() const noexcept {
    return (std::min)(std::size_t{1} << 26, overlap_bytes_of(call_->options()));
  }

  const Plain* plain_;
  std::int64_t capacity_;
  Call* call_;
  Held held_;  ///< the searches themselves
  List<Open> open_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PARTITIONS_HPP
