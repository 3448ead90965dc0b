// Random functions, run with the pass and without it: all numbers are the same.
// Set SNUG_TEST_ROUNDS for more of them.
//
// DEFINE: %{pack} =
// DEFINE: %{lower} = snug-opt %t.mlir --pass-pipeline="builtin.module( \
// DEFINE:   %{pack} func.func(convert-linalg-to-loops), \
// DEFINE:   expand-strided-metadata, lower-affine, convert-scf-to-cf, \
// DEFINE:   finalize-memref-to-llvm, convert-arith-to-llvm, \
// DEFINE:   convert-func-to-llvm, convert-cf-to-llvm, \
// DEFINE:   reconcile-unrealized-casts)"
// DEFINE: %{run} = mlir-cpu-runner --entry-point-result=void \
// DEFINE:   --shared-libs=%libraries
//
// RUN: make-functions %functions 1 > %t.mlir
// RUN: %{lower} | %{run} > %t.apart
// REDEFINE: %{pack} = func.func(snug-pack{report}),
// RUN: %{lower} 2> %t.remarks | %{run} > %t.packed
// RUN: diff %t.apart %t.packed
// RUN: FileCheck %s < %t.apart
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// CHECK-COUNT-80: {{^-?[0-9]+$}}
// REMARK-COUNT-20: packed into
