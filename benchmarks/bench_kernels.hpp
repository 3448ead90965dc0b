// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench kernels, bench hard: instances that stand in files, listed by a
/// manifest.csv beside them, whose columns are found by their names.
///
///     kernels   memory pools of a compiler's kernels, with pairs kept apart
///               and reserved ranges: lowest heights, certificates that nothing
///               is lower, and placements at capacity
///     hard      kinds that take a search long, at the manifest's capacity
#ifndef SNUG_BENCHMARKS_BENCH_KERNELS_HPP
#define SNUG_BENCHMARKS_BENCH_KERNELS_HPP

#include "../examples/certificate/check.hpp"
#include "../examples/certificate/problem.hpp"
#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "cases.hpp"
#include "report.hpp"
#include "snug/certify.hpp"
#include "snug/io/csv.hpp"
#include "snug/minimize.hpp"
#include "snug/model/certificate.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

[[nodiscard]] inline std::vector<std::string> split_at(const std::string& text,
                                                       char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else if (c != '\r') {
      parts.back() += c;
    }
  }
  return parts;
}

/// The rows of a manifest, by the names of its columns.
class Manifest {
 public:
  explicit Manifest(const std::string& text) {
    for (const std::string& line : split_at(text, '\n'))
      if (!line.empty()) rows_.push_back(split_at(line, ','));
    if (!rows_.empty()) header_ = rows_.front();
    if (!rows_.empty()) rows_.erase(rows_.begin());
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The field of row k in a column; nothing where it has none.
  [[nodiscard]] std::string field(std::size_t k,
                                  const std::string& column) const {
    const auto found = std::find(header_.begin(), header_.end(), column);
    const auto index = static_cast<std::size_t>(found - header_.begin());
    return index < rows_[k].size() ? rows_[k][index] : std::string();
  }

 private:
  std::vector<std::string> header_{};
  std::vector<std::vector<std::string>> rows_{};
};

/// A name without its digits, signs and extension, as in "gapm" for
/// gapm_01.csv.
[[nodiscard]] inline std::string kind_of(const std::string& file) {
  std::string kind;
  for (const char c : file.substr(0, file.find('.')))
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) kind += c;
  return kind;
}

/// Adds ranges `lo-hi`, with blanks between them. False if one is no range.
[[nodiscard]] inline bool add_reserved(const std::string& ranges,
                                       Problem<>& problem) {
  for (const std::string& range : split_at(ranges, ' ')) {
    if (range.empty()) continue;
    const std::size_t dash = range.find('-');
    Reserved<> reserved;
    const std::string_view text = range;
    if (dash == std::string::npos ||
        !flags::parse_integer(text.substr(0, dash), reserved.bytes.lower) ||
        !flags::parse_integer(text.substr(dash + 1), reserved.bytes.upper))
      return false;
    problem.reserved.push_back(reserved);
  }
  return true;
}

/// Reads the instances that dir/manifest.csv lists. Returns what went wrong, or
/// nothing.
[[nodiscard]] inline std::string read_manifest(const std::string& dir,
                                               std::vector<Case>& cases) {
  std::string text;
  std::string failure = files::read(dir + "/manifest.csv", text);
  if (!failure.empty()) return dir + "/manifest.csv: " + failure;
  const Manifest manifest(text);
  for (std::size_t k = 0; k < manifest.size(); ++k) {
    Case added;
    added.name = manifest.field(k, "file");
    added.family = kind_of(added.name);
    added.feasible = manifest.field(k, "fits") == "yes";
    const std::string path = dir + '/' + added.name;
    failure = files::read(path, text);
    if (!failure.empty()) return path + ": " + failure;
    CsvTable<> table = read_csv(text);
    if (!table.ok()) return path + ':' + to_string(table.error);
    added.problem = std::move(table.problem);
    if (!flags::parse_integer(manifest.field(k, "capacity"), added.capacity) ||
        !add_reserved(manifest.field(k, "reserve"), added.problem))
      return path + ": no capacity, or a reserved range that is none";
    cases.push_back(std::move(added));
  }
  return {};
}

/// Whether a call answered its question.
[[nodiscard]] inline bool is_decided(const Result<>& result) {
  return result.stopped_by == Stop::kNone && result.status != Status::kInvalid;
}

/// How a call does on all kernels.
struct KernelCall {
  std::size_t known = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
  double slowest = 0;

  void add(bool is_known, std::int64_t its_nodes, double its_seconds) {
    known += is_known ? 1 : 0;
    nodes += its_nodes;
    seconds += its_seconds;
    slowest = (std::max)(slowest, its_seconds);
  }
};

/// Certifies that there is no placement below `capacity`, and has that checked.
inline void prove_kernel(const Case& one, std::int64_t capacity,
                         const Options& options, KernelCall& call, Table& list,
                         Report& report) {
  Certificate proof;
  const double seconds =
      time_of([&] { proof = certify(one.problem, capacity, options); });
  const bool is_known = proof.status == Status::kInfeasible;
  call.add(is_known, proof.nodes, seconds);
  if (!is_known)
    list.add({"certify", one.name, to_string(proof.status), count(capacity + 1),
              "-", count(proof.nodes)});
  certificate::Problem read;
  const std::string fault =
      certificate::read_problem(write_csv(one.problem), read);
  if (!fault.empty()) report.fail(one.name, "the checker: " + fault);
  if (!is_known || !fault.empty()) return;
  const certificate::Verdict verdict =
      certificate::Checker(read).check(proof.text);
  if (!verdict.fault.empty())
    report.fail(one.name, verdict.fault);
  else if (verdict.capacity != capacity)
    report.fail(one.name, "certified at another capacity");
}

[[nodiscard]] inline std::string bench_kernels(const Settings& settings,
                                               Report& report) {
  std::vector<Case> cases;
  const std::string error = read_manifest(settings.dir + "/kernels", cases);
  if (!error.empty()) return error;
  const Options options = limited(settings, 1);
  const std::string within = seconds_text(options.time_limit) + " s";
  KernelCall lowest;
  KernelCall proofs;
  KernelCall placed;
  Table list("Not known within " + within, 2,
             {"call", "instance", "outcome", "height", "bound", "nodes"});
  const auto judge = [&](const char* name, const Case& one,
                         const Result<>& result, double seconds,
                         KernelCall& call) {
    report.judge(one, result);
    call.add(is_decided(result), result.stats.nodes, seconds);
    if (!is_decided(result))
      list.add({name, one.name, to_string(result.status), count(result.height),
                count(result.lower_bound), count(result.stats.nodes)});
  };
  for (const Case& one : cases) {
    Case least = one;
    Result<> result;
    double seconds = time_of([&] { result = minimize(one.problem, options); });
    least.capacity = result.height;
    judge("minimize", least, result, seconds, lowest);
    if (result.has_solution() && result.height > 0)
      prove_kernel(one, result.height - 1, options, proofs, list, report);
    seconds =
        time_of([&] { result = solve(one.problem, one.capacity, options); });
    judge("solve", one, result, seconds, placed);
  }
  Table table("Kernels of a compiler, within " + within + " each", 1,
              {"call", "instances", "known", "nodes", "seconds", "slowest"});
  const auto row = [&](const char* name, const KernelCall& call) {
    table.add({name, count(cases.size()), count(call.known), count(call.nodes),
               fixed(call.seconds, 3), fixed(call.slowest, 3)});
  };
  row("minimize", lowest);
  row("certify", proofs);
  row("solve", placed);
  table.print(settings.csv);
  if (!list.empty()) list.print(settings.csv);
  return {};
}

[[nodiscard]] inline std::string bench_hard(const Settings& settings,
                                            Report& report) {
  std::vector<Case> cases;
  const std::string error = read_manifest(settings.dir + "/hard", cases);
  if (!error.empty()) return error;
  const Options options = limited(settings, 2);
  const std::string within = seconds_text(options.time_limit) + " s";
  std::vector<Measured> found;
  found.reserve(cases.size());
  for (const Case& one : cases)
    found.push_back(measure_snug(one, options, report));
  Table table("Hard kinds, at their capacity, within " + within + " each", 1,
              {"kind", "instances", "solved", "infeasible", "open",
               "open, fits", "nodes", "us/node", "seconds"});
  std::vector<std::string> kinds;
  for (const Case& one : cases)
    if (std::find(kinds.begin(), kinds.end(), one.family) == kinds.end())
      kinds.push_back(one.family);
  kinds.emplace_back("all");
  for (const std::string& kind : kinds) {
    std::size_t instances = 0;
    std::size_t solved = 0;
    std::size_t infeasible = 0;
    std::size_t fits = 0;
    std::int64_t nodes = 0;
    double seconds = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (kind != "all" && cases[i].family != kind) continue;
      const Status status = found[i].result.status;
      ++instances;
      solved += found[i].solved() ? 1U : 0U;
      infeasible += status == Status::kInfeasible ? 1U : 0U;
      fits += !is_decided(found[i].result) && cases[i].feasible ? 1U : 0U;
      nodes += found[i].result.stats.nodes;
      seconds += found[i].seconds;
    }
    table.add({kind, count(instances), count(solved), count(infeasible),
               count(instances - solved - infeasible), count(fits),
               count(nodes), microseconds_a_node(seconds, nodes),
               fixed(seconds, 3)});
  }
  table.print(settings.csv);
  Table list(settings.list ? "Each instance" : "Open after " + within, 2,
             {"instance", "outcome", "buffers", "capacity", "runs", "nodes",
              "seconds"});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Result<>& result = found[i].result;
    if (is_decided(result) && !settings.list) continue;
    list.add({cases[i].name, to_string(result.status),
              count(cases[i].problem.buffers.size()), count(cases[i].capacity),
              count(result.stats.runs), count(result.stats.nodes),
              fixed(found[i].seconds, 4)});
  }
  if (!list.empty()) list.print(settings.csv);
  return {};
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_KERNELS_HPP
