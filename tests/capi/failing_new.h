// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An operator new for the whole program that fails when told to.
#ifndef SNUG_TESTS_CAPI_FAILING_NEW_H
#define SNUG_TESTS_CAPI_FAILING_NEW_H

#ifdef __cplusplus
extern "C" {
#endif

/// Whether libraries take it too, and may fail without ending the program.
int snug_test_new_can_fail(void);
/// The next `spared` allocations are granted, the one after them fails, and all
/// others are granted again; -1: all are granted.
void snug_test_fail_new_after(long spared);
/// Whether one has failed since then.
int snug_test_new_failed(void);

#ifdef __cplusplus
}
#endif

#endif  // SNUG_TESTS_CAPI_FAILING_NEW_H
