// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A placement of some buffers of any problem, soon: what suggest_spills() has
/// in hand when it is stopped at once.
///
/// A dive places what it can below the capacity of the *easy* buffers, those that
/// may be anywhere as long as they share no bytes with one another:
///
///     capacity  +---------------+
///               |   reserved    |      not fixed; of tied buffers and of a
///               +---------------+      pair kept apart, one; where there are
///               | easy buffers, |      bottom buffers, no top buffers; none
///               | by a dive     |      with so odd an alignment that there is
///     start     +---------------+      no room for a common multiple
///     base      +---------------+
///
/// all of them as if they had no gaps, in the largest stretch that nothing is
/// ever reserved in, from the lowest multiple of all their alignments on. What
/// gaps and pairs that may overlap allow on top is left to others.
///
/// Cost: that of find_incumbent(); O(n log n) for one dive, which is never cut
/// short.
#ifndef SNUG_POOLS_FIRST_PLACEMENT_HPP
#define SNUG_POOLS_FIRST_PLACEMENT_HPP

#include "snug/config.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The largest stretch of addresses from the base to the capacity that is never
/// reserved; empty if there is none.
[[nodiscard]] inline Interval<std::int64_t> largest_free_stretch(
    const Problem<>& problem, std::int64_t capacity) {
  List<Interval<std::int64_t>> taken{{capacity, capacity}};
  for (const Reserved<>& reserved : problem.reserved)
    taken.push_back({(std::min)(reserved.bytes.lower, capacity),
                     (std::min)(reserved.bytes.upper, capacity)});
  heap_sort(taken,
            [](const auto& a, const auto& b) { return a.lower < b.lower; });
  Interval<std::int64_t> largest;
  std::int64_t free = problem.base;
  for (const Interval<std::int64_t>& range : taken) {
    if (range.lower - free > largest.upper - largest.lower)
      largest = {free, range.lower};
    free = (std::max)(free, range.upper);
  }
  return largest;
}

/// For each buffer whether it stands in nobody's way but by its bytes.
[[nodiscard]] inline List<bool> find_easy(const Problem<>& problem) {
  const std::size_t n = problem.buffers.size();
  List<bool> easy(n, true);
  bool any_bottom = false;
  for (const Buffer<>& buffer : problem.buffers)
    any_bottom = any_bottom || buffer.end == End::kBottom;
  for (std::size_t i = 0; i < n; ++i)
    easy[i] = !problem.buffers[i].offset &&
              !(any_bottom && problem.buffers[i].end == End::kTop);
  if (has_ties(problem)) {
    const Ties ties = tie(problem);
    for (std::size_t i = 0; i < n; ++i)
      if (ties.root[i] != i) easy[i] = false;
  }
  for (const BufferPair& pair : problem.apart) easy[pair.second] = false;
  return easy;
}

/// The least common multiple of a and b, both at least 1, if it is at most
/// `most`, else 0.
[[nodiscard]] inline std::int64_t common_multiple(std::int64_t a,
                                                  std::int64_t b,
                                                  std::int64_t most) noexcept {
  b /= std::gcd(a, b);
  return b > most / a ? 0 : a * b;
}

/// Writes the offsets of those of `buffers`, ascending, that it places below
/// `capacity`; of none, if it is interrupted. The problem is well formed; stop()
/// is asked between dives.
inline void place_some(const Problem<>& problem, std::int64_t capacity,
                       const std::vector<std::size_t>& buffers,
                       std::vector<std::int64_t>& offsets,
                       const Interrupt& stop, const Interrupt& interrupt = {}) {
  Interval<std::int64_t> room = largest_free_stretch(problem, capacity);
  const List<bool> easy = find_easy(problem);
  const std::int64_t most = room.upper - room.lower;
  std::int64_t common = problem.alignment;
  List<FlatBuffer> part;
  std::vector<std::size_t> placed;
  for (const std::size_t i : buffers) {
    if (interrupt.at(part.size())) return;
    const Buffer<>& buffer = problem.buffers[i];
    const std::int64_t multiple =
        common_multiple(common, buffer.alignment, most);
    if (!easy[i] || multiple == 0) continue;
    common = multiple;
    placed.push_back(i);
    part.push_back(flatten_buffer(buffer, problem.alignment));
  }
  room.lower = align_up(room.lower, common);
  if (room.empty()) return;
  const std::int64_t height = room.upper - room.lower;
  // A million buffers take a second for each dive.
  constexpr std::size_t kMost = 64;
  constexpr std::size_t kLeast = 8;
  constexpr std::size_t kBuffers = std::size_t{1} << 18;
  const std::size_t dives =
      (std::min)((std::max)(kBuffers / (part.size() + 1), kLeast), kMost);
  const Plain plain = make_plain(std::move(part), interrupt);
  const List<std::int64_t> found = find_incumbent(
      plain, height, stop, interrupt, static_cast<std::int64_t>(dives));
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] <= height - plain.buffers[k].size)
      offsets[placed[k]] = room.lower + found[k];
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_FIRST_PLACEMENT_HPP
