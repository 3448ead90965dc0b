// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gaps as pairs: what a buffer with gaps shares no byte with, at whatever time.
///
///     | x |  gap  |   x   |      x occupies all of its bytes or none: whoever
///     +---+       +---+---+      it meets at any time, it shares no byte with.
///       | y |       | z |        So x may live from the gap on alone, if x and y
///                                are kept apart
///
/// The *stretch* that a buffer keeps is its longest one. Two buffers that are
/// live together in stretches, one of which is not kept, become a pair. So cliques
/// (bounds/cliques.hpp) see what no moment of time shows: buffers any two of which
/// meet at some time. A search of the pairs instead of the gaps takes more nodes.
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

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PAIR_GAPS_HPP
