// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the benchmark's commands share: their settings, one measured solve,
/// and the checks behind the exit status.
#ifndef SNUG_BENCHMARKS_REPORT_HPP
#define SNUG_BENCHMARKS_REPORT_HPP

#include "cases.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "table.hpp"
#include "timing.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace snug {
namespace benchmarks {

struct Settings {
  std::string dir{};      ///< holds A to K, or tpu/ with them; empty if none
  double limit = 0;       ///< seconds a solve, wall clock; 0: the command's own
  int repeats = 5;        ///< rounds over the instances
  Seeds seeds{};          ///< of the generated instances
  std::string write{};    ///< folder for the generated instances
  std::size_t every = 1;  ///< ablation: takes each so-manieth instance
  std::size_t largest = 1000000;  ///< scale: buffers of the largest instances
  double megabytes = 2000;        ///< scale: memory that may be used
  bool baseline = false;
  bool list = false;  ///< a row for each instance, not only for each family
  bool csv = false;
};

[[nodiscard]] inline std::chrono::nanoseconds nanoseconds(double seconds) {
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

/// The command's options: the defaults but for a time limit.
[[nodiscard]] inline Options limited(const Settings& settings,
                                     double default_seconds) {
  Options options;
  options.time_limit =
      nanoseconds(settings.limit > 0 ? settings.limit : default_seconds);
  return options;
}

/// Collects what must not happen. It decides the exit status.
class Report {
 public:
  void fail(const std::string& name, const std::string& what) {
    std::fprintf(stderr, "bench: FAILED: %s: %s\n", name.c_str(), what.c_str());
    ++failures_;
  }

  /// A placement must be valid, and what fits by construction must not be
  /// called infeasible.
  void judge(const Case& one, const Result<>& result) {
    if (result.has_solution()) {
      const Validation verdict =
          validate(one.problem, one.capacity, result.offsets);
      if (!verdict.ok()) fail(one.name, to_string(verdict.fault));
    } else if (result.status == Status::kInvalid) {
      fail(one.name, to_string(result.error.reason));
    } else if (result.status == Status::kInfeasible && one.feasible) {
      fail(one.name, "called infeasible, but it fits by construction");
    }
  }

  [[nodiscard]] int failures() const { return failures_; }

 private:
  int failures_ = 0;
};

/// One solve, judged.
struct Measured {
  Result<> result{};
  double seconds = 0;  ///< CPU

  /// With a placement, and nothing stopped it.
  [[nodiscard]] bool solved() const {
    return result.has_solution() && result.stopped_by == Stop::kNone;
  }
};

/// Calls `solver(problem, capacity)`, again for `at_least` seconds if that is
/// longer.
template <class Solver>
[[nodiscard]] Measured measure(const Case& one, Report& report, Solver solver,
                               double at_least = 0) {
  Measured measured;
  measured.seconds = time_of(
      [&] { measured.result = solver(one.problem, one.capacity); }, at_least);
  report.judge(one, measured.result);
  return measured;
}

[[nodiscard]] inline Measured measure_snug(const Case& one,
                                           const Options& options,
                                           Report& report,
                                           double at_least = 0) {
  const auto solver = [&](const Problem<>& problem, std::int64_t capacity) {
    return solve(problem, capacity, options);
  };
  return measure(one, report, solver, at_least);
}

[[nodiscard]] inline std::string microseconds_a_node(double seconds,
                                                     std::int64_t nodes) {
  return nodes > 0 ? fixed(seconds * 1e6 / static_cast<double>(nodes), 2) : "-";
}

/// A heading's number of seconds: "1", "0.25".
[[nodiscard]] inline std::string seconds_text(std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%g", seconds);
  return length > 0 ? text : "?";
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_REPORT_HPP
