// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problem, and its placement if there is one → comma-separated text, which
/// read_csv() reads back. csv.hpp describes the format. Linear time.
#ifndef SNUG_IO_CSV_WRITE_HPP
#define SNUG_IO_CSV_WRITE_HPP

#include "snug/config.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

namespace detail {

inline void append_csv_id(std::string& out, std::string_view id) {
  const bool blank_end =
      !id.empty() && (id.front() == ' ' || id.front() == '\t' ||
                      id.back() == ' ' || id.back() == '\t');
  if (!blank_end && id.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += id;
    return;
  }
  out += '"';
  for (const char c : id) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

template <class Size, class Time>
void append_csv_gaps(std::string& out, const Buffer<Size, Time>& buffer) {
  bool first = true;
  for (const Gap<Size, Time>& gap : buffer.gaps) {
    if (!first) out += ' ';
    first = false;
    append_integer(out, gap.lifespan.lower);
    out += '-';
    append_integer(out, gap.lifespan.upper);
    if (!gap.window) continue;
    out += '@';
    append_integer(out, gap.window->lower);
    out += ':';
    append_integer(out, gap.window->upper);
  }
}

}  // namespace detail

/// Writes `problem`, one row a buffer in input order, under the columns
/// `id,lower,upper,size[,alignment][,hint][,gaps][,offset]`. `lower` and
/// `upper` are half-open, and so are the gaps.
///
/// `offsets`, when not empty, has one offset a buffer: they become the column
/// `offset`, always last. When empty, the problem alone is written, with its
/// fixed offsets if columns.offset asks for them.
/// `ids` may be shorter than the problem: the missing ones are the indices.
template <class Size, class Time>
[[nodiscard]] std::string write_csv(const Problem<Size, Time>& problem,
                                    const std::vector<std::string>& ids,
                                    CsvColumns columns,
                                    const std::vector<Size>& offsets = {}) {
  std::string out = "id,lower,upper,size";
  if (columns.alignment) out += ",alignment";
  if (columns.hint) out += ",hint";
  if (columns.gaps) out += ",gaps";
  if (columns.offset || !offsets.empty()) out += ",offset";
  out += '\n';
  out.reserve(problem.buffers.size() * 48);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    if (i < ids.size())
      detail::append_csv_id(out, ids[i]);
    else
      detail::append_integer(out, i);
    const auto append = [&](auto value) {
      out += ',';
      detail::append_integer(out, value);
    };
    append(buffer.lifespan.lower);
    append(buffer.lifespan.upper);
    append(buffer.size);
    if (columns.alignment) append(buffer.alignment);
    if (columns.hint) append(buffer.hint.value_or(Size{-1}));
    if (columns.gaps) {
      out += ',';
      detail::append_csv_gaps(out, buffer);
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
