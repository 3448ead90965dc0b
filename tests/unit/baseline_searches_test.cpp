// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the searches are made of, and proofs against exhaustive search.
#include "baselines/allocator.hpp"
#include "baselines/boxing.hpp"
#include "baselines/branch_and_bound.hpp"
#include "baselines/exact.hpp"
#include "baselines/idealloc.hpp"
#include "baselines/telamalloc.hpp"
#include "baselines/vela.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace baseline_searches_test {

using namespace snug::baselines;
using snug::testing::Random;

namespace {

snug::Problem<> small_problem(std::uint64_t seed, bool with_apart) {
  Random random(seed);
  snug::testing::Shape shape;
  shape.count = random.between(std::size_t{1}, std::size_t{7});
  shape.length = random.between(std::int64_t{1}, std::int64_t{8});
  snug::Problem<> problem = seed % 3 == 0
                                ? snug::testing::clique<>(shape, random)
                                : snug::testing::uniform<>(shape, random);
  if (seed % 2 == 0) snug::testing::align(problem, 50, Bytes{1}, random);
  for (int k = 0; with_apart && shape.count > 1 && k < 3; ++k) {
    const std::size_t i = random.below(shape.count);
    const std::size_t j = random.below(shape.count);
    if (i != j) problem.apart.push_back({i, j});
  }
  return problem;
}

}  // namespace

TEST_CASE("searches: branch and bound proves the lowest height") {
  for (std::uint64_t seed = 0; seed < snug::testing::effort<std::uint64_t>(600);
       ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = small_problem(seed, seed % 4 < 2);
    snug::testing::Exhaustive<Bytes, Bytes> oracle(problem);
    const Placement found = branch_and_bound(problem, {});
    CHECK(height_of(problem, found.offsets) == oracle.lowest());
    CHECK(found.lower_bound == oracle.lowest());
  }
}

TEST_CASE("searches: the clique bound sees pairs kept apart") {
  snug::Problem<> problem;
  problem.buffers.resize(3);
  for (std::int64_t i = 0; i < 3; ++i) {
    problem.buffers[static_cast<std::size_t>(i)].lifespan = {i, i + 1};
    problem.buffers[static_cast<std::size_t>(i)].size = 5 + i;
  }
  CHECK(apart_clique_bound(problem, conflicts_of(problem)) == 0);
  problem.apart = {{0, 1}, {2, 1}};
  CHECK(apart_clique_bound(problem, conflicts_of(problem)) == 13);
  problem.apart.push_back({0, 2});
  CHECK(apart_clique_bound(problem, conflicts_of(problem)) == 18);
  CHECK(branch_and_bound(problem, {}).lower_bound == 18);
}

TEST_CASE("searches: MiniMalloc's descent and snug prove the lowest height") {
  for (std::uint64_t seed = 0; seed < snug::testing::effort<std::uint64_t>(200);
       ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = small_problem(seed, false);
    snug::testing::Exhaustive<Bytes, Bytes> oracle(problem);
    for (const Placement& found :
         {minimalloc_descent(problem, {}), snug_minimize(problem, {}),
          snug_from_load(problem, {})}) {
      CHECK(height_of(problem, found.offsets) == oracle.lowest());
      CHECK(found.lower_bound == oracle.lowest());
    }
  }
}

TEST_CASE("searches: a capacity that the repair meets is met") {
  int met = 0;
  int lowest = 0;
  for (std::uint64_t seed = 1; seed < 400; seed += 2) {
    CAPTURE(seed);
    const snug::Problem<> problem = small_problem(seed, false);
    snug::testing::Exhaustive<Bytes, Bytes> oracle(problem);
    Meter meter({});
    TelaSearch search(problem, meter);
    ++lowest;
    if (search.fits(oracle.lowest())) {
      ++met;
      CHECK(snug::testing::validate_pairwise(problem, oracle.lowest(),
                                             search.offsets())
                .ok());
    }
    if (oracle.lowest() > snug::testing::load_of(problem))
      CHECK_FALSE(search.fits(oracle.lowest() - 1));
  }
  CHECK(met > lowest * 9 / 10);
}

TEST_CASE("searches: Vela's climb gets below its first order") {
  // Loads while live are 10, 9, 10 and 10; so 0, 3, 2, 1 are placed in that
  // order, at 0, 2, 7 and 7. The load is 10.
  snug::Problem<> problem;
  problem.buffers.resize(4);
  const std::vector<std::vector<std::int64_t>> rows = {
      {0, 4, 2}, {4, 8, 4}, {1, 3, 3}, {2, 6, 5}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem.buffers[i].lifespan = {rows[i][0], rows[i][1]};
    problem.buffers[i].size = rows[i][2];
  }
  CHECK(vela(problem, {}, {0, 0}).offsets == std::vector<Bytes>{0, 7, 7, 2});
  CHECK(height_of(problem, vela_2021(problem, {}).offsets) == 10);
}

TEST_CASE("searches: colouring uses as many rows as jobs are live") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    snug::testing::Shape shape;
    shape.count = 30;
    shape.length = 20;
    shape.largest = 1;
    const snug::Problem<> problem = snug::testing::uniform<>(shape, random);
    const Boxer boxer(problem, 1);
    Jobs all;
    for (std::size_t i = 0; i < shape.count; ++i) all.push_back(i);
    const std::vector<Jobs> rows = boxer.colour(all);
    CHECK(rows.size() ==
          static_cast<std::size_t>(snug::testing::load_of(problem)));
    std::size_t coloured = 0;
    for (const Jobs& row : rows) {
      coloured += row.size();
      for (std::size_t k = 1; k < row.size(); ++k)
        CHECK(problem.buffers[row[k - 1]].lifespan.upper <=
              problem.buffers[row[k]].lifespan.lower);
    }
    CHECK(coloured == shape.count);
  }
}

TEST_CASE("searches: every job is in one box, in which all fit at all times") {
  std::size_t many = 0;  // boxes with more than one job
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    snug::testing::Shape shape;
    shape.count = 200;
    shape.length = seed % 2 == 0 ? 12 : 300;
    shape.largest = 40;
    const snug::Problem<> problem = snug::testing::uniform<>(shape, random);
    Boxer boxer(problem, seed);
    Jobs all;
    for (std::size_t i = 0; i < shape.count; ++i) all.push_back(i);
    const double height = seed % 3 == 0 ? 41 : 200;
    const Jobs boxes =
        boxer.box_all(all, height, 0.5 + 0.1 * static_cast<double>(seed % 5));
    std::vector<int> times(shape.count, 0);
    for (const std::size_t b : boxes) {
      CHECK(boxer.jobs[b].height == height);
      snug::Problem<> inside;
      for (const std::size_t j : boxer.jobs[b].contents) {
        REQUIRE(j < shape.count);
        ++times[j];
        inside.buffers.push_back(problem.buffers[j]);
        CHECK(boxer.jobs[b].time.contains(boxer.jobs[j].time));
      }
      if (inside.buffers.size() > 1) ++many;
      CHECK(static_cast<double>(snug::testing::load_of(inside)) <= height);
    }
    CHECK(
        std::all_of(times.begin(), times.end(), [](int k) { return k == 1; }));
  }
  CHECK(many > 100);
}

TEST_CASE("searches: idealloc is never above the best fit it starts from") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    snug::testing::Shape shape;
    shape.count = 60;
    shape.length = 30;
    shape.largest = 1000;
    const snug::Problem<> problem = snug::testing::uniform<>(shape, random);
    const Bytes height = height_of(problem, idealloc(problem, {}).offsets);
    CHECK(
        height <=
        height_of(problem, xla_best<XlaOrder::kSpatial>(problem, {}).offsets));
    CHECK(height >= snug::testing::load_of(problem));
  }
}

}  // namespace baseline_searches_test
