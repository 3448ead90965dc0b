// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Slack: how many units a section can still waste. It begins as the target
/// less the section's total, and every unit below the skyline that nobody can
/// use any more is taken off. When a section's slack is negative, its boxes
/// will end above the target by that much at least, however high they are now.
///
/// A complete binary tree over the sections. A node holds the least slack of
/// its sections but for what its ancestors have yet to take off.
///
/// Cost: O(sections) to fill, O(log sections) to take off, O(1) for the least.
#ifndef SNUG_HEURISTICS_SLACK_HPP
#define SNUG_HEURISTICS_SLACK_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Slack {
 public:
  Slack(const Boxes& boxes, Memory& memory)
      : sections_(boxes.sections),
        total_(memory.take<std::int64_t>(std::size_t{boxes.sections} + 1)) {
    while (leaves_ < sections_) leaves_ *= 2;
    least_ = memory.take_raw<std::int64_t>(2 * leaves_);
    taken_ = memory.take_raw<std::int64_t>(leaves_);
    for (Index x = 0; x < boxes.count; ++x) {
      total_[boxes.span[x].lower] += boxes.size[x];
      total_[boxes.span[x].upper] -= boxes.size[x];
    }
    for (std::size_t s = 1; s <= sections_; ++s) total_[s] += total_[s - 1];
    load_ = *std::max_element(total_, total_ + sections_ + 1);
  }

  /// The largest total of a section, in units.
  [[nodiscard]] std::int64_t load() const noexcept { return load_; }

  /// Nothing is wasted yet; `target` is in units and not below the load.
  void fill(std::int64_t target) {
    for (std::size_t s = 0; s < sections_; ++s)
      least_[leaves_ + s] = target - total_[s];
    std::fill(least_ + leaves_ + sections_, least_ + 2 * leaves_, kNoSection);
    std::fill(taken_, taken_ + leaves_, 0);
    for (std::size_t v = leaves_; v-- > 1;)
      least_[v] = (std::min)(least_[2 * v], least_[2 * v + 1]);
  }

  /// `units` more are wasted in all sections of `range`.
  void take_off(Interval<Index> range, std::int64_t units) {
    const std::size_t first = leaves_ + range.lower;
    const std::size_t last = leaves_ + range.upper - 1;
    for (std::size_t l = first, u = last + 1; l < u; l /= 2, u /= 2) {
      if (l % 2 == 1) take_off_node(l++, units);
      if (u % 2 == 1) take_off_node(--u, units);
    }
    update_above(first);
    update_above(last);
  }

  /// The least slack of a section.
  [[nodiscard]] std::int64_t least() const { return least_[1]; }
  /// The first section that has it.
  [[nodiscard]] Index tightest() const {
    std::size_t v = 1;
    while (v < leaves_)
      v = least_[2 * v] <= least_[2 * v + 1] ? 2 * v : 2 * v + 1;
    return static_cast<Index>(v - leaves_);
  }

 private:
  // Far above every slack, and what is taken off it does not matter.
  static constexpr std::int64_t kNoSection =
      (std::numeric_limits<std::int64_t>::max)();

  void take_off_node(std::size_t v, std::int64_t units) {
    least_[v] -= units;
    if (v < leaves_) taken_[v] += units;
  }
  void update_above(std::size_t v) {
    for (v /= 2; v > 0; v /= 2)
      least_[v] = (std::min)(least_[2 * v], least_[2 * v + 1]) - taken_[v];
  }

  std::size_t sections_;
  std::size_t leaves_ = 1;
  std::int64_t* total_;
  std::int64_t load_ = 0;
  std::int64_t* least_ = nullptr;
  std::int64_t* taken_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_HEURISTICS_SLACK_HPP
