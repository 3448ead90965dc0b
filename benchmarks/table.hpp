// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A small table, printed with aligned columns or as comma-separated values; and
/// how lines of a plain one are split.
#ifndef SNUG_BENCHMARKS_TABLE_HPP
#define SNUG_BENCHMARKS_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// `value` with `digits` digits behind the point.
[[nodiscard]] inline std::string fixed(double value, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.*f", digits, value);
  const bool whole = length > 0 && length < static_cast<int>(sizeof text);
  return whole ? std::string(text) : "-";
}

template <class Integer>
[[nodiscard]] std::string count(Integer value) {
  return std::to_string(value);
}

/// The parts of a text between the characters `at`, without carriage returns.
[[nodiscard]] inline std::vector<std::string> split_at(std::string_view text,
                                                       char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else if (c != '\r') {
      parts.back() += c;
    }
  }
  return parts;
}

class Table {
 public:
  /// The first `texts` columns are left-aligned text, the others numbers.
  Table(std::string title, std::size_t texts, std::vector<std::string> header)
      : title_(std::move(title)), texts_(texts) {
    rows_.push_back(std::move(header));
  }

  /// Missing cells stay empty.
  void add(std::vector<std::string> row) {
    row.resize(rows_.front().size());
    rows_.push_back(std::move(row));
  }
  [[nodiscard]] bool empty() const { return rows_.size() == 1; }

  void print(bool csv) const {
    std::printf(csv ? "# %s\n" : "\n%s\n\n", title_.c_str());
    std::vector<std::size_t> width(rows_.front().size(), 0);
    for (const std::vector<std::string>& row : rows_)
      for (std::size_t k = 0; k < row.size(); ++k)
        width[k] = csv ? 0 : (std::max)(width[k], row[k].size());
    for (const std::vector<std::string>& row : rows_)
      std::puts(line(row, width, csv).c_str());
    std::fflush(stdout);
  }

 private:
  [[nodiscard]] std::string line(const std::vector<std::string>& row,
                                 const std::vector<std::size_t>& width,
                                 bool csv) const {
    std::string out;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k > 0) out += csv ? "," : "  ";
      const bool quoted =
          csv && row[k].find_first_of(",\"") != std::string::npos;
      const std::size_t padding =
          width[k] > row[k].size() ? width[k] - row[k].size() : 0;
      if (k >= texts_) out.append(padding, ' ');
      if (quoted) out += '"';
      out += row[k];
      if (quoted) out += '"';
      if (k < texts_) out.append(padding, ' ');
    }
    while (!csv && !out.empty() && out.back() == ' ') out.pop_back();
    return out;
  }

  std::string title_;
  std::size_t texts_;
  std::vector<std::vector<std::string>> rows_{};  ///< the first is the header
};

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_TABLE_HPP
