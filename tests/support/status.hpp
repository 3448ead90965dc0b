// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a call came to a good end, in one word for tests.
#ifndef SNUG_TESTS_SUPPORT_STATUS_HPP
#define SNUG_TESTS_SUPPORT_STATUS_HPP

#include "snug/model/explanation.hpp"
#include "snug/model/result.hpp"

namespace snug {

[[nodiscard]] constexpr bool is_placed(Status status) noexcept {
  return status == Status::kOptimal || status == Status::kFeasible;
}

/// A placement, and nothing stopped the call.
template <class Size>
[[nodiscard]] bool is_solved(const Result<Size>& result) {
  return is_placed(result.status) && result.stopped_by == Stop::kNone;
}
template <class Time>
[[nodiscard]] bool is_solved(const Explanation<Time>& explanation) {
  return is_placed(explanation.status);
}
template <class Size, class Cost>
[[nodiscard]] bool is_solved(const Spills<Size, Cost>& spills) {
  return is_placed(spills.status);
}

}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_STATUS_HPP
