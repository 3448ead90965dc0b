// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem without its constraints, such that what does not fit then does not fit at
/// all: those that forbid something go, and of buffers that may share bytes only some
/// are left.
///
///     ties                 of two that are live together and have bytes in common,
///                          wherever they are, the one of fewer bytes is left out
///     pairs that           until no two of them are live together, the one of fewer
///     may overlap          bytes is left out
///     gaps                 a buffer lives in the longest stretch between its gaps alone,
///                          where it has all of its bytes
///     fixed                it may be anywhere, but on the grid where it is
///
/// *From the ground.* This is the lowest offset that a free buffer can have, its base
/// rounded up. None of these is below it, and of what is fixed only the bytes above it
/// are left. If all alignments divide it offsets count from there: a multiple of them
/// less the ground is one. Else they count from 0, and what is below the ground is one
/// more buffer, the last one, that is live all the time. It is at 0, so on every grid.
///
///     |    |  x  | |  y  |         ':' below the ground, where nobody else has bytes
///     |::::|
///     0    ground
///
/// A fixed buffer, from where it begins above the ground, is at a multiple of whatever
/// divides that offset: of this, what it has in common with the coarsest of the others
/// counts.
///
/// So the offsets of a placement, less the origin, are ones of the relaxed problem: no
/// placement is lower than the origin and the height that it needs.
///
/// *Beside what is fixed.* Or else this, and what is reserved, stays where it is, and
/// offsets count from 0. Then of a buffer with gaps that is alone, as it is tied to nobody and
/// may overlap nobody, all stretches and windows are left, each as a buffer of its own.
///
/// Cost: O(n log n) for n buffers, and pairs and gaps.
#ifndef SNUG_NORMAL_RELAXED_HPP
#define SNUG_NORMAL_RELAXED_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Leaves out tied buffers, as without bytes, until no two of one class that have bytes
/// in common are live together: of those that meet, by time, the smaller ones. Buffer i
/// lies `delta[i]` above its root; if there are none all do where that is. Stops if it
/// is interrupted.
inline void leave_out_tied(const List<std::uint32_t>& root,
                           const List<std::int64_t>& delta,
                           List<FlatBuffer>& buffers,
                           const Interrupt& interrupt) {
  // Of one class; with more of them each one would take too long.
  constexpr std::size_t kMost = 1024;
  List<Keyed> by_begin;
  for (Index i = 0; i < root.size(); ++i)
    if (buffers[i].size > 0) by_begin.push_back({buffers[i].lifespan.lower, i});
  if (!sort_keyed(by_begin, interrupt)) return;
  // By its root, those left of each class that have begun, but for those that have ended
  // and had bytes of later ones: no two have bytes in common, and they are in order.
  Lists<Index> left_of;
  left_of.resize(root.size());
  const auto lower = [&](Index i) { return delta.empty() ? 0 : delta[i]; };
  const auto upper = [&](Index i) { return lower(i) + buffers[i].size; };
  for (std::size_t k = 0; k < by_begin.size(); ++k) {
    if (interrupt.at(k)) return;
    const Index i = by_begin[k].index;
    List<Index>& left = left_of[root[i]];
    const auto is_live = [&](Index j) {
      return buffers[i].lifespan.lower < buffers[j].lifespan.upper;
    };
    Index* const first =
        std::partition_point(left.begin(), left.end(),
                             [&](Index j) { return upper(j) <= lower(i); });
    Index* last = first;
    bool is_left = true;
    for (; last != left.end() && lower(*last) < upper(i); ++last)
      is_left =
          is_left && (!is_live(*last) || buffers[*last].size < buffers[i].size);
    if (!is_left || (first == last && left.size() == kMost)) {
      buffers[i].size = 0;
      continue;
    }
    for (Index* met = first; met != last; ++met)
      if (is_live(*met)) buffers[*met].size = 0;
    if (first == last) {
      const auto at = first - left.begin();
      left.push_back(i);
      std::rotate(left.begin() + at, left.end() - 1, left.end());
    } else {
      *first = i;
      left.shrink(static_cast<std::size_t>(
          std::copy(last, left.end(), first + 1) - left.begin()));
    }
  }
}

/// Leaves out buffers until no two that may overlap are live together: the
/// smaller ones. Stops if it is interrupted.
inline void leave_out_overlapping(const List<IndexPair>& pairs,
                                  List<FlatBuffer>& buffers,
                                  const Interrupt& interrupt) {
  std::size_t seen = 0;
  for (const auto& [a, b] : pairs) {
    if (interrupt.at(seen++)) return;
    if (!buffers[a].lifespan.overlaps(buffers[b].lifespan)) continue;
    if (buffers[a].size == 0 || buffers[b].size == 0) continue;
    buffers[buffers[a].size < buffers[b].size ? a : b].size = 0;
  }
}

/// Lets buffers with gaps live in their longest stretches without one.
inline void leave_out_gaps(const Flat& flat, List<FlatBuffer>& buffers) {
  if (flat.gaps.empty()) return;
  const GapsOf gaps(flat);
  for (Index i = 0; i < buffers.size(); ++i) {
    if (gaps.of(i).empty()) continue;
    buffers[i].lifespan = longest_stretch(flat, gaps, i);
    if (buffers[i].lifespan.empty()) buffers[i].size = 0;
  }
}

/// A relaxed problem.
struct Relaxed {
  List<FlatBuffer> buffers{};  ///< those left out are without bytes
  std::int64_t origin = 0;     ///< what offsets count from
  bool is_filled = false;      ///< the last buffer is what is below the ground
};

/// Appends the bytes below the ground.
inline void fill_below(std::int64_t ground, std::int64_t alignment,
                       Relaxed& relaxed) {
  FlatBuffer below{{}, ground, alignment};
  for (const FlatBuffer& buffer : relaxed.buffers) {
    if (buffer.size == 0) continue;
    if (below.lifespan.empty()) below.lifespan = buffer.lifespan;
    below.lifespan = {(std::min)(below.lifespan.lower, buffer.lifespan.lower),
                      (std::max)(below.lifespan.upper, buffer.lifespan.upper)};
  }
  relaxed.buffers.push_back(below);
  relaxed.is_filled = true;
}

/// Counts offsets from the ground, or else has what is below it.
inline void count_from_ground(const Flat& flat, Relaxed& relaxed) {
  const auto is_free = [&](Index i) {
    return !flat.is_fixed(i) && relaxed.buffers[i].size > 0;
  };
  bool is_known = false;
  std::int64_t ground = flat.base;
  std::int64_t coarsest = 1;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (!is_free(i)) continue;
    const std::int64_t alignment = relaxed.buffers[i].alignment;
    const std::int64_t lowest = align_up(flat.base, alignment);
    if (!is_known || lowest < ground) ground = lowest;
    is_known = true;
    coarsest = (std::max)(coarsest, alignment);
  }
  relaxed.origin = ground;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (is_free(i) && ground % relaxed.buffers[i].alignment != 0)
      relaxed.origin = 0;
  for (Index i = 0; i < flat.fixed.size(); ++i) {
    if (!flat.is_fixed(i)) continue;
    FlatBuffer& one = relaxed.buffers[i];
    const std::int64_t from = (std::max)(flat.fixed[i], ground);
    const std::int64_t end = flat.fixed[i] + one.size;
    one.size = (std::max)(end - from, std::int64_t{0});
    one.alignment = std::gcd(from - relaxed.origin, coarsest);
  }
  if (relaxed.origin != ground) fill_below(ground, coarsest, relaxed);
}

/// The buffers as far as they are left. Of no use if it is interrupted.
[[nodiscard]] inline List<FlatBuffer> relaxed_buffers(
    const Flat& flat, const Interrupt& interrupt) {
  List<FlatBuffer> buffers = flat.buffers;
  leave_out_gaps(flat, buffers);
  if (!flat.root.empty())
    leave_out_tied(flat.root, flat.delta, buffers, interrupt);
  leave_out_overlapping(flat.may_overlap, buffers, interrupt);
  return buffers;
}

/// Of no use if it is interrupted.
[[nodiscard]] inline Relaxed relax(const Flat& flat,
                                   const Interrupt& interrupt) {
  Relaxed result{relaxed_buffers(flat, interrupt)};
  count_from_ground(flat, result);
  return result;
}

/// A relaxed problem beside what is fixed and reserved.
struct RelaxedBesideFixed {
  Flat problem{};
  /// Whose pieces those are that come after the buffers of the whole.
  List<Index> owners{};
};

/// Buffers with gaps that are alone: what is fixed has them again; of what is free all
/// pieces but the longest stretch, which is there, are buffers of their own.
inline void add_pieces(const Flat& flat, RelaxedBesideFixed& relaxed) {
  List<std::uint8_t> is_alone(flat.buffers.size(), 1);
  visit_tied(flat, [&](Index i) { is_alone[i] = 0; });
  for (const auto& [a, b] : flat.may_overlap) is_alone[a] = is_alone[b] = 0;
  Flat& problem = relaxed.problem;
  for (const FlatGap& gap : flat.gaps) {
    if (is_alone[gap.buffer] == 0 || !flat.is_fixed(gap.buffer)) continue;
    problem.buffers[gap.buffer] = flat.buffers[gap.buffer];
    problem.gaps.push_back(gap);
  }
  std::size_t gap = 0;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    if (is_alone[i] == 0 || flat.is_fixed(i)) continue;
    const Interval<std::int64_t> there = problem.buffers[i].lifespan;
    visit_pieces(flat, i, gap, [&](const auto& time, const auto& bytes) {
      if (time.empty() || bytes.empty() || time == there) return;
      problem.buffers.push_back(
          {time, length_of(bytes),
           std::gcd(flat.buffers[i].alignment, bytes.lower)});
      relaxed.owners.push_back(i);
    });
  }
}

/// Of no use if it is interrupted.
[[nodiscard]] inline RelaxedBesideFixed relax_beside_fixed(
    const Flat& flat, const Interrupt& interrupt) {
  RelaxedBesideFixed result;
  Flat& problem = result.problem;
  problem.buffers = relaxed_buffers(flat, interrupt);
  if (!flat.gaps.empty()) add_pieces(flat, result);
  problem.fixed = flat.fixed;
  if (!problem.fixed.empty())
    problem.fixed.resize(problem.buffers.size(), Flat::kNone);
  problem.reserved = flat.reserved;
  if (flat.base > 0) problem.reserved.push_back({{0, flat.base}, {}});
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_RELAXED_HPP
