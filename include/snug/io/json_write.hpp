// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problem, of one memory or of several, result or schedule → JSON, which
/// read_json() and read_json_schedule() read back. json.hpp describes the format.
/// One line a buffer, tensor or operator; what has its default is left out. Linear
/// time, plus a sort of the names.
#ifndef SNUG_IO_JSON_WRITE_HPP
#define SNUG_IO_JSON_WRITE_HPP

#include "snug/config.hpp"
#include "snug/io/ids.hpp"
#include "snug/io/json_writer.hpp"
#include "snug/io/utf8.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/operators.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Size, class Time>
void write_json_buffer(JsonWriter& out, const Buffer<Size, Time>& buffer) {
  out.field("lower", buffer.lifespan.lower);
  out.field("upper", buffer.lifespan.upper);
  out.field("size", buffer.size);
  if (buffer.alignment != 1) out.field("alignment", buffer.alignment);
  if (buffer.offset) out.field("offset", *buffer.offset);
  if (buffer.hint) out.field("hint", *buffer.hint);
  if (buffer.end != End::kAny)
    out.text_field("end", buffer.end == End::kTop ? "top" : "bottom");
  if (buffer.gaps.empty()) return;
  out.list("gaps", buffer.gaps, [&](const Gap<Size, Time>& gap) {
    out.open('{');
    out.field("lower", gap.lifespan.lower);
    out.field("upper", gap.lifespan.upper);
    if (gap.window)
      out.numbers("window", std::array{gap.window->lower, gap.window->upper});
    out.close('}');
  });
}

template <class Size, class Time>
void write_json_reserved(JsonWriter& out,
                         const std::vector<Reserved<Size, Time>>& ranges) {
  out.list("reserved", ranges, [&](const Reserved<Size, Time>& reserved) {
    out.open('{');
    out.field("lower", reserved.bytes.lower);
    out.field("upper", reserved.bytes.upper);
    if (reserved.lifespan) {
      out.field("from", reserved.lifespan->lower);
      out.field("to", reserved.lifespan->upper);
    }
    out.close('}');
  });
}

template <class Size, class Time>
void write_json_relations(JsonWriter& out, const Problem<Size, Time>& problem,
                          const std::vector<std::string>& ids) {
  const auto list = [&](const char* name, const auto& items, auto write) {
    if (items.empty()) return;
    out.line();
    out.list(name, items, write);
  };
  list("aliases", problem.aliases, [&](const Alias<Size>& alias) {
    out.open('{');
    out.item_field("buffer", ids, alias.buffer);
    out.item_field("of", ids, alias.of);
    if (alias.delta != 0) out.field("delta", alias.delta);
    out.close('}');
  });
  list("contiguous", problem.contiguous,
       [&](const std::vector<std::size_t>& group) {
         out.open('[');
         for (const std::size_t index : group) out.item(ids, index);
         out.close(']');
       });
  const auto write_pair = [&](const BufferPair& pair) {
    out.pair(ids, pair.first, pair.second);
  };
  list("apart", problem.apart, write_pair);
  list("may_overlap", problem.may_overlap, write_pair);
  list("penalties", problem.penalties, [&](const Penalty& penalty) {
    out.open('{');
    out.item_field("first", ids, penalty.first);
    out.item_field("second", ids, penalty.second);
    out.field("cost", penalty.cost);
    out.close('}');
  });
  if (problem.reserved.empty()) return;
  out.line();
  write_json_reserved(out, problem.reserved);
}

/// What became of a problem: two measures of it, then the effort, with
/// microseconds as a decimal, whatever the locale; then write_list() writes what
/// there is beside the offsets.
template <class AnyResult, class Write>
void write_json_result(
    JsonWriter& out, const AnyResult& result,
    std::initializer_list<std::pair<const char*, std::int64_t>> measures,
    Write write_list) {
  out.line();
  out.key("result");
  out.open('{');
  out.text_field("status", outcome_word(result.status, result.stopped_by));
  for (const auto& [name, value] : measures) out.field(name, value);
  out.field("nodes", result.stats.nodes);
  const auto microseconds =
      static_cast<std::int64_t>(result.stats.seconds * 1e6 + 0.5);
  const std::string decimals = std::to_string(microseconds % 1000000);
  out.key("seconds");
  out.word(std::to_string(microseconds / 1000000) + '.' +
           std::string(6 - decimals.size(), '0') + decimals);
  write_list();
  out.numbers("offsets", result.offsets);
  out.close('}');
}

/// Writes the problem; `write_more(i)` what else there is to say of buffer i.
/// Returns what the buffers are called.
template <class Size, class Time, class Write>
std::vector<std::string> write_json_problem(JsonWriter& out,
                                            const Problem<Size, Time>& problem,
                                            const std::vector<std::string>& ids,
                                            std::optional<Size> capacity,
                                            Write write_more) {
  std::vector<std::string> names =
      distinct_names(ids, problem.buffers.size(), well_formed);
  if (capacity) out.field("capacity", *capacity);
  if (problem.base != 0) out.field("base", problem.base);
  if (problem.alignment != 1) out.field("alignment", problem.alignment);
  out.objects("buffers", problem.buffers.size(), [&](std::size_t i) {
    if (i < ids.size() || !names[i].empty()) out.text_field("id", names[i]);
    write_json_buffer(out, problem.buffers[i]);
    write_more(i);
  });
  write_json_relations(out, problem, names);
  return names;
}

template <class Size, class Time>
void write_json_pool(JsonWriter& out, const Pool<Size, Time>& pool) {
  if (pool.capacity != (std::numeric_limits<Size>::max)())
    out.field("capacity", pool.capacity);
  if (pool.base != 0) out.field("base", pool.base);
  if (pool.alignment != 1) out.field("alignment", pool.alignment);
  if (pool.cost_per_byte != 0) out.field("cost_per_byte", pool.cost_per_byte);
  if (!pool.reserved.empty()) write_json_reserved(out, pool.reserved);
}

/// The pools that a buffer may be in, by their costs. As an empty list means any,
/// one that may be nowhere lists a pool that it may not be in.
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
  if (std::all_of(costs.begin(), costs.end(),
                  [](std::int64_t cost) { return cost < 0; })) {
    out.open('{');
    out.item_field("pool", names, 0);
    out.key("cost");
    out.word("null");
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
  std::vector<std::string> names =
      distinct_names(pool_names, pools.pools.size(), well_formed);
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

inline void write_json_tensor(JsonWriter& out, const Tensor& tensor,
                              const std::vector<std::string>& names) {
  const auto write_flag = [&](const char* name, bool value) {
    if (!value) return;
    out.key(name);
    out.word("true");
  };
  out.numbers("shape", tensor.shape);
  if (tensor.element_bits != 8) out.field("bits", tensor.element_bits);
  if (!tensor.multiples.empty()) out.numbers("multiples", tensor.multiples);
  if (tensor.alignment != 1) out.field("alignment", tensor.alignment);
  write_flag("input", tensor.is_input);
  write_flag("output", tensor.is_output);
  write_flag("throughout", tensor.lives_throughout);
  if (tensor.parent != kNoIndex) out.item_field("parent", names, tensor.parent);
  if (tensor.parent_offset != 0)
    out.field("parent_offset", tensor.parent_offset);
}

inline void write_json_operator(JsonWriter& out, const Operator& op,
                                const std::vector<std::string>& names) {
  out.items("inputs", names, op.inputs);
  out.items("outputs", names, op.outputs);
  if (!op.scratch.empty()) out.items("scratch", names, op.scratch);
  if (!op.in_place.empty())
    out.list("in_place", op.in_place, [&](const InPlace& pair) {
      if (pair.output < op.outputs.size() && pair.input < op.inputs.size())
        out.pair(names, op.outputs[pair.output], op.inputs[pair.input]);
    });
  if (op.stream != 0) out.field("stream", op.stream);
}

}  // namespace detail

/// Writes `problem`. `ids` may be shorter than it: the other buffers have no id,
/// unless their index is the id of another one; then they get the index and `_`.
/// What is not UTF-8 becomes U+FFFD. Of ids that are the same then, all but the
/// first get `#` and their index.
template <class Size, class Time>
[[nodiscard]] std::string write_json(
    const Problem<Size, Time>& problem,
    const std::vector<std::string>& ids = {},
    std::optional<std::common_type_t<Size>> capacity = std::nullopt) {
  return detail::json_object([&](detail::JsonWriter& out) {
    detail::write_json_problem<Size>(out, problem, ids, capacity,
                                     [](std::size_t) {});
  });
}

/// Writes `problem` and what became of it, with the `reason` if there is one.
template <class Size, class Time>
[[nodiscard]] std::string write_json(
    const Problem<Size, Time>& problem, const std::vector<std::string>& ids,
    const Result<Size>& result,
    std::optional<std::common_type_t<Size>> capacity = std::nullopt,
    std::string_view reason = {}) {
  return detail::json_object([&](detail::JsonWriter& out) {
    const std::vector<std::string> names = detail::write_json_problem<Size>(
        out, problem, ids, capacity, [](std::size_t) {});
    detail::write_json_result(
        out, result,
        {{"height", result.height}, {"lower_bound", result.lower_bound}}, [&] {
          if (!reason.empty()) out.text_field("reason", reason);
          out.items("moved", names, result.moved);
        });
  });
}

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
    detail::write_json_result(
        out, result, {{"cost", result.cost}, {"cost_bound", result.cost_bound}},
        [&] { out.items("pools", written, result.pools); });
  });
}

/// Writes `schedule`. What has no name is referred to by its index.
[[nodiscard]] inline std::string write_json(const Schedule& schedule) {
  const auto names_of = [](const auto& items) {
    return detail::distinct_names(detail::names_of(items), items.size(),
                                  detail::well_formed, true);
  };
  const std::vector<std::string> tensor_names = names_of(schedule.tensors);
  const std::vector<std::string> operator_names = names_of(schedule.operators);
  return detail::json_object([&](detail::JsonWriter& out) {
    const auto write_name = [&](const std::string& name) {
      if (!name.empty()) out.text_field("name", name);
    };
    out.objects("tensors", schedule.tensors.size(), [&](std::size_t x) {
      write_name(tensor_names[x]);
      detail::write_json_tensor(out, schedule.tensors[x], tensor_names);
    });
    out.line();
    out.objects("operators", schedule.operators.size(), [&](std::size_t t) {
      write_name(operator_names[t]);
      detail::write_json_operator(out, schedule.operators[t], tensor_names);
    });
    if (schedule.dependencies.empty()) return;
    out.line();
    out.list("dependencies", schedule.dependencies, [&](const Dependency& d) {
      out.pair(operator_names, d.before, d.after);
    });
  });
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_WRITE_HPP
