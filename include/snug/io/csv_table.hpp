// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem as a table in a file: what the model leaves out (names, places in
/// the file, which optional columns there were) next to the problem itself.
#ifndef SNUG_IO_CSV_TABLE_HPP
#define SNUG_IO_CSV_TABLE_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE

using CsvPosition = TextPosition;
/// Its place is that of the first character of the offending field (its opening
/// quote, if it has one).
using CsvError = TextError;

/// A field of the column `pools`, or `pool`, that is not empty, as it stands in
/// the file. read_csv_pools() says what it means where the names of the pools
/// are known.
struct CsvPools {
  std::size_t buffer = 0;
  CsvPosition position{};
  std::string text{};
};

/// A column that read_csv() does not know.
struct CsvIgnored {
  std::string name{};
  CsvPosition position{};
};

/// For messages: `line:column: column 'name' is not known and ignored`.
[[nodiscard]] inline std::string to_string(const CsvIgnored& column) {
  return to_string(CsvError{
      column.position,
      "column '" + printable(column.name) + "' is not known and ignored"});
}

/// A column of text that is not a part of the problem, to be written with it.
struct CsvText {
  std::string name{};
  std::vector<std::string> fields{};  ///< one a buffer; missing ones are empty
};

/// The optional columns of a table, and how it counts time.
struct CsvColumns {
  bool alignment = false;
  bool hint = false;
  bool gaps = false;
  bool alias = false;
  bool follows = false;
  bool apart = false;
  bool may_overlap = false;
  bool penalty = false;
  bool memory_end = false;
  bool offset = false;
  /// The last times are those at which a buffer, or a gap, is still there: the
  /// columns `start` and `end` stand in the place of `lower` and `upper`.
  bool inclusive = false;
};

/// The optional columns that writing `problem` needs; not inclusive.
template <class Size, class Time>
[[nodiscard]] CsvColumns columns_of(const Problem<Size, Time>& problem) {
  CsvColumns columns;
  columns.alias = !problem.aliases.empty();
  columns.follows = !problem.contiguous.empty();
  columns.apart = !problem.apart.empty();
  columns.may_overlap = !problem.may_overlap.empty();
  columns.penalty = !problem.penalties.empty();
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    columns.alignment |= buffer.alignment != 1;
    columns.hint |= buffer.hint.has_value();
    columns.gaps |= !buffer.gaps.empty();
    columns.memory_end |= buffer.end != End::kAny;
    columns.offset |= buffer.offset.has_value();
  }
  return columns;
}

/// What reading a table gives. With an error, there are no buffers.
template <class Size = std::int64_t, class Time = std::int64_t>
struct [[nodiscard]] CsvTable {
  Problem<Size, Time> problem{};         ///< rows in the order of the file
  std::vector<std::string> ids{};        ///< one a buffer, all different
  std::vector<CsvPosition> positions{};  ///< where each buffer's id stands
  std::vector<CsvPools> pools{};         ///< by buffer, ascending
  std::vector<CsvPools> fixed_pools{};   ///< the column `pool`, in this order
  CsvColumns columns{};                  ///< which optional columns it had
  std::vector<CsvIgnored> ignored{};     ///< those with another name, if any
  CsvError error{};

  [[nodiscard]] bool ok() const noexcept { return error.ok(); }
};

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_TABLE_HPP
