// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/incumbent.hpp"

#include "baselines/greedy.hpp"
#include "snug/load.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/instances.hpp"
#include "support/lists.hpp"
#include "support/naive_dive.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace incumbent_test {

using namespace snug::testing;
using snug::detail::IncumbentSearch;

namespace {

/// A placement, and what it took.
struct Incumbent {
  snug::detail::List<std::int64_t> offsets{};
  std::int64_t height = 0;
  std::int64_t dives = 0;
  std::size_t peak_bytes = 0;
};

/// The steps of find_incumbent(), which returns the same. make_stop() returns what
/// is asked whether to stop.
template <class MakeStop>
Incumbent all_steps(const Plain& plain, std::int64_t target, std::int64_t dives,
                    MakeStop make_stop) {
  Incumbent result;
  result.offsets.assign(plain.buffers.size(), 0);
  if (!plain.order.empty()) {
    IncumbentSearch search(plain);
    auto stop = make_stop();
    search.dive(plain, target, dives, stop);
    search.fit(plain, target, stop);
    search.repair(target, dives - search.dives(), stop);
    result.height = search.best().height;
    result.dives = search.dives();
    result.peak_bytes = search.peak_bytes();
    search.write(result.offsets);
  }
  CHECK(snug::detail::find_incumbent(plain, target, make_stop(), {}, dives) ==
        result.offsets);
  return result;
}

Incumbent incumbent(const snug::Problem<>& problem, std::int64_t target,
                    std::int64_t dives) {
  const auto result =
      all_steps(plain_of(problem), target, dives, [] { return NeverStop{}; });
  CHECK(result.dives <= dives);
  CHECK(result.height == height_of(problem, vector_of(result.offsets)));
  CHECK(snug::validate(problem, result.height, vector_of(result.offsets)).ok());
  return result;
}

}  // namespace

TEST_CASE("incumbent: never worse than dives and first fit") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = draw_any(seed, 40, seed % 3 == 0);
    const std::int64_t height = incumbent(problem, 0, 4).height;
    for (const char* const letters : {"TWA", "TAW", "A", "TZ"})
      CHECK(height <=
            height_of(problem,
                      naive_dive(problem, naive_order(problem, letters))));
    CHECK(height <=
          height_of(problem, snug::baselines::greedy_first_fit(problem)));
    CHECK(incumbent(problem, 0, 60).height <= height);
  }
}

TEST_CASE("incumbent: not worse than first fit at the largest sizes") {
  std::size_t k = 0;
  const auto check = [&](const snug::Problem<>& problem) {
    if (!is_due(k++)) return;
    const std::int64_t height = incumbent(problem, 0, 1).height;
    CHECK(height <=
          height_of(problem, snug::baselines::greedy_first_fit(problem)));
  };
  // Any that has kMostFitted buffers, and more of them if few overlap.
  check(snug::benchmarks::mixed<>(snug::detail::kMostFitted, 4096, 65536, 1));
  check(snug::benchmarks::exponential<>(snug::detail::kMostFitted, 4096, 100,
                                        65536, 1));
  check(snug::benchmarks::exponential<>(12000, 12000, 20, 65536, 1));
}

TEST_CASE("incumbent: more dives are never worse, and a target ends it") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem =
        snug::benchmarks::guillotine<>(60, 60, 40, seed).problem;
    std::int64_t height = incumbent(problem, 60, 1).height;
    std::int64_t dives = 1;
    for (std::int64_t budget = 2; budget < 300; budget += budget / 2) {
      const auto result = incumbent(problem, 60, budget);
      CHECK(result.height <= height);
      CHECK(result.dives >= dives);
      height = result.height;
      dives = result.dives;
    }
  }
}

TEST_CASE("incumbent: stopped at any time it has a placement") {
  const snug::Problem<> problem =
      snug::benchmarks::guillotine<>(100, 100, 60, 5).problem;
  const Plain plain = plain_of(problem);
  std::int64_t height = 1000000;
  for (int limit = 0; limit < 150; ++limit) {
    const auto result = all_steps(plain, 100, 64, [limit] {
      return [limit, asked = 0]() mutable { return asked++ >= limit; };
    });
    REQUIRE(
        snug::validate(problem, result.height, vector_of(result.offsets)).ok());
    CHECK(result.height <= height);
    height = result.height;
  }
}

TEST_CASE("incumbent: the first dive is always finished") {
  const snug::Problem<> problem = snug::benchmarks::exponential<>(
      effort(std::size_t{5000}), 1000, 20, 100, 1);
  const auto result =
      all_steps(plain_of(problem), 0, 64, [] { return [] { return true; }; });
  CHECK(result.dives == 1);
  CHECK(result.height ==
        height_of(problem, naive_dive(problem, naive_order(problem, "TWA"))));
  CHECK(snug::validate(problem, result.height, vector_of(result.offsets)).ok());
}

TEST_CASE("incumbent: problems without buffers, and without bytes") {
  snug::Problem<> problem;
  CHECK(incumbent(problem, 0, 64).height == 0);
  problem.buffers = {make_buffer<std::int64_t, std::int64_t>(0, 2, 0),
                     make_buffer<std::int64_t, std::int64_t>(1, 3, 0)};
  const auto result = incumbent(problem, 0, 64);
  CHECK(result.height == 0);
  CHECK(result.offsets == snug::detail::List<std::int64_t>{0, 0});
}

TEST_CASE("incumbent: step by step") {
  const snug::Problem<> problem = draw_any(11, 40, false);
  const Plain plain = plain_of(problem);
  IncumbentSearch search(plain);
  search.dive(plain, 0, 2, NeverStop{});
  CHECK(search.dives() == 2);
  const std::int64_t dived = search.best().height;
  snug::detail::List<std::int64_t> offsets(problem.buffers.size(), 0);
  search.write(offsets);
  CHECK(dived == height_of(problem, vector_of(offsets)));
  // The orders of the two dives; there is no third one.
  const snug::detail::Index count = search.boxes().count;
  for (snug::detail::Index k = 0; k < count; ++k) {
    CHECK(search.boxes().input[search.order(0)[k]] ==
          naive_order(problem, "TWA")[k]);
    CHECK(search.boxes().input[search.order(1)[k]] ==
          naive_order(problem, "TAW")[k]);
  }
  CHECK(search.order(2) == search.order(1));
  search.fit(plain, 0, NeverStop{});
  CHECK(search.best().height <=
        height_of(problem, snug::baselines::greedy_first_fit(problem)));
  const std::int64_t fitted = search.best().height;
  CHECK(fitted <= dived);
  search.repair(0, 30, NeverStop{});
  search.repair(0, 30, NeverStop{});
  CHECK(search.dives() > 2);
  CHECK(search.dives() <= 62);
  CHECK(search.best().height <= fitted);
  search.write(offsets);
  CHECK(search.best().height == height_of(problem, vector_of(offsets)));
  CHECK(snug::validate(problem, search.best().height, vector_of(offsets)).ok());
  const std::size_t bytes = search.peak_bytes();
  search.count_beside(std::size_t{1} << 30);
  CHECK(search.peak_bytes() >= (std::size_t{1} << 30));
  CHECK(search.peak_bytes() <= bytes + (std::size_t{1} << 30));
}

TEST_CASE(
    "incumbent: problems of narrow types, and heights that these cannot hold") {
  // Any two overlap in time but for the outer ones: 100 + 100 in 8 bits.
  snug::Problem<std::int8_t, std::int8_t> problem;
  problem.buffers = {make_buffer<std::int8_t, std::int8_t>(0, 2, 60),
                     make_buffer<std::int8_t, std::int8_t>(1, 4, 60),
                     make_buffer<std::int8_t, std::int8_t>(3, 5, 60)};
  const auto find = [&] {
    return all_steps(plain_of(problem), 120, 64, [] { return NeverStop{}; });
  };
  auto result = find();
  CHECK(result.height == 120);
  const auto is_placement = [&] {
    const snug::Problem<> wide = problem_of(plain_of(problem));
    return snug::validate(wide, result.height, vector_of(result.offsets)).ok();
  };
  CHECK(is_placement());
  problem.buffers[1].alignment = 100;
  problem.buffers[0].alignment = 7;
  problem.buffers[2].alignment = 70;
  result = find();
  CHECK(result.height == 130);  // The second one at 0, the third one at 70.
  CHECK(is_placement());
}

TEST_CASE("incumbent: the load on large instances of others") {
  std::size_t k = 0;
  for (const char* const name : kLargeInstances) {
    if (!is_due(k++)) continue;
    const auto problem = load_instance<>(name);
    SNUG_NEEDS_INSTANCES(problem);
    CAPTURE(name);
    const std::int64_t load = snug::load(*problem);
    const auto result = incumbent(*problem, load, 64);
    CHECK(result.height == load);
    CHECK(result.dives <= 16);
    CHECK(result.peak_bytes < std::size_t{8} << 20);
  }
}

}  // namespace incumbent_test
