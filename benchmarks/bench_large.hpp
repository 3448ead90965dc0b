// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench large: the large instances with constraints. They come from a placement
/// of the reversed problem that is 2 % higher than the lowest known one, so they
/// fit there, but are not what snug would find by itself; the lowest height and a
/// placement within that capacity are asked for.
#ifndef SNUG_BENCHMARKS_BENCH_LARGE_HPP
#define SNUG_BENCHMARKS_BENCH_LARGE_HPP

#include "bench_minimize.hpp"
#include "cases.hpp"
#include "constrain.hpp"
#include "report.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace snug {
namespace benchmarks {

/// A large instance, and a placement of it.
struct LargeCase {
  Case base{};
  std::vector<std::int64_t> offsets{};
};

[[nodiscard]] inline std::vector<LargeCase> placed_large_cases(
    const std::string& dir) {
  constexpr std::int64_t kRoom = 50;  // One in so many bytes is to spare.
  std::vector<LargeCase> cases;
  for (Case& base : large_cases(dir)) {
    if (base.family != "large" && base.family != "70 %") continue;
    Options options;
    options.time_limit = nanoseconds(1);
    const std::int64_t height = minimize(base.problem, options).height;
    base.capacity = height + height / kRoom;
    const Result<> placed =
        solve(reversed(base.problem), base.capacity, options);
    if (placed.has_solution()) cases.push_back({base, placed.offsets});
  }
  return cases;
}

/// What became of one kind of constraints.
struct LargeRow {
  std::size_t instances = 0;
  std::size_t proved = 0;
  std::size_t placed = 0;  ///< minimize() found a placement
  double gaps = 0;         ///< sum of those that were placed, in percent
  double worst = 0;
  std::size_t solved = 0;  ///< solve() at the capacity
  double seconds = 0;      ///< of both

  void add(const std::string& name, Table& table) const {
    table.add(
        {name, count(instances), count(placed), count(proved),
         fixed(gaps / static_cast<double>((std::max)(placed, std::size_t{1})),
               3),
         fixed(worst, 3), count(solved), fixed(seconds, 2)});
  }
  void add(const LargeRow& other) {
    instances += other.instances;
    proved += other.proved;
    placed += other.placed;
    gaps += other.gaps;
    worst = (std::max)(worst, other.worst);
    solved += other.solved;
    seconds += other.seconds;
  }
};

inline void run_large(const Case& one, const Options& options, Report& report,
                      LargeRow& row) {
  ++row.instances;
  Result<> lowest;
  row.seconds += time_of([&] { lowest = minimize(one.problem, options); });
  if (lowest.has_solution()) {
    ++row.placed;
    const double gap = 100 * (static_cast<double>(lowest.height) /
                                  static_cast<double>(lowest.lower_bound) -
                              1);
    row.gaps += gap;
    row.worst = (std::max)(row.worst, gap);
    if (lowest.status == Status::kOptimal) ++row.proved;
    if (!validate(one.problem, lowest.height, lowest.offsets).ok())
      report.fail(one.name, "the lowest placement is not valid");
  }
  if (lowest.lower_bound > one.capacity)
    report.fail(one.name, "the lower bound is above a placement");
  Result<> within;
  row.seconds +=
      time_of([&] { within = solve(one.problem, one.capacity, options); });
  report.judge(one, within);
  if (within.has_solution()) ++row.solved;
}

inline void bench_large(const Settings& settings, Report& report) {
  const Options options = limited(settings, 1);
  const std::vector<LargeCase> cases = placed_large_cases(settings.dir);
  if (cases.empty()) return;
  Table table(
      "Large instances with constraints: lowest heights, and placements "
      "within 2 % above those without; at most " +
          seconds_text(options.time_limit) + " s each",
      1,
      {"constraints", "instances", "placed", "proved", "gap %", "worst %",
       "within 2 %", "seconds"});
  LargeRow all;
  for (const Kind& kind : kinds()) {
    LargeRow row;
    for (const LargeCase& large : cases) {
      Constrain constrain(large.base.problem, large.offsets,
                          large.base.capacity, 1);
      kind.apply(constrain);
      Case one = large.base;
      one.name += std::string(".") + kind.family;
      one.problem = constrain.take();
      run_large(one, options, report, row);
    }
    row.add(kind.family, table);
    all.add(row);
  }
  all.add("all", table);
  table.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_LARGE_HPP
