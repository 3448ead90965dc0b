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
/// of the same size, the input is read by no later operator, and no two of all
/// tensors that so become tied are live in one step, but for such pairs.
///
/// Source: tensorflow/lite/micro/kernels/reshape.cc, xtensa/reshape.cc.
#ifndef SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP
#define SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP

#include "lifetimes.hpp"
#include "model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
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
};

/// Tensors that share their bytes, and who joins them.
class InPlaceFamilies {
 public:
  explicit InPlaceFamilies(const std::vector<Pieces>& pieces)
      : pieces_(pieces), family_(pieces.size()), members_(pieces.size()) {
    std::iota(family_.begin(), family_.end(), std::size_t{0});
    for (std::size_t x = 0; x < members_.size(); ++x) members_[x] = {x};
  }

  [[nodiscard]] bool tie(std::size_t y, std::size_t x) {
    std::size_t f = family_[x];
    std::size_t g = family_[y];
    if (f == g || !hands_over(pieces_[x], pieces_[y])) return false;
    if (members_[f].size() * members_[g].size() > kMostChecks) return false;
    for (const std::size_t a : members_[f])
      for (const std::size_t b : members_[g])
        if (!(a == x && b == y) && overlap(pieces_[a], pieces_[b]))
          return false;
    if (members_[f].size() < members_[g].size()) std::swap(f, g);
    for (const std::size_t b : members_[g]) family_[b] = f;
    members_[f].insert(members_[f].end(), members_[g].begin(),
                       members_[g].end());
    members_[g].clear();
    return true;
  }

 private:
  static constexpr std::size_t kMostChecks = 4096;

  /// Whether each piece of `x` ends in the step in which one of `y` begins, and
  /// they share nothing but these steps.
  [[nodiscard]] static bool hands_over(const Pieces& x, const Pieces& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k].upper != y[k].lower + 1 ||
          (k + 1 < x.size() && x[k + 1].lower < y[k].upper))
        return false;
    return !x.empty();
  }

  [[nodiscard]] static bool overlap(const Pieces& a, const Pieces& b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i].overlaps(b[j])) return true;
      if (a[i].upper <= b[j].upper)
        ++i;
      else
        ++j;
    }
    return false;
  }

  const std::vector<Pieces>& pieces_;
  std::vector<std::size_t> family_;
  std::vector<std::vector<std::size_t>> members_;
};

/// The pairs of all operators up to `allowed`, in the order of the file.
[[nodiscard]] inline std::vector<InPlacePair> find_in_place(
    const Model& model, const std::vector<Pieces>& pieces, InPlace allowed) {
  std::vector<InPlacePair> out;
  InPlaceFamilies families(pieces);
  for (const Subgraph& subgraph : model.subgraphs) {
    for (const Operator& op : subgraph.operators) {
      const InPlace kind = in_place_of(op.code);
      if (kind == InPlace::kNone || kind > allowed || op.outputs.size() != 1)
        continue;
      const Tensor& output = subgraph.tensors[op.outputs.front()];
      const std::size_t y = subgraph.first + op.outputs.front();
      // What else they read is a shape, an axis or a slope.
      const std::size_t inputs = op.code == kReshape ? 1 : op.inputs.size();
      for (std::size_t k = 0; k < (std::min)(inputs, op.inputs.size()); ++k) {
        const Tensor& input = subgraph.tensors[op.inputs[k]];
        if (!input.needs_memory() || !output.needs_memory() ||
            input.bytes != output.bytes || input.element != output.element ||
            !families.tie(y, subgraph.first + op.inputs[k]))
          continue;
        out.push_back({y, subgraph.first + op.inputs[k]});
        break;
      }
    }
  }
  return out;
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_IN_PLACE_HPP
