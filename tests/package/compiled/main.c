// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <snug/c_api.h>

int main(void) {
  const int64_t lower[] = {0, 1}, upper[] = {2, 3}, size[] = {5, 7};
  const snug_pool memories[] = {{7, 0, 0, 0}, {7, 0, 0, 1}};
  const snug_problem problem = {.struct_size = sizeof problem,
                                .buffer_count = 2,
                                .lower = lower,
                                .upper = upper,
                                .size = size};
  const snug_pools pools = {
      .struct_size = sizeof pools, .pool_count = 2, .pools = memories};
  int64_t offsets[2], pool_of[2];
  snug_result result = {.struct_size = sizeof result};
  if (snug_solve(&problem, 12, NULL, offsets, NULL) != SNUG_OPTIMAL ||
      snug_validate(&problem, 12, offsets, NULL) != SNUG_FEASIBLE)
    return 1;
  if (snug_assign(&problem, &pools, NULL, pool_of, offsets, &result) !=
          SNUG_OPTIMAL ||
      result.cost != 5 || pool_of[0] != 1 || pool_of[1] != 0)
    return 2;
  if (snug_certify(&problem, 11, NULL, NULL, 0, &result) != SNUG_INFEASIBLE)
    return 3;
  return 0;
}
