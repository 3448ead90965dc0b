// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comma-separated text → problem. csv.hpp describes the format.
///
/// One pass over the text, then one sort of the ids, to find duplicates and
/// what the rows say of each other: O(n log n) time; the table itself, 16 bytes
/// a row for a while, and no allocation for a field other than a long id, gaps
/// and names of other rows.
#ifndef SNUG_IO_CSV_READ_HPP
#define SNUG_IO_CSV_READ_HPP

#include "snug/config.hpp"
#include "snug/io/csv_references.hpp"
#include "snug/io/csv_roles.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/ids.hpp"
#include "snug/io/text.hpp"
#include "snug/model/interval.hpp"
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

inline constexpr const char* kMalformedGap =
    "not of the form lo-hi[@winlo:winhi]";

/// Reads two numbers off the front of `text`. Both may be negative: `-5--2`.
template <class Number>
[[nodiscard]] const char* take_interval(std::string_view& text, char between,
                                        Interval<Number>& interval) noexcept {
  if (const char* const error = take_integer(text, interval.lower))
    return error;
  if (!take_char(text, between)) return kMalformedGap;
  return take_integer(text, interval.upper);
}

/// Reads `lo-hi` or `lo-hi@winlo:winhi`.
template <class Size, class Time>
[[nodiscard]] const char* parse_gap(std::string_view text, bool inclusive,
                                    Gap<Size, Time>& gap) noexcept {
  const char* error = take_interval(text, '-', gap.lifespan);
  if (error == nullptr && inclusive) error = step_past(gap.lifespan.upper);
  if (error != nullptr || text.empty()) return error;
  if (!take_char(text, '@')) return kMalformedGap;
  error = take_interval(text, ':', gap.window.emplace());
  return error == nullptr && !text.empty() ? kMalformedGap : error;
}

/// The end of memory that a buffer grows from.
[[nodiscard]] inline const char* parse_end(std::string_view text,
                                           End& end) noexcept {
  text = trim_blanks(text);
  if (text == "bottom")
    end = End::kBottom;
  else if (text == "top")
    end = End::kTop;
  else if (!text.empty())
    return "neither bottom nor top nor empty";
  return nullptr;
}

template <class Size, class Time>
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text), scanner_(text) {}

  [[nodiscard]] CsvTable<Size, Time> read() {
    if (!read_header() || !read_rows() || !check_ids_and_resolve()) {
      CsvTable<Size, Time> refused;
      refused.error = std::move(table_.error);
      return refused;
    }
    return std::move(table_);
  }

 private:
  /// A cell that names other rows, which may stand further down.
  struct Reference {
    std::size_t row;
    CsvRole role;
    CsvPosition position;
    std::string text;
  };

  bool fail(CsvPosition position, std::string message) {
    table_.error = {position, std::move(message)};
    return false;
  }

  bool fail(CsvPosition position, CsvRole role, const char* why,
            std::string_view culprit) {
    return fail(position,
                csv_fault(csv_role_name(role), why, trim_blanks(culprit)));
  }

  bool read_header() {
    if (scanner_.at_end() || scanner_.skip_blank_line())
      return fail({1, 1}, "the first line must name the columns");
    std::array<bool, kCsvRoles> seen_roles{};
    const auto seen = [&](CsvRole role) -> bool& {
      return seen_roles[static_cast<std::size_t>(role)];
    };
    bool is_any_known = false;
    CsvField field;
    while (!field.last) {
      if (const char* const error = scanner_.next(field))
        return fail(field.position, error);
      const std::string_view name = trim_blanks(field.text);
      const CsvRole role = csv_role(name);
      if (has_lone_return(name))
        return fail(field.position,
                    "a line ends in CR alone: lines must end in LF or CR LF");
      if (role != CsvRole::kIgnored && seen(role))
        return fail(field.position, "second column for '" +
                                        std::string(csv_role_name(role)) +
                                        "': '" + printable(name) + "'");
      seen(role) = true;
      is_any_known = is_any_known || role != CsvRole::kIgnored;
      if (role == CsvRole::kIgnored && !name.empty())
        table_.ignored.push_back({std::string(name), field.position});
      if (name == "end") table_.columns.inclusive = true;
      roles_.push_back(role);
    }
    for (const CsvRole role :
         {CsvRole::kId, CsvRole::kLower, CsvRole::kUpper, CsvRole::kSize})
      if (!seen(role))
        return fail({1, 1}, "no column '" + std::string(csv_role_name(role)) +
                                "' in the first line" +
                                first_line(is_any_known));
    for (const auto& [name, role, is_there] : kCsvNames)
      if (is_there != nullptr) table_.columns.*is_there = seen(role);
    return true;
  }

  /// Whether there is a carriage return that no line feed follows.
  [[nodiscard]] static bool has_lone_return(std::string_view text) noexcept {
    for (std::size_t at = text.find('\r'); at != std::string_view::npos;
         at = text.find('\r', at + 1))
      if (text.substr(at + 1, 1) != "\n") return true;
    return false;
  }

  /// The first line for a message, where none of its columns is known: mostly
  /// another character is between them, or they are in upper case.
  [[nodiscard]] std::string first_line(bool is_any_known) const {
    if (is_any_known) return {};
    const std::string_view text = skip_byte_order_mark(text_);
    const std::string_view line =
        trim_blanks(text.substr(0, text.find_first_of("\r\n")));
    return ": '" + printable(line) + "'" +
           (line.find(',') == std::string_view::npos
                ? ", without a comma between columns"
                : "");
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
    return fail(field.position, std::string(relation) + " fields than the " +
                                    std::to_string(roles_.size()) +
                                    " columns of the first line");
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
        if (error == nullptr && table_.columns.inclusive)
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
      case CsvRole::kAlias:
      case CsvRole::kFollows:
      case CsvRole::kApart:
      case CsvRole::kMayOverlap:
      case CsvRole::kPenalty:
        if (!trim_blanks(field.text).empty())
          references_.push_back({table_.problem.buffers.size() - 1, role,
                                 field.position, std::string(field.text)});
        break;
      case CsvRole::kMemoryEnd:
        error = parse_end(field.text, buffer.end);
        break;
      case CsvRole::kPools:
      case CsvRole::kPool:
        if (!trim_blanks(field.text).empty())
          (role == CsvRole::kPools ? table_.pools : table_.fixed_pools)
              .push_back({table_.problem.buffers.size() - 1, field.position,
                          std::string(field.text)});
        break;
      case CsvRole::kOffset:
        error = parse_optional(field.text, buffer.offset);
        break;
      case CsvRole::kIgnored:
        break;
    }
    return error == nullptr || fail(field.position, role, error, field.text);
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
      if (const char* const error =
              parse_gap(one, table_.columns.inclusive, gap))
        return fail(field.position, CsvRole::kGaps, error, one);
      buffer.gaps.push_back(gap);
      rest = trim_blanks(rest.substr(one.size()));
    }
    return true;
  }

  bool check_ids_and_resolve() {
    const Ids ids(table_.ids);
    const auto [row, earlier] = ids.find_duplicate();
    if (row != table_.ids.size())
      return fail(table_.positions[row],
                  "id: '" + printable(table_.ids[row]) +
                      "' is already the id in line " +
                      std::to_string(table_.positions[earlier].line));
    for (const Reference& reference : references_) {
      std::string_view culprit;
      const char* const error =
          reference.role == CsvRole::kPenalty
              ? for_each_reference<std::int64_t>(
                    reference.text, ids, Behind::kCost, culprit,
                    [&](std::size_t of, std::int64_t cost) {
                      table_.problem.penalties.push_back(
                          {reference.row, of, cost});
                    })
              : for_each_reference<Size>(
                    reference.text, ids,
                    reference.role == CsvRole::kAlias ? Behind::kDistance
                                                      : Behind::kNothing,
                    culprit, [&](std::size_t of, Size distance) {
                      add_relation(reference, of, distance);
                    });
      if (error != nullptr)
        return fail(reference.position, reference.role, error, culprit);
    }
    remove_repeated(table_.problem.apart);
    remove_repeated(table_.problem.may_overlap);
    remove_repeated(table_.problem.penalties);
    return true;
  }

  void add_relation(const Reference& reference, std::size_t of, Size distance) {
    Problem<Size, Time>& problem = table_.problem;
    if (reference.role == CsvRole::kAlias)
      problem.aliases.push_back({reference.row, of, distance});
    else if (reference.role == CsvRole::kFollows)
      problem.contiguous.push_back({of, reference.row});
    else if (reference.role == CsvRole::kApart)
      problem.apart.push_back({reference.row, of});
    else
      problem.may_overlap.push_back({reference.row, of});
  }

  std::string_view text_;
  CsvScanner scanner_;
  std::vector<CsvRole> roles_{};
  std::vector<Reference> references_{};
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
