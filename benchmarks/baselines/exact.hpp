// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The exact searches behind the common signature: MiniMalloc, which decides
/// one capacity, as a minimiser; and snug itself.
///
///     minimalloc        capacity: sum of sizes, then each time one below the
///                       height just found, until one is refuted
///     snug              minimize()
///     snug_first        minimize() with no nodes: its first placement
///     snug_from_load    solve() at the load, for half of the time and at most
///                       40000 nodes; minimize() if that was not enough
///
/// What differs: MiniMalloc's own --minimize_capacity lowers the capacity
/// within one run; this restarts, so that its heuristics do, too.
#ifndef SNUG_BASELINES_EXACT_HPP
#define SNUG_BASELINES_EXACT_HPP

#include "baselines/allocator.hpp"
#include "baselines/minimalloc.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// The limits of a solve that ends with the budget.
[[nodiscard]] inline Options options_of(const Budget& budget,
                                        std::int64_t spent = 0) {
  Options options;
  options.node_limit = (std::max)(budget.steps - spent, std::int64_t{0});
  if (budget.deadline != (std::chrono::steady_clock::time_point::max)())
    options.time_limit =
        (std::max)(std::chrono::duration_cast<std::chrono::nanoseconds>(
                       budget.deadline - std::chrono::steady_clock::now()),
                   std::chrono::nanoseconds(1));
  return options;
}

[[nodiscard]] inline Placement minimalloc_descent(const Problem<>& problem,
                                                  const Budget& budget) {
  Placement best;
  best.lower_bound = load_of(problem);
  Bytes capacity = 0;
  for (const Buffer<>& buffer : problem.buffers)
    capacity += align_up(buffer.size, buffer.alignment);
  while (capacity >= best.lower_bound) {
    Result<> found =
        minimalloc(problem, capacity, options_of(budget, best.steps));
    best.steps += found.stats.nodes;
    best.lower_bound = (std::max)(best.lower_bound, found.lower_bound);
    if (found.offsets.empty()) break;
    best.offsets = std::move(found.offsets);
    capacity = found.height - 1;
  }
  return best;
}

[[nodiscard]] inline Placement snug_minimize(const Problem<>& problem,
                                             const Budget& budget) {
  Result<> found = minimize(problem, options_of(budget));
  return {std::move(found.offsets), found.lower_bound, found.stats.nodes};
}

[[nodiscard]] inline Placement snug_first(const Problem<>& problem,
                                          const Budget&) {
  Options options;
  options.node_limit = 0;
  Result<> found = minimize(problem, options);
  return {std::move(found.offsets), found.lower_bound, found.stats.nodes};
}

[[nodiscard]] inline Placement snug_from_load(const Problem<>& problem,
                                              const Budget& budget) {
  constexpr std::int64_t kNodes = 40000;
  Options options = options_of(budget);
  options.node_limit = (std::min)(options.node_limit / 2, kNodes);
  options.time_limit /= 2;
  Result<> found = solve(problem, load_of(problem), options);
  if (found.has_solution())
    return {std::move(found.offsets), found.lower_bound, found.stats.nodes};
  Budget rest = budget;
  rest.steps -= found.stats.nodes;
  Placement lowest = snug_minimize(problem, rest);
  lowest.lower_bound = (std::max)(lowest.lower_bound, found.lower_bound);
  lowest.steps += found.stats.nodes;
  return lowest;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_EXACT_HPP
