// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What dives, fits and searches of a large problem take, so that they can be
/// given equal shares: in steps, not in time, for the sake of results that are
/// the same on every machine.
#ifndef SNUG_PEAK_WORK_HPP
#define SNUG_PEAK_WORK_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/first_fit.hpp"
#include "snug/support/memory.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Searches in which so many pairs of buffers overlap, or more, take 100 MB and
/// more for their path.
inline constexpr std::int64_t kManyPairs = std::int64_t{1} << 21;

/// Work is counted in *steps*, of some 25 nanoseconds: looking at one neighbour
/// of a buffer that the search places, for instance.
struct Work {
  std::int64_t degree;  ///< boxes that one overlaps on average, at least 1
  std::int64_t dive;    ///< steps of a dive
  std::int64_t fit;     ///< steps of a first fit that places all boxes
  /// Steps that repair has before peak first begins.
  std::int64_t before_peak;
  /// Steps to spend before the whole is searched.
  std::int64_t before_whole;

  Work(const Boxes& boxes, Memory& memory) {
    const std::int64_t n{boxes.count};
    const std::int64_t pairs = overlapping_pairs(boxes, memory);
    degree = 1 + 2 * pairs / n;
    // Those of a million boxes are out of the caches.
    dive = 16 * n + n * n / 32768;
    fit = GreedyFit::is_sparse(boxes, pairs) ? 2 * pairs : n * n / 64;
    // Where a fit takes seconds, repair may be done before.
    before_peak = fit < (std::int64_t{1} << 27) ? fit / 2 : 4 * fit;
    before_whole = (pairs < kManyPairs ? 32 : 256) * n * (degree + 64);
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_WORK_HPP
