// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench minimize: the lowest heights found within a limit, and the bounds
/// proved: A to K, the large instances, and variants of the latter. bench grids and
/// bench jittered: the same for A to K with alignments, or with other sizes.
#ifndef SNUG_BENCHMARKS_BENCH_MINIMIZE_HPP
#define SNUG_BENCHMARKS_BENCH_MINIMIZE_HPP

#include "cases.hpp"
#include "instances.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/bounds/load.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// The large instances of `dir`/large that are there, each with variants.
[[nodiscard]] inline std::vector<Case> large_cases(const std::string& dir) {
  std::vector<Case> cases;
  const auto add = [&](const char* family, const std::string& name,
                       Problem<> problem) {
    Case one;
    one.family = family;
    one.name = name;
    one.capacity = (std::numeric_limits<std::int64_t>::max)();
    one.problem = std::move(problem);
    cases.push_back(std::move(one));
  };
  for (const char* name : {"resnet50", "G_1", "pangu_2.6B", "S_1", "Y_1"}) {
    Problem<> problem;
    if (!read_problem(dir + "/large/" + name + ".csv", problem).empty())
      continue;
    const auto [begin, end] = duration(problem);
    const std::int64_t quarter = (end - begin) / 4;
    add("large", name, problem);
    add("reversed", std::string(name) + ".reversed", reversed(problem));
    add("rescaled", std::string(name) + ".rescaled", rescaled(problem, 30, 1));
    add("clipped", std::string(name) + ".clipped",
        clipped(problem, {begin + quarter, end - quarter}));
    add("70 %", std::string(name) + ".70", without(problem, 30, 1));
  }
  return cases;
}

/// What the buffers of A to K, whose sizes are multiples of 1024, are put on.
struct Grids {
  const char* name;
  std::vector<std::int64_t> grids;
  std::int64_t
      cut;  ///< sizes are up to 1023 less, by multiples of it; 0: no less
};

/// One in 19 on a page.
[[nodiscard]] inline std::vector<std::int64_t> few_on_pages() {
  std::vector<std::int64_t> grids = {4096};
  for (int k = 0; k < 6; ++k) grids.insert(grids.end(), {16, 64, 256});
  return grids;
}

[[nodiscard]] inline std::vector<Case> on_grids(const std::vector<Case>& tpu,
                                                const Grids& grids) {
  std::vector<Case> cases = tpu;
  std::uint64_t seed = 0;
  for (Case& one : cases) {
    Random random(++seed);
    for (Buffer<>& buffer : one.problem.buffers) {
      buffer.alignment = grids.grids[random.below(grids.grids.size())];
      if (grids.cut > 0)
        buffer.size -= random.between(0, 1023) / grids.cut * grids.cut;
    }
  }
  return cases;
}

/// A row of lowest heights: how many are proved, and how far they are above the load or,
/// where something is reserved, above the bound.
inline void add_lowest(Table& table, const std::string& name,
                       const std::vector<Case>& cases, const Options& options,
                       Report& report) {
  std::size_t proved = 0;
  double above = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
  for (const Case& one : cases) {
    Result<> result;
    seconds += time_of([&] { result = minimize(one.problem, options); });
    if (!validate(one.problem, result.height, result.offsets).ok())
      report.fail(one.name, "the placement is not valid");
    if (result.height == result.lower_bound) ++proved;
    const std::int64_t least = one.problem.reserved.empty()
                                   ? snug::load(one.problem)
                                   : result.lower_bound;
    above +=
        static_cast<double>(result.height - least) / static_cast<double>(least);
    nodes += result.stats.nodes;
  }
  table.add({name, count(cases.size()), count(proved),
             fixed(100 * above / static_cast<double>(cases.size()), 2),
             count(nodes), fixed(seconds, 2)});
}

[[nodiscard]] inline Table lowest_table(
    const char* what, const Options& options,
    const char* above = "above the load %") {
  return {"A to K " + std::string(what) + "; at most " +
              seconds_text(options.time_limit) + " s each",
          1,
          {"", "cases", "proved", above, "nodes", "seconds"}};
}

inline void bench_grids(const std::vector<Case>& tpu, const Settings& settings,
                        Report& report) {
  if (tpu.empty()) return;
  const Options options = limited(settings, 1);
  Table table = lowest_table("on grids", options);
  const Grids all[] = {{"64, 4096", {64, 4096}, 0},
                       {"256, 1024, 8192", {256, 1024, 8192}, 0},
                       {"1, 16384", {1, 16384}, 0},
                       {"32, 128; cut", {32, 128}, 32},
                       {"16, 64, 256; cut", {16, 64, 256}, 16},
                       {"16, 64, 256, few 4096; cut", few_on_pages(), 16},
                       {"1, 512; cut", {1, 512}, 1},
                       {"64; cut to bytes", {64}, 1}};
  for (const Grids& grids : all)
    add_lowest(table, grids.name, on_grids(tpu, grids), options, report);
  table.print(settings.csv);
}

/// All fit as before, but the load is less, and few sums are the same any more.
inline void bench_jittered(const std::vector<Case>& tpu,
                           const Settings& settings, Report& report) {
  if (tpu.empty()) return;
  const Options options = limited(settings, 1);
  Table table = lowest_table("with sizes up to so much less", options);
  for (const std::int64_t thousandths : {1, 10, 30, 100}) {
    std::vector<Case> cases;
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      for (Case one : tpu) {
        one.problem = jittered(std::move(one.problem), thousandths, seed);
        cases.push_back(std::move(one));
      }
    add_lowest(table, fixed(static_cast<double>(thousandths) / 10, 1) + " %",
               cases, options, report);
  }
  table.print(settings.csv);
}

/// Memory in banks, with a reserved sixteenth of one between each two: a bank has some
/// quarters of the bytes of the largest buffer.
inline void bench_banks(const std::vector<Case>& tpu, const Settings& settings,
                        Report& report) {
  if (tpu.empty()) return;
  const Options options = limited(settings, 1);
  Table table = lowest_table("in banks", options, "above the bound %");
  for (const std::int64_t quarters : {5, 6, 8, 12, 20}) {
    std::vector<Case> cases = tpu;
    for (Case& one : cases) {
      std::int64_t largest = 0;
      for (const Buffer<>& buffer : one.problem.buffers)
        largest = (std::max)(largest, buffer.size);
      const std::int64_t bank = largest * quarters / 4;
      const std::int64_t step = bank + bank / 16;
      for (std::int64_t at = bank; at < 4 * snug::load(one.problem); at += step)
        one.problem.reserved.push_back({{at, at + bank / 16}});
    }
    add_lowest(table, fixed(static_cast<double>(quarters) / 4, 2) + " buffers",
               cases, options, report);
  }
  table.print(settings.csv);
}

inline void bench_minimize(const std::vector<Case>& tpu,
                           const Settings& settings, Report& report) {
  const Options options = limited(settings, 3);
  std::vector<Case> cases = tpu;
  for (Case& one : large_cases(settings.dir)) cases.push_back(std::move(one));
  Table table(
      "lowest heights; at most " + seconds_text(options.time_limit) + " s each",
      2,
      {"", "status", "buffers", "load", "height", "lower bound", "height/load",
       "nodes", "s", "MB"});
  for (const Case& one : cases) {
    Result<> result;
    const double seconds =
        time_of([&] { result = minimize(one.problem, options); });
    const std::int64_t load = snug::load(one.problem);
    if (!validate(one.problem, result.height, result.offsets).ok())
      report.fail(one.name, "the placement is not valid");
    if (result.lower_bound > result.height || result.lower_bound < load)
      report.fail(one.name, "the lower bound is wrong");
    table.add(
        {one.name, outcome_word(result.status, result.stopped_by),
         count(one.problem.buffers.size()), count(load), count(result.height),
         count(result.lower_bound),
         fixed(static_cast<double>(result.height) / static_cast<double>(load),
               6),
         count(result.stats.nodes), fixed(seconds, 3),
         fixed(static_cast<double>(result.stats.peak_bytes) / 1e6, 1)});
  }
  table.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_MINIMIZE_HPP
