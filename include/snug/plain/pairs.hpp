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
#include "snug/support/rows.hpp"
#include "snug/support/view.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of each buffer those that it is kept apart from, ascending.
using PairRows = RowsView<Index, Index>;

/// Cliques that are live together at no time.
struct PairCliques {
  RowsView<Index, Index> members{};  ///< of each clique
  RowsView<Index, Index> of{};       ///< of each buffer

  [[nodiscard]] Index count() const noexcept { return members.size(); }
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

[[nodiscard]] inline PairRows take_pairs(const Plain& plain,
                                         const Partition& partition,
                                         Memory& memory) {
  if (plain.apart.empty()) return {};
  const View<const Index> buffers = plain.buffers_of(partition);
  const List<Index> number = numbers_in(plain, partition);
  // A pair is there both ways. Dealt out by the second, the first ones ascend.
  return {memory, buffers.size(), [&](auto&& give) {
            for (Index x = 0; x < buffers.size(); ++x)
              for (const Index j : plain.apart_from(buffers[x]))
                give(number[j], x);
          }};
}

[[nodiscard]] inline PairCliques take_cliques(const Plain& plain,
                                              const Partition& partition,
                                              Memory& memory) {
  if (plain.cliques.empty()) return {};
  const Index size = partition.buffers.upper - partition.buffers.lower;
  const List<Index> number = numbers_in(plain, partition);
  // Calls visit(clique, member). A clique is in one partition as a whole, for pairs
  // join partitions.
  const auto for_each_member = [&](auto&& visit) {
    Index count = 0;
    for (const List<Index>& clique : plain.cliques) {
      if (number[clique.front()] >= size) continue;
      for (const Index i : clique) visit(count, number[i]);
      ++count;
    }
    return count;
  };
  const Index count = for_each_member([](Index, Index) {});
  return {{memory, count, for_each_member},
          {memory, size, [&](auto&& give) {
             for_each_member([&](Index c, Index x) { give(x, c); });
           }}};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PAIRS_HPP
