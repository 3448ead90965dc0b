// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A relaxed placement of a large problem, from which others are made that honour its
/// constraints (plan/large_bodies.hpp): nothing is known of any constraint but the
/// alignments, so it is placed as a problem that has no others.
///
/// Offsets count from the base of memory. They are multiples of the alignments then,
/// which is not what the whole needs if the base is not.
///
/// Cost: that of the dives; O(n) memory.
#ifndef SNUG_PLAN_RELAXED_HPP
#define SNUG_PLAN_RELAXED_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Offsets by buffer of the plain problem; none if they are not known or the call
/// gave up.
template <class M>
[[nodiscard]] List<std::int64_t> place_relaxed(const Flat& flat,
                                               std::int64_t ceiling,
                                               Wanted wanted, Call& call) {
  const Plain relaxed = make_plain(flat.buffers, call.interrupt());
  if (call.gave_up() || relaxed.order.empty()) return {};
  const Held held(call, relaxed.bytes());
  const std::int64_t bound = aligned_load(relaxed, call.interrupt());
  Share share(call, 1);  // Heuristics, and no search to speak of.
  if (wanted == Wanted::kLowest) {
    PlainStart<M> start(relaxed, bound, share.call());
    if (start.run()) return std::move(start.offsets());
  } else {
    PlainSolve<M> solve({&relaxed, ceiling - flat.base, bound}, share.call());
    if (solve.run() == Outcome::kPlacedAll)
      return std::move(solve.found().offsets);
  }
  return {};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_RELAXED_HPP
