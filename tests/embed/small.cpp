// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The entry point in less code: the answers of the whole, with constraints and
/// hints too.
#include "snug/small.hpp"

#include "expect.hpp"
#include "snug/minimize.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/status.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using snug::Problem;
using snug::Result;
using snug::Status;

/// Some that take a search, with a constraint that `seed` decides.
Problem<> walk(std::uint64_t seed) {
  Problem<> problem;
  const std::uint64_t kind = seed % 6;
  const auto draw = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::int64_t>((seed >> 33) % below);
  };
  for (int k = 0; k < 16; ++k) {
    const std::int64_t lower = draw(16);
    problem.buffers.push_back({{lower, lower + 1 + draw(8)}, 1 + draw(6)});
  }
  auto& first = problem.buffers[0];
  if (kind == 0) problem.base = 3;
  if (kind == 1) first.gaps = {{first.lifespan, {}}};
  if (kind == 2) first.end = snug::End::kTop;
  if (kind == 3) problem.reserved = {{{2, 4}, {}}};
  if (kind == 4) problem.apart = {{0, 1}, {1, 2}, {0, 2}};
  if (kind == 5)
    for (auto& buffer : problem.buffers) buffer.hint = draw(20);
  return problem;
}

bool is_same_lowest(const Result<>& a, const Result<>& b) {
  return a.status == b.status && a.height == b.height &&
         a.lower_bound == b.lower_bound;
}

}  // namespace

int main() {
  std::int64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem<> problem = walk(seed);
    const Result<> lowest = snug::small::minimize(problem);
    expect(is_solved(lowest), "the lowest height");
    expect(is_same_lowest(lowest, snug::minimize(problem)), "minimize");
    for (std::int64_t capacity = lowest.height - 2;
         capacity <= lowest.height + 1; ++capacity) {
      const Result<> result = snug::small::solve(problem, capacity);
      expect(result.has_solution() ==
                 snug::solve(problem, capacity).has_solution(),
             "solve");
      expect(is_placed(result.status) == (capacity >= lowest.height),
             "as the lowest height says");
      nodes += result.stats.nodes;
      if (result.has_solution())
        expect(snug::validate(problem, capacity, result.offsets).ok(),
               "a placement");
    }
  }
  expect(nodes > 1000, "problems that take a search");
  return failures == 0 ? 0 : 1;
}
