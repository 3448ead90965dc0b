// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// TVM's unified static memory planner (USMP): two greedy passes, and a hill
/// climb over the orders of first fit.
///
///     by_size       largest first, ties by conflicts; above the highest of the
///                   conflicting buffers: gaps stay empty
///     by_conflicts  most conflicts first, ties by size; likewise
///     hill_climb    first fit, 500 orders: starts with by_size's; each next one
///                   swaps two buffers that lie below one of the highest
///
///     the swap:     highest --> conflicts before it --> conflicts before those
///                               first level             second level
///                   one of the first level with one of the second (74 of 100)
///                   or of the first
///
/// A new order is taken when it is lower, or with a chance that vanishes after a
/// few attempts; else the swap is undone. An attempt that finds nothing to swap
/// leaves the last swap to be undone (that is, made again) after the next one:
/// kept as published.
///
/// What differs: one pool without a limit; ties that go by name there go by
/// input index; random numbers are those of glibc's rand_r with seed 0, which is what the
/// published one calls on Linux.
///
/// Cost: that of fit.hpp; an attempt of the hill climb O(sum of conflicts).
/// Source: apache/tvm src/tir/usmp/algo/greedy.cc, hill_climb.cc.
#ifndef SNUG_BASELINES_TVM_HPP
#define SNUG_BASELINES_TVM_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

[[nodiscard]] inline std::vector<std::size_t> tvm_size_order(
    const Problem<>& problem) {
  const std::vector<std::size_t> conflicts = conflict_counts(problem);
  return ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
    const Bytes size_a = problem.buffers[a].size;
    const Bytes size_b = problem.buffers[b].size;
    if (size_a != size_b) return size_a > size_b;
    return conflicts[a] != conflicts[b] ? conflicts[a] > conflicts[b] : a > b;
  });
}

[[nodiscard]] inline std::vector<std::size_t> tvm_conflict_order(
    const Problem<>& problem) {
  const std::vector<std::size_t> conflicts = conflict_counts(problem);
  return ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
    const Bytes size_a = problem.buffers[a].size;
    const Bytes size_b = problem.buffers[b].size;
    if (conflicts[a] != conflicts[b]) return conflicts[a] > conflicts[b];
    return size_a != size_b ? size_a > size_b : a > b;
  });
}

[[nodiscard]] inline Placement tvm_stack(const Problem<>& problem,
                                         const std::vector<std::size_t>& order,
                                         const Budget& budget) {
  return place_in_order(problem, order, budget,
                        [](const std::vector<Chunk>& taken, std::size_t) {
                          return stack_fit(taken, 1);
                        });
}

[[nodiscard]] inline Placement tvm_by_size(const Problem<>& problem,
                                           const Budget& budget) {
  return tvm_stack(problem, tvm_size_order(problem), budget);
}

[[nodiscard]] inline Placement tvm_by_conflicts(const Problem<>& problem,
                                                const Budget& budget) {
  return tvm_stack(problem, tvm_conflict_order(problem), budget);
}

/// glibc's rand_r: three draws of a linear congruential generator make one
/// number of 31 bits.
class RandR {
 public:
  [[nodiscard]] std::uint32_t next() {
    std::uint32_t number = draw() % 2048;
    number = (number << 10) ^ (draw() % 1024);
    return (number << 10) ^ (draw() % 1024);
  }
  [[nodiscard]] std::size_t below(std::size_t n) { return next() % n; }

 private:
  [[nodiscard]] std::uint32_t draw() {
    state_ = state_ * 1103515245U + 12345U;
    return state_ / 65536U;
  }
  std::uint32_t state_ = 0;
};

/// First fit in an order that can be changed.
class TvmClimber {
 public:
  TvmClimber(const Problem<>& problem, Meter& meter)
      : problem_(problem),
        meter_(meter),
        conflicts_(conflicts_of(problem)),
        order_(tvm_size_order(problem)),
        position_(order_.size()) {
    for (std::size_t p = 0; p < order_.size(); ++p) position_[order_[p]] = p;
  }

  /// Places all buffers in the present order. False when the meter runs out.
  bool place() {
    offsets_.assign(order_.size(), -1);
    height_ = 0;
    for (const std::size_t i : order_) {
      if (!meter_.spend()) return false;
      chunks_.clear();
      for (const std::size_t j : conflicts_[i])
        if (offsets_[j] >= 0)
          chunks_.push_back(
              {offsets_[j], offsets_[j] + problem_.buffers[j].size});
      std::sort(chunks_.begin(), chunks_.end(), is_lower);
      offsets_[i] = first_fit(chunks_, problem_.buffers[i].size, 1);
      height_ = (std::max)(height_, offsets_[i] + problem_.buffers[i].size);
    }
    return true;
  }

  /// Two positions whose buffers are to be swapped; equal ones if there are
  /// none.
  std::pair<std::size_t, std::size_t> choose_swap(RandR& random) const {
    std::vector<std::size_t> highest;
    for (std::size_t p = 0; p < order_.size(); ++p)
      if (offsets_[order_[p]] + problem_.buffers[order_[p]].size == height_)
        highest.push_back(p);
    const std::size_t peak = highest[random.below(highest.size())];
    std::vector<std::size_t> first;  // positions
    std::vector<std::size_t> second;
    for (const std::size_t c : conflicts_[order_[peak]]) {
      if (position_[c] < peak) first.push_back(position_[c]);
      for (const std::size_t d : conflicts_[c])
        if (position_[d] < position_[c]) second.push_back(position_[d]);
    }
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    if (first.empty()) return {0, 0};
    const std::size_t one = first[random.below(first.size())];
    std::size_t other = one;
    while (other == one) {
      const bool is_second = !second.empty() && random.next() % 100 > 25;
      other = is_second ? second[random.below(second.size())]
                        : first[random.below(first.size())];
      if (second.size() < 2 && first.size() < 2) break;
    }
    return {one, other};
  }

  void swap(std::pair<std::size_t, std::size_t> places) {
    std::swap(order_[places.first], order_[places.second]);
    position_[order_[places.first]] = places.first;
    position_[order_[places.second]] = places.second;
  }

  [[nodiscard]] Bytes height() const { return height_; }
  [[nodiscard]] const std::vector<Bytes>& offsets() const { return offsets_; }
  void restore(const std::vector<Bytes>& offsets, Bytes height) {
    offsets_ = offsets;
    height_ = height;
  }

 private:
  const Problem<>& problem_;
  Meter& meter_;
  std::vector<std::vector<std::uint32_t>> conflicts_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> position_;  ///< of each buffer in it
  std::vector<Bytes> offsets_{};
  std::vector<Chunk> chunks_{};
  Bytes height_ = 0;
};

[[nodiscard]] inline Placement tvm_hill_climb(const Problem<>& problem,
                                              const Budget& budget) {
  constexpr int kAttempts = 500;
  Meter meter(budget);
  if (problem.buffers.empty()) return {};
  const Bytes target = load_of(problem);
  TvmClimber climber(problem, meter);
  RandR random;
  Placement accepted;
  Bytes accepted_height = 0;
  std::pair<std::size_t, std::size_t> places = {0, 0};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!climber.place()) break;
    const Bytes height = climber.height();
    const bool is_lower_one = attempt == 0 || height < accepted_height;
    const bool is_taken =
        is_lower_one ||
        static_cast<Bytes>(random.next() % 100) <
            static_cast<Bytes>(50 *
                               static_cast<double>(height - accepted_height) /
                               static_cast<double>(height)) /
                attempt;
    if (is_taken) {
      accepted_height = height;
      accepted.offsets = climber.offsets();
      if (height <= target) break;
    } else {
      climber.swap(places);
      climber.restore(accepted.offsets, accepted_height);
    }
    const auto next = climber.choose_swap(random);
    if (next.first == next.second) continue;
    places = next;
    climber.swap(places);
  }
  accepted.steps = meter.steps();
  return accepted;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_TVM_HPP
