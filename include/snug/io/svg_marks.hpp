// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What stands around the buffers of an SVG picture: titles, axes, the lines
/// for capacity, height and load, the load over time, and the legend.
#ifndef SNUG_IO_SVG_MARKS_HPP
#define SNUG_IO_SVG_MARKS_HPP

#include "snug/config.hpp"
#include "snug/io/colours.hpp"
#include "snug/io/labels.hpp"
#include "snug/io/names.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/svg_canvas.hpp"
#include "snug/io/xml.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

inline void append_svg_head(SvgCanvas& canvas, const Colouring& colouring,
                            double y) {
  std::string& out = canvas.out();
  open_svg(out, canvas.width(), canvas.height(), y);
  append_svg_style(out, colouring);
  // Once in a document.
  if (!(y > 0))
    out +=
        "<pattern id=\"hatch\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
        "<path class=\"hatch\" d=\"M0 0V6\"/></pattern>\n";
  out += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
}

/// The title, and below it, or in its place, the caption.
inline void append_svg_titles(SvgCanvas& canvas, const std::string& title,
                              const std::string& caption) {
  const double left = canvas.frame().left;
  const auto room = static_cast<std::size_t>((canvas.width() - left) / 9);
  if (!title.empty())
    canvas.text(left, 22, "title", fit_name(title, room, kEllipsis));
  canvas.text(left, 40, "caption", caption);
}

/// The frame, and marks on the axes of bytes and time.
template <class Size, class Time>
void append_svg_axes(SvgCanvas& canvas, const PictureExtent<Size, Time>& extent,
                     double top) {
  const Box& frame = canvas.frame();
  const double bytes = bytes_step(top, frame.height() / 26);
  for (double mark = 0; mark <= top; mark += bytes) {
    const double y = canvas.y(mark);
    if (mark > 0) canvas.line({frame.left, frame.right, y, y}, "grid");
    canvas.text(frame.left - 6, y + 4, "e", bytes_text(mark));
  }
  const double step = time_step(extent.span(), frame.width() / 80);
  const double first = std::ceil(extent.begin() / step) * step;
  const double end = extent.begin() + extent.span();
  for (int k = 0; first + k * step <= end && k < 10000; ++k) {
    const double x = canvas.x(first + k * step);
    canvas.line({x, x, frame.bottom, frame.bottom + 4}, "axis");
    canvas.text(x, frame.bottom + 16, "m", time_text<Time>(first + k * step));
  }
  canvas.text(frame.right + 34, frame.bottom + 16, "caption", "time");
  canvas.rect(frame, "frame");
}

/// The load over time, and a line through it and the buffers at its peak.
template <class Size, class Time>
void append_svg_load(SvgCanvas& canvas,
                     const PictureExtent<Size, Time>& extent) {
  const Box& strip = canvas.strip();
  const auto columns = static_cast<std::size_t>(strip.width());
  const std::vector<double> load = load_columns(extent, columns);
  const auto left = [&](std::size_t column) {
    return strip.left + strip.width() * static_cast<double>(column) /
                            static_cast<double>(columns);
  };
  std::string& out = canvas.out();
  out += "<path class=\"curve\" d=\"M";
  append_point(out, strip.left, strip.bottom);
  for (std::size_t k = 0; k < columns;) {
    std::size_t next = k + 1;
    while (next < columns && !(load[next] < load[k] || load[k] < load[next]))
      ++next;
    out += 'V';
    append_coordinate(out, canvas.strip_y(load[k]));
    out += 'H';
    append_coordinate(out, left(next));
    k = next;
  }
  out += 'V';
  append_coordinate(out, strip.bottom);
  out += "Z\"/>\n";
  canvas.rect(strip, "frame");
  canvas.text(strip.left - 6, strip.middle_y() + 4, "e", "load");
  if (!(extent.load > 0)) return;
  const double x = canvas.x(extent.peak);
  canvas.line({x, x, canvas.frame().top, strip.bottom}, "peak");
  const bool right = x > strip.middle_x();
  canvas.text(right ? x - 4 : x + 4, strip.bottom - 6, right ? "e" : "caption",
              "peak at " + time_text<Time>(extent.peak));
}

/// Lines at the capacity (none if below zero), the height and the load.
template <class Size, class Time>
void append_svg_limits(SvgCanvas& canvas,
                       const PictureExtent<Size, Time>& extent, Size capacity) {
  struct Limit {
    double bytes;
    const char* kind;
  };
  std::vector<Limit> limits = {{static_cast<double>(extent.height), "height"},
                               {extent.load, "load"}};
  if (capacity >= 0)
    limits.insert(limits.begin(), {static_cast<double>(capacity), "capacity"});
  std::stable_sort(
      limits.begin(), limits.end(),
      [](const Limit& a, const Limit& b) { return a.bytes > b.bytes; });
  const Box& frame = canvas.frame();
  double free_from = 0;  // the names of lines close to each other move down
  for (const Limit& limit : limits) {
    const double y = canvas.y(limit.bytes);
    canvas.line({frame.left, frame.right + 4, y, y}, limit.kind);
    const double at = (std::max)(y + 4, free_from);
    canvas.text(frame.right + 6, at, "caption",
                std::string(limit.kind) + ' ' + bytes_text(limit.bytes));
    free_from = at + kLineHeight;
  }
}

/// What the colours mean, as far as one line goes.
inline void append_svg_legend(SvgCanvas& canvas, const Colouring& colouring) {
  const double y = canvas.height() - 16;
  const auto width_of = [](const std::string& text) {
    return static_cast<double>(count_letters(text)) * kLetterWidth;
  };
  canvas.text(canvas.frame().left - 6, y, "e", word_of(colouring.by));
  double x = canvas.frame().left;
  for (std::size_t k = 0; k < colouring.legend.size(); ++k) {
    const auto& [colour, name] = colouring.legend[k];
    const std::string text = fit_name(name, 24, kEllipsis);
    if (x + 20 + width_of(text) > canvas.width() - 64) {
      const std::size_t more = colouring.legend.size() - k;
      canvas.text(x, y, "caption", "and " + std::to_string(more) + " more");
      return;
    }
    canvas.rect({x, x + 10, y - 9, y + 1}, "c" + std::to_string(colour));
    canvas.text(x + 14, y, "caption", text);
    x += 26 + width_of(text);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_SVG_MARKS_HPP
