// What becomes of allocations, and of deallocations.
//
// RUN: snug-opt --pass-pipeline="builtin.module(func.func(snug-pack))" %s \
// RUN:   | FileCheck %s

// The second is written when nobody reads the first any more.
// CHECK-LABEL: func @share
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[ARENA:.*]] = memref.alloc() {alignment = 16 : i64} : memref<64xi8>
// CHECK-NEXT:    %[[AT_A:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[ARENA]][%[[AT_A]]][] : memref<64xi8> to memref<4x4xf32>
// CHECK-NEXT:    %[[AT_B:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[ARENA]][%[[AT_B]]][] : memref<64xi8> to memref<8xf64>
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]][%[[ZERO]], %[[ZERO]]] : memref<4x4xf32>
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]][%[[ZERO]]] : memref<8xf64>
// CHECK-NEXT:    memref.dealloc %[[ARENA]] : memref<64xi8>
// CHECK-NEXT:    return
func.func @share(%x: f32, %y: f64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<8xf64>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  memref.store %y, %b[%c0] : memref<8xf64>
  memref.dealloc %a : memref<4x4xf32>
  memref.dealloc %b : memref<8xf64>
  return
}

// Both are in use at one time: an offset for each, a multiple of its alignment,
// and the arena has the largest alignment.
// CHECK-LABEL: func @apart
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<68xi8>
// CHECK:         arith.constant 64 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<1xf32>
// CHECK:         arith.constant 0 : index
// CHECK-NEXT:    memref.view {{.*}} to memref<1xf64>
// CHECK-NOT:     memref.dealloc
func.func @apart(%x: f32, %y: f64) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<1xf64>
  memref.store %x, %a[%c0] : memref<1xf32>
  memref.store %y, %b[%c0] : memref<1xf64>
  %r = memref.load %a[%c0] : memref<1xf32>
  return %r : f32
}

// Every end of the function deallocates the arena, once.
// CHECK-LABEL: func @ends
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         cf.cond_br
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %[[ARENA]]
// CHECK-NEXT:    return
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.dealloc %[[ARENA]]
// CHECK-NEXT:    return
func.func @ends(%c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  memref.store %x, %b[%c0] : memref<16xf32>
  cf.cond_br %c, ^left, ^right
^left:
  memref.dealloc %a : memref<16xf32>
  return
^right:
  memref.dealloc %b : memref<16xf32>
  return
}

// CHECK-LABEL: func @nothing_to_hold
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<0xi8>
// CHECK:         memref.view %[[ARENA]]{{.*}} : memref<0xi8> to memref<0x4xf32>
// CHECK:         memref.view %[[ARENA]]{{.*}} : memref<0xi8> to memref<0xi8>
func.func @nothing_to_hold(%x: f32) {
  %a = memref.alloc() : memref<0x4xf32>
  %b = memref.alloc() : memref<0xi8>
  linalg.fill ins(%x : f32) outs(%a : memref<0x4xf32>)
  return
}

// An arena of one would be the allocation that there is.
// CHECK-LABEL: func @alone
// CHECK-NEXT:    memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.view
func.func @alone(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  return
}

// CHECK-LABEL: func private @elsewhere
func.func private @elsewhere()

// A memory without accesses is there for a step.
// CHECK-LABEL: func @idle
// CHECK:         memref.alloc() {{.*}} : memref<16xi8>
func.func @idle() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  return
}
