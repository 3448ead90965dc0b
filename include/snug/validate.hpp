// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether offsets are a placement of a problem. It depends on the model alone
/// and shares no code with the search, so that it can be its judge.
///
/// A buffer occupies rectangles of time and bytes, its *pieces*: one if it has
/// no gaps, else one for each stretch of its lifespan between gaps and one for
/// each gap with a window. Below, buffer b is 8 bytes at offset 4 with a gap
/// without window in [3, 5) and a gap in [5, 8) with the window [0, 2):
///
///       12 +-----+
///          |     |            the bytes above a gap's window are free for
///          |  b  |            others, and so is everything in [3, 5): two
///        6 |     |   +-----+  buffers with windows may interlock (the
///          |     |   |  b  |  geometric reading of gaps)
///        4 +-----+   +-----+
///          0     3   5     8
///
/// A placement is valid when no two pieces of different buffers intersect, no
/// buffer breaks its alignment or leaves its fixed offset, and every offset +
/// size is within the capacity, also where windows leave the top empty.
///
/// The sweep runs through the pieces by time. The pieces live at one time are
/// disjoint until the first overlap, so a new one only has to be compared with
/// the piece next below and the piece next above.
///
/// Cost: O(p log p) time and O(p) memory for p pieces; p is n without gaps and
/// at most n + 2 * gaps. No input overflows or is undefined: ill-formed
/// problems and absurd offsets are reported like any other fault.
#ifndef SNUG_VALIDATE_HPP
#define SNUG_VALIDATE_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What is wrong with a placement.
enum class Fault : std::uint8_t {
  kNone,
  kInvalidProblem,       ///< the problem is ill-formed or the capacity negative
  kWrongOffsetCount,     ///< not one offset for each buffer
  kNegativeOffset,       ///< offset < 0
  kMovedFixedOffset,     ///< the buffer is fixed elsewhere
  kMisalignedPlacement,  ///< offset is not a multiple of the alignment
  kBeyondCapacity,       ///< offset + size exceeds the capacity
  kOverlap,              ///< two buffers occupy the same byte at the same time
};

[[nodiscard]] constexpr const char* to_string(Fault fault) noexcept {
  switch (fault) {
    case Fault::kNone:
      return "valid";
    case Fault::kInvalidProblem:
      return "the problem is not well formed";
    case Fault::kWrongOffsetCount:
      return "the number of offsets differs from the number of buffers";
    case Fault::kNegativeOffset:
      return "offset is negative";
    case Fault::kMovedFixedOffset:
      return "offset differs from the buffer's fixed offset";
    case Fault::kMisalignedPlacement:
      return "offset is not a multiple of the alignment";
    case Fault::kBeyondCapacity:
      return "offset plus size exceeds the capacity";
    case Fault::kOverlap:
      return "two buffers overlap";
  }
  return "unknown";
}

/// The verdict on a placement: its first fault, in this order.
/// 1. kInvalidProblem; `error` says why, `buffer` is error.buffer.
/// 2. kWrongOffsetCount; names no buffer.
/// 3. Faults of one buffer: the first such buffer in input order; if it has
///    several faults, the one that comes first in `Fault`.
/// 4. kOverlap: at the earliest time at which two buffers overlap, put in the
///    buffers one after another, first those that were there just before and
///    then those whose piece begins at that time, in input order. The pair is
///    the first that does not fit and, of those it hits, the lowest in memory;
///    `buffer` is the smaller index of the two and `other` the larger.
struct [[nodiscard]] Validation {
  Fault fault = Fault::kNone;
  std::size_t buffer = Check::kNoBuffer;  ///< index, or Check::kNoBuffer
  std::size_t other = Check::kNoBuffer;   ///< second index of an overlap
  Check error{};                          ///< of an ill-formed problem

  [[nodiscard]] bool ok() const noexcept { return fault == Fault::kNone; }
};

namespace detail {

/// A set of the numbers 0 to n - 1 that finds neighbours, O(log n) each: a
/// complete binary tree, each node telling whether a member is below it.
class RankSet {
 public:
  static constexpr std::size_t kNone =
      (std::numeric_limits<std::size_t>::max)();

  explicit RankSet(std::size_t n) {
    while (leaves_ < n) leaves_ *= 2;
    any_.assign(2 * leaves_, 0);
  }

  void insert(std::size_t rank) {
    for (std::size_t node = leaves_ + rank; node != 0; node /= 2)
      any_[node] = 1;
  }

  void erase(std::size_t rank) {
    std::size_t node = leaves_ + rank;
    any_[node] = 0;
    for (node /= 2; node != 0; node /= 2)
      any_[node] = any_[2 * node] != 0 || any_[2 * node + 1] != 0 ? 1 : 0;
  }

  /// The largest member below `rank`, or kNone.
  [[nodiscard]] std::size_t below(std::size_t rank) const {
    std::size_t node = leaves_ + rank;
    while (node > 1 && (node % 2 == 0 || any_[node - 1] == 0)) node /= 2;
    if (node <= 1) return kNone;
    for (--node; node < leaves_;)
      node = 2 * node + (any_[2 * node + 1] != 0 ? 1 : 0);
    return node - leaves_;
  }

  /// The smallest member above `rank`, or kNone.
  [[nodiscard]] std::size_t above(std::size_t rank) const {
    std::size_t node = leaves_ + rank;
    while (node > 1 && (node % 2 == 1 || any_[node + 1] == 0)) node /= 2;
    if (node <= 1) return kNone;
    for (++node; node < leaves_;)
      node = 2 * node + (any_[2 * node] != 0 ? 0 : 1);
    return node - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<std::uint8_t> any_;
};

/// Bytes that one buffer occupies throughout an interval of time.
template <class Size, class Time>
struct Piece {
  Interval<Time> time;
  Interval<Size> bytes;
  std::size_t buffer;
};

/// Appends the pieces of a well-formed buffer whose top fits the type.
template <class Size, class Time>
void append_pieces(const Buffer<Size, Time>& buffer, std::size_t index,
                   Size offset, std::vector<Gap<Size, Time>>& sorted_gaps,
                   std::vector<Piece<Size, Time>>& pieces) {
  const auto append = [&](Time from, Time to, Interval<Size> window) {
    const Interval<Size> bytes{static_cast<Size>(offset + window.lower),
                               static_cast<Size>(offset + window.upper)};
    if (from < to && !bytes.empty())
      pieces.push_back({{from, to}, bytes, index});
  };
  const Interval<Size> whole{0, buffer.size};
  sorted_gaps = buffer.gaps;
  std::sort(sorted_gaps.begin(), sorted_gaps.end(),
            [](const Gap<Size, Time>& a, const Gap<Size, Time>& b) {
              return a.lifespan.lower < b.lifespan.lower;
            });
  Time from = buffer.lifespan.lower;
  for (const Gap<Size, Time>& gap : sorted_gaps) {
    append(from, gap.lifespan.lower, whole);
    if (gap.window) append(gap.lifespan.lower, gap.lifespan.upper, *gap.window);
    from = gap.lifespan.upper;
  }
  append(from, buffer.lifespan.upper, whole);
}

/// The first overlap of two pieces; pieces of one buffer are never live
/// together and come in order of their buffers.
template <class Size, class Time>
[[nodiscard]] Validation find_overlap(
    const std::vector<Piece<Size, Time>>& pieces) {
  const std::size_t n = pieces.size();
  std::vector<std::size_t> starts(n);
  for (std::size_t i = 0; i < n; ++i) starts[i] = i;
  std::vector<std::size_t> ends = starts;
  std::vector<std::size_t> by_bottom = starts;
  const auto sort_by = [](std::vector<std::size_t>& order, auto key) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return key(a) < key(b) || (!(key(b) < key(a)) && a < b);
    });
  };
  sort_by(starts, [&](std::size_t i) { return pieces[i].time.lower; });
  sort_by(ends, [&](std::size_t i) { return pieces[i].time.upper; });
  sort_by(by_bottom, [&](std::size_t i) { return pieces[i].bytes.lower; });
  std::vector<std::size_t> rank(n);
  for (std::size_t r = 0; r < n; ++r) rank[by_bottom[r]] = r;

  RankSet live(n);
  std::size_t ended = 0;
  for (const std::size_t i : starts) {
    for (; pieces[ends[ended]].time.upper <= pieces[i].time.lower; ++ended)
      live.erase(rank[ends[ended]]);
    for (const std::size_t r : {live.below(rank[i]), live.above(rank[i])}) {
      if (r == RankSet::kNone) continue;
      const Piece<Size, Time>& neighbour = pieces[by_bottom[r]];
      if (neighbour.bytes.overlaps(pieces[i].bytes))
        return {Fault::kOverlap,
                (std::min)(pieces[i].buffer, neighbour.buffer),
                (std::max)(pieces[i].buffer, neighbour.buffer),
                {}};
    }
    live.insert(rank[i]);
  }
  return {};
}

/// What is wrong with one well-formed buffer at `offset`, apart from others.
template <class Size, class Time>
[[nodiscard]] Fault validate_buffer(const Buffer<Size, Time>& buffer,
                                    Size capacity, Size offset) {
  if (offset < 0) return Fault::kNegativeOffset;
  if (buffer.offset && *buffer.offset != offset)
    return Fault::kMovedFixedOffset;
  if (offset % buffer.alignment != 0) return Fault::kMisalignedPlacement;
  // Neither side can overflow: capacity and size are not negative.
  if (offset > capacity - buffer.size) return Fault::kBeyondCapacity;
  return Fault::kNone;
}

}  // namespace detail

/// Whether `offsets`, in input order, places the buffers of `problem` within
/// [0, capacity). Buffers of size zero overlap nobody.
template <class Size, class Time>
Validation validate(const Problem<Size, Time>& problem,
                    typename Problem<Size, Time>::SizeType capacity,
                    const std::vector<Size>& offsets) {
  Check error = check(problem);
  if (error.ok() && capacity < 0) error.reason = Reason::kNegativeCapacity;
  if (!error.ok())
    return {Fault::kInvalidProblem, error.buffer, Check::kNoBuffer, error};
  const std::size_t n = problem.buffers.size();
  if (offsets.size() != n)
    return {Fault::kWrongOffsetCount, Check::kNoBuffer, Check::kNoBuffer, {}};
  std::vector<detail::Piece<Size, Time>> pieces;
  pieces.reserve(n);
  std::vector<Gap<Size, Time>> sorted_gaps;
  for (std::size_t i = 0; i < n; ++i) {
    const Fault fault =
        detail::validate_buffer(problem.buffers[i], capacity, offsets[i]);
    if (fault != Fault::kNone) return {fault, i, Check::kNoBuffer, {}};
    detail::append_pieces(problem.buffers[i], i, offsets[i], sorted_gaps,
                          pieces);
  }
  return detail::find_overlap(pieces);
}

/// The same without a capacity: every top must fit the size type.
template <class Size, class Time>
Validation validate(const Problem<Size, Time>& problem,
                    const std::vector<Size>& offsets) {
  return validate(problem, (std::numeric_limits<Size>::max)(), offsets);
}

SNUG_END_NAMESPACE

#endif  // SNUG_VALIDATE_HPP
