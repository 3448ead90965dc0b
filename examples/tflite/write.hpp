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

class PlanWriter {
 public:
  PlanWriter(const Model& model, std::string_view file)
      : model_(model), file_(file), in_(file) {}

  /// The file with `plan` in it; empty, with a fault, if it cannot be. To be
  /// called once.
  [[nodiscard]] std::string write(const std::vector<std::int32_t>& plan,
                                  Fault& fault) {
    const std::string data = plan_bytes(model_, plan);
    std::string out = overwrite(data);
    if (!holds(out, plan)) {
      out = put_in_front(data);
      if (in_.ok() && !holds(out, plan))
        in_.fail(0, "parts of the model share bytes that a plan would change");
    }
    fault = in_.fault();
    return in_.ok() ? out : std::string();
  }

 private:
  static constexpr std::uint32_t kRootFields = 8;
  static constexpr std::uint32_t kBuffers = 4;
  static constexpr std::uint32_t kMetadata = 6;

  /// Whether that is a model still, with this plan: parts of a damaged one may
  /// lie on each other.
  [[nodiscard]] static bool holds(const std::string& out,
                                  const std::vector<std::int32_t>& plan) {
    const Model again = read_model(out);
    return again.fault.ok() && read_plan(again, out) == plan;
  }

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
    write_root();
    out_.refer_here(field(kBuffers));
    out_.u32(model_.buffers.size() + 1);
    for (const BufferData& buffer : model_.buffers) refer_to_old(buffer.at);
    const std::size_t new_buffer = reserve();

    const auto is_kept = [](const Metadata& m) { return m.name != kPlanName; };
    out_.refer_here(field(kMetadata));
    out_.u32(1 + static_cast<std::size_t>(std::count_if(
                     model_.metadata.begin(), model_.metadata.end(), is_kept)));
    for (const Metadata& metadata : model_.metadata)
      if (is_kept(metadata)) refer_to_old(metadata.at);
    write_metadata(reserve());
    write_buffer(new_buffer, data);
    out_.pad(64);

    const std::size_t shift = out_.size();
    for (const auto& [at, target] : old_references_) {
      const std::uint64_t distance = std::uint64_t{shift} + target - at;
      if (distance > (std::numeric_limits<std::uint32_t>::max)())
        in_.fail(target, "model is too large for references of 32 bits");
      out_.set_u32(at, static_cast<std::uint32_t>(distance));
    }
    return out_.take() + moved(shift);
  }

  /// Room for a reference; its place.
  [[nodiscard]] std::size_t reserve() {
    out_.u32(0);
    return out_.size() - 4;
  }
  /// A reference into the old file, whose place is not known yet.
  void refer_to_old(std::size_t target) {
    old_references_.emplace_back(reserve(), target);
  }
  /// The place of a field of the new root.
  [[nodiscard]] std::size_t field(std::uint32_t index) const {
    return root_ + 4 + 4 * index;
  }

  /// The header of the file and its root: the old fields, but for two lists.
  void write_root() {
    const Table& root = model_.root;
    for (std::uint32_t f = kRootFields; 4 + 2 * f < root.vtable_size; ++f)
      if (in_.u16(root.vtable + 4 + 2 * f) != 0)
        in_.fail(root.vtable + 4 + 2 * f,
                 "model has a field that this program does not know");
    (void)reserve();
    out_.text("TFL3");
    const std::size_t vtable = out_.size();
    out_.u16(4 + 2 * kRootFields);
    out_.u16(4 + 4 * kRootFields);
    const auto is_new = [](std::uint32_t f) {
      return f == kBuffers || f == kMetadata;
    };
    std::array<std::size_t, kRootFields> old{};
    for (std::uint32_t f = 0; f < kRootFields; ++f) {
      old[f] = in_.field(root, f, 4);
      out_.u16(old[f] != 0 || is_new(f) ? 4 + 4 * f : 0);
    }
    out_.refer_here(0);
    root_ = out_.size();
    out_.u32(root_ - vtable);
    out_.u32(old[0] != 0 ? in_.u32(old[0]) : 0);  // the version
    for (std::uint32_t f = 1; f < kRootFields; ++f) {
      if (old[f] != 0 && !is_new(f))
        refer_to_old(in_.follow(old[f]));
      else
        (void)reserve();
    }
  }

  /// The table that names the plan, its vtable in front.
  void write_metadata(std::size_t reference) {
    for (const unsigned size : {8U, 12U, 4U, 8U}) out_.u16(size);
    out_.refer_here(reference);
    out_.u32(8);
    const std::size_t name = reserve();
    out_.u32(model_.buffers.size());
    out_.refer_here(name);
    out_.u32(kPlanName.size());
    out_.text(kPlanName);
    out_.text(std::string_view("\0", 1));
    out_.pad(4);
  }

  /// The table that holds the plan, its vtable in front.
  void write_buffer(std::size_t reference, const std::string& data) {
    for (const unsigned size : {6U, 8U, 4U, 0U}) out_.u16(size);
    out_.refer_here(reference);
    out_.u32(8);
    const std::size_t elements = reserve();
    out_.pad(16, 4);
    out_.refer_here(elements);
    out_.u32(data.size());
    out_.text(data);
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
  Bytes out_{};  ///< what goes in front
  std::size_t root_ = 0;
  /// Where a reference stands, and what it refers to in the old file.
  std::vector<std::pair<std::size_t, std::size_t>> old_references_{};
};

}  // namespace tflite

#endif  // SNUG_EXAMPLES_TFLITE_WRITE_HPP
