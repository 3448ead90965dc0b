// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The times in which at least one of some lifespans is: who is live together
/// with any of them?
///
///     added        |-----|  |---|            merged    |--------|   |---|
///                     |-----|       |---|    overlaps  a lifespan: one look
///
/// Cost: O(n log n) for n lifespans, O(log n) a look.
#ifndef SNUG_MODEL_BUSY_TIMES_HPP
#define SNUG_MODEL_BUSY_TIMES_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BusyTimes {
 public:
  /// Of at most `most` lifespans.
  explicit BusyTimes(std::size_t most) : events_(most) {}

  /// A lifespan, not empty. All come before merge().
  template <class Time>
  void add(const Interval<Time>& lifespan) {
    events_.add(lifespan, 0);
  }

  /// False if it is interrupted.
  bool merge(const Interrupt& interrupt = {}) {
    if (!events_.sort(interrupt)) return false;
    std::size_t live = 0;
    for (const Event& event : events_) {
      if (is_start(event) && live == 0) times_.push_back({time_of(event), 0});
      live += is_start(event) ? std::size_t{1} : ~std::size_t{0};
      if (live == 0) times_.back().upper = time_of(event);
    }
    return true;
  }

  /// Whether a lifespan that is not empty shares a moment with them.
  template <class Time>
  [[nodiscard]] bool overlaps(const Interval<Time>& lifespan) const {
    const auto first = std::partition_point(
        times_.begin(), times_.end(), [&](const Interval<std::int64_t>& time) {
          return time.upper <= lifespan.lower;
        });
    return first != times_.end() && first->lower < lifespan.upper;
  }

 private:
  Events events_;
  List<Interval<std::int64_t>> times_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_BUSY_TIMES_HPP
