// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/packed_load.hpp"

#include "snug/bounds/clique_cover.hpp"
#include "snug/bounds/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/plain.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/obstructed.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace packed_load_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::kMaxTotal;
using snug::detail::PackedLoads;
using snug::detail::packing_steps_for;
using snug::detail::Plain;

namespace {

snug::Reserved<> range_of(std::int64_t lower, std::int64_t upper) {
  snug::Reserved<> range;
  range.bytes = {lower, upper};
  return range;
}

/// Holes of 56 bytes, and buffers of up to 50.
Problem<> banks(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  const auto last = static_cast<std::int64_t>(count / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.between<std::int64_t>(0, last);
    problem.buffers.push_back(
        {{begin, begin + random.between<std::int64_t>(1, 12)},
         random.between<std::int64_t>(1, 50)});
  }
  for (std::int64_t k = 1; k < 60; ++k)
    problem.reserved.push_back(range_of(60 * k, 60 * k + 4));
  return problem;
}

/// A few buffers with obstacles; of one alignment, or of several.
Problem<> draw(std::uint64_t seed, bool is_aligned) {
  Random random(seed);
  Problem<> problem;
  const bool is_together = random.below(2) == 0;
  for (std::size_t n = random.between<std::size_t>(2, 5); n > 0; --n) {
    const std::int64_t begin = is_together ? 0 : random.between(0, 2);
    snug::Buffer<> buffer{{begin, random.between(begin + 1, begin + 4)},
                          random.between(1, 7)};
    if (is_aligned) buffer.alignment = std::int64_t{2} << random.below(2);
    problem.buffers.push_back(buffer);
  }
  for (int k = random.between(1, 4); k > 0; --k) {
    const auto lower = random.between<std::int64_t>(0, 16);
    problem.reserved.push_back(
        range_of(lower, lower + random.between<std::int64_t>(1, 3)));
    if (is_together || random.below(2) == 0) continue;
    const auto begin = random.between<std::int64_t>(0, 3);
    problem.reserved.back().lifespan = {
        begin, begin + random.between<std::int64_t>(1, 3)};
  }
  for (int k = random.between(0, 2); k > 0; --k) {
    const std::size_t last = problem.buffers.size() - 1;
    const auto a = random.between<std::size_t>(0, last);
    const auto b = random.between<std::size_t>(0, last);
    if (a != b) problem.apart.push_back({a, b});
  }
  return problem;
}

Plain with_cliques(const Problem<>& problem) {
  Plain plain = obstructed_of(problem);
  snug::detail::CliqueCover cover(plain, {});
  plain.cliques = std::move(cover.cliques());
  return plain;
}

}  // namespace

TEST_CASE("packed load: no placement is lower, as the oracle has it",
          "[packed_load]") {
  constexpr std::int64_t kHigh = 60;
  std::size_t higher = 0;
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    const bool is_aligned = seed % 2 == 1;
    const Problem<> problem = draw(seed, is_aligned);
    CAPTURE(seed);
    REQUIRE(snug::check(problem).ok());
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    REQUIRE(lowest);
    const Plain plain = with_cliques(problem);
    const std::int64_t load = snug::detail::obstructed_load(plain);
    PackedLoads loads(plain);
    loads.run(0, kMaxTotal, packing_steps_for(8));
    REQUIRE(loads.height() <= *lowest);
    CHECK(loads.height() >= (is_aligned ? 1 : load));
    if (loads.height() > load) ++higher;
    if (loads.height() > load && loads.height() == *lowest) ++exact;
    // The same, of those that need it alone.
    std::vector<std::size_t> some;
    for (const auto i : loads.highest()) some.push_back(i);
    std::sort(some.begin(), some.end());
    const Problem<> part = snug::subset(problem, some);
    CHECK(lowest_within(part, kHigh) >= loads.height());
  }
  CHECK(higher > at_least<std::size_t>(500));
  CHECK(exact > at_least<std::size_t>(400));
}

TEST_CASE("packed load: of all live together it is the lowest height",
          "[packed_load]") {
  std::size_t higher = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2000); ++seed) {
    CAPTURE(seed);
    Problem<> problem = draw(seed, false);
    problem.apart.clear();
    for (snug::Buffer<>& buffer : problem.buffers) buffer.lifespan = {0, 9};
    for (snug::Reserved<>& range : problem.reserved) range.lifespan = {};
    const Plain plain = obstructed_of(problem);
    PackedLoads loads(plain);
    loads.run(0, kMaxTotal, packing_steps_for(8));
    CHECK(loads.height() == lowest_within(problem, std::int64_t{80}));
    if (loads.height() > snug::detail::obstructed_load(plain)) ++higher;
  }
  CHECK(higher > at_least<std::size_t>(200));
}

TEST_CASE("packed load: what is no higher is not looked for", "[packed_load]") {
  const Plain plain = obstructed_of(banks(40, 3));
  const std::int64_t steps = packing_steps_for(40);
  PackedLoads all(plain);
  all.run(0, kMaxTotal, steps);
  REQUIRE(all.height() > snug::detail::obstructed_load(plain));
  PackedLoads none(plain);
  none.run(all.height(), kMaxTotal, steps);
  CHECK(none.height() == 0);
  CHECK(none.highest().empty());
  PackedLoads first(plain);
  first.run(all.height() - 1, all.height() - 1, steps);
  CHECK(first.height() == all.height());
  PackedLoads idle(plain);
  idle.run(0, kMaxTotal, 0);
  CHECK(idle.height() == 0);
  // The first one that is more than enough.
  PackedLoads some(plain);
  some.run(0, 10, steps);
  CHECK(some.height() > 10);
  CHECK(some.height() <= all.height());
}

TEST_CASE("packed load: a clique beside what all of it meets",
          "[packed_load]") {
  // Three of 4 bytes, of which two are live at a time, around one byte at 6: below it
  // there is room for one of them.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{1, 4}, 4}, {{3, 5}, 4}};
  problem.apart = {{0, 2}};
  problem.reserved = {range_of(6, 7)};
  const auto height = [](const Problem<>& of) {
    const Plain plain = with_cliques(of);
    PackedLoads loads(plain);
    loads.run(0, kMaxTotal, packing_steps_for(3));
    return loads.height();
  };
  CHECK(height(problem) == 15);
  CHECK(lowest_within(problem, std::int64_t{20}) == 15);
  // The first and the last one do not meet it, so it is not beside all three.
  problem.reserved[0].lifespan = {2, 3};
  CHECK(height(problem) == 12);
}

TEST_CASE("packed load: banks are packed before they are searched",
          "[packed_load]") {
  std::size_t proved = 0;
  std::size_t raised = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const Problem<> problem = banks(60, seed);
    const Plain plain = obstructed_of(problem);
    PackedLoads loads(plain);
    loads.run(0, kMaxTotal, packing_steps_for(60));
    if (loads.height() > snug::detail::obstructed_load(plain)) ++raised;
    Options options;
    options.node_limit = 10000;
    const Result<> lowest = snug::minimize(problem, options);
    REQUIRE(lowest.has_solution());
    CHECK(lowest.lower_bound >= loads.height());
    if (lowest.status == Status::kOptimal) ++proved;
    options.node_limit = 1;
    const Result<> result = snug::solve(problem, loads.height() - 1, options);
    CHECK(result.status == Status::kInfeasible);
    CHECK(result.lower_bound == loads.height());
  }
  CHECK(raised >= 10);
  CHECK(proved >= 6);
}

}  // namespace packed_load_test
