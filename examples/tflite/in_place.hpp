// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which outputs may be written over an input of their operator.
///
/// The runtime never does this by itself, but an offline plan may give two
/// tensors that are live in the same step the same bytes. Whether the operator
/// bears it depends on its kernel:
///
/// - RESHAPE looks whether its output is its input, and then does nothing, in
///   TensorFlow Lite Micro's own kernel and in that for Xtensa.
/// - Element-wise kernels of reference read each element before they write the
///   one in its place, and no other. Nothing promises that, and kernels for
///   special hardware may differ: only for who knows the kernels that run.
///
/// An output is tied to an input when they have equally many bytes and elements
/// of the same size, and the input is read by no later operator: in each run of
/// their subgraph, the input ends in the step in which the output begins. Ties
/// make chains, a - b - c, as there is one such step for each tensor and one
/// output for each such operator; and a and c share no step, or b and c would
/// both begin in it.
///
/// Source: tensorflow/lite/micro/kernels/reshape.cc, xtensa/reshape.cc.
#ifndef SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP
#define SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP

#include "lifetimes.hpp"
#include "model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tflite {

enum class InPlace : std::uint8_t { kNone, kReshape, kElementwise };

/// What an operator bears.
[[nodiscard]] inline InPlace in_place_of(std::uint32_t code) {
  switch (code) {
    case kReshape:
      return InPlace::kReshape;
    case 0:    // ADD
    case 8:    // FLOOR
    case 14:   // LOGISTIC
    case 18:   // MUL
    case 19:   // RELU
    case 21:   // RELU6
    case 28:   // TANH
    case 41:   // SUB
    case 42:   // DIV
    case 43:   // SQUEEZE
    case 47:   // EXP
    case 54:   // PRELU
    case 55:   // MAXIMUM
    case 57:   // MINIMUM
    case 59:   // NEG
    case 66:   // SIN
    case 70:   // EXPAND_DIMS
    case 73:   // LOG
    case 75:   // SQRT
    case 76:   // RSQRT
    case 84:   // LOGICAL_OR
    case 86:   // LOGICAL_AND
    case 87:   // LOGICAL_NOT
    case 92:   // SQUARE
    case 98:   // LEAKY_RELU
    case 99:   // SQUARED_DIFFERENCE
    case 101:  // ABS
    case 104:  // CEIL
    case 108:  // COS
    case 111:  // ELU
    case 114:  // QUANTIZE
    case 116:  // ROUND
    case 117:  // HARD_SWISH
      return InPlace::kElementwise;
    default:
      return InPlace::kNone;
  }
}

/// An output and the input that it may be written over, by their indices in the
/// model.
struct InPlacePair {
  std::size_t output;
  std::size_t input;
  bool is_first;  ///< of the inputs that would do for this output
};

/// Whether each piece of `x` ends in the step in which one of `y` begins, and
/// they share nothing but these steps.
[[nodiscard]] inline bool hands_over(const Pieces& x, const Pieces& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k].upper != y[k].lower + 1 ||
        (k + 1 < x.size() && x[k + 1].lower < y[k].upper))
      return false;
  return !x.empty();
}

/// The pairs of all operators up to `allowed`, in the order of the file. Of
/// those for one output, one at most can be had.
[[nodiscard]] inline std::vector<InPlacePair> find_in_place(
    const Model& model, const std::vector<Pieces>& pieces, InPlace allowed) {
  std::vector<InPlacePair> out;
  for (const Subgraph& subgraph : model.subgraphs) {
    for (const Operator& op : subgraph.operators) {
      const InPlace kind = in_place_of(op.code);
      if (kind == InPlace::kNone || kind > allowed || op.outputs.size() != 1)
        continue;
      const Tensor& output = subgraph.tensors[op.outputs.front()];
      const std::size_t y = subgraph.first + op.outputs.front();
      // What else they read is a shape, an axis or a slope.
      const std::size_t inputs = op.code == kReshape ? 1 : op.inputs.size();
      bool is_first = true;
      for (std::size_t k = 0; k < (std::min)(inputs, op.inputs.size()); ++k) {
        const Tensor& input = subgraph.tensors[op.inputs[k]];
        const std::size_t x = subgraph.first + op.inputs[k];
        if (!input.needs_memory() || !output.needs_memory() ||
            input.bytes != output.bytes || input.element != output.element ||
            x == y || !hands_over(pieces[x], pieces[y]))
          continue;
        out.push_back({y, x, is_first});
        is_first = false;
      }
    }
  }
  return out;
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP
