// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The oracle: exhaustive search for a placement of a small problem, of the
/// whole model, with none of the rules of the search under test.
///
/// It takes the buffers in order of their starts and tries every offset that
/// could matter for each. The only shortcut is to try nothing twice: what
/// comes later only depends on the offsets of those placed buffers that a later
/// one may not meet, is kept apart from or is tied to, so a failure is
/// remembered by these.
///
/// Offsets that could matter. Push every buffer of a placement down until none
/// can move: each now sits at 0 or at the top of another, rounded up to its
/// alignment. So those sums, all of them, are enough when there is nothing but
/// sizes, lifespans and alignments; else, every integer up to the capacity is
/// tried.
#ifndef SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP
#define SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "support/pairwise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

template <class Size, class Time>
class Exhaustive {
 public:
  /// The problem must be well formed and outlive the oracle.
  explicit Exhaustive(const Problem<Size, Time>& problem)
      : problem_(problem),
        tied_(tied_of(problem)),
        offsets_(problem.buffers.size(), 0) {
    const auto& buffers = problem.buffers;
    const std::size_t n = buffers.size();
    plain_ = problem.aliases.empty() && problem.contiguous.empty() &&
             problem.apart.empty() && problem.may_overlap.empty() &&
             problem.reserved.empty() && problem.base == 0 &&
             problem.alignment == 1;
    for (std::size_t i = 0; i < n; ++i) {
      order_.push_back(i);
      plain_ = plain_ && buffers[i].gaps.empty() && !buffers[i].offset &&
               buffers[i].end == End::kAny;
    }
    std::stable_sort(
        order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
          return buffers[a].lifespan.lower < buffers[b].lifespan.lower;
        });
    together_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        together_[i].push_back(together(i, j));
    before_.resize(n);
    matter_.resize(n);
    for (std::size_t depth = 0; depth < n; ++depth)
      for (std::size_t k = 0; k < depth; ++k) {
        if (depend(order_[k], order_[depth]))
          before_[depth].push_back(order_[k]);
        for (std::size_t later = depth; later < n; ++later)
          if (depend(order_[k], order_[later])) {
            matter_[depth].push_back(order_[k]);
            break;
          }
      }
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

  /// The lowest height of a placement, if it is at most `limit`.
  [[nodiscard]] std::optional<Size> lowest_within(Size limit) {
    std::optional<Size> height;
    for (Size capacity = limit; capacity >= 0;
         capacity = static_cast<Size>(*height - 1)) {
      const auto placement = place(capacity);
      if (!placement) break;
      height = height_of(problem_, *placement);
    }
    return height;
  }

  /// The lowest height of a placement. There must be one, and neither ties nor
  /// pairs that may overlap, with which the load is no bound.
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

  /// What two buffers occupy, from their offsets, when both are live and must
  /// not meet; all that they are, when they are kept apart.
  [[nodiscard]] std::vector<std::pair<Bytes, Bytes>> together(
      std::size_t i, std::size_t j) const {
    const Buffer<Size, Time>& a = problem_.buffers[i];
    const Buffer<Size, Time>& b = problem_.buffers[j];
    std::vector<std::pair<Bytes, Bytes>> result;
    if (tied_.of[i] == tied_.of[j] || has_pair(problem_.may_overlap, i, j))
      return result;
    const auto add = [&](const std::pair<Bytes, Bytes>& both) {
      if (!both.first.empty() && !both.second.empty() &&
          std::find(result.begin(), result.end(), both) == result.end())
        result.push_back(both);
    };
    for (const Time time : changes(a, b))
      add({bytes_at(a, time), bytes_at(b, time)});
    if (has_pair(problem_.apart, i, j)) add({{0, a.size}, {0, b.size}});
    return result;
  }

  /// Whether where one of two buffers may be depends on where the other is.
  [[nodiscard]] bool depend(std::size_t i, std::size_t j) const {
    return tied_.of[i] == tied_.of[j] || !together_[i][j].empty();
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
    allowed_.assign(problem_.buffers.size(), {});
    for (std::size_t i = 0; i < allowed_.size(); ++i)
      for (const Size offset : candidates_)
        if (is_allowed(i, offset)) allowed_[i].push_back(offset);
  }

  /// Whether two placed buffers go together.
  [[nodiscard]] bool agree(std::size_t i, std::size_t j) const {
    if (tied_.of[i] == tied_.of[j])
      return offsets_[i] - tied_.delta[i] == offsets_[j] - tied_.delta[j];
    for (const auto& [in_i, in_j] : together_[i][j]) {
      const Bytes a = moved(in_i, offsets_[i]);
      const Bytes b = moved(in_j, offsets_[j]);
      if (a.overlaps(b) ||
          at_wrong_ends(problem_.buffers[i].end, a, problem_.buffers[j].end, b))
        return false;
    }
    return true;
  }

  /// Whether a buffer may be at `offset`, apart from the others.
  [[nodiscard]] bool is_allowed(std::size_t i, Size offset) const {
    const Buffer<Size, Time>& buffer = problem_.buffers[i];
    if (offset > capacity_ - buffer.size || offset < problem_.base ||
        offset % problem_.alignment != 0 || offset % buffer.alignment != 0 ||
        (buffer.offset && *buffer.offset != offset))
      return false;
    for (const Reserved<Size, Time>& reserved : problem_.reserved)
      for (const Time time : times_within(buffer, reserved)) {
        const Bytes bytes = bytes_at(buffer, time);
        if (!bytes.empty() && moved(bytes, offset).overlaps(reserved.bytes))
          return false;
      }
    return true;
  }

  /// Times at which the buffer may begin to occupy reserved bytes.
  [[nodiscard]] static std::vector<Time> times_within(
      const Buffer<Size, Time>& buffer, const Reserved<Size, Time>& reserved) {
    std::vector<Time> times = changes(buffer);
    if (!reserved.lifespan) return times;
    times.push_back(reserved.lifespan->lower);
    times.erase(std::remove_if(times.begin(), times.end(),
                               [&](Time time) {
                                 return time < reserved.lifespan->lower ||
                                        time >= reserved.lifespan->upper;
                               }),
                times.end());
    return times;
  }

  [[nodiscard]] bool place_from(std::size_t depth) {
    if (depth == order_.size()) return true;
    const std::size_t i = order_[depth];
    const std::vector<std::size_t>& others = before_[depth];
    std::vector<Size> state = {static_cast<Size>(depth)};
    state.reserve(1 + matter_[depth].size());
    for (const std::size_t j : matter_[depth]) state.push_back(offsets_[j]);
    if (refuted_.count(state) != 0) return false;
    for (const Size offset : allowed_[i]) {
      offsets_[i] = offset;
      if (std::all_of(others.begin(), others.end(),
                      [&](std::size_t j) { return agree(i, j); }) &&
          place_from(depth + 1))
        return true;
    }
    refuted_.insert(std::move(state));
    return false;
  }

  struct Hash {
    [[nodiscard]] std::size_t operator()(
        const std::vector<Size>& state) const noexcept {
      std::uint64_t hash = 0;
      for (const Size value : state)
        hash = (hash ^ static_cast<std::uint64_t>(value)) * kPrime;
      return static_cast<std::size_t>(hash >> 16);
    }
    static constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
  };

  const Problem<Size, Time>& problem_;
  Tied<Size> tied_;
  bool plain_ = true;
  std::vector<std::size_t> order_;
  /// For each depth, the placed buffers that the next one depends on, and those that
  /// any still to come do.
  std::vector<std::vector<std::size_t>> before_;
  std::vector<std::vector<std::size_t>> matter_;
  std::vector<std::vector<std::vector<std::pair<Bytes, Bytes>>>> together_;
  Size capacity_ = 0;
  std::vector<Size> candidates_;
  std::vector<std::vector<Size>> allowed_;  ///< of them, those of each buffer
  std::vector<Size> offsets_;
  std::unordered_set<std::vector<Size>, Hash> refuted_;
};

template <class Size, class Time>
[[nodiscard]] std::optional<Size> lowest_within(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType limit) {
  return Exhaustive<Size, Time>(problem).lowest_within(limit);
}

/// Whether some buffers alone fit.
template <class Size, class Time>
[[nodiscard]] bool fits(const Problem<Size, Time>& problem, Size capacity,
                        const std::vector<std::size_t>& buffers) {
  const Problem<Size, Time> part = subset(problem, buffers);
  return Exhaustive<Size, Time>(part).fits(capacity);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_EXHAUSTIVE_HPP
