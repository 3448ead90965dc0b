// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench scale: time and memory as instances grow. Cliques are solved at their
/// load; the others at the lowest height of three greedy placements, so all of
/// them are feasible by construction. Memory is what a counting operator new
/// saw during the solve, next to what the solve says of itself.
///
/// Then minimize() on up to a million buffers: when it has a first placement,
/// and how low it gets within a time limit.
#ifndef SNUG_BENCHMARKS_BENCH_SCALE_HPP
#define SNUG_BENCHMARKS_BENCH_SCALE_HPP

#include "baselines/greedy.hpp"
#include "cases.hpp"
#include "counting_new.hpp"
#include "generate.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/bounds/load.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// `count` buffers that are all live together.
[[nodiscard]] inline Problem<> clique(std::size_t count, std::int64_t largest,
                                      std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  problem.buffers.resize(count);
  for (Buffer<>& buffer : problem.buffers) {
    buffer.lifespan = {0, 1};
    buffer.size = random.between(std::int64_t{1}, largest);
  }
  return problem;
}

[[nodiscard]] inline std::int64_t greedy_height(const Problem<>& problem) {
  std::int64_t least = (std::numeric_limits<std::int64_t>::max)();
  for (const std::vector<std::int64_t>& offsets :
       {baselines::greedy_first_fit(problem),
        baselines::greedy_best_fit(problem),
        baselines::greedy_stack(problem)}) {
    std::int64_t height = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i)
      height = (std::max)(height, offsets[i] + problem.buffers[i].size);
    least = (std::min)(least, height);
  }
  return least;
}

inline constexpr std::array<const char*, 3> kScaleFamilies = {
    "clique", "exponential", "mixed"};

[[nodiscard]] inline Case scale_case(const std::string& family, std::size_t n) {
  constexpr std::int64_t kLargest = 65536;
  const auto length = static_cast<std::int64_t>(n);
  Case one;
  one.family = family;
  one.name = family + std::to_string(n);
  if (family == "clique") {
    one.problem = clique(n, kLargest, n);
    one.capacity = load(one.problem);
    return one;
  }
  one.problem = family == "mixed" ? mixed<>(n, length, kLargest, n)
                                  : exponential<>(n, length, 20, kLargest, n);
  one.capacity = greedy_height(one.problem);
  return one;
}

inline constexpr std::array<const char*, 3> kHugeFamilies = {"exponential",
                                                             "nested", "mixed"};

[[nodiscard]] inline Problem<> huge_problem(const std::string& family,
                                            std::size_t n) {
  constexpr std::int64_t kLargest = 65536;
  const auto length = static_cast<std::int64_t>(n);
  if (family == "nested") return nested<>(n, kLargest, n);
  return family == "mixed" ? mixed<>(n, length, kLargest, n)
                           : exponential<>(n, length, 20, kLargest, n);
}

/// What minimize() does: time, and the bytes it held.
struct Minimized {
  Result<> result;
  double seconds = 0;
  double bytes = 0;
};

[[nodiscard]] inline Minimized minimized(const Problem<>& problem,
                                         const Options& options,
                                         const std::string& name,
                                         Report& report) {
  Minimized found;
  memory().restart();
  const std::size_t before = memory().live;
  found.seconds = time_of([&] { found.result = minimize(problem, options); });
  found.bytes = static_cast<double>(memory().peak - before);
  if (!found.result.has_solution() ||
      !validate(problem, found.result.height, found.result.offsets).ok())
    report.fail(name, "no valid placement");
  if (found.result.lower_bound > found.result.height)
    report.fail(name, "the lower bound is wrong");
  return found;
}

inline void bench_huge(const Settings& settings, Report& report) {
  constexpr double kMostBytes = 200;
  const Options options = limited(settings, 5);
  Table table("Huge problems: the first placement, and the lowest within " +
                  seconds_text(options.time_limit) +
                  " s; growth: of the time of the first placement, by buffer",
              2,
              {"", "buffers", "first s", "growth", "height/bound", "status",
               "height/bound", "s", "peak MB", "bytes a buffer"});
  for (const char* const family : kHugeFamilies) {
    double last = 0;
    for (const std::size_t n :
         {std::size_t{10000}, std::size_t{100000}, std::size_t{1000000}}) {
      if (n > settings.largest) break;
      const std::string name = family + std::to_string(n);
      const Problem<> problem = huge_problem(family, n);
      const auto ratio = [](const Result<>& result) {
        return fixed(static_cast<double>(result.height) /
                         static_cast<double>(result.lower_bound),
                     5);
      };
      Options without_search;
      without_search.node_limit = 0;
      const Minimized first = minimized(problem, without_search, name, report);
      const Minimized best = minimized(problem, options, name, report);
      const double bytes =
          (std::max)(first.bytes, best.bytes) / static_cast<double>(n);
      if (n >= 100000 && bytes > kMostBytes)
        report.fail(name, "more than 200 bytes a buffer");
      table.add({family, count(n), fixed(first.seconds, 4),
                 last > 0 ? fixed(first.seconds / last / 10, 2) : "-",
                 ratio(first.result),
                 outcome_word(best.result.status, best.result.stopped_by),
                 ratio(best.result), fixed(best.seconds, 2),
                 fixed((std::max)(first.bytes, best.bytes) / 1e6, 1),
                 fixed(bytes, 0)});
      last = first.seconds;
    }
  }
  table.print(settings.csv);
}

inline void bench_scale(const Settings& settings, Report& report) {
  const Options options = limited(settings, 10);
  Table table("Scale: one run each, at most " +
                  seconds_text(options.time_limit) +
                  " s; capacity: the load for cliques, else the best greedy "
                  "height; left out: more than " +
                  fixed(settings.megabytes, 0) + " MB expected",
              2,
              {"", "outcome", "buffers", "capacity/load", "nodes", "us/node",
               "CPU s", "peak MB", "reported", "off %"});
  std::array<double, kScaleFamilies.size()> expected{};
  for (const std::size_t n :
       {std::size_t{100}, std::size_t{500}, std::size_t{2000},
        std::size_t{5000}, std::size_t{10000}, std::size_t{20000}}) {
    if (n > settings.largest) break;
    for (std::size_t k = 0; k < kScaleFamilies.size(); ++k) {
      // Memory may grow with the square of the size.
      const auto size = static_cast<double>(n);
      if (expected[k] * size * size > settings.megabytes * 1e6) {
        table.add({kScaleFamilies[k], "left out", count(n)});
        continue;
      }
      const Case one = scale_case(kScaleFamilies[k], n);
      std::size_t peak_bytes = 0;
      const Measured found = measure(
          one, report, [&](const Problem<>& problem, std::int64_t capacity) {
            memory().restart();
            const std::size_t before = memory().live;
            Result<> result = solve(problem, capacity, options);
            peak_bytes = memory().peak - before;
            return result;
          });
      const Stats& stats = found.result.stats;
      const auto peak = static_cast<double>(peak_bytes);
      expected[k] = peak / (size * size);
      const auto reported = static_cast<double>(stats.peak_bytes);
      table.add(
          {one.family,
           outcome_word(found.result.status, found.result.stopped_by), count(n),
           fixed(static_cast<double>(one.capacity) /
                     static_cast<double>(found.result.lower_bound),
                 4),
           count(stats.nodes), microseconds_a_node(found.seconds, stats.nodes),
           fixed(found.seconds, 4), fixed(peak / 1e6, 3),
           fixed(reported / 1e6, 3), fixed(100 * (reported / peak - 1), 1)});
    }
  }
  table.print(settings.csv);
  if (settings.largest >= 10000) bench_huge(settings, report);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_SCALE_HPP
