// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve_csv: places the buffers of a CSV file, see usage() below.
///
///     c++ -std=c++17 -O2 -Iinclude examples/solve_csv.cpp -o solve_csv
///     ./solve_csv
///     ./solve_csv --capacity=12 --input=benchmarks/data/running_example.csv
///     ./solve_csv --minimize_capacity --input=benchmarks/data/whole_model.csv
///         --base=16 --alignment=4 --reserve=48-64 --reserve=96-112@4-6 --draw
///
/// A drop-in for the program of google/minimalloc: the same flags, the same
/// columns in and out. More of both give every constraint of the library.
#include "files.hpp"
#include "flags.hpp"
#include "progress.hpp"
#include "snug/io/ascii.hpp"
#include "snug/io/csv.hpp"
#include "snug/io/strategies.hpp"
#include "snug/io/svg.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

enum ExitStatus : int {
  kPlaced = 0,
  kProvedInfeasible = 1,
  kBadInput = 2,
  kStopped = 3,
  kInternalError = 4,
};

void print_usage() {
  std::fputs(
      R"(Usage: solve_csv --capacity=N --input=FILE [flags]

Places buffers of known sizes and lifespans at fixed offsets below a capacity.
Without any flag, it solves an example and draws it.

  --capacity=N        most bytes that may be used (0x... is hexadecimal)
  --input=FILE        CSV with the columns id,lower,upper,size and, optionally,
                      those below; - is standard input
  --minimize_capacity find the lowest height; --capacity is then an upper limit
                      on it, and may be left out
  --output=FILE       where to write the CSV with offsets; - is standard output
  --svg=FILE          where to write a picture of the placement; - likewise
  --draw              draw the placement in the terminal
  --timeout=TIME      stop after 500ms, 3s, 1.5m, 1h30m, ... (default inf)
  --nodes=N           stop after N search nodes
  --validate          report PASS or FAIL (every placement is validated)
  --quiet             no notes and no progress on standard error
  --help, --version

Optional columns, whose fields may be empty:
  alignment           the offset is a multiple of it
  hint                offset to be tried first, never binding (-1: none)
  gaps                LO-HI (inactive) or LO-HI@WINLO:WINHI (only those bytes of
                      the buffer in use), separated by spaces
  alias               ID, ID+N or ID-N: N bytes above or below that buffer
  follows             ID: begins where that buffer ends
  apart               IDs: no byte in common, whatever the lifespans
  may_overlap         IDs: may share bytes although both are live
  memory_end          bottom or top: bottom buffers lie below top buffers
  offset              fixed offset (-1: free)

The whole memory:
  --base=N            no offset is below N (default 0)
  --alignment=N       every offset is a multiple of N (default 1)
  --reserve=LO-HI[@T0-T1]
                      no buffer occupies the bytes [LO, HI), at times [T0, T1)
                      only if these are given; may be repeated

Search:
  --strategies=sTCA,sTWA,wWAT,wZW     rule and preorder letters of each strategy
                                      (default: TCA,TWA,WAT,ZW with s, then with
                                      w; to minimize the capacity, with w alone)
  --preordering_heuristics=WAT,TAW    the same without the rule, which is s
  --seed=N                            seed of the restarts
  --RULE=false or --noRULE            turn a rule off: section_inference,
      no_hurt_placement (or hatless_pruning), abandoned_slot (or
      check_dominance), twins, failed_states, conflict_sets, decomposition (or
      dynamic_decomposition), failure_weights, restarts
  The switches canonical_only, dynamic_ordering, unallocated_floor,
  static_preordering, monotonic_floor and print_solution are accepted and
  ignored.

The last line on standard output is
  status=solved height=12 lower_bound=12 buffers=5 nodes=5 seconds=0.000012
where status is solved, infeasible, time_limit, node_limit, cancelled or
invalid. There is none when the flags are wrong, the input cannot be read, or
the exit status is 4.

Exit status: 0 a placement was found and written; 1 proved infeasible; 2 wrong
flags or input, or a file that cannot be read or written; 3 stopped by a limit
or an interrupt without a placement; 4 internal error: the placement found is
not valid (it is not written).
)",
      stdout);
}

struct Arguments {
  std::optional<std::int64_t> capacity{};
  std::string input{};
  std::string output{};
  std::string svg{};
  bool draw = false;
  bool validate = false;
  bool minimize = false;
  bool quiet = false;
  bool help = false;
  bool version = false;
  std::int64_t base = 0;
  std::int64_t alignment = 1;
  std::vector<snug::Reserved<>> reserved{};
  snug::Tuning tuning{};
  snug::Options options{};
  std::vector<std::string> ignored{};
};

/// Puts `rule` before each preorder of `list` and reads the strategies that
/// these are; false if one is not a strategy. An empty list is no strategy.
bool parse_strategies(std::string_view list, std::string_view rule,
                      std::vector<snug::Strategy>& strategies) {
  std::string text;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(item.size());
    if (!list.empty()) list.remove_prefix(1);
    if (!item.empty()) text.append(rule).append(item).append(",");
  }
  strategies.clear();
  return snug::read_strategies(text, strategies).empty();
}

/// Reads `LO-HI` or `LO-HI@T0-T1`.
bool parse_reserved(std::string_view text, snug::Reserved<>& reserved) {
  const std::size_t at = text.find('@');
  if (!flags::parse_range(text.substr(0, at), reserved.bytes.lower,
                          reserved.bytes.upper) ||
      reserved.bytes.lower < 0)
    return false;
  if (at == std::string_view::npos) return true;
  snug::Interval<std::int64_t>& time = reserved.lifespan.emplace();
  return flags::parse_range(text.substr(at + 1), time.lower, time.upper);
}

/// The flags that describe what no column can.
void add_memory_flags(flags::Parser& parser, Arguments& arguments) {
  parser.add_value("base", "an integer from 0 to 2^63 - 1",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, arguments.base) &&
                            arguments.base >= 0;
                   });
  parser.add_value("alignment", "an integer from 1 to 2^63 - 1",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, arguments.alignment) &&
                            arguments.alignment >= 1;
                   });
  parser.add_value("reserve",
                   "LO-HI or LO-HI@T0-T1 with 0 <= LO < HI and T0 < T1",
                   [&](const std::string& text) {
                     snug::Reserved<> reserved;
                     if (!parse_reserved(text, reserved)) return false;
                     arguments.reserved.push_back(reserved);
                     return true;
                   });
}

flags::Parser make_parser(Arguments& arguments) {
  flags::Parser parser;
  parser.add_value("capacity", "an integer from 0 to 2^63 - 1",
                   [&](const std::string& text) {
                     std::int64_t value = 0;
                     if (!flags::parse_integer(text, value) || value < 0)
                       return false;
                     arguments.capacity = value;
                     return true;
                   });
  parser.add_text("input", "the name of a file", arguments.input);
  parser.add_text("output", "the name of a file", arguments.output);
  parser.add_text("svg", "the name of a file", arguments.svg);
  parser.add_switch("draw", arguments.draw);
  parser.add_switch("validate", arguments.validate);
  parser.add_switch("minimize_capacity", arguments.minimize);
  parser.add_switch("quiet", arguments.quiet);
  parser.add_switch("help", arguments.help);
  parser.add_switch("version", arguments.version);

  add_memory_flags(parser, arguments);

  snug::Options& options = arguments.options;
  parser.add_value("timeout", "a time such as 500ms, 3s or 1h30m",
                   [&options](const std::string& text) {
                     return flags::parse_duration(text, options.time_limit);
                   });
  parser.add_value("nodes", "an integer >= 0",
                   [&options](const std::string& text) {
                     return flags::parse_integer(text, options.node_limit) &&
                            options.node_limit >= 0;
                   });
  parser.add_value("seed", "an integer from 0 to 2^64 - 1",
                   [&options](const std::string& text) {
                     return flags::parse_integer(text, options.seed);
                   });
  parser.add_value("strategies", "rules and preorders such as sTCA,sWAT",
                   [&](const std::string& text) {
                     return parse_strategies(text, "",
                                             arguments.tuning.strategies);
                   });
  parser.add_value("preordering_heuristics", "preorders such as WAT,TAW,TWA",
                   [&](const std::string& text) {
                     return parse_strategies(text, "s",
                                             arguments.tuning.strategies);
                   });

  snug::Rules& rules = arguments.tuning.rules;
  parser.add_switch("section_inference", rules.section_inference);
  parser.add_switch("no_hurt_placement", rules.no_hurt_placement);
  parser.add_switch("hatless_pruning", rules.no_hurt_placement);
  parser.add_switch("abandoned_slot", rules.abandoned_slot);
  parser.add_switch("check_dominance", rules.abandoned_slot);
  parser.add_switch("twins", rules.twins);
  parser.add_switch("failed_states", rules.failed_states);
  parser.add_switch("conflict_sets", rules.conflict_sets);
  parser.add_switch("decomposition", rules.decomposition);
  parser.add_switch("dynamic_decomposition", rules.decomposition);
  parser.add_switch("failure_weights", rules.failure_weights);
  parser.add_switch("restarts", rules.restarts);
  for (const char* name :
       {"canonical_only", "dynamic_ordering", "unallocated_floor",
        "static_preordering", "monotonic_floor", "print_solution"})
    parser.add_switch(name, [&arguments, name](bool) {
      arguments.ignored.emplace_back(name);
    });
  return parser;
}

void print_error(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
}

/// Writes a file; if it cannot, says why not and returns false.
bool save(const std::string& path, const std::string& text) {
  const std::string why = files::write(path, text);
  if (!why.empty()) print_error(path + ": " + why);
  return why.empty();
}

void print_status(const snug::Result<>& result, std::size_t buffers) {
  std::printf(
      "status=%s height=%lld lower_bound=%lld buffers=%zu nodes=%lld "
      "seconds=%.6f\n",
      snug::outcome_word(result.status, result.stopped_by),
      static_cast<long long>(result.height),
      static_cast<long long>(result.lower_bound), buffers,
      static_cast<long long>(result.stats.nodes), result.stats.seconds);
}

std::string quoted_id(const snug::CsvTable<>& table, std::size_t buffer) {
  return "buffer '" + snug::printable(table.ids[buffer]) + "'";
}

/// Where in the input the library refused the problem, and why.
std::string describe(const snug::Check& error, const snug::CsvTable<>& table,
                     const std::string& text, const std::string& path) {
  const snug::CsvError found = snug::locate(text, table, error);
  if (found.position.line != 0) return path + ':' + snug::to_string(found);
  return path +
         ": with the flags --base, --alignment and --reserve: " + found.message;
}

std::string describe(const snug::Validation& validation,
                     const snug::CsvTable<>& table) {
  std::string message = "internal error, the placement is not valid: ";
  message += snug::to_string(validation.fault);
  if (validation.buffer < table.ids.size())
    message += ", " + quoted_id(table, validation.buffer);
  const bool of_two = validation.fault != snug::Fault::kReservedBytes;
  if (of_two && validation.other < table.ids.size())
    message += ", " + quoted_id(table, validation.other);
  return message;
}

/// Solves the problem of `text`, which came from the file `path`.
int run(const Arguments& arguments, const std::string& path,
        const std::string& text) {
  snug::CsvTable<> table = snug::read_csv(text);
  if (!table.ok()) {
    print_error(path + ':' + snug::to_string(table.error));
    print_status({}, 0);
    return kBadInput;
  }
  table.problem.base = arguments.base;
  table.problem.alignment = arguments.alignment;
  table.problem.reserved = arguments.reserved;
  std::int64_t capacity = arguments.capacity.value_or(0);
  snug::Result<> result;
  {
    snug::Options options = arguments.options;
    const Interactive interactive(options, !arguments.quiet);
    options.tuning = &arguments.tuning;
    result = arguments.minimize
                 ? arguments.capacity
                       ? snug::minimize_within(table.problem, capacity, options)
                       : snug::minimize(table.problem, options)
                 : snug::solve(table.problem, capacity, options);
  }
  if (arguments.minimize) capacity = result.height;
  int exit_status = kStopped;
  if (result.status == snug::Status::kInvalid) {
    print_error(describe(result.error, table, text, path));
    exit_status = kBadInput;
  } else if (result.has_solution()) {
    const snug::Validation validation =
        snug::validate(table.problem, capacity, result.offsets);
    if (arguments.validate && !arguments.quiet)
      print_error(validation.ok() ? "PASS" : "FAIL");
    if (!validation.ok()) {
      print_error(describe(validation, table));
      return kInternalError;
    }
    exit_status = kPlaced;
    snug::CsvColumns columns = table.columns;
    columns.offset = true;  // also where there is no buffer
    if (!arguments.output.empty() &&
        !save(arguments.output, snug::write_csv(table.problem, table.ids,
                                                columns, result.offsets)))
      exit_status = kBadInput;
    if (!arguments.svg.empty() &&
        !save(arguments.svg, snug::draw_svg(table.problem, capacity,
                                            result.offsets, table.ids)))
      exit_status = kBadInput;
    if (arguments.draw)
      std::fputs(
          snug::draw_ascii(table.problem, capacity, result.offsets, table.ids)
              .c_str(),
          stdout);
  } else if (result.status == snug::Status::kInfeasible) {
    exit_status = kProvedInfeasible;
  }
  print_status(result, table.ids.size());
  return exit_status;
}

/// Without arguments: an instance that the repository ships, found from this
/// source's folder or from the working directory; failing that, a small one.
int run_demo() {
  const std::string name = "benchmarks/data/quilt.csv";
  const std::string source = __FILE__;
  std::string root = source.substr(0, source.find_last_of("/\\") + 1);
  const std::string folder = "examples/";
  if (root.size() >= folder.size() &&
      root.compare(root.size() - folder.size(), 8, folder, 0, 8) == 0)
    root.resize(root.size() - folder.size());
  else
    root += "../";
  Arguments arguments;
  arguments.draw = true;
  std::string text;
  for (const std::string& path : {root + name, name}) {
    if (!files::read(path, text).empty()) continue;
    arguments.capacity = 4096;
    std::printf("%s (see --help)\n", path.c_str());
    return run(arguments, path, text);
  }
  arguments.capacity = 12;
  return run(arguments, "example",
             "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\n"
             "b4,9,21,4\nb5,0,21,4\n");
}

int run_flags(int argc, const char* const* argv) {
  Arguments arguments;
  const std::string error = make_parser(arguments).parse(argc, argv);
  if (!error.empty()) {
    print_error("solve_csv: " + error + " (see --help)");
    return kBadInput;
  }
  if (arguments.help) {
    print_usage();
    return kPlaced;
  }
  if (arguments.version) {
    std::printf("solve_csv (snug) %d.%d.%d\n", SNUG_VERSION_MAJOR,
                SNUG_VERSION_MINOR, SNUG_VERSION_PATCH);
    return kPlaced;
  }
  const bool bounded = arguments.capacity || arguments.minimize;
  if (!bounded || arguments.input.empty()) {
    print_error(std::string("solve_csv: ") +
                (bounded ? "--input" : "--capacity") +
                " is missing (see --help)");
    return kBadInput;
  }
  if (!arguments.quiet)
    for (const std::string& name : arguments.ignored)
      print_error("solve_csv: --" + name + ": ignored, not a rule of snug");
  std::string text;
  const std::string why = files::read(arguments.input, text);
  if (!why.empty()) {
    print_error(arguments.input + ": " + why);
    return kBadInput;
  }
  return run(arguments, arguments.input, text);
}

}  // namespace

int main(int argc, char** argv) {
  const int exit_status = argc > 1 ? run_flags(argc, argv) : run_demo();
  if (std::fflush(stdout) != 0) {
    print_error("standard output: " +
                std::string(std::generic_category().message(errno)));
    return kBadInput;
  }
  return exit_status;
}
