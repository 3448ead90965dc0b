// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench explain: irreducible infeasible sets, against leaving out one buffer
/// after the other with a solve each; and what to spill.
///
/// The cases are A to K one byte below their load, the infeasible walks of
/// `bench infeasible`, and long walks of some hundred buffers at their load, of
/// which only a small part does not fit. Each set is judged: solve() must not
/// place it, nor refute it without one of its buffers.
#ifndef SNUG_BENCHMARKS_BENCH_EXPLAIN_HPP
#define SNUG_BENCHMARKS_BENCH_EXPLAIN_HPP

#include "bench_infeasible.hpp"
#include "cases.hpp"
#include "generate.hpp"
#include "report.hpp"
#include "snug/bounds/load.hpp"
#include "snug/explain.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/solve.hpp"
#include "snug/spill.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// A set of buffers that do not fit, and what it took to find it.
struct Core {
  std::vector<std::size_t> buffers{};  ///< empty: nothing was refuted in time
  bool finished = false;               ///< irreducible
  std::int64_t solves = 0;
  std::int64_t nodes = 0;
  double seconds = 0;  ///< CPU
};

[[nodiscard]] inline std::vector<std::size_t> without_one(
    const std::vector<std::size_t>& buffers, std::size_t out) {
  std::vector<std::size_t> rest;
  for (const std::size_t i : buffers)
    if (i != out) rest.push_back(i);
  return rest;
}

/// The baseline: tries to do without each buffer in turn. The time limit is for
/// all solves together.
[[nodiscard]] inline Core delete_one_by_one(const Case& one,
                                            const Options& options) {
  Core core;
  const auto start = std::chrono::steady_clock::now();
  const auto ask = [&](const std::vector<std::size_t>& buffers) {
    Options rest = options;
    rest.time_limit -= std::chrono::steady_clock::now() - start;
    const Result<> result =
        solve(subset(one.problem, buffers), one.capacity, rest);
    ++core.solves;
    core.nodes += result.stats.nodes;
    return result.status;
  };
  std::vector<std::size_t> all(one.problem.buffers.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (ask(all) != Status::kInfeasible) return core;
  core.buffers = all;
  core.finished = true;
  for (const std::size_t i : all) {
    std::vector<std::size_t> rest = without_one(core.buffers, i);
    const Status status = ask(rest);
    if (status == Status::kInfeasible) core.buffers = std::move(rest);
    if (status == Status::kUnknown) {
      core.finished = false;
      break;
    }
  }
  return core;
}

[[nodiscard]] inline Core explain_case(const Case& one,
                                       const Options& options) {
  Core core;
  Explanation<> found = explain(one.problem, one.capacity, options);
  core.buffers = std::move(found.buffers);
  core.finished = found.proved_irreducible;
  core.solves = found.stats.solves;
  core.nodes = found.stats.nodes;
  return core;
}

inline void judge_core(const Case& one, const Core& core,
                       const Options& options, Report& report) {
  const auto ask = [&](const std::vector<std::size_t>& buffers) {
    return solve(subset(one.problem, buffers), one.capacity, options).status;
  };
  if (core.buffers.empty()) return;
  const Status status = ask(core.buffers);
  if (status == Status::kFeasible || status == Status::kOptimal)
    report.fail(one.name, "the explanation fits");
  if (!core.finished) return;
  for (const std::size_t i : core.buffers)
    if (ask(without_one(core.buffers, i)) == Status::kInfeasible)
      report.fail(one.name, "the explanation is not irreducible");
}

/// One side of a row: sets found and, over the cases that both finished, their
/// sizes and what they took.
struct CoreTally {
  std::size_t finished = 0;
  std::size_t buffers = 0;
  std::int64_t solves = 0;
  std::int64_t nodes = 0;
  double seconds = 0;

  void add(const Core& core) {
    buffers += core.buffers.size();
    solves += core.solves;
    nodes += core.nodes;
    seconds += core.seconds;
  }
  void add_to(std::vector<std::string>& row) const {
    for (const std::string& text :
         {count(finished), count(buffers), count(solves), count(nodes),
          fixed(seconds * 1e3, 2)})
      row.push_back(text);
  }
};

/// Long walks at their load. Whether they fit is for the search to find out.
[[nodiscard]] inline std::vector<Case> long_walks() {
  std::vector<Case> cases;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TightWalk walk;
    walk.units = 24;
    walk.live = 6;
    walk.steps = 100 + 40 * static_cast<std::int64_t>(seed);
    Case one;
    one.family = "long walks";
    one.name = "long.s" + std::to_string(seed);
    one.problem = tight_walk<>(walk, seed);
    one.capacity = load(one.problem);
    one.feasible = false;
    cases.push_back(std::move(one));
  }
  return cases;
}

[[nodiscard]] inline std::vector<Case> explain_cases(
    const std::vector<Case>& tpu) {
  std::vector<Case> cases;
  for (Case one : tpu) {
    one.capacity = load(one.problem) - 1;
    one.feasible = false;
    cases.push_back(std::move(one));
  }
  for (const WalkFamily& family : kWalkFamilies)
    for (Case& one : find_infeasible(family)) cases.push_back(std::move(one));
  for (Case& one : long_walks()) cases.push_back(std::move(one));
  return cases;
}

/// What to spill from A to K at some percentage of their load.
inline void bench_spills(const std::vector<Case>& tpu, const Options& options,
                         const Settings& settings, Report& report) {
  Table table("suggest_spills(), cost 1 for each byte, within " +
                  seconds_text(options.time_limit) +
                  " s: kilobytes, and the bound that none costs less",
              1,
              {"", "% of load", "buffers", "spilled", "cost", "bound", "solves",
               "nodes", "ms"});
  for (const Case& one : tpu)
    for (const std::int64_t percent : {99, 90, 50}) {
      const std::int64_t capacity = load(one.problem) * percent / 100;
      Spills<> found;
      const double seconds = time_of([&] {
        found = suggest_spills(one.problem, capacity,
                               std::vector<std::int64_t>{}, options);
      });
      std::vector<std::size_t> kept;
      std::vector<std::int64_t> offsets;
      for (std::size_t i = 0; i < found.offsets.size(); ++i) {
        if (found.offsets[i] == Spills<>::kSpilled) continue;
        kept.push_back(i);
        offsets.push_back(found.offsets[i]);
      }
      if (!validate(subset(one.problem, kept), capacity, offsets).ok())
        report.fail(one.name, "what is not spilled is not placed");
      table.add({one.name, count(percent), count(found.offsets.size()),
                 count(found.buffers.size()), count(found.cost / 1024),
                 count(found.cost_bound / 1024), count(found.stats.solves),
                 count(found.stats.nodes), fixed(seconds * 1e3, 1)});
    }
  if (!table.empty()) table.print(settings.csv);
}

inline void bench_explain(const std::vector<Case>& tpu,
                          const Settings& settings, Report& report) {
  const Options options = limited(settings, 1);
  Table table(
      "explain() and, as a baseline, leaving out one buffer after the "
      "other, within " +
          seconds_text(options.time_limit) +
          " s a case; all but `finished` over the cases that both "
          "finished, CPU time",
      1,
      {"", "cases", "both", "buffers", "finished", "in sets", "solves", "nodes",
       "ms", "1x1 finished", "1x1 in sets", "1x1 solves", "1x1 nodes",
       "1x1 ms"});
  Table list("Each case", 1,
             {"case", "buffers", "capacity", "set", "solves", "nodes", "ms",
              "1x1 set", "1x1 solves", "1x1 nodes", "1x1 ms"});
  const std::vector<Case> cases = explain_cases(tpu);
  for (std::size_t i = 0; i < cases.size();) {
    const std::string family = cases[i].family;
    std::size_t number = 0;
    std::size_t both = 0;
    std::size_t buffers = 0;
    CoreTally ours, theirs;
    for (; i < cases.size() && cases[i].family == family; ++i) {
      const Case& one = cases[i];
      Core mine, its;
      const double seconds =
          time_of([&] { mine = explain_case(one, options); });
      mine.seconds = seconds;
      const double its_seconds =
          time_of([&] { its = delete_one_by_one(one, options); });
      its.seconds = its_seconds;
      judge_core(one, mine, options, report);
      ++number;
      if (mine.finished) ++ours.finished;
      if (its.finished) ++theirs.finished;
      std::vector<std::string> row = {
          one.name, count(one.problem.buffers.size()), count(one.capacity)};
      for (const Core* core : {&mine, &its}) {
        row.push_back(count(core->buffers.size()) +
                      (core->finished ? "" : " ?"));
        row.push_back(count(core->solves));
        row.push_back(count(core->nodes));
        row.push_back(fixed(core->seconds * 1e3, 2));
      }
      list.add(row);
      if (!mine.finished || !its.finished) continue;
      ++both;
      buffers += one.problem.buffers.size();
      ours.add(mine);
      theirs.add(its);
    }
    std::vector<std::string> row = {family, count(number), count(both),
                                    count(buffers)};
    ours.add_to(row);
    theirs.add_to(row);
    table.add(row);
  }
  table.print(settings.csv);
  if (settings.list) list.print(settings.csv);
  bench_spills(tpu, options, settings, report);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_EXPLAIN_HPP
