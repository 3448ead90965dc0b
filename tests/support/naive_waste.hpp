// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The waste of a tie by its definition, section by section.
#ifndef SNUG_TESTS_SUPPORT_NAIVE_WASTE_HPP
#define SNUG_TESTS_SUPPORT_NAIVE_WASTE_HPP

#include "snug/normal/plain.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <vector>

namespace snug {
namespace testing {

/// The waste of tie x for each byte placed, among the buffers of [begin, end),
/// of which `ties` are those of the lowest release.
template <class Units>
[[nodiscard]] double naive_waste(const Walker<Units>& walker,
                                 const std::vector<Index>& ties, Index x,
                                 Index begin, Index end) {
  const auto& instance = walker.instance;
  const Units lowest = walker.state.release[x];
  const Units top = lowest + instance.length[x];
  Units highest = 0;
  for (const Index y : ties)
    highest = (std::max)(highest, lowest + instance.length[y]);
  double sum = 0;
  for (Index s = 0; s < instance.sections; ++s) {
    const bool spanned = instance.lower[x] <= s && s < instance.upper[x];
    Units before = spanned ? top : highest;
    Units after = highest;
    for (Index y = begin; y < end; ++y) {
      if (y == x || !walker.state.is_unplaced(y) || s < instance.lower[y] ||
          s >= instance.upper[y])
        continue;
      const Units release = walker.state.release[y];
      if (!spanned) before = (std::min)(before, release);
      after = (std::min)(
          after, walker.neighbours(x, y) ? (std::max)(release, top) : release);
    }
    sum += static_cast<double>(after - before);
  }
  return sum / (static_cast<double>(instance.length[x]) *
                (instance.upper[x] - instance.lower[x]));
}

/// Those of the ties that waste the least, or up to half more.
template <class Units>
[[nodiscard]] std::vector<Index> naive_frugal(const Walker<Units>& walker,
                                              const std::vector<Index>& ties,
                                              Index begin, Index end) {
  std::vector<double> waste;
  for (const Index x : ties)
    waste.push_back(naive_waste(walker, ties, x, begin, end));
  const double least = *std::min_element(waste.begin(), waste.end());
  std::vector<Index> result;
  for (std::size_t k = 0; k < ties.size(); ++k)
    if (waste[k] <= 1.5 * least) result.push_back(ties[k]);
  return result;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_NAIVE_WASTE_HPP
