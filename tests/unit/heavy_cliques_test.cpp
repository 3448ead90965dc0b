// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/heavy_cliques.hpp"

#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heavy_cliques_test {

using namespace snug::testing;
using snug::detail::HeavyCliques;
using snug::detail::Index;
using snug::detail::List;

namespace {

/// A graph whose vertices are named by odd numbers.
struct Graph {
  List<Index> names{};
  List<std::int64_t> weights{};
  std::vector<std::vector<bool>> rows{};

  Graph(Random& random, Index size, int percent) {
    rows.assign(size, std::vector<bool>(size, false));
    for (Index a = 0; a < size; ++a) {
      names.push_back(2 * a + 1);
      weights.push_back(random.between<std::int64_t>(1, 20));
      for (Index b = 0; b < a; ++b)
        rows[a][b] = rows[b][a] = random.chance(percent);
    }
  }
  [[nodiscard]] bool are_neighbours(Index a, Index b) const {
    return rows[a / 2][b / 2];
  }
  [[nodiscard]] HeavyCliques cliques() const {
    return {names, weights,
            [&](Index a, Index b) { return are_neighbours(a, b); }};
  }
  /// -1: it is no clique.
  [[nodiscard]] std::int64_t weight(const List<Index>& clique) const {
    std::int64_t sum = 0;
    for (std::size_t x = 0; x < clique.size(); ++x) {
      sum += weights[clique[x] / 2];
      for (std::size_t y = 0; y < x; ++y)
        if (clique[y] >= clique[x] || !are_neighbours(clique[x], clique[y]))
          return -1;
    }
    return sum;
  }
  /// Of the heaviest clique that has all of `members`, by trying all.
  [[nodiscard]] std::int64_t heaviest(const List<Index>& members) const {
    std::int64_t most = -1;
    for (std::size_t set = 0; set < std::size_t{1} << names.size(); ++set) {
      List<Index> clique;
      for (std::size_t a = 0; a < names.size(); ++a)
        if ((set >> a & 1) != 0) clique.push_back(names[a]);
      if (std::includes(clique.begin(), clique.end(), members.begin(),
                        members.end()))
        most = (std::max)(most, weight(clique));
    }
    return most;
  }
};

}  // namespace

TEST_CASE("heavy cliques: against all sets", "[heavy_cliques]") {
  constexpr std::int64_t kEnough = 1 << 20;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Graph graph(random, random.between<Index>(2, 11),
                      random.between(10, 95));
    HeavyCliques cliques = graph.cliques();
    REQUIRE(graph.weight(cliques.heaviest(kEnough)) == graph.heaviest({}));
    for (const Index a : graph.names)
      for (const Index b : graph.names) {
        if (a >= b || !graph.are_neighbours(a, b)) continue;
        const List<Index> with = cliques.heaviest_with(a, b, kEnough);
        REQUIRE(graph.weight(with) == graph.heaviest({a, b}));
        REQUIRE(std::binary_search(with.begin(), with.end(), a));
        REQUIRE(std::binary_search(with.begin(), with.end(), b));
      }
  }
}

TEST_CASE("heavy cliques: large graphs, few nodes", "[heavy_cliques]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{40}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Graph graph(random, random.between<Index>(60, 200),
                      random.between(20, 90));
    HeavyCliques cliques = graph.cliques();
    const std::int64_t few = graph.weight(cliques.heaviest(1));
    REQUIRE(few > 0);
    REQUIRE(graph.weight(cliques.heaviest(1000)) >= few);
  }
}

// Deeper than the search goes.
TEST_CASE("heavy cliques: complete graphs", "[heavy_cliques]") {
  for (const Index size : {127U, 128U, 129U, 200U}) {
    CAPTURE(size);
    Random random(size);
    const Graph graph(random, size, 100);
    std::int64_t all = 0;
    for (const std::int64_t weight : graph.weights) all += weight;
    HeavyCliques cliques = graph.cliques();
    CHECK(graph.weight(cliques.heaviest(1000)) == all);
    CHECK(graph.weight(cliques.heaviest_with(1, 3, 1000)) == all);
  }
}

}  // namespace heavy_cliques_test
