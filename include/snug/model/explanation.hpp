// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What explain() and suggest_spills() return.
#ifndef SNUG_MODEL_EXPLANATION_HPP
#define SNUG_MODEL_EXPLANATION_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What a call with many solves did.
struct ExplainStats {
  std::int64_t solves = 0;  ///< of problems that needed more than their load
  std::int64_t nodes = 0;   ///< of all of them
  double seconds = 0;       ///< wall clock
};

/// Why buffers do not fit.
enum class Cause : std::uint8_t {
  kNone,    ///< they do, or it is not known
  kLoad,    ///< at one moment they occupy more bytes than there are
  kSearch,  ///< no moment is overloaded, but no placement exists
};

[[nodiscard]] constexpr const char* to_string(Cause cause) noexcept {
  switch (cause) {
    case Cause::kNone:
      return "none";
    case Cause::kLoad:
      return "load";
    case Cause::kSearch:
      return "search";
  }
  return "none";
}

template <class Time = std::int64_t>
struct [[nodiscard]] Explanation {
  /// Of the whole problem. kInfeasible: `buffers` says why. kFeasible: it fits.
  /// kUnknown: stopped before either was known.
  Status status = Status::kInvalid;
  /// Ascending indices of buffers that do not fit; empty unless kInfeasible.
  std::vector<std::size_t> buffers{};
  /// Whether every proper subset of them is known to fit. If there are any and
  /// it is not, `stopped_by` says which limit was hit.
  bool proved_irreducible = false;
  Stop stopped_by = Stop::kNone;
  Cause cause = Cause::kNone;
  Time moment{};  ///< for kLoad: all of `buffers` are live then
  Check error{};  ///< why the problem is invalid, if it is
  ExplainStats stats{};
};

template <class Size = std::int64_t, class Cost = std::int64_t>
struct [[nodiscard]] Spills {
  /// kFeasible: `offsets` is a placement of all buffers but `buffers`.
  /// kInvalid: `error` says why; if error.ok(), the costs are wrong,
  /// and error.buffer is the first buffer without a valid one.
  Status status = Status::kInvalid;
  std::vector<std::size_t> buffers{};  ///< to be spilled, ascending
  /// In input order; kSpilled for those to be spilled.
  std::vector<Size> offsets{};
  Cost cost{};        ///< of `buffers`
  Cost cost_bound{};  ///< nothing that lets the rest fit costs less
  bool proved_cheapest = false;
  /// The limit that was hit, if one was; kNodeLimit also where only more memory
  /// would help; kNone also where the search gave up by itself.
  Stop stopped_by = Stop::kNone;
  Check error{};
  ExplainStats stats{};

  static constexpr Size kSpilled = -1;
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_EXPLANATION_HPP
