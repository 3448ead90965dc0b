// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep over time that tells which slabs of bodies with a place may meet one that
/// began before: where bytes are taken by another body, in a tree of tops in the
/// order of bottoms, or where who belongs to the bottom of memory is not below who
/// belongs to its top.
///
///     bottoms   b0 <= b1 <= b2 ...    the first top above the bottom of the new one
///     tops      t0    -     t2        is of one below its top: their bytes overlap
///
/// Those that may overlap, and bodies that have lost their place since, are taken for
/// met as well. So for most slabs that stay where they were it takes no look at each
/// of the others, of which thousands may be live.
///
/// Cost: O(p log p) for p slabs, some 0.4 us each: as much as a look at a hundred.
#ifndef SNUG_PLAN_LIVE_SLABS_HPP
#define SNUG_PLAN_LIVE_SLABS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/check_pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class LiveSlabs {
 public:
  /// at[b] is where body b is, at 0 or above; of the others, anything.
  LiveSlabs(const Bodies& bodies, const List<std::int64_t>& at)
      : bodies_(&bodies), at_(&at) {}

  /// Whether slab k, whose body has a place, may meet one of those that are live, or
  /// of those asked for before it, which do not begin later. Of up
  /// to `many` live ones it may. Of no use if it is interrupted.
  [[nodiscard]] bool may_meet(Index k, const List<Index>& live,
                              std::size_t many, const Interrupt& interrupt) {
    if (rank_.empty()) {
      if (live.size() <= many) return true;
      begin(live, interrupt);
    }
    const Slab& slab = bodies_->slabs[k];
    for (;
         ended_ < by_end_.size() && by_end_[ended_].key <= slab.sections.lower;
         ++ended_)
      set(by_end_[ended_].index, 0);
    const std::int64_t bottom = bottom_of(slab);
    const std::int64_t top = top_of(slab);
    const bool meets = begins_below(live_.find(0, bottom, slab.body), top) ||
                       (slab.end == End::kBottom &&
                        begins_below(tops_.find(0, 0, slab.body), top)) ||
                       (slab.end == End::kTop &&
                        bottoms_.find(0, bottom, slab.body) != Tree::kNone);
    set(k, top);
    return meets;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(by_bottom_, by_end_, rank_) +
           Tree::bytes(live_.leaves() + bottoms_.leaves() + tops_.leaves(),
                       true);
  }

 private:
  using Tree = TopTree<std::int64_t>;

  [[nodiscard]] static bool has_both_ends(const Bodies& bodies) {
    bool has_bottom = false;
    bool has_top = false;
    for (const Slab& slab : bodies.slabs) {
      has_bottom = has_bottom || slab.end == End::kBottom;
      has_top = has_top || slab.end == End::kTop;
    }
    return has_bottom && has_top;
  }
  void begin(const List<Index>& live, const Interrupt& interrupt) {
    const std::size_t count = bodies_->slabs.size();
    for (Index k = 0; k < count; ++k) {
      const Slab& slab = bodies_->slabs[k];
      by_bottom_.push_back({(*at_)[slab.body] + slab.bytes.lower, k});
      by_end_.push_back({slab.sections.upper, k});
    }
    sort_keyed(by_bottom_, interrupt);
    sort_keyed(by_end_, interrupt);
    rank_.assign(count, 0);
    for (Index rank = 0; rank < count; ++rank)
      rank_[by_bottom_[rank].index] = rank;
    live_ = Tree(count, true);
    if (has_both_ends(*bodies_)) bottoms_ = tops_ = Tree(count, true);
    for (const Index k : live) set(k, top_of(bodies_->slabs[k]));
  }

  [[nodiscard]] std::int64_t bottom_of(const Slab& slab) const {
    return (std::max)((*at_)[slab.body] + slab.bytes.lower, std::int64_t{0});
  }
  [[nodiscard]] std::int64_t top_of(const Slab& slab) const {
    return (std::max)((*at_)[slab.body] + slab.bytes.upper, bottom_of(slab));
  }
  [[nodiscard]] bool begins_below(std::size_t rank, std::int64_t top) const {
    return rank < by_bottom_.size() && by_bottom_[rank].key < top;
  }
  /// Notes the top of a slab; 0: it has ended.
  void set(Index k, std::int64_t top) {
    const Slab& slab = bodies_->slabs[k];
    live_.set(rank_[k], top, slab.body);
    if (bottoms_.leaves() < live_.leaves()) return;
    if (slab.end == End::kBottom) bottoms_.set(rank_[k], top, slab.body);
    if (slab.end == End::kTop) tops_.set(rank_[k], top, slab.body);
  }

  const Bodies* bodies_;
  const List<std::int64_t>* at_;
  List<Keyed> by_bottom_{};
  List<Keyed> by_end_{};
  List<Index> rank_{};  ///< of each slab in by_bottom_
  Tree live_{0, true};
  // Of these, those that belong to an end, if there are both kinds.
  Tree bottoms_{0, true};
  Tree tops_{0, true};
  std::size_t ended_ = 0;  ///< of by_end_
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_LIVE_SLABS_HPP
