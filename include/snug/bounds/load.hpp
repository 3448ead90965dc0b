// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The load: the most bytes live at one time. Those bytes all need different
/// addresses, so no placement is lower.
///
/// Cost: O(n + sections) time, O(sections) memory.
#ifndef SNUG_BOUNDS_LOAD_HPP
#define SNUG_BOUNDS_LOAD_HPP

#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bytes live in each section.
[[nodiscard]] inline List<std::int64_t> section_loads(const Plain& plain) {
  List<std::int64_t> loads(std::size_t{plain.sections} + 1, 0);
  for (const Index i : plain.order) {
    loads[plain.spans[i].lower] += plain.buffers[i].size;
    loads[plain.spans[i].upper] -= plain.buffers[i].size;
  }
  for (std::size_t s = 1; s < loads.size(); ++s) loads[s] += loads[s - 1];
  loads.pop_back();
  return loads;
}

/// The largest of section_loads(); 0 for a problem without buffers.
[[nodiscard]] inline std::int64_t load(const Plain& plain) {
  std::int64_t largest = 0;
  for (const std::int64_t bytes : section_loads(plain))
    largest = (std::max)(largest, bytes);
  return largest;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_LOAD_HPP
