// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The structs and enumerations of snug/c_api.h, which says what they have in
/// common and includes this header.
#ifndef SNUG_C_TYPES_H
#define SNUG_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {  // snug_options points to a function.
#endif

/// What is known of the problem, or why there was no answer.
typedef enum snug_status {
  SNUG_OPTIMAL = 0,       ///< a placement, and proved: none is better
  SNUG_FEASIBLE = 1,      ///< a placement
  SNUG_INFEASIBLE = 2,    ///< proved: no placement fits
  SNUG_UNKNOWN = 3,       ///< none of these
  SNUG_INVALID = 4,       ///< the input is wrong; snug_result::message says why
  SNUG_BAD_ARGUMENT = 5,  ///< the call is wrong; likewise
  SNUG_OUT_OF_MEMORY = 6,  ///< nothing is known, nothing is lost
} snug_status;

/// What ended a call before its question was answered.
typedef enum snug_stop {
  SNUG_STOP_NONE = 0,
  SNUG_STOP_TIME_LIMIT = 1,
  SNUG_STOP_NODE_LIMIT = 2,
  SNUG_STOP_CANCELLED = 3,  ///< by the flag, or a progress report
} snug_stop;

/// The end of memory that a buffer grows from.
typedef enum snug_end {
  SNUG_END_ANY = 0,
  SNUG_END_BOTTOM = 1,
  SNUG_END_TOP = 2,
} snug_end;

/// Why buffers do not fit.
typedef enum snug_cause {
  SNUG_CAUSE_NONE = 0,
  SNUG_CAUSE_LOAD = 1,    ///< at snug_result::moment they need too many bytes
  SNUG_CAUSE_SEARCH = 2,  ///< at no moment do they, but there is no placement
} snug_cause;

/// In [lower, upper), `buffer` occupies the bytes [window_lower, window_upper)
/// of its own alone; none of them if the two are equal, and so by default.
typedef struct snug_gap {
  int64_t buffer;
  int64_t lower;
  int64_t upper;
  int64_t window_lower;
  int64_t window_upper;
} snug_gap;

/// The offset of `buffer` is that of `of`, plus `delta`.
typedef struct snug_alias {
  int64_t buffer;
  int64_t of;
  int64_t delta;
} snug_alias;

/// Two different buffers.
typedef struct snug_pair {
  int64_t first;
  int64_t second;
} snug_pair;

/// Two different buffers, and what it costs if they share bytes.
typedef struct snug_penalty {
  int64_t first;
  int64_t second;
  int64_t cost;
} snug_penalty;

/// The bytes [lower, upper) are nobody's in [begin, end), or always if both of
/// these are 0.
typedef struct snug_reserved {
  int64_t lower;
  int64_t upper;
  int64_t begin;
  int64_t end;
} snug_reserved;

/// What is to be placed. Buffers are known by their index. An array may be null
/// where its count is 0, and those of buffers where it says so.
typedef struct snug_problem {
  size_t struct_size;
  int64_t buffer_count;
  const int64_t* lower;      ///< the lifespan of each buffer: [lower, upper)
  const int64_t* upper;      ///< ... in any unit of time
  const int64_t* size;       ///< bytes, >= 0
  const int64_t* alignment;  ///< >= 1, 0 means 1; null: 1 for all
  const int64_t* offset;     ///< fixed offset, -1: free; null: all are free
  const int64_t* hint;       ///< preferred offset, -1: none; null: no hints
  const uint8_t* end;        ///< snug_end; null: SNUG_END_ANY for all
  int64_t gap_count;
  const snug_gap* gaps;
  int64_t alias_count;
  const snug_alias* aliases;
  /// Groups whose members follow one another in memory. `group_members` holds
  /// one group behind the other.
  int64_t group_count;
  const int64_t* group_sizes;  ///< the number of members of each
  const int64_t* group_members;
  int64_t apart_count;
  const snug_pair* apart;  ///< share no byte, whatever their lifespans
  int64_t may_overlap_count;
  const snug_pair* may_overlap;  ///< may share bytes although both are live
  int64_t reserved_count;
  const snug_reserved* reserved;
  int64_t penalty_count;
  const snug_penalty* penalties;  ///< for snug_minimize_penalty() alone
  int64_t base;                   ///< no offset is lower, >= 0
  int64_t heap_alignment;         ///< of every offset, >= 1, 0 means 1
} snug_problem;

/// A memory. Its base and alignment are what those of snug_problem are for a
/// single one.
typedef struct snug_pool {
  int64_t capacity;       ///< no top is above it, >= 0
  int64_t base;           ///< no offset is lower, >= 0
  int64_t alignment;      ///< of every offset, >= 1, 0 means 1
  int64_t cost_per_byte;  ///< of every buffer placed in it, >= 0
} snug_pool;

/// The bytes [lower, upper) of `pool` are nobody's in [begin, end), or always if
/// both of these are 0. The pool must be one of those that there are.
typedef struct snug_pool_reserved {
  int64_t pool;
  int64_t lower;
  int64_t upper;
  int64_t begin;
  int64_t end;
} snug_pool_reserved;

enum {
  SNUG_NEVER = -1,  ///< the buffer may not be in the pool
};

/// Where buffers may be placed, and what that costs.
typedef struct snug_pools {
  size_t struct_size;
  int64_t pool_count;
  const snug_pool* pools;
  int64_t reserved_count;
  const snug_pool_reserved* reserved;
  /// costs[buffer * pool_count + pool]: what it costs to have the buffer there,
  /// on top of the cost of its bytes, >= 0; or SNUG_NEVER. Null: 0 for all.
  const int64_t* costs;
} snug_pools;

/// A flag to cancel a call with. It is down when it is zero-filled, before the
/// call.
typedef struct snug_flag {
  unsigned char raised;
} snug_flag;

/// What is known while a call runs.
typedef struct snug_progress {
  size_t struct_size;
  int64_t height;  ///< of the best placement so far; -1: none
  int64_t lower_bound;
  int64_t nodes;
  double seconds;
} snug_progress;

typedef struct snug_options {
  size_t struct_size;
  int64_t time_limit_ns;    ///< nanoseconds; 0: no limit; < 0: stop at once
  int64_t node_limit;       ///< 0: no limit; < 0: no search at all
  uint64_t seed;            ///< of restarts and walks; 0 means 1
  const snug_flag* cancel;  ///< may be null
  /// Called in the thread of the call wherever that looks at the clock; anything but 0
  /// cancels it. May be null.
  int (*progress)(const snug_progress* progress, void* data);
  void* progress_data;  ///< handed to `progress`
  /// At most one report in so many nanoseconds; 0: 100 ms; < 0: no such limit.
  int64_t progress_interval_ns;
  /// Bytes held beside what grows with the problem alone, about; 0: no limit.
  uint64_t memory_limit;
} snug_options;

/// What a call found. The caller sets `struct_size`, the call all the rest, to
/// zero what it does not find out.
typedef struct snug_result {
  size_t struct_size;
  int32_t status;        ///< snug_status, which is returned as well
  int32_t stopped_by;    ///< snug_stop
  int64_t height;        ///< largest offset + size of the placement
  int64_t lower_bound;   ///< no placement is lower
  int64_t cost;          ///< of penalties paid, of what is spilled, of pools
  int64_t cost_bound;    ///< nothing costs less
  int64_t buffer_count;  ///< that do not fit, are spilled, or moved
  int32_t proved;        ///< 1: all of them are necessary; or the cheapest
  int32_t cause;         ///< snug_cause
  int64_t moment;        ///< of SNUG_CAUSE_LOAD
  int64_t nodes;         ///< placements tried
  int64_t backtracks;    ///< of them, those that failed
  int64_t runs;          ///< searches, or solves, started
  double seconds;        ///< wall clock
  int64_t peak_bytes;    ///< most memory held at one time
  char strategy[8];      ///< the one that ended the search, or ""
  /// Of what is wrong: the buffer, the second one of two, and the index of the
  /// entry in its array; each -1 if there is none.
  int64_t buffer;
  int64_t other;
  int64_t entry;
  char message[256];   ///< one line without a full stop; "" if nothing is wrong
  int32_t error;       ///< snug_error
  int32_t entry_kind;  ///< snug_entry: the array that `entry` is an index of
  int64_t pool;        ///< where something is wrong; -1: in none
  int64_t text_length;  ///< of the certificate, in bytes
} snug_result;

#ifdef __cplusplus
}
#endif

#endif  // SNUG_C_TYPES_H
