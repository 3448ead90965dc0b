// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single passes, each on a problem small enough to be placed by hand.
#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/min_cost_flow.hpp"
#include "baselines/others.hpp"
#include "baselines/skyline.hpp"
#include "baselines/somas.hpp"
#include "baselines/tflite_cpu.hpp"
#include "baselines/tflite_gpu.hpp"
#include "baselines/triton.hpp"
#include "baselines/tvm.hpp"
#include "baselines/xla.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <vector>

namespace baseline_passes_test {

using namespace snug::baselines;
using snug::testing::Random;

namespace {

using Offsets = std::vector<Bytes>;

struct Row {
  std::int64_t lower, upper, size;
};

snug::Problem<> problem_of(std::initializer_list<Row> rows) {
  snug::Problem<> problem;
  for (const Row& row : rows) {
    snug::Buffer<> buffer;
    buffer.lifespan = {row.lower, row.upper};
    buffer.size = row.size;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

}  // namespace

TEST_CASE("passes: fits differ in the gap they take") {
  // Free: [0, 2), [4, 9) and above 12.
  const std::vector<Chunk> taken = {{2, 4}, {9, 10}, {9, 12}};
  CHECK(first_fit(taken, 2, 1) == 0);
  CHECK(first_fit(taken, 3, 1) == 4);
  CHECK(first_fit(taken, 3, 3) == 6);
  CHECK(first_fit(taken, 6, 1) == 12);
  CHECK(first_fit(taken, 2, 1, 1) == 4);
  CHECK(best_fit(taken, 1, 1) == 0);
  CHECK(best_fit(taken, 3, 1) == 4);
  CHECK(best_fit(taken, 4, 3) == 12);
  CHECK(best_fit({{2, 4}, {6, 8}}, 2, 1) == 0);
  CHECK(best_fit({{3, 4}, {6, 8}}, 2, 1) == 4);
  CHECK(stack_fit(taken, 1) == 12);
  CHECK(stack_fit(taken, 5) == 15);
  CHECK(stack_fit({}, 5) == 0);
}

TEST_CASE("passes: SOMAS takes the best, lowest, highest or worst gap") {
  const std::vector<Chunk> taken = {{2, 4}, {9, 10}};
  const Chunk footprint = {0, 20};
  CHECK(somas_fit(taken, 2, footprint, SomasFit::kBest) == 0);
  CHECK(somas_fit(taken, 2, footprint, SomasFit::kLowest) == 0);
  CHECK(somas_fit(taken, 2, footprint, SomasFit::kHighest) == 18);
  CHECK(somas_fit(taken, 2, footprint, SomasFit::kWorst) == 10);
  CHECK(somas_fit(taken, 11, footprint, SomasFit::kBest) == -1);
  CHECK(somas_fit(taken, 2, {0, kOpen}, SomasFit::kHighest) == 7);
  CHECK(somas_fit(taken, 2, {0, kOpen}, SomasFit::kWorst) == 4);
  CHECK(somas_fit(taken, 6, {0, kOpen}, SomasFit::kHighest) == 10);
}

TEST_CASE("passes: XLA's orders") {
  const auto problem = problem_of({{0, 2, 4}, {0, 6, 4}, {0, 9, 2}});
  CHECK(xla_best<XlaOrder::kSpatial>(problem, {}).offsets == Offsets{4, 0, 8});
  CHECK(xla_best<XlaOrder::kTemporal>(problem, {}).offsets == Offsets{6, 2, 0});
  CHECK(xla_best<XlaOrder::kArea>(problem, {}).offsets == Offsets{6, 0, 4});
  CHECK(wide_product(std::int64_t{1} << 62, 8) ==
        std::make_pair(std::uint64_t{2}, std::uint64_t{0}));
  CHECK(wide_product(0x1ffffffff, 0x1ffffffff) ==
        std::make_pair(std::uint64_t{3}, std::uint64_t{0xfffffffc00000001}));
}

TEST_CASE("passes: XLA's gaps, and the search over all six") {
  // Around the last buffer, by size: [0, 9), [9, 16), [16, 22): the first and
  // the last end before it starts, so that 9 and an open end are left.
  const auto problem =
      problem_of({{0, 2, 9}, {0, 9, 7}, {0, 2, 6}, {0, 9, 5}, {2, 4, 4}});
  CHECK(xla_best<XlaOrder::kSpatial>(problem, {}).offsets ==
        Offsets{0, 9, 16, 22, 16});
  CHECK(xla_lowest<XlaOrder::kSpatial>(problem, {}).offsets ==
        Offsets{0, 9, 16, 22, 0});
  CHECK(height_of(problem, xla_search(problem, {}).offsets) == 27);
}

TEST_CASE("passes: ties of TensorFlow Lite's arena and of Micro") {
  auto problem = problem_of({{1, 3, 5}, {0, 2, 5}});
  CHECK(tflite_arena(problem, {}).offsets == Offsets{5, 0});
  CHECK(tflite_micro(problem, {}).offsets == Offsets{5, 0});
  std::swap(problem.buffers[0], problem.buffers[1]);
  CHECK(tflite_arena(problem, {}).offsets == Offsets{0, 5});
  CHECK(tflite_micro(problem, {}).offsets == Offsets{5, 0});
  problem.buffers.push_back(problem.buffers[0]);
  problem.buffers[2].lifespan = {0, 3};
  problem.buffers[2].size = 1;
  CHECK(tflite_arena(problem, {}).offsets == Offsets{1, 6, 0});
}

TEST_CASE("passes: shared objects by start grow, or must be equal") {
  const auto problem =
      problem_of({{0, 1, 10}, {0, 1, 4}, {1, 2, 6}, {2, 3, 9}, {3, 4, 6}});
  // 6 takes the object of 4, which grows; then 9 that of 10, then 6 its like.
  CHECK(tflite_gpu_in_order(problem, {}).offsets == Offsets{0, 10, 10, 0, 10});
  CHECK(tflite_gpu_equality(problem, {}).offsets == Offsets{0, 10, 14, 20, 14});
  // Between 4 and 8, 6 takes the larger.
  CHECK(tflite_gpu_in_order(problem_of({{0, 1, 4}, {0, 1, 8}, {1, 2, 6}}), {})
            .offsets == Offsets{0, 4, 4});
}

TEST_CASE("passes: by breadth the fullest moment comes first") {
  const auto problem =
      problem_of({{1, 2, 6}, {0, 1, 10}, {1, 2, 5}, {0, 1, 4}});
  CHECK(tflite_gpu_by_breadth(problem, {}).offsets == Offsets{0, 0, 10, 10});
  CHECK(height_of(problem, tflite_gpu_by_breadth(problem, {}).offsets) == 15);
}

TEST_CASE("passes: minimum-cost flow is the cheapest takeover") {
  const auto problem =
      problem_of({{0, 1, 10}, {0, 1, 4}, {1, 2, 6}, {1, 2, 5}});
  const Offsets offsets = tflite_gpu_min_cost_flow(problem, {}).offsets;
  CHECK(offsets[2] == offsets[0]);
  CHECK(offsets[3] == offsets[1]);
  CHECK(height_of(problem, offsets) == 15);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    snug::testing::Shape shape;
    shape.count = random.between(std::size_t{1}, std::size_t{7});
    shape.length = 7;
    shape.largest = 20;
    const snug::Problem<> any = snug::testing::uniform<>(shape, random);
    const std::size_t n = any.buffers.size();
    const auto cost = [&](std::size_t from, std::size_t to) {
      return (std::max)(Bytes{0},
                        any.buffers[to].size - any.buffers[from].size);
    };
    // Every way to give each buffer a predecessor or a new object.
    Bytes least = (std::numeric_limits<Bytes>::max)();
    std::vector<char> is_taken(n, 0);
    const std::function<void(std::size_t, Bytes)> assign = [&](std::size_t j,
                                                               Bytes sum) {
      if (j == n) {
        least = (std::min)(least, sum);
        return;
      }
      assign(j + 1, sum + any.buffers[j].size);
      for (std::size_t i = 0; i < n; ++i) {
        if (is_taken[i] != 0 ||
            any.buffers[i].lifespan.upper > any.buffers[j].lifespan.lower)
          continue;
        is_taken[i] = 1;
        assign(j + 1, sum + cost(i, j));
        is_taken[i] = 0;
      }
    };
    assign(0, 0);
    Meter meter({});
    Takeover takeover(any);
    for (std::size_t j = 0; j < n; ++j) REQUIRE(takeover.add(j, meter));
    Bytes found = 0;
    for (std::size_t j = 0; j < n; ++j) found += any.buffers[j].size;
    for (std::size_t i = 0; i < n; ++i)
      if (takeover.heir(i) != Takeover::kNone)
        found += cost(i, takeover.heir(i)) - any.buffers[takeover.heir(i)].size;
    CHECK(found == least);
  }
}

TEST_CASE("passes: TVM stacks and leaves gaps empty") {
  const auto problem = problem_of({{0, 4, 5}, {2, 6, 4}, {5, 8, 3}});
  CHECK(tvm_by_size(problem, {}).offsets == Offsets{0, 5, 9});
  CHECK(tvm_by_conflicts(problem, {}).offsets == Offsets{4, 0, 4});
  // First fit in the first order is at the load.
  CHECK(tvm_hill_climb(problem, {}).offsets == Offsets{0, 5, 0});
  CHECK(tvm_by_size(problem_of({{0, 1, 2}, {0, 1, 2}}), {}).offsets ==
        Offsets{2, 0});
}

TEST_CASE("passes: random numbers are those of glibc's rand_r") {
  RandR random;
  CHECK(random.next() == 1012484);
  CHECK(random.next() == 1716955679);
  CHECK(random.next() == 1792309082);
  CHECK(random.next() == 229610924);
}

TEST_CASE("passes: buckets of ExecuTorch and footprints of SOMAS") {
  const auto problem =
      problem_of({{0, 2, 10}, {2, 4, 6}, {3, 5, 4}, {0, 1, 3}});
  CHECK(executorch_greedy(problem, {}).offsets == Offsets{0, 0, 6, 10});
  CHECK(somas_shared(problem, {}).offsets == Offsets{0, 0, 6, 10});
  // Above the highest live tenant only; SOMAS finds the gap below it.
  const auto below = problem_of({{0, 2, 10}, {2, 4, 5}, {3, 6, 5}, {5, 7, 4}});
  CHECK(executorch_greedy(below, {}).offsets == Offsets{0, 0, 5, 10});
  CHECK(somas_shared(below, {}).offsets == Offsets{0, 0, 5, 0});
}

TEST_CASE("passes: MLIR counts what is free below the top as a gap") {
  const auto problem =
      problem_of({{0, 2, 7}, {0, 9, 1}, {0, 2, 6}, {2, 4, 3}, {3, 5, 8}});
  CHECK(mlir_best_fit(problem, {}).offsets == Offsets{0, 7, 8, 8, 11});
}

TEST_CASE("passes: Triton gives slots") {
  const auto problem = problem_of({{0, 4, 4}, {2, 6, 2}, {4, 6, 3}});
  CHECK(triton_colouring(problem, {}).offsets == Offsets{0, 4, 0});
}

TEST_CASE("passes: the skyline is lifted where nothing fits") {
  const auto problem = problem_of({{0, 4, 2}, {4, 8, 3}, {0, 8, 1}, {2, 6, 1}});
  CHECK(skyline(problem, {}).offsets == Offsets{1, 1, 0, 4});
}

}  // namespace baseline_passes_test
