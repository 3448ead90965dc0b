// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The columns of a table and their names. csv.hpp says what they mean.
#ifndef SNUG_IO_CSV_ROLES_HPP
#define SNUG_IO_CSV_ROLES_HPP

#include "snug/config.hpp"

#include <array>
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

inline constexpr std::array<const char*, 16> kCsvRoleNames = {
    "id",         "lower", "upper",   "size",  "alignment",   "hint",
    "gaps",       "alias", "follows", "apart", "may_overlap", "penalty",
    "memory_end", "pools", "pool",    "offset"};

/// A name that a column may have in the first line.
struct CsvName {
  std::string_view name;
  CsvRole role;
};

inline constexpr std::array<CsvName, 21> kCsvNames = {{
    {"id", CsvRole::kId},           {"buffer", CsvRole::kId},
    {"buffer_id", CsvRole::kId},    {"lower", CsvRole::kLower},
    {"begin", CsvRole::kLower},     {"start", CsvRole::kLower},
    {"upper", CsvRole::kUpper},     {"end", CsvRole::kUpper},
    {"size", CsvRole::kSize},       {"alignment", CsvRole::kAlignment},
    {"hint", CsvRole::kHint},       {"gaps", CsvRole::kGaps},
    {"alias", CsvRole::kAlias},     {"follows", CsvRole::kFollows},
    {"apart", CsvRole::kApart},     {"may_overlap", CsvRole::kMayOverlap},
    {"penalty", CsvRole::kPenalty}, {"memory_end", CsvRole::kMemoryEnd},
    {"pools", CsvRole::kPools},     {"pool", CsvRole::kPool},
    {"offset", CsvRole::kOffset},
}};

/// What the column of this name holds; kIgnored for any other name.
[[nodiscard]] inline CsvRole csv_role(std::string_view name) noexcept {
  for (const CsvName& known : kCsvNames)
    if (known.name == name) return known.role;
  return CsvRole::kIgnored;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_ROLES_HPP
