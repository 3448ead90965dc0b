// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problem, and its placement if there is one → comma-separated text, which
/// read_csv() reads back. csv.hpp describes the format. Linear time, plus a
/// sort of the ids.
#ifndef SNUG_IO_CSV_WRITE_HPP
#define SNUG_IO_CSV_WRITE_HPP

#include "snug/config.hpp"
#include "snug/io/csv_references.hpp"
#include "snug/io/csv_roles.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/ids.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

/// `text` with U+FFFD in the place of each NUL byte, which no table may have.
[[nodiscard]] inline std::string without_nul(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t at = (std::min)(text.find('\0'), text.size());
    out += text.substr(0, at);
    if (at == text.size()) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(at + 1);
  }
}

/// Appends a field, in quotes if need be.
inline void append_csv_text(std::string& out, std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return append_csv_text(out, without_nul(text));
  if (trim_blanks(text) == text &&
      text.find_first_of(",\"\r\n") == std::string_view::npos)
    out += text;
  else
    append_in_quotes(out, text, '"');
}

/// The end of an interval as it is written: inclusive, the last time in it. The
/// lowest of all times, which is the end of no lifespan, has none before it.
template <class Time>
[[nodiscard]] Time csv_end(Time upper, bool inclusive) noexcept {
  const bool is_lowest = upper == (std::numeric_limits<Time>::min)();
  return static_cast<Time>(upper - (inclusive && !is_lowest ? 1 : 0));
}

template <class Size, class Time>
void append_csv_gaps(std::string& out, const Buffer<Size, Time>& buffer,
                     bool inclusive) {
  bool first = true;
  for (const Gap<Size, Time>& gap : buffer.gaps) {
    if (!first) out += ' ';
    first = false;
    append_integer(out, gap.lifespan.lower);
    out += '-';
    append_integer(out, csv_end(gap.lifespan.upper, inclusive));
    if (!gap.window) continue;
    out += '@';
    append_integer(out, gap.window->lower);
    out += ':';
    append_integer(out, gap.window->upper);
  }
}

/// The ids of n rows: see distinct_names(), but none is left empty.
[[nodiscard]] inline std::vector<std::string> complete_ids(
    const std::vector<std::string>& ids, std::size_t n) {
  std::vector<std::string> names = distinct_names(ids, n, without_nul);
  names.resize(n);
  for (std::size_t i = ids.size(); i < n; ++i)
    if (names[i].empty()) names[i] = std::to_string(i);
  return names;
}

/// One penalty a pair, with the sum of its costs: of several, the reader would
/// take the first. What check() refuses stays so: a negative cost is kept, and a
/// sum that is too large is the largest there is.
[[nodiscard]] inline std::vector<Penalty> add_up(
    std::vector<Penalty> penalties) {
  remove_repeated(penalties, [](Penalty& sum, const Penalty& other) {
    constexpr auto kMost = (std::numeric_limits<std::int64_t>::max)();
    if (sum.cost < 0 || other.cost < 0)
      sum.cost = (std::min)(sum.cost, other.cost);
    else
      sum.cost = sum.cost > kMost - other.cost ? kMost : sum.cost + other.cost;
  });
  return penalties;
}

/// The fields of a column in which rows name other rows, by row; none for the
/// other columns. Leaves out what refers to buffers that do not exist. `names`
/// has the id of each row.
template <class Size, class Time>
[[nodiscard]] std::vector<std::string> csv_lists(
    const Problem<Size, Time>& problem, const std::vector<std::string>& names,
    CsvRole role) {
  const std::size_t n = names.size();
  std::vector<std::string> lists(n);
  const auto list_pairs = [&](const std::vector<BufferPair>& pairs) {
    for (const BufferPair& pair : pairs)
      if (pair.first < n && pair.second < n)
        append_reference(lists[pair.first], names[pair.second]);
  };
  if (role == CsvRole::kAlias) {
    const Ids index(names);
    for (const Alias<Size>& alias : problem.aliases)
      if (alias.buffer < n && alias.of < n)
        append_reference(lists[alias.buffer], names[alias.of], alias.delta,
                         index);
  } else if (role == CsvRole::kFollows) {
    for (const std::vector<std::size_t>& group : problem.contiguous)
      for (std::size_t k = 1; k < group.size(); ++k)
        if (group[k] < n && group[k - 1] < n)
          append_reference(lists[group[k]], names[group[k - 1]]);
  } else if (role == CsvRole::kApart) {
    list_pairs(problem.apart);
  } else if (role == CsvRole::kMayOverlap) {
    list_pairs(problem.may_overlap);
  } else if (role == CsvRole::kPenalty) {
    for (const Penalty& penalty : add_up(problem.penalties)) {
      if (penalty.first >= n || penalty.second >= n) continue;
      std::string& list = lists[penalty.first];
      append_reference(list, names[penalty.second]);
      list += '*';
      append_integer(list, penalty.cost);
    }
  } else {
    lists.clear();
  }
  return lists;
}

/// Appends the field of a column in which rows name no others.
template <class Size, class Time>
void append_csv_field(std::string& out, const Buffer<Size, Time>& buffer,
                      CsvRole role, bool inclusive) {
  if (role == CsvRole::kAlignment) append_integer(out, buffer.alignment);
  if (role == CsvRole::kHint)
    append_integer(out, buffer.hint.value_or(Size{-1}));
  if (role == CsvRole::kGaps) append_csv_gaps(out, buffer, inclusive);
  if (role == CsvRole::kMemoryEnd && buffer.end != End::kAny)
    out += buffer.end == End::kTop ? "top" : "bottom";
}

}  // namespace detail

/// Writes `problem`, one row a buffer in input order, under the columns
/// `id,lower,upper,size[,alignment][,hint][,gaps][,alias][,follows][,apart]`
/// `[,may_overlap][,penalty][,memory_end][,texts...][,offset]`. `lower` and
/// `upper` are half-open, and so are the gaps; with columns.inclusive, `start`
/// and `end` come instead, and the ends of gaps are inclusive, too. What belongs
/// to no buffer has no column: reserved ranges, base and alignment of the problem.
///
/// `offsets`, when not empty, has one offset a buffer: they become the column
/// `offset`, always last. When empty, the problem alone is written, with its
/// fixed offsets if columns.offset asks for them. Several penalties of one pair
/// are written as one, their sum.
/// `texts` are further columns, such as `pools`, in front of the offset.
/// `ids` may be shorter than the problem: the missing ones are the indices, with
/// `_` behind an index that is given as an id. A NUL byte becomes U+FFFD. Of
/// ids that are the same then, all but the first get `#` and their index.
template <class Size, class Time>
[[nodiscard]] std::string write_csv(const Problem<Size, Time>& problem,
                                    const std::vector<std::string>& ids,
                                    CsvColumns columns,
                                    const std::vector<Size>& offsets = {},
                                    const std::vector<CsvText>& texts = {}) {
  struct Column {
    detail::CsvRole role;
    std::vector<std::string> lists;
  };
  const std::vector<std::string> names =
      detail::complete_ids(ids, problem.buffers.size());
  std::vector<Column> between;  // of the size and the texts
  std::string out =
      columns.inclusive ? "id,start,end,size" : "id,lower,upper,size";
  for (const auto& [name, role, is_there] : detail::kCsvNames) {
    if (is_there == nullptr || !(columns.*is_there) ||
        role == detail::CsvRole::kOffset)
      continue;
    (out += ',') += name;
    between.push_back({role, detail::csv_lists(problem, names, role)});
  }
  for (const CsvText& text : texts) {
    out += ',';
    detail::append_csv_text(out, text.name);
  }
  if (columns.offset || !offsets.empty()) out += ",offset";
  out += '\n';
  out.reserve(problem.buffers.size() * 48);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    detail::append_csv_text(out, names[i]);
    const auto append = [&](auto value) {
      out += ',';
      detail::append_integer(out, value);
    };
    append(buffer.lifespan.lower);
    append(detail::csv_end(buffer.lifespan.upper, columns.inclusive));
    append(buffer.size);
    for (const auto& [role, lists] : between) {
      out += ',';
      if (lists.empty())
        detail::append_csv_field(out, buffer, role, columns.inclusive);
      else
        detail::append_csv_text(out, lists[i]);
    }
    for (const CsvText& text : texts) {
      out += ',';
      if (i < text.fields.size()) detail::append_csv_text(out, text.fields[i]);
    }
    if (i < offsets.size())
      append(offsets[i]);
    else if (columns.offset)
      append(buffer.offset.value_or(Size{-1}));
    out += '\n';
  }
  return out;
}

/// Writes `problem` with the columns that it needs and indices as ids.
template <class Size, class Time>
[[nodiscard]] std::string write_csv(const Problem<Size, Time>& problem) {
  return write_csv(problem, {}, columns_of(problem));
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_WRITE_HPP
