// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The orders in which heuristics prefer boxes. A name is a few letters, which
/// compare in turn; the larger comes first, and at last the buffer that comes
/// first in the input:
///
///   A  area: lifespan times size          T  total: most bytes live at one
///   W  width: lifespan                       time of its lifespan
///                                         Z  size
///
/// They complement each other: on large problems the best of TWA, TAW, A and
/// TZ is as good as the best of all that were tried, with other letters too.
///
/// A key is a difference of two doubles, an integer as one, or (A) a product of these:
/// each of them is rounded, hence the same order on every platform.
///
/// Cost: O(n log n) time, O(n + sections) memory.
#ifndef SNUG_HEURISTICS_ORDERS_HPP
#define SNUG_HEURISTICS_ORDERS_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Largest values in ranges of an array: a complete binary tree above it.
/// Cost: O(size) to build, O(log size) for a query.
class RangeMaximum {
 public:
  explicit RangeMaximum(const List<std::int64_t>& values)
      : size_(values.size()), tree_(2 * values.size()) {
    std::copy(values.begin(), values.end(), tree_.begin() + size_);
    for (std::size_t v = size_; v-- > 1;)
      tree_[v] = (std::max)(tree_[2 * v], tree_[2 * v + 1]);
  }

  /// The largest of [lower, upper), which is not empty; values are positive.
  [[nodiscard]] std::int64_t in(std::size_t lower, std::size_t upper) const {
    std::int64_t largest = 0;
    for (lower += size_, upper += size_; lower < upper;
         lower /= 2, upper /= 2) {
      if (lower % 2 == 1) largest = (std::max)(largest, tree_[lower++]);
      if (upper % 2 == 1) largest = (std::max)(largest, tree_[--upper]);
    }
    return largest;
  }

 private:
  std::size_t size_;
  List<std::int64_t> tree_;
};

/// Sorts by the letters of an order in turn, each time those that were equal so far,
/// and at last by index. key(letter, index) is not negative; the largest comes first.
/// False if interrupted.
template <class Key>
bool sort_by_letters(std::string_view letters, Keyed* first, Keyed* last,
                     const Key& key, const Interrupt& interrupt) {
  if (letters.empty()) return true;
  for (Keyed* at = first; at != last; ++at) {
    // The bits of such numbers are in their order; inverted, in the opposite one.
    const double number = key(letters.front(), at->index);
    std::memcpy(&at->key, &number, sizeof number);
    at->key = ~at->key;
  }
  letters.remove_prefix(1);
  bool goes_on = sort_keyed(first, last, interrupt);
  for_each_run(first, last, [&](Keyed* same, Keyed* end) {
    goes_on = goes_on && sort_by_letters(letters, same, end, key, interrupt);
  });
  return goes_on;
}

/// Sorts boxes by names of orders.
class Orders {
 public:
  /// `boxes` are those of `plain`.
  Orders(const Plain& plain, const Boxes& boxes, Memory& memory,
         const Interrupt& interrupt = {})
      : boxes_(&boxes),
        memory_(&memory),
        interrupt_(interrupt),
        width_(memory.take_raw<double>(boxes.count)),
        total_(memory.take_raw<double>(boxes.count)),
        box_of_(memory.take_raw<Index>(plain.buffers.size())) {
    const RangeMaximum loads(section_loads(plain));
    for (Index x = 0; x < boxes.count; ++x) {
      if (interrupt_.at(x)) return;
      box_of_[boxes.input[x]] = x;
      const auto& lifespan = plain.buffers[boxes.input[x]].lifespan;
      width_[x] = distance(lifespan.lower, lifespan.upper);
      total_[x] = static_cast<double>(
          loads.in(boxes.span[x].lower, boxes.span[x].upper));
    }
    is_ready_ = true;
  }
  Orders(const Orders&) = delete;
  Orders& operator=(const Orders&) = delete;
  ~Orders() {
    memory_->release(width_);
    memory_->release(total_);
    memory_->release(box_of_);
  }

  /// The most bytes live at one time of the box's lifespan.
  [[nodiscard]] double total(Index x) const noexcept { return total_[x]; }

  /// Writes all boxes to `order`, the most preferred first, by one letter at least.
  /// False if that was interrupted.
  bool sort(std::string_view letters, Index* order) const {
    if (!is_ready_) return false;
    const Index n = boxes_->count;
    auto* const ranked = memory_->take_raw<Keyed>(n);
    for (Index x = 0; x < n; ++x) ranked[x].index = boxes_->input[x];
    const bool is_sorted = sort_by_letters(
        letters, ranked, ranked + n,
        [this](char letter, Index i) { return key(letter, box_of_[i]); },
        interrupt_);
    for (Index k = 0; k < n; ++k) order[k] = box_of_[ranked[k].index];
    memory_->release(ranked);
    return is_sorted;
  }

 private:
  [[nodiscard]] double key(char letter, Index x) const {
    switch (letter) {
      case 'A':
        return width_[x] * static_cast<double>(boxes_->bytes[x]);
      case 'T':
        return total_[x];
      case 'W':
        return width_[x];
      default:  // 'Z'
        return static_cast<double>(boxes_->bytes[x]);
    }
  }

  const Boxes* boxes_;
  Memory* memory_;
  Interrupt interrupt_;
  double* width_;
  double* total_;
  Index* box_of_;  ///< the number of each buffer
  bool is_ready_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_ORDERS_HPP
