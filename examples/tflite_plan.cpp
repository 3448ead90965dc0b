// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plans the activations of a TensorFlow Lite model and writes the plan into
/// the model, where TensorFlow Lite Micro reads it: the arena has the lowest
/// height there is, and is known before the model is on the device.
///
///     c++ -std=c++17 -O2 -Iinclude examples/tflite_plan.cpp -o tflite_plan
///     ./tflite_plan model.tflite --output=planned.tflite
///
/// What is planned is said in tflite/plan.hpp, how it is written in
/// tflite/write.hpp, what may be written in place in tflite/in_place.hpp.
#include "files.hpp"
#include "flags.hpp"
#include "out_of_memory.hpp"
#include "snug/io/csv.hpp"
#include "snug/io/explain_text.hpp"
#include "snug/snug.hpp"
#include "tflite/plan.hpp"
#include "tflite/write.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using files::print_error;

enum ExitStatus : std::uint8_t {
  kPlanned = 0,
  kDoesNotFit = 1,  ///< proved
  kBadInput = 2,
  kStopped = 3,  ///< by a limit or for want of memory, without a plan
  kInternalError = 4,
};

struct Arguments {
  std::string input{};
  std::string output{};
  std::string csv{};
  std::optional<std::int64_t> capacity = std::nullopt;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  tflite::InPlace in_place = tflite::InPlace::kReshape;
  bool plan_variables = false;
  bool quiet = false;
  bool help = false;

  /// Where the report goes: not among the bytes of a file.
  [[nodiscard]] std::FILE* screen() const {
    return output == "-" || csv == "-" ? stderr : stdout;
  }
};

void print_usage() {
  std::puts(R"(tflite_plan MODEL.tflite [--output=PLANNED.tflite]
Plans the memory of a TensorFlow Lite model for TensorFlow Lite Micro.

  --output=FILE      write the model with the plan in its metadata
  --csv=FILE         write the tensors with their lifespans and offsets,
                     for solve_csv to draw
  --capacity=N       fail if it takes more bytes than this
  --in_place=KIND    outputs that may be written over an input: none;
                     reshape (default), which the runtime allows for;
                     elementwise, if the kernels in use bear it
  --plan_variables   give variables offsets as well (see
                     examples/tflite/plan.hpp before you use it)
  --timeout=TIME     for each search; default 10s
  --quiet            print the last line only

A FILE that is - is standard output; then the report goes to standard error.
Exit status: 0 planned; 1 proved not to fit; 2 bad usage or bad model,
with the offset of what is wrong; 3 stopped by the limit, or out of memory;
4 a bug.)");
}

flags::Parser make_parser(Arguments& arguments) {
  flags::Parser parser;
  parser.add_input(arguments.input);
  parser.add_text("output", "the name of a file", arguments.output);
  parser.add_text("csv", "the name of a file", arguments.csv);
  parser.add_capacity(arguments.capacity);
  parser.add_timeout(arguments.timeout);
  parser.add_value(
      "in_place", "none, reshape or elementwise", [&](const std::string& text) {
        using tflite::InPlace;
        arguments.in_place = text == "none"      ? InPlace::kNone
                             : text == "reshape" ? InPlace::kReshape
                                                 : InPlace::kElementwise;
        return text == "none" || text == "reshape" || text == "elementwise";
      });
  parser.add_switch("plan_variables", arguments.plan_variables);
  parser.add_switch("quiet", arguments.quiet);
  parser.add_switch("help", arguments.help);
  return parser;
}

std::string describe(const tflite::Fault& fault) {
  return "offset " + std::to_string(fault.offset) + ": " + fault.message;
}

/// A problem with some outputs written in place, and its lowest placement.
struct Plan {
  tflite::Planning planning{};
  snug::Result<> result{};
  /// No placement is lower, whichever of the pairs are written in place.
  std::int64_t lower_bound = 0;

  [[nodiscard]] std::size_t pairs() const {
    return planning.problem.aliases.size();
  }
  [[nodiscard]] bool is_lowest() const {
    return result.has_solution() && result.height <= lower_bound;
  }
};

using Plans = std::array<Plan, 3>;  // by InPlace

Plan make_plan(const tflite::Model& model, tflite::InPlace in_place,
               const Arguments& arguments) {
  Plan plan;
  plan.planning =
      tflite::make_planning(model, in_place, arguments.plan_variables);
  if (!plan.planning.fault.ok()) return plan;
  snug::Options options;
  options.time_limit = arguments.timeout;
  // Each choice of pairs is a placement of the problem in which they may share
  // bytes in any way.
  snug::Problem<> any_choice = plan.planning.problem;
  for (const tflite::InPlacePair& pair : plan.planning.in_place) {
    if (pair.is_first)
      plan.planning.problem.aliases.push_back({pair.output, pair.input, 0});
    any_choice.may_overlap.push_back({pair.output, pair.input});
  }
  plan.result = snug::minimize(plan.planning.problem, options);
  plan.lower_bound = plan.result.lower_bound;
  if (!plan.planning.in_place.empty())
    plan.lower_bound = snug::minimize(any_choice, options).lower_bound;
  return plan;
}

std::string count(std::size_t number, const char* noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

void print_row(std::FILE* screen, const char* name, std::int64_t bytes,
               const std::string& note) {
  if (bytes < 0)
    std::fprintf(screen, "  %-32s  not computed\n", name);
  else
    std::fprintf(screen, "  %-32s  %12lld%s\n", name,
                 static_cast<long long>(bytes), note.c_str());
}

void print_row(std::FILE* screen, const char* name, const Plan& plan) {
  std::string note =
      plan.is_lowest()
          ? "  lowest possible"
          : "  at least " + std::to_string(plan.result.lower_bound);
  if (plan.pairs() > 0) note += ", " + count(plan.pairs(), "pair");
  print_row(screen, name, plan.result.has_solution() ? plan.result.height : -1,
            note);
}

void print_report(std::FILE* screen, const tflite::Model& model,
                  const Plans& plans) {
  const tflite::Planning& planning = plans[0].planning;
  std::size_t operators = 0;
  for (const tflite::Subgraph& subgraph : model.subgraphs)
    operators += subgraph.operators.size();
  std::fprintf(screen, "%s, %s, %s, %zu planned\n",
               count(model.subgraphs.size(), "subgraph").c_str(),
               count(operators, "operator").c_str(),
               count(model.tensors, "tensor").c_str(),
               planning.tensor_of.size());
  std::fputs("bytes of the arena\n", screen);
  print_row(screen, "without reuse", planning.total, "");
  print_row(screen, "the runtime's greedy planner",
            tflite::greedy_height(planning.problem), "");
  print_row(screen, "snug", plans[0]);
  if (plans[1].pairs() > 0)
    print_row(screen, "snug, reshapes in place", plans[1]);
  if (plans[2].pairs() > plans[1].pairs())
    print_row(screen, "snug, element-wise in place", plans[2]);
  if (planning.variables > 0)
    std::fprintf(screen,
                 "and %lld bytes of variables, kept apart by the runtime\n",
                 static_cast<long long>(planning.variables));
  if (planning.unknown > 0)
    std::fprintf(screen, "%s left to the runtime: size not known\n",
                 count(planning.unknown, "tensor").c_str());
  if (planning.unused > 0)
    std::fprintf(
        screen,
        "%lld bytes of tensors that nobody uses: the runtime finds them memory "
        "before the first step\n",
        static_cast<long long>(planning.unused));
}

/// What does not fit, by name.
void print_why(const tflite::Planning& planning, const Arguments& arguments) {
  snug::Options options;
  options.time_limit = arguments.timeout;
  const auto why =
      snug::explain(planning.problem, *arguments.capacity, options);
  if (!why.buffers.empty())
    print_error(
        snug::to_string(planning.problem, *arguments.capacity, why,
                        std::vector<std::string>(planning.names.begin(),
                                                 planning.names.end())));
}

/// Writes the placement as a table, each tensor under its name; where several
/// have the same, with its number behind it.
int save_csv(const Arguments& arguments, const Plan& plan) {
  std::set<std::string> taken;
  std::vector<std::string> ids;
  for (std::size_t b = 0; b < plan.planning.names.size(); ++b) {
    ids.emplace_back(plan.planning.names[b]);
    while (!taken.insert(ids.back()).second)
      ids.back() += '#' + std::to_string(plan.planning.tensor_of[b]);
  }
  const snug::Problem<>& problem = plan.planning.problem;
  return files::save(arguments.csv,
                     snug::write_csv(problem, ids, snug::columns_of(problem),
                                     plan.result.offsets))
             ? kPlanned
             : kBadInput;
}

/// Writes the model with its plan, after reading it back.
int save(const Arguments& arguments, const tflite::Model& model,
         const std::string& file, const Plan& plan) {
  const std::vector<std::int32_t> offsets =
      tflite::make_plan(model, plan.planning, plan.result.offsets);
  if (offsets.size() != model.tensors) {
    print_error(arguments.input + ": an offset does not fit 32 bits");
    return kStopped;
  }
  tflite::Fault fault;
  const std::string planned =
      tflite::PlanWriter(model, file).write(offsets, fault);
  if (!fault.ok()) {
    print_error(arguments.input + ": " + describe(fault));
    return kBadInput;
  }
  return files::save(arguments.output, planned) ? kPlanned : kBadInput;
}

/// Plans with all freedoms, also those that are not allowed, for the report.
tflite::Fault make_plans(const tflite::Model& model, const Arguments& arguments,
                         Plans& plans) {
  using tflite::InPlace;
  for (const InPlace in_place :
       {InPlace::kNone, InPlace::kReshape, InPlace::kElementwise}) {
    Plan& plan = plans[static_cast<std::size_t>(in_place)];
    plan = make_plan(model, in_place, arguments);
    if (!plan.planning.fault.ok()) return plan.planning.fault;
  }
  return {};
}

/// The lowest of the plans that are allowed; of equal ones that with the
/// fewest outputs in place.
const Plan& choose(const Plans& plans, tflite::InPlace allowed) {
  const Plan* best = plans.data();
  for (std::size_t k = 1; k <= static_cast<std::size_t>(allowed); ++k)
    if (plans[k].result.has_solution() &&
        (!best->result.has_solution() ||
         plans[k].result.height < best->result.height))
      best = &plans[k];
  return *best;
}

/// Plans the model; `file` holds its bytes.
int run(const Arguments& arguments, const std::string& file) {
  const tflite::Model model = tflite::read_model(file);
  tflite::Fault fault = model.fault;
  Plans plans;
  if (fault.ok()) fault = make_plans(model, arguments, plans);
  if (!fault.ok()) {
    print_error(arguments.input + ": " + describe(fault));
    return kBadInput;
  }
  if (!arguments.quiet) print_report(arguments.screen(), model, plans);
  const Plan& best = choose(plans, arguments.in_place);
  const std::int64_t lower_bound =
      plans[static_cast<std::size_t>(arguments.in_place)].lower_bound;
  int exit_status = kStopped;
  const char* status = "stopped";
  const std::int64_t height = best.result.height;
  if (arguments.capacity && lower_bound > *arguments.capacity) {
    status = "infeasible";
    exit_status = kDoesNotFit;
    print_error(arguments.input + ": does not fit in " +
                std::to_string(*arguments.capacity) +
                (*arguments.capacity == 1 ? " byte" : " bytes") +
                ": it takes " + std::to_string(lower_bound));
    print_why(best.planning, arguments);
  } else if (best.result.has_solution() &&
             (!arguments.capacity || height <= *arguments.capacity)) {
    if (!snug::validate(best.planning.problem, height, best.result.offsets)
             .ok()) {
      print_error("internal error: the placement is not valid");
      return kInternalError;
    }
    status = "solved";
    exit_status = kPlanned;
    if (!arguments.output.empty())
      exit_status = save(arguments, model, file, best);
    if (exit_status == kPlanned && !arguments.csv.empty())
      exit_status = save_csv(arguments, best);
    // Nobody is told of a success that was not written.
    if (exit_status != kPlanned) return exit_status;
  }
  std::fprintf(
      arguments.screen(),
      "status=%s height=%lld lower_bound=%lld tensors=%zu in_place=%zu "
      "variables=%lld\n",
      status, static_cast<long long>(height),
      static_cast<long long>(lower_bound), best.planning.tensor_of.size(),
      best.pairs(), static_cast<long long>(best.planning.variables));
  return exit_status;
}

/// The same, and reads it.
int run(const Arguments& arguments) {
  std::string file;
  if (!files::load(arguments.input, file)) return kBadInput;
  // Found out now, not when there is a plan to write.
  for (const std::string& path : {arguments.output, arguments.csv})
    if (!path.empty() && !files::can_save(path)) return kBadInput;
  return run(arguments, file);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const std::string error = make_parser(arguments).parse(argc, argv);
  if (!error.empty()) {
    print_error("tflite_plan: " + error + " (see --help)");
    return kBadInput;
  }
  if (arguments.help) {
    print_usage();
    return files::finish(kPlanned, kBadInput);
  }
  if (arguments.input.empty()) {
    print_error("tflite_plan: no model is given (see --help)");
    return kBadInput;
  }
  if (!arguments.output.empty() && !arguments.csv.empty() &&
      files::are_same(arguments.output, arguments.csv)) {
    print_error("tflite_plan: --csv: the same file as --output (see --help)");
    return kBadInput;
  }
  return files::finish(
      catch_out_of_memory(kStopped, "", [&] { return run(arguments); }),
      kBadInput);
}
