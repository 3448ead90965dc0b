// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cliques of the conflict graph of a problem with constraints: buffers of which
/// any two share no byte, in whatever placement, as they are kept apart, or at some
/// time both occupy all of their bytes.
///
///     | x |  gap  |   x   |      x occupies all of its bytes or none: whoever
///     +---+       +---+---+      it meets at any time, it shares no byte with.
///       | y |       | z |        So x may live from the gap on alone, if x and y
///                                are kept apart
///
/// The *stretch* that a buffer keeps is its longest one. Two buffers that are
/// live together in stretches, one of which is not kept, become a pair. So cliques
/// (bounds/clique_cover.hpp) see what no moment of time shows: buffers any two of which
/// meet at some time. A search of the pairs instead of the gaps takes more nodes.
///
/// Pairs that may overlap are among them, for a section knows them; but nothing
/// follows from one.
///
/// Cost: that of bounds/clique_cover.hpp, and O(n) for each buffer with gaps, times the
/// gaps of both.
#ifndef SNUG_BODIES_CONFLICT_CLIQUES_HPP
#define SNUG_BODIES_CONFLICT_CLIQUES_HPP

#include "snug/bounds/clique_cover.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether they are looked for, in problems with gaps or pairs kept apart: those of
/// ties alone are of less use than the time that they take.
enum class CliqueScope : std::uint8_t { kNone, kOfPairs };

/// Whether there is anything that they could come from, and it is not too much.
[[nodiscard]] inline bool may_have_conflict_cliques(const Flat& flat) noexcept {
  constexpr std::size_t kMost = 1024;  // of the buffers
  return flat.buffers.size() <= kMost &&
         (!flat.gaps.empty() || !flat.apart.empty());
}

/// What buffers with gaps are where they occupy all of their bytes.
struct Stretches {
  List<Interval<std::int64_t>> kept{};  ///< by buffer; may be empty
  /// Who is kept apart, and who meets whole outside of the stretches kept.
  List<IndexPair> pairs{};
};

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
  for (Index i = 0; i < n; ++i) kept.push_back(longest_stretch(flat, gaps, i));
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

/// Calls visit(clique) with the buffers of each that has three or more: two have a
/// section already, of their pair or where they meet.
template <class Visit>
void for_each_conflict_clique(const Flat& flat, const Interrupt& interrupt,
                              Visit&& visit) {
  Stretches stretches;
  if (!find_stretches(flat, stretches)) return;
  List<FlatBuffer> whole = flat.buffers;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    whole[i].lifespan = stretches.kept[i];
    if (stretches.kept[i].empty()) whole[i].size = 0;
  }
  const Plain plain = make_paired(std::move(whole), stretches.pairs);
  CliqueCover cover(plain, interrupt);
  for (const List<Index>& clique : cover.cliques())
    if (clique.size() > 2) visit(clique);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_CONFLICT_CLIQUES_HPP
