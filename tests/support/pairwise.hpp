// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the model says about buffers, word by word and without any cleverness:
/// which bytes a buffer occupies at a time, where two buffers first meet, who
/// is tied to whom, the load, and the fault that validate() must name.
/// Quadratic and worse.
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
#include <utility>
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

/// Where ties put each buffer: `delta` above the offset of the smallest index
/// that it is tied to, `of`. Ties must not contradict one another.
template <class Size>
struct Tied {
  std::vector<std::size_t> of{};
  std::vector<Size> delta{};
};

/// By repeating every tie until nothing changes.
template <class Size, class Time>
[[nodiscard]] Tied<Size> tied_of(const Problem<Size, Time>& problem) {
  std::vector<Alias<Size>> ties = problem.aliases;
  for (const std::vector<std::size_t>& group : problem.contiguous)
    for (std::size_t k = 1; k < group.size(); ++k)
      ties.push_back(
          {group[k], group[k - 1], problem.buffers[group[k - 1]].size});
  const std::size_t n = problem.buffers.size();
  Tied<Size> tied;
  tied.delta.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) tied.of.push_back(i);
  for (bool changed = true; changed;) {
    changed = false;
    const auto follow = [&](std::size_t i, std::size_t j, Size delta) {
      if (tied.of[i] <= tied.of[j]) return;
      tied.of[i] = tied.of[j];
      tied.delta[i] = static_cast<Size>(tied.delta[j] + delta);
      changed = true;
    };
    for (const Alias<Size>& tie : ties) {
      follow(tie.buffer, tie.of, tie.delta);
      follow(tie.of, tie.buffer, static_cast<Size>(-tie.delta));
    }
  }
  return tied;
}

/// Whether a list of pairs has {i, j}, either way round.
[[nodiscard]] inline bool has_pair(const std::vector<BufferPair>& pairs,
                                   std::size_t i, std::size_t j) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const BufferPair& pair) {
    return (pair.first == i && pair.second == j) ||
           (pair.first == j && pair.second == i);
  });
}

/// Whether `a` is of a bottom and `b` of a top buffer, or the other way round,
/// and they are in the wrong order. Neither is empty.
template <class Size>
[[nodiscard]] bool at_wrong_ends(End end_a, const Interval<Size>& a, End end_b,
                                 const Interval<Size>& b) {
  const bool a_is_below = end_a == End::kBottom && end_b == End::kTop;
  const bool b_is_below = end_b == End::kBottom && end_a == End::kTop;
  return (a_is_below && a.upper > b.lower) || (b_is_below && b.upper > a.lower);
}

/// What one buffer or reserved range occupies at some time.
template <class Size>
struct Occupant {
  Interval<Size> bytes{};
  std::size_t index = 0;
  bool is_reserved = false;
  End end = End::kAny;
};

/// The fault of putting `next` to the others that are there, and the index of
/// the one it hits.
template <class Size, class Time>
[[nodiscard]] std::pair<Fault, std::size_t> put_in(
    const Problem<Size, Time>& problem, const Tied<Size>& tied,
    std::vector<Occupant<Size>> others, const Occupant<Size>& next) {
  std::sort(others.begin(), others.end(),
            [](const Occupant<Size>& a, const Occupant<Size>& b) {
              return std::tie(a.bytes.lower, a.index) <
                     std::tie(b.bytes.lower, b.index);
            });
  for (const Fault fault :
       {Fault::kOverlap, Fault::kWrongEnd, Fault::kReservedBytes})
    for (const Occupant<Size>& other : others) {
      const bool overlap = next.bytes.overlaps(other.bytes);
      if (next.is_reserved || other.is_reserved) {
        if (fault == Fault::kReservedBytes && overlap &&
            next.is_reserved != other.is_reserved)
          return {fault, other.index};
        continue;
      }
      if (tied.of[next.index] == tied.of[other.index] ||
          has_pair(problem.may_overlap, next.index, other.index))
        continue;
      if ((fault == Fault::kOverlap && overlap) ||
          (fault == Fault::kWrongEnd &&
           at_wrong_ends(next.end, next.bytes, other.end, other.bytes)))
        return {fault, other.index};
    }
  return {Fault::kNone, 0};
}

/// The faults in order of time.
template <class Size, class Time>
[[nodiscard]] Validation validate_in_time(const Problem<Size, Time>& problem,
                                          const std::vector<Size>& offsets) {
  const Tied<Size> tied = tied_of(problem);
  std::vector<std::vector<Time>> begins;
  std::vector<Time> all;
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    begins.push_back(changes(buffer));
  for (const Reserved<Size, Time>& reserved : problem.reserved)
    if (reserved.lifespan)
      begins.push_back({reserved.lifespan->lower, reserved.lifespan->upper});
    else
      begins.emplace_back();
  for (const std::vector<Time>& times : begins)
    all.insert(all.end(), times.begin(), times.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::size_t n = problem.buffers.size();
  for (const Time now : all) {
    std::vector<Occupant<Size>> there;
    std::vector<Occupant<Size>> beginning;
    for (std::size_t k = 0; k < begins.size(); ++k) {
      Occupant<Size> one{{}, k, false, End::kAny};
      if (k < n) {
        one.bytes = bytes_at(problem.buffers[k], now);
        if (one.bytes.empty()) continue;
        one.bytes = moved(one.bytes, offsets[k]);
        one.end = problem.buffers[k].end;
      } else {
        const Reserved<Size, Time>& reserved = problem.reserved[k - n];
        if (reserved.lifespan &&
            (now < reserved.lifespan->lower || now >= reserved.lifespan->upper))
          continue;
        one = {reserved.bytes, k - n, true, End::kAny};
      }
      const bool is_new =
          std::find(begins[k].begin(), begins[k].end(), now) != begins[k].end();
      (is_new ? beginning : there).push_back(one);
    }
    for (const Occupant<Size>& next : beginning) {
      const auto [fault, other] = put_in(problem, tied, there, next);
      if (fault == Fault::kReservedBytes)
        return {fault,
                next.is_reserved ? other : next.index,
                next.is_reserved ? next.index : other,
                {}};
      if (fault != Fault::kNone)
        return {fault,
                (std::min)(next.index, other),
                (std::max)(next.index, other),
                {}};
      there.push_back(next);
    }
  }
  return {};
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
      if (offsets[i] < problem.base) return Fault::kBelowBase;
      if (buffer.offset && *buffer.offset != offsets[i])
        return Fault::kMovedFixedOffset;
      if (offsets[i] % buffer.alignment != 0 ||
          offsets[i] % problem.alignment != 0)
        return Fault::kMisalignedPlacement;
      if (offsets[i] > capacity || buffer.size > capacity - offsets[i])
        return Fault::kBeyondCapacity;
      return Fault::kNone;
    }();
    if (fault != Fault::kNone) return {fault, i, kNone, {}};
  }
  const auto fault_of_two = [](Fault fault, std::size_t i, std::size_t j) {
    return Validation{fault, (std::min)(i, j), (std::max)(i, j), {}};
  };
  for (const Alias<Size>& alias : problem.aliases)
    if (offsets[alias.buffer] - offsets[alias.of] != alias.delta)
      return fault_of_two(Fault::kBrokenAlias, alias.buffer, alias.of);
  for (const std::vector<std::size_t>& group : problem.contiguous)
    for (std::size_t k = 1; k < group.size(); ++k)
      if (offsets[group[k]] - offsets[group[k - 1]] !=
          problem.buffers[group[k - 1]].size)
        return fault_of_two(Fault::kBrokenGroup, group[k], group[k - 1]);
  const Tied<Size> tied = tied_of(problem);
  for (const BufferPair& pair : problem.apart) {
    const Buffer<Size, Time>& a = problem.buffers[pair.first];
    const Buffer<Size, Time>& b = problem.buffers[pair.second];
    if (a.size == 0 || b.size == 0) continue;
    const Interval<Size> in_a =
        moved(Interval<Size>{0, a.size}, offsets[pair.first]);
    const Interval<Size> in_b =
        moved(Interval<Size>{0, b.size}, offsets[pair.second]);
    if (in_a.overlaps(in_b))
      return fault_of_two(Fault::kNotApart, pair.first, pair.second);
    if (tied.of[pair.first] != tied.of[pair.second] &&
        at_wrong_ends(a.end, in_a, b.end, in_b))
      return fault_of_two(Fault::kWrongEnd, pair.first, pair.second);
  }
  return validate_in_time(problem, offsets);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_PAIRWISE_HPP
