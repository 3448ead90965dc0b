// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/csv.hpp"

#include "fuzz/judge_text.hpp"
#include "fuzz/judges.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug {
namespace fuzz {
namespace {

template <class Size, class Time>
std::string judge_text(std::string_view text) {
  const CsvTable<Size, Time> table = read_csv<Size, Time>(text);
  if (!table.ok()) {
    if (!table.problem.buffers.empty()) return "an error, and buffers";
    return judge_error(text, table.error);
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
  if (!error.ok()) return judge_error(text, locate(text, table, error));
  if (!check(again.problem).ok()) return "not well formed after writing";
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
