// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Re-planning: buffers stay at their hints, and few move: the fewest that the
/// rounds below come upon, not always the fewest that there are.
///
///     hints      |  a  |  b  |  c  |      b has grown, and meets a and c
///     round 0    b goes where nobody is in the way, if there is such a place;
///     round 1    or where one buffer is, which then has to find a hole;
///     round 2    two of them, or that one puts another one out; ...
///
/// All buffers with hints are put there; of two that meet, one loses its place,
/// like those without a hint. Whoever has no place takes a *spot*: the base, or
/// the end of somebody. Those in the way of a spot lose theirs in turn; nobody
/// loses it twice. Spots are tried by the number of those, then by their bytes,
/// then from the bottom up. The round limits how many lose their places.
///
/// After a few spots a buffer it lets all go that are live together with one
/// that has no place, and searches for these alone. Where that fails, or most
/// have no place to begin with, a fresh solve does not look at hints at all.
///
/// Cost: O(p log p + p k) for p slabs, k of which are live together, to begin
/// with; O(p) for a buffer that looks for spots for the first time, O(d^2) for
/// each look at d neighbours. Source: ejection chains, Glover (Discrete Applied
/// Mathematics, 1996), with iterative deepening.
#ifndef SNUG_PLAN_REPLAN_HPP
#define SNUG_PLAN_REPLAN_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/model/busy_times.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/plan/solve_large.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bodies of a problem with hints, most of them where these say.
class Replanner {
 public:
  /// `capacity` is in bytes. Of no use if it is interrupted.
  Replanner(const Flat& flat, std::int64_t capacity,
            const Interrupt& interrupt = {})
      : flat_(&flat) {
    const Flat pinned = pin(flat);
    BodyBuilder builder(pinned, interrupt);
    bodies_ = builder.build();
    peak_bytes_ = pinned.bytes() + builder.peak_bytes();
    capacity_ = capacity / bodies_.unit;
    if (bodies_.body_of.size() < flat.buffers.size()) return;  // Interrupted.
    take_places();
    drop_met(interrupt);
  }

  /// Finds places for all. False if it gives up.
  [[nodiscard]] bool run(Call& call) {
    constexpr std::size_t kMostMoves = 16;
    constexpr std::int64_t kLooksPerBody = 4;
    List<Index> homeless;
    for (Index b = 0; b < at_.size(); ++b)
      if (at_[b] == kNowhere) homeless.push_back(b);
    // With most of them free, there is little to keep; and settle() goes deep.
    if (homeless.size() > (std::min)(at_.size() / 2, kMostHomeless))
      return false;
    heap_sort(homeless, [&](Index a, Index b) {
      const std::int64_t x = bodies_.bodies[a].extent;
      const std::int64_t y = bodies_.bodies[b].extent;
      return x != y ? x < y : a < b;
    });
    looks_left_ = kLooksPerBody * static_cast<std::int64_t>(homeless.size()) +
                  static_cast<std::int64_t>(at_.size()) / 2;
    for (std::size_t moves = 0; moves <= kMostMoves;
         moves = moves < 3 ? moves + 1 : 2 * moves) {
      List<Index> left = homeless;
      if (settle(left, moves)) return true;
      if (looks_left_ <= 0 || call.stop()) return false;
    }
    return false;
  }

  /// The bytes that are held, and the most of them until it was made.
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = bodies_.bytes() + bytes_of(at_, hold_, related_);
    for (const List<Meeting>& one : related_) bytes += bytes_of(one);
    return bytes;
  }
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_bytes_; }

  /// Where the buffers are, in bytes; Flat::kNone for those without a place, of
  /// which there are none once run() said true.
  [[nodiscard]] List<std::int64_t> offsets() const {
    List<std::int64_t> result(flat_->buffers.size(), Flat::kNone);
    for (Index i = 0; i < result.size(); ++i)
      if (const std::int64_t at = at_[bodies_.body_of[i]]; at != kNowhere)
        result[i] = bodies_.offset_of(i, at);
    return result;
  }

 private:
  static constexpr std::int64_t kNowhere = -1;
  static constexpr std::size_t kMostHomeless = 64;

  enum class Hold : std::uint8_t {
    kLoose,  ///< may lose its place
    kTaken,  ///< found another one
    kFixed,
  };

  /// Addresses between the two ends that `body`, where it is, forbids another.
  struct Taken {
    Index body;
    Interval<std::int64_t> addresses;
  };

  struct Spot {
    std::int64_t address;
    std::size_t in_the_way;  ///< how many bodies are
    std::int64_t bytes;      ///< of these
  };

  /// The problem with all hints as fixed offsets: where the first one of a
  /// class of tied buffers says.
  [[nodiscard]] static Flat pin(const Flat& flat) {
    Flat pinned = flat;
    if (pinned.fixed.empty())
      pinned.fixed.assign(flat.buffers.size(), Flat::kNone);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const Index root = flat.root.empty() ? i : flat.root[i];
      if (flat.hints[i] == Flat::kNone || pinned.is_fixed(root)) continue;
      pinned.fixed[root] =
          flat.root.empty()
              ? flat.hints[i]
              : (std::max)(flat.hints[i] - flat.delta[i] + flat.delta[root],
                           std::int64_t{0});
    }
    if (!flat.root.empty()) fix_classes(pinned);
    return pinned;
  }

  /// Lets the bodies be where they are pinned, as far as that is possible.
  void take_places() {
    at_.assign(bodies_.bodies.size(), kNowhere);
    // A body without buffers is of reserved ranges.
    hold_.assign(at_.size(), Hold::kFixed);
    for (Index i = 0; i < flat_->buffers.size(); ++i)
      if (!flat_->is_fixed(i)) hold_[bodies_.body_of[i]] = Hold::kLoose;
    for (Index b = 0; b < at_.size(); ++b) {
      const Body& body = bodies_.bodies[b];
      if (hold_[b] == Hold::kFixed ||
          (body.fixed != Body::kFree && body.fixed >= body.first &&
           (body.fixed - body.first) % body.step == 0 &&
           body.fixed <= capacity_ - body.extent))
        at_[b] = body.fixed;
      // Without slabs it is in nobody's way.
      if (at_[b] == kNowhere && body.slabs.empty()) at_[b] = body.first;
    }
    related_.resize(at_.size());
  }

  /// Of two that meet, the one that is not fixed loses its place, else the
  /// later one.
  void drop_met(const Interrupt& interrupt) {
    List<Index> live;
    std::size_t met = 0;
    for (const Index k : slabs_in_time(bodies_)) {
      met += live.size() + 1;
      if (met >= Interrupt::kElements) {
        if (interrupt()) return;
        met = 0;
      }
      const Slab& slab = bodies_.slabs[k];
      if (at_[slab.body] == kNowhere) continue;
      std::size_t kept = 0;
      for (const Index other : live)
        if (bodies_.slabs[other].sections.upper > slab.sections.lower &&
            at_[bodies_.slabs[other].body] != kNowhere)
          live[kept++] = other;
      live.resize(kept);
      for (const Index other : live) {
        const Slab& with = bodies_.slabs[other];
        if (at_[slab.body] == kNowhere) break;
        if (at_[with.body] == kNowhere || !bodies_.exclude(slab, with) ||
            !meet(slab, with))
          continue;
        const bool this_one =
            hold_[with.body] == Hold::kFixed ||
            (hold_[slab.body] != Hold::kFixed && with.body < slab.body);
        at_[this_one ? slab.body : with.body] = kNowhere;
      }
      if (at_[slab.body] != kNowhere) live.push_back(k);
    }
  }

  [[nodiscard]] bool meet(const Slab& p, const Slab& q) const {
    const Forbidden apart = forbidden(p, q);
    const std::int64_t difference = at_[q.body] - at_[p.body];
    return apart.lower < difference && difference < apart.upper;
  }

  /// Who b has relations with, and the differences that they forbid.
  [[nodiscard]] const List<Meeting>& related(Index b) {
    List<Meeting>& result = related_[b];
    if (!result.empty()) return result;
    const Interval<Index> own = bodies_.bodies[b].slabs;
    for (Index k = own.lower; k < own.upper; ++k)
      for (const Slab& other : bodies_.slabs)
        if (other.sections.overlaps(bodies_.slabs[k].sections) &&
            bodies_.exclude(bodies_.slabs[k], other))
          result.push_back({b, other.body, forbidden(bodies_.slabs[k], other)});
    return result;
  }

  /// The addresses that those with a place forbid b.
  [[nodiscard]] List<Taken> taken_from(Index b) {
    List<Taken> taken;
    for (const Meeting& meeting : related(b)) {
      const std::int64_t y = at_[meeting.y];
      if (y == kNowhere) continue;
      // y - x is not in (lower, upper), so x is not in (y - upper, y - lower).
      const Forbidden& gap = meeting.forbidden;
      taken.push_back({meeting.y,
                       {gap.upper == kFar ? -kFar : y - gap.upper,
                        gap.lower == -kFar ? kFar : y - gap.lower}});
    }
    return taken;
  }

  /// Spots in whose way there are at most `most` buffers, the best first.
  [[nodiscard]] List<Spot> find_spots(Index b, const List<Taken>& taken,
                                      std::size_t most) const {
    const Body& body = bodies_.bodies[b];
    const Steps steps{body.first, body.step};
    List<std::int64_t> addresses{body.first};
    for (const Taken& range : taken)
      if (range.addresses.upper > body.first && range.addresses.upper < kFar)
        addresses.push_back(steps.up(range.addresses.upper));
    sort_unique(addresses);
    List<Spot> spots;
    List<Index> blockers;
    for (const std::int64_t address : addresses) {
      if (address > capacity_ - body.extent) break;
      if (!may_clear(taken, address, most, blockers)) continue;
      Spot spot{address, blockers.size(), 0};
      for (const Index y : blockers) spot.bytes += bodies_.bodies[y].extent;
      spots.push_back(spot);
    }
    heap_sort(spots, [](const Spot& p, const Spot& q) {
      if (p.in_the_way != q.in_the_way) return p.in_the_way < q.in_the_way;
      return p.bytes != q.bytes ? p.bytes < q.bytes : p.address < q.address;
    });
    return spots;
  }

  /// Lists who is in the way at an address. False if they are too many, or may not
  /// lose their places.
  [[nodiscard]] bool may_clear(const List<Taken>& taken, std::int64_t address,
                               std::size_t most, List<Index>& blockers) const {
    blockers.clear();
    for (const Taken& range : taken) {
      if (address <= range.addresses.lower ||
          range.addresses.upper <= address ||
          std::find(blockers.begin(), blockers.end(), range.body) !=
              blockers.end())
        continue;
      if (hold_[range.body] != Hold::kLoose || blockers.size() == most)
        return false;
      blockers.push_back(range.body);
    }
    return true;
  }

  /// Finds places for the homeless, the last one first; at most `moves` others
  /// may lose theirs. As deep as there are homeless ones and moves.
  [[nodiscard]] bool settle(List<Index>& homeless, std::size_t moves) {
    constexpr std::size_t kMostSpots = 8;
    if (homeless.empty()) return true;
    if (--looks_left_ < 0) return false;
    const Index b = homeless.back();
    homeless.pop_back();
    const List<Taken> taken = taken_from(b);
    List<Spot> spots = find_spots(b, taken, moves);
    if (spots.size() > kMostSpots)
      spots.erase(spots.begin() + kMostSpots, spots.end());
    hold_[b] = Hold::kTaken;
    for (const Spot& spot : spots) {
      List<Index> blockers;
      (void)may_clear(taken, spot.address, moves, blockers);
      List<std::int64_t> before;
      for (const Index y : blockers) {
        before.push_back(at_[y]);
        at_[y] = kNowhere;
        homeless.push_back(y);
      }
      at_[b] = spot.address;
      if (settle(homeless, moves - blockers.size())) return true;
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

  const Flat* flat_;
  Bodies bodies_{};
  std::size_t peak_bytes_ = 0;            ///< until the bodies were made
  std::int64_t capacity_ = 0;             ///< in units
  List<std::int64_t> at_{};               ///< of each body
  List<Hold> hold_{};                     ///< of each body
  std::vector<List<Meeting>> related_{};  ///< of those that were asked
  std::int64_t looks_left_ = 0;
};

/// Frees the buffers that are live together with one that has no place yet.
inline void free_neighbours(const Flat& flat, Flat& pinned) {
  const List<FlatBuffer>& all = pinned.buffers;
  BusyTimes busy(all.size());
  for (Index i = 0; i < all.size(); ++i)
    if (all[i].size > 0 && !pinned.is_fixed(i)) busy.add(all[i].lifespan);
  busy.merge();
  List<std::uint8_t> freed(all.size(), 0);  // Classes.
  for (Index i = 0; i < all.size(); ++i)
    if (all[i].size > 0 && !flat.is_fixed(i) && busy.overlaps(all[i].lifespan))
      freed[flat.root.empty() ? i : flat.root[i]] = 1;
  for (Index i = 0; i < pinned.buffers.size(); ++i)
    if (!flat.is_fixed(i) && freed[flat.root.empty() ? i : flat.root[i]] != 0)
      pinned.fixed[i] = Flat::kNone;
}

/// Tries to place a presolved problem below `capacity` with as many buffers at
/// their hints as it can. Returns whether it did.
template <class E>
[[nodiscard]] bool replan(const Flat& flat, std::int64_t capacity, Call& call,
                          Found& found) {
  Replanner replanner(flat, capacity, call.interrupt());
  if (call.gave_up()) return false;
  call.count_bytes(replanner.peak_bytes());
  Flat pinned = flat;
  pinned.fixed = replanner.offsets();
  const Held held(call, pinned.bytes());
  const bool has_placed = replanner.run(call);
  call.count_bytes(replanner.bytes());
  if (has_placed) {
    found.offsets = replanner.offsets();
    return true;
  }
  // Those that are live at other times stay.
  const auto homeless =
      std::count(pinned.fixed.begin(), pinned.fixed.end(), Flat::kNone);
  if (4 * homeless > static_cast<std::ptrdiff_t>(pinned.fixed.size()))
    return false;
  free_neighbours(flat, pinned);
  pinned.hints.clear();
  Share share(call, static_cast<std::int64_t>(flat.buffers.size()));
  Found around;
  if (solve_presolved<E>(pinned, capacity, share.call(), around) !=
      Outcome::kPlacedAll)
    return false;
  found.offsets = std::move(around.offsets);
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_REPLAN_HPP
