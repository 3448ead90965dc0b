// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit that keeps pairs apart and goes around obstacles: a placement of
/// any plain problem with some, the lowest of a few orders.
///
/// A buffer goes to the lowest offset that is not barred at which it meets
/// nobody that is placed and live with it or kept apart from it. Orders: the
/// largest first, by size, size times lifespan, lifespan, and by the bytes of
/// all neighbours (*degree*), alone and with or times the size. Few orders are
/// best everywhere; together they reach the heaviest clique of nearly every
/// compiler's kernel.
///
/// Cost: O(n^2) time and O(n) memory an order.
#ifndef SNUG_HEURISTICS_PAIR_FIT_HPP
#define SNUG_HEURISTICS_PAIR_FIT_HPP

#include "snug/config.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PairFit {
 public:
  explicit PairFit(const Plain& plain)
      : plain_(&plain),
        is_partner_(plain.buffers.size(), 0),
        degree_(plain.buffers.size(), 0) {
    for (const Index i : plain.order) {
      for (const Index j : plain.order)
        if (i != j && plain.spans[i].overlaps(plain.spans[j]))
          degree_[i] += static_cast<double>(plain.buffers[j].size);
      plain.for_each_apart(i, [&](Index j) {
        degree_[i] += static_cast<double>(plain.buffers[j].size);
      });
    }
  }

  /// The lowest placement of all orders, or the first one that is at most
  /// `target` high. stop() is asked before each order but the first.
  template <class Stop>
  [[nodiscard]] List<std::int64_t> run(std::int64_t target, Stop&& stop) {
    List<std::int64_t> best;
    std::int64_t best_height = 0;
    for (const Order order :
         {Order::kSize, Order::kArea, Order::kWidth, Order::kDegree,
          Order::kDegreeAndSize, Order::kDegreeTimesSize}) {
      if (!best.empty() && (best_height <= target || stop())) break;
      List<std::int64_t> offsets = fit(order);
      const std::int64_t height = height_of(plain_->buffers, offsets);
      if (!best.empty() && height >= best_height) continue;
      best_height = height;
      best.swap(offsets);
    }
    return best;
  }

 private:
  enum class Order {
    kSize,
    kArea,
    kWidth,
    kDegree,
    kDegreeAndSize,
    kDegreeTimesSize
  };

  [[nodiscard]] double key(Order order, Index i) const {
    const FlatBuffer& buffer = plain_->buffers[i];
    const auto size = static_cast<double>(buffer.size);
    const double width = static_cast<double>(buffer.lifespan.upper) -
                         static_cast<double>(buffer.lifespan.lower);
    switch (order) {
      case Order::kSize:
        return size;
      case Order::kArea:
        return size * width;
      case Order::kWidth:
        return width;
      case Order::kDegree:
        return degree_[i];
      case Order::kDegreeAndSize:
        return degree_[i] + size;
      case Order::kDegreeTimesSize:
        return degree_[i] * size;
    }
    return size;
  }

  [[nodiscard]] List<std::int64_t> fit(Order by) {
    List<Index> order = plain_->order;
    heap_sort(order, [&](Index a, Index b) {
      const double x = rounded(key(by, a));
      const double y = rounded(key(by, b));
      return x != y ? x > y : a < b;
    });
    List<std::int64_t> offsets(plain_->buffers.size(), 0);
    placed_.clear();
    for (const Index i : order) {
      offsets[i] = lowest_offset(i, offsets);
      placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), i,
                                      [&](Index a, Index b) {
                                        return offsets[a] != offsets[b]
                                                   ? offsets[a] < offsets[b]
                                                   : a < b;
                                      }),
                     i);
    }
    return offsets;
  }

  [[nodiscard]] std::int64_t lowest_offset(Index i,
                                           const List<std::int64_t>& offsets) {
    const FlatBuffer& buffer = plain_->buffers[i];
    plain_->for_each_apart(i, [&](Index j) { is_partner_[j] = 1; });
    std::int64_t at = lowest_allowed(*plain_, i, 0);
    for (const Index j : placed_) {
      if (is_partner_[j] == 0 && !plain_->spans[i].overlaps(plain_->spans[j]))
        continue;
      if (offsets[j] >= at + buffer.size) break;
      const std::int64_t top = offsets[j] + plain_->buffers[j].size;
      if (top > at) at = lowest_allowed(*plain_, i, top);
    }
    plain_->for_each_apart(i, [&](Index j) { is_partner_[j] = 0; });
    return at;
  }

  const Plain* plain_;
  List<std::uint8_t> is_partner_;  ///< of the buffer being placed
  List<double> degree_;
  List<Index> placed_{};  ///< by offset
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_PAIR_FIT_HPP
