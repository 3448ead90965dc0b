// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit that keeps pairs apart and goes around obstacles: a placement of
/// any plain problem, the lowest of a few orders.
///
/// A buffer goes to the lowest offset that is not barred at which it meets
/// nobody that is placed and live with it or kept apart from it. Orders: the
/// largest first, by size, size times lifespan, and lifespan. Together they reach
/// the heaviest clique of nearly every compiler's kernel.
///
/// Cost: O(n^2) time and O(n) memory an order. Problems without pairs and
/// obstacles have first_fit.hpp, which is faster where few buffers are live
/// together; the plain model alone has this for them as well.
#ifndef SNUG_HEURISTICS_PAIR_FIT_HPP
#define SNUG_HEURISTICS_PAIR_FIT_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PairFit {
 public:
  explicit PairFit(const Plain& plain)
      : plain_(&plain), is_partner_(plain.buffers.size(), 0) {}

  /// The lowest placement of all orders that is at most `highest` high, or the first
  /// one that is at most `target` high. stop() is asked before each order but the
  /// first. False if there is none; then it may have been interrupted.
  [[nodiscard]] bool run(std::int64_t target, std::int64_t highest,
                         const Interrupt& interrupt, const Interrupt& stop,
                         List<std::int64_t>& best) {
    best.clear();
    for (const Order order : {Order::kSize, Order::kArea, Order::kWidth}) {
      if (order != Order::kSize && (highest < target || stop())) break;
      List<std::int64_t> offsets;
      if (!fit(order, highest, interrupt, offsets)) break;
      if (offsets.empty()) continue;
      highest = height_of(plain_->buffers, offsets) - 1;
      best.swap(offsets);
    }
    return !best.empty();
  }

  /// What it holds, and what each order takes beside it.
  [[nodiscard]] std::size_t bytes() const noexcept {
    constexpr std::size_t kEach =
        sizeof(Index) + sizeof(double) + 2 * sizeof(std::int64_t);
    return bytes_of(is_partner_, placed_) + plain_->buffers.size() * kEach;
  }

 private:
  enum class Order { kSize, kArea, kWidth };

  struct Placed {
    Interval<Index> span;
    Index buffer;
    std::int64_t offset;
    std::int64_t top;
  };

  /// A look at another buffer takes a nanosecond or so, an element far more.
  static constexpr std::size_t kStepsPerElement = 64;

  /// Whether to give up after so many more steps.
  [[nodiscard]] bool gives_up(const Interrupt& interrupt, std::size_t steps) {
    steps_ += steps;
    if (steps_ < kStepsPerElement * Interrupt::kElements) return false;
    steps_ = 0;
    return interrupt();
  }

  [[nodiscard]] static double key(Order order, const FlatBuffer& buffer) {
    const auto size = static_cast<double>(buffer.size);
    if (order == Order::kSize) return size;
    const double width = distance(buffer.lifespan.lower, buffer.lifespan.upper);
    return order == Order::kArea ? rounded(size * width) : width;
  }

  /// No offsets if some buffer would end above `highest`. False if that was
  /// interrupted.
  [[nodiscard]] bool fit(Order by, std::int64_t highest,
                         const Interrupt& interrupt,
                         List<std::int64_t>& offsets) {
    List<Index> order = plain_->order;
    List<double> keys(plain_->buffers.size(), 0);
    for (const Index i : order) keys[i] = key(by, plain_->buffers[i]);
    sort_descending(order, [&](Index k) { return keys[k]; });
    offsets.assign(plain_->buffers.size(), 0);
    placed_.clear();
    placed_.reserve(order.size());
    for (const Index i : order) {
      const std::int64_t at = lowest_offset(i);
      offsets[i] = at;
      const Placed placed{plain_->spans[i], i, at,
                          at + plain_->buffers[i].size};
      if (placed.top > highest) {
        offsets.clear();
        return true;
      }
      placed_.push_back(placed);
      insert_next(
          placed_.begin(), placed_.end() - 1,
          [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
      if (gives_up(interrupt, placed_.size())) return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t lowest_offset(Index i) {
    const Interval<Index> span = plain_->spans[i];
    const std::int64_t size = plain_->buffers[i].size;
    for (const Index j : plain_->apart_from(i)) is_partner_[j] = 1;
    std::int64_t at = lowest_allowed(*plain_, i, 0);
    for (const Placed& placed : placed_) {
      if (!span.overlaps(placed.span) && is_partner_[placed.buffer] == 0)
        continue;
      if (placed.offset >= at + size) break;
      if (placed.top > at) at = lowest_allowed(*plain_, i, placed.top);
    }
    for (const Index j : plain_->apart_from(i)) is_partner_[j] = 0;
    return at;
  }

  const Plain* plain_;
  List<std::uint8_t> is_partner_;  ///< of the buffer being placed
  List<Placed> placed_{};          ///< by offset
  std::size_t steps_ = 0;          ///< since it was asked whether to give up
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_PAIR_FIT_HPP
