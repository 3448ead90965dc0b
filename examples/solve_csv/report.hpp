// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the program says of a result: the status line for scripts on standard
/// output, and sentences for people on standard error.
#ifndef SNUG_EXAMPLES_SOLVE_CSV_REPORT_HPP
#define SNUG_EXAMPLES_SOLVE_CSV_REPORT_HPP

#include "../../benchmarks/baselines/greedy.hpp"
#include "../explain_why.hpp"
#include "../progress.hpp"
#include "arguments.hpp"
#include "snug/io/csv.hpp"
#include "snug/io/explain_text.hpp"
#include "snug/io/quantity.hpp"
#include "snug/model/options.hpp"
#include "snug/model/penalty_result.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/result.hpp"
#include "snug/spill.hpp"
#include "snug/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using files::print_error;

/// What the status line says of the placement and of all others.
inline std::string measures(const snug::Result<>& result) {
  return "height=" + std::to_string(result.height) +
         " lower_bound=" + std::to_string(result.lower_bound);
}
inline std::string measures(const snug::AssignResult<>& result) {
  return "cost=" + std::to_string(result.cost) +
         " cost_bound=" + std::to_string(result.cost_bound);
}
inline std::string measures(const snug::PenaltyResult<>& result) {
  return "height=" + std::to_string(result.height) +
         " cost=" + std::to_string(result.cost) +
         " cost_bound=" + std::to_string(result.cost_bound);
}

/// Of what solve(), assign() or minimize_penalty() has returned.
template <class AnyResult>
void print_status(const Arguments& arguments, const AnyResult& result,
                  std::size_t buffers) {
  if (arguments.minimalloc) return;
  std::fprintf(arguments.fills_stdout() ? stderr : stdout,
               "status=%s %s buffers=%zu nodes=%lld seconds=%.6f\n",
               snug::outcome_word(result.status, result.stopped_by),
               measures(result).c_str(), buffers,
               static_cast<long long>(result.stats.nodes),
               result.stats.seconds);
}

/// Of an input that could not be read.
inline void print_status_invalid(const Arguments& arguments) {
  if (!arguments.pools.empty())
    print_status(arguments, snug::AssignResult<>{}, 0);
  else if (arguments.minimize_penalty)
    print_status(arguments, snug::PenaltyResult<>{}, 0);
  else
    print_status(arguments, snug::Result<>{}, 0);
}

inline std::string quoted_id(const snug::CsvTable<>& table,
                             std::size_t buffer) {
  return "buffer '" + snug::printable(table.ids[buffer]) + "'";
}

/// Where in the input the library refused the problem, and why.
inline std::string describe(const snug::Check& error,
                            const snug::CsvTable<>& table,
                            const std::string& text, const std::string& path) {
  const snug::CsvError found = snug::locate(text, table, error);
  if (found.position.line != 0) return path + ':' + snug::to_string(found);
  return path +
         ": with the flags --base, --alignment and --reserve: " + found.message;
}

inline std::string describe(const snug::Validation& validation,
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

/// What --validate prints.
inline std::string verdict(const Arguments& arguments, bool good,
                           std::int64_t height) {
  if (!arguments.minimalloc) return good ? "PASS" : "FAIL";
  return good ? "Validation PASS, height " + std::to_string(height)
              : "Validation FAIL";
}

/// `1 048 576 bytes (1 MiB)`
inline std::string amount(std::int64_t bytes) {
  const std::string exact =
      snug::grouped_text(bytes) + (bytes == 1 ? " byte" : " bytes");
  if (bytes < 1024) return exact;
  return exact + " (" + snug::bytes_text(static_cast<double>(bytes)) + ')';
}

/// What `compute` returns under the options of the flags; an interrupt stops
/// it, and a line shows how far it is.
template <class Compute>
auto compute_shown(const Arguments& arguments, Compute compute) {
  snug::Options options = arguments.options;
  const Interactive interactive(options, !arguments.quiet);
  options.tuning = &arguments.tuning;
  return compute(options);
}

/// `at least 12 bytes are needed`
inline std::string at_least(std::int64_t bytes) {
  return "at least " + amount(bytes) +
         (bytes == 1 ? " is needed" : " are needed");
}

/// Says what to move elsewhere (--spill).
inline void report_spills(const Arguments& arguments,
                          const snug::CsvTable<>& table,
                          std::int64_t capacity) {
  const auto spills =
      compute_shown(arguments, [&](const snug::Options& options) {
        return snug::suggest_spills(table.problem, capacity, options);
      });
  print_error(snug::to_string(table.problem, spills, table.ids));
}

/// Says why there is no placement, and with --spill what to do about it. What
/// is needed at least is told if it is more than the capacity.
inline void report_infeasible(const Arguments& arguments,
                              const snug::CsvTable<>& table,
                              std::int64_t capacity, std::int64_t lower_bound) {
  const Why why = compute_shown(arguments, [&](const snug::Options& options) {
    return explain_why(table.problem, table.ids, capacity, options,
                       arguments.explain);
  });
  print_error("does not fit in " + amount(capacity) + ": " + why.text +
              (why.hint.empty() ? "" : " (" + why.hint + ')'));
  std::string known = lower_bound > capacity ? at_least(lower_bound) : "";
  if (!arguments.spill) {
    if (!known.empty()) known += "; ";
    known += arguments.minimize_penalty
                 ? "--spill finds what to move elsewhere"
                 : "without --capacity the least is found, --spill finds "
                   "what to move elsewhere";
  }
  if (!known.empty()) print_error(known);
  if (arguments.spill) report_spills(arguments, table, capacity);
}

/// Why the buffers fit no pools, where that is soon seen: one fits none of its own. Else
/// empty.
inline std::string why_not_in_pools(const snug::CsvTable<>& table,
                                    const snug::Pools<>& pools) {
  for (std::size_t b = 0; b < table.ids.size(); ++b) {
    const bool is_listed = b < pools.costs.size() && !pools.costs[b].empty();
    std::int64_t most = 0;
    for (std::size_t p = 0; p < pools.pools.size(); ++p)
      if (!is_listed || pools.costs[b][p] != snug::Pools<>::kNever)
        most = (std::max)(most, pools.pools[p].capacity - pools.pools[p].base);
    const std::int64_t size = table.problem.buffers[b].size;
    if (size > most)
      return ": '" + snug::printable(table.ids[b]) + "' needs " + amount(size) +
             ", more than any pool has that it may be in";
  }
  return "";
}

/// Says that a limit came first, and what is `known`.
inline void report_stopped(snug::Stop stop, const std::string& known) {
  const bool interrupted = stop == snug::Stop::kCancelled;
  print_error(std::string("stopped by ") +
              (interrupted ? "an interrupt" : "a limit") +
              " before a placement was found, or proved not to exist" + known);
}

/// The same within `capacity`, and with --spill what to do about it; but who interrupts
/// it does not want more.
inline void report_stopped(const Arguments& arguments,
                           const snug::CsvTable<>& table, std::int64_t capacity,
                           snug::Stop stop, const std::string& known) {
  report_stopped(stop, known);
  if (arguments.spill && stop != snug::Stop::kCancelled)
    report_spills(arguments, table, capacity);
}

/// Says what of the input has no effect.
inline void report_ignored(const Arguments& arguments,
                           const snug::CsvTable<>& table) {
  if (arguments.quiet || arguments.minimalloc) return;
  for (const snug::CsvIgnored& column : table.ignored)
    print_error(arguments.input + ':' + snug::to_string(column));
  const auto report = [&](const char* column, const char* flag) {
    print_error(arguments.input + ": column '" + column +
                "' is ignored without " + flag);
  };
  if (!table.problem.penalties.empty() && !arguments.minimize_penalty)
    report("penalty", "--minimize_penalty");
  if (!arguments.pools.empty()) return;
  if (!table.pools.empty()) report("pools", "--pool");
  if (!table.fixed_pools.empty()) report("pool", "--pool");
}

/// Says that there was no search although no limit was given that ended it.
template <class AnyResult>
void report_unsearched(const Arguments& arguments, const AnyResult& result) {
  if (arguments.quiet || arguments.minimalloc ||
      result.stopped_by != snug::Stop::kNodeLimit ||
      result.stats.nodes >= arguments.options.node_limit)
    return;
  print_error(
      "too large for a search that ends: only quick methods were tried, which "
      "prove little");
}

/// Whether first fit knows all that the problem asks for.
inline bool is_plain(const snug::Problem<>& problem) {
  bool plain = problem.aliases.empty() && problem.contiguous.empty() &&
               problem.apart.empty() && problem.may_overlap.empty() &&
               problem.reserved.empty() && problem.base == 0 &&
               problem.alignment == 1;
  for (const snug::Buffer<>& buffer : problem.buffers)
    plain = plain && buffer.gaps.empty() && !buffer.offset &&
            buffer.end == snug::End::kAny;
  return plain;
}

/// What first fit by size would have needed, beside what was found.
inline std::string compare_first_fit(const snug::CsvTable<>& table,
                                     const snug::Result<>& result) {
  constexpr std::size_t kMostBuffers = 20000;  // it looks at all pairs
  if (!is_plain(table.problem) || table.ids.size() > kMostBuffers)
    return "first fit by size: not comparable (constraints, or more than "
           "20 000 buffers)";
  const std::vector<std::int64_t> offsets =
      snug::baselines::greedy_first_fit(table.problem);
  std::int64_t height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    height = (std::max)(height, offsets[i] + table.problem.buffers[i].size);
  char percent[64] = "";
  if (result.height > 0)
    std::snprintf(
        percent, sizeof percent, ", %+.1f %%",
        (static_cast<double>(height) / static_cast<double>(result.height) - 1) *
            100);
  const bool optimal = result.height == result.lower_bound;
  return "first fit by size, as most runtimes do it: " + amount(height) +
         percent + "\nsnug: " + amount(result.height) +
         (optimal
              ? ", proved optimal"
              : ", and no placement is below " + amount(result.lower_bound));
}

#endif  // SNUG_EXAMPLES_SOLVE_CSV_REPORT_HPP
