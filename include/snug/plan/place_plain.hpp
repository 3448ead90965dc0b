// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a presolved problem that is plain from its ground and
/// asks for nothing else:
///
///     solve      from the ground (plan/from_ground.hpp)
///     minimize   a placement to begin with (plan/plain_start.hpp), then down from there
///                by solves at several capacities (plan/ladder.hpp)
#ifndef SNUG_PLAN_PLACE_PLAIN_HPP
#define SNUG_PLAN_PLACE_PLAIN_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/bounds/packed_load.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/ladder.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The ground of a plain problem that nothing else is made of, neither coarser ones nor
/// walks.
[[nodiscard]] inline Ground only_ground(const Flat& flat) {
  const Ground ground = flat.apart.empty() ? plain_ground(flat) : std::nullopt;
  return ground && coarse_grid(flat) == 1 && !has_mixed_alignments(flat, 1)
             ? ground
             : std::nullopt;
}

/// What sections need of a plain problem that is placed up to a height, as far as that is
/// soon known, if it is above `bound`: beside obstacles (bounds/packed_load.hpp), and in a
/// stack (bounds/aligned_stack.hpp). No placement is lower.
[[nodiscard]] inline std::int64_t raise_by_sections(const Plain& plain,
                                                    std::int64_t bound,
                                                    std::int64_t height,
                                                    Call& call) {
  const std::size_t n = plain.order.size();
  if (!plain.obstacles.empty() && bound < height) {
    PackedLoads loads(plain);
    loads.run(bound, height - 1, packing_steps_for(n), call.stopper());
    call.count_bytes(sizeof(loads) + loads.bytes());
    bound = (std::max)(bound, loads.height());
  }
  const auto alignment = [&](Index i) { return plain.buffers[i].alignment; };
  const bool is_mixed = std::any_of(
      plain.order.begin(), plain.order.end(),
      [&](Index i) { return alignment(i) != alignment(plain.order[0]); });
  if (!is_mixed) return bound;
  Share share(call, Share::kNoSearch);
  AlignedStacks stacks(plain, table_bytes_of(call.options()));
  // Where no node is left, those that are soon known are worth their time yet.
  if (bound < height)
    stacks.run(bound, height - 1, kFirstStackSteps, share.call().interrupt());
  if ((std::max)(bound, stacks.height()) < height)
    stacks.run(bound, height - 1, stack_steps_for(n), share.call().stopper());
  call.count_bytes(sizeof(stacks) + stacks.bytes());
  return (std::max)(bound, stacks.height());
}

/// Takes a placement of the plain problem as that of the flat one, if it is at most
/// `highest` high, and what is proved on the way.
template <class M>
void start_from_ground(const Flat& flat, const AboveGround<M>& above,
                       std::int64_t highest, Call& call, Found& found) {
  const auto note_bound = [&](std::int64_t bound) {
    found.bound = (std::max)(found.bound, bound + above.ground());
    call.note_bound(found.bound);
  };
  note_bound(above.bound());
  if (found.bound > highest) return;
  const Plain& plain = above.plain();
  List<std::int64_t> offsets(plain.buffers.size(), 0);
  if (!plain.order.empty()) {
    Share share(call, kNoNodeLimit, Share::Of::kWhole);
    share.call().limits().set_ground(above.ground());
    share.call().note_bound(above.bound());
    PlainStart<M> start(plain, above.bound(), share.call());
    if (!start.run()) return;
    offsets = std::move(start.offsets());
    note_bound(start.bound());
  }
  above.lift(flat, offsets);
  const List<FlatBuffer>& buffers =
      flat.buffers.empty() ? plain.buffers : flat.buffers;
  const std::int64_t height = height_of(buffers, offsets);
  if constexpr (M::kBoth)
    note_bound(raise_by_sections(
        plain, found.bound - above.ground(),
        (std::min)(height, highest + 1) - above.ground(), call));
  if (height <= highest) found.offsets = std::move(offsets);
}

/// A placement below `ceiling`, any one or the lowest; from that in `found`, if there
/// is one. Nothing is fixed or reserved.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_plain(Flat flat, std::int64_t ground,
                                  std::int64_t ceiling, Call& call,
                                  Found& found) {
  const std::int64_t unit =
      kWanted == Wanted::kLowest ? unit_of(flat, ground) : 1;
  GroundProblem<M> problem(std::move(flat), ground, call);
  const auto place = [&](Call& turn) {
    return GroundSolve<M>(problem, ceiling, turn).run(found);
  };
  if constexpr (kWanted == Wanted::kAny) {
    return call.gave_up() ? Outcome::kOpen : place(call);
  } else {
    const auto height = [&] {
      return height_of(problem.buffers, found.offsets);
    };
    if (!call.gave_up())
      start_from_ground(problem.rest, problem.above,
                        found.offsets.empty() ? ceiling : height() - 1, call,
                        found);
    if (found.bound > ceiling) return Outcome::kRefuted;
    if (call.gave_up() || call.is_stopped())
      return when_stopped(kWanted, found);
    if (found.offsets.empty()) {
      Share share(call, kNoNodeLimit, Share::Of::kWhole);
      const Outcome outcome = place(share.call());
      if (outcome != Outcome::kPlacedAll) return outcome;
    }
    call.limits().note_height(height());
    Ladder<GroundSolve<M>>(problem, {unit, ground}, call).climb(found);
    return Outcome::kPlacedAll;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_PLAIN_HPP
