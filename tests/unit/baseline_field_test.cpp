// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds for every allocator of the comparison.
#include "baselines/allocator.hpp"
#include "baselines/field.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"
#include "support/solved.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace baseline_field_test {

using namespace snug::baselines;
using snug::testing::Random;

namespace {

const Allocator& named(const std::string& name) {
  for (const Allocator& allocator : field())
    if (allocator.name == name) return allocator;
  FAIL("no allocator is called " << name);
  return field().front();
}

snug::Problem<> random_problem(std::uint64_t seed) {
  Random random(seed);
  snug::testing::Shape shape;
  shape.count = random.between(std::size_t{0}, std::size_t{24});
  shape.length = random.between(std::int64_t{1}, std::int64_t{20});
  shape.smallest = 0;
  shape.largest = 9;
  return seed % 3 == 0 ? snug::testing::clique<>(shape, random)
                       : snug::testing::uniform<>(shape, random);
}

/// Enough for every allocator on a small problem, and the same on any machine.
Budget some_steps() {
  Budget budget;
  budget.steps = 3000;
  return budget;
}

}  // namespace

TEST_CASE("field: names are different words") {
  std::set<std::string> names;
  for (const Allocator& allocator : field()) {
    CHECK(names.insert(allocator.name).second);
    CHECK(std::string(allocator.name).find_first_of(" ,") == std::string::npos);
  }
}

TEST_CASE("field: every allocator places what it does not refuse") {
  for (const Allocator& allocator : field()) {
    std::size_t placed = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      CAPTURE(allocator.name, seed);
      Random random(seed);
      snug::Problem<> problem = random_problem(seed);
      const std::size_t n = problem.buffers.size();
      if (seed % 4 == 1) snug::testing::align(problem, 60, Bytes{1}, random);
      if (seed % 4 == 2)
        for (snug::Buffer<>& buffer : problem.buffers) buffer.alignment = 4;
      if (seed % 4 == 3 && n > 1)
        for (std::size_t k = 0; k + 1 < n; k += 3)
          problem.apart.push_back({k, k + 1});
      if (refusal(allocator, problem) != nullptr) continue;
      const Placement found = allocate(allocator, problem, some_steps());
      REQUIRE(found.offsets.size() == n);
      const Bytes height = height_of(problem, found.offsets);
      CHECK(snug::testing::validate_pairwise(problem, height, found.offsets)
                .ok());
      CHECK(height >= snug::testing::load_of(problem));
      CHECK(height >= found.lower_bound);
      CHECK(allocate(allocator, problem, some_steps()).offsets ==
            found.offsets);
      ++placed;
    }
    CHECK(placed >= 60);
  }
}

TEST_CASE("field: a spent budget gives a placement or none, soon") {
  Random random(7);
  snug::testing::Shape shape;
  shape.count = 300;
  shape.length = 100;
  const snug::Problem<> problem = snug::testing::uniform<>(shape, random);
  Budget none;
  none.steps = 0;
  Budget late;
  late.deadline = std::chrono::steady_clock::now();
  std::size_t placed = 0;
  for (const Allocator& allocator : field()) {
    CAPTURE(allocator.name);
    for (const Budget& budget : {none, late}) {
      const Placement found = allocate(allocator, problem, budget);
      if (found.offsets.empty()) continue;
      ++placed;
      CHECK(snug::testing::validate_pairwise(
                problem, height_of(problem, found.offsets), found.offsets)
                .ok());
    }
  }
  // Most look at their budget before they place anything.
  CHECK(placed > 0);
  CHECK(placed < 2 * field().size());
}

TEST_CASE("field: what an allocator does not honour is refused") {
  snug::Problem<> problem = random_problem(1);
  REQUIRE(problem.buffers.size() > 3);
  const Allocator& xla = named("xla_spatial_best");
  const Allocator& arena = named("tflite_arena");
  const Allocator& snug = named("snug");
  CHECK(refusal(xla, problem) == nullptr);
  for (snug::Buffer<>& buffer : problem.buffers) buffer.alignment = 8;
  CHECK(refusal(xla, problem) == nullptr);
  for (snug::Buffer<>& buffer : problem.buffers) buffer.size = 8;
  problem.buffers[1].alignment = 4;
  CHECK(std::string(refusal(xla, problem)) == "different alignments");
  CHECK(refusal(arena, problem) == nullptr);
  problem.apart.push_back({0, 1});
  CHECK(std::string(refusal(arena, problem)) == "pairs kept apart");
  CHECK(refusal(snug, problem) == nullptr);
  problem.buffers[0].offset = 0;
  CHECK(std::string(refusal(snug, problem)) == "fixed offsets");
  problem.buffers[0].offset.reset();
  problem.buffers[0].size = (std::numeric_limits<Bytes>::max)() / 2;
  CHECK(refusal(snug, problem) != nullptr);
}

TEST_CASE("field: rounding to the heap's alignment, and empty buffers") {
  snug::Problem<> problem;
  problem.buffers.resize(3);
  for (snug::Buffer<>& buffer : problem.buffers) {
    buffer.lifespan = {0, 1};
    buffer.alignment = 8;
  }
  problem.buffers[0].size = 5;
  problem.buffers[2].size = 9;
  const Placement found = allocate(named("gpu_by_size"), problem);
  CHECK(found.offsets == std::vector<Bytes>{16, 0, 0});
  CHECK(height_of(problem, found.offsets) == 21);
  CHECK(allocate(named("gpu_by_size"), snug::Problem<>{}).offsets.empty());
}

namespace {

/// Height over load of A to K, in thousandths, as measured with other
/// implementations of the same algorithms.
struct Published {
  const char* name;
  std::array<int, 11> thousandths;
};

constexpr std::array<Published, 15> kPublished = {{
    {"tvm_by_size",
     {1705, 1606, 1928, 1849, 1893, 1773, 1917, 2027, 2089, 2493, 2190}},
    {"tvm_by_conflicts",
     {2058, 2565, 1834, 2175, 2946, 2588, 3125, 3236, 2473, 3715, 2684}},
    {"gpu_by_size",
     {1311, 1366, 1364, 1358, 1443, 1367, 1392, 1293, 1410, 1365, 1327}},
    {"tflite_arena",
     {1311, 1347, 1364, 1334, 1401, 1375, 1332, 1355, 1410, 1348, 1327}},
    {"tflite_micro",
     {1290, 1347, 1364, 1320, 1369, 1286, 1367, 1378, 1410, 1313, 1277}},
    {"xla_spatial_best",
     {1311, 1347, 1364, 1323, 1401, 1367, 1362, 1341, 1410, 1348, 1333}},
    {"xla_temporal_best",
     {1456, 1503, 1473, 1484, 1600, 1408, 1402, 1412, 1631, 1611, 1784}},
    {"xla_area_best",
     {2051, 1872, 2001, 1422, 1714, 1356, 1405, 1375, 2311, 1462, 2509}},
    {"xla_spatial_lowest",
     {1290, 1347, 1364, 1309, 1369, 1367, 1362, 1360, 1410, 1313, 1277}},
    {"xla_temporal_lowest",
     {1456, 1503, 1473, 1469, 1600, 1408, 1429, 1371, 1631, 1584, 1784}},
    {"xla_area_lowest",
     {1669, 1889, 1967, 1534, 1706, 1356, 1405, 1387, 2310, 1689, 2329}},
    {"xla_search",
     {1290, 1347, 1364, 1309, 1369, 1356, 1362, 1341, 1410, 1313, 1277}},
    {"somas_release",
     {1287, 1354, 1364, 1310, 1369, 1367, 1355, 1293, 1410, 1275, 1290}},
    {"triton",
     {1469, 1514, 1420, 1508, 1479, 1479, 1693, 1578, 1464, 1452, 1584}},
    {"tvm_hill_climb",
     {1205, 1171, 1194, 1214, 1221, 1220, 1290, 1204, 1336, 1257, 1236}},
}};

}  // namespace

TEST_CASE("field: heights of A to K are the published ones") {
  for (std::size_t k = 0; k < snug::testing::kTpuInstances.size(); ++k) {
    const auto problem =
        snug::testing::load_instance(snug::testing::kTpuInstances[k]);
    SNUG_NEEDS_INSTANCES(problem);
    const auto load = static_cast<double>(snug::testing::load_of(*problem));
    for (const Published& published : kPublished) {
      CAPTURE(published.name, snug::testing::kTpuInstances[k]);
      const Placement found = allocate(named(published.name), *problem);
      const double ratio =
          static_cast<double>(height_of(*problem, found.offsets)) / load;
      // A climb takes other random turns where it has the choice.
      const bool climbs = named(published.name).searches;
      CHECK(std::abs(ratio - published.thousandths[k] / 1000.0) <
            (climbs ? 0.045 : 0.00051));
    }
  }
}

}  // namespace baseline_field_test
