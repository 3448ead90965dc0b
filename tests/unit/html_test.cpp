// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/html.hpp"

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace html_test {

namespace {

using namespace snug::testing;
using snug::draw_html;
using snug::Problem;

/// The data of a page.
std::string data_of(const std::string& page) {
  const std::string open = "<script id=\"data\" type=\"application/json\">";
  const std::size_t begin = page.find(open);
  REQUIRE(begin != std::string::npos);
  const std::size_t from = begin + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

/// Whether brackets and quotes of JSON are balanced.
bool is_balanced(const std::string& json) {
  std::string open;
  bool quoted = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++k;
    if (quoted) continue;
    if (c == '[' || c == '{') open += c == '[' ? ']' : '}';
    if (c == ']' || c == '}') {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
    }
  }
  return open.empty() && !quoted;
}

std::string json(std::string_view text) {
  std::string out;
  snug::detail::append_json_text(out, text);
  return out;
}

}  // namespace

TEST_CASE("html: holds what the script needs, and loads nothing") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}, {{4, 8}, 20}};
  const std::string page =
      draw_html(problem, 30, {5, 0}, {"a", "b"}, {"net <1>"});
  const std::string data = data_of(page);
  CAPTURE(data);
  CHECK(is_balanced(data));
  CHECK(count(data, "\"ids\":[\"a\",\"b\"]") == 1);
  CHECK(count(data, "\"buffers\":[[0,4,10,5,0,-1],[4,8,20,0,0,-1]]") == 1);
  CHECK(count(data,
              "\"begin\":0,\"end\":8,\"top\":30,\"capacity\":30,"
              "\"height\":20,\"load\":20,\"peak\":4") == 1);
  CHECK(count(data, "\"curve\":[[0,10],[4,20],[8,0]]") == 1);
  CHECK(count(data, "\"by\":\"size\"") == 1);
  CHECK(count(data, "\"order\"") == 0);
  CHECK(count(page, "<title>net &lt;1&gt;</title>") == 1);
  CHECK(count(page, "<h1>net &lt;1&gt;</h1>") == 1);
  CHECK(count(page, "://") == 0);
  CHECK(count(page, " src=") + count(page, " href=") == 0);
  CHECK(count(page, "default-src 'none'") == 1);
  CHECK(page.substr(page.size() - 8) == "</html>\n");
}

TEST_CASE("html: holds constraints") {
  Problem<> problem;
  problem.buffers = {{{0, 8}, 10}, {{0, 8}, 4}, {{2, 4}, 3}};
  problem.buffers[0].gaps = {{{2, 4}, snug::Interval<std::int64_t>{0, 5}},
                             {{6, 7}, {}}};
  problem.aliases = {{1, 0, 2}};
  problem.may_overlap = {{0, 2}};
  problem.base = 2;
  problem.reserved = {{{20, 99}, snug::Interval<std::int64_t>{4, 90}}};
  const std::string data = data_of(draw_html(problem, 24, {2, 4, 2}));
  CAPTURE(data);
  CHECK(is_balanced(data));
  CHECK(count(data,
              "\"tiles\":{\"0\":[[0,2,2,12],[2,4,2,7],[4,6,2,12],"
              "[7,8,2,12]]}") == 1);
  CHECK(count(data, "\"order\":[0,1,2]") == 1);
  CHECK(count(data, "\"overlaps\":[[0,2]]") == 1);
  CHECK(count(data,
              "\"reserved\":[[0,8,0,2,\"below the base\"],"
              "[4,8,20,24,\"reserved\"]]") == 1);
  CHECK(count(data, "[0,8,10,2,5,0],[0,8,4,4,5,0],[2,4,3,2,4,-1]") == 1);
  CHECK(count(data, "\"by\":\"family\"") == 1);
}

TEST_CASE("html: ids cannot end the data") {
  CHECK(json("a\"b\\c") == "\"a\\\"b\\\\c\"");
  CHECK(json("</script><!--") == "\"\\u003c/script>\\u003c!--\"");
  CHECK(json("\n\x7F\xFF\xE2\x82\xAC") == "\"???\xE2\x82\xAC\"");
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}};
  const std::string page =
      draw_html(problem, 10, {0}, {"</script><img src=x onerror=alert(1)>"});
  CHECK(count(page, "<img") == 0);
  CHECK(count(page, "</script>") == 2);
  CHECK(is_balanced(data_of(page)));
}

TEST_CASE("html: extreme problems") {
  using Limits = std::numeric_limits<std::int64_t>;
  Problem<> problem;
  CHECK(is_balanced(data_of(draw_html(problem, 0, {}))));
  const std::int64_t size = (std::int64_t{1} << 61) - 1;
  problem.buffers = {{{(Limits::min)(), (Limits::max)()}, size}};
  const std::string data = data_of(draw_html(problem, (Limits::max)(), {size}));
  CAPTURE(data);
  CHECK(is_balanced(data));
  // What no double holds is text.
  CHECK(count(data,
              "[\"-9223372036854775808\",\"9223372036854775807\","
              "\"2305843009213693951\",\"2305843009213693951\"") == 1);
}

}  // namespace html_test
