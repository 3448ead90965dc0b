// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/portfolio.hpp"

#include "snug/bodies/body_model.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/options.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/support/memory.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/hard_walks.hpp"
#include "support/plain.hpp"
#include "support/tuned.hpp"
#include "support/walker.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace portfolio_test {

using namespace snug::testing;
using snug::Options;
using snug::detail::kPlainStrategies;
using snug::detail::Outcome;
using snug::detail::RestartSchedule;

namespace {

std::string name_of(const snug::Strategy& strategy) {
  char name[8];
  snug::detail::write_name(strategy, name);
  return name;
}

/// The portfolio of a walk of one partition, and what it needs.
struct WalkBench {
  WalkBench(const snug::Problem<>& problem, std::int64_t capacity)
      : walker(problem, capacity),
        limits(options),
        portfolio(walker.instance, walker.instance.capacity, kPlainStrategies,
                  {&options, &stats, &limits}, memory) {}

  Walker<std::int32_t> walker;
  Tuned options{};
  snug::Stats stats{};
  snug::detail::Limits limits;
  snug::detail::Memory memory{};
  snug::detail::Portfolio<snug::detail::PlainModel<std::int32_t>> portfolio;
};

}  // namespace

TEST_CASE("portfolio: strategies in turn, then at random", "[portfolio]") {
  Tuned options;
  options.use("sT,0W,sZ");
  RestartSchedule schedule(options, kPlainStrategies);
  for (const char* expected : {"sT", "0W", "sZ"}) {
    schedule.advance();
    CHECK(name_of(schedule.strategy()) == expected);
    CHECK_FALSE(schedule.is_random());
  }
  std::set<std::string> seen;
  for (int k = 0; k < 40; ++k) {
    schedule.advance();
    CHECK(schedule.is_random());
    seen.insert(name_of(schedule.strategy()));
  }
  CHECK(seen == std::set<std::string>{"sT", "0W", "sZ"});
}

TEST_CASE("portfolio: the seed decides what is drawn", "[portfolio]") {
  const auto drawn = [](std::uint64_t seed) {
    Tuned options;
    options.seed = seed;
    RestartSchedule schedule(options, kPlainStrategies);
    std::vector<std::string> names;
    for (int k = 0; k < 40; ++k) {
      schedule.advance();
      names.push_back(name_of(schedule.strategy()));
    }
    return names;
  };
  CHECK(drawn(1) == drawn(1));
  CHECK(drawn(1) != drawn(2));
}

TEST_CASE("portfolio: runs grow with the Luby sequence", "[portfolio]") {
  Tuned options;
  RestartSchedule schedule(options, kPlainStrategies);
  for (const std::int64_t factor : {1, 1, 2, 1, 1, 2, 4, 1}) {
    schedule.advance();
    CHECK(schedule.nodes(100) == 100 + 100 * factor);
  }
  options.own.rules.restarts = false;
  RestartSchedule endless(options, kPlainStrategies);
  endless.advance();
  CHECK(endless.nodes(100) == (std::numeric_limits<std::int64_t>::max)());
}

TEST_CASE("portfolio: each run keeps to its nodes and is counted",
          "[portfolio]") {
  using snug::testing::kHardMiddleWalks;
  std::size_t runs = 0;
  for (const std::uint64_t seed : kHardMiddleWalks) {
    const snug::Problem<> problem = middle_walk<>(seed);
    if (plain_of(problem).partitions.size() != 1) continue;
    WalkBench bench(problem, load_of(problem));
    const snug::Stats& stats = bench.stats;
    RestartSchedule schedule(bench.options, kPlainStrategies);
    CAPTURE(seed);
    for (std::int64_t run = 1;; ++run) {
      const std::int64_t before = stats.nodes;
      const Outcome outcome = bench.portfolio.run();
      schedule.advance();
      CHECK(stats.runs == run);
      if (!schedule.is_random())
        CHECK(stats.strategy == name_of(schedule.strategy()));
      const std::int64_t most = schedule.nodes(bench.walker.instance.size);
      if (outcome == Outcome::kOpen) {
        CHECK(stats.nodes - before == most);
        ++runs;
        continue;
      }
      CHECK(outcome == Outcome::kRefuted);
      CHECK(stats.nodes - before <= most);
      break;
    }
  }
  CHECK(runs > 5);
}

TEST_CASE("body portfolio: runs one strategy after another", "[portfolio]") {
  // Nine that do not fit by one, which nothing but trying shows.
  snug::Problem<> problem;
  problem.buffers.resize(9, {{0, 2}, 5});
  problem.buffers.push_back({{0, 1}, 2, 7});
  problem.buffers.push_back({{1, 2}, 2, 11});
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  const std::int64_t load = 46;
  Tuned options;
  options.use("0T,sZ");
  options.own.rules = {false, false, false, false, false,
                       false, false, false, true};
  snug::Stats stats;
  snug::detail::Limits limits(options);
  snug::detail::Memory memory;
  snug::detail::Portfolio<snug::detail::BodyModel> portfolio(
      components[0], load, kPlainStrategies, {&options, &stats, &limits},
      memory);
  CHECK(portfolio.run() == Outcome::kOpen);
  CHECK(stats.runs == 1);
  CHECK(stats.strategy == std::string("0T"));
  // n + n * luby(i) nodes.
  CHECK(stats.nodes == 2 * components[0].size);
  CHECK(portfolio.run() == Outcome::kOpen);
  CHECK(stats.strategy == std::string("sZ"));
  CHECK(stats.nodes == 4 * components[0].size);
  CHECK(portfolio.run() == Outcome::kOpen);
  CHECK(stats.nodes == 7 * components[0].size);
}

TEST_CASE("portfolio: a run that a limit stopped goes on", "[portfolio]") {
  std::size_t k = 0;
  while (plain_of(middle_walk<>(snug::testing::kHardMiddleWalks[k]))
             .partitions.size() != 1)
    ++k;
  WalkBench bench(middle_walk<>(snug::testing::kHardMiddleWalks[k]), 1000);
  Tuned& options = bench.options;
  snug::detail::Limits& limits = bench.limits;
  const snug::Stats& stats = bench.stats;
  const snug::detail::Index size = bench.walker.instance.size;
  options.node_limit = 3;
  CHECK(bench.portfolio.run() == Outcome::kOpen);
  CHECK(stats.nodes == 3);
  CHECK(stats.runs == 1);
  // One node more each time, until all are placed.
  for (snug::detail::Index turn = 4; turn < size; ++turn) {
    ++options.node_limit;
    limits.restart();
    CHECK(bench.portfolio.run() == Outcome::kOpen);
  }
  CHECK(stats.runs == 1);
  CHECK(stats.nodes == size - 1);
  // The last one is in the same run, too.
  options.node_limit += size;
  limits.restart();
  CHECK(bench.portfolio.run() == Outcome::kPlacedAll);
  CHECK(stats.runs == 1);
  CHECK(stats.nodes == size);
}

TEST_CASE("luby: the first numbers, and doubled runs", "[luby]") {
  const std::vector<std::int64_t> expected = {1, 1, 2, 1, 1, 2, 4, 1,
                                              1, 2, 1, 1, 2, 4, 8, 1};
  for (std::size_t k = 0; k < expected.size(); ++k)
    CHECK(snug::detail::luby(static_cast<std::int64_t>(k) + 1) == expected[k]);
  for (int power = 1; power < 62; ++power) {
    const std::int64_t end = (std::int64_t{1} << power) - 1;
    CHECK(snug::detail::luby(end) == std::int64_t{1} << (power - 1));
    CHECK(snug::detail::luby(end + 1) == 1);
  }
  for (std::int64_t i = 1; i <= 511; ++i)
    CHECK(snug::detail::luby(511 + i) == snug::detail::luby(i));
}

}  // namespace portfolio_test
