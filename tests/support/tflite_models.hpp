// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small TensorFlow Lite models, made to order: what a test says is written as
/// a FlatBuffer, parents before children.
#ifndef SNUG_TESTS_SUPPORT_TFLITE_MODELS_HPP
#define SNUG_TESTS_SUPPORT_TFLITE_MODELS_HPP

#include "../../examples/tflite/write.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

struct TensorSpec {
  std::vector<int> shape{};
  unsigned type = 9;  // INT8
  unsigned buffer = 0;
  bool is_variable = false;
  std::string name = "tensor";
};

struct OperatorSpec {
  unsigned code = 3;  // CONV_2D
  std::vector<int> inputs{};
  std::vector<int> outputs{};
  std::vector<int> calls{};
  std::uint64_t custom_offset = 0;
};

struct SubgraphSpec {
  std::vector<TensorSpec> tensors{};
  std::vector<int> inputs{};
  std::vector<int> outputs{};
  std::vector<OperatorSpec> operators{};
};

struct BufferSpec {
  std::string data{};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct ModelSpec {
  std::vector<SubgraphSpec> subgraphs{};
  std::vector<BufferSpec> buffers = {{}};
  std::vector<std::pair<std::string, unsigned>> metadata{};
  bool has_metadata = false;  ///< an empty list if there is none
  bool has_unknown_field = false;
  std::string behind{};  ///< bytes behind the FlatBuffer
};

class ModelMaker {
 public:
  [[nodiscard]] std::string make(const ModelSpec& spec) {
    out_.u32(0);
    out_.text("TFL3");
    std::vector<Field> fields = {
        {0, 4, 3}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    const bool metadata = spec.has_metadata || !spec.metadata.empty();
    if (metadata) fields.push_back({6, 0, 0});
    if (spec.has_unknown_field) fields.push_back({9, 4, 1});
    const std::vector<std::size_t> root = table(0, fields);
    out_.refer_here(root[3]);
    text("made for a test");
    std::vector<unsigned> codes;
    for (const SubgraphSpec& subgraph : spec.subgraphs)
      for (const OperatorSpec& op : subgraph.operators)
        codes.push_back(op.code);
    tables(root[1], codes, [&](std::size_t at, unsigned code) {
      (void)table(at, {{0, 1, code > 127 ? 127 : code}, {3, 4, code}});
    });
    tables(root[4], spec.buffers, [&](std::size_t at, const BufferSpec& b) {
      const auto places = b.offset > 0
                              ? table(at, {{1, 8, b.offset}, {2, 8, b.size}})
                          : b.data.empty() ? table(at, {})
                                           : table(at, {{0, 0, 0}});
      if (b.data.empty()) return;
      out_.pad(16, 4);
      out_.refer_here(places[0]);
      out_.u32(b.data.size());
      out_.text(b.data);
      out_.pad(4);
    });
    unsigned code = 0;
    tables(root[2], spec.subgraphs, [&](std::size_t at, const SubgraphSpec& s) {
      subgraph(at, s, code);
    });
    if (metadata)
      tables(root[5], spec.metadata, [&](std::size_t at, const auto& pair) {
        const auto places = table(at, {{0, 0, 0}, {1, 4, pair.second}});
        out_.refer_here(places[0]);
        text(pair.first);
      });
    out_.pad(16);
    out_.text(spec.behind);
    return out_.take();
  }

 private:
  /// A scalar of 1, 4 or 8 bytes, or, with width 0, a reference.
  struct Field {
    unsigned index;
    unsigned width;
    std::uint64_t value;
  };

  /// A table to which the reference at `at` points; the places of its fields.
  std::vector<std::size_t> table(std::size_t at,
                                 const std::vector<Field>& fields) {
    unsigned slots = 0;
    for (const Field& field : fields)
      slots = (std::max)(slots, field.index + 1);
    const std::size_t bytes = 4 + 2 * slots;
    out_.pad(8, bytes + 4);  // so that the first field is aligned to 8
    const std::size_t vtable = out_.size();
    out_.u16(bytes);
    out_.u16(4 + 8 * fields.size());
    for (unsigned slot = 0; slot < slots; ++slot) {
      std::size_t place = 0;
      for (std::size_t k = 0; k < fields.size(); ++k)
        if (fields[k].index == slot) place = 4 + 8 * k;
      out_.u16(place);
    }
    out_.refer_here(at);
    out_.u32(out_.size() - vtable);
    std::vector<std::size_t> places;
    for (const Field& field : fields) {
      places.push_back(out_.size());
      out_.u32(static_cast<std::uint32_t>(field.value));
      out_.u32(static_cast<std::uint32_t>(field.value >> 32U));
    }
    return places;
  }

  void text(const std::string& text) {
    out_.u32(text.size());
    out_.text(text);
    out_.u16(0);
    out_.pad(4);
  }

  template <class Items, class Emit>
  void tables(std::size_t at, const Items& items, Emit emit) {
    out_.pad(4);
    out_.refer_here(at);
    out_.u32(items.size());
    const std::size_t first = out_.size();
    for (std::size_t k = 0; k < items.size(); ++k) out_.u32(0);
    for (std::size_t k = 0; k < items.size(); ++k)
      emit(first + 4 * k, items[k]);
    out_.pad(4);
  }

  void numbers(std::size_t at, const std::vector<int>& numbers) {
    out_.refer_here(at);
    out_.u32(numbers.size());
    for (const int number : numbers) out_.u32(static_cast<unsigned>(number));
  }

  void subgraph(std::size_t at, const SubgraphSpec& spec, unsigned& code) {
    const auto places = table(at, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
    tables(places[0], spec.tensors, [&](std::size_t to, const TensorSpec& t) {
      const auto in = table(to, {{0, 0, 0},
                                 {1, 1, t.type},
                                 {2, 4, t.buffer},
                                 {3, 0, 0},
                                 {5, 1, t.is_variable ? 1U : 0U}});
      numbers(in[0], t.shape);
      out_.refer_here(in[3]);
      text(t.name);
    });
    numbers(places[1], spec.inputs);
    numbers(places[2], spec.outputs);
    tables(places[3], spec.operators,
           [&](std::size_t to, const OperatorSpec& op) {
             std::vector<Field> fields = {{0, 4, code++}, {1, 0, 0}, {2, 0, 0}};
             if (!op.calls.empty()) fields.push_back({4, 0, 0});
             if (op.custom_offset > 0)
               fields.push_back({9, 8, op.custom_offset});
             const auto in = table(to, fields);
             numbers(in[1], op.inputs);
             numbers(in[2], op.outputs);
             if (op.calls.empty()) return;
             std::vector<Field> calls;
             for (std::size_t k = 0; k < op.calls.size(); ++k)
               calls.push_back({static_cast<unsigned>(k), 4,
                                static_cast<std::uint64_t>(op.calls[k])});
             (void)table(in[3], calls);
           });
  }

  tflite::Bytes out_{};
};

[[nodiscard]] inline std::string make_model(const ModelSpec& spec) {
  return ModelMaker().make(spec);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_TFLITE_MODELS_HPP
