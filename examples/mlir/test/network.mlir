// A network with a residual connection, from tensors to printed values: with the
// pass and without it they are the same, in less memory. Before deallocation is
// the better place for the pass; after it, it does no harm.
//
// DEFINE: %{before} =
// DEFINE: %{after} =
// DEFINE: %{lower} = snug-opt %s --pass-pipeline="builtin.module( \
// DEFINE:   eliminate-empty-tensors, \
// DEFINE:   one-shot-bufferize{bufferize-function-boundaries \
// DEFINE:     function-boundary-type-conversion=identity-layout-map}, \
// DEFINE:   buffer-results-to-out-params, \
// DEFINE:   func.func(buffer-hoisting, buffer-loop-hoisting %{before}), \
// DEFINE:   buffer-deallocation-pipeline, %{after} \
// DEFINE:   func.func(convert-linalg-to-loops), expand-strided-metadata, \
// DEFINE:   lower-affine, convert-scf-to-cf, finalize-memref-to-llvm, \
// DEFINE:   convert-arith-to-llvm, convert-func-to-llvm, \
// DEFINE:   convert-cf-to-llvm, reconcile-unrealized-casts)"
// DEFINE: %{run} = mlir-cpu-runner --entry-point-result=void \
// DEFINE:   --shared-libs=%libraries
//
// RUN: %{lower} | %{run} | sed -e "s/ base@ = [0-9a-fx]*//" > %t.apart
// REDEFINE: %{after} = func.func(snug-pack),
// RUN: %{lower} | %{run} | sed -e "s/ base@ = [0-9a-fx]*//" > %t.after
// RUN: diff %t.apart %t.after
// REDEFINE: %{after} =
// REDEFINE: %{before} =, snug-pack{report}
// RUN: %{lower} 2> %t.remarks > %t.mlir
// RUN: %{run} %t.mlir | sed -e "s/ base@ = [0-9a-fx]*//" > %t.packed
// RUN: diff %t.apart %t.packed
// RUN: FileCheck %s < %t.packed
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s --check-prefix=ARENA < %t.mlir

// REMARK: 7 allocations of 12224 bytes packed into 7296 bytes, which is optimal
// ARENA-LABEL: llvm.func @network
// ARENA-COUNT-1: llvm.call @malloc
// ARENA-NOT:     llvm.call @malloc
// ARENA-COUNT-1: llvm.call @free
// ARENA-NOT:     llvm.call @free
// ARENA-LABEL: llvm.func @main
// CHECK: Unranked Memref rank = 2 offset = 0 sizes = [8, 8] strides = [8, 1]
// CHECK-NEXT: {{\[\[}}-0.0304{{.*}}, 0.655{{.*}}, 0.862

// The values differ from element to element, and a few bits hold them.
func.func private @value(%a: index, %b: index, %c: index, %d: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %scale = arith.constant 0.125 : f32
  %center = arith.constant -5.0 : f32
  %0 = arith.muli %a, %c3 : index
  %1 = arith.muli %b, %c5 : index
  %2 = arith.muli %c, %c7 : index
  %3 = arith.addi %0, %1 : index
  %4 = arith.addi %2, %3 : index
  %5 = arith.addi %4, %d : index
  %6 = arith.remui %5, %c11 : index
  %7 = arith.index_cast %6 : index to i32
  %8 = arith.sitofp %7 : i32 to f32
  %9 = arith.addf %8, %center : f32
  %10 = arith.mulf %9, %scale : f32
  return %10 : f32
}

func.func private @network(%image: tensor<1x8x8x4xf32>, %k1: tensor<3x3x4x8xf32>,
                           %k2: tensor<3x3x8x8xf32>, %w1: tensor<64x32xf32>,
                           %w2: tensor<32x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32

  %p0 = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf
    ins(%p0, %k1 : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>)
    outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r1 = linalg.map ins(%c1 : tensor<1x8x8x8xf32>) outs(%e : tensor<1x8x8x8xf32>)
    (%x: f32) {
      %y = arith.maximumf %x, %zero : f32
      linalg.yield %y : f32
    }

  %p1 = tensor.pad %r1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x8xf32> to tensor<1x10x10x8xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf
    ins(%p1, %k2 : tensor<1x10x10x8xf32>, tensor<3x3x8x8xf32>)
    outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %sum = linalg.map { arith.addf } ins(%c2, %r1 : tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>)
    outs(%e : tensor<1x8x8x8xf32>)
  %r2 = linalg.map ins(%sum : tensor<1x8x8x8xf32>) outs(%e : tensor<1x8x8x8xf32>)
    (%x: f32) {
      %y = arith.maximumf %x, %zero : f32
      linalg.yield %y : f32
    }

  %flat = tensor.collapse_shape %r2 [[0, 1], [2, 3]]
    : tensor<1x8x8x8xf32> into tensor<8x64xf32>
  %e1 = tensor.empty() : tensor<8x32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %m1 = linalg.matmul ins(%flat, %w1 : tensor<8x64xf32>, tensor<64x32xf32>)
    outs(%f1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r3 = linalg.map ins(%m1 : tensor<8x32xf32>) outs(%e1 : tensor<8x32xf32>)
    (%x: f32) {
      %y = arith.maximumf %x, %zero : f32
      linalg.yield %y : f32
    }
  %e2 = tensor.empty() : tensor<8x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m2 = linalg.matmul ins(%r3, %w2 : tensor<8x32xf32>, tensor<32x8xf32>)
    outs(%f2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m2 : tensor<8x8xf32>
}

func.func private @printMemrefF32(tensor<*xf32>)

func.func @main() {
  %c0 = arith.constant 0 : index
  %image = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %v = func.call @value(%a, %b, %c, %d) : (index, index, index, index) -> f32
    tensor.yield %v : f32
  } : tensor<1x8x8x4xf32>
  %k1 = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %v = func.call @value(%a, %b, %c, %d) : (index, index, index, index) -> f32
    tensor.yield %v : f32
  } : tensor<3x3x4x8xf32>
  %k2 = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %v = func.call @value(%b, %a, %d, %c) : (index, index, index, index) -> f32
    tensor.yield %v : f32
  } : tensor<3x3x8x8xf32>
  %w1 = tensor.generate {
  ^bb0(%a: index, %b: index):
    %v = func.call @value(%c0, %c0, %a, %b) : (index, index, index, index) -> f32
    tensor.yield %v : f32
  } : tensor<64x32xf32>
  %w2 = tensor.generate {
  ^bb0(%a: index, %b: index):
    %v = func.call @value(%a, %b, %c0, %c0) : (index, index, index, index) -> f32
    tensor.yield %v : f32
  } : tensor<32x8xf32>
  %y = call @network(%image, %k1, %k2, %w1, %w2)
    : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, tensor<3x3x8x8xf32>,
       tensor<64x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
  %z = tensor.cast %y : tensor<8x8xf32> to tensor<*xf32>
  call @printMemrefF32(%z) : (tensor<*xf32>) -> ()
  return
}
