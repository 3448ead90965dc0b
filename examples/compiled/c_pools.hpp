// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// snug_pools → Pools, and what assign() says of them → indices of a
/// snug_result.
///
/// Reserved ranges come in one list and go to their pools, in the same order, as
/// the gaps of buffers do (c_problem.hpp).
#ifndef SNUG_EXAMPLES_COMPILED_C_POOLS_HPP
#define SNUG_EXAMPLES_COMPILED_C_POOLS_HPP

#include "c_border.hpp"
#include "c_problem.hpp"
#include "snug/c_api.h"
#include "snug/model/pool.hpp"

#include <cstddef>
#include <cstdint>

namespace snug_c {

static_assert(snug::Pools<>::kNever == SNUG_NEVER);

class PoolInput {
 public:
  snug::Pools<> pools{};

  /// For `buffers` buffers. False, with the reason in `result`, if the pools
  /// cannot be read.
  [[nodiscard]] bool read(const snug_pools* given, std::size_t buffers,
                          snug_result& result) {
    const char* const wrong = find_wrong(given);
    if (wrong != nullptr) {
      refuse(result, wrong);
      return false;
    }
    read_pools();
    if (!read_reserved(result)) return false;
    read_costs(buffers);
    return true;
  }

  /// What is wrong, with the index of its entry in the lists of snug_pools.
  [[nodiscard]] snug::Check in_lists(const snug::AssignResult<>& found) const {
    snug::Check error = found.error;
    if (error.entry == snug::Entry::kReserved)
      error.index =
          place_in_list(found.error_pool, error.index,
                        [&](std::size_t k) { return given_.reserved[k].pool; });
    return error;
  }

 private:
  [[nodiscard]] const char* find_wrong(const snug_pools* given) {
    if (given == nullptr) return "pools is null";
    if (!copy_in(given, given_))
      return "snug_pools: struct_size is wrong, or a member is set that is not "
             "known";
    if (is_wrong(given_.pool_count, given_.pools))
      return "pools: null, or pool_count is negative";
    if (is_wrong(given_.reserved_count, given_.reserved))
      return "reserved: null, or reserved_count is negative";
    return nullptr;
  }

  void read_pools() {
    pools.pools.resize(static_cast<std::size_t>(given_.pool_count));
    const snug_pool* given = given_.pools;
    for (snug::Pool<>& pool : pools.pools) {
      pool.capacity = given->capacity;
      pool.base = given->base;
      if (given->alignment != 0) pool.alignment = given->alignment;
      pool.cost_per_byte = given->cost_per_byte;
      ++given;
    }
  }

  [[nodiscard]] bool read_reserved(snug_result& result) {
    for (std::int64_t k = 0; k < given_.reserved_count; ++k) {
      const std::size_t pool = to_index(given_.reserved[k].pool);
      if (pool >= pools.pools.size()) {
        fail(result, SNUG_BAD_ARGUMENT, "reserved range %lld: no pool %lld",
             static_cast<long long>(k),
             static_cast<long long>(given_.reserved[k].pool));
        return false;
      }
      pools.pools[pool].reserved.push_back(to_reserved(given_.reserved[k]));
    }
    return true;
  }

  void read_costs(std::size_t buffers) {
    if (given_.costs == nullptr) return;
    const std::int64_t* cost = given_.costs;
    for (std::size_t b = 0; b < buffers; ++b) {
      pools.costs.emplace_back(cost, cost + pools.pools.size());
      cost += pools.pools.size();
    }
  }

  snug_pools given_{};
};

}  // namespace snug_c

#endif  // SNUG_EXAMPLES_COMPILED_C_POOLS_HPP
