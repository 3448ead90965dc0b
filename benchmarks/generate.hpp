// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random instances. Everything is deterministic in its arguments, seed
/// included, on every compiler and platform.
///
///     guillotine          tight walk          nested        mixed
///     +----+-------+      +---+-----+--+      +--------+    +---------+
///     |    |       |      |   |     |  |       +------+     ++ ++ + +++
///     |    +---+---+      +---+--+--+--+        +----+      +------+
///     +----+   |   |      | |    |  |  |         +--+       + + ++ ++ +
///     |    |   |   |      | |    |  |  |          ++        +---------+
///     +----+---+---+      +-+----+--+--+
///
/// A guillotine cut has no slack anywhere and fits by construction. A tight
/// walk has no slack either, but nobody knows whether it fits: short ones
/// nearly always do.
#ifndef SNUG_BENCHMARKS_GENERATE_HPP
#define SNUG_BENCHMARKS_GENERATE_HPP

#include "random.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// A problem with a placement of it, in input order.
template <class Size = std::int64_t, class Time = std::int64_t>
struct Instance {
  Problem<Size, Time> problem{};
  std::vector<Size> offsets{};
};

/// `total` as a sum of `parts` positive numbers, every way equally likely.
/// 1 <= parts <= total; O(parts^2) time.
template <class Size>
[[nodiscard]] std::vector<Size> split(Size total, std::size_t parts,
                                      Random& random) {
  // A subset of the cuts 1 to total - 1 by Floyd's method: no rejection loop.
  std::vector<Size> cuts;
  const auto choose = static_cast<Size>(parts - 1);
  for (Size top = static_cast<Size>(total - choose); top < total; ++top) {
    const Size cut = random.between(Size{1}, top);
    const bool taken = std::find(cuts.begin(), cuts.end(), cut) != cuts.end();
    cuts.push_back(taken ? top : cut);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(total);
  for (std::size_t i = cuts.size(); i-- > 1;)
    cuts[i] = static_cast<Size>(cuts[i] - cuts[i - 1]);
  return cuts;
}

/// The rectangle of `length` time steps by `capacity` bytes, cut again and
/// again from side to side into `count` buffers; rows in random order. The
/// load is the capacity at all times. 1 <= count <= length * capacity.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Instance<Size, Time> guillotine(
    typename Problem<Size, Time>::TimeType length,
    typename Problem<Size, Time>::SizeType capacity, std::size_t count,
    std::uint64_t seed) {
  struct Part {
    std::uint64_t time, bytes;     // lower corner
    std::uint64_t length, height;  // extent
    std::uint64_t count;           // buffers to be cut from it
  };
  Random random(seed);
  std::vector<Part> parts = {{0, 0, static_cast<std::uint64_t>(length),
                              static_cast<std::uint64_t>(capacity), count}};
  std::vector<Part> done;
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (part.count == 1) {
      done.push_back(part);
      continue;
    }
    const bool in_time =
        part.height == 1 || (part.length > 1 && random.chance(50));
    const std::uint64_t extent = in_time ? part.length : part.height;
    const std::uint64_t across = in_time ? part.height : part.length;
    // The cut lies anywhere between half and one and a half times (at most)
    // the place that would give all buffers the same area.
    std::uint64_t first = 1 + random.below(part.count - 1);
    const std::uint64_t even = extent / part.count * first;
    const std::uint64_t cut =
        random.between((std::max)(even / 2, std::uint64_t{1}),
                       (std::min)(even + (extent - even) / 2, extent - 1));
    // No part may be asked for more buffers than it has cells. Capped at
    // `count` each way, the product counts cells without overflow.
    const auto cells = [&](std::uint64_t along) {
      return (std::min)(along, part.count) * (std::min)(across, part.count);
    };
    first = (std::min)(first, cells(cut));
    if (cells(extent - cut) < part.count - first)
      first = part.count - cells(extent - cut);
    Part low = part;
    Part high = part;
    (in_time ? low.length : low.height) = cut;
    (in_time ? high.length : high.height) = extent - cut;
    (in_time ? high.time : high.bytes) += cut;
    low.count = first;
    high.count = part.count - first;
    parts.push_back(low);
    parts.push_back(high);
  }
  random.shuffle(done);
  Instance<Size, Time> instance;
  for (const Part& part : done) {
    Buffer<Size, Time> buffer;
    buffer.lifespan = {static_cast<Time>(part.time),
                       static_cast<Time>(part.time + part.length)};
    buffer.size = static_cast<Size>(part.height);
    instance.problem.buffers.push_back(std::move(buffer));
    instance.offsets.push_back(static_cast<Size>(part.bytes));
  }
  return instance;
}

/// What a tight walk looks like.
struct TightWalk {
  std::int64_t units = 16;       ///< capacity, in units
  std::int64_t unit = 1;         ///< bytes a unit; sizes are multiples of it
  std::size_t live = 4;          ///< buffers in the first stack, <= units
  std::int64_t steps = 4;        ///< time steps, >= 1
  std::size_t most_changed = 3;  ///< buffers that end, or begin, at one step
};

/// A full stack of buffers; at each time step one to `most_changed` of them end
/// and one to `most_changed` new ones of the same total size begin. The load
/// is units * unit at all times. Buffers come in order of their ends.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> tight_walk(const TightWalk& walk,
                                             std::uint64_t seed) {
  struct Live {
    std::int64_t since, units;
  };
  Random random(seed);
  Problem<Size, Time> problem;
  const auto finish = [&](const Live& live, std::int64_t now) {
    Buffer<Size, Time> buffer;
    buffer.lifespan = {static_cast<Time>(live.since), static_cast<Time>(now)};
    buffer.size = static_cast<Size>(live.units * walk.unit);
    problem.buffers.push_back(std::move(buffer));
  };
  std::vector<Live> stack;
  for (const std::int64_t units : split(walk.units, walk.live, random))
    stack.push_back({0, units});
  for (std::int64_t now = 1; now < walk.steps; ++now) {
    const std::size_t ends = random.between(
        std::size_t{1}, (std::min)(walk.most_changed, stack.size()));
    std::int64_t freed = 0;
    random.shuffle(stack);
    for (std::size_t k = 0; k < ends; ++k) {
      finish(stack.back(), now);
      freed += stack.back().units;
      stack.pop_back();
    }
    const std::size_t begins = random.between(
        std::size_t{1},
        (std::min)(walk.most_changed, static_cast<std::size_t>(freed)));
    for (const std::int64_t units : split(freed, begins, random))
      stack.push_back({now, units});
  }
  for (const Live& live : stack) finish(live, walk.steps);
  return problem;
}

/// `count` buffers that begin anywhere in `length` time steps and whose
/// lifespans have the half-life `half_life` (at least 1 step each), cut off at
/// `length`; sizes uniform in [1, largest].
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> exponential(
    std::size_t count, typename Problem<Size, Time>::TimeType length,
    typename Problem<Size, Time>::TimeType half_life,
    typename Problem<Size, Time>::SizeType largest, std::uint64_t seed) {
  Random random(seed);
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < count; ++i) {
    Buffer<Size, Time> buffer;
    const Time start = random.between(Time{0}, static_cast<Time>(length - 1));
    // Whole half-lives survived, then a part of one: no logarithm, whose last
    // digit would depend on the platform.
    const Time room = static_cast<Time>(length - start);
    Time lived = random.between(Time{1}, half_life);
    while (lived < room && random.chance(50))
      lived = static_cast<Time>(lived + (std::min)(half_life, room));
    buffer.lifespan = {start,
                       static_cast<Time>(start + (std::min)(lived, room))};
    buffer.size = random.between(Size{1}, largest);
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

/// `count` buffers, each live within the lifespan of the one before.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> nested(
    std::size_t count, typename Problem<Size, Time>::SizeType largest,
    std::uint64_t seed) {
  Random random(seed);
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < count; ++i) {
    Buffer<Size, Time> buffer;
    buffer.lifespan = {static_cast<Time>(i), static_cast<Time>(2 * count - i)};
    buffer.size = random.between(Size{1}, largest);
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

/// `count` buffers within `length` time steps (>= 1): one in ten lives for a
/// quarter of the time or more, the others for a fiftieth at most.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> mixed(
    std::size_t count, typename Problem<Size, Time>::TimeType length,
    typename Problem<Size, Time>::SizeType largest, std::uint64_t seed) {
  Random random(seed);
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < count; ++i) {
    Buffer<Size, Time> buffer;
    const bool is_long = random.chance(10);
    const Time least = is_long ? static_cast<Time>(length / 4) : Time{1};
    const Time most = is_long ? length : static_cast<Time>(length / 50);
    const Time lived =
        random.between((std::max)(least, Time{1}), (std::max)(most, Time{1}));
    const Time start =
        random.between(Time{0}, static_cast<Time>(length - lived));
    buffer.lifespan = {start, static_cast<Time>(start + lived)};
    buffer.size = random.between(Size{1}, largest);
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_GENERATE_HPP
