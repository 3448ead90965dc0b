// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A memory pool as its *loads* see it: how many bytes each item takes in each
/// section, and how many there are. An *item* is a class of buffers that are
/// tied to one another, or a buffer that is tied to none; it goes to one pool.
///
///     room  |=======================|       reserved ranges take of the room
///           |  c  |   |    d    |   |
///           |-----+---+-----+---+---|       the sum of what the items take in a
///           |   a     |     | b     |       section is at most its room
///           +---------+-----+-------+
///     sections  0    1     2     3
///
/// Of what may overlap something, some takes nothing (pools/counted_slabs.hpp). Where
/// all offsets are multiples of some number, so are the bytes that items take,
/// rounded up.
///
/// Numbers are scaled such that no room is above kMostRoom. Where they have to be
/// made smaller, bytes that are taken are rounded down, and so is the room: what
/// fits, fits then too.
///
/// Cost: O(s log s) for s slabs, O(k^2) for the k slabs of one item.
#ifndef SNUG_POOLS_POOL_LOADS_HPP
#define SNUG_POOLS_POOL_LOADS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/counted_slabs.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What an item takes in a run of sections; less than nothing in some cuts.
struct LoadPart {
  Interval<Index> sections{};
  std::int64_t bytes = 0;
};

/// What an item takes in a section.
struct LoadTerm {
  std::size_t item;
  std::int64_t bytes;
};

/// Sections of their own, with what items, ascending, take in each.
struct LoadRows {
  Lists<LoadTerm> terms{};
  std::vector<std::int64_t> room{};

  [[nodiscard]] std::size_t size() const noexcept { return room.size(); }
  void add(List<LoadTerm> its, std::int64_t its_room) {
    terms.push_back(std::move(its));
    room.push_back(its_room);
  }
};

struct PoolLoads {
  static constexpr std::int64_t kMostRoom = std::int64_t{1} << 20;

  Index sections = 0;
  /// Of each section, not negative but for cuts.
  std::vector<std::int64_t> room{};
  /// Of each item, ascending and without a section in common.
  Rows<LoadPart> parts{};
  List<bool> cuts{};  ///< of sections, as far as it goes

  /// Adds a section of its own in which `items`, ascending, have no room for all
  /// of them.
  void add_core(const std::vector<std::size_t>& items) {
    const auto count = static_cast<std::int64_t>(items.size());
    const std::int64_t bytes = (std::max)(kMostRoom / count, std::int64_t{1});
    List<LoadTerm> terms;
    for (const std::size_t i : items) terms.push_back({i, bytes});
    LoadRows row;
    row.add(std::move(terms), bytes * (count - 1));
    add_rows(row, false);
  }
  /// What items take in a section, ascending.
  [[nodiscard]] List<LoadTerm> terms_at(Index section) const {
    List<LoadTerm> terms;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (const std::int64_t bytes = bytes_at(i, section); bytes != 0)
        terms.push_back({i, bytes});
    return terms;
  }
  /// The sections from one on, as rows.
  [[nodiscard]] LoadRows rows_from(Index first) const {
    LoadRows rows;
    for (Index s = first; s < sections; ++s) rows.add(terms_at(s), room[s]);
    return rows;
  }
  /// Adds rows. *Cuts* follow from other sections if items are whole.
  void add_rows(const LoadRows& rows, bool are_cuts) {
    if (rows.size() == 0) return;
    Rows<LoadPart> more;
    more.deal(parts.size(), [&](auto&& give) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        for (const LoadPart& part : parts[i]) give(i, part);
      for (Index r = 0; r < rows.size(); ++r)
        for (const LoadTerm& term : rows.terms[r])
          give(term.item, {{sections + r, sections + r + 1}, term.bytes});
    });
    parts = std::move(more);
    cuts.resize(sections, false);
    cuts.resize(sections + rows.size(), are_cuts);
    for (const std::int64_t its : rows.room) room.push_back(its);
    sections += static_cast<Index>(rows.size());
  }
  /// Removes sections that are rows, all that are not to be kept.
  void keep_rows(const List<bool>& keep) {
    List<Index> place;  // Of each section among those kept.
    Index kept = 0;
    cuts.resize(sections, false);
    for (Index s = 0; s < sections; ++s) {
      place.push_back(kept);
      if (!keep[s]) continue;
      room[kept] = room[s];
      cuts[kept] = cuts[s];
      ++kept;
    }
    Rows<LoadPart> left;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const LoadPart& part : parts[i]) {
        if (!keep[part.sections.lower]) continue;
        const Index lower = place[part.sections.lower];
        const Index width = part.sections.upper - part.sections.lower;
        left.push_back({{lower, lower + width}, part.bytes});
      }
      left.end_row();
    }
    parts = std::move(left);
    room.resize(kept);
    cuts.resize(kept);
    sections = kept;
  }
  [[nodiscard]] bool is_cut(Index section) const {
    return section < cuts.size() && cuts[section];
  }

  /// Calls visit(section, bytes) for each section in which it takes some.
  template <class Visit>
  void for_each_section(std::size_t item, Visit&& visit) const {
    for (const LoadPart& part : parts[item])
      for (Index s = part.sections.lower; s < part.sections.upper; ++s)
        visit(s, part.bytes);
  }
  /// How many sections an item takes bytes in.
  [[nodiscard]] std::size_t count_sections(std::size_t item) const {
    std::size_t count = 0;
    for (const LoadPart& part : parts[item])
      count += part.sections.upper - part.sections.lower;
    return count;
  }
  /// Whether all sections of an item have room for its bytes so many `times`,
  /// of what is left in `rooms`.
  [[nodiscard]] bool has_room(std::size_t item, std::int64_t times,
                              const std::vector<std::int64_t>& rooms) const {
    for (const LoadPart& part : parts[item])
      for (Index s = part.sections.lower; s < part.sections.upper; ++s)
        if (times * part.bytes > rooms[s]) return false;
    return true;
  }
  /// Takes an item's bytes so many `times` from what is left in `rooms`.
  void take(std::size_t item, std::int64_t times,
            std::vector<std::int64_t>& rooms) const {
    for_each_section(
        item, [&](Index s, std::int64_t bytes) { rooms[s] -= times * bytes; });
  }
  /// What the items that is_in(item) names leave of the room.
  template <class IsIn>
  [[nodiscard]] std::vector<std::int64_t> room_left_by(IsIn&& is_in) const {
    const auto taken = sums_over(sections, [&](auto&& add) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (is_in(i))
          for (const LoadPart& part : parts[i]) add(part.sections, part.bytes);
    });
    std::vector<std::int64_t> left = room;
    for (Index s = 0; s < sections; ++s) left[s] -= taken[s];
    return left;
  }
  /// Whether there is room for all of them.
  template <class IsIn>
  [[nodiscard]] bool has_room_for(IsIn&& is_in) const {
    const std::vector<std::int64_t> left = room_left_by(is_in);
    return std::all_of(left.begin(), left.end(),
                       [](std::int64_t bytes) { return bytes >= 0; });
  }
  /// What an item takes in a section.
  [[nodiscard]] std::int64_t bytes_at(std::size_t item, Index section) const {
    const View<const LoadPart> its = parts[item];
    const LoadPart* const next = std::upper_bound(
        its.begin(), its.end(), section,
        [](Index s, const LoadPart& part) { return s < part.sections.lower; });
    return next != its.begin() && section < next[-1].sections.upper
               ? next[-1].bytes
               : 0;
  }
};

/// Takes over loads into copies that have rows of their own, or what was added
/// to the loads since the last time, when each had `known` sections.
template <class Loads>
void follow_loads(Loads&& loads, List<Index>& known,
                  std::vector<PoolLoads>& copies) {
  for (std::size_t p = 0; p < copies.size(); ++p)
    copies[p].add_rows(loads[p].rows_from(known[p]), false);
  known.clear();
  for (const PoolLoads& one : loads) known.push_back(one.sections);
  if (copies.empty()) copies = std::forward<Loads>(loads);
}

class LoadBuilder {
 public:
  /// The first `items` bodies are the items; no top may be above `top` units.
  /// All there is takes at most kMaxTotal (check.hpp), so more is of no use.
  LoadBuilder(const Bodies& bodies, std::size_t items, std::int64_t top,
              const Interrupt& interrupt)
      : bodies_(&bodies),
        items_(items),
        top_((std::min)(top, kMaxTotal)),
        interrupt_(interrupt),
        counted_(bodies, interrupt) {}

  /// Of no use if it is interrupted.
  [[nodiscard]] PoolLoads build() {
    find_grain();
    PoolLoads loads;
    loads.sections = bodies_->sections;
    const std::int64_t whole = round_up(top_);
    std::int64_t lowest = whole;
    for (std::size_t i = 0; i < items_; ++i)
      lowest = (std::min)(lowest, bodies_->bodies[i].first);
    loads.room.assign(loads.sections, whole - lowest);
    for (std::size_t b = items_; b < bodies_->bodies.size(); ++b)
      for (const LoadPart& part : parts_of(bodies_->bodies[b], {lowest, whole}))
        for (Index s = part.sections.lower; s < part.sections.upper; ++s)
          loads.room[s] -= part.bytes;
    constexpr Interval<std::int64_t> kEverything{0, kMaxTotal};
    loads.parts.reserve(items_, items_);
    for (std::size_t i = 0; i < items_; ++i) {
      if (interrupt_.at(i)) return loads;
      loads.parts.add_row(parts_of(bodies_->bodies[i], kEverything));
    }
    scale(loads, whole - lowest);
    return loads;
  }

 private:
  /// The largest number that divides the ends of all that is taken from below.
  void find_grain() {
    grain_ = 0;
    for (std::size_t i = 0; i < items_; ++i) {
      grain_ = std::gcd(grain_, bodies_->bodies[i].first);
      grain_ = std::gcd(grain_, bodies_->bodies[i].step);
    }
    for (const Slab& slab : bodies_->slabs)
      grain_ = std::gcd(grain_, slab.bytes.lower);
    if (grain_ == 0 || grain_ > top_) grain_ = 1;
  }
  [[nodiscard]] std::int64_t round_up(std::int64_t bytes) const {
    return align_up(bytes, grain_);
  }

  /// The bytes within `bounds` that a body takes, by runs of sections; none if
  /// it is interrupted.
  [[nodiscard]] List<LoadPart> parts_of(const Body& body,
                                        Interval<std::int64_t> bounds) const {
    List<Slab> slabs;
    List<Index> cuts;
    for (Index k = body.slabs.lower; k < body.slabs.upper; ++k)
      counted_.for_each(bodies_->slabs[k], [&](Slab slab) {
        slab.bytes = {(std::max)(slab.bytes.lower, bounds.lower),
                      (std::min)(round_up(slab.bytes.upper), bounds.upper)};
        if (slab.bytes.empty()) return;
        slabs.push_back(slab);
        cuts.push_back(slab.sections.lower);
        cuts.push_back(slab.sections.upper);
      });
    sort_unique(cuts);
    heap_sort(slabs, [](const Slab& a, const Slab& b) {
      return a.bytes.lower < b.bytes.lower;
    });
    List<LoadPart> parts;
    std::size_t since = 0;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      if (interrupt_.after(slabs.size(), since)) return {};
      std::int64_t bytes = 0;
      std::int64_t reach = 0;
      for (const Slab& slab : slabs) {
        if (slab.sections.lower > cuts[c] || slab.sections.upper <= cuts[c])
          continue;
        const std::int64_t from = (std::max)(reach, slab.bytes.lower);
        if (slab.bytes.upper > from) bytes += slab.bytes.upper - from;
        reach = (std::max)(reach, slab.bytes.upper);
      }
      if (bytes > 0) parts.push_back({{cuts[c], cuts[c + 1]}, bytes});
    }
    return parts;
  }

  /// Such that the room of `most` comes close to kMostRoom.
  static void scale(PoolLoads& loads, std::int64_t most) {
    int down = 0;
    while (most >> down > PoolLoads::kMostRoom) ++down;
    std::int64_t times = 1;
    if (most > 0) times = (std::max)(PoolLoads::kMostRoom / most, times);
    for (std::int64_t& room : loads.room)
      room = ((std::max)(room, std::int64_t{0}) >> down) * times;
    // More than all of the room is the same as a little more.
    for (LoadPart& part : loads.parts.all())
      part.bytes =
          (std::min)(part.bytes >> down, PoolLoads::kMostRoom / times + 1) *
          times;
  }

  const Bodies* bodies_;
  std::size_t items_;
  std::int64_t top_;
  Interrupt interrupt_;
  CountedSlabs counted_;
  std::int64_t grain_ = 1;
};

/// Whether all pools have room for a division, the column of each item.
[[nodiscard]] inline bool have_room_for(const std::vector<PoolLoads>& pools,
                                        const List<Index>& division) {
  for (std::size_t p = 0; p < pools.size(); ++p)
    if (!pools[p].has_room_for([&](std::size_t i) { return division[i] == p; }))
      return false;
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_LOADS_HPP
