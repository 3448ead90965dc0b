// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a comparison, what is made of them, and the networks.
#include "compare_results.hpp"
#include "comparison_summary.hpp"
#include "networks.hpp"
#include "snug/model/check.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/pairwise.hpp"
#include "support/text.hpp"
#include "svg_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace comparison_test {

using namespace snug::benchmarks;
using snug::testing::count;

namespace {

ResultRow row_of(const std::string& instance, const std::string& allocator,
                 std::int64_t height, double seconds) {
  ResultRow row;
  row.family = "some";
  row.instance = instance;
  row.buffers = 3;
  row.load = row.bound = 100;
  row.allocator = allocator;
  row.outcome = height > 0 ? "placed" : "none";
  row.height = height;
  row.seconds = seconds;
  row.bytes = 1000;
  return row;
}

}  // namespace

TEST_CASE("comparison: rows are read back as written") {
  ResultRow row = row_of("a", "b", 120, 0.25);
  row.limit = 0.5;
  row.steps = 7;
  std::vector<ResultRow> rows;
  const std::string text = std::string(kResultHeader) + "\n" + to_line(row);
  REQUIRE(parse_results(text + "\n", rows) == 0);
  REQUIRE(rows.size() == 1);
  CHECK(to_line(rows[0]) == to_line(row));
  CHECK(rows[0].limit == 0.5);
  CHECK(rows[0].ratio() == 1.2);
  CHECK(parse_results("", rows) == 1);
  CHECK(parse_results("something else\n", rows) == 1);
  CHECK(parse_results(text + "\n1,2,3\n", rows) == 3);
}

TEST_CASE("comparison: the bound is what anyone proved") {
  std::vector<ResultRow> rows = {
      row_of("x", "snug", 110, 0.2), row_of("x", "other", 110, 0.1),
      row_of("y", "snug", 100, 0.4), row_of("y", "other", 0, 3)};
  rows[1].bound = 110;
  const Results results(rows);
  const Summary ours = summarise(results, "some", "snug");
  CHECK(ours.tried == 2);
  CHECK(ours.placed == 2);
  CHECK(ours.solved == 2);
  CHECK(std::abs(ours.mean - std::sqrt(1.1)) < 1e-12);
  CHECK(ours.worst == 1.1);
  CHECK(std::abs(ours.median_seconds - 0.3) < 1e-12);
  CHECK(ours.most_seconds == 0.4);
  const Summary other = summarise(results, "some", "other");
  CHECK(other.placed == 1);
  CHECK(other.solved == 1);
  const Duel duel = compare(results, "some", "snug", "other");
  CHECK(duel.both == 1);
  CHECK(duel.lower == 0);
  CHECK(duel.equal == 1);
  CHECK(duel.faster == 1);
  CHECK(std::abs(duel.worst_factor - 2) < 1e-12);
  CHECK(duel.worst_instance == "x");
}

TEST_CASE("comparison: of several limits the longest counts") {
  std::vector<ResultRow> rows = {row_of("x", "snug", 130, 0.01),
                                 row_of("x", "snug", 120, 0.1),
                                 row_of("x", "other", 110, 0.3)};
  const Results results(rows);
  CHECK(results.find({"some", "x"}, "snug")->height == 120);
  CHECK_FALSE(results.solved(*results.find({"some", "x"}, "snug")));
  CHECK(compare(results, "", "snug", "other").lower == 1);
  CHECK(compare(results, "", "snug", "other", true).both == 0);
  CHECK(results.find({"some", "y"}, "snug") == nullptr);
}

TEST_CASE("comparison: a chart is closed and knows both schemes") {
  Chart chart("a < b & c", {"x", true}, {"y", false});
  chart.add({"line", {{0.001, 1}, {10, 3}, {100, 4}}, true, false});
  chart.add({"stairs", {{0.01, 1}, {1, 2}}, false, true});
  const std::string svg = chart.draw();
  CHECK(count(svg, "<g ") == count(svg, "</g>"));
  CHECK(count(svg, "<text") == count(svg, "</text>"));
  CHECK(count(svg, "<svg") == 1);
  CHECK(count(svg, "</svg>") == 1);
  CHECK(count(svg, "prefers-color-scheme:dark") == 1);
  CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  // Three markers of the line, and one each in the key.
  CHECK(count(svg, "class=\"m\"") == 5);
  CHECK(Chart("empty", {}, {}).draw().find("nan") == std::string::npos);
}

TEST_CASE("networks: every one is well formed, and training keeps more alive") {
  const auto problems = network_problems();
  std::set<std::string> names;
  const std::size_t half = problems.size() / 2;
  REQUIRE(problems.size() % 2 == 0);
  for (const auto& [name, problem] : problems) {
    CAPTURE(name);
    CHECK(names.insert(name).second);
    CHECK(snug::check(problem).ok());
    CHECK(problem.buffers.size() >= 30);
    CHECK(problem.aliases.empty());
    CHECK(problem.apart.empty());
  }
  for (std::size_t k = 0; k < half; ++k) {
    CAPTURE(problems[k].first);
    const snug::Problem<>& forward = problems[k].second;
    const snug::Problem<>& train = problems[k + half].second;
    CHECK(train.buffers.size() > 2 * forward.buffers.size());
    CHECK(snug::testing::load_of(train) > snug::testing::load_of(forward));
  }
}

}  // namespace comparison_test
