// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The columns of a table and their names. csv.hpp says what they mean.
#ifndef SNUG_IO_CSV_ROLES_HPP
#define SNUG_IO_CSV_ROLES_HPP

#include "snug/config.hpp"
#include "snug/io/csv_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The meaning of a column.
enum class CsvRole : std::uint8_t {
  kId,
  kLower,
  kUpper,
  kSize,
  kAlignment,
  kHint,
  kGaps,
  kAlias,
  kFollows,
  kApart,
  kMayOverlap,
  kPenalty,
  kMemoryEnd,
  kPools,
  kPool,
  kOffset,
  kIgnored,
};

inline constexpr std::size_t kCsvRoles =
    static_cast<std::size_t>(CsvRole::kIgnored) + 1;

/// A name that a column may have in the first line.
struct CsvName {
  const char* name;
  CsvRole role;
  /// Whether a table has it, if it may do without and the problem holds it.
  bool CsvColumns::*is_there = nullptr;
};

/// In the order in which columns are written. Of several names for one role,
/// messages have the first.
inline constexpr std::array<CsvName, 21> kCsvNames = {{
    {"id", CsvRole::kId},
    {"buffer", CsvRole::kId},
    {"buffer_id", CsvRole::kId},
    {"lower", CsvRole::kLower},
    {"begin", CsvRole::kLower},
    {"start", CsvRole::kLower},
    {"upper", CsvRole::kUpper},
    {"end", CsvRole::kUpper},
    {"size", CsvRole::kSize},
    {"alignment", CsvRole::kAlignment, &CsvColumns::alignment},
    {"hint", CsvRole::kHint, &CsvColumns::hint},
    {"gaps", CsvRole::kGaps, &CsvColumns::gaps},
    {"alias", CsvRole::kAlias, &CsvColumns::alias},
    {"follows", CsvRole::kFollows, &CsvColumns::follows},
    {"apart", CsvRole::kApart, &CsvColumns::apart},
    {"may_overlap", CsvRole::kMayOverlap, &CsvColumns::may_overlap},
    {"penalty", CsvRole::kPenalty, &CsvColumns::penalty},
    {"memory_end", CsvRole::kMemoryEnd, &CsvColumns::memory_end},
    {"pools", CsvRole::kPools},
    {"pool", CsvRole::kPool},
    {"offset", CsvRole::kOffset, &CsvColumns::offset},
}};

/// What the column of this name holds; kIgnored for any other name.
[[nodiscard]] inline CsvRole csv_role(std::string_view name) noexcept {
  for (const CsvName& known : kCsvNames)
    if (known.name == name) return known.role;
  return CsvRole::kIgnored;
}

/// What a column that is not ignored is called.
[[nodiscard]] constexpr const char* csv_role_name(CsvRole role) noexcept {
  for (const CsvName& known : kCsvNames)
    if (known.role == role) return known.name;
  return "";
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_ROLES_HPP
