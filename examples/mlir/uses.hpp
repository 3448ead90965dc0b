// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an operation does with a memref that it is given.
///
/// These tables are what is understood, and all that is: whatever they do not
/// name keeps its buffer out of the arena. Each group says what the operation
/// may do with the memory:
///
///     kViews      nothing; its first result may be an alias
///     kFlows      nothing; where control goes from here, there is an alias
///     kQueries    nothing; the shape is all it looks at
///     kAccesses   read and write it, until the operation ends
///     kKeeps      let others read and write it, until it is deallocated
///     kFrees      deallocate it
///     kUnknown    anything
#ifndef SNUG_EXAMPLES_MLIR_USES_HPP
#define SNUG_EXAMPLES_MLIR_USES_HPP

#include <cstdint>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/IR/Operation.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace snug_pack {

enum class Use : std::uint8_t {
  kViews,
  kFlows,
  kQueries,
  kAccesses,
  kKeeps,
  kFrees,
  kUnknown,
};

/// Their first operand goes on as their first result.
inline constexpr llvm::StringLiteral kViews[] = {
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.extract_strided_metadata",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.view",
    "vector.type_cast"};

inline constexpr llvm::StringLiteral kSelects[] = {"arith.select"};

/// Operations whose regions run as part of the operation, and end with it. So
/// do those of all linalg operations.
inline constexpr llvm::StringLiteral kRegions[] = {"affine.for",
                                                   "affine.if",
                                                   "affine.parallel",
                                                   "memref.alloca_scope",
                                                   "memref.generic_atomic_rmw",
                                                   "scf.execute_region",
                                                   "scf.for",
                                                   "scf.forall",
                                                   "scf.if",
                                                   "scf.index_switch",
                                                   "scf.parallel",
                                                   "scf.while"};

/// What ends those regions, with values that go on.
inline constexpr llvm::StringLiteral kYields[] = {
    "affine.yield", "memref.alloca_scope.return", "scf.condition", "scf.yield"};

inline constexpr llvm::StringLiteral kBranches[] = {"cf.br", "cf.cond_br",
                                                    "cf.switch"};

inline constexpr llvm::StringLiteral kShapeQueries[] = {"memref.dim",
                                                        "memref.rank"};

inline constexpr llvm::StringLiteral kStores[] = {"affine.store",
                                                  "memref.store"};

/// They may leave a pointer behind, but own nothing.
inline constexpr llvm::StringLiteral kKeepers[] = {
    "func.call", "func.call_indirect",
    "memref.extract_aligned_pointer_as_index"};

/// Dialects whose operations end before the next one starts, if they say which
/// operands they read and write.
inline constexpr llvm::StringLiteral kAccessDialects[] = {"affine", "linalg",
                                                          "memref", "vector"};

template <std::size_t kCount>
[[nodiscard]] bool is_one_of(mlir::Operation* op,
                             const llvm::StringLiteral (&names)[kCount]) {
  return llvm::is_contained(names, op->getName().getStringRef());
}

/// Whether what stands in the regions of `op` is over when `op` is.
[[nodiscard]] inline bool runs_its_regions(mlir::Operation* op) {
  return is_one_of(op, kRegions) ||
         op->getName().getDialectNamespace() == "linalg";
}

/// Whether `op` does no more with `operand` than to read and write it.
[[nodiscard]] inline bool only_accesses(mlir::Operation* op,
                                        const mlir::OpOperand& operand) {
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  auto effects_of = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!llvm::is_contained(kAccessDialects, dialect) || !effects_of ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<mlir::BaseMemRefType>))
    return false;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> effects;
  effects_of.getEffects(effects);
  bool accesses = dialect == "linalg";  // some operands lend their shape alone
  for (const auto& effect : effects) {
    if (effect.getEffectValue<mlir::OpOperand*>() != &operand) continue;
    if (!llvm::isa<mlir::MemoryEffects::Read, mlir::MemoryEffects::Write>(
            effect.getEffect()))
      return false;
    accesses = true;
  }
  return accesses;
}

/// What the owner of `use` does with the memref.
[[nodiscard]] inline Use classify(mlir::OpOperand& use) {
  mlir::Operation* op = use.getOwner();
  const unsigned position = use.getOperandNumber();
  if (op->getName().getStringRef() == "memref.dealloc") return Use::kFrees;
  if (position == 0 && is_one_of(op, kViews)) return Use::kViews;
  if (is_one_of(op, kSelects)) return Use::kViews;
  mlir::Operation* branch = is_one_of(op, kYields) ? op->getParentOp() : op;
  if (is_one_of(branch, kRegions) &&
      llvm::isa<mlir::RegionBranchOpInterface>(branch))
    return Use::kFlows;
  if (is_one_of(op, kBranches)) return Use::kFlows;
  if (position == 0 && is_one_of(op, kShapeQueries)) return Use::kQueries;
  if (position == 0 && is_one_of(op, kStores)) return Use::kKeeps;
  if (is_one_of(op, kKeepers)) return Use::kKeeps;
  return only_accesses(op, use) ? Use::kAccesses : Use::kUnknown;
}

}  // namespace snug_pack

#endif  // SNUG_EXAMPLES_MLIR_USES_HPP
