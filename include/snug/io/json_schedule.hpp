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
    constexpr std::string_view kKeys[] = {"tensors", "operators",
                                          "dependencies"};
    return in_.object(kKeys, 1, [&](std::size_t key) {
      if (key == 0) return in_.array([&] { return read_tensor(); });
      if (key == 1) return in_.array([&] { return read_operator(); });
      return read_json_pairs(in_, dependencies_);
    });
  }

  bool read_numbers(std::vector<std::int64_t>& numbers) {
    return in_.array([&] { return in_.integer(numbers.emplace_back()); });
  }

  bool read_tensor() {
    constexpr std::string_view kKeys[] = {
        "name",  "shape",  "bits",       "bytes",  "multiples",    "alignment",
        "input", "output", "throughout", "parent", "parent_offset"};
    const JsonPosition begin = in_.position();
    out_.tensor_positions.push_back(begin);
    Tensor& tensor = out_.schedule.tensors.emplace_back();
    tensor.name = std::to_string(out_.schedule.tensors.size() - 1);
    std::int64_t bytes = 0;
    std::uint32_t seen = 0;
    const bool read = in_.object(kKeys, 0, [&](std::size_t key) {
      seen |= 1U << key;
      switch (key) {
        case 0:
          return in_.string(tensor.name);
        case 1:
          return read_numbers(tensor.shape);
        case 2:
          return in_.integer(tensor.element_bits);
        case 3:
          return in_.integer(bytes);
        case 4:
          return read_numbers(tensor.multiples);
        case 5:
          return in_.integer(tensor.alignment);
        case 6:
          return in_.boolean(tensor.is_input);
        case 7:
          return in_.boolean(tensor.is_output);
        case 8:
          return in_.boolean(tensor.lives_throughout);
        case 9:
          parents_.push_back({out_.schedule.tensors.size() - 1});
          return parents_.back().parent.read(in_);
        default:
          return in_.integer(tensor.parent_offset);
      }
    });
    if (!read) return false;
    const bool has_bytes = (seen & 8U) != 0;
    if (has_bytes == ((seen & 6U) != 0) || (!has_bytes && (seen & 2U) == 0))
      return in_.fail(begin, "expected a key 'shape', or else 'bytes'");
    if (has_bytes) tensor.shape = {bytes};
    return true;
  }

  bool read_operator() {
    constexpr std::string_view kKeys[] = {"name",    "inputs",   "outputs",
                                          "scratch", "in_place", "stream"};
    out_.operator_positions.push_back(in_.position());
    Operator& op = out_.schedule.operators.emplace_back();
    op.name = std::to_string(out_.schedule.operators.size() - 1);
    NamedOperator& named = operators_.emplace_back();
    return in_.object(kKeys, 0, [&](std::size_t key) {
      switch (key) {
        case 0:
          return in_.string(op.name);
        case 1:
          return read_json_list(in_, named.inputs);
        case 2:
          return read_json_list(in_, named.outputs);
        case 3:
          return read_json_list(in_, named.scratch);
        case 4:
          return read_json_pairs(in_, named.in_place);
        default:
          return in_.integer(op.stream);
      }
    });
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
