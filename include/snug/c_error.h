// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What can be wrong with the input of a call, by number, for callers of
/// snug/c_api.h that want to know without reading a message. Numbers never
/// change. Those that are left out belong to what cannot be wrong there.
///
/// The headers model/reason.hpp and validate.hpp have the same with names of
/// their own; check() in model/check.hpp says which error comes first.
#ifndef SNUG_C_ERROR_H
#define SNUG_C_ERROR_H

/// What is wrong with a problem, or with the capacity, the pools or the costs
/// that it goes with. From 64 on, what is wrong with a placement, for
/// snug_validate() alone.
typedef enum snug_error {
  SNUG_ERROR_NONE = 0,  ///< nothing, or what snug_result::message alone says
  SNUG_ERROR_NEGATIVE_SIZE = 1,
  SNUG_ERROR_EMPTY_LIFESPAN = 2,
  SNUG_ERROR_BAD_ALIGNMENT = 3,
  SNUG_ERROR_EMPTY_GAP = 4,
  SNUG_ERROR_GAP_OUTSIDE_LIFESPAN = 5,
  SNUG_ERROR_OVERLAPPING_GAPS = 6,  ///< `other` is a gap
  SNUG_ERROR_WINDOW_OUTSIDE_SIZE = 7,
  SNUG_ERROR_NEGATIVE_OFFSET = 8,
  SNUG_ERROR_MISALIGNED_OFFSET = 9,
  SNUG_ERROR_OFFSET_OVERFLOW = 10,
  SNUG_ERROR_NEGATIVE_HINT = 11,
  SNUG_ERROR_SIZE_OVERFLOW = 12,
  SNUG_ERROR_NEGATIVE_CAPACITY = 14,
  SNUG_ERROR_NEGATIVE_BASE = 15,
  SNUG_ERROR_BAD_HEAP_ALIGNMENT = 16,
  SNUG_ERROR_OFFSET_BELOW_BASE = 17,  ///< fixed offset below the base
  SNUG_ERROR_UNKNOWN_BUFFER = 18,     ///< no buffer has the index `buffer`
  SNUG_ERROR_PAIR_OF_ONE = 19,        ///< a pair of a buffer with itself
  /// Aliases and groups give two places for the buffer.
  SNUG_ERROR_CONTRADICTORY_ALIAS = 20,
  /// Its fixed offset is not where its aliases put it.
  SNUG_ERROR_CONTRADICTORY_OFFSET = 21,
  /// No offset suits its alignment and its aliases'.
  SNUG_ERROR_UNALIGNABLE_ALIAS = 22,
  /// Kept apart, but its aliases make them share bytes.
  SNUG_ERROR_APART_BUT_TIED = 23,
  SNUG_ERROR_APART_BUT_MAY_OVERLAP = 24,  ///< a pair is both
  SNUG_ERROR_BAD_RESERVED = 25,           ///< range is empty or below zero
  SNUG_ERROR_RESERVED_OFFSET = 26,        ///< fixed bytes are reserved
  /// Two fixed buffers meet, or lie at wrong ends.
  SNUG_ERROR_CONFLICTING_OFFSETS = 27,
  SNUG_ERROR_NEGATIVE_COST = 28,
  SNUG_ERROR_COST_OVERFLOW = 29,  ///< of the costs up to this one
  SNUG_ERROR_NO_POOL = 30,        ///< there are buffers, but no pool

  SNUG_FAULT_NEGATIVE_OFFSET = 67,
  SNUG_FAULT_BELOW_BASE = 68,
  SNUG_FAULT_MOVED_FIXED_OFFSET = 69,
  SNUG_FAULT_MISALIGNED_PLACEMENT = 70,
  SNUG_FAULT_BEYOND_CAPACITY = 71,
  SNUG_FAULT_BROKEN_ALIAS = 72,
  SNUG_FAULT_BROKEN_GROUP = 73,
  SNUG_FAULT_NOT_APART = 74,
  SNUG_FAULT_OVERLAP = 75,
  SNUG_FAULT_WRONG_END = 76,
  SNUG_FAULT_RESERVED_BYTES = 77,  ///< `other` is a reserved range
} snug_error;

/// The array that snug_result::entry is an index of.
typedef enum snug_entry {
  SNUG_ENTRY_PROBLEM = 0,  ///< none: base, alignment or capacity
  SNUG_ENTRY_BUFFER = 1,
  SNUG_ENTRY_GAP = 2,
  SNUG_ENTRY_ALIAS = 3,
  SNUG_ENTRY_GROUP = 4,
  SNUG_ENTRY_APART = 5,
  SNUG_ENTRY_MAY_OVERLAP = 6,
  SNUG_ENTRY_RESERVED = 7,  ///< of snug_pools for snug_assign()
  SNUG_ENTRY_PENALTY = 8,
} snug_entry;

#endif  // SNUG_C_ERROR_H
