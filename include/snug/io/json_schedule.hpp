// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON → schedule. json.hpp describes the format.
///
/// One pass over the text, then a sort of the names: O(n log n) time. In-place
/// pairs are looked for among the operands of their operator.
#ifndef SNUG_IO_JSON_SCHEDULE_HPP
#define SNUG_IO_JSON_SCHEDULE_HPP

#include "snug/config.hpp"
#include "snug/io/json_names.hpp"
#include "snug/io/json_scan.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/operators.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What reading a schedule gives. With an error, all else is empty.
struct [[nodiscard]] JsonSchedule {
  Schedule schedule{};  ///< what has no name is called by its index
  std::vector<JsonPosition> tensor_positions{};
  std::vector<JsonPosition> operator_positions{};
  JsonError error{};

  [[nodiscard]] bool ok() const noexcept { return error.ok(); }
};

namespace detail {

class JsonScheduleReader {
 public:
  explicit JsonScheduleReader(std::string_view text) : in_(text) {}

  [[nodiscard]] JsonSchedule read() {
    if (!read_schedule() || !in_.end() || !resolve()) {
      JsonSchedule refused;
      refused.error = in_.error();
      return refused;
    }
    return std::move(out_);
  }

 private:
  struct NamedParent {
    std::size_t tensor;
    JsonReference parent{};
  };

  /// An operator before its tensors are known.
  struct NamedOperator {
    std::vector<JsonReference> inputs{};
    std::vector<JsonReference> outputs{};
    std::vector<JsonReference> scratch{};
    std::vector<JsonPair> in_place{};
  };

  bool read_schedule() {
    return in_.object(
        needed_json_key(
            "tensors",
            [&] { return in_.array([&] { return read_tensor(); }); }),
        json_key("operators",
                 [&] { return in_.array([&] { return read_operator(); }); }),
        json_key("dependencies", dependencies_));
  }

  bool read_tensor() {
    const JsonPosition begin = in_.position();
    out_.tensor_positions.push_back(begin);
    const std::size_t x = out_.schedule.tensors.size();
    Tensor& tensor = out_.schedule.tensors.emplace_back();
    tensor.name = std::to_string(x);
    std::int64_t bytes = 0;
    bool has_shape = false;
    bool has_bits = false;
    bool has_bytes = false;
    const auto note = [&](bool& is_there, auto& target) {
      is_there = true;
      return in_.value(target);
    };
    const bool read = in_.object(
        json_key("name", tensor.name),
        json_key("shape", [&] { return note(has_shape, tensor.shape); }),
        json_key("bits", [&] { return note(has_bits, tensor.element_bits); }),
        json_key("bytes", [&] { return note(has_bytes, bytes); }),
        json_key("multiples", tensor.multiples),
        json_key("alignment", tensor.alignment),
        json_key("input", tensor.is_input),
        json_key("output", tensor.is_output),
        json_key("throughout", tensor.lives_throughout),
        json_key(
            "parent",
            [&] {
              return parents_.emplace_back(NamedParent{x}).parent.read(in_);
            }),
        json_key("parent_offset", tensor.parent_offset));
    if (!read) return false;
    if (has_bytes ? has_shape || has_bits : !has_shape)
      return in_.fail(begin, "expected a key 'shape', or else 'bytes'");
    if (has_bytes) tensor.shape = {bytes};
    return true;
  }

  bool read_operator() {
    out_.operator_positions.push_back(in_.position());
    Operator& op = out_.schedule.operators.emplace_back();
    op.name = std::to_string(out_.schedule.operators.size() - 1);
    NamedOperator& named = operators_.emplace_back();
    return in_.object(
        json_key("name", op.name), json_key("inputs", named.inputs),
        json_key("outputs", named.outputs), json_key("scratch", named.scratch),
        json_key("in_place", named.in_place), json_key("stream", op.stream));
  }

  bool resolve() {
    const std::vector<std::string> tensor_names =
        names_of(out_.schedule.tensors);
    const std::vector<std::string> operator_names =
        names_of(out_.schedule.operators);
    const JsonNames tensors(tensor_names, "tensor");
    const JsonNames operators(operator_names, "operator");
    if (!tensors.check(in_, out_.tensor_positions) ||
        !operators.check(in_, out_.operator_positions))
      return false;
    Schedule& schedule = out_.schedule;
    for (const NamedParent& part : parents_)
      if (!tensors.resolve(in_, part.parent,
                           schedule.tensors[part.tensor].parent))
        return false;
    for (std::size_t t = 0; t < operators_.size(); ++t)
      if (!resolve(tensors, operators_[t], schedule.operators[t])) return false;
    for (const JsonPair& pair : dependencies_) {
      Dependency& dependency = schedule.dependencies.emplace_back();
      if (!operators.resolve(in_, pair, dependency.before, dependency.after))
        return false;
    }
    return true;
  }

  bool resolve(const JsonNames& tensors, const NamedOperator& named,
               Operator& op) {
    if (!tensors.resolve(in_, named.inputs, op.inputs) ||
        !tensors.resolve(in_, named.outputs, op.outputs) ||
        !tensors.resolve(in_, named.scratch, op.scratch))
      return false;
    for (const JsonPair& pair : named.in_place) {
      InPlace& in_place = op.in_place.emplace_back();
      if (!find_operand(tensors, pair.first, op.outputs, in_place.output) ||
          !find_operand(tensors, pair.second, op.inputs, in_place.input))
        return false;
    }
    return true;
  }

  /// The position of a tensor among the operands.
  bool find_operand(const JsonNames& tensors, const JsonReference& reference,
                    const std::vector<std::size_t>& operands,
                    std::size_t& position) {
    std::size_t tensor = 0;
    if (!tensors.resolve(in_, reference, tensor)) return false;
    const auto found = std::find(operands.begin(), operands.end(), tensor);
    position = static_cast<std::size_t>(found - operands.begin());
    return found != operands.end() ||
           in_.fail(reference.position,
                    "in-place pair is no output and input of its operator");
  }

  JsonScanner in_;
  std::vector<NamedParent> parents_{};
  std::vector<NamedOperator> operators_{};
  std::vector<JsonPair> dependencies_{};
  JsonSchedule out_{};
};

}  // namespace detail

/// Reads a schedule. Stops at the first error, which names its line and column.
/// What the values mean is not judged here: that is make_problem().
inline JsonSchedule read_json_schedule(std::string_view text) {
  return detail::JsonScheduleReader(text).read();
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_SCHEDULE_HPP
