// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether what assign() returns is right.
#ifndef SNUG_EXAMPLES_ASSIGNMENT_HPP
#define SNUG_EXAMPLES_ASSIGNMENT_HPP

#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Whether each pool by itself is a placement, of buffers that may be in it,
/// and the cost is the sum of what they cost there.
inline bool is_valid(const snug::Problem<>& problem, const snug::Pools<>& pools,
                     const snug::AssignResult<>& result) {
  if (result.pools.size() != problem.buffers.size() ||
      result.offsets.size() != problem.buffers.size())
    return false;
  std::int64_t cost = 0;
  std::size_t placed = 0;
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const snug::Pool<>& pool = pools.pools[p];
    std::vector<std::size_t> buffers;
    std::vector<std::int64_t> offsets;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
      if (result.pools[b] != p) continue;
      buffers.push_back(b);
      offsets.push_back(result.offsets[b]);
      cost += pool.cost_per_byte * problem.buffers[b].size;
      if (b >= pools.costs.size() || pools.costs[b].empty()) continue;
      if (pools.costs[b][p] == snug::Pools<>::kNever) return false;
      cost += pools.costs[b][p];
    }
    snug::Problem<> part = snug::subset(problem, buffers);
    part.base = pool.base;
    part.alignment = pool.alignment;
    part.reserved = pool.reserved;
    if (!snug::validate(part, pool.capacity, offsets).ok()) return false;
    placed += buffers.size();
  }
  return placed == problem.buffers.size() && cost == result.cost;
}

#endif  // SNUG_EXAMPLES_ASSIGNMENT_HPP
