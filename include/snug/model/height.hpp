// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The height of a placement: its largest offset + size.
///
/// Cost: O(n).
#ifndef SNUG_MODEL_HEIGHT_HPP
#define SNUG_MODEL_HEIGHT_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `offsets` has one for each buffer; 0 if there are none.
template <class Size, class Time, class Offset>
[[nodiscard]] std::int64_t height_of(const Problem<Size, Time>& problem,
                                     const std::vector<Offset>& offsets) {
  std::int64_t height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    height = (std::max)(height, std::int64_t{offsets[i]} +
                                    std::int64_t{problem.buffers[i].size});
  return height;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_HEIGHT_HPP
