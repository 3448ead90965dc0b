// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement as an SVG picture that stands by itself: time to the right,
/// memory up, each buffer a rectangle that tells its id, size, lifespan and
/// offset when pointed at.
///
///       title
///       24 buffers, height 4 KiB ...
///     4 KiB +------------------------------+  capacity   lines at the capacity,
///           |  buffers, with their names   |- load       the height and the
///         0 +------------------------------+             most that is live
///           0        200        400                      time
///           |    ___/^\____                |             load over time; a line
///           +------------------------------+             through both marks its
///       [] to 1 KiB  [] to 4 KiB                         peak; legend
///
/// A buffer with gaps is its rectangles, see picture.hpp, with a dashed outline
/// around them. What is reserved or below the base is hatched. The frame is the
/// capacity, unless that would leave more than half of it empty; then it is the
/// height. Rectangles of less than 3 units have no outline, which would be all
/// that is seen of them; of more than 10 000, those of less than one unit are
/// drawn together, without a tooltip.
///
/// It scales (`viewBox`) and follows the reader's choice of light or dark.
/// Coordinates are rounded to hundredths of a unit; the text is the same in
/// every locale.
///
/// Cost: O(n log n), but see labels.hpp where buffers share bytes.
#ifndef SNUG_IO_SVG_HPP
#define SNUG_IO_SVG_HPP

#include "snug/config.hpp"
#include "snug/io/colours.hpp"
#include "snug/io/companions.hpp"
#include "snug/io/labels.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/svg_canvas.hpp"
#include "snug/io/svg_marks.hpp"
#include "snug/io/text.hpp"
#include "snug/io/xml.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

/// `[0, 3)`
template <class T>
[[nodiscard]] std::string interval_text(const Interval<T>& interval) {
  return std::string("[") + std::to_string(interval.lower) + ", " +
         std::to_string(interval.upper) + ')';
}

/// `b1: 4 B (4 bytes), lifespan [0, 3), offset 8`
template <class Size, class Time>
[[nodiscard]] std::string buffer_tooltip(const std::string& name,
                                         const Buffer<Size, Time>& buffer,
                                         Size offset) {
  return name + ": " + grouped_text(buffer.size) + " bytes (" +
         bytes_text(static_cast<double>(buffer.size)) + "), lifespan " +
         interval_text(buffer.lifespan) + ", offset " + grouped_text(offset);
}

/// The buffers of one picture: their rectangles, then their names, so that
/// nothing is drawn over a name.
template <class Size, class Time>
class SvgBuffers {
 public:
  SvgBuffers(const PlacedProblem<Size, Time>& placed, SvgCanvas& canvas)
      : placed_(placed), canvas_(canvas), companions_(placed.problem) {
    const std::size_t count = picture_count(placed.problem, placed.offsets);
    for (std::size_t i = 0; i < count; ++i) boxes_.push_back(largest_box(i));
  }

  void append(const Colouring& colouring, bool tooltips) {
    const std::vector<std::size_t> order =
        drawing_order(placed_.problem, boxes_.size());
    std::vector<std::size_t> place(placed_.problem.buffers.size(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    const bool crowded = order.size() > kCrowded;
    if (crowded) append_thin(order, colouring);
    if (companions_.any()) canvas_.out() += "<g class=\"shared\">\n";
    for (const std::size_t i : order)
      if (!crowded || !is_thin(i))
        append_rects(i, colouring.colour_of[i], tooltips);
    if (companions_.any()) canvas_.out() += "</g>\n";
    SharedLabels shared;
    for (const std::size_t i : order) {
      const Box& box = boxes_[i];
      if ((std::min)(box.width(), box.height()) < kTextHeight) continue;
      const std::string name = name_of(placed_.ids, i);
      canvas_.label(companions_.has(i)
                        ? shared.place(box, covers_of(i, place), name)
                        : fit_label(box, name));
    }
  }

 private:
  static constexpr std::size_t kCrowded = 10000;

  template <class Visit>
  void for_each_box(std::size_t i, Visit visit) const {
    for_each_tile(placed_.problem.buffers[i], placed_.offsets[i],
                  [&](const Tile& tile) { visit(canvas_.box(tile)); });
  }

  /// What is drawn over buffer i, or the first of it.
  [[nodiscard]] std::vector<Box> covers_of(
      std::size_t i, const std::vector<std::size_t>& place) const {
    constexpr std::size_t kMost = 256;
    std::vector<Box> covers;
    companions_.for_each(i, [&](std::size_t other) {
      if (other >= placed_.offsets.size() || place[other] <= place[i]) return;
      for_each_box(other, [&](const Box& box) {
        if (covers.size() < kMost) covers.push_back(box);
      });
    });
    return covers;
  }

  /// Whether no one could point at the buffer.
  [[nodiscard]] bool is_thin(std::size_t i) const {
    return (std::min)(boxes_[i].width(), boxes_[i].height()) < 1;
  }

  /// Draws the thin buffers, one path for each colour and shade.
  void append_thin(const std::vector<std::size_t>& order,
                   const Colouring& colouring) {
    std::vector<std::string> paths((kColourCount + 1) * kShades);
    for (const std::size_t i : order) {
      if (!is_thin(i)) continue;
      std::string& path = paths[colouring.colour_of[i] * kShades + i % kShades];
      for_each_box(i, [&](const Box& box) {
        path += 'M';
        append_point(path, box.left, box.top);
        path += 'H';
        append_coordinate(path, box.right);
        path += 'V';
        append_coordinate(path, box.bottom);
        path += 'H';
        append_coordinate(path, box.left);
        path += 'Z';
      });
    }
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (paths[k].empty()) continue;
      append_class("path", k / kShades, k % kShades);
      canvas_.out() += " d=\"" + paths[k] + "\"/>\n";
    }
  }

  /// `<g class="c3 s1"`
  void append_class(std::string_view element, std::size_t colour,
                    std::size_t shade) {
    std::string& out = canvas_.out();
    ((out += '<') += element) += " class=\"c" + std::to_string(colour);
    if (shade > 0) out += " s" + std::to_string(shade);
    out += '"';
  }

  [[nodiscard]] Box largest_box(std::size_t i) const {
    Box largest;
    for_each_box(i, [&](const Box& box) {
      if (box.area() > largest.area()) largest = box;
    });
    return largest;
  }

  void append_rects(std::size_t i, std::size_t colour, bool tooltips) {
    std::string& out = canvas_.out();
    const Buffer<Size, Time>& buffer = placed_.problem.buffers[i];
    append_class("g", colour, i % kShades);
    out += '>';
    if (tooltips) {
      out += "<title>";
      append_xml(out, buffer_tooltip(name_of(placed_.ids, i), buffer,
                                     placed_.offsets[i]));
      out += "</title>";
    }
    for_each_box(i, [&](const Box& box) {
      const bool outlined = (std::min)(box.width(), box.height()) >= 3;
      canvas_.rect(box, outlined ? "b" : "", "/>");
    });
    if (!buffer.gaps.empty())
      canvas_.rect(canvas_.box(whole_tile(buffer, placed_.offsets[i])),
                   "outline", "/>");
    out += "</g>\n";
  }

  const PlacedProblem<Size, Time>& placed_;
  SvgCanvas& canvas_;
  Companions<Size, Time> companions_;
  std::vector<Box> boxes_{};  ///< the largest of each buffer
};

/// draw_svg() of buffers that have this extent, `y` units down the sheet.
template <class Size, class Time>
[[nodiscard]] std::string draw_svg_panel(
    const PlacedProblem<Size, Time>& placed,
    const PictureExtent<Size, Time>& extent, const SvgOptions& options,
    double y) {
  const auto& [problem, capacity, offsets, ids] = placed;
  const Size shown = picture_top(extent.height, capacity);
  const double top = (std::max)(static_cast<double>(shown), options.top);
  const bool has_capacity = static_cast<double>(capacity) <= top;
  SvgCanvas canvas(options, extent.begin(), extent.span(), top);
  const Colouring colouring = colour(problem, ids, options.colour_by);
  std::string caption = picture_caption(placed, extent);
  if (!has_capacity && !is_unlimited(capacity)) caption += " (not drawn)";

  append_svg_head(canvas, colouring, y);
  append_svg_titles(canvas, options.title, caption);
  append_svg_axes(canvas, extent, top);
  for_each_reserved(
      problem, extent, shown,
      [&](const Tile& tile, const std::string& name, const auto& bytes) {
        canvas.rect(canvas.box(tile), "reserved",
                    "><title>" + name + ": " + interval_text(bytes) +
                        "</title></rect>\n");
        canvas.label(fit_label(canvas.box(tile), name));
      });
  SvgBuffers<Size, Time>(placed, canvas).append(colouring, options.tooltips);
  append_svg_load(canvas, extent);
  append_svg_limits(canvas, extent, has_capacity ? capacity : Size{-1});
  append_svg_legend(canvas, colouring);
  return std::move(canvas.out()) + "</svg>\n";
}

}  // namespace detail

/// Draws the placement `offsets` of `problem`, both valid (see validate()),
/// with `ids` (none, or one a buffer) as names. Returns a whole SVG document.
template <class Size, class Time>
[[nodiscard]] std::string draw_svg(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Size>& offsets, const std::vector<std::string>& ids = {},
    const SvgOptions& options = {}) {
  return detail::draw_svg_panel<Size, Time>(
      {problem, capacity, offsets, ids},
      detail::picture_extent(problem, offsets), options, 0);
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_SVG_HPP
