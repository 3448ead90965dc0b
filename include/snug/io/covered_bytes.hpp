// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many bytes are in use while intervals of them come and go, those that
/// overlap counted once: a tree over the stretches between the intervals' ends,
/// in which an interval is the few nodes that it covers whole.
///
///       +---------------------------+
///       |           [0, 9)          |    ends 0 2 5 7 9; the interval
///       +-------------+-------------+    [2, 9) is the nodes [2, 5)
///       |   [0, 5)    |   [5, 9)    |    and [5, 9)
///       +------+------+------+------+
///       |[0, 2)|[2, 5)|[5, 7)|[7, 9)|
///       +------+------+------+------+
///
/// Cost: O(n log n) to build for n ends, O(log n) a change.
#ifndef SNUG_IO_COVERED_BYTES_HPP
#define SNUG_IO_COVERED_BYTES_HPP

#include "snug/config.hpp"
#include "snug/support/sort.hpp"

#include <cstddef>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class CoveredBytes {
 public:
  /// `ends`: those of all intervals to come, in any order.
  explicit CoveredBytes(std::vector<double> ends) : ends_(std::move(ends)) {
    sort_unique(ends_);
    while (leaves_ + 1 < ends_.size()) leaves_ *= 2;
    widths_.resize(2 * leaves_);
    covered_.resize(2 * leaves_);
    times_.resize(2 * leaves_);
    for (std::size_t k = 0; k + 1 < ends_.size(); ++k)
      widths_[leaves_ + k] = ends_[k + 1] - ends_[k];
    for (std::size_t k = leaves_; --k > 0;)
      widths_[k] = widths_[2 * k] + widths_[2 * k + 1];
  }

  [[nodiscard]] double count() const noexcept { return covered_[1]; }

  /// Covers [low, high), not empty, once more (+1) or once less (-1).
  void change(double low, double high, int by) noexcept {
    std::size_t left = leaves_ + index_in(ends_, low);
    std::size_t right = leaves_ + index_in(ends_, high);
    const std::size_t first = left;
    const std::size_t last = right - 1;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 != 0) cover(left++, by);
      if (right % 2 != 0) cover(--right, by);
    }
    for (std::size_t k = first / 2; k > 0; k /= 2) cover(k, 0);
    for (std::size_t k = last / 2; k > 0; k /= 2) cover(k, 0);
  }

 private:
  void cover(std::size_t node, int by) noexcept {
    times_[node] += by;
    if (times_[node] > 0)
      covered_[node] = widths_[node];
    else
      covered_[node] =
          node < leaves_ ? covered_[2 * node] + covered_[2 * node + 1] : 0;
  }

  std::vector<double> ends_;
  std::size_t leaves_ = 1;
  std::vector<double> widths_{};   ///< bytes of each node
  std::vector<double> covered_{};  ///< of them covered
  std::vector<int> times_{};       ///< intervals that are the node itself
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_COVERED_BYTES_HPP
