// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/program_bound.hpp"

#include "snug/pools/cost_table.hpp"
#include "snug/pools/equal_pools.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/division.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace program_bound_test {

using namespace snug::testing;
using snug::detail::CostTable;
using snug::detail::EqualPools;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::LoadBound;
using snug::detail::LoadProgram;
using snug::detail::LoadRows;
using snug::detail::LoadTerm;
using snug::detail::PoolLoads;
using snug::detail::ProgramBound;

namespace {

constexpr std::int64_t kEnough = std::int64_t{1} << 40;
/// Prices are whole numbers, so costs of items are not too small.
constexpr std::int64_t kUnit = std::int64_t{1} << 32;

ProgramBound bound_of(const Division& all, std::size_t bytes) {
  return {EqualPools(all.costs, all.alike), all.pools, bytes};
}

/// A random division, where the first pool is two that are alike, or three.
Division random_banks(Random& random, std::size_t most_items) {
  Division all = random_division(random, most_items, kUnit);
  const auto copies = random.between(std::size_t{1}, std::size_t{2});
  CostTable costs(all.costs.items, all.costs.columns + copies);
  for (std::size_t i = 0; i < costs.items; ++i)
    for (std::size_t c = 0; c < costs.columns; ++c)
      costs.at(i, c) = all.costs.at(i, c < copies ? 0 : c - copies);
  all.costs = costs;
  for (std::int64_t& room : all.pools[0].room)
    room /= static_cast<std::int64_t>(copies) + 1;
  all.pools.insert(all.pools.begin(), copies, all.pools[0]);
  all.alike.assign(copies + 1, 0);
  for (std::size_t p = all.alike.size(); p < all.pools.size(); ++p)
    all.alike.push_back(static_cast<Index>(p));
  return all;
}

const auto never = [] { return false; };

/// By the linear program alone.
std::int64_t bound_in_part(const Division& all) {
  LoadProgram program(all.costs, all.pools.size(), kEnough);
  program.solve(all.pools, never);
  LoadBound bound(all.pools, all.costs);
  bound.follow(program);
  return bound.bound();
}

/// Sums over many divisions: how much of what the linear program leaves open
/// the whole bound closes.
struct Sums {
  std::int64_t in_part = 0;
  std::int64_t bound = 0;
  std::int64_t least = 0;

  /// Checks the bound of a division, whose least cost is known.
  void add(const Division& all, std::int64_t cost) {
    ProgramBound whole = bound_of(all, kEnough);
    whole.raise(kNoDivision, kEnough, never);
    REQUIRE(whole.bound() <= cost);
    in_part += bound_in_part(all);
    bound += whole.bound();
    least += cost;
  }
};

/// In units, if it is one but for the rounding of prices.
std::int64_t in_units(std::int64_t cost) {
  return (cost + kUnit / 1024) / kUnit;
}

}  // namespace

TEST_CASE("program bound: no division costs less", "[program_bound]") {
  Sums sums;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{4000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 9, kUnit);
    const Sums before = sums;
    sums.add(all, least_cost(all));
    // The program of a single pool, or of pools that differ, is never worse.
    REQUIRE(sums.bound - before.bound >= sums.in_part - before.in_part);
  }
  CHECK(sums.least - sums.bound < (sums.least - sums.in_part) / 4);
}

TEST_CASE("program bound: prices that it is of", "[program_bound]") {
  int priced = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{500}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 9, kUnit);
    ProgramBound bound(EqualPools(all.costs), all.pools, kEnough);
    bound.raise(kNoDivision, kEnough, never);
    const std::optional<CostTable>& prices = bound.prices();
    REQUIRE(prices.has_value() == (bound.bound() > 0));
    if (!prices) continue;
    // All that items pay is what they cost, what their bytes do, and what is in
    // the bound beside that is paid for free room.
    std::int64_t paid = 0;
    for (std::size_t i = 0; i < all.costs.items; ++i) {
      std::int64_t least = kNoDivision;
      for (std::size_t c = 0; c < all.costs.columns; ++c) {
        const std::int64_t price = prices->at(i, c);
        REQUIRE((price == CostTable::kNever) == !all.costs.allows(i, c));
        if (!all.costs.allows(i, c)) continue;
        REQUIRE((price >= all.costs.at(i, c) || price >= kEnough));
        least = (std::min)(least, price);
      }
      if (least < kNoDivision) paid += least;
    }
    REQUIRE(paid >= bound.bound());
    ++priced;
  }
  CHECK(priced > at_least(200));
}

TEST_CASE("program bound: pools that are alike as one", "[program_bound]") {
  Sums sums;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{2000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_banks(random, 6);
    const std::int64_t cost = least_cost(all);
    if (cost != kNoDivision) sums.add(all, cost);
  }
  CHECK(sums.least - sums.bound < (sums.least - sums.in_part) / 3);
}

TEST_CASE("program bound: that of pools as one is there sooner",
          "[program_bound]") {
  constexpr std::int64_t kWork = std::int64_t{1} << 14;
  std::int64_t as_one = 0;
  std::int64_t apart = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    Division all = random_banks(random, 60);
    ProgramBound bound = bound_of(all, kEnough);
    bound.raise(kNoDivision, kWork, never);
    as_one += in_units(bound.bound());
    for (Index p = 0; p < all.alike.size(); ++p) all.alike[p] = p;
    ProgramBound other = bound_of(all, kEnough);
    other.raise(kNoDivision, kWork, never);
    apart += in_units(other.bound());
  }
  CAPTURE(as_one, apart);
  CHECK(as_one > apart);
}

TEST_CASE("program bound: is that of subgradients, or better",
          "[program_bound]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{500}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 9, kUnit);
    LoadBound bound(all.pools, all.costs);
    bound.raise(512, least_cost(all), never);
    CHECK(bound_in_part(all) + kUnit / 1024 >= bound.bound());
  }
}

TEST_CASE("program bound: with little memory", "[program_bound]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 9, kUnit);
    std::int64_t last = 0;
    for (std::size_t bytes = 1; bytes < 1000000; bytes *= 8) {
      ProgramBound bound = bound_of(all, bytes);
      bound.raise(kNoDivision, kEnough, never);
      REQUIRE(bound.bound() <= least_cost(all));
      last = bound.bound();
    }
    ProgramBound bound = bound_of(all, kEnough);
    bound.raise(kNoDivision, kEnough, never);
    CHECK(bound.bound() == last);
  }
}

TEST_CASE("program bound: follows cores", "[program_bound]") {
  Division all;
  all.costs = CostTable(3, 2);
  PoolLoads loads;
  loads.sections = 1;
  loads.room = {30};
  for (std::size_t i = 0; i < 3; ++i) {
    all.costs.at(i, 0) = 0;
    all.costs.at(i, 1) = (100 + static_cast<std::int64_t>(i)) * kUnit;
    loads.parts.push_back({{0, 1}, 10});
    loads.parts.end_row();
  }
  all.pools = {loads};
  all.alike = {0};
  ProgramBound bound = bound_of(all, kEnough);
  bound.raise(kNoDivision, kEnough, never);
  CHECK(bound.bound() == 0);
  all.pools[0].add_core({0, 2});
  bound.follow(all.pools);
  bound.raise(kNoDivision, kEnough, never);
  CHECK(in_units(bound.bound()) == 100);
  all.pools[0].add_core({1, 2});
  bound.follow(all.pools);
  bound.raise(kNoDivision, kEnough, never);
  CHECK(in_units(bound.bound()) == 102);
}

TEST_CASE("program bound: is one wherever it stops", "[program_bound]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Division all = random_division(random, 9, kUnit);
    const std::int64_t cost = least_cost(all);
    ProgramBound bound = bound_of(all, kEnough);
    std::int64_t last = 0;
    for (int k = 0; k < 12; ++k) {
      bound.raise(cost, random.between(0, 30), never);
      CHECK(bound.bound() >= last);
      REQUIRE(bound.bound() <= cost);
      last = bound.bound();
    }
    bound.raise(cost, kEnough, [] { return true; });
    CHECK(bound.bound() == last);
  }
}

TEST_CASE("program bound: ends soon where cuts raise nothing",
          "[program_bound]") {
  // Prices of less than one are none, so there are cuts, but hardly a bound.
  int most = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    Division all = random_division(random, 9, kUnit);
    for (std::int64_t& cost : all.costs.costs)
      if (cost > 0) cost /= kUnit;
    ProgramBound bound = bound_of(all, kEnough);
    int calls = 0;
    bound.raise(kNoDivision, kEnough, [&] {
      ++calls;
      return false;
    });
    most = std::max(most, calls);
  }
  CHECK(most < 128);
}

TEST_CASE("program bound: rows of pools come and go", "[program_bound]") {
  Random random(7);
  for (int k = 0; k < 200; ++k) {
    PoolLoads loads = random_division(random, 9, kUnit).pools[0];
    const PoolLoads before = loads;
    LoadRows rows;
    for (std::size_t r = 0; r < 3; ++r) {
      List<LoadTerm> terms;
      for (std::size_t i = 0; i < loads.parts.size(); ++i)
        if (random.chance(50))
          terms.push_back({i, static_cast<std::int64_t>(10 + r)});
      rows.add(std::move(terms), static_cast<std::int64_t>(100 + r));
    }
    loads.add_rows(rows, true);
    REQUIRE(loads.sections == before.sections + 3);
    List<bool> keep(loads.sections, true);
    keep[before.sections + 1] = false;
    loads.keep_rows(keep);
    REQUIRE(loads.sections == before.sections + 2);
    CHECK(loads.room[before.sections + 1] == 102);
    CHECK_FALSE(loads.is_cut(before.sections - 1));
    CHECK(loads.is_cut(before.sections + 1));
    const auto kept = loads.rows_from(before.sections);
    REQUIRE(kept.size() == 2);
    for (const std::size_t row : {std::size_t{0}, std::size_t{1}}) {
      const List<LoadTerm>& terms = rows.terms[2 * row];
      REQUIRE(kept.terms[row].size() == terms.size());
      for (std::size_t n = 0; n < terms.size(); ++n) {
        CHECK(kept.terms[row][n].item == terms[n].item);
        CHECK(kept.terms[row][n].bytes == terms[n].bytes);
      }
    }
    for (std::size_t i = 0; i < before.parts.size(); ++i)
      for (Index s = 0; s < before.sections; ++s)
        CHECK(loads.bytes_at(i, s) == before.bytes_at(i, s));
  }
}

}  // namespace program_bound_test
