// How buffers go on: every operation that may make an alias. In each function
// %a is read through an alias after %b was written, so they are apart.
//
// RUN: snug-opt --split-input-file --verify-diagnostics %s -o %t \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{report}))"

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.cast %a : memref<16xf32> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<?xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @shapes(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %e = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %v = memref.collapse_shape %e [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @strides(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
    : memref<16xf32> -> memref<f32>, index, index, index
  %v = memref.reinterpret_cast %base to offset: [4], sizes: [4], strides: [1]
    : memref<f32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<4xf32, strided<[1], offset: 4>>
  return %r : f32
}

// -----

// The operation does not say that it reads its second operand.
// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @reshape(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  // expected-remark@below {{left alone: it is used by memref.reshape}}
  %shape = memref.alloc() : memref<1xindex>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  memref.store %c16, %shape[%c0] : memref<1xindex>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %v = memref.reshape %a(%shape) : (memref<16xf32>, memref<1xindex>) -> memref<?xf32>
  %r = memref.load %v[%c0] : memref<?xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @bytes(%x: f32, %y: i8) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%y : i8) outs(%a : memref<64xi8>)
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<16xf32>
  %s = memref.subview %v[2] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %s[%c0] : memref<4xf32, strided<[1], offset: 2>>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @vector(%x: f32) -> vector<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = vector.type_cast %a : memref<16xf32> to memref<vector<16xf32>>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[] : memref<vector<16xf32>>
  return %r : vector<16xf32>
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @execute_region(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = scf.execute_region -> memref<16xf32> {
    cf.br ^next(%a : memref<16xf32>)
  ^next(%m: memref<16xf32>):
    scf.yield %m : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @index_switch(%x: f32, %i: index, %m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = scf.index_switch %i -> memref<16xf32>
  case 2 {
    scf.yield %a : memref<16xf32>
  }
  default {
    scf.yield %m : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @alloca_scope(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.alloca_scope -> (memref<16xf32>) {
    memref.alloca_scope.return %a : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = memref.load %v[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @affine_for(%x: f32, %m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = affine.for %i = 0 to 4 iter_args(%n = %m) -> memref<16xf32> {
    affine.yield %a : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = affine.load %v[0] : memref<16xf32>
  return %r : f32
}

// -----

// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @affine_if(%x: f32, %n: index, %m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = affine.if affine_set<(i) : (i - 3 >= 0)>(%n) -> memref<16xf32> {
    affine.yield %m : memref<16xf32>
  } else {
    affine.yield %a : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r = affine.load %v[0] : memref<16xf32>
  return %r : f32
}

// -----

// What is passed on to a block is there for all blocks after the first.
// expected-remark@below {{2 allocations of 128 bytes packed into 128 bytes}}
func.func @switch(%x: f32, %i: i32, %m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  cf.switch %i : i32, [
    default: ^next(%a : memref<16xf32>),
    2: ^next(%m : memref<16xf32>)
  ]
^next(%v: memref<16xf32>):
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  cf.br ^last(%v : memref<16xf32>)
^last(%w: memref<16xf32>):
  %r = memref.load %w[%c0] : memref<16xf32>
  return %r : f32
}

// -----

// Parallel loops, and the body of a linalg operation, run in one step.
// expected-remark@below {{4 allocations of 256 bytes packed into 128 bytes}}
func.func @bodies(%x: f32, %m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<16xf32>
    memref.store %x, %b[%i] : memref<16xf32>
    scf.reduce
  }
  scf.forall (%i) in (16) {
    %y = memref.load %a[%i] : memref<16xf32>
    memref.store %y, %c[%i] : memref<16xf32>
  }
  affine.parallel (%i) = (0) to (16) {
    %y = affine.load %c[%i] : memref<16xf32>
    affine.store %y, %d[%i] : memref<16xf32>
  }
  linalg.map outs(%m : memref<16xf32>) () {
    %y = memref.load %d[%c0] : memref<16xf32>
    linalg.yield %y : f32
  }
  return
}
