// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pairs kept apart, as the plain search reads them: with the numbers that the
/// buffers of a partition have there.
///
/// A pair makes its two buffers neighbours although their lifespans are disjoint.
/// Everything that asks for neighbours (rows, releases, witnesses, conflicts)
/// gets both kinds; only what is laid out along time has to know the difference:
/// a part must not be cut between the two (part.hpp), and they share no section
/// but cliques (pair_clique_bound.hpp).
///
/// Cost: O(pairs + members of cliques) memory.
#ifndef SNUG_PLAIN_PAIRS_HPP
#define SNUG_PLAIN_PAIRS_HPP

#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Who is kept apart from whom.
struct PairLists {
  const Index* begin = nullptr;  ///< null: there are no pairs
  const Index* partner = nullptr;

  [[nodiscard]] bool empty() const noexcept { return begin == nullptr; }
  /// Calls visit(y) for each y that x is kept apart from, ascending.
  template <class Visit>
  void for_each(Index x, Visit&& visit) const {
    if (empty()) return;
    for (Index k = begin[x]; k < begin[x + 1]; ++k) visit(partner[k]);
  }
  [[nodiscard]] bool contains(Index x, Index y) const noexcept {
    return !empty() &&
           std::binary_search(partner + begin[x], partner + begin[x + 1], y);
  }
  /// Whether x and y are kept apart from the same buffers.
  [[nodiscard]] bool are_equal(Index x, Index y) const noexcept {
    return empty() || std::equal(partner + begin[x], partner + begin[x + 1],
                                 partner + begin[y], partner + begin[y + 1]);
  }
};

/// Cliques that are live together at no time, and those of each buffer.
struct PairCliques {
  Index count = 0;
  const Index* begin = nullptr;     ///< the members of clique c are
  const Index* member = nullptr;    ///< member[begin[c], begin[c + 1])
  const Index* of_begin = nullptr;  ///< the cliques of buffer x are
  const Index* of = nullptr;        ///< of[of_begin[x], of_begin[x + 1])

  /// Of all cliques together.
  [[nodiscard]] Index members() const noexcept {
    return count == 0 ? 0 : begin[count];
  }
};

/// The numbers in a partition, by input index.
[[nodiscard]] inline List<Index> numbers_in(const Plain& plain,
                                            const Partition& partition) {
  constexpr Index kNone = ~Index{0};
  List<Index> number(plain.buffers.size(), kNone);
  Index next = 0;
  for (const Index i : plain.buffers_of(partition)) number[i] = next++;
  return number;
}

[[nodiscard]] inline PairLists take_pairs(const Plain& plain,
                                          const Partition& partition,
                                          Memory& memory) {
  PairLists lists;
  if (plain.apart.empty()) return lists;
  const View<const Index> buffers = plain.buffers_of(partition);
  const auto size = static_cast<Index>(buffers.size());
  const List<Index> number = numbers_in(plain, partition);
  auto* const begin = memory.take<Index>(std::size_t{size} + 1);
  for (Index x = 0; x < size; ++x)
    begin[x + 1] =
        begin[x] + static_cast<Index>(plain.apart_from(buffers[x]).size());
  if (begin[size] == 0) return lists;
  auto* const partner = memory.take<Index>(begin[size]);
  for (Index x = 0; x < size; ++x) {
    Index at = begin[x];
    for (const Index j : plain.apart_from(buffers[x]))
      partner[at++] = number[j];
    heap_sort(partner + begin[x], at - begin[x],
              [](Index a, Index b) { return a < b; });
  }
  lists.begin = begin;
  lists.partner = partner;
  return lists;
}

[[nodiscard]] inline PairCliques take_cliques(const Plain& plain,
                                              const Partition& partition,
                                              Memory& memory) {
  PairCliques cliques;
  if (plain.cliques.empty()) return cliques;
  const Index size = partition.buffers.upper - partition.buffers.lower;
  const List<Index> number = numbers_in(plain, partition);
  std::size_t total = 0;
  for (const List<Index>& clique : plain.cliques) total += clique.size();
  auto* const begin = memory.take<Index>(plain.cliques.size() + 1);
  auto* const member = memory.take<Index>(total);
  auto* const of_begin = memory.take<Index>(std::size_t{size} + 1);
  auto* const of = memory.take<Index>(total);
  // A clique is in one partition as a whole, for pairs join partitions.
  for (const List<Index>& clique : plain.cliques) {
    if (number[clique.front()] >= size) continue;
    Index at = begin[cliques.count];
    for (const Index i : clique) {
      member[at++] = number[i];
      ++of_begin[number[i] + 1];
    }
    begin[++cliques.count] = at;
  }
  for (Index x = 0; x < size; ++x) of_begin[x + 1] += of_begin[x];
  List<Index> next(of_begin, of_begin + size);
  for (Index c = 0; c < cliques.count; ++c)
    for (Index k = begin[c]; k < begin[c + 1]; ++k) of[next[member[k]]++] = c;
  cliques.begin = begin;
  cliques.member = member;
  cliques.of_begin = of_begin;
  cliques.of = of;
  return cliques;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PAIRS_HPP
