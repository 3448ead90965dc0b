// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement as an SVG picture: time to the right, memory up, each buffer a
/// rectangle that tells its id, size, lifespan and offset when pointed at. A
/// buffer with gaps is its rectangles, see picture.hpp, with a dashed outline
/// around them. What is reserved or below the base is grey. Where buffers may
/// share bytes, those below shine through. The frame is the capacity, unless
/// that would leave more than half of the picture empty; then it is the height.
///
/// Colours depend on the buffer's index alone. Coordinates are rounded to
/// hundredths of a unit, and the text is the same in every locale.
///
/// Cost: O(n log n).
#ifndef SNUG_IO_SVG_HPP
#define SNUG_IO_SVG_HPP

#include "snug/config.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/text.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// The picture's size in SVG user units (pixels, unless scaled).
struct SvgSize {
  int width = 960;   ///< 100 to 100000
  int height = 540;  ///< 100 to 100000
};

namespace detail {

/// The length of the UTF-8 character at the front of `text`, 0 if malformed.
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto follows = [&](std::size_t k) {
    return (byte(k) & 0xC0U) == 0x80U;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follows(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) > 0x9FU;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(1) > 0x8FU;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4
                                                                          : 0;
  }
  return 0;
}

/// Appends `text` to an XML document: markup is escaped, and bytes that XML
/// does not allow (control characters, malformed UTF-8) become `?`.
inline void append_xml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20U || first == 0x7FU)
      out += '?';
    else if (first == '&')
      out += "&amp;";
    else if (first == '<')
      out += "&lt;";
    else if (first == '>')
      out += "&gt;";
    else if (first == '"')
      out += "&quot;";
    else
      out += text.substr(0, length);
    text.remove_prefix((std::max)(length, std::size_t{1}));
  }
}

/// Appends ` name="value"`, the value rounded to hundredths.
inline void append_attribute(std::string& out, std::string_view name,
                             double value) {
  const double rounded = value * 100 + (value < 0 ? -0.5 : 0.5);
  auto hundredths = static_cast<std::int64_t>(rounded);
  out += ' ';
  out += name;
  out += "=\"";
  if (hundredths < 0) {
    out += '-';
    hundredths = -hundredths;
  }
  append_integer(out, hundredths / 100);
  if (hundredths % 100 != 0) {
    out += '.';
    out += static_cast<char>('0' + hundredths % 100 / 10);
    if (hundredths % 10 != 0) out += static_cast<char>('0' + hundredths % 10);
  }
  out += '"';
}

/// Appends ` fill="#rrggbb"`, a light colour. Successive indices get hues far
/// apart: 137 degrees, close to the golden angle, so that 360 are distinct.
inline void append_fill(std::string& out, std::size_t index) {
  const auto hue = static_cast<int>(index % 360 * 137 % 360);
  // Light enough for black text: every channel between `low` and `high`.
  const int low = 140;
  const int high = 240;
  const auto channel = [&](int degrees) {
    int distance = (hue + 360 - degrees) % 360;
    distance = (std::min)(distance, 360 - distance);
    const int share = (std::clamp)(120 - distance, 0, 60);
    return low + (high - low) * share / 60;
  };
  out += " fill=\"#";
  for (const int degrees : {0, 120, 240}) {
    const int value = channel(degrees);
    const char* const digits = "0123456789abcdef";
    out += digits[value / 16];
    out += digits[value % 16];
  }
  out += '"';
}

/// Where the picture's frame is, and text and rectangles in it.
class SvgCanvas {
 public:
  SvgCanvas(SvgSize size, double begin, double span, double top)
      : width_((std::clamp)(size.width, 100, 100000)),
        height_((std::clamp)(size.height, 100, 100000)),
        begin_(begin),
        across_((width_ - 2 * kMargin) / span),
        up_((height_ - kMargin - kFoot) / top) {}

  [[nodiscard]] double width() const noexcept { return width_; }
  [[nodiscard]] double height() const noexcept { return height_; }
  [[nodiscard]] double x(double time) const noexcept {
    return kMargin + (time - begin_) * across_;
  }
  [[nodiscard]] double y(double bytes) const noexcept {
    return height_ - kFoot - bytes * up_;
  }
  [[nodiscard]] double width_of(const Tile& tile) const noexcept {
    return (tile.end - tile.begin) * across_;
  }
  [[nodiscard]] double height_of(const Tile& tile) const noexcept {
    return (tile.top - tile.bottom) * up_;
  }

  void append_rect(std::string& out, const Tile& tile) const {
    out += "<rect";
    append_attribute(out, "x", x(tile.begin));
    append_attribute(out, "y", y(tile.top));
    append_attribute(out, "width", width_of(tile));
    append_attribute(out, "height", height_of(tile));
  }

  static void append_text(std::string& out, double x, double y,
                          const char* anchor, std::string_view text) {
    out += "<text";
    append_attribute(out, "x", x);
    append_attribute(out, "y", y);
    out += " text-anchor=\"";
    out += anchor;
    out += "\">";
    append_xml(out, text);
    out += "</text>\n";
  }

  /// Writes `text` in the middle of `tile` if it has room for it.
  void append_label(std::string& out, const Tile& tile,
                    std::string_view text) const {
    const double letter = 7.5;  // about the width of one at 12 units
    if (static_cast<double>(text.size() + 1) * letter > width_of(tile) ||
        height_of(tile) < 14)
      return;
    append_text(out, x((tile.begin + tile.end) / 2),
                y((tile.bottom + tile.top) / 2) + 4, "middle", text);
  }

 private:
  static constexpr double kMargin = 16;
  static constexpr double kFoot = 48;  ///< for the two lines below the frame

  double width_;
  double height_;
  double begin_;
  double across_;  ///< units for one step of time
  double up_;      ///< units for one byte
};

/// `b1: size 4, lifespan [0, 3), offset 8`
template <class Size, class Time>
[[nodiscard]] std::string svg_tooltip(const std::string& name,
                                      const Buffer<Size, Time>& buffer,
                                      Size offset) {
  std::string out = name + ": size ";
  append_integer(out, buffer.size);
  out += ", lifespan [";
  append_integer(out, buffer.lifespan.lower);
  out += ", ";
  append_integer(out, buffer.lifespan.upper);
  out += "), offset ";
  append_integer(out, offset);
  return out;
}

/// Bytes that no buffer may occupy.
template <class Size>
void append_svg_reserved(std::string& out, const SvgCanvas& canvas,
                         const Tile& tile, const std::string& name,
                         const Interval<Size>& bytes) {
  out += "<g class=\"reserved\"><title>" + name + ": [";
  append_integer(out, bytes.lower);
  out += ", ";
  append_integer(out, bytes.upper);
  out += ")</title>\n";
  canvas.append_rect(out, tile);
  out += "/>\n";
  canvas.append_label(out, tile, name);
  out += "</g>\n";
}

/// One buffer: a group with a tooltip, its rectangles and its name.
template <class Size, class Time>
void append_svg_buffer(std::string& out, const SvgCanvas& canvas,
                       const Buffer<Size, Time>& buffer, Size offset,
                       std::size_t index, const std::vector<std::string>& ids) {
  std::string name;
  append_name(name, ids, index);
  out += "<g";
  append_fill(out, index);
  out += "><title>";
  append_xml(out, svg_tooltip(name, buffer, offset));
  out += "</title>\n";
  Tile largest;
  for_each_tile(buffer, offset, [&](const Tile& tile) {
    canvas.append_rect(out, tile);
    out += "/>\n";
    if (canvas.width_of(tile) * canvas.height_of(tile) >
        canvas.width_of(largest) * canvas.height_of(largest))
      largest = tile;
  });
  if (!buffer.gaps.empty()) {
    const auto bottom = static_cast<double>(offset);
    canvas.append_rect(out, {static_cast<double>(buffer.lifespan.lower),
                             static_cast<double>(buffer.lifespan.upper), bottom,
                             bottom + static_cast<double>(buffer.size)});
    out += " class=\"outline\"/>\n";
  }
  canvas.append_label(out, largest, name);
  out += "</g>\n";
}

}  // namespace detail

/// Draws the placement `offsets` of `problem`, both valid (see validate()),
/// with `ids` (none, or one a buffer) as names. Returns a whole SVG document.
template <class Size, class Time>
[[nodiscard]] std::string draw_svg(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Size>& offsets, const std::vector<std::string>& ids = {},
    SvgSize size = {}) {
  const std::size_t count = detail::picture_count(problem, offsets);
  const detail::PictureExtent<Size, Time> extent =
      detail::picture_extent(problem, offsets);
  const Size top = detail::picture_top(extent.height, capacity);
  const detail::SvgCanvas canvas(size, extent.begin(), extent.span(),
                                 static_cast<double>(top));

  const bool shared = detail::has_ties(problem) || !problem.may_overlap.empty();

  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  detail::append_attribute(out, "width", canvas.width());
  detail::append_attribute(out, "height", canvas.height());
  out +=
      ">\n<style>\n"
      "rect { stroke: #333; stroke-width: 0.6 }\n"
      "text { font: 12px sans-serif; fill: #000 }\n"
      ".outline { fill: none; stroke-dasharray: 3 3 }\n"
      ".frame { fill: none; stroke-width: 1.2 }\n"
      ".paper { fill: #fff; stroke: none }\n"
      ".reserved { fill: #bbb }\n"
      ".shared rect { fill-opacity: 0.7 }\n"
      "</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n";
  detail::for_each_reserved(
      problem, extent, top,
      [&](const detail::Tile& tile, const std::string& name,
          const Interval<Size>& bytes) {
        detail::append_svg_reserved(out, canvas, tile, name, bytes);
      });
  if (shared) out += "<g class=\"shared\">\n";
  for (const std::size_t i : detail::drawing_order(problem, count))
    detail::append_svg_buffer(out, canvas, problem.buffers[i], offsets[i], i,
                              ids);
  if (shared) out += "</g>\n";

  const double end = extent.begin() + extent.span();
  canvas.append_rect(out, {extent.begin(), end, 0, static_cast<double>(top)});
  out += " class=\"frame\"/>\n";
  std::string label;
  detail::append_integer(label, extent.lifespan.lower);
  detail::SvgCanvas::append_text(out, canvas.x(extent.begin()),
                                 canvas.y(0) + 16, "start", label);
  label.clear();
  detail::append_integer(label, extent.lifespan.upper);
  detail::SvgCanvas::append_text(out, canvas.x(end), canvas.y(0) + 16, "end",
                                 label);
  label = detail::picture_caption(count, extent, capacity);
  if (top < capacity) label += " (not drawn)";
  detail::SvgCanvas::append_text(out, canvas.x(extent.begin()),
                                 canvas.y(0) + 36, "start", label);
  out += "</svg>\n";
  return out;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_SVG_HPP
