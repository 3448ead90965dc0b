// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Planners from C, step by step against values worked out by hand.
#include "checks.h"
#include "snug/c_api.h"

#include <stdint.h>
#include <string.h>

// At most two buffers of the times [0, 9); it points to the sizes of its caller.
static snug_problem live_together(int64_t count, const int64_t* size) {
  static const int64_t kLower[] = {0, 0}, kUpper[] = {9, 9};
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = count,
                          .lower = kLower,
                          .upper = kUpper};
  problem.size = size;
  return problem;
}

void test_planner(void) {
  // [0, 2) and [5, 7) are free, and so is [10, 12) above.
  const int64_t size[] = {3, 3};
  const int64_t first[] = {2, 7};
  const int64_t two = 2, four = 4, nine = 9;
  snug_problem begin = live_together(2, size);
  snug_problem added = live_together(1, &two);
  snug_options options = {.struct_size = sizeof options, .time_limit_ns = -1};
  snug_planner* planner = NULL;
  int64_t offsets[4], moved[4];
  snug_result result = empty_result();

  CHECK_INT(snug_make_planner(&begin, 12, first, &planner, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.height, 0);
  CHECK_INT(snug_planner_count(planner), 2);

  // A hole is taken at once, whatever the limit; nobody moves.
  CHECK_INT(
      snug_planner_add(planner, &added, &options, offsets, moved, &result),
      SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 0);
  CHECK_INT(result.height, 10);
  CHECK_INT(offsets[0], 2);
  CHECK_INT(offsets[1], 7);
  CHECK_INT(offsets[2], 0);
  CHECK_INT(snug_planner_count(planner), 3);

  // 4 bytes are left, in two pieces.
  added = live_together(1, &four);
  CHECK_INT(snug_planner_fix(planner, 0), SNUG_UNKNOWN);
  CHECK_INT(snug_planner_fix(planner, 1), SNUG_UNKNOWN);
  CHECK_INT(snug_planner_add(planner, &added, NULL, NULL, NULL, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(snug_planner_count(planner), 3);
  CHECK_INT(snug_planner_unfix(planner, 1), SNUG_UNKNOWN);
  CHECK_INT(snug_planner_add(planner, &added, NULL, offsets, moved, &result),
            SNUG_FEASIBLE);
  CHECK_INT(result.buffer_count, 1);
  CHECK_INT(moved[0], 1);
  CHECK_INT(offsets[0], 2);
  CHECK_INT(result.height, 12);

  // Without the first two there is room for another 5 bytes.
  CHECK_INT(snug_planner_remove(planner, 0), SNUG_UNKNOWN);
  CHECK_INT(snug_planner_remove(planner, 2), SNUG_UNKNOWN);
  added = live_together(1, &nine);
  CHECK_INT(snug_planner_add(planner, &added, NULL, NULL, NULL, NULL),
            SNUG_INFEASIBLE);
  added = live_together(1, &four);
  CHECK_INT(snug_planner_add(planner, &added, NULL, NULL, NULL, NULL),
            SNUG_FEASIBLE);
  CHECK_INT(snug_planner_count(planner), 5);
  snug_free_planner(planner);
  snug_free_planner(NULL);
  CHECK_INT(snug_planner_count(NULL), 0);

  // From nothing; what is wrong with a buffer is said of the whole.
  {
    const int64_t minus = -4;
    const snug_gap gaps[] = {{0, 1, 2, 0, 0}, {0, 20, 30, 0, 0}};
    snug_problem none = {.struct_size = sizeof none};
    CHECK_INT(snug_make_planner(&none, 8, NULL, &planner, NULL), SNUG_FEASIBLE);
    added = live_together(1, &four);
    CHECK_INT(snug_planner_add(planner, &added, NULL, offsets, NULL, &result),
              SNUG_FEASIBLE);
    added.gap_count = 2;
    added.gaps = gaps;
    CHECK_INT(snug_planner_add(planner, &added, NULL, offsets, NULL, &result),
              SNUG_INVALID);
    CHECK_INT(result.buffer, 1);
    CHECK_INT(result.entry_kind, SNUG_ENTRY_GAP);
    CHECK_INT(result.entry, 1);
    added = live_together(1, &minus);
    CHECK_INT(snug_planner_add(planner, &added, NULL, offsets, NULL, &result),
              SNUG_INVALID);
    CHECK_TEXT(result.message, "buffer 1: size is negative");
    CHECK_INT(snug_planner_count(planner), 1);
    snug_free_planner(planner);
  }
}

void test_planner_refused(void) {
  const int64_t size[] = {4, 4};
  const int64_t wrong[] = {0, 2}, right[] = {0, 4}, members[] = {0, 1};
  const int64_t length = 2, four = 4;
  snug_problem begin = live_together(2, size);
  snug_problem added = live_together(1, &four);
  snug_planner* planner = (snug_planner*)&begin;
  snug_result result = empty_result();

  CHECK_INT(snug_make_planner(&begin, 8, wrong, &planner, &result),
            SNUG_INVALID);
  CHECK(planner == NULL);
  CHECK_INT(result.error, SNUG_FAULT_OVERLAP);
  CHECK_INT(result.buffer + result.other, 1);
  CHECK_INT(snug_make_planner(&begin, 8, NULL, &planner, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "offsets is null");
  CHECK_INT(snug_make_planner(NULL, 8, right, &planner, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_make_planner(&begin, 8, right, NULL, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "planner is null");

  begin.group_count = 1;
  begin.group_sizes = &length;
  begin.group_members = members;
  CHECK_INT(snug_make_planner(&begin, 8, right, &planner, NULL), SNUG_FEASIBLE);
  CHECK_INT(snug_planner_remove(planner, 1), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_planner_remove(planner, 2), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_planner_fix(planner, -1), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_planner_unfix(NULL, 0), SNUG_BAD_ARGUMENT);
  CHECK_INT(snug_planner_add(planner, &begin, NULL, NULL, NULL, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "not one buffer and nothing else");
  added.base = 1;
  CHECK_INT(snug_planner_add(planner, &added, NULL, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT);
  added.base = 0;
  CHECK_INT(snug_planner_add(NULL, &added, NULL, NULL, NULL, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "planner is null");
  CHECK_INT(snug_planner_add(planner, &added, NULL, NULL, NULL, NULL),
            SNUG_INFEASIBLE);
  snug_free_planner(planner);
}
