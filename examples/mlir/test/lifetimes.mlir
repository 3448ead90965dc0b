// When a buffer is in use. Where two never are at one time, the bytes say so.
//
// RUN: snug-opt --split-input-file --verify-diagnostics %s -o %t \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{report}))"

// A view is its buffer.
// expected-remark@below {{3 allocations of 192 bytes packed into 128 bytes, which is optimal}}
func.func @views(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %cast = memref.cast %a : memref<4x4xf32> to memref<?x4xf32>
  %sub = memref.subview %cast[0, 0] [2, 2] [1, 1] : memref<?x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.fill ins(%x : f32) outs(%flat : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  memref.store %x, %sub[%c0, %c0] : memref<2x2xf32, strided<[4, 1]>>
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  return
}

// -----

// What only looks at the shape does not count.
// expected-remark@below {{2 allocations of 128 bytes packed into 64 bytes, which is optimal}}
func.func @shapes(%x: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %d = memref.dim %a, %c0 : memref<16xf32>
  %r = memref.rank %a : memref<16xf32>
  %s = arith.addi %d, %r : index
  return %s : index
}

// -----

// A select may be either: the second and the third share, the first with none.
// expected-remark@below {{3 allocations of 192 bytes packed into 128 bytes, which is optimal}}
func.func @select(%x: f32, %which: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %either = arith.select %which, %a, %b : memref<16xf32>
  memref.store %x, %either[%c0] : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  memref.store %x, %a[%c0] : memref<16xf32>
  return
}

// -----

// What an scf.if yields, in nested ones.
// expected-remark@below {{3 allocations of 192 bytes packed into 192 bytes, which is optimal}}
func.func @yields(%x: f32, %p: i1, %q: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %either = scf.if %p -> memref<16xf32> {
    %inner = scf.if %q -> memref<16xf32> {
      scf.yield %a : memref<16xf32>
    } else {
      scf.yield %b : memref<16xf32>
    }
    scf.yield %inner : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  memref.store %x, %either[%c0] : memref<16xf32>
  return
}

// -----

// A loop is one step: all that it touches is in use at one time.
// expected-remark@below {{3 allocations of 192 bytes packed into 128 bytes, which is optimal}}
func.func @loop(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  return
}

// -----

// Buffers that change places from round to round, and come out of the loop.
// expected-remark@below {{3 allocations of 192 bytes packed into 192 bytes, which is optimal}}
func.func @carried(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%from = %a, %to = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.copy ins(%from : memref<16xf32>) outs(%to : memref<16xf32>)
    scf.yield %to, %from : memref<16xf32>, memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  linalg.copy ins(%r#0 : memref<16xf32>) outs(%c : memref<16xf32>)
  return
}

// -----

// expected-remark@below {{3 allocations of 192 bytes packed into 192 bytes, which is optimal}}
func.func @while_loop(%x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = scf.while (%m = %a) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%p) %m : memref<16xf32>
  } do {
  ^bb0(%m: memref<16xf32>):
    scf.yield %b : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  memref.store %x, %r[%c0] : memref<16xf32>
  return
}

// -----

// Affine loops, and a branch in one.
// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes, which is optimal}}
func.func @affine(%x: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    affine.store %x, %a[%i] : memref<16xf32>
    affine.if affine_set<(i) : (i - 3 >= 0)>(%i) {
      affine.store %x, %b[%i] : memref<16xf32>
    }
  }
  return
}

// -----

// All blocks after the first are one step.
// expected-remark@below {{4 allocations of 256 bytes packed into 192 bytes, which is optimal}}
func.func @blocks(%x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  cf.cond_br %p, ^head(%b : memref<16xf32>), ^head(%c : memref<16xf32>)
^head(%m: memref<16xf32>):
  memref.store %x, %m[%c0] : memref<16xf32>
  cf.cond_br %p, ^head(%d : memref<16xf32>), ^exit
^exit:
  return
}

// -----

// Vectors, atomics and copies are reads and writes.
// expected-remark@below {{2 allocations of 128 bytes packed into 64 bytes, which is optimal}}
func.func @accesses(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = vector.transfer_read %a[%c0], %x : memref<16xf32>, vector<16xf32>
  %w = vector.load %a[%c0] : memref<16xf32>, vector<16xf32>
  %r = memref.atomic_rmw addf %x, %a[%c0] : (f32, memref<16xf32>) -> f32
  vector.store %v, %b[%c0] : memref<16xf32>, vector<16xf32>
  vector.transfer_write %w, %b[%c0] : vector<16xf32>, memref<16xf32>
  %s = memref.generic_atomic_rmw %b[%c0] : memref<16xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %x : f32
  }
  memref.copy %b, %b : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The window of a pooling lends its shape alone.
// expected-remark@below {{3 allocations of 428 bytes packed into 428 bytes, which is optimal}}
func.func @window(%x: f32) {
  %in = memref.alloc() : memref<1x9x8x1xf32>
  %window = memref.alloc() : memref<3xf32>
  %out = memref.alloc() : memref<1x4x8x1xf32>
  linalg.fill ins(%x : f32) outs(%in : memref<1x9x8x1xf32>)
  %w = memref.expand_shape %window [[0, 1]] output_shape [3, 1] : memref<3xf32> into memref<3x1xf32>
  linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%in, %w : memref<1x9x8x1xf32>, memref<3x1xf32>) outs(%out : memref<1x4x8x1xf32>)
  return
}

// -----

func.func private @use(memref<16xf32>)

// A call may leave a pointer behind: it is in use from alloc to dealloc.
// expected-remark@below {{4 allocations of 256 bytes packed into 192 bytes, which is optimal}}
func.func @call(%x: f32) {
  %f = constant @use : (memref<16xf32>) -> ()
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  call_indirect %f(%d) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %d : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  return
}

// -----

// So may a pointer, and whoever loads a memref that was stored.
// expected-remark@below {{4 allocations of 256 bytes packed into 192 bytes, which is optimal}}
func.func @pointers(%x: f32, %where: memref<memref<16xf32>>) -> index {
  %a = memref.alloc() : memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %b = memref.alloc() : memref<16xf32>
  memref.store %b, %where[] : memref<memref<16xf32>>
  %c = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
  return %p : index
}
