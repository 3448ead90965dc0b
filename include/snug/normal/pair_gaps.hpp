// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gaps as pairs: a buffer with gaps in which it has no bytes is one with a
/// shorter lifespan, kept apart from whom it meets outside of that.
///
///     | x |  gap  |   x   |      x occupies all of its bytes or none: whoever
///     +---+       +---+---+      it meets at any time, it shares no byte with.
///       | y |       | z |        So x may live from the gap on alone, if x and y
///                                are kept apart
///
/// The *stretch* that a buffer keeps is its longest one. Two buffers that are
/// live together in stretches, one of which is not kept, become a pair. So the
/// set of placements stays as it is, and cliques (bounds/cliques.hpp) see what
/// no moment of time shows: buffers any two of which meet at some time.
///
/// Only where no free buffer has a window, nothing is reserved for some time,
/// and no fixed buffer has gaps.
///
/// Cost: O(n) for each buffer with gaps, times the gaps of both.
#ifndef SNUG_NORMAL_PAIR_GAPS_HPP
#define SNUG_NORMAL_PAIR_GAPS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What buffers with gaps are where they occupy all of their bytes.
struct Stretches {
  List<Interval<std::int64_t>> kept{};  ///< by buffer; may be empty
  /// Who is kept apart, and who meets whole outside of the stretches kept.
  List<IndexPair> pairs{};
};

/// Of times from one end of the integers to the other, too.
[[nodiscard]] inline std::uint64_t length(
    const Interval<std::int64_t>& times) noexcept {
  return static_cast<std::uint64_t>(times.upper) -
         static_cast<std::uint64_t>(times.lower);
}

/// Finds them. False if there would be too many pairs, or too many buffers to
/// look for them.
[[nodiscard]] inline bool find_stretches(const Flat& flat, Stretches& result) {
  constexpr std::size_t kMostGapPairs = std::size_t{1} << 15;
  constexpr std::size_t kMostLooks = std::size_t{1} << 24;
  const GapsOf gaps(flat);
  const auto n = static_cast<Index>(flat.buffers.size());
  // Every buffer with gaps is compared with all others.
  if (flat.gaps.size() > kMostLooks / (std::size_t{n} + 1)) return false;
  List<Interval<std::int64_t>>& kept = result.kept;
  for (Index i = 0; i < n; ++i) {
    std::int64_t from = flat.buffers[i].lifespan.lower;
    kept.push_back({from, from});
    const auto keep_longest = [&](std::int64_t to) {
      if (length({from, to}) > length(kept[i])) kept[i] = {from, to};
    };
    for (const Interval<std::int64_t>& gap : gaps.of(i)) {
      keep_longest(gap.lower);
      from = gap.upper;
    }
    keep_longest(flat.buffers[i].lifespan.upper);
  }
  result.pairs = flat.apart;
  for (Index i = 0; i < n; ++i) {
    if (gaps.of(i).empty()) continue;
    for (Index j = 0; j < n; ++j) {
      const bool has_gaps = !gaps.of(j).empty();
      if (j != i && (!has_gaps || i < j) && !kept[i].overlaps(kept[j]) &&
          meet_whole(flat, gaps, i, j))
        result.pairs.push_back({i, j});
    }
    if (result.pairs.size() > kMostGapPairs) return false;
  }
  sort_pairs(result.pairs);
  return true;
}

/// Replaces all gaps by pairs. False, and nothing is changed, if they are not
/// of the kind, or there would be too many pairs.
[[nodiscard]] inline bool pair_gaps(Flat& flat) {
  if (flat.gaps.empty() || !flat.may_overlap.empty()) return false;
  for (const FlatGap& gap : flat.gaps)
    if (!gap.window.empty() || flat.is_fixed(gap.buffer)) return false;
  for (const FlatReserved& range : flat.reserved)
    if (!range.lifespan.empty()) return false;
  Stretches stretches;
  if (!find_stretches(flat, stretches)) return false;
  for (const Interval<std::int64_t>& kept : stretches.kept)
    if (kept.empty()) return false;  // It has no byte at any time.
  flat.apart.swap(stretches.pairs);
  for (std::size_t i = 0; i < flat.buffers.size(); ++i)
    flat.buffers[i].lifespan = stretches.kept[i];
  flat.gaps.clear();
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PAIR_GAPS_HPP
