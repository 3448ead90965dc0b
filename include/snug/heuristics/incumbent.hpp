// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// IncumbentSearch: a placement of any problem, soon, and a better one with more
/// time. What solvers start from, step by step; find_incumbent() takes all steps.
///
///     dives, one in each order  -->  first fit  -->  repair of these orders
///
/// First fit, largest first, is for up to kMostFitted buffers, and for more of which
/// at most kMostFittedPairs pairs are live together; there the result is never worse
/// than that, unless it reaches the target or is stopped before. Each step is skipped
/// when the target is reached.
///
/// What is spent counts dives, so that the result is the same on every machine
/// unless a time limit strikes.
///
/// Cost: O(n log n) time and O(n + sections) memory for one dive: a million
/// buffers take about a second and 80 bytes each. Repair takes 50 bytes more
/// and up to 4 for each order.
#ifndef SNUG_HEURISTICS_INCUMBENT_HPP
#define SNUG_HEURISTICS_INCUMBENT_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/dive.hpp"
#include "snug/heuristics/first_fit.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/heuristics/repair.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The dives that solve() makes in a problem of so many buffers: the more, the
/// less a search can do.
[[nodiscard]] constexpr std::int64_t dives_for(std::size_t buffers) noexcept {
  const auto n = static_cast<std::int64_t>(buffers);
  return n * n / 65536;
}

/// Problems up to here are small enough for first fit.
inline constexpr Index kMostFitted = 4096;
/// Larger ones are if they have at most so many pairs of overlapping buffers:
/// a hundred thousand buffers may overlap 80 others each.
inline constexpr std::int64_t kMostFittedPairs = std::int64_t{1} << 22;

/// The lowest placement so far. The dives come first, then any steps in any order.
class IncumbentSearch {
 public:
  /// The problem has buffers of positive size. The interrupt may end even the
  /// first dive of a large one.
  explicit IncumbentSearch(const Plain& plain, const Interrupt& interrupt = {})
      : memory_(),
        boxes_(make_boxes(plain, memory_, interrupt)),
        interrupt_(interrupt),
        orders_(memory_.take_raw<Index>((kDiveOrders + 1) * boxes_.count)),
        best_{0, memory_.take_raw<std::int64_t>(boxes_.count)} {}

  /// Dives once in each order until one is at most `target` high, at most
  /// `most_dives` >= 1 times. The first dive is not stopped, only interrupted:
  /// then dives() is 0, and there is nothing to go on with.
  void dive(const Plain& plain, std::int64_t target, std::int64_t most_dives,
            const Interrupt& stop) {
    Memory scratch;
    const Orders sorter(plain, boxes_, scratch, interrupt_);
    Dive dive(boxes_, scratch);
    std::size_t looks = 0;
    const auto interrupt = [&] {
      return interrupt_.at(++looks * Dive::kStepsPerLook);
    };
    for (Index k = 0; k < kDiveOrders; ++k) {
      if (k > 0 && (best_.height <= target || k >= most_dives || stop())) break;
      Index* const order = orders_ + std::size_t{k} * boxes_.count;
      if (!sorter.sort(kOrders[k], order)) break;
      const bool is_lower = k == 0
                                ? dive.run(order, Dive::kNoCeiling, interrupt)
                                : dive.run(order, best_.height - 1, stop);
      if (k == 0 && !is_lower) break;
      base_count_ = k + 1;
      if (is_lower) best_.keep(dive.height(), dive.offsets(), boxes_.count);
    }
    peak_bytes_ = memory_.peak_bytes() + scratch.peak_bytes() +
                  SpreadSort<Keyed>::bytes_for(boxes_.count);
    dives_ = base_count_;
  }

  /// First fit by size, where that is not too much.
  void fit(const Plain& plain, std::int64_t target, const Interrupt& stop) {
    if (best_.height <= target || stop()) return;
    if (boxes_.count > kMostFitted &&
        overlapping_pairs(boxes_, memory_) > kMostFittedPairs)
      return;
    Memory memory;
    auto* const order = memory.take_raw<Index>(boxes_.count);
    Orders(plain, boxes_, memory).sort("Z", order);
    GreedyFit greedy(boxes_, memory);
    if (greedy.run(order, best_.height - 1, stop))
      best_.keep(greedy.height(), greedy.offsets(), boxes_.count);
  }

  /// One more order for repair, after the dives: by key, of each buffer.
  void add_order(const List<std::int64_t>& keys) {
    List<Keyed> by_key(boxes_.count);
    for (Index x = 0; x < boxes_.count; ++x)
      by_key[x] = {keys[boxes_.input[x]], x};
    sort_keyed(by_key);
    Index* const order = orders_ + std::size_t{base_count_++} * boxes_.count;
    for (Index k = 0; k < boxes_.count; ++k) order[k] = by_key[k].index;
  }

  /// Repairs until the target is reached, with at most so many dives more.
  void repair(std::int64_t target, std::int64_t most_dives,
              const Interrupt& stop) {
    if (best_.height <= target || most_dives <= 0 || stop()) return;
    if (!repair_) repair_.emplace(boxes_, orders_, base_count_, memory_);
    dives_ += repair_->run(target, most_dives, stop, best_);
  }

  [[nodiscard]] const Boxes& boxes() const noexcept { return boxes_; }
  /// The order of the k-th dive, or of the last one if there were not as many.
  [[nodiscard]] const Index* order(Index k) const noexcept {
    return orders_ + std::size_t{(std::min)(k, base_count_ - 1)} * boxes_.count;
  }
  [[nodiscard]] Best& best() noexcept { return best_; }
  [[nodiscard]] std::int64_t dives() const noexcept { return dives_; }
  /// For those who keep arrays for as long as this lives.
  [[nodiscard]] Memory& memory() noexcept { return memory_; }
  /// Counts bytes that were held beside memory().
  void count_beside(std::size_t bytes) noexcept {
    peak_bytes_ = (std::max)(peak_bytes_, memory_.peak_bytes() + bytes);
  }
  [[nodiscard]] std::size_t peak_bytes() const noexcept {
    return (std::max)(peak_bytes_, memory_.peak_bytes());
  }

  /// Writes the best offsets of all boxes, in bytes; other elements stay.
  void write(List<std::int64_t>& offsets) const {
    for (Index x = 0; x < boxes_.count; ++x)
      offsets[boxes_.input[x]] = best_.offsets[x] * boxes_.unit;
  }

 private:
  Memory memory_;
  Boxes boxes_;
  Interrupt interrupt_;
  Index* orders_;  ///< one behind the other
  Best best_;
  Index base_count_ = 0;  ///< orders that were used
  std::int64_t dives_ = 0;
  std::size_t peak_bytes_ = 0;
  std::optional<Repair> repair_{};
};

/// Looks for a placement that is at most `target` high: a capacity or, for the
/// lowest, the load (a lower target is the same). Returns the offsets of the lowest
/// that it found, in input order; buffers of size zero lie at 0. Of the dives, at
/// least one, those of the orders come first; what is left is for repair.
///
/// stop() is asked at least before each dive but the first and after each 1024
/// placements; when it returns true, the result so far is returned. The first
/// dive is finished, unless that is interrupted: then there are no offsets.
[[nodiscard]] inline List<std::int64_t> find_incumbent(
    const Plain& plain, std::int64_t target, const Interrupt& stop,
    const Interrupt& interrupt, std::int64_t dives) {
  List<std::int64_t> offsets(plain.buffers.size(), 0);
  if (plain.order.empty()) return offsets;
  IncumbentSearch search(plain, interrupt);
  search.dive(plain, target, dives, stop);
  if (search.dives() == 0) return {};
  search.fit(plain, target, stop);
  search.repair(target, dives - search.dives(), stop);
  search.write(offsets);
  return offsets;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_INCUMBENT_HPP
