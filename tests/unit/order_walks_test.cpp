// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/order_walks.hpp"

#include "snug/io/csv_read.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/models.hpp"
#include "snug/solve.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/cached_transformer.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace order_walks_test {

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::kFar;
using snug::detail::List;
using snug::detail::OrderWalks;

constexpr std::int64_t kHigh = 18;

/// An order walk of a problem, with what it refers to.
struct Walked {
  explicit Walked(const Problem<>& problem, const Options& of = {})
      : options(of),
        call(options, stats),
        flat(snug::detail::flatten(problem)),
        models(flat),
        walk(models.searched(call), call) {}

  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    Found found;
    walk.write(found);
    return vector_of(found.offsets);
  }

  Options options;
  snug::Stats stats{};
  Call call;
  Flat flat;
  snug::detail::FlatModels<BothModels> models;
  OrderWalks walk;
};

/// Buffers of two alignments, some of them tied, in one piece of time.
Problem<> chained(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Problem<> problem;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::int64_t>(i);
    problem.buffers.push_back(
        {{begin, begin + random.between<std::int64_t>(2, 12)},
         random.between<std::int64_t>(1, 4000)});
    problem.buffers.back().alignment = random.chance(30) ? 512 : 1;
    if (i > 0 && random.chance(30)) {
      problem.buffers[i - 1].lifespan.upper = begin;
      problem.aliases.push_back({i, i - 1, 0});
    }
  }
  return problem;
}

/// Activations that live until their layer's step backwards, and gradients, in two
/// alignments.
Problem<> trained(std::uint64_t seed, std::int64_t layers) {
  Random random(seed);
  Problem<> problem;
  const auto add = [&](std::int64_t lower, std::int64_t upper) {
    problem.buffers.push_back(
        {{lower, upper}, 64 * random.between<std::int64_t>(10, 200)});
    problem.buffers.back().alignment = random.chance(50) ? 2048 : 64;
  };
  for (std::int64_t k = 0; k < layers; ++k) {
    const std::int64_t back = 2 * (2 * layers - k);
    add(k, back + 1);
    add(back, back + 3);
    add(back, back + 2);
    add(back + 1, back + 2);
  }
  return problem;
}

/// The sum of the heights of so many of these, in 256 nodes a buffer.
std::int64_t height_of_all(std::uint64_t seeds, std::int64_t layers) {
  std::int64_t height = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Problem<> problem = trained(seed, layers);
    Options options;
    options.node_limit =
        256 * static_cast<std::int64_t>(problem.buffers.size());
    const auto lowest = snug::minimize(problem, options);
    REQUIRE(snug::validate(problem, lowest.height, lowest.offsets).ok());
    height += lowest.height;
  }
  return height;
}

}  // namespace

TEST_CASE("walk of orders: down to what the oracle has, and no further",
          "[order_walks]") {
  std::size_t placed = 0;
  std::size_t lowest_of_all = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1000); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    Walked walked(problem);
    walked.walk.start_from({});
    walked.walk.come_down(0, 16);
    const std::int64_t height = walked.walk.height();
    if (height >= kFar) continue;
    ++placed;
    CHECK(height >= *lowest);
    REQUIRE(snug::validate(problem, height, walked.offsets()).ok());
    if (height == *lowest) ++lowest_of_all;
  }
  CHECK(placed > at_least(std::size_t{700}));
  // First fit cannot leave a hole that a tie or an end needs.
  CHECK(lowest_of_all * 10 > placed * 9);
}

TEST_CASE("walk of orders: never above where it begins", "[order_walks]") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(60); ++seed) {
    CAPTURE(seed);
    Problem<> problem = chained(seed, 80);
    problem.aliases.clear();
    Options few;
    few.node_limit = 1;
    const auto start = snug::minimize(problem, few);
    REQUIRE(start.has_solution());
    Walked walked(problem);
    List<std::int64_t> at;
    for (const std::int64_t offset : start.offsets) at.push_back(offset);
    walked.walk.start_from(at);
    CHECK(walked.walk.height() == kFar);
    // One pass: each has its place, or a lower one that is left.
    walked.walk.come_down(start.height, 1);
    CHECK(walked.walk.height() <= start.height);
    REQUIRE(
        snug::validate(problem, walked.walk.height(), walked.offsets()).ok());
  }
}

TEST_CASE("walk of orders: goes on as long as it comes lower",
          "[order_walks]") {
  std::int64_t first = 0;
  std::int64_t then = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(20); ++seed) {
    CAPTURE(seed);
    const Problem<> problem = chained(seed, 120);
    Walked walked(problem);
    walked.walk.start_from({});
    walked.walk.come_down(0, 1);
    const std::int64_t height = walked.walk.height();
    const std::int64_t nodes = walked.stats.nodes;
    CHECK(nodes >=
          static_cast<std::int64_t>(
              walked.models.searched(walked.call)->components()[0].size));
    walked.walk.come_down(0, 32);
    CHECK(walked.walk.height() <= height);
    CHECK(walked.stats.nodes > nodes);
    REQUIRE(
        snug::validate(problem, walked.walk.height(), walked.offsets()).ok());
    for (std::int64_t last = walked.walk.height(), k = 0; k < 20; ++k) {
      walked.walk.come_down(0, 1);
      CHECK(walked.walk.height() <= last);
      last = walked.walk.height();
    }
    first += height;
    then += walked.walk.height();
    // It is low enough.
    const std::int64_t spent = walked.stats.nodes;
    walked.walk.come_down(walked.walk.height(), 32);
    CHECK(walked.stats.nodes == spent);
  }
  CHECK(then * 100 < first * 98);
}

TEST_CASE("walk of orders: the highest component comes down", "[order_walks]") {
  // The second is the first, half as high, behind it in time.
  Problem<> problem = chained(3, 60);
  const std::size_t count = problem.buffers.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto buffer = problem.buffers[i];
    buffer.lifespan.lower += 1000;
    buffer.lifespan.upper += 1000;
    buffer.size = (buffer.size + 1) / 2;
    problem.buffers.push_back(buffer);
  }
  const std::size_t ties = problem.aliases.size();
  for (std::size_t k = 0; k < ties; ++k)
    problem.aliases.push_back(
        {problem.aliases[k].buffer + count, problem.aliases[k].of + count, 0});
  Walked both(problem);
  both.walk.start_from({});
  both.walk.come_down(0, 8);
  problem.buffers.resize(count);
  problem.aliases.resize(ties);
  Walked alone(problem);
  alone.walk.start_from({});
  alone.walk.come_down(0, 16);
  // What the lower one needed was one placement.
  CHECK(both.walk.height() == alone.walk.height());
  CHECK(both.stats.nodes <= alone.stats.nodes + 64);
}

TEST_CASE("walk of orders: stops with the call", "[order_walks]") {
  Options options;
  options.node_limit = 40;
  const Problem<> problem = chained(5, 200);
  Walked walked(problem, options);
  walked.walk.start_from({});
  walked.walk.come_down(0, 1000);
  CHECK(walked.stats.nodes == 40);
  CHECK(walked.call.is_stopped());
  if (walked.walk.height() < kFar)
    CHECK(snug::validate(problem, walked.walk.height(), walked.offsets()).ok());
}

TEST_CASE("walk of orders: ties and two alignments", "[order_walks]") {
  const auto read = snug::read_csv(kCachedTransformer);
  REQUIRE(read.ok());
  const Problem<>& problem = read.problem;
  Options options;
  options.node_limit = 256 * static_cast<std::int64_t>(problem.buffers.size());
  const auto lowest = snug::minimize(problem, options);
  CHECK(lowest.lower_bound == 798720);
  // 834816 without order walks.
  CHECK(lowest.height <= 812000);
  const auto solved = snug::solve(problem, 816000, options);
  CHECK(solved.status == snug::Status::kFeasible);
  CHECK(snug::validate(problem, 816000, solved.offsets).ok());
}

TEST_CASE("walk of orders: two alignments and nothing else", "[order_walks]") {
  // At least 884032; 907200 without order walks.
  CHECK(height_of_all(6, 20) <= 902000);
  // At least 1462784; 1474752 from the placement alone.
  CHECK(height_of_all(20, 8) <= 1473000);
}

TEST_CASE("walk of orders: nothing to walk", "[order_walks]") {
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  OrderWalks walk(nullptr, call);
  walk.start_from({});
  walk.come_down(0, 16);
  CHECK(walk.height() == kFar);
  CHECK(stats.nodes == 0);
}

}  // namespace order_walks_test
