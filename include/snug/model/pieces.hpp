// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a buffer occupies: rectangles of time and bytes, its *pieces*. One if
/// it has no gaps, else one for each stretch of its lifespan between gaps and
/// one for each gap with a window. Below, buffer b is 8 bytes at offset 4 with
/// a gap without window in [3, 5) and a gap in [5, 8) with the window [0, 2):
///
///       12 +-----+
///          |     |            the bytes above a gap's window are free for
///          |  b  |            others, and so is everything in [3, 5): two
///        6 |     |   +-----+  buffers with windows may interlock (the
///          |     |   |  b  |  geometric reading of gaps)
///        4 +-----+   +-----+
///          0     3   5     8
///
/// The pieces of one buffer are never live at the same time.
#ifndef SNUG_MODEL_PIECES_HPP
#define SNUG_MODEL_PIECES_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes that one buffer occupies throughout an interval of time.
template <class Size, class Time>
struct Piece {
  Interval<Time> time;
  Interval<Size> bytes;
  std::size_t buffer;
};

/// Sorts gaps of one buffer by time, as they mostly are already.
template <class Gap>
void sort_gaps(Gap* first, std::size_t count) {
  const auto is_before = [](const Gap& a, const Gap& b) {
    return a.lifespan.lower < b.lifespan.lower;
  };
  if (!std::is_sorted(first, first + count, is_before))
    heap_sort(first, count, is_before);
}

/// Appends the pieces of a well-formed buffer whose top fits the type.
template <class Size, class Time>
void append_pieces(const Buffer<Size, Time>& buffer, std::size_t index,
                   Size offset, List<Gap<Size, Time>>& sorted_gaps,
                   List<Piece<Size, Time>>& pieces) {
  const auto append = [&](Time from, Time to, Interval<Size> window) {
    const Interval<Size> bytes{static_cast<Size>(offset + window.lower),
                               static_cast<Size>(offset + window.upper)};
    if (from < to && !bytes.empty())
      pieces.push_back({{from, to}, bytes, index});
  };
  const Interval<Size> whole{0, buffer.size};
  sorted_gaps.assign(buffer.gaps.begin(), buffer.gaps.end());
  sort_gaps(sorted_gaps.data(), sorted_gaps.size());
  Time from = buffer.lifespan.lower;
  for (const Gap<Size, Time>& gap : sorted_gaps) {
    append(from, gap.lifespan.lower, whole);
    if (gap.window) append(gap.lifespan.lower, gap.lifespan.upper, *gap.window);
    from = gap.lifespan.upper;
  }
  append(from, buffer.lifespan.upper, whole);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_PIECES_HPP
