// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of snug/c_api.h for a placement that grows: planner.hpp.
#include "c_border.hpp"
#include "c_problem.hpp"
#include "c_report.hpp"
#include "snug/c_api.h"
#include "snug/planner.hpp"
#include "snug/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

struct snug_planner {
  snug::Planner<> planner;
};

namespace snug_c {
namespace {

/// Whether it is one buffer and nothing else.
bool is_one_buffer(const snug::Problem<>& problem) {
  return problem.buffers.size() == 1 && problem.aliases.empty() &&
         problem.contiguous.empty() && problem.apart.empty() &&
         problem.may_overlap.empty() && problem.reserved.empty() &&
         problem.penalties.empty() && problem.base == 0 &&
         problem.alignment == 1;
}

/// Lets `change` have the planner and the index of a buffer of it.
template <class Change>
snug_status change(snug_planner* planner, std::int64_t buffer, Change change) {
  if (planner == nullptr || buffer < 0 || buffer >= snug_planner_count(planner))
    return SNUG_BAD_ARGUMENT;
  return change(planner->planner, to_index(buffer)) ? SNUG_UNKNOWN
                                                    : SNUG_BAD_ARGUMENT;
}

}  // namespace
}  // namespace snug_c

snug_status snug_make_planner(const snug_problem* problem, int64_t capacity,
                              const int64_t* offsets, snug_planner** planner,
                              snug_result* result) {
  if (planner != nullptr) *planner = nullptr;
  return snug_c::answer_about(
      problem, nullptr, result, [&](snug_c::Input& input, snug_result& out) {
        if (planner == nullptr) return snug_c::refuse(out, "planner is null");
        const std::size_t count = input.problem.buffers.size();
        if (offsets == nullptr && count > 0)
          return snug_c::refuse(out, "offsets is null");
        std::vector<std::int64_t> copy(offsets, offsets + count);
        snug_c::report_verdict(snug::validate(input.problem, capacity, copy),
                               input, out);
        if (out.status != SNUG_FEASIBLE) return;
        *planner = new snug_planner{
            {std::move(input.problem), std::move(copy), capacity}};
      });
}

int64_t snug_planner_count(const snug_planner* planner) {
  return planner == nullptr
             ? 0
             : static_cast<std::int64_t>(planner->planner.offsets().size());
}

snug_status snug_planner_add(snug_planner* planner, const snug_problem* added,
                             const snug_options* options, int64_t* offsets,
                             int64_t* moved, snug_result* result) {
  return snug_c::answer_about(
      added, options, result, [&](snug_c::Input& input, snug_result& out) {
        if (planner == nullptr) return snug_c::refuse(out, "planner is null");
        if (!snug_c::is_one_buffer(input.problem))
          return snug_c::refuse(out, "not one buffer and nothing else");
        const snug::Result<> found =
            planner->planner.add(input.problem.buffers[0], input.options);
        snug_c::report_found(found, offsets, out);
        // All gaps are of the new buffer.
        if (!found.error.ok()) snug_c::Input::report_listed(found.error, out);
        snug_c::give(found.moved, moved);
        out.buffer_count = static_cast<std::int64_t>(found.moved.size());
      });
}

snug_status snug_planner_fix(snug_planner* planner, int64_t buffer) {
  return snug_c::change(planner, buffer, [](snug::Planner<>& of, auto i) {
    of.fix(i);
    return true;
  });
}

snug_status snug_planner_unfix(snug_planner* planner, int64_t buffer) {
  return snug_c::change(planner, buffer, [](snug::Planner<>& of, auto i) {
    of.unfix(i);
    return true;
  });
}

snug_status snug_planner_remove(snug_planner* planner, int64_t buffer) {
  return snug_c::change(planner, buffer, [](snug::Planner<>& of, auto i) {
    if (of.is_in_group(i)) return false;
    of.remove(i);
    return true;
  });
}

void snug_free_planner(snug_planner* planner) {
  delete planner;
}
