// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MindSpore's SOMAS: every combination of an order, a way to choose a gap, and
/// one of two layouts; the lowest is kept.
///
///     single object   one heap, open at the top
///     shared objects  footprints, one above the other: a buffer enters the
///                     first whose *first* buffer does not conflict with it and
///                     in which a gap fits; else it makes a new one of its size
///
///     orders   largest first, then by index; for the debug matrix also by
///              falling index, and by fewer or by more conflicts before that
///     fits     best (smallest gap) and lowest; for the debug matrix also
///              highest and worst (largest gap)
///
/// As shipped, SOMAS keeps shared objects unless a single object saves more
/// than 100 MiB: `somas_shared`. `somas_release` and `somas_debug` keep the
/// lowest of both.
///
/// What differs: conflicts are overlapping lifespans and pairs kept apart, not
/// dependencies of a graph; contiguous lists and outputs of the graph are no
/// part of the signature, so the order that puts outputs first is left out;
/// one thread.
///
/// Cost: that of fit.hpp for each combination, with footprints O(n * neighbours
/// + n * footprints).
/// Source: mindspore mindspore/ccsrc/backend/common/somas/somas_solver_*.cc.
#ifndef SNUG_BASELINES_SOMAS_HPP
#define SNUG_BASELINES_SOMAS_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// The end of a heap that has none.
inline constexpr Bytes kOpen = (std::numeric_limits<Bytes>::max)();

enum class SomasFit { kBest, kLowest, kHighest, kWorst };

/// Where `size` bytes go in [floor, ceiling), by `fit`; -1: nowhere.
[[nodiscard]] inline Bytes somas_fit(const std::vector<Chunk>& taken,
                                     Bytes size, Chunk range, SomasFit fit) {
  Bytes best = -1;
  Bytes best_gap = 0;
  Bytes top = range.lower;
  const auto consider = [&](Bytes end) {
    const Bytes gap = (std::min)(end, range.upper) - top;
    if (gap < size) return;
    const bool is_better = best < 0 || fit == SomasFit::kHighest ||
                           (fit == SomasFit::kBest && gap < best_gap) ||
                           (fit == SomasFit::kWorst && gap > best_gap);
    if (!is_better) return;
    best_gap = gap;
    // The highest place, unless the heap is open there.
    const bool is_highest = fit == SomasFit::kHighest && end < kOpen;
    best = is_highest ? (std::min)(end, range.upper) - size : top;
  };
  for (const Chunk& chunk : taken) {
    if (chunk.lower >= range.upper) break;
    consider(chunk.lower);
    top = (std::max)(top, chunk.upper);
  }
  // An open heap is made higher only where no gap fits.
  if (range.upper < kOpen || best < 0) consider(range.upper);
  return best;
}

[[nodiscard]] inline Placement somas_single(
    const Problem<>& problem, const std::vector<std::size_t>& order,
    SomasFit fit, const Budget& budget) {
  return place_in_order(
      problem, order, budget,
      [&](const std::vector<Chunk>& taken, std::size_t i) {
        return somas_fit(taken, problem.buffers[i].size, {0, kOpen}, fit);
      });
}

[[nodiscard]] inline Placement somas_footprints(
    const Problem<>& problem, const std::vector<std::size_t>& order,
    SomasFit fit, const Budget& budget) {
  Meter meter(budget);
  Placed placed(problem);
  std::vector<Chunk> footprints;
  for (const std::size_t i : order) {
    if (!meter.spend()) return {{}, 0, meter.steps()};
    const Bytes size = problem.buffers[i].size;
    const std::vector<Chunk>& taken = placed.neighbours(i);
    Bytes offset = -1;
    std::size_t next = 0;  // of the chunks, the first not below the footprint
    // The first buffer of a footprint fills it: where it conflicts, no gap is
    // left.
    for (const Chunk& footprint : footprints) {
      while (next < taken.size() && taken[next].upper <= footprint.lower)
        ++next;
      std::size_t end = next;
      while (end < taken.size() && taken[end].lower < footprint.upper) ++end;
      const std::vector<Chunk> inside(
          taken.begin() + static_cast<std::ptrdiff_t>(next),
          taken.begin() + static_cast<std::ptrdiff_t>(end));
      offset = somas_fit(inside, size, footprint, fit);
      if (offset >= 0) break;
    }
    if (offset < 0) {
      offset = footprints.empty() ? 0 : footprints.back().upper;
      footprints.push_back({offset, offset + size});
    }
    placed.place(i, offset);
  }
  return {placed.offsets(), 0, meter.steps()};
}

/// Which combinations are tried.
struct SomasMatrix {
  bool debug = false;
  bool single = true;
  bool shared = true;
};

[[nodiscard]] inline std::vector<std::vector<std::size_t>> somas_orders(
    const Problem<>& problem, bool debug) {
  const std::vector<std::size_t> conflicts = conflict_counts(problem);
  std::vector<std::vector<std::size_t>> orders;
  for (const int by_conflicts : {0, -1, 1}) {
    for (const bool falling : {false, true}) {
      if (!debug && !orders.empty()) break;
      orders.push_back(
          ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
            const Bytes size_a = problem.buffers[a].size;
            const Bytes size_b = problem.buffers[b].size;
            if (size_a != size_b) return size_a > size_b;
            if (by_conflicts != 0 && conflicts[a] != conflicts[b])
              return (conflicts[a] > conflicts[b]) == (by_conflicts > 0);
            return falling ? a > b : a < b;
          }));
    }
  }
  return orders;
}

[[nodiscard]] inline Placement somas(const Problem<>& problem,
                                     const Budget& budget,
                                     const SomasMatrix& matrix) {
  Placement best;
  const auto keep = [&](Placement found) {
    const std::int64_t steps = best.steps + found.steps;
    if (!found.offsets.empty() &&
        (best.offsets.empty() ||
         height_of(problem, found.offsets) < height_of(problem, best.offsets)))
      best = std::move(found);
    best.steps = steps;
  };
  for (const auto& order : somas_orders(problem, matrix.debug)) {
    for (const SomasFit fit : {SomasFit::kBest, SomasFit::kLowest,
                               SomasFit::kHighest, SomasFit::kWorst}) {
      if (!matrix.debug && fit == SomasFit::kHighest) break;
      Budget left = budget;
      left.steps -= best.steps;
      if (matrix.shared) keep(somas_footprints(problem, order, fit, left));
      left.steps = budget.steps - best.steps;
      if (matrix.single) keep(somas_single(problem, order, fit, left));
    }
  }
  return best;
}

[[nodiscard]] inline Placement somas_shared(const Problem<>& problem,
                                            const Budget& budget) {
  return somas(problem, budget, {false, false, true});
}
[[nodiscard]] inline Placement somas_release(const Problem<>& problem,
                                             const Budget& budget) {
  return somas(problem, budget, {false, true, true});
}
[[nodiscard]] inline Placement somas_debug(const Problem<>& problem,
                                           const Budget& budget) {
  return somas(problem, budget, {true, true, true});
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_SOMAS_HPP
