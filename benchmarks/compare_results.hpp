// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The results of a comparison: a row for each allocator, instance and limit,
/// as comma-separated text. compare.cpp writes them, plot_comparison.cpp reads
/// them.
#ifndef SNUG_BENCHMARKS_COMPARE_RESULTS_HPP
#define SNUG_BENCHMARKS_COMPARE_RESULTS_HPP

#include "table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace snug {
namespace benchmarks {

struct ResultRow {
  std::string family{};
  std::string instance{};
  std::int64_t buffers = 0;
  std::int64_t load = 0;
  std::string allocator{};
  double limit = 0;       ///< seconds; 0: a single pass
  std::string outcome{};  ///< placed, none, or why it was left out
  std::int64_t height = 0;
  std::int64_t bound = 0;  ///< proved by this allocator, at least the load
  double seconds = 0;      ///< CPU
  std::int64_t bytes = 0;  ///< most held at one time
  std::int64_t steps = 0;

  [[nodiscard]] bool placed() const { return outcome == "placed"; }
  [[nodiscard]] double ratio() const {
    return load > 0 ? static_cast<double>(height) / static_cast<double>(load)
                    : 1;
  }
};

inline constexpr const char* kResultHeader =
    "family,instance,buffers,load,allocator,limit,outcome,height,bound,"
    "seconds,bytes,steps";

[[nodiscard]] inline std::string to_line(const ResultRow& row) {
  std::array<char, 512> text{};
  const int length = std::snprintf(
      text.data(), text.size(),
      "%s,%s,%lld,%lld,%s,%g,%s,%lld,%lld,%.9f,%lld,%lld", row.family.c_str(),
      row.instance.c_str(), static_cast<long long>(row.buffers),
      static_cast<long long>(row.load), row.allocator.c_str(), row.limit,
      row.outcome.c_str(), static_cast<long long>(row.height),
      static_cast<long long>(row.bound), row.seconds,
      static_cast<long long>(row.bytes), static_cast<long long>(row.steps));
  const bool whole =
      length > 0 && static_cast<std::size_t>(length) < text.size();
  return whole ? std::string(text.data()) : std::string();
}

/// Reads one line of twelve fields. Names have no commas in them.
[[nodiscard]] inline bool parse_line(std::string_view line, ResultRow& row) {
  const std::vector<std::string> fields = split_at(line, ',');
  if (fields.size() != 12) return false;
  const auto integer = [&](std::size_t k) {
    return static_cast<std::int64_t>(
        std::strtoll(fields[k].c_str(), nullptr, 10));
  };
  row.family = fields[0];
  row.instance = fields[1];
  row.buffers = integer(2);
  row.load = integer(3);
  row.allocator = fields[4];
  row.limit = std::strtod(fields[5].c_str(), nullptr);
  row.outcome = fields[6];
  row.height = integer(7);
  row.bound = integer(8);
  row.seconds = std::strtod(fields[9].c_str(), nullptr);
  row.bytes = integer(10);
  row.steps = integer(11);
  return true;
}

/// All rows of a file's text. Returns the number of the first bad line, or 0.
[[nodiscard]] inline std::size_t parse_results(std::string_view text,
                                               std::vector<ResultRow>& rows) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (number == 1) {
      if (line != kResultHeader) return 1;
      continue;
    }
    if (line.empty()) continue;
    ResultRow row;
    if (!parse_line(line, row)) return number;
    rows.push_back(row);
  }
  return number == 0 ? 1 : 0;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_COMPARE_RESULTS_HPP
