// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/chooser.hpp"

#include "snug/model/options.hpp"
#include "snug/support/random.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/naive_waste.hpp"
#include "support/tuned.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace chooser_test {

using namespace snug::testing;
using snug::Strategy;
using snug::detail::Chooser;
using snug::detail::Index;

namespace {

Strategy strategy_of(std::string_view text) {
  return strategy_named(text);
}

template <class Units>
Index choose(Walker<Units>& walker, std::string_view strategy) {
  Chooser<Units> chooser(walker.instance, walker.memory);
  chooser.use(walker.instance, strategy_of(strategy));
  return chooser.choose(walker.state, 0, walker.instance.size);
}

/// The key of a preorder letter, by its definition.
template <class Units>
double key(const Walker<Units>& walker, char letter, Index x) {
  const auto& instance = walker.instance;
  double most = 0;
  double count = 0;
  switch (letter) {
    case 'A':
      return instance.width[x] * static_cast<double>(instance.length[x]);
    case 'C':
      return instance.upper[x] - instance.lower[x];
    case 'L':
      return instance.lower[x];
    case 'O':
      for (Index y = 0; y < instance.size; ++y)
        if (walker.neighbours(x, y)) ++count;
      return count;
    case 'T':
      for (Index s = instance.lower[x]; s < instance.upper[x]; ++s) {
        double sum = 0;
        for (const Index y : walker.unplaced())
          if (instance.lower[y] <= s && s < instance.upper[y])
            sum += static_cast<double>(instance.length[y]);
        most = (std::max)(most, sum);
      }
      return most;
    case 'U':
      return instance.upper[x];
    case 'W':
      return instance.width[x];
    default:
      return static_cast<double>(instance.length[x]);
  }
}

/// Those that span the section with the least (ties + weight 1) quotient; the
/// first such section.
template <class Units>
std::vector<Index> most_urgent(const Walker<Units>& walker,
                               const std::vector<Index>& among) {
  std::vector<Index> result;
  double least = 0;
  for (Index s = 0; s < walker.instance.sections; ++s) {
    std::vector<Index> spanning;
    for (const Index x : among)
      if (walker.instance.lower[x] <= s && s < walker.instance.upper[x])
        spanning.push_back(x);
    if (spanning.empty()) continue;
    const double quotient =
        static_cast<double>(spanning.size()) /
        (static_cast<double>(walker.state.section_weight[s]) + 1);
    if (!result.empty() && quotient >= least) continue;
    result = spanning;
    least = quotient;
  }
  return result;
}

template <class Units>
Index by_definition(const Walker<Units>& walker, const std::string& strategy,
                    Index begin, Index end) {
  std::vector<Index> left = walker.ties(begin, end);
  if (strategy[0] == 'w') left = naive_frugal(walker, left, begin, end);
  if (strategy[0] != '0') left = most_urgent(walker, left);
  return *std::min_element(left.begin(), left.end(), [&](Index x, Index y) {
    for (const char letter : strategy.substr(1)) {
      const double a = key(walker, letter, x);
      const double b = key(walker, letter, y);
      if (a != b) return a > b;
    }
    return x < y;
  });
}

}  // namespace

//      0     2   4 5       9
//      +-----+   . .       .
//      |  0  |   . .       .       0 of 2, 1 of 6, 2 of 1, 3 of 4;
//      +-----+---+-+       .       by span and size 0, 3, 2, 1
//      |     3     |       .       become 0, 1, 2, 3
//      +-----+-----+       .
//      .     |  1  |       .
//      .     +---+-+-------+
//      .     .   |    2    |
//      .     .   +---------+
TEMPLATE_TEST_CASE("strategy: each letter", "[strategy]", std::int32_t,
                   std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 2}, {{2, 5}, 6}, {{4, 9}, 1}, {{0, 5}, 4}};
  Walker<TestType> walker(problem, 20);
  CHECK(choose(walker, "0A") == 1);   // 4, 20, 5, 18
  CHECK(choose(walker, "0C") == 1);   // 1, 2, 1, 1
  CHECK(choose(walker, "0L") == 2);   // 0, 0, 1, 1
  CHECK(choose(walker, "0LZ") == 3);  // then 1, 6
  CHECK(choose(walker, "0O") == 1);   // 1, 3, 2, 2
  CHECK(choose(walker, "0T") == 1);   // 6, 11, 11, 11
  CHECK(choose(walker, "0TZ") == 3);  // then 4, 1, 6
  CHECK(choose(walker, "0U") == 1);   // 1, 2, 2, 2
  CHECK(choose(walker, "0W") == 1);   // 2, 5, 5, 3
  CHECK(choose(walker, "0WL") == 2);  // then 0, 1
  CHECK(choose(walker, "0Z") == 3);   // 2, 4, 1, 6
  // Placed ones count no more in the total: 2, 7 and 7 are left.
  walker.state.place(1);
  CHECK(choose(walker, "0T") == 2);
}

TEST_CASE("strategy: the lowest release, whatever the preorder says",
          "[strategy]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 2}, {{0, 2}, 6}, {{0, 2}, 9}};
  Walker<std::int32_t> walker(problem, 17);
  auto& state = walker.state;
  CHECK(choose(walker, "0Z") == 2);
  state.set_release(2, 1);
  CHECK(choose(walker, "0Z") == 1);
  state.set_release(1, 1);
  CHECK(choose(walker, "0Z") == 0);
  state.set_release(0, 2);
  CHECK(choose(walker, "0Z") == 2);
  state.undo_to(0);
  state.place(2);
  CHECK(choose(walker, "0Z") == 1);
}

//      0   1   2   3
//      +-------+---+        0 [0,2), 1 [2,3), 2 [0,1), 3 [1,3), in four
//      | 0     | 1 |        sections' worth of ties: 2, 2, 2
//      +---+---+---+
//      | 2 |   3   |
//      +---+-------+
TEST_CASE("strategy: the most urgent section comes first", "[strategy]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{2, 3}, 9}, {{0, 1}, 5}, {{1, 3}, 4}};
  Walker<std::int32_t> walker(problem, 13);
  auto& state = walker.state;
  REQUIRE(walker.instance.sections == 3);
  // By span: 0 [0,1) of 5, 1 [0,2) of 3, 2 [1,3) of 4, 3 [2,3) of 9.
  CHECK(choose(walker, "sZ") == 0);  // All equal: the first section.
  CHECK(choose(walker, "0Z") == 3);
  state.section_weight[1] = 10;
  CHECK(choose(walker, "sZ") == 2);
  state.section_weight[2] = 11;
  CHECK(choose(walker, "sZ") == 3);

  // Few ties outweigh: one in 12 is more urgent than two in 12 + 11 / 2.
  state.set_release(0, 1);
  state.section_weight[0] = 11;
  CHECK(choose(walker, "sZ") == 1);
  state.section_weight[2] = 23;
  CHECK(choose(walker, "sZ") == 1);  // 1 / 12 against 2 / 24: the first.
  state.section_weight[2] = 24;
  CHECK(choose(walker, "sZ") == 3);
  CHECK(choose(walker, "0Z") == 3);
}

TEMPLATE_TEST_CASE("strategy: chooses as its definition says", "[strategy]",
                   std::int32_t, std::int64_t) {
  const std::vector<std::string> strategies = {"sTCA", "sTWA", "sWAT", "sZW",
                                               "0TCA", "0LUO", "sOL",  "0CZ",
                                               "sUAT", "wWAT", "wZW",  "wUAT"};
  std::size_t choices = 0;
  std::size_t weighted = 0;
  std::size_t frugal = 0;
  for_each_walker<TestType>(effort(400U), 30, [&](auto& walker, auto& random) {
    const std::string& strategy =
        strategies[random.between(std::size_t{0}, strategies.size() - 1)];
    Chooser<TestType> chooser(walker.instance, walker.memory);
    chooser.use(walker.instance, strategy_of(strategy));
    for (Index s = 0; s < walker.instance.sections; ++s)
      walker.state.section_weight[s] = random.between(0, 20);
    walker.walk(random, 60, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      const Index begin = random.between(Index{0}, walker.instance.size);
      const Index end = random.between(begin, walker.instance.size);
      if (walker.ties(begin, end).empty()) return true;
      const Index expected = by_definition(walker, strategy, begin, end);
      CAPTURE(strategy);
      REQUIRE(chooser.choose(walker.state, begin, end) == expected);
      ++choices;
      const auto with_rule = [&](char rule) {
        return by_definition(walker, rule + strategy.substr(1), begin, end);
      };
      if (strategy[0] == 's' && expected != with_rule('0')) ++weighted;
      if (strategy[0] == 'w' && expected != with_rule('s')) ++frugal;
      return true;
    });
  });
  CHECK(choices > at_least(500U));
  CHECK(weighted > at_least(50U));
  CHECK(frugal > at_least(20U));
}

TEST_CASE("strategy: the chosen buffer may be placed or skipped",
          "[strategy]") {
  // Nobody can come to lie below it, and it is not skipped.
  std::size_t chosen = 0;
  for_each_walker<std::int32_t>(60, 14, [&](auto& walker, auto& random) {
    Chooser<std::int32_t> chooser(walker.instance, walker.memory);
    chooser.use(walker.instance, strategy_of("sTCA"));
    walker.walk(random, 60, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      if (walker.unplaced().empty()) return true;
      const Index x = chooser.choose(walker.state, 0, walker.instance.size);
      REQUIRE(walker.state.is_unplaced(x));
      REQUIRE_FALSE(walker.state.is_skipped(x));
      for (const Index y : walker.unplaced_neighbours(x))
        REQUIRE(walker.state.release[y] + walker.instance.length[y] >
                walker.state.minimum[x]);
      ++chosen;
      return true;
    });
  });
  CHECK(chosen > 200);
}

TEST_CASE("strategy: noise reorders what is close, and nothing else",
          "[strategy]") {
  snug::Problem<> problem;
  for (int k = 0; k < 8; ++k) problem.buffers.push_back({{0, 1}, 100 + k});
  Walker<std::int32_t> walker(problem, 1000);
  Chooser<std::int32_t> chooser(walker.instance, walker.memory);
  const auto chosen = [&](double amount, std::uint64_t seed) {
    snug::detail::Random random(seed);
    chooser.preorder().shake(
        random,
        static_cast<std::int32_t>(amount * snug::detail::Preorder::kOne));
    chooser.use(walker.instance, strategy_of("0Z"));
    return chooser.choose(walker.state, 0, walker.instance.size);
  };
  CHECK(chosen(0, 1) == 7);
  std::set<Index> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    seen.insert(chosen(0.2, seed));
    CHECK(chosen(0.2, seed) == chosen(0.2, seed));
    CHECK(chosen(0.005, seed) >= 6);  // 1.07 * 0.995 is above 1.05 * 1.005.
  }
  CHECK(seen.size() == 8);
  CHECK(chosen(0, 1) == 7);
}

}  // namespace chooser_test
