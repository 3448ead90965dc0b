// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/dive.hpp"

#include "snug/heuristics/orders.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/instances.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dive_test {

using namespace snug::testing;
using snug::detail::Dive;
using snug::detail::Index;
using snug::detail::Orders;

namespace {

const auto never = [] { return false; };

std::int64_t height_in_order(Boxed& boxed, const std::string& letters) {
  std::vector<Index> order(boxed.boxes.count);
  Orders(boxed.plain, boxed.boxes, boxed.memory).sort(letters, order.data());
  Dive dive(boxed.boxes, boxed.memory);
  REQUIRE(dive.run(order.data(), Dive::kNoCeiling, never));
  CHECK(snug::validate(boxed.problem, dive.height(),
                       boxed.unboxed(dive.offsets()))
            .ok());
  return dive.height();
}

}  // namespace

TEST_CASE("dive: places as the naive dive does") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, seed % 10 == 0 ? 120 : 24, seed % 3 == 0));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    Dive dive(boxed.boxes, boxed.memory);
    for (int again = 0; again < 2; ++again) {
      const std::vector<Index> order = boxed.shuffled(random);
      std::vector<std::size_t> inputs;
      for (const Index x : order) inputs.push_back(boxed.boxes.input[x]);
      REQUIRE(dive.run(order.data(), Dive::kNoCeiling, never));
      const std::vector<std::int64_t> offsets = boxed.unboxed(dive.offsets());
      REQUIRE(offsets == naive_dive(boxed.problem, inputs));
      REQUIRE(dive.height() == height_of(boxed.problem, offsets));
      REQUIRE(snug::validate(boxed.problem, dive.height(), offsets).ok());
    }
  }
}

TEST_CASE("dive: gives up just when the height is above the ceiling") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Boxed boxed(draw_any(seed, 40, seed % 3 == 0));
    if (boxed.boxes.count == 0) continue;
    Random random(seed);
    const std::vector<Index> order = boxed.shuffled(random);
    Dive dive(boxed.boxes, boxed.memory);
    REQUIRE(dive.run(order.data(), Dive::kNoCeiling, never));
    const std::int64_t height = dive.height();
    CHECK(dive.run(order.data(), height, never));
    CHECK(dive.height() == height);
    CHECK(!dive.run(order.data(), height - 1, never));
    CHECK(!dive.run(order.data(), 0, never));
  }
}

TEST_CASE("dive: stops when told to") {
  Boxed boxed(snug::benchmarks::exponential<>(5000, 1000, 20, 100, 1));
  Random random(1);
  const std::vector<Index> order = boxed.shuffled(random);
  Dive dive(boxed.boxes, boxed.memory);
  int asked = 0;
  CHECK(
      !dive.run(order.data(), Dive::kNoCeiling, [&] { return ++asked == 3; }));
  CHECK(asked == 3);
  CHECK(dive.run(order.data(), Dive::kNoCeiling, never));
}

TEST_CASE("dive: offsets and sizes near the largest that pass the check") {
  const std::int64_t large = std::int64_t{1} << 59;
  snug::Problem<> problem;
  for (int k = 0; k < 4; ++k)
    problem.buffers.push_back(
        make_buffer<std::int64_t, std::int64_t>(k, k + 2, large - k));
  problem.buffers[1].alignment = large;
  REQUIRE(snug::check(problem).ok());
  Boxed boxed(problem);
  CHECK(height_in_order(boxed, "Z") >= 2 * large - 1);
}

TEST_CASE("dive: heights of the instances of others") {
  // First placements in the orders TWA, TAW, A and TZ.
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>> known = {
      {"large/resnet50.csv", {1515472556, 1521895084, 1521895084, 1521895084}},
      {"large/G_1.csv", {3030940307, 3030937746, 3030937746, 3030937746}},
      {"large/pangu_2.6B.csv",
       {5965001659, 5973450911, 5572042815, 5572042815}},
      {"large/S_1.csv", {1502116525, 1502507692, 1501323945, 1513052844}},
      {"large/Y_1.csv",
       {497261190115, 497261190115, 497261190115, 498211885039}},
      {"tpu/A.1048576.csv", {1176576, 1198080, 1307648, 1338368}},
      {"tpu/K.1048576.csv", {1247232, 1275904, 1299456, 1310720}}};
  std::size_t k = 0;
  for (const auto& [name, heights] : known) {
    if (!is_due(k++)) continue;
    auto problem = load_instance<>(name);
    SNUG_NEEDS_INSTANCES(problem);
    CAPTURE(name);
    Boxed boxed(std::move(*problem));
    CHECK(height_in_order(boxed, "TWA") == heights[0]);
    CHECK(height_in_order(boxed, "TAW") == heights[1]);
    CHECK(height_in_order(boxed, "A") == heights[2]);
    CHECK(height_in_order(boxed, "TZ") == heights[3]);
  }
}

}  // namespace dive_test
