// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The oracle: exhaustive search for a placement of a small problem, of the
/// whole model, with none of the rules of the search under test.
///
/// It takes the buffers in order of their starts and tries every offset that
/// could matter for each. The only shortcut is to try nothing twice: what
/// comes later only depends on the offsets of the placed buffers that are
/// still live, so a failure is remembered by these.
///
/// Offsets that could matter. Push every buffer of a placement down until none
/// can move: each now sits at 0 or at the top of another, rounded up to its
/// alignment. So those sums, all of them, are enough when there are neither
/// gaps nor fixed offsets; with these, every integer up to the capacity is
/// tried.
#ifndef SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP
#define SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/pairwise.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

template <class Size, class Time>
class Exhaustive {
 public:
  /// The problem must be well formed and outlive the oracle.
  explicit Exhaustive(const Problem<Size, Time>& problem)
      : problem_(problem), offsets_(problem.buffers.size(), 0) {
    const auto& buffers = problem.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      order_.push_back(i);
      plain_ = plain_ && buffers[i].gaps.empty() && !buffers[i].offset;
    }
    std::stable_sort(
        order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
          return buffers[a].lifespan.lower < buffers[b].lifespan.lower;
        });
    together_.resize(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i)
      for (const Buffer<Size, Time>& other : buffers)
        together_[i].push_back(together(buffers[i], other));
  }

  /// A placement within `capacity`, in input order, or nothing: there is none.
  [[nodiscard]] std::optional<std::vector<Size>> place(Size capacity) {
    capacity_ = capacity;
    refuted_.clear();
    collect_candidates();
    if (!place_from(0)) return std::nullopt;
    return offsets_;
  }

  [[nodiscard]] bool fits(Size capacity) { return place(capacity).has_value(); }

  /// The lowest height of a placement. Fixed offsets must not overlap.
  [[nodiscard]] Size lowest() {
    const Size load = load_of(problem_);
    if (!plain_) {
      Size height = load;
      while (!fits(height)) ++height;
      return height;
    }
    // The height is a candidate offset plus a size.
    Size sum = 0;
    for (const Buffer<Size, Time>& buffer : problem_.buffers)
      sum = static_cast<Size>(sum + buffer.size + buffer.alignment - 1);
    capacity_ = sum;
    collect_candidates();
    std::set<Size> heights;
    for (const Buffer<Size, Time>& buffer : problem_.buffers)
      for (const Size offset : candidates_)
        heights.insert(static_cast<Size>(offset + buffer.size));
    for (const Size height : heights)
      if (height >= load && fits(height)) return height;
    return 0;
  }

 private:
  using Bytes = Interval<Size>;

  /// What two buffers occupy, from their offsets, when both are live.
  [[nodiscard]] static std::vector<std::pair<Bytes, Bytes>> together(
      const Buffer<Size, Time>& a, const Buffer<Size, Time>& b) {
    std::vector<std::pair<Bytes, Bytes>> result;
    for (const Time time : changes(a, b)) {
      const std::pair<Bytes, Bytes> both{bytes_at(a, time), bytes_at(b, time)};
      if (!both.first.empty() && !both.second.empty() &&
          std::find(result.begin(), result.end(), both) == result.end())
        result.push_back(both);
    }
    return result;
  }

  void collect_candidates() {
    std::set<Size> found = {0};
    if (!plain_)
      for (Size offset = 1; offset <= capacity_; ++offset) found.insert(offset);
    // Grows while it is read: larger ones are inserted behind the iterator.
    if (plain_)
      for (const Size offset : found)
        for (const Buffer<Size, Time>& below : problem_.buffers)
          for (const Buffer<Size, Time>& above : problem_.buffers) {
            const Size a = above.alignment;
            const Size top = static_cast<Size>(offset + below.size);
            const Size next = static_cast<Size>((top + a - 1) / a * a);
            if (next <= capacity_) found.insert(next);
          }
    candidates_.assign(found.begin(), found.end());
  }

  [[nodiscard]] bool meet(std::size_t i, std::size_t j) const {
    for (const auto& [in_i, in_j] : together_[i][j])
      if (moved(in_i, offsets_[i]).overlaps(moved(in_j, offsets_[j])))
        return true;
    return false;
  }

  [[nodiscard]] bool place_from(std::size_t depth) {
    if (depth == order_.size()) return true;
    const std::size_t i = order_[depth];
    const Buffer<Size, Time>& buffer = problem_.buffers[i];
    std::vector<std::size_t> live;
    std::vector<Size> state = {static_cast<Size>(depth)};
    for (std::size_t k = 0; k < depth; ++k)
      if (problem_.buffers[order_[k]].lifespan.upper > buffer.lifespan.lower) {
        live.push_back(order_[k]);
        state.push_back(offsets_[order_[k]]);
      }
    if (refuted_.count(state) != 0) return false;
    for (const Size offset : candidates_) {
      if (offset > capacity_ - buffer.size) break;
      if (offset % buffer.alignment != 0) continue;
      if (buffer.offset && *buffer.offset != offset) continue;
      offsets_[i] = offset;
      const bool free = std::none_of(live.begin(), live.end(),
                                     [&](std::size_t j) { return meet(i, j); });
      if (free && place_from(depth + 1)) return true;
    }
    refuted_.insert(std::move(state));
    return false;
  }

  const Problem<Size, Time>& problem_;
  bool plain_ = true;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::vector<std::pair<Bytes, Bytes>>>> together_;
  Size capacity_ = 0;
  std::vector<Size> candidates_;
  std::vector<Size> offsets_;
  std::set<std::vector<Size>> refuted_;
};

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP
