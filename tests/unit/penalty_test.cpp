// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize_penalty(), penalty_cost(), and penalties in check(), subset() and
/// CSV. The least costs are compared with exhaustive search in
/// property/penalty_oracle_test.cpp.
#include "snug/penalty.hpp"

#include "snug/assign.hpp"
#include "snug/io/csv.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/penalty/clique_demands.hpp"
#include "snug/penalty/cover.hpp"
#include "snug/penalty/penalty_links.hpp"
#include "snug/penalty/penalty_walk.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/plain.hpp"
#include "snug/solve.hpp"
#include "snug/support/list.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/solved.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace penalty_test {

namespace {

using snug::Check;
using snug::End;
using snug::Entry;
using snug::Options;
using snug::PenaltyResult;
using snug::Problem;
using snug::Reason;
using snug::Status;
using snug::Stop;
using snug::testing::effort;

/// `count` buffers of `size` bytes, one after the other, a penalty of 1 for all
/// pairs.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> pool(std::size_t count, Size size) {
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Time>(i);
    problem.buffers.push_back({{at, static_cast<Time>(at + 1)}, size});
    for (std::size_t j = 0; j < i; ++j) problem.penalties.push_back({j, i, 1});
  }
  return problem;
}

/// Twelve buffers of 3 to 7 bytes, as above.
[[nodiscard]] Problem<> pool_of_some_sizes() {
  Problem<> problem = pool(12, std::int64_t{0});
  for (std::size_t i = 0; i < 12; ++i)
    problem.buffers[i].size = 3 + static_cast<std::int64_t>(i * i % 5);
  return problem;
}

template <class Size, class Time>
[[nodiscard]] Check checked(Problem<Size, Time> problem,
                            const snug::Penalty& last) {
  problem.penalties.push_back(last);
  return snug::check(problem);
}

}  // namespace

TEST_CASE("penalties are paid for shared bytes alone") {
  Problem<> problem = pool(3, std::int64_t{4});
  problem.penalties = {{0, 1, 3}, {2, 1, 5}, {0, 2, 7}, {1, 0, 20}};
  CHECK(snug::penalty_cost(problem, {0, 4, 8}) == 0);
  CHECK(snug::penalty_cost(problem, {0, 3, 8}) == 23);
  CHECK(snug::penalty_cost(problem, {0, 4, 7}) == 5);
  CHECK(snug::penalty_cost(problem, {0, 0, 0}) == 35);
  problem.buffers[1].size = 0;
  CHECK(snug::penalty_cost(problem, {0, 2, 2}) == 7);
}

TEST_CASE("pools of equal buffers pay as Turan says") {
  // 8 buffers in 3 places: 3 + 3 + 1 pairs share one.
  for (const std::int64_t capacity : {12, 13, 15}) {
    const PenaltyResult<> result =
        snug::minimize_penalty(pool(8, std::int64_t{4}), capacity);
    CHECK(result.status == Status::kOptimal);
    CHECK(result.cost == 7);
    CHECK(result.cost_bound == 7);
    CHECK(result.height <= capacity);
  }
  CHECK(snug::minimize_penalty(pool(8, std::int64_t{4}), 32).cost == 0);
  CHECK(snug::minimize_penalty(pool(8, std::int64_t{4}), 4).cost == 28);
}

TEST_CASE("penalties of narrow types") {
  const auto problem = pool<std::int32_t, std::int16_t>(5, 1000000000);
  const auto result = snug::minimize_penalty(problem, 2000000000);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 4);
  CHECK(snug::penalty_cost(problem, result.offsets) == 4);
}

TEST_CASE("the dearest pairs do not share") {
  Problem<> problem = pool(3, std::int64_t{4});
  problem.penalties = {{0, 1, std::int64_t{1} << 60},
                       {1, 2, (std::int64_t{1} << 60) - 1},
                       {0, 2, std::int64_t{1} << 61}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == (std::int64_t{1} << 60) - 1);
  CHECK(result.cost_bound == result.cost);
}

TEST_CASE("what cannot be placed at all is infeasible, whatever it may cost") {
  Problem<> problem = pool(3, std::int64_t{4});
  problem.apart = {{0, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 7);
  CHECK(result.status == Status::kInfeasible);
  CHECK(result.offsets.empty());
  CHECK(!result.has_solution());
  CHECK(snug::minimize_penalty(problem, 8).cost == 1);
}

TEST_CASE("tied, fixed, kept apart and live together: known beforehand") {
  Problem<> problem = pool(4, std::int64_t{4});
  problem.aliases = {{1, 0, 2}};
  problem.buffers[2].offset = 0;
  problem.buffers[3].offset = 3;
  problem.penalties = {{0, 1, 5}, {2, 3, 7}, {0, 2, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 10);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 12);
  CHECK(snug::minimize_penalty(problem, 9).cost == 13);

  Problem<> together = pool(2, std::int64_t{4});
  together.buffers[1].lifespan.lower = 0;
  CHECK(snug::minimize_penalty(together, 7).status == Status::kInfeasible);
  CHECK(snug::minimize_penalty(together, 8).cost == 0);
  // Free to overlap, they are two like others.
  together.may_overlap = {{0, 1}};
  CHECK(snug::minimize_penalty(together, 7).cost == 1);
  CHECK(snug::minimize_penalty(together, 8).cost == 0);
}

TEST_CASE("a pair of a bottom and a top buffer may be apart either way round") {
  Problem<> problem = pool(3, std::int64_t{4});
  problem.buffers[0].end = snug::End::kBottom;
  problem.buffers[1].end = snug::End::kTop;
  problem.buffers[0].offset = 4;
  problem.penalties = {{0, 1, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 0);
  CHECK(result.offsets[1] == 0);
}

TEST_CASE("a pair that may overlap may be apart either way round as well") {
  Problem<> problem;
  problem.buffers.assign(2, {{0, 1}, 4});
  problem.buffers[0].end = snug::End::kBottom;
  problem.buffers[1].end = snug::End::kTop;
  problem.buffers[1].offset = 0;
  problem.may_overlap = {{0, 1}};
  problem.penalties = {{0, 1, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 0);
  CHECK(result.cost_bound == 0);
  CHECK(result.offsets[0] == 4);
  CHECK(snug::minimize_penalty(problem, 7).cost == 1);
}

TEST_CASE("a pair of both ends may be apart on bytes reserved for all time") {
  Problem<> problem = pool(2, std::int64_t{4});
  problem.buffers[0].end = snug::End::kTop;
  problem.buffers[0].gaps.push_back(
      {problem.buffers[0].lifespan, std::nullopt});  // Takes none ever.
  problem.buffers[1].end = snug::End::kBottom;
  problem.reserved = {{{2, 4}, std::nullopt}};
  problem.penalties = {{0, 1, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 0);
  CHECK(result.cost_bound == 0);
}

TEST_CASE("a pair of both ends may live until the end of time") {
  Problem<> problem = pool(2, std::int64_t{4});
  problem.buffers[0].end = snug::End::kTop;
  problem.buffers[1].end = snug::End::kBottom;
  problem.buffers[1].offset = 4;
  problem.buffers[1].lifespan.upper =
      (std::numeric_limits<std::int64_t>::max)();
  problem.penalties = {{0, 1, 1}};
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 0);
}

TEST_CASE("nothing to place, nothing to pay") {
  const PenaltyResult<> none = snug::minimize_penalty(Problem<>{}, 0);
  CHECK(none.status == Status::kOptimal);
  CHECK(none.has_solution());
  CHECK(none.cost == 0);
  Problem<> empty = pool(2, std::int64_t{0});
  CHECK(snug::minimize_penalty(empty, 0).cost == 0);
}

TEST_CASE("limits: a placement and a valid bound") {
  const Problem<> problem = pool(40, std::int64_t{3});
  // 40 buffers in 6 places: 4 * 21 + 2 * 15.
  const std::int64_t least = 4 * 21 + 2 * 15;
  for (const std::int64_t nodes : {0, 1, 100, 1000, 2000}) {
    Options options;
    options.node_limit = nodes;
    const PenaltyResult<> result = snug::minimize_penalty(problem, 20, options);
    CHECK(result.cost_bound <= least);
    if (result.has_solution()) {
      CHECK(snug::validate(problem, 20, result.offsets).ok());
      CHECK(result.cost >= least);
    }
    if (result.status != Status::kOptimal)
      CHECK(result.stopped_by == Stop::kNodeLimit);
  }
  Options late;
  late.time_limit = std::chrono::nanoseconds(0);
  CHECK(snug::minimize_penalty(problem, 20, late).stopped_by ==
        Stop::kTimeLimit);
  std::atomic<bool> cancel{true};
  Options cancelled;
  cancelled.cancel = &cancel;
  CHECK(snug::minimize_penalty(problem, 20, cancelled).stopped_by ==
        Stop::kCancelled);
}

// That these pairs cannot all be apart takes a search far longer than the limit.
TEST_CASE("there is a placement where to keep all pairs apart is hard") {
  Problem<> problem = pool(64, std::int64_t{1});
  std::mt19937_64 random(1);
  snug::detail::erase_if(problem.penalties, [&](const snug::Penalty&) {
    return random() % 2 == 0;
  });
  Options options;
  options.node_limit = 1000;
  const PenaltyResult<> result = snug::minimize_penalty(problem, 10, options);
  CHECK(result.has_solution());
  CHECK(result.status == Status::kFeasible);
  CHECK(snug::validate(problem, 10, result.offsets).ok());
}

TEST_CASE("what is too large to be searched is left open as at a node limit") {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 4}, {{0, 3}, 2}};
  problem.may_overlap = {{0, 1}};
  problem.reserved = {{{3, 4}, {{0, 1}}}};
  Options options;
  options.memory_limit = 0;
  const PenaltyResult<> found = minimize_penalty(problem, 7, options);
  CHECK(found.status == Status::kUnknown);
  CHECK(found.stopped_by == Stop::kNodeLimit);
}

// A walk alone proves nothing, so it must not go on for ever.
TEST_CASE("what says nothing of the others does not keep a walk from them") {
  std::mt19937 random(3);
  const auto draw = [&](int least, int most) {
    return least +
           static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  Problem<> problem;
  for (int i = 0; i < 60; ++i) {
    const int begin = draw(0, 40);
    problem.buffers.push_back({{begin, begin + draw(1, 4)}, draw(1, 30)});
  }
  for (int k = 0; k < 900; ++k) {
    const int i = draw(0, 59);
    const int j = draw(0, 59);
    if (i != j)
      problem.penalties.push_back({static_cast<std::size_t>(i),
                                   static_cast<std::size_t>(j), draw(1, 9)});
  }
  const std::int64_t capacity = snug::minimize(problem).height;
  Options options;
  options.node_limit = 20000;
  const auto cost = [&] {
    const PenaltyResult<> result =
        snug::minimize_penalty(problem, capacity, options);
    CHECK(snug::validate(problem, capacity, result.offsets).ok());
    CHECK(snug::penalty_cost(problem, result.offsets) == result.cost);
    return result.cost;
  };
  const std::int64_t least = cost();
  CHECK(least > 0);
  SECTION("an end, where there is no other") {
    problem.buffers[7].end = snug::End::kTop;
    CHECK(cost() == least);
  }
  SECTION("a tie far away") {
    problem.buffers.push_back({{100, 101}, 1});
    problem.buffers.push_back({{105, 106}, 1});
    problem.aliases = {{60, 61, 0}};
    CHECK(cost() <= least + least / 4);
  }
  SECTION("many of both ends stay in order") {
    for (std::size_t i = 0; i < 60; i += 2)
      problem.buffers[i].end =
          i % 4 == 0 ? snug::End::kTop : snug::End::kBottom;
    const std::int64_t height = snug::minimize(problem, options).height;
    const PenaltyResult<> result =
        snug::minimize_penalty(problem, height, options);
    CHECK(result.has_solution());
    CHECK(snug::validate(problem, height, result.offsets).ok());
  }
  SECTION("both ends, and a tie in their midst") {
    problem.buffers[7].end = snug::End::kTop;
    problem.buffers[9].end = snug::End::kBottom;
    problem.aliases = {{11, 12, 3}};
    const std::int64_t height = snug::minimize(problem).height;
    if (height <= capacity) CHECK(cost() <= 2 * least);
  }
}

// Small enough to be seen pair by pair.
TEST_CASE("links to all that are live at one time, and to pairs") {
  using snug::detail::PenaltyLink;
  std::mt19937 random(7);
  const auto draw = [&](int least, int most) {
    return least +
           static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  for (int round = 0; round < 100; ++round) {
    snug::detail::Flat flat;
    const int count = draw(0, 12);
    for (int i = 0; i < count; ++i) {
      const int begin = draw(0, 9);
      flat.buffers.push_back({{begin, begin + draw(1, 4)}, draw(0, 3), 1});
    }
    snug::detail::List<snug::detail::SoftPair> soft;
    const auto n = static_cast<snug::detail::Index>(count);
    for (snug::detail::Index a = 0; a < n; ++a)
      for (snug::detail::Index b = a + 1; b < n; ++b) {
        const int kind = draw(0, 9);
        if (kind == 0) flat.may_overlap.push_back({a, b});
        if (kind == 1) flat.apart.push_back({a, b});
        if (kind == 2 && flat.buffers[a].size > 0 && flat.buffers[b].size > 0)
          soft.push_back({a, b, draw(1, 9)});
      }
    const auto links = snug::detail::link_penalties(flat, soft);
    REQUIRE(links.size() == n);
    const auto may_overlap = [&](snug::detail::Index a, snug::detail::Index b) {
      return snug::detail::contains_pair(flat.may_overlap, a, b);
    };
    for (snug::detail::Index a = 0; a < n; ++a) {
      std::map<snug::detail::Index, std::int64_t> expected;
      for (const snug::detail::SoftPair& pair : soft)
        if (pair.a == a || pair.b == a)
          expected[pair.a ^ pair.b ^ a] = pair.cost;
      for (snug::detail::Index b = 0; b < n; ++b) {
        const bool are_live =
            flat.buffers[a].lifespan.overlaps(flat.buffers[b].lifespan);
        const bool are_apart = snug::detail::contains_pair(flat.apart, a, b) ||
                               (are_live && !may_overlap(a, b));
        if (a != b && flat.buffers[a].size > 0 && flat.buffers[b].size > 0 &&
            are_apart)
          expected[b] = PenaltyLink::kHard;
      }
      std::map<snug::detail::Index, std::int64_t> found;
      for (const PenaltyLink& link : links[a]) found[link.other] = link.cost;
      CAPTURE(round, a);
      CHECK(found == expected);
      CHECK(links[a].size() == expected.size());
    }
  }
}

TEST_CASE("a walk of many buffers pays for few of their pairs") {
  Problem<> problem;
  for (std::size_t i = 0; i < 6000; ++i) {
    const auto begin = static_cast<std::int64_t>(i);
    problem.buffers.push_back(
        {{begin, begin + 4 + begin * 31 % 5}, 16 + 16 * (begin * 7919 % 40)});
    for (std::size_t k = 8; k < 24 && k <= i; ++k)
      problem.penalties.push_back({i - k, i, 1});
  }
  const std::int64_t capacity = snug::load(problem) * 9 / 8;
  Options options;
  options.node_limit = 8000;
  const std::vector<std::int64_t> offsets =
      snug::solve(problem, capacity, options).offsets;
  REQUIRE(snug::validate(problem, capacity, offsets).ok());
  const std::int64_t first = snug::penalty_cost(problem, offsets);
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const snug::detail::SoftPairs soft =
      snug::detail::make_soft_pairs(problem.penalties, flat);
  REQUIRE(snug::detail::PenaltyWalk::suits(flat, std::size_t{1} << 24));
  snug::detail::PenaltyWalk walk(flat, soft.pairs, capacity, 1);
  REQUIRE(walk.start(offsets));
  CHECK(walk.run(100000, 0, {}) <= 100000 + 8);
  REQUIRE(snug::validate(problem, capacity, walk.best()).ok());
  const std::int64_t least = snug::penalty_cost(problem, walk.best());
  CAPTURE(first, least);
  CHECK(least * 2 < first);
}

TEST_CASE("a walk among many reserved ranges looks at the clock") {
  Problem<> problem;
  for (std::int64_t k = 0; k < 20; ++k) {
    problem.buffers.push_back({{10 * k, 10 * k + 10}, 60});
    for (std::int64_t i = 0; i < k; ++i)
      problem.penalties.push_back(
          {static_cast<std::size_t>(k), static_cast<std::size_t>(i), 1 + i});
  }
  for (std::int64_t k = 0; k < 20000; ++k)
    problem.reserved.push_back({{2 * k, 2 * k + 1}, {}});
  problem.reserved[10000].bytes = {20000, 20001};
  for (std::int64_t k = 10000; k < 20000; ++k)
    problem.reserved[static_cast<std::size_t>(k)].bytes = {2 * k + 60,
                                                           2 * k + 61};
  const std::int64_t capacity = 40061;
  const snug::detail::Flat flat = snug::detail::flatten(problem);
  const snug::detail::SoftPairs soft =
      snug::detail::make_soft_pairs(problem.penalties, flat);
  snug::detail::PenaltyWalk walk(flat, soft.pairs, capacity, 1);
  REQUIRE(walk.start_empty());
  std::size_t asked = 0;
  const auto stop = [&] { return ++asked == 4; };
  // Each step looks at all the ranges.
  CHECK(walk.run(1000000, 0, stop) < 64);
  CHECK(asked == 4);
  CHECK_FALSE(walk.start_empty([] { return true; }));
}

TEST_CASE("where trials lack memory it ends without any limit") {
  Problem<> problem;
  problem.alignment = 2;
  problem.buffers = {{{4, 6}, 5},    {{1, 3}, 4}, {{2, 6}, 2, 4},
                     {{1, 5}, 2, 3}, {{0, 6}, 3}, {{0, 6}, 2}};
  problem.buffers[3].gaps.push_back({{3, 5}, {{0, 1}}});
  problem.buffers[5].gaps.push_back({{0, 4}, {{2, 2}}});
  problem.apart = {{4, 1}, {4, 2}};
  problem.penalties = {{0, 1, 6}, {2, 1, 5}};
  const PenaltyResult<> exact = minimize_penalty(problem, 15);
  CHECK(exact.status == Status::kOptimal);
  int open = 0;
  for (const std::size_t bytes : {400U, 1293U, 4000U, 1000000U}) {
    CAPTURE(bytes);
    Options options;
    options.memory_limit = bytes;
    const PenaltyResult<> found = minimize_penalty(problem, 15, options);
    CHECK(found.cost_bound <= exact.cost);
    if (found.status == Status::kOptimal) {
      CHECK(found.cost == exact.cost);
      continue;
    }
    CHECK(found.stopped_by == Stop::kNodeLimit);
    ++open;
  }
  CHECK(open > 0);
}

// What is never live together may have to lie one upon the other.
TEST_CASE("all that penalties may keep apart fits 64 bits") {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  Problem<> problem;
  problem.buffers = {{{1, 2}, kMost}, {{2, 3}, kMost}};
  CHECK(snug::solve(problem, kMost).status == Status::kOptimal);
  problem.penalties = {{1, 0, 9}};
  CHECK(snug::check(problem).reason == Reason::kSizeOverflow);
  CHECK(minimize_penalty(problem, kMost).status == Status::kInvalid);
  problem.buffers[0].size = problem.buffers[1].size = kMost / 2;
  for (const std::int64_t capacity : {kMost / 2, kMost - 1, kMost}) {
    const PenaltyResult<> found = minimize_penalty(problem, capacity);
    CHECK(found.status == Status::kOptimal);
    CHECK(found.cost == (capacity < kMost ? 9 : 0));
    CHECK(snug::validate(problem, capacity, found.offsets).ok());
  }
}

TEST_CASE("what asks nothing does not keep the walk from its work") {
  std::mt19937 random(1);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random()) % n;
  };
  constexpr std::int64_t kCount = 60;
  Problem<> problem;
  for (std::int64_t i = 0; i < kCount; ++i) {
    const std::int64_t begin = below(kCount);
    const std::int64_t end = begin + 1 + below(14);
    problem.buffers.push_back({{begin, end}, 4 * (1 + below(30))});
  }
  for (std::int64_t k = 0; k < 30 * kCount; ++k) {
    const auto a = static_cast<std::size_t>(below(kCount));
    const auto b = static_cast<std::size_t>(below(kCount));
    if (a != b) problem.penalties.push_back({a, b, 1 + below(9)});
  }
  const std::int64_t capacity = snug::minimize(problem).height;
  Options options;
  options.node_limit = effort(40000);
  const auto cost_of = [&](const Problem<>& with) {
    const PenaltyResult<> result =
        snug::minimize_penalty(with, capacity, options);
    REQUIRE(result.has_solution());
    REQUIRE(snug::validate(with, capacity, result.offsets).ok());
    return result.cost;
  };
  // A third more; without the walk it is three times as much.
  const std::int64_t most = cost_of(problem) * 4 / 3;
  Problem<> with = problem;
  with.buffers.push_back({{500, 502}, 4});
  with.buffers.push_back({{500, 502}, 8});
  SECTION("two that may overlap") {
    with.may_overlap.push_back({kCount, kCount + 1});
    CHECK(cost_of(with) <= most);
  }
  SECTION("one in the gap of another") {
    with.buffers[kCount] = {{501, 502}, 8};
    with.buffers[kCount + 1] = {{500, 503}, 8};
    with.buffers[kCount + 1].gaps.push_back({{501, 502}, {}});
    CHECK(cost_of(with) <= most);
  }
  SECTION("ends that never meet") {
    for (snug::Buffer<>& buffer : with.buffers) {
      if (buffer.lifespan.upper <= 30) buffer.end = snug::End::kBottom;
      if (buffer.lifespan.lower >= 30) buffer.end = snug::End::kTop;
    }
    CHECK(cost_of(with) <= most);
  }
  SECTION("tied ones that are live when nobody is") {
    for (std::size_t i = 0; i < std::size_t{kCount}; ++i) {
      const auto at = 600 + 2 * static_cast<std::int64_t>(i);
      with.aliases.push_back({with.buffers.size(), i, 0});
      with.buffers.push_back({{at, at + 1}, 1});
    }
    CHECK(cost_of(with) <= most);
  }
}

TEST_CASE("where trials lack memory it ends at the node limit all the same") {
  // Four live at a time, of both ends.
  Problem<> problem;
  for (std::size_t i = 0; i < 60; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    problem.buffers.push_back({{at, at + 4}, 3 + at * at % 5});
    problem.buffers[i].end = i % 3 == 0 ? snug::End::kBottom : snug::End::kTop;
    for (std::size_t j = 0; j + 4 <= i; ++j)
      problem.penalties.push_back({j, i, 1 + at % 3});
  }
  Options options;
  options.memory_limit = 1000;
  options.node_limit = effort(5000);
  const PenaltyResult<> result = snug::minimize_penalty(problem, 40, options);
  CHECK(result.status == Status::kFeasible);
  CHECK(result.stopped_by == Stop::kNodeLimit);
  CHECK(snug::validate(problem, 40, result.offsets).ok());
}

TEST_CASE("hard pairs of bottom and top buffers take no room of their own") {
  // 2000 buffers of each kind, each live alone.
  Problem<> problem;
  for (std::size_t i = 0; i < 4000; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    problem.buffers.push_back({{at, at + 1}, 4});
    problem.buffers[i].end = i % 2 == 0 ? snug::End::kBottom : snug::End::kTop;
    if (i % 2 == 1) problem.penalties.push_back({i - 1, i, 1});
  }
  problem.reserved = {{{4, 8}, {{3999, 5000}}}};
  Options options;
  options.memory_limit = 64 << 20;
  options.node_limit = 20000;
  const PenaltyResult<> result = snug::minimize_penalty(problem, 8, options);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 0);
  CHECK(snug::validate(problem, 8, result.offsets).ok());
}

TEST_CASE("the same call gives the same answer") {
  Options options;
  options.node_limit = 5000;
  const Problem<> problem = pool_of_some_sizes();
  const PenaltyResult<> first = snug::minimize_penalty(problem, 17, options);
  const PenaltyResult<> second = snug::minimize_penalty(problem, 17, options);
  CHECK(first.offsets == second.offsets);
  CHECK(first.stats.nodes == second.stats.nodes);
  CHECK(first.cost_bound == second.cost_bound);
}

TEST_CASE("it takes the same work whatever the unit of costs is") {
  Options options;
  options.node_limit = 5000;
  Problem<> problem = pool_of_some_sizes();
  // One pair pays whatever is done.
  problem.aliases = {{0, 1, 0}};
  const PenaltyResult<> first = snug::minimize_penalty(problem, 17, options);
  REQUIRE(first.cost > 1);
  for (const std::int64_t unit : {2, 7, 1000, 1 << 30}) {
    CAPTURE(unit);
    Problem<> scaled = problem;
    for (auto& penalty : scaled.penalties) penalty.cost *= unit;
    const PenaltyResult<> result = snug::minimize_penalty(scaled, 17, options);
    CHECK(result.status == first.status);
    CHECK(result.cost == first.cost * unit);
    CHECK(result.cost_bound == first.cost_bound * unit);
    CHECK(result.offsets == first.offsets);
    CHECK(result.stats.nodes == first.stats.nodes);
  }
}

TEST_CASE("costs of 1 take no longer than large ones") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2},    {{0, 3}, 2}, {{0, 1}, 2}, {{1, 2}, 2},
                     {{1, 2}, 3},    {{2, 4}, 2}, {{3, 4}, 2}, {{4, 5}, 2},
                     {{5, 6}, 3, 3}, {{5, 7}, 1}, {{6, 7}, 1}, {{6, 7}, 1},
                     {{6, 7}, 3}};
  problem.aliases = {{1, 0, 0}};
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = i == 3 || i == 4 ? 5 : 7; j < 13; ++j)
      problem.penalties.push_back({i, j, 1});
  Options options;
  options.node_limit = 100'000;
  const PenaltyResult<> result = snug::minimize_penalty(problem, 7, options);
  CHECK(result.status == Status::kOptimal);
  CHECK(result.cost == 12);
}

TEST_CASE("wrong penalties are refused, also by who has no use for them") {
  const Problem<> problem = pool(2, std::int64_t{4});
  const auto expect = [&](const snug::Penalty& last, Reason reason) {
    const Check error = checked(problem, last);
    CHECK(error.reason == reason);
    CHECK(error.entry == Entry::kPenalty);
    CHECK(error.index == 1);
    Problem<> wrong = problem;
    wrong.penalties.push_back(last);
    CHECK(snug::minimize_penalty(wrong, 8).error.reason == reason);
    CHECK(snug::solve(wrong, 8).error.reason == reason);
    CHECK(snug::minimize(wrong).error.reason == reason);
    CHECK(snug::plain::solve(wrong, 8).error.reason == reason);
    snug::Pools<> pools;
    pools.pools.resize(1);
    CHECK(snug::assign(wrong, pools).error.reason == reason);
  };
  expect({2, 0, 1}, Reason::kUnknownBuffer);
  expect({0, 2, 1}, Reason::kUnknownBuffer);
  expect({1, 1, 1}, Reason::kPairOfOne);
  expect({0, 1, -1}, Reason::kNegativeCost);
  expect({0, 1, std::int64_t{1} << 62}, Reason::kCostOverflow);
  expect({0, 1, (std::numeric_limits<std::int64_t>::max)()},
         Reason::kCostOverflow);
  CHECK(checked(problem, {0, 1, (std::int64_t{1} << 62) - 1}).ok());
  CHECK(snug::minimize_penalty(problem, -1).error.reason ==
        Reason::kNegativeCapacity);
}

TEST_CASE("what a clique of very large buffers pays is a small number") {
  namespace detail = snug::detail;
  constexpr std::int64_t kSize = std::int64_t{1} << 45;
  for (const std::size_t count : {std::size_t{200}, std::size_t{800}}) {
    CAPTURE(count);
    const Problem<> problem = pool(count, kSize);
    const detail::Flat flat = detail::flatten(problem);
    const detail::SoftPairs soft =
        detail::make_soft_pairs(problem.penalties, flat);
    const detail::CliqueDemands cliques(flat, soft.pairs, kSize);
    detail::List<detail::Index> all;
    for (detail::Index i = 0; i < count; ++i) all.push_back(i);
    const detail::Demand demand = cliques.demand_of(all);
    CHECK(demand.needed == static_cast<std::int64_t>(soft.pairs.size()));
    CHECK(demand.pairs.size() == soft.pairs.size());
  }
}

TEST_CASE("subset() keeps the penalties of pairs that stay") {
  Problem<> problem = pool(4, std::int64_t{4});
  const Problem<> kept = snug::subset(problem, {1, 3});
  REQUIRE(kept.penalties.size() == 1);
  CHECK(kept.penalties[0].first + kept.penalties[0].second == 1);
}

TEST_CASE("CSV: penalties on either row or both") {
  const auto table = snug::read_csv(
      "id,lower,upper,size,penalty\n"
      "a,0,1,4,b*3 'c d'*4\n"
      "b,1,2,4,a*3\n"
      "c d,2,3,4,b*5\n");
  REQUIRE(table.ok());
  const auto& penalties = table.problem.penalties;
  REQUIRE(penalties.size() == 3);
  CHECK(penalties[0].cost == 3);
  CHECK(penalties[1].second == 2);
  CHECK(penalties[1].cost == 4);
  CHECK(penalties[2].first == 2);
  CHECK(penalties[2].cost == 5);
  const std::string text = snug::write_csv(table.problem, table.ids,
                                           snug::columns_of(table.problem));
  const auto again = snug::read_csv(text);
  REQUIRE(again.ok());
  REQUIRE(again.problem.penalties.size() == 3);
  CHECK(again.problem.penalties[2].cost == 5);
  for (const char* const wrong :
       {"b", "b*", "b*x", "z*1", "*1", "'b'1", "b+1", "b*99999999999999999999"})
    CHECK(!snug::read_csv("id,lower,upper,size,penalty\na,0,1,4," +
                          std::string(wrong) + "\nb,1,2,4,\n")
               .ok());
}

TEST_CASE("penalties: sizes too large for a pair of both ends end the call") {
  for (const std::int64_t size :
       {std::int64_t{1}, std::int64_t{1} << 57, std::int64_t{1} << 60}) {
    CAPTURE(size);
    Problem<> problem;
    problem.buffers = {{{0, 1}, size}, {{1, 2}, size}, {{0, 2}, size}};
    problem.buffers[0].end = End::kBottom;
    problem.buffers[1].end = End::kTop;
    problem.buffers[2].end = End::kBottom;
    problem.may_overlap = {{0, 2}};
    problem.penalties = {{0, 1, 2}};
    Options options;
    options.time_limit = std::chrono::seconds(20);
    const auto result = snug::minimize_penalty(problem, 3 * size, options);
    REQUIRE(result.has_solution());
    CHECK(snug::validate(problem, 3 * size, result.offsets).ok());
    CHECK(result.cost_bound == 0);
    CHECK(result.stopped_by != Stop::kTimeLimit);
    if (size < std::int64_t{1} << 60) CHECK(result.cost == 0);
  }
}

TEST_CASE(
    "penalties: a large problem is not checked to the end once it is "
    "cancelled") {
  // The check of what is fixed would find that they overlap.
  Problem<> problem;
  problem.buffers.assign(100000, {{0, 2}, 1, 1, {}, 0});
  CHECK(snug::minimize_penalty(problem, 1).status == Status::kInvalid);
  const std::atomic<bool> cancel = true;
  Options options;
  options.cancel = &cancel;
  const auto result = snug::minimize_penalty(problem, 1, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kCancelled);
}

}  // namespace penalty_test
