// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a model to a problem, and from a placement to the offsets that
/// TensorFlow Lite Micro reads.
///
/// Sizes are multiples of 16 bytes and so are offsets, as in the runtime.
///
/// - Constants and tensors without bytes have no place in the arena.
/// - Tensors that nobody uses, and those whose size shows only when the model
///   runs, are left to the runtime.
/// - Variables keep their values from run to run. The runtime has them at the
///   other end of the arena, apart from all this, and there they stay unless
///   `plan_variables`: then they are live throughout. Beware: around an offset
///   that is given the runtime still places scratch memory by its own idea of
///   lifetimes, in which a variable is free after the last operator that reads
///   it. So this is for models whose operators ask for no scratch memory.
///
/// Source: tensorflow/lite/micro/micro_allocation_info.cc and
/// memory_planner/greedy_memory_planner.cc.
#ifndef SNUG_EXAMPLES_TFLITE_PLAN_HPP
#define SNUG_EXAMPLES_TFLITE_PLAN_HPP

#include "in_place.hpp"
#include "lifetimes.hpp"
#include "model.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tflite {

inline constexpr std::int64_t kAlignment = 16;

/// `bytes` rounded up; they are below 2^62.
[[nodiscard]] inline std::int64_t align_up(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// What is planned, and what is not.
struct Planning {
  snug::Problem<> problem{};
  std::vector<std::size_t> tensor_of{};   ///< for each buffer, in the model
  std::vector<std::string_view> names{};  ///< for each buffer
  std::vector<InPlacePair> in_place{};    ///< of buffers
  std::int64_t total = 0;                 ///< of all sizes
  std::int64_t variables = 0;  ///< bytes of variables that are not planned
  std::int64_t unused = 0;     ///< bytes of tensors that nobody uses
  std::size_t unknown = 0;     ///< tensors in use of unknown size
  Fault fault{};
};

[[nodiscard]] inline Planning make_planning(const Model& model, InPlace allowed,
                                            bool plan_variables) {
  Planning out;
  const Lifetimes lifetimes = find_lifetimes(model);
  out.fault = lifetimes.fault;
  if (!out.fault.ok()) return out;
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;
  std::vector<std::size_t> buffer_of(model.tensors, model.tensors);
  for (const Subgraph& subgraph : model.subgraphs) {
    for (std::size_t k = 0; k < subgraph.tensors.size(); ++k) {
      const Tensor& tensor = subgraph.tensors[k];
      const std::size_t x = subgraph.first + k;
      const Pieces& pieces = lifetimes.pieces[x];
      if (tensor.is_constant) continue;
      if (tensor.bytes < 0 && !pieces.empty()) ++out.unknown;
      if (tensor.bytes <= 0) continue;
      if (tensor.bytes > kMostBytes - out.total - out.unused - out.variables) {
        out.fault = {tensor.at, "tensors have too many bytes"};
        return out;
      }
      const std::int64_t size = align_up(tensor.bytes);
      const bool throughout = tensor.is_variable && plan_variables;
      if (tensor.is_variable && !throughout) {
        out.variables += size;
      } else if (pieces.empty()) {
        out.unused += size;
      } else {
        snug::Buffer<> buffer;
        buffer.size = size;
        buffer.alignment = kAlignment;
        buffer.lifespan = {pieces.front().lower, pieces.back().upper};
        if (throughout) buffer.lifespan = {0, lifetimes.steps};
        for (std::size_t p = 1; p < pieces.size() && !throughout; ++p)
          if (pieces[p - 1].upper < pieces[p].lower)
            buffer.gaps.push_back(
                {{pieces[p - 1].upper, pieces[p].lower}, std::nullopt});
        buffer_of[x] = out.tensor_of.size();
        out.tensor_of.push_back(x);
        out.names.push_back(tensor.name);
        out.problem.buffers.push_back(std::move(buffer));
        out.total += size;
      }
    }
  }
  for (const InPlacePair& pair :
       find_in_place(model, lifetimes.pieces, allowed))
    if (buffer_of[pair.output] < model.tensors &&
        buffer_of[pair.input] < model.tensors)
      out.in_place.push_back(
          {buffer_of[pair.output], buffer_of[pair.input], pair.is_first});
  return out;
}

/// The arena that the runtime's own planner would take: largest first, of equal
/// ones the one that comes last in the model, each at the lowest offset that is
/// free while it lives. It knows no gaps. Quadratic: -1 if there are too many.
[[nodiscard]] inline std::int64_t greedy_height(
    const snug::Problem<>& problem) {
  constexpr std::size_t kMostBuffers = 20000;
  const auto& buffers = problem.buffers;
  if (buffers.size() > kMostBuffers) return -1;
  std::vector<std::size_t> order;
  for (std::size_t i = buffers.size(); i-- > 0;) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return buffers[a].size > buffers[b].size;
                   });
  using Placed = std::pair<std::int64_t, std::size_t>;  // offset, buffer
  std::vector<Placed> placed;                           // by offset
  std::int64_t height = 0;
  for (const std::size_t i : order) {
    std::int64_t offset = 0;
    for (const auto& [lower, other] : placed) {
      if (!buffers[other].lifespan.overlaps(buffers[i].lifespan)) continue;
      if (lower - offset >= buffers[i].size) break;
      offset = (std::max)(offset, lower + buffers[other].size);
    }
    height = (std::max)(height, offset + buffers[i].size);
    const Placed item{offset, i};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), item,
                                   [](const Placed& a, const Placed& b) {
                                     return a.first < b.first;
                                   }),
                  item);
  }
  return height;
}

/// For each tensor of the model its offset, or -1 for the runtime to decide.
/// Empty if one does not fit 32 bits.
[[nodiscard]] inline std::vector<std::int32_t> make_plan(
    const Model& model, const Planning& planning,
    const std::vector<std::int64_t>& offsets) {
  std::vector<std::int32_t> plan(model.tensors, -1);
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    constexpr std::int64_t kMost = (std::numeric_limits<std::int32_t>::max)();
    if (offsets[b] + planning.problem.buffers[b].size > kMost) return {};
    plan[planning.tensor_of[b]] = static_cast<std::int32_t>(offsets[b]);
  }
  return plan;
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_PLAN_HPP
