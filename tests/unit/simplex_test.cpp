// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/simplex.hpp"

#include "snug/support/list.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace simplex_test {

using namespace snug::testing;
using snug::detail::List;
using snug::detail::Simplex;

namespace {

/// A linear program with what became of it.
struct Program {
  List<double> costs{};
  std::vector<Simplex::Terms> terms{};
  std::vector<double> rooms{};
  std::vector<std::size_t> numbers{};  ///< of the rows
};

Program random_program(Random& random) {
  Program program;
  const int variables = random.between(1, 12);
  for (int v = 0; v < variables; ++v)
    program.costs.push_back(random.between(-100, 20) / 8.0);
  const int rows = random.between(1, 9);
  for (int r = 0; r < rows; ++r) {
    Simplex::Terms terms;
    for (std::size_t v = 0; v < program.costs.size(); ++v)
      if (random.chance(60)) terms.push_back({v, random.between(-9, 40) / 8.0});
    program.terms.push_back(terms);
    program.rooms.push_back(random.between(0, 60) / 8.0);
  }
  return program;
}

Simplex with_all_rows(Program& program) {
  Simplex simplex(program.costs);
  for (std::size_t r = 0; r < program.rooms.size(); ++r)
    program.numbers.push_back(
        simplex.add_row(program.terms[r], program.rooms[r]));
  return simplex;
}

double used_in(const Simplex::Terms& terms, const Simplex& simplex) {
  double used = 0;
  for (const auto& [v, factor] : terms) used += factor * simplex.value(v);
  return used;
}

double cost_of(const Program& program, const Simplex& simplex) {
  double cost = 0;
  for (std::size_t v = 0; v < program.costs.size(); ++v)
    cost += program.costs[v] * simplex.value(v);
  return cost;
}

/// What nothing costs less than, by the prices of rows.
double bound_of(const Program& program, const Simplex& simplex) {
  double bound = 0;
  List<double> costs = program.costs;
  for (std::size_t r = 0; r < program.numbers.size(); ++r) {
    const double price = simplex.price(program.numbers[r]);
    REQUIRE(price >= 0);
    bound -= price * program.rooms[r];
    for (const auto& [v, factor] : program.terms[r]) costs[v] += price * factor;
  }
  for (const double cost : costs) bound += std::min(cost, 0.0);
  return bound;
}

void check_optimal(const Program& program, const Simplex& simplex) {
  for (std::size_t v = 0; v < program.costs.size(); ++v) {
    CHECK(simplex.value(v) >= -1e-5);
    CHECK(simplex.value(v) <= 1 + 1e-5);
  }
  for (std::size_t r = 0; r < program.numbers.size(); ++r)
    CHECK(used_in(program.terms[r], simplex) <= program.rooms[r] + 1e-5);
  CHECK(std::fabs(cost_of(program, simplex) - bound_of(program, simplex)) <
        1e-4);
}

const auto never = [] { return false; };

}  // namespace

TEST_CASE("simplex: without rows, each where it costs least", "[simplex]") {
  Simplex simplex({-2, 3, 0, -1});
  simplex.solve(never);
  CHECK(simplex.value(0) == 1);
  CHECK(simplex.value(1) == 0);
  CHECK(simplex.value(3) == 1);
  CHECK(simplex.size() == 0);
}

TEST_CASE("simplex: a knapsack by hand", "[simplex]") {
  // Two thirds of what is worth 3 a unit fit beside the one worth 5.
  Simplex simplex({-5, -9, -2});
  const std::size_t row = simplex.add_row({{0, 1}, {1, 3}, {2, 2}}, 3);
  simplex.solve(never);
  CHECK(std::fabs(simplex.value(0) - 1) < 1e-9);
  CHECK(std::fabs(simplex.value(1) - 2.0 / 3) < 1e-9);
  CHECK(std::fabs(simplex.value(2)) < 1e-9);
  CHECK(std::fabs(simplex.price(row) - 3) < 1e-9);
  CHECK(simplex.is_basic(1));
  CHECK_FALSE(simplex.is_free(row));
  // The row, a third of it, says how much there is of the second.
  CHECK(std::fabs(simplex.multiplier(1, row) - 1.0 / 3) < 1e-9);
}

TEST_CASE("simplex: the cost is that of the prices, row by row", "[simplex]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{2000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Program program = random_program(random);
    Simplex simplex(program.costs);
    for (std::size_t r = 0; r < program.rooms.size(); ++r) {
      program.numbers.push_back(
          simplex.add_row(program.terms[r], program.rooms[r]));
      if (random.chance(50)) continue;
      simplex.solve(never);
      check_optimal(program, simplex);
    }
    simplex.solve(never);
    check_optimal(program, simplex);
  }
}

TEST_CASE("simplex: rows that bind nothing can go", "[simplex]") {
  std::size_t removed = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{1000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Program program = random_program(random);
    Simplex simplex = with_all_rows(program);
    simplex.solve(never);
    const double cost = cost_of(program, simplex);
    Program rest;
    rest.costs = program.costs;
    for (std::size_t r = 0; r < program.rooms.size(); ++r) {
      if (simplex.is_free(program.numbers[r])) {
        simplex.remove_row(program.numbers[r]);
        CHECK(simplex.price(program.numbers[r]) == 0);
        ++removed;
        continue;
      }
      rest.terms.push_back(program.terms[r]);
      rest.rooms.push_back(program.rooms[r]);
      rest.numbers.push_back(program.numbers[r]);
    }
    simplex.solve(never);
    check_optimal(rest, simplex);
    CHECK(std::fabs(cost_of(rest, simplex) - cost) < 1e-4);
    // One more, now that numbers of rows have gaps.
    rest.terms.push_back(program.terms[0]);
    rest.rooms.push_back(program.rooms[0] / 2);
    rest.numbers.push_back(
        simplex.add_row(rest.terms.back(), rest.rooms.back()));
    simplex.solve(never);
    check_optimal(rest, simplex);
  }
  CHECK(removed > at_least(std::size_t{1000}));
}

// Some are kept at an end, and let go again.
TEST_CASE("simplex: variables that are fixed", "[simplex]") {
  std::size_t solved = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{2000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Program program = random_program(random);
    Simplex simplex = with_all_rows(program);
    CHECK(simplex.solve(never));
    const double cost = cost_of(program, simplex);
    std::vector<bool> is_fixed(program.costs.size(), false);
    for (int step = 0; step < 4; ++step) {
      // As items that cost as much more or less as keeps them there.
      Program fixed = program;
      double paid = 0;
      for (std::size_t v = 0; v < program.costs.size(); ++v) {
        if (is_fixed[v]) simplex.release(v);
        is_fixed[v] = random.chance(40);
        if (!is_fixed[v]) continue;
        const bool at_top = random.chance(50);
        simplex.fix(v, at_top);
        fixed.costs[v] = at_top ? -1e6 : 1e6;
        if (at_top) paid += program.costs[v] - fixed.costs[v];
      }
      if (simplex.solve(never)) {
        CHECK(cost_of(program, simplex) >= cost - 1e-4);
        CHECK(std::fabs(cost_of(fixed, simplex) + paid -
                        cost_of(program, simplex)) < 1e-3);
        for (std::size_t v = 0; v < program.costs.size(); ++v)
          if (is_fixed[v])
            CHECK(std::fabs(simplex.value(v) - (fixed.costs[v] < 0 ? 1 : 0)) <
                  1e-5);
        for (std::size_t r = 0; r < program.numbers.size(); ++r)
          CHECK(used_in(program.terms[r], simplex) <= program.rooms[r] + 1e-5);
        Simplex other(fixed.costs);
        for (std::size_t r = 0; r < program.rooms.size(); ++r)
          (void)other.add_row(program.terms[r], program.rooms[r]);
        other.solve(never);
        CHECK(std::fabs(cost_of(fixed, other) - cost_of(fixed, simplex)) <
              1e-2);
        ++solved;
        continue;
      }
      // The rows in that sum take more than their room, whatever is chosen.
      double room = 0;
      std::vector<double> sum(program.costs.size(), 0);
      for (std::size_t r = 0; r < program.numbers.size(); ++r) {
        const double share = simplex.share_in_proof(program.numbers[r]);
        CHECK(share >= 0);
        room += share * program.rooms[r];
        for (const auto& [v, factor] : program.terms[r])
          sum[v] += share * factor;
      }
      double least = 0;
      for (std::size_t v = 0; v < program.costs.size(); ++v) {
        if (!is_fixed[v])
          least += std::min(sum[v], 0.0);
        else if (fixed.costs[v] < 0)
          least += sum[v];
      }
      CHECK(least > room);
      ++refuted;
    }
    for (std::size_t v = 0; v < program.costs.size(); ++v)
      if (is_fixed[v]) simplex.release(v);
    simplex.solve(never);
    check_optimal(program, simplex);
    CHECK(std::fabs(cost_of(program, simplex) - cost) < 1e-4);
  }
  CHECK(solved > at_least(std::size_t{2000}));
  CHECK(refuted > at_least(std::size_t{500}));
}

TEST_CASE("simplex: prices are a bound wherever it stops", "[simplex]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Program program = random_program(random);
    Simplex simplex = with_all_rows(program);
    double last = bound_of(program, simplex);
    for (int step = 0; step < 40; ++step) {
      bool is_first = true;
      simplex.solve([&] { return !std::exchange(is_first, false); });
      const double bound = bound_of(program, simplex);
      CHECK(bound >= last - 1e-6);
      last = bound;
    }
    simplex.solve(never);
    CHECK(last <= cost_of(program, simplex) + 1e-5);
  }
}

}  // namespace simplex_test
