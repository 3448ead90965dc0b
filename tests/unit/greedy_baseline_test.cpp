// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "baselines/greedy.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace greedy_baseline_test {

using snug::baselines::greedy_best_fit;
using snug::baselines::greedy_first_fit;
using snug::baselines::greedy_stack;
using namespace snug::testing;

namespace {

using Wide = std::int64_t;
using Offsets = std::vector<Wide>;

template <class Size, class Time>
bool is_placement(const snug::Problem<Size, Time>& problem,
                  const std::vector<Size>& offsets) {
  return validate_pairwise(problem, height_of(problem, offsets), offsets).ok();
}

}  // namespace

TEST_CASE("greedy: largest first, ties by input index") {
  snug::Problem<> problem;
  problem.buffers = {make_buffer<Wide, Wide>(0, 2, 3),
                     make_buffer<Wide, Wide>(0, 2, 5),
                     make_buffer<Wide, Wide>(1, 3, 5)};
  const Offsets expected = {10, 0, 5};
  CHECK(greedy_first_fit(problem) == expected);
  CHECK(greedy_best_fit(problem) == expected);
  CHECK(greedy_stack(problem) == expected);
}

TEST_CASE("greedy: first fit, best fit and stacking choose different gaps") {
  // Around the last buffer: taken [0, 10), [14, 24), [26, 34), free above 34
  // and in [10, 14) and [24, 26).
  snug::Problem<> problem;
  problem.buffers = {
      make_buffer<Wide, Wide>(0, 9, 10), make_buffer<Wide, Wide>(0, 9, 10),
      make_buffer<Wide, Wide>(0, 9, 8), make_buffer<Wide, Wide>(4, 5, 2)};
  problem.buffers[0].offset = 0;
  problem.buffers[1].offset = 14;
  problem.buffers[2].offset = 26;
  CHECK(greedy_first_fit(problem)[3] == 10);
  CHECK(greedy_best_fit(problem)[3] == 24);
  CHECK(greedy_stack(problem)[3] == 34);
  SECTION("a gap may fit exactly") {
    problem.buffers[3].size = 4;
    CHECK(greedy_first_fit(problem)[3] == 10);
    CHECK(greedy_best_fit(problem)[3] == 10);
  }
  SECTION("equal gaps: the lowest") {
    problem.buffers[2].offset = 28;
    CHECK(greedy_best_fit(problem)[3] == 10);
  }
  SECTION("alignment shrinks gaps") {
    problem.buffers[3].alignment = 11;
    CHECK(greedy_first_fit(problem)[3] == 11);
    CHECK(greedy_best_fit(problem)[3] == 11);
    CHECK(greedy_stack(problem)[3] == 44);
    problem.buffers[3].alignment = 25;
    CHECK(greedy_first_fit(problem)[3] == 50);
    CHECK(greedy_best_fit(problem)[3] == 50);
  }
  SECTION("what does not overlap in time is not in the way") {
    problem.buffers[3].lifespan = {9, 10};
    CHECK(greedy_first_fit(problem)[3] == 0);
    CHECK(greedy_stack(problem)[3] == 0);
  }
  SECTION("empty buffers lie at 0") {
    problem.buffers[3].size = 0;
    CHECK(greedy_first_fit(problem)[3] == 0);
    CHECK(greedy_best_fit(problem)[3] == 0);
  }
}

TEST_CASE("greedy: always a placement, never below the load") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{0}, std::size_t{30});
    shape.length = random.between(1, 20);
    shape.smallest = 0;
    snug::Problem<> problem =
        seed % 2 == 0 ? uniform<>(shape, random) : clique<>(shape, random);
    align(problem, 40, Wide{1}, random);
    CAPTURE(seed);
    for (const Offsets& offsets :
         {greedy_first_fit(problem), greedy_best_fit(problem),
          greedy_stack(problem)}) {
      REQUIRE(offsets.size() == problem.buffers.size());
      CHECK(is_placement(problem, offsets));
      CHECK(height_of(problem, offsets) >= load_of(problem));
    }
  }
}

TEST_CASE("greedy: a top beyond the size type gives no placement") {
  using Narrow = std::int32_t;
  constexpr Narrow kMost = (std::numeric_limits<Narrow>::max)();
  snug::Problem<Narrow, Narrow> problem;
  problem.buffers = {make_buffer<Narrow, Narrow>(0, 1, kMost - 4),
                     make_buffer<Narrow, Narrow>(0, 1, 4)};
  CHECK(greedy_first_fit(problem) == std::vector<Narrow>{0, kMost - 4});
  problem.buffers[1].alignment = 1024;
  CHECK(greedy_first_fit(problem).empty());
  CHECK(greedy_best_fit(problem).empty());
  CHECK(greedy_stack(problem).empty());
  snug::Problem<> wide;
  wide.buffers = {make_buffer<Wide, Wide>(0, 1, 4),
                  make_buffer<Wide, Wide>(0, 1, 4)};
  wide.buffers[0].offset = (std::numeric_limits<Wide>::max)() - 4;
  wide.buffers[1].alignment = 8;
  CHECK(greedy_first_fit(wide) == Offsets{*wide.buffers[0].offset, 0});
  CHECK(greedy_stack(wide).empty());
}

TEST_CASE("greedy: the TPU instances") {
  for (const char* name : kTpuInstances) {
    const auto problem = load_instance(name);
    SNUG_NEEDS_INSTANCES(problem);
    CAPTURE(name);
    const Offsets first = greedy_first_fit(*problem);
    const Offsets stack = greedy_stack(*problem);
    CHECK(is_placement(*problem, first));
    CHECK(is_placement(*problem, greedy_best_fit(*problem)));
    CHECK(is_placement(*problem, stack));
    CHECK(height_of(*problem, first) < height_of(*problem, stack));
  }
}

}  // namespace greedy_baseline_test
