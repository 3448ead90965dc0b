// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a walk over placements (place_walk.hpp) sees of a memory: for each body the
/// others that it must not meet, and where it may not be in any case.
///
/// Cost: that of find_meetings(); memory for two entries a pair of bodies.
#ifndef SNUG_POOLS_PLACE_MEMORY_HPP
#define SNUG_POOLS_PLACE_MEMORY_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A body that another one must not meet, and the differences of their offsets that are
/// forbidden.
struct PlaceNear {
  Index body;
  Forbidden forbidden;
};

/// Bodies in a memory, and what keeps them from meeting there.
struct PlaceMemory {
  const Bodies* bodies;
  Rows<PlaceNear> near{};    ///< of each body, with what other bodies forbid it
  Rows<Forbidden> barred{};  ///< of each body, its offsets where fixed ones are

  /// The first `count` bodies are to be placed, and none of them is fixed; all others
  /// are. They must outlive this.
  PlaceMemory(const Bodies& its, std::size_t count) : bodies(&its) {
    const Meetings met = find_meetings(its);
    near.deal(count, [&](auto&& give) {
      for (const Meeting& one : met.free) {
        give(one.y, PlaceNear{one.x, one.forbidden});
        give(one.x, PlaceNear{one.y, negated(one.forbidden)});
      }
    });
    barred.deal(count, [&](auto&& give) {
      for (const Meeting& one : met.fixed) give(one.x, one.forbidden);
    });
  }

  /// No fewer than the pairs of slabs that share a section.
  [[nodiscard]] static std::int64_t count_pairs(const Bodies& bodies) {
    const List<std::int64_t> live = sums_over(bodies.sections, [&](auto&& add) {
      for (const Slab& slab : bodies.slabs) add(slab.sections, 1);
    });
    // Of two slabs, one is live where the other one begins.
    std::int64_t pairs = 0;
    for (const Slab& slab : bodies.slabs)
      if (!slab.sections.empty()) pairs += live[slab.sections.lower];
    return pairs;
  }
};

/// A pool of a walk: which memory it has, and where that ends, in its units.
struct PlacePool {
  Index memory;
  std::int64_t top;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_PLACE_MEMORY_HPP
