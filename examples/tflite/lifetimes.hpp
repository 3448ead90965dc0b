// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When the tensors of a model are in use, counted as TensorFlow Lite Micro
/// counts: each operator is a step, and so is the entry of each subgraph that
/// an IF, WHILE or CALL_ONCE runs, in the middle of that operator.
///
///     step 0   the inputs of subgraph 0 are there
///     step 1   operator 0
///     step 2   operator 1, an IF, begins: its inputs and outputs are live from
///     step 3     its first subgraph is entered          here to step 6
///     step 4       that one's operator 0
///     step 5     its second subgraph is entered
///     step 6       that one's operator 0
///     step 7   operator 2
///
/// - A tensor is live from the operator that writes it to the last one that
///   reads it; inputs of a subgraph from its entry, its outputs to its end.
/// - A subgraph that several operators run has its tensors live once for each.
///   Nothing stays in them in between: control operators copy in and out.
/// - What subgraph 0 does not reach is not live; nor is what nobody uses.
///
/// Source: tensorflow/lite/micro/micro_allocation_info.cc,
/// MarkAllocationLifetimes (which keeps one hull for each tensor).
#ifndef SNUG_EXAMPLES_TFLITE_LIFETIMES_HPP
#define SNUG_EXAMPLES_TFLITE_LIFETIMES_HPP

#include "model.hpp"
#include "snug/model/interval.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tflite {

using Pieces = std::vector<snug::Interval<std::int64_t>>;

struct Lifetimes {
  /// For each tensor of the model, subgraph after subgraph: disjoint, in order.
  std::vector<Pieces> pieces{};
  std::int64_t steps = 0;
  Fault fault{};
};

class LifetimeWalk {
 public:
  explicit LifetimeWalk(const Model& model)
      : model_(model),
        most_uses_(find_most_uses(model)),
        last_call_(model.tensors, 0),
        is_running_(model.subgraphs.size(), false) {
    out_.pieces.resize(model.tensors);
  }

  [[nodiscard]] Lifetimes run() {
    call(0, model_.root.at, 0);
    out_.steps = step_ + 1;
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMostNested = 64;

  /// Far beyond what models need that are as large; subgraphs that call others
  /// twice reach it soon, before there is too much to plan.
  [[nodiscard]] static std::size_t find_most_uses(const Model& model) {
    std::size_t parts = model.tensors;
    for (const Subgraph& subgraph : model.subgraphs)
      parts += subgraph.operators.size();
    return 65536 + 64 * parts;
  }

  bool fail(std::size_t at, const char* message) {
    if (out_.fault.ok()) out_.fault = {at, message};
    return false;
  }

  /// Says that a tensor of the running call is in use from `from`, or from
  /// before, to `to`.
  void touch(std::size_t tensor, std::int64_t from, std::int64_t to,
             std::size_t id) {
    ++uses_;
    Pieces& pieces = out_.pieces[tensor];
    if (last_call_[tensor] != id) pieces.push_back({from, to + 1});
    last_call_[tensor] = id;
    pieces.back().upper = (std::max)(pieces.back().upper, to + 1);
  }

  bool call(std::size_t index, std::size_t at, std::size_t depth) {
    if (is_running_[index]) return fail(at, "subgraph runs itself");
    if (depth > kMostNested) return fail(at, "subgraphs are nested too deeply");
    const Subgraph& subgraph = model_.subgraphs[index];
    const std::size_t id = ++calls_;
    const std::int64_t entry = step_;
    is_running_[index] = true;
    for (const std::uint32_t x : subgraph.inputs)
      touch(subgraph.first + x, entry, entry, id);
    for (const Operator& op : subgraph.operators) {
      if (++uses_ > most_uses_)
        return fail(op.at, "subgraphs run each other too many times");
      const std::int64_t begin = ++step_;
      for (const std::uint32_t x : op.outputs)
        touch(subgraph.first + x, begin, begin, id);
      for (const std::uint32_t called : op.calls) {
        if (called == kNoIndex) continue;
        ++step_;
        if (!call(called, op.at, depth + 1)) return false;
      }
      // What nobody wrote was there from the beginning.
      for (const std::uint32_t x : op.inputs)
        touch(subgraph.first + x, entry, step_, id);
      for (const std::uint32_t x : op.outputs)
        touch(subgraph.first + x, begin, step_, id);
    }
    for (const std::uint32_t x : subgraph.outputs)
      touch(subgraph.first + x, entry, step_, id);
    is_running_[index] = false;
    return true;
  }

  const Model& model_;
  std::size_t most_uses_;
  std::vector<std::size_t> last_call_;
  std::vector<bool> is_running_;
  std::size_t calls_ = 0;
  std::size_t uses_ = 0;
  std::int64_t step_ = 0;
  Lifetimes out_{};
};

[[nodiscard]] inline Lifetimes find_lifetimes(const Model& model) {
  return LifetimeWalk(model).run();
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_LIFETIMES_HPP
