// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comma-separated text → problem. csv.hpp describes the format.
///
/// One pass over the text, then one sort of the ids to find duplicates:
/// O(n log n) time; the table itself, 16 bytes a row for a while, and no
/// allocation for a field other than a long id and the gaps.
#ifndef SNUG_IO_CSV_READ_HPP
#define SNUG_IO_CSV_READ_HPP

#include "snug/config.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  kOffset,
  kIgnored,
};

inline constexpr std::array<const char*, 8> kCsvRoleNames = {
    "id", "lower", "upper", "size", "alignment", "hint", "gaps", "offset"};

struct CsvAlias {
  std::string_view name;
  CsvRole role;
};

inline constexpr std::array<CsvAlias, 13> kCsvAliases = {{
    {"id", CsvRole::kId},
    {"buffer", CsvRole::kId},
    {"buffer_id", CsvRole::kId},
    {"lower", CsvRole::kLower},
    {"begin", CsvRole::kLower},
    {"start", CsvRole::kLower},
    {"upper", CsvRole::kUpper},
    {"end", CsvRole::kUpper},
    {"size", CsvRole::kSize},
    {"alignment", CsvRole::kAlignment},
    {"hint", CsvRole::kHint},
    {"gaps", CsvRole::kGaps},
    {"offset", CsvRole::kOffset},
}};

/// Turns the inclusive end `value` into a half-open one.
template <class Time>
[[nodiscard]] const char* step_past(Time& value) noexcept {
  if (value == (std::numeric_limits<Time>::max)())
    return "out of range: end + 1 overflows";
  ++value;
  return nullptr;
}

[[nodiscard]] inline bool take_char(std::string_view& text,
                                    char wanted) noexcept {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// Reads `lo-hi` or `lo-hi@winlo:winhi`. Both times may be negative: `-5--2`.
template <class Size, class Time>
[[nodiscard]] const char* parse_gap(std::string_view text, bool inclusive,
                                    Gap<Size, Time>& gap) noexcept {
  const char* const malformed = "not of the form lo-hi[@winlo:winhi]";
  if (const char* const error = take_integer(text, gap.lifespan.lower))
    return error;
  if (!take_char(text, '-')) return malformed;
  if (const char* const error = take_integer(text, gap.lifespan.upper))
    return error;
  if (inclusive)
    if (const char* const error = step_past(gap.lifespan.upper)) return error;
  if (text.empty()) return nullptr;
  Interval<Size> window;
  if (!take_char(text, '@')) return malformed;
  if (const char* const error = take_integer(text, window.lower)) return error;
  if (!take_char(text, ':')) return malformed;
  if (const char* const error = take_integer(text, window.upper)) return error;
  gap.window = window;
  return text.empty() ? nullptr : malformed;
}

/// The first row, if any, whose id an earlier row has: that row and the
/// earlier one, or the number of ids twice.
[[nodiscard]] inline std::pair<std::size_t, std::size_t> find_duplicate(
    const std::vector<std::string>& ids) {
  // Sorted by a hash (FNV-1a), so that an id is rarely touched. Ids made to
  // collide cost comparisons, not more: sorting stays O(n log n).
  struct HashedId {
    std::uint64_t hash;
    std::size_t row;
  };
  std::vector<HashedId> keys;
  keys.reserve(ids.size());
  for (const std::string& id : ids) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : id)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    keys.push_back({hash, keys.size()});
  }
  std::sort(keys.begin(), keys.end(),
            [&](const HashedId& a, const HashedId& b) {
              if (a.hash != b.hash) return a.hash < b.hash;
              const int order = ids[a.row].compare(ids[b.row]);
              return order != 0 ? order < 0 : a.row < b.row;
            });
  std::pair<std::size_t, std::size_t> found{ids.size(), ids.size()};
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (keys[k].hash == keys[k - 1].hash &&
        ids[keys[k].row] == ids[keys[k - 1].row] && keys[k].row < found.first)
      found = {keys[k].row, keys[k - 1].row};
  return found;
}

template <class Size, class Time>
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text), scanner_(text) {}

  [[nodiscard]] CsvTable<Size, Time> read() {
    if (!read_header() || !read_rows() || !check_ids()) {
      CsvTable<Size, Time> refused;
      refused.error = std::move(table_.error);
      return refused;
    }
    return std::move(table_);
  }

 private:
  bool fail(CsvPosition position, std::string message) {
    table_.error = {position, std::move(message)};
    return false;
  }

  bool fail(const CsvField& field, CsvRole role, const char* why,
            std::string_view culprit) {
    std::string message = kCsvRoleNames[static_cast<std::size_t>(role)];
    message += ": ";
    message += why;
    message += ": '";
    message += printable(trim_blanks(culprit));
    message += '\'';
    return fail(field.position, std::move(message));
  }

  bool read_header() {
    if (scanner_.at_end() || scanner_.skip_blank_line())
      return fail({1, 1}, "the first line must name the columns");
    std::array<bool, 9> seen{};
    CsvField field;
    while (!field.last) {
      if (const char* const error = scanner_.next(field))
        return fail(field.position, error);
      const std::string_view name = trim_blanks(field.text);
      CsvRole role = CsvRole::kIgnored;
      for (const CsvAlias& alias : kCsvAliases)
        if (alias.name == name) role = alias.role;
      const auto index = static_cast<std::size_t>(role);
      if (role != CsvRole::kIgnored && seen[index])
        return fail(field.position, "second column for '" +
                                        std::string(kCsvRoleNames[index]) +
                                        "': '" + printable(name) + "'");
      seen[index] = true;
      if (name == "end") inclusive_ = true;
      roles_.push_back(role);
    }
    for (const CsvRole role :
         {CsvRole::kId, CsvRole::kLower, CsvRole::kUpper, CsvRole::kSize}) {
      const auto index = static_cast<std::size_t>(role);
      if (!seen[index])
        return fail({1, 1}, "no column '" + std::string(kCsvRoleNames[index]) +
                                "' in the first line");
    }
    const auto has = [&](CsvRole role) {
      return seen[static_cast<std::size_t>(role)];
    };
    table_.columns = {has(CsvRole::kAlignment), has(CsvRole::kHint),
                      has(CsvRole::kGaps), has(CsvRole::kOffset)};
    return true;
  }

  bool read_rows() {
    // The shortest row is ",0,1,1" and a line feed, so a text full of line
    // feeds cannot make this large.
    const auto lines =
        static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    const std::size_t rows = (std::min)(lines, text_.size() / 7);
    table_.problem.buffers.reserve(rows);
    table_.ids.reserve(rows);
    table_.positions.reserve(rows);
    CsvPosition blank;
    while (!scanner_.at_end()) {
      const CsvPosition line = scanner_.position();
      if (scanner_.skip_blank_line()) {
        if (blank.line == 0) blank = line;
        continue;
      }
      if (blank.line != 0) return fail(blank, "blank line inside the table");
      if (!read_row()) return false;
    }
    return true;
  }

  bool read_row() {
    table_.problem.buffers.emplace_back();
    Buffer<Size, Time>& buffer = table_.problem.buffers.back();
    CsvField field;
    std::size_t count = 0;
    while (!field.last) {
      if (const char* const error = scanner_.next(field))
        return fail(field.position, error);
      if (count == roles_.size()) return fail_count(field, "more");
      if (!read_field(field, roles_[count], buffer)) return false;
      ++count;
    }
    return count == roles_.size() || fail_count(field, "fewer");
  }

  bool fail_count(const CsvField& field, const char* relation) {
    std::string message = relation;
    message += " fields than the ";
    append_integer(message, roles_.size());
    message += " columns of the first line";
    return fail(field.position, std::move(message));
  }

  bool read_field(const CsvField& field, CsvRole role,
                  Buffer<Size, Time>& buffer) {
    const char* error = nullptr;
    switch (role) {
      case CsvRole::kId:
        table_.ids.emplace_back(field.text);
        table_.positions.push_back(field.position);
        break;
      case CsvRole::kLower:
        error = parse_integer(field.text, buffer.lifespan.lower);
        break;
      case CsvRole::kUpper:
        error = parse_integer(field.text, buffer.lifespan.upper);
        if (error == nullptr && inclusive_)
          error = step_past(buffer.lifespan.upper);
        break;
      case CsvRole::kSize:
        error = parse_integer(field.text, buffer.size);
        break;
      case CsvRole::kAlignment:
        if (trim_blanks(field.text).empty()) break;
        error = parse_integer(field.text, buffer.alignment);
        if (buffer.alignment == 0) buffer.alignment = 1;
        break;
      case CsvRole::kHint:
        error = parse_optional(field.text, buffer.hint);
        break;
      case CsvRole::kGaps:
        return read_gaps(field, buffer);
      case CsvRole::kOffset:
        error = parse_optional(field.text, buffer.offset);
        break;
      case CsvRole::kIgnored:
        break;
    }
    return error == nullptr || fail(field, role, error, field.text);
  }

  /// An offset or hint; empty and -1 mean that there is none.
  [[nodiscard]] static const char* parse_optional(std::string_view text,
                                                  std::optional<Size>& value) {
    if (trim_blanks(text).empty()) return nullptr;
    Size number{};
    const char* const error = parse_integer(text, number);
    if (error == nullptr && number != -1) value = number;
    return error;
  }

  bool read_gaps(const CsvField& field, Buffer<Size, Time>& buffer) {
    std::string_view rest = trim_blanks(field.text);
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find_first_of(" \t"));
      Gap<Size, Time> gap;
      if (const char* const error = parse_gap(one, inclusive_, gap))
        return fail(field, CsvRole::kGaps, error, one);
      buffer.gaps.push_back(gap);
      rest = trim_blanks(rest.substr(one.size()));
    }
    return true;
  }

  bool check_ids() {
    const auto [row, earlier] = find_duplicate(table_.ids);
    if (row == table_.ids.size()) return true;
    std::string message =
        "id: '" + printable(table_.ids[row]) + "' is already the id in line ";
    append_integer(message, table_.positions[earlier].line);
    return fail(table_.positions[row], std::move(message));
  }

  std::string_view text_;
  CsvScanner scanner_;
  std::vector<CsvRole> roles_{};
  bool inclusive_ = false;  ///< the column `end` was used instead of `upper`
  CsvTable<Size, Time> table_{};
};

}  // namespace detail

/// Reads a problem from comma-separated text. Stops at the first error, which
/// names its line and column; then the table has no buffers. What the values
/// mean is not judged here: that is check().
template <class Size = std::int64_t, class Time = std::int64_t>
CsvTable<Size, Time> read_csv(std::string_view text) {
  return detail::CsvReader<Size, Time>(text).read();
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_READ_HPP
