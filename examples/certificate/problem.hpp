// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem as the checker of certificates reads it, by itself: of a CSV file
/// with named columns it takes lower, upper (or start, end), size, alignment,
/// offset and apart, and alias, follows and may_overlap for who may share bytes.
///
/// Whatever else a column says can only make it harder to place a buffer, or is
/// no matter; but buffers with gaps are marked.
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
  /// One of those that are tied to it, the same for all of them; -1: none is.
  std::int64_t tie = -1;
  std::vector<std::size_t>
      may_overlap{};  ///< ascending; either row may name the other
};

using Problem = std::vector<Buffer>;

/// Whether two buffers cannot share a byte: not those that may, and not two that
/// are fixed where they do.
inline bool conflict(const Problem& problem, std::size_t x, std::size_t y) {
  const Buffer& a = problem[x];
  const Buffer& b = problem[y];
  const auto has = [](const std::vector<std::size_t>& list, std::size_t one) {
    return std::binary_search(list.begin(), list.end(), one);
  };
  if ((a.tie >= 0 && a.tie == b.tie) || has(a.may_overlap, y) ||
      has(b.may_overlap, x))
    return false;
  if (a.fixed >= 0 && b.fixed >= 0 &&
      (a.fixed < b.fixed ? b.fixed - a.fixed < a.size
                         : a.fixed - b.fixed < b.size))
    return false;
  return (a.lower < b.upper && b.lower < a.upper) || has(a.apart, y) ||
         has(b.apart, x);
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

/// Reads what a row says of its buffer alone.
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
  buffer.has_gaps = !trim(columns.field(row, {"gaps"})).empty();
  return columns.are_unique() ? "" : "a column that is there twice";
}

/// The rows of buffers, by their ids.
class Ids {
 public:
  void add(std::string_view id, std::size_t row) { ids_.emplace_back(id, row); }
  void sort() { std::sort(ids_.begin(), ids_.end()); }

  /// Whether one buffer has this id, and which.
  [[nodiscard]] bool find(std::string_view id, std::size_t& row) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(),
                                        std::make_pair(id, std::size_t{0}));
    if (found == ids_.end() || found->first != id ||
        (found + 1 != ids_.end() && found[1].first == id))
      return false;
    row = found->second;
    return true;
  }

  /// Reads a list of ids; if `with_distance`, each may have a number of bytes
  /// behind it, with its sign, which is no matter here. Returns what is wrong.
  [[nodiscard]] std::string read_list(std::string_view list, bool with_distance,
                                      std::vector<std::size_t>& rows) const {
    for (list = trim(list); !list.empty(); list = trim(list)) {
      const bool quoted = list[0] == '\'';
      std::string id = take_field(list, '\'', " \t");
      const std::string behind =
          quoted ? take_field(list, '\0', " \t") : std::string();
      std::size_t row = 0;
      bool is_known = (behind.empty() || is_distance(behind, with_distance)) &&
                      find(id, row);
      const std::size_t sign = id.find_last_of("+-");
      if (!is_known && !quoted && sign != std::string::npos &&
          is_distance(std::string_view(id).substr(sign), with_distance))
        is_known = find(std::string_view(id).substr(0, sign), row);
      if (!is_known) return id + ", which is not one buffer";
      rows.push_back(row);
    }
    return "";
  }

 private:
  [[nodiscard]] static bool is_distance(std::string_view text,
                                        bool is_allowed) {
    std::int64_t distance = 0;
    return is_allowed && (text[0] == '+' || text[0] == '-') &&
           read_integer(text, distance);
  }

  std::vector<std::pair<std::string_view, std::size_t>> ids_{};
};

/// The class of a buffer, for which ties are a forest.
inline std::size_t root_of(std::vector<std::size_t>& parent, std::size_t x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

/// Reads what rows say of other buffers. Returns what is wrong, or nothing.
inline std::string read_pairs(const std::vector<std::vector<std::string>>& rows,
                              const Ids& ids, Columns& columns,
                              Problem& problem) {
  std::vector<std::size_t> parent(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) parent[i] = i;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto read = [&](const char* name, bool with_distance,
                          std::vector<std::size_t>& list) {
      const std::string fault =
          ids.read_list(columns.field(rows[i], {name}), with_distance, list);
      std::sort(list.begin(), list.end());
      return fault.empty() ? "" : name + (": " + fault);
    };
    std::vector<std::size_t> tied;
    for (const std::string& fault :
         {read("apart", false, problem[i].apart),
          read("may_overlap", false, problem[i].may_overlap),
          read("alias", true, tied), read("follows", false, tied)})
      if (!fault.empty()) return fault;
    for (const std::size_t other : tied) {
      problem[i].tie = problem[other].tie = 0;
      parent[root_of(parent, i)] = root_of(parent, other);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (problem[i].tie >= 0)
      problem[i].tie = static_cast<std::int64_t>(root_of(parent, i));
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
  Ids ids;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fault = rows[i].size() == names.size()
                ? read_buffer(rows[i], columns, problem[i])
                : "too many fields, or too few";
    if (!fault.empty()) return "buffer " + std::to_string(i) + ": " + fault;
    ids.add(columns.field(rows[i], {"id", "buffer", "buffer_id"}), i);
  }
  ids.sort();
  return read_pairs(rows, ids, columns, problem);
}

}  // namespace certificate

#endif  // SNUG_EXAMPLES_CERTIFICATE_PROBLEM_HPP
