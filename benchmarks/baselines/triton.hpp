// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triton's shared memory: starts from open slots, then colouring until no two
/// buffers interfere.
///
///     a slot is an offset and the time in which memory is free above it:
///
///       +-----+              the buffer takes the lowest slot; what it leaves
///       |  b  | 1  slot      are a slot above it, while it lives, and slots
///       +-----+------        at the old offset to its left and right, which
///      0      2              reach over its lifespan and so may be wrong
///
/// The largest buffer that is live in the lowest slot, and in no other one,
/// takes it. Then buffers that share bytes while both live are coloured, the
/// largest first, each with the lowest colour; all but those of colour 0 move
/// above their neighbours of any colour; and again until there are none.
///
/// What differs: where no slot is left, which cannot be while a buffer is, the
/// rest is stacked. Warp-specialised regions, physical partitions and aliases
/// are no part of the signature.
///
/// Cost: O(n^2 * slots) and O(pairs) a round.
/// Source: triton-lang/triton lib/Analysis/Allocation.cpp.
#ifndef SNUG_BASELINES_TRITON_HPP
#define SNUG_BASELINES_TRITON_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "baselines/tflite_gpu.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

/// Offsets that may collide. Empty when the meter runs out.
[[nodiscard]] inline std::vector<Bytes> triton_starts(
    const Problem<>& problem, const std::vector<std::size_t>& order,
    Meter& meter) {
  std::vector<Bytes> offsets(problem.buffers.size(), 0);
  std::multimap<Bytes, Interval<Moment>> slots;
  slots.insert({0,
                {(std::numeric_limits<Moment>::min)(),
                 (std::numeric_limits<Moment>::max)()}});
  std::vector<std::size_t> rest = order;
  Bytes top = 0;
  while (!rest.empty() && !slots.empty()) {
    const Bytes offset = slots.begin()->first;
    const Interval<Moment> time = slots.begin()->second;
    slots.erase(slots.begin());
    auto chosen = rest.begin();
    for (; chosen != rest.end(); ++chosen) {
      if (!meter.spend()) return {};
      const Interval<Moment>& lifespan = problem.buffers[*chosen].lifespan;
      if (lifespan.overlaps(time) &&
          std::none_of(slots.begin(), slots.end(), [&](const auto& slot) {
            return slot.second.overlaps(lifespan);
          }))
        break;
    }
    if (chosen == rest.end()) continue;
    const Buffer<>& buffer = problem.buffers[*chosen];
    const Interval<Moment>& lifespan = buffer.lifespan;
    offsets[*chosen] = align_up(offset, buffer.alignment);
    const Bytes end = offsets[*chosen] + buffer.size;
    top = (std::max)(top, end);
    slots.insert({end,
                  {(std::max)(time.lower, lifespan.lower),
                   (std::min)(time.upper, lifespan.upper)}});
    if (time.lower < lifespan.lower)
      slots.insert({offset, {time.lower, lifespan.upper}});
    if (lifespan.upper < time.upper)
      slots.insert({offset, {lifespan.lower, time.upper}});
    rest.erase(chosen);
  }
  for (const std::size_t i : rest) {
    offsets[i] = align_up(top, problem.buffers[i].alignment);
    top = offsets[i] + problem.buffers[i].size;
  }
  return offsets;
}

[[nodiscard]] inline Placement triton_colouring(const Problem<>& problem,
                                                const Budget& budget) {
  Meter meter(budget);
  const std::size_t n = problem.buffers.size();
  const std::vector<std::size_t> order = by_size(problem);
  Placement result;
  std::vector<Bytes> offsets = triton_starts(problem, order, meter);
  result.steps = meter.steps();
  if (meter.over()) return result;
  const auto conflicts = conflicts_of(problem);
  std::vector<std::vector<std::uint32_t>> colliding(n);
  const auto end_of = [&](std::size_t i) {
    return offsets[i] + problem.buffers[i].size;
  };
  const auto find_collisions = [&] {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
      colliding[i].clear();
      for (const std::uint32_t j : conflicts[i])
        if (offsets[i] < end_of(j) && offsets[j] < end_of(i))
          colliding[i].push_back(j);
      any = any || !colliding[i].empty();
    }
    return any;
  };
  constexpr std::size_t kNoColour = static_cast<std::size_t>(-1);
  while (find_collisions()) {
    std::vector<std::size_t> colours(n, kNoColour);
    for (const std::size_t i : order) {
      if (!meter.spend()) return {{}, 0, meter.steps()};
      std::vector<char> is_used(colliding[i].size() + 1, 0);
      for (const std::uint32_t j : colliding[i])
        if (colours[j] < is_used.size()) is_used[colours[j]] = 1;
      colours[i] = static_cast<std::size_t>(
          std::find(is_used.begin(), is_used.end(), 0) - is_used.begin());
    }
    for (const std::size_t i : order) {
      if (colours[i] == 0) continue;
      Bytes above = 0;
      for (const std::uint32_t j : colliding[i])
        above = (std::max)(above, end_of(j));
      offsets[i] = align_up(above, problem.buffers[i].alignment);
    }
  }
  result.offsets = std::move(offsets);
  result.steps = meter.steps();
  return result;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_TRITON_HPP
