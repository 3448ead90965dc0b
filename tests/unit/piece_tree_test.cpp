// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/piece_tree.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace piece_tree_test {

using namespace snug::testing;
using snug::Interval;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::PieceTree;
using snug::detail::SpannedBuffer;

TEST_CASE("piece tree: the first piece inside a range, as all are due later") {
  std::size_t found = 0;
  std::size_t none = 0;
  std::size_t asked = 0;
  std::size_t left_out = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(200); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Index count = random.between(Index{1}, Index{100});
    List<SpannedBuffer> pieces;
    for (Index k = 0; k < count; ++k) {
      const Index lower = random.between(Index{0}, Index{50});
      pieces.push_back(
          {{lower, lower + random.between(Index{1}, Index{20})}, k});
    }
    std::vector<Index> rank(count);
    std::iota(rank.begin(), rank.end(), Index{0});
    random.shuffle(rank);
    PieceTree tree{List<SpannedBuffer>(pieces)};
    REQUIRE(tree.size() == count);
    std::vector<Interval<Index>> spans;
    std::vector<bool> is_named(count, false);
    for (Index x = 0; x < count; ++x) {
      REQUIRE(!is_named[tree.input(x)]);
      is_named[tree.input(x)] = true;
      spans.push_back(pieces[tree.input(x)].span);
    }
    tree.fill([&](Index x) { return rank[x]; });
    std::vector<std::int64_t> due(count, 0);
    std::vector<bool> is_in(count, true);
    for (int k = 0; k < 200; ++k) {
      const Index one = random.between(Index{0}, count - 1);
      if (random.chance(20) && is_in[one]) {
        tree.remove(one);
        is_in[one] = false;
      } else if (random.chance(10) && is_in[one]) {
        due[one] = random.between(std::int64_t{0}, due[one]);
        tree.forget(one);
      }
      for (std::int64_t& at : due)
        if (random.chance(10))
          at += random.between(std::int64_t{0}, std::int64_t{5});
      const Index lower = random.between(Index{0}, Index{60});
      const Interval<Index> range{lower,
                                  lower + random.between(Index{1}, Index{70})};
      const std::int64_t now =
          random.between(std::int64_t{0}, std::int64_t{60});
      const std::int64_t limit =
          now + random.between(std::int64_t{1}, std::int64_t{40});
      std::int64_t expected = limit;
      Index best = count;
      for (Index x = 0; x < count; ++x) {
        const std::int64_t at = std::max(due[x], now);
        if (!is_in[x] || !range.contains(spans[x]) || at >= limit) continue;
        if (at < expected || (at == expected && rank[x] < rank[best])) {
          expected = at;
          best = x;
        }
      }
      std::size_t evaluated = 0;
      const PieceTree::First first = tree.first_inside(
          range, now, limit, [&](Index x, std::int64_t enough) {
            REQUIRE(is_in[x]);
            ++evaluated;
            // A lower bound, where that is enough.
            return due[x] > enough + 2 ? enough + 2 : due[x];
          });
      REQUIRE(first.is_any() == (best < count));
      REQUIRE(first.due == expected);
      if (first.is_any()) {
        REQUIRE(first.piece == best);
        REQUIRE(first.rank == rank[best]);
      }
      ++(first.is_any() ? found : none);
      asked += evaluated;
      left_out += static_cast<std::size_t>(
                      std::count(is_in.begin(), is_in.end(), true)) -
                  evaluated;
    }
  }
  CHECK(found > at_least<std::size_t>(5000));
  CHECK(none > at_least<std::size_t>(5000));
  CHECK(asked < left_out);
}

}  // namespace piece_tree_test
