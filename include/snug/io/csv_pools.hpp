// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The columns `pools` and `pool` of a table → Pools::costs.
///
///     id,lower,upper,size,pools,pool          pools sram, dram
///     act,0,3,64,,                            {}            either
///     lut,0,9,16,sram,                        {0, never}
///     weights,0,9,512,sram*40 dram,           {40, 0}
///     state,0,9,512,sram*40 dram,sram         {40, never}
///
/// A table does not know the pools, which belong to no row. So the reader keeps
/// the fields as they are, and what they say is found when the names are known.
///
/// Cost: linear, plus one search by name for each item of a list.
#ifndef SNUG_IO_CSV_POOLS_HPP
#define SNUG_IO_CSV_POOLS_HPP

#include "snug/config.hpp"
#include "snug/io/csv_references.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/ids.hpp"
#include "snug/model/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Reads one field: the pools that it names, at a cost of 0 where none is said.
/// Returns the text of an error, with the word in `culprit`.
[[nodiscard]] inline const char* read_pool_list(
    std::string_view list, const Ids& names, std::vector<std::int64_t>& costs,
    std::string_view& culprit) {
  return for_each_word(list, culprit, [&](const CsvWord& word) -> const char* {
    constexpr const char* kMalformed = "not of the form name or name*cost";
    const auto [name, behind] = split_at_star(word);
    const std::size_t pool = names.find(name);
    if (pool == Ids::kNoRow) return "no pool has this name";
    std::int64_t cost = 0;
    const char* const error =
        behind.empty() ? nullptr : parse_cost(behind, cost, kMalformed);
    if (error != nullptr) return error;
    if (cost < 0) return "cost is negative";
    if (costs[pool] != Pools<>::kNever) return "pool is listed twice";
    costs[pool] = cost;
    return nullptr;
  });
}

/// Leaves of the pools that a buffer may be in the one that has this name.
/// Returns the text of an error.
[[nodiscard]] inline const char* fix_pool(std::string_view name,
                                          const Ids& names, std::size_t count,
                                          std::vector<std::int64_t>& costs) {
  const std::size_t pool = names.find(name);
  if (pool == Ids::kNoRow) return "no pool has this name";
  if (costs.empty()) costs.assign(count, 0);
  const std::int64_t cost = costs[pool];
  if (cost == Pools<>::kNever) return "not one of its pools";
  costs.assign(count, Pools<>::kNever);
  costs[pool] = cost;
  return nullptr;
}

}  // namespace detail

/// Writes what the columns `pools` and `pool` of `table` say to `pools.costs`.
/// `names` has one name for each of pools.pools, all different. Stops at the
/// first error: a pool that is not there, is listed twice or is not one that the
/// buffer may be in, or what is not a cost. Then the costs are empty.
template <class Size, class Time>
[[nodiscard]] CsvError read_csv_pools(const CsvTable<Size, Time>& table,
                                      const std::vector<std::string>& names,
                                      Pools<Size, Time>& pools) {
  const auto refuse = [&](const CsvPools& field, const char* column,
                          const char* error, std::string_view culprit) {
    pools.costs.clear();
    return CsvError{field.position, detail::csv_fault(column, error, culprit)};
  };
  const auto costs_of = [&](std::size_t buffer) -> std::vector<std::int64_t>& {
    if (pools.costs.size() <= buffer) pools.costs.resize(buffer + 1);
    return pools.costs[buffer];
  };
  pools.costs.clear();
  const detail::Ids index(names);
  for (const CsvPools& field : table.pools) {
    std::vector<std::int64_t>& costs = costs_of(field.buffer);
    costs.assign(names.size(), Pools<>::kNever);
    std::string_view culprit;
    const char* const error =
        detail::read_pool_list(field.text, index, costs, culprit);
    if (error != nullptr) return refuse(field, "pools", error, culprit);
  }
  for (const CsvPools& field : table.fixed_pools) {
    const char* const error = detail::fix_pool(field.text, index, names.size(),
                                               costs_of(field.buffer));
    if (error != nullptr) return refuse(field, "pool", error, field.text);
  }
  return {};
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_POOLS_HPP
