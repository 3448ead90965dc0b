// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the tests in C check with. A check that fails prints why, and the rest
/// goes on.
#ifndef SNUG_TESTS_CAPI_CHECKS_H
#define SNUG_TESTS_CAPI_CHECKS_H

#include "snug/c_api.h"

#include <stdint.h>

#define LINE_TEXT_OF(number) #number
#define LINE_TEXT(number) LINE_TEXT_OF(number)
/// The file and the line, for the functions below.
#define HERE __FILE__ ":" LINE_TEXT(__LINE__)

#define CHECK(condition) check_true((condition) ? 1 : 0, HERE, #condition)
#define CHECK_INT(value, expected) \
  check_int((long long)(value), (long long)(expected), HERE, #value)
#define CHECK_TEXT(text, expected) check_text(text, expected, HERE)

/// What is said of a struct that cannot be read.
#define BAD_STRUCT(name) \
  name ": struct_size is wrong, or a member is set that is not known"

void check_true(int value, const char* where, const char* what);
void check_int(long long value, long long expected, const char* where,
               const char* what);
void check_text(const char* text, const char* expected, const char* where);
/// Prints the number of checks; returns what main() should.
int report_checks(void);

/// A result that no call has filled.
snug_result empty_result(void);
/// Whether the offsets are a placement of a problem without constraints.
int is_placement(const snug_problem* problem, const int64_t* offsets,
                 int64_t capacity);
/// The example of model/problem.hpp: three of 4 bytes at most at one time.
snug_problem five(void);

/// Of snug_assign(), in c_assign_test.c.
void test_assign(void);
void test_assign_members(void);
void test_assign_invalid(void);
void test_assign_refused(void);
/// Of planners, in c_planner_test.c.
void test_planner(void);
void test_planner_refused(void);

#endif  // SNUG_TESTS_CAPI_CHECKS_H
