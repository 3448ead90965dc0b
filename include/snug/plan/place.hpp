// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() by some models, from a problem to a result:
///
///     check --> flatten --> plan/plan.hpp --> write back
///
/// The problem is checked, made flat (normal/flat.hpp), placed as plan/plan.hpp
/// says, and the offsets are written back in the types of the problem.
#ifndef SNUG_PLAN_PLACE_HPP
#define SNUG_PLAN_PLACE_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plan.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Writes what was found back in the types of the problem.
template <class Size, class Time>
void write_back(const Problem<Size, Time>& problem, const Found& found,
                Result<Size>& result) {
  constexpr std::int64_t kMost = (std::numeric_limits<Size>::max)();
  result.lower_bound = static_cast<Size>((std::min)(found.bound, kMost));
  List<std::size_t> moved;  // It grows in less code.
  result.offsets = std::vector<Size>(found.offsets.size());
  for (std::size_t i = 0; i < found.offsets.size(); ++i) {
    const auto offset = static_cast<Size>(found.offsets[i]);
    result.offsets[i] = offset;
    result.height = (std::max)(
        result.height, static_cast<Size>(offset + problem.buffers[i].size));
    const std::optional<Size>& hint = problem.buffers[i].hint;
    if (hint && *hint != offset) moved.push_back(i);
  }
  result.moved = std::vector<std::size_t>(moved.begin(), moved.end());
}

/// What an outcome says of the problem.
template <class Size>
[[nodiscard]] Status what_is_known(Outcome outcome,
                                   const Result<Size>& result) {
  if (outcome == Outcome::kOpen) return Status::kUnknown;
  if (outcome == Outcome::kRefuted) return Status::kInfeasible;
  return result.height <= result.lower_bound ? Status::kOptimal
                                             : Status::kFeasible;
}

/// The least height that is not within `capacity`, if there is a number for it.
[[nodiscard]] inline std::int64_t above(std::int64_t capacity) noexcept {
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  return capacity < kMost ? capacity + 1 : kMost;
}

/// A placement of a height of at most `most`.
template <class M, Wanted kWanted, class Size, class Time>
[[nodiscard]] Result<Size> place(const Problem<Size, Time>& problem, Size most,
                                 const Options& options) {
  Result<Size> result;
  Call call(options, result.stats);
  std::size_t bytes = 0;
  result.error = detail::check<!M::kBodies>(problem, call.interrupt(), &bytes);
  call.count_bytes(bytes);
  check_capacity(most, result.error);
  if (!result.error.ok()) return result;
  Found found;
  Outcome outcome = Outcome::kOpen;
  // A problem that was not checked to the end may have numbers that overflow.
  if (!call.gave_up()) {
    Flat flat = flatten_for<M>(problem, call.interrupt());
    outcome = place_flat<M, kWanted>(std::move(flat), std::int64_t{most}, call,
                                     found);
  }
  // Attempts that ended without a placement may have raised it as well.
  if (kWanted == Wanted::kLowest)
    found.bound = (std::max)(found.bound, call.limits().lower_bound());
  // The greatest number is no limit that anybody asked minimize() for.
  if (outcome == Outcome::kRefuted &&
      (kWanted == Wanted::kAny || most < (std::numeric_limits<Size>::max)()))
    found.bound = (std::max)(found.bound, above(most));
  if (outcome != Outcome::kPlacedAll) found.offsets.clear();
  write_back(problem, found, result);
  result.status = what_is_known(outcome, result);
  if (outcome == Outcome::kOpen ||
      (kWanted == Wanted::kLowest && result.status == Status::kFeasible))
    result.stopped_by = call.limits().left_open_by();
  result.stats.seconds = call.limits().seconds();
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_HPP
