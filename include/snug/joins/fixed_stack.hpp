// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A stack of buffers some of which are fixed: where it can begin, and in which
/// order it is then.
///
///          +---+  8      Buffers of 1, 2 and 5 bytes, the one of 2 fixed at 6:
///      6   | 2 |         the stack begins at 6, 5, 1 or 0, for below that one
///          +---+         are none of the others, or the one of 1, of 5, or both.
///          |   |         It is as drawn if nothing else is free.
///          | 5 |
///          |   |
///          +---+  1
///          | 1 |
///          +---+  0
///
/// Of orders with the same begin, one is as good as another: the bytes of the
/// stack are the same.
///
/// Cost: for each begin, of which there are at most 2^(kMost - 1), at most
/// kMost 2^kMost steps.
#ifndef SNUG_JOINS_FIXED_STACK_HPP
#define SNUG_JOINS_FIXED_STACK_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class FixedStack {
 public:
  static constexpr std::size_t kMost = 5;

  /// There is room for kMost.
  void add(std::int64_t size, std::int64_t fixed) {
    if (fixed != Flat::kNone) anchor_ = count_;
    sizes_[count_] = size;
    fixed_[count_++] = fixed;
  }

  /// Calls visit(begin) for each begin, some of them more than once, until that
  /// returns false. One member at least is fixed.
  template <class Visit>
  void for_each_begin(Visit&& visit) {
    for (std::size_t below = 0; below <= all(); ++below) {
      if ((below >> anchor_ & 1) != 0) continue;
      const std::int64_t begin = fixed_[anchor_] - total(below);
      if (arrange(begin) && !visit(begin)) return;
    }
  }

  /// Whether the stack can begin there. If so, member(k) is the k-th from below.
  [[nodiscard]] bool arrange(std::int64_t begin) {
    // By set of members: who is on top of these, if they can be below.
    std::size_t top[std::size_t{1} << kMost];
    top[0] = 0;
    for (std::size_t set = 1; set <= all(); ++set) {
      top[set] = kNobody;
      const std::int64_t end = begin + total(set);
      for (std::size_t m = 0; m < count_; ++m)
        if ((set >> m & 1) != 0 && top[set ^ std::size_t{1} << m] != kNobody &&
            (fixed_[m] == Flat::kNone || fixed_[m] == end - sizes_[m]))
          top[set] = m;
    }
    if (top[all()] == kNobody) return false;
    for (std::size_t k = count_, set = all(); k-- > 0;) {
      members_[k] = top[set];
      set ^= std::size_t{1} << top[set];
    }
    return true;
  }
  [[nodiscard]] std::size_t member(std::size_t k) const { return members_[k]; }

 private:
  static constexpr std::size_t kNobody = kMost;

  [[nodiscard]] std::size_t all() const {
    return (std::size_t{1} << count_) - 1;
  }
  [[nodiscard]] std::int64_t total(std::size_t set) const {
    std::int64_t result = 0;
    for (std::size_t m = 0; m < count_; ++m)
      if ((set >> m & 1) != 0) result += sizes_[m];
    return result;
  }

  std::size_t count_ = 0;
  std::size_t anchor_ = 0;  ///< one that is fixed
  std::int64_t sizes_[kMost];
  std::int64_t fixed_[kMost];
  std::size_t members_[kMost];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_FIXED_STACK_HPP
