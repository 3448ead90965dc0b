// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pairs of buffers by their indices, and lists of them in order: the smaller index
/// of each pair first, no two alike.
///
/// Cost: linear to sort, in the pairs and the largest index; a question takes
/// O(log m) of m pairs.
#ifndef SNUG_MODEL_PAIRS_HPP
#define SNUG_MODEL_PAIRS_HPP

#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Indices of buffers and sections inside the library.
using Index = std::uint32_t;

struct IndexPair {
  Index first = 0;
  Index second = 0;

  friend bool operator==(const IndexPair& p, const IndexPair& q) noexcept {
    return p.first == q.first && p.second == q.second;
  }
  friend bool operator<(const IndexPair& p, const IndexPair& q) noexcept {
    return p.first != q.first ? p.first < q.first : p.second < q.second;
  }
};

/// Puts the smaller index of each pair first, sorts, and drops what is double.
inline void sort_pairs(List<IndexPair>& pairs) {
  std::size_t end = 0;
  for (IndexPair& pair : pairs) {
    const auto [a, b] = pair;
    pair = {(std::min)(a, b), (std::max)(a, b)};
    end = (std::max)(end, pair.second + std::size_t{1});
  }
  sort_by_indices(pairs, &IndexPair::first, &IndexPair::second, end);
  drop_repeated(pairs);
}

/// Whether they are so, for assertions.
[[nodiscard]] inline bool are_sorted(const List<IndexPair>& pairs) {
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (pairs[k].second < pairs[k].first ||
        (k > 0 && !(pairs[k - 1] < pairs[k])))
      return false;
  return true;
}

/// Whether two buffers are one of sorted pairs, in either order.
[[nodiscard]] inline bool contains_pair(const List<IndexPair>& sorted, Index a,
                                        Index b) {
  return std::binary_search(sorted.begin(), sorted.end(),
                            IndexPair{(std::min)(a, b), (std::max)(a, b)});
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_PAIRS_HPP
