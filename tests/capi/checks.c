// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
static int checks = 0;

void check_true(int value, const char* where, const char* what) {
  ++checks;
  if (value) return;
  ++failures;
  printf("%s: %s\n", where, what);
}

void check_int(long long value, long long expected, const char* where,
               const char* what) {
  ++checks;
  if (value == expected) return;
  ++failures;
  printf("%s: %s is %lld, not %lld\n", where, what, value, expected);
}

void check_text(const char* text, const char* expected, const char* where) {
  ++checks;
  if (strcmp(text, expected) == 0) return;
  ++failures;
  printf("%s: '%s', not '%s'\n", where, text, expected);
}

int report_checks(void) {
  printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

snug_result empty_result(void) {
  snug_result result;
  memset(&result, 0x55, sizeof result);
  result.struct_size = sizeof result;
  return result;
}

int is_placement(const snug_problem* problem, const int64_t* offsets,
                 int64_t capacity) {
  int64_t i, j;
  for (i = 0; i < problem->buffer_count; ++i) {
    if (offsets[i] < 0 || offsets[i] + problem->size[i] > capacity) return 0;
    for (j = 0; j < i; ++j)
      if (problem->lower[i] < problem->upper[j] &&
          problem->lower[j] < problem->upper[i] &&
          offsets[i] < offsets[j] + problem->size[j] &&
          offsets[j] < offsets[i] + problem->size[i])
        return 0;
  }
  return 1;
}

static const int64_t kFiveLower[] = {0, 3, 0, 9, 0};
static const int64_t kFiveUpper[] = {3, 9, 9, 21, 21};
static const int64_t kFiveSize[] = {4, 4, 4, 4, 4};

snug_problem five(void) {
  snug_problem problem = {.struct_size = sizeof problem,
                          .buffer_count = 5,
                          .lower = kFiveLower,
                          .upper = kFiveUpper,
                          .size = kFiveSize};
  return problem;
}
