// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench tpu: A to K at their capacity under default options. One round solves
/// each instance once, so that a slow moment of the machine hits all alike;
/// seconds are medians over the rounds.
#ifndef SNUG_BENCHMARKS_BENCH_TPU_HPP
#define SNUG_BENCHMARKS_BENCH_TPU_HPP

#include "baselines/minimalloc.hpp"
#include "cases.hpp"
#include "report.hpp"
#include "snug/bounds/load.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace snug {
namespace benchmarks {

/// Stops a search that has gone astray, at the same node everywhere and
/// without reading the clock.
inline constexpr std::int64_t kTpuNodes = 10000000;

/// CPU seconds that went by before the first solve.
struct Startup {
  double process = 0;  ///< up to the first line of main()
  double reading = 0;  ///< of reading A to K
};

inline void bench_tpu(const std::vector<Case>& tpu, const Settings& settings,
                      const Startup& startup, Report& report) {
  Options options;
  options.node_limit = kTpuNodes;
  const Options baseline_options = limited(settings, 10);
  std::vector<Measured> found(tpu.size());
  std::vector<Measured> baseline(tpu.size());
  std::vector<std::vector<double>> seconds(tpu.size());
  std::vector<double> rounds;
  for (int round = 0; round < settings.repeats; ++round) {
    double sum = 0;
    for (std::size_t i = 0; i < tpu.size(); ++i) {
      found[i] = measure_snug(tpu[i], options, report);
      seconds[i].push_back(found[i].seconds);
      sum += found[i].seconds;
      if (round > 0) continue;
      if (!found[i].solved())
        report.fail(tpu[i].name, "not solved at its capacity");
      if (settings.baseline)
        baseline[i] = measure(
            tpu[i], report, [&](const Problem<>& problem, std::int64_t c) {
              return baselines::minimalloc(problem, c, baseline_options);
            });
    }
    rounds.push_back(sum);
  }

  std::vector<std::string> header = {"",     "strategy", "buffers", "load",
                                     "runs", "nodes",    "us/node", "ms"};
  if (settings.baseline)
    for (const char* column : {"mm nodes", "mm us/node", "mm ms"})
      header.emplace_back(column);
  std::string title = "A to K at capacity " + count(kTpuCapacity) +
                      ", default options; CPU, medians of " +
                      count(settings.repeats) + " interleaved rounds";
  if (settings.baseline)
    title += "; mm: the baseline minimalloc, one run, at most " +
             seconds_text(baseline_options.time_limit) + " s each";
  Table table(title, 2, header);
  std::int64_t nodes = 0;
  std::int64_t baseline_nodes = 0;
  double baseline_seconds = 0;
  std::size_t baseline_solved = 0;
  for (std::size_t i = 0; i < tpu.size(); ++i) {
    const Stats& stats = found[i].result.stats;
    const double typical = median(seconds[i]);
    nodes += stats.nodes;
    std::vector<std::string> row = {
        tpu[i].name,
        found[i].solved()
            ? stats.strategy
            : outcome_word(found[i].result.status, found[i].result.stopped_by),
        count(tpu[i].problem.buffers.size()),
        count(load(tpu[i].problem)),
        count(stats.runs),
        count(stats.nodes),
        microseconds_a_node(typical, stats.nodes),
        fixed(typical * 1e3, 2)};
    if (settings.baseline) {
      const Stats& its = baseline[i].result.stats;
      baseline_nodes += its.nodes;
      baseline_seconds += baseline[i].seconds;
      if (baseline[i].solved()) ++baseline_solved;
      row.push_back(count(its.nodes));
      row.push_back(microseconds_a_node(baseline[i].seconds, its.nodes));
      row.push_back(baseline[i].solved() ? fixed(baseline[i].seconds * 1e3, 2)
                                         : "unsolved");
    }
    table.add(row);
  }
  const double typical = median(rounds);
  std::vector<std::string> total = {"total",
                                    "",
                                    "",
                                    "",
                                    "",
                                    count(nodes),
                                    microseconds_a_node(typical, nodes),
                                    fixed(typical * 1e3, 2)};
  if (settings.baseline) {
    total.push_back(count(baseline_nodes));
    total.push_back(microseconds_a_node(baseline_seconds, baseline_nodes));
    total.push_back(fixed(baseline_seconds * 1e3, 2));
  }
  table.add(total);
  table.print(settings.csv);
  if (settings.csv) return;
  if (settings.baseline)
    std::printf("\nThe baseline solved %d of %d.\n",
                static_cast<int>(baseline_solved),
                static_cast<int>(tpu.size()));
  std::printf(
      "\nCPU ms: process start %.2f, reading %.2f, solving %.2f, together "
      "%.2f.\n",
      startup.process * 1e3, startup.reading * 1e3, typical * 1e3,
      (startup.process + startup.reading + typical) * 1e3);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_TPU_HPP
