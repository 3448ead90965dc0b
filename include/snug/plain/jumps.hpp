// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Obstacles (normal/obstacles.hpp) as the plain search reads them: in units,
/// by the numbers that buffers and sections have in a partition.
///
/// *Jumps.* An offset that is barred is one that alignment would not allow
/// either: a buffer raised into a barred stretch is raised to its end. So
/// wherever the search rounds up to an alignment it goes on to the lowest
/// offset that is *allowed*, and minimum[x], release[x] are allowed offsets
/// always.
///
/// *Why the rules hold.* A canonical solution is one in which no buffer can
/// move down alone to an allowed offset of m(x) or above. The arguments of
/// dominance.hpp, releases.hpp and explainer.hpp ask of m(x) only that it is
/// the lowest offset that x might have: that x sits there if nobody unplaced is
/// in its slot. One step is new. Let x be skipped, so b(x) > m(x). As x cannot
/// move to m(x), which is allowed, some unplaced y is in that slot, below x; so
/// b(x) is at y's top or above, and allowed. That is the release of x. (What x
/// rests on may be an obstacle above y.)
///
/// *Unit.* Tops of obstacles are offsets that a canonical solution may have, so
/// the unit divides them. Their lower ends are rounded down: what is below one
/// and not a whole unit is of no use.
///
/// *By section.* What hole_bound.hpp reads: the obstacles of each section, as
/// long as these lists take no more memory than they may.
///
/// Cost: O(barred stretches and obstacles of the partition) memory, and 16 bytes at
/// most for each obstacle in a section. A look at each obstacle there is; then at the
/// stretches of one buffer for each raise.
#ifndef SNUG_PLAIN_JUMPS_HPP
#define SNUG_PLAIN_JUMPS_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes that are taken for a run of sections, in units.
template <class Units>
struct Taken {
  Interval<Index> sections{};
  Interval<Units> units{};
};

template <class Units>
struct Jumps {
  /// Of each buffer, ascending: offsets above `lower` and below `upper` are barred.
  RowsView<Interval<Units>, Index> barred{};
  const Taken<Units>* taken = nullptr;  ///< by lower end
  Index taken_count = 0;

  [[nodiscard]] bool empty() const noexcept { return barred.empty(); }
};

template <class Units>
struct SectionObstacles {
  /// Of each section, the lowest first; none: they are not listed.
  RowsView<Interval<Units>, Index> ranges{};
  const Word* changes = nullptr;  ///< sections behind which they change
};

/// Calls visit(stretch) for each stretch that is barred to a buffer of the
/// partition.
template <class Visit>
void for_each_barred(const Plain& plain, const Partition& partition,
                     Visit&& visit) {
  for (const Index i : plain.buffers_of(partition))
    for (const Barred& stretch : plain.barred_to(i)) visit(stretch);
}

/// What is above `capacity`, in units, is left out.
template <class Units>
[[nodiscard]] Jumps<Units> take_jumps(const Plain& plain,
                                      const Partition& partition,
                                      std::int64_t unit, Units capacity,
                                      Memory& memory) {
  if (plain.barred.empty()) return {};
  Jumps<Units> jumps;
  const auto units = [&](std::int64_t bytes) {
    return static_cast<Units>(
        (std::min)(bytes / unit, std::int64_t{capacity} + 1));
  };
  const View<const Index> buffers = plain.buffers_of(partition);
  jumps.barred = {
      memory, buffers.size(), [&](auto&& give) {
        for (std::size_t x = 0; x < buffers.size(); ++x)
          for (const Barred& stretch : plain.barred_to(buffers[x])) {
            const Units lower =
                stretch.lower < 0 ? Units{-1} : units(stretch.lower);
            if (lower < capacity) give(x, {lower, units(stretch.upper)});
          }
      }};
  if (jumps.empty()) return jumps;
  const Interval<Index> all = partition.sections;
  const auto most = std::count_if(
      plain.obstacles.begin(), plain.obstacles.end(),
      [&](const Obstacle& one) { return one.sections.overlaps(all); });
  auto* const taken =
      memory.take<Taken<Units>>(static_cast<std::size_t>(most) + 1);
  for (const Obstacle& obstacle : plain.obstacles) {
    const Interval<Index> sections = intersection(obstacle.sections, all);
    if (sections.empty()) continue;
    const Interval<Units> in_units{units(obstacle.bytes.lower),
                                   units(obstacle.bytes.upper)};
    if (in_units.lower < capacity)
      taken[jumps.taken_count++] = {
          {sections.lower - all.lower, sections.upper - all.lower}, in_units};
  }
  jumps.taken = taken;
  return jumps;
}

/// Obstacles by section take no more bytes.
inline constexpr std::size_t kMostListedBytes = std::size_t{1} << 24;

/// Lists what is taken by section, if that takes at most `most_bytes`.
template <class Units>
[[nodiscard]] SectionObstacles<Units> list_by_section(const Jumps<Units>& jumps,
                                                      Index sections,
                                                      std::size_t most_bytes,
                                                      Memory& memory) {
  std::size_t listed = 0;
  for (Index k = 0; k < jumps.taken_count; ++k)
    listed += length_of(jumps.taken[k].sections);
  if (listed == 0 || listed > (std::min)(most_bytes, kMostListedBytes) /
                                  sizeof(Interval<Units>))
    return {};
  auto* const changes = memory.take<Word>(words_for(sections));
  for (Index k = 0; k < jumps.taken_count; ++k) {
    const Interval<Index> span = jumps.taken[k].sections;
    set_bit(changes, span.upper - 1);
    if (span.lower > 0) set_bit(changes, span.lower - 1);
  }
  return {{memory, sections,
           [&](auto&& give) {
             for (Index k = 0; k < jumps.taken_count; ++k) {
               const Interval<Index> span = jumps.taken[k].sections;
               for (Index s = span.lower; s < span.upper; ++s)
                 give(s, jumps.taken[k].units);
             }
           }},
          changes};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_JUMPS_HPP
