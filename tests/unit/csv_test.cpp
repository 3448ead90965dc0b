// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/csv.hpp"

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"

#include <clocale>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using snug::CsvColumns;
using snug::CsvTable;
using snug::Interval;
using snug::Problem;
using snug::read_csv;
using snug::write_csv;

const std::string kHeader = "id,lower,upper,size\n";

/// The error of `text` as one line, or "ok".
template <class Size = std::int64_t, class Time = std::int64_t>
std::string error_of(std::string_view text) {
  const CsvTable<Size, Time> table = read_csv<Size, Time>(text);
  CHECK(table.ok() == table.error.message.empty());
  if (table.ok()) return "ok";
  CHECK(table.problem.buffers.empty());
  CHECK(table.ids.empty());
  CHECK(table.positions.empty());
  return to_string(table.error);
}

void check_same(const Problem<>& a, const Problem<>& b) {
  REQUIRE(a.buffers.size() == b.buffers.size());
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    CAPTURE(i);
    CHECK(a.buffers[i].lifespan == b.buffers[i].lifespan);
    CHECK(a.buffers[i].size == b.buffers[i].size);
    CHECK(a.buffers[i].alignment == b.buffers[i].alignment);
    CHECK(a.buffers[i].offset == b.buffers[i].offset);
    CHECK(a.buffers[i].hint == b.buffers[i].hint);
    REQUIRE(a.buffers[i].gaps.size() == b.buffers[i].gaps.size());
    for (std::size_t k = 0; k < a.buffers[i].gaps.size(); ++k) {
      CHECK(a.buffers[i].gaps[k].lifespan == b.buffers[i].gaps[k].lifespan);
      CHECK(a.buffers[i].gaps[k].window == b.buffers[i].gaps[k].window);
    }
  }
}

}  // namespace

TEST_CASE("csv: reads a plain problem") {
  const CsvTable<> table =
      read_csv("id,lower,upper,size\nb1,0,3,4\nb2,3,9,16\n");
  REQUIRE(table.ok());
  CHECK(table.ids == std::vector<std::string>{"b1", "b2"});
  REQUIRE(table.problem.buffers.size() == 2);
  CHECK(table.problem.buffers[0].lifespan == Interval<std::int64_t>{0, 3});
  CHECK(table.problem.buffers[0].size == 4);
  CHECK(table.problem.buffers[1].lifespan == Interval<std::int64_t>{3, 9});
  CHECK(table.problem.buffers[1].size == 16);
  CHECK(table.problem.buffers[1].alignment == 1);
  CHECK_FALSE(table.problem.buffers[1].offset);
  CHECK_FALSE(table.problem.buffers[1].hint);
  CHECK(table.problem.buffers[1].gaps.empty());
  CHECK(table.positions[1].line == 3);
  CHECK(table.positions[1].column == 1);
  CHECK_FALSE(table.columns.alignment);
  CHECK_FALSE(table.columns.hint);
  CHECK_FALSE(table.columns.gaps);
  CHECK_FALSE(table.columns.offset);
}

TEST_CASE("csv: reads the columns in any order, under all their names") {
  const std::string first = GENERATE("lower", "begin", "start");
  const std::string id = GENERATE("id", "buffer", "buffer_id");
  const CsvTable<> table =
      read_csv("size," + id + ",offset,end," + first +
               ",alignment\n7,a,64,9,-3,32\n8,b,,10,5,\n9,c,-1,11,6,0\n");
  REQUIRE(table.ok());
  REQUIRE(table.problem.buffers.size() == 3);
  const auto& buffers = table.problem.buffers;
  CHECK(table.ids == std::vector<std::string>{"a", "b", "c"});
  CHECK(table.positions[0].column == 3);
  CHECK(buffers[0].size == 7);
  CHECK(buffers[0].lifespan == Interval<std::int64_t>{-3, 10});
  CHECK(buffers[0].alignment == 32);
  CHECK(buffers[0].offset == std::optional<std::int64_t>{64});
  CHECK(buffers[1].lifespan == Interval<std::int64_t>{5, 11});
  CHECK(buffers[1].alignment == 1);
  CHECK_FALSE(buffers[1].offset);
  CHECK(buffers[2].alignment == 1);
  CHECK_FALSE(buffers[2].offset);
  CHECK(table.columns.alignment);
  CHECK(table.columns.offset);
  CHECK_FALSE(table.columns.gaps);
}

TEST_CASE("csv: reads hints") {
  const CsvTable<> table = read_csv(
      "id,lower,upper,size,hint\na,0,1,1,0\nb,0,1,1,-1\nc,0,1,1,\n"
      "d,0,1,1,-2\n");
  REQUIRE(table.ok());
  CHECK(table.columns.hint);
  CHECK(table.problem.buffers[0].hint == std::optional<std::int64_t>{0});
  CHECK_FALSE(table.problem.buffers[1].hint);
  CHECK_FALSE(table.problem.buffers[2].hint);
  CHECK(table.problem.buffers[3].hint == std::optional<std::int64_t>{-2});
}

TEST_CASE("csv: reads gaps") {
  const auto gaps_of = [](const std::string& upper, const std::string& gaps) {
    const CsvTable<> table =
        read_csv("id,lower," + upper + ",size,gaps\na,-9,9,8," + gaps + "\n");
    CAPTURE(gaps, table.error.message);
    REQUIRE(table.ok());
    CHECK(table.columns.gaps);
    return table.problem.buffers[0].gaps;
  };
  SECTION("none") {
    CHECK(gaps_of("upper", "").empty());
    CHECK(gaps_of("upper", "  ").empty());
  }
  SECTION("several, with and without windows") {
    const auto gaps = gaps_of("upper", " 0-2  3-5@0:4\t6-7@-1:99 ");
    REQUIRE(gaps.size() == 3);
    CHECK(gaps[0].lifespan == Interval<std::int64_t>{0, 2});
    CHECK_FALSE(gaps[0].window);
    CHECK(gaps[1].lifespan == Interval<std::int64_t>{3, 5});
    REQUIRE(gaps[1].window);
    CHECK(*gaps[1].window == Interval<std::int64_t>{0, 4});
    REQUIRE(gaps[2].window);
    CHECK(*gaps[2].window == Interval<std::int64_t>{-1, 99});
  }
  SECTION("negative times") {
    const auto gaps = gaps_of("upper", "-5--2 -1-1");
    REQUIRE(gaps.size() == 2);
    CHECK(gaps[0].lifespan == Interval<std::int64_t>{-5, -2});
    CHECK(gaps[1].lifespan == Interval<std::int64_t>{-1, 1});
  }
  SECTION("inclusive where the lifespans are") {
    const auto gaps = gaps_of("end", "0-2 3-5@0:4");
    REQUIRE(gaps.size() == 2);
    CHECK(gaps[0].lifespan == Interval<std::int64_t>{0, 3});
    CHECK(gaps[1].lifespan == Interval<std::int64_t>{3, 6});
    CHECK(*gaps[1].window == Interval<std::int64_t>{0, 4});
  }
}

TEST_CASE("csv: refuses malformed gaps") {
  const std::string gap =
      GENERATE("5", "5-", "5_7", "1-2@", "1-2@3", "1-2@3:", "1-2@3:4:5",
               "1-2-3", "1-2@3-4", "a-b", "--1-2", "1-2@:4", "-", "@", "1-2;",
               "1-2x", "0x1-2", "1.5-2", "99999999999999999999-1");
  CAPTURE(gap);
  const std::string error =
      error_of("id,lower,upper,size,gaps\na,0,9,8,0-1 " + gap + "\n");
  CHECK(error.substr(0, 4) == "2:9:");
  CHECK(error != "ok");
}

TEST_CASE("csv: accepts the line ends and blanks that programs write") {
  const std::string plain = "id,lower,upper,size\na,0,1,2\nb,1,2,3\n";
  std::string text = plain;
  SECTION("no line end at the end") {
    text.pop_back();
  }
  SECTION("byte order mark") {
    text.insert(0, "\xEF\xBB\xBF");
  }
  SECTION("CRLF") {
    text = "id,lower,upper,size\r\na,0,1,2\r\nb,1,2,3\r\n";
    SECTION("complete") {}
    SECTION("no line end at the end") {
      text.resize(text.size() - 2);
    }
    SECTION("half a line end at the end") {
      text.resize(text.size() - 1);
    }
  }
  SECTION("blank lines at the end") {
    text += GENERATE("\n", "\n\n\n", "\r\n\r\n", " \t\n", "\n  ");
  }
  SECTION("blanks around names and numbers") {
    text = "id , lower,upper\t,size\na, 0,1 ,\t2\nb,1,2,3 \n";
  }
  SECTION("quoted fields") {
    text = "\"id\",lower,\"upper\",size\r\n\"a\",0,\"1\",\"2\"\r\nb,1,2,\"3\"";
  }
  const CsvTable<> table = read_csv(text);
  CAPTURE(text, table.error.message);
  REQUIRE(table.ok());
  CHECK(write_csv(table.problem, table.ids, table.columns) == plain);
}

TEST_CASE("csv: reads quoted ids") {
  const CsvTable<> table = read_csv(
      "lower,upper,size,id\n0,1,1,\"a,b\"\n0,1,1,\"say \"\"hi\"\"\"\n"
      "0,1,1,\"two\nlines\"\n0,1,1,\"\"\n0,1,1, x \n0,1,1,a\"b\n"
      "0,1,1,\"\"\"\"\r\n");
  CAPTURE(table.error.message);
  REQUIRE(table.ok());
  CHECK(table.ids == std::vector<std::string>{"a,b", "say \"hi\"", "two\nlines",
                                              "", " x ", "a\"b", "\""});
  CHECK(table.positions[2].line == 4);
  CHECK(table.positions[3].line == 6);
  CHECK(table.positions[3].column == 7);
}

TEST_CASE("csv: ignores columns that it does not know") {
  const CsvTable<> table = read_csv(
      "comment,id,lower,color,upper,size,comment\n"
      "x,a,0,\"red, mostly\",1,2,not a number\n");
  REQUIRE(table.ok());
  CHECK(write_csv(table.problem, table.ids, table.columns) ==
        "id,lower,upper,size\na,0,1,2\n");
}

TEST_CASE("csv: reads a table without rows") {
  const std::string text =
      GENERATE("id,lower,upper,size", "id,lower,upper,size\n",
               "id,lower,upper,size\r\n\r\n");
  const CsvTable<> table = read_csv(text);
  CHECK(table.ok());
  CHECK(table.problem.buffers.empty());
}

TEST_CASE("csv: errors name line and column") {
  CHECK(error_of("") == "1:1: the first line must name the columns");
  CHECK(error_of("\n" + kHeader) ==
        "1:1: the first line must name the columns");
  CHECK(error_of("id,lower,upper\n") ==
        "1:1: no column 'size' in the first line");
  CHECK(error_of("a,0,1,4\n") == "1:1: no column 'id' in the first line");
  CHECK(error_of("id,lower,upper,size,lower\n") ==
        "1:21: second column for 'lower': 'lower'");
  CHECK(error_of("id,lower,begin,upper,size\n") ==
        "1:10: second column for 'lower': 'begin'");
  CHECK(error_of("id,lower,upper,size,end\n") ==
        "1:21: second column for 'upper': 'end'");
  CHECK(error_of(kHeader + "a,0,3,4\nb,0,3\n") ==
        "3:5: fewer fields than the 4 columns of the first line");
  CHECK(error_of(kHeader + "a,0,3,4,\n") ==
        "2:9: more fields than the 4 columns of the first line");
  CHECK(error_of(kHeader + "a,0,3,x\n") == "2:7: size: not an integer: 'x'");
  CHECK(error_of(kHeader + "a,,3,4\n") == "2:3: lower: not an integer: ''");
  CHECK(error_of(kHeader + "a,0, 3.5,4\n") ==
        "2:5: upper: not an integer: '3.5'");
  CHECK(error_of(kHeader + "a,0,3,+4\n") == "2:7: size: not an integer: '+4'");
  CHECK(error_of(kHeader + "a,0,3,4 4\n") ==
        "2:7: size: not an integer: '4 4'");
  CHECK(error_of(kHeader + "a,0,3,0x4\n") ==
        "2:7: size: not an integer: '0x4'");
  CHECK(error_of(kHeader + "a,0,3,9223372036854775808\n") ==
        "2:7: size: out of range: '9223372036854775808'");
  CHECK(error_of(kHeader + "a,-9223372036854775809,3,4\n") ==
        "2:3: lower: out of range: '-9223372036854775809'");
  CHECK(error_of(kHeader + "a,0,3,4\r\n\r\nb,0,3,4\r\n") ==
        "3:1: blank line inside the table");
  CHECK(error_of(kHeader + "a,0,3,4\nb,0,3,4\na,0,3,4\nb,0,3,4\n") ==
        "4:1: id: 'a' is already the id in line 2");
  CHECK(error_of("size,lower,upper,id\n1,0,3,same\n2,0,3,\"same\"\n") ==
        "3:7: id: 'same' is already the id in line 2");
  CHECK(error_of(kHeader + "\"a,0,3,4\nb,0,3,4\n") ==
        "2:1: quoted field is not closed");
  CHECK(error_of(kHeader + "\"a\"b,0,3,4\n") ==
        "2:1: text behind the closing quote");
  CHECK(error_of("\xEF\xBB\xBFid,id\n") == "1:4: second column for 'id': 'id'");
}

TEST_CASE("csv: a quoted line feed counts as a line") {
  CHECK(error_of(kHeader + "\"two\nlines\",0,3,x\n") ==
        "3:12: size: not an integer: 'x'");
}

TEST_CASE("csv: the largest values are read, the next ones refused") {
  const CsvTable<> table = read_csv(
      kHeader +
      "a,-9223372036854775808,9223372036854775807,9223372036854775807\n");
  REQUIRE(table.ok());
  CHECK(table.problem.buffers[0].lifespan.lower ==
        (std::numeric_limits<std::int64_t>::min)());
  CHECK(table.problem.buffers[0].lifespan.upper ==
        (std::numeric_limits<std::int64_t>::max)());
  CHECK(write_csv(table.problem, table.ids, table.columns) ==
        kHeader +
            "a,-9223372036854775808,9223372036854775807,"
            "9223372036854775807\n");
  CHECK(error_of("id,lower,end,size\na,0,9223372036854775807,1\n") ==
        "2:5: upper: out of range: end + 1 overflows: '9223372036854775807'");
  CHECK(error_of("id,lower,end,size,gaps\na,0,9,1,0-9223372036854775807\n")
            .substr(0, 4) == "2:9:");
}

TEMPLATE_TEST_CASE("csv: values must fit the types of the problem", "",
                   std::int8_t, std::int16_t, std::int32_t) {
  using Value = TestType;
  const std::string max = std::to_string((std::numeric_limits<Value>::max)());
  const std::string over =
      std::to_string(std::int64_t{(std::numeric_limits<Value>::max)()} + 1);
  const auto error = [](const std::string& text) {
    return error_of<Value, Value>(text);
  };
  CHECK(error(kHeader + "a,0," + max + "," + max + "\n") == "ok");
  CHECK(error(kHeader + "a,0,1," + over + "\n") ==
        "2:7: size: out of range: '" + over + "'");
  CHECK(error(kHeader + "a,0," + over + ",1\n") ==
        "2:5: upper: out of range: '" + over + "'");
  CHECK(error("id,lower,upper,size,offset\na,0,1,1," + over + "\n") ==
        "2:9: offset: out of range: '" + over + "'");
  CHECK(error("id,lower,end,size\na,0," + max + ",1\n") ==
        "2:5: upper: out of range: end + 1 overflows: '" + max + "'");
  CHECK(error("id,lower,upper,size,gaps\na,0,9,1,0-2@0:" + over + "\n") ==
        "2:9: gaps: out of range: '0-2@0:" + over + "'");
  const CsvTable<Value, Value> table =
      read_csv<Value, Value>(kHeader + "a,-5,7,100\n");
  REQUIRE(table.ok());
  CHECK(table.problem.buffers[0].size == Value{100});
  CHECK(table.problem.buffers[0].lifespan.lower == Value{-5});
  CHECK(write_csv(table.problem, table.ids, table.columns) ==
        kHeader + "a,-5,7,100\n");
}

TEST_CASE("csv: hostile text gives an error, not harm") {
  SECTION("NUL bytes") {
    const std::string nul(1, '\0');
    CHECK(error_of(nul).substr(0, 14) == "1:1: NUL byte:");
    CHECK(error_of(kHeader + "a" + nul + ",0,1,1\n").substr(0, 14) ==
          "2:1: NUL byte:");
    CHECK(error_of(kHeader + "\"a" + nul + "\",0,1,1\n").substr(0, 14) ==
          "2:1: NUL byte:");
    CHECK(error_of(kHeader + "a,0,1,1" + nul + "\n").substr(0, 14) ==
          "2:7: NUL byte:");
  }
  SECTION("a megabyte in one field") {
    const std::string digits(1 << 20, '9');
    CHECK(error_of(kHeader + "a,0,1," + digits + "\n") ==
          "2:7: size: out of range: '" + digits.substr(0, 40) + "...'");
    const CsvTable<> table = read_csv(kHeader + digits + ",0,1,1\n");
    REQUIRE(table.ok());
    CHECK(table.ids[0] == digits);
    CHECK(error_of(digits) == "1:1: no column 'id' in the first line");
  }
  SECTION("thousands of columns") {
    std::string header;
    std::string row;
    for (int k = 0; k < 5000; ++k) {
      header += "c" + std::to_string(k) + ",";
      row += "x,";
    }
    CHECK(error_of(header + kHeader + row + "a,0,1,1\n") == "ok");
    CHECK(error_of(kHeader + row + "\n") == "2:3: lower: not an integer: 'x'");
    CHECK(error_of(header + "\n") == "1:1: no column 'id' in the first line");
    CHECK(error_of(std::string(100000, ',')) ==
          "1:1: no column 'id' in the first line");
  }
  SECTION("line feeds only") {
    CHECK(error_of(std::string(100000, '\n')) ==
          "1:1: the first line must name the columns");
    CHECK(error_of(kHeader + std::string(1000000, '\n')) == "ok");
    CHECK(error_of(kHeader + std::string(1000000, '\n') + "a,0,1,1") ==
          "2:1: blank line inside the table");
  }
  SECTION("quotes only") {
    for (std::size_t count = 1; count < 9; ++count)
      CHECK(error_of(std::string(count, '"')) != "ok");
  }
  SECTION("control characters do not reach the message") {
    CHECK(error_of(kHeader + "a,0,1,\x1B[2J\n") ==
          "2:7: size: not an integer: '?[2J'");
  }
  SECTION("every prefix of a good text, and every text with one byte wrong") {
    const std::string text =
        "id,lower,upper,size,alignment,hint,gaps,offset\r\n"
        "\"a\"\"b\",-3,9,8,4,16,-2-0 3-5@0:4,\r\nc,0,4,2,1,-1,,6\r\n";
    REQUIRE(error_of(text) == "ok");
    std::size_t refused = 0;
    for (std::size_t length = 0; length < text.size(); ++length)
      refused += error_of(text.substr(0, length)) != "ok" ? 1U : 0U;
    CHECK(refused > 40);
    for (std::size_t at = 0; at < text.size(); ++at)
      for (const char c : {'\0', ',', '"', '\n', '\r', '-', '9', '\x80'}) {
        std::string wrong = text;
        wrong[at] = c;
        refused += error_of(wrong) != "ok" ? 1U : 0U;
      }
    CHECK(refused > 500);
  }
}

TEST_CASE("csv: many rows, one id twice") {
  std::string text = kHeader;
  for (int i = 0; i < 20000; ++i)
    text += "tensor_" + std::to_string(i * 7919 % 20011) + ",0,1,1\n";
  CHECK(error_of(text) == "ok");
  CHECK(error_of(text + "tensor_7919,0,1,1\n") ==
        "20002:1: id: 'tensor_7919' is already the id in line 3");
}

TEST_CASE("csv: writes offsets last and, in plain problems, sizes before") {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 4}, {{-3, 9}, 5}};
  CHECK(write_csv(problem, {"x", "y"}, {}, {16, 0}) ==
        "id,lower,upper,size,offset\nx,0,3,4,16\ny,-3,9,5,0\n");
  CHECK(write_csv(problem) == "id,lower,upper,size\n0,0,3,4\n1,-3,9,5\n");
  CHECK(write_csv(problem, {"x"}, {}) ==
        "id,lower,upper,size\nx,0,3,4\n1,-3,9,5\n");
}

TEST_CASE("csv: writes the columns that were read, in the order promised") {
  const CsvTable<> table = read_csv(
      "offset,gaps,hint,alignment,size,end,start,buffer\n"
      "8,1-1@0:2 3-3,16,4,12,9,0,a\n-1,,-1,0,2,4,2,b\n");
  REQUIRE(table.ok());
  CHECK(write_csv(table.problem, table.ids, table.columns, {8, 32}) ==
        "id,lower,upper,size,alignment,hint,gaps,offset\n"
        "a,0,10,12,4,16,1-2@0:2 3-4,8\nb,2,5,2,1,-1,,32\n");
  CHECK(write_csv(table.problem, table.ids, table.columns) ==
        "id,lower,upper,size,alignment,hint,gaps,offset\n"
        "a,0,10,12,4,16,1-2@0:2 3-4,8\nb,2,5,2,1,-1,,-1\n");
}

TEST_CASE("csv: what is written reads back the same") {
  Problem<> problem;
  problem.buffers.resize(6);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    problem.buffers[i].lifespan = {-5, 20};
    problem.buffers[i].size = static_cast<std::int64_t>(10 * i);
  }
  problem.buffers[1].alignment = 64;
  problem.buffers[2].hint = 128;
  problem.buffers[3].offset = 4096;
  problem.buffers[4].gaps = {{{-4, -2}, {}},
                             {{0, 3}, Interval<std::int64_t>{5, 10}}};
  const std::vector<std::string> ids = {"a,b",  "\"",   " c ",
                                        "d\re", "f\ng", "\xC3\xA9"};
  const CsvTable<> table =
      read_csv(write_csv(problem, ids, columns_of(problem)));
  CAPTURE(table.error.message);
  REQUIRE(table.ok());
  CHECK(table.ids == ids);
  check_same(table.problem, problem);

  const CsvTable<> plain = read_csv(write_csv(problem));
  REQUIRE(plain.ok());
  CHECK(plain.ids[5] == "5");
  check_same(plain.problem, problem);
}

TEST_CASE("csv: columns_of finds what a problem needs") {
  Problem<> problem;
  problem.buffers.resize(1);
  const auto count = [&] {
    const CsvColumns columns = columns_of(problem);
    return int{columns.alignment} + int{columns.hint} + int{columns.gaps} +
           int{columns.offset};
  };
  CHECK(count() == 0);
  problem.buffers[0].alignment = 2;
  CHECK(columns_of(problem).alignment);
  CHECK(count() == 1);
  problem.buffers[0].hint = 0;
  CHECK(columns_of(problem).hint);
  CHECK(count() == 2);
  problem.buffers[0].gaps.resize(1);
  CHECK(columns_of(problem).gaps);
  CHECK(count() == 3);
  problem.buffers[0].offset = 0;
  CHECK(columns_of(problem).offset);
  CHECK(count() == 4);
}

TEST_CASE("csv: the locale does not matter") {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before != nullptr ? before : "C";
  // Where the system has none of these, the test runs in the C locale.
  for (const char* name : {"de_DE.UTF-8", "en_US.UTF-8", "C"}) {
    std::setlocale(LC_ALL, name);
    Problem<> problem;
    problem.buffers = {{{0, 1234567}, 1000000}};
    CHECK(write_csv(problem) == "id,lower,upper,size\n0,0,1234567,1000000\n");
    CHECK(error_of(kHeader + "a,0,1,1.000\n") != "ok");
  }
  std::setlocale(LC_ALL, saved.c_str());
}

TEST_CASE("csv: printable cuts and cleans") {
  CHECK(snug::printable("abc") == "abc");
  CHECK(snug::printable("a\nb\x7F") == "a?b?");
  CHECK(snug::printable("abcdef", 3) == "abc...");
  CHECK(snug::printable("ab\xC3\xA9", 3) == "ab...");
  CHECK(snug::printable("ab\xC3\xA9", 4) == "ab\xC3\xA9");
}
