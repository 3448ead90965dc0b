// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/large_bodies.hpp"

#include "generate.hpp"
#include "snug/minimize.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/place_presolved.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/solve.hpp"
#include "snug/support/outcome.hpp"
#include "snug/validate.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace large_bodies_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::Stop;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::LargeBodies;
using snug::detail::Outcome;
using snug::detail::Wanted;

constexpr std::int64_t kHigh = 18;

/// What LargeBodies make of a problem, whatever its size.
struct Placed {
  Outcome outcome = Outcome::kOpen;
  std::int64_t bound = 0;
  bool is_done = false;
  std::vector<std::int64_t> offsets{};
};

template <Wanted kWanted>
Placed place(const Problem<>& problem, std::int64_t ceiling,
             bool searches = true) {
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  LargeBodies<BothModels> large(flat, ceiling, kWanted, call);
  Placed result;
  if (large.bound() > ceiling) {
    result.outcome = Outcome::kRefuted;
    return result;
  }
  large.relax();
  result.outcome = large.place_crests(
      [&](Flat crest, std::int64_t below, Call& share, Found& found) {
        if (!searches) return Outcome::kOpen;
        below = snug::detail::presolve(crest, below);
        return snug::detail::search_for<BothModels, kWanted>(
            std::move(crest), below, share, found);
      });
  result.bound = large.bound();
  result.is_done = large.is_done();
  result.offsets = vector_of(large.offsets());
  return result;
}

/// `count` buffers, some 50 of which are live at a time.
Problem<> many(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  const int most = static_cast<int>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.between(0, most - 1);
    problem.buffers.push_back(
        {{begin, begin + random.between(1, 100)}, 64 * random.between(1, 999)});
  }
  return problem;
}

bool are_live_together(const Problem<>& problem, std::size_t a, std::size_t b) {
  return problem.buffers[a].lifespan.overlaps(problem.buffers[b].lifespan);
}

}  // namespace

TEST_CASE("large bodies: the lowest placement, as the oracle has it",
          "[large_bodies]") {
  std::size_t done = 0;
  std::size_t open = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(900); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    CAPTURE(seed);
    for (const bool searches : {true, false}) {
      // Without a ceiling there is more room than anybody needs.
      const bool is_open = lowest && seed % 2 == 0;
      const std::int64_t ceiling =
          is_open ? std::numeric_limits<std::int64_t>::max() : kHigh;
      const Placed placed = place<Wanted::kLowest>(problem, ceiling, searches);
      if (!lowest) {
        ++none;
        REQUIRE(placed.offsets.empty());
        REQUIRE(placed.outcome != Outcome::kPlacedAll);
        continue;
      }
      REQUIRE(placed.outcome != Outcome::kRefuted);
      REQUIRE(placed.bound <= *lowest);
      REQUIRE((placed.outcome == Outcome::kPlacedAll) == placed.is_done);
      if (placed.offsets.empty()) continue;
      const std::int64_t height = height_of(problem, placed.offsets);
      REQUIRE(snug::validate(problem, ceiling, placed.offsets).ok());
      REQUIRE(height >= *lowest);
      if (placed.is_done) REQUIRE(height == *lowest);
      ++(placed.is_done ? done : open);
    }
  }
  CHECK(done > at_least<std::size_t>(800));
  CHECK(open > at_least<std::size_t>(50));
  CHECK(none > at_least<std::size_t>(20));
}

TEST_CASE("large bodies: any placement, as the oracle has it",
          "[large_bodies]") {
  std::size_t done = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(700); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    CAPTURE(seed);
    for (std::int64_t capacity = lowest ? *lowest - 1 : kHigh;
         capacity <= kHigh && capacity >= 0; capacity += 3) {
      const bool fits = lowest && *lowest <= capacity;
      const Placed placed = place<Wanted::kAny>(problem, capacity);
      REQUIRE(placed.outcome !=
              (fits ? Outcome::kRefuted : Outcome::kPlacedAll));
      if (placed.outcome == Outcome::kRefuted) ++refuted;
      if (placed.outcome != Outcome::kPlacedAll) continue;
      ++done;
      REQUIRE(snug::validate(problem, capacity, placed.offsets).ok());
    }
  }
  CHECK(done > at_least<std::size_t>(900));
  CHECK(refuted > at_least<std::size_t>(300));
}

TEST_CASE("large bodies: a crest that is needed has all of the time",
          "[large_bodies]") {
  Options options;
  options.time_limit = std::chrono::hours(4);
  int calls = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    if (!lowest) continue;
    for (const Wanted wanted : {Wanted::kAny, Wanted::kLowest}) {
      snug::Stats stats;
      Call call(options, stats);
      const Flat flat = snug::detail::flatten(problem);
      LargeBodies<BothModels> large(flat, *lowest, wanted, call);
      large.relax();
      const Outcome outcome = large.place_crests(
          [&](const Flat&, std::int64_t, Call& share, const Found&) {
            ++calls;
            const bool has_most =
                share.limits().time_left() > std::chrono::hours(3);
            CHECK(has_most == (wanted == Wanted::kAny));
            return Outcome::kOpen;
          });
      CHECK(outcome != Outcome::kRefuted);
    }
  }
  CHECK(calls > 20);
}

TEST_CASE("large bodies: where the search has no memory", "[large_bodies]") {
  std::size_t placed = 0;
  std::size_t lowest_ones = 0;
  Options options;
  options.memory_limit = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(500); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const auto lowest = lowest_within(problem, kHigh);
    CAPTURE(seed);
    const Result<> solved = snug::solve(problem, kHigh, options);
    const Result<> found = snug::minimize(problem, options);
    if (!lowest) {
      REQUIRE_FALSE(solved.has_solution());
      continue;
    }
    REQUIRE(solved.status != Status::kInfeasible);
    REQUIRE(found.status != Status::kInfeasible);
    REQUIRE(found.lower_bound <= *lowest);
    if (solved.has_solution()) {
      ++placed;
      REQUIRE(snug::validate(problem, kHigh, solved.offsets).ok());
    }
    if (!found.has_solution()) continue;
    REQUIRE(snug::validate(problem, found.height, found.offsets).ok());
    REQUIRE(found.height >= *lowest);
    if (found.status == Status::kOptimal) {
      ++lowest_ones;
      REQUIRE(found.height == *lowest);
    }
  }
  CHECK(placed > at_least<std::size_t>(300));
  CHECK(lowest_ones > at_least<std::size_t>(200));
}

TEST_CASE("large bodies: a few constraints take little more than none",
          "[large_bodies]") {
  const std::size_t count = 1500;
  const Problem<> plain = many(count, 3);
  const Result<> without = snug::minimize(plain);
  REQUIRE(without.status == Status::kOptimal);
  Random random(5);
  const auto pick = [&] {
    return static_cast<std::size_t>(
        random.between(0, static_cast<int>(count) - 1));
  };
  Problem<> problem = plain;
  SECTION("fixed") {
    for (int k = 0; k < 15; ++k) {
      const std::size_t i = pick();
      problem.buffers[i].offset = without.offsets[i];
    }
  }
  SECTION("reserved") {
    const std::int64_t middle = without.height / 128 * 64;
    problem.reserved.push_back({{middle, middle + 640}, {}});
  }
  SECTION("kept apart") {
    while (problem.apart.size() < 15) {
      const std::size_t a = pick();
      const std::size_t b = pick();
      if (a != b && !are_live_together(plain, a, b))
        problem.apart.push_back({a, b});
    }
  }
  SECTION("tied") {
    for (std::size_t i = 0; problem.aliases.size() < 15; i += 100) {
      std::size_t next = 0;
      while (plain.buffers[next].lifespan.lower <
             plain.buffers[i].lifespan.upper)
        ++next;
      problem.aliases.push_back({next, i, 0});
    }
  }
  SECTION("gaps and windows") {
    for (int k = 0; k < 15; ++k) {
      snug::Buffer<>& buffer = problem.buffers[pick()];
      if (buffer.lifespan.upper - buffer.lifespan.lower < 4) continue;
      buffer.gaps = {
          {{buffer.lifespan.lower + 1, buffer.lifespan.upper - 1}, {}}};
      if (k % 2 == 0)
        buffer.gaps[0].window =
            snug::Interval<std::int64_t>{0, buffer.size / 2};
    }
  }
  SECTION("ends") {
    for (int k = 0; k < 8; ++k) {
      problem.buffers[pick()].end = End::kBottom;
      problem.buffers[pick()].end = End::kTop;
    }
  }
  SECTION("may overlap") {
    while (problem.may_overlap.size() < 15) {
      const std::size_t a = pick();
      const std::size_t b = pick();
      if (a != b && are_live_together(plain, a, b))
        problem.may_overlap.push_back({a, b});
    }
  }
  REQUIRE(snug::check(problem).ok());
  const Result<> with = snug::minimize(problem);
  REQUIRE(with.status == Status::kOptimal);
  CHECK(snug::validate(problem, with.height, with.offsets).ok());
  // No relations of all that overlap.
  CHECK(with.stats.peak_bytes < std::size_t{4} << 20);
  CHECK(with.stats.nodes < 4000);
  const std::int64_t room = with.height + with.height / 50;
  const Result<> solved = snug::solve(problem, room);
  REQUIRE(solved.has_solution());
  CHECK(snug::validate(problem, room, solved.offsets).ok());
  CHECK(solved.stats.nodes < 1000);
}

TEST_CASE("large bodies: a first placement comes soon, and takes no nodes",
          "[large_bodies]") {
  // Most of them are live together: first fit of all takes long, and so does it to
  // place them low even without their pairs.
  constexpr std::size_t kCount = 3000;
  Random random(7);
  Problem<> problem;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto lower = random.between<std::int64_t>(0, kCount);
    const auto upper = lower + random.between<std::int64_t>(1, kCount);
    problem.buffers.push_back(
        {{lower, upper}, random.between<std::int64_t>(1, 1000)});
  }
  for (std::size_t k = 1; k < 60; k += 2)
    problem.apart.push_back({k, kCount - k});
  Options options;
  SECTION("without nodes") {
    options.node_limit = 0;
    const Result<> result = snug::minimize(problem, options);
    CHECK(result.stopped_by == Stop::kNodeLimit);
    CHECK(result.stats.nodes == 0);
    REQUIRE(result.has_solution());
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
  }
  SECTION("before what makes the relaxed one lower") {
    snug::Stats stats;
    Call call(options, stats);
    const Flat flat = snug::detail::flatten(problem);
    std::vector<std::int64_t> heights;
    snug::detail::place_relaxed<BothModels>(
        flat, snug::detail::kMaxTotal, Wanted::kLowest, call,
        [&](const auto& at) {
          heights.push_back(snug::detail::height_of(flat.buffers, at));
        });
    REQUIRE(heights.size() == 2);
    CHECK(heights[1] < heights[0]);
  }
}

TEST_CASE("large bodies: they begin with what is known", "[large_bodies]") {
  const Options options;
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const Result<> lowest = snug::minimize(problem);
    if (!lowest.has_solution()) continue;
    snug::Stats stats;
    Call call(options, stats);
    const Flat flat = snug::detail::flatten(problem);
    LargeBodies<BothModels> large(flat, 1000, Wanted::kLowest, call);
    CAPTURE(seed);
    REQUIRE(large.begin({}) == large.is_done());
    snug::detail::List<std::int64_t> offsets;
    for (const std::int64_t at : lowest.offsets) offsets.push_back(at);
    const bool is_near = large.begin(offsets);
    REQUIRE((is_near || large.bound() < lowest.height));
    REQUIRE(large.is_done() == (large.bound() == lowest.height));
    REQUIRE(vector_of(large.offsets()) == lowest.offsets);
    ++placed;
  }
  CHECK(placed > at_least<std::size_t>(200));
}

TEST_CASE("large bodies: the tight problem comes first, if it is plain",
          "[large_bodies]") {
  Options options;
  options.node_limit = 12000;
  for (const std::uint64_t seed : {3U, 6U}) {
    const std::size_t count = 2000;
    Problem<> problem = many(count, seed);
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      snug::Buffer<>& buffer = problem.buffers[i];
      const snug::Interval<std::int64_t> times = buffer.lifespan;
      if (seed % 2 == 0 && times.upper - times.lower > 5 &&
          random.between(0, 6) == 0)
        buffer.gaps = {{{times.lower + 1, times.lower + 2}, {}}};
    }
    // Ties of two, of which the next one is smaller, are boxes.
    if (seed % 2 != 0)
      for (std::size_t i = 0; i < count; i += 50) {
        snug::Buffer<>& part = problem.buffers[i + 1];
        part.lifespan = {problem.buffers[i].lifespan.upper,
                         problem.buffers[i].lifespan.upper + 1};
        part.size = problem.buffers[i].size / 2;
        problem.aliases.push_back({i + 1, i, 0});
      }
    CAPTURE(seed);
    const Result<> lowest = snug::minimize(problem, options);
    CHECK(lowest.status == Status::kOptimal);
    CHECK(snug::validate(problem, lowest.height, lowest.offsets).ok());
    const Result<> any = snug::solve(problem, lowest.lower_bound, options);
    CHECK(any.has_solution());
  }
}

TEST_CASE("large bodies: what is left open goes to the search",
          "[large_bodies]") {
  // 600 at one time, two of which are kept apart from one that comes later: it
  // fits beside them only where the others leave it.
  Problem<> problem;
  problem.buffers.resize(600, {{0, 10}, 2});
  problem.buffers.push_back({{10, 12}, 1196});
  problem.apart = {{0, 600}, {1, 600}};
  const Result<> lowest = snug::minimize(problem);
  REQUIRE(lowest.status == Status::kOptimal);
  CHECK(lowest.height == 1200);
  CHECK(snug::validate(problem, 1200, lowest.offsets).ok());
  CHECK(snug::solve(problem, 1200).has_solution());
  CHECK(snug::solve(problem, 1199).status == Status::kInfeasible);
  problem.apart.push_back({2, 600});
  const Result<> more = snug::minimize(problem);
  REQUIRE(more.status == Status::kOptimal);
  CHECK(more.height == 1202);
  CHECK(snug::solve(problem, 1201).status == Status::kInfeasible);
}

TEST_CASE("large bodies: shapes that interlock go to the search",
          "[large_bodies]") {
  // Rigid stacks of three, some ten of them at a time: around crests they end a fifth
  // above the bound.
  Random random(3);
  Problem<> problem;
  for (std::int64_t k = 0; k < 600; ++k) {
    const std::size_t first = problem.buffers.size();
    for (int member = 0; member < 3; ++member)
      problem.buffers.push_back(
          {{3 * k + random.between(0, 4), 3 * k + random.between(10, 29)},
           16 * random.between(1, 64)});
    problem.contiguous.push_back({first, first + 1, first + 2});
  }
  Options options;
  options.node_limit = 20000;
  const Result<> lowest = snug::minimize(problem, options);
  REQUIRE(lowest.has_solution());
  CHECK(lowest.height < lowest.lower_bound + lowest.lower_bound / 6);
  CHECK(snug::validate(problem, lowest.height, lowest.offsets).ok());
}

TEST_CASE("large bodies: easy crests come before a search of the whole",
          "[large_bodies]") {
  // So high without a crest that the whole would be searched, and in vain.
  for (const std::uint64_t seed : {1U, 3U, 7U}) {
    if (!is_due(seed / 2)) continue;
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem;
    for (int i = 0; i < 1200; ++i) {
      const std::int64_t begin = random.between(0, 1199);
      const std::int64_t end = begin + random.between(1, 99);
      snug::Buffer<> buffer{{begin, end}, random.between(1, 4999)};
      if (end - begin > 6)
        for (std::int64_t t = begin + 1; t < end - 1; t += 3) {
          snug::Gap<> gap;
          gap.lifespan = {t, t + 1};
          buffer.gaps.push_back(gap);
        }
      problem.buffers.push_back(std::move(buffer));
    }
    Options options;
    options.node_limit = 20'000;
    const Result<> result = snug::minimize(problem, options);
    CHECK(result.status == Status::kOptimal);
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
  }
}

TEST_CASE("large bodies: who does not fit around a crest joins the next one",
          "[large_bodies]") {
  // As in the test of peak first: ten buffers at the peak, some before it and after it
  // who fit only if those lie as a staircase, and between them by level, and much
  // later, others that are too hard to place.
  Problem<> problem;
  for (std::int64_t k = 0; k < 10; ++k)
    problem.buffers.push_back({{-(k * 7 % 10) - 1, 10 - k * 7 % 10}, 100});
  for (std::int64_t t = 2; t < 10; ++t) {
    problem.buffers.push_back({{-t - 1, -t}, 100 * t - 20});
    problem.buffers.push_back({{t, t + 1}, 100 * t - 20});
  }
  const Problem<> later =
      snug::benchmarks::guillotine<>(100, 990, 150, 1).problem;
  for (snug::Buffer<> buffer : later.buffers) {
    buffer.lifespan.lower += 20;
    buffer.lifespan.upper += 20;
    problem.buffers.push_back(buffer);
  }
  const Options options;
  snug::Stats stats;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  LargeBodies<BothModels> large(flat, 10'000, Wanted::kLowest, call);
  large.relax();
  std::int64_t joined = 0;
  std::size_t largest = 0;
  (void)large.place_crests([&](const Flat& crest, std::int64_t, Call&,
                               const Found&) {
    std::int64_t those = 0;
    std::size_t others = 0;
    for (const auto& buffer : crest.buffers) {
      those += buffer.size % 100 == 80 && buffer.lifespan.upper <= 10 ? 1 : 0;
      others += buffer.lifespan.lower >= 20 ? 1 : 0;
    }
    if (those > joined) largest = others;
    joined = (std::max)(joined, those);
    return Outcome::kOpen;
  });
  CHECK(joined > 4);
  CHECK(largest < later.buffers.size() / 2);
}

}  // namespace large_bodies_test
