// What is left as it is, and why. In each function two other buffers are packed,
// %p and %q, so that there is an arena.
//
// RUN: snug-opt --split-input-file --verify-diagnostics %s -o %t \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{report}))"
// RUN: FileCheck %s < %t

// CHECK-LABEL: func @types
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @types(%x: f32, %n: index) {
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // expected-remark@below {{left alone: its shape is dynamic}}
  %0 = memref.alloc(%n) : memref<?xf32>
  // CHECK: memref.alloc() : memref<4xf32, 1>
  // expected-remark@below {{left alone: it has a memory space}}
  %1 = memref.alloc() : memref<4xf32, 1>
  // CHECK: memref.alloc() : memref<4xf32, strided<[2]>>
  // expected-remark@below {{left alone: it has a layout}}
  %2 = memref.alloc() : memref<4xf32, strided<[2]>>
  // CHECK: memref.alloc() : memref<4xf32, #{{.*}}>
  // expected-remark@below {{left alone: it has a layout}}
  %3 = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 + 8)>>
  // CHECK: memref.alloc() : memref<4xmemref<4xf32>>
  // expected-remark@below {{left alone: the size of its elements is not known}}
  %4 = memref.alloc() : memref<4xmemref<4xf32>>
  // CHECK: memref.alloc() : memref<4xvector<[4]xf32>>
  // expected-remark@below {{left alone: the size of its elements is not known}}
  %5 = memref.alloc() : memref<4xvector<[4]xf32>>
  // CHECK: memref.alloc() : memref<4xvector<f32>>
  // expected-remark@below {{left alone: the size of its elements is not known}}
  %50 = memref.alloc() : memref<4xvector<f32>>
  // CHECK: memref.alloc() : memref<4294967296x4294967296xf32>
  // expected-remark@below {{left alone: its size overflows}}
  %6 = memref.alloc() : memref<4294967296x4294967296xf32>
  // CHECK: memref.alloc() {alignment = 24 : i64} : memref<4xf32>
  // expected-remark@below {{left alone: its alignment is no power of two}}
  %7 = memref.alloc() {alignment = 24 : i64} : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func @places
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @places(%x: f32, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: memref.alloc() : memref<4xf32>
    // expected-remark@below {{left alone: it is not in the entry block}}
    %0 = memref.alloc() : memref<4xf32>
    memref.store %x, %0[%c0] : memref<4xf32>
    // CHECK: memref.dealloc {{.*}} : memref<4xf32>
    memref.dealloc %0 : memref<4xf32>
  }
  cf.br ^next
^next:
  // CHECK: memref.alloc() : memref<8xf32>
  // expected-remark@below {{left alone: it is not in the entry block}}
  %1 = memref.alloc() : memref<8xf32>
  memref.store %x, %1[%c0] : memref<8xf32>
  cf.cond_br %c, ^next, ^exit
^exit:
  return
}

// -----

// CHECK-LABEL: func @returned
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @returned(%x: f32, %c: i1) -> (memref<4xf32>, memref<?xf32>, memref<8xf32>) {
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by func.return}}
  %0 = memref.alloc() : memref<4xf32>
  // CHECK: memref.alloc() : memref<6xf32>
  // expected-remark@below {{left alone: it is used by func.return}}
  %1 = memref.alloc() : memref<6xf32>
  %view = memref.cast %1 : memref<6xf32> to memref<?xf32>
  // CHECK: memref.alloc() : memref<8xf32>
  // expected-remark@below {{left alone: it is used by func.return}}
  %2 = memref.alloc() : memref<8xf32>
  // CHECK: memref.alloc() : memref<8xf32>
  // expected-remark@below {{left alone: it is used by func.return}}
  %3 = memref.alloc() : memref<8xf32>
  %either = scf.if %c -> memref<8xf32> {
    scf.yield %2 : memref<8xf32>
  } else {
    scf.yield %3 : memref<8xf32>
  }
  return %0, %view, %either : memref<4xf32>, memref<?xf32>, memref<8xf32>
}

// -----

func.func private @use(memref<4xf32>) -> memref<4xf32>

// Without a deallocation of its own, who keeps a pointer may use it for ever.
// CHECK-LABEL: func @kept
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @kept(%x: f32, %where: memref<memref<4xf32>>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: func.call may keep it, and the entry block has no dealloc}}
  %0 = memref.alloc() : memref<4xf32>
  %r0 = call @use(%0) : (memref<4xf32>) -> memref<4xf32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: memref.store may keep it}}
  %1 = memref.alloc() : memref<4xf32>
  memref.store %1, %where[] : memref<memref<4xf32>>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: memref.extract_aligned_pointer_as_index may keep it}}
  %2 = memref.alloc() : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %2 : memref<4xf32> -> index
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: func.call may keep it}}
  %3 = memref.alloc() : memref<4xf32>
  %r3 = call @use(%3) : (memref<4xf32>) -> memref<4xf32>
  // CHECK: scf.if
  scf.if %c {
    // CHECK-NEXT: memref.dealloc {{.*}} : memref<4xf32>
    memref.dealloc %3 : memref<4xf32>
  }
  // What a call returns may be what it was given.
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.dealloc}}
  %4 = memref.alloc() : memref<4xf32>
  %r4 = call @use(%4) : (memref<4xf32>) -> memref<4xf32>
  // CHECK: memref.dealloc
  memref.dealloc %r4 : memref<4xf32>
  return %i : index
}

// -----

// What deallocates one of two, or a part, is not understood.
// CHECK-LABEL: func @freed
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @freed(%x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.dealloc}}
  %0 = memref.alloc() : memref<4xf32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.dealloc}}
  %1 = memref.alloc() : memref<4xf32>
  %either = arith.select %c, %0, %1 : memref<4xf32>
  // CHECK: memref.dealloc
  memref.dealloc %either : memref<4xf32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.realloc}}
  %2 = memref.alloc() : memref<4xf32>
  %3 = memref.realloc %2 : memref<4xf32> to memref<8xf32>
  %y = memref.load %3[%c0] : memref<8xf32>
  return %y : f32
}

// -----

// Operations that nobody has told of here, and regions that run at other times.
// CHECK-LABEL: func @unknown
// expected-remark@below {{2 allocations of 8 bytes packed into 4 bytes}}
func.func @unknown(%x: f32, %elsewhere: memref<4xf32, 1>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = memref.alloc() : memref<1xf32>
  %q = memref.alloc() : memref<1xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<1xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<1xf32>)
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by bufferization.to_tensor}}
  %0 = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %0 : memref<4xf32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.dma_start}}
  %1 = memref.alloc() : memref<4xf32>
  memref.dma_start %1[%c0], %elsewhere[%c0], %c4, %tag[%c0]
    : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.assume_alignment}}
  %2 = memref.alloc() : memref<4xf32>
  memref.assume_alignment %2, 128 : memref<4xf32>
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.store}}
  %3 = memref.alloc() : memref<4xf32>
  %token = async.execute {
    memref.store %x, %3[%c0] : memref<4xf32>
    async.yield
  }
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by memref.store}}
  %4 = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %x, %4[%i] : memref<4xf32>
    }
    gpu.terminator
  }
  // CHECK: memref.alloc() : memref<2x2xf32>
  // expected-remark@below {{left alone: it is used by memref.transpose}}
  %5 = memref.alloc() : memref<2x2xf32>
  %turned = memref.transpose %5 (i, j) -> (j, i)
    : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>>
  linalg.fill ins(%x : f32) outs(%turned : memref<2x2xf32, strided<[1, 2]>>)
  // CHECK: memref.alloc() : memref<4xf32>
  // expected-remark@below {{left alone: it is used by builtin.unrealized_conversion_cast}}
  %6 = memref.alloc() : memref<4xf32>
  %raw = builtin.unrealized_conversion_cast %6 : memref<4xf32> to i64
  return
}
