// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem of some of the buffers, and its placements put back.
///
/// What a buffer brings goes with it: its size, lifespan, alignment, gaps,
/// fixed offset, hint and end. A pair stays if both ends do. Buffers that
/// aliases and contiguous groups tie keep their distance when others of their
/// class are left out, also the one through which they were tied:
///
///      contiguous {a, b, c}           without b
///      | a |  b  | c |        ->      | a |     | c |     c alias of a
///
/// The base, the alignment of the heap and the reserved ranges stay. So what a
/// placement of the whole does to the buffers of a subset is a placement of the
/// subset: whatever fits, fits without some of its buffers.
///
/// Cost: linear, and that of ties.hpp where there are any. O(n) memory.
#ifndef SNUG_MODEL_SUBSET_HPP
#define SNUG_MODEL_SUBSET_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether all are different, in order, and below `end`.
[[nodiscard]] inline bool is_ascending(const std::vector<std::size_t>& indices,
                                       std::size_t end) {
  const auto are_swapped = [](std::size_t a, std::size_t b) { return a >= b; };
  return std::adjacent_find(indices.begin(), indices.end(), are_swapped) ==
             indices.end() &&
         (indices.empty() || indices.back() < end);
}

/// Lets buffers of one class that were kept be aliases of the first of them.
/// `position` holds the new index of each kept buffer, else Check::kNoBuffer.
///
/// A distance beyond the size type, which no placement has, becomes the largest
/// that the type can hold; no placement has that either, unless one of the two
/// buffers is empty.
template <class Size, class Time>
void keep_ties(const Problem<Size, Time>& problem,
               const std::vector<std::size_t>& position,
               Problem<Size, Time>& kept) {
  if (!has_ties(problem)) return;
  const Ties ties = tie(problem);
  std::vector<std::size_t> first(position.size(), Check::kNoBuffer);
  constexpr std::int64_t kMost = (std::numeric_limits<Size>::max)();
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i] == Check::kNoBuffer) continue;
    std::size_t& of = first[ties.root[i]];
    if (of == Check::kNoBuffer) {
      of = i;
      continue;
    }
    const std::int64_t delta = ties.delta[i] - ties.delta[of];
    kept.aliases.push_back(
        {position[i], position[of],
         static_cast<Size>((std::clamp)(delta, -kMost, kMost))});
  }
}

/// subset(). Empty if it is interrupted.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> make_subset(
    const Problem<Size, Time>& problem, const std::vector<std::size_t>& buffers,
    const Interrupt& interrupt) {
  Problem<Size, Time> kept;
  kept.base = problem.base;
  kept.alignment = problem.alignment;
  kept.reserved = problem.reserved;
  kept.buffers.reserve(buffers.size());
  for (const std::size_t i : buffers) {
    if (interrupt.at(kept.buffers.size())) return {};
    kept.buffers.push_back(problem.buffers[i]);
  }
  if (problem.apart.empty() && problem.may_overlap.empty() &&
      problem.penalties.empty() && !has_ties(problem))
    return kept;
  std::vector<std::size_t> position(problem.buffers.size(), Check::kNoBuffer);
  for (std::size_t k = 0; k < buffers.size(); ++k) position[buffers[k]] = k;
  const auto keep_pairs = [&](const auto& from, auto& to) {
    for (auto pair : from) {
      pair.first = position[pair.first];
      pair.second = position[pair.second];
      if (pair.first != Check::kNoBuffer && pair.second != Check::kNoBuffer)
        to.push_back(pair);
    }
  };
  keep_pairs(problem.apart, kept.apart);
  keep_pairs(problem.may_overlap, kept.may_overlap);
  keep_pairs(problem.penalties, kept.penalties);
  keep_ties(problem, position, kept);
  return kept;
}

}  // namespace detail

/// The problem of `buffers`, ascending indices of a well-formed problem. Its
/// k-th buffer is problem.buffers[buffers[k]]. It is well formed too; only where the last
/// of those that may share bytes are left out, the load may overflow the size type, which
/// was not asked of them (Reason::kLoadOverflow).
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> subset(
    const Problem<Size, Time>& problem,
    const std::vector<std::size_t>& buffers) {
  SNUG_ASSERT(detail::is_ascending(buffers, problem.buffers.size()) &&
              "subset: ascending indices of buffers");
  return detail::make_subset(problem, buffers, {});
}

/// Writes the offsets of a subset's buffers to their places in `all`, offsets
/// in the order of the whole problem; the others are not touched.
template <class Size>
void put_back(const std::vector<std::size_t>& buffers,
              const std::vector<Size>& offsets, std::vector<Size>& all) {
  SNUG_ASSERT(offsets.size() == buffers.size() &&
              "put_back: an offset for each buffer");
  SNUG_ASSERT(detail::is_ascending(buffers, all.size()) &&
              "put_back: ascending indices of buffers");
  for (std::size_t k = 0; k < buffers.size(); ++k) all[buffers[k]] = offsets[k];
}

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_SUBSET_HPP
