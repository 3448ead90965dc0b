// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a problem is refused: what check() answers, for all that need to name an
/// error without checking anything themselves.
#ifndef SNUG_MODEL_REASON_HPP
#define SNUG_MODEL_REASON_HPP

#include "snug/config.hpp"

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
  kNegativeBase,         ///< Problem::base
  kBadHeapAlignment,     ///< Problem::alignment
  kOffsetBelowBase,      ///< fixed offset below Problem::base
  kUnknownBuffer,        ///< `buffer` is an index that no buffer has
  kPairOfOne,            ///< a pair of a buffer with itself
  kContradictoryAlias,   ///< aliases and groups give two places for `buffer`
  kContradictoryOffset,  ///< its fixed offset is not where its aliases put it
  kUnalignableAlias,     ///< no offset suits its alignment and its aliases'
  kApartButTied,         ///< kept apart, but its aliases make them share bytes
  kApartButMayOverlap,   ///< a pair is both kept apart and free to overlap
  kBadReserved,          ///< a reserved range is empty or below zero
  kReservedOffset,       ///< fixed bytes are reserved
  kConflictingOffsets,   ///< two fixed buffers meet, or lie at wrong ends
  kNegativeCost,         ///< of a penalty, or in a pool
  kCostOverflow,         ///< the costs up to this one exceed 2^62
  kNoPool,               ///< there are buffers, but no pool
  kPoolCosts,            ///< not as many costs as there are pools
  kUnsupported,          ///< snug::plain was given a constraint
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
      return "gap window ends before it begins or reaches outside the buffer";
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
    case Reason::kNegativeBase:
      return "base offset of the problem is negative";
    case Reason::kBadHeapAlignment:
      return "alignment of the problem is less than 1";
    case Reason::kOffsetBelowBase:
      return "fixed offset is below the base offset of the problem";
    case Reason::kUnknownBuffer:
      return "no buffer has this index";
    case Reason::kPairOfOne:
      return "pair of a buffer with itself";
    case Reason::kContradictoryAlias:
      return "aliases and contiguous groups contradict each other";
    case Reason::kContradictoryOffset:
      return "fixed offset contradicts the aliases";
    case Reason::kUnalignableAlias:
      return "alignment contradicts the aliases";
    case Reason::kApartButTied:
      return "kept apart from a buffer that its aliases make it overlap";
    case Reason::kApartButMayOverlap:
      return "pair is both kept apart and free to overlap";
    case Reason::kBadReserved:
      return "reserved range is empty or reaches below zero";
    case Reason::kReservedOffset:
      return "fixed offset occupies reserved bytes";
    case Reason::kConflictingOffsets:
      return "fixed offsets conflict";
    case Reason::kNegativeCost:
      return "cost is negative";
    case Reason::kCostOverflow:
      return "sum of the costs up to this one overflows";
    case Reason::kNoPool:
      return "there is no pool";
    case Reason::kPoolCosts:
      return "costs of a buffer are not one for each pool";
    case Reason::kUnsupported:
      return "snug::plain does not know the constraint";
  }
  return "unknown";
}

/// The kinds of entries of a problem.
enum class Entry : std::uint8_t {
  kProblem,     ///< base, alignment or capacity
  kBuffer,      ///< Problem::buffers
  kGap,         ///< Buffer::gaps
  kAlias,       ///< Problem::aliases
  kGroup,       ///< Problem::contiguous
  kApart,       ///< Problem::apart
  kMayOverlap,  ///< Problem::may_overlap
  kReserved,    ///< Problem::reserved
  kPenalty,     ///< Problem::penalties
};

/// The entry as a word or two: "buffer", "gap", "alias", "contiguous group",
/// "pair kept apart", "pair that may overlap", "reserved range", "pair with a
/// penalty", "problem".
[[nodiscard]] constexpr const char* to_string(Entry entry) noexcept {
  switch (entry) {
    case Entry::kProblem:
      return "problem";
    case Entry::kBuffer:
      return "buffer";
    case Entry::kGap:
      return "gap";
    case Entry::kAlias:
      return "alias";
    case Entry::kGroup:
      return "contiguous group";
    case Entry::kApart:
      return "pair kept apart";
    case Entry::kMayOverlap:
      return "pair that may overlap";
    case Entry::kReserved:
      return "reserved range";
    case Entry::kPenalty:
      return "pair with a penalty";
  }
  return "unknown";
}

/// The verdict on a problem: what is wrong, with which entry, and of which
/// buffer. That is the first in the order that check() describes.
struct Check {
  static constexpr std::size_t kNoBuffer =
      (std::numeric_limits<std::size_t>::max)();

  Reason reason = Reason::kNone;
  std::size_t buffer = kNoBuffer;  ///< index, or kNoBuffer
  Entry entry = Entry::kProblem;
  /// Of the entry in its list, for a gap among those of the buffer; kNoBuffer
  /// for the problem.
  std::size_t index = kNoBuffer;
  /// The buffer, or for kOverlappingGaps the gap, that `buffer` does not go
  /// together with; kNoBuffer where there is none.
  std::size_t other = kNoBuffer;

  [[nodiscard]] bool ok() const noexcept { return reason == Reason::kNone; }

  /// Something is wrong with a buffer, perhaps because of another.
  [[nodiscard]] static constexpr Check of_buffer(
      Reason reason, std::size_t buffer,
      std::size_t other = kNoBuffer) noexcept {
    return {reason, buffer, Entry::kBuffer, buffer, other};
  }
};

namespace detail {

/// No sum of sizes and padding that matters may exceed this, see check.hpp;
/// nearly twice it still fits.
inline constexpr std::int64_t kMaxTotal = std::int64_t{1} << 62;

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_REASON_HPP
