// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A constrained problem as rigid bodies that only move up and down.
///
/// Every constraint of the model becomes one of three things:
///
///   - *Slabs.* A body is a set of rectangles, each a run of sections times a
///     range of bytes relative to the body's offset. A plain buffer is one
///     slab; gaps and windows cut it into several; buffers tied by aliases or
///     contiguous groups are one body with the slabs of all, so ties are exact,
///     whatever holes there are between the members. Reserved ranges are slabs
///     of bodies that are fixed. Each pair kept apart gets a section of its
///     own, behind all others, in which both occupy all of their bytes; so do
///     cliques (conflict_cliques.hpp).
///   - *A grid* of the offsets that suit the alignments of all members.
///   - *A fixed offset.*
///
///         8 +-----+     +-----+      b: 8 bytes, a gap, then the window
///           |  b  |     |     |      [4, 8), tied to a at b's offset + 2:
///         4 |     |     +-----+      one body of three slabs
///         2 |     | +-------+
///         0 +-----+ |   a   |
///                   +-------+
///
/// Two slabs of different bodies that share a section are in conflict unless
/// their buffers may overlap. What it takes for bodies not to meet is worked
/// out in relations.hpp.
///
/// Cost: O(p) memory for p slabs. They are made by body_builder.hpp.
#ifndef SNUG_BODIES_BODIES_HPP
#define SNUG_BODIES_BODIES_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes, in units and relative to its body's offset, that a buffer occupies
/// throughout a run of sections.
struct Slab {
  Interval<Index> sections{};
  Interval<std::int64_t> bytes{};
  Index body = 0;
  Index buffer = 0;  ///< in input order; kNoBuffer for reserved ranges
  End end = End::kAny;

  [[nodiscard]] std::int64_t length() const noexcept {
    return length_of(bytes);
  }
};

struct Body {
  static constexpr std::int64_t kFree = -1;

  std::int64_t first = 0;  ///< lowest offset of its grid that is allowed
  std::int64_t step = 1;
  std::int64_t extent = 0;  ///< its members end at most this far above it
  std::int64_t fixed = kFree;
  Interval<Index> slabs{};
  double width = 0;  ///< the user's time that its slabs cover
  double area = 0;   ///< that time multiplied by their bytes

  [[nodiscard]] bool is_fixed() const noexcept { return fixed != kFree; }
};

struct Bodies {
  static constexpr Index kNoBuffer = ~Index{0};

  std::int64_t unit = 1;
  List<Index> body_of{};       ///< of each buffer, in input order
  List<std::int64_t> delta{};  ///< of each buffer in its body, in units
  List<Body> bodies{};
  List<Slab> slabs{};  ///< by body
  Index sections = 0;
  Index times = 0;  ///< sections that are of time; the others keep pairs apart
  List<IndexPair> exempt{};  ///< both ways, sorted

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(body_of, delta, bodies, slabs, exempt);
  }

  /// The offset of a buffer in bytes, with its body at `at`.
  [[nodiscard]] std::int64_t offset_of(Index buffer,
                                       std::int64_t at) const noexcept {
    return (at + delta[buffer]) * unit;
  }
  /// Writes the offsets of all buffers in bytes, with their bodies at `at`.
  void write_offsets(const List<std::int64_t>& at,
                     List<std::int64_t>& offsets) const {
    offsets.resize(body_of.size());
    for (Index i = 0; i < offsets.size(); ++i)
      offsets[i] = offset_of(i, at[body_of[i]]);
  }
  /// Where its body is, with a buffer at `offset` bytes.
  [[nodiscard]] std::int64_t body_at(Index buffer,
                                     std::int64_t offset) const noexcept {
    return offset / unit - delta[buffer];
  }

  /// Offsets with those of fixed bodies alone.
  [[nodiscard]] List<std::int64_t> fixed_offsets() const {
    List<std::int64_t> result(bodies.size(), 0);
    for (Index b = 0; b < result.size(); ++b)
      if (bodies[b].is_fixed()) result[b] = bodies[b].fixed;
    return result;
  }
  /// Where each body is in a placement of all buffers, bytes.
  [[nodiscard]] List<std::int64_t> bodies_at(
      const List<std::int64_t>& offsets) const {
    List<std::int64_t> at = fixed_offsets();
    for (Index i = 0; i < offsets.size(); ++i)
      at[body_of[i]] = body_at(i, offsets[i]);
    return at;
  }
  [[nodiscard]] View<const Slab> slabs_of(Index b) const noexcept {
    return {slabs.data() + bodies[b].slabs.lower,
            slabs.data() + bodies[b].slabs.upper};
  }
  /// Calls visit(k) for each slab of a body.
  template <class Visit>
  void for_each_slab(Index b, Visit&& visit) const {
    const Interval<Index> of_body = bodies[b].slabs;
    for (Index k = of_body.lower; k < of_body.upper; ++k) visit(k);
  }

  /// The pairs of a buffer that it may overlap.
  [[nodiscard]] View<const IndexPair> exempt_of(Index buffer) const {
    const auto find = [&](Index other) {
      return std::lower_bound(exempt.begin(), exempt.end(),
                              IndexPair{buffer, other});
    };
    return {find(0), find(kNoBuffer)};
  }
  /// Whether a buffer may overlap any other.
  [[nodiscard]] bool is_exempt(Index buffer) const {
    return !exempt_of(buffer).empty();
  }

  /// Whether two slabs that share a section must not share bytes.
  [[nodiscard]] bool exclude(const Slab& a, const Slab& b) const {
    return a.body != b.body &&
           (exempt.empty() ||
            !std::binary_search(exempt.begin(), exempt.end(),
                                IndexPair{a.buffer, b.buffer}));
  }
};

/// Time in blocks of sections, for lists of what is near.
struct SectionBlocks {
  static constexpr Index kCount = 512;  ///< a power of two

  explicit SectionBlocks(Index sections, Index count = kCount)
      : per_block(sections / count + 1) {}

  /// The blocks of a run of sections.
  [[nodiscard]] Interval<Index> of(Interval<Index> sections) const noexcept {
    return {sections.lower / per_block, (sections.upper - 1) / per_block + 1};
  }

  Index per_block;
};

/// The slabs of all bodies in order of their first sections.
[[nodiscard]] inline List<Index> slabs_in_time(const Bodies& bodies) {
  List<Index> order = numbers_below(bodies.slabs.size());
  sort_ascending(order,
                 [&](Index k) { return bodies.slabs[k].sections.lower; });
  return order;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODIES_HPP
