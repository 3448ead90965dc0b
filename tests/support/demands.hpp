// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Demands on a few soft pairs, by trying all sets of pairs: bit p for pair p.
#ifndef SNUG_TESTS_SUPPORT_DEMANDS_HPP
#define SNUG_TESTS_SUPPORT_DEMANDS_HPP

#include "snug/penalty/cover.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug {
namespace testing {

inline bool meets(const std::vector<detail::Demand>& demands, std::size_t set) {
  return std::all_of(demands.begin(), demands.end(), [&](const auto& one) {
    std::int64_t left = one.needed;
    for (std::size_t k = 0; k < one.pairs.size(); ++k)
      if ((set >> one.pairs[k] & 1) != 0) left -= one.worth[k];
    return left <= 0;
  });
}

inline std::int64_t cost_of(const std::vector<std::int64_t>& costs,
                            std::size_t set) {
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < costs.size(); ++p)
    if ((set >> p & 1) != 0) sum += costs[p];
  return sum;
}

/// Of a set that meets all demands, which the set of all pairs does.
inline std::int64_t least_cost(const std::vector<std::int64_t>& costs,
                               const std::vector<detail::Demand>& demands) {
  const std::size_t all = (std::size_t{1} << costs.size()) - 1;
  std::int64_t least = cost_of(costs, all);
  for (std::size_t set = 0; set < all; ++set)
    if (meets(demands, set)) least = (std::min)(least, cost_of(costs, set));
  return least;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_DEMANDS_HPP
