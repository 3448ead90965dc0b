// Bytes and alignments. All buffers of a function are in use at one time.
//
// RUN: snug-opt --split-input-file --verify-diagnostics %s -o %t \
// RUN:   --pass-pipeline="builtin.module(func.func(snug-pack{report}))"

// One byte for one bit, as the lowering has it; 3 bytes stand 4 apart, and
// 9 bytes 16.
// expected-remark@below {{5 allocations of 64 bytes packed into 88 bytes, which is optimal}}
func.func @integers(%a: i1, %b: i20, %c: i4, %d: index, %e: i72) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<8xi1>
  %1 = memref.alloc() : memref<2xi20>
  %2 = memref.alloc() : memref<8xi4>
  %3 = memref.alloc() : memref<1xindex>
  %4 = memref.alloc() : memref<2xi72>
  scf.execute_region {
    memref.store %a, %0[%c0] : memref<8xi1>
    memref.store %b, %1[%c0] : memref<2xi20>
    memref.store %c, %2[%c0] : memref<8xi4>
    memref.store %d, %3[%c0] : memref<1xindex>
    memref.store %e, %4[%c0] : memref<2xi72>
    scf.yield
  }
  return
}

// -----

// Vectors are as long as the next power of two, and aligned to that.
// expected-remark@below {{3 allocations of 112 bytes packed into 112 bytes, which is optimal}}
func.func @vectors(%a: vector<3xf32>, %b: vector<8xf64>, %c: complex<f32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<2xvector<3xf32>>
  %1 = memref.alloc() : memref<1xvector<8xf64>>
  %2 = memref.alloc() : memref<2xcomplex<f32>>
  scf.execute_region {
    memref.store %a, %0[%c0] : memref<2xvector<3xf32>>
    memref.store %b, %1[%c0] : memref<1xvector<8xf64>>
    memref.store %c, %2[%c0] : memref<2xcomplex<f32>>
    scf.yield
  }
  return
}

// -----

// The data layout counts: an index has 4 bytes here.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>} {
  // expected-remark@below {{2 allocations of 32 bytes packed into 32 bytes, which is optimal}}
  func.func @layout(%d: index) {
    %c0 = arith.constant 0 : index
    %0 = memref.alloc() : memref<4xindex>
    %1 = memref.alloc() : memref<4xindex>
    memref.store %d, %0[%c0] : memref<4xindex>
    memref.copy %0, %1 : memref<4xindex> to memref<4xindex>
    return
  }
}

// -----

// Rank 0 is one element; where nothing is stored there are no bytes.
// expected-remark@below {{4 allocations of 8 bytes packed into 20 bytes, which is optimal}}
func.func @few(%x: f32) {
  %0 = memref.alloc() : memref<f32>
  %1 = memref.alloc() : memref<4x0xf32>
  %2 = memref.alloc() : memref<1xf32>
  %3 = memref.alloc() : memref<4xi0>
  scf.execute_region {
    memref.store %x, %0[] : memref<f32>
    linalg.fill ins(%x : f32) outs(%1 : memref<4x0xf32>)
    linalg.fill ins(%x : f32) outs(%2 : memref<1xf32>)
    scf.yield
  }
  return
}
