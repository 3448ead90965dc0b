// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preorders: which of several items comes first, by the criteria of a strategy,
/// with some noise after restarts.
///
/// The key of an item under a criterion is an integer below 2^42, times the item's
/// factor, an integer too: 2^20 without noise. Products are exact, so that no
/// compiler or processor, fusing or not, compares two items otherwise. Values
/// of 2^42 and more are divided by a power of two, the same for all items.
///
/// kTotal, the total of the fullest section that the item spans, changes with
/// the state: its model is asked for it, at most once for an item in a choice.
#ifndef SNUG_ENGINE_PREORDER_HPP
#define SNUG_ENGINE_PREORDER_HPP

#include "snug/config.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Preorder {
 public:
  static constexpr int kKeyBits = 42;
  /// The factor of no noise.
  static constexpr std::int32_t kOne = 1 << 20;

  /// `most_total`: the largest total that there will be.
  Preorder(Index size, std::int64_t most_total, Memory& memory)
      : size_(size),
        factor_(memory.take(size, kOne)),
        keys_(memory.take<std::int64_t>(Strategy::kMostCriteria *
                                        std::size_t{size})) {
    while ((most_total >> total_shift_) >= std::int64_t{1} << kKeyBits)
      ++total_shift_;
  }

  [[nodiscard]] const Strategy& strategy() const noexcept { return strategy_; }
  /// Of each item.
  [[nodiscard]] const std::int32_t* factors() const noexcept { return factor_; }

  /// Draws a new factor for every item, at most `amount` off kOne. It counts
  /// from the next use() on.
  void shake(Random& random, std::int32_t amount) {
    const auto width = static_cast<std::uint32_t>(2 * amount + 1);
    for (Index x = 0; x < size_; ++x)
      factor_[x] =
          kOne - amount + static_cast<std::int32_t>(random.below(width));
  }

  /// Computes the keys of a strategy. value(criterion, x) is a whole number
  /// that is not negative, rounded to a double; it is not asked for kTotal.
  template <class Value>
  void use(const Strategy& strategy, Value&& value) {
    strategy_ = strategy;
    criteria_ = criteria_of(strategy);
    for (std::size_t k = 0; k < criteria_; ++k) {
      const Criterion criterion = strategy.preorder[k];
      std::int64_t* const keys = keys_ + k * size_;
      if (criterion == Criterion::kTotal) {
        std::copy(factor_, factor_ + size_, keys);
        continue;
      }
      double largest = 0;
      for (Index x = 0; x < size_; ++x)
        largest = (std::max)(largest, static_cast<double>(value(criterion, x)));
      constexpr auto kMostKey =
          static_cast<double>(std::int64_t{1} << kKeyBits);
      double scale = 1;
      while (largest * scale >= kMostKey) scale /= 2;
      for (Index x = 0; x < size_; ++x)
        keys[x] =
            factor_[x] * static_cast<std::int64_t>(
                             static_cast<double>(value(criterion, x)) * scale);
    }
  }

  /// The first of some items: by the criteria in turn, larger first, then by
  /// number. total(x): of the fullest section that x spans.
  template <class Total>
  [[nodiscard]] Index first(const Stack<Index>& items, Total&& total) const {
    Contender best{items[0]};
    for (std::size_t k = 1; k < items.size(); ++k) {
      Contender contender{items[k]};
      if (before(contender, best, total)) best = contender;
    }
    return best.item;
  }

 private:
  /// An item, and as much of its key as was compared so far.
  struct Contender {
    Index item = 0;
    std::size_t known = 0;
    std::int64_t key[Strategy::kMostCriteria] = {};
  };

  template <class Total>
  [[nodiscard]] std::int64_t key_of(Contender& contender, std::size_t k,
                                    Total&& total) const {
    if (k == contender.known) {
      std::int64_t value = keys_[k * size_ + contender.item];
      if (strategy_.preorder[k] == Criterion::kTotal)
        value *= std::int64_t{total(contender.item)} >> total_shift_;
      contender.key[contender.known++] = value;
    }
    return contender.key[k];
  }

  template <class Total>
  [[nodiscard]] bool before(Contender& a, Contender& b, Total&& total) const {
    for (std::size_t k = 0; k < criteria_; ++k) {
      const std::int64_t x = key_of(a, k, total);
      const std::int64_t y = key_of(b, k, total);
      if (x != y) return x > y;
    }
    return a.item < b.item;
  }

  Strategy strategy_{};
  std::size_t criteria_ = 0;
  Index size_;
  int total_shift_ = 0;
  std::int32_t* factor_;
  std::int64_t* keys_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_PREORDER_HPP
