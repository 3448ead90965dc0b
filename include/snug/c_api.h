// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All of snug for C (C99) and for whatever calls C: plain structs and arrays,
/// which belong to the caller. The library is `snug::c`.
///
///     int64_t lower[] = {0, 3, 0}, upper[] = {3, 9, 9}, size[] = {4, 4, 4};
///     int64_t offsets[3];
///     snug_problem problem = {.struct_size = sizeof problem};
///     problem.buffer_count = 3;
///     problem.lower = lower, problem.upper = upper, problem.size = size;
///     snug_result result = {.struct_size = sizeof result};
///     if (snug_solve(&problem, 8, NULL, offsets, &result) <= SNUG_FEASIBLE)
///       ...offsets is a placement of height result.height
///
/// Zero is the default of everything but `struct_size`, the first member of
/// every struct that may grow: sizeof of that struct, as the caller knows it.
/// A member that the caller's struct does not have counts as zero; one that the
/// library does not know must be zero, or the call is refused. So callers and
/// libraries of different versions never misunderstand each other. The structs
/// that are elements of arrays never change: 64-bit integers and no padding.
///
/// No function throws, keeps a pointer that it was given, or shares anything
/// with another call, which may be in another thread. A null pointer stands for
/// what is not wanted, where that is said; other null pointers, negative counts
/// and values that no enumeration has are SNUG_BAD_ARGUMENT. In a library that
/// was compiled without exceptions, running out of memory is what its operator
/// new makes of it.
///
/// The headers of the same names say more: model/problem.hpp, model/pool.hpp,
/// api.hpp.
#ifndef SNUG_C_API_H
#define SNUG_C_API_H

#include "snug/c_error.h"

#include <stddef.h>
#include <stdint.h>

#if defined(SNUG_C_EXPORTS) && defined(_WIN32)
#define SNUG_C_API __declspec(dllexport)
#elif defined(SNUG_C_EXPORTS)
#define SNUG_C_API __attribute__((visibility("default")))
#else
#define SNUG_C_API
#endif

#ifdef __cplusplus
extern "C" {
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
  uint64_t seed;            ///< of the restarts; 0 means 1
  const snug_flag* cancel;  ///< may be null
  /// Called in the thread of the call while nodes are searched; anything but 0
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

/// The version of the library: 10000 * major + 100 * minor + patch.
SNUG_C_API int snug_version(void);
/// One lower-case word, such as "optimal" or "out_of_memory".
SNUG_C_API const char* snug_status_name(int status);
/// One lower-case word, such as "none" or "time_limit".
SNUG_C_API const char* snug_stop_name(int stop);
/// Some lower-case words, such as "size is negative"; "unknown" for a number
/// that no error has.
SNUG_C_API const char* snug_error_name(int error);
/// A word or some, such as "alias" or "pair kept apart"; likewise.
SNUG_C_API const char* snug_entry_name(int entry);

/// Raises the flag: calls that have it in their options end soon. For other
/// threads and signal handlers. Null is ignored.
SNUG_C_API void snug_cancel(snug_flag* flag);

// In all functions below `options` and `result` may be null, and so may the
// arrays to be filled, if the caller does not want them.

/// Whether the problem is well formed: SNUG_INVALID if not, else SNUG_UNKNOWN,
/// as nothing was placed.
SNUG_C_API snug_status snug_check(const snug_problem* problem,
                                  snug_result* result);

/// Whether `offsets`, one a buffer, is a placement within `capacity`:
/// SNUG_FEASIBLE or SNUG_INVALID. Shares no code with what finds placements.
SNUG_C_API snug_status snug_validate(const snug_problem* problem,
                                     int64_t capacity, const int64_t* offsets,
                                     snug_result* result);

/// Finds a placement within `capacity`, or proves that there is none. With
/// SNUG_OPTIMAL and SNUG_FEASIBLE, `offsets` gets one offset a buffer; else, and
/// in the next three functions too, it is left as it was.
SNUG_C_API snug_status snug_solve(const snug_problem* problem, int64_t capacity,
                                  const snug_options* options, int64_t* offsets,
                                  snug_result* result);

/// Finds a placement of the lowest height.
SNUG_C_API snug_status snug_minimize(const snug_problem* problem,
                                     const snug_options* options,
                                     int64_t* offsets, snug_result* result);

/// The same, unless it takes more than `capacity`: SNUG_INFEASIBLE.
SNUG_C_API snug_status snug_minimize_within(const snug_problem* problem,
                                            int64_t capacity,
                                            const snug_options* options,
                                            int64_t* offsets,
                                            snug_result* result);

/// Lists the buffers that have hints and are elsewhere: their indices,
/// ascending, go to `moved`, which has room for all or is null. Returns their
/// number, which is snug_result::buffer_count after the three calls above; -1
/// if an argument is wrong.
SNUG_C_API int64_t snug_list_moved(const snug_problem* problem,
                                   const int64_t* offsets, int64_t* moved);

/// Finds a placement within `capacity` whose penalties cost least; see
/// snug_result::cost and cost_bound.
SNUG_C_API snug_status snug_minimize_penalty(const snug_problem* problem,
                                             int64_t capacity,
                                             const snug_options* options,
                                             int64_t* offsets,
                                             snug_result* result);

/// Finds buffers that do not fit `capacity` although they would without any one
/// of them (snug_result::proved). SNUG_INFEASIBLE: the first
/// snug_result::buffer_count elements of `buffers`, which has room for all, are
/// their indices, ascending. SNUG_FEASIBLE: everything fits.
SNUG_C_API snug_status snug_explain(const snug_problem* problem,
                                    int64_t capacity,
                                    const snug_options* options,
                                    int64_t* buffers, snug_result* result);

/// Finds buffers of small total cost without which the others fit `capacity`.
/// `costs` has the cost of each buffer, >= 0; null: its size. `offsets` gets a
/// placement of the others, and -1 for those.
SNUG_C_API snug_status snug_suggest_spills(
    const snug_problem* problem, int64_t capacity, const int64_t* costs,
    const snug_options* options, int64_t* offsets, snug_result* result);

/// Divides buffers among pools, each by itself a placement within its capacity,
/// at the least cost; see snug_result::cost and cost_bound. The problem's own
/// base, heap alignment, reserved ranges and penalties are not looked at; nor
/// are hints. A buffer's fixed offset must be a legal one in each pool that it
/// may be in. SNUG_OPTIMAL and SNUG_FEASIBLE: `pool_of` gets the pool of each
/// buffer, `offsets` its offset there. Give a limit: the proof may take long.
SNUG_C_API snug_status snug_assign(const snug_problem* problem,
                                   const snug_pools* pools,
                                   const snug_options* options,
                                   int64_t* pool_of, int64_t* offsets,
                                   snug_result* result);

/// Proves that the buffers do not fit `capacity`, in a text that others can
/// check; certify.hpp describes it, and what it cannot speak of.
/// SNUG_INFEASIBLE: the first `text_capacity` bytes of it are in `text`, no zero
/// behind them, and snug_result::text_length has the number that all of it
/// takes; SNUG_BAD_ARGUMENT if `text` is not null and that is more. Else nothing
/// is written: SNUG_FEASIBLE, or SNUG_UNKNOWN, without a limit that stopped the
/// call if there is no certificate. A call for the length alone takes as long as
/// one for the text.
SNUG_C_API snug_status snug_certify(const snug_problem* problem,
                                    int64_t capacity,
                                    const snug_options* options, char* text,
                                    size_t text_capacity, snug_result* result);

/// A placement to which buffers are added one after the other, each for the price
/// of what changes; planner.hpp describes it. It belongs to the library until
/// snug_free_planner(), and to one thread at a time.
typedef struct snug_planner snug_planner;

/// Begins with `offsets`, a placement of the problem within `capacity`; the
/// problem may be one without buffers. SNUG_FEASIBLE: `planner` points to it.
/// SNUG_INVALID: it is no placement; `planner` points to null, as after every
/// other failure.
SNUG_C_API snug_status snug_make_planner(const snug_problem* problem,
                                         int64_t capacity,
                                         const int64_t* offsets,
                                         snug_planner** planner,
                                         snug_result* result);
/// The number of buffers, or 0 for null.
SNUG_C_API int64_t snug_planner_count(const snug_planner* planner);
/// Adds a buffer: `added` has it, with its gaps, and nothing else. SNUG_FEASIBLE:
/// it is the last buffer now, `offsets` gets the offset of every one, and the
/// first snug_result::buffer_count elements of `moved`, which has room for as
/// many, are the indices of those that had another one before. Otherwise there
/// is no such buffer: SNUG_INFEASIBLE, proved; SNUG_UNKNOWN, a limit was hit.
SNUG_C_API snug_status snug_planner_add(snug_planner* planner,
                                        const snug_problem* added,
                                        const snug_options* options,
                                        int64_t* offsets, int64_t* moved,
                                        snug_result* result);
/// These let a buffer stay where it is from now on; move again if others need
/// its place; give its bytes back, and keep its index, with a size of zero.
/// SNUG_UNKNOWN; SNUG_BAD_ARGUMENT if there is no such buffer, or if one to be
/// removed is in a contiguous group.
SNUG_C_API snug_status snug_planner_fix(snug_planner* planner, int64_t buffer);
SNUG_C_API snug_status snug_planner_unfix(snug_planner* planner,
                                          int64_t buffer);
SNUG_C_API snug_status snug_planner_remove(snug_planner* planner,
                                           int64_t buffer);
/// Null is ignored.
SNUG_C_API void snug_free_planner(snug_planner* planner);

/// A problem read from comma-separated text, with the ids of its buffers. It
/// belongs to the library until snug_free_csv().
typedef struct snug_csv snug_csv;

/// Reads a problem from `length` bytes of text; io/csv.hpp describes the format.
/// SNUG_UNKNOWN: `csv` points to it. SNUG_INVALID: the message starts with line
/// and column; `csv` points to null, as after every other failure.
SNUG_C_API snug_status snug_read_csv(const char* text, size_t length,
                                     snug_csv** csv, snug_result* result);
/// The problem that was read, or null for null; its arrays are those of `csv`.
SNUG_C_API const snug_problem* snug_csv_problem(const snug_csv* csv);
/// The id of a buffer, or null if there is none.
SNUG_C_API const char* snug_csv_id(const snug_csv* csv, int64_t buffer);
/// What was read without effect, a note for each column. It starts with line
/// and column, as messages do: `1:23: column 'color' is not known and ignored`,
/// or that it is one of pools. Null if there are no more notes than `note`.
SNUG_C_API const char* snug_csv_note(const snug_csv* csv, int64_t note);
/// Writes the problem as text: the columns that were read, in the order and under
/// the names of io/csv.hpp, without those that it does not know and those of
/// pools; and, last, the column `offset`. Where `offsets` is null, that has the
/// fixed offsets, if it was read. At most `capacity` bytes go to `text`, which
/// may be null, no zero behind them; `length` gets the number that all of it
/// takes. SNUG_BAD_ARGUMENT if that is more, else SNUG_UNKNOWN.
SNUG_C_API snug_status snug_write_csv(const snug_csv* csv,
                                      const int64_t* offsets, char* text,
                                      size_t capacity, size_t* length);
/// Null is ignored.
SNUG_C_API void snug_free_csv(snug_csv* csv);

#ifdef __cplusplus
}
#endif

#endif  // SNUG_C_API_H
