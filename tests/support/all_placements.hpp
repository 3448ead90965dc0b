// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The oracle of minimize_penalty(): the least cost of all placements of a small
/// problem.
#ifndef SNUG_TESTS_SUPPORT_ALL_PLACEMENTS_HPP
#define SNUG_TESTS_SUPPORT_ALL_PLACEMENTS_HPP

#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "support/pairwise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace snug {
namespace testing {

/// What a pair pays, byte by byte.
[[nodiscard]] inline std::int64_t paid_for(
    const Problem<>& problem, const Penalty& penalty,
    const std::vector<std::int64_t>& offsets) {
  const std::size_t i = penalty.first;
  const std::size_t j = penalty.second;
  for (std::int64_t byte = 0; byte < problem.buffers[i].size; ++byte) {
    const std::int64_t at = offsets[i] + byte - offsets[j];
    if (at >= 0 && at < problem.buffers[j].size) return penalty.cost;
  }
  return 0;
}

/// What a placement costs.
[[nodiscard]] inline std::int64_t paid_in_all(
    const Problem<>& problem, const std::vector<std::int64_t>& offsets) {
  std::int64_t cost = 0;
  for (const Penalty& penalty : problem.penalties)
    cost += paid_for(problem, penalty, offsets);
  return cost;
}

/// All placements, one buffer after the other at every offset. Which offsets go
/// together is for validate_pairwise() to say, two buffers at a time: every
/// constraint is one of one or two buffers.
class AllPlacements {
 public:
  AllPlacements(const Problem<>& problem, std::int64_t capacity)
      : problem_(problem),
        count_(problem.buffers.size()),
        offsets_(count_, 0),
        width_(static_cast<std::size_t>(capacity) + 1),
        fits_(count_ * count_ * width_ * width_, false) {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = i; j < count_; ++j) {
        const bool same = i == j;
        const Problem<> both =
            same ? subset(problem, {i}) : subset(problem, {i, j});
        for (std::size_t x = 0; x < width_; ++x)
          for (std::size_t y = 0; y < (same ? 1 : width_); ++y) {
            std::vector<std::int64_t> at{static_cast<std::int64_t>(x)};
            if (!same) at.push_back(static_cast<std::int64_t>(y));
            fits_[key(i, j, x, same ? x : y)] =
                validate_pairwise(both, capacity, at).ok();
          }
      }
  }

  /// The least cost, or nothing: there is no placement.
  [[nodiscard]] std::optional<std::int64_t> least() {
    place_from(0, 0);
    return best_;
  }

 private:
  [[nodiscard]] std::size_t key(std::size_t i, std::size_t j, std::size_t x,
                                std::size_t y) const {
    return ((i * count_ + j) * width_ + x) * width_ + y;
  }

  void place_from(std::size_t i, std::int64_t cost) {
    if (best_ && cost >= *best_) return;
    if (i == count_) {
      best_ = cost;
      return;
    }
    for (std::size_t x = 0; x < width_; ++x) {
      if (!fits_[key(i, i, x, x)]) continue;
      offsets_[i] = static_cast<std::int64_t>(x);
      bool fits = true;
      for (std::size_t k = 0; k < i && fits; ++k)
        fits = fits_[key(k, i, static_cast<std::size_t>(offsets_[k]), x)];
      if (fits) place_from(i + 1, cost + cost_of(i));
    }
  }

  /// What the pairs of buffer i with earlier ones pay.
  [[nodiscard]] std::int64_t cost_of(std::size_t i) const {
    std::int64_t cost = 0;
    for (const Penalty& penalty : problem_.penalties)
      if ((std::max)(penalty.first, penalty.second) == i)
        cost += paid_for(problem_, penalty, offsets_);
    return cost;
  }

  Problem<> problem_;
  std::size_t count_;
  std::vector<std::int64_t> offsets_;
  std::size_t width_;
  std::vector<bool> fits_;
  std::optional<std::int64_t> best_{};
};

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_ALL_PLACEMENTS_HPP
