// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/svg.hpp"

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace svg_test {

namespace {

using namespace snug::testing;
using snug::draw_svg;
using snug::Problem;

/// Whether every tag is closed, in order, and every attribute quoted.
bool is_well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos;
       at = text.find('<', at)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.find('<') != std::string::npos) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

/// All the values of an attribute, in order.
std::vector<double> values_of(const std::string& text,
                              const std::string& attribute) {
  std::vector<double> values;
  const std::string start = " " + attribute + "=\"";
  for (std::size_t at = text.find(start); at != std::string::npos;
       at = text.find(start, at + 1))
    if (text.compare(at + start.size(), 4, "100%") != 0)
      values.push_back(std::stod(text.substr(at + start.size())));
  return values;
}

std::string xml(std::string_view text) {
  std::string out;
  snug::detail::append_xml(out, text);
  return out;
}

std::string attribute(double value) {
  std::string out;
  snug::detail::append_attribute(out, "x", value);
  return out;
}

}  // namespace

TEST_CASE("svg: draws a rectangle a buffer, with its tooltip") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}, {{4, 8}, 20}};
  const std::string text = draw_svg(problem, 20, {5, 0}, {"abc", "b"});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "<title>") == 2);
  CHECK(count(text,
              "<title>abc: 10 bytes (10 B), lifespan [0, 4), offset 5<"
              "/title>") == 1);
  CHECK(count(text, ">b</text>") == 1);
  // The frame is 760 by 368 units with its lower left corner at (76, 416).
  CHECK(count(text,
              "<rect class=\"b\" x=\"76\" y=\"140\" width=\"380\" "
              "height=\"184\"/>") == 1);
  CHECK(count(text,
              "<rect class=\"b\" x=\"456\" y=\"48\" width=\"380\" "
              "height=\"368\"/>") == 1);
  CHECK(count(text,
              "2 buffers, height 20 B (75.0 % in use), load 20 B, "
              "capacity 20 B</text>") == 1);
}

TEST_CASE("svg: scales, and knows light and dark") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}};
  const std::string text = draw_svg(problem, 20, {5}, {}, {500, 400});
  CHECK(count(text, "viewBox=\"0 0 500 400\" width=\"500\" height=\"400\"") ==
        1);
  CHECK(count(text, "@media(prefers-color-scheme:dark)") == 1);
  CHECK(count(text, "://") == 1);  // the name space, and nothing to load
}

TEST_CASE("svg: axes, limits, peak, load and title") {
  Problem<> problem;
  problem.buffers = {{{100, 300}, 1 << 20}, {{200, 600}, 1 << 19}};
  snug::SvgOptions options;
  options.title = "a <title>";
  const std::string text =
      draw_svg(problem, 2 << 20, {0, 1 << 20}, {}, options);
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "class=\"title\">a &lt;title&gt;</text>") == 1);
  for (const char* mark : {">0 B<", ">512 KiB<", ">1 MiB<", ">1.5 MiB<",
                           ">2 MiB<", ">100<", ">200<", ">600<"})
    CHECK(count(text, mark) == 1);
  CHECK(count(text, ">capacity 2 MiB<") == 1);
  CHECK(count(text, ">height 1.5 MiB<") == 1);
  CHECK(count(text, ">load 1.5 MiB<") == 1);
  CHECK(count(text, ">peak at 200<") == 1);
  // A byte is 368 / 2^21 of a unit, and in the strip 54 / 2^21; a time step is
  // 760 / 500.
  CHECK(count(text, "class=\"capacity\" d=\"M76 48L840 48\"") == 1);
  CHECK(count(text, "class=\"height\" d=\"M76 140L840 140\"") == 1);
  CHECK(count(text, "class=\"peak\" d=\"M228 48L228 496\"") == 1);
  CHECK(count(text,
              "class=\"curve\" d=\"M76 496V469H228V455.5H380V482.5H836"
              "V496Z\"") == 1);
}

TEST_CASE("svg: outlines only what they leave something of") {
  Problem<> problem;
  problem.buffers = {{{0, 1000}, 500}, {{0, 1000}, 1}, {{0, 1}, 100}};
  const std::string text = draw_svg(problem, 1000, {0, 600, 700});
  CHECK(count(text, "<rect class=\"b\"") == 1);
  CHECK(count(text, "<title>") == 3);
}

TEST_CASE("svg: a crowd of thin buffers is one path a colour") {
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < 20000; ++k) {
    problem.buffers.push_back({{k, k + 1}, k % 2 == 0 ? 1 : 100});
    offsets.push_back(0);
  }
  problem.buffers.push_back({{0, 20000}, 50});
  offsets.push_back(100);
  const std::string text = draw_svg(problem, 150, offsets);
  CHECK(is_well_formed(text));
  CHECK(count(text, "<title>") == 1);
  CHECK(count(text, "<path class=\"c") == 8);  // with curve and capacity
  CHECK(count(text, "Z") == 20001);            // and the curve
}

TEST_CASE("svg: draws gaps and windows") {
  Problem<> problem;
  problem.buffers = {{{0, 8}, 10}};
  problem.buffers[0].gaps = {{{4, 6}, snug::Interval<std::int64_t>{2, 5}},
                             {{0, 2}, {}}};
  const std::string text = draw_svg(problem, 10, {0});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  // Time step: 95 units; byte: 36.8 units.
  CHECK(count(text, "x=\"266\" y=\"48\" width=\"190\" height=\"368\"/>") == 1);
  CHECK(count(text, "x=\"456\" y=\"232\" width=\"190\" height=\"110.4\"/>") ==
        1);
  CHECK(count(text, "x=\"646\" y=\"48\" width=\"190\" height=\"368\"/>") == 1);
  CHECK(count(text, "class=\"outline\"") == 1);
  CHECK(count(text, "<rect class=\"b\"") == 3);
  CHECK(count(text, "<title>0: 10 bytes") == 1);
}

TEST_CASE("svg: draws what is reserved, behind the buffers") {
  Problem<> problem;
  problem.buffers = {{{0, 8}, 4}};
  problem.base = 2;
  problem.reserved = {{{6, 99}, snug::Interval<std::int64_t>{4, 90}},
                      {{10, 20}, {}}};
  const std::string text = draw_svg(problem, 10, {2});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "<rect class=\"reserved\"") == 2);
  CHECK(count(text,
              "x=\"76\" y=\"342.4\" width=\"760\" height=\"73.6\"><title>"
              "below the base: [0, 2)</title>") == 1);
  CHECK(count(text,
              "x=\"456\" y=\"48\" width=\"380\" height=\"147.2\"><title>"
              "reserved: [6, 99)</title>") == 1);
  CHECK(text.find("reserved: ") < text.find("0: 4 bytes"));
  CHECK(count(text, "class=\"shared\"") == 0);
}

TEST_CASE("svg: of what shares bytes the smaller is above, with all names") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 5}, {{0, 8}, 10}};
  const std::vector<std::string> ids = {"small", "large"};
  CHECK(count(draw_svg(problem, 10, {0, 0}), "class=\"shared\"") == 0);
  SECTION("aliases") {
    problem.aliases = {{0, 1, 0}};
  }
  SECTION("contiguous groups") {
    problem.contiguous = {{1}};
  }
  SECTION("pairs that may overlap") {
    problem.may_overlap = {{0, 1}};
  }
  const std::string text = draw_svg(problem, 10, {0, 0}, ids);
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "class=\"shared\"") == 1);
  CHECK(text.find("large: 10 bytes") < text.find("small: 5 bytes"));
  // Names come behind all rectangles.
  CHECK(text.rfind("<rect class=\"b\"") < text.find(">large</text>"));
  CHECK(count(text, ">large</text>") == 1);
  CHECK(count(text, ">small</text>") == 1);
  CHECK(count(text, "height 10 B (100.0 % in use), load 10 B,") == 1);
}

TEST_CASE("svg: buffers in one place have a line each") {
  Problem<> problem;
  std::vector<std::string> ids;
  for (std::size_t k = 0; k < 9; ++k) {
    problem.buffers.push_back({{0, 8}, 10});
    if (k > 0) problem.aliases.push_back({k, 0, 0});
    ids.push_back("view" + std::to_string(k));
  }
  const std::string text =
      draw_svg(problem, 10, std::vector<std::int64_t>(9, 0), ids);
  for (const std::string& id : ids) CHECK(count(text, ">" + id + "<") == 1);
  std::set<double> lines;
  for (const double y : values_of(text.substr(text.find(">view") - 60), "y"))
    lines.insert(y);
  CHECK(lines.size() >= 9);
}

TEST_CASE("svg: colours and their legend") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 4096}, {{0, 4}, 100}, {{4, 8}, 5}};
  problem.buffers[2].offset = 0;
  problem.aliases = {{1, 0, 0}};
  const auto draw = [&](snug::ColourBy by) {
    snug::SvgOptions options;
    options.colour_by = by;
    return draw_svg(problem, 4096, {0, 0, 0}, {"a", "b", "c"}, options);
  };
  const std::string size = draw(snug::ColourBy::kSize);
  CHECK(count(size, ">to 4 KiB<") == 1);
  CHECK(count(size, ">to 256 B<") == 1);
  CHECK(count(size, ">to 16 B<") == 1);
  const std::string kind = draw(snug::ColourBy::kKind);
  CHECK(count(kind, ">tied<") == 1);
  CHECK(count(kind, ">fixed<") == 1);
  CHECK(count(kind, ">free<") == 0);
  const std::string family = draw(snug::ColourBy::kFamily);
  CHECK(count(family, ">a and 1<") == 1);
  CHECK(count(family, ">no family<") == 1);
  CHECK(draw(snug::ColourBy::kAuto) == family);
  problem.aliases.clear();
  CHECK(draw(snug::ColourBy::kAuto) == draw(snug::ColourBy::kSize));
}

TEST_CASE("svg: a legend too long says how much is missing") {
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  for (std::size_t k = 0; k < 80; ++k) {
    problem.buffers.push_back({{0, 8}, 1});
    offsets.push_back(static_cast<std::int64_t>(k / 2));
    if (k % 2 == 1) problem.aliases.push_back({k, k - 1, 0});
  }
  const std::string text = draw_svg(problem, 40, offsets);
  CHECK(is_well_formed(text));
  CHECK(count(text, " more</text>") == 1);
}

TEST_CASE("svg: escapes ids") {
  CHECK(xml("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c'");
  CHECK(xml(std::string_view("\0\n\x1F\x7F", 4)) == "????");
  CHECK(xml("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(xml("\xC3") == "?");                 // cut short
  CHECK(xml("\xE2\x82") == "??");            // cut short
  CHECK(xml("\x80") == "?");                 // continuation alone
  CHECK(xml("\xC0\xAF") == "??");            // overlong
  CHECK(xml("\xE0\x80\xAF") == "???");       // overlong
  CHECK(xml("\xF0\x80\x80\xAF") == "????");  // overlong
  CHECK(xml("\xED\xA0\x80") == "???");       // surrogate
  CHECK(xml("\xF4\x90\x80\x80") == "????");  // beyond Unicode
  CHECK(xml("\xC3(") == "?(");

  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}};
  const std::string text = draw_svg(problem, 10, {0}, {"</g><x y=\""});
  CHECK(is_well_formed(text));
  CHECK(count(text, "<x") == 0);
  CHECK(count(text, "&lt;/g&gt;&lt;x y=&quot;") == 2);
}

TEST_CASE("svg: rounds coordinates to hundredths") {
  CHECK(attribute(0) == " x=\"0\"");
  CHECK(attribute(12.5) == " x=\"12.5\"");
  CHECK(attribute(1.0 / 3) == " x=\"0.33\"");
  CHECK(attribute(2.0 / 3) == " x=\"0.67\"");
  CHECK(attribute(0.05) == " x=\"0.05\"");
  CHECK(attribute(99.999) == " x=\"100\"");
  CHECK(attribute(-0.25) == " x=\"-0.25\"");
  CHECK(attribute(-7) == " x=\"-7\"");
}

TEST_CASE("svg: everything lies inside the picture") {
  using Limits = std::numeric_limits<std::int64_t>;
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  std::int64_t capacity = 0;
  SECTION("no buffers") {}
  SECTION("no bytes") {
    problem.buffers = {{{0, 5}, 0}};
    offsets = {0};
  }
  SECTION("all of time, and as many bytes as check() allows") {
    const std::int64_t size = (std::int64_t{1} << 61) - 1;
    problem.buffers = {{{(Limits::min)(), (Limits::max)()}, size}};
    offsets = {size};
    capacity = (Limits::max)();
  }
  SECTION("a thousand buffers") {
    for (std::int64_t k = 0; k < 1000; ++k) {
      problem.buffers.push_back({{k - 500, k - 495}, 3});
      offsets.push_back(k % 5 * 3);
    }
    capacity = 1000;
  }
  const std::string text = draw_svg(problem, capacity, offsets, {}, {400, 300});
  CHECK(is_well_formed(text));
  CHECK(text.find("nan") == std::string::npos);
  for (const double x : values_of(text, "x")) CHECK((x >= 0 && x <= 400));
  for (const double y : values_of(text, "y")) CHECK((y >= 0 && y <= 300));
  for (const double w : values_of(text, "width")) CHECK((w >= 0 && w <= 400));
  for (const double h : values_of(text, "height")) CHECK((h >= 0 && h <= 300));
  CHECK(count(text, "<g class=\"c") == problem.buffers.size());
}

TEST_CASE("svg: a capacity far away is not drawn") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}};
  const std::string near = draw_svg(problem, 20, {0});
  const std::string far = draw_svg(problem, 30, {0});
  CHECK(count(near, "height=\"184\"/>") == 1);
  CHECK(count(near, "not drawn") == 0);
  CHECK(count(near, "class=\"capacity\"") == 1);
  CHECK(count(far, "height=\"368\"/>") == 2);  // the buffer, and the frame
  CHECK(count(far, "capacity 30 B (not drawn)") == 1);
  CHECK(count(far, "class=\"capacity\"") == 0);
}

TEST_CASE("svg: draws problems of narrow types") {
  Problem<std::int32_t, std::int16_t> problem;
  problem.buffers.resize(1);
  problem.buffers[0].lifespan = {-32768, 32767};
  problem.buffers[0].size = 2147483647;
  const std::string text =
      draw_svg(problem, 2147483647, std::vector<std::int32_t>{0});
  CHECK(is_well_formed(text));
  CHECK(count(text, "lifespan [-32768, 32767), offset 0<") == 1);
}

}  // namespace svg_test
