// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says how much memory XLA gave a program for its temporary values, how much
/// of it is live at one time, and what is possible.
///
///     XLA_FLAGS="--xla_dump_to=dump --xla_dump_hlo_as_text" python program.py
///     c++ -std=c++17 -O2 -Iinclude examples/xla_report.cpp -o xla_report
///     ./xla_report dump/module_0001.jit_step.cpu_after_optimizations-buffer-assignment.txt
///
/// The second file, `...-live-range.txt`, is found beside the first one, or
/// given as a second argument. Both are read only. What is read is said in
/// xla/dump.hpp, what is tied to what in xla/repack.hpp.
#include "files.hpp"
#include "flags.hpp"
#include "out_of_memory.hpp"
#include "snug/io/json.hpp"
#include "snug/io/text.hpp"
#include "snug/snug.hpp"
#include "xla/dump.hpp"
#include "xla/repack.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using files::print_error;

enum ExitStatus : std::uint8_t { kReported = 0, kBadInput = 2, kNoMemory = 3 };

struct Arguments {
  std::string assignment{};
  std::string live_range{};
  std::string json{};
  std::int64_t alignment = 0;  ///< 0: guessed
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  bool quiet = false;
  bool help = false;

  /// Where the report goes: not among the bytes of a file.
  [[nodiscard]] std::FILE* screen() const {
    return json == "-" ? stderr : stdout;
  }
};

/// The sums over all allocations that hold several values at several places.
struct Totals {
  std::size_t allocations = 0;
  std::int64_t used = 0;
  std::int64_t load = 0;
  std::int64_t possible = 0;
  std::int64_t lower_bound = 0;
};

void print_usage() {
  std::puts(R"(xla_report FILE-buffer-assignment.txt [FILE-live-range.txt]
Compares XLA's placement of temporary values with the best possible.
The second file is, by default, the one of that name beside the first.

  --alignment=N   of offsets; default: that of XLA's, up to 128
  --json=FILE     write the problem of the largest allocation that has values
                  at several places, or one without buffers if none has; if
                  FILE is -, the report goes to standard error
  --timeout=TIME  for each search; default 10s
  --quiet         print the last line only

Exit status: 0 reported; 2 bad usage or files that are bad, not complete or not
of one module; 3 no memory.)");
}

flags::Parser make_parser(Arguments& arguments) {
  flags::Parser parser;
  parser.set_positional([&](const std::string& text) {
    std::string& place = arguments.assignment.empty() ? arguments.assignment
                                                      : arguments.live_range;
    if (!place.empty()) return false;
    place = text;
    return !text.empty();
  });
  parser.add_value("alignment", "a power of two", [&](const std::string& text) {
    return flags::parse_integer(text, arguments.alignment) &&
           arguments.alignment > 0 &&
           (arguments.alignment & (arguments.alignment - 1)) == 0;
  });
  parser.add_timeout(arguments.timeout);
  parser.add_text("json", "the name of a file", arguments.json);
  parser.add_switch("quiet", arguments.quiet);
  parser.add_switch("help", arguments.help);
  return parser;
}

bool report(const std::string& path, const xla::Fault& fault) {
  if (fault.ok()) return true;
  print_error(path + ':' +
              (fault.line > 0 ? std::to_string(fault.line) + ':' : "") + ' ' +
              fault.message);
  return false;
}

/// The name of the second file: that of the first with another ending.
std::string live_range_of(const std::string& path) {
  const std::string_view ending = "-buffer-assignment.txt";
  if (path.size() < ending.size() ||
      path.compare(path.size() - ending.size(), ending.size(), ending) != 0)
    return {};
  return path.substr(0, path.size() - ending.size()) + "-live-range.txt";
}

bool is_interesting(const xla::Allocation& allocation) {
  return std::any_of(allocation.values.begin(), allocation.values.end(),
                     [&](const xla::Value& value) {
                       return value.offset != allocation.values[0].offset;
                     });
}

/// The lowest height that is known to be possible: XLA's, if need be.
std::int64_t height_of(const snug::Result<>& result,
                       const xla::Allocation& allocation) {
  return result.has_solution() ? (std::min)(result.height, allocation.size)
                               : allocation.size;
}

void print_row(std::FILE* screen, const char* name, std::int64_t bytes,
               const std::string& note) {
  std::fprintf(screen, "  %-28s  %14lld%s\n", name,
               static_cast<long long>(bytes), note.c_str());
}

/// What is wrong with the two files together: they are not of one module where
/// each names values that the other does not have. Either alone happens: values of
/// constants may have no allocation.
xla::Fault find_mismatch(const std::vector<xla::Allocation>& allocations,
                         const xla::LiveRanges& ranges) {
  std::set<std::string> known;
  std::string without;
  for (const xla::Allocation& allocation : allocations) {
    const bool counts = is_interesting(allocation);
    for (const xla::Value& value : allocation.values) {
      known.insert(value.name);
      if (counts && without.empty() && ranges.count(value.name) == 0)
        without = value.name;
    }
  }
  std::string stranger;  // the first by name, so that it is always the same one
  for (const auto& [name, life] : ranges)
    if (known.count(name) == 0 && (stranger.empty() || name < stranger))
      stranger = name;
  if (without.empty() || stranger.empty()) return {};
  return {0, "has '" + snug::printable(stranger) + "', and not '" +
                 snug::printable(without) +
                 "' of the buffer assignment: not of the same module"};
}

/// When the last of the live ranges ends.
std::int64_t end_of(const xla::LiveRanges& ranges) {
  std::int64_t end = 1;
  for (const auto& [name, life] : ranges) end = (std::max)(end, life.upper);
  return end;
}

/// Reports on one allocation and adds it to `totals`. `end` is that of `ranges`.
bool study(const xla::Allocation& allocation, const xla::LiveRanges& ranges,
           std::int64_t end, const Arguments& arguments, Totals& totals,
           std::string& json) {
  std::vector<snug::Interval<std::int64_t>> lives;
  std::vector<std::string> ids;
  std::size_t missing = 0;
  for (const xla::Value& value : allocation.values) {
    const auto found = ranges.find(value.name);
    missing += found == ranges.end() ? 1U : 0U;
    lives.push_back(found == ranges.end() ? snug::Interval<std::int64_t>{0, end}
                                          : found->second);
    ids.push_back(value.name);
  }
  xla::Repacking repacking(allocation, std::move(lives));
  if (!repacking.ok()) {
    print_error("allocation " + std::to_string(allocation.index) +
                ": too many values are live at one time");
    return false;
  }
  const std::int64_t alignment = arguments.alignment > 0
                                     ? arguments.alignment
                                     : repacking.guess_alignment();
  snug::Options options;
  options.time_limit = arguments.timeout;
  const std::size_t met = repacking.tied();
  const snug::Problem<> loose = repacking.problem(alignment);
  const snug::Result<> bound = snug::minimize(loose, options);
  repacking.tie_coinciding();
  const snug::Result<> sure =
      snug::minimize(repacking.problem(alignment), options);
  if (!bound.error.ok() || !sure.error.ok()) {
    print_error(
        "allocation " + std::to_string(allocation.index) + ": " +
        snug::to_string((bound.error.ok() ? sure : bound).error.reason));
    return false;
  }
  const std::int64_t possible = height_of(sure, allocation);
  const std::int64_t torn = (std::min)(possible, height_of(bound, allocation));
  if (!arguments.quiet) {
    std::FILE* const screen = arguments.screen();
    std::fprintf(
        screen, "allocation %lld, %s: %zu values, %zu tied, alignment %lld\n",
        static_cast<long long>(allocation.index),
        allocation.kind.empty() ? "plain" : allocation.kind.c_str(),
        allocation.values.size(), met, static_cast<long long>(alignment));
    if (missing > 0)
      std::fprintf(screen,
                   "  %zu values without a live range, live throughout\n",
                   missing);
    print_row(screen, "XLA used", allocation.size, "");
    print_row(screen, "load", repacking.load(), "");
    print_row(screen, "possible", possible,
              possible <= bound.lower_bound ? "  lowest possible" : "");
    if (torn < possible)
      print_row(screen, "if more may be torn apart", torn, "");
    if (possible > bound.lower_bound)
      print_row(screen, "no placement is below", bound.lower_bound, "");
  }
  if (json.empty())  // the largest comes first
    json = snug::write_json(loose, ids, bound, allocation.size);
  ++totals.allocations;
  totals.used += allocation.size;
  totals.load += repacking.load();
  totals.possible += possible;
  totals.lower_bound += (std::min)(bound.lower_bound, possible);
  return true;
}

int run(const Arguments& arguments) {
  std::string assignment_text;
  std::string live_range_text;
  if (!files::load(arguments.assignment, assignment_text) ||
      !files::load(arguments.live_range, live_range_text) ||
      (!arguments.json.empty() && !files::can_save(arguments.json)))
    return kBadInput;
  xla::Fault fault;
  std::vector<xla::Allocation> allocations =
      xla::read_assignment(assignment_text, fault);
  if (!report(arguments.assignment, fault)) return kBadInput;
  const xla::LiveRanges ranges = xla::read_live_ranges(live_range_text, fault);
  if (fault.ok()) fault = find_mismatch(allocations, ranges);
  if (!report(arguments.live_range, fault)) return kBadInput;
  std::stable_sort(allocations.begin(), allocations.end(),
                   [](const xla::Allocation& a, const xla::Allocation& b) {
                     return a.size > b.size;
                   });
  const std::int64_t end = end_of(ranges);
  Totals totals;
  std::string json;
  std::int64_t others = 0;
  for (const xla::Allocation& allocation : allocations) {
    if (!is_interesting(allocation))
      others += allocation.size;
    else if (!study(allocation, ranges, end, arguments, totals, json))
      return kBadInput;
  }
  if (!arguments.quiet)
    std::fprintf(arguments.screen(),
                 "%lld bytes of parameters, results and others as they are\n",
                 static_cast<long long>(others));
  if (!arguments.json.empty()) {
    if (json.empty()) {  // no value could lie elsewhere
      const snug::Problem<> nothing;
      json = snug::write_json(nothing, {}, snug::minimize(nothing), 0);
    }
    if (!files::save(arguments.json, json)) return kBadInput;
  }
  std::fprintf(
      arguments.screen(),
      "allocations=%zu used=%lld load=%lld possible=%lld lower_bound=%lld\n",
      totals.allocations, static_cast<long long>(totals.used),
      static_cast<long long>(totals.load),
      static_cast<long long>(totals.possible),
      static_cast<long long>(totals.lower_bound));
  return kReported;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  const std::string error = make_parser(arguments).parse(argc, argv);
  if (!error.empty()) {
    print_error("xla_report: " + error + " (see --help)");
    return kBadInput;
  }
  if (arguments.help) {
    print_usage();
    return files::finish(kReported, kBadInput);
  }
  if (arguments.live_range.empty())
    arguments.live_range = live_range_of(arguments.assignment);
  if (arguments.live_range.empty()) {
    print_error(
        "xla_report: expected FILE-buffer-assignment.txt, or two files (see "
        "--help)");
    return kBadInput;
  }
  return files::finish(
      catch_out_of_memory(kNoMemory, "", [&] { return run(arguments); }),
      kBadInput);
}
