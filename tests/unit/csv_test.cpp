// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/csv.hpp"

#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace csv_test {

namespace {

using namespace snug::testing;
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

/// What the rows say of each other, as lines in some order of their own.
std::vector<std::string> relations_of(const Problem<>& problem) {
  std::vector<std::string> lines;
  const auto add = [&](const char* kind, std::size_t a, std::size_t b,
                       std::int64_t delta) {
    lines.push_back(kind + std::to_string(a) + ' ' + std::to_string(b) + ' ' +
                    std::to_string(delta));
  };
  for (const snug::Alias<>& alias : problem.aliases)
    add("alias ", alias.buffer, alias.of, alias.delta);
  for (const std::vector<std::size_t>& group : problem.contiguous)
    for (std::size_t k = 1; k < group.size(); ++k)
      add("follows ", group[k], group[k - 1], 0);
  for (const snug::BufferPair& pair : problem.apart)
    add("apart ", pair.first, pair.second, 0);
  for (const snug::BufferPair& pair : problem.may_overlap)
    add("may_overlap ", pair.first, pair.second, 0);
  std::sort(lines.begin(), lines.end());
  return lines;
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
    CHECK(a.buffers[i].end == b.buffers[i].end);
    REQUIRE(a.buffers[i].gaps.size() == b.buffers[i].gaps.size());
    for (std::size_t k = 0; k < a.buffers[i].gaps.size(); ++k) {
      CHECK(a.buffers[i].gaps[k].lifespan == b.buffers[i].gaps[k].lifespan);
      CHECK(a.buffers[i].gaps[k].window == b.buffers[i].gaps[k].window);
    }
  }
  CHECK(relations_of(a) == relations_of(b));
}

std::string text_of(const Problem<>& problem,
                    const std::vector<std::string>& ids) {
  return write_csv(problem, ids, columns_of(problem));
}

/// The relations of a row `x` (index 2) with these fields in its last columns,
/// below the rows `a` and `b` (indices 0 and 1), in which they are empty.
std::vector<std::string> relations_of(const std::string& columns,
                                      const std::string& fields) {
  std::string empty = columns;
  empty.erase(std::remove_if(empty.begin(), empty.end(),
                             [](char c) { return c != ','; }),
              empty.end());
  const CsvTable<> table =
      read_csv("id,lower,upper,size," + columns + "\na,0,1,1," + empty +
               "\nb,0,1,1," + empty + "\nx,0,1,1," + fields + "\n");
  CAPTURE(columns, fields, table.error.message);
  REQUIRE(table.ok());
  return relations_of(table.problem);
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

TEST_CASE("csv: a number may have a plus before it") {
  const CsvTable<> table = read_csv(
      "id,lower,upper,size,alignment,hint,gaps,alias,offset\n"
      "+1,+0, +9 ,+4,+2,+6,+1-+3@+1:+2,,+8\n"
      "b,-3,+3,4,1,-1,,+1+2,-1\n");
  CAPTURE(table.error.message);
  REQUIRE(table.ok());
  CHECK(table.ids[0] == "+1");
  const snug::Buffer<>& buffer = table.problem.buffers[0];
  CHECK(buffer.lifespan == Interval<std::int64_t>{0, 9});
  CHECK(buffer.size == 4);
  CHECK(buffer.alignment == 2);
  CHECK(buffer.hint == 6);
  CHECK(buffer.offset == 8);
  REQUIRE(buffer.gaps.size() == 1);
  CHECK(buffer.gaps[0].lifespan == Interval<std::int64_t>{1, 3});
  CHECK(buffer.gaps[0].window == Interval<std::int64_t>{1, 2});
  REQUIRE(table.problem.aliases.size() == 1);
  CHECK(table.problem.aliases[0].delta == 2);
  for (const char* const size : {"+", "++2", "+-2", "-+2", "+ 2", "+x", "2+"}) {
    CAPTURE(size);
    CHECK(error_of(kHeader + "a,0,1," + size + "\n") ==
          "2:7: size: not an integer: '" + std::string(size) + "'");
  }
  CHECK(error_of(kHeader + "a,0,1,+9223372036854775808\n") ==
        "2:7: size: out of range: '+9223372036854775808'");
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

TEST_CASE("csv: reads what rows say of each other") {
  using Lines = std::vector<std::string>;
  CHECK(relations_of("alias", "") == Lines{});
  CHECK(relations_of("alias", " \t") == Lines{});
  CHECK(relations_of("alias", "a") == Lines{"alias 2 0 0"});
  CHECK(relations_of("alias", " b+16 ") == Lines{"alias 2 1 16"});
  CHECK(relations_of("alias", "a-4\tb+0") ==
        Lines{"alias 2 0 -4", "alias 2 1 0"});
  CHECK(relations_of("alias", "a+9223372036854775807") ==
        Lines{"alias 2 0 9223372036854775807"});
  CHECK(relations_of("alias", "a-9223372036854775808") ==
        Lines{"alias 2 0 -9223372036854775808"});
  CHECK(relations_of("alias", "x") == Lines{"alias 2 2 0"});
  CHECK(relations_of("follows", "b") == Lines{"follows 2 1 0"});
  CHECK(relations_of("apart", "b a") == Lines{"apart 2 0 0", "apart 2 1 0"});
  CHECK(relations_of("may_overlap", "'a'  'b'") ==
        Lines{"may_overlap 2 0 0", "may_overlap 2 1 0"});
  CHECK(relations_of("apart,alias", "a b a b,a") ==
        Lines{"alias 2 0 0", "apart 2 0 0", "apart 2 1 0"});
}

TEST_CASE("csv: rows name rows above and below, and a pair counts once") {
  const CsvTable<> table = read_csv(
      "id,lower,upper,size,apart,may_overlap,follows,memory_end\n"
      "a,0,1,1,c b c,b,,top\nb,0,1,1,a,a a,a, bottom\nc,0,1,1,b a,,b,\n");
  CAPTURE(table.error.message);
  REQUIRE(table.ok());
  CHECK(relations_of(table.problem) ==
        std::vector<std::string>{"apart 0 1 0", "apart 0 2 0", "apart 2 1 0",
                                 "follows 1 0 0", "follows 2 1 0",
                                 "may_overlap 0 1 0"});
  REQUIRE(table.problem.apart.size() == 3);
  CHECK(table.problem.apart[0].second == 2);  // the first mention counts
  CHECK(table.problem.buffers[0].end == snug::End::kTop);
  CHECK(table.problem.buffers[1].end == snug::End::kBottom);
  CHECK(table.problem.buffers[2].end == snug::End::kAny);
  CHECK(table.columns.apart);
  CHECK(table.columns.may_overlap);
  CHECK(table.columns.follows);
  CHECK(table.columns.memory_end);
  CHECK_FALSE(table.columns.alias);
}

TEST_CASE("csv: ids in lists may be quoted, and some must be") {
  // What the last row is an alias of, or the error.
  const auto aliases = [&](const std::string& list) {
    const CsvTable<> table = read_csv(
        "id,lower,upper,size,alias\nt,0,1,1,\nt-1,0,1,1,\nt+1+1,0,1,1,\n"
        "my tensor,0,1,1,\n'q,0,1,1,\nit's+,0,1,1,\n,0,1,1,\n"
        "\"a,b\",0,1,1,\nlast,0,1,1,\"" +
        list + "\"\n");
    std::string found = table.error.message;
    for (const snug::Alias<>& alias : table.problem.aliases) {
      CHECK(alias.buffer == 8);
      found += std::to_string(alias.of) + ':' + std::to_string(alias.delta);
      found += ' ';
    }
    return found;
  };
  CHECK(aliases("t t-1 t-2 t+1 t+1+1") == "0:0 1:0 0:-2 0:1 2:0 ");
  CHECK(aliases("t-1-1 t-1+0 t+1+1-7") == "1:-1 1:0 2:-7 ");
  CHECK(aliases("'t' 't'-1 't'+1 't-1'-1") == "0:0 0:-1 0:1 1:-1 ");
  CHECK(aliases("'my tensor' 'my tensor'+4\t'my tensor'-4") == "3:0 3:4 3:-4 ");
  CHECK(aliases("'''q' '''q'+1 it's+ it's++1 'it''s+'-1") ==
        "4:0 4:1 5:0 5:1 5:-1 ");
  CHECK(aliases("'' ''+3 +3 a,b") == "6:0 6:3 6:3 7:0 ");
  CHECK(aliases("my tensor") == "alias: no row has this id: 'my'");
  CHECK(aliases("t+1+2") == "alias: no row has this id: 't+1+2'");
  CHECK(aliases("'q") == "alias: id is not closed by a quote: ''q'");
  CHECK(aliases("'t''") == "alias: id is not closed by a quote: ''t'''");
  CHECK(aliases("t 'T'") == "alias: no row has this id: ''T''");
  const std::string form =
      "alias: not of the form id, id+distance or id-distance: ";
  CHECK(aliases("'t'1") == form + "''t'1'");
  CHECK(aliases("'t't") == form + "''t't'");
  CHECK(aliases("t+") == form + "'t+'");
  CHECK(aliases("t+ 1") == form + "'t+'");
  CHECK(aliases("t-x") == form + "'t-x'");
  CHECK(aliases("'t'+-1") == form + "''t'+-1'");
  CHECK(aliases("t-1x") == "alias: not an integer: 't-1x'");
  CHECK(aliases("t+9223372036854775808") ==
        "alias: out of range: 't+9223372036854775808'");
  CHECK(aliases("t--1") == "alias: no row has this id: 't--1'");
}

TEST_CASE("csv: errors in lists name the field and the word") {
  const auto error = [](const std::string& column, const std::string& list) {
    return error_of("id,lower,upper,size," + column + "\na,0,1,1,\nb,0,1,1," +
                    list + "\n");
  };
  const std::string column = GENERATE("follows", "apart", "may_overlap");
  CHECK(error(column, "a") == "ok");
  CHECK(error(column, "a c") == "3:9: " + column + ": no row has this id: 'c'");
  CHECK(error(column, "a+1") ==
        "3:9: " + column + ": no row has this id: 'a+1'");
  CHECK(error(column, "'a'+1") ==
        "3:9: " + column + ": text behind the closing quote: ''a'+1'");
  CHECK(error(column, "a 'a") ==
        "3:9: " + column + ": id is not closed by a quote: ''a'");
  CHECK(error("memory_end", "top") == "ok");
  CHECK(error("memory_end", "Top") ==
        "3:9: memory_end: neither bottom nor top nor empty: 'Top'");
  // An id that comes twice is reported before what refers to ids.
  CHECK(error_of("id,lower,upper,size,apart\na,0,1,1,z\na,0,1,1,\n") ==
        "3:1: id: 'a' is already the id in line 2");
  CHECK(error_of("id,lower,upper,size,apart,alias\na,0,1,1,z,y\n") ==
        "2:9: apart: no row has this id: 'z'");
}

TEST_CASE("csv: distances must fit the size type") {
  const std::string head = "id,lower,upper,size,alias\na,0,1,1,\nb,0,1,1,";
  CHECK(error_of<std::int8_t>(head + "a+127\n") == "ok");
  CHECK(error_of<std::int8_t>(head + "a-128\n") == "ok");
  CHECK(error_of<std::int8_t>(head + "a+128\n") ==
        "3:9: alias: out of range: 'a+128'");
}

namespace {

/// The costs of the buffers in the pools `sram`, `my dram` and `a*3` if the
/// column is `fields`, or the error.
struct PoolsRead {
  std::vector<std::vector<std::int64_t>> costs{};
  std::string error{};
};

PoolsRead read_pools(const std::vector<std::string>& fields) {
  std::string text = "id,lower,upper,size,pools\n";
  for (std::size_t k = 0; k < fields.size(); ++k)
    text += std::to_string(k) + ",0,1,1," + fields[k] + '\n';
  const CsvTable<> table = read_csv(text);
  REQUIRE(table.ok());
  snug::Pools<> pools;
  pools.pools.resize(3);
  pools.costs = {{7, 7, 7}};  // to be replaced
  const snug::CsvError error =
      read_csv_pools(table, {"sram", "my dram", "a*3"}, pools);
  CHECK(error.ok() == error.message.empty());
  return {pools.costs, error.ok() ? "ok" : to_string(error)};
}

}  // namespace

TEST_CASE("csv: reads the pools of a buffer") {
  const PoolsRead read =
      read_pools({"", "sram", " a*3*4\t'my dram' ", "\"'a*3' sram*5\"",
                  "'my dram'*9223372036854775807", " "});
  CHECK(read.error == "ok");
  const std::vector<std::vector<std::int64_t>> costs = {
      {}, {0, -1, -1}, {-1, 0, 4}, {5, -1, 0}, {-1, 9223372036854775807, -1}};
  CHECK(read.costs == costs);
  CHECK(read_pools({"", ""}).costs.empty());
  CHECK(read_pools({}).costs.empty());
}

TEST_CASE("csv: refuses pools that are not there and what is no cost") {
  const auto error = [](const std::string& list) {
    const PoolsRead read = read_pools({"sram", list});
    CHECK(read.costs.empty());
    return read.error;
  };
  CHECK(error("dram") == "3:9: pools: no pool has this name: 'dram'");
  CHECK(error("sram a*3") == "3:9: pools: no pool has this name: 'a*3'");
  CHECK(error("Sram*1") == "3:9: pools: no pool has this name: 'Sram*1'");
  CHECK(error("''") == "3:9: pools: no pool has this name: ''''");
  CHECK(error("*5") == "3:9: pools: no pool has this name: '*5'");
  CHECK(error("sram sram*2") == "3:9: pools: pool is listed twice: 'sram*2'");
  CHECK(error("sram*") ==
        "3:9: pools: not of the form name or name*cost: 'sram*'");
  CHECK(error("'sram'5") ==
        "3:9: pools: not of the form name or name*cost: ''sram'5'");
  CHECK(error("'sram") == "3:9: pools: id is not closed by a quote: ''sram'");
  CHECK(error("sram*x") == "3:9: pools: not an integer: 'sram*x'");
  CHECK(error("sram*1.5") == "3:9: pools: not an integer: 'sram*1.5'");
  CHECK(error("sram*-1") == "3:9: pools: cost is negative: 'sram*-1'");
  CHECK(error("sram*9223372036854775808") ==
        "3:9: pools: out of range: 'sram*9223372036854775808'");
}

TEST_CASE("csv: reads the pool that a buffer is in") {
  const auto read = [](const std::string& rows) {
    const CsvTable<> table =
        read_csv("id,lower,upper,size,pool,pools,offset\n" + rows);
    REQUIRE(table.ok());
    snug::Pools<> pools;
    pools.pools.resize(3);
    pools.costs = {{7, 7, 7}};  // to be replaced
    const snug::CsvError error =
        read_csv_pools(table, {"sram", "my dram", "a*3"}, pools);
    return PoolsRead{pools.costs, error.ok() ? "ok" : to_string(error)};
  };
  const PoolsRead some = read(
      "a,0,1,1,my dram,,4\nb,0,1,1,,,\nc,0,1,1,a*3,sram a*3*4,\n"
      "d,0,1,1,  ,sram*2,\ne,0,1,1,\"sram\",,\nf,0,1,1,,,8\n");
  CHECK(some.error == "ok");
  const std::vector<std::vector<std::int64_t>> costs = {
      {-1, 0, -1}, {}, {-1, -1, 4}, {2, -1, -1}, {0, -1, -1}};
  CHECK(some.costs == costs);
  CHECK(read("a,0,1,1,,,4\n").costs.empty());
  const auto error = [&](const std::string& row) {
    const PoolsRead refused = read("a,0,1,1,sram,,\n" + row + "\n");
    CHECK(refused.costs.empty());
    return refused.error;
  };
  CHECK(error("b,0,1,1,dram,,") == "3:9: pool: no pool has this name: 'dram'");
  CHECK(error("b,0,1,1,'my dram',,") ==
        "3:9: pool: no pool has this name: ''my dram''");
  CHECK(error("b,0,1,1,sram ,,") ==
        "3:9: pool: no pool has this name: 'sram '");
  CHECK(error("b,0,1,1,sram,'a*3',") ==
        "3:9: pool: not one of its pools: 'sram'");
  CHECK(error("b,0,1,1,dram,no,") ==
        "3:14: pools: no pool has this name: 'no'");
  CHECK(to_string(read_csv("id,pool,pool,lower,upper,size\n").error) ==
        "1:9: second column for 'pool': 'pool'");
}

TEST_CASE(
    "csv: pools are kept as they are, and written in front of the offset") {
  const std::string text =
      "id,lower,upper,size,pools,pool,offset\n"
      "a,0,3,4,,\"x,y\",0\nb,3,9,4,sram*5 dram,,4\n";
  const CsvTable<> table = read_csv(text);
  REQUIRE(table.ok());
  REQUIRE(table.pools.size() == 1);
  CHECK(table.pools[0].buffer == 1);
  CHECK(table.pools[0].position.line == 3);
  CHECK(table.pools[0].position.column == 9);
  CHECK(table.pools[0].text == "sram*5 dram");
  CHECK(write_csv(table.problem, table.ids, table.columns, {0, 4},
                  {{"pools", {"", table.pools[0].text}}, {"pool", {"x,y"}}}) ==
        text);
  CHECK(error_of("id,lower,upper,size,pools,pools\n") ==
        "1:27: second column for 'pools': 'pools'");
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
  REQUIRE(table.ignored.size() == 3);
  CHECK(table.ignored[0].name == "comment");
  CHECK(table.ignored[1].name == "color");
  CHECK(table.ignored[1].position.line == 1);
  CHECK(table.ignored[1].position.column == 18);
  // One without a name, as spreadsheets leave it, is not worth a word.
  CHECK(read_csv("id,lower,upper,size,,\na,0,1,2,,\n").ignored.empty());
  CHECK(read_csv("id,begin,upper,size,pool,pools\n").ignored.empty());
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
  CHECK(error_of("a,0,1,4\n") ==
        "1:1: no column 'id' in the first line: 'a,0,1,4'");
  CHECK(error_of("id;lower;upper;size\r\na;0;1;4\r\n") ==
        "1:1: no column 'id' in the first line: 'id;lower;upper;size', without "
        "a comma between columns");
  CHECK(error_of("\xEF\xBB\xBFID,LOWER,UPPER,SIZE") ==
        "1:1: no column 'id' in the first line: 'ID,LOWER,UPPER,SIZE'");
  CHECK(error_of("id\tlower\tupper\tsize\n") ==
        "1:1: no column 'id' in the first line: 'id?lower?upper?size', without "
        "a comma between columns");
  CHECK(error_of("id,lower,upper,size\ra,0,1,4\r") ==
        "1:16: a line ends in CR alone: lines must end in LF or CR LF");
  CHECK(error_of("id,lower,upper,size,offset\ra,0,1,4,0\r") ==
        "1:21: a line ends in CR alone: lines must end in LF or CR LF");
  CHECK(error_of("id,\"in\r\ntwo\",lower,upper,size\r\n") == "ok");
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
    CHECK(error_of(digits) == "1:1: no column 'id' in the first line: '" +
                                  digits.substr(0, 40) +
                                  "...', without a comma between columns");
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
    CHECK(error_of(header + "\n") ==
          "1:1: no column 'id' in the first line: '" + header.substr(0, 40) +
              "...'");
    CHECK(error_of(std::string(100000, ',')) ==
          "1:1: no column 'id' in the first line: '" + std::string(40, ',') +
              "...'");
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
    const std::string relations =
        "id,lower,upper,size,alias,apart,follows,memory_end\n"
        "\"a 'b\",0,9,8,,,c,top\nc,0,4,2,'a ''b'-4 c+0,c 'a ''b',,\n";
    REQUIRE(error_of(text) == "ok");
    REQUIRE(error_of(relations) == "ok");
    std::size_t refused = 0;
    for (std::size_t length = 0; length < text.size(); ++length)
      refused += error_of(text.substr(0, length)) != "ok" ? 1U : 0U;
    CHECK(refused > 40);
    for (const std::string& good : {text, relations})
      for (std::size_t at = 0; at < good.size(); ++at)
        for (const char c :
             {'\0', ',', '"', '\'', '\n', '\r', '-', '+', '9', '\x80'}) {
          std::string wrong = good;
          wrong[at] = c;
          refused += error_of(wrong) != "ok" ? 1U : 0U;
        }
    CHECK(refused > 1000);
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
        "id,start,end,size,alignment,hint,gaps,offset\n"
        "a,0,9,12,4,16,1-1@0:2 3-3,8\nb,2,4,2,1,-1,,32\n");
  CHECK(write_csv(table.problem, table.ids, table.columns) ==
        "id,start,end,size,alignment,hint,gaps,offset\n"
        "a,0,9,12,4,16,1-1@0:2 3-3,8\nb,2,4,2,1,-1,,-1\n");
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

TEST_CASE("csv: inclusive ends are written as they were read") {
  const std::string text =
      "id,start,end,size,gaps\n"
      "a,0,2,4,1-1 2-2@0:1\nb,-9,-9,4,\nc,-9223372036854775808,"
      "9223372036854775806,4,-9223372036854775808--9223372036854775808\n";
  const CsvTable<> table = read_csv(text);
  REQUIRE(table.ok());
  CHECK(table.columns.inclusive);
  CHECK(write_csv(table.problem, table.ids, table.columns) == text);
  CsvColumns columns = table.columns;
  columns.inclusive = false;
  const CsvTable<> half_open =
      read_csv(write_csv(table.problem, table.ids, columns));
  REQUIRE(half_open.ok());
  CHECK_FALSE(half_open.columns.inclusive);
  check_same(half_open.problem, table.problem);
  // What is no lifespan does not overflow either.
  Problem<> bad;
  bad.buffers.push_back({{5, (std::numeric_limits<std::int64_t>::min)()}, 4});
  columns = {};
  columns.inclusive = true;
  CHECK(write_csv(bad, {}, columns) ==
        "id,start,end,size\n0,5,-9223372036854775808,4\n");
}

TEST_CASE("csv: what check() refuses has a line, a column and words") {
  const auto error = [](const std::string& text, std::int64_t reserve = 0) {
    CsvTable<> table = read_csv(text);
    REQUIRE(table.ok());
    if (reserve != 0) table.problem.reserved = {{{reserve, reserve + 2}}};
    const snug::CsvError found =
        snug::locate(text, table, snug::check(table.problem));
    return found.ok() ? "ok" : to_string(found);
  };
  CHECK(error(kHeader + "a,0,3,4\n") == "ok");
  CHECK(error(kHeader + "a,0,3,4\nb,0,3, -4\n") ==
        "3:7: buffer 'b': size is negative");
  CHECK(error("size,upper,lower,id\n4,0,3,a\n") ==
        "2:3: buffer 'a': lifespan is empty: lower must be below upper");
  // One size that is too large, and two that are so together.
  CHECK(error(kHeader + "a,0,3,9223372036854775807\n") ==
        "2:7: buffer 'a': size is too large: more than 2^62");
  CHECK(error(kHeader + "a,0,3,3000000000000000000\n"
                        "b,0,3,3000000000000000000\n") ==
        "3:7: buffer 'b': sum of sizes up to this buffer, with alignment, "
        "overflows");
  // Line feeds in names; the first of two that is wrong, though further down.
  CHECK(error("\xEF\xBB\xBFid,note,lower,upper,size,offset\r\n"
              "\"a\nb\",\"x\ny\",0,3,4,4\r\n\"c\",,1,2,4,\"6\"\r\n") ==
        "4:10: buffer 'a?b': fixed offsets conflict (buffer 'c')");
  CHECK(error("id,lower,upper,size,offset\na,0,3,4,4\n", 7) ==
        "2:9: buffer 'a': fixed offset occupies reserved bytes (reserved range "
        "7-9)");
  // The row that says so, which is not that of the buffer at fault.
  CHECK(error("id,lower,upper,size,alias,apart\n"
              "a,0,3,4,b,\nb,0,3,4,,c\nc,0,3,4,,\nd,0,3,4,,d\n") ==
        "5:10: buffer 'd': pair of a buffer with itself");
  CHECK(error("id,lower,upper,size,follows\na,0,3,4,b\nb,0,3,4,a\n") ==
        "3:9: buffer 'b': aliases and contiguous groups contradict each other "
        "(buffer 'a')");
  // Its offset comes from another row: there is no field to blame.
  CHECK(error("id,lower,upper,size,alias,offset\na,0,3,4,,0\nb,0,3,4,a+4,\n"
              "c,0,3,4,,6\n") ==
        "3:1: buffer 'b': fixed offsets conflict (buffer 'c')");
  // No row is to blame.
  CsvTable<> table = read_csv(kHeader + "a,0,3,4\n");
  table.problem.reserved = {{{4, 2}}};
  const snug::CsvError found =
      snug::locate(kHeader, table, snug::check(table.problem));
  CHECK(found.position.line == 0);
  CHECK(found.message ==
        "reserved range is empty or reaches below zero (reserved range 4-2)");
  table.problem.reserved = {};
  table.problem.base = (std::numeric_limits<std::int64_t>::max)();
  CHECK(snug::locate(kHeader, table, snug::check(table.problem)).message ==
        "base offset of the problem is too large: more than 2^62");
  // Another text is none of our business, but does no harm.
  table.problem = {};
  for (const std::string text : {"", "id", "\"", "size\n\"", "size\n"})
    CHECK(snug::locate(text, table,
                       snug::Check::of_buffer(snug::Reason::kNegativeSize, 0))
              .position.line == 2);
}

TEST_CASE("csv: rows without an id get one that no other row has") {
  Problem<> problem;
  problem.buffers.assign(5, {{0, 3}, 4});
  problem.aliases = {{0, 3, 4}, {4, 2, -1}};
  problem.apart = {{1, 3}};
  for (const std::vector<std::string>& ids :
       {std::vector<std::string>{}, std::vector<std::string>{"4", "3"},
        std::vector<std::string>{"3", "3_", "4_"},
        std::vector<std::string>{"2+4", "4", "3-1", "3_-1"}}) {
    const std::string text = text_of(problem, ids);
    CAPTURE(text);
    const CsvTable<> table = read_csv(text);
    REQUIRE(table.ok());
    check_same(table.problem, problem);
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(table.ids[i] == ids[i]);
  }
  CHECK(read_csv(text_of(problem, {"3", "3_", "4_"})).ids ==
        std::vector<std::string>{"3", "3_", "4_", "3__", "4"});
  CHECK(read_csv(text_of(problem, {})).ids[4] == "4");
  // More than there are rows are left alone.
  problem.buffers.resize(1);
  problem.aliases.clear();
  problem.apart.clear();
  CHECK(text_of(problem, {"a", "b"}) == kHeader + "a,0,3,4\n");
}

TEST_CASE("csv: ids that no table may have get one that it may") {
  Problem<> problem;
  problem.buffers.assign(5, {{0, 3}, 4});
  problem.aliases = {{0, 1, 4}, {4, 3, -1}};
  problem.apart = {{1, 2}};
  const std::string nul(1, '\0');
  const std::string mark = "\xEF\xBF\xBD";
  const std::string text = write_csv(
      problem, {"a" + nul + "b", nul + nul, "a" + mark + "b", "c", "c"},
      columns_of(problem), {}, {{nul + "x", {"", "y" + nul, nul + ",\""}}});
  CAPTURE(text);
  const CsvTable<> table = read_csv(text);
  REQUIRE(table.ok());
  check_same(table.problem, problem);
  CHECK(table.ids == std::vector<std::string>{"a" + mark + "b", mark + mark,
                                              "a" + mark + "b#2", "c", "c#4"});
  REQUIRE(table.ignored.size() == 1);
  CHECK(table.ignored[0].name == mark + "x");
}

TEST_CASE("csv: writes the whole model") {
  Problem<> problem;
  problem.buffers.resize(4);
  for (snug::Buffer<>& buffer : problem.buffers) buffer.lifespan = {0, 2};
  problem.buffers[0].end = snug::End::kTop;
  problem.buffers[3].end = snug::End::kBottom;
  problem.aliases = {{1, 0, 4}, {1, 3, -4}, {2, 0, 0}};
  problem.contiguous = {{2, 0, 3}, {1}, {}};
  problem.apart = {{3, 1}, {3, 2}};
  problem.may_overlap = {{0, 1}};
  const std::vector<std::string> ids = {"t", "u v", "t+4", "w"};
  const std::string header =
      "id,lower,upper,size,alias,follows,apart,may_overlap,memory_end";
  CHECK(text_of(problem, ids) ==
        header +
            "\nt,0,2,0,,t+4,,'u v',top\nu v,0,2,0,'t'+4 w-4,,,,\n"
            "t+4,0,2,0,t,,,,\nw,0,2,0,,t,'u v' t+4,,bottom\n");
  const CsvTable<> table = read_csv(text_of(problem, ids));
  REQUIRE(table.ok());
  check_same(table.problem, problem);
  CHECK(write_csv(table.problem, ids, table.columns, {1, 2, 3, 4}) ==
        header +
            ",offset\nt,0,2,0,,t+4,,'u v',top,1\nu v,0,2,0,'t'+4 w-4,,,,,2\n"
            "t+4,0,2,0,t,,,,,3\nw,0,2,0,,t,'u v' t+4,,bottom,4\n");
  // Ids that are left out are indices, in lists too.
  CHECK(write_csv(problem).find("\n2,0,2,0,0,,,,\n") != std::string::npos);
}

TEST_CASE("csv: writes nothing for what refers to no buffer") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 1}};
  problem.aliases = {{0, 9, 0}, {9, 0, 0}};
  problem.contiguous = {{0, 1, 0}};
  problem.apart = {{0, 1}, {1, 0}};
  problem.may_overlap = {{7, 0}, {0, 7}};
  CHECK(write_csv(problem) ==
        "id,lower,upper,size,alias,follows,apart,may_overlap\n0,0,2,1,,,,\n");
}

TEST_CASE("csv: relations between rows of any names read back the same") {
  Random random(77);
  const std::string letters = "tt112+--' ,\"\n\t";
  std::size_t relations = 0;
  for (int round = 0; round < effort(2000); ++round) {
    const auto pick = [&](std::size_t count) {
      return random.between(std::size_t{0}, count - 1);
    };
    const std::size_t n = 1 + pick(9);
    std::vector<std::string> ids;
    while (ids.size() < n) {
      std::string id;
      for (std::size_t length = pick(6); length > 0; --length)
        id += letters[pick(letters.size())];
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    Problem<> problem;
    problem.buffers.resize(n);
    for (int k = 0; k < 6; ++k) {
      problem.aliases.push_back(
          {pick(n), pick(n),
           random.between(std::int64_t{-21}, std::int64_t{21})});
      problem.contiguous.push_back({pick(n), pick(n), pick(n)});
      problem.apart.push_back({pick(n), pick(n)});
      problem.may_overlap.push_back({pick(n), pick(n)});
    }
    snug::detail::remove_repeated(problem.apart);
    snug::detail::remove_repeated(problem.may_overlap);
    const std::string text = text_of(problem, ids);
    const CsvTable<> table = read_csv(text);
    CAPTURE(round, text, table.error.message);
    REQUIRE(table.ok());
    REQUIRE(table.ids == ids);
    REQUIRE(relations_of(table.problem) == relations_of(problem));
    REQUIRE(text_of(table.problem, ids) == text);
    relations += relations_of(problem).size();
  }
  CHECK(relations > at_least(30000U));
}

TEST_CASE("csv: several penalties of a pair are written as their sum") {
  Problem<> problem;
  problem.buffers.assign(3, {{0, 3}, 4});
  problem.penalties = {{0, 2, 2}, {1, 0, 7}, {2, 0, 3}, {0, 2, 0}};
  const std::string header = "id,lower,upper,size,penalty\n";
  CHECK(write_csv(problem) == header + "0,0,3,4,2*5\n1,0,3,4,0*7\n2,0,3,4,\n");
  // In the text a pair may stand on both rows, and is one penalty then.
  const CsvTable<> both =
      read_csv(header + "0,0,3,4,2*5\n1,0,3,4,\n2,0,3,4,0*5\n");
  REQUIRE(both.problem.penalties.size() == 1);
  CHECK(both.problem.penalties[0].cost == 5);
  // What is refused before is refused afterwards.
  constexpr auto kMost = (std::numeric_limits<std::int64_t>::max)();
  problem.penalties = {{0, 1, kMost}, {1, 0, 1}};
  CHECK(write_csv(problem).find("1*9223372036854775807\n") !=
        std::string::npos);
  problem.penalties = {{0, 1, 3}, {1, 0, -1}, {0, 1, 9}};
  CHECK(write_csv(problem).find("1*-1\n") != std::string::npos);
}

TEST_CASE("csv: the cost of a placement is the same when it is read back") {
  Random random(78);
  std::int64_t total = 0;
  for (int round = 0; round < effort(500); ++round) {
    const auto pick = [&](std::size_t count) {
      return random.between(std::size_t{0}, count - 1);
    };
    const std::size_t n = 2 + pick(4);
    Problem<> problem;
    problem.buffers.assign(n, {{0, 3}, 4});
    for (std::size_t k = pick(12); k > 0; --k) {
      const std::size_t first = pick(n);
      problem.penalties.push_back(
          {first, (first + 1 + pick(n - 1)) % n,
           random.between(std::int64_t{0}, std::int64_t{9})});
    }
    const std::string text = write_csv(problem);
    const CsvTable<> table = read_csv(text);
    CAPTURE(round, text, table.error.message);
    REQUIRE(table.ok());
    CHECK(write_csv(table.problem) == text);
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < n; ++i)
      offsets.push_back(random.between(std::int64_t{0}, std::int64_t{8}));
    const std::int64_t cost = snug::penalty_cost(problem, offsets);
    CHECK(snug::penalty_cost(table.problem, offsets) == cost);
    total += cost;
  }
  CHECK(total > at_least(2000));
}

TEST_CASE("csv: rows are found by id") {
  std::vector<std::string> ids;
  for (int i = 0; i < 3000; ++i) ids.push_back(std::to_string(i * 7919 % 3001));
  const snug::detail::Ids index(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(index.find(ids[i]) == i);
  CHECK(index.find("3001") == snug::detail::Ids::kNoRow);
  CHECK(index.find("") == snug::detail::Ids::kNoRow);
  CHECK(index.find_duplicate() == std::pair{ids.size(), ids.size()});
  ids = {"b", "a", "a", "b", "a"};
  const snug::detail::Ids repeated(ids);
  CHECK(repeated.find("a") == 1);
  CHECK(repeated.find_duplicate() == std::pair{std::size_t{2}, std::size_t{1}});
  ids.clear();
  CHECK(snug::detail::Ids(ids).find("") == snug::detail::Ids::kNoRow);
}

TEST_CASE("csv: columns_of finds what a problem needs") {
  Problem<> problem;
  problem.buffers.resize(1);
  const auto count = [&] {
    const CsvColumns columns = columns_of(problem);
    return int{columns.alignment} + int{columns.hint} + int{columns.gaps} +
           int{columns.alias} + int{columns.follows} + int{columns.apart} +
           int{columns.may_overlap} + int{columns.memory_end} +
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
  problem.aliases.resize(1);
  CHECK(columns_of(problem).alias);
  CHECK(count() == 5);
  problem.contiguous.resize(1);
  CHECK(columns_of(problem).follows);
  CHECK(count() == 6);
  problem.apart.resize(1);
  CHECK(columns_of(problem).apart);
  CHECK(count() == 7);
  problem.may_overlap.resize(1);
  CHECK(columns_of(problem).may_overlap);
  CHECK(count() == 8);
  problem.buffers[0].end = snug::End::kBottom;
  CHECK(columns_of(problem).memory_end);
  CHECK(count() == 9);
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

}  // namespace csv_test
