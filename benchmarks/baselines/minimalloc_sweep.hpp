// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sweep and the preorder of the MiniMalloc baseline, as flat arrays.
///
/// Cut time at every end of a lifespan. Each piece is a *section*: the set of
/// buffers live right before that end. Two buffers overlap in time exactly
/// when they share a section, so from here on time is section indices:
///
///     b1 |#####|           |           |        lo 0  hi 1
///     b2 |     |###########|           |        lo 1  hi 2
///     b3 |#################|           |        lo 0  hi 2
///     b4 |     |           |###########|        lo 2  hi 3
///     b5 |#############################|        lo 0  hi 3
///        0     3           9           21
///         sec. 0  section 1  section 2           cuts: b3 b5 | b5
///
/// A *cut* counts the buffers on both sides of a boundary; where it is zero,
/// the two sides share no buffer and are independent problems.
///
/// Buffers are renumbered to *slots*, sorted by (lower, input index): then
/// the buffers of an independent part are a range of slots, and the
/// neighbours of a buffer lie in a window that two arrays give at once.
/// Empty buffers get no slot: they take part in nothing and lie at offset 0.
///
/// Sections at every end, not only where a start lies between two ends: the
/// latter would leave out sections whose buffers are a subset of their
/// neighbour's. Those never carry more load, but their lowest minimum offset
/// can be higher, which makes section inference stronger.
///
/// Cost: O(n log n + sections) time, O(n + sections) memory.
/// Source: M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning" (ASPLOS 2023), the sections on the
/// sweep and on static preordering.
#ifndef SNUG_BASELINES_MINIMALLOC_SWEEP_HPP
#define SNUG_BASELINES_MINIMALLOC_SWEEP_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {
namespace detail {

/// Offsets and sums. 64 bits for every problem: `check` keeps all sums of
/// sizes with their padding below 2^62.
using Offset = std::int64_t;
/// Slots, sections and ranks.
using Index = std::uint32_t;

/// Everything the search knows of the problem. Arrays are by slot unless they
/// say otherwise.
struct Sweep {
  std::vector<Index> buffer;      ///< input index
  std::vector<Index> lo;          ///< first section
  std::vector<Index> hi;          ///< one past the last section
  std::vector<Offset> size;       ///< > 0
  std::vector<Offset> alignment;  ///< >= 1
  std::vector<std::int64_t> lower;
  std::vector<std::int64_t> upper;
  std::vector<Index> overlaps;  ///< how many other slots overlap in time

  std::vector<Offset> load;       ///< by section: sum of its sizes
  std::vector<Index> cuts;        ///< by section: buffers also in the next one
  std::vector<Index> first_live;  ///< by section: its lowest slot
  /// By section, one more at the end: the lowest slot with lo >= section.
  std::vector<Index> first_slot;

  [[nodiscard]] Index slots() const {
    return static_cast<Index>(buffer.size());
  }
  [[nodiscard]] Index sections() const {
    return static_cast<Index>(load.size());
  }
  [[nodiscard]] std::uint64_t width(Index slot) const {
    return static_cast<std::uint64_t>(upper[slot]) -
           static_cast<std::uint64_t>(lower[slot]);
  }
};

/// The arrays by section, once every slot has its span.
inline void sweep_sections(Sweep& sweep, std::size_t sections) {
  // Differences first, sums after: a span may be as long as the problem.
  std::vector<Offset> load(sections + 1, 0);
  std::vector<std::int64_t> cuts(sections + 1, 0);
  sweep.first_live.assign(sections, 0);
  sweep.first_slot.assign(sections + 1, sweep.slots());
  Index painted = 0;
  for (Index x = 0; x < sweep.slots(); ++x) {
    load[sweep.lo[x]] += sweep.size[x];
    load[sweep.hi[x]] -= sweep.size[x];
    ++cuts[sweep.lo[x]];
    --cuts[sweep.hi[x] - 1];
    for (Index s = (std::max)(painted, sweep.lo[x]); s < sweep.hi[x]; ++s)
      sweep.first_live[s] = x;
    painted = (std::max)(painted, sweep.hi[x]);
  }
  Offset live = 0;
  std::int64_t crossing = 0;
  for (std::size_t s = 0; s < sections; ++s) {
    sweep.load.push_back(live += load[s]);
    sweep.cuts.push_back(static_cast<Index>(crossing += cuts[s]));
  }
  for (Index x = sweep.slots(); x-- > 0;) sweep.first_slot[sweep.lo[x]] = x;
  for (std::size_t s = sections; s-- > 0;)
    sweep.first_slot[s] =
        (std::min)(sweep.first_slot[s], sweep.first_slot[s + 1]);
}

/// Flattens a problem that has no gaps and no fixed offsets.
template <class Size, class Time>
[[nodiscard]] Sweep sweep(const Problem<Size, Time>& problem) {
  Sweep result;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    if (buffer.size == 0) continue;
    result.buffer.push_back(static_cast<Index>(i));
    starts.push_back(buffer.lifespan.lower);
    ends.push_back(buffer.lifespan.upper);
  }
  std::sort(result.buffer.begin(), result.buffer.end(), [&](Index a, Index b) {
    const Time x = problem.buffers[a].lifespan.lower;
    const Time y = problem.buffers[b].lifespan.lower;
    return x != y ? x < y : a < b;
  });
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  std::vector<std::int64_t> distinct = ends;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  for (const Index i : result.buffer) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    const std::int64_t lower = buffer.lifespan.lower;
    const std::int64_t upper = buffer.lifespan.upper;
    result.size.push_back(buffer.size);
    result.alignment.push_back(buffer.alignment);
    result.lower.push_back(lower);
    result.upper.push_back(upper);
    const auto after =
        std::upper_bound(distinct.begin(), distinct.end(), lower);
    const auto at = std::lower_bound(after, distinct.end(), upper);
    result.lo.push_back(static_cast<Index>(after - distinct.begin()));
    result.hi.push_back(static_cast<Index>(at - distinct.begin()) + 1);
    // Started before our end, less ended by our start, less the buffer itself.
    const auto started = std::lower_bound(starts.begin(), starts.end(), upper);
    const auto ended = std::upper_bound(ends.begin(), ends.end(), lower);
    result.overlaps.push_back(static_cast<Index>((started - starts.begin()) -
                                                 (ended - ends.begin())) -
                              1);
  }
  sweep_sections(result, distinct.size());
  return result;
}

/// The exact product of two unsigned numbers as (high, low) words.
[[nodiscard]] inline std::pair<std::uint64_t, std::uint64_t> wide_product(
    std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffffU;
  const std::uint64_t low = (a & kLow) * (b & kLow);
  const std::uint64_t left = (a >> 32) * (b & kLow) + (low >> 32);
  const std::uint64_t right = (a & kLow) * (b >> 32) + (left & kLow);
  return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32),
          (right << 32) | (low & kLow)};
}

/// A static preordering heuristic: letters, the first that tells two buffers
/// apart decides, larger first; then the input index, smaller first.
///
///     A  area: size times width        T  total: the largest section total
///     C  sections spanned                 of unplaced sizes over the span
///     L  lower end of the lifespan     U  upper end of the lifespan
///     O  overlaps: number of           W  width: length of the lifespan
///        overlapping buffers           Z  size
///
/// Other letters are passed over. Only T changes during the search, so all
/// else is ranked once: `before` by the letters before the first T, with ties,
/// and `after` by the letters after it and the index, without.
struct Preorder {
  std::vector<Index> before;  ///< by slot
  std::vector<Index> after;   ///< by slot
  bool has_total = false;     ///< whether T occurs at all
};

/// <0, 0 or >0: `a` comes before, with, or after `b` by these letters.
[[nodiscard]] inline int compare_by_letters(const Sweep& sweep,
                                            std::string_view letters, Index a,
                                            Index b) {
  const auto descending = [](const auto& x, const auto& y) {
    return y < x ? -1 : (x < y ? 1 : 0);
  };
  for (const char letter : letters) {
    int order = 0;
    if (letter == 'A') {
      order = descending(wide_product(static_cast<std::uint64_t>(sweep.size[a]),
                                      sweep.width(a)),
                         wide_product(static_cast<std::uint64_t>(sweep.size[b]),
                                      sweep.width(b)));
    }
    if (letter == 'C')
      order = descending(sweep.hi[a] - sweep.lo[a], sweep.hi[b] - sweep.lo[b]);
    if (letter == 'L') order = descending(sweep.lower[a], sweep.lower[b]);
    if (letter == 'O') order = descending(sweep.overlaps[a], sweep.overlaps[b]);
    if (letter == 'U') order = descending(sweep.upper[a], sweep.upper[b]);
    if (letter == 'W') order = descending(sweep.width(a), sweep.width(b));
    if (letter == 'Z') order = descending(sweep.size[a], sweep.size[b]);
    if (order != 0) return order;
  }
  return 0;
}

[[nodiscard]] inline Preorder preorder(const Sweep& sweep,
                                       std::string_view heuristic) {
  const std::size_t t = heuristic.find('T');
  const std::string_view head = heuristic.substr(0, t);
  const std::string_view tail = t == std::string_view::npos
                                    ? std::string_view()
                                    : heuristic.substr(t + 1);
  Preorder result;
  result.has_total = t != std::string_view::npos;
  result.before.assign(sweep.slots(), 0);
  result.after.assign(sweep.slots(), 0);
  std::vector<Index> order(sweep.slots());
  for (Index x = 0; x < sweep.slots(); ++x) order[x] = x;

  const auto sort_by = [&](std::string_view letters) {
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      const int by = compare_by_letters(sweep, letters, a, b);
      return by != 0 ? by < 0 : sweep.buffer[a] < sweep.buffer[b];
    });
  };
  sort_by(head);
  Index rank = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && compare_by_letters(sweep, head, order[k - 1], order[k]) != 0)
      ++rank;
    result.before[order[k]] = rank;
  }
  sort_by(tail);
  for (std::size_t k = 0; k < order.size(); ++k)
    result.after[order[k]] = static_cast<Index>(k);
  return result;
}

}  // namespace detail
}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_MINIMALLOC_SWEEP_HPP
