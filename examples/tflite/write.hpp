// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts a plan into a model as metadata that TensorFlow Lite Micro reads.
///
/// References in a FlatBuffer point forward, so that nothing old need move
/// within the file. A new root goes in front of it:
///
///     new root ──▶ new list of buffers ──▶ old buffers ..., new buffer
///              ──▶ new list of metadata ─▶ old metadata ..., new metadata
///              ──▶ all else as in the old root
///     |  the old file, byte for byte  |
///
/// The old file begins at a multiple of 64, so that what was aligned stays
/// aligned. Data behind the FlatBuffer (of models beyond 2 GB) is found by its
/// place in the file; these numbers, and nothing else, grow by what was put in
/// front.
///
/// A model that has a plan of this size already keeps its size: the plan is
/// overwritten. Metadata of that name that cannot be overwritten is left out of
/// the new list. So the second run writes what the first one wrote.
///
/// The plan is a list of 32-bit integers: the version of the format, 1; how
/// many subgraphs; how many offsets; for each tensor, subgraph after subgraph,
/// its offset or -1. (Runtimes of before September 2022 read the offsets of the
/// first subgraph for all of them: tflite-micro #1195.)
///
/// Source: tensorflow/lite/micro/docs/memory_management.md, "Offline planned
/// tensor allocations".
#ifndef SNUG_EXAMPLES_TFLITE_WRITE_HPP
#define SNUG_EXAMPLES_TFLITE_WRITE_HPP

#include "flatbuffer.hpp"
#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tflite {

/// Bytes that are written from front to back.
class Bytes {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

  void u16(std::size_t value) { append(value, 2); }
  void u32(std::size_t value) { append(value, 4); }
  void text(std::string_view text) { bytes_ += text; }
  /// Zeros until the size, plus `ahead`, is a multiple of `step`.
  void pad(std::size_t step, std::size_t ahead = 0) {
    while ((bytes_.size() + ahead) % step != 0) bytes_ += '\0';
  }
  void set_u32(std::size_t at, std::size_t value) {
    for (std::size_t k = 0; k < 4; ++k)
      bytes_[at + k] = static_cast<char>(value >> (8 * k) & 255U);
  }
  /// Lets the reference at `at` point to the end of what is written.
  void refer_here(std::size_t at) { set_u32(at, bytes_.size() - at); }

 private:
  void append(std::size_t value, std::size_t width) {
    for (std::size_t k = 0; k < width; ++k)
      bytes_ += static_cast<char>(value >> (8 * k) & 255U);
  }

  std::string bytes_{};
};

[[nodiscard]] inline std::string plan_bytes(
    const Model& model, const std::vector<std::int32_t>& plan) {
  Bytes out;
  out.u32(1);
  out.u32(model.subgraphs.size());
  out.u32(plan.size());
  for (const std::int32_t offset : plan)
    out.u32(static_cast<std::uint32_t>(offset));
  return out.take();
}

class PlanWriter {
 public:
  PlanWriter(const Model& model, std::string_view file)
      : model_(model), file_(file), in_(file) {}

  /// The file with `plan` in it; empty, with a fault, if it cannot be.
  [[nodiscard]] std::string write(const std::vector<std::int32_t>& plan,
                                  Fault& fault) {
    const std::string data = plan_bytes(model_, plan);
    std::string out = overwrite(data);
    if (out.empty()) out = put_in_front(data);
    fault = in_.fault();
    return in_.ok() ? out : std::string();
  }

 private:
  static constexpr std::uint32_t kRootFields = 8;
  static constexpr std::uint32_t kBuffers = 4;
  static constexpr std::uint32_t kMetadata = 6;

  /// Whether the buffer holds the plan and nothing else refers to it.
  [[nodiscard]] bool is_ours(std::uint32_t index) const {
    if (model_.is_tensor_buffer[index]) return false;
    const auto uses = std::count_if(
        model_.metadata.begin(), model_.metadata.end(),
        [&](const Metadata& other) { return other.buffer == index; });
    const auto shares =
        std::count_if(model_.buffers.begin(), model_.buffers.end(),
                      [&](const BufferData& other) {
                        return other.data.at == model_.buffers[index].data.at ||
                               other.at == model_.buffers[index].at;
                      });
    return uses == 1 && shares == 1;
  }

  /// The file with the plan that it has overwritten; empty if it has none that
  /// can be.
  [[nodiscard]] std::string overwrite(const std::string& data) const {
    const Metadata* found = nullptr;
    for (const Metadata& metadata : model_.metadata) {
      if (metadata.name != kPlanName) continue;
      if (found != nullptr) return {};
      found = &metadata;
    }
    if (found == nullptr || !is_ours(found->buffer)) return {};
    const Vector& old = model_.buffers[found->buffer].data;
    if (old.count != data.size() || old.at % 4 != 0) return {};
    std::string out(file_);
    out.replace(old.at, data.size(), data);
    return out;
  }

  [[nodiscard]] std::string put_in_front(const std::string& data) {
    const Table& root = model_.root;
    for (std::uint32_t f = kRootFields; 4 + 2 * f < root.vtable_size; ++f)
      if (in_.u16(root.vtable + 4 + 2 * f) != 0)
        in_.fail(root.vtable + 4 + 2 * f,
                 "model has a field that this program does not know");

    Bytes out;
    out.u32(0);
    out.text("TFL3");
    const std::size_t vtable = out.size();
    out.u16(4 + 2 * kRootFields);
    out.u16(4 + 4 * kRootFields);
    std::array<std::size_t, kRootFields> old{};
    for (std::uint32_t f = 0; f < kRootFields; ++f) {
      old[f] = in_.field(root, f, 4);
      const bool is_there = old[f] != 0 || f == kBuffers || f == kMetadata;
      out.u16(is_there ? 4 + 4 * f : 0);
    }
    out.refer_here(0);
    const std::size_t table = out.size();
    out.u32(table - vtable);
    for (std::uint32_t f = 0; f < kRootFields; ++f)
      out.u32(f == 0 && old[f] != 0 ? in_.u32(old[f]) : 0);
    const auto place_of = [&](std::uint32_t f) { return table + 4 + 4 * f; };

    // References into the old file, to be set when it is known where it begins.
    std::vector<std::pair<std::size_t, std::size_t>> references;
    for (std::uint32_t f = 1; f < kRootFields; ++f)
      if (old[f] != 0 && f != kBuffers && f != kMetadata)
        references.emplace_back(place_of(f), in_.follow(old[f]));
    const auto append_list = [&](const auto& items, const auto& is_kept) {
      for (const auto& item : items) {
        if (!is_kept(item)) continue;
        references.emplace_back(out.size(), item.at);
        out.u32(0);
      }
    };

    out.refer_here(place_of(kBuffers));
    out.u32(model_.buffers.size() + 1);
    append_list(model_.buffers, [](const BufferData&) { return true; });
    const std::size_t buffer_reference = out.size();
    out.u32(0);

    const auto is_kept = [](const Metadata& m) { return m.name != kPlanName; };
    const auto kept = static_cast<std::size_t>(
        std::count_if(model_.metadata.begin(), model_.metadata.end(), is_kept));
    out.refer_here(place_of(kMetadata));
    out.u32(kept + 1);
    append_list(model_.metadata, is_kept);
    const std::size_t metadata_reference = out.size();
    out.u32(0);

    for (const unsigned size : {8U, 12U, 4U, 8U}) out.u16(size);  // its vtable
    out.refer_here(metadata_reference);
    out.u32(8);
    const std::size_t name_reference = out.size();
    out.u32(0);
    out.u32(model_.buffers.size());
    out.refer_here(name_reference);
    out.u32(kPlanName.size());
    out.text(kPlanName);
    out.text(std::string_view("\0", 1));
    out.pad(4);

    for (const unsigned size : {6U, 8U, 4U, 0U}) out.u16(size);  // its vtable
    out.refer_here(buffer_reference);
    out.u32(8);
    const std::size_t data_reference = out.size();
    out.u32(0);
    out.pad(16, 4);
    out.refer_here(data_reference);
    out.u32(data.size());
    out.text(data);
    out.pad(64);
    const std::size_t shift = out.size();

    for (const auto& [at, target] : references) {
      const std::uint64_t distance = std::uint64_t{shift} + target - at;
      if (distance > (std::numeric_limits<std::uint32_t>::max)())
        in_.fail(target, "model is too large for references of 32 bits");
      out.set_u32(at, static_cast<std::uint32_t>(distance));
    }
    return out.take() + moved(shift);
  }

  /// The old file, where it begins at `shift`.
  [[nodiscard]] std::string moved(std::size_t shift) {
    std::string out(file_);
    std::vector<std::size_t> places = model_.file_offsets;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::size_t at : places) {
      const std::uint64_t value = in_.u64(at) + shift;
      if (value < shift) in_.fail(at, "place in the file is out of range");
      for (std::size_t k = 0; k < 8; ++k)
        out[at + k] = static_cast<char>(value >> (8 * k) & 255U);
    }
    return out;
  }

  const Model& model_;
  std::string_view file_;
  Flatbuffer in_;
};

/// The offsets that a model already has for its tensors; empty if it has none.
[[nodiscard]] inline std::vector<std::int32_t> read_plan(
    const Model& model, std::string_view file) {
  std::vector<std::int32_t> plan;
  Flatbuffer in(file);
  for (const Metadata& metadata : model.metadata) {
    if (metadata.name != kPlanName) continue;
    const Vector data = model.buffers[metadata.buffer].data;
    plan.clear();
    if (data.count < 12) continue;
    const std::size_t count = in.u32(data.at + 8);
    if (count != model.tensors || (data.count - 12) / 4 < count) continue;
    for (std::size_t k = 0; k < count; ++k)
      plan.push_back(in.i32(data.at + 12 + 4 * k));
  }
  return plan;
}

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_WRITE_HPP
