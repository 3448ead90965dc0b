// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench constrained: A to K with constraints that a placement of theirs
/// satisfies, and a host that adds buffer after buffer to a placement that it
/// does not want to change. bench lowest: the lowest heights of the former.
#ifndef SNUG_BENCHMARKS_BENCH_CONSTRAINED_HPP
#define SNUG_BENCHMARKS_BENCH_CONSTRAINED_HPP

#include "bench_robust.hpp"
#include "cases.hpp"
#include "constrain.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/planner.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

[[nodiscard]] inline std::vector<Case> constrained_cases(
    const std::vector<Case>& tpu, Seeds seeds) {
  std::vector<Case> cases;
  for (const Kind& kind : kinds())
    for (const Case& base : tpu) {
      const Result<> placed = solve(base.problem, base.capacity);
      if (!placed.has_solution()) continue;
      for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
        Constrain constrain(base.problem, placed.offsets, base.capacity,
                            seed + 1);
        kind.apply(constrain);
        Case added = base;
        added.family = kind.family;
        added.name =
            base.name + '.' + kind.family + ".s" + std::to_string(seed);
        added.problem = constrain.take();
        added.held_out = seed % 2 != 0;
        cases.push_back(added);
      }
    }
  return cases;
}

[[nodiscard]] inline Buffer<> any_buffer(Random& random) {
  Buffer<> buffer;
  buffer.lifespan.lower = random.between(0, 4000);
  buffer.lifespan.upper = buffer.lifespan.lower + random.between(1, 120);
  buffer.size = 64 * random.between(1, 200);
  return buffer;
}

/// What a host does that adds buffer after buffer.
struct Steps {
  std::vector<double> seconds{};
  std::int64_t nodes = 0;
  std::size_t turned_away = 0;
  std::size_t moved = 0;
  std::size_t buffers = 0;  ///< in the end

  void add(Table& table, const char* way) const {
    double total = 0;
    for (const double one : seconds) total += one;
    table.add(
        {way, fixed(total, 3), fixed(median(seconds) * 1e3, 3),
         fixed(*std::max_element(seconds.begin(), seconds.end()) * 1e3, 2),
         count(nodes), count(moved), count(turned_away), count(buffers)});
  }
};

/// Some buffers, 900 of them fixed at a fifth above their lowest height; again
/// and again the first of the others is fixed and a new one comes.
class Growth {
 public:
  explicit Growth(Report& report) : report_(&report) {
    Random random(7);
    case_.name = "incremental";
    for (std::size_t i = 0; i < kBuffers; ++i)
      case_.problem.buffers.push_back(any_buffer(random));
    Options options;
    options.node_limit = 100000;
    start_ = minimize(case_.problem, options);
    case_.capacity = start_.height + start_.height / 5;
    for (std::size_t i = 0; i + kFree < kBuffers; ++i)
      case_.problem.buffers[i].offset = start_.offsets[i];
    case_.feasible = false;  // A new buffer may not fit.
    for (int round = 0; round < kRounds; ++round)
      coming_.push_back(any_buffer(random));
  }

  [[nodiscard]] Steps solve_each() const {
    Steps steps;
    Case one = case_;
    Result<> last = start_;
    for (const Buffer<>& next : coming_) {
      const std::size_t first = one.problem.buffers.size() - kFree;
      one.problem.buffers[first].offset = last.offsets[first];
      const std::vector<std::int64_t> before = last.offsets;
      one.problem.buffers.push_back(next);
      Result<> result;
      steps.seconds.push_back(
          time_of([&] { result = solve(one.problem, one.capacity); }));
      report_->judge(one, result);
      note(result, steps);
      if (!result.has_solution()) {
        one.problem.buffers.pop_back();
        one.problem.buffers[first].offset.reset();
        continue;
      }
      for (std::size_t i = 0; i < before.size(); ++i)
        if (result.offsets[i] != before[i]) ++steps.moved;
      last = result;
    }
    steps.buffers = one.problem.buffers.size();
    return steps;
  }

  [[nodiscard]] Steps plan() const {
    Steps steps;
    Planner<> planner(case_.problem, start_.offsets, case_.capacity);
    for (const Buffer<>& next : coming_) {
      const std::size_t first = planner.offsets().size() - kFree;
      planner.fix(first);
      Result<> result;
      steps.seconds.push_back(time_of([&] { result = planner.add(next); }));
      note(result, steps);
      steps.moved += result.moved.size();
      if (!result.has_solution()) planner.unfix(first);
    }
    steps.buffers = planner.offsets().size();
    Case one = case_;
    one.problem = planner.problem();
    Result<> all;
    all.status = Status::kFeasible;
    all.offsets = planner.offsets();
    for (std::size_t i = 0; i < all.offsets.size(); ++i)
      all.height =
          (std::max)(all.height, all.offsets[i] + one.problem.buffers[i].size);
    report_->judge(one, all);
    return steps;
  }

 private:
  static constexpr std::size_t kBuffers = 1000;
  static constexpr std::size_t kFree = 100;
  static constexpr int kRounds = 1000;

  static void note(const Result<>& result, Steps& steps) {
    steps.nodes += result.stats.nodes;
    if (!result.has_solution()) ++steps.turned_away;
  }

  Report* report_;
  Case case_{};
  Result<> start_{};
  std::vector<Buffer<>> coming_{};
};

inline void bench_incremental(const Settings& settings, Report& report) {
  const Growth growth(report);
  Table table(
      "A buffer more each time: 1000 steps from 1000 buffers, all but 100 "
      "fixed",
      1,
      {"each time", "seconds", "median ms", "worst ms", "nodes", "moved",
       "turned away", "buffers in the end"});
  growth.solve_each().add(table, "solve");
  growth.plan().add(table, "Planner::add");
  table.print(settings.csv);
}

/// The lowest heights of some cases: how many are as low as that of the placement
/// which is known, how many are proved, and how far they are from their bounds.
struct Lowest {
  std::size_t cases = 0;
  std::size_t reached = 0;
  std::size_t proved = 0;
  double gap = 0;  ///< sum of fractions
  std::int64_t nodes = 0;
  double seconds = 0;

  void add(const Case& one, const Result<>& result, double its_seconds) {
    ++cases;
    nodes += result.stats.nodes;
    seconds += its_seconds;
    if (!result.has_solution()) {
      gap += 1;
      return;
    }
    if (result.height <= one.capacity) ++reached;
    if (result.height == result.lower_bound) ++proved;
    gap += 1 - static_cast<double>(result.lower_bound) /
                   static_cast<double>(result.height);
  }
  void print(const std::string& family, Table& table) const {
    table.add({family, count(cases), count(reached), count(proved),
               fixed(100 * gap / static_cast<double>(cases), 3), count(nodes),
               fixed(seconds, 2)});
  }
};

inline void bench_lowest(const std::vector<Case>& tpu, const Settings& settings,
                         Report& report) {
  const Options options = limited(settings, 1);
  std::map<std::string, Lowest> families;
  Lowest all;
  for (const Case& one : constrained_cases(tpu, settings.seeds)) {
    Result<> result;
    const double seconds =
        time_of([&] { result = minimize(one.problem, options); });
    if (result.lower_bound > one.capacity)
      report.fail(one.name, "the lower bound is wrong");
    if (result.has_solution() &&
        !validate(one.problem, result.height, result.offsets).ok())
      report.fail(one.name, "the placement is not valid");
    for (Lowest* lowest : {&families[one.family], &all})
      lowest->add(one, result, seconds);
  }
  if (all.cases == 0) return;
  Table table(
      "lowest heights with constraints; at most " +
          seconds_text(options.time_limit) + " s each",
      1,
      {"", "cases", "as low as known", "proved", "gap %", "nodes", "seconds"});
  for (const auto& [family, lowest] : families) lowest.print(family, table);
  all.print("all", table);
  table.print(settings.csv);
}

inline void bench_constrained(const std::vector<Case>& tpu,
                              const Settings& settings, Report& report) {
  if (!tpu.empty()) {
    std::vector<Case> cases = constrained_cases(tpu, settings.seeds);
    bench_robust(cases, settings, report);
    // The constraints are taken from placements that a search from the bottom
    // found, which may help it to find them again. From the other end, it does not.
    for (Case& one : cases) {
      one.problem = turned(std::move(one.problem), one.capacity);
      one.family += ", turned";
      one.name += ".turned";
    }
    bench_robust(cases, settings, report);
  }
  bench_incremental(settings, report);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_CONSTRAINED_HPP
