// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems with fixed buffers, placed as smaller ones, of those that are not:
///
///     too high   one that ends above the ceiling refutes it
///     met        fixed buffers that nobody meets go    normal/met.hpp
///     around     where most are, as reserved ranges    normal/around_fixed.hpp
///     pinned     the same of buffers that are to stay where they were
///
/// What is placed in between is for others to say: they hand down how.
///
/// Cost: that of a smaller copy of the problem.
#ifndef SNUG_PLAN_PLACE_BESIDE_FIXED_HPP
#define SNUG_PLAN_PLACE_BESIDE_FIXED_HPP

#include "snug/config.hpp"
#include "snug/normal/around_fixed.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/met.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/place_presolved.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether something is fixed above the ceiling, which walks do not look at.
[[nodiscard]] inline bool is_refuted_by_fixed(const Flat& flat,
                                              std::int64_t ceiling,
                                              Found& found) {
  for (Index i = 0; i < flat.fixed.size(); ++i) {
    const std::int64_t top = flat.fixed[i] + flat.buffers[i].size;
    if (!flat.is_fixed(i) || top <= ceiling) continue;
    found.bound = (std::max)(found.bound, top);
    found.core = {i};
    return true;
  }
  return false;
}

/// What `place` answers for `some`, the problem of the members of a whole one, and the
/// others where that fixes them.
template <class Place>
[[nodiscard]] Outcome place_members(Flat whole, Flat some,
                                    const List<Index>& members, Call& call,
                                    Found& found, const Place& place) {
  if (!whole.hints.empty())
    for (const Index i : members) some.hints.push_back(whole.hints[i]);
  call.count_bytes(whole.bytes() + some.bytes() + bytes_of(members));
  List<std::int64_t> offsets = std::move(whole.fixed);
  whole = {};
  const Held held(call, bytes_of(members, offsets));
  Found placed;
  const Outcome outcome = place(std::move(some), placed);
  found.bound = placed.bound;
  if (outcome == Outcome::kRefuted && placed.core.empty()) found.core = members;
  for (const Index k : placed.core) found.core.push_back(members[k]);
  if (placed.offsets.empty()) return outcome;
  for (Index k = 0; k < members.size(); ++k)
    offsets[members[k]] = placed.offsets[k];
  found.offsets = std::move(offsets);
  return outcome;
}

/// What `place` answers, if most buffers are fixed for those that are not, with what is
/// around them as reserved ranges (normal/around_fixed.hpp). A proof may use all of
/// these.
template <class Place>
[[nodiscard]] Outcome place_around_fixed(Flat flat, Call& call, Found& found,
                                         const Place& place) {
  const List<Index> members = list_not_ranges(flat, highest_fixed(flat));
  const std::size_t count = flat.buffers.size();
  if (2 * members.size() > count) return place(std::move(flat), found);
  Flat around = around_fixed(flat, members);
  const Outcome outcome = place_members(std::move(flat), std::move(around),
                                        members, call, found, place);
  if (outcome != Outcome::kRefuted) return outcome;
  const List<Index> others = list_others(count, members);
  found.core.append(others.begin(), others.end());
  heap_sort(found.core);
  return outcome;
}

/// Places a presolved problem without hints some of whose buffers are pinned, in at
/// most `nodes` nodes. Returns whether it did. What is pinned are reserved ranges then,
/// where there is code for that anyway.
template <class M>
[[nodiscard]] bool place_pinned(Flat pinned, std::int64_t capacity,
                                std::int64_t nodes, Call& call, Found& found) {
  const auto place_all = [&](Call& share, Found& placed) {
    const auto place = [&](Flat some, Found& of_some) {
      return place_presolved<M, Wanted::kAny>(std::move(some), capacity, share,
                                              of_some);
    };
    if constexpr (!M::kBoth) {
      return place(std::move(pinned), placed);
    } else {
      const List<Index> members = list_not_ranges(pinned);
      Flat around = around_fixed(pinned, members);
      return place_members(std::move(pinned), std::move(around), members, share,
                           placed, place);
    }
  };
  return place_in_share(call, nodes, found, place_all);
}

/// The buffers that matter (normal/met.hpp) of a problem with fixed ones, if to leave
/// the others out is worth a copy: if they are many, or what is left is plain then. In
/// that case nothing else says how high the others are, so they must not be higher
/// than any placement.
template <class M>
[[nodiscard]] List<Index> list_worth_copy(const Flat& flat, Call& call,
                                          Flat& some) {
  List<Index> met = list_met(flat, call.interrupt());
  const bool are_few = met.size() <= flat.buffers.size() / 2;
  if (!are_few) met = list_free_if_alone(flat, call.interrupt());
  if (met.empty() || call.gave_up()) return {};
  some = subset_of(flat, met);
  if (are_few) return met;
  some.fixed.clear();
  const Index highest = highest_fixed(flat);
  const std::int64_t top = flat.fixed[highest] + flat.buffers[highest].size;
  if (!plain_ground(some) || quick_bound<M>(some, call) < top) return {};
  return met;
}

/// What `place` answers for the buffers that matter, and the others where they are
/// fixed. It takes a problem, and where its answer goes.
template <class M, class Place>
[[nodiscard]] Outcome place_met(Flat flat, Call& call, Found& found,
                                const Place& place) {
  if (flat.fixed.empty()) return place(std::move(flat), found);
  Flat some;
  const List<Index> met = list_worth_copy<M>(flat, call, some);
  if (call.gave_up()) return Outcome::kOpen;
  if (met.empty()) return place(std::move(flat), found);
  return place_members(std::move(flat), std::move(some), met, call, found,
                       place);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_BESIDE_FIXED_HPP
