// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The C interface as a C99 program sees it, through the shared library: every
/// function and every constraint against values worked out by hand, structs of
/// other versions, wrong arguments, and memory that runs out at any moment.
#include "snug/c_api.h"

#include "checks.h"
#include "failing_new.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kMany = 1500 };

// Two buffers [0, 2) and [1, 3), of 4 bytes each: they need 8 bytes.
static const int64_t kTwoLower[] = {0, 1};
static const int64_t kTwoUpper[] = {2, 3};
static const int64_t kTwoSize[] = {4, 4};

static snug_problem two(void) {
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 2,
                          .lower = kTwoLower,
                          .upper = kTwoUpper,
                          .size = kTwoSize};
  return problem;
}

// [0, 2) and [5, 7), of 4 bytes each: 4 bytes do for both.
static const int64_t kApartLower[] = {0, 5};
static const int64_t kApartUpper[] = {2, 7};

static snug_problem two_in_turn(void) {
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 2,
                          .lower = kApartLower,
                          .upper = kApartUpper,
                          .size = kTwoSize};
  return problem;
}

// Too large to be minimised in a test.
static int64_t many_lower[kMany], many_upper[kMany], many_size[kMany];

static snug_problem many(void) {
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = kMany,
                          .lower = many_lower,
                          .upper = many_upper,
                          .size = many_size};
  int64_t i;
  for (i = 0; i < kMany; ++i) {
    many_lower[i] = i;
    many_upper[i] = i + 2 + i * i * 7 % 97;
    many_size[i] = 1000 + i * i * 13 % 9973;
  }
  return problem;
}

// Solves a problem of one or two buffers and compares all there is to know.
static void expect_two(snug_problem problem, int64_t capacity, int64_t first,
                       int64_t second, const char* where) {
  int64_t offsets[2] = {-7, -7};
  snug_result result = empty_result();
  const snug_status status =
      snug_solve(&problem, capacity, NULL, offsets, &result);
  check_int(status <= SNUG_FEASIBLE, 1, where, "solved");
  check_int(offsets[0], first, where, "offset of the first");
  check_int(offsets[1], second, where, "offset of the second");
  check_int(snug_validate(&problem, capacity, offsets, NULL), SNUG_FEASIBLE,
            where, "validity");
  check_int(snug_solve(&problem, capacity - 1, NULL, NULL, NULL),
            SNUG_INFEASIBLE, where, "one byte less");
}
#define EXPECT_TWO(problem, capacity, first, second) \
  expect_two(problem, capacity, first, second, HERE)

struct expected {
  snug_error error;
  snug_entry entry_kind;
  const char* message;
  int64_t buffer;
  int64_t other;
  int64_t entry;
};

static void expect_invalid(snug_problem problem, struct expected expected,
                           const char* where) {
  int64_t offsets[5] = {0, 0, 0, 0, 0};
  snug_result result = empty_result();
  check_int(snug_check(&problem, &result), SNUG_INVALID, where, "check");
  check_text(result.message, expected.message, where);
  check_int(result.status, SNUG_INVALID, where, "status");
  check_int(result.error, expected.error, where, "error");
  check_int(result.entry_kind, expected.entry_kind, where, "entry_kind");
  check_int(result.buffer, expected.buffer, where, "buffer");
  check_int(result.other, expected.other, where, "other");
  check_int(result.entry, expected.entry, where, "entry");
  check_int(result.pool, -1, where, "pool");
  check_true(strstr(result.message, snug_error_name(expected.error)) != NULL,
             where, "name of the error");
  // All functions agree.
  result = empty_result();
  check_int(snug_solve(&problem, 9, NULL, NULL, &result), SNUG_INVALID, where,
            "solve");
  check_text(result.message, expected.message, where);
  check_int(result.error, expected.error, where, "error");
  check_int(snug_minimize(&problem, NULL, NULL, NULL), SNUG_INVALID, where,
            "minimize");
  check_int(snug_minimize_within(&problem, 9, NULL, NULL, NULL), SNUG_INVALID,
            where, "minimize_within");
  check_int(snug_minimize_penalty(&problem, 9, NULL, NULL, NULL), SNUG_INVALID,
            where, "minimize_penalty");
  check_int(snug_explain(&problem, 9, NULL, NULL, NULL), SNUG_INVALID, where,
            "explain");
  check_int(snug_suggest_spills(&problem, 9, NULL, NULL, NULL, NULL),
            SNUG_INVALID, where, "suggest_spills");
  check_int(snug_certify(&problem, 9, NULL, NULL, 0, NULL), SNUG_INVALID, where,
            "certify");
  result = empty_result();
  check_int(snug_validate(&problem, 9, offsets, &result), SNUG_INVALID, where,
            "validate");
  check_text(result.message, expected.message, where);
  check_int(result.error, expected.error, where, "error");
}
#define EXPECT_INVALID(problem, ...) \
  expect_invalid(problem, (struct expected){__VA_ARGS__}, HERE)

static void expect_refused(snug_problem problem, const char* message,
                           const char* where) {
  int64_t offsets[2] = {0, 4};
  snug_result result = empty_result();
  check_int(snug_check(&problem, &result), SNUG_BAD_ARGUMENT, where, "check");
  check_text(result.message, message, where);
  check_int(snug_solve(&problem, 9, NULL, NULL, NULL), SNUG_BAD_ARGUMENT, where,
            "solve");
  check_int(snug_minimize(&problem, NULL, NULL, NULL), SNUG_BAD_ARGUMENT, where,
            "minimize");
  check_int(snug_minimize_within(&problem, 9, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT, where, "minimize_within");
  check_int(snug_minimize_penalty(&problem, 9, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT, where, "minimize_penalty");
  check_int(snug_explain(&problem, 9, NULL, NULL, NULL), SNUG_BAD_ARGUMENT,
            where, "explain");
  check_int(snug_suggest_spills(&problem, 9, NULL, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT, where, "suggest_spills");
  check_int(snug_certify(&problem, 9, NULL, NULL, 0, NULL), SNUG_BAD_ARGUMENT,
            where, "certify");
  check_int(snug_validate(&problem, 9, offsets, NULL), SNUG_BAD_ARGUMENT, where,
            "validate");
}
#define EXPECT_REFUSED(problem, message) expect_refused(problem, message, HERE)

static void test_names(void) {
  CHECK_TEXT(snug_status_name(SNUG_OPTIMAL), "optimal");
  CHECK_TEXT(snug_status_name(SNUG_FEASIBLE), "feasible");
  CHECK_TEXT(snug_status_name(SNUG_INFEASIBLE), "infeasible");
  CHECK_TEXT(snug_status_name(SNUG_UNKNOWN), "unknown");
  CHECK_TEXT(snug_status_name(SNUG_INVALID), "invalid");
  CHECK_TEXT(snug_status_name(SNUG_BAD_ARGUMENT), "bad_argument");
  CHECK_TEXT(snug_status_name(SNUG_OUT_OF_MEMORY), "out_of_memory");
  CHECK_TEXT(snug_status_name(-1), "no_status");
  CHECK_TEXT(snug_status_name(7), "no_status");
  CHECK_TEXT(snug_stop_name(SNUG_STOP_NONE), "none");
  CHECK_TEXT(snug_stop_name(SNUG_STOP_TIME_LIMIT), "time_limit");
  CHECK_TEXT(snug_stop_name(SNUG_STOP_NODE_LIMIT), "node_limit");
  CHECK_TEXT(snug_stop_name(SNUG_STOP_CANCELLED), "cancelled");
  CHECK_TEXT(snug_stop_name(-1), "no_stop");
  CHECK_TEXT(snug_stop_name(4), "no_stop");
  CHECK_TEXT(snug_error_name(SNUG_ERROR_NEGATIVE_SIZE), "size is negative");
  CHECK_TEXT(snug_error_name(SNUG_ERROR_NO_POOL), "there is no pool");
  CHECK_TEXT(snug_error_name(SNUG_FAULT_NEGATIVE_OFFSET), "offset is negative");
  CHECK_TEXT(snug_error_name(SNUG_FAULT_RESERVED_BYTES),
             "a buffer occupies reserved bytes");
  CHECK_TEXT(snug_error_name(-1), "unknown");
  CHECK_TEXT(snug_error_name(63), "unknown");
  CHECK_TEXT(snug_error_name(64), "unknown");
  CHECK_TEXT(snug_error_name(78), "unknown");
  CHECK_TEXT(snug_entry_name(SNUG_ENTRY_PROBLEM), "problem");
  CHECK_TEXT(snug_entry_name(SNUG_ENTRY_APART), "pair kept apart");
  CHECK_TEXT(snug_entry_name(SNUG_ENTRY_PENALTY), "pair with a penalty");
  CHECK_TEXT(snug_entry_name(-1), "unknown");
  CHECK_TEXT(snug_entry_name(9), "unknown");
  CHECK_INT(snug_version(), SNUG_TEST_VERSION);
}

static void test_solve(void) {
  const snug_problem problem = five();
  int64_t offsets[5];
  snug_result result = empty_result();
  CHECK_INT(snug_solve(&problem, 12, NULL, offsets, &result), SNUG_OPTIMAL);
  CHECK(is_placement(&problem, offsets, 12));
  CHECK_INT(result.struct_size, sizeof result);
  CHECK_INT(result.status, SNUG_OPTIMAL);
  CHECK_INT(result.stopped_by, SNUG_STOP_NONE);
  CHECK_INT(result.height, 12);
  CHECK_INT(result.lower_bound, 12);
  CHECK_INT(result.cost, 0);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(result.buffer, -1);
  CHECK_INT(result.other, -1);
  CHECK_INT(result.entry, -1);
  CHECK_INT(result.pool, -1);
  CHECK_INT(result.error, SNUG_ERROR_NONE);
  CHECK_INT(result.text_length, 0);
  CHECK_TEXT(result.message, "");
  CHECK(result.seconds >= 0 && result.seconds < 60);
  CHECK(result.peak_bytes > 0 && strlen(result.strategy) < 8);

  memset(offsets, 0x55, sizeof offsets);
  result = empty_result();
  CHECK_INT(snug_solve(&problem, 11, NULL, offsets, &result), SNUG_INFEASIBLE);
  CHECK_INT(result.lower_bound, 12);
  CHECK_INT(result.height, 0);
  CHECK_INT(offsets[0], 0x5555555555555555);  // Not touched.
  CHECK_INT(snug_solve(&problem, 13, NULL, NULL, NULL), SNUG_OPTIMAL);

  result = empty_result();
  CHECK_INT(snug_minimize(&problem, NULL, offsets, &result), SNUG_OPTIMAL);
  CHECK(is_placement(&problem, offsets, 12));
  CHECK_INT(result.height, 12);

  memset(offsets, 0, sizeof offsets);
  result = empty_result();
  CHECK_INT(snug_minimize_within(&problem, 12, NULL, offsets, &result),
            SNUG_OPTIMAL);
  CHECK(is_placement(&problem, offsets, 12));
  CHECK_INT(result.height, 12);
  CHECK_INT(snug_minimize_within(&problem, 11, NULL, offsets, NULL),
            SNUG_INFEASIBLE);
}

static void test_nothing(void) {
  snug_problem problem;
  snug_result result = empty_result();
  memset(&problem, 0, sizeof problem);
  problem.struct_size = sizeof problem;
  CHECK_INT(snug_solve(&problem, 0, NULL, NULL, &result), SNUG_OPTIMAL);
  CHECK_INT(result.height, 0);
  CHECK_INT(snug_check(&problem, NULL), SNUG_UNKNOWN);
  CHECK_INT(snug_minimize(&problem, NULL, NULL, NULL), SNUG_OPTIMAL);
  CHECK_INT(snug_validate(&problem, 0, NULL, NULL), SNUG_FEASIBLE);
  CHECK_INT(snug_explain(&problem, 0, NULL, NULL, NULL), SNUG_FEASIBLE);
  CHECK_INT(snug_suggest_spills(&problem, 0, NULL, NULL, NULL, NULL),
            SNUG_FEASIBLE);
}

static void test_buffers(void) {
  snug_problem problem = two();
  int64_t offset[] = {4, -1}, hint[] = {4, 0}, alignment[] = {0, 8};
  uint8_t end[] = {SNUG_END_TOP, SNUG_END_BOTTOM};

  // Anywhere, but the hints say where.
  problem.hint = hint;
  EXPECT_TWO(problem, 8, 4, 0);
  hint[0] = -1;
  hint[1] = 4;
  EXPECT_TWO(problem, 8, 0, 4);

  problem = two();
  problem.end = end;
  EXPECT_TWO(problem, 8, 4, 0);
  end[0] = SNUG_END_BOTTOM;
  end[1] = SNUG_END_TOP;
  EXPECT_TWO(problem, 8, 0, 4);

  problem = two();
  problem.offset = offset;
  EXPECT_TWO(problem, 8, 4, 0);
  // A multiple of 8 above [4, 8).
  problem.alignment = alignment;
  offset[0] = 0;
  EXPECT_TWO(problem, 12, 0, 8);

  problem = two();
  problem.heap_alignment = 16;
  problem.offset = offset;
  EXPECT_TWO(problem, 20, 0, 16);
  problem.offset = NULL;
  problem.hint = offset;
  offset[0] = 48;
  problem.base = 32;  // 32 and 48
  EXPECT_TWO(problem, 52, 48, 32);
}

static void test_gaps(void) {
  const int64_t lower[] = {0, 2}, upper[] = {10, 6}, size[] = {4, 2};
  snug_gap gaps[] = {{0, 2, 6, 0, 0}};
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 2,
                          .lower = lower,
                          .upper = upper,
                          .size = size};
  CHECK_INT(snug_solve(&problem, 6, NULL, NULL, NULL), SNUG_OPTIMAL);
  CHECK_INT(snug_solve(&problem, 5, NULL, NULL, NULL), SNUG_INFEASIBLE);
  problem.gap_count = 1;
  problem.gaps = gaps;
  EXPECT_TWO(problem, 4, 0, 0);
  // It keeps its lower half, so that the other one goes to the upper half.
  gaps[0].window_upper = 2;
  EXPECT_TWO(problem, 4, 0, 2);
  gaps[0].window_lower = 1;
  EXPECT_TWO(problem, 4, 0, 2);
  gaps[0].window_lower = 2;
  gaps[0].window_upper = 4;
  EXPECT_TWO(problem, 4, 0, 0);
}

static void test_relations(void) {
  const int64_t size[] = {8, 4}, members[] = {1, 0}, group_sizes[] = {0, 2};
  const snug_alias aliases[] = {{1, 0, 4}};
  const snug_pair pairs[] = {{1, 0}};
  snug_reserved reserved[] = {{0, 4, 0, 0}};
  snug_problem problem = two();

  problem.size = size;
  problem.alias_count = 1;
  problem.aliases = aliases;
  EXPECT_TWO(problem, 8, 0, 4);
  problem.alias_count = 0;
  problem.group_count = 2;
  problem.group_sizes = group_sizes;
  problem.group_members = members;
  EXPECT_TWO(problem, 12, 4, 0);

  problem = two_in_turn();
  EXPECT_TWO(problem, 4, 0, 0);
  problem.apart_count = 1;
  problem.apart = pairs;
  CHECK_INT(snug_solve(&problem, 7, NULL, NULL, NULL), SNUG_INFEASIBLE);
  CHECK(snug_solve(&problem, 8, NULL, NULL, NULL) <= SNUG_FEASIBLE);

  problem = two();
  problem.may_overlap_count = 1;
  problem.may_overlap = pairs;
  EXPECT_TWO(problem, 4, 0, 0);

  problem = two_in_turn();
  problem.reserved_count = 1;
  problem.reserved = reserved;
  EXPECT_TWO(problem, 8, 4, 4);
  reserved[0].begin = 6;
  reserved[0].end = 8;
  problem.base = 0;
  CHECK(snug_solve(&problem, 8, NULL, NULL, NULL) <= SNUG_FEASIBLE);
  {
    const int64_t free_first[] = {0, 4}, both_low[] = {0, 0};
    const int64_t free_second[] = {4, 0};
    snug_result result = empty_result();
    CHECK_INT(snug_validate(&problem, 8, free_first, &result), SNUG_FEASIBLE);
    CHECK_INT(result.height, 8);
    CHECK_INT(snug_validate(&problem, 8, both_low, &result), SNUG_INVALID);
    CHECK_TEXT(result.message,
               "buffer 1: a buffer occupies reserved bytes (reserved range 0)");
    CHECK_INT(result.error, SNUG_FAULT_RESERVED_BYTES);
    CHECK_INT(result.entry_kind, SNUG_ENTRY_BUFFER);
    reserved[0].begin = 0;
    reserved[0].end = 3;
    CHECK_INT(snug_validate(&problem, 8, free_first, &result), SNUG_INVALID);
    CHECK_INT(result.buffer, 0);
    CHECK_INT(result.other, 0);
    CHECK_INT(snug_validate(&problem, 8, free_second, NULL), SNUG_FEASIBLE);
  }
}

static void test_penalties(void) {
  const snug_penalty penalties[] = {{0, 1, 7}};
  snug_problem problem = two_in_turn();
  int64_t offsets[2] = {-1, -1};
  snug_result result = empty_result();
  problem.penalty_count = 1;
  problem.penalties = penalties;
  CHECK_INT(snug_minimize_penalty(&problem, 7, NULL, offsets, &result),
            SNUG_OPTIMAL);
  CHECK_INT(result.cost, 7);
  CHECK_INT(result.cost_bound, 7);
  CHECK(result.height >= 4 && result.height <= 7);
  CHECK(is_placement(&problem, offsets, 7));
  result = empty_result();
  CHECK_INT(snug_minimize_penalty(&problem, 8, NULL, offsets, &result),
            SNUG_OPTIMAL);
  CHECK_INT(result.cost, 0);
  CHECK_INT(result.height, 8);
  CHECK_INT(offsets[0] + offsets[1], 4);
  CHECK_INT(snug_minimize_penalty(&problem, 3, NULL, offsets, NULL),
            SNUG_INFEASIBLE);
}

static void test_explain(void) {
  snug_problem problem = five();
  const snug_pair apart[] = {{0, 1}};
  snug_problem kept_apart = two_in_turn();
  int64_t buffers[5] = {-1, -1, -1, -1, -1};
  snug_result result = empty_result();
  CHECK_INT(snug_explain(&problem, 11, NULL, buffers, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(result.buffer_count, 3);  // 0 or 1, 2 and 4
  CHECK_INT(result.proved, 1);
  CHECK_INT(result.cause, SNUG_CAUSE_LOAD);
  CHECK(result.moment >= 0 && result.moment < 9);
  CHECK_INT(buffers[0], result.moment < 3 ? 0 : 1);
  CHECK_INT(buffers[1], 2);
  CHECK_INT(buffers[2], 4);
  CHECK_INT(buffers[3], -1);
  // At step 1 two of them need 8 bytes.
  problem = two();
  result = empty_result();
  CHECK_INT(snug_explain(&problem, 7, NULL, NULL, &result), SNUG_INFEASIBLE);
  CHECK_INT(result.moment, 1);
  problem = five();
  result = empty_result();
  CHECK_INT(snug_explain(&problem, 12, NULL, buffers, &result), SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(result.cause, SNUG_CAUSE_NONE);

  kept_apart.apart_count = 1;
  kept_apart.apart = apart;
  result = empty_result();
  CHECK_INT(snug_explain(&kept_apart, 7, NULL, buffers, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(result.cause, SNUG_CAUSE_SEARCH);
  CHECK_INT(result.buffer_count, 2);
  CHECK_INT(buffers[0], 0);
  CHECK_INT(buffers[1], 1);
}

static void test_spills(void) {
  const snug_problem problem = five();
  int64_t costs[] = {1, 1, 9, 9, 9};
  int64_t offsets[5];
  snug_result result = empty_result();
  // One of the two that are live all the time up to 9.
  CHECK_INT(snug_suggest_spills(&problem, 8, NULL, NULL, offsets, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 1);
  CHECK_INT(result.cost, 4);
  CHECK_INT(result.cost_bound, 4);
  CHECK_INT(result.proved, 1);
  CHECK((offsets[2] == -1) != (offsets[4] == -1));
  // At these costs, the two short ones.
  result = empty_result();
  CHECK_INT(snug_suggest_spills(&problem, 8, costs, NULL, offsets, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 2);
  CHECK_INT(result.cost, 2);
  CHECK_INT(offsets[0], -1);
  CHECK_INT(offsets[1], -1);
  CHECK(offsets[2] >= 0 && offsets[3] >= 0 && offsets[4] >= 0);
  result = empty_result();
  CHECK_INT(snug_suggest_spills(&problem, 12, costs, NULL, offsets, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 0);
  CHECK(is_placement(&problem, offsets, 12));
  costs[3] = -1;
  result = empty_result();
  CHECK_INT(snug_suggest_spills(&problem, 8, costs, NULL, offsets, &result),
            SNUG_INVALID);
  CHECK_INT(result.buffer, 3);
  CHECK_TEXT(result.message, "buffer 3: cost is negative");
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_COST);
  costs[3] = INT64_MAX / 2;
  CHECK_INT(snug_suggest_spills(&problem, 8, costs, NULL, offsets, &result),
            SNUG_INVALID);
  CHECK_INT(result.buffer, 3);
  CHECK_INT(result.error, SNUG_ERROR_COST_OVERFLOW);
}

static void test_certify(void) {
  // The load is 12: three stacked buffers.
  const char expected[] = "snug certificate 1\ncapacity 11\nstack 0 2 4\n";
  const snug_problem problem = five();
  const snug_pair pairs[] = {{0, 1}};
  const size_t length = strlen(expected);
  snug_problem constrained = two();
  snug_result result = empty_result();
  char text[64];
  memset(text, '#', sizeof text);
  CHECK_INT(snug_certify(&problem, 11, NULL, text, sizeof text, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(result.status, SNUG_INFEASIBLE);
  CHECK_INT(result.text_length, length);
  CHECK(memcmp(text, expected, length) == 0);
  CHECK(text[length] == '#');
  result = empty_result();
  CHECK_INT(snug_certify(&problem, 11, NULL, NULL, 0, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(result.text_length, length);

  // Room for all of it, for less and for nothing.
  memset(text, '#', sizeof text);
  CHECK_INT(snug_certify(&problem, 11, NULL, text, length, NULL),
            SNUG_INFEASIBLE);
  CHECK_INT(snug_certify(&problem, 11, NULL, text, length - 1, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "text_capacity is less than text_length");
  CHECK_INT(result.text_length, length);
  memset(text, '#', sizeof text);
  CHECK_INT(snug_certify(&problem, 11, NULL, text, 4, NULL), SNUG_BAD_ARGUMENT);
  CHECK(memcmp(text, "snug##", 6) == 0);
  CHECK_INT(snug_certify(&problem, 11, NULL, text, 0, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_certify(&problem, 11, NULL, NULL, 1, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "text is null");

  // What fits, with pairs that may overlap or without, and what a limit stops.
  memset(text, '#', sizeof text);
  CHECK_INT(snug_certify(&problem, 12, NULL, text, sizeof text, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.text_length, 0);
  CHECK(text[0] == '#');
  CHECK_INT(snug_certify(&problem, -1, NULL, text, sizeof text, &result),
            SNUG_INVALID);
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_CAPACITY);
  constrained.may_overlap_count = 1;
  constrained.may_overlap = pairs;
  CHECK_INT(snug_certify(&constrained, 3, NULL, text, sizeof text, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(snug_certify(&constrained, 4, NULL, text, sizeof text, &result),
            SNUG_UNKNOWN);
  CHECK_INT(result.stopped_by, SNUG_STOP_NONE);
  {
    const snug_options options = {.struct_size = sizeof options,
                                  .node_limit = -1};
    constrained = two_in_turn();
    constrained.apart_count = 1;
    constrained.apart = pairs;
    CHECK_INT(snug_certify(&constrained, 7, NULL, text, sizeof text, &result),
              SNUG_INFEASIBLE);
    CHECK_INT(
        snug_certify(&constrained, 8, &options, text, sizeof text, &result),
        SNUG_UNKNOWN);
    CHECK_INT(result.stopped_by, SNUG_STOP_NODE_LIMIT);
  }
}

static void test_validate(void) {
  const snug_problem problem = two();
  int64_t offsets[] = {0, 4};
  snug_result result = empty_result();
  CHECK_INT(snug_validate(&problem, 8, offsets, &result), SNUG_FEASIBLE);
  CHECK_INT(result.height, 8);
  CHECK_INT(result.buffer, -1);
  CHECK_TEXT(result.message, "");
  CHECK_INT(snug_validate(&problem, 7, offsets, &result), SNUG_INVALID);
  CHECK_TEXT(result.message, "buffer 1: offset plus size exceeds the capacity");
  CHECK_INT(result.buffer, 1);
  CHECK_INT(result.height, 0);
  CHECK_INT(result.error, SNUG_FAULT_BEYOND_CAPACITY);
  offsets[1] = 3;
  CHECK_INT(snug_validate(&problem, 8, offsets, &result), SNUG_INVALID);
  CHECK_TEXT(result.message, "buffer 0: two buffers overlap (buffer 1)");
  CHECK_INT(result.buffer, 0);
  CHECK_INT(result.other, 1);
  CHECK_INT(result.error, SNUG_FAULT_OVERLAP);
  CHECK_INT(snug_validate(&problem, -1, offsets, &result), SNUG_INVALID);
  CHECK_TEXT(result.message, "capacity is negative");
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_CAPACITY);
  CHECK_INT(snug_validate(&problem, 8, NULL, &result), SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "offsets is null");
}

static void test_invalid(void) {
  const int64_t wrong_upper[] = {2, 1}, wrong_size[] = {4, -1};
  const int64_t wrong_offset[] = {-1, -2}, wrong_alignment[] = {-1, 4};
  const int64_t huge[] = {INT64_MAX, INT64_MAX}, members[] = {0, 2};
  const int64_t group_sizes[] = {2};
  const snug_alias alias[] = {{0, -5, 0}};
  const snug_pair self[] = {{0, 1}, {1, 1}};
  const snug_pair unknown[] = {{0, INT64_MAX}};
  const snug_penalty penalty[] = {{0, 1, -1}};
  const snug_reserved reserved[] = {{0, 4, 0, 0}, {0, 4, 5, 5}};
  snug_gap gaps[] = {{1, 1, 2, 0, 0}, {0, 0, 1, 0, 0}, {1, 2, 4, 0, 0}};
  snug_problem problem;
  snug_result result = empty_result();

#define WITH(member, value) (problem = two(), problem.member = (value), problem)
#define WITH_ARRAY(counter, count, member, value)                        \
  (problem = two(), problem.counter = (count), problem.member = (value), \
   problem)
  EXPECT_INVALID(
      WITH(upper, wrong_upper), SNUG_ERROR_EMPTY_LIFESPAN, SNUG_ENTRY_BUFFER,
      "buffer 1: lifespan is empty: lower must be below upper", 1, -1, 1);
  EXPECT_INVALID(WITH(size, wrong_size), SNUG_ERROR_NEGATIVE_SIZE,
                 SNUG_ENTRY_BUFFER, "buffer 1: size is negative", 1, -1, 1);
  EXPECT_INVALID(WITH(offset, wrong_offset), SNUG_ERROR_NEGATIVE_OFFSET,
                 SNUG_ENTRY_BUFFER, "buffer 1: fixed offset is negative", 1, -1,
                 1);
  EXPECT_INVALID(WITH(hint, wrong_offset), SNUG_ERROR_NEGATIVE_HINT,
                 SNUG_ENTRY_BUFFER, "buffer 1: hint is negative", 1, -1, 1);
  EXPECT_INVALID(WITH(alignment, wrong_alignment), SNUG_ERROR_BAD_ALIGNMENT,
                 SNUG_ENTRY_BUFFER, "buffer 0: alignment is less than 1", 0, -1,
                 0);
  EXPECT_INVALID(WITH(base, -1), SNUG_ERROR_NEGATIVE_BASE, SNUG_ENTRY_PROBLEM,
                 "base offset of the problem is negative", -1, -1, -1);
  EXPECT_INVALID(WITH(heap_alignment, -1), SNUG_ERROR_BAD_HEAP_ALIGNMENT,
                 SNUG_ENTRY_PROBLEM, "alignment of the problem is less than 1",
                 -1, -1, -1);
  EXPECT_INVALID(WITH(size, huge), SNUG_ERROR_SIZE_OVERFLOW, SNUG_ENTRY_BUFFER,
                 "buffer 0: sum of sizes up to this buffer, with alignment, "
                 "overflows",
                 0, -1, 0);

  EXPECT_INVALID(WITH_ARRAY(alias_count, 1, aliases, alias),
                 SNUG_ERROR_UNKNOWN_BUFFER, SNUG_ENTRY_ALIAS,
                 "alias 0: buffer -5: no buffer has this index (buffer 0)", -5,
                 0, 0);
  EXPECT_INVALID(WITH_ARRAY(apart_count, 2, apart, self),
                 SNUG_ERROR_PAIR_OF_ONE, SNUG_ENTRY_APART,
                 "pair kept apart 1: buffer 1: pair of a buffer with itself", 1,
                 -1, 1);
  EXPECT_INVALID(WITH_ARRAY(may_overlap_count, 1, may_overlap, unknown),
                 SNUG_ERROR_UNKNOWN_BUFFER, SNUG_ENTRY_MAY_OVERLAP,
                 "pair that may overlap 0: buffer 9223372036854775807: no "
                 "buffer has this index (buffer 0)",
                 INT64_MAX, 0, 0);
  EXPECT_INVALID(WITH_ARRAY(reserved_count, 2, reserved, reserved),
                 SNUG_ERROR_BAD_RESERVED, SNUG_ENTRY_RESERVED,
                 "reserved range 1: reserved range is empty or reaches below "
                 "zero",
                 -1, -1, 1);
  problem = WITH_ARRAY(group_count, 1, group_sizes, group_sizes);
  problem.group_members = members;
  EXPECT_INVALID(
      problem, SNUG_ERROR_UNKNOWN_BUFFER, SNUG_ENTRY_GROUP,
      "contiguous group 0: buffer 2: no buffer has this index (buffer 0)", 2, 0,
      0);

  // The index is that of the list, not that among the gaps of the buffer.
  EXPECT_INVALID(WITH_ARRAY(gap_count, 3, gaps, gaps),
                 SNUG_ERROR_GAP_OUTSIDE_LIFESPAN, SNUG_ENTRY_GAP,
                 "gap 2: buffer 1: gap reaches outside the lifespan", 1, -1, 2);
  gaps[2].lower = 1;
  gaps[2].upper = 3;
  EXPECT_INVALID(problem, SNUG_ERROR_OVERLAPPING_GAPS, SNUG_ENTRY_GAP,
                 "gap 2: buffer 1: gaps overlap (gap 0)", 1, 0, 2);
  gaps[2].buffer = -3;
  EXPECT_INVALID(problem, SNUG_ERROR_UNKNOWN_BUFFER, SNUG_ENTRY_GAP,
                 "gap 2: buffer -3: no buffer has this index", -3, -1, 2);
  gaps[2].buffer = 2;
  EXPECT_INVALID(problem, SNUG_ERROR_UNKNOWN_BUFFER, SNUG_ENTRY_GAP,
                 "gap 2: buffer 2: no buffer has this index", 2, -1, 2);

  // Also by the functions that have no use for penalties.
  EXPECT_INVALID(WITH_ARRAY(penalty_count, 1, penalties, penalty),
                 SNUG_ERROR_NEGATIVE_COST, SNUG_ENTRY_PENALTY,
                 "pair with a penalty 0: buffer 0: cost is negative (buffer 1)",
                 0, 1, 0);

  problem = two();
  CHECK_INT(snug_check(&problem, NULL), SNUG_UNKNOWN);
  CHECK_INT(snug_solve(&problem, -1, NULL, NULL, &result), SNUG_INVALID);
  CHECK_TEXT(result.message, "capacity is negative");
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_CAPACITY);
  CHECK_INT(result.entry_kind, SNUG_ENTRY_PROBLEM);
}

static void test_refused(void) {
  const uint8_t end[] = {0, 3};
  const int64_t negative[] = {-1};
  const int64_t one[] = {1};
  snug_problem problem;
  snug_result result = empty_result();
  EXPECT_REFUSED(WITH(struct_size, 0), BAD_STRUCT("snug_problem"));
  EXPECT_REFUSED(WITH(struct_size, sizeof(size_t)), BAD_STRUCT("snug_problem"));
  EXPECT_REFUSED(WITH(struct_size, (size_t)-1), BAD_STRUCT("snug_problem"));
  // One that ends within a pointer, the rest of which would count as zero.
  EXPECT_REFUSED(WITH(struct_size, sizeof(snug_problem) - 1),
                 BAD_STRUCT("snug_problem"));
  EXPECT_REFUSED(WITH(struct_size, offsetof(snug_problem, size) + 1),
                 BAD_STRUCT("snug_problem"));
  EXPECT_REFUSED(WITH(buffer_count, -1), "buffer_count is negative");
  EXPECT_REFUSED(WITH(lower, NULL), "lower is null");
  EXPECT_REFUSED(WITH(upper, NULL), "upper is null");
  EXPECT_REFUSED(WITH(size, NULL), "size is null");
  EXPECT_REFUSED(WITH(end, end), "end: no snug_end");
  EXPECT_REFUSED(WITH(gap_count, 1), "gaps: null, or gap_count is negative");
  EXPECT_REFUSED(WITH(gap_count, -1), "gaps: null, or gap_count is negative");
  EXPECT_REFUSED(WITH(alias_count, 1),
                 "aliases: null, or alias_count is negative");
  EXPECT_REFUSED(WITH(group_count, 1),
                 "group_sizes: null, or group_count is negative");
  EXPECT_REFUSED(WITH_ARRAY(group_count, 1, group_sizes, negative),
                 "group_sizes: a negative size, or group_members is null");
  EXPECT_REFUSED(WITH_ARRAY(group_count, 1, group_sizes, one),
                 "group_sizes: a negative size, or group_members is null");
  EXPECT_REFUSED(WITH(apart_count, 1),
                 "apart: null, or apart_count is negative");
  EXPECT_REFUSED(WITH(may_overlap_count, 1),
                 "may_overlap: null, or may_overlap_count is negative");
  EXPECT_REFUSED(WITH(reserved_count, 1),
                 "reserved: null, or reserved_count is negative");
  EXPECT_REFUSED(WITH(penalty_count, 1),
                 "penalties: null, or penalty_count is negative");

  CHECK_INT(snug_check(NULL, &result), SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "problem is null");
  CHECK_INT(snug_check(NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_validate(NULL, 1, one, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_solve(NULL, 1, NULL, NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_minimize(NULL, NULL, NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_minimize_within(NULL, 1, NULL, NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_minimize_penalty(NULL, 1, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_explain(NULL, 1, NULL, NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_suggest_spills(NULL, 1, NULL, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_certify(NULL, 1, NULL, NULL, 0, NULL), SNUG_BAD_ARGUMENT);
  snug_cancel(NULL);
}

static void test_versions(void) {
  const snug_alias aliases[] = {{1, 0, 0}};
  struct {
    snug_problem problem;
    int64_t future;
  } newer = {two(), 0};
  struct {
    snug_result result;
    int64_t future;
  } out;
  struct {
    snug_options options;
    void* future;
  } limits;
  snug_problem problem = two();
  snug_result result;
  snug_options options;

  // A caller from before there were aliases, and one from after.
  problem.alias_count = 1;
  problem.aliases = aliases;
  CHECK(snug_solve(&problem, 4, NULL, NULL, NULL) <= SNUG_FEASIBLE);
  problem.struct_size = offsetof(snug_problem, alias_count);
  CHECK_INT(snug_solve(&problem, 4, NULL, NULL, NULL), SNUG_INFEASIBLE);
  newer.problem.struct_size = sizeof newer;
  CHECK_INT(snug_solve(&newer.problem, 8, NULL, NULL, NULL), SNUG_OPTIMAL);
  newer.future = 1;
  result = empty_result();
  CHECK_INT(snug_check(&newer.problem, &result), SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, BAD_STRUCT("snug_problem"));

  problem = two();
  memset(&options, 0x55, sizeof options);
  options.time_limit_ns = -1;
  options.struct_size = offsetof(snug_options, node_limit);
  CHECK_INT(snug_solve(&problem, 7, &options, NULL, NULL), SNUG_INFEASIBLE);
  memset(&limits, 0, sizeof limits);
  limits.options.struct_size = sizeof limits;
  CHECK_INT(snug_solve(&problem, 8, &limits.options, NULL, NULL), SNUG_OPTIMAL);
  limits.future = &limits;
  result = empty_result();
  CHECK_INT(snug_solve(&problem, 8, &limits.options, NULL, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, BAD_STRUCT("snug_options"));
  options.struct_size = 0;
  CHECK_INT(snug_minimize(&problem, &options, NULL, NULL), SNUG_BAD_ARGUMENT);

  // An older caller's struct ends before `height`.
  result = empty_result();
  result.struct_size = offsetof(snug_result, height);
  CHECK_INT(snug_solve(&problem, 8, NULL, NULL, &result), SNUG_OPTIMAL);
  CHECK_INT(result.status, SNUG_OPTIMAL);
  CHECK_INT(result.stopped_by, SNUG_STOP_NONE);
  CHECK_INT(result.struct_size, offsetof(snug_result, height));
  CHECK_INT(result.height, 0x5555555555555555);
  CHECK_INT(result.message[0], 0x55);
  // One from before there were numbers of errors: all up to the message.
  result = empty_result();
  result.struct_size = offsetof(snug_result, error);
  CHECK_INT(snug_solve(&problem, -1, NULL, NULL, &result), SNUG_INVALID);
  CHECK_TEXT(result.message, "capacity is negative");
  CHECK_INT(result.error, 0x55555555);
  CHECK_INT(result.text_length, 0x5555555555555555);
  // A newer one's has a member that nobody here knows.
  memset(&out, 0x55, sizeof out);
  out.result.struct_size = sizeof out;
  CHECK_INT(snug_solve(&problem, 8, NULL, NULL, &out.result), SNUG_OPTIMAL);
  CHECK_INT(out.result.height, 8);
  CHECK_INT(out.result.struct_size, sizeof out);
  CHECK_INT(out.future, 0);
  result.struct_size = 0;
  CHECK_INT(snug_solve(&problem, 8, NULL, NULL, &result), SNUG_BAD_ARGUMENT);
  result.struct_size = offsetof(snug_result, height) + 1;
  CHECK_INT(snug_solve(&problem, 8, NULL, NULL, &result), SNUG_BAD_ARGUMENT);
  result.struct_size = (size_t)-1;
  CHECK_INT(snug_check(&problem, &result), SNUG_BAD_ARGUMENT);
}

struct told {
  int reports;
  int cancel_at;
  snug_flag* flag;
  snug_progress last;
};

static int tell(const snug_progress* progress, void* data) {
  struct told* const told = data;
  CHECK_INT(progress->struct_size, sizeof *progress);
  CHECK(progress->nodes >= told->last.nodes);
  CHECK(progress->height >= progress->lower_bound || progress->height == -1);
  CHECK(progress->seconds >= told->last.seconds);
  told->last = *progress;
  ++told->reports;
  if (told->reports != told->cancel_at) return 0;
  if (told->flag == NULL) return 1;
  snug_cancel(told->flag);
  return 0;
}

// No seed is the seed 1; another one makes a difference where there are restarts.
static void test_seed(void) {
  int64_t lower[250], upper[250], size[250], i;
  int64_t backtracks[6];
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 250,
                          .lower = lower,
                          .upper = upper,
                          .size = size};
  snug_options options = {.struct_size = sizeof options, .node_limit = 10000};
  int differ = 0;
  for (i = 0; i < 250; ++i) {
    lower[i] = i;
    upper[i] = i + 2 + i * i * 5 % 23;
    size[i] = 1 + i * i * 5 % 29;
  }
  for (i = 0; i < 6; ++i) {
    snug_result result = empty_result();
    options.seed = (uint64_t)i;
    CHECK(snug_solve(&problem, 297, &options, NULL, &result) <= SNUG_UNKNOWN);
    backtracks[i] = result.backtracks;
    differ += backtracks[i] != backtracks[0];
  }
  CHECK_INT(backtracks[1], backtracks[0]);
  CHECK(differ > 0);
}

static void test_limits(void) {
  static int64_t offsets[kMany];
  const snug_problem problem = many();
  const snug_problem easy = two();
  snug_flag flag = {0};
  struct told told = {0, 3, NULL, {0, 0, 0, 0, 0}};
  snug_result result = empty_result();
  snug_options options;

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  CHECK_INT(snug_solve(&easy, 8, &options, NULL, NULL), SNUG_OPTIMAL);
  options.node_limit = 1000;
  CHECK_INT(snug_minimize(&problem, &options, offsets, &result), SNUG_FEASIBLE);
  CHECK_INT(result.stopped_by, SNUG_STOP_NODE_LIMIT);
  CHECK_INT(result.nodes, 1000);
  CHECK(result.height > result.lower_bound && result.lower_bound > 0);
  CHECK_INT(snug_validate(&problem, result.height, offsets, NULL),
            SNUG_FEASIBLE);
  options.node_limit = -1;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK_INT(result.nodes, 0);
  CHECK_INT(result.stopped_by, SNUG_STOP_NODE_LIMIT);

  options.node_limit = 0;
  options.time_limit_ns = 20 * 1000000;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK_INT(result.stopped_by, SNUG_STOP_TIME_LIMIT);
  CHECK(result.seconds >= 0.02);
  options.time_limit_ns = -1;
  CHECK(snug_minimize(&problem, &options, NULL, &result) <= SNUG_UNKNOWN);
  CHECK_INT(result.stopped_by, SNUG_STOP_TIME_LIMIT);

  options.time_limit_ns = 0;
  options.progress = tell;
  options.progress_data = &told;
  options.progress_interval_ns = -1;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK_INT(result.stopped_by, SNUG_STOP_CANCELLED);
  CHECK_INT(told.reports, 3);
  CHECK(told.last.nodes <= result.nodes);
  CHECK(told.last.height >= result.height);

  memset(&told, 0, sizeof told);
  told.cancel_at = 2;
  told.flag = &flag;
  options.cancel = &flag;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK_INT(result.stopped_by, SNUG_STOP_CANCELLED);
  CHECK_INT(told.reports, 2);
  CHECK(flag.raised != 0);
  // It is still up.
  CHECK(snug_minimize(&problem, &options, NULL, &result) <= SNUG_UNKNOWN);
  CHECK_INT(result.stopped_by, SNUG_STOP_CANCELLED);
  CHECK_INT(told.reports, 2);

  // Less memory for the same placements.
  options.cancel = NULL;
  options.progress = NULL;
  options.node_limit = 1000;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  const int64_t peak = result.peak_bytes;
  options.memory_limit = 1;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK(result.peak_bytes < peak);
  options.memory_limit = 0;
  options.progress = tell;

  // With the default interval there is time for none.
  memset(&told, 0, sizeof told);
  options.cancel = NULL;
  options.progress_interval_ns = 0;
  options.node_limit = 100;
  CHECK_INT(snug_minimize(&problem, &options, NULL, &result), SNUG_FEASIBLE);
  CHECK(told.reports <= (int)(result.seconds * 10));
}

// Buffers that are not at their hints.
static void test_moved(void) {
  const int64_t same[] = {0, 0}, apart[] = {-1, 4}, both[] = {0, 4};
  snug_problem problem = two();
  int64_t offsets[2], moved[2] = {-5, -5};
  snug_result result = empty_result();
  CHECK_INT(snug_solve(&problem, 8, NULL, offsets, &result), SNUG_OPTIMAL);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(snug_list_moved(&problem, offsets, moved), 0);
  problem.hint = apart;
  CHECK_INT(snug_minimize(&problem, NULL, offsets, &result), SNUG_OPTIMAL);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(snug_list_moved(&problem, offsets, moved), 0);
  problem.hint = same;
  CHECK_INT(snug_solve(&problem, 8, NULL, offsets, &result), SNUG_OPTIMAL);
  CHECK_INT(result.buffer_count, 1);
  CHECK_INT(moved[0], -5);
  CHECK_INT(snug_list_moved(&problem, offsets, moved), 1);
  CHECK_INT(offsets[moved[0]], 4);
  CHECK_INT(moved[1], -5);
  CHECK_INT(snug_list_moved(&problem, both, NULL), 1);
  CHECK_INT(snug_solve(&problem, 7, NULL, offsets, &result), SNUG_INFEASIBLE);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(snug_list_moved(NULL, offsets, moved), -1);
  CHECK_INT(snug_list_moved(&problem, NULL, moved), -1);
  problem.buffer_count = -1;
  CHECK_INT(snug_list_moved(&problem, offsets, moved), -1);
  problem = two();
  problem.struct_size = 0;
  CHECK_INT(snug_list_moved(&problem, offsets, moved), -1);
}

static const char kTable[] =
    "id,lower,upper,size,alignment,hint,gaps,alias,follows,apart,may_overlap,"
    "penalty,memory_end,offset\n"
    "a,0,9,8,4,-1,2-4 5-7@1:3,,,b,,,bottom,-1\n"
    "b,-2,9,4,1,16,,,,,'c d',,,-1\n"
    "c d,0,9,4,1,-1,,a-4,,,,b*5,,-1\n"
    "e,0,9,4,1,-1,,,a,,,,top,12\n";

static void test_csv(void) {
  const int64_t offsets[] = {4, 16, 0, 12};
  const char bad[] = "id,lower,upper,size\na,0,x,4\n";
  const char more[] = "id,lower,upper,size,aligment,pool\na,0,9,4,8,sram\n";
  char text[512];
  size_t length = 0;
  snug_csv* csv = NULL;
  const snug_problem* problem;
  snug_result result = empty_result();
  CHECK_INT(snug_read_csv(kTable, strlen(kTable), &csv, &result), SNUG_UNKNOWN);
  CHECK_TEXT(result.message, "");
  problem = snug_csv_problem(csv);
  CHECK(problem != NULL);
  if (problem == NULL) return;
  CHECK_INT(problem->struct_size, sizeof *problem);
  CHECK_INT(problem->buffer_count, 4);
  CHECK_TEXT(snug_csv_id(csv, 0), "a");
  CHECK_TEXT(snug_csv_id(csv, 2), "c d");
  CHECK(snug_csv_id(csv, 4) == NULL);
  CHECK(snug_csv_id(csv, -1) == NULL);
  CHECK(snug_csv_note(csv, 0) == NULL);
  CHECK_INT(problem->lower[1], -2);
  CHECK_INT(problem->upper[3], 9);
  CHECK_INT(problem->size[0], 8);
  CHECK_INT(problem->alignment[0], 4);
  CHECK_INT(problem->alignment[1], 1);
  CHECK_INT(problem->hint[1], 16);
  CHECK_INT(problem->hint[0], -1);
  CHECK_INT(problem->offset[3], 12);
  CHECK_INT(problem->offset[0], -1);
  CHECK_INT(problem->end[0], SNUG_END_BOTTOM);
  CHECK_INT(problem->end[3], SNUG_END_TOP);
  CHECK_INT(problem->end[1], SNUG_END_ANY);
  CHECK_INT(problem->gap_count, 2);
  CHECK_INT(problem->gaps[0].buffer, 0);
  CHECK_INT(problem->gaps[0].lower, 2);
  CHECK_INT(problem->gaps[0].upper, 4);
  CHECK_INT(problem->gaps[0].window_upper, 0);
  CHECK_INT(problem->gaps[1].window_lower, 1);
  CHECK_INT(problem->gaps[1].window_upper, 3);
  CHECK_INT(problem->alias_count, 1);
  CHECK_INT(problem->aliases[0].buffer, 2);
  CHECK_INT(problem->aliases[0].of, 0);
  CHECK_INT(problem->aliases[0].delta, -4);
  CHECK_INT(problem->group_count, 1);
  CHECK_INT(problem->group_sizes[0], 2);
  CHECK_INT(problem->group_members[0], 0);
  CHECK_INT(problem->group_members[1], 3);
  CHECK_INT(problem->apart_count, 1);
  CHECK_INT(problem->apart[0].second, 1);
  CHECK_INT(problem->may_overlap_count, 1);
  CHECK_INT(problem->may_overlap[0].second, 2);
  CHECK_INT(problem->penalty_count, 1);
  CHECK_INT(problem->penalties[0].first, 2);
  CHECK_INT(problem->penalties[0].second, 1);
  CHECK_INT(problem->penalties[0].cost, 5);
  CHECK_INT(problem->reserved_count, 0);
  CHECK_INT(snug_check(problem, &result), SNUG_UNKNOWN);
  CHECK_TEXT(result.message, "");
  CHECK_INT(snug_validate(problem, 20, offsets, NULL), SNUG_FEASIBLE);

  CHECK_INT(snug_write_csv(csv, NULL, NULL, 0, &length), SNUG_UNKNOWN);
  CHECK_INT(length, strlen(kTable));
  CHECK_INT(snug_write_csv(csv, NULL, text, sizeof text, &length),
            SNUG_UNKNOWN);
  CHECK(memcmp(text, kTable, length) == 0);
  CHECK_INT(snug_write_csv(csv, offsets, text, sizeof text, &length),
            SNUG_UNKNOWN);

  text[length] = '\0';
  CHECK(strstr(text, "\na,0,9,8,4,-1,2-4 5-7@1:3,,,b,,,bottom,4\n") != NULL);
  CHECK(strstr(text, ",top,12\n") != NULL);
  memset(text, '#', sizeof text);
  CHECK_INT(snug_write_csv(csv, NULL, text, 5, &length), SNUG_BAD_ARGUMENT);
  CHECK_INT(length, strlen(kTable));
  CHECK(memcmp(text, "id,lo#", 6) == 0);
  CHECK_INT(snug_write_csv(NULL, NULL, text, 5, &length), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_write_csv(csv, NULL, text, 5, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_write_csv(csv, NULL, NULL, 5, &length), SNUG_BAD_ARGUMENT);
  snug_free_csv(csv);

  CHECK_INT(snug_read_csv(bad, strlen(bad), &csv, &result), SNUG_INVALID);
  CHECK(csv == NULL);
  CHECK_TEXT(result.message, "2:5: upper: not an integer: 'x'");
  CHECK_INT(result.error, SNUG_ERROR_NONE);
  CHECK_INT(snug_read_csv(bad, 20, &csv, NULL), SNUG_UNKNOWN);
  CHECK_INT(snug_csv_problem(csv)->buffer_count, 0);
  snug_free_csv(csv);
  CHECK_INT(snug_read_csv(NULL, 0, &csv, NULL), SNUG_INVALID);
  CHECK_INT(snug_read_csv(NULL, 3, &csv, NULL), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_read_csv(bad, 3, NULL, NULL), SNUG_BAD_ARGUMENT);
  CHECK(snug_csv_problem(NULL) == NULL);
  CHECK(snug_csv_id(NULL, 0) == NULL);
  CHECK(snug_csv_note(NULL, 0) == NULL);
  CHECK_INT(snug_read_csv(more, strlen(more), &csv, NULL), SNUG_UNKNOWN);
  CHECK_TEXT(snug_csv_note(csv, 0),
             "1:21: column 'aligment' is not known and ignored");
  CHECK_TEXT(snug_csv_note(csv, 1),
             "2:11: column 'pool' is ignored: the problem has one memory");
  CHECK(snug_csv_note(csv, 2) == NULL);
  CHECK(snug_csv_note(csv, -1) == NULL);
  snug_free_csv(csv);
  snug_free_csv(NULL);
}

// One call of each function that takes memory.
enum { kCalls = 12 };

static snug_status call(int which, snug_result* result) {
  const snug_penalty penalties[] = {{0, 3, 7}};
  snug_problem problem = five();
  int64_t offsets[5] = {0, 0, 4, 0, 8};
  snug_csv* csv = NULL;
  snug_planner* planner = NULL;
  snug_status status;
  problem.penalty_count = 1;
  problem.penalties = penalties;
  if (which == 0) return snug_check(&problem, result);
  if (which == 1) return snug_validate(&problem, 12, offsets, result);
  if (which == 2) return snug_solve(&problem, 12, NULL, offsets, result);
  if (which == 3) return snug_minimize(&problem, NULL, offsets, result);
  if (which == 4)
    return snug_minimize_within(&problem, 12, NULL, offsets, result);
  if (which == 5)
    return snug_minimize_penalty(&problem, 12, NULL, offsets, result);
  if (which == 6) return snug_explain(&problem, 11, NULL, offsets, result);
  if (which == 7)
    return snug_suggest_spills(&problem, 8, NULL, NULL, offsets, result);
  if (which == 8) {
    const snug_pool pools[] = {{8, 0, 0, 1}, {12, 0, 4, 2}};
    const snug_pool_reserved reserved[] = {{1, 0, 4, 0, 0}};
    const int64_t costs[] = {0, 0, 0, 0, 0, 0, 0, 5, 1, 1};
    const snug_pools both = {sizeof both, 2, pools, 1, reserved, costs};
    return snug_assign(&problem, &both, NULL, offsets, NULL, result);
  }
  if (which == 9) return snug_certify(&problem, 11, NULL, NULL, 0, result);
  if (which == 10) {
    snug_problem one = problem;
    one.buffer_count = 1;
    one.penalty_count = 0;
    status = snug_make_planner(&problem, 12, offsets, &planner, result);
    CHECK((planner != NULL) == (status == SNUG_FEASIBLE));
    if (planner != NULL)
      status = snug_planner_add(planner, &one, NULL, NULL, NULL, result);
    snug_free_planner(planner);
    return status;
  }
  status = snug_read_csv(kTable, strlen(kTable), &csv, result);
  CHECK((csv != NULL) == (status == SNUG_UNKNOWN));
  snug_free_csv(csv);
  return status;
}

// Whatever allocation is the one that fails, the call says so.
static void test_memory(void) {
  snug_problem problem = two();
  snug_result result = empty_result();
  int which;
  if (!snug_test_new_can_fail()) {
    printf("skipped: operator new cannot fail here\n");
    return;
  }
  for (which = 0; which < kCalls; ++which) {
    long spared = 0;
    for (;; ++spared) {
      snug_status status;
      snug_test_fail_new_after(spared);
      result = empty_result();
      status = call(which, &result);
      if (!snug_test_new_failed()) {
        CHECK(status < SNUG_INVALID);
        break;
      }
      CHECK_INT(status, SNUG_OUT_OF_MEMORY);
      CHECK_INT(result.status, SNUG_OUT_OF_MEMORY);
      CHECK_TEXT(result.message, "out of memory");
      if (status != SNUG_OUT_OF_MEMORY || spared == 10000) break;
    }
    CHECK(spared > 0 && spared < 10000);
    printf("call %d: %ld allocations\n", which, spared);
  }
  snug_test_fail_new_after(-1);
  // More than a vector can hold.
  problem.buffer_count = INT64_MAX;
  CHECK_INT(snug_check(&problem, &result), SNUG_OUT_OF_MEMORY);
}

int main(void) {
  test_names();
  test_solve();
  test_nothing();
  test_buffers();
  test_gaps();
  test_relations();
  test_penalties();
  test_explain();
  test_spills();
  test_assign();
  test_assign_members();
  test_assign_invalid();
  test_assign_refused();
  test_planner();
  test_planner_refused();
  test_certify();
  test_validate();
  test_invalid();
  test_refused();
  test_versions();
  test_seed();
  test_limits();
  test_moved();
  test_csv();
  test_memory();
  return report_checks();
}
