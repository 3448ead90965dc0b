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

/// Appends an integer; one that a double cannot hold as text.
template <class Integer>
void append_json_integer(std::string& out, Integer value) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const bool exact = std::int64_t{value} <= kExact && value >= -kExact;
  if (!exact) out += '"';
  append_integer(out, value);
  if (!exact) out += '"';
}

/// Appends whole numbers, as [1,2,3].
inline void append_json_numbers(std::string& out,
                                std::initializer_list<double> values) {
  out += '[';
  for (const double value : values) {
    if (out.back() != '[') out += ',';
    append_time<std::int64_t>(out, value);
  }
  out += ']';
}

/// Writes the elements of a JSON list, with commas between them.
class JsonList {
 public:
  JsonList(std::string& out, std::string_view opening, char end)
      : out_(out), end_(end) {
    out_ += opening;
  }
  ~JsonList() { out_ += end_; }
  JsonList(const JsonList&) = delete;
  JsonList& operator=(const JsonList&) = delete;

  /// To be called before each element.
  std::string& next() {
    if (!first_) out_ += ',';
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  char end_;
  bool first_ = true;
};

/// The buffers: ids, [lower, upper, size, offset, kind, family] of each, the
/// rectangles of those that have gaps, and who is drawn after whom.
template <class Size, class Time>
void append_json_buffers(std::string& out, const Problem<Size, Time>& problem,
                         const std::vector<Size>& offsets,
                         const std::vector<std::string>& ids) {
  const std::size_t count = picture_count(problem, offsets);
  const std::vector<std::size_t> kinds = kinds_of(problem);
  const Companions<Size, Time> companions(problem);
  const Ties ties = tie(problem);
  std::vector<bool> tied(problem.buffers.size(), false);
  for (std::size_t i = 0; i < ties.root.size(); ++i)
    if (ties.root[i] != i) tied[i] = tied[ties.root[i]] = true;
  {
    JsonList list(out, ",\n\"ids\":[", ']');
    for (std::size_t i = 0; i < count; ++i) {
      std::string name;
      append_name(name, ids, i);
      append_json_text(list.next(), name);
    }
  }
  {
    JsonList list(out, ",\n\"buffers\":[", ']');
    for (std::size_t i = 0; i < count; ++i) {
      const Buffer<Size, Time>& buffer = problem.buffers[i];
      list.next() += '[';
      append_json_integer(out, buffer.lifespan.lower);
      out += ',';
      append_json_integer(out, buffer.lifespan.upper);
      out += ',';
      append_json_integer(out, buffer.size);
      out += ',';
      append_json_integer(out, offsets[i]);
      out += ',';
      append_integer(out, kinds[i]);
      out += ',';
      if (tied[i])
        append_integer(out, ties.root[i]);
      else
        out += "-1";
      out += ']';
    }
  }
  {
    JsonList list(out, ",\n\"tiles\":{", '}');
    for (std::size_t i = 0; i < count; ++i) {
      if (problem.buffers[i].gaps.empty()) continue;
      list.next() += '"';
      append_integer(out, i);
      out += '"';
      JsonList tiles(out, ":[", ']');
      for_each_tile(problem.buffers[i], offsets[i], [&](const Tile& tile) {
        append_json_numbers(tiles.next(),
                            {tile.begin, tile.end, tile.bottom, tile.top});
      });
    }
  }
  if (companions.any()) {
    JsonList list(out, ",\n\"order\":[", ']');
    for (const std::size_t i : drawing_order(problem, count))
      append_integer(list.next(), i);
  }
  JsonList list(out, ",\n\"overlaps\":[", ']');
  for (const BufferPair& pair : problem.may_overlap)
    append_json_numbers(list.next(), {static_cast<double>(pair.first),
                                      static_cast<double>(pair.second)});
}

/// What the colours are, and the kinds.
inline void append_json_looks(std::string& out, ColourBy by) {
  {
    JsonList list(out, ",\n\"colours\":[", ']');
    const auto append = [&](const Colour& colour) {
      list.next() += "[\"";
      out += colour.light;
      out += "\",\"";
      out += colour.dark;
      out += "\"]";
    };
    for (const Colour& colour : kColours) append(colour);
    append(kGreyColour);
  }
  {
    JsonList list(out, ",\n\"kinds\":[", ']');
    for (const char* kind : kKinds) append_json_text(list.next(), kind);
  }
  out += ",\n\"by\":\"";
  out += by == ColourBy::kSize   ? "size"
         : by == ColourBy::kKind ? "kind"
                                 : "family";
  out += '"';
}

/// draw_html() of buffers that have this extent.
template <class Size, class Time>
[[nodiscard]] std::string draw_html_panel(
    const PlacedProblem<Size, Time>& placed,
    const PictureExtent<Size, Time>& extent, const HtmlOptions& options) {
  const auto& [problem, capacity, offsets, ids] = placed;
  const Size top = picture_top(extent.height, capacity);
  ColourBy by = options.colour_by;
  if (by == ColourBy::kAuto)
    by = has_ties(problem) ? ColourBy::kFamily : ColourBy::kSize;
  std::string out = kPageHead;
  append_xml(out, options.title);
  out += kPageBody;
  append_xml(out, options.title);
  out += kPageControls;
  out += "{\"caption\":";
  append_json_text(
      out, picture_caption(picture_count(problem, offsets), extent, capacity));
  const auto append = [&](const char* name, double value) {
    out += ",\"";
    out += name;
    out += "\":";
    append_time<std::int64_t>(out, value);
  };
  append("begin", extent.begin());
  append("end", extent.begin() + extent.span());
  append("top", static_cast<double>(top));
  append("capacity", static_cast<double>(capacity));
  append("height", static_cast<double>(extent.height));
  append("load", extent.load);
  append("peak", extent.peak);
  append_json_looks(out, by);
  append_json_buffers(out, problem, offsets, ids);
  {
    JsonList list(out, ",\n\"reserved\":[", ']');
    for_each_reserved(
        problem, extent, top,
        [&](const Tile& tile, const std::string& name, const Interval<Size>&) {
          append_json_numbers(list.next(),
                              {tile.begin, tile.end, tile.bottom, tile.top});
          out.back() = ',';
          append_json_text(out, name);
          out += ']';
        });
  }
  {
    JsonList list(out, ",\n\"curve\":[", ']');
    for (const LoadStep& step : extent.curve)
      append_json_numbers(list.next(), {step.time, step.bytes});
  }
  out += '}';
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
