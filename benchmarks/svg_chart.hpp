// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A small picture of data as SVG: two axes, each linear or logarithmic, lines
/// with markers, labels and a key. Colours follow the reader's light or dark
/// scheme; lines differ in their marker and dashes, too.
///
///     title
///     ^ y axis
///     |   o--o       o snug
///     |  x           x other
///     +--------> x axis
#ifndef SNUG_BENCHMARKS_SVG_CHART_HPP
#define SNUG_BENCHMARKS_SVG_CHART_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// Coordinates and opacities: one digit behind the point at most.
[[nodiscard]] inline std::string svg_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  std::string result = text.data();
  if (result.size() > 2 && result.substr(result.size() - 2) == ".0")
    result.resize(result.size() - 2);
  return result;
}

[[nodiscard]] inline std::string svg_escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

inline constexpr std::size_t kSvgColours = 9;

/// The start of a picture: its size, styles and background.
[[nodiscard]] inline std::string svg_begin(double width, double height) {
  static constexpr std::array<const char*, kSvgColours> kLight = {
      "d1242f", "0969da", "1a7f37", "8250df", "bc4c00",
      "6e7781", "1b7c83", "bf3989", "7d5a00"};
  static constexpr std::array<const char*, kSvgColours> kDark = {
      "ff7b72", "58a6ff", "3fb950", "bc8cff", "f0883e",
      "8b949e", "39c5cf", "ff9bce", "d2a679"};
  const auto colours = [](const std::array<const char*, kSvgColours>& values) {
    std::string css;
    for (std::size_t k = 0; k < kSvgColours; ++k) {
      const std::string name = ".c" + std::to_string(k);
      css += name + "{stroke:#" + values[k] + "}" + name + " .m," + name +
             ".m{fill:#" + values[k] + "}";
    }
    return css;
  };
  const std::string w = svg_number(width);
  const std::string h = svg_number(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w +
         "\" height=\"" + h + "\" viewBox=\"0 0 " + w + ' ' + h +
         "\" font-family=\"sans-serif\" font-size=\"11\">\n<style>"
         ".b{fill:#fff}text{fill:#1f2328}.g{stroke:#d0d7de}.l{fill:none;"
         "stroke-width:1.5}.s{stroke-width:3}.hot{fill:#d1242f}.cold{fill:"
         "#1a7f37}" +
         colours(kLight) +
         "@media(prefers-color-scheme:dark){.b{fill:#0d1117}text{fill:#e6edf3}"
         ".g{stroke:#30363d}.hot{fill:#ff7b72}.cold{fill:#3fb950}" +
         colours(kDark) + "}</style>\n<rect class=\"b\" width=\"" + w +
         "\" height=\"" + h + "\"/>\n";
}

[[nodiscard]] inline std::string svg_text(double x, double y,
                                          const std::string& text,
                                          const std::string& attributes = "") {
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" " +
         attributes + ">" + svg_escape(text) + "</text>\n";
}

struct ChartAxis {
  std::string title{};
  bool logarithmic = false;
};

struct ChartLine {
  std::string name{};
  std::vector<std::pair<double, double>> points{};
  bool is_ours = false;  ///< drawn thick
  bool steps = false;    ///< a staircase
};

/// A chart of its own, or one panel of a picture.
class Chart {
 public:
  Chart(std::string title, ChartAxis x, ChartAxis y)
      : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

  void add(ChartLine line) { lines_.push_back(std::move(line)); }

  static constexpr double kWidth = 640;
  static constexpr double kHeight = 400;

  [[nodiscard]] std::string draw() const {
    return svg_begin(kWidth, kHeight) + panel() + "</svg>\n";
  }

 private:
  static constexpr double kLeft = 60;
  static constexpr double kRight = 470;  ///< the key stands right of it
  static constexpr double kTop = 34;
  static constexpr double kBottom = 350;

  struct Range {
    double low = 0;
    double high = 1;
  };

  [[nodiscard]] static double scaled(double value, const ChartAxis& axis) {
    return axis.logarithmic ? std::log10(value) : value;
  }

  [[nodiscard]] Range range(bool is_x) const {
    const ChartAxis& axis = is_x ? x_ : y_;
    Range result;
    bool any = false;
    for (const ChartLine& line : lines_)
      for (const auto& point : line.points) {
        const double value = scaled(is_x ? point.first : point.second, axis);
        result.low = any ? (std::min)(result.low, value) : value;
        result.high = any ? (std::max)(result.high, value) : value;
        any = true;
      }
    if (!any) return {0, 1};
    if (axis.logarithmic && result.high - result.low > 1) {
      result.low = std::floor(result.low);
      result.high = std::ceil(result.high);
    }
    const double least = axis.logarithmic ? 0.1 : 1e-6;
    if (result.high - result.low < least) result.high = result.low + least;
    return result;
  }

  [[nodiscard]] static double place(double value, const ChartAxis& axis,
                                    Range range, Range pixels) {
    return pixels.low + (scaled(value, axis) - range.low) /
                            (range.high - range.low) *
                            (pixels.high - pixels.low);
  }

  /// Round values within the range.
  [[nodiscard]] static std::vector<double> ticks(const ChartAxis& axis,
                                                 Range range) {
    std::vector<double> values;
    if (axis.logarithmic && range.high - range.low > 1) {
      for (double e = std::ceil(range.low); e <= range.high + 1e-9; e += 1)
        values.push_back(std::pow(10, e));
      return values;
    }
    const double low = axis.logarithmic ? std::pow(10, range.low) : range.low;
    const double high =
        axis.logarithmic ? std::pow(10, range.high) : range.high;
    double step = std::pow(10, std::floor(std::log10((high - low) / 4)));
    if ((high - low) / step > 16)
      step *= 5;
    else if ((high - low) / step > 8)
      step *= 2;
    for (double value = std::ceil(low / step) * step; value <= high + 1e-12;
         value += step)
      values.push_back(value);
    return values;
  }

  [[nodiscard]] static std::string tick_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", value);
    return text.data();
  }

  [[nodiscard]] std::string axes(Range x, Range y) const {
    std::string out = svg_text(kLeft, 18, title_, "font-size=\"13\"");
    for (const double value : ticks(x_, x)) {
      const double at = place(value, x_, x, {kLeft, kRight});
      out += "<path class=\"g\" d=\"M" + svg_number(at) + ' ' +
             svg_number(kTop) + 'V' + svg_number(kBottom) + "\"/>";
      out += svg_text(at, kBottom + 15, tick_text(value),
                      "text-anchor=\"middle\"");
    }
    for (const double value : ticks(y_, y)) {
      const double at = place(value, y_, y, {kBottom, kTop});
      out += "<path class=\"g\" d=\"M" + svg_number(kLeft) + ' ' +
             svg_number(at) + 'H' + svg_number(kRight) + "\"/>";
      out +=
          svg_text(kLeft - 6, at + 4, tick_text(value), "text-anchor=\"end\"");
    }
    out += svg_text((kLeft + kRight) / 2, kBottom + 34, x_.title,
                    "text-anchor=\"middle\"");
    out += svg_text(0, 0, y_.title,
                    "text-anchor=\"middle\" transform=\"translate(14," +
                        svg_number((kTop + kBottom) / 2) + ") rotate(-90)\"");
    return out;
  }

  /// Four shapes in turn.
  [[nodiscard]] static std::string marker(double x, double y, std::size_t k) {
    const std::string at = svg_number(x) + ' ' + svg_number(y);
    static constexpr std::array<const char*, 4> kShapes = {
        "m-3 -3h6v6h-6z", "m0 -4l4 7h-8z", "m0 -4l4 4l-4 4l-4 -4z",
        "m-4 -1.5h8v3h-8z"};
    return "<path class=\"m\" d=\"M" + at + kShapes[k % kShapes.size()] +
           "\"/>";
  }

  [[nodiscard]] std::string panel() const {
    static constexpr std::array<const char*, 3> kDashes = {
        "", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\""};
    const Range x = range(true);
    const Range y = range(false);
    std::string out = axes(x, y);
    const double gap = (std::min)(
        20.0, (kBottom - kTop) / static_cast<double>((std::max)(
                                     lines_.size(), std::size_t{1})));
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const ChartLine& line = lines_[k];
      out += "<g class=\"c" + std::to_string(k % kSvgColours) + "\">";
      std::string path;
      std::string markers;
      for (const auto& point : line.points) {
        const double at_x = place(point.first, x_, x, {kLeft, kRight});
        const double at_y = place(point.second, y_, y, {kBottom, kTop});
        if (path.empty())
          path = 'M' + svg_number(at_x) + ' ' + svg_number(at_y);
        else if (line.steps)
          path += 'H' + svg_number(at_x) + 'V' + svg_number(at_y);
        else
          path += 'L' + svg_number(at_x) + ' ' + svg_number(at_y);
        if (!line.steps) markers += marker(at_x, at_y, k);
      }
      const std::string style = std::string("class=\"l") +
                                (line.is_ours ? " s" : "") + '"' +
                                kDashes[k / kSvgColours % kDashes.size()];
      if (line.points.size() > 1)
        out += "<path " + style + " d=\"" + path + "\"/>";
      out += markers;
      const double key = kTop + 6 + gap * static_cast<double>(k);
      out += "<path " + style + " d=\"M" + svg_number(kRight + 12) + ' ' +
             svg_number(key) + "h18\"/>" + marker(kRight + 21, key, k) +
             "</g>" +
             svg_text(kRight + 36, key + 4, line.name, "font-size=\"10\"");
    }
    return out;
  }

  std::string title_;
  ChartAxis x_;
  ChartAxis y_;
  std::vector<ChartLine> lines_{};
};

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_SVG_CHART_HPP
