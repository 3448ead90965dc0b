// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bytes of tensors, and the places of parts in the tensors that hold them.
///
/// A part keeps its exact size: rounded up it would reach into the part behind
/// it, or beyond its parent. Only outermost tensors are rounded up.
///
/// Cost: O(tensors + dimensions).
#ifndef SNUG_SCHEDULE_SIZES_HPP
#define SNUG_SCHEDULE_SIZES_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/schedule/operators.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Multiplies `product` >= 0 by `factor` >= 0 unless that overflows.
[[nodiscard]] inline bool multiply(std::int64_t factor, std::int64_t& product) {
  if (factor != 0 &&
      product > (std::numeric_limits<std::int64_t>::max)() / factor)
    return false;
  product *= factor;
  return true;
}

/// Rounds `value` >= 0 up to a multiple of `step` >= 1 unless that overflows.
[[nodiscard]] inline bool round_up(std::int64_t step, std::int64_t& value) {
  const std::int64_t rest = value % step;
  if (rest == 0) return true;
  if (value > (std::numeric_limits<std::int64_t>::max)() - (step - rest))
    return false;
  value += step - rest;
  return true;
}

/// Sets `bytes` to those of the padded shape, not yet rounded up to the
/// alignment.
[[nodiscard]] inline ScheduleReason measure(const Tensor& tensor,
                                            std::int64_t& bytes) {
  for (const std::int64_t dimension : tensor.shape)
    if (dimension < 0) return ScheduleReason::kNegativeDimension;
  if (tensor.element_bits < 1) return ScheduleReason::kBadElementBits;
  for (const std::int64_t multiple : tensor.multiples)
    if (multiple < 1) return ScheduleReason::kBadMultiple;
  if (tensor.alignment < 1) return ScheduleReason::kBadAlignment;

  bytes = 0;
  for (const std::int64_t dimension : tensor.shape)
    if (dimension == 0) return ScheduleReason::kNone;
  std::int64_t bits = tensor.element_bits;
  const std::size_t rank = tensor.shape.size();
  const std::size_t padded = tensor.multiples.size();
  // Both lists end with the innermost dimension.
  for (std::size_t k = 1; k <= (std::max)(rank, padded); ++k) {
    std::int64_t dimension = k <= rank ? tensor.shape[rank - k] : 1;
    if (k <= padded && !round_up(tensor.multiples[padded - k], dimension))
      return ScheduleReason::kSizeOverflow;
    if (!multiply(dimension, bits)) return ScheduleReason::kSizeOverflow;
  }
  bytes = bits / 8 + (bits % 8 != 0 ? 1 : 0);
  return ScheduleReason::kNone;
}

/// Sizes in bytes, and the trees that parts and their parents make.
struct TensorSizes {
  std::vector<std::int64_t> sizes;
  std::vector<std::size_t> roots;    ///< the outermost tensor of each
  std::vector<std::int64_t> places;  ///< first byte, counted from the root's
  std::vector<std::size_t> order;    ///< all tensors, parents before parts
  ScheduleError error;
};

/// Whether tensor `x` is `whole`, or a part of it, or of one of its parts.
[[nodiscard]] inline bool is_part_of(const std::vector<Tensor>& tensors,
                                     std::size_t x, std::size_t whole) {
  while (x != kNoIndex && x != whole) x = tensors[x].parent;
  return x == whole;
}

/// Sets the root of tensor `x` and its place there, given those of its parent.
[[nodiscard]] inline ScheduleReason place_in_root(const Tensor& tensor,
                                                  std::size_t x,
                                                  TensorSizes& out) {
  const std::size_t parent = tensor.parent;
  if (parent == kNoIndex) {
    out.roots[x] = x;
    return ScheduleReason::kNone;
  }
  const std::int64_t offset = tensor.parent_offset;
  if (offset < 0 || out.sizes[x] > out.sizes[parent] ||
      offset > out.sizes[parent] - out.sizes[x])
    return ScheduleReason::kPartOutsideParent;
  out.roots[x] = out.roots[parent];
  out.places[x] = out.places[parent] + offset;
  return out.places[x] % tensor.alignment == 0
             ? ScheduleReason::kNone
             : ScheduleReason::kMisalignedPart;
}

/// Walks from every tensor to its outermost one.
inline void link_parts(const std::vector<Tensor>& tensors, TensorSizes& out) {
  const std::size_t n = tensors.size();
  out.roots.resize(n);
  out.places.resize(n);
  out.order.reserve(n);
  enum : std::uint8_t { kNew, kOnPath, kDone };
  List<std::uint8_t> states(n, kNew);
  std::vector<std::size_t> path;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t x = i;
    while (x != kNoIndex && states[x] == kNew) {
      states[x] = kOnPath;
      path.push_back(x);
      const std::size_t parent = tensors[x].parent;
      if (parent != kNoIndex && parent >= n) {
        out.error = {ScheduleReason::kUnknownParent, kNoIndex, x};
        return;
      }
      x = parent;
    }
    if (x != kNoIndex && states[x] == kOnPath) {
      out.error = {ScheduleReason::kParentCycle, kNoIndex, x};
      return;
    }
    for (; !path.empty(); path.pop_back()) {
      x = path.back();
      const ScheduleReason reason = place_in_root(tensors[x], x, out);
      if (reason != ScheduleReason::kNone) {
        out.error = {reason, kNoIndex, x};
        return;
      }
      states[x] = kDone;
      out.order.push_back(x);
    }
  }
}

/// Measures all tensors. No size or alignment exceeds `limit`, and the sum of
/// all sizes, with the padding that alignments may cost, is one that check()
/// accepts: so no place that ties lead to can overflow 64 bits.
[[nodiscard]] inline TensorSizes measure_all(const std::vector<Tensor>& tensors,
                                             std::int64_t limit) {
  TensorSizes out;
  const std::size_t n = tensors.size();
  out.sizes.resize(n);
  std::int64_t total = 0;
  const auto refuse = [&](ScheduleReason reason, std::size_t tensor) {
    out.error = {reason, kNoIndex, tensor};
    return out;
  };
  for (std::size_t x = 0; x < n; ++x) {
    const std::int64_t alignment = tensors[x].alignment;
    const ScheduleReason reason = measure(tensors[x], out.sizes[x]);
    if (reason != ScheduleReason::kNone) return refuse(reason, x);
    if (alignment > limit) return refuse(ScheduleReason::kBadAlignment, x);
    std::int64_t rounded = out.sizes[x];
    if (!round_up(alignment, rounded) || rounded > limit ||
        rounded > kMaxTotal - total ||
        alignment - 1 > kMaxTotal - total - rounded)
      return refuse(ScheduleReason::kSizeOverflow, x);
    total += rounded + (alignment - 1);
  }
  link_parts(tensors, out);
  if (!out.error.ok()) return out;
  for (std::size_t x = 0; x < n; ++x)
    if (tensors[x].parent == kNoIndex)
      (void)round_up(tensors[x].alignment, out.sizes[x]);
  return out;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_SIZES_HPP
