// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Starts and ends of intervals in order of time: what every sweep reads.
#ifndef SNUG_MODEL_EVENT_HPP
#define SNUG_MODEL_EVENT_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/spread_sort.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An interval, fewer than 2^31 of them, begins or ends.
using Event = Keyed;

/// Starts have it in their index, beside that of the interval: where one interval
/// takes over from another, ends come before starts, as they are half-open.
inline constexpr std::uint32_t kStart = std::uint32_t{1} << 31;

[[nodiscard]] constexpr std::int64_t time_of(const Event& event) noexcept {
  return event.key;
}
[[nodiscard]] constexpr bool is_start(const Event& event) noexcept {
  return (event.index & kStart) != 0;
}
/// The index of the interval.
[[nodiscard]] constexpr std::uint32_t owner_of(const Event& event) noexcept {
  return event.index & ~kStart;
}

/// The starts and ends of intervals, two for each.
class Events {
 public:
  explicit Events(std::size_t intervals) { events_.reserve(2 * intervals); }

  template <class Time>
  void add(const Interval<Time>& interval, std::size_t owner) {
    SNUG_ASSERT(owner < kStart);
    const auto index = static_cast<std::uint32_t>(owner);
    events_.push_back({std::int64_t{interval.lower}, index | kStart});
    events_.push_back({std::int64_t{interval.upper}, index});
  }

  /// Sorts by time, ends before starts, then by owner. False if that was
  /// interrupted.
  bool sort(const Interrupt& interrupt = {}) {
    return sort_keyed(events_, interrupt);
  }

  /// What so many intervals take until they are sorted.
  [[nodiscard]] static std::size_t bytes_for(std::size_t intervals) noexcept {
    return 2 * intervals * sizeof(Event) +
           SpreadSort<Event>::bytes_for(2 * intervals);
  }

  [[nodiscard]] const Event* begin() const { return events_.begin(); }
  [[nodiscard]] const Event* end() const { return events_.end(); }

 private:
  List<Event> events_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_EVENT_HPP
