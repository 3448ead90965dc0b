// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buffers stay at their hints, and those that cannot find places around them: chains
/// of buffers that put one another out, the shortest first.
///
///     hints      |  a  |  b  |  c  |      b has grown, and meets a and c
///     round 0    b goes where nobody is in the way, if there is such a place;
///     round 1    or where one buffer is, which then has to find a hole;
///     round 2    two of them, or that one puts another one out; ...
///
/// All buffers with hints are put there. Of two that meet, one loses its place, and
/// where few meet, as few do as possible. These and the buffers without hints take
/// *spots*: the base, or the end of another buffer. Those in the way of a spot lose
/// their places in turn, none of them twice. Spots are tried by the number of
/// those, then by their bytes, then from the bottom up. The round limits how many
/// lose their places. After a few spots a buffer it gives up.
///
/// Cost: O(p log p) for p slabs to begin with, and O(k) for each that may meet one of
/// k live ones (plan/live_slabs.hpp; without that for each of all); O(p) for a buffer
/// that looks for spots for the first time, O(d log d) for each look at d neighbours.
/// Source: ejection chains, Glover (Discrete Applied Mathematics, 1996), with
/// iterative deepening.
#ifndef SNUG_PLAN_REPLANNER_HPP
#define SNUG_PLAN_REPLANNER_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/fewest_freed.hpp"
#include "snug/plan/hinted_bodies.hpp"
#include "snug/plan/live_slabs.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bodies of a problem with hints, most of them where these say.
class Replanner : public HintedBodies {
 public:
  /// `capacity` is in bytes. Of no use if the call gave up.
  Replanner(const Flat& flat, std::int64_t capacity, Call& call)
      : HintedBodies(flat, capacity, call), times_(at_.size(), 0) {}

  [[nodiscard]] std::size_t bytes() const noexcept {
    return HintedBodies::bytes() + bytes_of(times_);
  }

  /// What tells drop_met() who may meet.
  [[nodiscard]] LiveSlabs live_slabs() const { return {bodies_, at_}; }

  /// Of two that meet, the one that is not fixed loses its place, else the
  /// later one; of no use if it is interrupted. may_meet(k, live) is asked of slabs
  /// with a place in order of time, and false if k meets none of those before it.
  template <class MayMeet>
  void drop_met(const Interrupt& interrupt, MayMeet&& may_meet) {
    List<Index> live;
    std::size_t met = 0;
    for (const Index k : slabs_in_time(bodies_)) {
      if (interrupt.after(live.size() + 1, met)) return;
      const Slab& slab = bodies_.slabs[k];
      if (at_[slab.body] == kNowhere) continue;
      if (may_meet(k, live)) drop_met_by(slab, live);
      if (at_[slab.body] != kNowhere) live.push_back(k);
    }
  }

  /// Of those that meet, as few as possible lose their places, where they are
  /// few.
  void drop_fewer() {
    constexpr std::size_t kMostDropped = 16;
    List<Index> dropped;
    for (Index b = 0; b < at_.size(); ++b)
      if (at_[b] == kNowhere && may_stay(b)) dropped.push_back(b);
    if (dropped.empty() || dropped.size() > kMostDropped) return;
    const List<std::int64_t> before = at_;
    for (const Index b : dropped) at_[b] = bodies_.bodies[b].fixed;
    for (const Index b : dropped)
      if (meets_fixed(b)) at_[b] = kNowhere;
    List<IndexPair> pairs;  // Each has one of the dropped ones.
    List<Index> met;
    for (const Index b : dropped) {
      if (at_[b] == kNowhere) continue;
      for (const Meeting& meeting : related(b)) {
        if (!meet(meeting)) continue;
        pairs.push_back({b, meeting.y});
        met.push_back(b);
        met.push_back(meeting.y);
      }
    }
    sort_unique(met);
    if (met.size() > FewestFreed::kMost || !cover(pairs, met, before))
      at_ = before;
  }

  /// Finds places for all. If it gives up, those that had none have none.
  void run(Call& call) {
    constexpr std::size_t kMostMoves = 16;
    constexpr std::int64_t kLooksPerBody = 4;
    constexpr std::size_t kMostLooks = 8192;  // No more than that beside these.
    List<Index> homeless;
    for (Index b = 0; b < at_.size(); ++b)
      if (at_[b] == kNowhere) homeless.push_back(b);
    // With most of them free, there is little to keep; and settle() goes deep.
    if (homeless.size() > (std::min)(at_.size() / 2, kMostHomeless)) return;
    sort_ascending(homeless, [&](Index k) { return bodies_.bodies[k].extent; });
    looks_left_ =
        kLooksPerBody * static_cast<std::int64_t>(homeless.size()) +
        static_cast<std::int64_t>((std::min)(at_.size() / 2, kMostLooks));
    for (std::size_t moves = 0; moves <= kMostMoves;
         moves = moves < 3 ? moves + 1 : 2 * moves) {
      List<Index> left = homeless;
      if (settle(left, moves, call) || looks_left_ <= 0 || call.must_stop())
        return;
    }
  }

 private:
  static constexpr std::size_t kMostHomeless = 64;

  struct Spot {
    std::int64_t address;
    std::size_t in_the_way;  ///< how many bodies are
    std::int64_t bytes;      ///< of these
  };

  /// One of each two that meet, a slab and those before it, some of which have
  /// ended, loses its place.
  void drop_met_by(const Slab& slab, List<Index>& live) {
    std::size_t still = 0;
    for (const Index other : live) {
      const Slab& with = bodies_.slabs[other];
      if (with.sections.upper <= slab.sections.lower ||
          at_[with.body] == kNowhere)
        continue;
      live[still++] = other;
      if (at_[slab.body] == kNowhere ||
          !meet({slab.body, with.body, forbidden(slab, with)}) ||
          !bodies_.exclude(slab, with))
        continue;
      const bool this_one =
          hold_[with.body] == Hold::kFixed ||
          (hold_[slab.body] != Hold::kFixed && with.body < slab.body);
      at_[this_one ? slab.body : with.body] = kNowhere;
    }
    live.shrink(still);
  }

  /// Lets one of each pair lose its place, less of them than have none in
  /// `before`. Returns whether it did.
  [[nodiscard]] bool cover(const List<IndexPair>& pairs, const List<Index>& met,
                           const List<std::int64_t>& before) {
    constexpr std::int64_t kLooks = 4096;
    FewestFreed freed;
    std::int64_t weight = 0;
    for (Index k = 0; k < met.size(); ++k) {
      const std::int64_t hints = count_hints(met[k]);
      freed.add(k, hints);
      if (before[met[k]] == kNowhere) weight += hints;
    }
    const auto number_of = [&](Index b) {
      return static_cast<Index>(index_in(met, b));
    };
    for (const auto& [a, b] : pairs)
      freed.add_meeting(number_of(a), number_of(b));
    return freed.find(weight, kLooks, [&](Word set) {
      for (; set != 0; set &= set - 1) at_[met[lowest_bit(set)]] = kNowhere;
      return true;
    });
  }

  /// Spots in whose way there are at most `most` buffers, the best first: a sweep
  /// up from the base that knows who is in the way where it is.
  [[nodiscard]] List<Spot> find_spots(Index b, const List<Taken>& taken,
                                      std::size_t most) {
    const Body& body = bodies_.bodies[b];
    const Steps steps{body.first, body.step};
    // Where bodies begin to be in the way, at even numbers, and where they end.
    List<Keyed> events;
    for (const Taken& range : taken) {
      events.push_back({range.addresses.lower + 1, 2 * range.body});
      events.push_back({range.addresses.upper, 2 * range.body + 1});
    }
    sort_keyed(events);
    std::size_t firm = 0;  // How many may not lose their places.
    Spot spot{body.first, 0, 0};
    List<Spot> spots;
    for (std::size_t next = 0; spot.address <= capacity_ - body.extent;) {
      for (; next < events.size() && events[next].key <= spot.address; ++next) {
        const Index y = events[next].index / 2;
        const bool ends = events[next].index % 2 == 1;
        if ((ends ? --times_[y] : times_[y]++) != 0) continue;
        const std::size_t one = ends ? ~std::size_t{0} : 1;
        spot.in_the_way += one;
        spot.bytes += static_cast<std::int64_t>(one) * bodies_.bodies[y].extent;
        if (hold_[y] != Hold::kLoose) firm += one;
      }
      if (firm == 0 && spot.in_the_way <= most) spots.push_back(spot);
      std::size_t end = next;
      while (end < events.size() && events[end].index % 2 == 0) ++end;
      if (end == events.size() || events[end].key >= kFar) break;
      spot.address = steps.up(events[end].key);
    }
    for (const Keyed& event : events) times_[event.index / 2] = 0;
    heap_sort(spots, [](const Spot& p, const Spot& q) {
      if (p.in_the_way != q.in_the_way) return p.in_the_way < q.in_the_way;
      return p.bytes != q.bytes ? p.bytes < q.bytes : p.address < q.address;
    });
    return spots;
  }

  /// Who is in the way at an address.
  [[nodiscard]] static List<Index> blockers_at(std::int64_t address,
                                               const List<Taken>& taken) {
    List<Index> blockers;
    for (const Taken& range : taken)
      if (range.addresses.lower < address && address < range.addresses.upper)
        blockers.push_back(range.body);
    sort_unique(blockers);
    return blockers;
  }

  /// Finds places for the homeless, the last one first; at most `moves` others
  /// may lose theirs. As deep as there are homeless ones and moves.
  [[nodiscard]] bool settle(List<Index>& homeless, std::size_t moves,
                            Call& call) {
    constexpr std::size_t kMostSpots = 8;
    if (homeless.empty()) return true;
    if (--looks_left_ < 0 || call.must_stop()) return false;
    const Index b = homeless.back();
    homeless.pop_back();
    const List<Taken> taken = taken_from(b);
    // Where much is taken, there are fewer looks.
    constexpr std::size_t kManyForLook = 16;
    looks_left_ -= static_cast<std::int64_t>(taken.size() / kManyForLook);
    List<Spot> spots = find_spots(b, taken, moves);
    spots.shrink((std::min)(spots.size(), kMostSpots));
    hold_[b] = Hold::kTaken;
    for (const Spot& spot : spots) {
      const List<Index> blockers = blockers_at(spot.address, taken);
      List<std::int64_t> before;
      for (const Index y : blockers) {
        before.push_back(at_[y]);
        at_[y] = kNowhere;
        homeless.push_back(y);
      }
      at_[b] = spot.address;
      if (settle(homeless, moves - blockers.size(), call)) return true;
      for (std::size_t k = 0; k < before.size(); ++k) {
        at_[blockers[k]] = before[k];
        homeless.pop_back();
      }
    }
    at_[b] = kNowhere;
    hold_[b] = Hold::kLoose;
    homeless.push_back(b);
    return false;
  }

  List<Index> times_;  ///< of find_spots(): how often each body is in the way
  std::int64_t looks_left_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_REPLANNER_HPP
