// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a solve returns. Why it stopped (`status`) and what is known (`offsets`,
/// `height`, `lower_bound`) are separate: a solve that hits a limit may still
/// hold a placement, and its lower bound is valid all the same.
#ifndef SNUG_MODEL_RESULT_HPP
#define SNUG_MODEL_RESULT_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

enum class Status : std::uint8_t {
  kSolved,          ///< a placement was found
  kInfeasible,      ///< proved: no placement fits; never a guess or a time-out.
                    ///< Where the search remembered failed states, the proof
                    ///< rests on 128-bit keys telling them apart: a chance of
                    ///< error of some 2^-76 (engine/state_key.hpp), and none
                    ///< with Rules::failed_states off
  kTimeLimit,       ///< Options::time_limit ran out first
  kNodeLimit,       ///< Options::node_limit ran out first
  kCancelled,       ///< Options::cancel was set
  kInvalidProblem,  ///< Result::error says what is wrong with the input
};

/// The status as one lower-case word: "solved", "infeasible", "time_limit",
/// "node_limit", "cancelled", "invalid".
[[nodiscard]] constexpr const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kTimeLimit:
      return "time_limit";
    case Status::kNodeLimit:
      return "node_limit";
    case Status::kCancelled:
      return "cancelled";
    case Status::kInvalidProblem:
      return "invalid";
  }
  return "invalid";
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
  Status status = Status::kInvalidProblem;
  std::vector<Size> offsets{};  ///< in input order; empty when none is known
  Size height = 0;              ///< largest offset + size of `offsets`
  Size lower_bound = 0;         ///< no placement of the problem is lower
  Check error{};                ///< why the problem is invalid, if it is
  Stats stats{};

  /// Whether `offsets` is a placement (empty for a problem without buffers).
  [[nodiscard]] bool has_solution() const noexcept {
    return status == Status::kSolved || !offsets.empty();
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_RESULT_HPP
