// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which allocations of a function can share an arena, and when each of them is
/// in use.
///
/// The operations of the entry block are the steps; what runs in their regions
/// is part of them, a loop one step however often it runs. All other blocks are
/// one step after the last: no branch leads back to the entry block.
///
///     step 0  %a = memref.alloc()
///     step 1  %b = memref.alloc()
///     step 2  linalg.fill outs(%a)               a  [2, 5)
///     step 3  %v = memref.subview %a             b  [4, 5)
///     step 4  scf.for { ... load %v, store %b }
///     step 5  memref.dealloc %a                  says nothing
///     step 6  cf.br ...
///     step 7  all other blocks
///
/// A buffer is in use from the first to the last step that may access it or one
/// of its aliases, which BufferViewFlowAnalysis lists. Where somebody may have
/// kept a pointer, it is from the allocation to the deallocation, which then has
/// to stand in the entry block: there it always runs, so that nobody else may
/// deallocate, and nobody may access what was deallocated.
#ifndef SNUG_EXAMPLES_MLIR_LIFETIMES_HPP
#define SNUG_EXAMPLES_MLIR_LIFETIMES_HPP

#include "sizes.hpp"
#include "snug/model/interval.hpp"
#include "uses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <llvm/ADT/DenseMap.h>
#include <mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <string>
#include <utility>
#include <vector>

namespace snug_pack {

struct Allocation {
  mlir::memref::AllocOp op{};
  Extent extent{};
  snug::Interval<std::int64_t> steps{};
  std::vector<mlir::memref::DeallocOp> deallocs{};
  std::string why_not{};  ///< why it is left alone, or ""
};

/// All allocations of a function, in its order.
class Lifetimes {
 public:
  explicit Lifetimes(mlir::func::FuncOp func)
      : func_(func), layout_(mlir::DataLayout::closest(func)) {
    for (mlir::Operation& op : func_.front())
      steps_.try_emplace(&op, std::int64_t(steps_.size()));
    list_allocations();
    func_.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      for (mlir::OpOperand& use : op->getOpOperands()) note(use);
    });
    for (std::size_t i = 0; i < allocations_.size(); ++i) set_steps(i);
  }

  /// Those that can share an arena.
  [[nodiscard]] std::vector<Allocation> packable() const {
    return filter(true);
  }
  [[nodiscard]] std::vector<Allocation> left_alone() const {
    return filter(false);
  }

 private:
  /// What the uses of an allocation come to.
  struct Uses {
    std::int64_t first = (std::numeric_limits<std::int64_t>::max)();
    std::int64_t last = -1;
    mlir::Operation* keeper = nullptr;
  };

  [[nodiscard]] std::vector<Allocation> filter(bool is_packable) const {
    std::vector<Allocation> out;
    for (const Allocation& allocation : allocations_)
      if (allocation.why_not.empty() == is_packable) out.push_back(allocation);
    return out;
  }

  void list_allocations() {
    const mlir::BufferViewFlowAnalysis aliases(func_);
    func_.walk<mlir::WalkOrder::PreOrder>([&](mlir::memref::AllocOp op) {
      Allocation& allocation = allocations_.emplace_back();
      allocation.op = op;
      const char* why = measure(op, layout_, allocation.extent);
      if (op->getBlock() != &func_.front())
        why = "it is not in the entry block of the function";
      if (why != nullptr) {
        allocation.why_not = why;
        return;
      }
      // A call's results count as aliases of its operands, whatever they are.
      for (const mlir::Value alias : aliases.resolve(op.getResult()))
        if (llvm::isa<mlir::BaseMemRefType>(alias.getType()))
          may_be_[alias].push_back(allocations_.size() - 1);
    });
    uses_.resize(allocations_.size());
  }

  /// Whether `value` may be an alias of allocation `i`.
  [[nodiscard]] bool may_be(mlir::Value value, std::size_t i) const {
    const auto found = may_be_.find(value);
    return found != may_be_.end() && llvm::is_contained(found->second, i);
  }

  /// The step that `op` is a part of, or -1 where it may run at other times.
  [[nodiscard]] std::int64_t step_of(mlir::Operation* op) {
    for (; op->getParentOp() != func_; op = op->getParentOp())
      if (!runs_its_regions(op->getParentOp())) return -1;
    return op->getBlock() == &func_.front() ? steps_.lookup(op)
                                            : std::int64_t(steps_.size());
  }

  void note(mlir::OpOperand& use) {
    const auto found = may_be_.find(use.get());
    if (found == may_be_.end()) return;
    mlir::Operation* op = use.getOwner();
    const std::int64_t step = step_of(op);
    const Use kind = step < 0 ? Use::kUnknown : classify(use);
    for (const std::size_t i : found->second) note(i, use, kind, step);
  }

  void note(std::size_t i, mlir::OpOperand& use, Use kind, std::int64_t step) {
    mlir::Operation* op = use.getOwner();
    Allocation& allocation = allocations_[i];
    Uses& uses = uses_[i];
    // The analysis says of some views nothing.
    if (kind == Use::kViews && !may_be(op->getResult(0), i))
      kind = Use::kUnknown;
    if (kind == Use::kFrees && use.get() != allocation.op.getResult())
      kind = Use::kUnknown;
    switch (kind) {
      case Use::kViews:
      case Use::kFlows:
      case Use::kQueries:
        break;
      case Use::kAccesses:
        uses.first = (std::min)(uses.first, step);
        uses.last = (std::max)(uses.last, step);
        break;
      case Use::kKeeps:
        if (uses.keeper == nullptr) uses.keeper = op;
        break;
      case Use::kFrees:
        allocation.deallocs.push_back(llvm::cast<mlir::memref::DeallocOp>(op));
        break;
      case Use::kUnknown:
        if (allocation.why_not.empty())
          allocation.why_not = "it is used by " + name_of(op);
        break;
    }
  }

  void set_steps(std::size_t i) {
    Allocation& allocation = allocations_[i];
    if (!allocation.why_not.empty()) return;
    const std::int64_t start = steps_.lookup(allocation.op);
    const Uses& uses = uses_[i];
    if (uses.keeper != nullptr) {
      for (mlir::memref::DeallocOp dealloc : allocation.deallocs)
        if (dealloc->getBlock() == &func_.front())
          allocation.steps = {start, steps_.lookup(dealloc)};
      if (allocation.steps.empty())
        allocation.why_not = name_of(uses.keeper) +
                             " may keep it, and the entry block has no dealloc";
    } else if (uses.last < 0) {  // nobody accesses it
      allocation.steps = {start, start + 1};
    } else {
      allocation.steps = {uses.first, uses.last + 1};
    }
  }

  [[nodiscard]] static std::string name_of(mlir::Operation* op) {
    return op->getName().getStringRef().str();
  }

  mlir::func::FuncOp func_;
  mlir::DataLayout layout_;
  llvm::DenseMap<mlir::Operation*, std::int64_t> steps_{};
  std::vector<Allocation> allocations_{};
  std::vector<Uses> uses_{};
  /// For each value the allocations that it may be an alias of.
  llvm::DenseMap<mlir::Value, std::vector<std::size_t>> may_be_{};
};

}  // namespace snug_pack

#endif  // SNUG_EXAMPLES_MLIR_LIFETIMES_HPP
