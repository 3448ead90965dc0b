// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/peak/peak_first.hpp"

#include "generate.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/naive_dive.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace peak_first_test {

using namespace snug::testing;
using snug::detail::Crest;
using snug::detail::IncumbentSearch;
using snug::detail::Index;
using snug::detail::Outcome;
using snug::detail::PeakFirst;
using snug::detail::Work;

namespace {

constexpr std::int64_t kAnyHeight = (std::numeric_limits<std::int64_t>::max)();

/// A placement by dives, and peak first on top of it.
struct PeakBench {
  explicit PeakBench(const snug::Problem<>& problem_)
      : problem(problem_),
        plain(plain_of(problem)),
        incumbent(plain, {}),
        work(incumbent.boxes(), incumbent.memory()) {
    incumbent.dive(plain, 0, 1, NeverStop{});
    peak.emplace(plain, work, incumbent);
  }

  template <class PlaceCrest>
  Outcome step(std::int64_t ceiling, const std::int64_t& target,
               PlaceCrest&& place_crest) {
    const std::int64_t before = incumbent.best().height;
    const Outcome outcome =
        peak->step(std::int64_t{1} << 40, ceiling, target, place_crest,
                   NeverStop{}, incumbent.best());
    snug::detail::List<std::int64_t> list(problem.buffers.size(), 0);
    incumbent.write(list);
    const std::vector<std::int64_t> offsets = vector_of(list);
    const std::int64_t height = height_of(problem, offsets);
    REQUIRE(height == incumbent.best().height);
    REQUIRE(validate_pairwise(problem, height, offsets).ok());
    REQUIRE((height == before || height <= ceiling));
    REQUIRE(height <= before);
    return outcome;
  }

  snug::Problem<> problem;
  Plain plain;
  IncumbentSearch incumbent;
  Work work;
  std::optional<PeakFirst> peak{};
};

/// Places crests as low as possible, and counts.
struct Exact {
  std::int64_t crests = 0;
  std::size_t largest = 0;

  Outcome operator()(const Crest& crest, std::int64_t& nodes,
                     snug::detail::List<std::int64_t>& offsets) {
    const snug::Problem<> above = problem_of(crest.above());
    REQUIRE(nodes > 0);
    REQUIRE(validate_pairwise(above, crest.height(offsets) - crest.ground(),
                              vector_of(offsets))
                .ok());
    const snug::Result<> lowest = snug::minimize(above);
    offsets = list_of(lowest.offsets);
    nodes = lowest.stats.nodes;
    ++crests;
    largest = (std::max)(largest, above.buffers.size());
    return Outcome::kPlacedAll;
  }
};

}  // namespace

TEST_CASE("peak first: exact searches of crests lead to the optimum") {
  std::int64_t searched = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_any(seed, 12, seed % 3 == 0);
    if (plain_of(problem).order.empty()) continue;
    const std::int64_t optimum = snug::minimize(problem).height;
    PeakBench bench(problem);
    Exact exact;
    for (int step = 0; bench.incumbent.best().height > optimum; ++step) {
      REQUIRE(step < 30);
      (void)bench.step(kAnyHeight, optimum, exact);
    }
    searched += exact.crests;
  }
  CHECK(searched > at_least(20));
}

TEST_CASE("peak first: the placement of a crest need not be canonical") {
  int lower = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(200); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_any(seed, 12, seed % 2 == 0);
    if (plain_of(problem).order.empty()) continue;
    PeakBench bench(problem);
    const std::int64_t before = bench.incumbent.best().height;
    // The lowest placement, with a gap below each buffer that has room above;
    // that of the crest counts as low enough.
    std::int64_t target = 0;
    const auto loose = [&](const Crest& crest, std::int64_t&,
                           snug::detail::List<std::int64_t>& offsets) {
      const snug::Problem<> above = problem_of(crest.above());
      const snug::Result<> lowest = snug::minimize(above);
      offsets = list_of(lowest.offsets);
      target = crest.ground() + lowest.height;
      std::vector<std::size_t> order(offsets.size());
      for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
      std::stable_sort(order.begin(), order.end(),
                       [&](auto a, auto b) { return offsets[a] > offsets[b]; });
      for (const std::size_t k : order) {
        snug::detail::List<std::int64_t> raised = offsets;
        raised[k] += above.buffers[k].alignment;
        if (validate_pairwise(above, lowest.height, vector_of(raised)).ok())
          offsets = raised;
      }
      return Outcome::kPlacedAll;
    };
    while (!bench.peak->is_whole()) {
      (void)bench.step(kAnyHeight, target, loose);
      target = 0;
    }
    // Dives, then the search of the whole.
    (void)bench.step(kAnyHeight, target, loose);
    (void)bench.step(kAnyHeight, target, loose);
    REQUIRE(target > 0);
    CHECK(bench.incumbent.best().height <= target);
    lower += bench.incumbent.best().height < before ? 1 : 0;
  }
  CHECK(lower > at_least(10));
}

TEST_CASE("peak first: who does not fit around a crest joins the next one") {
  // At the peak ten buffers, each a step later than another one. Before it and after
  // it, lower, some who need nearly all that those leave who are live then, and fit
  // only if these lie as a staircase. Between them by level, and much later, a hundred
  // and fifty that are too hard to place.
  snug::Problem<> problem;
  for (std::int64_t k = 0; k < 10; ++k)
    problem.buffers.push_back({{-(k * 7 % 10) - 1, 10 - k * 7 % 10}, 100});
  for (std::int64_t t = 2; t < 10; ++t) {
    problem.buffers.push_back({{-t - 1, -t}, 100 * t - 20});
    problem.buffers.push_back({{t, t + 1}, 100 * t - 20});
  }
  for (snug::Buffer<> later :
       snug::benchmarks::guillotine<>(100, 990, 150, 1).problem.buffers) {
    later.lifespan = {later.lifespan.lower + 20, later.lifespan.upper + 20};
    problem.buffers.push_back(later);
  }
  PeakBench bench(problem);
  std::int64_t joined = 0;
  const auto place = [&](const Crest& crest, std::int64_t&,
                         snug::detail::List<std::int64_t>& offsets) {
    const snug::Problem<> above = problem_of(crest.above());
    if (above.buffers.size() > 80) return Outcome::kOpen;
    joined = std::count_if(
        above.buffers.begin(), above.buffers.end(), [](const auto& buffer) {
          return buffer.size % 100 == 80 && buffer.lifespan.upper <= 10;
        });
    offsets = list_of(snug::minimize(above).offsets);
    return Outcome::kPlacedAll;
  };
  for (int step = 0; step < 20 && joined < 15; ++step)
    (void)bench.step(kAnyHeight, 1000, place);
  CHECK(joined >= 15);
}

TEST_CASE("peak first: crests grow until the target is reached") {
  int larger = 0;
  for (std::uint64_t seed = 0; seed < (std::max)(effort(10U), 2U); ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem =
        snug::benchmarks::exponential<>(200, 200, 20, 1000, seed);
    const snug::Result<> lowest = snug::minimize(problem);
    PeakBench bench(problem);
    Exact exact;
    int steps = 0;
    while (bench.incumbent.best().height > lowest.height) {
      const std::int64_t done = bench.peak->done();
      CHECK(bench.peak->least() > 0);
      REQUIRE(++steps < 40);
      (void)bench.step(kAnyHeight, lowest.height, exact);
      CHECK(bench.peak->done() > done);
    }
    larger += exact.largest > 0 && exact.largest < 200 ? 1 : 0;
  }
  CHECK(larger > 0);
}

TEST_CASE(
    "peak first: between a crest that is too hard and one that was placed") {
  const snug::Problem<> problem =
      snug::benchmarks::exponential<>(600, 600, 20, 1000, 3);
  PeakBench bench(problem);
  // No placement is below a target of 0, so that every crest is searched; what
  // has more than 200 buffers is too hard.
  std::vector<std::size_t> sizes;
  std::int64_t target = 0;
  const auto place = [&](const Crest& crest, std::int64_t&,
                         snug::detail::List<std::int64_t>& offsets) {
    sizes.push_back(crest.size());
    target = crest.size() > 200 ? 0 : crest.height(offsets);
    return target == 0 ? Outcome::kOpen : Outcome::kPlacedAll;
  };
  // In the end it comes back to the smallest hard one, again and again, each time
  // with twice the dives.
  const auto is_back = [&] {
    return !sizes.empty() && sizes.back() > 200 &&
           std::count(sizes.begin(), sizes.end(), sizes.back()) > 3;
  };
  for (int step = 0; step < 80 && !is_back(); ++step) {
    (void)bench.step(0, target, place);
    target = 0;
  }
  REQUIRE(sizes.size() > 8);
  CHECK(sizes[1] > sizes[0]);
  const auto hard = std::find_if(sizes.begin(), sizes.end(),
                                 [](std::size_t n) { return n > 200; });
  REQUIRE(hard != sizes.end());
  REQUIRE(hard + 1 != sizes.end());
  CHECK(*(hard + 1) < *hard);
  CHECK(*(hard + 1) > *(hard - 1));
  CHECK(is_back());
  CHECK(sizes.back() <= *hard);
}

TEST_CASE("peak first: what is refuted is said at once") {
  const snug::Problem<> problem =
      snug::benchmarks::exponential<>(600, 600, 20, 1000, 3);
  PeakBench bench(problem);
  const std::int64_t before = bench.incumbent.best().height;
  const auto refute = [](const Crest&, std::int64_t&,
                         snug::detail::List<std::int64_t>&) {
    return Outcome::kRefuted;
  };
  CHECK(bench.step(0, 0, refute) == Outcome::kOpen);  // dives
  CHECK(bench.step(0, 0, refute) == Outcome::kRefuted);
  CHECK(bench.incumbent.best().height == before);
}

TEST_CASE("peak first: nothing above the ceiling is kept") {
  for (std::uint64_t seed = 0; seed < effort(10U); ++seed) {
    const snug::Problem<> problem =
        snug::benchmarks::exponential<>(150, 150, 20, 1000, seed);
    const std::int64_t lowest = snug::minimize(problem).height;
    PeakBench bench(problem);
    Exact exact;
    for (int step = 0; step < 12; ++step)
      (void)bench.step(lowest, lowest, exact);
    CHECK(bench.incumbent.best().height == lowest);
  }
}

}  // namespace peak_first_test
