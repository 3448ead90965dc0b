// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bounds/clique_cover.hpp covers pairs kept apart with, against its definition.
#include "snug/bounds/clique_cover.hpp"

#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace clique_cover_test {

using namespace snug::testing;
using snug::detail::CliqueCover;
using snug::detail::FlatBuffer;
using snug::detail::Index;
using snug::detail::IndexPair;
using snug::detail::Interrupt;
using snug::detail::List;
using snug::detail::Lists;
using snug::detail::Plain;

namespace {

/// `count` buffers, some `pairs` of them kept apart.
Plain draw(Random& random, Index count, std::size_t pairs,
           std::int64_t longest = 5) {
  List<FlatBuffer> buffers;
  for (Index i = 0; i < count; ++i) {
    FlatBuffer buffer;
    const auto begin = random.between<std::int64_t>(0, 2 * count);
    buffer.lifespan = {begin, begin + random.between<std::int64_t>(1, longest)};
    buffer.size = random.between<std::int64_t>(1, 20);
    buffers.push_back(buffer);
  }
  List<IndexPair> apart;
  for (Index a = 0; a < count; ++a)
    for (Index b = a + 1; b < count; ++b)
      if (random.chance(static_cast<int>(200 * pairs / (count * count))))
        apart.push_back({a, b});
  return snug::detail::make_paired(std::move(buffers), apart);
}

bool conflict(const Plain& plain, Index a, Index b) {
  return plain.buffers[a].lifespan.overlaps(plain.buffers[b].lifespan) ||
         plain.is_apart(a, b);
}

/// Says that it is late from a question on.
struct Clock {
  std::size_t questions = 0;
  std::size_t in_time;
  bool operator()() { return ++questions > in_time; }
};

/// The pairs kept apart that are in no clique together.
std::size_t count_uncovered(const Plain& plain, const Lists<Index>& cliques) {
  std::size_t uncovered = 0;
  for (const Index a : plain.order)
    for (const Index b : plain.apart_from(a))
      if (a < b && std::none_of(cliques.begin(), cliques.end(),
                                [&](const List<Index>& clique) {
                                  const auto has = [&](Index i) {
                                    return std::find(clique.begin(),
                                                     clique.end(),
                                                     i) != clique.end();
                                  };
                                  return has(a) && has(b);
                                }))
        ++uncovered;
  return uncovered;
}

/// The bytes of the heaviest clique, of all sets of buffers, that has a pair kept apart.
std::int64_t heaviest_with_pair(const Plain& plain) {
  std::int64_t most = 0;
  const auto count = static_cast<Index>(plain.buffers.size());
  for (unsigned set = 0; set < 1U << count; ++set) {
    std::int64_t sum = 0;
    bool is_clique = true;
    bool has_pair = false;
    for (Index a = 0; a < count; ++a) {
      if ((set >> a & 1U) == 0) continue;
      sum += plain.buffers[a].size;
      for (Index b = 0; b < a; ++b) {
        if ((set >> b & 1U) == 0) continue;
        is_clique = is_clique && conflict(plain, a, b);
        has_pair = has_pair || plain.is_apart(a, b);
      }
    }
    if (is_clique && has_pair) most = (std::max)(most, sum);
  }
  return most;
}

/// Whether all are cliques, ascending, and none is heavier than the bound.
bool are_cliques(const Plain& plain, const Lists<Index>& cliques) {
  return std::all_of(cliques.begin(), cliques.end(),
                     [&](const List<Index>& clique) {
                       for (std::size_t x = 0; x < clique.size(); ++x)
                         for (std::size_t y = 0; y < x; ++y)
                           if (clique[y] >= clique[x] ||
                               !conflict(plain, clique[y], clique[x]))
                             return false;
                       return true;
                     });
}

}  // namespace

TEST_CASE("clique cover: every pair kept apart is in a clique",
          "[clique_cover]") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    Random random(seed);
    const Plain plain = draw(random, random.between<Index>(2, 30), 60);
    CliqueCover cover(plain, Interrupt());
    CAPTURE(seed);
    REQUIRE(are_cliques(plain, cover.cliques()));
    REQUIRE(count_uncovered(plain, cover.cliques()) == 0);
    const std::int64_t bound = cover.find_bound();
    for (const List<Index>& clique : cover.cliques())
      REQUIRE(bound >= std::accumulate(clique.begin(), clique.end(),
                                       std::int64_t{0},
                                       [&](std::int64_t sum, Index i) {
                                         return sum + plain.buffers[i].size;
                                       }));
    pairs += count_uncovered(plain, {});
  }
  CHECK(pairs > at_least(3000U));
}

TEST_CASE("clique cover: the heaviest clique that no section has",
          "[clique_cover]") {
  std::size_t larger = 0;
  for (std::uint64_t seed = 0; seed < effort(1000U); ++seed) {
    Random random(seed);
    const auto count = random.between<Index>(3, 9);
    const Plain plain = draw(random, count, 1 + seed % 4, 2 * count);
    CAPTURE(seed);
    const std::int64_t heaviest = heaviest_with_pair(plain);
    REQUIRE(CliqueCover(plain, Interrupt()).find_bound() >= heaviest);
    if (heaviest > 0) ++larger;
  }
  CHECK(larger > at_least(300U));
}

TEST_CASE("clique cover: late, what was found is all", "[clique_cover]") {
  Random random(1);
  const Plain plain = draw(random, 60, 200);
  std::size_t last = 0;
  for (const std::size_t questions : {0U, 1U, 5U, 20U}) {
    Clock clock{0, questions};
    CliqueCover cover(plain, Interrupt(clock));
    CAPTURE(questions);
    CHECK(are_cliques(plain, cover.cliques()));
    CHECK(cover.cliques().size() <= questions);
    CHECK(cover.cliques().size() >= last);
    CHECK(count_uncovered(plain, cover.cliques()) > 0);
    last = cover.cliques().size();
    CHECK((cover.find_bound() > 0) == (questions > 0));
  }
  CHECK(last > 10);
}

}  // namespace clique_cover_test
