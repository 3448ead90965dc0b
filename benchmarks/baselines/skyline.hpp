// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strip packing: the buffers are placed on a skyline from the bottom, always
/// on its lowest line.
///
///               +----+                  lowest line: [2, 7) at 1. Of the buffers
///       +---+   |    |                  that live within it the one that lives
///     --+   +---+    +---               longest goes there. If there is none,
///     0     2   4    7                  the line is lifted to its lower
///                                       neighbour and becomes one with it.
///
/// Of equally low lines the earliest is taken; of buffers that live equally
/// long the largest, then the first by index (which the paper leaves open).
///
/// Cost: O(n^2) time at worst, O(n) memory.
/// Source: T. Sekiyama, T. Imamichi, H. Imai, R. Raymond, "Profile-guided memory
/// optimization for deep neural networks" (2018), after E. K. Burke, G. Kendall,
/// G. Whitwell, "A new placement heuristic for the orthogonal stock-cutting
/// problem" (2004).
#ifndef SNUG_BASELINES_SKYLINE_HPP
#define SNUG_BASELINES_SKYLINE_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// Lines of different heights side by side, over all times.
class Skyline {
 public:
  Skyline() {
    constexpr Moment kFirst = (std::numeric_limits<Moment>::min)();
    lines_[kFirst] = {(std::numeric_limits<Moment>::max)(), 0};
    by_height_.insert({0, kFirst});
  }

  struct Line {
    Moment upper = 0;
    Bytes height = 0;
  };

  /// The lowest line, the earliest of equal ones.
  [[nodiscard]] Interval<Moment> lowest() const {
    const Moment lower = by_height_.begin()->second;
    return {lower, lines_.at(lower).upper};
  }
  [[nodiscard]] Bytes height() const { return by_height_.begin()->first; }

  /// Puts `size` bytes on the lowest line for `when`, which lies within it.
  void put(Interval<Moment> when, Bytes size) {
    const Interval<Moment> whole = lowest();
    const Bytes height = this->height();
    erase(whole.lower);
    if (whole.lower < when.lower) insert({whole.lower, when.lower}, height);
    if (when.upper < whole.upper) insert({when.upper, whole.upper}, height);
    insert(when, height + size);
  }

  /// Raises the lowest line to the lower one of its neighbours. There must be
  /// more than one line.
  void lift() {
    const Interval<Moment> line = lowest();
    const auto here = lines_.find(line.lower);
    const auto next = std::next(here);
    Bytes height = (std::numeric_limits<Bytes>::max)();
    if (here != lines_.begin()) height = std::prev(here)->second.height;
    if (next != lines_.end()) height = (std::min)(height, next->second.height);
    erase(line.lower);
    insert(line, height);
  }

 private:
  void erase(Moment lower) {
    by_height_.erase({lines_.at(lower).height, lower});
    lines_.erase(lower);
  }

  /// Becomes one with neighbours of the same height.
  void insert(Interval<Moment> line, Bytes height) {
    auto next = lines_.find(line.upper);
    if (next != lines_.end() && next->second.height == height) {
      line.upper = next->second.upper;
      erase(next->first);
    }
    next = lines_.lower_bound(line.lower);
    if (next != lines_.begin()) {
      const auto before = std::prev(next);
      if (before->second.upper == line.lower &&
          before->second.height == height) {
        line.lower = before->first;
        erase(line.lower);
      }
    }
    lines_[line.lower] = {line.upper, height};
    by_height_.insert({height, line.lower});
  }

  std::map<Moment, Line> lines_{};  ///< by their start
  std::set<std::pair<Bytes, Moment>> by_height_{};
};

[[nodiscard]] inline Placement skyline(const Problem<>& problem,
                                       const Budget& budget) {
  Meter meter(budget);
  Placement result;
  std::vector<Bytes> offsets(problem.buffers.size(), 0);
  const auto duration = [&](std::size_t i) {
    return problem.buffers[i].lifespan.upper -
           problem.buffers[i].lifespan.lower;
  };
  LiveSet rest(problem);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) rest.insert(i);
  Skyline line;
  for (std::size_t left = problem.buffers.size(); left > 0;) {
    if (!meter.spend()) return {{}, 0, meter.steps()};
    const Interval<Moment> lowest = line.lowest();
    bool found = false;
    std::size_t best = 0;
    rest.for_each_live(lowest, [&](std::size_t i) {
      if (!lowest.contains(problem.buffers[i].lifespan)) return;
      const bool is_better =
          !found || duration(i) > duration(best) ||
          (duration(i) == duration(best) &&
           (problem.buffers[i].size > problem.buffers[best].size ||
            (problem.buffers[i].size == problem.buffers[best].size &&
             i < best)));
      if (is_better) best = i;
      found = true;
    });
    if (!found) {
      line.lift();
      continue;
    }
    offsets[best] = line.height();
    line.put(problem.buffers[best].lifespan, problem.buffers[best].size);
    rest.erase(best);
    --left;
  }
  return {std::move(offsets), 0, meter.steps()};
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_SKYLINE_HPP
