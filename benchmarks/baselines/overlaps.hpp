// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which buffers are live together: how many, all pairs of them, the load, and
/// a set of buffers that can be asked for those live in a lifespan.
///
///     buffers by start     b0  b1  b2  b3        a tree over them: the latest
///     latest end in set     9   -   4   7        end below each inner node
///                           `-9-'   `-7-'
///                             `---9---'
///
/// A query walks down to the buffers that start before its end and are in the
/// set with an end behind its start: O(k log n) time for k of them.
#ifndef SNUG_BASELINES_OVERLAPS_HPP
#define SNUG_BASELINES_OVERLAPS_HPP

#include "baselines/allocator.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

using Moment = std::int64_t;

/// The indices 0 to n - 1, ordered by `less`, ties by index.
template <class Less>
[[nodiscard]] std::vector<std::size_t> ordered(std::size_t n, Less less) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

/// For each buffer how many others it may not share bytes with: those live with
/// it, and those kept apart from it. O(n log n).
[[nodiscard]] inline std::vector<std::size_t> conflict_counts(
    const Problem<>& problem) {
  std::vector<Moment> starts;
  std::vector<Moment> ends;
  for (const Buffer<>& buffer : problem.buffers) {
    starts.push_back(buffer.lifespan.lower);
    ends.push_back(buffer.lifespan.upper);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  std::vector<std::size_t> counts;
  for (const Buffer<>& buffer : problem.buffers) {
    const auto begun =
        std::lower_bound(starts.begin(), starts.end(), buffer.lifespan.upper) -
        starts.begin();
    const auto ended =
        std::upper_bound(ends.begin(), ends.end(), buffer.lifespan.lower) -
        ends.begin();
    counts.push_back(static_cast<std::size_t>(begun - ended) - 1);
  }
  for (const BufferPair& pair : problem.apart) {
    if (problem.buffers[pair.first].lifespan.overlaps(
            problem.buffers[pair.second].lifespan))
      continue;
    ++counts[pair.first];
    ++counts[pair.second];
  }
  return counts;
}

/// The load after each moment at which it changes.
struct Profile {
  std::vector<Moment> moments{};  ///< increasing
  std::vector<Bytes> loads{};     ///< from that moment to the next
};

[[nodiscard]] inline Profile profile_of(const Problem<>& problem) {
  std::vector<std::pair<Moment, Bytes>> changes;
  for (const Buffer<>& buffer : problem.buffers) {
    changes.emplace_back(buffer.lifespan.lower, buffer.size);
    changes.emplace_back(buffer.lifespan.upper, -buffer.size);
  }
  std::sort(changes.begin(), changes.end());
  Profile profile;
  Bytes load = 0;
  for (const auto& [moment, bytes] : changes) {
    load += bytes;
    if (profile.moments.empty() || profile.moments.back() != moment) {
      profile.moments.push_back(moment);
      profile.loads.push_back(load);
    } else {
      profile.loads.back() = load;
    }
  }
  return profile;
}

/// The largest sum of sizes live at one time: no height is lower.
[[nodiscard]] inline Bytes load_of(const Problem<>& problem) {
  Bytes most = 0;
  for (const Bytes load : profile_of(problem).loads)
    most = (std::max)(most, load);
  return most;
}

/// Some of the buffers of a problem, to be asked who of them is live when.
class LiveSet {
 public:
  explicit LiveSet(const Problem<>& problem) {
    const std::size_t n = problem.buffers.size();
    order_ = ordered(n, [&](std::size_t a, std::size_t b) {
      return problem.buffers[a].lifespan.lower <
             problem.buffers[b].lifespan.lower;
    });
    while (leaves_ < n) leaves_ *= 2;
    latest_.assign(2 * leaves_, kNever);
    position_.resize(n);
    for (std::size_t p = 0; p < n; ++p) {
      position_[order_[p]] = p;
      const Interval<Moment>& lifespan = problem.buffers[order_[p]].lifespan;
      starts_.push_back(lifespan.lower);
      ends_.push_back(lifespan.upper);
    }
  }

  void insert(std::size_t i) { set(position_[i], ends_[position_[i]]); }
  void erase(std::size_t i) { set(position_[i], kNever); }
  void clear() { std::fill(latest_.begin(), latest_.end(), kNever); }

  /// Calls visit(i) for the buffers i in the set that are live in `when`, by
  /// start.
  template <class Visit>
  void for_each_live(Interval<Moment> when, Visit visit) const {
    const auto begun =
        std::lower_bound(starts_.begin(), starts_.end(), when.upper) -
        starts_.begin();
    const auto end = static_cast<std::size_t>(begun);
    // Depth first: the node that comes after `node` in that order is its right
    // sibling, or that of the nearest ancestor that is a left child.
    for (std::size_t node = 1;;) {
      const bool is_leaf = node >= leaves_;
      const bool has_any = latest_[node] > when.lower;
      if (has_any && !is_leaf) {
        node *= 2;
        continue;
      }
      if (is_leaf && node - leaves_ >= end) return;
      if (has_any) visit(order_[node - leaves_]);
      while (node % 2 == 1) {
        if (node == 1) return;
        node /= 2;
      }
      ++node;
    }
  }

 private:
  static constexpr Moment kNever = (std::numeric_limits<Moment>::min)();

  void set(std::size_t p, Moment end) {
    std::size_t node = p + leaves_;
    latest_[node] = end;
    while (node > 1) {
      node /= 2;
      latest_[node] = (std::max)(latest_[2 * node], latest_[2 * node + 1]);
    }
  }

  std::vector<std::size_t> order_{};     ///< buffers by start
  std::vector<std::size_t> position_{};  ///< of each buffer in it
  std::vector<Moment> starts_{};         ///< in that order
  std::vector<Moment> ends_{};
  std::size_t leaves_ = 1;
  std::vector<Moment> latest_{};  ///< the tree; the leaves are its second half
};

/// For each buffer those that it may not share bytes with, in input order.
/// Memory grows with the number of such pairs; fewer than 2^32 buffers.
[[nodiscard]] inline std::vector<std::vector<std::uint32_t>> conflicts_of(
    const Problem<>& problem) {
  const std::size_t n = problem.buffers.size();
  LiveSet all(problem);
  for (std::size_t i = 0; i < n; ++i) all.insert(i);
  std::vector<std::vector<std::uint32_t>> conflicts(n);
  for (std::size_t i = 0; i < n; ++i)
    all.for_each_live(problem.buffers[i].lifespan, [&](std::size_t j) {
      if (j != i) conflicts[i].push_back(static_cast<std::uint32_t>(j));
    });
  for (const BufferPair& pair : problem.apart) {
    conflicts[pair.first].push_back(static_cast<std::uint32_t>(pair.second));
    conflicts[pair.second].push_back(static_cast<std::uint32_t>(pair.first));
  }
  for (std::vector<std::uint32_t>& list : conflicts) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return conflicts;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_OVERLAPS_HPP
