// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several memories, given by --pool and the column `pools`: what assign()
/// gets, and the columns written of what it returns.
#ifndef SNUG_EXAMPLES_SOLVE_CSV_POOLS_HPP
#define SNUG_EXAMPLES_SOLVE_CSV_POOLS_HPP

#include "arguments.hpp"
#include "report.hpp"
#include "snug/io/csv.hpp"
#include "snug/model/pool.hpp"

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

/// Without pools, the first offset of the table that is one in a pool.
inline snug::CsvError find_stray_pool(const snug::CsvTable<>& table) {
  for (const snug::CsvPools& field : table.fixed_pools)
    if (table.problem.buffers[field.buffer].offset)
      return {field.position, "pool: the offset is one in the pool '" +
                                  snug::printable(field.text) +
                                  "': its --pool is missing"};
  return {};
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
