// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A coarser problem: all on one grid, the coarsest alignment, and sizes rounded up
/// to it.
///
///     alignments 1 and 4     |aaa|b|   |ccccc|        a, b and c
///     on a grid of 4         |aaa.|b...|ccccc...|     what they take then
///
/// A placement of it is one of the problem: whoever may begin at multiples of the
/// grid may begin there, and has its bytes. That there is none says nothing, and a
/// height of it may be too high by what was rounded. But it mostly is far easier:
/// without alignments in its way, as sizes are multiples of the grid, the search has
/// all of its rules. Where sizes are far above alignments, as those of tensors are,
/// next to nothing is lost.
///
/// Who is fixed stays as it is, for its offset may be off the grid; as those of ties
/// may be, a problem with ties has no coarser one.
///
/// Cost: O(n).
#ifndef SNUG_NORMAL_COARSE_HPP
#define SNUG_NORMAL_COARSE_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The coarsest grid. On top of what is fixed or reserved there is room for all sizes
/// (model/check.hpp), and for what rounding adds to them on such a grid.
inline constexpr std::int64_t kCoarsest = std::int64_t{1} << 30;

/// The grid of the coarser problem; 1 if there is none: it would be no other one,
/// alignments do not divide the coarsest one, or numbers become too great.
[[nodiscard]] inline std::int64_t coarse_grid(const Flat& flat) noexcept {
  std::int64_t grid = 1;
  // Of what all may take together, as if they were live at one time.
  std::int64_t room = kMaxTotal;
  for (const FlatBuffer& buffer : flat.buffers) {
    if (buffer.size > room) return 1;
    room -= buffer.size;
    grid = (std::max)(grid, buffer.alignment);
  }
  const auto n = static_cast<std::int64_t>(flat.buffers.size());
  if (grid == 1 || !flat.root.empty() || grid > room / n || grid > kCoarsest)
    return 1;
  std::int64_t result = 1;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (grid % flat.buffers[i].alignment != 0) return 1;
    if (flat.buffers[i].size % grid != 0 && !flat.is_fixed(i)) result = grid;
  }
  return result;
}

/// Whether rounding up to a grid adds less than a 64th to the sizes. A grid of 1
/// stands for none.
[[nodiscard]] inline bool is_nearly_coarse(const Flat& flat,
                                           std::int64_t grid) noexcept {
  if (grid == 1) return false;
  std::int64_t total = 0;
  std::int64_t added = 0;
  for (const FlatBuffer& buffer : flat.buffers) {
    total += buffer.size;
    added += align_up(buffer.size, grid) - buffer.size;
  }
  return added < total / 64;
}

/// Makes it the coarser problem.
inline void coarsen(Flat& flat, std::int64_t grid) noexcept {
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (flat.is_fixed(i)) continue;
    flat.buffers[i].size = align_up(flat.buffers[i].size, grid);
    flat.buffers[i].alignment = grid;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_COARSE_HPP
