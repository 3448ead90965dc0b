// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boxes by level. The *level* of a box is the most bytes that are live
/// together at one time of its lifespan. The boxes of the highest levels are
/// the *crest*: those that are live where the load is high.
///
///     load      ______
///          ____|      |___        level of a:  4, it is live at the peak
///     ____|   .        .  |__     level of b:  3
///     aaaaaaaaaa.      .          level of c:  2, it begins after the others
///         bbbbbb       .
///                      . cccc
///
/// Cost: O(n log n) time, O(n) memory, 12 bytes a box of which stay.
#ifndef SNUG_PEAK_LEVELS_HPP
#define SNUG_PEAK_LEVELS_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of boxes, or of bodies (plan/large_bodies.hpp).
class Levels {
 public:
  Levels() = default;
  /// `order`: those that have a level, the highest first. Both arrays must outlive
  /// the object.
  Levels(std::int64_t* level, Index* order, Index count)
      : count_(count), level_(level), order_(order) {}

  [[nodiscard]] const Index* order() const noexcept { return order_; }

  /// Moves one forward to place k > 0, as if it had the level of the one before.
  void promote(Index box, Index k) {
    Index* const at = std::find(order_ + k, order_ + count_, box);
    std::rotate(order_ + k, at, at + 1);
    level_[box] = level_[order_[k - 1]];
  }

  /// How many make up the smallest crest of at least `least`: those of one level are
  /// in it together. All, if there are not that many.
  [[nodiscard]] Index crest(Index least) const noexcept {
    if (least >= count_) return count_;
    Index size = (std::max)(least, Index{1});
    while (size < count_ && level_[order_[size]] == level_[order_[size - 1]])
      ++size;
    return size;
  }

  /// The crest after one of `size`: of twice as many. Twice the peak is a long way: a
  /// few more may do.
  [[nodiscard]] Index crest_after(Index size) const noexcept {
    const Index more = size == crest(1) ? size / 4 + 1 : size;
    return crest(size + (std::min)(more, count_ - size));
  }

 private:
  Index count_ = 0;
  std::int64_t* level_ = nullptr;
  Index* order_ = nullptr;
};

/// Those of all boxes.
[[nodiscard]] inline Levels levels_of(const Boxes& boxes, const Orders& orders,
                                      Memory& memory) {
  auto* const level = memory.take_raw<std::int64_t>(boxes.count);
  auto* const order = memory.take_raw<Index>(boxes.count);
  for (Index x = 0; x < boxes.count; ++x)
    level[x] = static_cast<std::int64_t>(orders.total(x));
  orders.sort("T", order);
  return {level, order, boxes.count};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_LEVELS_HPP
