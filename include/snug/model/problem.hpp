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

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A part of a buffer's lifespan in which it is inactive (no window), or
/// occupies only the bytes [offset + window.lower, offset + window.upper): with
/// an empty window such as [0, 0), none.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Gap {
  Interval<Time> lifespan{};
  std::optional<Interval<Size>> window{};
};

/// The end of memory that a buffer grows from. Where a bottom buffer and a top
/// buffer occupy memory at the same time (or are kept apart), the bottom one
/// lies below, unless they are tied to one another: then their ties say where they
/// are. Buffers of neither kind go anywhere.
enum class End : std::uint8_t { kAny, kBottom, kTop };

/// A block of memory: `size` bytes, live during `lifespan`. A buffer of size
/// zero gets an offset and constrains nothing.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Buffer {
  Interval<Time> lifespan{};            ///< half-open, in any unit of time
  Size size{};                          ///< bytes (or any unit), >= 0
  Size alignment = 1;                   ///< offset is a multiple of it, >= 1
  std::vector<Gap<Size, Time>> gaps{};  ///< disjoint, inside the lifespan
  std::optional<Size> offset = std::nullopt;  ///< fixed offset, if any
  std::optional<Size> hint = std::nullopt;    ///< preferred offset, not binding
  End end = End::kAny;
};

/// `buffer` shares memory with `of`: its offset is that of `of`, plus `delta`.
/// Buffers tied by aliases and contiguous groups, directly or through others,
/// keep their places relative to one another whatever bytes they then share.
template <class Size = std::int64_t>
struct Alias {
  std::size_t buffer = 0;
  std::size_t of = 0;
  Size delta = 0;
};

/// Two different buffers by index, in any order.
struct BufferPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Two different buffers by index, in any order, and what it costs if their
/// bytes [offset, offset + size) are not disjoint.
struct Penalty {
  std::size_t first = 0;
  std::size_t second = 0;
  std::int64_t cost = 0;  ///< >= 0
};

/// Bytes that no buffer may occupy, for all time or during `lifespan`. They
/// count neither towards the capacity nor towards the height.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Reserved {
  Interval<Size> bytes{};
  std::optional<Interval<Time>> lifespan = std::nullopt;
};

/// What is to be placed. Results refer to buffers by their index.
///
/// Two buffers *meet* when at some time both occupy the same byte. A placement
/// lets no two buffers meet but those tied by `aliases` and `contiguous`, and
/// those in `may_overlap`.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Problem {
  static_assert(std::is_integral_v<Size> && std::is_signed_v<Size>,
                "sizes are signed integers");
  static_assert(std::is_integral_v<Time> && std::is_signed_v<Time>,
                "times are signed integers");

  using SizeType = Size;
  using TimeType = Time;

  std::vector<Buffer<Size, Time>> buffers{};

  std::vector<Alias<Size>> aliases{};
  /// Groups whose members follow one another: each begins where the one before
  /// it in the list ends.
  std::vector<std::vector<std::size_t>> contiguous{};
  /// Pairs whose bytes [offset, offset + size) are disjoint, whatever their
  /// lifespans and gaps.
  std::vector<BufferPair> apart{};
  /// Pairs that may share memory although both are live.
  std::vector<BufferPair> may_overlap{};
  std::vector<Reserved<Size, Time>> reserved{};
  /// Pairs that had better not share bytes, whatever their lifespans and gaps;
  /// several of one pair add up. For minimize_penalty(): to other calls that
  /// place buffers they are nothing, but must be well formed.
  std::vector<Penalty> penalties{};
  Size base = 0;       ///< no offset is lower, >= 0
  Size alignment = 1;  ///< every offset is a multiple of it, >= 1
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_PROBLEM_HPP
