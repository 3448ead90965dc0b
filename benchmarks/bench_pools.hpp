// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench pools: what is cheapest to leave out of a memory that is too small, or
/// to put into the slower of several, with its bound.
///
/// The cases are A to K within half and three quarters of their load; each byte
/// of a buffer costs 1 to 6 outside, at random. The baseline leaves out buffers
/// in an order until the load fits, those of sections that are too full, and
/// then more of them until solve() finds a placement; the best of five orders.
/// Every placement is judged. And the large instances, without baseline.
#ifndef SNUG_BENCHMARKS_BENCH_POOLS_HPP
#define SNUG_BENCHMARKS_BENCH_POOLS_HPP

#include "bench_minimize.hpp"
#include "cases.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/assign.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/solve.hpp"
#include "snug/spill.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace snug {
namespace benchmarks {

/// What each buffer costs outside.
[[nodiscard]] inline std::vector<std::int64_t> outside_costs(
    const Problem<>& problem) {
  Random random(problem.buffers.size());
  std::vector<std::int64_t> costs;
  for (const Buffer<>& buffer : problem.buffers)
    costs.push_back(buffer.size * random.between(1, 6));
  return costs;
}

/// The cost of leaving out buffers in the order of a price, or -1 if that came
/// to nothing in time.
template <class Price>
[[nodiscard]] std::int64_t leave_out_by(const Problem<>& problem,
                                        std::int64_t capacity,
                                        const std::vector<std::int64_t>& costs,
                                        const Options& options, Price&& price) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::size_t> order(costs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return price(a) < price(b); });
  std::vector<std::size_t> kept(order);
  std::sort(kept.begin(), kept.end());
  std::int64_t cost = 0;
  const auto leave_out = [&](std::size_t i) {
    kept.erase(std::find(kept.begin(), kept.end(), i));
    cost += costs[i];
  };
  const auto is_too_full_at = [&](std::size_t i) {
    const Interval<std::int64_t> span = problem.buffers[i].lifespan;
    for (const std::size_t j : kept) {
      const std::int64_t at =
          (std::max)(span.lower, problem.buffers[j].lifespan.lower);
      if (!span.contains(Interval<std::int64_t>{at, at + 1})) continue;
      std::int64_t live = 0;
      for (const std::size_t k : kept)
        if (problem.buffers[k].lifespan.contains(
                Interval<std::int64_t>{at, at + 1}))
          live += problem.buffers[k].size;
      if (live > capacity) return true;
    }
    return false;
  };
  std::vector<std::size_t> rest;
  for (const std::size_t i : order) {
    if (is_too_full_at(i)) {
      leave_out(i);
    } else {
      rest.push_back(i);
    }
  }
  Options each = options;
  for (std::size_t next = 0;; ++next) {
    each.time_limit = (std::min)(
        options.time_limit / 4,
        options.time_limit - (std::chrono::steady_clock::now() - start));
    if (each.time_limit <= std::chrono::nanoseconds(0)) return -1;
    if (solve(subset(problem, kept), capacity, each).has_solution())
      return cost;
    if (next == rest.size()) return -1;
    leave_out(rest[next]);
  }
}

/// The best of five orders; -1: none came to an end.
[[nodiscard]] inline std::int64_t greedy_spill_cost(
    const Problem<>& problem, std::int64_t capacity,
    const std::vector<std::int64_t>& costs, const Options& options) {
  const auto size = [&](std::size_t i) {
    return static_cast<double>(problem.buffers[i].size);
  };
  const auto length = [&](std::size_t i) {
    return static_cast<double>(problem.buffers[i].lifespan.upper -
                               problem.buffers[i].lifespan.lower);
  };
  const auto cost = [&](std::size_t i) {
    return static_cast<double>(costs[i]);
  };
  std::int64_t best = -1;
  const auto enter = [&](auto&& price) {
    const std::int64_t found =
        leave_out_by(problem, capacity, costs, options, price);
    if (found >= 0 && (best < 0 || found < best)) best = found;
  };
  enter(cost);
  enter([&](std::size_t i) { return cost(i) / size(i); });
  enter([&](std::size_t i) { return cost(i) / (size(i) * length(i)); });
  enter([&](std::size_t i) { return -size(i); });
  enter([&](std::size_t i) { return -size(i) * length(i); });
  return best;
}

inline void judge_pool(const std::string& name, const Problem<>& problem,
                       std::int64_t capacity,
                       const std::vector<std::size_t>& buffers,
                       const std::vector<std::int64_t>& all, Report& report) {
  std::vector<std::int64_t> offsets;
  for (const std::size_t i : buffers) offsets.push_back(all[i]);
  if (!validate(subset(problem, buffers), capacity, offsets).ok())
    report.fail(name, "invalid placement");
}

inline void judge_spills(const Case& one, std::int64_t capacity,
                         const Spills<>& found, Report& report) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < found.offsets.size(); ++i)
    if (found.offsets[i] != Spills<>::kSpilled) kept.push_back(i);
  judge_pool(one.name, one.problem, capacity, kept, found.offsets, report);
}

[[nodiscard]] inline std::string gap_text(std::int64_t cost,
                                          std::int64_t bound) {
  if (cost <= bound) return "0";
  return fixed(100 * (static_cast<double>(cost) - static_cast<double>(bound)) /
                   static_cast<double>(cost),
               2);
}

/// What it costs to leave out of the large instances, as they are published.
inline void bench_large_spills(const Settings& settings, Report& report) {
  const Options options = limited(settings, 2);
  Table table("suggest_spills() of large instances within " +
                  seconds_text(options.time_limit) + " s; megabytes",
              1, {"", "buffers", "% of load", "cost", "bound", "gap %", "s"});
  constexpr std::int64_t kMega = std::int64_t{1} << 20;
  for (const Case& one : large_cases(settings.dir)) {
    if (one.family != "large") continue;
    const std::vector<std::int64_t> costs = outside_costs(one.problem);
    for (const std::int64_t percent : {50, 75, 95}) {
      const std::int64_t capacity = load(one.problem) / 100 * percent;
      const Spills<> found =
          suggest_spills(one.problem, capacity, costs, options);
      judge_spills(one, capacity, found, report);
      table.add({one.name, count(costs.size()), count(percent),
                 count(found.cost / kMega), count(found.cost_bound / kMega),
                 gap_text(found.cost, found.cost_bound),
                 fixed(found.stats.seconds, 2)});
    }
  }
  if (!table.empty()) table.print(settings.csv);
}

inline void bench_pools(const std::vector<Case>& tpu, const Settings& settings,
                        Report& report) {
  const Options options = limited(settings, 1);
  Options whole = options;
  whole.time_limit *= 10;
  Table spills(
      "suggest_spills() within " + seconds_text(whole.time_limit) +
          " s, each byte 1 to 6; the best of five greedy orders within " +
          seconds_text(options.time_limit) + " s each; kilobytes",
      1,
      {"", "% of load", "greedy", "cost", "bound", "gap %", "solves", "nodes",
       "s"});
  Table banks(
      "assign() to two banks of the same size and a slow memory within " +
          seconds_text(options.time_limit) + " s; kilobytes",
      1, {"", "% of load", "cost", "bound", "gap %", "solves", "nodes", "s"});
  for (const Case& one : tpu)
    for (const std::int64_t percent : {50, 75}) {
      const std::int64_t capacity = load(one.problem) * percent / 100;
      const std::vector<std::int64_t> costs = outside_costs(one.problem);
      const Spills<> found =
          suggest_spills(one.problem, capacity, costs, whole);
      judge_spills(one, capacity, found, report);
      const std::int64_t greedy =
          greedy_spill_cost(one.problem, capacity, costs, options);
      if (greedy >= 0 && greedy < found.cost_bound)
        report.fail(one.name, "a cheaper choice is known");
      spills.add(
          {one.name, count(percent), greedy < 0 ? "-" : count(greedy / 1024),
           count(found.cost / 1024), count(found.cost_bound / 1024),
           gap_text(found.cost, found.cost_bound), count(found.stats.solves),
           count(found.stats.nodes), fixed(found.stats.seconds, 2)});

      Pools<> pools;
      pools.pools.resize(3);
      pools.pools[0].capacity = pools.pools[1].capacity = capacity / 2;
      pools.pools[2].capacity = std::int64_t{1} << 40;
      for (const std::int64_t cost : costs) pools.costs.push_back({0, 0, cost});
      const AssignResult<> placed = assign(one.problem, pools, options);
      if (!placed.has_solution()) {
        report.fail(one.name, "not assigned although there is room");
        continue;
      }
      for (std::size_t p = 0; p < pools.pools.size(); ++p) {
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < costs.size(); ++i)
          if (placed.pools[i] == p) kept.push_back(i);
        judge_pool(one.name, one.problem, pools.pools[p].capacity, kept,
                   placed.offsets, report);
      }
      banks.add({one.name, count(percent), count(placed.cost / 1024),
                 count(placed.cost_bound / 1024),
                 gap_text(placed.cost, placed.cost_bound),
                 count(placed.stats.solves), count(placed.stats.nodes),
                 fixed(placed.stats.seconds, 2)});
    }
  if (!spills.empty()) spills.print(settings.csv);
  if (!banks.empty()) banks.print(settings.csv);
  bench_large_spills(settings, report);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_POOLS_HPP
