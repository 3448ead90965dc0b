// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several memory pools, and what assign() returns.
///
///     +------+  +-----------------+   e.g. fast memory at no cost, and a slow
///     | fast |  |       slow      |   one where each byte costs its traffic;
///     +------+  +-----------------+   what is only read stays in the slow one
#ifndef SNUG_MODEL_POOL_HPP
#define SNUG_MODEL_POOL_HPP

#include "snug/config.hpp"
#include "snug/model/explanation.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A memory. Its base, alignment and reserved ranges are what those of Problem
/// are for a single one.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Pool {
  Size capacity{};     ///< no top is above it, >= 0
  Size base = 0;       ///< no offset is lower, >= 0
  Size alignment = 1;  ///< every offset is a multiple of it, >= 1
  std::vector<Reserved<Size, Time>> reserved{};
  std::int64_t cost_per_byte = 0;  ///< of every buffer placed in it, >= 0
};

/// The pools that buffers may be placed in, and what that costs.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Pools {
  /// A buffer may not be in this pool.
  static constexpr std::int64_t kNever = -1;

  std::vector<Pool<Size, Time>> pools{};
  /// By buffer, then by pool: what it costs to have the buffer there, on top of
  /// the cost of its bytes, >= 0; or kNever. A buffer without entries, also
  /// beyond the end of the list, may be in any pool for the cost of its bytes.
  std::vector<std::vector<std::int64_t>> costs{};
};

template <class Size = std::int64_t>
struct [[nodiscard]] AssignResult {
  static constexpr std::size_t kNoPool = Check::kNoBuffer;

  /// kOptimal: nothing costs less. kFeasible: the cheapest so far. kInfeasible:
  /// the buffers do not fit, whatever it costs.
  Status status = Status::kInvalid;
  Stop stopped_by = Stop::kNone;
  std::vector<std::size_t> pools{};  ///< of each buffer; empty: none is known
  std::vector<Size> offsets{};       ///< of each buffer in its pool
  std::int64_t cost = 0;             ///< of all of them; 0 when none is known
  std::int64_t cost_bound = 0;       ///< nothing costs less
  Check error{};                     ///< why the input is invalid, if it is
  std::size_t error_pool = kNoPool;  ///< of which pool, if of one
  ExplainStats stats{};

  /// Whether every buffer has a pool and an offset there.
  [[nodiscard]] bool has_solution() const noexcept {
    return status == Status::kOptimal || status == Status::kFeasible;
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_POOL_HPP
