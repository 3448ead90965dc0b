// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// For hosts in any language: reads a problem or a schedule as JSON, and writes
/// the problem with its result.
///
///     c++ -std=c++17 -O2 -Iinclude examples/solve_json.cpp -o solve_json
///     echo '{"buffers": [{"lower": 0, "upper": 3, "size": 4}]}' | ./solve_json
///
/// snug/io/json.hpp describes the format. Without a capacity, in the problem or
/// as a flag, the lowest placement is looked for; with pools, the cheapest one
/// (give a limit: the proof may take very long). Of a schedule, the tensors
/// that operators or flags mention become the buffers, under their names.
#include "assignment.hpp"
#include "explain_why.hpp"
#include "files.hpp"
#include "flags.hpp"
#include "out_of_memory.hpp"
#include "progress.hpp"
#include "snug/io/check_text.hpp"
#include "snug/io/json.hpp"
#include "snug/snug.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using files::print_error;

enum ExitStatus : std::uint8_t {
  kPlaced = 0,
  kProvedInfeasible = 1,
  kBadInput = 2,
  kStopped = 3,  ///< by a limit or for want of memory, without a placement
  kInternalError = 4,
};

struct Arguments {
  std::string input{};
  std::string output = "-";
  std::optional<std::int64_t> capacity = std::nullopt;
  snug::Options options{};
  bool explain = false;
  bool help = false;
};

void print_usage() {
  std::puts(R"(solve_json [FILE.json | --input=FILE.json] [--output=FILE.json]
Reads a problem or a schedule (include/snug/io/json.hpp) and writes the
problem with its result. Without names: standard input and output.
Several memories stand in the problem, as `pools`.

  --capacity=N    place everything below N; overrides the problem's.
                  Without any: as low as possible
  --timeout=TIME  such as 500ms or 3s
  --nodes=N       limit of the search, the same on every machine
  --explain       say in `reason` which buffers are to blame, at any cost,
                  within as much time and nodes again. Below a capacity

Exit status: 0 a placement was found; 1 proved infeasible; 2 bad usage or
bad input, with line and column; 3 stopped by a limit, or out of memory;
4 a bug.)");
}

flags::Parser make_parser(Arguments& arguments) {
  flags::Parser parser;
  parser.add_input(arguments.input);
  parser.add_text("output", "the name of a file", arguments.output);
  parser.add_capacity(arguments.capacity);
  parser.add_timeout(arguments.options.time_limit);
  parser.add_value("nodes", "an integer >= 0", [&](const std::string& text) {
    return flags::parse_integer(text, arguments.options.node_limit) &&
           arguments.options.node_limit >= 0;
  });
  parser.add_switch("explain", arguments.explain);
  parser.add_switch("help", arguments.help);
  return parser;
}

using Input = snug::JsonProblem<>;

/// The error that a schedule is refused with, at the place of its cause.
snug::JsonError error_of(const snug::ScheduleError& error,
                         const snug::JsonSchedule& read) {
  snug::JsonError out;
  const snug::Schedule& schedule = read.schedule;
  const bool of_operator = error.op < schedule.operators.size();
  const bool of_tensor = error.tensor < schedule.tensors.size();
  if (of_operator) {
    out.position = read.operator_positions[error.op];
    out.message =
        "operator '" + snug::printable(schedule.operators[error.op].name);
    out.message += "': ";
  } else if (of_tensor) {
    out.position = read.tensor_positions[error.tensor];
  }
  if (of_tensor)
    out.message += "tensor '" +
                   snug::printable(schedule.tensors[error.tensor].name) + "': ";
  out.message += snug::to_string(error.reason);
  return out;
}

/// Reads a problem, or a schedule as a problem. Of what is neither, the error is
/// that of the one that fails later.
Input read_input(const std::string& text) {
  Input out = snug::read_json(text);
  if (out.ok()) return out;
  const snug::JsonSchedule schedule = snug::read_json_schedule(text);
  if (!schedule.ok()) {
    // A key that is missing is found at the end of its object, though it is the
    // beginning that is its place.
    const auto reached = [](const snug::JsonError& error) {
      const bool is_missing = error.message.rfind("no key ", 0) == 0;
      return std::make_tuple(is_missing, error.position.line,
                             error.position.column);
    };
    if (reached(out.error) < reached(schedule.error))
      out.error = schedule.error;
    return out;
  }
  out.error = {};
  snug::ScheduledProblem<> made = snug::make_problem(schedule.schedule);
  if (!made.ok()) {
    out.error = error_of(made.error, schedule);
    return out;
  }
  out.problem = std::move(made.problem);
  for (const std::size_t tensor : made.tensor_of) {
    out.ids.push_back(schedule.schedule.tensors[tensor].name);
    out.positions.push_back(schedule.tensor_positions[tensor]);
  }
  return out;
}

/// The error that the library refuses a problem with, at the place of its cause.
snug::JsonError error_of(const snug::Check& check, const Input& input,
                         std::size_t pool = snug::AssignResult<>::kNoPool) {
  snug::JsonError out{{1, 1}, ""};
  const bool of_pool = pool < input.pool_names.size();
  if (of_pool) {
    out.position = input.pool_positions[pool];
    out.message = "pool '" + snug::printable(input.pool_names[pool]) + "': ";
  }
  if (check.buffer < input.ids.size())
    out.position = input.positions[check.buffer];
  out.message += snug::to_string(
      check, input.ids,
      of_pool ? input.pools.pools[pool].reserved : input.problem.reserved,
      input.problem.buffers);
  return out;
}

/// A result as JSON, and the exit status that goes with it.
struct Answer {
  std::string text{};
  ExitStatus status = kInternalError;
  snug::JsonError error{};
};

/// `is_valid` says whether the placement, if there is one, is right.
template <class AnyResult, class IsValid>
void set_status(const AnyResult& result, IsValid is_valid, Answer& answer) {
  if (result.status == snug::Status::kInvalid)
    answer.status = kBadInput;
  else if (result.has_solution())
    answer.status = is_valid() ? kPlaced : kInternalError;
  else
    answer.status = result.status == snug::Status::kInfeasible
                        ? kProvedInfeasible
                        : kStopped;
}

/// In one memory. Whether to `explain` at any cost why nothing fits.
Answer place(const Input& input, const snug::Options& options, bool explain) {
  Answer answer;
  const snug::Result<> result =
      input.capacity ? snug::solve(input.problem, *input.capacity, options)
                     : snug::minimize(input.problem, options);
  answer.error = error_of(result.error, input);
  set_status(
      result,
      [&] {
        return snug::validate(input.problem,
                              input.capacity.value_or(result.height),
                              result.offsets)
            .ok();
      },
      answer);
  std::string reason;
  if (input.capacity && answer.status == kProvedInfeasible)
    reason =
        explain_why(input.problem, input.ids, *input.capacity, options, explain)
            .text;
  answer.text = snug::write_json(input.problem, input.ids, result,
                                 input.capacity, reason);
  return answer;
}

/// In several memories.
Answer assign(const Input& input, const snug::Options& options) {
  Answer answer;
  const snug::AssignResult<> result =
      snug::assign(input.problem, input.pools, options);
  answer.error = error_of(result.error, input, result.error_pool);
  set_status(
      result, [&] { return is_valid(input.problem, input.pools, result); },
      answer);
  answer.text = snug::write_json(input.problem, input.ids, input.pools,
                                 input.pool_names, result);
  return answer;
}

int run(const Arguments& arguments) {
  std::string text;
  if (!files::load(arguments.input, text) || !files::can_save(arguments.output))
    return kBadInput;
  Input input = read_input(text);
  const bool is_divided = !input.pools.pools.empty();
  if (arguments.capacity) input.capacity = arguments.capacity;
  if (input.error.ok() && is_divided && input.capacity) {
    print_error(arguments.input +
                ": --capacity: each of the pools has its own");
    return kBadInput;
  }
  if (input.error.ok() && arguments.explain && !input.capacity) {
    print_error(arguments.input +
                (is_divided ? ": --explain: there are several memories"
                            : ": --explain: there is no capacity"));
    return kBadInput;
  }
  if (input.error.ok() && !input.problem.penalties.empty())
    print_error(arguments.input +
                ": key 'penalties' is ignored: solve_csv has "
                "--minimize_penalty");
  Answer answer;
  answer.status = kBadInput;
  if (input.error.ok()) {
    snug::Options options = arguments.options;
    const Interactive interactive(options, true);
    answer = is_divided ? assign(input, options)
                        : place(input, options, arguments.explain);
    if (answer.status == kBadInput) input.error = answer.error;
  }
  if (!input.error.ok()) {
    print_error(arguments.input + ':' + to_string(input.error));
    return kBadInput;
  }
  if (answer.status == kInternalError) {
    print_error("internal error: the placement is not valid");
    return kInternalError;
  }
  return files::save(arguments.output, answer.text) ? answer.status : kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const std::string error = make_parser(arguments).parse(argc, argv);
  if (!error.empty()) {
    print_error("solve_json: " + error + " (see --help)");
    return kBadInput;
  }
  if (arguments.help) {
    print_usage();
    return files::finish(kPlaced, kBadInput);
  }
  if (arguments.input.empty()) arguments.input = "-";
  return files::finish(
      catch_out_of_memory(kStopped, "", [&] { return run(arguments); }),
      kBadInput);
}
