// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/json.hpp"

#include "../../examples/assignment.hpp"
#include "fuzz/judge_text.hpp"
#include "fuzz/judges.hpp"
#include "snug/schedule.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace snug {
namespace fuzz {
namespace {

/// judge_answer() for several memories.
std::string judge_division(const JsonProblem<>& read) {
  if (read.problem.buffers.size() > kMostSolved ||
      read.pools.pools.size() > kMostSolved)
    return "";
  Options options;
  options.node_limit = kJudgeNodes;
  const AssignResult<> best = assign(read.problem, read.pools, options);
  if (!best.has_solution()) return "";
  return is_valid(read.problem, read.pools, best)
             ? ""
             : "assign returns no assignment";
}

std::string write(const JsonProblem<>& read) {
  return read.pools.pools.empty()
             ? write_json(read.problem, read.ids, read.capacity)
             : write_json(read.problem, read.ids, read.pools, read.pool_names);
}

std::string judge_as_problem(std::string_view text) {
  const JsonProblem<> read = read_json(text);
  if (!read.ok()) return judge_error(text, read.error);
  const std::string written = write(read);
  const JsonProblem<> again = read_json(written);
  if (!again.ok())
    return "the problem as written is refused: " + again.error.message;
  if (again.ids != read.ids) return "other ids after writing";
  if (again.pool_names != read.pool_names) return "other pools after writing";
  if (write(again) != written) return "another problem after writing";
  if (check(read.problem).ok() != check(again.problem).ok())
    return "writing makes the problem another one to check";
  if (!read.pools.pools.empty()) return judge_division(read);
  return check(read.problem).ok() ? judge_answer(read.problem) : "";
}

std::string judge_as_schedule(std::string_view text) {
  const JsonSchedule read = read_json_schedule(text);
  if (!read.ok()) return judge_error(text, read.error);
  const std::string written = write_json(read.schedule);
  const JsonSchedule again = read_json_schedule(written);
  if (!again.ok())
    return "the schedule as written is refused: " + again.error.message;
  if (write_json(again.schedule) != written)
    return "another schedule after writing";
  const ScheduledProblem<> made = make_problem(read.schedule);
  if (!made.ok()) return "";
  const std::size_t tensors = read.schedule.tensors.size();
  if (made.buffer_of.size() != tensors ||
      made.tensor_of.size() != made.problem.buffers.size())
    return "a schedule's tensors and buffers do not match";
  return check(made.problem).ok() ? judge_answer(made.problem) : "";
}

}  // namespace

std::string judge_json(std::string_view bytes) {
  const std::string wrong = judge_as_problem(bytes);
  return wrong.empty() ? judge_as_schedule(bytes) : wrong;
}

}  // namespace fuzz
}  // namespace snug
