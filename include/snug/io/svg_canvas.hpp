// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sheet of an SVG picture: where its parts are, what time and bytes are in
/// its units, how shapes and text are written, and the rules for their looks.
#ifndef SNUG_IO_SVG_CANVAS_HPP
#define SNUG_IO_SVG_CANVAS_HPP

#include "snug/config.hpp"
#include "snug/io/colours.hpp"
#include "snug/io/labels.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/xml.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

struct SvgOptions {
  int width = 960;   ///< in SVG user units, 320 to 100000
  int height = 540;  ///< 240 to 100000
  ColourBy colour_by = ColourBy::kAuto;
  std::string title{};   ///< above the picture; none by default
  bool tooltips = true;  ///< twice the text
  double top = 0;        ///< bytes that the picture reaches up to, at least
};

namespace detail {

/// The parts of an SVG picture, and what is drawn in them so far.
class SvgCanvas {
 public:
  SvgCanvas(const SvgOptions& options, double begin, double span, double top)
      : width_((std::clamp)(options.width, 320, 100000)),
        height_((std::clamp)(options.height, 240, 100000)),
        frame_{kLeft, width_ - kRight, 48, height_ - 124},
        strip_{kLeft, width_ - kRight, height_ - 98, height_ - 44},
        begin_(begin),
        top_(top),
        across_(frame_.width() / span),
        up_(frame_.height() / top) {}

  [[nodiscard]] double width() const noexcept { return width_; }
  [[nodiscard]] double height() const noexcept { return height_; }
  [[nodiscard]] const Box& frame() const noexcept { return frame_; }
  /// Where the load is drawn.
  [[nodiscard]] const Box& strip() const noexcept { return strip_; }
  [[nodiscard]] double x(double time) const noexcept {
    return frame_.left + (time - begin_) * across_;
  }
  [[nodiscard]] double y(double bytes) const noexcept {
    return frame_.bottom - bytes * up_;
  }
  [[nodiscard]] double strip_y(double bytes) const noexcept {
    return strip_.bottom - bytes / top_ * strip_.height();
  }
  [[nodiscard]] Box box(const Tile& tile) const noexcept {
    return {x(tile.begin), x(tile.end), y(tile.top), y(tile.bottom)};
  }

  [[nodiscard]] std::string& out() noexcept { return out_; }

  /// A rectangle, and what is in it, up to its `end`. `kind`: its class; empty:
  /// none.
  void rect(const Box& box, std::string_view kind,
            std::string_view end = "/>\n") {
    out_ += "<rect";
    if (!kind.empty()) ((out_ += " class=\"") += kind) += '"';
    append_attribute(out_, "x", box.left);
    append_attribute(out_, "y", box.top);
    append_attribute(out_, "width", box.width());
    append_attribute(out_, "height", box.height());
    out_ += end;
  }

  void line(const Box& ends, std::string_view kind) {
    ((out_ += "<path class=\"") += kind) += "\" d=\"M";
    append_point(out_, ends.left, ends.top);
    out_ += 'L';
    append_point(out_, ends.right, ends.bottom);
    out_ += "\"/>\n";
  }

  /// `kind`: classes, of which `m` and `e` let `x` be the middle or the end.
  void text(double x, double y, std::string_view kind, std::string_view text) {
    out_ += "<text";
    append_attribute(out_, "x", x);
    append_attribute(out_, "y", y);
    ((out_ += " class=\"") += kind) += "\">";
    append_xml(out_, text);
    out_ += "</text>\n";
  }

  void label(const Label& label) {
    if (label.text.empty()) return;
    const double x = label.box.middle_x();
    const double y = label.box.middle_y();
    if (!label.upright) return text(x, y + 4, "n", label.text);
    out_ += "<text class=\"n\" transform=\"translate(";
    append_point(out_, x + 4, y);
    out_ += ")rotate(-90)\">";
    append_xml(out_, label.text);
    out_ += "</text>\n";
  }

 private:
  static constexpr double kLeft = 76;    ///< for the amounts
  static constexpr double kRight = 124;  ///< for the names of the lines

  double width_;
  double height_;
  Box frame_;
  Box strip_;
  double begin_;
  double top_;
  double across_;  ///< units for one step of time
  double up_;      ///< units for one byte
  std::string out_{};
};

/// Opens a picture of this size, `y` units down the one that it is in.
inline void open_svg(std::string& out, double width, double height,
                     double y = 0) {
  out += "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ";
  append_point(out, width, height);
  out += '"';
  if (y > 0) append_attribute(out, "y", y);
  append_attribute(out, "width", width);
  append_attribute(out, "height", height);
  out += ">\n";
}

/// The rules for all that is drawn, and the colours in use.
inline void append_svg_style(std::string& out, const Colouring& colouring) {
  out +=
      "<style>\n"
      "text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',"
      "monospace;fill:#222;pointer-events:none}\n"
      ".n,.m{text-anchor:middle}.e{text-anchor:end}\n"
      ".title{font:600 15px system-ui,'DejaVu Sans',sans-serif}\n"
      ".paper{fill:#fff}.frame,.axis{fill:none;stroke:#888}\n"
      ".grid{stroke:#888;stroke-opacity:.25}\n"
      ".reserved{fill:url(#hatch)}.hatch{stroke:#999}\n"
      ".b{stroke:#fff;stroke-width:.6}.s1{fill-opacity:.86}"
      ".s2{fill-opacity:.72}\n"
      ".shared .b{stroke:#444}.outline{fill:none;stroke:#444;"
      "stroke-dasharray:3 3}\n"
      ".capacity{stroke:#c22;stroke-dasharray:6 3}"
      ".height,.load{stroke:#15c;stroke-dasharray:2 2}\n"
      ".peak{stroke:#c22;stroke-opacity:.6}"
      ".curve{fill:#86b6e8;stroke:#15c;stroke-width:.8}\n";
  std::vector<bool> used(kColourCount + 1, false);
  for (const auto& [k, text] : colouring.legend) used[k] = true;
  const auto fill_used = [&](const char* Colour::*shade) {
    for (std::size_t k = 0; k < used.size(); ++k) {
      const Colour& colour = k < kColourCount ? kColours[k] : kGreyColour;
      if (used[k])
        out += ".c" + std::to_string(k) + "{fill:" + colour.*shade + '}';
    }
  };
  fill_used(&Colour::light);
  out +=
      "\n@media(prefers-color-scheme:dark){text{fill:#ddd}.n{fill:#fff}"
      ".paper{fill:#16181d}.b{stroke:#16181d}.shared .b,.outline{stroke:#bbb}"
      ".capacity,.peak{stroke:#f66}.height,.load,.curve{stroke:#8bf}"
      ".curve{fill:#2d588c}\n";
  fill_used(&Colour::dark);
  out += "}\n</style>\n";
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_SVG_CANVAS_HPP
