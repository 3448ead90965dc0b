// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench penalties: the least cost of pairs that share bytes, with its bound.
///
/// The cases are those of a folder `kernels` with a `manifest.csv`, of which the
/// columns file, capacity, reserve and best_known_cost are read; and A to K with
/// pairs of our own: buffers belong to one of four streams, and two of different
/// streams of which one begins soon after the other ends cost 1, at 1.25 times
/// the load. Each placement is judged: it must be valid, cost what it is said to
/// cost, no less than the bound and no more than the best known cost.
#ifndef SNUG_BENCHMARKS_BENCH_PENALTIES_HPP
#define SNUG_BENCHMARKS_BENCH_PENALTIES_HPP

#include "../examples/flags.hpp"
#include "cases.hpp"
#include "instances.hpp"
#include "random.hpp"
#include "report.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/penalty_result.hpp"
#include "snug/penalty.hpp"
#include "snug/validate.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

struct PenaltyCase {
  std::string name{};
  Problem<> problem{};
  std::int64_t capacity = 0;
  std::optional<std::int64_t> best_known{};
};

/// Reads the kernels that have penalties. Returns what went wrong, or nothing.
[[nodiscard]] inline std::string read_kernels(const std::string& dir,
                                              std::vector<PenaltyCase>& cases) {
  return read_manifest(dir, [&](const std::string& file, Problem<> problem,
                                std::int64_t capacity, const auto& field) {
    if (problem.penalties.empty()) return;
    PenaltyCase one{file, std::move(problem), capacity, std::nullopt};
    std::int64_t cost = 0;
    if (flags::parse_integer(field("best_known_cost"), cost))
      one.best_known = cost;
    cases.push_back(std::move(one));
  });
}

/// A to K with pairs of buffers of different streams that live close by.
[[nodiscard]] inline std::vector<PenaltyCase> streamed(
    const std::vector<Case>& tpu) {
  std::vector<PenaltyCase> cases;
  for (const Case& from : tpu) {
    PenaltyCase one;
    one.name = from.name + ".streams";
    one.problem = from.problem;
    one.capacity = load(from.problem) / 4 * 5;
    const auto& buffers = one.problem.buffers;
    const std::size_t n = buffers.size();
    Random random(n);
    std::vector<int> stream;
    for (std::size_t i = 0; i < n; ++i) stream.push_back(random.between(0, 3));
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::size_t> later;
      for (std::size_t j = 0; j < n; ++j)
        if (buffers[j].lifespan.lower >= buffers[i].lifespan.upper)
          later.push_back(j);
      std::sort(later.begin(), later.end(), [&](std::size_t a, std::size_t b) {
        const auto x = buffers[a].lifespan.lower;
        const auto y = buffers[b].lifespan.lower;
        return x != y ? x < y : a < b;
      });
      if (later.size() > 20) later.resize(20);
      for (const std::size_t j : later)
        if (stream[i] != stream[j]) one.problem.penalties.push_back({i, j, 1});
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

inline void judge_penalties(const PenaltyCase& one,
                            const PenaltyResult<>& found, Report& report) {
  if (found.has_solution()) {
    if (!validate(one.problem, one.capacity, found.offsets).ok())
      report.fail(one.name, "invalid placement");
    if (penalty_cost(one.problem, found.offsets) != found.cost)
      report.fail(one.name, "wrong cost");
    if (found.cost < found.cost_bound) report.fail(one.name, "wrong bound");
  }
  if (!one.best_known) return;
  if (found.status == Status::kInfeasible || found.cost_bound > *one.best_known)
    report.fail(one.name, "a cheaper placement is known");
}

inline void bench_penalties(const std::vector<Case>& tpu,
                            const Settings& settings, Report& report) {
  const Options options = limited(settings, 1);
  std::vector<PenaltyCase> cases;
  std::error_code error;
  for (const char* const folder : {"/kernels", ""})
    if (cases.empty() && std::filesystem::exists(
                             settings.dir + folder + "/manifest.csv", error)) {
      const std::string failure = read_kernels(settings.dir + folder, cases);
      if (!failure.empty()) report.fail("kernels", failure);
    }
  for (PenaltyCase& one : streamed(tpu)) cases.push_back(std::move(one));
  Table table("minimize_penalty() within " + seconds_text(options.time_limit) +
                  " s: what is open, or all with --list",
              1,
              {"", "buffers", "pairs", "cost", "bound", "best known", "solves",
               "nodes", "ms", "proof"});
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  std::size_t above = 0;
  double seconds = 0;
  for (const PenaltyCase& one : cases) {
    const PenaltyResult<> found =
        minimize_penalty(one.problem, one.capacity, options);
    judge_penalties(one, found, report);
    const bool is_proved =
        found.status == Status::kOptimal || found.status == Status::kInfeasible;
    optimal += found.status == Status::kOptimal ? 1 : 0;
    infeasible += found.status == Status::kInfeasible ? 1 : 0;
    if (one.best_known && found.cost > *one.best_known) ++above;
    seconds += found.stats.seconds;
    if (is_proved && !settings.list) continue;
    table.add({one.name, count(one.problem.buffers.size()),
               count(one.problem.penalties.size()), count(found.cost),
               count(found.cost_bound),
               one.best_known ? count(*one.best_known) : "",
               count(found.stats.solves), count(found.stats.nodes),
               fixed(found.stats.seconds * 1e3, 1), to_string(found.status)});
  }
  if (!table.empty()) table.print(settings.csv);
  Table totals("all of them", 1,
               {"instances", "optimal", "infeasible", "open",
                "above the best known", "s"});
  totals.add({count(cases.size()), count(optimal), count(infeasible),
              count(cases.size() - optimal - infeasible), count(above),
              fixed(seconds, 2)});
  totals.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_PENALTIES_HPP
