// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bytes and the alignment of an allocation, never less than what its
/// lowering to LLVM needs: elements stand as far apart as their size, rounded up
/// to their alignment. For vectors of several dimensions that is too much, since
/// the data layout counts them as aligned to their size.
#ifndef SNUG_EXAMPLES_MLIR_SIZES_HPP
#define SNUG_EXAMPLES_MLIR_SIZES_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/Interfaces/DataLayoutInterfaces.h>

namespace snug_pack {

struct Extent {
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
};

/// What malloc gives an allocation that asks for nothing. No code may count on
/// more than the alignment of the element, but some does.
inline constexpr std::int64_t kMallocAlignment = 16;

/// Whether elements of this type have a size that is known here.
[[nodiscard]] inline bool is_measurable(mlir::Type type) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    return !vector.isScalable() && vector.getRank() > 0 &&
           is_measurable(vector.getElementType());
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return is_measurable(complex.getElementType());
  return type.isIntOrIndexOrFloat();
}

/// Sets `extent`; or says why that cannot be done, or must not.
[[nodiscard]] inline const char* measure(mlir::memref::AllocOp alloc,
                                         const mlir::DataLayout& layout,
                                         Extent& extent) {
  const mlir::MemRefType type = alloc.getType();
  if (!type.hasStaticShape()) return "its shape is dynamic";
  if (!type.getLayout().isIdentity()) return "it has a layout";
  if (type.getMemorySpace()) return "it has a memory space";
  const mlir::Type element = type.getElementType();
  if (!is_measurable(element)) return "the size of its elements is not known";

  // The preferred one, too: by the other alone 9 bytes would stand 12 apart.
  const auto own = static_cast<std::int64_t>(
      (std::max)({std::uint64_t{1}, layout.getTypeABIAlignment(element),
                  layout.getTypePreferredAlignment(element)}));
  const auto asked = static_cast<std::int64_t>(
      alloc.getAlignment().value_or(kMallocAlignment));
  extent.alignment = (std::max)(own, asked);
  if (!llvm::isPowerOf2_64(static_cast<std::uint64_t>(extent.alignment)))
    return "its alignment is no power of two";

  extent.bytes = static_cast<std::int64_t>(
      llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                    static_cast<std::uint64_t>(own)));
  for (const std::int64_t size : type.getShape())
    if (llvm::MulOverflow(extent.bytes, size, extent.bytes))
      return "its size overflows";
  return nullptr;
}

}  // namespace snug_pack

#endif  // SNUG_EXAMPLES_MLIR_SIZES_HPP
