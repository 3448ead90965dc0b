// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/weights.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weights_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Weights;

namespace {

using Units = std::int32_t;

template <class Lane_>
void blame(Weights& weights, Walker<Lane_>& walker,
           const std::vector<Index>& members) {
  const ConflictSets sets(walker.instance.words);
  for (const Index x : members)
    snug::detail::set_bit(sets.conflict.members(), x);
  weights.blame(walker.state, sets.conflict);
}

std::vector<std::int32_t> weights_of(const Walker<Units>& walker) {
  return {walker.state.weight, walker.state.weight + walker.instance.size};
}

/// Whether each section weighs what its unplaced buffers do, in 64 bits.
template <class Lane_>
bool sums_are_right(const Walker<Lane_>& walker) {
  std::vector<std::int64_t> sums(walker.instance.sections, 0);
  for (const Index x : walker.unplaced())
    for (Index s = walker.instance.lower[x]; s < walker.instance.upper[x]; ++s)
      sums[s] += walker.state.weight[x];
  return std::equal(sums.begin(), sums.end(), walker.state.section_weight);
}

snug::Problem<> clique(std::size_t size) {
  snug::Problem<> problem;
  problem.buffers.resize(size, {{0, 1}, 1});
  return problem;
}

}  // namespace

TEST_CASE("weights: the unplaced members of a conflict gain", "[weights]") {
  Walker<Units> walker(clique(5), 5);
  Weights weights(5, walker.instance.sections, walker.memory);
  walker.state.place(3);
  blame(weights, walker, {1, 3});
  CHECK(walker.state.weight[1] > 0);
  for (const Index x : {0U, 2U, 3U, 4U}) CHECK(walker.state.weight[x] == 0);
  CHECK(sums_are_right(walker));
  blame(weights, walker, {});
  CHECK(sums_are_right(walker));
}

TEST_CASE("weights: recent failures count more", "[weights]") {
  Walker<Units> walker(clique(3), 3);
  Weights weights(3, walker.instance.sections, walker.memory);
  blame(weights, walker, {0});
  blame(weights, walker, {1});
  CHECK(walker.state.weight[1] > walker.state.weight[0]);
  // But not by much: 1 %, and one for the rounding.
  CHECK(walker.state.weight[1] <=
        walker.state.weight[0] + walker.state.weight[0] / 100 + 1);
  blame(weights, walker, {0});
  CHECK(walker.state.weight[0] > walker.state.weight[1]);
}

TEMPLATE_TEST_CASE("weights: sections weigh the sum of their buffers",
                   "[weights]", std::int32_t, std::int64_t) {
  std::size_t moves = 0;
  for_each_walker<TestType>(60, 14, [&](auto& walker, auto& random) {
    Weights weights(walker.instance.size, walker.instance.sections,
                    walker.memory);
    walker.walk(random, 60, [&](const auto& move) {
      const bool stands = walker.propagate(move);
      REQUIRE(sums_are_right(walker));
      // Many at a time, so that they are scaled down in between.
      for (int k = random.between(1, 60); k > 0; --k) {
        std::vector<Index> members;
        for (Index x = 0; x < walker.instance.size; ++x)
          if (random.chance(40)) members.push_back(x);
        blame(weights, walker, members);
      }
      REQUIRE(sums_are_right(walker));
      ++moves;
      return stands;
    });
    walker.state.undo_to(0);
    REQUIRE(sums_are_right(walker));
  });
  CHECK(moves > 1000);
}

TEST_CASE("weights: scaling down keeps the order", "[weights]") {
  Random random(4);
  Walker<Units> walker(clique(12), 12);
  Weights weights(12, walker.instance.sections, walker.memory);
  std::size_t scaled = 0;
  for (int k = 0; k < effort<int>(20000); ++k) {
    const std::vector<std::int32_t> before = weights_of(walker);
    // Nobody, at times, so that the order changes by scaling alone.
    const bool blamed = random.chance(50);
    std::vector<Index> members;
    if (blamed)
      for (Index x = 0; x < 12; ++x)
        if (random.chance(static_cast<int>(5 * x))) members.push_back(x);
    blame(weights, walker, members);
    const std::vector<std::int32_t> after = weights_of(walker);
    const bool fell = after[11] < before[11];
    scaled += fell ? 1 : 0;
    if (blamed) continue;
    for (Index x = 0; x < 12; ++x) {
      REQUIRE(after[x] <= before[x]);
      for (Index y = 0; y < 12; ++y)
        if (before[x] <= before[y]) REQUIRE(after[x] <= after[y]);
    }
    if (!fell) REQUIRE(after == before);
  }
  CHECK(scaled > at_least(5U));
}

TEST_CASE("weights: no overflow, however often all are blamed", "[weights]") {
  for (const std::size_t size : {1U, 2U, 30U, 1000U}) {
    CAPTURE(size);
    Walker<Units> walker(clique(size), static_cast<std::int64_t>(size));
    Weights weights(walker.instance.size, 1, walker.memory);
    const std::vector<Index> all = walker.unplaced();
    std::int64_t heaviest = 0;
    for (int k = 0; k < effort<int>(4000); ++k) {
      blame(weights, walker, all);
      std::int64_t sum = 0;
      for (const std::int32_t weight : weights_of(walker)) {
        SNUG_REQUIRE_OFTEN(weight >= 0);
        sum += weight;
      }
      heaviest = (std::max)(heaviest, sum);
      SNUG_REQUIRE_OFTEN(walker.state.section_weight[0] == sum);
      if (size == 1000 && k == 1200) break;
    }
    // Close to the limit, or it would not have been tried.
    CHECK(heaviest > (std::numeric_limits<std::int32_t>::max)() / 8);
  }
}

}  // namespace weights_test
