// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a solve returns. What is known (`status`, with `offsets`, `height` and
/// `lower_bound`) and what stopped it (`stopped_by`) are two things: a solve that
/// hits a limit may still hold a placement, and its lower bound is valid all the
/// same.
#ifndef SNUG_MODEL_RESULT_HPP
#define SNUG_MODEL_RESULT_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What is known of the problem.
enum class Status : std::uint8_t {
  kOptimal,     ///< a placement, and proved: no other is lower
  kFeasible,    ///< a placement
  kInfeasible,  ///< proved: no placement fits; never a guess or a time-out
  kUnknown,     ///< none of these: something stopped it
  kInvalid,     ///< Result::error says what is wrong with the input
};

/// What ended a solve before the question was answered.
enum class Stop : std::uint8_t {
  kNone,       ///< nothing: it was answered
  kTimeLimit,  ///< Options::time_limit ran out, or was too short for a search
  kNodeLimit,  ///< Options::node_limit ran out, or there was no search at all
  kCancelled,  ///< Options::cancel was set, or a progress report said so
};

/// One lower-case word: "optimal", "feasible", "infeasible", "unknown",
/// "invalid".
[[nodiscard]] constexpr const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kOptimal:
      return "optimal";
    case Status::kFeasible:
      return "feasible";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kUnknown:
      return "unknown";
    case Status::kInvalid:
      return "invalid";
  }
  return "invalid";
}

/// One lower-case word: "none", "time_limit", "node_limit", "cancelled".
[[nodiscard]] constexpr const char* to_string(Stop stop) noexcept {
  switch (stop) {
    case Stop::kNone:
      return "none";
    case Stop::kTimeLimit:
      return "time_limit";
    case Stop::kNodeLimit:
      return "node_limit";
    case Stop::kCancelled:
      return "cancelled";
  }
  return "none";
}

/// How a call ended, in the one word that programs print: "solved",
/// "infeasible" or "invalid" if the question was answered, else what stopped it.
[[nodiscard]] constexpr const char* outcome_word(Status status,
                                                 Stop stopped_by) noexcept {
  if (stopped_by != Stop::kNone) return to_string(stopped_by);
  return status == Status::kOptimal || status == Status::kFeasible
             ? "solved"
             : to_string(status);
}

/// What the solve did. All but `seconds` are the same on every run.
struct Stats {
  std::int64_t nodes = 0;       ///< placements tried by the search
  std::int64_t backtracks = 0;  ///< nodes that failed
  std::int64_t runs = 0;        ///< searches started, restarts included
  double seconds = 0;           ///< wall clock
  std::size_t peak_bytes = 0;   ///< most memory held at one time by the solve
  char strategy[8] = {};        ///< the one that ended the search, or ""
};

template <class Size = std::int64_t>
struct [[nodiscard]] Result {
  Status status = Status::kInvalid;
  Stop stopped_by = Stop::kNone;
  std::vector<Size> offsets{};  ///< in input order; empty when none is known
  Size height = 0;              ///< largest offset + size of `offsets`
  Size lower_bound = 0;         ///< no placement of the problem is lower
  std::vector<std::size_t> moved{};  ///< buffers not at their hints, ascending
  Check error{};                     ///< why the problem is invalid, if it is
  Stats stats{};

  /// Whether `offsets` is a placement (empty for a problem without buffers).
  [[nodiscard]] bool has_solution() const noexcept {
    return status == Status::kOptimal || status == Status::kFeasible;
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_RESULT_HPP
