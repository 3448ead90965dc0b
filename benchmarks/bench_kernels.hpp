// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench kernels, bench hard: instances that a manifest.csv lists.
///
///     kernels   memory pools of a compiler's kernels, with pairs kept apart
///               and reserved ranges: lowest heights, certificates that nothing
///               is lower, and placements at capacity
///     hard      kinds that take a search long, at the manifest's capacity
#ifndef SNUG_BENCHMARKS_BENCH_KERNELS_HPP
#define SNUG_BENCHMARKS_BENCH_KERNELS_HPP

#include "../examples/certificate/check.hpp"
#include "../examples/certificate/problem.hpp"
#include "cases.hpp"
#include "instances.hpp"
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
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// A name without its digits, signs and extension, as in "gapm" for
/// gapm_01.csv.
[[nodiscard]] inline std::string kind_of(const std::string& file) {
  std::string kind;
  for (const char c : file.substr(0, file.find('.')))
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) kind += c;
  return kind;
}

/// Reads the instances that dir/manifest.csv lists. Returns what went wrong, or
/// nothing.
[[nodiscard]] inline std::string read_listed(const std::string& dir,
                                             std::vector<Case>& cases) {
  return read_manifest(dir, [&](const std::string& file, Problem<> problem,
                                std::int64_t capacity, const auto& field) {
    cases.push_back({kind_of(file), file, capacity, std::move(problem),
                     field("fits") == "yes"});
  });
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
  const std::string error = read_listed(settings.dir + "/kernels", cases);
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
  const std::string error = read_listed(settings.dir + "/hard", cases);
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
