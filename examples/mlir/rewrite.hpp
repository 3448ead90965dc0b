// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts allocations into an arena.
///
///     %a = memref.alloc() : memref<4x4xf32>
///     ...
///     memref.dealloc %a : memref<4x4xf32>
///
/// becomes
///
///     %arena = memref.alloc() {alignment = 16 : i64} : memref<192xi8>
///     %offset = arith.constant 128 : index
///     %a = memref.view %arena[%offset][] : memref<192xi8> to memref<4x4xf32>
///     ...
///     memref.dealloc %arena : memref<192xi8>
///     return
///
/// The arena is there from the first of its allocations to the end of the
/// function. It is deallocated if any of them was: else whoever deallocates
/// allocations later deallocates one instead of many.
///
/// What is lost: two allocations never alias, two views of one arena may.
#ifndef SNUG_EXAMPLES_MLIR_REWRITE_HPP
#define SNUG_EXAMPLES_MLIR_REWRITE_HPP

#include "lifetimes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Builders.h>
#include <vector>

namespace snug_pack {

/// Allocates `bytes` before the first of `packed`, for all of them.
[[nodiscard]] inline mlir::memref::AllocOp make_arena(
    const std::vector<Allocation>& packed, std::int64_t bytes) {
  std::int64_t alignment = 1;
  for (const Allocation& allocation : packed)
    alignment = (std::max)(alignment, allocation.extent.alignment);
  mlir::memref::AllocOp first = packed.front().op;
  mlir::OpBuilder builder(first);
  return builder.create<mlir::memref::AllocOp>(
      first.getLoc(), mlir::MemRefType::get({bytes}, builder.getI8Type()),
      builder.getI64IntegerAttr(alignment));
}

/// Deallocates `arena` wherever `func` ends.
inline void free_arena(mlir::func::FuncOp func, mlir::memref::AllocOp arena) {
  for (mlir::Block& block : func.getBody()) {
    mlir::Operation* end = block.getTerminator();
    if (end->getNumSuccessors() != 0) continue;
    mlir::OpBuilder builder(end);
    builder.create<mlir::memref::DeallocOp>(end->getLoc(), arena);
  }
}

/// Makes `packed`, in the order of the entry block of `func`, views of one
/// arena of `bytes`.
inline void rewrite(mlir::func::FuncOp func,
                    const std::vector<Allocation>& packed,
                    const std::vector<std::int64_t>& offsets,
                    std::int64_t bytes) {
  mlir::memref::AllocOp arena = make_arena(packed, bytes);
  bool is_freed = false;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    mlir::memref::AllocOp alloc = packed[i].op;
    for (mlir::memref::DeallocOp dealloc : packed[i].deallocs) {
      dealloc.erase();
      is_freed = true;
    }
    mlir::OpBuilder builder(alloc);
    auto offset = builder.create<mlir::arith::ConstantIndexOp>(alloc.getLoc(),
                                                               offsets[i]);
    auto view = builder.create<mlir::memref::ViewOp>(
        alloc.getLoc(), alloc.getType(), arena, offset, mlir::ValueRange{});
    alloc.replaceAllUsesWith(view.getResult());
    alloc.erase();
  }
  if (is_freed) free_arena(func, arena);
}

}  // namespace snug_pack

#endif  // SNUG_EXAMPLES_MLIR_REWRITE_HPP
