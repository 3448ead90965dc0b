// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/pool_pictures.hpp"

#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/text.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pool_pictures_test {

namespace {

using namespace snug::testing;
using snug::draw_html;
using snug::draw_svg;

struct Divided {
  snug::Problem<> problem{};
  snug::Pools<> pools{};
  snug::AssignResult<> result{};
};

/// Three pools: two buffers, one of them in time [6, 8) alone, and none.
Divided divided() {
  Divided out;
  out.problem.buffers = {{{0, 4}, 10}, {{6, 8}, 20}, {{2, 8}, 6}};
  out.problem.base = 3;  // not that of a pool
  out.pools.pools.resize(3);
  out.pools.pools[0].capacity = 16;
  out.pools.pools[1].capacity = (std::numeric_limits<std::int64_t>::max)();
  out.pools.pools[1].base = 4;
  out.pools.pools[1].reserved = {{{30, 32}, {}}};
  out.pools.pools[2].capacity = 1;
  out.result.status = snug::Status::kOptimal;
  out.result.pools = {0, 1, 0};
  out.result.offsets = {0, 4, 10};
  return out;
}

/// The text between the n-th `begin`, from 0, and the next `end`.
std::string part_of(const std::string& text, std::string_view begin,
                    std::string_view end, std::size_t n) {
  std::size_t at = text.find(begin);
  for (; n > 0; --n) at = text.find(begin, at + 1);
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find(end, at) - at);
}

}  // namespace

TEST_CASE("pool_pictures: an SVG panel for each pool") {
  const Divided d = divided();
  snug::SvgOptions options;
  options.width = 800;
  options.height = 300;
  const std::string svg =
      draw_svg(d.problem, d.pools, d.result,
               {{"a", "b", "c"}, {"s<ram", "dram"}}, options);
  CAPTURE(svg);
  CHECK(count(svg, "<svg xmlns=") == 4);
  CHECK(count(svg, "</svg>") == 4);
  CHECK(svg.substr(0, svg.find('\n')) ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 900\" "
        "width=\"800\" height=\"900\">");
  CHECK(count(svg, "id=\"hatch\"") == 1);
  const auto panel = [&](std::size_t n) {
    return part_of(svg, "<svg ", "</svg>", n + 1);
  };
  CHECK(count(panel(0), " y=\"") > 0);
  CHECK(panel(0).find("viewBox=\"0 0 800 300\" width=\"800\"") !=
        std::string::npos);
  CHECK(panel(1).find("viewBox=\"0 0 800 300\" y=\"300\" width=\"800\"") !=
        std::string::npos);
  CHECK(count(panel(0), ">s&lt;ram</text>") == 1);
  CHECK(count(panel(0), "<title>a: 10 bytes") == 1);
  CHECK(count(panel(0), "<title>c: 6 bytes") == 1);
  CHECK(count(panel(0), "below the base") == 0);
  // All is in use but [4, 8) of the lower and [0, 2) of the upper buffer.
  CHECK(count(panel(0),
              ">2 buffers, height 16 B (59.4 % in use), load 16 B, "
              "capacity 16 B</text>") == 1);
  CHECK(count(panel(1), ">dram</text>") == 1);
  CHECK(count(panel(1), "<title>b: 20 bytes") == 1);
  CHECK(count(panel(1), "<title>below the base: [0, 4)") == 1);
  // What is above the top of the picture is not seen.
  CHECK(count(panel(1), "[30, 32)") == 0);
  // A quarter of the time, and 20 of 24 bytes.
  CHECK(count(panel(1),
              ">1 buffer, height 24 B (20.8 % in use), load 20 B, "
              "capacity unlimited</text>") == 1);
  // A pool without a name, and without a buffer.
  CHECK(count(panel(2), ">2</text>") > 0);
  CHECK(count(panel(2), ">0 buffers, height 0 B") == 1);
  // Time is the same in all of them.
  const std::string end = "class=\"m\">8</text>";
  for (std::size_t n = 0; n < 3; ++n) CHECK(count(panel(n), end) == 1);
  CHECK(panel(0).substr(panel(0).find(end) - 30, 30) ==
        panel(1).substr(panel(1).find(end) - 30, 30));
}

TEST_CASE("pool_pictures: a frame for each pool in a page") {
  const Divided d = divided();
  const std::string page =
      draw_html(d.problem, d.pools, d.result, {{"a\"&", "b"}, {"s<\"ram"}},
                {"net <1>", snug::ColourBy::kAuto});
  CHECK(count(page, "<title>net &lt;1&gt;</title>") == 1);
  CHECK(count(page, "<iframe ") == 3);
  CHECK(count(page,
              "<iframe title=\"s&lt;&quot;ram\" srcdoc=\"<!DOCTYPE html>") ==
        1);
  CHECK(page.substr(page.size() - 8) == "</html>\n");
  const std::string first = part_of(page, "srcdoc=\"", "\"></iframe>", 0);
  CHECK(count(first, "\"") == 1);  // the opening one alone
  CHECK(count(first,
              "&quot;ids&quot;:[&quot;a\\&quot;&amp;&quot;,&quot;2&quot;]") ==
        1);
  CHECK(count(first, "&quot;begin&quot;:0,&quot;end&quot;:8") == 1);
  const std::string second = part_of(page, "srcdoc=\"", "\"></iframe>", 1);
  CHECK(count(second, "&quot;buffers&quot;:[[6,8,20,4,0,-1]]") == 1);
  CHECK(count(second, "&quot;begin&quot;:0,&quot;end&quot;:8") == 1);
}

TEST_CASE("pool_pictures: without pools or buffers") {
  const snug::Problem<> none;
  CHECK(count(draw_svg(none, snug::Pools<>{}, snug::AssignResult<>{}),
              "<svg ") == 1);
  CHECK(count(draw_html(none, snug::Pools<>{}, snug::AssignResult<>{}),
              "<iframe") == 0);
}

}  // namespace pool_pictures_test
