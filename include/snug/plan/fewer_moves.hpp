// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fewer moves than a placement makes, for small problems: the buffers to be
/// freed are chosen in order of their number (plan/fewest_freed.hpp), the others
/// stay at their hints, and a search of the former says whether they fit. Where one
/// of them alone cannot be anywhere beside those that stay, as is mostly so, there is
/// no search.
///
/// What is judged is limited, by its buffers and by its nodes. So some ten
/// buffers make the fewest moves that there are, and more do so where one or
/// two are enough. All of it takes some milliseconds at most.
#ifndef SNUG_PLAN_FEWER_MOVES_HPP
#define SNUG_PLAN_FEWER_MOVES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/fewest_freed.hpp"
#include "snug/plan/hinted_bodies.hpp"
#include "snug/plan/place_beside_fixed.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bodies at their hints, and a choice of those that leave them.
class FewerMoves : public HintedBodies {
 public:
  /// For problems without more buffers.
  static constexpr Index kMost = FewestFreed::kMost;

  FewerMoves(const Flat& flat, std::int64_t capacity, Call& call)
      : HintedBodies(flat, capacity, call) {
    constexpr std::size_t kMostSlabs = 512;
    is_small_ = !at_.empty() && bodies_.slabs.size() <= kMostSlabs;
    if (!is_small_) return;
    // A hint that would put a tied buffer below zero is not followed. A body that
    // is at none of its hints loses none by going elsewhere.
    for (Index b = 0; b < at_.size(); ++b)
      if (is_loose(b) && !bodies_.bodies[b].slabs.empty() &&
          (count_hints(b) == 0 || meets_fixed(b)))
        at_[b] = kNowhere;
    for (Index b = 0; b < at_.size(); ++b) add(b);
  }

  /// Whether there is so little of all that it pays to look.
  [[nodiscard]] bool is_small() const noexcept { return is_small_; }

  /// Calls fits(pinned) with one choice after the other, until it says true.
  /// `moved` buffers are not at their hints so far.
  template <class Fits>
  void run(std::int64_t moved, std::int64_t looks, Fits&& fits) {
    const List<std::int64_t> all = offsets();
    moved -= count_moved(*flat_, all);
    (void)freed_.find(moved, looks, [&](Word set) {
      if (!has_room_for_each(set)) return false;
      List<std::int64_t> pinned = all;
      for (Index i = 0; i < pinned.size(); ++i)
        if (const Index b = bodies_.body_of[i];
            (set & FewestFreed::bit_of(b)) != 0)
          pinned[i] = Flat::kNone;
      return fits(std::move(pinned));
    });
  }

  /// How many buffers are not at their hints.
  [[nodiscard]] static std::int64_t count_moved(
      const Flat& flat, const List<std::int64_t>& offsets) {
    std::int64_t result = 0;
    for (Index i = 0; i < offsets.size(); ++i)
      if (flat.hints[i] != Flat::kNone && flat.hints[i] != offsets[i]) ++result;
    return result;
  }

 private:
  [[nodiscard]] bool is_loose(Index b) const {
    return hold_[b] == Hold::kLoose && at_[b] != kNowhere;
  }

  /// Whether each body that has no place, if those of the set have none, could be
  /// somewhere.
  [[nodiscard]] bool has_room_for_each(Word set) {
    const List<std::int64_t> before = at_;
    for (; set != 0; set &= set - 1) at_[lowest_bit(set)] = kNowhere;
    bool result = true;
    for (Index b = 0; b < at_.size() && result; ++b)
      if (at_[b] == kNowhere) result = has_room_for(b);
    at_ = before;
    return result;
  }

  /// Whether nobody with a place is in the way of b at some address.
  [[nodiscard]] bool has_room_for(Index b) {
    List<Taken> taken = taken_from(b);
    heap_sort(taken, [](const Taken& p, const Taken& q) {
      return p.addresses.lower < q.addresses.lower;
    });
    const Body& body = bodies_.bodies[b];
    const Steps steps{body.first, body.step};
    std::int64_t address = body.first;
    for (const Taken& range : taken)
      if (range.addresses.lower < address && address < range.addresses.upper)
        address = steps.up(range.addresses.upper);
    return address <= capacity_ - body.extent;
  }

  void add(Index b) {
    if (hold_[b] == Hold::kFixed) return;
    if (is_loose(b)) freed_.add(b, count_hints(b));
    for (const Meeting& meeting : related(b)) {
      if (!is_loose(meeting.y)) continue;
      if (!is_loose(b)) {
        freed_.add_near_free(meeting.y);
        continue;
      }
      freed_.add_neighbours(b, meeting.y);
      if (meet(meeting)) freed_.add_meeting(b, meeting.y);
    }
  }

  FewestFreed freed_{};
  bool is_small_ = false;
};

/// Tries to leave more buffers at their hints than a placement below `capacity`
/// does.
template <class M>
void move_fewer(const Flat& flat, std::int64_t capacity, Call& call,
                Found& found) {
  constexpr std::int64_t kWork = 1 << 12;
  constexpr std::int64_t kNodesPerBuffer = 64;
  constexpr std::int64_t kFewestNodes = 1 << 10;
  const std::int64_t moved = FewerMoves::count_moved(flat, found.offsets);
  if (moved == 0 || flat.buffers.size() > FewerMoves::kMost || call.must_stop())
    return;
  FewerMoves moves(flat, capacity, call);
  if (!moves.is_small() || call.gave_up()) return;
  const Held held(call, moves.bytes());
  const auto buffers = static_cast<std::int64_t>(flat.buffers.size());
  // What it takes to judge grows faster than the buffers.
  const std::int64_t work = (std::max)(buffers, buffers * buffers / 16);
  std::int64_t judged = 0;
  // To refute a choice of few buffers takes some hundred nodes, all of them short.
  const std::int64_t last_node =
      call.stats().nodes + (std::max)(kNodesPerBuffer * buffers, kFewestNodes);
  moves.run(moved, 4 * kWork / work, [&](List<std::int64_t> pinned) {
    const std::int64_t nodes = last_node - call.stats().nodes;
    // It ends with what was found before.
    if ((judged += work) > kWork || nodes <= 0 || call.must_stop()) return true;
    Flat rest = flat;
    rest.fixed = std::move(pinned);
    return place_pinned<M>(std::move(rest), capacity, nodes, call, found);
  });
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FEWER_MOVES_HPP
