// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/pairs.hpp"

#include "snug/model/check.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using snug::detail::contains_pair;
using snug::detail::Index;
using snug::detail::IndexPair;
using snug::detail::List;
using snug::testing::effort;
using snug::testing::Random;

TEST_CASE("pairs: sorted and found, against a set") {
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index count = random.between<Index>(1, 12);
    List<IndexPair> pairs;
    std::set<std::pair<Index, Index>> known;
    for (int k = random.between(0, 40); k > 0; --k) {
      const Index a = random.between<Index>(0, count - 1);
      const Index b = random.between<Index>(0, count - 1);
      pairs.push_back({a, b});
      known.insert({(std::min)(a, b), (std::max)(a, b)});
    }
    snug::detail::sort_pairs(pairs);
    std::vector<std::pair<Index, Index>> sorted;
    for (const auto& [a, b] : pairs) sorted.emplace_back(a, b);
    REQUIRE(sorted ==
            std::vector<std::pair<Index, Index>>(known.begin(), known.end()));
    for (Index a = 0; a < count; ++a)
      for (Index b = 0; b < count; ++b)
        REQUIRE(contains_pair(pairs, a, b) ==
                (known.count({(std::min)(a, b), (std::max)(a, b)}) > 0));
  }
}

TEST_CASE("pairs: by one index, those of the same one as they were") {
  List<IndexPair> pairs{{3, 1}, {0, 7}, {3, 0}, {1, 1}, {0, 2}, {3, 1}};
  snug::detail::sort_by_index(pairs, &IndexPair::first, 5);
  const List<IndexPair> expected{{0, 7}, {0, 2}, {1, 1},
                                 {3, 1}, {3, 0}, {3, 1}};
  CHECK(
      std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end()));
  snug::detail::sort_by_index(pairs, &IndexPair::first, 4);  // The last is 3.
  CHECK(
      std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end()));
}

// check() makes them before it has looked at the indices.
TEST_CASE("pairs: that may overlap, with an index of no buffer") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 3}, {{0, 2}, 3}};
  constexpr std::size_t kFar = ~std::size_t{0};
  problem.may_overlap = {{2, 1}, {0, kFar}, {kFar, 1}, {3, 0}};
  const snug::detail::Ties ties;
  const snug::detail::Exemptions exemptions(problem, ties);
  CHECK(exemptions.pairs().size() == 1);
  CHECK(exemptions.may_overlap(1, 2));
  CHECK_FALSE(exemptions.may_overlap(0, 1));
  CHECK(snug::check(problem).entry == snug::Entry::kMayOverlap);
}
