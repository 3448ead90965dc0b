// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement as a picture for a terminal: time to the right, memory up, below
/// it the load. In plain ASCII characters, each buffer is a box filled with its
/// letter, and with its id, cut to fit, where there is room:
///
///     5 buffers, height 12 B (81.0 % in use), load 12 B, capacity 12 B
///     12 B +-----------------------------------+
///          |CCCCC b3 CCCCC|                    |
///          |______________|____________________|
///          |EEEEEEEEEEEEEEE b5 EEEEEEEEEEEEEEEE|
///          |___________________________________|
///          |A b1 A|B b2 BB|DDDDDDD b4 DDDDDDDDD|
///      0 B +-----------------------------------+
///     load |@@@@@@@@@@@@@@@*********************
///           0                                21
///
/// or in colours (ansi.hpp). Buffers 62, 63, ... start the letters again. Gaps
/// are left empty but for their windows; `#`, or grey, fills what is reserved or
/// below the base. The load is in eighths of the picture's height.
///
/// Cost: O(n log n + n * columns + columns * rows).
#ifndef SNUG_IO_ASCII_HPP
#define SNUG_IO_ASCII_HPP

#include "snug/config.hpp"
#include "snug/io/ansi.hpp"
#include "snug/io/ascii_grid.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/quantity.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// The most that a picture may take, frame and captions included.
struct AsciiOptions {
  std::size_t columns = 78;  ///< at least 56
  std::size_t rows = 24;     ///< at least 9
  bool colours = false;  ///< escape sequences and block characters, in UTF-8
};

namespace detail {

/// The load as one character for each column.
[[nodiscard]] inline std::string load_row(const std::vector<double>& load,
                                          double top, bool blocks) {
  constexpr std::string_view kPlain = " .:-=+*#@";
  std::string out;
  for (const double bytes : load) {
    // Something is not nothing, and only all is all.
    const double share = (std::clamp)(bytes / top, 0.0, 1.0) * 8;
    auto level = static_cast<std::size_t>(share);
    if (level == 0 && bytes > 0) level = 1;
    // U+2581 to U+2588 are an eighth of a block to all of it.
    if (blocks && level > 0)
      (out += "\xE2\x96") += static_cast<char>(0x80U + level);
    else
      out += kPlain[level];
  }
  return out;
}

/// Owners of characters, and what they are called.
using GridNames = std::vector<std::pair<std::size_t, std::string>>;

/// Gives the characters of a grid that reaches up to `top` to the ranges that are
/// reserved, and then to the buffers. Returns the names of those that have one.
template <class Size, class Time>
[[nodiscard]] GridNames fill_grid(const PlacedProblem<Size, Time>& placed,
                                  const PictureExtent<Size, Time>& extent,
                                  Size top, AsciiGrid& grid) {
  GridNames names;
  const auto fill = [&](std::size_t owner, const Tile& tile) {
    const auto height = static_cast<double>(top);
    grid.fill(owner, {(tile.begin - extent.begin()) / extent.span(),
                      (tile.end - extent.begin()) / extent.span(),
                      tile.bottom / height, tile.top / height});
  };
  for_each_reserved(
      placed.problem, extent, top,
      [&](const Tile& tile, const std::string& name, const auto&) {
        names.emplace_back(grid.add_reserved(), name);
        fill(names.back().first, tile);
      });
  const std::size_t count = picture_count(placed.problem, placed.offsets);
  for (const std::size_t i : drawing_order(placed.problem, count)) {
    if (i < placed.ids.size()) names.emplace_back(i, placed.ids[i]);
    for_each_tile(placed.problem.buffers[i], placed.offsets[i],
                  [&](const Tile& tile) { fill(i, tile); });
  }
  return names;
}

/// The rows of a picture from the bottom up, without the frame.
[[nodiscard]] inline std::vector<std::string> grid_lines(const AsciiGrid& grid,
                                                         const GridNames& names,
                                                         bool colours) {
  const std::size_t height = colours ? 2 : 1;
  std::vector<GridLabel> labels;
  for (const auto& [owner, name] : names) {
    GridLabel label = grid.label(owner, name, height);
    if (!label.text.empty()) labels.push_back(std::move(label));
  }
  std::vector<std::string> lines;
  if (colours) {
    const AnsiPainter painter(grid);
    for (std::size_t k = 0; k < grid.rows() / 2; ++k)
      lines.push_back(painter.line(k, labels));
    return lines;
  }
  for (std::size_t row = 0; row < grid.rows(); ++row)
    lines.push_back(grid.line(row));
  for (const GridLabel& label : labels)
    lines[label.line].replace(label.column, label.text.size(), label.text);
  return lines;
}

}  // namespace detail

/// Draws the placement `offsets` of `problem`, both valid (see validate()),
/// with `ids` (none, or one a buffer) in the boxes that have room.
template <class Size, class Time>
[[nodiscard]] std::string draw_ascii(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Size>& offsets, const std::vector<std::string>& ids = {},
    AsciiOptions options = {}) {
  const detail::PlacedProblem<Size, Time> placed{problem, capacity, offsets,
                                                 ids};
  const detail::PictureExtent<Size, Time> extent =
      detail::picture_extent(problem, offsets);
  const Size top = detail::picture_top(extent.height, capacity);
  const std::string top_label = bytes_text(static_cast<double>(top));
  const std::size_t margin = (std::max)(top_label.size(), std::size_t{4});
  const std::size_t width = (std::max)(options.columns, std::size_t{56});
  const std::size_t columns = width - margin - 3;  // a blank and the frame
  std::size_t rows = (std::max)(options.rows, std::size_t{9}) - 5;
  std::string out = detail::picture_caption(placed, extent);
  if (out.size() > width) {
    out[out.rfind(", load") + 1] = '\n';
    --rows;
  }

  detail::AsciiGrid grid(columns, options.colours ? 2 * rows : rows,
                         detail::picture_count(problem, offsets));
  const detail::GridNames names = detail::fill_grid(placed, extent, top, grid);
  const std::vector<std::string> lines =
      detail::grid_lines(grid, names, options.colours);

  const auto append = [&](const std::string& label, const char* edge,
                          const std::string& line) {
    out.append(margin - label.size(), ' ');
    out += label + ' ' + edge + line + edge + '\n';
  };
  const std::string border(columns, '-');
  out += '\n';
  append(top_label, "+", border);
  for (std::size_t row = rows; row-- > 0;) append("", "|", lines[row]);
  append("0 B", "+", border);
  append("load", "|",
         detail::load_row(detail::load_columns(extent, columns),
                          static_cast<double>(top), options.colours));
  const std::string begin_label = std::to_string(extent.lifespan.lower);
  const std::string end_label = std::to_string(extent.lifespan.upper);
  out += std::string(margin + 2, ' ') + begin_label;
  out.append(columns - begin_label.size() - end_label.size(), ' ');
  out += end_label + '\n';
  return out;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_ASCII_HPP
