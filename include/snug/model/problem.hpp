// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem: buffers with known sizes and lifespans. Plain data; nothing
/// here computes. check.hpp says whether a problem is well formed.
///
/// The running example, five buffers on time steps 0 to 20, drawn with one
/// valid placement (b1 and b2 share the bytes [0, 4)):
///
///       12 +---------------------------------------+
///          |        b3       |                     |
///        8 +-----------------+---------------------+
///          |                  b5                   |
///        4 +-----+-----------+---------------------+
///          | b1  |    b2     |         b4          |
///        0 +-----+-----------+---------------------+
///          0     3           9                     21
#ifndef SNUG_MODEL_PROBLEM_HPP
#define SNUG_MODEL_PROBLEM_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A part of a buffer's lifespan in which it is inactive (no window), or
/// occupies only the bytes [offset + window.lower, offset + window.upper).
template <class Size = std::int64_t, class Time = std::int64_t>
struct Gap {
  Interval<Time> lifespan{};
  std::optional<Interval<Size>> window{};
};

/// A block of memory: `size` bytes, live during `lifespan`.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Buffer {
  Interval<Time> lifespan{};            ///< half-open, in any unit of time
  Size size{};                          ///< bytes (or any unit), >= 0
  Size alignment = 1;                   ///< offset is a multiple of it, >= 1
  std::vector<Gap<Size, Time>> gaps{};  ///< disjoint, inside the lifespan
  std::optional<Size> offset = std::nullopt;  ///< fixed offset, if any
  std::optional<Size> hint = std::nullopt;    ///< preferred offset, not binding
};

/// What is to be placed. Results refer to buffers by their index.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Problem {
  static_assert(std::is_integral_v<Size> && std::is_signed_v<Size>,
                "sizes are signed integers");
  static_assert(std::is_integral_v<Time> && std::is_signed_v<Time>,
                "times are signed integers");

  using SizeType = Size;
  using TimeType = Time;

  std::vector<Buffer<Size, Time>> buffers{};
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_PROBLEM_HPP
