// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/schedule/open_pairs.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace open_pairs_test {

namespace {

using namespace snug::testing;
using snug::Dependency;
using snug::HappensBefore;
using snug::Interval;
using snug::UserOrder;
using snug::detail::Index;
using snug::detail::IndexPair;
using snug::detail::LatestFirst;
using snug::detail::List;
using snug::detail::open_pairs;

using Sets = std::vector<std::vector<std::size_t>>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using Spans = List<Interval<std::int64_t>>;

// Sorted, so that a pair that comes twice is there twice.
Pairs sorted(const List<IndexPair>& list) {
  Pairs pairs;
  for (const IndexPair& pair : list)
    pairs.emplace_back((std::min)(pair.first, pair.second),
                       (std::max)(pair.first, pair.second));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

struct Graph {
  std::vector<std::size_t> streams;
  std::vector<Dependency> dependencies;
  Sets sets;
};

Graph random_graph(Random& random) {
  Graph graph;
  const std::size_t n = random.between<std::size_t>(1, 30);
  const std::size_t streams = random.between<std::size_t>(1, 5);
  for (std::size_t t = 0; t < n; ++t) {
    graph.streams.push_back(random.below(streams));
    if (t > 0 && random.chance(40))
      graph.dependencies.push_back({random.below(t), t});
  }
  graph.sets.resize(random.below(std::size_t{15}));
  for (auto& set : graph.sets) {
    const std::size_t first = random.below(n);
    for (std::size_t k = random.below(5); k > 0; --k)
      set.push_back((std::min)(n - 1, first + random.below(8)));
  }
  return graph;
}

// The latest operator of a set on a chain, plus one; 0 if there is none.
std::size_t latest_of(const std::vector<std::size_t>& set,
                      const HappensBefore& order, std::size_t chain) {
  std::size_t latest = 0;
  for (const std::size_t op : set)
    if (order.chain(op) == chain) latest = (std::max)(latest, op + 1);
  return latest;
}

}  // namespace

TEST_CASE("open_pairs: sets that a set does not know", "[open_pairs]") {
  // Like the picture in the header: e is used by operator 6, which knows stream 0 up
  // to operator 2 and stream 1 up to operator 5.
  const std::vector<std::size_t> streams = {0, 1, 0, 0, 0, 1, 1};
  const HappensBefore order(streams, {{2, 5}});
  const Sets sets = {{4}, {2}, {0}, {3, 5}, {6}, {1}};
  const UserOrder users(order, sets);
  // a, b, c, d, e, f.
  const Spans spans = {{4, 5}, {2, 3}, {0, 1}, {3, 6}, {6, 7}, {1, 2}};
  CHECK(sorted(open_pairs(order, users, spans)) ==
        Pairs{{0, 4}, {0, 5}, {1, 5}, {2, 5}, {3, 4}, {3, 5}});
}

TEST_CASE("open_pairs: lists of sets, the latest first", "[open_pairs]") {
  Random random(3);
  int visited = 0;
  int passed = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Graph graph = random_graph(random);
    const HappensBefore order(graph.streams, graph.dependencies);
    const UserOrder users(order, graph.sets);
    LatestFirst left(order, users);
    std::vector<bool> is_left(graph.sets.size(), true);
    for (std::size_t k = 0; k <= graph.sets.size(); ++k) {
      for (std::size_t c = 0; c < order.chains(); ++c) {
        const std::size_t entry = random.below(graph.streams.size() + 1);
        Pairs found;
        left.visit_later(c, static_cast<std::uint32_t>(entry), [&](Index i) {
          found.emplace_back(latest_of(graph.sets[i], order, c), i);
        });
        // The operators fall; of sets with the same one any may be first.
        for (std::size_t f = 1; f < found.size(); ++f)
          REQUIRE(found[f - 1].first >= found[f].first);
        Pairs expected;
        for (std::size_t i = 0; i < graph.sets.size(); ++i) {
          const std::size_t latest = latest_of(graph.sets[i], order, c);
          if (is_left[i] && latest > entry) expected.emplace_back(latest, i);
          passed += latest > 0 && latest <= entry ? 1 : 0;
        }
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        REQUIRE(found == expected);
        visited += static_cast<int>(found.size());
      }
      if (k == graph.sets.size()) break;
      std::size_t gone = random.below(graph.sets.size());
      while (!is_left[gone]) gone = (gone + 1) % graph.sets.size();
      is_left[gone] = false;
      left.remove(gone);
    }
  }
  CHECK(visited > 3000);
  CHECK(passed > 3000);
}

TEST_CASE("open_pairs: equal a look at all pairs", "[open_pairs]") {
  Random random(5);
  int open = 0;
  int shut = 0;
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    const Graph graph = random_graph(random);
    const HappensBefore order(graph.streams, graph.dependencies);
    const UserOrder users(order, graph.sets);
    // Some touch, some are empty, and none need follow the operators.
    Spans spans;
    const bool follows = random.chance(70);
    for (const auto& set : graph.sets) {
      std::int64_t lower = random.between(-9, 9);
      std::int64_t upper = lower + random.between(-1, 9);
      if (follows && !set.empty()) {
        const auto ends = std::minmax_element(set.begin(), set.end());
        lower = static_cast<std::int64_t>(*ends.first);
        upper = static_cast<std::int64_t>(*ends.second) + 1;
      }
      spans.push_back({lower, upper});
    }
    Pairs expected;
    for (std::size_t a = 0; a < spans.size(); ++a)
      for (std::size_t b = 0; b < spans.size(); ++b) {
        if (spans[a].empty() || spans[b].empty() ||
            spans[a].upper > spans[b].lower)
          continue;
        const bool is_open = !users.precedes(a, b);
        if (is_open) expected.emplace_back((std::min)(a, b), (std::max)(a, b));
        ++(is_open ? open : shut);
      }
    std::sort(expected.begin(), expected.end());
    REQUIRE(sorted(open_pairs(order, users, spans)) == expected);
  }
  CHECK(open > 3000);
  CHECK(shut > 3000);
}

TEST_CASE("open_pairs: who is visited is in a pair", "[open_pairs]") {
  // A set for each operator, so that no pair is open on two chains. Streams wait for
  // each other now and then.
  constexpr std::size_t kOperators = 50000;
  Random random(7);
  std::vector<std::size_t> streams;
  std::vector<Dependency> dependencies;
  Sets sets;
  Spans spans;
  for (std::size_t t = 0; t < kOperators; ++t) {
    streams.push_back(random.below(std::size_t{2}));
    if (t > 0 && random.chance(30)) dependencies.push_back({t - 1, t});
    sets.push_back({t});
    const auto step = static_cast<std::int64_t>(t);
    spans.push_back({step, step + 1});
  }
  const HappensBefore order(streams, dependencies);
  const UserOrder users(order, sets);
  LatestFirst ended(order, users);
  std::size_t visits = 0;
  for (std::size_t b = kOperators; b-- > 0;) {
    ended.remove(b);
    for (std::size_t c = 0; c < order.chains(); ++c)
      ended.visit_later(c, users.known(b, c), [&](Index) { ++visits; });
  }
  CHECK(visits == open_pairs(order, users, spans).size());
  CHECK(visits > kOperators);
  CHECK(visits < 20 * kOperators);
}

}  // namespace open_pairs_test
