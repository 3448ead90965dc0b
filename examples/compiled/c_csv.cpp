// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of snug/c_api.h for comma-separated text: io/csv.hpp reads and
/// writes it; here are the arrays of the problem that was read.
#include "c_border.hpp"
#include "snug/c_api.h"
#include "snug/io/csv.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct snug_csv {
  snug::CsvTable<> table{};
  snug_problem problem{};  ///< points into the vectors below
  std::vector<std::int64_t> lower{}, upper{}, size{}, alignment{}, offset{},
      hint{};
  std::vector<std::uint8_t> end{};
  std::vector<snug_gap> gaps{};
  std::vector<snug_alias> aliases{};
  std::vector<std::int64_t> group_sizes{}, group_members{};
  std::vector<snug_pair> apart{}, may_overlap{};
  std::vector<snug_penalty> penalties{};
  std::vector<std::string> notes{};
};

namespace {

void copy_buffers(snug_csv& csv) {
  for (const snug::Buffer<>& buffer : csv.table.problem.buffers) {
    const auto index = static_cast<std::int64_t>(csv.lower.size());
    csv.lower.push_back(buffer.lifespan.lower);
    csv.upper.push_back(buffer.lifespan.upper);
    csv.size.push_back(buffer.size);
    csv.alignment.push_back(buffer.alignment);
    csv.offset.push_back(buffer.offset.value_or(-1));
    csv.hint.push_back(buffer.hint.value_or(-1));
    csv.end.push_back(static_cast<std::uint8_t>(buffer.end));
    for (const snug::Gap<>& gap : buffer.gaps) {
      const auto window = gap.window.value_or(snug::Interval<std::int64_t>{});
      csv.gaps.push_back({index, gap.lifespan.lower, gap.lifespan.upper,
                          window.lower, window.upper});
    }
  }
}

void copy_relations(snug_csv& csv) {
  const auto index = [](std::size_t i) { return static_cast<std::int64_t>(i); };
  const snug::Problem<>& problem = csv.table.problem;
  for (const snug::Alias<>& alias : problem.aliases)
    csv.aliases.push_back({index(alias.buffer), index(alias.of), alias.delta});
  for (const std::vector<std::size_t>& group : problem.contiguous) {
    csv.group_sizes.push_back(index(group.size()));
    for (const std::size_t member : group)
      csv.group_members.push_back(index(member));
  }
  for (const snug::BufferPair& pair : problem.apart)
    csv.apart.push_back({index(pair.first), index(pair.second)});
  for (const snug::BufferPair& pair : problem.may_overlap)
    csv.may_overlap.push_back({index(pair.first), index(pair.second)});
  for (const snug::Penalty& penalty : problem.penalties)
    csv.penalties.push_back(
        {index(penalty.first), index(penalty.second), penalty.cost});
}

/// What of the text is not in the problem.
void note_ignored(snug_csv& csv) {
  for (const snug::CsvIgnored& column : csv.table.ignored)
    csv.notes.push_back(to_string(column));
  const auto note = [&](const char* name,
                        const std::vector<snug::CsvPools>& fields) {
    if (fields.empty()) return;
    csv.notes.push_back(to_string(
        snug::CsvError{fields.front().position,
                       std::string("column '") + name +
                           "' is ignored: the problem has one memory"}));
  };
  note("pools", csv.table.pools);
  note("pool", csv.table.fixed_pools);
}

void point_to_arrays(snug_csv& csv) {
  const auto point = [](const auto& array, auto& to, std::int64_t& count) {
    to = array.data();
    count = static_cast<std::int64_t>(array.size());
  };
  snug_problem& problem = csv.problem;
  problem.struct_size = sizeof problem;
  point(csv.lower, problem.lower, problem.buffer_count);
  problem.upper = csv.upper.data();
  problem.size = csv.size.data();
  problem.alignment = csv.alignment.data();
  problem.offset = csv.offset.data();
  problem.hint = csv.hint.data();
  problem.end = csv.end.data();
  point(csv.gaps, problem.gaps, problem.gap_count);
  point(csv.aliases, problem.aliases, problem.alias_count);
  point(csv.group_sizes, problem.group_sizes, problem.group_count);
  problem.group_members = csv.group_members.data();
  point(csv.apart, problem.apart, problem.apart_count);
  point(csv.may_overlap, problem.may_overlap, problem.may_overlap_count);
  point(csv.penalties, problem.penalties, problem.penalty_count);
}

}  // namespace

snug_status snug_read_csv(const char* text, size_t length, snug_csv** csv,
                          snug_result* result) {
  if (csv != nullptr) *csv = nullptr;
  return snug_c::answer(result, [&](snug_result& out) {
    if (csv == nullptr) return snug_c::refuse(out, "csv is null");
    if (text == nullptr && length > 0)
      return snug_c::refuse(out, "text is null");
    auto read = std::make_unique<snug_csv>();
    read->table = snug::read_csv(std::string_view(text, length));
    if (!read->table.ok())
      return snug_c::fail(out, SNUG_INVALID, "%s",
                          to_string(read->table.error).c_str());
    copy_buffers(*read);
    copy_relations(*read);
    point_to_arrays(*read);
    note_ignored(*read);
    *csv = read.release();
  });
}

const snug_problem* snug_csv_problem(const snug_csv* csv) {
  return csv == nullptr ? nullptr : &csv->problem;
}

const char* snug_csv_id(const snug_csv* csv, int64_t buffer) {
  if (csv == nullptr || buffer < 0 || buffer >= csv->problem.buffer_count)
    return nullptr;
  return csv->table.ids[static_cast<std::size_t>(buffer)].c_str();
}

const char* snug_csv_note(const snug_csv* csv, int64_t note) {
  if (csv == nullptr || note < 0 ||
      note >= static_cast<std::int64_t>(csv->notes.size()))
    return nullptr;
  return csv->notes[static_cast<std::size_t>(note)].c_str();
}

snug_status snug_write_csv(const snug_csv* csv, const int64_t* offsets,
                           char* text, size_t capacity, size_t* length) {
  return snug_c::answer(nullptr, [&](snug_result& out) {
    if (csv == nullptr || length == nullptr ||
        (text == nullptr && capacity > 0))
      return snug_c::refuse(out, "csv, text or length is null");
    const snug::CsvTable<>& table = csv->table;
    std::vector<std::int64_t> column;
    if (offsets != nullptr)
      column.assign(offsets, offsets + table.problem.buffers.size());
    const std::string written =
        snug::write_csv(table.problem, table.ids, table.columns, column);
    *length = written.size();
    if (!snug_c::give_text(written, text, capacity))
      snug_c::refuse(out, "capacity is less than the length");
  });
}

void snug_free_csv(snug_csv* csv) {
  delete csv;
}
