// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mirror image of a problem: time runs backwards and, where alignments allow
/// it, addresses run down from the capacity C to the base.
///
///     C +-------------+         C +-------------+
///       |    +-----+  |           |  +---+      |
///       |    |  b  |  |           |  | a +-+    |        offset'(x) =
///       |  +-+ +---+  |    ->     |  |   | +-+  |          base + C - size(x)
///       |  | a |      |           |  +---+  b|  |                 - offset(x)
///  base +--+---+------+      base +----+-----+--+
///           time                     time backwards
///
/// The image has a placement below C if and only if the problem has one. But a
/// search builds up from the bottom and begins with what comes first, so one of the
/// two may take seconds and the other next to nothing: it matters much from which end
/// it comes to what is fixed or reserved.
///
/// *Addresses.* If there is a placement below C, there is one below the next lower
/// multiple of the problem's unit, which takes the place of C. Offsets of the image
/// are multiples of their alignments as base + C - size is one: for all of them, if
/// alignments divide the sizes. Where it is not, where something is fixed outside of
/// [base, C), or where numbers become too great, only time is reversed.
///
/// *Ties* count from the lowest offset of their class: in the image from that of
/// the buffer with the highest top.
///
/// Hints are left out. Cost: O(n), and that of copying the lists.
#ifndef SNUG_NORMAL_MIRRORED_HPP
#define SNUG_NORMAL_MIRRORED_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Mirrored {
 public:
  /// Of a presolved problem, which must outlive this, and its capacity.
  Mirrored(const Flat& flat, std::int64_t capacity)
      : flat_(&flat), capacity_(capacity) {
    const std::int64_t unit = unit_of(flat, 0);
    const std::int64_t whole = capacity / unit * unit;
    if (!can_flip(whole)) return;
    flips_ = true;
    capacity_ = whole;
  }

  /// Whether addresses run backwards, too.
  [[nodiscard]] bool flips() const noexcept { return flips_; }

  /// Of the image.
  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] Flat image() const {
    Flat image = *flat_;
    image.hints.clear();
    reverse_time(image);
    if (flips_) flip(image);
    return image;
  }

  /// Makes a placement of the image one of the problem.
  void restore(List<std::int64_t>& offsets) const noexcept {
    if (!flips_) return;
    for (Index i = 0; i < offsets.size(); ++i)
      offsets[i] = from_top(i, offsets[i]);
  }

 private:
  /// All numbers have a complement, but not all have a negative.
  [[nodiscard]] static Interval<std::int64_t> reversed(
      const Interval<std::int64_t>& span) noexcept {
    return {~span.upper, ~span.lower};
  }

  static void reverse_time(Flat& image) noexcept {
    for (FlatBuffer& buffer : image.buffers)
      buffer.lifespan = reversed(buffer.lifespan);
    for (FlatReserved& reserved : image.reserved)
      if (!reserved.lifespan.empty())
        reserved.lifespan = reversed(reserved.lifespan);
    FlatGap* const end = image.gaps.end();
    for (FlatGap* gap = image.gaps.begin(); gap != end;) {
      FlatGap* const first = gap;
      for (; gap != end && gap->buffer == first->buffer; ++gap)
        gap->lifespan = reversed(gap->lifespan);
      std::reverse(first, gap);
    }
  }

  [[nodiscard]] bool can_flip(std::int64_t capacity) const noexcept {
    const std::int64_t base = flat_->base;
    if (capacity > kMaxTotal - base) return false;  // Their sum is a number.
    for (Index i = 0; i < flat_->buffers.size(); ++i) {
      const FlatBuffer& buffer = flat_->buffers[i];
      if (flat_->is_fixed(i)
              ? flat_->fixed[i] < base ||
                    flat_->fixed[i] > capacity - buffer.size
              : (base + capacity - buffer.size) % buffer.alignment != 0)
        return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t from_top(Index i,
                                      std::int64_t offset) const noexcept {
    return flat_->base + capacity_ - flat_->buffers[i].size - offset;
  }

  void flip(Flat& image) const {
    for (Index i = 0; i < image.fixed.size(); ++i) {
      if (!image.is_fixed(i)) continue;
      image.fixed[i] = from_top(i, image.fixed[i]);
      // What is fixed may be off its grid.
      std::int64_t& alignment = image.buffers[i].alignment;
      alignment = std::gcd(alignment, image.fixed[i]);
    }
    for (FlatGap& gap : image.gaps) {
      const std::int64_t size = image.buffers[gap.buffer].size;
      if (!gap.window.empty())
        gap.window = {size - gap.window.upper, size - gap.window.lower};
    }
    for (End& end : image.ends)
      if (end != End::kAny)
        end = end == End::kBottom ? End::kTop : End::kBottom;
    flip_classes(image);
    flip_reserved(image);
  }

  static void flip_classes(Flat& image) {
    const auto top = [&](Index i) {
      return image.delta[i] + image.buffers[i].size;
    };
    List<std::int64_t> highest(image.root.size(), 0);
    for (Index i = 0; i < image.root.size(); ++i)
      highest[image.root[i]] = (std::max)(highest[image.root[i]], top(i));
    for (Index i = 0; i < image.root.size(); ++i)
      image.delta[i] = highest[image.root[i]] - top(i);
  }

  /// Nobody looks above the capacity or below the base.
  void flip_reserved(Flat& image) const noexcept {
    std::size_t kept = 0;
    for (FlatReserved reserved : image.reserved) {
      const Interval<std::int64_t> bytes =
          intersection(reserved.bytes, {flat_->base, capacity_});
      if (bytes.empty()) continue;
      reserved.bytes = {flat_->base + capacity_ - bytes.upper,
                        flat_->base + capacity_ - bytes.lower};
      image.reserved[kept++] = reserved;
    }
    image.reserved.shrink(kept);
  }

  const Flat* flat_;
  std::int64_t capacity_;
  bool flips_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_MIRRORED_HPP
