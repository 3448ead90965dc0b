// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What functions of snug/api.hpp return → snug_result and arrays, as far as more
/// than one file of the C interface needs it; and the way of all calls: read the
/// input, compute, report.
#ifndef SNUG_EXAMPLES_COMPILED_C_REPORT_HPP
#define SNUG_EXAMPLES_COMPILED_C_REPORT_HPP

#include "c_border.hpp"
#include "c_error.hpp"
#include "c_problem.hpp"
#include "snug/c_api.h"
#include "snug/model/check.hpp"
#include "snug/model/result.hpp"
#include "snug/validate.hpp"

#include <cstdint>
#include <cstring>

namespace snug_c {

inline void report_stats(const snug::Stats& stats, snug_result& result) {
  result.nodes = stats.nodes;
  result.backtracks = stats.backtracks;
  result.runs = stats.runs;
  result.seconds = stats.seconds;
  result.peak_bytes = static_cast<std::int64_t>(stats.peak_bytes);
  std::memcpy(result.strategy, stats.strategy, sizeof result.strategy);
}

/// Copies to an array that may be null.
template <class Values>
void give(const Values& values, std::int64_t* out) {
  if (out == nullptr) return;
  for (const auto value : values) *out++ = static_cast<std::int64_t>(value);
}

/// All but what is wrong.
inline void report_found(const snug::Result<>& found, std::int64_t* offsets,
                         snug_result& result) {
  result.status = static_cast<std::int32_t>(found.status);
  result.stopped_by = static_cast<std::int32_t>(found.stopped_by);
  report_stats(found.stats, result);
  result.height = found.height;
  result.lower_bound = found.lower_bound;
  give(found.offsets, offsets);
}

inline void report_verdict(const snug::Validation& verdict, const Input& input,
                           snug_result& result) {
  result.status = SNUG_FEASIBLE;
  if (!verdict.error.ok())
    input.report(verdict.error, result);
  else if (!verdict.ok())
    Input::report(snug::Check::of_buffer({}, verdict.buffer, verdict.other),
                  number_of(verdict.fault),
                  verdict.fault == snug::Fault::kReservedBytes
                      ? "reserved range"
                      : "buffer",
                  result);
}

/// The answer to a question about a problem.
template <class Compute>
snug_status answer_about(const snug_problem* problem,
                         const snug_options* options, snug_result* result,
                         Compute compute) {
  return answer(result, [&](snug_result& out) {
    Input input;
    if (input.read(problem, options, out)) compute(input, out);
  });
}

}  // namespace snug_c

#endif  // SNUG_EXAMPLES_COMPILED_C_REPORT_HPP
