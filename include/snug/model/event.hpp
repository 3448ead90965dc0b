// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Starts and ends of intervals in order of time: what every sweep reads.
#ifndef SNUG_MODEL_EVENT_HPP
#define SNUG_MODEL_EVENT_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An interval begins or ends. `owner` is the index of the interval.
struct Event {
  std::int64_t time;
  std::uint32_t owner;
  bool is_start;
};

/// The starts and ends of intervals, two for each.
class Events {
 public:
  explicit Events(std::size_t intervals) { events_.reserve(2 * intervals); }

  template <class Time>
  void add(const Interval<Time>& interval, std::size_t owner) {
    const auto index = static_cast<std::uint32_t>(owner);
    events_.push_back({std::int64_t{interval.lower}, index, true});
    events_.push_back({std::int64_t{interval.upper}, index, false});
  }

  /// Sorts by time. Ends come before starts, as intervals are half-open: one
  /// may take over from another that ends at the same time. False if that was
  /// interrupted.
  bool sort(const Interrupt& interrupt = {}) {
    return sort_in_parts(
        events_.begin(), events_.end(),
        [](const Event& a, const Event& b) {
          if (a.time != b.time) return a.time < b.time;
          if (a.is_start != b.is_start) return b.is_start;
          return a.owner < b.owner;
        },
        interrupt);
  }

  [[nodiscard]] const Event* begin() const { return events_.begin(); }
  [[nodiscard]] const Event* end() const { return events_.end(); }

 private:
  List<Event> events_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_EVENT_HPP
