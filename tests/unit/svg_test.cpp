// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/svg.hpp"

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using snug::draw_svg;
using snug::Problem;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

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
  const std::string text = draw_svg(problem, 20, {5, 0}, {"a", "b"});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "<title>") == 2);
  CHECK(count(text, "<title>a: size 10, lifespan [0, 4), offset 5</title>") ==
        1);
  CHECK(count(text, ">b</text>") == 1);
  // The frame is 928 by 476 units with its lower left corner at (16, 492).
  CHECK(count(text,
              "<rect x=\"16\" y=\"135\" width=\"464\" "
              "height=\"238\"/>") == 1);
  CHECK(count(text,
              "<rect x=\"480\" y=\"16\" width=\"464\" "
              "height=\"476\"/>") == 1);
  CHECK(count(text,
              "2 buffers, height 20 (75.0 % in use), load 20, "
              "capacity 20</text>") == 1);
}

TEST_CASE("svg: draws gaps and windows") {
  Problem<> problem;
  problem.buffers = {{{0, 8}, 10}};
  problem.buffers[0].gaps = {{{4, 6}, snug::Interval<std::int64_t>{2, 5}},
                             {{0, 2}, {}}};
  const std::string text = draw_svg(problem, 10, {0});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  // Time step: 116 units; byte: 47.6 units.
  CHECK(count(text,
              "<rect x=\"248\" y=\"16\" width=\"232\" "
              "height=\"476\"/>") == 1);
  CHECK(count(text,
              "<rect x=\"480\" y=\"254\" width=\"232\" "
              "height=\"142.8\"/>") == 1);
  CHECK(count(text,
              "<rect x=\"712\" y=\"16\" width=\"232\" "
              "height=\"476\"/>") == 1);
  CHECK(count(text, "class=\"outline\"") == 1);
  CHECK(count(text, "<rect") == 6);  // and paper and frame
  CHECK(count(text, "<title>0: size 10") == 1);
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
  // Time step: 116 units; byte: 47.6 units.
  CHECK(count(text, "<g class=\"reserved\">") == 2);
  CHECK(count(text,
              "<title>below the base: [0, 2)</title>\n<rect x=\"16\" "
              "y=\"396.8\" width=\"928\" height=\"95.2\"/>") == 1);
  CHECK(count(text,
              "<title>reserved: [6, 99)</title>\n<rect x=\"480\" "
              "y=\"16\" width=\"464\" height=\"190.4\"/>") == 1);
  CHECK(text.find("reserved: ") < text.find("0: size 4"));
  CHECK(count(text, "class=\"shared\"") == 0);
}

TEST_CASE("svg: what shares bytes shines through, the smaller above") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 5}, {{0, 8}, 10}};
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
  const std::string text = draw_svg(problem, 10, {0, 0});
  CAPTURE(text);
  CHECK(is_well_formed(text));
  CHECK(count(text, "class=\"shared\"") == 1);
  CHECK(text.find("1: size 10") < text.find("0: size 5"));
  CHECK(count(text, "height 10 (100.0 % in use), load 10,") == 1);
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

TEST_CASE("svg: colours depend on the index alone and differ") {
  std::set<std::string> colours;
  for (std::size_t index = 0; index < 100; ++index) {
    std::string colour;
    snug::detail::append_fill(colour, index);
    REQUIRE(colour.size() == 15);
    CHECK(colour.substr(0, 8) == " fill=\"#");
    CHECK(colour.find_first_not_of("0123456789abcdef", 8) == 14);
    colours.insert(colour);
  }
  CHECK(colours.size() == 100);
  std::string again;
  snug::detail::append_fill(again, 360 + 7);
  CHECK(colours.count(again) == 1);
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
  CHECK(values_of(text, "width").size() == problem.buffers.size() + 2);
}

TEST_CASE("svg: a capacity far away is not drawn") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}};
  const std::string near = draw_svg(problem, 20, {0});
  const std::string far = draw_svg(problem, 30, {0});
  CHECK(count(near, "height=\"238\"/>") == 1);
  CHECK(count(near, "not drawn") == 0);
  CHECK(count(far, "height=\"476\"/>") == 1);
  CHECK(count(far, "capacity 30 (not drawn)") == 1);
}

TEST_CASE("svg: draws problems of narrow types") {
  Problem<std::int32_t, std::int16_t> problem;
  problem.buffers.resize(1);
  problem.buffers[0].lifespan = {-32768, 32767};
  problem.buffers[0].size = 2147483647;
  const std::string text =
      draw_svg(problem, 2147483647, std::vector<std::int32_t>{0});
  CHECK(is_well_formed(text));
  CHECK(count(text, "lifespan [-32768, 32767), offset 0") == 1);
}
