// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_weights.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace body_weights_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::BodyState;
using snug::detail::BodyWeights;
using snug::detail::Index;
using snug::detail::Job;

namespace {

void blame(BodyWeights& weights, BodyWalker& walker,
           const std::vector<Index>& members) {
  const ConflictSets sets(walker.component.words());
  for (const Index x : members)
    snug::detail::set_bit(sets.conflict.members(), x);
  weights.blame(walker.state, sets.conflict);
}

/// Whether each clique weighs what its unplaced bodies do.
bool sums_are_right(const BodyWalker& walker) {
  const BodyState& state = walker.state;
  for (Index c = 0; c < walker.component.clique_count(); ++c) {
    std::vector<Index> members;
    for (const Job& job : walker.component.jobs[c]) {
      if (job.body != Job::kFixed && state.is_unplaced(job.body) &&
          std::count(members.begin(), members.end(), job.body) == 0)
        members.push_back(job.body);
    }
    std::int64_t sum = 0;
    for (const Index x : members) sum += state.body_weight[x];
    if (sum != state.weight[c]) return false;
  }
  return true;
}

/// Five that are live together.
struct BodyWeightsBench {
  BodyWeightsBench()
      : bodies(bodies_of(clique())),
        components(components_of(bodies)),
        walker(components.at(0), 9) {}
  static Problem<> clique() {
    Problem<> problem;
    problem.buffers.resize(5, {{0, 1}, 1});
    return problem;
  }

  snug::detail::Bodies bodies;
  std::vector<snug::detail::Component> components;
  BodyWalker walker;
};

}  // namespace

TEST_CASE("body weights: the unplaced members of a conflict gain",
          "[body_weights]") {
  BodyWeightsBench bench;
  BodyState& state = bench.walker.state;
  BodyWeights weights;
  REQUIRE(state.place(3, 0) == state.nobody());
  blame(weights, bench.walker, {1, 3});
  CHECK(state.body_weight[1] > 0);
  for (const Index x : {0U, 2U, 3U, 4U}) CHECK(state.body_weight[x] == 0);
  CHECK(sums_are_right(bench.walker));
  state.undo_to(0);
  CHECK(sums_are_right(bench.walker));
}

TEST_CASE("body weights: recent failures count more", "[body_weights]") {
  BodyWeightsBench bench;
  BodyState& state = bench.walker.state;
  BodyWeights weights;
  blame(weights, bench.walker, {0});
  blame(weights, bench.walker, {1});
  CHECK(state.body_weight[1] > state.body_weight[0]);
  // But not by much: 1 %, and one for the rounding.
  CHECK(state.body_weight[1] <=
        state.body_weight[0] + state.body_weight[0] / 100 + 1);
  blame(weights, bench.walker, {0});
  CHECK(state.body_weight[0] > state.body_weight[1]);
}

TEST_CASE("body weights: stay small, however many failures there are",
          "[body_weights]") {
  BodyWeightsBench bench;
  BodyState& state = bench.walker.state;
  BodyWeights weights;
  blame(weights, bench.walker, {2});
  for (int k = 0; k < 20000; ++k) {
    blame(weights, bench.walker, {0, static_cast<Index>(k % 2)});
    if (k % 64 == 0) REQUIRE(sums_are_right(bench.walker));
    for (Index x = 0; x < 5; ++x) {
      REQUIRE(state.body_weight[x] >= 0);
      REQUIRE(state.body_weight[x] < std::int64_t{1} << 43);
    }
  }
  CHECK(state.body_weight[0] > state.body_weight[1]);
  CHECK(state.body_weight[1] > 0);
  CHECK(state.body_weight[2] == 0);  // Long ago.
  CHECK(state.body_weight[4] == 0);
}

TEST_CASE("body weights: cliques weigh the sum of their bodies",
          "[body_weights]") {
  std::size_t blamed = 0;
  for_each_body_walker(200, 10, [&](BodyWalker& walker, auto& random) {
    BodyWeights weights;
    walker.walk(random, 30, [&](const BodyWalker::Move& move) {
      std::vector<Index> members;
      for (Index x = 0; x < walker.component.size; ++x)
        if (random.chance(40)) members.push_back(x);
      blame(weights, walker, members);
      REQUIRE(sums_are_right(walker));
      ++blamed;
      return walker.propagate(move);
    });
    REQUIRE(sums_are_right(walker));
  });
  CHECK(blamed > 1000);
}

}  // namespace body_weights_test
