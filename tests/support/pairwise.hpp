// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the model says about buffers, word by word and without any cleverness:
/// which bytes a buffer occupies at a time, where two buffers first meet, the
/// load, and the fault that validate() must name. Quadratic and worse.
#ifndef SNUG_TESTS_SUPPORT_PAIRWISE_HPP
#define SNUG_TESTS_SUPPORT_PAIRWISE_HPP

#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace snug {
namespace testing {

/// The bytes, counted from its offset, that `buffer` occupies at `time`.
template <class Size, class Time>
[[nodiscard]] Interval<Size> bytes_at(const Buffer<Size, Time>& buffer,
                                      Time time) {
  const Interval<Time>& life = buffer.lifespan;
  if (time < life.lower || time >= life.upper) return {};
  for (const Gap<Size, Time>& gap : buffer.gaps)
    if (gap.lifespan.lower <= time && time < gap.lifespan.upper)
      return gap.window ? *gap.window : Interval<Size>{};
  return {0, buffer.size};
}

/// The times at which the bytes that `buffer` occupies may change, in order.
template <class Size, class Time>
[[nodiscard]] std::vector<Time> changes(const Buffer<Size, Time>& buffer) {
  std::vector<Time> times = {buffer.lifespan.lower, buffer.lifespan.upper};
  for (const Gap<Size, Time>& gap : buffer.gaps) {
    times.push_back(gap.lifespan.lower);
    times.push_back(gap.lifespan.upper);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

template <class Size, class Time>
[[nodiscard]] std::vector<Time> changes(const Buffer<Size, Time>& a,
                                        const Buffer<Size, Time>& b) {
  std::vector<Time> times = changes(a);
  for (const Time time : changes(b)) times.push_back(time);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// `bytes` moved up by `offset`; the sum must fit the type.
template <class Size>
[[nodiscard]] Interval<Size> moved(Interval<Size> bytes, Size offset) {
  return {static_cast<Size>(bytes.lower + offset),
          static_cast<Size>(bytes.upper + offset)};
}

/// A time and an address at which two buffers overlap.
template <class Size, class Time>
struct Meeting {
  Time time;
  Size byte;
};

/// The earliest overlap of two placed buffers, and its lowest byte then.
template <class Size, class Time>
[[nodiscard]] std::optional<Meeting<Size, Time>> first_meeting(
    const Buffer<Size, Time>& a, Size offset_a, const Buffer<Size, Time>& b,
    Size offset_b) {
  for (const Time time : changes(a, b)) {
    const Interval<Size> in_a = bytes_at(a, time);
    const Interval<Size> in_b = bytes_at(b, time);
    if (in_a.empty() || in_b.empty()) continue;
    const Size byte =
        (std::max)(moved(in_a, offset_a).lower, moved(in_b, offset_b).lower);
    if (byte < moved(in_a, offset_a).upper &&
        byte < moved(in_b, offset_b).upper)
      return Meeting<Size, Time>{time, byte};
  }
  return std::nullopt;
}

/// The most bytes occupied at one time: no placement is lower.
template <class Size, class Time>
[[nodiscard]] Size load_of(const Problem<Size, Time>& problem) {
  Size most = 0;
  for (const Buffer<Size, Time>& some : problem.buffers)
    for (const Time time : changes(some)) {
      Size sum = 0;
      for (const Buffer<Size, Time>& buffer : problem.buffers) {
        const Interval<Size> bytes = bytes_at(buffer, time);
        sum = static_cast<Size>(sum + bytes.upper - bytes.lower);
      }
      most = (std::max)(most, sum);
    }
  return most;
}

/// The largest offset + size.
template <class Size, class Time>
[[nodiscard]] Size height_of(const Problem<Size, Time>& problem,
                             const std::vector<Size>& offsets) {
  Size height = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    height = (std::max)(
        height, static_cast<Size>(offsets[i] + problem.buffers[i].size));
  return height;
}

/// validate() by its documentation, for well-formed problems: O(n^2) pairs.
template <class Size, class Time>
Validation validate_pairwise(const Problem<Size, Time>& problem,
                             typename Problem<Size, Time>::SizeType capacity,
                             const std::vector<Size>& offsets) {
  const std::size_t n = problem.buffers.size();
  constexpr std::size_t kNone = Check::kNoBuffer;
  if (offsets.size() != n) return {Fault::kWrongOffsetCount, kNone, kNone, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    const auto fault = [&]() {
      if (offsets[i] < 0) return Fault::kNegativeOffset;
      if (buffer.offset && *buffer.offset != offsets[i])
        return Fault::kMovedFixedOffset;
      if (offsets[i] % buffer.alignment != 0)
        return Fault::kMisalignedPlacement;
      if (offsets[i] > capacity || buffer.size > capacity - offsets[i])
        return Fault::kBeyondCapacity;
      return Fault::kNone;
    }();
    if (fault != Fault::kNone) return {fault, i, kNone, {}};
  }
  // Of two that meet at a time, the later one is the one whose occupied bytes
  // change then: both did not overlap just before. If both do, it is the one
  // behind the other in input order.
  using Key = std::tuple<Time, std::size_t, Size>;
  std::optional<Key> first;
  Validation verdict;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const auto meeting = first_meeting(problem.buffers[i], offsets[i],
                                         problem.buffers[j], offsets[j]);
      if (!meeting) continue;
      const std::vector<Time> times = changes(problem.buffers[j]);
      const std::size_t later =
          std::find(times.begin(), times.end(), meeting->time) != times.end()
              ? j
              : i;
      const Key key{meeting->time, later, meeting->byte};
      if (first && *first <= key) continue;
      first = key;
      verdict = {Fault::kOverlap, i, j, {}};
    }
  return verdict;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_PAIRWISE_HPP
