// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A grid of owners in colours, for terminals that have 256 of them and show
/// UTF-8. One line of text is two rows: an upper half block in the colour of
/// the upper one on the colour of the lower one.
///
/// Owners that touch get different colours, as far as there are enough: each in
/// turn takes the first, from a start that its index chooses, that no neighbour
/// has.
#ifndef SNUG_IO_ANSI_HPP
#define SNUG_IO_ANSI_HPP

#include "snug/config.hpp"
#include "snug/io/ascii_grid.hpp"
#include "snug/io/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Colours of the 256 that black text can be read on.
inline constexpr int kAnsiColours[] = {229, 151, 117, 182, 216, 191,
                                       147, 217, 116, 187, 153, 180};
inline constexpr int kAnsiGrey = 244;  ///< what is reserved
inline constexpr int kAnsiNone = -1;   ///< the terminal's own

class AnsiPainter {
 public:
  explicit AnsiPainter(const AsciiGrid& grid)
      : grid_(grid), colours_(grid.owners(), kAnsiGrey) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t row = 0; row < grid.rows(); ++row)
      for (std::size_t column = 0; column < grid.columns(); ++column) {
        if (column > 0)
          add_pair(pairs, column, row, grid.owner(column - 1, row));
        if (row > 0) add_pair(pairs, column, row, grid.owner(column, row - 1));
      }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    constexpr std::size_t kCount = std::size(kAnsiColours);
    auto pair = pairs.begin();
    for (std::size_t owner = 0; owner < colours_.size(); ++owner) {
      if (!grid.is_buffer(owner)) continue;
      bool taken[kCount] = {};
      for (; pair != pairs.end() && pair->first == owner; ++pair)
        for (std::size_t k = 0; k < kCount; ++k)
          taken[k] |= colours_[pair->second] == kAnsiColours[k];
      std::size_t k = 0;
      while (k + 1 < kCount && taken[(owner + k) % kCount]) ++k;
      colours_[owner] = kAnsiColours[(owner + k) % kCount];
    }
  }

  /// One line of text, 0 being the bottom one, with the names on it.
  [[nodiscard]] std::string line(std::size_t index,
                                 const std::vector<GridLabel>& labels) const {
    std::string letters(grid_.columns(), '\0');
    for (const GridLabel& label : labels)
      if (label.line == index)
        letters.replace(label.column, label.text.size(), label.text);
    std::string out;
    std::string style;
    for (std::size_t column = 0; column < grid_.columns(); ++column) {
      const int above = colour_at(column, 2 * index + 1);
      const int below = colour_at(column, 2 * index);
      const bool letter = letters[column] != '\0';
      // Where the upper half is nobody's, the lower one is drawn on nothing.
      const bool only_below = above == kAnsiNone && below != kAnsiNone;
      std::string wanted = letter ? "\x1B[0;30" : "\x1B[0";
      if (!letter && above != below)
        append_colour(wanted, only_below ? below : above, "38");
      append_colour(wanted, only_below && !letter ? kAnsiNone : below, "48");
      wanted += 'm';
      if (wanted != style) out += wanted;
      style = std::move(wanted);
      if (letter)
        out += letters[column];
      else if (above == below)
        out += ' ';
      else
        out += only_below ? "\xE2\x96\x84" : "\xE2\x96\x80";
    }
    return out + "\x1B[0m";
  }

 private:
  void add_pair(std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                std::size_t column, std::size_t row, std::size_t other) const {
    const std::size_t self = grid_.owner(column, row);
    // The later one of two looks at the earlier one.
    if (self != other && grid_.is_buffer(self) && grid_.is_buffer(other))
      pairs.emplace_back((std::max)(self, other), (std::min)(self, other));
  }

  [[nodiscard]] int colour_at(std::size_t column, std::size_t row) const {
    const std::size_t owner = grid_.owner(column, row);
    return owner == AsciiGrid::kNobody ? kAnsiNone : colours_[owner];
  }

  static void append_colour(std::string& out, int colour, const char* kind) {
    if (colour < 0) return;
    out += ';';
    out += kind;
    out += ";5;";
    append_integer(out, colour);
  }

  const AsciiGrid& grid_;
  std::vector<int> colours_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_ANSI_HPP
