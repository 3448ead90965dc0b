// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a memory planner needs to know of a TensorFlow Lite model.
///
///     Model: subgraphs ──▶ SubGraph: tensors ──▶ Tensor: shape, type, buffer
///            buffers                 operators ─▶ Operator: inputs, outputs
///            metadata
///
/// Field numbers are those of TensorFlow Lite's schema, version 3c. A tensor
/// takes as many bytes as TensorFlow Lite Micro gives it: it packs no elements,
/// so that one of four bits takes a byte.
///
/// Sources: tensorflow/compiler/mlir/lite/schema/schema.fbs;
/// tensorflow/lite/micro/memory_helpers.cc, TfLiteTypeSizeOf.
#ifndef SNUG_EXAMPLES_TFLITE_MODEL_HPP
#define SNUG_EXAMPLES_TFLITE_MODEL_HPP

#include "flatbuffer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tflite {

inline constexpr std::string_view kPlanName = "OfflineMemoryAllocation";
inline constexpr std::uint32_t kNoIndex =
    (std::numeric_limits<std::uint32_t>::max)();

/// Numbers of operators that are treated in some way of their own.
enum Builtin : std::uint32_t {
  kReshape = 22,
  kIf = 118,
  kWhile = 119,
  kCallOnce = 129,
};

struct Tensor {
  std::size_t at = 0;  ///< place of its table in the file
  std::string_view name{};
  std::int64_t bytes = 0;    ///< -1: not known before the model runs
  std::int64_t element = 0;  ///< bytes of one element
  bool is_constant = false;
  bool is_variable = false;

  /// Whether the runtime would find memory for it in the arena.
  [[nodiscard]] bool needs_memory() const noexcept {
    return bytes > 0 && !is_constant && !is_variable;
  }
};

/// Indices of tensors in the subgraph; an operand that is left out is not there.
struct Operator {
  std::size_t at = 0;
  std::uint32_t code = 0;
  std::vector<std::uint32_t> inputs{};
  std::vector<std::uint32_t> outputs{};
  std::array<std::uint32_t, 2> calls = {kNoIndex, kNoIndex};  ///< subgraphs
};

struct Subgraph {
  std::vector<Tensor> tensors{};
  std::vector<Operator> operators{};
  std::vector<std::uint32_t> inputs{};
  std::vector<std::uint32_t> outputs{};
  std::size_t first = 0;  ///< tensors of the subgraphs before it
};

struct Metadata {
  std::size_t at = 0;
  std::string_view name{};
  std::uint32_t buffer = 0;
};

struct BufferData {
  std::size_t at = 0;     ///< place of its table
  Vector data{};          ///< what the file holds of it
  bool has_data = false;  ///< in the FlatBuffer, or behind it
};

/// Refers to the bytes of the file.
struct Model {
  std::vector<Subgraph> subgraphs{};
  std::vector<BufferData> buffers{};
  std::vector<Metadata> metadata{};
  std::vector<bool> is_tensor_buffer{};  ///< for each buffer
  /// Places of 64-bit numbers that count bytes from the beginning of the file.
  std::vector<std::size_t> file_offsets{};
  Table root{};
  std::size_t tensors = 0;  ///< of all subgraphs
  Fault fault{};
};

/// The bytes of an element of a TensorType; 0: it varies.
[[nodiscard]] inline std::int64_t bytes_of_type(std::uint32_t type) {
  // FLOAT32 FLOAT16 INT32 UINT8 INT64 STRING BOOL INT16 COMPLEX64 INT8 FLOAT64
  // COMPLEX128 UINT64 RESOURCE VARIANT UINT32 UINT16 INT4 BFLOAT16
  constexpr std::array<std::int64_t, 19> kBytes = {
      4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 4, 0, 4, 2, 1, 2};
  return type < kBytes.size() ? kBytes[type] : 0;
}

class ModelReader {
 public:
  explicit ModelReader(std::string_view file) : in_(file), file_(file) {}

  [[nodiscard]] Model read() {
    if (file_.size() < 8)
      in_.fail(file_.size(), "too short for a model");
    else if (file_.substr(4, 4) != "TFL3")
      in_.fail(4, "not a TensorFlow Lite model: no identifier 'TFL3'");
    out_.root = in_.table(0);
    read_buffers();
    read_codes();
    read_subgraphs();
    read_metadata();
    if (!in_.ok()) {
      Model refused;
      refused.fault = in_.fault();
      return refused;
    }
    return std::move(out_);
  }

 private:
  /// Calls `use` with each table of a vector of tables.
  template <class Use>
  void for_each_table(const Table& of, std::uint32_t field, Use use) {
    const Vector list = in_.list(of, field, 4);
    for (std::size_t k = 0; k < list.count && in_.ok(); ++k) {
      const Table table = in_.table(list.at + 4 * k);
      if (in_.ok()) use(table);
    }
  }

  /// Data that lies behind the FlatBuffer is given by its place in the file,
  /// which is meant where it is above 1.
  void note_external(const Table& table, std::uint32_t field) {
    const std::size_t at = in_.field(table, field, 8);
    if (at != 0 && in_.u64(at) > 1) out_.file_offsets.push_back(at);
  }

  void read_buffers() {
    for_each_table(out_.root, 4, [&](const Table& table) {
      BufferData buffer;
      buffer.at = table.at;
      buffer.data = in_.vector(table, 0, 1);
      buffer.has_data = buffer.data.count > 0 || (in_.get_u64(table, 1) > 1 &&
                                                  in_.get_u64(table, 2) > 0);
      note_external(table, 1);
      out_.buffers.push_back(buffer);
    });
    out_.is_tensor_buffer.assign(out_.buffers.size(), false);
  }

  /// The number of an operator is the larger one of an old field of a byte and
  /// a new one.
  void read_codes() {
    for_each_table(out_.root, 1, [&](const Table& table) {
      codes_.push_back((std::max)(in_.get_u8(table, 0), in_.get_u32(table, 3)));
    });
  }

  void read_subgraphs() {
    std::vector<Table> tables;
    for_each_table(out_.root, 2,
                   [&](const Table& table) { tables.push_back(table); });
    if (in_.ok() && tables.empty())
      in_.fail(out_.root.at, "model has no subgraph");
    subgraphs_ = tables.size();
    for (const Table& table : tables) {
      Subgraph subgraph;
      subgraph.first = out_.tensors;
      for_each_table(table, 0, [&](const Table& tensor) {
        subgraph.tensors.push_back(read_tensor(tensor));
      });
      out_.tensors += subgraph.tensors.size();
      subgraph.inputs = read_indices(table, 1, subgraph.tensors.size());
      subgraph.outputs = read_indices(table, 2, subgraph.tensors.size());
      for_each_table(table, 3, [&](const Table& op) {
        subgraph.operators.push_back(
            read_operator(op, subgraph.tensors.size()));
      });
      if (!in_.ok()) return;
      out_.subgraphs.push_back(std::move(subgraph));
    }
  }

  [[nodiscard]] Tensor read_tensor(const Table& table) {
    Tensor out;
    out.at = table.at;
    out.name = in_.text(table, 3);
    out.is_variable = in_.get_u8(table, 5) != 0;
    const std::uint32_t buffer = in_.get_u32(table, 2);
    if (in_.ok() && buffer >= out_.buffers.size()) {
      in_.fail(table.at, "tensor refers to a buffer that is not there");
      return out;
    }
    if (!in_.ok()) return out;
    out_.is_tensor_buffer[buffer] = true;
    out.is_constant = out_.buffers[buffer].has_data;
    out.element = bytes_of_type(in_.get_u8(table, 1));
    out.bytes = out.element == 0 ? -1 : out.element;
    const Vector shape = in_.list(table, 0, 4);
    bool is_empty = false;
    for (std::size_t k = 0; k < shape.count && in_.ok(); ++k) {
      const std::int64_t dimension = in_.i32(shape.at + 4 * k);
      if (dimension < 0) out.bytes = -1;
      if (dimension == 0) is_empty = true;
      if (dimension <= 0 || out.bytes < 0) continue;
      if (out.bytes > (std::numeric_limits<std::int64_t>::max)() / dimension) {
        in_.fail(shape.at + 4 * k, "tensor has too many bytes");
        return out;
      }
      out.bytes *= dimension;
    }
    if (is_empty && out.bytes > 0) out.bytes = 0;
    return out;
  }

  /// A list of tensors; -1 stands for an operand that is left out.
  [[nodiscard]] std::vector<std::uint32_t> read_indices(const Table& table,
                                                        std::uint32_t field,
                                                        std::size_t tensors) {
    std::vector<std::uint32_t> out;
    const Vector list = in_.list(table, field, 4);
    out.reserve(list.count);
    for (std::size_t k = 0; k < list.count && in_.ok(); ++k) {
      const std::uint32_t index = in_.u32(list.at + 4 * k);
      if (index == kNoIndex) continue;
      if (index >= tensors)
        in_.fail(list.at + 4 * k, "no tensor has this index");
      out.push_back(index);
    }
    return out;
  }

  [[nodiscard]] Operator read_operator(const Table& table,
                                       std::size_t tensors) {
    Operator out;
    out.at = table.at;
    const std::uint32_t code = in_.get_u32(table, 0);
    if (in_.ok() && code >= codes_.size())
      in_.fail(table.at, "operator refers to a code that is not there");
    if (!in_.ok()) return out;
    out.code = codes_[code];
    out.inputs = read_indices(table, 1, tensors);
    out.outputs = read_indices(table, 2, tensors);
    note_external(table, 9);
    if (out.code == kIf || out.code == kWhile || out.code == kCallOnce) {
      const Table options = in_.get_table(table, 4);
      if (in_.ok() && !options.exists())
        in_.fail(table.at, "operator does not say which subgraph it runs");
      for (std::uint32_t k = 0; k < (out.code == kCallOnce ? 1U : 2U); ++k) {
        out.calls[k] = in_.get_u32(options, k);
        if (in_.ok() && out.calls[k] >= subgraphs_)
          in_.fail(options.at, "no subgraph has this index");
      }
    }
    return out;
  }

  void read_metadata() {
    for_each_table(out_.root, 6, [&](const Table& table) {
      const Metadata metadata{table.at, in_.text(table, 0),
                              in_.get_u32(table, 1)};
      if (in_.ok() && metadata.name == kPlanName &&
          metadata.buffer >= out_.buffers.size())
        in_.fail(table.at, "metadata refers to a buffer that is not there");
      out_.metadata.push_back(metadata);
    });
  }

  Flatbuffer in_;
  std::string_view file_;
  std::vector<std::uint32_t> codes_{};
  std::size_t subgraphs_ = 0;
  Model out_{};
};

/// Reads a model. With a fault, all else is empty.
[[nodiscard]] inline Model read_model(std::string_view file) {
  return ModelReader(file).read();
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_MODEL_HPP
