// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pictures of several memories: the panel of each pool is what svg.hpp or
/// html.hpp draws of one memory, with the pool's name as its title. They stand
/// under each other, and time is the same in all of them.
///
///     +------+  sram       A page has a frame a pool, each to be zoomed and
///     +------+             searched by itself.
///     +------+  dram
///     +------+
///
/// Cost: that of one picture for each pool.
#ifndef SNUG_IO_POOL_PICTURES_HPP
#define SNUG_IO_POOL_PICTURES_HPP

#include "snug/config.hpp"
#include "snug/io/html.hpp"
#include "snug/io/picture.hpp"
#include "snug/io/svg.hpp"
#include "snug/io/svg_canvas.hpp"
#include "snug/io/text.hpp"
#include "snug/io/xml.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/pool_part.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What pictures of several memories are called by.
struct PoolPictureNames {
  std::vector<std::string> ids{};    ///< of the buffers; none, or one each
  std::vector<std::string> pools{};  ///< none, or one each
};

namespace detail {

/// Appends a page as the value of an attribute, in quotes.
inline void append_page(std::string& out, const std::string& page) {
  out += '"';
  for (const char c : page)
    if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  out += '"';
}

/// Calls draw(name, placed, extent) for each pool with its name, its buffers,
/// and their extent over the time of all buffers.
template <class Size, class Time, class Draw>
void for_each_pool(const Problem<Size, Time>& problem,
                   const Pools<Size, Time>& pools,
                   const AssignResult<Size>& result,
                   const PoolPictureNames& names, Draw draw) {
  const Interval<Time> time =
      lifespan_of(problem, picture_count(problem, result.offsets));
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const PoolPart<Size, Time> part = pool_part(problem, pools, result, p);
    std::vector<std::string> ids;
    for (const std::size_t b : part.buffers)
      ids.push_back(name_of(names.ids, b));
    PictureExtent<Size, Time> extent =
        picture_extent(part.problem, part.offsets);
    const double span = extent.span();
    extent.lifespan = time;
    extent.used *= span / extent.span();
    draw(name_of(names.pools, p),
         PlacedProblem<Size, Time>{part.problem, pools.pools[p].capacity,
                                   part.offsets, ids},
         extent);
  }
}

}  // namespace detail

/// Draws what assign() has found for `problem` and `pools`, all of it valid.
/// Returns a whole SVG document, options.height high for each pool. The title of
/// the options is not drawn.
template <class Size, class Time>
[[nodiscard]] std::string draw_svg(const Problem<Size, Time>& problem,
                                   const Pools<Size, Time>& pools,
                                   const AssignResult<Size>& result,
                                   const PoolPictureNames& names = {},
                                   SvgOptions options = {}) {
  const detail::SvgCanvas sheet(options, 0, 1, 1);
  std::string panels;
  double y = 0;
  detail::for_each_pool(
      problem, pools, result, names,
      [&](const std::string& name, const auto& placed, const auto& extent) {
        options.title = name;
        panels += detail::draw_svg_panel(placed, extent, options, y);
        y += sheet.height();
      });
  std::string out;
  detail::open_svg(out, sheet.width(), y);
  return out + panels + "</svg>\n";
}

/// The same as a page, of which options.title is the title.
template <class Size, class Time>
[[nodiscard]] std::string draw_html(const Problem<Size, Time>& problem,
                                    const Pools<Size, Time>& pools,
                                    const AssignResult<Size>& result,
                                    const PoolPictureNames& names = {},
                                    const HtmlOptions& options = {}) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
      ":root { color-scheme: light dark }\nbody { margin: 0 }\n"
      "iframe { display: block; width: 100%; height: 86vh; border: 0;"
      " border-bottom: 2px solid #8885 }\n</style>\n<title>";
  detail::append_xml(out, options.title);
  out += "</title>\n</head>\n<body>\n";
  detail::for_each_pool(
      problem, pools, result, names,
      [&](const std::string& name, const auto& placed, const auto& extent) {
        out += "<iframe title=\"";
        detail::append_xml(out, name);
        out += "\" srcdoc=";
        detail::append_page(
            out,
            detail::draw_html_panel(placed, extent, {name, options.colour_by}));
        out += "></iframe>\n";
      });
  return out + "</body>\n</html>\n";
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_POOL_PICTURES_HPP
