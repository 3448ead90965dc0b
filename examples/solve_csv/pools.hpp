// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several memories, given by --pool and the column `pools`: what assign()
/// gets, whether what it returns is right, and the columns written of it.
#ifndef SNUG_EXAMPLES_SOLVE_CSV_POOLS_HPP
#define SNUG_EXAMPLES_SOLVE_CSV_POOLS_HPP

#include "arguments.hpp"
#include "report.hpp"
#include "snug/io/csv.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/subset.hpp"
#include "snug/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The pools of the flags. Base, alignment and reserved ranges hold in each.
inline snug::Pools<> make_pools(const Arguments& arguments) {
  snug::Pools<> pools;
  pools.pools = arguments.pools;
  for (snug::Pool<>& pool : pools.pools) {
    pool.base = arguments.base;
    pool.alignment = arguments.alignment;
    pool.reserved = arguments.reserved;
  }
  return pools;
}

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

/// The column `pools` as it was read; none if it said nothing.
inline std::vector<snug::CsvText> pools_column(const snug::CsvTable<>& table) {
  if (table.pools.empty()) return {};
  snug::CsvText column;
  column.name = "pools";
  column.fields.resize(table.ids.size());
  for (const snug::CsvPools& field : table.pools)
    column.fields[field.buffer] = field.text;
  return {column};
}

/// The same, and the pool of each buffer by its name.
inline std::vector<snug::CsvText> pools_columns(
    const Arguments& arguments, const snug::CsvTable<>& table,
    const snug::AssignResult<>& result) {
  std::vector<snug::CsvText> columns = pools_column(table);
  snug::CsvText& pool = columns.emplace_back();
  pool.name = "pool";
  for (const std::size_t p : result.pools)
    pool.fields.push_back(arguments.pool_names[p]);
  return columns;
}

/// Where in the input the library refused the problem, and why.
inline std::string describe(const Arguments& arguments,
                            const snug::AssignResult<>& result,
                            const snug::CsvTable<>& table,
                            const std::string& text) {
  std::string message = describe(result.error, table, text, arguments.input);
  if (result.error_pool < arguments.pool_names.size())
    message += " (pool '" +
               snug::printable(arguments.pool_names[result.error_pool]) + "')";
  return message;
}

#endif  // SNUG_EXAMPLES_SOLVE_CSV_POOLS_HPP
