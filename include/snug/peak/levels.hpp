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

SNUG_BEGIN_NAMESPACE
namespace detail {

class Levels {
 public:
  Levels(const Boxes& boxes, const Orders& orders, Memory& memory)
      : count_(boxes.count),
        level_(memory.take_raw<double>(boxes.count)),
        order_(memory.take_raw<Index>(boxes.count)) {
    for (Index x = 0; x < count_; ++x) level_[x] = orders.total(x);
    orders.sort("T", order_);
  }

  /// All boxes, those of the highest level first.
  [[nodiscard]] const Index* order() const noexcept { return order_; }

  /// Moves a box forward to place k > 0, as if it had the level of the one before.
  void promote(Index box, Index k) {
    Index* const at = std::find(order_ + k, order_ + count_, box);
    std::rotate(order_ + k, at, at + 1);
    level_[box] = level_[order_[k - 1]];
  }

  /// How many boxes make up the smallest crest of at least `least`: boxes of
  /// one level are in it together. All, if there are not that many.
  [[nodiscard]] Index crest(Index least) const noexcept {
    if (least >= count_) return count_;
    Index size = (std::max)(least, Index{1});
    while (size < count_ && level_[order_[size]] == level_[order_[size - 1]])
      ++size;
    return size;
  }

 private:
  Index count_;
  double* level_;
  Index* order_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_LEVELS_HPP
