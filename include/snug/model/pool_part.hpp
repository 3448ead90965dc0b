// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What assign() puts into one pool, as a problem of one memory: to be validated,
/// drawn or solved again by itself.
#ifndef SNUG_MODEL_POOL_PART_HPP
#define SNUG_MODEL_POOL_PART_HPP

#include "snug/config.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"

#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The memory of the problem is that pool.
template <class Size, class Time>
void set_memory(const Pool<Size, Time>& pool, Problem<Size, Time>& problem) {
  problem.base = pool.base;
  problem.alignment = pool.alignment;
  problem.reserved = pool.reserved;
}

}  // namespace detail

template <class Size, class Time>
struct PoolPart {
  std::vector<std::size_t> buffers{};  ///< of the whole problem, ascending
  Problem<Size, Time> problem{};       ///< of these buffers, in this order
  std::vector<Size> offsets{};         ///< of these buffers
};

/// What `result`, of assign(problem, pools), puts into the pool `pool`; none
/// where it has no placement. Linear time.
template <class Size, class Time>
[[nodiscard]] PoolPart<Size, Time> pool_part(const Problem<Size, Time>& problem,
                                             const Pools<Size, Time>& pools,
                                             const AssignResult<Size>& result,
                                             std::size_t pool) {
  PoolPart<Size, Time> part;
  for (std::size_t b = 0; b < result.pools.size(); ++b) {
    if (result.pools[b] != pool) continue;
    part.buffers.push_back(b);
    part.offsets.push_back(result.offsets[b]);
  }
  part.problem = subset(problem, part.buffers);
  detail::set_memory(pools.pools[pool], part.problem);
  return part;
}

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_POOL_PART_HPP
