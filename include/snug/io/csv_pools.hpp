// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The column `pools` of a table → Pools::costs.
///
///     id,lower,upper,size,pools          pools sram, dram
///     act,0,3,64,                        {}            either
///     lut,0,9,16,sram                    {0, never}
///     weights,0,9,512,sram*40 dram       {40, 0}
///
/// A table does not know the pools, which belong to no row. So the reader keeps
/// the fields as they are, and what they say is found when the names are known.
///
/// Cost: linear, plus one search by name for each item of a list.
#ifndef SNUG_IO_CSV_POOLS_HPP
#define SNUG_IO_CSV_POOLS_HPP

#include "snug/config.hpp"
#include "snug/io/csv_ids.hpp"
#include "snug/io/csv_references.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/text.hpp"
#include "snug/model/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Finds the pool that a word names and what it costs: 0 without a cost.
[[nodiscard]] inline const char* resolve_pool(const CsvWord& word,
                                              const CsvIds& names,
                                              std::size_t& pool,
                                              std::int64_t& cost) {
  const std::size_t star = word.quoted ? 0 : word.text.rfind('*');
  std::string_view behind = word.distance;
  std::string_view name = word.id;
  if (!word.quoted) {
    name = word.text.substr(0, star);
    behind = word.text.substr(name.size());
  }
  cost = 0;
  pool = names.find(name);
  if (pool == CsvIds::kNoRow) return "no pool has this name";
  if (behind.empty()) return nullptr;
  if (behind.size() < 2 || behind[0] != '*')
    return "not of the form name or name*cost";
  if (const char* const error = parse_integer(behind.substr(1), cost))
    return error;
  return cost < 0 ? "cost is negative" : nullptr;
}

/// Reads one field. Returns the text of an error, with the word in `culprit`.
[[nodiscard]] inline const char* read_pool_list(
    std::string_view list, const CsvIds& names,
    std::vector<std::int64_t>& costs, std::string_view& culprit) {
  CsvWord word;
  for (; !list.empty(); list = trim_blanks(list)) {
    std::size_t pool = 0;
    std::int64_t cost = 0;
    const char* error = take_word(list, word);
    culprit = word.text;
    if (error == nullptr) error = resolve_pool(word, names, pool, cost);
    if (error != nullptr) return error;
    if (costs[pool] != Pools<>::kNever) return "pool is listed twice";
    costs[pool] = cost;
  }
  return nullptr;
}

}  // namespace detail

/// Writes what the column `pools` of `table` says to `pools.costs`. `names` has
/// one name for each of pools.pools, all different. Stops at the first error:
/// a pool that is not there or listed twice, or what is not a cost. Then the
/// costs are empty.
template <class Size, class Time>
[[nodiscard]] CsvError read_csv_pools(const CsvTable<Size, Time>& table,
                                      const std::vector<std::string>& names,
                                      Pools<Size, Time>& pools) {
  pools.costs.clear();
  if (!table.pools.empty()) pools.costs.resize(table.pools.back().buffer + 1);
  const detail::CsvIds index(names);
  for (const CsvPools& field : table.pools) {
    std::vector<std::int64_t>& costs = pools.costs[field.buffer];
    costs.assign(names.size(), Pools<>::kNever);
    std::string_view culprit;
    const char* const error = detail::read_pool_list(
        detail::trim_blanks(field.text), index, costs, culprit);
    if (error == nullptr) continue;
    pools.costs.clear();
    std::string message = "pools: ";
    message += error;
    message += ": '";
    message += printable(culprit);
    message += '\'';
    return {field.position, message};
  }
  return {};
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_POOLS_HPP
