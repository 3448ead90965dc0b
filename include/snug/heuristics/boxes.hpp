// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the heuristics work on: the buffers of positive size as boxes, as wide
/// as the sections they span and as high as their size.
///
/// Two things are decided here for all of them.
///
/// The *unit*: the greatest common divisor of the alignments. All offsets are
/// multiples of it, so levels are counted in units and sizes are rounded up to
/// units: the bytes that this adds on top of a buffer could never be used.
///
/// The *numbering*: boxes are numbered such that each aligned block of 8, 16,
/// 32, ... boxes is close together in the plane of (lower, upper). A block is
/// halved at the median of the coordinate in which it extends further, as in a
/// k-d tree (Bentley 1975); span_tree.hpp is the tree over these blocks.
///
/// Cost: O(n log n) time, O(n) memory.
#ifndef SNUG_HEURISTICS_BOXES_HPP
#define SNUG_HEURISTICS_BOXES_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Boxes {
  /// Boxes in a smallest block.
  static constexpr Index kBlock = 8;

  Index count = 0;
  Index sections = 0;
  std::int64_t unit = 1;         ///< bytes
  const Index* input = nullptr;  ///< which buffer of the problem
  const Interval<Index>* span = nullptr;
  const std::int64_t* bytes = nullptr;      ///< the size
  const std::int64_t* size = nullptr;       ///< the size in units, rounded up
  const std::int64_t* alignment = nullptr;  ///< in units; null: all are 1

  /// The k-th block of `boxes` boxes; those behind the last one are empty.
  [[nodiscard]] static Interval<Index> block_of(Index k, Index boxes) {
    const Index first = k * kBlock;
    return {(std::min)(first, boxes), (std::min)(first + kBlock, boxes)};
  }
  [[nodiscard]] Interval<Index> block(Index k) const {
    return block_of(k, count);
  }
  /// The lowest offset at or above `level` that suits box x; in units.
  [[nodiscard]] std::int64_t offset_at(std::int64_t level, Index x) const {
    return alignment == nullptr ? level : align_up(level, alignment[x]);
  }
  /// The end of box x in bytes when it lies at `offset` units.
  [[nodiscard]] std::int64_t top(std::int64_t offset, Index x) const {
    return offset * unit + bytes[x];
  }
};

/// A buffer on its way to its number.
struct SpannedBuffer {
  Interval<Index> span;
  Index input;
};

/// Moves the median of the wider coordinate to `middle`, smaller ones before.
inline void split_block(SpannedBuffer* first, SpannedBuffer* middle,
                        SpannedBuffer* last) {
  Interval<Index> lower{first->span.lower, first->span.lower};
  Interval<Index> upper{first->span.upper, first->span.upper};
  for (const SpannedBuffer* at = first; at != last; ++at) {
    lower = {(std::min)(lower.lower, at->span.lower),
             (std::max)(lower.upper, at->span.lower)};
    upper = {(std::min)(upper.lower, at->span.upper),
             (std::max)(upper.upper, at->span.upper)};
  }
  // The buffer's index makes the order total, and the halves the same on
  // every platform.
  const bool by_lower = lower.upper - lower.lower >= upper.upper - upper.lower;
  select_in_parts(first, middle, last,
                  [by_lower](const SpannedBuffer& a, const SpannedBuffer& b) {
                    const Index x = by_lower ? a.span.lower : a.span.upper;
                    const Index y = by_lower ? b.span.lower : b.span.upper;
                    return x != y ? x < y : a.input < b.input;
                  });
}

/// Puts the buffers where blocks of them are close together; anywhere, if it is
/// interrupted.
inline void arrange_in_blocks(SpannedBuffer* buffers, std::size_t count,
                              const Interrupt& interrupt) {
  std::size_t block = Boxes::kBlock;
  while (block < count) block *= 2;
  std::size_t since = 0;
  for (; block > Boxes::kBlock; block /= 2)
    for (std::size_t k = 0; k + block / 2 < count; k += block) {
      if (interrupt.after(block, since)) return;
      split_block(buffers + k, buffers + k + block / 2,
                  buffers + (std::min)(k + block, count));
    }
  for (std::size_t k = 0; k < count; k += Boxes::kBlock)
    insertion_sort(buffers + k, buffers + (std::min)(k + Boxes::kBlock, count),
                   [](const SpannedBuffer& a, const SpannedBuffer& b) {
                     return a.input < b.input;
                   });
}

/// The boxes of a problem; their arrays are taken from `memory`. In another
/// order, if it is interrupted.
[[nodiscard]] inline Boxes make_boxes(const Plain& plain, Memory& memory,
                                      const Interrupt& interrupt = {}) {
  Boxes boxes;
  boxes.count = static_cast<Index>(plain.order.size());
  boxes.sections = plain.sections;
  const std::size_t n = plain.order.size();
  SpannedBuffer* const buffers = memory.take_raw<SpannedBuffer>(n);
  std::int64_t unit = 0;
  std::int64_t coarsest = 1;
  for (std::size_t x = 0; x < n; ++x) {
    const Index i = plain.order[x];
    buffers[x] = {plain.spans[i], i};
    const std::int64_t alignment = plain.buffers[i].alignment;
    unit = std::gcd(unit, alignment);
    coarsest = (std::max)(coarsest, alignment);
  }
  boxes.unit = n == 0 ? 1 : unit;
  arrange_in_blocks(buffers, n, interrupt);
  Index* const input = memory.take_raw<Index>(n);
  auto* const span = memory.take_raw<Interval<Index>>(n);
  auto* const bytes = memory.take_raw<std::int64_t>(n);
  for (std::size_t x = 0; x < n; ++x) {
    input[x] = buffers[x].input;
    span[x] = buffers[x].span;
    bytes[x] = plain.buffers[input[x]].size;
  }
  memory.release(buffers);
  boxes.input = input;
  boxes.span = span;
  boxes.bytes = bytes;
  boxes.size = bytes;
  if (boxes.unit > 1) {
    auto* const size = memory.take_raw<std::int64_t>(n);
    for (std::size_t x = 0; x < n; ++x)
      size[x] = (bytes[x] - 1) / boxes.unit + 1;
    boxes.size = size;
  }
  if (coarsest > boxes.unit) {
    auto* const alignment = memory.take_raw<std::int64_t>(n);
    for (std::size_t x = 0; x < n; ++x)
      alignment[x] = plain.buffers[input[x]].alignment / boxes.unit;
    boxes.alignment = alignment;
  }
  return boxes;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_BOXES_HPP
