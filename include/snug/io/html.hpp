// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement as a page that stands by itself: the picture of svg.hpp, to be
/// zoomed, searched and pointed at in a browser, up to tens of thousands of
/// buffers. It needs no network and no other file, and follows the reader's
/// choice of light or dark.
///
///     fixed text (html_page.hpp, html_*_script.hpp)
///     data: ids, buffers, what differs from a plain problem, load over time
///
/// Ids are data, never markup: `<` does not occur in the data, and the script
/// shows them as text only.
///
/// Cost: O(n log n).
#ifndef SNUG_IO_HTML_HPP
#define SNUG_IO_HTML_HPP

#include "snug/config.hpp"
#include "snug/io/colours.hpp"
#include "snug/io/companions.hpp"
#include "snug/io/html_draw_script.hpp"
#include "snug/io/html_model_script.hpp"
#include "snug/io/html_page.hpp"
#include "snug/io/html_use_script.hpp"
#include "snug/io/json_writer.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/text.hpp"
#include "snug/io/utf8.hpp"
#include "snug/io/xml.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

struct HtmlOptions {
  std::string title = "Placement";
  ColourBy colour_by = ColourBy::kAuto;  ///< at first; the page has a choice
};

namespace detail {

/// Appends a string of JSON that may stand inside a script element.
inline void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::string_view letter = take_printable(text);
    const char first = letter.front();
    if (first == '<')
      out += "\\u003c";
    else if (first == '"' || first == '\\')
      (out += '\\') += letter;
    else
      out += letter;
  }
  out += '"';
}

/// Writes the data of a page.
class PageWriter : public JsonWriter {
 public:
  void page_text(std::string_view text) {
    std::string written;
    append_json_text(written, text);
    word(written);
  }
  /// An integer; one that a double cannot hold as text.
  template <class Integer>
  void integer(Integer value) {
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    if (std::int64_t{value} <= kExact && value >= -kExact) return number(value);
    text(std::to_string(value));
  }
  /// A whole number.
  void whole(double value) { word(time_text<std::int64_t>(value)); }
  void wholes(std::initializer_list<double> values) {
    open('[');
    for (const double value : values) whole(value);
    close(']');
  }
  /// Begins a line with a list, or an object.
  void begin(const char* name, char bracket = '[') {
    line();
    key(name);
    open(bracket);
  }
};

/// The buffers: ids, and [lower, upper, size, offset, kind, family] of each.
template <class Size, class Time>
void write_page_buffers(PageWriter& out, const Problem<Size, Time>& problem,
                        const std::vector<Size>& offsets,
                        const std::vector<std::string>& ids) {
  const std::size_t count = picture_count(problem, offsets);
  const std::vector<std::size_t> kinds = kinds_of(problem);
  const Ties ties = tie(problem);
  std::vector<bool> tied(problem.buffers.size(), false);
  for (std::size_t i = 0; i < ties.root.size(); ++i)
    if (ties.root[i] != i) tied[i] = tied[ties.root[i]] = true;
  out.begin("ids");
  for (std::size_t i = 0; i < count; ++i) out.page_text(name_of(ids, i));
  out.close(']');
  out.begin("buffers");
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    out.open('[');
    out.integer(buffer.lifespan.lower);
    out.integer(buffer.lifespan.upper);
    out.integer(buffer.size);
    out.integer(offsets[i]);
    out.number(kinds[i]);
    out.number(tied[i] ? std::int64_t{ties.root[i]} : -1);
    out.close(']');
  }
  out.close(']');
}

/// The rectangles of buffers that have gaps, and who is drawn after whom.
template <class Size, class Time>
void write_page_tiles(PageWriter& out, const Problem<Size, Time>& problem,
                      const std::vector<Size>& offsets) {
  const std::size_t count = picture_count(problem, offsets);
  out.begin("tiles", '{');
  for (std::size_t i = 0; i < count; ++i) {
    if (problem.buffers[i].gaps.empty()) continue;
    out.key(std::to_string(i).c_str());
    out.open('[');
    for_each_tile(problem.buffers[i], offsets[i], [&](const Tile& tile) {
      out.wholes({tile.begin, tile.end, tile.bottom, tile.top});
    });
    out.close(']');
  }
  out.close('}');
  if (Companions<Size, Time>(problem).any()) {
    out.line();
    out.numbers("order", drawing_order(problem, count));
  }
  out.begin("overlaps");
  for (const BufferPair& pair : problem.may_overlap)
    out.pair({}, pair.first, pair.second);
  out.close(']');
}

/// What the colours are, and the kinds.
inline void write_page_looks(PageWriter& out, ColourBy by) {
  const auto append = [&](const Colour& colour) {
    out.open('[');
    out.text(colour.light);
    out.text(colour.dark);
    out.close(']');
  };
  out.begin("colours");
  for (const Colour& colour : kColours) append(colour);
  append(kGreyColour);
  out.close(']');
  out.begin("kinds");
  for (const char* kind : kKinds) out.text(kind);
  out.close(']');
  out.line();
  out.text_field("by", word_of(by));
}

/// draw_html() of buffers that have this extent.
template <class Size, class Time>
[[nodiscard]] std::string draw_html_panel(
    const PlacedProblem<Size, Time>& placed,
    const PictureExtent<Size, Time>& extent, const HtmlOptions& options) {
  const auto& [problem, capacity, offsets, ids] = placed;
  const Size top = picture_top(extent.height, capacity);
  std::string out = kPageHead;
  append_xml(out, options.title);
  out += kPageBody;
  append_xml(out, options.title);
  out += kPageControls;
  PageWriter data;
  data.open('{');
  data.key("caption");
  data.page_text(picture_caption(placed, extent));
  const auto write = [&](const char* name, double value) {
    data.key(name);
    data.whole(value);
  };
  write("begin", extent.begin());
  write("end", extent.begin() + extent.span());
  write("top", static_cast<double>(top));
  write("capacity", static_cast<double>(capacity));
  write("height", static_cast<double>(extent.height));
  write("load", extent.load);
  write("peak", extent.peak);
  write_page_looks(data, resolve(options.colour_by, problem));
  write_page_buffers(data, problem, offsets, ids);
  write_page_tiles(data, problem, offsets);
  data.begin("reserved");
  for_each_reserved(
      problem, extent, top,
      [&](const Tile& tile, const std::string& name, const Interval<Size>&) {
        data.open('[');
        for (const double at : {tile.begin, tile.end, tile.bottom, tile.top})
          data.whole(at);
        data.page_text(name);
        data.close(']');
      });
  data.close(']');
  data.begin("curve");
  for (const LoadStep& step : extent.curve)
    data.wholes({step.time, step.bytes});
  data.close(']');
  data.close('}');
  out += data.take();
  out += kPageModelScript;
  out += kPageDrawScript;
  out += kPageUseScript;
  return out;
}

}  // namespace detail

/// Draws the placement `offsets` of `problem`, both valid (see validate()),
/// with `ids` (none, or one a buffer) as names. Returns a whole page.
template <class Size, class Time>
[[nodiscard]] std::string draw_html(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Size>& offsets, const std::vector<std::string>& ids = {},
    const HtmlOptions& options = {}) {
  return detail::draw_html_panel<Size, Time>(
      {problem, capacity, offsets, ids},
      detail::picture_extent(problem, offsets), options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_HTML_HPP
