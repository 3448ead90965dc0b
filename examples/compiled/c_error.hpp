// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The numbers of snug/c_error.h are those of Reason and Entry, and, from
/// kFirstFault on, of Fault: a change there that would change them does not
/// compile.
#ifndef SNUG_EXAMPLES_COMPILED_C_ERROR_HPP
#define SNUG_EXAMPLES_COMPILED_C_ERROR_HPP

#include "snug/c_error.h"
#include "snug/model/reason.hpp"
#include "snug/validate.hpp"

namespace snug_c {

using snug::Entry;
using snug::Fault;
using snug::Reason;

inline constexpr int kFirstFault = 64;

template <class Enum>
[[nodiscard]] constexpr int number_of(Enum of_snug) {
  return static_cast<int>(of_snug);
}
[[nodiscard]] constexpr int number_of(Fault fault) {
  return kFirstFault + static_cast<int>(fault);
}

template <class Enum>
[[nodiscard]] constexpr bool same(Enum of_snug, int of_c) {
  return number_of(of_snug) == of_c;
}

static_assert(same(Reason::kNone, SNUG_ERROR_NONE) &&
              same(Reason::kNegativeSize, SNUG_ERROR_NEGATIVE_SIZE) &&
              same(Reason::kEmptyLifespan, SNUG_ERROR_EMPTY_LIFESPAN) &&
              same(Reason::kBadAlignment, SNUG_ERROR_BAD_ALIGNMENT) &&
              same(Reason::kEmptyGap, SNUG_ERROR_EMPTY_GAP) &&
              same(Reason::kGapOutsideLifespan,
                   SNUG_ERROR_GAP_OUTSIDE_LIFESPAN) &&
              same(Reason::kOverlappingGaps, SNUG_ERROR_OVERLAPPING_GAPS) &&
              same(Reason::kWindowOutsideSize,
                   SNUG_ERROR_WINDOW_OUTSIDE_SIZE) &&
              same(Reason::kNegativeOffset, SNUG_ERROR_NEGATIVE_OFFSET) &&
              same(Reason::kMisalignedOffset, SNUG_ERROR_MISALIGNED_OFFSET) &&
              same(Reason::kOffsetOverflow, SNUG_ERROR_OFFSET_OVERFLOW) &&
              same(Reason::kNegativeHint, SNUG_ERROR_NEGATIVE_HINT) &&
              same(Reason::kSizeOverflow, SNUG_ERROR_SIZE_OVERFLOW));
static_assert(
    same(Reason::kNegativeCapacity, SNUG_ERROR_NEGATIVE_CAPACITY) &&
    same(Reason::kNegativeBase, SNUG_ERROR_NEGATIVE_BASE) &&
    same(Reason::kBadHeapAlignment, SNUG_ERROR_BAD_HEAP_ALIGNMENT) &&
    same(Reason::kOffsetBelowBase, SNUG_ERROR_OFFSET_BELOW_BASE) &&
    same(Reason::kUnknownBuffer, SNUG_ERROR_UNKNOWN_BUFFER) &&
    same(Reason::kPairOfOne, SNUG_ERROR_PAIR_OF_ONE) &&
    same(Reason::kContradictoryAlias, SNUG_ERROR_CONTRADICTORY_ALIAS) &&
    same(Reason::kContradictoryOffset, SNUG_ERROR_CONTRADICTORY_OFFSET) &&
    same(Reason::kUnalignableAlias, SNUG_ERROR_UNALIGNABLE_ALIAS) &&
    same(Reason::kApartButTied, SNUG_ERROR_APART_BUT_TIED) &&
    same(Reason::kApartButMayOverlap, SNUG_ERROR_APART_BUT_MAY_OVERLAP) &&
    same(Reason::kBadReserved, SNUG_ERROR_BAD_RESERVED) &&
    same(Reason::kReservedOffset, SNUG_ERROR_RESERVED_OFFSET) &&
    same(Reason::kConflictingOffsets, SNUG_ERROR_CONFLICTING_OFFSETS) &&
    same(Reason::kNegativeCost, SNUG_ERROR_NEGATIVE_COST) &&
    same(Reason::kCostOverflow, SNUG_ERROR_COST_OVERFLOW) &&
    same(Reason::kNoPool, SNUG_ERROR_NO_POOL));
static_assert(same(Fault::kNegativeOffset, SNUG_FAULT_NEGATIVE_OFFSET) &&
              same(Fault::kBelowBase, SNUG_FAULT_BELOW_BASE) &&
              same(Fault::kMovedFixedOffset, SNUG_FAULT_MOVED_FIXED_OFFSET) &&
              same(Fault::kMisalignedPlacement,
                   SNUG_FAULT_MISALIGNED_PLACEMENT) &&
              same(Fault::kBeyondCapacity, SNUG_FAULT_BEYOND_CAPACITY) &&
              same(Fault::kBrokenAlias, SNUG_FAULT_BROKEN_ALIAS) &&
              same(Fault::kBrokenGroup, SNUG_FAULT_BROKEN_GROUP) &&
              same(Fault::kNotApart, SNUG_FAULT_NOT_APART) &&
              same(Fault::kOverlap, SNUG_FAULT_OVERLAP) &&
              same(Fault::kWrongEnd, SNUG_FAULT_WRONG_END) &&
              same(Fault::kReservedBytes, SNUG_FAULT_RESERVED_BYTES));
static_assert(same(Entry::kProblem, SNUG_ENTRY_PROBLEM) &&
              same(Entry::kBuffer, SNUG_ENTRY_BUFFER) &&
              same(Entry::kGap, SNUG_ENTRY_GAP) &&
              same(Entry::kAlias, SNUG_ENTRY_ALIAS) &&
              same(Entry::kGroup, SNUG_ENTRY_GROUP) &&
              same(Entry::kApart, SNUG_ENTRY_APART) &&
              same(Entry::kMayOverlap, SNUG_ENTRY_MAY_OVERLAP) &&
              same(Entry::kReserved, SNUG_ENTRY_RESERVED) &&
              same(Entry::kPenalty, SNUG_ENTRY_PENALTY));

}  // namespace snug_c

#endif  // SNUG_EXAMPLES_COMPILED_C_ERROR_HPP
