// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sums of all subsets of a few sizes, which come one after the other:
///
///     sizes        3  5  3
///     in order of  0  3  5  8  3  6  8 11     the subsets' bits: add()
///     ascending    0  3  5  6  8 11           each sum once: merge()
///
/// Cost: as many steps as there are sums, for each size.
///
/// And which sums count as the same: equal ones, or near ones.
#ifndef SNUG_JOINS_SUBSET_SUMS_HPP
#define SNUG_JOINS_SUBSET_SUMS_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Two sums are near if they differ by no more than this part of the smaller one.
struct Nearness {
  static constexpr int kEqual = 63;
  /// What is tried, the finest first.
  static constexpr int kShifts[] = {10, 7, 5, 4};

  int shift = kEqual;  ///< One in 2^shift; kEqual: equal sums alone are near.

  [[nodiscard]] bool are_near(std::int64_t a, std::int64_t b) const noexcept {
    return (std::max)(a, b) - (std::min)(a, b) <= (std::min)(a, b) >> shift;
  }
};

class SubsetSums {
 public:
  /// Subsets of larger sets have too many sums.
  static constexpr std::size_t kMost = 8;

  /// Of the empty set.
  SubsetSums() { sum_[0] = 0; }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::int64_t operator[](std::size_t k) const noexcept {
    return sum_[k];
  }

  /// The k-th sum is that of the sizes whose bits are set in k.
  void add(std::int64_t size) {
    for (std::size_t k = 0; k < count_; ++k) sum_[count_ + k] = sum_[k] + size;
    count_ *= 2;
  }
  /// The sums ascend, and no two are equal.
  void merge(std::int64_t size) {
    std::int64_t without[kMostSums];
    std::int64_t with[kMostSums];
    for (std::size_t k = 0; k < count_; ++k) {
      without[k] = sum_[k];
      with[k] = sum_[k] + size;
    }
    count_ = static_cast<std::size_t>(
        std::set_union(without, without + count_, with, with + count_, sum_) -
        sum_);
  }

 private:
  static constexpr std::size_t kMostSums = std::size_t{1} << kMost;

  std::int64_t sum_[kMostSums];  ///< `count_` of them
  std::size_t count_ = 1;
};

/// Whether two sums that ascend are near one another, unless they are those of none or
/// of all.
[[nodiscard]] inline bool share_a_part(const SubsetSums& a, const SubsetSums& b,
                                       Nearness nearness) {
  for (std::size_t i = 1, j = 1; i + 1 < a.size() && j + 1 < b.size();) {
    if (nearness.are_near(a[i], b[j])) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_SUBSET_SUMS_HPP
