// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems and placements as comma-separated text: read_csv(), write_csv().
///
///     id,lower,upper,size                id,lower,upper,size,offset
///     b1,0,3,4            ── solve ──▶   b1,0,3,4,8
///     b2,3,9,4                           b2,3,9,4,8
///
/// The first line names the columns, in any order:
///
/// - `id` (or `buffer`, `buffer_id`): any text, no two rows the same;
/// - `lower` (or `begin`, `start`): when the buffer's lifespan starts;
/// - `upper`: when it has ended; or `end`: the last time at which it is live,
///   so that upper = end + 1 (then the gaps' ends are inclusive as well);
/// - `size`;
/// - `alignment`, optional: empty and 0 mean 1;
/// - `hint`, optional: a preferred offset; empty and -1 mean none;
/// - `gaps`, optional: `lo-hi` (inactive) or `lo-hi@winlo:winhi` (only those
///   bytes of the buffer in use), separated by spaces;
/// - `offset`, optional: a fixed offset; empty and -1 mean free.
///
/// Other columns are ignored. Times may be negative. A byte order mark, CRLF
/// line ends, a last line without an end and blank lines at the end are
/// accepted; blanks around numbers and names of columns too. A field may be
/// quoted, with `""` for a quote in it; a quote inside an unquoted field
/// stands for itself.
///
/// Refused, with line and column: a column missing or given twice, a row with
/// too many fields (the place is that of the first one too many) or too few
/// (of the last one), what is not an integer or does not fit its type, the
/// same id twice, a blank line between rows, a quote that is not closed or
/// has text behind it, a NUL byte.
#ifndef SNUG_IO_CSV_HPP
#define SNUG_IO_CSV_HPP

// clang-format off
#include "snug/io/csv_table.hpp"
#include "snug/io/csv_read.hpp"
#include "snug/io/csv_write.hpp"
// clang-format on

#endif  // SNUG_IO_CSV_HPP
