// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the pictures of a placement share: the rectangles that each buffer
/// occupies, the extent of all of them, the load over time, and the figures
/// written next to them.
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
/// Where buffers share bytes (aliases, pairs that may overlap), the smaller
/// ones are drawn over the larger, and the bytes that they share count once.
///
/// Both the problem and the placement must be valid, see validate().
#ifndef SNUG_IO_PICTURE_HPP
#define SNUG_IO_PICTURE_HPP

#include "snug/config.hpp"
#include "snug/io/covered_bytes.hpp"
#include "snug/io/quantity.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// All of `buffer` at `offset`, its gaps as well.
template <class Size, class Time>
[[nodiscard]] Tile whole_tile(const Buffer<Size, Time>& buffer, Size offset) {
  const auto bottom = static_cast<double>(offset);
  return {static_cast<double>(buffer.lifespan.lower),
          static_cast<double>(buffer.lifespan.upper), bottom,
          bottom + static_cast<double>(buffer.size)};
}

/// Calls visit(tile) for each rectangle of `buffer` at `offset`, by time. That
/// of a buffer of size zero has no height.
template <class Size, class Time, class Visit>
void for_each_tile(const Buffer<Size, Time>& buffer, Size offset, Visit visit) {
  if (buffer.size == 0) return visit(whole_tile(buffer, offset));
  List<Piece<Size, Time>> pieces;
  List<Gap<Size, Time>> sorted_gaps;
  append_pieces(buffer, 0, offset, sorted_gaps, pieces);
  for (const Piece<Size, Time>& piece : pieces)
    visit(Tile{static_cast<double>(piece.time.lower),
               static_cast<double>(piece.time.upper),
               static_cast<double>(piece.bytes.lower),
               static_cast<double>(piece.bytes.upper)});
}

/// The order in which buffers are drawn: that of the input, but the largest
/// first where some may hide others.
template <class Size, class Time>
[[nodiscard]] std::vector<std::size_t> drawing_order(
    const Problem<Size, Time>& problem, std::size_t count) {
  auto order = numbers_below<std::vector<std::size_t>>(count);
  if (!has_ties(problem) && problem.may_overlap.empty()) return order;
  std::vector<double> areas(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    areas[i] = static_cast<double>(buffer.size) *
               (static_cast<double>(buffer.lifespan.upper) -
                static_cast<double>(buffer.lifespan.lower));
  }
  sort_descending(order, [&](std::size_t i) { return areas[i]; });
  return order;
}

/// From `time` on, until the next one, `bytes` are in use.
struct LoadStep {
  double time = 0;
  double bytes = 0;
};

/// The frame of a picture and the figures of a placement.
template <class Size, class Time>
struct PictureExtent {
  Interval<Time> lifespan{0, 1};  ///< earliest start, latest end
  Size height = 0;                ///< largest offset + size
  double load = 0;                ///< most bytes in use at one time
  double peak = 0;                ///< the first time at which that is so
  double used = 0;  ///< share of height * length of lifespan in use, 0 to 1
  /// The load over time: by time, no two with the same, the last one of 0.
  std::vector<LoadStep> curve{};

  [[nodiscard]] double begin() const noexcept {
    return static_cast<double>(lifespan.lower);
  }
  [[nodiscard]] double span() const noexcept {
    return (std::max)(static_cast<double>(lifespan.upper) - begin(), 1.0);
  }
};

/// What a picture is of. Refers to what it is made of.
template <class Size, class Time>
struct PlacedProblem {
  const Problem<Size, Time>& problem;
  Size capacity;
  const std::vector<Size>& offsets;
  const std::vector<std::string>& ids;
};

/// The number of buffers that have an offset: all, in a valid placement.
template <class Size, class Time>
[[nodiscard]] std::size_t picture_count(const Problem<Size, Time>& problem,
                                        const std::vector<Size>& offsets) {
  return (std::min)(problem.buffers.size(), offsets.size());
}

/// Adds load, its curve and use of the rectangles in `tiles`. O(n log n).
template <class Size, class Time>
void add_use(const std::vector<Tile>& tiles,
             PictureExtent<Size, Time>& extent) {
  struct Change {
    double time;
    std::size_t tile;
    int by;
  };
  std::vector<Change> changes;
  std::vector<double> ends;
  changes.reserve(2 * tiles.size());
  ends.reserve(2 * tiles.size());
  for (const Tile& tile : tiles) {
    if (!(tile.bottom < tile.top)) continue;
    const auto index = static_cast<std::size_t>(&tile - tiles.data());
    changes.push_back({tile.begin, index, 1});
    changes.push_back({tile.end, index, -1});
    ends.push_back(tile.bottom);
    ends.push_back(tile.top);
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) {
              if (a.time < b.time || b.time < a.time) return a.time < b.time;
              return a.by != b.by ? a.by < b.by : a.tile < b.tile;
            });
  CoveredBytes bytes(std::move(ends));
  double area = 0;
  double time = extent.begin();
  for (const Change& change : changes) {
    area += bytes.count() * (change.time - time);
    time = change.time;
    const Tile& tile = tiles[change.tile];
    bytes.change(tile.bottom, tile.top, change.by);
    if (extent.curve.empty() || extent.curve.back().time < time)
      extent.curve.push_back({time, 0});
    extent.curve.back().bytes = bytes.count();
  }
  extent.peak = extent.begin();
  for (const LoadStep& step : extent.curve) {
    if (!(step.bytes > extent.load)) continue;
    extent.load = step.bytes;
    extent.peak = step.time;
  }
  if (extent.height > 0)
    extent.used = area / (static_cast<double>(extent.height) * extent.span());
}

/// From the earliest start to the latest end of the first `count` buffers;
/// [0, 1) for none.
template <class Size, class Time>
[[nodiscard]] Interval<Time> lifespan_of(const Problem<Size, Time>& problem,
                                         std::size_t count) {
  if (count == 0) return {0, 1};
  Interval<Time> whole = problem.buffers.front().lifespan;
  for (std::size_t i = 1; i < count; ++i)
    whole = hull_of(whole, problem.buffers[i].lifespan);
  return whole;
}

/// O(n log n).
template <class Size, class Time>
[[nodiscard]] PictureExtent<Size, Time> picture_extent(
    const Problem<Size, Time>& problem, const std::vector<Size>& offsets) {
  PictureExtent<Size, Time> extent;
  const std::size_t count = picture_count(problem, offsets);
  extent.lifespan = lifespan_of(problem, count);
  std::vector<Tile> tiles;
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    extent.height =
        (std::max)(extent.height, static_cast<Size>(offsets[i] + buffer.size));
    for_each_tile(buffer, offsets[i],
                  [&](const Tile& tile) { tiles.push_back(tile); });
  }
  add_use(tiles, extent);
  return extent;
}

/// Calls visit(tile, name, bytes) for each range that no buffer may occupy:
/// what is below the base, then the reserved ranges in input order. The tile is
/// the part that a picture with this extent and top shows.
template <class Size, class Time, class Visit>
void for_each_reserved(const Problem<Size, Time>& problem,
                       const PictureExtent<Size, Time>& extent, Size top,
                       Visit visit) {
  const auto show = [&](const Interval<Size>& bytes, const Interval<Time>& time,
                        const std::string& name) {
    const Interval<Time> shown = intersection(time, extent.lifespan);
    const Size high = (std::min)(bytes.upper, top);
    if (bytes.lower < high && !shown.empty())
      visit(Tile{static_cast<double>(shown.lower),
                 static_cast<double>(shown.upper),
                 static_cast<double>(bytes.lower), static_cast<double>(high)},
            name, bytes);
  };
  if (problem.base > 0)
    show({0, problem.base}, extent.lifespan, "below the base");
  for (const Reserved<Size, Time>& reserved : problem.reserved)
    show(reserved.bytes, reserved.lifespan.value_or(extent.lifespan),
         "reserved");
}

/// A point of time as the whole number that it is.
template <class Time>
[[nodiscard]] std::string time_text(double time) {
  constexpr Time kMost = (std::numeric_limits<Time>::max)();
  // The largest integers are no doubles: they would round to one too many.
  return std::to_string(
      time >= static_cast<double>(kMost) ? kMost : static_cast<Time>(time));
}

/// The most that the load reaches within each of `columns` equal parts of time.
template <class Size, class Time>
[[nodiscard]] std::vector<double> load_columns(
    const PictureExtent<Size, Time>& extent, std::size_t columns) {
  std::vector<double> most(columns, 0);
  const auto count = static_cast<double>(columns);
  const auto column_at = [&](double time) {
    return (time - extent.begin()) / extent.span() * count;
  };
  for (std::size_t k = 0; k + 1 < extent.curve.size(); ++k) {
    const auto first = static_cast<std::size_t>(
        (std::clamp)(column_at(extent.curve[k].time), 0.0, count - 1));
    const double end = column_at(extent.curve[k + 1].time);
    std::size_t column = first;
    do {
      most[column] = (std::max)(most[column], extent.curve[k].bytes);
      ++column;
    } while (column < columns && static_cast<double>(column) < end);
  }
  return most;
}

/// The largest capacity that a wide size type has stands for none.
template <class Size>
[[nodiscard]] bool is_unlimited(Size capacity) noexcept {
  return std::int64_t{capacity} == (std::numeric_limits<std::int64_t>::max)();
}

/// `24 buffers, height 3.5 KiB (87.5 % in use), load 3.1 KiB, capacity 4 KiB`
template <class Size, class Time>
[[nodiscard]] std::string picture_caption(
    const PlacedProblem<Size, Time>& placed,
    const PictureExtent<Size, Time>& extent) {
  const std::size_t buffers = picture_count(placed.problem, placed.offsets);
  const auto tenths = static_cast<std::int64_t>(extent.used * 1000 + 0.5);
  return grouped_text(buffers) + (buffers == 1 ? " buffer" : " buffers") +
         ", height " + bytes_text(static_cast<double>(extent.height)) + " (" +
         std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) +
         " % in use), load " + bytes_text(extent.load) + ", capacity " +
         (is_unlimited(placed.capacity)
              ? "unlimited"
              : bytes_text(static_cast<double>(placed.capacity)));
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
