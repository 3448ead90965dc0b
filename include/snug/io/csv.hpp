// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems and placements as comma-separated text: read_csv(), write_csv(),
/// read_csv_pools(), locate().
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
///   so that upper = end + 1 (then the gaps' ends are inclusive as well, and
///   CsvColumns::inclusive has it written in the same way);
/// - `size`.
///
/// The others are optional, and so are their fields, which may be empty:
///
/// | column        | field                     | of the model               |
/// |---------------|---------------------------|----------------------------|
/// | `alignment`   | integer; 0 means 1        | Buffer::alignment          |
/// | `hint`        | offset; -1 means none     | Buffer::hint               |
/// | `gaps`        | `lo-hi` or                | Buffer::gaps: inactive, or |
/// |               | `lo-hi@winlo:winhi`, list | only those bytes in use    |
/// | `alias`       | `id`, `id+n`, `id-n`, list| Problem::aliases: n bytes  |
/// |               |                           | above (below) that buffer  |
/// | `follows`     | ids, list                 | Problem::contiguous: begins|
/// |               |                           | where that buffer ends     |
/// | `apart`       | ids, list                 | Problem::apart             |
/// | `may_overlap` | ids, list                 | Problem::may_overlap       |
/// | `penalty`     | `id*cost`, list           | Problem::penalties         |
/// | `memory_end`  | `bottom` or `top`         | Buffer::end                |
/// | `pools`       | `name` or `name*cost`,    | Pools::costs: the pools    |
/// |               | list; empty: all of them  | that it may be in          |
/// | `pool`        | name; empty: free         | Pools::costs: it is in this|
/// |               |                           | pool, with `offset` there  |
/// | `offset`      | offset; -1 means free     | Buffer::offset: fixed      |
///
/// The items of a list are separated by spaces or tabs. An id in a list may
/// stand in single quotes, with two of them for one in it, and must where it is
/// empty, has a blank in it or starts with a quote: `'my tensor'+16`. In
/// `alias`, what is an id as a whole is that id: `t-1` is the row `t-1` if
/// there is one, else one byte below `t`; where there are both, the latter is
/// `'t'-1`.
///
/// Rows may name rows further down. Pairs of `apart`, `may_overlap` and
/// `penalty` may stand on either row or on both; of several penalties of one
/// pair, the first one counts: what stands on both rows is one cost, not two
/// that add up as they do in a Problem. A contiguous group is a chain: each
/// member but the first follows the one before it.
///
/// What belongs to no row has no column: reserved ranges, base and alignment of
/// the whole problem, and the pools themselves. So the fields of `pools` and
/// `pool` are kept as they are, and read_csv_pools() reads them when the names
/// are known. Names in `pools` may be quoted as ids may, and a cost that is left
/// out is 0. The cost is on top of that of the bytes (Pool::cost_per_byte). The
/// name in `pool` is the whole field, and one of those in `pools`, if that says
/// anything: then its cost there counts.
///
/// Other columns are ignored; CsvTable::ignored names them. Times may be
/// negative, and a number may have a plus before it. There may be no rows. A byte
/// order mark, CRLF line ends, a last line without an end and blank lines at the
/// end are accepted; blanks around numbers and names of columns too. A field may
/// be quoted, with `""` for a quote in it; a quote inside an unquoted field stands
/// for itself.
///
/// Refused, with line and column: a column missing or given twice, a row with
/// too many fields (the place is that of the first one too many) or too few
/// (of the last one), what is not an integer or does not fit its type, the
/// same id twice, an id that no row has, a blank line between rows, a first line
/// that ends in CR alone, a quote that is not closed or has text behind it, a NUL
/// byte. For what check() says of the problem that was read, locate() has the line
/// and column as well.
#ifndef SNUG_IO_CSV_HPP
#define SNUG_IO_CSV_HPP

// clang-format off
#include "snug/io/csv_table.hpp"
#include "snug/io/csv_read.hpp"
#include "snug/io/csv_pools.hpp"
#include "snug/io/csv_write.hpp"
#include "snug/io/csv_locate.hpp"
// clang-format on

#endif  // SNUG_IO_CSV_HPP
