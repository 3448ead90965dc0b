// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a problem is well formed: every error names a buffer and a reason.
///
/// A problem that passes can be solved without overflow: the sum of all sizes,
/// each with the padding that its alignment may cost, is at most 2^62, and the
/// bytes live at one time fit the size type. So every offset, top and load that
/// snug ever computes fits a 64-bit integer with room to spare.
///
/// Cost: O(n log n) time, O(n) memory (the load needs a sweep when the size
/// type is narrower than 64 bits; else one pass).
#ifndef SNUG_MODEL_CHECK_HPP
#define SNUG_MODEL_CHECK_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE

/// Why a problem was refused.
enum class Reason : std::uint8_t {
  kNone,
  kNegativeSize,
  kEmptyLifespan,
  kBadAlignment,
  kEmptyGap,
  kGapOutsideLifespan,
  kOverlappingGaps,
  kWindowOutsideSize,
  kNegativeOffset,
  kMisalignedOffset,
  kOffsetOverflow,
  kNegativeHint,
  kSizeOverflow,
  kLoadOverflow,
  kNegativeCapacity,
  kUnsupportedGaps,
  kUnsupportedOffset,
};

[[nodiscard]] constexpr const char* to_string(Reason reason) noexcept {
  switch (reason) {
    case Reason::kNone:
      return "well formed";
    case Reason::kNegativeSize:
      return "size is negative";
    case Reason::kEmptyLifespan:
      return "lifespan is empty: lower must be below upper";
    case Reason::kBadAlignment:
      return "alignment is less than 1";
    case Reason::kEmptyGap:
      return "gap is empty: lower must be below upper";
    case Reason::kGapOutsideLifespan:
      return "gap reaches outside the lifespan";
    case Reason::kOverlappingGaps:
      return "gaps overlap";
    case Reason::kWindowOutsideSize:
      return "gap window is empty or reaches outside the buffer";
    case Reason::kNegativeOffset:
      return "fixed offset is negative";
    case Reason::kMisalignedOffset:
      return "fixed offset is not a multiple of the alignment";
    case Reason::kOffsetOverflow:
      return "fixed offset plus size overflows the size type";
    case Reason::kNegativeHint:
      return "hint is negative";
    case Reason::kSizeOverflow:
      return "sum of sizes up to this buffer, with alignment, overflows";
    case Reason::kLoadOverflow:
      return "sum of the sizes live at its start overflows the size type";
    case Reason::kNegativeCapacity:
      return "capacity is negative";
    case Reason::kUnsupportedGaps:
      return "gaps are not supported by the search yet";
    case Reason::kUnsupportedOffset:
      return "fixed offsets are not supported by the search yet";
  }
  return "unknown";
}

/// The verdict on a problem: the first offending buffer, in input order, and
/// what is wrong with it. For kLoadOverflow, which only shows when all buffers
/// are in order, it is the first in order of time.
struct Check {
  static constexpr std::size_t kNoBuffer =
      (std::numeric_limits<std::size_t>::max)();

  Reason reason = Reason::kNone;
  std::size_t buffer = kNoBuffer;  ///< index, or kNoBuffer

  [[nodiscard]] bool ok() const noexcept { return reason == Reason::kNone; }
};

namespace detail {

/// No sum of sizes and padding may exceed this; nearly twice it still fits.
inline constexpr std::int64_t kMaxTotal = std::int64_t{1} << 62;

template <class Size, class Time>
[[nodiscard]] Reason check_gaps(const Buffer<Size, Time>& buffer) {
  Events<Time> events(buffer.gaps.size());
  for (const Gap<Size, Time>& gap : buffer.gaps) {
    if (gap.lifespan.empty()) return Reason::kEmptyGap;
    if (!buffer.lifespan.contains(gap.lifespan))
      return Reason::kGapOutsideLifespan;
    if (gap.window && (gap.window->empty() || gap.window->lower < 0 ||
                       gap.window->upper > buffer.size))
      return Reason::kWindowOutsideSize;
    events.add(gap.lifespan, 0);
  }
  events.sort();
  bool open = false;
  for (const Event<Time>& event : events) {
    if (event.is_start && open) return Reason::kOverlappingGaps;
    open = event.is_start;
  }
  return Reason::kNone;
}

template <class Size, class Time>
[[nodiscard]] Reason check_buffer(const Buffer<Size, Time>& buffer) {
  if (buffer.size < 0) return Reason::kNegativeSize;
  if (buffer.lifespan.empty()) return Reason::kEmptyLifespan;
  if (buffer.alignment < 1) return Reason::kBadAlignment;
  if (buffer.hint && *buffer.hint < 0) return Reason::kNegativeHint;
  if (buffer.offset) {
    if (*buffer.offset < 0) return Reason::kNegativeOffset;
    if (*buffer.offset % buffer.alignment != 0)
      return Reason::kMisalignedOffset;
    if (*buffer.offset > (std::numeric_limits<Size>::max)() - buffer.size)
      return Reason::kOffsetOverflow;
  }
  return buffer.gaps.empty() ? Reason::kNone : check_gaps(buffer);
}

/// The first buffer, by time, at whose start the live bytes exceed the size
/// type; kNoBuffer when there is none. The sum of all sizes fits 64 bits.
template <class Size, class Time>
[[nodiscard]] std::size_t find_load_overflow(
    const Problem<Size, Time>& problem) {
  Events<Time> events(problem.buffers.size());
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    events.add(problem.buffers[i].lifespan, i);
  events.sort();
  std::int64_t load = 0;
  for (const Event<Time>& event : events) {
    const std::int64_t size{problem.buffers[event.owner].size};
    load += event.is_start ? size : -size;
    if (load > (std::numeric_limits<Size>::max)()) return event.owner;
  }
  return Check::kNoBuffer;
}

}  // namespace detail

/// Whether `problem` is well formed. Linear for 64-bit sizes, else O(n log n).
template <class Size, class Time>
[[nodiscard]] Check check(const Problem<Size, Time>& problem) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    const Reason reason = detail::check_buffer(buffer);
    if (reason != Reason::kNone) return {reason, i};
    const std::int64_t room = detail::kMaxTotal - total;
    const std::int64_t padding = std::int64_t{buffer.alignment} - 1;
    if (padding > room || std::int64_t{buffer.size} > room - padding)
      return {Reason::kSizeOverflow, i};
    total += std::int64_t{buffer.size} + padding;
  }
  if constexpr (sizeof(Size) < sizeof(std::int64_t)) {
    if (total > (std::numeric_limits<Size>::max)()) {
      const std::size_t i = detail::find_load_overflow(problem);
      if (i != Check::kNoBuffer) return {Reason::kLoadOverflow, i};
    }
  }
  return {};
}

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_CHECK_HPP
