// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve(): finds a placement below a capacity, or proves that there is none.
///
///     check --> flatten --> plan/plan.hpp --> write back
///
/// The problem is checked, made flat (normal/flat.hpp), solved as plan/plan.hpp
/// says, and the offsets are written back in the types of the problem.
#ifndef SNUG_SOLVE_HPP
#define SNUG_SOLVE_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plan.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Writes what was found back in the types of the problem.
template <class Size, class Time>
void write_back(const Problem<Size, Time>& problem, const Found& found,
                Result<Size>& result) {
  constexpr std::int64_t kMost = (std::numeric_limits<Size>::max)();
  result.lower_bound = static_cast<Size>((std::min)(found.bound, kMost));
  result.offsets.resize(found.offsets.size());
  for (std::size_t i = 0; i < found.offsets.size(); ++i) {
    const auto offset = static_cast<Size>(found.offsets[i]);
    result.offsets[i] = offset;
    result.height = (std::max)(
        result.height, static_cast<Size>(offset + problem.buffers[i].size));
    const std::optional<Size>& hint = problem.buffers[i].hint;
    if (hint && *hint != offset) result.moved.push_back(i);
  }
}

/// What an outcome says of the problem.
template <class Size>
[[nodiscard]] Status what_is_known(Outcome outcome,
                                   const Result<Size>& result) {
  if (outcome == Outcome::kStopped) return Status::kUnknown;
  if (outcome == Outcome::kRefuted) return Status::kInfeasible;
  return result.height <= result.lower_bound ? Status::kOptimal
                                             : Status::kFeasible;
}

/// The least height that is not within `capacity`, if there is a number for it.
[[nodiscard]] inline std::int64_t above(std::int64_t capacity) noexcept {
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  return capacity < kMost ? capacity + 1 : kMost;
}

/// solve() by an engine.
template <class E, class Size, class Time>
[[nodiscard]] Result<Size> solve_with(const Problem<Size, Time>& problem,
                                      Size capacity, const Options& options) {
  Result<Size> result;
  Call call(options, result.stats);
  result.error = detail::check<!E::kBodies>(problem, call.interrupt());
  check_capacity(capacity, result.error);
  if (!result.error.ok()) return result;
  Found found;
  const Outcome outcome =
      solve_flat<E>(flatten_for<E>(problem, call.interrupt()),
                    std::int64_t{capacity}, call, found);
  if (outcome == Outcome::kRefuted)
    found.bound = (std::max)(found.bound, above(capacity));
  if (outcome != Outcome::kPlacedAll) found.offsets.clear();
  write_back(problem, found, result);
  if (outcome == Outcome::kStopped)
    result.stopped_by = call.limits().left_open_by();
  result.status = what_is_known(outcome, result);
  result.stats.seconds = call.limits().seconds();
  return result;
}

}  // namespace detail

template <class Size, class Time>
Result<Size> solve(const Problem<Size, Time>& problem,
                   typename Problem<Size, Time>::SizeType capacity,
                   const Options& options) {
  return detail::solve_with<detail::FullEngine>(problem, capacity, options);
}

SNUG_END_NAMESPACE

#endif  // SNUG_SOLVE_HPP
