// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which ends of memory the slabs of each body belong to: several, where buffers of
/// different ends are tied; and which bodies of the top wait for the bottom.
///
/// Cost: O(p) for p slabs, and a byte for each body; the blocks of each slab of an end.
#ifndef SNUG_BODIES_BODY_ENDS_HPP
#define SNUG_BODIES_BODY_ENDS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

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

/// Which bodies of the top wait: those that share a block of sections with one of the
/// bottom that is not placed. Each is listed at the first such block, and looks for
/// another behind that when it has none left.
class WaitingTops {
 public:
  /// restart() comes first.
  explicit WaitingTops(const Bodies& bodies)
      : bodies_(&bodies),
        grid_(bodies.sections),
        next_(bodies.bodies.size(), kNone) {}

  /// Nobody is placed.
  void restart() {
    blocks_.assign(SectionBlocks::kCount, {});
    for (const Slab& slab : bodies_->slabs)
      for_each_block(slab, [](Block& block) { ++block.bottoms; });
    listed_at_.assign(next_.size(), 0);
    for (Index b = 0; b < next_.size(); ++b) list(b);
  }
  [[nodiscard]] bool is_waiting(Index b) const {
    return listed_at_[b] < SectionBlocks::kCount;
  }
  /// Notes that a slab is placed. Calls visit(b) for each body that waits no more.
  template <class Visit>
  void release(const Slab& slab, Visit&& visit) {
    for_each_block(slab, [&](Block& block) {
      if (--block.bottoms > 0) return;
      for (Index b = block.first; b != kNone;) {
        const Index next = next_[b];
        list(b);
        if (!is_waiting(b)) visit(b);
        b = next;
      }
    });
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(next_, listed_at_, blocks_);
  }

 private:
  static constexpr Index kNone = (std::numeric_limits<Index>::max)();

  struct Block {
    Index bottoms = 0;    ///< slabs of the bottom that are not placed
    Index first = kNone;  ///< of those that are listed here
  };

  /// Calls visit(block) for each one of a slab of the bottom.
  template <class Visit>
  void for_each_block(const Slab& slab, Visit&& visit) {
    if (slab.end != End::kBottom) return;
    const Interval<Index> blocks = grid_.of(slab.sections);
    for (Index k = blocks.lower; k < blocks.upper; ++k) visit(blocks_[k]);
  }
  /// Lists a body at the first block that it waits for, if there is one. It waits for
  /// none of those before the one where it was listed.
  void list(Index b) {
    Index first = SectionBlocks::kCount;
    for (const Slab& slab : bodies_->slabs_of(b)) {
      if (slab.end != End::kTop) continue;
      const Interval<Index> blocks = grid_.of(slab.sections);
      const Index end = (std::min)(blocks.upper, first);
      Index k = (std::max)(blocks.lower, listed_at_[b]);
      while (k < end && blocks_[k].bottoms == 0) ++k;
      if (k < end) first = k;
    }
    listed_at_[b] = first;
    if (is_waiting(b)) next_[b] = std::exchange(blocks_[first].first, b);
  }

  const Bodies* bodies_;
  SectionBlocks grid_;
  List<Index> next_;         ///< the one after each body that is listed
  List<Index> listed_at_{};  ///< of each body; kCount: it waits for no block
  List<Block> blocks_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ENDS_HPP
