// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The skyline: how high each section is filled. Sections at one level side by
/// side are a *plateau*; plateaus are a linked list in order of time, each
/// named by its first section.
///
///     3 |       +-----+
///     2 |       |     +-------+     plateaus  0: [0, 2) at level 1
///     1 +-------+             |               2: [2, 4) at level 3
///     0 |                     +---            4: [4, 7) at level 2
///       0   1   2  3  4  5  6 7               7: [7, ...) at level 0
///
/// Neighbours differ in level: placing and raising merge those that do not.
///
/// Cost: O(1) each, O(sections) to clear.
#ifndef SNUG_HEURISTICS_SKYLINE_HPP
#define SNUG_HEURISTICS_SKYLINE_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Skyline {
 public:
  /// The level beside the first and the last plateau.
  static constexpr std::int64_t kWall =
      (std::numeric_limits<std::int64_t>::max)();
  /// The level of sections that do not begin a plateau.
  static constexpr std::int64_t kNoPlateau = -1;

  /// sections >= 1.
  Skyline(Index sections, Memory& memory)
      : sections_(sections),
        end_(memory.take_raw<Index>(sections)),
        previous_(memory.take_raw<Index>(sections)),
        level_(memory.take_raw<std::int64_t>(sections)) {}

  /// One plateau at level 0.
  void clear() {
    std::fill(level_, level_ + sections_, kNoPlateau);
    level_[0] = 0;
    end_[0] = sections_;
  }

  [[nodiscard]] std::int64_t level(Index plateau) const {
    return level_[plateau];
  }
  [[nodiscard]] Interval<Index> range(Index plateau) const {
    return {plateau, end_[plateau]};
  }
  /// The plateau on the right; there is one where the range ends earlier than
  /// the sections.
  [[nodiscard]] Index next(Index plateau) const { return end_[plateau]; }
  /// The plateau on the left; plateau 0 has none.
  [[nodiscard]] Index previous(Index plateau) const {
    return previous_[plateau];
  }
  [[nodiscard]] std::int64_t level_before(Index plateau) const {
    return plateau == 0 ? kWall : level_[previous_[plateau]];
  }
  [[nodiscard]] std::int64_t level_behind(Index plateau) const {
    return end_[plateau] == sections_ ? kWall : level_[end_[plateau]];
  }

  /// Raises [span) of a plateau to a higher level. Returns the plateau that it
  /// is part of then. What is left of the old plateau on its left keeps its
  /// name; what is left on its right is plateau span.upper.
  Index raise(Index plateau, Interval<Index> span, std::int64_t level) {
    const std::int64_t old_level = level_[plateau];
    const Index end = end_[plateau];
    if (span.upper < end) {
      level_[span.upper] = old_level;
      end_[span.upper] = end;
      previous_[span.upper] = span.lower;
    }
    if (end < sections_)
      previous_[end] = span.upper < end ? span.upper : span.lower;
    if (span.lower > plateau) {
      end_[plateau] = span.lower;
      previous_[span.lower] = plateau;
    }
    level_[span.lower] = level;
    end_[span.lower] = span.upper;
    if (level_behind(span.lower) == level) absorb_next(span.lower);
    if (level_before(span.lower) != level) return span.lower;
    const Index left = previous_[span.lower];
    absorb_next(left);
    return left;
  }

  /// Raises a whole plateau to its lower neighbour, whose part it becomes.
  Index raise(Index plateau) {
    return raise(plateau, range(plateau),
                 (std::min)(level_before(plateau), level_behind(plateau)));
  }

 private:
  void absorb_next(Index plateau) {
    const Index gone = end_[plateau];
    level_[gone] = kNoPlateau;
    end_[plateau] = end_[gone];
    if (end_[gone] < sections_) previous_[end_[gone]] = plateau;
  }

  Index sections_;
  Index* end_;
  Index* previous_;
  std::int64_t* level_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_SKYLINE_HPP
