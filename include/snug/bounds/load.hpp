// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The load: the most bytes live at one time. Those bytes all need different
/// addresses, so no placement is lower.
///
/// Cost: O(n + sections) time, O(sections) memory.
#ifndef SNUG_BOUNDS_LOAD_HPP
#define SNUG_BOUNDS_LOAD_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// The bytes live in each section.
template <class Size, class Time>
[[nodiscard]] std::vector<std::int64_t> section_loads(
    const Problem<Size, Time>& problem, const Sweep& sweep) {
  std::vector<std::int64_t> loads(std::size_t{sweep.sections} + 1, 0);
  for (const Index i : sweep.order) {
    loads[sweep.spans[i].lower] += problem.buffers[i].size;
    loads[sweep.spans[i].upper] -= problem.buffers[i].size;
  }
  for (std::size_t s = 1; s < loads.size(); ++s) loads[s] += loads[s - 1];
  loads.pop_back();
  return loads;
}

/// The largest of section_loads(); 0 for a problem without buffers.
template <class Size, class Time>
[[nodiscard]] Size load(const Problem<Size, Time>& problem,
                        const Sweep& sweep) {
  std::int64_t largest = 0;
  for (const std::int64_t bytes : section_loads(problem, sweep))
    largest = (std::max)(largest, bytes);
  return static_cast<Size>(largest);
}

SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_LOAD_HPP
