// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arm Vela's hill climb over the orders of first fit.
///
///     bottleneck: the buffer with the highest end
///
///       +------+              affecting it: itself and its neighbours, and
///       |  d   |              all their chains of predecessors (the buffer that
///     +-+------+----+         pushed one up to where it lies): here b, c, a
///     |    b        |
///     +--+----+-----+         two of them change places in the order, one with
///     | a|    |   c |         a chance of 30 in 101 not a neighbour
///
/// The first order: highest load while live first, then longest, first to
/// start, largest, by index. A new order is kept if it is not higher; placing
/// stops when it is. At the load the climb stops.
///
///     vela_2021     500 iterations
///     vela_99999    99999 iterations; after 50 without a lower height the
///                   neighbours of the non-neighbours count as affecting, and a
///                   second pair changes places
///
/// What differs: random numbers (there Python's); sizes are rounded up to a
/// common alignment by the caller; equally high bottlenecks and predecessors
/// may be others. The published loop of 99999 also stops after 500 iterations
/// without an improvement once it is below a limit of memory, which this
/// signature has not.
///
/// Cost: O(sum of conflicts) an iteration; memory likewise.
/// Source: nxp-imx/ethos-u-vela ethosu/vela/hillclimb_allocation.py.
#ifndef SNUG_BASELINES_VELA_HPP
#define SNUG_BASELINES_VELA_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "random.hpp"
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

struct VelaRules {
  int iterations = 500;
  int stuck =
      0;  ///< iterations without a lower height before more is tried; 0:
          ///< never
};

class VelaClimb {
 public:
  VelaClimb(const Problem<>& problem, Meter& meter)
      : problem_(problem),
        meter_(meter),
        neighbours_(conflicts_of(problem)),
        places_(problem.buffers.size()) {
    const Profile profile = profile_of(problem);
    target_ = load_of(problem);
    std::vector<Bytes> urgency;
    for (const Buffer<>& buffer : problem.buffers) {
      Bytes most = 0;
      auto k = static_cast<std::size_t>(
          std::lower_bound(profile.moments.begin(), profile.moments.end(),
                           buffer.lifespan.lower) -
          profile.moments.begin());
      for (; profile.moments[k] < buffer.lifespan.upper; ++k)
        most = (std::max)(most, profile.loads[k]);
      urgency.push_back(most);
    }
    order_ = ordered(problem.buffers.size(), [&](std::size_t a, std::size_t b) {
      if (urgency[a] != urgency[b]) return urgency[a] > urgency[b];
      const Buffer<>& x = problem.buffers[a];
      const Buffer<>& y = problem.buffers[b];
      const Moment time_x = x.lifespan.upper - x.lifespan.lower;
      const Moment time_y = y.lifespan.upper - y.lifespan.lower;
      if (time_x != time_y) return time_x > time_y;
      if (x.lifespan.lower != y.lifespan.lower)
        return x.lifespan.lower < y.lifespan.lower;
      return x.size > y.size;
    });
  }

  [[nodiscard]] Placement run(const VelaRules& rules) {
    place();
    if (meter_.over()) return {{}, 0, meter_.steps()};
    keep();
    std::vector<std::size_t> best_order = order_;
    int since_lower = 0;
    for (int k = 0; k < rules.iterations && best_ > target_; ++k) {
      change_order(rules.stuck > 0 && since_lower >= rules.stuck);
      const Bytes before = best_;
      const Bytes height = place();
      if (meter_.over()) break;
      if (height <= best_) {
        keep();
        best_order = order_;
      } else {
        order_ = best_order;
      }
      since_lower = best_ < before ? 0 : since_lower + 1;
    }
    return {std::move(offsets_), 0, meter_.steps()};
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Place {
    Bytes offset = -1;  ///< -1: not placed
    Bytes end = -1;
    std::size_t predecessor = kNobody;
    std::size_t turn = 0;
  };

  /// Places all buffers in the present order; stops when that gets higher than
  /// the best. Returns the height.
  Bytes place() {
    for (Place& place : places_) place.offset = place.end = -1;
    Bytes height = 0;
    for (std::size_t turn = 0; turn < order_.size(); ++turn) {
      if (!meter_.spend()) break;
      const std::size_t i = order_[turn];
      place_one(i);
      places_[i].turn = turn;
      height = (std::max)(height, places_[i].end);
      if (height > best_) break;
    }
    return height;
  }

  /// The lowest offset: whoever is in the way pushes the buffer up.
  void place_one(std::size_t i) {
    const Bytes size = problem_.buffers[i].size;
    Bytes offset = 0;
    std::size_t predecessor = kNobody;
    for (bool moved = true; moved;) {
      moved = false;
      for (const std::uint32_t j : neighbours_[i]) {
        const Place& other = places_[j];
        if (other.end <= offset || other.offset >= offset + size) continue;
        offset = other.end;
        predecessor = j;
        moved = true;
      }
    }
    places_[i].offset = offset;
    places_[i].end = offset + size;
    places_[i].predecessor = predecessor;
  }

  void keep() {
    best_ = 0;
    offsets_.clear();
    for (const Place& place : places_) {
      offsets_.push_back(place.offset);
      best_ = (std::max)(best_, place.end);
    }
  }

  /// Adds the turns of buffer i and of its chain of predecessors.
  void add_chain(std::size_t i) {
    for (; i != kNobody && is_added_[i] == 0; i = places_[i].predecessor) {
      is_added_[i] = 1;
      turns_.push_back(places_[i].turn);
    }
  }

  void change_order(bool is_stuck) {
    std::size_t highest = 0;
    for (std::size_t i = 1; i < places_.size(); ++i)
      if (places_[i].end > places_[highest].end) highest = i;
    is_added_.assign(places_.size(), 0);
    turns_.clear();
    add_chain(highest);
    for (const std::uint32_t j : neighbours_[highest]) add_chain(j);
    std::vector<std::size_t> others;  // turns of those that are no neighbours
    std::vector<char> is_near(places_.size(), 0);
    is_near[highest] = 1;
    for (const std::uint32_t j : neighbours_[highest]) is_near[j] = 1;
    for (const std::size_t turn : turns_)
      if (is_near[order_[turn]] == 0) others.push_back(turn);
    if (is_stuck)
      for (const std::size_t turn : others)
        for (const std::uint32_t j : neighbours_[order_[turn]])
          if (is_added_[j] == 0) {
            is_added_[j] = 1;
            turns_.push_back(places_[j].turn);
          }
    swap_two(others);
    if (is_stuck) swap_two(others);
  }

  void swap_two(const std::vector<std::size_t>& others) {
    if (turns_.size() < 2) return;
    const bool is_other = random_.below(101) < 30 && !others.empty();
    const std::vector<std::size_t>& from = is_other ? others : turns_;
    const std::size_t one = from[random_.below(from.size())];
    std::size_t two = turns_[random_.below(turns_.size() - 1)];
    if (one == two) two = turns_.back();
    std::swap(order_[one], order_[two]);
  }

  const Problem<>& problem_;
  Meter& meter_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<Place> places_;
  std::vector<std::size_t> order_{};
  std::vector<std::size_t> turns_{};  ///< of those that affect the bottleneck
  std::vector<char> is_added_{};
  std::vector<Bytes> offsets_{};  ///< the best
  Bytes best_ = (std::numeric_limits<Bytes>::max)();
  Bytes target_ = 0;
  benchmarks::Random random_{1};
};

[[nodiscard]] inline Placement vela(const Problem<>& problem,
                                    const Budget& budget,
                                    const VelaRules& rules) {
  if (problem.buffers.empty()) return {};
  Meter meter(budget);
  return VelaClimb(problem, meter).run(rules);
}
[[nodiscard]] inline Placement vela_2021(const Problem<>& problem,
                                         const Budget& budget) {
  return vela(problem, budget, {500, 0});
}
[[nodiscard]] inline Placement vela_99999(const Problem<>& problem,
                                          const Budget& budget) {
  return vela(problem, budget, {99999, 50});
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_VELA_HPP
