// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench robust: instances like A to K, and others like nothing known, all
/// feasible by construction: how many are solved within the limit, once each.
#ifndef SNUG_BENCHMARKS_BENCH_ROBUST_HPP
#define SNUG_BENCHMARKS_BENCH_ROBUST_HPP

#include "cases.hpp"
#include "report.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace snug {
namespace benchmarks {

/// The sums over some solves.
struct Tally {
  std::size_t cases = 0;
  std::size_t solved = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
  double slowest = 0;

  void add(const Measured& measured) {
    ++cases;
    if (measured.solved()) ++solved;
    nodes += measured.result.stats.nodes;
    seconds += measured.seconds;
    slowest = (std::max)(slowest, measured.seconds);
  }

  [[nodiscard]] std::vector<std::string> row(const std::string& first,
                                             const std::string& second) const {
    return {first,
            second,
            count(cases),
            count(solved),
            count(nodes),
            microseconds_a_node(seconds, nodes),
            fixed(seconds, 3),
            fixed(slowest, 3)};
  }
};

[[nodiscard]] inline const char* half_name(bool held_out) {
  return held_out ? "held out" : "tuning";
}

inline void bench_robust(const std::vector<Case>& cases,
                         const Settings& settings, Report& report) {
  const Options options = limited(settings, 1);
  std::vector<Measured> found;
  found.reserve(cases.size());
  for (const Case& one : cases)
    found.push_back(measure_snug(one, options, report));

  std::vector<std::string> families;
  for (const Case& one : cases)
    if (std::find(families.begin(), families.end(), one.family) ==
        families.end())
      families.push_back(one.family);
  const std::string within = seconds_text(options.time_limit) + " s";
  Table table("Feasible by construction: solved within " + within +
                  ", CPU seconds of one run each",
              2,
              {"family", "half", "instances", "solved", "nodes", "us/node",
               "seconds", "slowest"});
  for (const std::string& family : families) {
    for (const bool held_out : {false, true}) {
      Tally tally;
      for (std::size_t i = 0; i < cases.size(); ++i)
        if (cases[i].family == family && cases[i].held_out == held_out)
          tally.add(found[i]);
      if (tally.cases > 0) table.add(tally.row(family, half_name(held_out)));
    }
  }
  Tally all;
  for (const bool held_out : {false, true}) {
    Tally tally;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].held_out != held_out) continue;
      tally.add(found[i]);
      all.add(found[i]);
    }
    table.add(tally.row("all", half_name(held_out)));
  }
  table.add(all.row("all", "both"));
  table.print(settings.csv);

  Table list(settings.list ? "Each instance" : "Not solved within " + within, 3,
             {"instance", "half", "outcome", "buffers", "capacity", "runs",
              "nodes", "seconds"});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (found[i].solved() && !settings.list) continue;
    const Result<>& result = found[i].result;
    list.add({cases[i].name, half_name(cases[i].held_out),
              outcome_word(result.status, result.stopped_by),
              count(cases[i].problem.buffers.size()), count(cases[i].capacity),
              count(result.stats.runs), count(result.stats.nodes),
              fixed(found[i].seconds, 4)});
  }
  if (!list.empty()) list.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_ROBUST_HPP
