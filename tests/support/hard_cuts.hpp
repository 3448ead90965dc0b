// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Guillotine cuts whose buffers are aligned so that the placement they were
/// cut from is still right: feasible by construction, with few placements,
/// and so the problems on which a rule that prunes too much shows. Of the
/// seeds from 0 to 40 000 a sample of those on which every row of rule_rows.hpp
/// finds a placement, but half of the rows only after 150 nodes or more; some
/// are in it because they caught a mistake planted in the search.
#ifndef SNUG_TESTS_SUPPORT_HARD_CUTS_HPP
#define SNUG_TESTS_SUPPORT_HARD_CUTS_HPP

#include "../../benchmarks/generate.hpp"
#include "../../benchmarks/variants.hpp"
#include "snug/model/problem.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug {
namespace testing {

/// A cut of 10 to 22 buffers with its placement, which fills [0, height).
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] benchmarks::Instance<Size, Time> aligned_cut(std::uint64_t seed) {
  Random random(seed);
  const auto length = static_cast<Time>(random.between(10, 24));
  const auto height = static_cast<Size>(random.between(12, 40));
  const std::size_t count = random.between(std::size_t{10}, std::size_t{22});
  benchmarks::Instance<Size, Time> cut =
      benchmarks::guillotine<Size, Time>(length, height, count, random.next());
  for (std::size_t i = 0; i < count; ++i) {
    if (!random.chance(60)) continue;
    std::vector<Size> divisors;
    for (const int divisor : {2, 3, 4, 5, 6, 7, 8, 12})
      if (cut.offsets[i] % divisor == 0)
        divisors.push_back(static_cast<Size>(divisor));
    if (!divisors.empty())
      cut.problem.buffers[i].alignment =
          divisors[static_cast<std::size_t>(random.below(divisors.size()))];
  }
  return cut;
}

/// Every other one of these cuts, with a tenth of its buffers left out.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> cut_with_holes(std::uint64_t seed) {
  const Problem<Size, Time> problem = aligned_cut<Size, Time>(seed).problem;
  return seed % 2 == 0 ? problem : benchmarks::without(problem, 10, seed);
}

// clang-format off
/// Seeds of aligned_cut().
inline constexpr std::array<std::uint32_t, 100> kHardCuts = {
    7, 25, 38, 39, 57, 61, 84, 89, 100, 127, 135, 201, 224, 226, 245, 246,
    292, 329, 361, 410, 449, 489, 506, 508, 513, 576, 589, 604, 630, 646,
    669, 700, 733, 761, 774, 781, 796, 820, 853, 863, 874, 876, 916, 954,
    998, 1010, 1015, 1066, 1067, 1083, 1084, 1142, 1146, 1167, 1181, 1204,
    1206, 1225, 1255, 1267, 1273, 1284, 1290, 1351, 1386, 1414, 1473, 1475,
    1506, 1527, 1574, 1690, 1696, 1725, 1739, 1768, 1783, 1796, 1799, 1814,
    1818, 1862, 1944, 2118, 2232, 2298, 2306, 5243, 5309, 10949, 15714,
    15949, 18270, 21590, 22939, 23552, 24190, 25009, 26766, 35803};
// clang-format on

// clang-format off
/// Seeds of cut_with_holes() that, with the switches drawn from them, caught
/// mistakes planted in the search.
inline constexpr std::array<std::uint32_t, 2> kTellingCuts = {378, 6308};
// clang-format on

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_HARD_CUTS_HPP
