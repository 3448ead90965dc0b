// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench race: lowest heights of the hard ones of A to K, alone and in races of
/// two and more seeds, by the clock on the wall.
#ifndef SNUG_BENCHMARKS_BENCH_RACE_HPP
#define SNUG_BENCHMARKS_BENCH_RACE_HPP

#include "cases.hpp"
#include "report.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/race.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace snug {
namespace benchmarks {

/// Races of two and four, and of as many as the machine has cores.
[[nodiscard]] inline std::vector<std::size_t> race_sizes() {
  std::vector<std::size_t> sizes = {1, 2, 4};
  const std::size_t cores = std::thread::hardware_concurrency();
  if (cores > 4) sizes.push_back(cores);
  return sizes;
}

inline void bench_race(const std::vector<Case>& tpu, const Settings& settings,
                       Report& report) {
  Options options = limited(settings, 10);
  Table table("minimize(), within " + seconds_text(options.time_limit) +
                  " s each, races " + count(settings.seeds.first) + " to " +
                  count(settings.seeds.last) +
                  ", the k-th of n racers from seed k n on; seconds on the "
                  "wall, " +
                  count(std::thread::hardware_concurrency()) + " cores",
              2,
              {"", "racers", "runs", "proved", "median s", "worst s", "load",
               "best", "worst"});
  for (const Case& one : tpu) {
    // What is solved soon starts no race.
    Options few;
    few.node_limit = detail::kNodesAlone;
    if (minimize(one.problem, few).stopped_by == Stop::kNone) continue;
    for (const std::size_t racers : race_sizes()) {
      std::vector<double> seconds;
      std::size_t proved = 0;
      std::int64_t best = (std::numeric_limits<std::int64_t>::max)();
      std::int64_t worst = 0;
      for (std::uint64_t seed = settings.seeds.first;
           seed <= settings.seeds.last; ++seed) {
        options.seed = seed * racers;  // No two races have a seed in common.
        const Result<> result = race::minimize(one.problem, racers, options);
        if (!validate(one.problem, result.height, result.offsets).ok())
          report.fail(one.name, "the placement is not valid");
        if (result.status == Status::kOptimal) ++proved;
        seconds.push_back(result.stats.seconds);
        best = (std::min)(best, result.height);
        worst = (std::max)(worst, result.height);
      }
      table.add({one.name, count(racers), count(seconds.size()), count(proved),
                 fixed(median(seconds), 2),
                 fixed(*std::max_element(seconds.begin(), seconds.end()), 2),
                 count(load(one.problem)), count(best), count(worst)});
    }
  }
  table.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_RACE_HPP
