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

#include <cstddef>
#include <cstdint>

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
/// bottom that is not placed.
class WaitingTops {
 public:
  /// restart() comes first.
  explicit WaitingTops(const Bodies& bodies)
      : bodies_(&bodies), blocks_(bodies) {}

  /// Nobody is placed.
  void restart() {
    bottoms_.assign(SectionBlocks::kCount, 0);
    for (const Slab& slab : bodies_->slabs)
      for_each_block(slab, End::kBottom, [&](Index& left) { ++left; });
  }
  [[nodiscard]] bool is_waiting(Index b) {
    bool waits = false;
    for (const Slab& slab : bodies_->slabs_of(b))
      for_each_block(slab, End::kTop,
                     [&](const Index& left) { waits = waits || left > 0; });
    return waits;
  }
  /// Notes that a slab is placed. Whether some may wait no more.
  [[nodiscard]] bool release(const Slab& slab) {
    bool is_last = false;
    for_each_block(slab, End::kBottom,
                   [&](Index& left) { is_last = --left == 0 || is_last; });
    return is_last;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(bottoms_);
  }

 private:
  /// Calls visit(bottoms in it) for each block of a slab, if it is of that end.
  template <class Visit>
  void for_each_block(const Slab& slab, End end, Visit&& visit) {
    if (slab.end != end) return;
    const Interval<Index> blocks = blocks_.of(slab.sections);
    for (Index k = blocks.lower; k < blocks.upper; ++k) visit(bottoms_[k]);
  }

  const Bodies* bodies_;
  SectionBlocks blocks_;
  List<Index> bottoms_{};  ///< slabs of the bottom in each block, not placed
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ENDS_HPP
