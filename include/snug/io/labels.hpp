// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the names of buffers stand in a picture: level, or upright in boxes
/// that are tall and narrow, cut to fit (names.hpp).
///
/// Where buffers share bytes, a name stands in the largest part of its box that
/// those drawn later leave visible,
///
///     +---------------------+
///     | concat              |      concat, below left and right, is named
///     |   +------+-------+  |      in the strip that is left of it
///     |   | left | right |  |
///     +---+------+-------+--+
///
/// and where nothing is left, on any line of the box on which no other name of
/// such buffers stands: two buffers in the same place have two lines.
///
/// Cost: O(n) but for buffers that share bytes; for each of these, O(k l) with
/// k others in the same place (64 of them are looked at) and l names that were
/// written before.
#ifndef SNUG_IO_LABELS_HPP
#define SNUG_IO_LABELS_HPP

#include "snug/config.hpp"
#include "snug/io/names.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A rectangle in a picture, whose y goes down.
struct Box {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;

  [[nodiscard]] double width() const noexcept { return right - left; }
  [[nodiscard]] double height() const noexcept { return bottom - top; }
  [[nodiscard]] double middle_x() const noexcept { return (left + right) / 2; }
  [[nodiscard]] double middle_y() const noexcept { return (top + bottom) / 2; }
  [[nodiscard]] double area() const noexcept { return width() * height(); }
  [[nodiscard]] bool meets(const Box& other) const noexcept {
    return left < other.right && other.left < right && top < other.bottom &&
           other.top < bottom;
  }
};

/// A name in a picture, around the middle of `box`; no text: no room for it.
struct Label {
  std::string text{};
  std::size_t letters = 0;
  bool upright = false;
  Box box{};
};

// A letter of the fixed-width type that pictures use, at 11 units, and the
// blank before the first and behind the last.
inline constexpr double kLetterWidth = 6.7;
inline constexpr double kLabelMargin = 3;
inline constexpr double kTextHeight = 10;  // of a line
inline constexpr double kLineHeight = 12;  // from line to line
inline constexpr const char* kEllipsis = "\xE2\x80\xA6";

/// `name` in the middle of `box`, if three letters of it fit.
[[nodiscard]] inline Label fit_label(const Box& box, std::string_view name) {
  const auto letters = [](double length) {
    return static_cast<std::size_t>(
        (std::clamp)((length - 2 * kLabelMargin) / kLetterWidth, 0.0, 1000.0));
  };
  const std::size_t along =
      box.height() >= kTextHeight ? letters(box.width()) : 0;
  const std::size_t up = box.width() >= kTextHeight ? letters(box.height()) : 0;
  Label label;
  label.text = fit_name(name, along, kEllipsis);
  label.letters = count_letters(label.text);
  if (up > along && label.letters < count_letters(name)) {
    std::string text = fit_name(name, up, kEllipsis);
    const std::size_t count = count_letters(text);
    label.upright = count > label.letters;
    if (label.upright) label.text = std::move(text);
    label.letters = (std::max)(label.letters, count);
  }
  if (label.text.empty()) return label;
  const double length = static_cast<double>(label.letters) * kLetterWidth;
  const double x = box.middle_x();
  const double y = box.middle_y();
  const double across = label.upright ? kTextHeight : length;
  const double down = label.upright ? length : kTextHeight;
  label.box = {x - across / 2, x + across / 2, y - down / 2, y + down / 2};
  return label;
}

/// The largest rectangles of `box` outside all of `covers`, at most 32.
[[nodiscard]] inline std::vector<Box> visible_parts(
    const Box& box, const std::vector<Box>& covers) {
  constexpr std::size_t kMost = 32;
  std::vector<Box> parts{box};
  std::vector<Box> next;
  const auto keep = [&](const Box& rest) {
    if (rest.left < rest.right && rest.top < rest.bottom) next.push_back(rest);
  };
  for (const Box& cover : covers) {
    next.clear();
    for (const Box& part : parts) {
      if (!part.meets(cover)) {
        next.push_back(part);
        continue;
      }
      keep({part.left, cover.left, part.top, part.bottom});
      keep({cover.right, part.right, part.top, part.bottom});
      keep({part.left, part.right, part.top, cover.top});
      keep({part.left, part.right, cover.bottom, part.bottom});
    }
    parts.swap(next);
    if (parts.size() <= kMost) continue;
    std::sort(parts.begin(), parts.end(),
              [](const Box& a, const Box& b) { return a.area() > b.area(); });
    parts.resize(kMost);
  }
  return parts;
}

/// Places the names of buffers that share bytes with others.
class SharedLabels {
 public:
  /// The name of a buffer in `box`, of which `covers` are drawn later.
  [[nodiscard]] Label place(const Box& box, const std::vector<Box>& covers,
                            std::string_view name) {
    Label best;
    for (const Box& part : visible_parts(box, covers)) {
      Label label = fit_label(part, name);
      if (label.letters > best.letters && is_free(label.box))
        best = std::move(label);
    }
    if (best.letters < count_letters(name)) try_lines(box, name, best);
    if (!best.text.empty()) placed_.push_back(best.box);
    return best;
  }

 private:
  [[nodiscard]] bool is_free(const Box& box) const noexcept {
    return std::none_of(placed_.begin(), placed_.end(),
                        [&](const Box& placed) { return placed.meets(box); });
  }

  /// Lines of the box from its middle outwards, if one has room for more than
  /// what is in `best`.
  void try_lines(const Box& box, std::string_view name, Label& best) const {
    for (int k = 0; k < 64; ++k) {
      const double down = (k % 2 == 0 ? k / 2 : -(k + 1) / 2) * kLineHeight;
      const double middle = box.middle_y() + down;
      const Box line{box.left, box.right, middle - kLineHeight / 2,
                     middle + kLineHeight / 2};
      if (line.top < box.top || line.bottom > box.bottom) {
        if (k > 1) return;
        continue;
      }
      Label label = fit_label(line, name);
      if (label.letters <= best.letters) return;
      if (!is_free(label.box)) continue;
      best = std::move(label);
      return;
    }
  }

  std::vector<Box> placed_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_LABELS_HPP
