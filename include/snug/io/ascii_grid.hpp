// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A picture of few rows and columns: who owns each character. Each boundary is
/// rounded to the nearest one, so that boxes which touch in the problem touch
/// in the picture and none hides another. A box that rounds to nothing shows up
/// only where the picture is empty.
///
/// Cost: O(columns * rows) and, for each tile, the characters it covers.
#ifndef SNUG_IO_ASCII_GRID_HPP
#define SNUG_IO_ASCII_GRID_HPP

#include "snug/config.hpp"
#include "snug/io/names.hpp"
#include "snug/io/picture.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A name in the grid; no text: there is no room for it.
struct GridLabel {
  std::string text{};
  std::size_t column = 0;
  std::size_t line = 0;  ///< 0 is the bottom one
};

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

  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t owners() const noexcept { return boxes_.size(); }
  [[nodiscard]] bool is_buffer(std::size_t owner) const noexcept {
    return owner < buffers_;
  }

  /// The text of one row, without the frame.
  [[nodiscard]] std::string line(std::size_t row) const {
    std::string out(columns_, ' ');
    for (std::size_t column = 0; column < columns_; ++column)
      out[column] = at(column, row);
    return out;
  }

  /// Where the name of owner `index` stands, with a blank on either side: in
  /// its largest box, cut to fit, if nobody else is drawn there. A line of text
  /// is `height` rows.
  [[nodiscard]] GridLabel label(std::size_t index, std::string_view id,
                                std::size_t height) const {
    const Box& box = boxes_[index];
    const bool plain = std::all_of(id.begin(), id.end(),
                                   [](char c) { return c >= ' ' && c <= '~'; });
    // The edge on the left and the blanks take three.
    if (id.empty() || !plain || box.area() == 0 || box.across.size() < 4)
      return {};
    GridLabel label;
    const std::string name = fit_name(id, box.across.size() - 3, "~");
    if (name.empty()) return {};
    label.text = ' ' + name + ' ';
    label.column =
        box.across.last - (box.across.size() - 1 + label.text.size()) / 2;
    label.line = (box.up.first + box.up.size() / 2) / height;
    for (std::size_t k = 0; k < label.text.size(); ++k)
      for (std::size_t row = label.line * height;
           row < (label.line + 1) * height; ++row)
        if (row >= rows_ || owner(label.column + k, row) != index) return {};
    return label;
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
SNUG_END_NAMESPACE

#endif  // SNUG_IO_ASCII_GRID_HPP
