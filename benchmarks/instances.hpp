// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems that stand in files, alone or listed by a manifest.csv beside them,
/// whose columns are found by their names.
#ifndef SNUG_BENCHMARKS_INSTANCES_HPP
#define SNUG_BENCHMARKS_INSTANCES_HPP

#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "snug/io/csv.hpp"
#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// Reads a well-formed problem. Returns what went wrong, and where, or nothing.
[[nodiscard]] inline std::string read_problem(const std::string& path,
                                              Problem<>& problem) {
  std::string text;
  const std::string failure = files::read(path, text);
  if (!failure.empty()) return path + ": " + failure;
  CsvTable<> table = read_csv(text);
  CsvError error = table.error;
  if (error.ok()) error = locate(text, table, check(table.problem));
  if (!error.ok()) return path + ':' + to_string(error);
  problem = std::move(table.problem);
  return {};
}

/// Adds ranges `lo-hi`, with blanks between them. False if one is no range.
[[nodiscard]] inline bool add_reserved(const std::string& ranges,
                                       Problem<>& problem) {
  for (const std::string& range : split_at(ranges, ' ')) {
    if (range.empty()) continue;
    Interval<std::int64_t>& bytes = problem.reserved.emplace_back().bytes;
    if (!flags::parse_range(range, bytes.lower, bytes.upper)) return false;
  }
  return true;
}

/// Reads the problems that dir/manifest.csv lists, each with the ranges in its
/// column `reserve`. Calls use(file, problem, capacity, field), where field(name)
/// is what the column of that name has, or nothing. Returns what went wrong, or
/// nothing.
template <class Use>
[[nodiscard]] std::string read_manifest(const std::string& dir, Use use) {
  std::string text;
  const std::string failure = files::read(dir + "/manifest.csv", text);
  if (!failure.empty()) return dir + "/manifest.csv: " + failure;
  const std::vector<std::string> lines = split_at(text, '\n');
  const std::vector<std::string> names = split_at(lines.front(), ',');
  for (std::size_t k = 1; k < lines.size(); ++k) {
    if (lines[k].empty()) continue;
    const std::vector<std::string> fields = split_at(lines[k], ',');
    const auto field = [&](const char* name) {
      const auto found = std::find(names.begin(), names.end(), name);
      const auto at = static_cast<std::size_t>(found - names.begin());
      return at < fields.size() ? fields[at] : std::string();
    };
    const std::string path = dir + '/' + field("file");
    Problem<> problem;
    std::string wrong = read_problem(path, problem);
    if (!wrong.empty()) return wrong;
    std::int64_t capacity = 0;
    if (!flags::parse_integer(field("capacity"), capacity) ||
        !add_reserved(field("reserve"), problem))
      return path + ": no capacity, or a reserved range that is none";
    use(field("file"), std::move(problem), capacity, field);
  }
  return {};
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_INSTANCES_HPP
