// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/penalty/cover.hpp"

#include "support/catch.hpp"
#include "support/demands.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cover_test {

using namespace snug::testing;
using snug::detail::Choice;
using snug::detail::Cover;
using snug::detail::Demand;

TEST_CASE("cover: against all choices") {
  constexpr std::size_t kCount = 12;
  int greedy_best = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::int64_t> cost(kCount);
    for (std::int64_t& one : cost) one = random.between(0, 9);
    Cover cover(cost);
    std::vector<Demand> demands;
    for (int d = random.between(0, 12); d > 0; --d) {
      Demand demand;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < kCount; ++i)
        if (random.chance(30)) {
          demand.pairs.push_back(i);
          demand.worth.push_back(random.between(1, 6));
          sum += demand.worth.back();
        }
      if (sum == 0) continue;
      demand.needed = random.between(std::int64_t{1}, sum);
      for (std::int64_t& worth : demand.worth)
        worth = (std::min)(worth, demand.needed);
      sum = 0;
      for (const std::int64_t worth : demand.worth) sum += worth;
      demand.needed = (std::min)(demand.needed, sum);
      demands.push_back(demand);
      cover.add(demand);
    }
    const std::int64_t best = least_cost(cost, demands);
    const auto check_choice = [&](const auto& choice) {
      std::size_t set = 0;
      for (const std::size_t i : choice.pairs) set |= std::size_t{1} << i;
      CHECK(meets(demands, set));
      CHECK(choice.cost == cost_of(cost, set));
      CHECK(choice.cost >= best);
    };
    const auto greedy = cover.choose();
    check_choice(greedy);
    CHECK(cover.least() <= best);
    Choice all;
    for (std::size_t i = 0; i < kCount; ++i) all.pairs.push_back(i);
    all.cost = cost_of(cost, (std::size_t{1} << kCount) - 1);
    for (const auto& start : {greedy, all}) {
      const auto exact = cover.improve(start, 100000);
      check_choice(exact);
      CHECK(exact.is_best);
      CHECK(exact.cost == best);
    }
    CHECK_FALSE(cover.improve(greedy, 0).is_best);
    greedy_best += greedy.cost == best ? 1 : 0;
  }
  CHECK(greedy_best > at_least(200));
}

}  // namespace cover_test
