// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve_csv: places the buffers of a CSV file, see solve_csv/usage.hpp.
///
///     c++ -std=c++17 -O2 -pthread -Iinclude examples/solve_csv.cpp -o solve_csv
///     ./solve_csv
///     ./solve_csv benchmarks/data/unetpp.csv --html=plan.html
///     ./solve_csv benchmarks/data/unetpp.csv --capacity=2M --explain --spill
///     ./solve_csv --minimize_capacity --input=benchmarks/data/whole_model.csv
///         --base=16 --alignment=4 --reserve=48-64 --reserve=96-112@4-6 --draw
///
/// A drop-in for the program of google/minimalloc: the same flags, the same
/// columns in and out; under the name minimalloc, the same standard error and
/// exit statuses. More of both give every constraint of the library.
#include "assignment.hpp"
#include "files.hpp"
#include "flags.hpp"
#include "out_of_memory.hpp"
#include "snug/io/ascii.hpp"
#include "snug/io/csv.hpp"
#include "snug/io/html.hpp"
#include "snug/io/pool_pictures.hpp"
#include "snug/io/svg.hpp"
#include "snug/race.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "solve_csv/arguments.hpp"
#include "solve_csv/pools.hpp"
#include "solve_csv/report.hpp"
#include "solve_csv/usage.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace {

enum ExitStatus : int {
  kPlaced = 0,
  kProvedInfeasible = 1,
  kBadInput = 2,
  kStopped = 3,
  kInternalError = 4,
};

using files::save;

void draw(const Arguments& arguments, const snug::CsvTable<>& table,
          std::int64_t capacity, const snug::Result<>& result) {
  const terminal::Size size = terminal::size();
  // A line is left for the prompt, and one for the status.
  const std::size_t rows =
      (std::clamp)(size.rows, std::size_t{14}, std::size_t{62}) - 2;
  const bool colours = arguments.colour == "always" ||
                       (arguments.colour == "auto" && terminal::has_colours());
  std::fputs(snug::draw_ascii(table.problem, capacity, result.offsets,
                              table.ids, {size.columns, rows, colours})
                 .c_str(),
             stdout);
}

/// Writes the files that were asked for of a placement: the table with `texts`,
/// and what `draw_svg` and `draw_html` make of options. Returns whether it could.
template <class DrawSvg, class DrawHtml>
bool write_all(const Arguments& arguments, const snug::CsvTable<>& table,
               const std::vector<std::int64_t>& offsets,
               const std::vector<snug::CsvText>& texts, DrawSvg draw_svg,
               DrawHtml draw_html) {
  bool written = true;
  const bool to_screen = arguments.output.empty() && !arguments.minimalloc &&
                         !arguments.shows_other();
  if (to_screen || !arguments.output.empty()) {
    snug::CsvColumns columns = table.columns;
    columns.offset = true;  // also where there is no buffer
    written &= save(
        to_screen ? "-" : arguments.output,
        snug::write_csv(table.problem, table.ids, columns, offsets, texts));
  }
  if (!arguments.svg.empty()) {
    snug::SvgOptions options;
    options.colour_by = arguments.colour_by;
    options.title = arguments.title();
    written &= save(arguments.svg, draw_svg(options));
  }
  if (!arguments.html.empty())
    written &= save(
        arguments.html,
        draw_html(snug::HtmlOptions{arguments.title(), arguments.colour_by}));
  return written;
}

/// Why there is nothing to certify after `result`; empty if there is.
std::string find_no_claim(const snug::Result<>& result, bool minimize) {
  if (result.status == snug::Status::kInfeasible) return "";
  if (!result.has_solution()) return "stopped by a limit";
  if (!minimize) return "the buffers fit";
  if (result.status != snug::Status::kOptimal) return "stopped by a limit";
  return result.height > 0 ? "" : "no height is below zero";
}

/// Writes a proof of what `result` claims: that nothing fits `capacity`, or
/// that nothing is lower. Says why there is none. Returns whether it could.
bool certify(const Arguments& arguments, const snug::CsvTable<>& table,
             std::int64_t capacity, const snug::Result<>& result,
             bool minimize) {
  std::string why = find_no_claim(result, minimize);
  if (why.empty()) {
    const snug::Certificate proof =
        compute_shown(arguments, [&](const snug::Options& options) {
          return snug::certify(
              table.problem,
              result.has_solution() ? result.height - 1 : capacity, options);
        });
    if (proof.status == snug::Status::kInfeasible)
      return save(arguments.certificate, proof.text);
    why = proof.stopped_by != snug::Stop::kNone
              ? "stopped by a limit"
              : "the proof needs gaps, ends of memory, or what tied buffers "
                "have of each other";
  }
  print_error(arguments.certificate + ": not written: " + why);
  return true;
}

/// Reports a placement. Returns the exit status.
int finish_placed(const Arguments& arguments, const snug::CsvTable<>& table,
                  std::int64_t capacity, const snug::Result<>& result) {
  const snug::Validation validation =
      snug::validate(table.problem, capacity, result.offsets);
  if (arguments.validate && !arguments.quiet)
    print_error(verdict(arguments, validation.ok(), result.height));
  if (!validation.ok()) {
    print_error(describe(validation, table));
    return kInternalError;
  }
  const bool written = write_all(
      arguments, table, result.offsets, pools_column(table),
      [&](const snug::SvgOptions& options) {
        return snug::draw_svg(table.problem, capacity, result.offsets,
                              table.ids, options);
      },
      [&](const snug::HtmlOptions& options) {
        return snug::draw_html(table.problem, capacity, result.offsets,
                               table.ids, options);
      });
  if (arguments.draw) draw(arguments, table, capacity, result);
  if (!written) return kBadInput;
  // Behind a picture in the terminal, else where no script stumbles over it.
  if (arguments.compare)
    std::fprintf(arguments.draw ? stdout : stderr, "%s\n",
                 compare_first_fit(table, result).c_str());
  if (arguments.demo)
    std::puts(
        "next: ./solve_csv YOUR.csv --html=plan.html, --capacity=2M --explain, "
        "--help");
  return kPlaced;
}

/// --minimize_penalty
int run_penalty(const Arguments& arguments, const snug::CsvTable<>& table,
                const std::string& text) {
  const std::int64_t capacity = arguments.capacity.value_or(0);
  const snug::PenaltyResult<> result =
      compute_shown(arguments, [&](const snug::Options& options) {
        return snug::minimize_penalty(table.problem, capacity, options);
      });
  int exit_status = kStopped;
  if (result.status == snug::Status::kInvalid) {
    print_error(describe(result.error, table, text, arguments.input));
    exit_status = kBadInput;
  } else if (result.has_solution()) {
    if (snug::penalty_cost(table.problem, result.offsets) != result.cost) {
      print_error("internal error, the cost is not that of the placement");
      return kInternalError;
    }
    snug::Result<> placed;
    placed.status = result.status;
    placed.offsets = result.offsets;
    placed.height = result.height;
    exit_status = finish_placed(arguments, table, capacity, placed);
    if (exit_status != kPlaced) return exit_status;
  } else if (result.status == snug::Status::kInfeasible) {
    exit_status = kProvedInfeasible;
    if (!arguments.quiet) report_infeasible(arguments, table, capacity, 0);
  } else if (!arguments.quiet) {
    report_stopped(arguments, table, capacity, result.stopped_by, "");
  }
  print_status(arguments, result, table.ids.size());
  return exit_status;
}

/// --pool
int run_pools(const Arguments& arguments, const snug::CsvTable<>& table,
              const std::string& text) {
  snug::Pools<> pools = make_pools(arguments);
  const snug::CsvError error =
      snug::read_csv_pools(table, arguments.pool_names, pools);
  if (!error.ok()) {
    print_error(arguments.input + ':' + snug::to_string(error));
    print_status_invalid(arguments);
    return kBadInput;
  }
  const snug::AssignResult<> result =
      compute_shown(arguments, [&](const snug::Options& options) {
        return snug::assign(table.problem, pools, options);
      });
  int exit_status = kStopped;
  if (result.status == snug::Status::kInvalid) {
    print_error(describe(arguments, result, table, text));
    exit_status = kBadInput;
  } else if (result.has_solution()) {
    const bool good = is_valid(table.problem, pools, result);
    if (arguments.validate && !arguments.quiet)
      print_error(good ? "PASS" : "FAIL");
    if (!good) {
      print_error("internal error, the assignment is not valid");
      return kInternalError;
    }
    const snug::PoolPictureNames names{table.ids, arguments.pool_names};
    const auto draw_svg = [&](const snug::SvgOptions& options) {
      return snug::draw_svg(table.problem, pools, result, names, options);
    };
    const auto draw_html = [&](const snug::HtmlOptions& options) {
      return snug::draw_html(table.problem, pools, result, names, options);
    };
    if (!write_all(arguments, table, result.offsets,
                   pools_columns(arguments, table, result), draw_svg,
                   draw_html))
      return kBadInput;
    exit_status = kPlaced;
  } else if (result.status == snug::Status::kInfeasible) {
    exit_status = kProvedInfeasible;
    if (!arguments.quiet)
      print_error("does not fit the pools, whatever it costs" +
                  why_not_in_pools(table, pools));
  } else if (!arguments.quiet) {
    report_stopped(result.stopped_by, "");
  }
  print_status(arguments, result, table.ids.size());
  return exit_status;
}

/// Solves the problem of `text`, which came from the file `arguments.input`.
int run(const Arguments& arguments, const std::string& text) {
  snug::CsvTable<> table = snug::read_csv(text);
  if (!table.ok()) {
    print_error(arguments.input + ':' + snug::to_string(table.error));
    print_status_invalid(arguments);
    return kBadInput;
  }
  table.problem.base = arguments.base;
  table.problem.alignment = arguments.alignment;
  table.problem.reserved = arguments.reserved;
  const bool in_pools = !arguments.pools.empty();
  const snug::CsvError stray =
      in_pools ? snug::CsvError{} : find_stray_pool(table);
  if (!stray.ok()) {
    print_error(arguments.input + ':' + snug::to_string(stray));
    print_status_invalid(arguments);
    return kBadInput;
  }
  report_ignored(arguments, table);
  if (in_pools) return run_pools(arguments, table, text);
  if (arguments.minimize_penalty) return run_penalty(arguments, table, text);
  const bool minimize = arguments.minimize || !arguments.capacity;
  std::int64_t capacity = arguments.capacity.value_or(0);
  snug::Result<> result =
      compute_shown(arguments, [&](const snug::Options& options) {
        const std::size_t racers = arguments.racers;
        if (!minimize)
          return snug::race::solve(table.problem, capacity, racers, options);
        return arguments.capacity
                   ? snug::race::minimize_within(table.problem, capacity,
                                                 racers, options)
                   : snug::race::minimize(table.problem, racers, options);
      });
  if (arguments.minimalloc) {
    std::fprintf(stderr, "Elapsed time %.3fs\n", result.stats.seconds);
    // The published program knows of no placement but the lowest then.
    if (minimize && result.status == snug::Status::kFeasible) {
      result.offsets.clear();
      result.status = snug::Status::kUnknown;
    }
  }
  int exit_status = kStopped;
  if (result.status == snug::Status::kInvalid) {
    print_error(describe(result.error, table, text, arguments.input));
    exit_status = kBadInput;
  } else if (result.has_solution()) {
    exit_status = finish_placed(arguments, table,
                                minimize ? result.height : capacity, result);
    if (exit_status != kPlaced) return exit_status;
  } else if (result.status == snug::Status::kInfeasible) {
    exit_status = kProvedInfeasible;
    if (!arguments.quiet)
      report_infeasible(arguments, table, capacity, result.lower_bound);
  } else if (!arguments.quiet) {
    report_stopped(arguments, table, capacity, result.stopped_by,
                   result.lower_bound > 0 ? "; " + at_least(result.lower_bound)
                                          : std::string());
  }
  if (!arguments.certificate.empty() &&
      result.status != snug::Status::kInvalid &&
      !certify(arguments, table, capacity, result, minimize))
    return kBadInput;
  report_unsearched(arguments, result);
  print_status(arguments, result, table.ids.size());
  return exit_status;
}

/// Without arguments: a network that the repository ships, found from this
/// source's folder or from the working directory; failing that, a small one.
int run_demo(Arguments arguments) {
  const std::string name = "benchmarks/data/unetpp.csv";
  const std::string source = __FILE__;
  std::string root = source.substr(0, source.find_last_of("/\\") + 1);
  const std::string folder = "examples/";
  if (root.size() >= folder.size() &&
      root.compare(root.size() - folder.size(), folder.size(), folder) == 0)
    root.resize(root.size() - folder.size());
  else
    root += "../";
  arguments.demo = arguments.draw = arguments.compare = true;
  std::string text;
  for (const std::string& path : {root + name, name}) {
    if (!files::read(path, text).empty()) continue;
    arguments.input = path;
    std::printf("%s: the tensors of a U-Net++, 128 x 128 x 3, 8 bit\n",
                path.c_str());
    return run(arguments, text);
  }
  arguments.input = "example";
  return run(arguments,
             "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\n"
             "b4,9,21,4\nb5,0,21,4\n");
}

/// The name that the program was called by, without folders and ending.
std::string program_name(int argc, const char* const* argv) {
  std::string name = argc > 0 ? argv[0] : "solve_csv";
  name.erase(0, name.find_last_of("/\\") + 1);
  return name.substr(0, name.rfind(".exe"));
}

int run_flags(const std::string& program, int argc, const char* const* argv) {
  Arguments arguments;
  arguments.minimalloc = program == "minimalloc";
  if (argc <= 1 && !arguments.minimalloc) return run_demo(arguments);
  flags::Parser parser;
  add_flags(parser, arguments);
  const std::string error = parser.parse(argc, argv);
  if (!error.empty()) {
    print_error(program + ": " + error + " (see --help)");
    return kBadInput;
  }
  if (arguments.help) {
    print_usage(program);
    return kPlaced;
  }
  if (arguments.version) {
    std::printf("%s (snug) %d.%d.%d\n", program.c_str(), SNUG_VERSION_MAJOR,
                SNUG_VERSION_MINOR, SNUG_VERSION_PATCH);
    return kPlaced;
  }
  if (arguments.input.empty()) {
    print_error(program + ": --input is missing (see --help)");
    return kBadInput;
  }
  const std::string conflict = find_conflict(arguments);
  if (!conflict.empty()) {
    print_error(program + ": " + conflict + " (see --help)");
    return kBadInput;
  }
  if (arguments.minimalloc && !arguments.minimize && !arguments.capacity)
    arguments.capacity = 0;
  if (!arguments.quiet && !arguments.minimalloc)
    for (const std::string& name : arguments.ignored)
      print_error(program + ": --" + name + ": ignored, not a rule of snug");
  std::string text;
  if (!files::load(arguments.input, text)) return kBadInput;
  // Now, not when hours of search are to be written.
  for (const auto& [flag, path] : outputs_of(arguments))
    if (!path.empty() && !files::can_save(path)) return kBadInput;
  return run(arguments, text);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string program = program_name(argc, argv);
  const int exit_status = files::finish(
      catch_out_of_memory(kStopped, " (--memory limits what a search takes)",
                          [&] { return run_flags(program, argc, argv); }),
      kBadInput);
  // The published program knows 0 and 1.
  return program == "minimalloc" && exit_status != 0 ? 1 : exit_status;
}
