// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/json.hpp"

#include "snug/model/interval.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/schedule.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json_test {

namespace {

using namespace snug::testing;
using snug::Interval;
using snug::Problem;
using snug::read_json;
using snug::read_json_schedule;
using snug::write_json;
using Bytes = Interval<std::int64_t>;

template <class Size = std::int64_t, class Time = std::int64_t>
std::string error_of(std::string_view text) {
  const auto read = read_json<Size, Time>(text);
  CHECK(read.ok() == read.error.message.empty());
  if (read.ok()) return "ok";
  CHECK(read.problem.buffers.empty());
  CHECK(read.ids.empty());
  CHECK_FALSE(read.capacity);
  CHECK(read.pools.pools.empty());
  return to_string(read.error);
}

std::string schedule_error_of(std::string_view text) {
  const snug::JsonSchedule read = read_json_schedule(text);
  if (read.ok()) return "ok";
  CHECK(read.schedule.tensors.empty());
  CHECK(read.schedule.operators.empty());
  return to_string(read.error);
}

/// The error of a problem with one buffer that is `buffer`.
std::string buffer_error_of(const std::string& buffer) {
  return error_of("{\"buffers\":[" + buffer + "]}");
}

/// The id that is written as `text` in the quotes.
std::string id_of(const std::string& text) {
  const auto read = read_json("{\"buffers\":[{\"id\":\"" + text +
                              "\",\"lower\":0,\"upper\":1,\"size\":1}]}");
  if (!read.ok()) return to_string(read.error);
  return read.ids.at(0);
}

const std::string kWhole = R"({
  "capacity": 4096, "base": 16, "alignment": 4,
  "reserved": [{"lower": 48, "upper": 64},
               {"to": 6, "from": 4, "lower": 96, "upper": 112}],
  "aliases": [{"of": "a", "buffer": "b", "delta": -8},
              {"buffer": 2, "of": "d"}],
  "_host": {"anything": [1.5e3, null, true, "x", {"deep": [[]]}]},
  "buffers": [
    {"id": "a", "lower": -3, "upper": 9, "size": 64, "alignment": 16,
     "offset": 128, "hint": 0, "end": "bottom",
     "gaps": [{"lower": 2, "upper": 4},
              {"upper": 6, "lower": 5, "window": [0, 16]}]},
    {"upper": 12, "lower": 8, "id": "b", "size": 0, "end": "top"},
    {"id": "c", "lower": 0, "upper": 1, "size": 1, "offset": null,
     "hint": null, "end": "any", "_kind": "weights"},
    {"id": "d", "lower": 0, "upper": 1, "size": 1},
    {"lower": 0, "upper": 1, "size": 1}],
  "contiguous": [["c", "d", 4], []],
  "apart": [["a", 1]], "may_overlap": [["4", "c"], [0, "d"]],
  "result": {"offsets": [1, 2]}
})";

}  // namespace

TEST_CASE("json: reads the whole model") {
  const auto read = read_json(kWhole);
  CAPTURE(to_string(read.error));
  REQUIRE(read.ok());
  CHECK(read.capacity == std::optional<std::int64_t>{4096});
  CHECK(read.ids == std::vector<std::string>{"a", "b", "c", "d", "4"});
  CHECK(read.positions[0].line == 9);
  CHECK(read.positions[0].column == 5);
  const Problem<>& problem = read.problem;
  CHECK(problem.base == 16);
  CHECK(problem.alignment == 4);
  REQUIRE(problem.reserved.size() == 2);
  CHECK(problem.reserved[0].bytes == Bytes{48, 64});
  CHECK_FALSE(problem.reserved[0].lifespan);
  CHECK(problem.reserved[1].bytes == Bytes{96, 112});
  CHECK(problem.reserved[1].lifespan == std::optional<Bytes>{{4, 6}});
  REQUIRE(problem.buffers.size() == 5);
  const auto& a = problem.buffers[0];
  CHECK(a.lifespan == Bytes{-3, 9});
  CHECK(a.size == 64);
  CHECK(a.alignment == 16);
  CHECK(a.offset == std::optional<std::int64_t>{128});
  CHECK(a.hint == std::optional<std::int64_t>{0});
  CHECK(a.end == snug::End::kBottom);
  REQUIRE(a.gaps.size() == 2);
  CHECK(a.gaps[0].lifespan == Bytes{2, 4});
  CHECK_FALSE(a.gaps[0].window);
  CHECK(a.gaps[1].lifespan == Bytes{5, 6});
  CHECK(a.gaps[1].window == std::optional<Bytes>{{0, 16}});
  CHECK(problem.buffers[1].end == snug::End::kTop);
  CHECK(problem.buffers[1].lifespan == Bytes{8, 12});
  CHECK(problem.buffers[2].alignment == 1);
  CHECK_FALSE(problem.buffers[2].offset);
  CHECK_FALSE(problem.buffers[2].hint);
  REQUIRE(problem.aliases.size() == 2);
  CHECK(problem.aliases[0].buffer == 1);
  CHECK(problem.aliases[0].of == 0);
  CHECK(problem.aliases[0].delta == -8);
  CHECK(problem.aliases[1].buffer == 2);
  CHECK(problem.aliases[1].of == 3);
  CHECK(problem.aliases[1].delta == 0);
  CHECK(problem.contiguous ==
        std::vector<std::vector<std::size_t>>{{2, 3, 4}, {}});
  REQUIRE(problem.apart.size() == 1);
  CHECK(problem.apart[0].first == 0);
  CHECK(problem.apart[0].second == 1);
  REQUIRE(problem.may_overlap.size() == 2);
  CHECK(problem.may_overlap[0].first == 4);
  CHECK(problem.may_overlap[0].second == 2);
}

TEST_CASE("json: writes what it reads") {
  const auto read = read_json(kWhole);
  REQUIRE(read.ok());
  const std::string text = write_json(read.problem, read.ids, read.capacity);
  const auto again = read_json(text);
  CAPTURE(text, to_string(again.error));
  REQUIRE(again.ok());
  CHECK(write_json(again.problem, again.ids, again.capacity) == text);
  CHECK(again.ids == read.ids);
  CHECK(text ==
        R"({"capacity":4096,"base":16,"alignment":4,"buffers":[
{"id":"a","lower":-3,"upper":9,"size":64,"alignment":16,"offset":128,"hint":0,"end":"bottom","gaps":[{"lower":2,"upper":4},{"lower":5,"upper":6,"window":[0,16]}]},
{"id":"b","lower":8,"upper":12,"size":0,"end":"top"},
{"id":"c","lower":0,"upper":1,"size":1},
{"id":"d","lower":0,"upper":1,"size":1},
{"id":"4","lower":0,"upper":1,"size":1}],
"aliases":[{"buffer":"b","of":"a","delta":-8},{"buffer":"c","of":"d"}],
"contiguous":[["c","d","4"],[]],
"apart":[["a","b"]],
"may_overlap":[["4","c"],["a","d"]],
"reserved":[{"lower":48,"upper":64},{"lower":96,"upper":112,"from":4,"to":6}]}
)");
}

TEST_CASE("json: writes without ids") {
  Problem<> problem;
  CHECK(write_json(problem) == "{\"buffers\":[]}\n");
  problem.buffers.push_back({{0, 3}, 4});
  problem.buffers.push_back({{3, 9}, 4});
  problem.aliases.push_back({1, 0, 2});
  const std::string text = write_json(problem, {}, 12);
  CHECK(text ==
        "{\"capacity\":12,\"buffers\":[\n{\"lower\":0,\"upper\":3,\"size\":4},"
        "\n{\"lower\":3,\"upper\":9,\"size\":4}],\n"
        "\"aliases\":[{\"buffer\":1,\"of\":0,\"delta\":2}]}\n");
  const auto read = read_json(text);
  REQUIRE(read.ok());
  CHECK(read.ids == std::vector<std::string>{"0", "1"});
  CHECK(read.problem.aliases[0].buffer == 1);
}

TEST_CASE("json: what has no name gets one that nothing else has") {
  Problem<> problem;
  problem.buffers.assign(4, {{0, 3}, 4});
  problem.aliases.push_back({0, 1, 2});
  problem.apart = {{3, 2}};
  for (const std::vector<std::string>& ids : {std::vector<std::string>{"1"},
                                              {"2", "2_"},
                                              {"3", "x", "2__"},
                                              {"", "0", "3"}}) {
    const std::string text = write_json(problem, ids);
    const auto read = read_json(text);
    CAPTURE(text, to_string(read.error));
    REQUIRE(read.ok());
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(read.ids[i] == ids[i]);
    REQUIRE(read.problem.aliases.size() == 1);
    CHECK(read.problem.aliases[0].buffer == 0);
    CHECK(read.problem.aliases[0].of == 1);
    REQUIRE(read.problem.apart.size() == 1);
    CHECK(read.problem.apart[0].first == 3);
    CHECK(read.problem.apart[0].second == 2);
  }
  CHECK(read_json(write_json(problem, {"2", "2_"})).ids ==
        std::vector<std::string>{"2", "2_", "2__", "3"});
  CHECK(read_json(write_json(problem, {"a", ""})).ids[1].empty());

  snug::Pools<> pools;
  pools.pools.resize(3);
  pools.costs.assign(4, {-1, 0, 7});
  snug::AssignResult<> result;
  result.pools = {1, 1, 2, 1};
  for (const bool with_result : {false, true}) {
    const std::string text =
        with_result ? write_json(problem, {"1"}, pools, {"2", "1"}, result)
                    : write_json(problem, {"1"}, pools, {"2", "1"});
    const auto read = read_json(text);
    CAPTURE(text, to_string(read.error));
    REQUIRE(read.ok());
    CHECK(read.pool_names == std::vector<std::string>{"2", "1", "2_"});
    CHECK(read.pools.costs == pools.costs);
    CHECK((text.find(R"("pools":["1","1","2_","1"])") != std::string::npos) ==
          with_result);
  }

  snug::Schedule schedule;
  schedule.tensors.resize(3);
  schedule.tensors[0].name = "1";
  schedule.tensors[1].parent = 2;
  schedule.operators.resize(2);
  schedule.operators[0].outputs = {1};
  schedule.operators[1].inputs = {1};
  schedule.operators[1].name = "0";
  schedule.dependencies = {{0, 1}};
  const std::string text = write_json(schedule);
  const snug::JsonSchedule read = read_json_schedule(text);
  CAPTURE(text, to_string(read.error));
  REQUIRE(read.ok());
  CHECK(read.schedule.tensors[1].name == "1_");
  CHECK(read.schedule.tensors[1].parent == 2);
  CHECK(read.schedule.operators[0].name == "0_");
  CHECK(read.schedule.operators[1].inputs == std::vector<std::size_t>{1});
  CHECK(read.schedule.dependencies[0].before == 0);
}

TEST_CASE("json: names that the text would make the same stay apart") {
  Problem<> problem;
  problem.buffers.assign(6, {{0, 3}, 4});
  problem.apart = {{0, 1}, {1, 2}, {4, 5}};
  const std::vector<std::string> ids = {
      "\xE9", "\xE8", "\xEF\xBF\xBD", "a", "\xEF\xBF\xBD#1", "a"};
  const std::string bad = "\xEF\xBF\xBD";  // U+FFFD
  const auto read = read_json(write_json(problem, ids));
  CAPTURE(to_string(read.error));
  REQUIRE(read.ok());
  CHECK(read.ids == std::vector<std::string>{bad, bad + "#1_", bad + "#2", "a",
                                             bad + "#1", "a#5"});
  REQUIRE(read.problem.apart.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(read.problem.apart[k].first == problem.apart[k].first);
    CHECK(read.problem.apart[k].second == problem.apart[k].second);
  }

  snug::Pools<> pools;
  pools.pools.resize(2);
  pools.costs.assign(6, {-1, 7});
  const auto divided =
      read_json(write_json(problem, ids, pools, {"\xFF", "\xFE"}));
  CHECK(divided.pool_names == std::vector<std::string>{bad, bad + "#1"});
  CHECK(divided.pools.costs == pools.costs);

  snug::Schedule schedule;
  schedule.tensors.resize(4);
  schedule.tensors[0].name = schedule.tensors[1].name = "x";
  schedule.operators.resize(1);
  schedule.operators[0].inputs = {1, 3};
  const auto planned = read_json_schedule(write_json(schedule));
  REQUIRE(planned.ok());
  CHECK(planned.schedule.tensors[1].name == "x#1");
  CHECK(planned.schedule.tensors[3].name == "3");
  CHECK(planned.schedule.operators[0].inputs == std::vector<std::size_t>{1, 3});
}

TEST_CASE("json: reads and writes penalties") {
  const auto text = [](const std::string& penalties) {
    return R"({"buffers":[
{"id":"a","lower":0,"upper":3,"size":4},
{"id":"b","lower":3,"upper":9,"size":4}],
"penalties":[)" +
           penalties + "]}\n";
  };
  const std::string written =
      text(R"({"first":"b","second":"a","cost":5},)"
           R"({"first":"a","second":"b","cost":9223372036854775807})");
  const auto read = read_json(written);
  CAPTURE(to_string(read.error));
  REQUIRE(read.ok());
  REQUIRE(read.problem.penalties.size() == 2);
  CHECK(read.problem.penalties[0].first == 1);
  CHECK(read.problem.penalties[0].second == 0);
  CHECK(read.problem.penalties[0].cost == 5);
  CHECK(read.problem.penalties[1].cost ==
        (std::numeric_limits<std::int64_t>::max)());
  CHECK(write_json(read.problem, read.ids) == written);
  CHECK(error_of(text(R"({"cost":1,"second":0,"first":1})")) == "ok");
  CHECK(error_of(text(R"({"first":"a","second":"b"})")) ==
        "4:14: no key 'cost'");
  CHECK(error_of(text(R"({"first":"a","second":"c","cost":1})")) ==
        "4:36: no buffer has this name: 'c'");
  CHECK(error_of(text(R"({"first":2,"second":"a","cost":1})")) ==
        "4:23: no buffer has this index");
}

TEST_CASE("json: reads and writes pools") {
  const std::string written = R"({"pools":[
{"name":"sram","capacity":65536,"base":16,"alignment":8,"cost_per_byte":2,"reserved":[{"lower":0,"upper":64},{"lower":96,"upper":112,"from":4,"to":6}]},
{"name":"dram"},
{"name":"2","capacity":0}],
"buffers":[
{"id":"a","lower":0,"upper":3,"size":4,"pools":["dram",{"pool":"2","cost":40}]},
{"id":"b","lower":3,"upper":9,"size":4},
{"id":"c","lower":3,"upper":9,"size":4,"pools":[{"pool":"sram","cost":null}]}],
"apart":[["a","b"]]}
)";
  const auto read = read_json(written);
  CAPTURE(to_string(read.error));
  REQUIRE(read.ok());
  CHECK(read.pool_names == std::vector<std::string>{"sram", "dram", "2"});
  CHECK(read.pool_positions[1].line == 3);
  REQUIRE(read.pools.pools.size() == 3);
  const snug::Pool<>& sram = read.pools.pools[0];
  CHECK(sram.capacity == 65536);
  CHECK(sram.base == 16);
  CHECK(sram.alignment == 8);
  CHECK(sram.cost_per_byte == 2);
  REQUIRE(sram.reserved.size() == 2);
  CHECK(sram.reserved[1].bytes == Bytes{96, 112});
  CHECK(sram.reserved[1].lifespan == std::optional<Bytes>{{4, 6}});
  CHECK(read.pools.pools[1].capacity ==
        (std::numeric_limits<std::int64_t>::max)());
  CHECK(read.pools.pools[1].alignment == 1);
  constexpr std::int64_t kNever = snug::Pools<>::kNever;
  CHECK(read.pools.costs == std::vector<std::vector<std::int64_t>>{
                                {kNever, 0, 40}, {}, {kNever, kNever, kNever}});
  CHECK(write_json(read.problem, read.ids, read.pools, read.pool_names) ==
        written);

  // Without names, before the pools, and the other ways to say the same.
  const auto plain = read_json(
      R"({"buffers":[{"lower":0,"upper":3,"size":4,
                      "pools":[{"cost":40,"pool":2},{"pool":"dram"}]}],
          "pools":[{},{"capacity":null,"name":"dram"},{}]})");
  CAPTURE(to_string(plain.error));
  REQUIRE(plain.ok());
  CHECK(plain.pool_names == std::vector<std::string>{"0", "dram", "2"});
  REQUIRE(plain.pools.costs.size() == 1);
  CHECK(plain.pools.costs[0] == std::vector<std::int64_t>{kNever, 0, 40});
  CHECK(write_json(plain.problem, {}, plain.pools, {}) ==
        "{\"pools\":[\n{},\n{},\n{}],\n\"buffers\":[\n{\"lower\":0,\"upper\":3,"
        "\"size\":4,\"pools\":[1,{\"pool\":2,\"cost\":40}]}]}\n");
  CHECK(read_json(R"({"buffers":[],"base":1,"pools":[]})").pools.pools.empty());
  // Also without pools, a capacity of null is none.
  const auto endless = read_json(R"({"buffers":[],"capacity":null})");
  REQUIRE(endless.ok());
  CHECK_FALSE(endless.capacity);

  // An empty list means any, as in Pools::costs and in CSV.
  const auto any = read_json(
      R"({"buffers":[{"lower":0,"upper":3,"size":4,"pools":[]}],"pools":[{}]})");
  REQUIRE(any.ok());
  CHECK(any.pools.costs.empty());
}

TEST_CASE("json: refuses bad pools with line and column") {
  const auto with = [](const std::string& pools, const std::string& choices) {
    return error_of("{\"pools\":[" + pools +
                    "],\n\"buffers\":[{\"lower\":0,\"upper\":1,\"size\":1,"
                    "\"pools\":[" +
                    choices + "]}]}");
  };
  CHECK(with("{\"name\":\"a\"}", "\"a\"") == "ok");
  CHECK(with("{\"name\":\"a\"},\n{\"name\":\"a\"}", "") ==
        "2:1: pool 'a' is also that in line 1");
  CHECK(with("{\"name\":\"1\"},{}", "") ==
        "1:24: pool '1' is also that in line 1");
  CHECK(with("{\"size\":1}", "") == "1:12: unknown key 'size'");
  CHECK(with("{\"capacity\":1.5}", "") ==
        "1:23: not an integer: a fraction or an exponent");
  CHECK(with("{\"reserved\":[{\"lower\":1}]}", "") == "1:24: no key 'upper'");
  CHECK(with("{}", "\"a\"") == "2:51: no pool has this name: 'a'");
  CHECK(with("{}", "1") == "2:51: no pool has this index");
  CHECK(with("", "0") == "2:51: no pool has this index");
  CHECK(with("{}", "0,\"0\"") == "2:53: pool is listed twice");
  CHECK(with("{}", "{\"pool\":0,\"cost\":null},0") ==
        "2:74: pool is listed twice");
  CHECK(with("{}", "{\"pool\":0,\"cost\":nil}").find("2:68: ") == 0);
  CHECK(with("{}", "{\"pool\":0,\"cost\":-1}") == "2:68: cost is negative");
  CHECK(with("{}", "{\"cost\":1}") == "2:51: no key 'pool'");
  CHECK(with("{}", "null") == "2:51: expected a name or an index");
  const auto beside = [](const std::string& key) {
    return error_of("{" + key + ",\"buffers\":[],\"pools\":[{}]}");
  };
  CHECK(beside("\"_capacity\":1") == "ok");
  CHECK(beside("\"capacity\":1") ==
        "1:13: 'capacity' beside 'pools': each has its own");
  CHECK(beside("\"base\":0") == "1:9: 'base' beside 'pools': each has its own");
  CHECK(beside("\"alignment\":1") ==
        "1:14: 'alignment' beside 'pools': each has its own");
  CHECK(beside("\"reserved\":[]") ==
        "1:13: 'reserved' beside 'pools': each has its own");
}

TEST_CASE("json: round trips of random pools") {
  Random random(12);
  int solved = 0;
  for (int k = 0; k < effort(300); ++k) {
    Problem<> problem = uniform(Shape{}, random);
    add_constraints(problem, random);
    for (auto& buffer : problem.buffers) buffer.offset.reset();
    snug::Pools<> pools;
    for (std::size_t p = random.between<std::size_t>(1, 3); p > 0; --p) {
      snug::Pool<>& pool = pools.pools.emplace_back();
      pool.capacity = random.chance(30)
                          ? (std::numeric_limits<std::int64_t>::max)()
                          : random.between<std::int64_t>(0, 60);
      pool.base = random.between<std::int64_t>(0, 1);
      pool.alignment = random.between<std::int64_t>(1, 2);
      pool.cost_per_byte = random.between<std::int64_t>(0, 3);
      if (random.chance(30)) pool.reserved.push_back({{2, 5}, {{0, 2}}});
    }
    pools.costs.resize(problem.buffers.size());
    for (auto& costs : pools.costs)
      for (std::size_t p = 0; random.chance(80) && p < pools.pools.size(); ++p)
        costs.resize(pools.pools.size(),
                     random.between<std::int64_t>(snug::Pools<>::kNever, 5));
    const std::string text = write_json(problem, {}, pools, {});
    const auto read = read_json(text);
    CAPTURE(text, to_string(read.error));
    REQUIRE(read.ok());
    CHECK(write_json(read.problem, {}, read.pools, {}) == text);
    // The same input has the same answer.
    snug::Options options;
    options.node_limit = 300;
    const auto a = snug::assign(problem, pools, options);
    const auto b = snug::assign(read.problem, read.pools, options);
    CHECK(a.status == b.status);
    CHECK(a.pools == b.pools);
    CHECK(a.offsets == b.offsets);
    CHECK(a.cost == b.cost);
    CHECK(a.cost_bound == b.cost_bound);
    solved += a.has_solution() ? 1 : 0;
  }
  CHECK(solved > at_least(50));
}

TEST_CASE("json: writes assignments") {
  Problem<> problem;
  problem.base = 3;  // not looked at with pools
  problem.buffers.push_back({{0, 3}, 4});
  problem.buffers.push_back({{0, 3}, 4});
  snug::Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 4;
  pools.pools[1].capacity = 8;
  pools.pools[1].cost_per_byte = 1;
  auto result = snug::assign(problem, pools);
  result.stats.seconds = 0.25;
  result.stats.nodes = 7;
  result.pools = {1, 0};
  const std::string text =
      write_json(problem, {"a", "b"}, pools, {"fast"}, result);
  CHECK(text ==
        "{\"pools\":[\n{\"name\":\"fast\",\"capacity\":4},\n"
        "{\"capacity\":8,\"cost_per_byte\":1}],\n\"buffers\":[\n"
        "{\"id\":\"a\",\"lower\":0,\"upper\":3,\"size\":4},\n"
        "{\"id\":\"b\",\"lower\":0,\"upper\":3,\"size\":4}],\n"
        "\"result\":{\"status\":\"solved\",\"cost\":4,\"cost_bound\":4,"
        "\"nodes\":7,\"seconds\":0.250000,\"pools\":[1,\"fast\"],"
        "\"offsets\":[0,0]}}\n");
  CHECK(read_json(text).ok());
  pools.pools.pop_back();
  const auto none = snug::assign(problem, pools);
  const std::string without = write_json(problem, {}, pools, {}, none);
  CHECK(without.find("\"status\":\"infeasible\"") != std::string::npos);
  CHECK(without.find("\"pools\":[],\"offsets\":[]") != std::string::npos);
}

TEST_CASE("json: round trips of random constrained problems") {
  Random random(11);
  for (int k = 0; k < effort(200); ++k) {
    Problem<> problem = uniform(Shape{}, random);
    add_constraints(problem, random);
    const std::string text = write_json(problem);
    const auto read = read_json(text);
    CAPTURE(text, to_string(read.error));
    REQUIRE(read.ok());
    CHECK(write_json(read.problem) == text);
    REQUIRE(read.problem.buffers.size() == problem.buffers.size());
    CHECK(read.problem.aliases.size() == problem.aliases.size());
    CHECK(read.problem.apart.size() == problem.apart.size());
    CHECK(read.problem.penalties.size() == problem.penalties.size());
    // The same problem has the same answer.
    const auto a = snug::minimize(problem);
    const auto b = snug::minimize(read.problem);
    CHECK(a.offsets == b.offsets);
    CHECK(a.lower_bound == b.lower_bound);
  }
}

TEST_CASE("json: writes results") {
  Problem<> problem;
  problem.buffers.push_back({{0, 3}, 4});
  snug::Result<> result = snug::minimize(problem);
  result.stats.seconds = 1.0203045;
  result.stats.nodes = 7;
  const std::string text = write_json(problem, {"a"}, result, 9);
  CHECK(text ==
        "{\"capacity\":9,\"buffers\":[\n{\"id\":\"a\",\"lower\":0,\"upper\":3,"
        "\"size\":4}],\n\"result\":{\"status\":\"solved\",\"height\":4,"
        "\"lower_bound\":4,\"nodes\":7,\"seconds\":1.020305,\"moved\":[],"
        "\"offsets\":[0]}}\n");
  CHECK(read_json(text).ok());
  const snug::Result<> none = snug::solve(problem, std::int64_t{3});
  const std::string without = write_json(problem, {}, none);
  CHECK(without.find("\"status\":\"infeasible\"") != std::string::npos);
  CHECK(without.find("\"offsets\":[]") != std::string::npos);
  // By their ids, or by their indices where they have none.
  problem.buffers = {{{0, 3}, 4}, {{0, 3}, 4}, {{0, 3}, 4}};
  for (snug::Buffer<>& buffer : problem.buffers) buffer.hint = 0;
  const snug::Result<> some = snug::solve(problem, std::int64_t{12});
  REQUIRE(some.moved.size() == 2);
  const auto name = [](std::size_t i) {
    return i == 0 ? std::string("\"a\"") : std::to_string(i);
  };
  CHECK(write_json(problem, {"a"}, some)
            .find("\"moved\":[" + name(some.moved[0]) + ',' +
                  name(some.moved[1]) + "],") != std::string::npos);
}

TEST_CASE("json: strings") {
  CHECK(id_of("a b") == "a b");
  CHECK(id_of(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
  CHECK(id_of(R"(\u0041\u00e9\u20AC)") == "A\xC3\xA9\xE2\x82\xAC");
  CHECK(id_of(R"(\ud83d\ude00)") == "\xF0\x9F\x98\x80");
  CHECK(id_of("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");
  CHECK(id_of(R"(\u0000)") == std::string(1, '\0'));
  const std::string bad[] = {R"(\ud83d)",       R"(\ude00)", R"(\ud83dx)",
                             R"(\ud83d\u0041)", R"(\x)",     R"(\u12g4)",
                             R"(\u12)",         R"(\u-123)"};
  for (const std::string& text : bad) {
    CAPTURE(text);
    CHECK(id_of(text).substr(0, 2) == "1:");
  }
  // Overlong, a surrogate, beyond the last character, cut, and stray bytes.
  for (const char* text :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF0\x80\x80\x80", "\xC3", "\xE2\x82", "\x80", "\xFF"}) {
    CAPTURE(text);
    CHECK(id_of(text) == "1:20: not UTF-8");
  }
  CHECK(id_of("a\nb") == "1:21: control character in a string");
  // Whatever a name holds, what is written is read back.
  Problem<> problem;
  problem.buffers.assign(3, {{0, 1}, 1});
  const std::vector<std::string> ids = {std::string("\"\\\n\x01\0\x7F", 6),
                                        "\xE2\x82\xAC",
                                        "a\xFF"
                                        "b\xE2\x82"};
  const auto read = read_json(write_json(problem, ids));
  REQUIRE(read.ok());
  CHECK(read.ids[0] == ids[0]);
  CHECK(read.ids[1] == ids[1]);
  CHECK(read.ids[2] ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("json: integers are exact") {
  const auto size_of = [](const std::string& number) {
    const auto read = read_json(
        "{\"buffers\":[{\"lower\":0,\"upper\":1,\"size\":" + number + "}]}");
    return read.ok() ? std::to_string(read.problem.buffers[0].size)
                     : read.error.message;
  };
  CHECK(size_of("9223372036854775807") == "9223372036854775807");
  CHECK(size_of("-9223372036854775808") == "-9223372036854775808");
  CHECK(size_of("9007199254740993") == "9007199254740993");
  CHECK(size_of("-0") == "0");
  CHECK(size_of("9223372036854775808") == "out of range");
  CHECK(size_of("4.0") == "not an integer: a fraction or an exponent");
  CHECK(size_of("1e3") == "not an integer: a fraction or an exponent");
  CHECK(size_of("04") == "number begins with 0");
  CHECK(size_of("-") == "'-' without a number");
  CHECK(size_of("+4") == "expected an integer");
  CHECK(size_of("\"4\"") == "expected an integer");
  CHECK(size_of("null") == "expected an integer");
  CHECK(size_of("4x") == "expected ',' or '}'");
  CHECK(error_of<std::int32_t, std::int32_t>(
            "{\"buffers\":[{\"lower\":0,\"upper\":1,\"size\":2147483648}]}") ==
        "1:41: out of range");
}

TEST_CASE("json: refuses with line and column") {
  CHECK(error_of("") == "1:1: expected an object, not the end of the text");
  CHECK(error_of("[]") == "1:1: expected an object");
  CHECK(error_of("{}") == "1:1: no key 'buffers'");
  CHECK(error_of("\xEF\xBB\xBF{\"buffers\":[]}") == "ok");
  CHECK(error_of("{\"buffers\":[]} x") == "1:16: text behind the end");
  CHECK(error_of("{\n \"bufers\":[]}") == "2:2: unknown key 'bufers'");
  CHECK(error_of("{\"buffers\":[],\n\"buffers\":[]}") ==
        "2:1: key 'buffers' comes twice");
  CHECK(error_of("{\"buffers\":[],}") == "1:15: expected a string");
  CHECK(error_of("{\"buffers\" []}") == "1:12: expected ':'");
  CHECK(error_of("{\"buffers\":[") ==
        "1:13: expected a value, not the end of the text");
  CHECK(error_of("{\"buffers\":[}") == "1:13: expected an object");
  CHECK(error_of("{\"buffers\":[]") ==
        "1:14: expected ',' or '}', not the end of the text");
  CHECK(error_of("{\"buffers") == "1:2: string is not closed");
  CHECK(error_of(std::string_view("{\0}", 3)) == "1:2: expected a value");

  CHECK(buffer_error_of("{}") == "1:13: no key 'lower'");
  CHECK(buffer_error_of("\n{\"lower\":0,\"size\":1}") == "2:1: no key 'upper'");
  CHECK(buffer_error_of("{\"lower\":0,\"upper\":1}") == "1:13: no key 'size'");
  const std::string good = "{\"id\":\"a\",\"lower\":0,\"upper\":1,\"size\":1";
  CHECK(buffer_error_of(good + "}") == "ok");
  CHECK(buffer_error_of(good + ",\"aligment\":4}") ==
        "1:52: unknown key 'aligment'");
  CHECK(buffer_error_of(good + "},\n" + good + "}") ==
        "2:1: buffer 'a' is also that in line 1");
  CHECK(buffer_error_of(good + ",\"end\":\"up\"}") ==
        "1:58: expected 'bottom', 'top' or 'any'");
  CHECK(buffer_error_of(good + ",\"offset\":nul}") == "1:61: expected 'null'");
  CHECK(buffer_error_of(good + ",\"gaps\":[{\"lower\":0}]}") ==
        "1:60: no key 'upper'");
  const std::string gap = ",\"gaps\":[{\"lower\":0,\"upper\":1,\"window\":";
  CHECK(buffer_error_of(good + gap + "[0]}]}") ==
        "1:90: fewer than two numbers in a window");
  CHECK(buffer_error_of(good + gap + "[0,1,2]}]}") ==
        "1:95: more than two numbers in a window");

  const auto with = [&](const std::string& more) {
    return error_of("{\"buffers\":[" + good + "}],\n" + more + "}");
  };
  CHECK(with("\"apart\":[[\"a\",\"b\"]]") ==
        "2:15: no buffer has this name: 'b'");
  CHECK(with("\"apart\":[[0,1]]") == "2:13: no buffer has this index");
  CHECK(with("\"apart\":[[0,-1]]") == "2:13: out of range");
  CHECK(with("\"apart\":[[0,true]]") == "2:13: expected a name or an index");
  CHECK(with("\"apart\":[[0]]") == "2:10: fewer than two in a pair");
  CHECK(with("\"apart\":[[0,0,0]]") == "2:15: more than two in a pair");
  CHECK(with("\"aliases\":[{\"of\":0}]") == "2:12: no key 'buffer'");
  CHECK(with("\"aliases\":[{\"of\":0,\"buffer\":\"c\"}]") ==
        "2:29: no buffer has this name: 'c'");
  CHECK(with("\"contiguous\":[[0,7]]") == "2:18: no buffer has this index");
  CHECK(with("\"reserved\":[{\"lower\":0,\"upper\":1,\"to\":2}]") ==
        "2:13: no key 'from'");
  CHECK(with("\"capacity\":true") == "2:12: expected an integer");
  CHECK(with("\"_x\":[1,]") == "2:9: expected a value");
  CHECK(with("\"_x\":[1 2]") == "2:9: expected ',' or ']'");
  CHECK(with("\"_x\":{\"a\":1 2}") == "2:13: expected ',' or '}'");
  CHECK(with("\"_x\":tru") == "2:6: expected 'true'");
  CHECK(with("\"_x\":-.5") == "2:7: expected a digit");
  CHECK(with("\"_x\":1.e5") == "2:8: expected a digit");
  CHECK(with("\"_x\":-0.5e-3") == "ok");
}

TEST_CASE("json: values may be nested 64 deep") {
  const auto nested = [](std::size_t depth, char open, char close) {
    std::string value;
    for (std::size_t k = 0; k < depth; ++k)
      value += open == '{' ? "{\"a\":" : "[";
    if (open == '{') value += '0';
    return error_of("{\"buffers\":[],\"_x\":" + value +
                    std::string(depth, close) + "}");
  };
  CHECK(nested(64, '[', ']') == "ok");
  CHECK(nested(64, '{', '}') == "ok");
  CHECK(nested(65, '[', ']') == "1:84: nested too deeply");
  CHECK(nested(65, '{', '}') == "1:340: nested too deeply");
  CHECK(nested(1000000, '[', ']') == "1:84: nested too deeply");
}

TEST_CASE("json: survives any damage") {
  Random random(3);
  for (std::size_t size = 0; size + 1 < kWhole.size(); ++size) {
    CAPTURE(size);
    CHECK(error_of(std::string_view(kWhole).substr(0, size)) != "ok");
  }
  const std::string_view letters = "{}[]\",:\\0-e.tn_\x80\xF0";
  for (int k = 0; k < effort(20000); ++k) {
    std::string text = kWhole;
    const auto at = static_cast<std::size_t>(random.below(text.size()));
    text[at] = letters[static_cast<std::size_t>(random.below(letters.size()))];
    const auto read = read_json(text);
    if (read.ok()) continue;
    CHECK(read.error.position.line >= 1);
    CHECK(read.error.position.column >= 1);
    CHECK(read.problem.buffers.empty());
  }
}

TEST_CASE("json: reads and writes schedules") {
  const std::string text = R"({"tensors":[
{"name":"image","shape":[24,56,56],"bits":16,"multiples":[8,128],"alignment":64,"input":true},
{"name":"cache","shape":[4096],"throughout":true},
{"name":"left","shape":[100],"parent":"both"},
{"name":"both","shape":[200],"output":true},
{"name":"rest","shape":[100],"parent":"both","parent_offset":100},
{"name":"rows","shape":[]}],
"operators":[
{"name":"relu","inputs":["image","cache"],"outputs":["left"],"scratch":["rows"],"in_place":[["left","image"]],"stream":3},
{"name":"copy","inputs":["image"],"outputs":["rest"]}],
"dependencies":[["relu","copy"]]}
)";
  const snug::JsonSchedule read = read_json_schedule(text);
  CAPTURE(to_string(read.error));
  REQUIRE(read.ok());
  CHECK(write_json(read.schedule) == text);
  const auto& tensors = read.schedule.tensors;
  REQUIRE(tensors.size() == 6);
  CHECK(tensors[0].shape == std::vector<std::int64_t>{24, 56, 56});
  CHECK(tensors[0].element_bits == 16);
  CHECK(tensors[0].multiples == std::vector<std::int64_t>{8, 128});
  CHECK(tensors[0].alignment == 64);
  CHECK(tensors[0].is_input);
  CHECK_FALSE(tensors[0].is_output);
  CHECK(tensors[1].lives_throughout);
  CHECK(tensors[2].parent == 3);
  CHECK(tensors[0].parent == snug::kNoIndex);
  CHECK(tensors[4].parent_offset == 100);
  CHECK(tensors[5].shape.empty());
  const auto& op = read.schedule.operators[0];
  CHECK(op.inputs == std::vector<std::size_t>{0, 1});
  CHECK(op.outputs == std::vector<std::size_t>{2});
  CHECK(op.scratch == std::vector<std::size_t>{5});
  REQUIRE(op.in_place.size() == 1);
  CHECK(op.in_place[0].output == 0);
  CHECK(op.in_place[0].input == 0);
  CHECK(op.stream == 3);
  REQUIRE(read.schedule.dependencies.size() == 1);
  CHECK(read.schedule.dependencies[0].before == 0);
  CHECK(read.schedule.dependencies[0].after == 1);
  CHECK(tensors[2].name == "left");
  CHECK(op.name == "relu");
  CHECK(read.schedule.operators[1].name == "copy");
  CHECK(read.operator_positions[1].line == 10);
  CHECK(snug::make_problem(read.schedule).ok());

  // By index, without names, with bytes; names take their turn.
  const snug::JsonSchedule plain = read_json_schedule(
      R"({"operators":[{"inputs":[0],"outputs":["1"],"in_place":[[1,0]]}],
          "tensors":[{"bytes":7,"input":true},{"bytes":7,"output":true}]})");
  REQUIRE(plain.ok());
  CHECK(plain.schedule.tensors[1].name == "1");
  CHECK(plain.schedule.operators[0].name == "0");
  CHECK(plain.schedule.tensors[0].shape == std::vector<std::int64_t>{7});
  CHECK(plain.schedule.operators[0].outputs == std::vector<std::size_t>{1});
  const std::string named = write_json(plain.schedule);
  CHECK(named.find("\"in_place\":[[\"1\",\"0\"]]") != std::string::npos);
  CHECK(write_json(read_json_schedule(named).schedule) == named);
  snug::Schedule unnamed = plain.schedule;
  for (auto& tensor : unnamed.tensors) tensor.name.clear();
  unnamed.operators[0].name.clear();
  const std::string by_index = write_json(unnamed);
  CHECK(by_index.find("\"in_place\":[[1,0]]") != std::string::npos);
  CHECK(by_index.find("name") == std::string::npos);
  CHECK(write_json(read_json_schedule(by_index).schedule) == named);
}

TEST_CASE("json: an operator that updates a tensor") {
  const snug::JsonSchedule read = read_json_schedule(
      R"({"tensors":[{"name":"cache","bytes":8,"input":true},
                     {"name":"slot","bytes":2,"parent":"cache","parent_offset":6},
                     {"name":"y","bytes":1,"output":true}],
          "operators":[{"inputs":["slot"],"outputs":["slot"]},
                       {"inputs":["cache"],"outputs":["y"]}]})");
  REQUIRE(read.ok());
  CHECK(read.schedule.operators[0].updates(1));
  const auto made = snug::make_problem(read.schedule);
  REQUIRE(made.ok());
  CHECK(made.problem.buffers[0].lifespan == snug::Interval<std::int64_t>{0, 2});
  REQUIRE(made.problem.aliases.size() == 1);
  CHECK(made.problem.aliases[0].delta == 6);
}

TEST_CASE("json: refuses bad schedules") {
  CHECK(schedule_error_of("{}") == "1:1: no key 'tensors'");
  CHECK(schedule_error_of("{\"tensors\":[]}") == "ok");
  CHECK(schedule_error_of("{\"buffers\":[]}") == "1:2: unknown key 'buffers'");
  const auto tensor = [](const std::string& keys) {
    return schedule_error_of("{\"tensors\":[{" + keys + "}]}");
  };
  const std::string either = "1:13: expected a key 'shape', or else 'bytes'";
  CHECK(tensor("\"name\":\"a\"") == either);
  CHECK(tensor("\"bytes\":1,\"shape\":[1]") == either);
  CHECK(tensor("\"bytes\":1,\"bits\":8") == either);
  CHECK(tensor("\"bits\":8") == either);
  CHECK(tensor("\"bytes\":1,\"input\":1") == "1:32: expected true or false");
  CHECK(tensor("\"bytes\":1,\"parent\":\"x\"") ==
        "1:33: no tensor has this name: 'x'");
  CHECK(tensor("\"bytes\":1,\"name\":\"a\"},\n{\"bytes\":1,\"name\":\"a\"") ==
        "2:1: tensor 'a' is also that in line 1");
  const auto op = [](const std::string& keys) {
    return schedule_error_of(
        "{\"tensors\":[{\"bytes\":1},{\"bytes\":1}],\n\"operators\":[{" + keys +
        "}]}");
  };
  CHECK(op("\"inputs\":[0],\"outputs\":[1],\"in_place\":[[1,0]]") == "ok");
  CHECK(op("\"inputs\":[0],\"outputs\":[1],\"in_place\":[[0,1]]") ==
        "2:55: in-place pair is no output and input of its operator");
  CHECK(op("\"inputs\":[2]") == "2:25: no tensor has this index");
  CHECK(op("\"name\":\"x\"},{\"name\":\"x\"") ==
        "2:27: operator 'x' is also that in line 2");
  CHECK(op("\"stream\":-1") == "2:24: out of range");
  CHECK(schedule_error_of("{\"tensors\":[],\"dependencies\":[[0,1]]}") ==
        "1:32: no operator has this index");
}

}  // namespace json_test
