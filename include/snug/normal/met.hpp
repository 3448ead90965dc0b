// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where most buffers are fixed, or all that are fixed make no difference: which
/// buffers matter.
///
///     free           |--x--|                  a and b matter; of the others the
///     fixed    |--a--|--b--|  |--c--| ...     one with the highest top alone
///
/// A fixed buffer says where another one cannot be only if both are live together
/// or kept apart; who is tied to it is fixed itself. So a placement of all but the
/// fixed ones that are neither with any free one is one of the whole, as they share
/// bytes with nobody where they are. How low that can be the highest of them says.
///
/// Cost: O(n log f) for n buffers, f of which are free, and a look at each pair
/// kept apart; where most are free, mostly O(n), as the first fixed one is met.
#ifndef SNUG_NORMAL_MET_HPP
#define SNUG_NORMAL_MET_HPP

#include "snug/config.hpp"
#include "snug/model/busy_times.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// All buffers but the fixed ones that make no difference, ascending, if at least
/// half are fixed; else all. The problem is well-formed: no two fixed buffers share
/// bytes unless they may. All, too, if it is interrupted.
[[nodiscard]] inline List<Index> list_met(const Flat& flat,
                                          const Interrupt& interrupt = {}) {
  List<Index> met = numbers_below(flat.buffers.size());
  List<Index> free = met;
  erase_if(free, [&](Index i) { return flat.is_fixed(i); });
  if (free.size() > met.size() / 2) return met;
  BusyTimes busy(free.size());
  for (const Index i : free) busy.add(flat.buffers[i].lifespan);
  if (!busy.merge(interrupt)) return met;
  List<char> is_met(met.size(), 0);
  for (const auto& [a, b] : flat.apart)
    if (!flat.is_fixed(a) || !flat.is_fixed(b)) is_met[a] = is_met[b] = 1;
  const FlatBuffer* highest = nullptr;
  std::int64_t height = 0;
  for (const Index i : met) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (!flat.is_fixed(i) || busy.overlaps(buffer.lifespan)) is_met[i] = 1;
    const std::int64_t top = flat.fixed[i] + buffer.size;
    if (is_met[i] != 0 || (highest != nullptr && top <= height)) continue;
    highest = &buffer;
    height = top;
  }
  erase_if(met, [&](Index i) {
    return is_met[i] == 0 && &flat.buffers[i] != highest;
  });
  return met;
}

/// The free buffers, ascending, if some are fixed and none of these is met; else
/// none. None, too, if it is interrupted.
[[nodiscard]] inline List<Index> list_free_if_alone(
    const Flat& flat, const Interrupt& interrupt = {}) {
  List<Index> free;
  List<Index> fixed;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    (flat.is_fixed(i) ? fixed : free).push_back(i);
  if (fixed.empty()) return {};
  const auto meets_first = [&](Index i) {
    return flat.buffers[i].lifespan.overlaps(
        flat.buffers[fixed.front()].lifespan);
  };
  // What is fixed is mostly met, which is soon seen.
  if (any_that(free, meets_first)) return {};
  for (const auto& [a, b] : flat.apart)
    if (flat.is_fixed(a) != flat.is_fixed(b)) return {};
  BusyTimes busy(free.size());
  for (const Index i : free) busy.add(flat.buffers[i].lifespan);
  if (!busy.merge(interrupt)) return {};
  const auto is_met = [&](Index i) {
    return busy.overlaps(flat.buffers[i].lifespan);
  };
  if (any_that(fixed, is_met)) return {};
  return free;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_MET_HPP
