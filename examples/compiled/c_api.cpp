// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of snug/c_api.h but for those of planners and of comma-separated
/// text. Each reads its input, calls the function of snug/api.hpp with the same
/// name, which compiled.cpp holds, and writes the result.
#include "snug/c_api.h"

#include "c_border.hpp"
#include "c_error.hpp"
#include "c_pools.hpp"
#include "c_problem.hpp"
#include "c_report.hpp"
#include "snug/api.hpp"
#include "snug/model/check.hpp"
#include "snug/model/reason.hpp"
#include "snug/validate.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug_c {
namespace {

using snug::Cause;
using snug::End;
using snug::Status;
using snug::Stop;

static_assert(same(Status::kOptimal, SNUG_OPTIMAL) &&
              same(Status::kFeasible, SNUG_FEASIBLE) &&
              same(Status::kInfeasible, SNUG_INFEASIBLE) &&
              same(Status::kUnknown, SNUG_UNKNOWN) &&
              same(Status::kInvalid, SNUG_INVALID));
static_assert(same(Stop::kNone, SNUG_STOP_NONE) &&
              same(Stop::kTimeLimit, SNUG_STOP_TIME_LIMIT) &&
              same(Stop::kNodeLimit, SNUG_STOP_NODE_LIMIT) &&
              same(Stop::kCancelled, SNUG_STOP_CANCELLED));
static_assert(same(End::kAny, SNUG_END_ANY) &&
              same(End::kBottom, SNUG_END_BOTTOM) &&
              same(End::kTop, SNUG_END_TOP));
static_assert(same(Cause::kNone, SNUG_CAUSE_NONE) &&
              same(Cause::kLoad, SNUG_CAUSE_LOAD) &&
              same(Cause::kSearch, SNUG_CAUSE_SEARCH));

/// What all results have: how it ended, and what is wrong.
template <class Found>
void report_end(const Found& found, const Input& input, snug_result& result) {
  result.status = static_cast<std::int32_t>(found.status);
  result.stopped_by = static_cast<std::int32_t>(found.stopped_by);
  if (!found.error.ok()) input.report(found.error, result);
}

void report_stats(const snug::ExplainStats& stats, snug_result& result) {
  result.nodes = stats.nodes;
  result.runs = stats.solves;
  result.seconds = stats.seconds;
}

void report(const snug::Result<>& found, const Input& input,
            std::int64_t* offsets, snug_result& result) {
  report_found(found, offsets, result);
  result.buffer_count = static_cast<std::int64_t>(found.moved.size());
  if (!found.error.ok()) input.report(found.error, result);
}

void report(const snug::PenaltyResult<>& found, const Input& input,
            std::int64_t* offsets, snug_result& result) {
  report_end(found, input, result);
  report_stats(found.stats, result);
  result.height = found.height;
  result.cost = found.cost;
  result.cost_bound = found.cost_bound;
  give(found.offsets, offsets);
}

void report(const snug::Explanation<>& found, const Input& input,
            std::int64_t* buffers, snug_result& result) {
  report_end(found, input, result);
  report_stats(found.stats, result);
  result.buffer_count = static_cast<std::int64_t>(found.buffers.size());
  result.proved = found.proved_irreducible ? 1 : 0;
  result.cause = static_cast<std::int32_t>(found.cause);
  result.moment = found.moment;
  give(found.buffers, buffers);
}

void report(const snug::Spills<>& found, const Input& input,
            std::int64_t* offsets, snug_result& result) {
  report_end(found, input, result);
  report_stats(found.stats, result);
  result.buffer_count = static_cast<std::int64_t>(found.buffers.size());
  result.proved = found.proved_cheapest ? 1 : 0;
  result.cost = found.cost;
  result.cost_bound = found.cost_bound;
  give(found.offsets, offsets);
}

void report(const snug::AssignResult<>& found, const Input& input,
            std::int64_t* offsets, snug_result& result) {
  result.pool = from_index(found.error_pool);
  report_end(found, input, result);
  report_stats(found.stats, result);
  result.cost = found.cost;
  result.cost_bound = found.cost_bound;
  give(found.offsets, offsets);
}

void report(const snug::Certificate& found, const Input& input,
            snug_result& result) {
  report_end(found, input, result);
  result.nodes = found.nodes;
  result.seconds = found.seconds;
  result.text_length = static_cast<std::int64_t>(found.text.size());
}

/// The answer where `compute` returns what a function of snug/api.hpp does, of
/// which offsets or buffers go to an array.
template <class Compute>
snug_status ask(const snug_problem* problem, const snug_options* options,
                std::int64_t* array, snug_result* result, Compute compute) {
  return answer_about(problem, options, result,
                      [&](const Input& input, snug_result& out) {
                        report(compute(input), input, array, out);
                      });
}

}  // namespace
}  // namespace snug_c

using snug_c::Input;

int snug_version(void) {
  return SNUG_VERSION_MAJOR * 10000 + SNUG_VERSION_MINOR * 100 +
         SNUG_VERSION_PATCH;
}

const char* snug_status_name(int status) {
  if (status == SNUG_BAD_ARGUMENT) return "bad_argument";
  if (status == SNUG_OUT_OF_MEMORY) return "out_of_memory";
  if (status < 0 || status > SNUG_INVALID) return "no_status";
  return to_string(static_cast<snug::Status>(status));
}

const char* snug_stop_name(int stop) {
  if (stop < 0 || stop > SNUG_STOP_CANCELLED) return "no_stop";
  return to_string(static_cast<snug::Stop>(stop));
}

const char* snug_error_name(int error) {
  if (error >= SNUG_FAULT_NEGATIVE_OFFSET && error <= SNUG_FAULT_RESERVED_BYTES)
    return to_string(static_cast<snug::Fault>(error - snug_c::kFirstFault));
  if (error < 0 || error >= snug_c::kFirstFault) return "unknown";
  return to_string(static_cast<snug::Reason>(error));
}

const char* snug_entry_name(int entry) {
  if (entry < 0 || entry > SNUG_ENTRY_PENALTY) return "unknown";
  return to_string(static_cast<snug::Entry>(entry));
}

void snug_cancel(snug_flag* flag) {
  if (flag == nullptr) return;
  reinterpret_cast<std::atomic<bool>*>(flag)->store(true,
                                                    std::memory_order_relaxed);
}

snug_status snug_check(const snug_problem* problem, snug_result* result) {
  return snug_c::answer_about(
      problem, nullptr, result, [](const Input& input, snug_result& out) {
        const snug::Check error = snug::check(input.problem);
        if (!error.ok()) input.report(error, out);
      });
}

snug_status snug_validate(const snug_problem* problem, int64_t capacity,
                          const int64_t* offsets, snug_result* result) {
  return snug_c::answer_about(
      problem, nullptr, result, [&](const Input& input, snug_result& out) {
        const std::size_t count = input.problem.buffers.size();
        if (offsets == nullptr && count > 0)
          return snug_c::refuse(out, "offsets is null");
        const std::vector<std::int64_t> copy(offsets, offsets + count);
        snug_c::report_verdict(snug::validate(input.problem, capacity, copy),
                               input, out);
        if (out.status != SNUG_FEASIBLE) return;
        for (std::size_t i = 0; i < count; ++i)
          out.height =
              (std::max)(out.height, copy[i] + input.problem.buffers[i].size);
      });
}

snug_status snug_solve(const snug_problem* problem, int64_t capacity,
                       const snug_options* options, int64_t* offsets,
                       snug_result* result) {
  return snug_c::ask(
      problem, options, offsets, result, [&](const Input& input) {
        return snug::solve(input.problem, capacity, input.options);
      });
}

snug_status snug_minimize(const snug_problem* problem,
                          const snug_options* options, int64_t* offsets,
                          snug_result* result) {
  return snug_c::ask(problem, options, offsets, result,
                     [&](const Input& input) {
                       return snug::minimize(input.problem, input.options);
                     });
}

snug_status snug_minimize_within(const snug_problem* problem, int64_t capacity,
                                 const snug_options* options, int64_t* offsets,
                                 snug_result* result) {
  return snug_c::ask(
      problem, options, offsets, result, [&](const Input& input) {
        return snug::minimize_within(input.problem, capacity, input.options);
      });
}

int64_t snug_list_moved(const snug_problem* problem, const int64_t* offsets,
                        int64_t* moved) {
  snug_problem given;
  if (problem == nullptr || !snug_c::copy_in(problem, given) ||
      given.buffer_count < 0 || (offsets == nullptr && given.buffer_count > 0))
    return -1;
  if (given.hint == nullptr) return 0;
  int64_t count = 0;
  for (int64_t i = 0; i < given.buffer_count; ++i) {
    if (given.hint[i] == -1 || given.hint[i] == offsets[i]) continue;
    if (moved != nullptr) moved[count] = i;
    ++count;
  }
  return count;
}

snug_status snug_minimize_penalty(const snug_problem* problem, int64_t capacity,
                                  const snug_options* options, int64_t* offsets,
                                  snug_result* result) {
  return snug_c::ask(
      problem, options, offsets, result, [&](const Input& input) {
        return snug::minimize_penalty(input.problem, capacity, input.options);
      });
}

snug_status snug_explain(const snug_problem* problem, int64_t capacity,
                         const snug_options* options, int64_t* buffers,
                         snug_result* result) {
  return snug_c::ask(
      problem, options, buffers, result, [&](const Input& input) {
        return snug::explain(input.problem, capacity, input.options);
      });
}

snug_status snug_suggest_spills(const snug_problem* problem, int64_t capacity,
                                const int64_t* costs,
                                const snug_options* options, int64_t* offsets,
                                snug_result* result) {
  return snug_c::ask(
      problem, options, offsets, result, [&](const Input& input) {
        std::vector<std::int64_t> cost;
        if (costs != nullptr)
          cost.assign(costs, costs + input.problem.buffers.size());
        snug::Spills<> found =
            snug::suggest_spills(input.problem, capacity, cost, input.options);
        snug::Check& error = found.error;
        if (found.status == snug::Status::kInvalid && error.ok())
          error = snug::Check::of_buffer(cost[error.buffer] < 0
                                             ? snug::Reason::kNegativeCost
                                             : snug::Reason::kCostOverflow,
                                         error.buffer);
        return found;
      });
}

snug_status snug_assign(const snug_problem* problem, const snug_pools* pools,
                        const snug_options* options, int64_t* pool_of,
                        int64_t* offsets, snug_result* result) {
  return snug_c::answer_about(
      problem, options, result, [&](const Input& input, snug_result& out) {
        snug_c::PoolInput given;
        if (!given.read(pools, input.problem.buffers.size(), out)) return;
        snug::AssignResult<> found =
            snug::assign(input.problem, given.pools, input.options);
        found.error = given.in_lists(found);
        snug_c::report(found, input, offsets, out);
        snug_c::give(found.pools, pool_of);
      });
}

snug_status snug_certify(const snug_problem* problem, int64_t capacity,
                         const snug_options* options, char* text,
                         size_t text_capacity, snug_result* result) {
  return snug_c::answer_about(
      problem, options, result, [&](const Input& input, snug_result& out) {
        if (text == nullptr && text_capacity > 0)
          return snug_c::refuse(out, "text is null");
        const snug::Certificate found =
            snug::certify(input.problem, capacity, input.options);
        snug_c::report(found, input, out);
        if (!snug_c::give_text(found.text, text, text_capacity))
          snug_c::refuse(out, "text_capacity is less than text_length");
      });
}
