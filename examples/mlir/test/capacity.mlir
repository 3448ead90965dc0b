// A capacity, and what is said where the allocations do not fit.
//
// RUN: snug-opt --split-input-file --verify-diagnostics %s \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{capacity=192 report}))"
//
// The function stays as it is.
// RUN: not snug-opt --split-input-file --mlir-print-ir-after-failure %s \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{capacity=192}))" \
// RUN:   2>&1 | FileCheck %s
//
// Nothing is searched, so nothing is proved.
// RUN: not snug-opt --split-input-file %s \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{capacity=192 node-limit=0}))" \
// RUN:   2>&1 | FileCheck %s --check-prefix=STOPPED

// expected-remark@below {{3 allocations of 256 bytes packed into 192 bytes, which is optimal}}
func.func @fits(%x: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<32xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  return
}

// -----

// CHECK: error: allocations of 256 bytes do not fit into 192 bytes: all are in use at one time
// CHECK: note: 128 bytes, in use in steps 3 to 4
// CHECK: IR Dump After {{.*}}SnugPack{{.*}} Failed
// CHECK: memref.alloc() : memref<32xf32>
// CHECK-NEXT: memref.alloc() : memref<32xf32>
// CHECK-NEXT: memref.alloc() : memref<4xf32>
// CHECK-NEXT: linalg.fill
// expected-error@below {{allocations of 256 bytes do not fit into 192 bytes: all are in use at one time}}
func.func @load(%x: f32) {
  // expected-note@below {{128 bytes, in use in steps 3 to 4}}
  %a = memref.alloc() : memref<32xf32>
  // expected-note@below {{128 bytes, in use in steps 4 to 4}}
  %b = memref.alloc() : memref<32xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32xf32>)
  linalg.copy ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.fill ins(%x : f32) outs(%c : memref<4xf32>)
  return
}

// -----

// One that is too large by itself.
// expected-error@below {{allocations of 256 bytes do not fit into 192 bytes}}
func.func @one(%x: f32) {
  // expected-note@below {{256 bytes, in use in steps 1 to 1}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  return
}

// -----

// No more than 192 bytes, but where two have their places, there are not 96 in a
// row for the third.
// CHECK: error: allocations of 192 bytes do not fit into 192 bytes{{$}}
// STOPPED: no placement found within 192 bytes after 0 nodes
// expected-error@below {{allocations of 192 bytes do not fit into 192 bytes}}
func.func @search(%x: i8) {
  // expected-note@below {{48 bytes}}
  %a = memref.alloc() {alignment = 128 : i64} : memref<48xi8>
  // expected-note@below {{48 bytes}}
  %b = memref.alloc() {alignment = 128 : i64} : memref<48xi8>
  // expected-note@below {{96 bytes}}
  %c = memref.alloc() : memref<96xi8>
  linalg.copy ins(%a : memref<48xi8>) outs(%b : memref<48xi8>)
  linalg.fill ins(%x : i8) outs(%c : memref<96xi8>)
  linalg.copy ins(%a : memref<48xi8>) outs(%b : memref<48xi8>)
  return
}
