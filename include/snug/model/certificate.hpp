// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What certify() returns.
#ifndef SNUG_MODEL_CERTIFICATE_HPP
#define SNUG_MODEL_CERTIFICATE_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

SNUG_BEGIN_NAMESPACE

/// A proof that buffers do not fit, or why there is none.
struct [[nodiscard]] Certificate {
  /// kInfeasible: `text` proves it. kFeasible: there is a placement. kUnknown:
  /// neither was found; `stopped_by` says which limit was hit. If that is
  /// kNone, nothing was hit: what keeps the problem from fitting, if anything
  /// does, is among the constraints that certificates do not speak of, or takes
  /// them together with what they do.
  Status status = Status::kInvalid;
  Stop stopped_by = Stop::kNone;
  Check error{};           ///< why the problem is invalid, if it is
  std::string text{};      ///< empty unless kInfeasible
  std::size_t lemmas = 0;  ///< lines of the text that prove something
  std::int64_t nodes = 0;  ///< placements tried
  double seconds = 0;      ///< wall clock
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_CERTIFICATE_HPP
