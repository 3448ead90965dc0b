// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every allocator of the comparison, by name.
#ifndef SNUG_BASELINES_FIELD_HPP
#define SNUG_BASELINES_FIELD_HPP

#include "baselines/allocator.hpp"
#include "baselines/branch_and_bound.hpp"
#include "baselines/exact.hpp"
#include "baselines/idealloc.hpp"
#include "baselines/min_cost_flow.hpp"
#include "baselines/others.hpp"
#include "baselines/skyline.hpp"
#include "baselines/somas.hpp"
#include "baselines/telamalloc.hpp"
#include "baselines/tflite_cpu.hpp"
#include "baselines/tflite_gpu.hpp"
#include "baselines/triton.hpp"
#include "baselines/tvm.hpp"
#include "baselines/vela.hpp"
#include "baselines/xla.hpp"
#include "snug/config.hpp"

#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// In the order of the tables: snug, exact ones, searches, then single passes.
[[nodiscard]] inline const std::vector<Allocator>& field() {
  constexpr unsigned kOne = kOneAlignment;
  constexpr unsigned kEach = kOneAlignment | kEachAlignment;
  constexpr std::size_t kAny = static_cast<std::size_t>(-1);
  static const std::vector<Allocator> allocators = {
      {"snug", "snug, minimize()", kEach | kApart, true, kAny, snug_minimize},
      {"snug_first", "snug, minimize() without nodes", kEach, false, kAny,
       snug_first},
      {"snug_from_load", "snug, solve() at the load first", kEach | kApart,
       true, kAny, snug_from_load},
      {"minimalloc", "google/minimalloc", kEach, true, 20000,
       minimalloc_descent},
      {"branch_and_bound", "tonibohnlein/dsa-solver", kEach | kApart, true,
       2000, branch_and_bound},
      {"telamalloc", "in the manner of TelaMalloc", kOne | kApart, true, 20000,
       telamalloc},
      {"idealloc", "cappadokes/idealloc", kOne, true, 100000, idealloc},
      {"vela_99999", "Arm Vela", kOne, true, 20000, vela_99999},
      {"vela_2021", "Arm Vela, 500 iterations", kOne, true, 20000, vela_2021},
      {"tvm_hill_climb", "TVM USMP", kOne | kApart, true, 20000,
       tvm_hill_climb},
      {"xla_search", "XLA, best of six", kOne, false, kAny, xla_search},
      {"xla_spatial_best", "XLA", kOne, false, kAny,
       xla_best<XlaOrder::kSpatial>},
      {"xla_temporal_best", "XLA, and its repacker", kOne, false, kAny,
       xla_best<XlaOrder::kTemporal>},
      {"xla_area_best", "XLA", kOne, false, kAny, xla_best<XlaOrder::kArea>},
      {"xla_spatial_lowest", "XLA", kOne, false, kAny,
       xla_lowest<XlaOrder::kSpatial>},
      {"xla_temporal_lowest", "XLA", kOne, false, kAny,
       xla_lowest<XlaOrder::kTemporal>},
      {"xla_area_lowest", "XLA", kOne, false, kAny,
       xla_lowest<XlaOrder::kArea>},
      {"somas_debug", "MindSpore SOMAS, 48 ways", kOne | kApart, false, kAny,
       somas_debug},
      {"somas_release", "MindSpore SOMAS, 4 ways", kOne | kApart, false, kAny,
       somas_release},
      {"somas_shared", "MindSpore SOMAS, as shipped", kOne | kApart, false,
       kAny, somas_shared},
      {"tflite_arena", "TensorFlow Lite", kEach, false, kAny, tflite_arena},
      {"tflite_micro", "TensorFlow Lite Micro", kOne, false, kAny,
       tflite_micro},
      {"gpu_by_size", "TensorFlow Lite GPU", kOne, false, kAny,
       tflite_gpu_by_size},
      {"gpu_by_breadth", "TensorFlow Lite GPU", kOne, false, kAny,
       tflite_gpu_by_breadth},
      {"gpu_in_order", "TensorFlow Lite GPU", kOne, false, kAny,
       tflite_gpu_in_order},
      {"gpu_equality", "TensorFlow Lite GPU", kOne, false, kAny,
       tflite_gpu_equality},
      {"gpu_min_cost_flow", "TensorFlow Lite GPU", kOne, false, 5000,
       tflite_gpu_min_cost_flow},
      {"skyline", "strip packing", kOne, false, kAny, skyline},
      {"triton", "Triton", kEach, false, 10000, triton_colouring},
      {"tvm_by_size", "TVM USMP", kOne | kApart, false, kAny, tvm_by_size},
      {"tvm_by_conflicts", "TVM USMP", kOne | kApart, false, kAny,
       tvm_by_conflicts},
      {"executorch", "ExecuTorch", kOne, false, kAny, executorch_greedy},
      {"mlir_best_fit", "MLIR", kEach, false, kAny, mlir_best_fit},
      {"naive", "no reuse", kEach | kApart, false, kAny, naive},
  };
  return allocators;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_FIELD_HPP
