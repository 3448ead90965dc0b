// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/csv.hpp"

#include "fuzz/judges.hpp"
#include "snug/model/options.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug {
namespace fuzz {
namespace {

/// What is wrong with where an error is said to be.
std::string judge_position(std::string_view text, const CsvError& error) {
  const auto lines =
      static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n') + 1);
  if (error.position.line > lines) return "error behind the last line";
  if (error.position.column > text.size() + 1)
    return "error behind the end of its line";
  if (error.message.find('\n') != std::string::npos)
    return "message of two lines";
  return "";
}

/// Solves for some nodes, and asks the judge.
template <class Size, class Time>
std::string judge_answer(const Problem<Size, Time>& problem) {
  Options options;
  options.node_limit = 300;
  const Result<Size> lowest = minimize(problem, options);
  if (lowest.status == Status::kInvalid) return "minimize calls it invalid";
  if (!lowest.has_solution()) return "";
  if (lowest.lower_bound > lowest.height) return "bound above the height";
  if (!validate(problem, lowest.height, lowest.offsets).ok())
    return "minimize returns no placement";
  if (solve(problem, lowest.height, options).status == Status::kInfeasible)
    return "solve refutes the height that minimize has";
  return "";
}

template <class Size, class Time>
std::string judge_text(std::string_view text) {
  const CsvTable<Size, Time> table = read_csv<Size, Time>(text);
  if (!table.ok()) {
    if (!table.problem.buffers.empty()) return "an error, and buffers";
    return judge_position(text, table.error);
  }
  const std::string written =
      write_csv(table.problem, table.ids, table.columns);
  const CsvTable<Size, Time> again = read_csv<Size, Time>(written);
  if (!again.ok())
    return "what was written is refused: " + to_string(again.error);
  if (again.ids != table.ids) return "other ids after writing";
  if (write_csv(again.problem, again.ids, again.columns) != written)
    return "another problem after writing";
  const Check error = check(table.problem);
  if (!error.ok()) return judge_position(text, locate(text, table, error));
  if (!check(again.problem).ok()) return "not well formed after writing";
  constexpr std::size_t kMostBuffers = 12;
  if (table.problem.buffers.size() > kMostBuffers) return "";
  return judge_answer(table.problem);
}

}  // namespace

std::string judge_csv(std::string_view bytes) {
  const std::string wrong = judge_text<std::int64_t, std::int64_t>(bytes);
  if (!wrong.empty()) return wrong;
  return judge_text<std::int32_t, std::int32_t>(bytes);
}

}  // namespace fuzz
}  // namespace snug
