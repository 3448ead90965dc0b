// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What check() refuses, as an error of the table that the problem came from:
/// the row and column of the field that is wrong, and what is wrong with it.
///
///     id,lower,upper,size,offset
///     a,0,3,8,4
///     b,1,2,4,8       2:9: buffer 'a': fixed offsets conflict (buffer 'b')
///
/// A table does not remember where its fields stood, so the text is read again.
/// Where there is no field to blame, it is that of the id.
///
/// Cost: linear in the text up to the row.
#ifndef SNUG_IO_CSV_LOCATE_HPP
#define SNUG_IO_CSV_LOCATE_HPP

#include "snug/config.hpp"
#include "snug/io/check_text.hpp"
#include "snug/io/csv_roles.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"

#include <cstddef>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The column that an error is about.
[[nodiscard]] constexpr CsvRole role_of(const Check& error) noexcept {
  switch (error.reason) {
    case Reason::kNegativeSize:
    case Reason::kSizeOverflow:
    case Reason::kLoadOverflow:
      return CsvRole::kSize;
    case Reason::kEmptyLifespan:
      return CsvRole::kUpper;
    case Reason::kBadAlignment:
    case Reason::kUnalignableAlias:
      return CsvRole::kAlignment;
    case Reason::kNegativeHint:
      return CsvRole::kHint;
    case Reason::kNegativeOffset:
    case Reason::kMisalignedOffset:
    case Reason::kOffsetOverflow:
    case Reason::kOffsetBelowBase:
    case Reason::kContradictoryOffset:
    case Reason::kReservedOffset:
    case Reason::kConflictingOffsets:
      return CsvRole::kOffset;
    default:
      break;
  }
  switch (error.entry) {
    case Entry::kGap:
      return CsvRole::kGaps;
    case Entry::kAlias:
      return CsvRole::kAlias;
    case Entry::kGroup:
      return CsvRole::kFollows;
    case Entry::kApart:
      return CsvRole::kApart;
    case Entry::kMayOverlap:
      return CsvRole::kMayOverlap;
    case Entry::kPenalty:
      return CsvRole::kPenalty;
    default:
      return error.reason == Reason::kCostOverflow ? CsvRole::kPools
                                                   : CsvRole::kId;
  }
}

/// The row that the field is in: that which names the others, for what is
/// between several. Any other number if there is none.
template <class Size, class Time>
[[nodiscard]] std::size_t row_of(const Problem<Size, Time>& problem,
                                 const Check& error, CsvRole role) {
  const std::size_t k = error.index;
  if (role == CsvRole::kAlias && k < problem.aliases.size())
    return problem.aliases[k].buffer;
  if (role == CsvRole::kFollows && k < problem.contiguous.size() &&
      !problem.contiguous[k].empty())
    return problem.contiguous[k].back();
  if (role == CsvRole::kApart && k < problem.apart.size())
    return problem.apart[k].first;
  if (role == CsvRole::kMayOverlap && k < problem.may_overlap.size())
    return problem.may_overlap[k].first;
  if (role == CsvRole::kPenalty && k < problem.penalties.size())
    return problem.penalties[k].first;
  return error.buffer;
}

/// The place of the field of `role` in `row`, counted from 0, of a text that
/// has been read without an error; `otherwise` if that is empty or not there.
[[nodiscard]] inline CsvPosition position_of(std::string_view text,
                                             std::size_t row, CsvRole role,
                                             CsvPosition otherwise) {
  CsvScanner scanner(text);
  CsvField field;
  std::size_t column = 0;
  bool found = false;
  while (!field.last) {
    if (scanner.next(field) != nullptr) return otherwise;
    found = found || csv_role(trim_blanks(field.text)) == role;
    if (!found) ++column;
  }
  if (!found) return otherwise;
  for (std::size_t r = 0; r <= row && !scanner.at_end(); ++r) {
    field.last = false;
    for (std::size_t c = 0; !field.last; ++c) {
      if (scanner.next(field) != nullptr) return otherwise;
      if (r == row && c == column)
        return trim_blanks(field.text).empty() ? otherwise : field.position;
    }
  }
  return otherwise;
}

}  // namespace detail

/// The `error` that check() has for the problem of `table`, which read_csv()
/// made of `text`. It has no position where no row is to blame, but what belongs
/// to the whole problem.
template <class Size, class Time>
[[nodiscard]] CsvError locate(std::string_view text,
                              const CsvTable<Size, Time>& table,
                              const Check& error) {
  CsvError result;
  if (error.ok()) return result;
  const detail::CsvRole role = detail::role_of(error);
  const std::size_t row = detail::row_of(table.problem, error, role);
  if (row < table.ids.size())
    result.position =
        detail::position_of(text, row, role, table.positions[row]);
  result.message = to_string(error, table.ids, table.problem.reserved,
                             table.problem.buffers);
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_LOCATE_HPP
