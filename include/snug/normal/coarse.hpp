// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A coarser problem: all on one grid, an alignment, and sizes rounded up to it.
///
///     alignments 1 and 4     |aaa|b|   |ccccc|        a, b and c
///     on a grid of 4         |aaa.|b...|ccccc...|     what they take then
///
/// A placement of it is one of the problem: offsets on the grid suit all
/// alignments that divide it, and sizes only grew. That there is none says
/// nothing, and a height of it may be too high by what was rounded. But it
/// mostly is far easier: where sizes are multiples of the alignment, no rule of
/// the search has to be left out. Where sizes are far above alignments, as
/// those of tensors are, next to nothing is lost.
///
/// *Which grid.* One of the alignments. On the coarsest the alignments of all
/// others no longer matter. But a few buffers on pages are no reason to round
/// all others up to pages: on a finer grid those few keep their alignment,
/// which the search has to mind then. So each grid has a price, and the
/// cheapest is taken: a quarter of the bytes that it adds to the sizes, and for
/// each buffer of a coarser alignment the difference of that to the grid. The
/// finest alignment is no choice if there are others: it would change next to
/// nothing.
///
/// Fixed buffers stay as they are, for their offsets may be off the grid. So
/// may be those of tied buffers, and so a problem with ties has no coarser one.
///
/// Cost: O(n log n), and O(n) for each alignment.
#ifndef SNUG_NORMAL_COARSE_HPP
#define SNUG_NORMAL_COARSE_HPP

#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/align.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The coarsest grid. On top of what is fixed or reserved there is room for all sizes
/// (model/check.hpp), and for what rounding adds to them on such a grid.
inline constexpr std::int64_t kCoarsest = std::int64_t{1} << 30;

/// The alignments of those that have bytes and are not fixed, ascending. None if they
/// do not divide each other, or numbers become too great.
[[nodiscard]] inline List<std::int64_t> list_alignments(const Flat& flat) {
  // More than the powers of two up to kCoarsest do not divide each other, or
  // are coarser.
  constexpr std::size_t kMostAlignments = 31;
  List<std::int64_t> result;
  // Of what all may take together, as if they were live at one time.
  std::int64_t room = kMaxTotal;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (flat.buffers[i].size > room) return {};
    room -= flat.buffers[i].size;
    const std::int64_t alignment = flat.buffers[i].alignment;
    if (flat.is_fixed(i) || flat.buffers[i].size == 0 ||
        std::find(result.begin(), result.end(), alignment) != result.end())
      continue;
    if (result.size() == kMostAlignments) return {};
    result.push_back(alignment);
  }
  heap_sort(result);
  for (std::size_t k = 1; k < result.size(); ++k)
    if (result[k] % result[k - 1] != 0) return {};
  const auto n = static_cast<std::int64_t>(flat.buffers.size());
  if (!result.empty() &&
      (result.back() > room / n || result.back() > kCoarsest))
    return {};
  return result;
}

/// What a grid loses, of those that have bytes and are not fixed.
struct GridLoss {
  std::int64_t added = 0;    ///< to the sizes
  std::int64_t coarser = 0;  ///< alignments beyond the grid, less the grid
};

[[nodiscard]] inline GridLoss loss_on(const Flat& flat,
                                      std::int64_t grid) noexcept {
  GridLoss loss;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (flat.is_fixed(i) || buffer.size == 0) continue;
    loss.added += align_up(buffer.size, grid) - buffer.size;
    loss.coarser += (std::max)(buffer.alignment - grid, std::int64_t{0});
  }
  return loss;
}

/// The grid of the coarser problem; 1 if there is none: with ties, with alignments
/// that do not divide each other, where no size would change, or where numbers
/// would become too great.
[[nodiscard]] inline std::int64_t coarse_grid(const Flat& flat) {
  if (!flat.root.empty()) return 1;
  const List<std::int64_t> alignments = list_alignments(flat);
  std::int64_t best = 1;
  std::int64_t least = kMaxTotal;
  for (std::size_t k = alignments.size() > 1 ? 1 : 0; k < alignments.size();
       ++k) {
    const GridLoss loss = loss_on(flat, alignments[k]);
    const std::int64_t whole = loss.added / 4 + loss.coarser;
    if (loss.added == 0 || whole > least) continue;
    least = whole;
    best = alignments[k];
  }
  return best;
}

/// Whether a grid leaves no alignments in the way and adds less than a 64th to the
/// sizes. A grid of 1 stands for none.
[[nodiscard]] inline bool is_nearly_coarse(const Flat& flat,
                                           std::int64_t grid) noexcept {
  if (grid == 1) return false;
  std::int64_t total = 0;
  for (const FlatBuffer& buffer : flat.buffers) total += buffer.size;
  const GridLoss loss = loss_on(flat, grid);
  return loss.coarser == 0 && loss.added < total / 64;
}

/// How many buffers are on a coarser grid than others, and than all sizes.
[[nodiscard]] inline Index count_coarser(const Flat& flat) {
  std::int64_t finest = kMaxTotal;
  std::int64_t coarsest = 1;
  for (const FlatBuffer& buffer : flat.buffers) {
    if (buffer.size == 0) continue;
    finest = (std::min)(finest, buffer.alignment);
    coarsest = (std::max)(coarsest, buffer.alignment);
  }
  if (finest >= coarsest) return 0;
  const std::int64_t unit = unit_of(flat, 0);
  Index coarser = 0;
  for (const FlatBuffer& buffer : flat.buffers)
    if (buffer.size > 0 && buffer.alignment > unit) ++coarser;
  return coarser;
}

/// Whether so many are more than one in 16, and the coarser problem on `grid`, if there
/// is one, would lose much. It is worth more to walk than to search then: the search
/// places from the bottom up, so it learns late that a buffer of a fine alignment took an
/// address that one of a coarse alignment needs. Of a few such buffers it learns that
/// soon.
[[nodiscard]] inline bool has_mixed_alignments(const Flat& flat,
                                               std::int64_t grid) {
  return count_coarser(flat) > flat.buffers.size() / 16 &&
         !is_nearly_coarse(flat, grid);
}

/// Makes it the coarser problem.
inline void coarsen(Flat& flat, std::int64_t grid) noexcept {
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (flat.is_fixed(i) || flat.buffers[i].size == 0) continue;
    flat.buffers[i].size = align_up(flat.buffers[i].size, grid);
    flat.buffers[i].alignment = (std::max)(flat.buffers[i].alignment, grid);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_COARSE_HPP
