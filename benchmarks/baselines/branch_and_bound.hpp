// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An exact branch and bound over canonical placements, with bounds from the
/// load and from cliques.
///
///     node: buffers placed in order of (offset, index); each other buffer j has
///     a lowest offset: the top of those placed that it conflicts with.
///
///     branch    the next buffer takes its lowest offset
///     bound     for each section of time: the lowest of its buffers that are
///               not placed, plus their sizes; against the best height so far
///     cut       offsets at or above the end that another buffer could have:
///               that one could be placed below, at no cost
///     root      the load, and for each pair kept apart a clique that grows
///               from it, largest first
///
/// Every placement can be pushed down, lowest first, into one in which each
/// buffer lies at 0 or on top of one that it conflicts with, and no buffer gets
/// higher. Placed in order of offset, each takes its lowest offset then: so the
/// branches miss no height. If the next offset is at or above the end that j
/// would have, whatever is placed from now on lies above that end, j included,
/// and j moved down to its lowest offset meets nobody: some placement that
/// takes j first is as low.
///
/// Starts from the lowest of first fit and best fit, largest first. Finishing
/// proves the height.
///
/// What differs: a straightforward version of what dsa-solver does to prove its
/// optima; sections are bounded from scratch at each node.
///
/// Cost: exponential; a node O(live buffers of all sections).
/// Source: tonibohnlein/dsa-solver src/dsa/algorithms/
/// canonical_exact_search.cpp; the canonical order and the cut are those of
/// MiniMalloc (M. D. Moffitt, ASPLOS 2023).
#ifndef SNUG_BASELINES_BRANCH_AND_BOUND_HPP
#define SNUG_BASELINES_BRANCH_AND_BOUND_HPP

#include "baselines/allocator.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "baselines/tflite_gpu.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// The largest sum of sizes found of buffers that all conflict with one another
/// and include a pair kept apart. O(pairs * conflicts^2).
[[nodiscard]] inline Bytes apart_clique_bound(
    const Problem<>& problem,
    const std::vector<std::vector<std::uint32_t>>& conflicts) {
  Bytes most = 0;
  const auto conflict = [&](std::uint32_t a, std::uint32_t b) {
    return std::binary_search(conflicts[a].begin(), conflicts[a].end(), b);
  };
  for (const BufferPair& pair : problem.apart) {
    if (pair.first == pair.second) continue;
    std::vector<std::uint32_t> clique = {
        static_cast<std::uint32_t>(pair.first),
        static_cast<std::uint32_t>(pair.second)};
    std::vector<std::uint32_t> rest = conflicts[pair.first];
    std::stable_sort(rest.begin(), rest.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return problem.buffers[a].size > problem.buffers[b].size;
                     });
    for (const std::uint32_t i : rest)
      if (std::all_of(clique.begin(), clique.end(), [&](std::uint32_t member) {
            return conflict(i, member);
          }))
        clique.push_back(i);
    Bytes sum = 0;
    for (const std::uint32_t i : clique) sum += problem.buffers[i].size;
    most = (std::max)(most, sum);
  }
  return most;
}

class BranchAndBound {
 public:
  BranchAndBound(const Problem<>& problem, Meter& meter)
      : problem_(problem),
        meter_(meter),
        conflicts_(conflicts_of(problem)),
        lowest_(problem.buffers.size(), 0),
        offsets_(problem.buffers.size(), -1) {
    lower_bound_ =
        (std::max)(load_of(problem), apart_clique_bound(problem, conflicts_));
    // Sections whose set of buffers is within another's would add nothing, but
    // for simplicity all are kept.
    const Profile profile = profile_of(problem);
    sections_.resize(profile.moments.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      auto k = static_cast<std::size_t>(
          std::lower_bound(profile.moments.begin(), profile.moments.end(),
                           problem.buffers[i].lifespan.lower) -
          profile.moments.begin());
      for (; profile.moments[k] < problem.buffers[i].lifespan.upper; ++k)
        sections_[k].push_back(i);
    }
  }

  [[nodiscard]] Placement run(std::vector<Bytes> incumbent) {
    best_ = std::move(incumbent);
    best_height_ = height_of(problem_, best_);
    if (best_height_ > lower_bound_) search();
    if (!meter_.over()) lower_bound_ = best_height_;
    return {std::move(best_), lower_bound_, meter_.steps()};
  }

 private:
  /// One level: the buffers that may come next, and what the last one changed.
  struct Level {
    std::vector<std::size_t> choices{};
    std::size_t next = 0;
    std::size_t placed = kNobody;
    std::vector<std::pair<std::size_t, Bytes>> raised{};  ///< and from where
  };
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  void search() {
    std::vector<Level> levels;
    levels.push_back({choices(0, kNobody), 0, kNobody, {}});
    while (!levels.empty() && best_height_ > lower_bound_) {
      Level& level = levels.back();
      if (level.placed != kNobody) undo(level);
      if (level.next == level.choices.size()) {
        levels.pop_back();
        continue;
      }
      if (!meter_.spend()) return;
      place(level, level.choices[level.next++]);
      const std::size_t i = level.placed;
      if (placed_ == offsets_.size()) {
        best_ = offsets_;
        best_height_ = height_of(problem_, best_);
      } else if (bound() < best_height_) {
        levels.push_back({choices(offsets_[i], i), 0, kNobody, {}});
      }
    }
  }

  /// Those that may follow (offset, index) in canonical order, lowest first.
  [[nodiscard]] std::vector<std::size_t> choices(Bytes offset,
                                                 std::size_t index) const {
    Bytes least_end = (std::numeric_limits<Bytes>::max)();
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      if (offsets_[i] < 0)
        least_end =
            (std::min)(least_end, lowest_[i] + problem_.buffers[i].size);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      if (offsets_[i] >= 0 || lowest_[i] >= least_end) continue;
      if (lowest_[i] < offset ||
          (lowest_[i] == offset && index != kNobody && i < index))
        continue;
      if (lowest_[i] + problem_.buffers[i].size < best_height_)
        result.push_back(i);
    }
    std::stable_sort(
        result.begin(), result.end(), [&](std::size_t a, std::size_t b) {
          return lowest_[a] != lowest_[b]
                     ? lowest_[a] < lowest_[b]
                     : problem_.buffers[a].size > problem_.buffers[b].size;
        });
    return result;
  }

  void place(Level& level, std::size_t i) {
    level.placed = i;
    offsets_[i] = lowest_[i];
    ++placed_;
    const Bytes top = offsets_[i] + problem_.buffers[i].size;
    for (const std::uint32_t j : conflicts_[i]) {
      if (offsets_[j] >= 0 || lowest_[j] >= top) continue;
      level.raised.emplace_back(j, lowest_[j]);
      lowest_[j] = align_up(top, problem_.buffers[j].alignment);
    }
  }

  void undo(Level& level) {
    for (const auto& [j, offset] : level.raised) lowest_[j] = offset;
    level.raised.clear();
    offsets_[level.placed] = -1;
    --placed_;
    level.placed = kNobody;
  }

  /// No placement below this node is lower.
  [[nodiscard]] Bytes bound() const {
    Bytes most = 0;
    for (const std::vector<std::size_t>& section : sections_) {
      Bytes floor = (std::numeric_limits<Bytes>::max)();
      Bytes sum = 0;
      for (const std::size_t i : section) {
        if (offsets_[i] >= 0) continue;
        floor = (std::min)(floor, lowest_[i]);
        sum += problem_.buffers[i].size;
      }
      if (sum > 0) most = (std::max)(most, floor + sum);
    }
    return most;
  }

  const Problem<>& problem_;
  Meter& meter_;
  std::vector<std::vector<std::uint32_t>> conflicts_;
  std::vector<std::vector<std::size_t>> sections_{};
  std::vector<Bytes> lowest_;   ///< of each buffer that is not placed
  std::vector<Bytes> offsets_;  ///< -1: not placed
  std::size_t placed_ = 0;
  std::vector<Bytes> best_{};
  Bytes best_height_ = 0;
  Bytes lower_bound_ = 0;
};

[[nodiscard]] inline Placement branch_and_bound(const Problem<>& problem,
                                                const Budget& budget) {
  if (problem.buffers.empty()) return {};
  Placement first = first_fit_in_order(problem, by_size(problem), budget);
  const Placement second = best_fit_in_order(problem, by_size(problem), budget);
  if (first.offsets.empty() || second.offsets.empty()) return first;
  if (height_of(problem, second.offsets) < height_of(problem, first.offsets))
    first = second;
  Meter meter(budget);
  return BranchAndBound(problem, meter).run(std::move(first.offsets));
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_BRANCH_AND_BOUND_HPP
