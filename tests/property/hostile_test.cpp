// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inputs that nobody sends by accident: as many buffers as there are, the ends
/// of the integers, texts without an end. The answer is right, or an error that
/// says where, in bounded time and memory. SNUG_TEST_EFFORT=1000 makes what is
/// large ten times as large.
#include "snug/io/csv.hpp"
#include "snug/io/json.hpp"
#include "snug/load.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hostile_test {

namespace {

using namespace snug::testing;
using snug::Explanation;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Spills;
using snug::Status;

constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();

/// Seconds in which anything here is done many times over, also with the
/// sanitizers, and which nothing quadratic is done in.
constexpr double kPlenty = 60;

std::int64_t large() {
  return effort(std::int64_t{30000});
}

enum class Kind { kIdentical, kComb, kSameTimes, kUnits, kRows };

/// Buffers of one kind. All but the last two kinds fit at their load.
Problem<> make(Kind kind, std::int64_t count) {
  Problem<> problem;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t length = 1 + i * 31 % 50;
    const std::int64_t size = 1 + i * 7919 % 1000;
    switch (kind) {
      case Kind::kIdentical:
        problem.buffers.push_back({{0, 1}, 1});
        break;
      case Kind::kComb:  // One inside the other.
        problem.buffers.push_back({{i, 2 * count - i}, size});
        break;
      case Kind::kSameTimes:
        problem.buffers.push_back({{-kMost, kMost}, size});
        break;
      case Kind::kUnits:
        problem.buffers.push_back({{i, i + length}, 1});
        break;
      case Kind::kRows:
        problem.buffers.push_back({{i, i + length}, size});
        break;
    }
  }
  return problem;
}

/// Every call on a large problem: a right answer in little time.
void judge_large(const Problem<>& problem, bool fits_at_load) {
  const CpuTimer timer;
  const std::int64_t load = snug::load(problem);
  Options options;
  options.node_limit = 1000;
  const Result<> lowest = minimize(problem, options);
  REQUIRE(lowest.has_solution());
  CHECK(validate(problem, lowest.height, lowest.offsets).ok());
  CHECK(lowest.lower_bound >= load);
  CHECK(lowest.lower_bound <= lowest.height);
  if (fits_at_load) CHECK(lowest.height == load);
  const Result<> at_load = solve(problem, load, options);
  CHECK(at_load.status != Status::kInvalid);
  if (fits_at_load) CHECK(is_placed(at_load.status));
  if (is_placed(at_load.status))
    CHECK(validate(problem, load, at_load.offsets).ok());
  CHECK(solve(problem, load - 1, options).status == Status::kInfeasible);

  const Explanation<> why = explain(problem, load - 1, options);
  CHECK(why.status == Status::kInfeasible);
  CHECK(why.cause == snug::Cause::kLoad);
  CHECK(snug::load(subset(problem, why.buffers)) > load - 1);
  CHECK(timer.seconds() < kPlenty);

  // Exchanges take no nodes: only time bounds them.
  options.time_limit = std::chrono::milliseconds(20);
  const Spills<> spills = suggest_spills(problem, load / 2, {}, options);
  CHECK(spills.status == Status::kFeasible);
  std::vector<std::size_t> kept;
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < spills.offsets.size(); ++i) {
    if (spills.offsets[i] == Spills<>::kSpilled) continue;
    kept.push_back(i);
    offsets.push_back(spills.offsets[i]);
  }
  CHECK(kept.size() + spills.buffers.size() == problem.buffers.size());
  CHECK(validate(subset(problem, kept), load / 2, offsets).ok());
  CHECK(timer.seconds() < kPlenty);
}

}  // namespace

TEST_CASE("hostile: many buffers that are alike", "[hostile]") {
  SECTION("identical") {
    judge_large(make(Kind::kIdentical, large()), true);
  }
  SECTION("a comb") {
    judge_large(make(Kind::kComb, large()), true);
  }
  SECTION("all at the same times") {
    judge_large(make(Kind::kSameTimes, large()), true);
  }
  SECTION("of one byte") {
    judge_large(make(Kind::kUnits, large()), false);
  }
  SECTION("rows") {
    judge_large(make(Kind::kRows, large()), false);
  }
}

TEST_CASE("hostile: numbers from the ends of the integers", "[hostile]") {
  const std::vector<std::int64_t> numbers = {-kMost - 1,
                                             -kMost,
                                             -1,
                                             0,
                                             1,
                                             2,
                                             std::int64_t{1} << 31,
                                             std::int64_t{1} << 61,
                                             std::int64_t{1} << 62,
                                             kMost - 1,
                                             kMost};
  Options options;
  options.node_limit = 100;
  int well_formed = 0;
  for (int round = 0; round < effort(20000); ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const auto any = [&] {
      return numbers[random.between(std::size_t{0}, numbers.size() - 1)];
    };
    // Half of the numbers are harmless, lest all is refused.
    const auto some = [&](std::int64_t harmless) {
      return random.chance(60) ? harmless : any();
    };
    Problem<> problem;
    problem.base = some(0);
    problem.alignment = some(1);
    for (int i = random.between(1, 4); i > 0; --i) {
      problem.buffers.push_back({{some(0), some(9)}, some(3), some(1)});
      if (random.chance(20)) problem.buffers.back().hint = some(4);
      if (random.chance(20)) problem.buffers.back().offset = some(8);
      if (random.chance(10))
        problem.buffers.back().gaps.push_back({{some(1), some(4)}, {}});
    }
    if (random.chance(10))
      problem.reserved.push_back({{some(5), some(6)}, std::nullopt});
    if (problem.buffers.size() > 1 && random.chance(20))
      problem.aliases.push_back({0, 1, some(1)});
    if (problem.buffers.size() > 1 && random.chance(10))
      problem.penalties.push_back({0, 1, some(1)});
    const std::int64_t capacity = some(20);
    const bool ok = check(problem).ok();
    well_formed += ok ? 1 : 0;
    CAPTURE(round);
    const Result<> lowest = minimize(problem, options);
    REQUIRE((lowest.status == Status::kInvalid) == !ok);
    if (lowest.has_solution())
      REQUIRE(validate(problem, kMost, lowest.offsets).ok());
    const Result<> found = solve(problem, capacity, options);
    REQUIRE((found.status == Status::kInvalid) == (!ok || capacity < 0));
    if (found.has_solution()) {
      REQUIRE(validate(problem, capacity, found.offsets).ok());
      REQUIRE(lowest.lower_bound <= found.height);
    }
    if (found.status == Status::kInfeasible && lowest.has_solution())
      REQUIRE(lowest.height > capacity);
    REQUIRE((explain(problem, capacity, options).status == Status::kInvalid) ==
            (!ok || capacity < 0));
    const auto dear = minimize_penalty(problem, capacity, options);
    REQUIRE((dear.status == Status::kInvalid) == (!ok || capacity < 0));
    if (dear.has_solution())
      REQUIRE(validate(problem, capacity, dear.offsets).ok());
  }
  CHECK(well_formed > at_least(1000));
}

TEST_CASE("hostile: a table of very many rows", "[hostile]") {
  std::string text = "id,lower,upper,size\n";
  const std::int64_t rows = 4 * large();
  for (std::int64_t i = 0; i < rows; ++i) {
    text += std::to_string(i) + ',' + std::to_string(i) + ',' +
            std::to_string(i + 3) + ",7\n";
  }
  const CpuTimer timer;
  const snug::CsvTable<> table = snug::read_csv(text);
  REQUIRE(table.ok());
  CHECK(table.problem.buffers.size() == static_cast<std::size_t>(rows));
  CHECK(snug::load(table.problem) == 21);
  text += "0,0,1,1\n";  // An id that comes twice, found at the end.
  const snug::CsvTable<> refused = snug::read_csv(text);
  CHECK_FALSE(refused.ok());
  CHECK(refused.error.position.line == static_cast<std::size_t>(rows) + 2);
  CHECK(timer.seconds() < kPlenty);
}

TEST_CASE("hostile: lines without an end", "[hostile]") {
  const std::size_t length = effort<std::size_t>(10000000);
  const std::string header = "id,lower,upper,size,gaps,apart\n";
  const CpuTimer timer;
  for (const char filling : {'a', ',', '"', ' ', '7', '-', '\'', '\n', '\0'}) {
    const std::string line(length, filling);
    CAPTURE(filling);
    const snug::CsvTable<> as_header = snug::read_csv(line);
    CHECK_FALSE(as_header.ok());
    CHECK(as_header.error.message.size() < 1000);
    const snug::CsvTable<> as_row = snug::read_csv(header + line);
    // Blank lines at the end are accepted.
    CHECK(as_row.ok() == (filling == '\n' || filling == ' '));
    CHECK(as_row.error.message.size() < 1000);
    const snug::JsonProblem<> as_json = snug::read_json(line);
    CHECK_FALSE(as_json.ok());
    CHECK(as_json.error.message.size() < 1000);
  }
  // A number, a list and an id that do not end.
  const std::string number(length, '7');
  CHECK_FALSE(snug::read_csv(header + "a,0,1," + number + ",,").ok());
  CHECK_FALSE(snug::read_csv(header + "a,0,1,1," + number + ",").ok());
  CHECK_FALSE(snug::read_json("{\"buffers\": [" + number).ok());
  CHECK_FALSE(snug::read_json("{\"a\": \"" + number).ok());
  const snug::CsvTable<> long_id = snug::read_csv(header + number + ",0,1,1,,");
  REQUIRE(long_id.ok());
  CHECK(long_id.ids[0].size() == length);
  std::string list = header + "a,0,1,1,,";
  for (std::size_t k = 0; k < length / 8; ++k) list += "b c ";
  const snug::CsvTable<> refused = snug::read_csv(list);
  CHECK_FALSE(refused.ok());
  CHECK(refused.error.position.line == 2);
  CHECK(snug::read_json(std::string(length, '[')).error.position.line == 1);
  CHECK(timer.seconds() < kPlenty);
}

TEST_CASE("hostile: a list of very many pairs", "[hostile]") {
  const std::int64_t rows = large() / 10;
  std::string text = "id,lower,upper,size,apart,may_overlap\n";
  std::string all;
  for (std::int64_t i = 1; i < rows; ++i) all += std::to_string(i) + ' ';
  text += "0,0,1,1," + all + ",\n";
  for (std::int64_t i = 1; i < rows; ++i)
    text += std::to_string(i) + ",0,1,1,0,\n";
  const CpuTimer timer;
  const snug::CsvTable<> table = snug::read_csv(text);
  REQUIRE(table.ok());
  CHECK(table.problem.apart.size() == static_cast<std::size_t>(rows) - 1);
  Options options;
  options.node_limit = 10;
  const Result<> result = minimize(table.problem, options);
  REQUIRE(result.has_solution());
  CHECK(result.height == rows);
  CHECK(timer.seconds() < kPlenty);
}

TEST_CASE("hostile: very many buffers in one place", "[hostile]") {
  // All are tied to the first one, and have its bytes or some of them.
  Problem<> problem;
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < 10 * large(); ++i) {
    const std::int64_t size = i % 2 == 0 ? 8 : 1 + i % 7;
    const auto index = static_cast<std::size_t>(i);
    problem.buffers.push_back({{0, 9}, size});
    offsets.push_back(8 - size);
    if (i > 0) problem.aliases.push_back({index, 0, 8 - size});
  }
  const CpuTimer timer;
  CHECK(validate(problem, std::int64_t{8}, offsets).ok());
  problem.buffers.push_back({{8, 9}, 1});
  offsets.push_back(7);
  const snug::Validation wrong = validate(problem, std::int64_t{8}, offsets);
  CHECK(wrong.fault == snug::Fault::kOverlap);
  CHECK(wrong.buffer == 0);
  CHECK(wrong.other == problem.buffers.size() - 1);
  CHECK(timer.seconds() < kPlenty);
}

TEST_CASE("hostile: junk of any bytes", "[hostile]") {
  for (int round = 0; round < effort(300); ++round) {
    Random random(static_cast<std::uint64_t>(round));
    std::string text = round % 3 == 0   ? "id,lower,upper,size\n"
                       : round % 3 == 1 ? "{\"buffers\": ["
                                        : "";
    for (int k = random.between(0, 2000); k > 0; --k)
      text += static_cast<char>(random.between(0, 255));
    const snug::CsvTable<> table = snug::read_csv(text);
    CHECK((table.ok() || table.error.position.line > 0));
    CHECK((table.ok() || table.problem.buffers.empty()));
    const snug::JsonProblem<> json = snug::read_json(text);
    CHECK_FALSE(json.ok());
    CHECK(json.error.position.line > 0);
    CHECK_FALSE(snug::read_json_schedule(text).ok());
  }
}

}  // namespace hostile_test
