// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which ends of memory the slabs of each body belong to: several, where buffers of
/// different ends are tied; and which bodies of the top wait for the bottom.
///
/// Cost: O(p) for p slabs, and a byte for each body; a few blocks for each slab of the
/// bottom, and a look at each of the top for each block of sections.
#ifndef SNUG_BODIES_BODY_ENDS_HPP
#define SNUG_BODIES_BODY_ENDS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyEnds {
 public:
  explicit BodyEnds(const Bodies& bodies) : bits_(bodies.bodies.size(), 0) {
    for (const Slab& slab : bodies.slabs) bits_[slab.body] |= bit_of(slab.end);
  }

  /// Whether a slab of body b belongs to an end.
  [[nodiscard]] bool has(Index b, End end) const noexcept {
    return (bits_[b] & bit_of(end)) != 0;
  }
  /// Whether all of them do, and there is one.
  [[nodiscard]] bool has_only(Index b, End end) const noexcept {
    return bits_[b] == bit_of(end);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_of(bits_); }

 private:
  [[nodiscard]] static std::uint8_t bit_of(End end) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(end));
  }

  List<std::uint8_t> bits_;
};

/// The bodies of the top that wait, as long as one of the bottom is not placed in a
/// block of sections that they share.
class WaitingTops {
 public:
  explicit WaitingTops(const Bodies& bodies)
      : bodies_(&bodies),
        blocks_(bodies),
        all_bottoms_(SectionBlocks::kCount, 0),
        waits_(bodies.bodies.size(), 0) {
    List<Index> free_bottoms(SectionBlocks::kCount + 1, 0);
    for (Index k = 0; k < bodies.slabs.size(); ++k) {
      const Slab& slab = bodies.slabs[k];
      if (slab.end == End::kTop) tops_.push_back(k);
      if (slab.end != End::kBottom) continue;
      const Interval<Index> blocks = blocks_.of(slab.sections);
      for (Index block = blocks.lower; block < blocks.upper; ++block) {
        ++all_bottoms_[block];
        if (!is_fixed(slab)) ++free_bottoms[block + 1];
      }
    }
    std::partial_sum(free_bottoms.begin(), free_bottoms.end(),
                     free_bottoms.begin());
    for (const Index k : tops_) {
      const Slab& top = bodies.slabs[k];
      const Interval<Index> blocks = blocks_.of(top.sections);
      const bool is_above_free =
          free_bottoms[blocks.upper] > free_bottoms[blocks.lower];
      if (is_fixed(top) && is_above_free) is_fixed_above_free_ = true;
    }
    restart();
  }

  /// Nobody is placed.
  void restart() {
    bottoms_ = all_bottoms_;
    List<Index> busy(SectionBlocks::kCount + 1, 0);
    for (Index block = 0; block < SectionBlocks::kCount; ++block)
      busy[block + 1] = busy[block] + (bottoms_[block] > 0 ? 1 : 0);
    waits_.assign(waits_.size(), 0);
    for (const Index k : tops_) {
      const Slab& top = bodies_->slabs[k];
      const Interval<Index> blocks = blocks_.of(top.sections);
      waits_[top.body] += busy[blocks.upper] - busy[blocks.lower];
    }
  }
  /// Whether it has to wait for one of the bottom.
  [[nodiscard]] bool is_waiting(Index b) const noexcept {
    return waits_[b] > 0;
  }
  /// Whether a fixed one of the top may lie above a free one of the bottom.
  [[nodiscard]] bool is_fixed_above_free() const noexcept {
    return is_fixed_above_free_;
  }
  /// Calls visit(body) for those that wait no more once a slab is placed.
  template <class Visit>
  void release(const Slab& slab, Visit&& visit) {
    if (slab.end != End::kBottom) return;
    const Interval<Index> blocks = blocks_.of(slab.sections);
    for (Index block = blocks.lower; block < blocks.upper; ++block) {
      if (--bottoms_[block] > 0) continue;
      for (const Index k : tops_) {
        const Slab& top = bodies_->slabs[k];
        if (blocks_.of(top.sections).contains({block, block + 1}) &&
            --waits_[top.body] == 0)
          visit(top.body);
      }
    }
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(all_bottoms_, bottoms_, tops_, waits_);
  }

 private:
  [[nodiscard]] bool is_fixed(const Slab& slab) const noexcept {
    return bodies_->bodies[slab.body].is_fixed();
  }

  const Bodies* bodies_;
  SectionBlocks blocks_;
  List<Index> all_bottoms_;  ///< slabs of the bottom in each block
  List<Index> bottoms_{};    ///< the same, of those that are not placed
  List<Index> tops_{};       ///< slabs of the top
  List<Index> waits_;        ///< blocks with such bottoms, of each body's tops
  bool is_fixed_above_free_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ENDS_HPP
