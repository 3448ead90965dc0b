// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the pictures of a placement share: the rectangles that each buffer
/// occupies, the extent of all of them, and the figures written next to them.
///
/// A buffer is one rectangle, or several where it has gaps: none during a gap
/// without a window, the window's bytes during one with.
///
///       offset + size +-----+     +--------+-----+
///                     |     |     | gap    |     |
///                     |     | gap +--------+     |   the right gap's window
///                     |     |     | b      |     |   is its lower half
///              offset +-----+     +--------+-----+
///
/// Both the problem and the placement must be valid, see validate().
#ifndef SNUG_IO_PICTURE_HPP
#define SNUG_IO_PICTURE_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

/// A rectangle of a picture: time to the right, bytes up.
struct Tile {
  double begin = 0;
  double end = 0;
  double bottom = 0;
  double top = 0;
};

/// Calls visit(tile) for each rectangle of `buffer` at `offset`, by time.
template <class Size, class Time, class Visit>
void for_each_tile(const Buffer<Size, Time>& buffer, Size offset, Visit visit) {
  const auto base = static_cast<double>(offset);
  const auto visit_unless_empty = [&](Time begin, Time end, Size low,
                                      Size high) {
    if (begin < end)
      visit(Tile{static_cast<double>(begin), static_cast<double>(end),
                 base + static_cast<double>(low),
                 base + static_cast<double>(high)});
  };
  std::vector<Gap<Size, Time>> gaps = buffer.gaps;
  std::sort(gaps.begin(), gaps.end(),
            [](const Gap<Size, Time>& a, const Gap<Size, Time>& b) {
              return a.lifespan.lower < b.lifespan.lower;
            });
  Time at = buffer.lifespan.lower;
  for (const Gap<Size, Time>& gap : gaps) {
    visit_unless_empty(at, gap.lifespan.lower, Size{0}, buffer.size);
    if (gap.window)
      visit_unless_empty(gap.lifespan.lower, gap.lifespan.upper,
                         gap.window->lower, gap.window->upper);
    at = gap.lifespan.upper;
  }
  visit_unless_empty(at, buffer.lifespan.upper, Size{0}, buffer.size);
}

/// The frame of a picture and the figures of a placement.
template <class Size, class Time>
struct PictureExtent {
  Interval<Time> lifespan{0, 1};  ///< earliest start, latest end
  Size height = 0;                ///< largest offset + size
  double load = 0;                ///< most bytes in use at one time
  double used = 0;  ///< share of height * length of lifespan in use, 0 to 1

  [[nodiscard]] double begin() const noexcept {
    return static_cast<double>(lifespan.lower);
  }
  [[nodiscard]] double span() const noexcept {
    return (std::max)(static_cast<double>(lifespan.upper) - begin(), 1.0);
  }
};

/// The number of buffers that have an offset: all, in a valid placement.
template <class Size, class Time>
[[nodiscard]] std::size_t picture_count(const Problem<Size, Time>& problem,
                                        const std::vector<Size>& offsets) {
  return (std::min)(problem.buffers.size(), offsets.size());
}

/// O(n log n), for the load.
template <class Size, class Time>
[[nodiscard]] PictureExtent<Size, Time> picture_extent(
    const Problem<Size, Time>& problem, const std::vector<Size>& offsets) {
  PictureExtent<Size, Time> extent;
  std::vector<std::pair<double, double>> changes;  // of the bytes, by time
  double area = 0;
  for (std::size_t i = 0; i < picture_count(problem, offsets); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    if (i == 0) extent.lifespan = buffer.lifespan;
    extent.lifespan = {
        (std::min)(extent.lifespan.lower, buffer.lifespan.lower),
        (std::max)(extent.lifespan.upper, buffer.lifespan.upper)};
    extent.height =
        (std::max)(extent.height, static_cast<Size>(offsets[i] + buffer.size));
    for_each_tile(buffer, offsets[i], [&](const Tile& tile) {
      const double bytes = tile.top - tile.bottom;
      area += bytes * (tile.end - tile.begin);
      changes.emplace_back(tile.begin, bytes);
      changes.emplace_back(tile.end, -bytes);
    });
  }
  std::sort(changes.begin(), changes.end());
  double bytes = 0;
  for (const auto& [time, change] : changes) {
    bytes += change;
    extent.load = (std::max)(extent.load, bytes);
  }
  if (extent.height > 0)
    extent.used = area / (static_cast<double>(extent.height) * extent.span());
  return extent;
}

/// `24 buffers, height 96 (87.5 % in use), load 90, capacity 128`
template <class Size, class Time>
[[nodiscard]] std::string picture_caption(
    std::size_t buffers, const PictureExtent<Size, Time>& extent,
    Size capacity) {
  std::string out;
  append_integer(out, buffers);
  out += buffers == 1 ? " buffer, height " : " buffers, height ";
  append_integer(out, extent.height);
  out += " (";
  const auto tenths = static_cast<std::int64_t>(extent.used * 1000 + 0.5);
  append_integer(out, tenths / 10);
  out += '.';
  append_integer(out, tenths % 10);
  out += " % in use), load ";
  append_integer(out, static_cast<std::int64_t>(extent.load));
  out += ", capacity ";
  append_integer(out, capacity);
  return out;
}

/// The top of a picture: the capacity, unless that leaves more than half of it
/// empty; then the height.
template <class Size>
[[nodiscard]] Size picture_top(Size height, Size capacity) {
  const Size used = (std::max)(height, Size{1});
  return used < capacity / 2 || used > capacity ? used : capacity;
}

}  // namespace detail

SNUG_END_NAMESPACE

#endif  // SNUG_IO_PICTURE_HPP
