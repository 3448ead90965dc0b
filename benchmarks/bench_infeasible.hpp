// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench infeasible: proofs that need a search. Tight walks whose optimum lies
/// above their load are rare, so seeds are scanned for them; each capacity from
/// the load to just below the optimum is one case. snug and the baseline
/// minimalloc take turns on each.
///
/// The scan is snug's own, with a node limit. A walk that it leaves undecided
/// is a case as well, at the capacity where it stopped: otherwise the set would
/// hold only what snug can prove.
#ifndef SNUG_BENCHMARKS_BENCH_INFEASIBLE_HPP
#define SNUG_BENCHMARKS_BENCH_INFEASIBLE_HPP

#include "baselines/minimalloc.hpp"
#include "cases.hpp"
#include "generate.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/bounds/load.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "table.hpp"
#include "timing.hpp"
#include "variants.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// A family of walks: each seed draws a shape between two.
struct WalkFamily {
  const char* name;
  TightWalk least, most;
  int percent_deleted;
  std::uint64_t seeds;  ///< to scan at most
  std::size_t cases;    ///< to find
};

inline constexpr std::array<WalkFamily, 4> kWalkFamilies = {{
    {"small", {6, 1, 2, 3, 1}, {16, 1, 5, 7, 3}, 0, 40000, 50},
    {"middle", {8, 1, 3, 6, 1}, {20, 1, 6, 12, 3}, 0, 6000, 50},
    {"large", {16, 1, 5, 15, 1}, {32, 1, 8, 30, 3}, 0, 400, 50},
    {"10 % deleted", {12, 1, 3, 5, 1}, {32, 1, 8, 30, 3}, 10, 4000, 50},
}};

[[nodiscard]] inline Problem<> draw_walk(const WalkFamily& family,
                                         std::uint64_t seed) {
  Random random(seed);
  const TightWalk& least = family.least;
  const TightWalk& most = family.most;
  TightWalk walk;
  walk.units = random.between(least.units, most.units);
  walk.live = random.between(least.live, most.live);
  walk.steps = random.between(least.steps, most.steps);
  walk.most_changed = random.between(least.most_changed, most.most_changed);
  Problem<> problem = tight_walk<>(walk, random.next());
  if (family.percent_deleted == 0) return problem;
  return without(problem, family.percent_deleted, random.next());
}

[[nodiscard]] inline std::vector<Case> find_infeasible(
    const WalkFamily& family) {
  Options options;
  options.node_limit = 20000;
  std::vector<Case> cases;
  for (std::uint64_t seed = 0;
       seed < family.seeds && cases.size() < family.cases; ++seed) {
    Case one;
    one.family = family.name;
    one.problem = draw_walk(family, seed);
    one.feasible = false;
    for (one.capacity = load(one.problem);; ++one.capacity) {
      const Status status = solve(one.problem, one.capacity, options).status;
      if (status == Status::kFeasible || status == Status::kOptimal) break;
      one.name = one.family + ".s" + std::to_string(seed) + '.' +
                 std::to_string(one.capacity);
      cases.push_back(one);
      if (status != Status::kInfeasible) break;
    }
  }
  return cases;
}

/// What one solver did on one case.
struct Proof {
  Measured last{};
  std::vector<double> seconds{};

  [[nodiscard]] bool proved() const {
    return last.result.status == Status::kInfeasible;
  }
  /// After a limit was hit, another round would hit it again.
  [[nodiscard]] bool open() const { return seconds.empty() || proved(); }
};

/// One solver's part of a row: proofs found and, over the cases that both
/// proved, nodes and time.
struct ProofTally {
  std::size_t proved = 0;
  std::vector<double> nodes{};
  std::vector<double> microseconds{};

  void add_to(std::vector<std::string>& row) const {
    const auto sum = [](const std::vector<double>& values) {
      double total = 0;
      for (const double value : values) total += value;
      return total;
    };
    row.push_back(count(proved));
    row.push_back(fixed(median(nodes), 0));
    row.push_back(fixed(sum(nodes), 0));
    row.push_back(fixed(median(microseconds), 1));
    row.push_back(fixed(sum(microseconds) / 1e3, 2));
  }
};

class ProofTable {
 public:
  explicit ProofTable(const std::string& title)
      : table_(title, 1,
               {"", "cases", "both", "proved", "median nodes", "nodes",
                "median us", "ms", "mm proved", "mm median nodes", "mm nodes",
                "mm median us", "mm ms", "snug slower"}) {}

  void start(const std::string& name) {
    name_ = name;
    cases_ = slower_ = 0;
    snug_ = minimalloc_ = ProofTally{};
  }
  void add(const Proof& ours, const Proof& theirs) {
    ++cases_;
    if (ours.proved()) ++snug_.proved;
    if (theirs.proved()) ++minimalloc_.proved;
    if (!ours.proved() || !theirs.proved()) return;
    const auto put = [](const Proof& proof, ProofTally& tally) {
      tally.nodes.push_back(static_cast<double>(proof.last.result.stats.nodes));
      tally.microseconds.push_back(median(proof.seconds) * 1e6);
    };
    put(ours, snug_);
    put(theirs, minimalloc_);
    if (snug_.microseconds.back() > minimalloc_.microseconds.back()) ++slower_;
  }
  void finish() {
    std::vector<std::string> row = {name_, count(cases_),
                                    count(snug_.nodes.size())};
    snug_.add_to(row);
    minimalloc_.add_to(row);
    row.push_back(count(slower_));
    table_.add(row);
  }
  [[nodiscard]] std::string statement() const {
    return "Of " + count(cases_) + " cases, snug proved " +
           count(snug_.proved) + " infeasible, minimalloc " +
           count(minimalloc_.proved) + ".";
  }
  void print(bool csv) const { table_.print(csv); }

 private:
  Table table_;
  std::string name_{};
  std::size_t cases_ = 0;
  std::size_t slower_ = 0;
  ProofTally snug_{};
  ProofTally minimalloc_{};
};

inline void bench_infeasible(const Settings& settings, Report& report) {
  const Options options = limited(settings, 1);
  constexpr double kAtLeast = 5e-4;  // the clock ticks in microseconds
  std::vector<Case> cases;
  for (const WalkFamily& family : kWalkFamilies)
    for (Case& one : find_infeasible(family)) cases.push_back(std::move(one));
  std::vector<Proof> ours(cases.size());
  std::vector<Proof> theirs(cases.size());
  for (int round = 0; round < settings.repeats; ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (ours[i].open()) {
        ours[i].last = measure_snug(cases[i], options, report, kAtLeast);
        ours[i].seconds.push_back(ours[i].last.seconds);
      }
      if (theirs[i].open()) {
        theirs[i].last = measure(
            cases[i], report,
            [&](const Problem<>& problem, std::int64_t capacity) {
              return baselines::minimalloc(problem, capacity, options);
            },
            kAtLeast);
        theirs[i].seconds.push_back(theirs[i].last.seconds);
      }
      const bool solved = ours[i].last.solved() || theirs[i].last.solved();
      if (solved && (ours[i].proved() || theirs[i].proved()))
        report.fail(cases[i].name,
                    "one solver places it, the other refutes it");
    }
  }

  const std::string within = seconds_text(options.time_limit) + " s";
  ProofTable table(
      "Infeasible: proofs of snug and of the baseline minimalloc (mm) within " +
      within +
      "; nodes and CPU time of the cases that both proved, medians of " +
      count(settings.repeats) + " interleaved rounds");
  Table list(
      "Each case", 1,
      {"case", "buffers", "capacity", "nodes", "us", "mm nodes", "mm us"});
  const auto add = [&](std::size_t i) {
    // A walk that the scan left undecided may turn out to fit.
    if (!ours[i].last.solved() && !theirs[i].last.solved())
      table.add(ours[i], theirs[i]);
  };
  for (const WalkFamily& family : kWalkFamilies) {
    table.start(family.name);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (cases[i].family == family.name) add(i);
    table.finish();
  }
  table.start("all");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    add(i);
    std::vector<std::string> row = {cases[i].name,
                                    count(cases[i].problem.buffers.size()),
                                    count(cases[i].capacity)};
    for (const Proof* proof : {&ours[i], &theirs[i]}) {
      row.push_back(count(proof->last.result.stats.nodes));
      row.push_back(proof->proved()
                        ? fixed(median(proof->seconds) * 1e6, 1)
                        : outcome_word(proof->last.result.status,
                                       proof->last.result.stopped_by));
    }
    list.add(row);
  }
  table.finish();
  table.print(settings.csv);
  if (!settings.csv) std::printf("\n%s\n", table.statement().c_str());
  if (settings.list) list.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_INFEASIBLE_HPP
