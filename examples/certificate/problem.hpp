// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem as the checker of certificates reads it, by itself: of a CSV file
/// with named columns it takes lower, upper (or start, end), size, alignment,
/// offset and apart, and ids for the last.
///
/// Whatever else a column says can only make it harder to place a buffer, or is
/// no matter; but with alias, follows or may_overlap buffers share bytes, so a
/// file that uses these is refused, and buffers with gaps are marked.
#ifndef SNUG_EXAMPLES_CERTIFICATE_PROBLEM_HPP
#define SNUG_EXAMPLES_CERTIFICATE_PROBLEM_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace certificate {

struct Buffer {
  std::int64_t lower = 0;  ///< live from here
  std::int64_t upper = 0;  ///< to here, excluded
  std::int64_t size = 0;
  std::int64_t alignment = 1;
  bool has_gaps = false;
  std::vector<std::size_t>
      apart{};              ///< ascending; either row may name the other
  std::int64_t fixed = -1;  ///< its offset; -1: free
};

using Problem = std::vector<Buffer>;

/// Whether two buffers may share no byte.
inline bool conflict(const Problem& problem, std::size_t x, std::size_t y) {
  const Buffer& a = problem[x];
  const Buffer& b = problem[y];
  return (a.lower < b.upper && b.lower < a.upper) ||
         std::binary_search(a.apart.begin(), a.apart.end(), y) ||
         std::binary_search(b.apart.begin(), b.apart.end(), x);
}

/// Reads all of `text` as an integer.
inline bool read_integer(std::string_view text, std::int64_t& value) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

/// Takes a field or an item of a list off the front of `text`: up to a character
/// of `ends`, or quoted, with two quotes for one.
inline std::string take_field(std::string_view& text, char quote,
                              std::string_view ends) {
  std::string field;
  const bool quoted = !text.empty() && text[0] == quote;
  if (quoted) text.remove_prefix(1);
  while (!text.empty()) {
    if (quoted && text[0] == quote) {
      text.remove_prefix(1);
      if (text.empty() || text[0] != quote) break;
    } else if (!quoted && ends.find(text[0]) != std::string_view::npos) {
      break;
    }
    field += text[0];
    text.remove_prefix(1);
  }
  return field;
}

/// Splits CSV into rows of fields; blank lines are none. Returns what is wrong
/// with it, or nothing.
inline std::string read_rows(std::string_view text,
                             std::vector<std::vector<std::string>>& rows) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  while (!text.empty()) {
    std::vector<std::string>& row = rows.emplace_back();
    for (bool more = true; more;) {
      row.push_back(take_field(text, '"', ",\r\n"));
      more = !text.empty() && text[0] == ',';
      if (more) text.remove_prefix(1);
    }
    if (!text.empty() && text[0] == '\r') text.remove_prefix(1);
    if (!text.empty() && text[0] != '\n') return "text behind a field";
    if (!text.empty()) text.remove_prefix(1);
    if (row.size() == 1 && trim(row[0]).empty()) rows.pop_back();
  }
  return rows.empty() ? "no line with the names of columns" : "";
}

/// The columns of a file, by what they mean.
class Columns {
 public:
  explicit Columns(const std::vector<std::string>& names) : names_(&names) {}

  /// What a row has in the column of one of these names; nothing if there is no
  /// such column. Notes where there are several.
  [[nodiscard]] std::string_view field(
      const std::vector<std::string>& row,
      std::initializer_list<std::string_view> known) {
    std::string_view found;
    std::size_t count = 0;
    for (std::size_t k = 0; k < names_->size() && k < row.size(); ++k)
      for (const std::string_view name : known)
        if (trim((*names_)[k]) == name && ++count > 0) found = row[k];
    are_unique_ = are_unique_ && count <= 1;
    return found;
  }
  [[nodiscard]] bool are_unique() const { return are_unique_; }

 private:
  const std::vector<std::string>* names_;
  bool are_unique_ = true;
};

/// Reads what a row says of its buffer, but for `apart`.
inline std::string read_buffer(const std::vector<std::string>& row,
                               Columns& columns, Buffer& buffer) {
  const std::string_view upper = columns.field(row, {"upper", "end"});
  const std::string_view end = columns.field(row, {"end"});
  const std::string_view alignment = trim(columns.field(row, {"alignment"}));
  const std::string_view fixed = trim(columns.field(row, {"offset"}));
  if (!read_integer(trim(columns.field(row, {"lower", "begin", "start"})),
                    buffer.lower) ||
      !read_integer(trim(upper), buffer.upper) ||
      !read_integer(trim(columns.field(row, {"size"})), buffer.size) ||
      (!alignment.empty() && !read_integer(alignment, buffer.alignment)) ||
      (!fixed.empty() && !read_integer(fixed, buffer.fixed)))
    return "not an integer, or missing";
  if (!end.empty()) {
    if (buffer.upper == (std::numeric_limits<std::int64_t>::max)())
      return "the end is too high";
    ++buffer.upper;
  }
  if (buffer.alignment == 0) buffer.alignment = 1;
  if (buffer.alignment < 0 || buffer.size < 0 || buffer.lower >= buffer.upper)
    return "a negative number, or an empty lifespan";
  if (buffer.fixed < -1 ||
      (buffer.fixed >= 0 && buffer.fixed % buffer.alignment != 0))
    return "a fixed offset that is negative or not aligned";
  for (const char* sharing : {"alias", "follows", "may_overlap"})
    if (!trim(columns.field(row, {sharing})).empty())
      return std::string(sharing) + " lets buffers share bytes";
  buffer.has_gaps = !trim(columns.field(row, {"gaps"})).empty();
  return columns.are_unique() ? "" : "a column that is there twice";
}

/// Reads a CSV file. Returns what is wrong with it, or nothing.
inline std::string read_problem(std::string_view text, Problem& problem) {
  std::vector<std::vector<std::string>> rows;
  std::string fault = read_rows(text, rows);
  if (!fault.empty()) return fault;
  const std::vector<std::string> names = std::move(rows.front());
  rows.erase(rows.begin());
  Columns columns(names);
  problem.assign(rows.size(), Buffer{});
  std::vector<std::pair<std::string_view, std::size_t>> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fault = rows[i].size() == names.size()
                ? read_buffer(rows[i], columns, problem[i])
                : "too many fields, or too few";
    if (!fault.empty()) return "buffer " + std::to_string(i) + ": " + fault;
    ids.emplace_back(columns.field(rows[i], {"id", "buffer", "buffer_id"}), i);
  }
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string_view list = trim(columns.field(rows[i], {"apart"}));
    while (!list.empty()) {
      const std::string id = take_field(list, '\'', " \t");
      list = trim(list);
      const auto found = std::lower_bound(
          ids.begin(), ids.end(),
          std::make_pair(std::string_view(id), std::size_t{0}));
      if (found == ids.end() || found->first != id ||
          (found + 1 != ids.end() && found[1].first == id))
        return "apart from " + id + ", which is not one buffer";
      problem[i].apart.push_back(found->second);
    }
    std::sort(problem[i].apart.begin(), problem[i].apart.end());
  }
  return "";
}

}  // namespace certificate

#endif  // SNUG_EXAMPLES_CERTIFICATE_PROBLEM_HPP
