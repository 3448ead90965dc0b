// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench constrained: A to K with constraints that a placement of theirs
/// satisfies, and a host that adds buffer after buffer to a placement that it
/// does not want to change.
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
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace snug {
namespace benchmarks {

struct Kind {
  const char* family;
  void (*apply)(Constrain& to);
};

inline const std::vector<Kind>& kinds() {
  static const std::vector<Kind> result = {
      {"fixed 10 %", [](Constrain& to) { to.fix(10); }},
      {"fixed 50 %", [](Constrain& to) { to.fix(50); }},
      {"fixed 90 %", [](Constrain& to) { to.fix(90); }},
      {"gaps 30 %", [](Constrain& to) { to.cut_gaps(30, false); }},
      {"windows 30 %", [](Constrain& to) { to.cut_gaps(30, true); }},
      {"apart 30", [](Constrain& to) { to.keep_apart(30); }},
      {"apart 200", [](Constrain& to) { to.keep_apart(200); }},
      {"may overlap 50", [](Constrain& to) { to.let_overlap(50); }},
      {"ends 10 %", [](Constrain& to) { to.choose_ends(10); }},
      {"in place 20", [](Constrain& to) { to.tie(20); }},
      {"reserved 5", [](Constrain& to) { to.reserve(5); }},
      {"mixed",
       [](Constrain& to) {
         to.fix(5);
         to.cut_gaps(10, true);
         to.keep_apart(30);
       }},
  };
  return result;
}

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

/// 1000 buffers, 900 of them fixed at a fifth above their lowest height; then
/// again and again the first of the others is fixed and a new one comes.
inline void bench_incremental(const Settings& settings, Report& report) {
  constexpr std::size_t kBuffers = 1000;
  constexpr std::size_t kFree = 100;
  constexpr int kRounds = 1000;
  Random random(7);
  Case one;
  one.name = "incremental";
  for (std::size_t i = 0; i < kBuffers; ++i)
    one.problem.buffers.push_back(any_buffer(random));
  Options options;
  options.node_limit = 100000;
  const Result<> lowest = minimize(one.problem, options);
  one.capacity = lowest.height + lowest.height / 5;
  Result<> last = lowest;
  for (std::size_t i = 0; i + kFree < kBuffers; ++i)
    one.problem.buffers[i].offset = last.offsets[i];
  std::vector<double> seconds;
  std::int64_t nodes = 0;
  std::size_t turned_away = 0;
  one.feasible = false;  // A new buffer may not fit.
  for (int round = 0; round < kRounds; ++round) {
    seconds.push_back(
        time_of([&] { last = solve(one.problem, one.capacity); }));
    report.judge(one, last);
    nodes += last.stats.nodes;
    if (last.has_solution()) {
      const std::size_t next = one.problem.buffers.size() - kFree;
      one.problem.buffers[next].offset = last.offsets[next];
    } else {
      ++turned_away;
      one.problem.buffers.pop_back();
    }
    one.problem.buffers.push_back(any_buffer(random));
  }
  double total = 0;
  for (const double one_solve : seconds) total += one_solve;
  Table table(
      "A buffer more each time: 1000 solves of 1000 buffers and more, "
      "all but 100 fixed",
      0,
      {"seconds", "median ms", "worst ms", "nodes", "turned away",
       "buffers in the end"});
  table.add({fixed(total, 3), fixed(median(seconds) * 1e3, 2),
             fixed(*std::max_element(seconds.begin(), seconds.end()) * 1e3, 2),
             count(nodes), count(turned_away),
             count(one.problem.buffers.size())});
  table.print(settings.csv);
}

inline void bench_constrained(const std::vector<Case>& tpu,
                              const Settings& settings, Report& report) {
  if (!tpu.empty())
    bench_robust(constrained_cases(tpu, settings.seeds), settings, report);
  bench_incremental(settings, report);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_CONSTRAINED_HPP
