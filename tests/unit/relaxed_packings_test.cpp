// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/relaxed_packings.hpp"

#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace relaxed_packings_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Stats;
using snug::Status;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::FlatBuffer;
using snug::detail::kMaxTotal;
using snug::detail::RelaxedPackings;

namespace {

/// Some bytes are reserved or fixed, and there are other constraints.
Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (std::size_t n = random.between<std::size_t>(2, 6); n > 0; --n) {
    const std::int64_t begin = random.between(0, 2);
    problem.buffers.push_back(
        {{begin, random.between(begin + 1, begin + 4)}, random.between(1, 6)});
  }
  for (int k = random.between(1, 2); k > 0; --k)
    add_constraint(
        problem,
        random.below(2) == 0 ? Constraint::kReserved : Constraint::kFixed,
        random);
  for (int k = random.between(0, 3); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  return problem;
}

/// Nine of 5 bytes at one time, in holes of 12 with one byte between them; and two far
/// away in time.
Problem<> crowd() {
  Problem<> problem;
  for (int k = 0; k < 9; ++k) problem.buffers.push_back({{0, 2}, 5});
  for (int k = 0; k < 2; ++k) problem.buffers.push_back({{5, 7}, 1});
  for (std::int64_t k = 1; k < 9; ++k)
    problem.reserved.push_back({{13 * k - 1, 13 * k}});
  return problem;
}

}  // namespace

TEST_CASE("relaxed packings: no placement is lower, as the oracle has it",
          "[relaxed_packings]") {
  constexpr std::int64_t kHigh = 40;
  std::size_t compared = 0;
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    const std::optional<std::int64_t> lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    CAPTURE(seed);
    for (const bool is_presolved : {false, true}) {
      Flat flat = snug::detail::flatten(problem);
      std::int64_t ceiling = kHigh;
      if (is_presolved) ceiling = snug::detail::presolve(flat, ceiling);
      if (!RelaxedPackings::suits(flat)) continue;
      const Options options;
      Stats stats;
      Call call(options, stats);
      RelaxedPackings packings(flat, call);
      const std::int64_t height = packings.height(0, kMaxTotal, true, call);
      REQUIRE(height <= *lowest);
      ++compared;
      if (height == *lowest) ++exact;
      // Whoever needs it does without all others.
      std::vector<std::size_t> some;
      for (const auto i : packings.core()) some.push_back(i);
      if (is_presolved || !problem.contiguous.empty()) continue;
      const std::optional<std::int64_t> part =
          lowest_within(snug::subset(problem, some), kHigh);
      REQUIRE(part);
      REQUIRE(*part >= height);
    }
  }
  CHECK(compared > at_least<std::size_t>(3000));
  CHECK(exact > at_least<std::size_t>(1000));
}

TEST_CASE("relaxed packings: again where less is known", "[relaxed_packings]") {
  const Flat flat = snug::detail::flatten(crowd());
  const Options options;
  Stats stats;
  Call call(options, stats);
  RelaxedPackings packings(flat, call);
  CHECK(packings.height(100, kMaxTotal, true, call) == 0);
  CHECK(packings.core().empty());
  CHECK(packings.height(0, kMaxTotal, false, call) == 57);
  CHECK(packings.core() == snug::detail::numbers_below(9));
  CHECK(packings.height(100, kMaxTotal, true, call) == 57);
}

TEST_CASE("relaxed packings: stretches and windows, each by itself",
          "[relaxed_packings]") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 8}, {{0, 9}, 4}, {{0, 3}, 2}, {{6, 9}, 2}};
  problem.buffers[0].gaps = {{{2, 4}, snug::Interval<std::int64_t>{2, 5}},
                             {{6, 8}, {}}};
  problem.buffers[1].offset = 20;
  problem.buffers[1].gaps = {{{3, 5}, snug::Interval<std::int64_t>{1, 3}}};
  const auto relaxed = [](const Problem<>& of) {
    return snug::detail::relax_beside_fixed(snug::detail::flatten(of), {});
  };
  const auto all = relaxed(problem);
  const auto& buffers = all.problem.buffers;
  REQUIRE(buffers.size() == 7);
  CHECK(buffers[0].size == 8);
  CHECK(buffers[0].lifespan == snug::Interval<std::int64_t>{0, 2});
  // The others of it, in order of time.
  CHECK(buffers[4].size == 3);
  CHECK(buffers[4].lifespan == snug::Interval<std::int64_t>{2, 4});
  CHECK(buffers[5].size == 8);
  CHECK(buffers[5].lifespan == snug::Interval<std::int64_t>{4, 6});
  CHECK(buffers[6].lifespan == snug::Interval<std::int64_t>{8, 9});
  CHECK(all.owners == snug::detail::List<snug::detail::Index>{0, 0, 0});
  // What is fixed is whole, with its gap.
  CHECK(buffers[1].lifespan == snug::Interval<std::int64_t>{0, 9});
  CHECK(all.problem.gaps.size() == 1);
  CHECK(all.problem.fixed.size() == 7);
  // Tied to another one, it has its longest stretch alone.
  problem.aliases = {{2, 0, 0}};
  CHECK(relaxed(problem).problem.buffers.size() == 4);
  problem.aliases.clear();
  problem.may_overlap = {{3, 0}};
  CHECK(relaxed(problem).problem.buffers.size() == 4);
  problem.may_overlap = {{2, 1}};
  CHECK(relaxed(problem).problem.buffers.size() == 7);
  CHECK(relaxed(problem).problem.gaps.empty());
}

TEST_CASE(
    "relaxed packings: a vacuous constraint does not hide what does not fit",
    "[relaxed_packings]") {
  // Two in each hole: the ninth one is in the fifth.
  constexpr std::int64_t kHeight = 4 * 13 + 5;
  Options options;
  options.node_limit = 10;
  const auto is_known = [&](const Problem<>& problem) {
    const Result<> result = snug::solve(problem, kHeight - 1, options);
    const Result<> lowest = snug::minimize(problem, options);
    return result.status == Status::kInfeasible &&
           result.lower_bound == kHeight && lowest.status == Status::kOptimal &&
           lowest.height == kHeight;
  };
  CHECK(is_known(crowd()));
  Problem<> problem = crowd();
  problem.aliases = {{9, 0, 0}};
  CHECK(is_known(problem));
  problem = crowd();
  problem.buffers[0].end = snug::End::kTop;
  problem.buffers[9].end = snug::End::kBottom;
  CHECK(is_known(problem));
  problem = crowd();
  problem.buffers[0].lifespan = {0, 6};
  problem.buffers[0].gaps.push_back({{2, 4}, {}});
  CHECK(is_known(problem));
  problem = crowd();
  problem.may_overlap = {{9, 10}};
  CHECK(is_known(problem));
  problem = crowd();
  problem.base = 1;
  problem.buffers.push_back({{0, 2}, 1});
  problem.buffers.back().offset = 11;
  CHECK(snug::solve(problem, kHeight - 1, options).status ==
        Status::kInfeasible);
}

}  // namespace relaxed_packings_test
