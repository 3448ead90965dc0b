// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cliques of the whole conflict graph: buffers of which no two may share bytes,
/// some because they are live together, others because they are kept apart.
///
///     | a |  . . . kept apart . . .  | c |      a, b and c need disjoint bytes,
///     +---+-------+              +---+---+      although only two of them are
///         |   b   | . kept apart |              ever live together
///
/// A clique is what a section is without a place in time: its sizes add up. So
/// the heaviest one bounds the height, and the search infers on a cover of all
/// pairs by cliques as it does on sections (plain/pair_clique_bound.hpp).
/// With an alignment A, those whose alignments are multiples of A need the sum
/// of their sizes rounded up, less one padding (aligned_load.hpp).
///
/// A clique that is in no section has two buffers that are kept apart and never live
/// together. Who else is in it is kept apart from somebody, too, or live with both. All
/// others are in sections alone, and left out.
///
/// Cost: that of engine/heavy_cliques.hpp, with a budget for each pair that no
/// clique covers yet, the heaviest pairs first, and one for the heaviest, of
/// fewer nodes the more a node costs. When the time is up, those that were found
/// are all.
#ifndef SNUG_BOUNDS_CLIQUE_COVER_HPP
#define SNUG_BOUNDS_CLIQUE_COVER_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/engine/heavy_cliques.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class CliqueCover {
 public:
  CliqueCover(const Plain& plain, const Interrupt& interrupt)
      : plain_(&plain), interrupt_(interrupt), seconds_(find_seconds()) {
    if (plain.apart.empty() || interrupt()) return;
    cliques_of_.resize(plain.buffers.size());
    heaviest_ = search(1);
  }

  /// A height that no placement is below. Looks for cliques of multiples of each
  /// alignment, too.
  [[nodiscard]] std::int64_t find_bound() {
    if (plain_->apart.empty()) return 0;
    std::int64_t bound = needed_by(heaviest_, 1);
    for (const std::int64_t alignment :
         alignments_of(*plain_, kMostAlignments)) {
      if (interrupt_()) break;
      bound = (std::max)(bound, needed_by(search(alignment), alignment));
    }
    return bound;
  }
  /// Cliques that are live together at no time, by buffer, ascending.
  [[nodiscard]] Lists<Index>& cliques() noexcept { return cliques_; }

 private:
  static constexpr std::size_t kMostAlignments = 7;
  static constexpr std::size_t kMostCliques = 4096;
  static constexpr std::int64_t kNodes = 4096;
  static constexpr std::int64_t kFewestNodes = 256;
  static constexpr std::int64_t kMostWork = std::int64_t{1} << 24;
  static constexpr std::int64_t kNodesForPair = 8;
  static constexpr std::size_t kMostPairs = std::size_t{1} << 18;

  [[nodiscard]] bool meet(Index a, Index b) const {
    return plain_->spans[a].overlaps(plain_->spans[b]);
  }
  [[nodiscard]] bool are_neighbours(Index a, Index b) const {
    return meet(a, b) || plain_->is_apart(a, b);
  }

  /// For each section, of pairs the first of which ends after it: where the earliest
  /// second one begins.
  [[nodiscard]] List<Index> find_seconds() const {
    List<Index> result(plain_->sections, plain_->sections);
    for (const Index a : plain_->order)
      for (const Index b : plain_->apart_from(a)) {
        const Index end = plain_->spans[a].upper;
        const Index second = plain_->spans[b].lower;
        if (end <= second)
          result[end - 1] = (std::min)(result[end - 1], second);
      }
    for (Index s = plain_->sections; s-- > 1;)
      if (result[s] < result[s - 1]) result[s - 1] = result[s];
    return result;
  }

  /// Whether a buffer may be in a clique that is in no section: it has pairs, or is
  /// live with both of one, so from before the end of the first of the two until
  /// after the beginning of the second.
  [[nodiscard]] bool is_candidate(Index i) const {
    const Interval<Index> span = plain_->spans[i];
    return seconds_[span.lower] < span.upper || !plain_->apart_from(i).empty();
  }

  /// Adds the heaviest clique of multiples of an alignment that is found.
  List<Index> search(std::int64_t alignment) {
    List<Index> vertices;
    List<std::int64_t> weights;
    for (const Index i : plain_->order) {
      if (plain_->buffers[i].alignment % alignment != 0 || !is_candidate(i))
        continue;
      vertices.push_back(i);
      weights.push_back(align_up(plain_->buffers[i].size, alignment));
    }
    HeavyCliques graph(
        vertices, weights,
        [&](Index a, Index b) { return are_neighbours(a, b); }, interrupt_);
    if (alignment == 1) cover_pairs(graph);
    const auto n = static_cast<std::int64_t>(vertices.size());
    const std::int64_t per_node = n * (n / 64 + 1);
    const std::int64_t nodes = (std::max)(
        kFewestNodes, (std::min)(kNodes, kMostWork / (per_node + 1)));
    List<Index> heaviest = graph.heaviest(nodes);
    add(heaviest);
    return heaviest;
  }

  /// Bytes, of a clique of multiples of an alignment.
  [[nodiscard]] std::int64_t needed_by(const List<Index>& clique,
                                       std::int64_t alignment) const {
    std::int64_t sum = 0;
    std::int64_t padding = 0;
    for (const Index i : clique) {
      const std::int64_t size = plain_->buffers[i].size;
      sum += align_up(size, alignment);
      padding = (std::max)(padding, align_up(size, alignment) - size);
    }
    return sum - padding;
  }

  /// Lets every pair be in a clique, the heaviest pairs first; of too many, none.
  void cover_pairs(HeavyCliques& graph) {
    List<IndexPair> pairs;
    for (const Index a : plain_->order)
      for (const Index b : plain_->apart_from(a))
        if (a < b) pairs.push_back({a, b});
    if (pairs.size() > kMostPairs) return;
    const auto weight = [&](const IndexPair& pair) {
      return plain_->buffers[pair.first].size +
             plain_->buffers[pair.second].size;
    };
    heap_sort(pairs, [&](const IndexPair& p, const IndexPair& q) {
      return weight(p) != weight(q) ? weight(p) > weight(q) : p < q;
    });
    for (const IndexPair& pair : pairs) {
      if (is_covered(pair)) continue;
      if (cliques_.size() >= kMostCliques || interrupt_()) return;
      add(graph.heaviest_with(pair.first, pair.second, kNodesForPair));
    }
  }

  /// Whether some clique has both.
  [[nodiscard]] bool is_covered(const IndexPair& pair) const {
    const List<Index>& a = cliques_of_[pair.first];
    const List<Index>& b = cliques_of_[pair.second];
    for (std::size_t j = 0, k = 0; j < a.size() && k < b.size();) {
      if (a[j] == b[k]) return true;
      a[j] < b[k] ? ++j : ++k;
    }
    return false;
  }

  /// Adds a clique, unless it is one of a section or is there already.
  void add(const List<Index>& clique) {
    if (clique.size() < 2) return;
    Interval<Index> common{0, plain_->sections};
    for (const Index i : clique)
      common = intersection(common, plain_->spans[i]);
    if (!common.empty()) return;
    for (const List<Index>& other : cliques_)
      if (other == clique) return;
    for (const Index i : clique)
      cliques_of_[i].push_back(static_cast<Index>(cliques_.size()));
    cliques_.push_back(clique);
  }

  const Plain* plain_;
  Interrupt interrupt_;
  List<Index> seconds_;  ///< of each section
  Lists<Index> cliques_{};
  Lists<Index> cliques_of_{};  ///< by buffer, ascending
  List<Index> heaviest_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_CLIQUE_COVER_HPP
