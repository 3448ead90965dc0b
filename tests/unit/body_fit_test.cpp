// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_fit.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_placer.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/check.hpp"
#include "snug/plan/call.hpp"
#include "snug/solve.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_fit_test {

namespace {

using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::BodyBuilder;
using snug::detail::BodyFit;
using snug::detail::BodyPlacer;
using snug::detail::Outcome;
using snug::testing::at_least;
using snug::testing::effort;
using snug::testing::Random;
using snug::testing::Shape;

constexpr std::int64_t kHigh = 1000;

Problem<> constrained(Random& random, std::size_t count) {
  Shape shape;
  shape.count = count;
  shape.length = 10;
  Problem<> problem = snug::testing::uniform(shape, random);
  snug::testing::add_constraints(problem, random);
  return problem;
}

Bodies bodies_of(const Problem<>& problem) {
  return BodyBuilder(snug::detail::flatten(problem)).build();
}

snug::detail::List<std::int64_t> fixed_offsets(const Bodies& bodies) {
  snug::detail::List<std::int64_t> offsets;
  for (const Body& body : bodies.bodies)
    offsets.push_back(body.fixed == Body::kFree ? 0 : body.fixed);
  return offsets;
}

snug::detail::List<std::int64_t> buffer_offsets(
    const Bodies& bodies, const snug::detail::List<std::int64_t>& offsets) {
  snug::detail::List<std::int64_t> result;
  for (std::size_t i = 0; i < bodies.body_of.size(); ++i)
    result.push_back((offsets[bodies.body_of[i]] + bodies.delta[i]) *
                     bodies.unit);
  return result;
}

bool never() {
  return false;
}

}  // namespace

TEST_CASE("first fit gives placements in every order") {
  Random random(41);
  int placed = 0;
  for (int round = 0; round < effort(600); ++round) {
    const Problem<> problem = constrained(random, 12);
    const Bodies bodies = bodies_of(problem);
    BodyFit fit(bodies);
    for (const auto order : {BodyFit::Order::kArea, BodyFit::Order::kExtent,
                             BodyFit::Order::kWidth, BodyFit::Order::kFirst}) {
      snug::detail::List<std::int64_t> offsets = fixed_offsets(bodies);
      const snug::detail::List<std::uint8_t> kept(offsets.size(), 0);
      if (!fit.place(order, kHigh, kept, offsets, never)) continue;
      ++placed;
      CHECK(snug::validate(problem, kHigh * bodies.unit,
                           vector_of(buffer_offsets(bodies, offsets)))
                .ok());
    }
  }
  CHECK(placed > at_least(2000));
}

TEST_CASE("first fit keeps what may stay and respects the capacity") {
  Problem<> problem;
  problem.buffers.push_back({{0, 4}, 4});
  problem.buffers.push_back({{0, 4}, 2});
  problem.buffers.push_back({{0, 4}, 3});
  problem.buffers[0].offset = 1;
  const Bodies bodies = bodies_of(problem);
  BodyFit fit(bodies);
  // The second stays where it is; the third would meet the fixed one.
  snug::detail::List<std::int64_t> offsets = {1, 7, 3};
  CHECK(fit.place(BodyFit::Order::kArea, 12, {false, true, true}, offsets,
                  never));
  CHECK(offsets == snug::detail::List<std::int64_t>{1, 7, 9});
  offsets = {1, 7, 3};
  CHECK(!fit.place(BodyFit::Order::kArea, 11, {false, true, true}, offsets,
                   never));
  // Above the capacity nothing is kept.
  offsets = {1, 7, 3};
  CHECK(fit.place(BodyFit::Order::kArea, 10, {false, false, true}, offsets,
                  never));
  CHECK(offsets == snug::detail::List<std::int64_t>{1, 8, 5});
  offsets = {1, 20, 3};
  CHECK(fit.place(BodyFit::Order::kArea, 10, {false, true, false}, offsets,
                  never));
  CHECK(offsets == snug::detail::List<std::int64_t>{1, 8, 5});
  CHECK(!fit.place(BodyFit::Order::kArea, 10, {false, false, false}, offsets,
                   [] { return true; }));
}

TEST_CASE("what is counted for the decision to search") {
  Problem<> problem;
  // Three sections: {0, 1}, {0, 2, 3}, {4}; buffer 5 is fixed.
  problem.buffers.push_back({{0, 4}, 1});
  problem.buffers.push_back({{0, 2}, 2});
  problem.buffers.push_back({{2, 4}, 3});
  problem.buffers.push_back({{2, 3}, 4});
  problem.buffers.push_back({{5, 6}, 5});
  problem.buffers.push_back({{0, 6}, 6});
  problem.buffers[5].offset = 0;
  const Bodies bodies = bodies_of(problem);
  CHECK(snug::detail::count_meetings(bodies) == 6);
  CHECK(snug::detail::load_of(bodies) == 14);
  problem.may_overlap.push_back({3, 1});  // They never meet.
  CHECK(snug::detail::load_of(bodies_of(problem)) == 14);
  problem.may_overlap.push_back({2, 3});
  CHECK(snug::detail::load_of(bodies_of(problem)) == 11);
  problem.may_overlap.clear();
  problem.aliases.push_back({3, 2, 0});
  CHECK(snug::detail::load_of(bodies_of(problem)) == 11);
}

TEST_CASE("a placer that must not search uses first fit, or gives up") {
  Random random(43);
  const Options options;
  int placed = 0;
  int lowest = 0;
  for (int round = 0; round < effort(500); ++round) {
    const Problem<> problem = constrained(random, 6);
    snug::Stats stats;
    snug::detail::Call run(options, stats);
    BodyPlacer placer(bodies_of(problem), run, -1);
    REQUIRE(placer.is_large());
    const std::int64_t unit = placer.bodies().unit;
    const Problem<> plain =
        snug::testing::problem_of(snug::testing::plain_of(problem));
    const Result<> rest = snug::solve(plain, 1000);
    REQUIRE(rest.has_solution());
    placer.keep_plain(list_of(rest.offsets));
    const Outcome outcome = placer.place(kHigh / unit);
    CHECK(stats.nodes == 0);
    if (outcome == Outcome::kRefuted) {
      CHECK(placer.lower_bound() * unit > kHigh);
      continue;
    }
    if (outcome != Outcome::kPlacedAll) continue;
    ++placed;
    placer.lower();
    CHECK(placer.lower_bound() <= placer.height());
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      offsets.push_back(placer.offset(i) * unit);
    CHECK(snug::validate(problem, placer.height() * unit, offsets).ok());
    // The floor is a bound for exact answers, too.
    snug::testing::Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    if (placer.lower_bound() > 0 && placer.lower_bound() * unit <= 14)
      CHECK(!oracle.fits(placer.lower_bound() * unit - 1));
    if (placer.height() == placer.lower_bound()) ++lowest;
  }
  CHECK(placed > at_least(300));
  CHECK(lowest > at_least(50));
}

}  // namespace body_fit_test
