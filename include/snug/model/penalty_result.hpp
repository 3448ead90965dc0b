// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What minimize_penalty() returns.
#ifndef SNUG_MODEL_PENALTY_RESULT_HPP
#define SNUG_MODEL_PENALTY_RESULT_HPP

#include "snug/config.hpp"
#include "snug/model/explanation.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"

#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

template <class Size = std::int64_t>
struct [[nodiscard]] PenaltyResult {
  /// kOptimal: no placement costs less than `offsets`. kFeasible: `offsets` is
  /// the cheapest placement so far. kInfeasible: there is no placement, whatever
  /// it costs.
  Status status = Status::kInvalid;
  Stop stopped_by = Stop::kNone;
  std::vector<Size> offsets{};  ///< in input order; empty when none is known
  Size height = 0;              ///< largest offset + size of `offsets`
  std::int64_t cost = 0;        ///< of `offsets`; 0 when none is known
  std::int64_t cost_bound = 0;  ///< no placement costs less
  Check error{};                ///< why the problem is invalid, if it is
  ExplainStats stats{};         ///< nodes: also those of the local search

  /// Whether `offsets` is a placement (empty for a problem without buffers).
  [[nodiscard]] bool has_solution() const noexcept {
    return status == Status::kOptimal || status == Status::kFeasible;
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_PENALTY_RESULT_HPP
