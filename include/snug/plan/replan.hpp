// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Re-planning: buffers stay at their hints, and few move: the fewest that the
/// steps below come upon, not always the fewest that there are. For small
/// problems plan/fewer_moves.hpp goes on from there.
///
///     chains   all but a few stay; these put others out    plan/replanner.hpp
///     near     they and the nearest 8 of each: a search    plan/free_nearest.hpp
///     afresh   of solve(), where that takes few nodes      plan/plan.hpp
///     wider    the nearest 32 of each, and 128
///
/// A search knows those that stay as reserved ranges (normal/around_fixed.hpp), so it
/// takes as long as those that are freed. Most that succeed place each of them at
/// once; the nodes are limited accordingly. What takes longer than to place all afresh
/// comes only if that is difficult. Where most have no place to begin with, or so many
/// that a look at all for each of them takes longer, hints are not looked at any
/// further.
///
/// Cost: those of the steps. A first fit of all often takes less than a search of a
/// few: for A to K at 5 % above the height, the near ones take up to as long as it.
#ifndef SNUG_PLAN_REPLAN_HPP
#define SNUG_PLAN_REPLAN_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/free_nearest.hpp"
#include "snug/plan/live_slabs.hpp"
#include "snug/plan/place_beside_fixed.hpp"
#include "snug/plan/replanner.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Where all are that can stay at their hints, and those that chains place around
/// them; Flat::kNone for the others. Of no use if the call gave up.
template <class M>
[[nodiscard]] List<std::int64_t> stay_at_hints(const Flat& flat,
                                               std::int64_t capacity,
                                               Call& call) {
  Replanner replanner(flat, capacity, call);
  if (call.gave_up()) return {};
  const Interrupt interrupt = call.interrupt();
  if constexpr (M::kBoth) {
    constexpr std::size_t kMany = 128;  // Fewer are looked at faster.
    LiveSlabs slabs = replanner.live_slabs();
    replanner.drop_met(interrupt, [&](Index k, const List<Index>& live) {
      return slabs.may_meet(k, live, kMany, interrupt);
    });
    call.count_bytes(replanner.bytes() + slabs.bytes());
    if (call.gave_up()) return {};
    replanner.drop_fewer();
  } else {
    replanner.drop_met(interrupt,
                       [](Index, const List<Index>&) { return true; });
  }
  replanner.run(call);
  call.count_bytes(replanner.bytes());
  return replanner.offsets();
}

/// Places those that have no place in `offsets` with the `most` nearest ones of each.
/// Returns whether it did.
template <class M>
[[nodiscard]] bool place_with_nearest(const Flat& flat,
                                      const List<std::int64_t>& offsets,
                                      std::size_t most, std::int64_t capacity,
                                      Call& call, Found& found) {
  constexpr std::int64_t kNodes = 32;
  constexpr std::int64_t kNodesPerFreed = 4;
  constexpr std::int64_t kMostFreed = 8192;  // More are not soon placed.
  Flat pinned = flat;
  pinned.hints.clear();
  pinned.fixed = offsets;
  const auto freed = static_cast<std::int64_t>(
      free_nearest(flat, most, capacity, pinned.fixed, call.interrupt()));
  if (freed > kMostFreed) return false;
  return place_pinned<M>(std::move(pinned), capacity,
                         kNodes + kNodesPerFreed * freed, call, found);
}

/// Tries to place a presolved problem below `capacity` with as many buffers at
/// their hints as it can, or as place_afresh() does. Returns whether one did.
template <class M, class PlaceAfresh>
[[nodiscard]] bool replan(const Flat& flat, std::int64_t capacity, Call& call,
                          Found& found, const PlaceAfresh& place_afresh) {
  List<std::int64_t> offsets = stay_at_hints<M>(flat, capacity, call);
  if (call.gave_up()) return false;
  const auto homeless = static_cast<std::size_t>(
      std::count(offsets.begin(), offsets.end(), Flat::kNone));
  if (homeless == 0) {
    found.offsets = std::move(offsets);
    return true;
  }
  // With most of them free, there is little to keep; and to look at all for each of
  // many takes longer than to place all afresh.
  constexpr std::size_t kMostLooks = std::size_t{1} << 27;
  if (4 * homeless > offsets.size() || homeless * offsets.size() > kMostLooks)
    return false;
  const Held held(call, bytes_of(offsets));
  const auto place_with = [&](std::size_t most) {
    return place_with_nearest<M>(flat, offsets, most, capacity, call, found);
  };
  if (place_with(8)) return true;
  if constexpr (M::kBoth) {
    const auto must_end = [&] { return call.gave_up() || call.is_stopped(); };
    if (must_end()) return false;
    if (place_afresh()) return true;
    for (const std::size_t most : {32U, 128U}) {
      if (must_end()) return false;
      if (place_with(most)) return true;
    }
  }
  return false;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_REPLAN_HPP
