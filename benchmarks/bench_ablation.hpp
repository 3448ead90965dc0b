// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench ablation: what each rule and each strategy is worth. Every switch is
/// turned off alone, on A to K and a fixed part of the tuning half of the
/// robust instances.
#ifndef SNUG_BENCHMARKS_BENCH_ABLATION_HPP
#define SNUG_BENCHMARKS_BENCH_ABLATION_HPP

#include "bench_robust.hpp"
#include "cases.hpp"
#include "report.hpp"
#include "snug/io/strategies.hpp"
#include "snug/model/options.hpp"
#include "snug/model/tuning.hpp"
#include "table.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// Instead of the default list.
inline constexpr std::array<std::string_view, 9> kStrategyLists = {
    "sTCA", "sTWA", "sWAT", "wWAT",          "wTCA,wTWA,wWAT,wZW",
    "0TCA", "0TWA", "0WAT", "0TCA,0TWA,0WAT"};

/// A to K and every `every`-th instance of the tuning half, in an order that
/// depends on the seeds alone. Shuffled rows are left out: for a solver that
/// sorts its input they are A to K again.
[[nodiscard]] inline std::vector<Case> ablation_cases(
    const std::vector<Case>& tpu, const Settings& settings) {
  std::vector<Case> cases = tpu;
  std::size_t turn = 0;
  for (Case& one : robust_cases(tpu, settings.seeds))
    if (!one.held_out && one.family != "shuffled" &&
        turn++ % settings.every == 0)
      cases.push_back(std::move(one));
  return cases;
}

/// The geometric mean of ratios, 0 of none. (One instance of a hundred thousand
/// nodes would decide a ratio of sums.)
class MeanRatio {
 public:
  void add(std::int64_t value, std::int64_t reference) {
    if (value <= 0 || reference <= 0) return;
    logarithms_ +=
        std::log(static_cast<double>(value) / static_cast<double>(reference));
    ++count_;
  }
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0 : std::exp(logarithms_ / count_);
  }

 private:
  double logarithms_ = 0;
  int count_ = 0;
};

inline void bench_ablation(const std::vector<Case>& tpu,
                           const Settings& settings, Report& report) {
  const std::vector<Case> cases = ablation_cases(tpu, settings);
  const Options usual = limited(settings, 0.5);
  std::vector<Measured> reference;
  Table table(
      "Ablation on " + count(cases.size()) + " instances, at most " +
          seconds_text(usual.time_limit) +
          " s each; ratio: nodes relative to the default's, geometric mean "
          "over what both solve; changed: how many of "
          "these took another number",
      1,
      {"", "solved", "A to K", "nodes", "us/node", "CPU s", "ratio",
       "changed"});
  const auto add = [&](const std::string& name, const Options& options) {
    Tally tally;
    std::size_t tpu_solved = 0;
    MeanRatio ratio;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Measured found = measure_snug(cases[i], options, report);
      if (i == reference.size()) reference.push_back(found);
      tally.add(found);
      if (i < tpu.size() && found.solved()) ++tpu_solved;
      const std::int64_t expected = reference[i].result.stats.nodes;
      if (found.solved() && reference[i].solved()) {
        ratio.add(found.result.stats.nodes, expected);
        if (found.result.stats.nodes != expected) ++changed;
      }
    }
    table.add({name, count(tally.solved), count(tpu_solved), count(tally.nodes),
               microseconds_a_node(tally.seconds, tally.nodes),
               fixed(tally.seconds, 3), fixed(ratio.mean(), 2),
               count(changed)});
  };
  add("default", usual);
  for (const RuleName& one : kRuleNames) {
    Tuning tuning;
    tuning.rules.*one.rule = false;
    Options options = usual;
    options.tuning = &tuning;
    add(std::string("without ") + one.name, options);
  }
  Tuning none;
  for (const RuleName& one : kRuleNames) none.rules.*one.rule = false;
  Options bare = usual;
  bare.tuning = &none;
  add("without any rule", bare);
  for (const std::string_view list : kStrategyLists) {
    Tuning tuning;
    if (!read_strategies(list, tuning.strategies).empty()) continue;
    Options options = usual;
    options.tuning = &tuning;
    add("strategies " + std::string(list), options);
  }
  table.print(settings.csv);
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_BENCH_ABLATION_HPP
