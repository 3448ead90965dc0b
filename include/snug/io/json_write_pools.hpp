// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem of several memories and its result → JSON, which read_json() reads
/// back. json.hpp describes the format. Linear time, plus a sort of the names.
#ifndef SNUG_IO_JSON_WRITE_POOLS_HPP
#define SNUG_IO_JSON_WRITE_POOLS_HPP

#include "snug/config.hpp"
#include "snug/io/json_write.hpp"
#include "snug/io/json_writer.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Size, class Time>
void write_json_pool(JsonWriter& out, const Pool<Size, Time>& pool) {
  if (pool.capacity != (std::numeric_limits<Size>::max)())
    out.field("capacity", pool.capacity);
  if (pool.base != 0) out.field("base", pool.base);
  if (pool.alignment != 1) out.field("alignment", pool.alignment);
  if (pool.cost_per_byte != 0) out.field("cost_per_byte", pool.cost_per_byte);
  if (!pool.reserved.empty()) write_json_reserved(out, pool.reserved);
}

/// The pools that a buffer may be in, by their costs.
inline void write_json_choices(JsonWriter& out,
                               const std::vector<std::int64_t>& costs,
                               const std::vector<std::string>& names) {
  out.key("pools");
  out.open('[');
  for (std::size_t p = 0; p < costs.size(); ++p) {
    if (costs[p] == 0) out.item(names, p);
    if (costs[p] <= 0) continue;
    out.open('{');
    out.item_field("pool", names, p);
    out.field("cost", costs[p]);
    out.close('}');
  }
  out.close(']');
}

/// Writes the pools and the problem without what is said of one memory. Returns
/// what the pools are called.
template <class Size, class Time>
std::vector<std::string> write_json_pools(
    JsonWriter& out, Problem<Size, Time> problem,
    const std::vector<std::string>& ids, const Pools<Size, Time>& pools,
    const std::vector<std::string>& pool_names) {
  std::vector<std::string> names = json_names(pool_names, pools.pools.size());
  problem.base = 0;
  problem.alignment = 1;
  problem.reserved.clear();
  out.objects("pools", pools.pools.size(), [&](std::size_t p) {
    if (p < pool_names.size() || !names[p].empty())
      out.text_field("name", names[p]);
    write_json_pool(out, pools.pools[p]);
  });
  out.line();
  write_json_problem<Size>(
      out, problem, ids, std::nullopt, [&](std::size_t buffer) {
        if (buffer < pools.costs.size() && !pools.costs[buffer].empty())
          write_json_choices(out, pools.costs[buffer], names);
      });
  return names;
}

}  // namespace detail

/// Writes `problem` as assign() sees it, with `pools` and their names: there may
/// be fewer `ids` than buffers and fewer `names` than pools. The base, alignment
/// and reserved ranges of the problem are left out.
template <class Size, class Time>
[[nodiscard]] std::string write_json(const Problem<Size, Time>& problem,
                                     const std::vector<std::string>& ids,
                                     const Pools<Size, Time>& pools,
                                     const std::vector<std::string>& names) {
  return detail::json_object([&](detail::JsonWriter& out) {
    detail::write_json_pools(out, problem, ids, pools, names);
  });
}

/// The same, and what became of it.
template <class Size, class Time>
[[nodiscard]] std::string write_json(const Problem<Size, Time>& problem,
                                     const std::vector<std::string>& ids,
                                     const Pools<Size, Time>& pools,
                                     const std::vector<std::string>& names,
                                     const AssignResult<Size>& result) {
  return detail::json_object([&](detail::JsonWriter& out) {
    const std::vector<std::string> written =
        detail::write_json_pools(out, problem, ids, pools, names);
    out.line();
    out.key("result");
    out.open('{');
    out.text_field("status", outcome_word(result.status, result.stopped_by));
    out.field("cost", result.cost);
    out.field("cost_bound", result.cost_bound);
    detail::write_json_effort(out, result.stats.nodes, result.stats.seconds);
    out.items("pools", written, result.pools);
    out.numbers("offsets", result.offsets);
    out.close('}');
  });
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_WRITE_POOLS_HPP
