// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bins: buffers that are all live together, between obstacles that all of them
/// meet. Nothing matters then but who is in which *hole*, a run of free bytes: in
/// a hole any order will do.
///
///     C +-------+
///       | a | b |    a hole is a bin: those in it have no more bytes than it
///       +-------+    has, and no more is wasted in all holes together than
///       |///////|    there is too much of
///       +-------+
///       | c | d |
///     0 +-------+
///
/// The tree search fills holes from the bottom up, and sees late that the last
/// ones cannot take what is left. Where little may be wasted there are few
/// *patterns*, sets of sizes that fill a hole well enough. All are listed; then
/// each hole takes one, so that each buffer is in one of them: an exact cover.
/// What is branched on is the size that the fewest of the patterns left have.
/// Holes of one size are one kind, and so are buffers.
///
/// Nothing is left out: if no cover is found, there is no placement. If there are
/// too many patterns, or no cover soon, it is left to the tree search; so is a cover
/// that puts a buffer where a fixed one is that it is kept apart from.
///
/// Cost: at most kMostSteps steps to list patterns of kMostParts sizes in all,
/// each of which is looked at in each of at most kMostNodes nodes.
/// Source: patterns are those of Gilmore and Gomory, "A Linear Programming
/// Approach to the Cutting-Stock Problem" (Operations Research, 1961); the choice
/// is that of Knuth, "Dancing Links" (2000).
#ifndef SNUG_JOINS_BINS_HPP
#define SNUG_JOINS_BINS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Bins {
 public:
  static constexpr std::size_t kMostParts = std::size_t{1} << 14;
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 18;
  static constexpr std::int64_t kMostNodes = std::int64_t{1} << 12;

  Bins(const Plain& plain, const Partition& partition, std::int64_t capacity)
      : plain_(&plain) {
    if (plain.obstacles.empty() || !find_holes(partition, capacity)) return;
    sort_buffers(partition);
    if (waste_ < 0) return;
    applies_ = true;
    for (Index h = 0; h < holes_.size() && applies_; h = end_of_kind(h))
      applies_ = list_patterns(h);
  }

  /// Whether it is such a partition, and has few patterns.
  [[nodiscard]] bool applies() const noexcept { return applies_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(holes_, holes_left_, buffers_, sizes_, rest_, parts_,
                    patterns_);
  }

  /// Covers the buffers; stop() is asked after each node, which is counted.
  [[nodiscard]] Outcome run(std::int64_t& nodes, const Interrupt& stop) {
    const std::int64_t first = nodes;
    for (bool deeper = true;;) {
      if (deeper) {
        if (left_ == 0) return Outcome::kPlacedAll;
        if (nodes - first == kMostNodes || stop()) return Outcome::kOpen;
        ++nodes;
        path_.push_back({choose_size(), 0});
      }
      Choice& choice = path_.back();
      if (choice.next > 0) put(patterns_[choice.next - 1], -1);
      while (choice.next < patterns_.size() &&
             !(has(patterns_[choice.next], choice.size) &&
               is_open(patterns_[choice.next])))
        ++choice.next;
      deeper = choice.next < patterns_.size();
      if (deeper) {
        put(patterns_[choice.next++], 1);
        continue;
      }
      path_.pop_back();
      if (path_.empty()) return Outcome::kRefuted;
    }
  }

  /// After kPlacedAll: the offsets of the buffers. False if one is barred.
  [[nodiscard]] bool write(List<std::int64_t>& offsets) const {
    List<Index> next_hole = numbers_below(holes_.size());
    List<Index> next_buffer;
    for (const Kind& kind : sizes_) next_buffer.push_back(kind.first);
    for (const Choice& choice : path_) {
      const Pattern& pattern = patterns_[choice.next - 1];
      std::int64_t at = holes_[next_hole[pattern.hole]++].lower;
      for (const Part& part : parts_of(pattern))
        for (Index k = 0; k < part.count; ++k) {
          const Index i = buffers_[next_buffer[part.size]++];
          if (lowest_allowed(*plain_, i, at) != at) return false;
          offsets[i] = at;
          at += plain_->buffers[i].size;
        }
    }
    return true;
  }

 private:
  using Hole = Interval<std::int64_t>;

  /// Buffers of one size: a range of buffers_.
  struct Kind {
    Index first;
    Index left;  ///< that are in no hole yet
    std::int64_t bytes;
  };
  struct Part {
    Index size;  ///< of sizes_
    Index count;
  };
  struct Pattern {
    Index begin;  ///< of parts_
    Index end;
    Index hole;  ///< the first of its kind
    std::int64_t waste;
  };
  /// A size that was branched on, and the pattern after the one that has it.
  struct Choice {
    Index size;
    Index next;
  };

  /// Finds the holes, the largest first. False if some buffers meet other
  /// obstacles than others, or where one lies depends on the order in a hole:
  /// all have one alignment, and sizes that are multiples of it.
  [[nodiscard]] bool find_holes(const Partition& partition,
                                std::int64_t capacity) {
    Interval<Index> all{0, plain_->sections};
    const View<const Index> buffers = plain_->buffers_of(partition);
    const std::int64_t alignment = plain_->buffers[buffers[0]].alignment;
    for (const Index i : buffers) {
      all = intersection(all, plain_->spans[i]);
      if (plain_->buffers[i].alignment != alignment ||
          plain_->buffers[i].size % alignment != 0)
        return false;
    }
    if (all.empty()) return false;
    List<Hole> taken;
    for (const Obstacle& obstacle : plain_->obstacles) {
      if (!obstacle.sections.overlaps(partition.sections)) continue;
      if (!obstacle.sections.overlaps(all)) return false;
      taken.push_back(obstacle.bytes);
    }
    taken.push_back({capacity, capacity});
    std::int64_t from = 0;
    for (const Hole& range : taken) {
      from = align_up(from, alignment);
      const std::int64_t to = (std::min)(range.lower, capacity);
      if (to - from >= alignment)
        holes_.push_back({from, to - (to - from) % alignment});
      from = (std::max)(from, range.upper);
    }
    heap_sort(holes_, [](const Hole& a, const Hole& b) {
      return length_of(a) != length_of(b) ? length_of(a) > length_of(b)
                                          : a.lower < b.lower;
    });
    return true;
  }

  /// Finds the sizes, the largest first, and what may be wasted.
  void sort_buffers(const Partition& partition) {
    for (const Hole& hole : holes_) waste_ += length_of(hole);
    for (const Index i : plain_->buffers_of(partition)) {
      buffers_.push_back(i);
      waste_ -= plain_->buffers[i].size;
    }
    left_ = static_cast<Index>(buffers_.size());
    holes_left_.assign(holes_.size(), 0);
    for (Index h = 0; h < holes_.size(); h = end_of_kind(h))
      holes_left_[h] = end_of_kind(h) - h;
    sort_descending(buffers_, [&](Index i) { return plain_->buffers[i].size; });
    for (Index k = 0; k < buffers_.size(); ++k) {
      const std::int64_t bytes = plain_->buffers[buffers_[k]].size;
      if (sizes_.empty() || sizes_.back().bytes != bytes)
        sizes_.push_back({k, 0, bytes});
      ++sizes_.back().left;
    }
    rest_.assign(sizes_.size() + 1, 0);
    for (std::size_t t = sizes_.size(); t-- > 0;)
      rest_[t] = rest_[t + 1] + sizes_[t].left * sizes_[t].bytes;
  }

  /// Lists the patterns of holes like h: of each size as many as there is room
  /// for, then fewer. False if there are too many.
  [[nodiscard]] bool list_patterns(Index h) {
    const auto sizes = static_cast<Index>(sizes_.size());
    std::int64_t left = length_of(holes_[h]);
    List<Index> counts(sizes, 0);
    steps_left_ -= sizes;
    for (Index t = 0;;) {
      if (--steps_left_ < 0) return false;
      if (t < sizes && left - rest_[t] <= waste_) {
        counts[t] = static_cast<Index>(
            (std::min)(std::int64_t{sizes_[t].left}, left / sizes_[t].bytes));
        left -= counts[t] * sizes_[t].bytes;
        ++t;
        continue;
      }
      if (t == sizes && left <= waste_ && !add_pattern(counts, h, left))
        return false;
      do {
        if (t == 0) return true;
        --t;
      } while (counts[t] == 0);
      --counts[t];
      left += sizes_[t].bytes;
      ++t;
    }
  }

  [[nodiscard]] bool add_pattern(const List<Index>& counts, Index h,
                                 std::int64_t waste) {
    steps_left_ -= static_cast<std::int64_t>(counts.size());
    const auto begin = static_cast<Index>(parts_.size());
    for (Index t = 0; t < counts.size(); ++t)
      if (counts[t] > 0) parts_.push_back({t, counts[t]});
    const auto end = static_cast<Index>(parts_.size());
    if (end > begin) patterns_.push_back({begin, end, h, waste});
    return parts_.size() <= kMostParts;
  }

  [[nodiscard]] Index end_of_kind(Index h) const {
    Index end = h + 1;
    while (end < holes_.size() &&
           length_of(holes_[end]) == length_of(holes_[h]))
      ++end;
    return end;
  }

  [[nodiscard]] View<const Part> parts_of(const Pattern& pattern) const {
    return {parts_.begin() + pattern.begin, parts_.begin() + pattern.end};
  }
  [[nodiscard]] bool has(const Pattern& pattern, Index size) const {
    return any_that(parts_of(pattern),
                    [&](const Part& part) { return part.size == size; });
  }
  /// Whether a hole can still take a pattern.
  [[nodiscard]] bool is_open(const Pattern& pattern) const {
    return holes_left_[pattern.hole] > 0 && pattern.waste <= waste_ &&
           !any_that(parts_of(pattern), [&](const Part& part) {
             return part.count > sizes_[part.size].left;
           });
  }

  /// The size that the fewest open patterns have, of those with buffers left.
  [[nodiscard]] Index choose_size() {
    open_.assign(sizes_.size(), 0);
    for (const Pattern& pattern : patterns_)
      if (is_open(pattern))
        for (const Part& part : parts_of(pattern)) ++open_[part.size];
    Index best = 0;
    Index fewest = (std::numeric_limits<Index>::max)();
    for (Index t = 0; t < sizes_.size(); ++t)
      if (sizes_[t].left > 0 && open_[t] < fewest) {
        best = t;
        fewest = open_[t];
      }
    return best;
  }

  /// Puts a pattern into a hole, or takes it back: `sign` is -1.
  void put(const Pattern& pattern, std::int32_t sign) {
    const auto add = [&](Index& left, Index count) {
      left = sign > 0 ? left - count : left + count;
    };
    add(holes_left_[pattern.hole], 1);
    waste_ -= sign * pattern.waste;
    for (const Part& part : parts_of(pattern)) {
      add(sizes_[part.size].left, part.count);
      add(left_, part.count);
    }
  }

  const Plain* plain_;
  bool applies_ = false;
  std::int64_t waste_ = 0;  ///< that is left to be wasted
  std::int64_t steps_left_ = kMostSteps;
  Index left_ = 0;  ///< buffers in no hole
  List<Hole> holes_{};
  List<Index> holes_left_{};  ///< at the first of each kind
  List<Index> buffers_{};     ///< the largest first
  List<Kind> sizes_{};
  List<std::int64_t> rest_{};  ///< the bytes of these sizes on
  List<Part> parts_{};
  List<Pattern> patterns_{};
  List<Index> open_{};
  List<Choice> path_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_BINS_HPP
