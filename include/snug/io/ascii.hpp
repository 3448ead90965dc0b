// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement as a picture of plain ASCII characters for a terminal: time to
/// the right, memory up, each buffer a box filled with its letter, and with
/// its id where there is room.
///
/// Each boundary is rounded to the nearest character, so that boxes which
/// touch in the problem touch in the picture and none hides another. A box
/// that rounds to nothing shows up only where the picture is empty. Buffers
/// 62, 63, ... start the letters again. Gaps are left empty but for their
/// windows; `#` fills what is reserved or below the base.
///
/// Cost: O(n log n + n * columns + columns * rows).
#ifndef SNUG_IO_ASCII_HPP
#define SNUG_IO_ASCII_HPP

#include "snug/config.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// The most that a picture may take, frame and captions included.
struct AsciiSize {
  std::size_t columns = 78;  ///< at least 70
  std::size_t rows = 24;     ///< at least 8
};

namespace detail {

inline constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The inside of the frame: which buffer owns each character.
class AsciiGrid {
 public:
  static constexpr std::size_t kNobody =
      (std::numeric_limits<std::size_t>::max)();

  AsciiGrid(std::size_t columns, std::size_t rows, std::size_t buffers)
      : columns_(columns),
        rows_(rows),
        buffers_(buffers),
        owners_(columns * rows, kNobody),
        boxes_(buffers) {}

  /// Row 0 is the bottom one.
  [[nodiscard]] std::size_t owner(std::size_t column,
                                  std::size_t row) const noexcept {
    return owners_[row * columns_ + column];
  }

  /// A new owner that is no buffer.
  [[nodiscard]] std::size_t add_reserved() {
    boxes_.emplace_back();
    return boxes_.size() - 1;
  }

  /// Gives owner `index` the characters of `tile`, whose coordinates are shares
  /// of the frame from 0 to 1.
  void fill(std::size_t index, const Tile& tile) noexcept {
    const Range across = to_range(tile.begin, tile.end, columns_);
    const Range up = to_range(tile.bottom, tile.top, rows_);
    for (std::size_t row = up.first; row < up.last; ++row)
      for (std::size_t column = across.first; column < across.last; ++column) {
        std::size_t& owner = owners_[row * columns_ + column];
        if (owner == kNobody || !(across.thin || up.thin)) owner = index;
      }
    Box& box = boxes_[index];
    if (!across.thin && !up.thin && across.size() * up.size() > box.area())
      box = {across, up};
  }

  /// The text of one row, without the frame.
  [[nodiscard]] std::string line(std::size_t row) const {
    std::string out(columns_, ' ');
    for (std::size_t column = 0; column < columns_; ++column)
      out[column] = at(column, row);
    return out;
  }

  /// Writes `id` into the largest box of owner `index` if that has room and
  /// nobody else is drawn there.
  void label(std::vector<std::string>& lines, std::size_t index,
             const std::string& id) const {
    const Box& box = boxes_[index];
    const bool plain = std::all_of(id.begin(), id.end(),
                                   [](char c) { return c >= ' ' && c <= '~'; });
    // A blank on either side, and the edge on the left.
    if (id.empty() || !plain || box.area() == 0 ||
        box.across.size() < id.size() + 3)
      return;
    const std::size_t begin =
        box.across.last - (box.across.size() - 1 + id.size() + 2) / 2;
    const std::size_t row = box.up.first + box.up.size() / 2;
    for (std::size_t column = begin; column < begin + id.size() + 2; ++column)
      if (owner(column, row) != index) return;
    lines[row].replace(begin, id.size() + 2, ' ' + id + ' ');
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
    bool thin = false;  ///< it rounds to nothing and was widened to one

    [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  };

  struct Box {
    Range across{};
    Range up{};

    [[nodiscard]] std::size_t area() const noexcept {
      return across.size() * up.size();
    }
  };

  /// The character at a place: edges where the owner changes, else its letter.
  [[nodiscard]] char at(std::size_t column, std::size_t row) const noexcept {
    const std::size_t self = owner(column, row);
    const bool left_edge = column > 0 && owner(column - 1, row) != self;
    const bool goes_right =
        column + 1 < columns_ && owner(column + 1, row) == self;
    if (left_edge && (self == kNobody || goes_right)) return '|';
    const bool bottom_edge = row > 0 && owner(column, row - 1) != self;
    const bool goes_up = row + 1 < rows_ && owner(column, row + 1) == self;
    if (bottom_edge && (self == kNobody || goes_up)) return '_';
    if (self == kNobody) return ' ';
    return self < buffers_ ? kLetters[self % kLetters.size()] : '#';
  }

  [[nodiscard]] static Range to_range(double low, double high,
                                      std::size_t cells) noexcept {
    const auto round = [cells](double share) {
      const double place = share * static_cast<double>(cells) + 0.5;
      if (!(place > 0)) return std::size_t{0};
      if (place >= static_cast<double>(cells)) return cells;
      return static_cast<std::size_t>(place);
    };
    Range range{round(low), round(high)};
    if (range.first < range.last) return range;
    range.first = (std::min)(range.first, cells - 1);
    return {range.first, range.first + 1, true};
  }

  std::size_t columns_;
  std::size_t rows_;
  std::size_t buffers_;
  std::vector<std::size_t> owners_;
  std::vector<Box> boxes_;  ///< the largest of each owner, for its label
};

}  // namespace detail

/// Draws the placement `offsets` of `problem`, both valid (see validate()),
/// with `ids` (none, or one a buffer) in the boxes that have room.
template <class Size, class Time>
[[nodiscard]] std::string draw_ascii(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Size>& offsets, const std::vector<std::string>& ids = {},
    AsciiSize size = {}) {
  const std::size_t count = detail::picture_count(problem, offsets);
  const detail::PictureExtent<Size, Time> extent =
      detail::picture_extent(problem, offsets);
  const Size top = detail::picture_top(extent.height, capacity);
  std::string top_label;
  detail::append_integer(top_label, top);
  const std::size_t margin = top_label.size();
  const std::size_t width = (std::max)(size.columns, std::size_t{70});
  const std::size_t columns = width - margin - 3;  // a blank and the frame
  std::size_t rows = (std::max)(size.rows, std::size_t{8}) - 4;
  std::string out = detail::picture_caption(count, extent, capacity);
  if (out.size() > width) {
    out[out.rfind(", load") + 1] = '\n';
    --rows;
  }

  detail::AsciiGrid grid(columns, rows, count);
  const auto to_shares = [&](const detail::Tile& tile) {
    const auto height = static_cast<double>(top);
    return detail::Tile{(tile.begin - extent.begin()) / extent.span(),
                        (tile.end - extent.begin()) / extent.span(),
                        tile.bottom / height, tile.top / height};
  };
  std::vector<std::pair<std::size_t, std::string>> labels;
  detail::for_each_reserved(
      problem, extent, top,
      [&](const detail::Tile& tile, const std::string& name, const auto&) {
        labels.emplace_back(grid.add_reserved(), name);
        grid.fill(labels.back().first, to_shares(tile));
      });
  for (const std::size_t i : detail::drawing_order(problem, count)) {
    if (i < ids.size()) labels.emplace_back(i, ids[i]);
    detail::for_each_tile(
        problem.buffers[i], offsets[i],
        [&](const detail::Tile& tile) { grid.fill(i, to_shares(tile)); });
  }
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < rows; ++row) lines.push_back(grid.line(row));
  for (const auto& [owner, label] : labels) grid.label(lines, owner, label);

  const std::string border = " +" + std::string(columns, '-') + "+\n";
  out += '\n' + top_label + border;
  for (std::size_t row = rows; row-- > 0;)
    out += std::string(margin, ' ') + " |" + lines[row] + "|\n";
  out += std::string(margin - 1, ' ') + '0' + border;
  std::string begin_label;
  detail::append_integer(begin_label, extent.lifespan.lower);
  std::string end_label;
  detail::append_integer(end_label, extent.lifespan.upper);
  out += std::string(margin + 2, ' ') + begin_label;
  out.append(columns - begin_label.size() - end_label.size(), ' ');
  out += end_label + '\n';
  return out;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_ASCII_HPP
