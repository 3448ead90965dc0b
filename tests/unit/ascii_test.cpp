// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/ascii.hpp"

#include "snug/io/picture.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ascii_test {

namespace {

using namespace snug::testing;
using snug::draw_ascii;
using snug::Problem;

const std::vector<std::int64_t> kOffsets = {0, 0, 8, 0, 4};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  CHECK(lines.back().empty());  // the text ends with a line feed
  lines.pop_back();
  return lines;
}

std::size_t count(const std::string& text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

}  // namespace

TEST_CASE("ascii: draws the running example") {
  CHECK(draw_ascii(running_example(), 12, kOffsets,
                   {"b1", "b2", "b3", "b4", "b5"}, {70, 15}) ==
        R"(5 buffers, height 12 B (81.0 % in use), load 12 B, capacity 12 B
12 B +---------------------------------------------------------------+
     |CCCCCCCCCCCCCCCCCCCCCCCCCCC|                                   |
     |CCCCCCCCCCCC b3 CCCCCCCCCCC|                                   |
     |___________________________|___________________________________|
     |EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE|
     |EEEEEEEEEEEEEEEEEEEEEEEEEEEEEE b5 EEEEEEEEEEEEEEEEEEEEEEEEEEEEE|
     |EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE|
     |_______________________________________________________________|
     |AAAAAAAAA|BBBBBBBBBBBBBBBBB|DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD|
     |AAA b1 AA|BBBBBBB b2 BBBBBB|DDDDDDDDDDDDDDDD b4 DDDDDDDDDDDDDDD|
     |AAAAAAAAA|BBBBBBBBBBBBBBBBB|DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD|
 0 B +---------------------------------------------------------------+
load |@@@@@@@@@@@@@@@@@@@@@@@@@@@++++++++++++++++++++++++++++++++++++|
      0                                                            21
)");
}

TEST_CASE("ascii: leaves gaps empty and draws windows") {
  Problem<> problem;
  problem.buffers = {{{0, 12}, 8}};
  problem.buffers[0].gaps = {{{8, 10}, snug::Interval<std::int64_t>{0, 4}},
                             {{4, 6}, {}}};
  CHECK(draw_ascii(problem, 8, {0}, {}, {70, 9}) ==
        R"(1 buffer, height 8 B (75.0 % in use), load 8 B, capacity 8 B
 8 B +---------------------------------------------------------------+
     |AAAAAAAAAAAAAAAAAAAAA|          |AAAAAAAAA|          |AAAAAAAAA|
     |AAAAAAAAAAAAAAAAAAAAA|          |AAAAAAAAA|__________|AAAAAAAAA|
     |AAAAAAAAAAAAAAAAAAAAA|          |AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|
     |AAAAAAAAAAAAAAAAAAAAA|          |AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|
 0 B +---------------------------------------------------------------+
load |@@@@@@@@@@@@@@@@@@@@@          @@@@@@@@@@@==========@@@@@@@@@@@|
      0                                                            12
)");
}

TEST_CASE("ascii: draws what is reserved, and smaller buffers over larger") {
  Problem<> problem;
  problem.base = 2;
  problem.reserved = {{{8, 10}, {}},
                      {{14, 99}, snug::Interval<std::int64_t>{16, 90}},
                      {{40, 50}, {}},
                      {{0, 20}, snug::Interval<std::int64_t>{20, 30}}};
  problem.buffers = {
      {{0, 4}, 2}, {{3, 9}, 2}, {{0, 10}, 4}, {{0, 20}, 3}, {{5, 16}, 6}};
  problem.buffers[4].gaps = {{{8, 12}, snug::Interval<std::int64_t>{0, 2}}};
  problem.aliases = {{0, 2, 0}, {1, 2, 2}};
  CHECK(draw_ascii(problem, 20, {2, 4, 2, 10, 13},
                   {"a", "b", "sum", "all", "gap"}, {70, 25}) ==
        R"(5 buffers, height 19 B (39.5 % in use), load 13 B, capacity 20 B
20 B +---------------------------------------------------------------+
     |                _________             ____________|############|
     |                |EEEEEEEE|            |EEEEEEEEEEE|############|
     |                |EEEEEEEE|            |EEEEEEEEEEE|# reserved #|
     |                |EEEEEEEE|            |EEE gap EEE|############|
     |                |EEEEEEEE|____________|EEEEEEEEEEE|############|
     |                |EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE|____________|
     |________________|_________________________________|____________|
     |DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD|
     |DDDDDDDDDDDDDDDDDDDDDDDDDDDDDD all DDDDDDDDDDDDDDDDDDDDDDDDDDDD|
     |_______________________________________________________________|
     |########################### reserved ##########################|
     |_______________________________________________________________|
     |                                                               |
     |________________________________                               |
     |CCCCCCCCC|BBBBBBBB b BBBBBBB|CCC|                              |
     |_________|__________________|CCC|                              |
     |AAAAAA a AAAA|CCCCCCCCCCCCCCCCCC|                              |
     |_____________|__________________|______________________________|
     |######################## below the base #######################|
     |###############################################################|
 0 B +---------------------------------------------------------------+
load |:::::::::::::::+++++++++++------:::::--------------............|
      0                                                            20
)");
}

TEST_CASE("ascii: labels only what nobody is drawn over") {
  Problem<> problem;
  problem.buffers = {{{0, 10}, 8}, {{2, 8}, 8}};
  problem.may_overlap = {{0, 1}};
  const auto draw = [&] {
    return draw_ascii(problem, 8, {0, 0}, {"below", "above"});
  };
  CHECK(draw().find(" above ") != std::string::npos);
  CHECK(draw().find(" below ") == std::string::npos);
  std::swap(problem.buffers[0], problem.buffers[1]);
  CHECK(draw().find(" above ") == std::string::npos);
  CHECK(draw().find(" below ") != std::string::npos);
}

TEST_CASE("ascii: keeps within the size asked for") {
  const std::size_t columns = GENERATE(64U, 78U, 100U, 133U);
  const std::size_t rows = GENERATE(9U, 10U, 24U, 50U);
  const auto lines = lines_of(
      draw_ascii(running_example(), 12, kOffsets, {}, {columns, rows}));
  CHECK(lines.size() == rows);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    CAPTURE(k);
    CHECK(lines[k].size() <= columns);
    if (k > 0) CHECK(lines[k].size() == columns - (k + 1 == rows ? 1 : 0));
  }
}

TEST_CASE("ascii: a size too small is raised to the smallest one") {
  CHECK(draw_ascii(running_example(), 12, kOffsets, {}, {0, 0}) ==
        draw_ascii(running_example(), 12, kOffsets, {}, {56, 9}));
}

TEST_CASE("ascii: a capacity far away is not drawn") {
  const std::string near = draw_ascii(running_example(), 24, kOffsets);
  const std::string far = draw_ascii(running_example(), 26, kOffsets);
  CHECK(near.find("\n24 B +") != std::string::npos);
  CHECK(far.find("\n12 B +") != std::string::npos);
  CHECK(far.find("capacity 26 B\n") != std::string::npos);
}

TEST_CASE("ascii: boxes that touch touch in the picture, none hides another") {
  // Two rows of boxes whose borders fall on no character's border.
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < 7; ++k) {
    problem.buffers.push_back({{k * 101, (k + 1) * 101}, 333});
    offsets.push_back(0);
    problem.buffers.push_back({{k * 101, (k + 1) * 101}, 334});
    offsets.push_back(333);
  }
  const std::string text = draw_ascii(problem, 667, offsets);
  CHECK(text.find("(100.0 % in use)") != std::string::npos);
  const auto lines = lines_of(text);
  for (std::size_t row = 2; row + 3 < lines.size(); ++row) {
    CAPTURE(row, lines[row]);
    CHECK(count(lines[row].substr(7), ' ') == 0);
    CHECK(count(lines[row], '|') == 8);  // the frame and six edges
  }
  for (std::size_t k = 0; k < 14; ++k)
    CHECK(count(text, static_cast<char>('A' + k)) > 50);
}

TEST_CASE("ascii: what is too small shows where there is room") {
  Problem<> problem;
  problem.buffers = {{{0, 1000}, 500}, {{400, 401}, 400}, {{700, 701}, 1}};
  const std::string text = draw_ascii(problem, 1000, {0, 500, 500});
  CHECK(count(text, 'B') + count(text, 'C') >= 8);
  CHECK(count(text, 'C') >= 1);
}

TEST_CASE("ascii: labels only what has room and is plain") {
  Problem<> problem;
  problem.buffers = {{{0, 10}, 8}, {{10, 20}, 8}, {{20, 1000}, 8}};
  const auto draw = [&](const std::vector<std::string>& ids) {
    return draw_ascii(problem, 8, {0, 0, 0}, ids);
  };
  CHECK(draw({"x", "y", "tensor"}).find(" tensor ") != std::string::npos);
  CHECK(draw({"x", "y", "tensor"}).find('x') == std::string::npos);
  CHECK(draw({"x", "y", "ten\nsor"}).find("sor") == std::string::npos);
  CHECK(draw({"x", "y", "\x1B[31m"}).find('\x1B') == std::string::npos);
  CHECK(draw({"x", "y", std::string(500, 'z')}).find("zzz~zzz") !=
        std::string::npos);
  CHECK(draw({"x", "y", std::string(80, 'p') + "/tensor"}).find(" tensor ") !=
        std::string::npos);
  CHECK(draw({"x", "y", ""}) == draw({}));
}

TEST_CASE("ascii: in colours, two rows a line") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 2}, {{4, 8}, 4}};
  const std::string text =
      draw_ascii(problem, 4, {0, 0}, {"ab", "x"}, {57, 10, true});
  CAPTURE(text);
  // Four lines; the first buffer ends in the middle.
  CHECK(text.find("\x1B[0;30;48;5;229m ab \x1B[0;48;5;229m") !=
        std::string::npos);
  CHECK(text.find("\x1B[0;30;48;5;151m x ") != std::string::npos);
  CHECK(text.find("load |\xE2\x96\x84\xE2\x96\x84") != std::string::npos);
  CHECK(text.find("\xE2\x96\x88|\n") != std::string::npos);
  CHECK(text.find('A') == std::string::npos);
  // Each line ends with the terminal's own colours.
  for (const std::string& line : lines_of(text))
    if (line.find('\x1B') != std::string::npos)
      CHECK(line.substr(line.size() - 5) == "\x1B[0m|");
}

TEST_CASE("ascii: buffers that touch have different colours") {
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  // Neighbours whose indices choose the same colour.
  for (std::int64_t k = 0; k < 13; ++k) {
    problem.buffers.push_back({{0, 8}, 1});
    offsets.push_back(k == 12 ? 0 : k == 0 ? 1 : k + 1);
  }
  const std::string text =
      draw_ascii(problem, 13, offsets, {}, {56, 18 + 5, true});
  CHECK(text.find("48;5;229") != std::string::npos);
  std::size_t first = 0;
  for (std::size_t at = text.find(";229m"); at != std::string::npos;
       at = text.find(";229m", at + 1))
    ++first;
  CHECK(first <= 2);  // one buffer, in two halves at most
}

TEST_CASE("ascii: draws extreme problems") {
  using Limits = std::numeric_limits<std::int64_t>;
  Problem<> problem;
  SECTION("no buffers") {
    const auto lines = lines_of(draw_ascii(problem, 0, {}));
    CHECK(lines.size() == 24);
    CHECK(lines[0] ==
          "0 buffers, height 0 B (0.0 % in use), load 0 B, capacity 0 B");
  }
  SECTION("no bytes") {
    problem.buffers = {{{0, 5}, 0}};
    CHECK(lines_of(draw_ascii(problem, 0, {0})).size() == 24);
  }
  SECTION("all of time, and as many bytes as check() allows") {
    const std::int64_t size = (std::int64_t{1} << 61) - 1;
    problem.buffers = {{{(Limits::min)(), (Limits::max)()}, size}};
    const auto lines = lines_of(draw_ascii(problem, (Limits::max)(), {size}));
    REQUIRE(lines.size() == 24);
    for (const std::string& line : lines) CHECK(line.size() <= 78);
    CHECK(lines.back() == "       -9223372036854775808" + std::string(31, ' ') +
                              "9223372036854775807");
  }
  SECTION("more buffers than letters") {
    std::vector<std::int64_t> offsets;
    for (std::int64_t k = 0; k < 200; ++k) {
      problem.buffers.push_back({{k, k + 1}, 1});
      offsets.push_back(0);
    }
    const auto lines = lines_of(draw_ascii(problem, 1, offsets));
    CHECK(lines[5].find_first_of("ABCDEF") != std::string::npos);
  }
}

TEST_CASE("ascii: draws problems of narrow types") {
  Problem<std::int8_t, std::int8_t> problem;
  problem.buffers.resize(2);
  problem.buffers[0].lifespan = {-128, 127};
  problem.buffers[0].size = 60;
  problem.buffers[1].lifespan = {-128, 127};
  problem.buffers[1].size = 67;
  const std::vector<std::int8_t> offsets = {0, 60};
  const std::string text = draw_ascii(problem, std::int8_t{127}, offsets);
  CHECK(text.substr(0, text.find('\n')) ==
        "2 buffers, height 127 B (100.0 % in use), load 127 B, capacity 127 B");
}

TEST_CASE("picture: height, load and use") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}, {{2, 6}, 20}, {{6, 10}, 30}};
  const auto extent = snug::detail::picture_extent(problem, {0, 10, 0});
  CHECK(extent.lifespan == snug::Interval<std::int64_t>{0, 10});
  CHECK(extent.height == 30);
  CHECK(static_cast<int>(extent.load) == 30);
  CHECK(static_cast<int>(extent.used * 1000) == 800);  // 240 of 300
}

TEST_CASE("picture: bytes that buffers share count once") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 10}, {{2, 6}, 10}, {{0, 10}, 5}, {{9, 10}, 0}};
  problem.aliases = {{1, 0, 5}};
  problem.may_overlap = {{0, 2}, {1, 2}};
  const auto extent = snug::detail::picture_extent(problem, {0, 5, 3, 40});
  CHECK(extent.height == 40);
  CHECK(static_cast<int>(extent.load) == 15);
  // 10 bytes for 2 steps of time, 15 for 2, 12 for 2 and 5 for 4, of 400.
  CHECK(static_cast<int>(extent.used * 4000 + 0.5) == 940);
}

TEST_CASE("picture: gaps count as what is left of the buffer") {
  Problem<> problem;
  problem.buffers = {{{0, 10}, 8}, {{0, 10}, 4}};
  problem.buffers[0].gaps = {{{6, 10}, snug::Interval<std::int64_t>{2, 5}},
                             {{2, 4}, {}}};
  const auto extent = snug::detail::picture_extent(problem, {4, 0});
  CHECK(static_cast<int>(extent.load) == 12);
  // 4 steps of 12, 2 of 4, 4 of 7; of 120.
  CHECK(static_cast<int>(extent.used * 1200 + 0.5) == 840);
}

TEST_CASE("picture: reserved ranges end where the picture does") {
  Problem<> problem;
  problem.buffers = {{{0, 10}, 8}};
  problem.base = 4;
  problem.reserved = {{{8, 12}, {}},
                      {{20, 90}, snug::Interval<std::int64_t>{-5, 3}},
                      {{20, 30}, snug::Interval<std::int64_t>{10, 12}},
                      {{30, 40}, {}}};
  const auto extent = snug::detail::picture_extent(problem, {12});
  std::string found;
  snug::detail::for_each_reserved(
      problem, extent, std::int64_t{30},
      [&](const snug::detail::Tile& tile, const std::string& name,
          const snug::Interval<std::int64_t>& bytes) {
        found += name;
        for (const double value : {tile.begin, tile.end, tile.bottom, tile.top})
          found += ' ' + std::to_string(static_cast<int>(value));
        found += " of " + std::to_string(bytes.upper) + '\n';
      });
  CHECK(found ==
        "below the base 0 10 0 4 of 4\nreserved 0 10 8 12 of 12\n"
        "reserved 0 3 20 30 of 90\n");
}

}  // namespace ascii_test
