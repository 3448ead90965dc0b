// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether what assign() returns is right.
#ifndef SNUG_EXAMPLES_ASSIGNMENT_HPP
#define SNUG_EXAMPLES_ASSIGNMENT_HPP

#include "snug/model/pool.hpp"
#include "snug/model/pool_part.hpp"
#include "snug/model/problem.hpp"
#include "snug/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Whether buffers that are tied have one pool.
inline bool keeps_ties(const snug::Problem<>& problem,
                       const std::vector<std::size_t>& pools) {
  for (const auto& alias : problem.aliases)
    if (pools[alias.buffer] != pools[alias.of]) return false;
  for (const auto& group : problem.contiguous)
    for (const std::size_t b : group)
      if (pools[b] != pools[group.front()]) return false;
  return true;
}

/// Whether each pool by itself is a placement, of buffers that may be in it, all
/// that are tied together, and the cost is the sum of what they cost there.
inline bool is_valid(const snug::Problem<>& problem, const snug::Pools<>& pools,
                     const snug::AssignResult<>& result) {
  if (result.pools.size() != problem.buffers.size() ||
      result.offsets.size() != problem.buffers.size() ||
      !keeps_ties(problem, result.pools))
    return false;
  std::int64_t cost = 0;
  std::size_t placed = 0;
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const snug::Pool<>& pool = pools.pools[p];
    const auto part = snug::pool_part(problem, pools, result, p);
    for (const std::size_t b : part.buffers) {
      cost += pool.cost_per_byte * problem.buffers[b].size;
      if (b >= pools.costs.size() || pools.costs[b].empty()) continue;
      if (pools.costs[b][p] == snug::Pools<>::kNever) return false;
      cost += pools.costs[b][p];
    }
    if (!snug::validate(part.problem, pool.capacity, part.offsets).ok())
      return false;
    placed += part.buffers.size();
  }
  return placed == problem.buffers.size() && cost == result.cost;
}

#endif  // SNUG_EXAMPLES_ASSIGNMENT_HPP
