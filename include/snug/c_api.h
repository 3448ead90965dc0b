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
/// The structs are in c_types.h, which this header includes. The headers of the
/// same names say more: model/problem.hpp, model/pool.hpp, api.hpp.
#ifndef SNUG_C_API_H
#define SNUG_C_API_H

#include "snug/c_error.h"
#include "snug/c_types.h"

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
/// SNUG_OPTIMAL and SNUG_FEASIBLE, `offsets` gets one offset a buffer; else it is
/// left as it was. The same holds for snug_minimize(), snug_minimize_within() and
/// snug_minimize_penalty().
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
/// base, heap alignment and reserved ranges are not looked at; hints and
/// penalties count for nothing. A buffer's fixed offset must be a legal one in
/// each pool that it may be in. SNUG_OPTIMAL and SNUG_FEASIBLE: `pool_of` gets
/// the pool of each buffer, `offsets` its offset there. Give a limit: the proof
/// may take long.
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
