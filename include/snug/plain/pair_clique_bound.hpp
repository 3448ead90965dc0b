// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The section bound (section_bound.hpp) on cliques that are live together at no
/// time: jobs on one machine all the same.
///
/// For each clique c with unplaced members U and every threshold t that is the
/// release of one of them, in any placement of the state
///
///     t + (the sizes of those of U that are released at t or above)  <=  C.
///
/// As there, a clique keeps its *spare*, a lower bound on what is left to C over
/// all t. A raise of a member by d lowers it by at most d, and while it stays at
/// 0 or more nothing is looked at. Members of a clique that the placed buffer is
/// a member of too are raised to its top: what it placed left the clique with
/// its size, which pays for that, as in a section.
///
/// Cost: the cliques of the changed buffers, and the members of those whose
/// spare does not cover the raise.
#ifndef SNUG_PLAIN_PAIR_CLIQUE_BOUND_HPP
#define SNUG_PLAIN_PAIR_CLIQUE_BOUND_HPP

#include "snug/config.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class PairCliqueBound {
 public:
  PairCliqueBound(const Instance<Units>& instance, Memory& memory)
      : rise_(memory.take<Units>(instance.cliques.count())),
        holds_placed_(memory.take<std::uint64_t>(instance.cliques.count())),
        changed_(memory, instance.cliques.count()) {
    const View<Index> members = instance.cliques.members.all();
    order_ = memory.take_raw<Index>(members.size());
    std::copy(members.begin(), members.end(), order_);
  }

  /// Checks all cliques at the root, and sets their spare.
  [[nodiscard]] Overflow<Units> check_root(State<Units>& state) {
    Overflow<Units> found{};
    for (Index c = 0; c < state.instance->cliques.count() && found.excess == 0;
         ++c)
      found = look_at(state, c, state.clique_spare[c]);
    return found;
  }

  /// Checks what the changes of release after the first `mark` trail entries
  /// may have broken; see SectionBound::check(). An overflowing clique c is
  /// reported as section sections + c.
  [[nodiscard]] Overflow<Units> check(State<Units>& state, std::size_t mark,
                                      Index placed) {
    if (state.instance->cliques.count() == 0) return {};
    gather(state, mark, placed);
    Overflow<Units> found{};
    for (const Index c : changed_) {
      const Units rise = rise_[c];
      rise_[c] = 0;
      if (found.excess > 0) continue;
      Units left = static_cast<Units>(state.clique_spare[c] - rise);
      if (left < 0) found = look_at(state, c, left);
      if (found.excess == 0) state.set_clique_spare(c, left);
    }
    return found;
  }

 private:
  /// Notes by how much the members of each clique rose.
  void gather(const State<Units>& state, std::size_t mark, Index placed) {
    const PairCliques& cliques = state.instance->cliques;
    changed_.shrink(0);
    ++stamp_;
    Units top = 0;
    if (placed != state.nobody()) {
      top = state.top(placed);
      for (const Index c : cliques.of[placed]) holds_placed_[c] = stamp_;
    }
    state.for_each_rise(mark, [&](Index y, Units rise) {
      const bool is_at_top =
          placed != state.nobody() && state.release[y] == top;
      for (const Index c : cliques.of[y]) {
        if (is_at_top && holds_placed_[c] == stamp_) continue;
        if (rise_[c] == 0) changed_.push(c);
        rise_[c] = (std::max)(rise_[c], rise);
      }
    });
  }

  /// The bound at all thresholds; `margin` becomes the least that is left.
  [[nodiscard]] Overflow<Units> look_at(const State<Units>& state, Index c,
                                        Units& margin) {
    const Instance<Units>& instance = *state.instance;
    Index* const members = order_ + instance.cliques.members.begin_of(c);
    const std::size_t count = instance.cliques.members[c].size();
    // The order of last time is nearly that of now.
    insertion_sort(members, members + count, [&](Index x, Index y) {
      return state.release[x] < state.release[y];
    });
    Units reach = state.clique_room[c];
    margin = Instance<Units>::kNever;
    Units threshold = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Index y = members[k];
      if (!state.is_unplaced(y)) continue;
      const Units left = static_cast<Units>(reach - state.release[y]);
      if (left < margin) {
        margin = left;
        threshold = state.release[y];
      }
      reach = static_cast<Units>(reach + instance.length[y]);
    }
    if (margin >= 0) return {};
    return {instance.sections + c, threshold, static_cast<Units>(-margin)};
  }

  Units* rise_;                  ///< highest rise in each clique; 0 between
  std::uint64_t* holds_placed_;  ///< stamp_: the placed buffer is a member
  std::uint64_t stamp_ = 0;
  Stack<Index> changed_;
  Index* order_;  ///< members by clique, in the order they were last seen in
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PAIR_CLIQUE_BOUND_HPP
