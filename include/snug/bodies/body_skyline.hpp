// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The skyline of a dive of bodies: how high each section is filled. Unlike that of
/// heuristics/skyline.hpp it is raised anywhere, and only where it is lower:
///
///     4 |       +---+        +----+         raise [2, 8) to 3: the plateaus at 0
///     3 |.......|...|........|....|         and 2 become one, that at 4 stays
///     2 |       |   +--------+    |
///     0 +-------+                 +---
///
/// Sections at one level side by side are a *plateau*, named by its first section.
/// Which sections begin one is kept as bits, so that the plateau of any section is
/// found by looking at a few words; those that are not zero are in a summary.
///
/// Cost: a look at sections / 4096 words at worst, as a rule at one or two; as many
/// for each plateau that is raised.
#ifndef SNUG_BODIES_BODY_SKYLINE_HPP
#define SNUG_BODIES_BODY_SKYLINE_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A set of numbers below a size that finds the one at or before a number.
class OrderedSet {
 public:
  explicit OrderedSet(Index size)
      : words_(size / 64 + 1, 0), summary_(size / 64 / 64 + 1, 0) {}

  void clear() {
    words_.assign(words_.size(), 0);
    summary_.assign(summary_.size(), 0);
  }
  void insert(Index k) {
    set_bit(words_.data(), k);
    set_bit(summary_.data(), k / 64);
  }
  void erase(Index k) {
    clear_bit(words_.data(), k);
    if (words_[k / 64] == 0) clear_bit(summary_.data(), k / 64);
  }

  /// The largest one that is not above k; there must be one.
  [[nodiscard]] Index at_most(Index k) const {
    Index word = k / 64;
    const Word here = words_[word] & ~Word{0} >> (63 - k % 64);
    if (here != 0) return word * 64 + highest_bit(here);
    Index block = word / 64;
    Word before = summary_[block] & ((Word{1} << (word % 64)) - 1);
    while (before == 0) before = summary_[--block];
    word = block * 64 + highest_bit(before);
    return word * 64 + highest_bit(words_[word]);
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(words_, summary_);
  }

 private:
  List<Word> words_;
  List<Word> summary_;  ///< which of them are not zero
};

class BodySkyline {
 public:
  /// sections >= 1.
  explicit BodySkyline(Index sections)
      : sections_(sections),
        begins_(sections),
        level_(sections, 0),
        end_(sections, 0) {}

  /// One plateau at level 0.
  void clear() {
    begins_.clear();
    begins_.insert(0);
    level_[0] = 0;
    end_[0] = sections_;
  }

  /// The plateau of a section.
  [[nodiscard]] Index plateau_of(Index section) const {
    return begins_.at_most(section);
  }
  [[nodiscard]] std::int64_t level(Index plateau) const {
    return level_[plateau];
  }
  /// Where it ends and the next one begins, if that is not the end of all sections.
  [[nodiscard]] Index end(Index plateau) const { return end_[plateau]; }

  /// The highest level of some sections, or one above `enough` among them.
  [[nodiscard]] std::int64_t highest(Interval<Index> in,
                                     std::int64_t enough) const {
    std::int64_t highest = 0;
    for (Index at = plateau_of(in.lower); at < in.upper; at = end_[at]) {
      highest = (std::max)(highest, level_[at]);
      if (highest > enough) break;
    }
    return highest;
  }

  /// Raises the sections that are lower to a level.
  void raise(Interval<Index> span, std::int64_t level) {
    Index at = plateau_of(span.lower);
    if (at < span.lower && level_[at] < level) at = split(at, span.lower);
    while (at < span.upper) {
      if (level_[at] < level) {
        if (end_[at] > span.upper) (void)split(at, span.upper);
        level_[at] = level;
      }
      at = end_[at];
    }
    merge({span.lower == 0 ? 0 : plateau_of(span.lower - 1), span.upper});
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return begins_.bytes() + bytes_of(level_, end_);
  }

 private:
  /// Cuts a plateau in two; returns the second one.
  Index split(Index plateau, Index at) {
    begins_.insert(at);
    level_[at] = level_[plateau];
    end_[at] = end_[plateau];
    end_[plateau] = at;
    return at;
  }
  /// Merges neighbours at one level, from the plateau that begins at range.lower on, as
  /// far as range.upper.
  void merge(Interval<Index> range) {
    for (Index at = range.lower; end_[at] <= range.upper;) {
      const Index next = end_[at];
      if (next == sections_) break;
      if (level_[next] == level_[at]) {
        end_[at] = end_[next];
        begins_.erase(next);
      } else {
        at = next;
      }
    }
  }

  Index sections_;
  OrderedSet begins_;         ///< where plateaus begin
  List<std::int64_t> level_;  ///< of the plateau that begins there
  List<Index> end_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_SKYLINE_HPP
