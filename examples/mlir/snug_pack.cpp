// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A pass for MLIR: the allocations of a function become views of one arena, at
/// the offsets that snug finds.
///
///     cmake -S examples/mlir -B build/mlir && cmake --build build/mlir
///     mlir-opt-19 --load-pass-plugin=build/mlir/SnugPack.so
///       --pass-pipeline="builtin.module(func.func(snug-pack{report}))" x.mlir
///
/// It comes after bufferization, the hoisting of allocations and the passes
/// that make results parameters, and before deallocation, which then has one
/// allocation to deal with; test/network.mlir has the order. What it does not
/// understand it leaves alone: lifetimes.hpp says when an allocation is in use,
/// uses.hpp what is understood.
#include "lifetimes.hpp"
#include "plan.hpp"
#include "rewrite.hpp"

#include <cstddef>
#include <cstdint>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Tools/Plugins/PassPlugin.h>
#include <optional>
#include <vector>

namespace snug_pack {
namespace {

[[nodiscard]] snug::Problem<> make_problem(
    const std::vector<Allocation>& allocations) {
  snug::Problem<> problem;
  for (const Allocation& allocation : allocations) {
    snug::Buffer<> buffer;
    buffer.lifespan = allocation.steps;
    buffer.size = allocation.extent.bytes;
    buffer.alignment = allocation.extent.alignment;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

class SnugPack
    : public mlir::PassWrapper<SnugPack,
                               mlir::OperationPass<mlir::func::FuncOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SnugPack)

  SnugPack() = default;
  SnugPack(const SnugPack& other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override { return "snug-pack"; }
  llvm::StringRef getDescription() const override {
    return "Pack the allocations of a function into one arena";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::memref::MemRefDialect>();
  }

  void runOnOperation() override {
    mlir::func::FuncOp func = getOperation();
    if (func.isExternal()) return;
    const Lifetimes lifetimes(func);
    if (report_)
      for (const Allocation& allocation : lifetimes.left_alone())
        remark_left_alone(allocation.op, allocation.why_not);
    const std::vector<Allocation> allocations = lifetimes.packable();
    if (allocations.empty()) return;
    std::optional<std::int64_t> capacity;
    if (capacity_ >= 0) capacity = capacity_;
    const Plan plan = make_plan(make_problem(allocations), capacity, nodes_);
    if (!plan.result.has_solution()) {
      say_why_not(func, allocations, plan);
      return signalPassFailure();
    }
    // An arena of one is the allocation that there was.
    if (allocations.size() == 1) {
      if (report_)
        remark_left_alone(allocations.front().op,
                          "it is the only one that could be packed");
      return;
    }
    if (report_) remark_packed(func, allocations, plan.result);
    rewrite(func, allocations, plan.result.offsets, plan.result.height);
  }

 private:
  static void remark_left_alone(mlir::memref::AllocOp op, llvm::StringRef why) {
    mlir::emitRemark(op.getLoc()) << "left alone: " << why;
  }

  static void remark_packed(mlir::func::FuncOp func,
                            const std::vector<Allocation>& allocations,
                            const snug::Result<>& result) {
    std::int64_t apart = 0;
    for (const Allocation& allocation : allocations)
      apart += allocation.extent.bytes;
    auto remark = mlir::emitRemark(func.getLoc());
    remark << allocations.size() << " allocations of " << apart
           << " bytes packed into " << result.height << " bytes, ";
    if (result.status == snug::Status::kOptimal)
      remark << "which is optimal";
    else
      remark << "at least " << result.lower_bound << " are needed";
  }

  void say_why_not(mlir::func::FuncOp func, std::vector<Allocation> allocations,
                   const Plan& plan) {
    auto error = mlir::emitError(func.getLoc());
    if (plan.result.status == snug::Status::kInvalid) {
      error << "not packed: " << snug::to_string(plan.result.error.reason);
      return;
    }
    if (plan.why_not.status != snug::Status::kInfeasible) {
      error << "no placement found within " << capacity_.getValue()
            << " bytes after " << plan.result.stats.nodes << " nodes";
      return;
    }
    std::int64_t bytes = 0;
    for (const std::size_t i : plan.why_not.buffers)
      bytes += allocations[i].extent.bytes;
    error << "allocations of " << bytes << " bytes do not fit into "
          << capacity_.getValue() << " bytes";
    if (plan.why_not.cause == snug::Cause::kLoad)
      error << ": all are in use at one time";
    for (const std::size_t i : plan.why_not.buffers)
      error.attachNote(allocations[i].op.getLoc())
          << allocations[i].extent.bytes << " bytes, in use in steps "
          << allocations[i].steps.lower << " to "
          << allocations[i].steps.upper - 1;
  }

  Option<std::int64_t> capacity_{
      *this, "capacity", llvm::cl::init(-1),
      llvm::cl::desc("Bytes that an arena may have; without it, as few as "
                     "possible")};
  Option<std::int64_t> nodes_{*this, "node-limit", llvm::cl::init(1000000),
                              llvm::cl::desc("Search nodes for each function")};
  Option<bool> report_{
      *this, "report", llvm::cl::init(false),
      llvm::cl::desc("Remarks: what is packed, and what is left alone")};
};

}  // namespace
}  // namespace snug_pack

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SnugPack", "0.1",
          [] { mlir::PassRegistration<snug_pack::SnugPack>(); }};
}
