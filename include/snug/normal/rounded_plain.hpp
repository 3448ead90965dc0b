// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A plain problem all of whose alignments have a common *grid*, with sizes that are
/// multiples of it.
///
///      C +- - - - - - -+- - -+- - -+      y ends on top, below C: it may have
///        |             |  y  |     |      the last step of the grid in part.
///     2g +-----+- - - -+-----+- - -+      What is above x is nobody's: whoever
///        |:::::|       |     |     |      begins there begins at 2g or above,
///        |  x  |       |     |     |      so x might as well end at 2g
///      g +-----+- - - -+-----+- - -+
///
/// All offsets are multiples of the grid g. So two buffers share no byte exactly if
/// they share none once their sizes are rounded up to multiples of g; only the capacity
/// C = q g + r asks more of rounded sizes. Whoever ends at q g or below is below C. If
/// 0 < r, who ends at (q + 1) g once it is rounded up is below C exactly if its last
/// step has no more than r bytes. To all others the last offset below (q + 1) g is
/// *barred*, and in sections where nobody may have the last step, that is an obstacle.
/// So the rounded problem below (q + 1) g has the placements of the whole below C.
///
/// A search sees the padding that is lost then: the sections' bytes count it.
///
/// Cost: that of make_plain(), and O(n + sections).
#ifndef SNUG_NORMAL_ROUNDED_PLAIN_HPP
#define SNUG_NORMAL_ROUNDED_PLAIN_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The grid of a plain problem without pairs and obstacles; 1 if that is no other
/// problem than it is itself.
[[nodiscard]] inline std::int64_t common_grid(const Plain& plain) {
  if (!plain.is_pure()) return 1;
  std::int64_t grid = 0;
  std::int64_t sizes = 0;
  for (const Index i : plain.order) {
    grid = std::gcd(grid, plain.buffers[i].alignment);
    sizes = std::gcd(sizes, plain.buffers[i].size);
  }
  return grid > 1 && sizes % grid != 0 ? grid : 1;
}

/// Makes that problem for a capacity, which becomes a multiple of the grid. Empty if it
/// is interrupted.
[[nodiscard]] inline Plain round_sizes(const Plain& plain, std::int64_t grid,
                                       std::int64_t& capacity,
                                       const Interrupt& interrupt) {
  const std::int64_t rest = capacity % grid;
  const std::int64_t whole = capacity - rest;
  List<FlatBuffer> buffers = plain.buffers;
  for (FlatBuffer& buffer : buffers) buffer.size = align_up(buffer.size, grid);
  Plain result = make_plain(std::move(buffers), interrupt);
  if (rest == 0 || result.buffers.empty()) return result;
  capacity = whole + grid;
  const auto may_end_above = [&](Index i) {
    const std::int64_t last = plain.buffers[i].size % grid;
    return 0 < last && last <= rest;
  };
  result.barred.reserve(result.buffers.size(), 0);
  for (Index i = 0; i < result.buffers.size(); ++i) {
    const std::int64_t size = result.buffers[i].size;
    if (size > 0 && !may_end_above(i))
      result.barred.push_back(
          {(std::max)(whole - size, std::int64_t{-1}), capacity});
    result.barred.end_row();
  }
  const auto above = sums_over(result.sections, [&](auto&& add) {
    for (const Index i : result.order)
      if (may_end_above(i)) add(result.spans[i], 1);
  });
  for (Index s = 0; s < result.sections; ++s)
    if (above[s] == 0) add_section(s, {whole, capacity}, 0, result.obstacles);
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_ROUNDED_PLAIN_HPP
