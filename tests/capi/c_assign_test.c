// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// snug_assign() against values worked out by hand.
#include "checks.h"
#include "snug/c_api.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A free one of 8 bytes, and one of 100 where a byte costs 2.
static const snug_pool kPools[] = {{8, 0, 0, 0}, {100, 0, 0, 2}};

static snug_pools fast_and_slow(void) {
  snug_pools pools = {
      .struct_size = sizeof pools, .pool_count = 2, .pools = kPools};
  return pools;
}

// Whether each pool by itself is a placement of five(), from its base up.
static int is_assignment(const snug_pools* pools, const int64_t* pool_of,
                         const int64_t* offsets) {
  const snug_problem whole = five();
  int64_t lower[5], upper[5], size[5], own[5], p, i;
  int64_t placed = 0;
  for (p = 0; p < pools->pool_count; ++p) {
    snug_problem part = {.struct_size = sizeof part,
                         .lower = lower,
                         .upper = upper,
                         .size = size,
                         .base = pools->pools[p].base,
                         .heap_alignment = pools->pools[p].alignment};
    for (i = 0; i < 5; ++i) {
      if (pool_of[i] != p) continue;
      lower[part.buffer_count] = whole.lower[i];
      upper[part.buffer_count] = whole.upper[i];
      size[part.buffer_count] = whole.size[i];
      own[part.buffer_count] = offsets[i];
      ++part.buffer_count;
    }
    if (snug_validate(&part, pools->pools[p].capacity, own, NULL) !=
        SNUG_FEASIBLE)
      return 0;
    placed += part.buffer_count;
  }
  return placed == 5;
}

void test_assign(void) {
  const snug_problem problem = five();
  snug_pools pools = fast_and_slow();
  // The two short ones may go to the slow pool, at their price; the last may
  // not, nor may the third be in the fast one.
  const int64_t costs[] = {0, 1, 0, 2, SNUG_NEVER, 5, 0, 0, 0, SNUG_NEVER};
  int64_t pool_of[5] = {-7, -7, -7, -7, -7}, offsets[5];
  snug_result result = empty_result();

  // Of the three that are live at one time, one is elsewhere. Only the third
  // and the last are there all the time: either of them.
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, &result),
            SNUG_OPTIMAL);
  CHECK_INT(result.status, SNUG_OPTIMAL);
  CHECK_INT(result.cost, 8);
  CHECK_INT(result.cost_bound, 8);
  CHECK_INT(result.pool, -1);
  CHECK_INT(result.error, SNUG_ERROR_NONE);
  CHECK_INT(result.stopped_by, SNUG_STOP_NONE);
  CHECK((pool_of[2] == 1) != (pool_of[4] == 1));
  CHECK_INT(pool_of[0] + pool_of[1] + pool_of[3], 0);
  CHECK(is_assignment(&pools, pool_of, offsets));

  pools.costs = costs;
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, &result),
            SNUG_OPTIMAL);
  CHECK_INT(result.cost, 8 + 5);
  CHECK_INT(pool_of[2], 1);
  CHECK_INT(pool_of[4], 0);
  CHECK(is_assignment(&pools, pool_of, offsets));
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, NULL),
            SNUG_OPTIMAL);

  // Without the slow pool they do not fit; the arrays stay.
  pools.costs = NULL;
  pools.pool_count = 1;
  memset(pool_of, 0x55, sizeof pool_of);
  memset(offsets, 0x55, sizeof offsets);
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, &result),
            SNUG_INFEASIBLE);
  CHECK_INT(pool_of[0], 0x5555555555555555);
  CHECK_INT(offsets[0], 0x5555555555555555);
  {
    snug_problem none;
    memset(&none, 0, sizeof none);
    none.struct_size = sizeof none;
    pools.pool_count = 0;
    CHECK_INT(snug_assign(&none, &pools, NULL, NULL, NULL, NULL), SNUG_OPTIMAL);
  }
  {
    const snug_options options = {.struct_size = sizeof options,
                                  .time_limit_ns = -1};
    pools.pool_count = 2;
    CHECK(snug_assign(&problem, &pools, &options, NULL, NULL, &result) <=
          SNUG_UNKNOWN);
    CHECK(result.cost_bound <= 8);
  }
}

// One buffer in each of two pools with a base, an alignment and bytes that are
// nobody's: always, or while the buffer is live.
void test_assign_members(void) {
  const int64_t lower[] = {0, 0}, upper[] = {2, 2}, size[] = {4, 4};
  const int64_t costs[] = {0, SNUG_NEVER, SNUG_NEVER, 0};
  const snug_pool two[] = {{20, 4, 8, 0}, {20, 0, 0, 3}};
  snug_pool_reserved reserved[] = {
      {1, 0, 4, 0, 0}, {0, 8, 9, 1, 2}, {1, 5, 8, 1, 3}};
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 2,
                          .lower = lower,
                          .upper = upper,
                          .size = size,
                          .base = 1000,
                          .heap_alignment = 64};
  snug_pools pools = {.struct_size = sizeof pools,
                      .pool_count = 2,
                      .pools = two,
                      .reserved_count = 3,
                      .reserved = reserved,
                      .costs = costs};
  int64_t pool_of[2], offsets[2];
  snug_result result = empty_result();
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, &result),
            SNUG_OPTIMAL);
  CHECK_INT(result.cost, 12);
  CHECK_INT(pool_of[0], 0);
  CHECK_INT(pool_of[1], 1);
  CHECK_INT(offsets[0], 16);
  CHECK(offsets[1] >= 8 && offsets[1] <= 16);
  // Before or after the buffer is live, they are in nobody's way.
  reserved[1].begin = 2;
  reserved[1].end = 3;
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, &result),
            SNUG_OPTIMAL);
  CHECK(offsets[0] == 8 || offsets[0] == 16);
  // A caller who knows of no reserved ranges.
  reserved[1].begin = 0;
  reserved[1].end = 9;
  reserved[1].upper = 20;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, NULL),
            SNUG_INFEASIBLE);
  pools.struct_size = offsetof(snug_pools, reserved_count);
  CHECK_INT(snug_assign(&problem, &pools, NULL, pool_of, offsets, NULL),
            SNUG_OPTIMAL);
}

void test_assign_invalid(void) {
  const int64_t fixed[] = {-1, -1, 5, -1, -1};
  const int64_t wrong_size[] = {4, 4, -4, 4, 4};
  const int64_t costs[] = {0, 0, 0, -2, 0, 0, 0, 0, 0, 0};
  snug_pool given[] = {{8, 0, 4, 0}, {100, 0, 0, 2}};
  snug_pool_reserved reserved[] = {
      {1, 0, 4, 0, 0}, {0, 4, 8, 0, 0}, {1, 8, 8, 0, 0}};
  snug_problem problem = five();
  snug_pools pools = fast_and_slow();
  snug_result result = empty_result();

  pools.pools = given;
  pools.costs = costs;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message, "pool 1: buffer 1: cost is negative");
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_COST);
  CHECK_INT(result.pool, 1);
  CHECK_INT(result.buffer, 1);
  pools.costs = NULL;
  given[1].cost_per_byte = INT64_MAX;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_INT(result.error, SNUG_ERROR_COST_OVERFLOW);
  given[1].cost_per_byte = 2;

  given[1].capacity = -1;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message, "pool 1: capacity is negative");
  CHECK_INT(result.error, SNUG_ERROR_NEGATIVE_CAPACITY);
  CHECK_INT(result.entry_kind, SNUG_ENTRY_PROBLEM);
  CHECK_INT(result.pool, 1);
  CHECK_INT(result.buffer, -1);
  given[1].capacity = 100;
  given[0].alignment = -4;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message, "pool 0: alignment of the problem is less than 1");
  CHECK_INT(result.error, SNUG_ERROR_BAD_HEAP_ALIGNMENT);
  given[0].alignment = 4;
  problem.offset = fixed;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_INT(result.error, SNUG_ERROR_MISALIGNED_OFFSET);
  CHECK_INT(result.buffer, 2);
  CHECK_INT(result.pool, 0);

  // The index is that of the list, not that among the ranges of the pool.
  problem.offset = NULL;
  pools.reserved_count = 3;
  pools.reserved = reserved;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message,
             "pool 1: reserved range 2: reserved range is empty or reaches "
             "below zero");
  CHECK_INT(result.error, SNUG_ERROR_BAD_RESERVED);
  CHECK_INT(result.entry_kind, SNUG_ENTRY_RESERVED);
  CHECK_INT(result.entry, 2);
  CHECK_INT(result.pool, 1);

  // Not of a pool: the problem itself, and that there is none.
  problem.size = wrong_size;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message, "buffer 2: size is negative");
  CHECK_INT(result.pool, -1);
  problem = five();
  pools.pool_count = 0;
  pools.reserved_count = 0;
  CHECK_INT(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_INVALID);
  CHECK_TEXT(result.message, "there is no pool");
  CHECK_INT(result.error, SNUG_ERROR_NO_POOL);
}

static void expect_refused(snug_pools pools, const char* message,
                           const char* where) {
  const snug_problem problem = five();
  snug_result result = empty_result();
  check_int(snug_assign(&problem, &pools, NULL, NULL, NULL, &result),
            SNUG_BAD_ARGUMENT, where, "assign");
  check_text(result.message, message, where);
  check_int(result.error, SNUG_ERROR_NONE, where, "error");
}
#define EXPECT_REFUSED(pools, message) expect_refused(pools, message, HERE)

void test_assign_refused(void) {
  const snug_problem problem = five();
  snug_pool_reserved reserved[] = {{1, 0, 4, 0, 0}, {2, 0, 4, 0, 0}};
  struct {
    snug_pools pools;
    int64_t future;
  } newer = {fast_and_slow(), 0};
  snug_pools pools = fast_and_slow();
  snug_result result = empty_result();

  pools.reserved_count = 2;
  pools.reserved = reserved;
  EXPECT_REFUSED(pools, "reserved range 1: no pool 2");
  reserved[1].pool = -1;
  EXPECT_REFUSED(pools, "reserved range 1: no pool -1");
  pools.reserved = NULL;
  EXPECT_REFUSED(pools, "reserved: null, or reserved_count is negative");
  pools = fast_and_slow();
  pools.pool_count = -1;
  EXPECT_REFUSED(pools, "pools: null, or pool_count is negative");
  pools.pool_count = 1;
  pools.pools = NULL;
  EXPECT_REFUSED(pools, "pools: null, or pool_count is negative");
  pools = fast_and_slow();
  pools.struct_size = 0;
  EXPECT_REFUSED(pools, BAD_STRUCT("snug_pools"));

  CHECK_INT(snug_assign(&problem, NULL, NULL, NULL, NULL, &result),
            SNUG_BAD_ARGUMENT);
  CHECK_TEXT(result.message, "pools is null");
  pools = fast_and_slow();
  CHECK_INT(snug_assign(NULL, &pools, NULL, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT);
  newer.pools.struct_size = sizeof newer;
  CHECK_INT(snug_assign(&problem, &newer.pools, NULL, NULL, NULL, NULL),
            SNUG_OPTIMAL);
  newer.future = 1;
  CHECK_INT(snug_assign(&problem, &newer.pools, NULL, NULL, NULL, NULL),
            SNUG_BAD_ARGUMENT);
}
