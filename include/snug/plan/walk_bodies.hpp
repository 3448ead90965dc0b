// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a problem with constraints: a search and an ejection
/// walk in turns.
///
///     search   for a few nodes a buffer: most problems are settled then
///     walk     for as many moves
///     search   for four times as many nodes, ...
///
/// One finds what the other one does not: the search what fills all of its room,
/// and proofs; the walk (bodies/ejection_walk.hpp) what has room that is torn by
/// what is fixed. A move counts as a node. Both go on where they were. Once the walk
/// is slower than walks that come to a placement, the search is left alone.
///
/// minimize() walks from the best placement known to a lower height, a part of the
/// gap to the bound at a time, as long as it gets there; then in smaller parts.
#ifndef SNUG_PLAN_WALK_BODIES_HPP
#define SNUG_PLAN_WALK_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/body_placer.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/ejection_walk.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// An ejection walk for each component of a problem, one after the other.
class BodiesWalk {
 public:
  /// Of no use if the call gave up.
  BodiesWalk(const Flat& flat, Call& call)
      : flat_(&flat), call_(&call), bodies_(build(flat, call)) {
    if (call.gave_up()) return;
    const std::int64_t meetings = count_meetings(bodies_);
    if (meetings > BodyPlacer::meetings_in_memory(call) ||
        meetings > BodyPlacer::meetings_in_time(call))
      return;
    ComponentBuilder builder(bodies_);
    components_ = builder.build(/*with_cliques=*/false);
    call.count_bytes(bodies_.bytes() + builder.peak_bytes());
    std::size_t bytes = bodies_.bytes() + bytes_of(components_);
    for (const Component& component : components_) {
      walks_.emplace_back(component, call.options().seed);
      bytes += walks_.back().bytes();
    }
    held_.emplace(call, bytes);
  }

  [[nodiscard]] bool can_walk() const noexcept { return !walks_.empty(); }
  /// Whether the walk that comes next may find a placement.
  [[nodiscard]] bool is_promising() const {
    for (const EjectionWalk& walk : walks_)
      if (!walk.is_done() && walk.moves() > 0) return walk.is_promising();
    return can_walk();
  }

  /// Aims at a capacity, in bytes; no higher than what is enough if any is.
  void aim_at(std::int64_t capacity) {
    const std::int64_t units =
        (std::min)({capacity / bodies_.unit, sufficient_capacity(bodies_, 0),
                    kFar / 4 - 1});
    for (EjectionWalk& walk : walks_) walk.aim_at(units);
  }
  /// Begins at a placement, in bytes, by buffer.
  void start_from(const List<std::int64_t>& offsets) {
    List<std::int64_t> at(bodies_.bodies.size(), 0);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      at[bodies_.body_of[i]] = offsets[i] / bodies_.unit - bodies_.delta[i];
    for (EjectionWalk& walk : walks_) {
      List<std::int64_t> own;
      for (const Index b : walk.component().body) own.push_back(at[b]);
      walk.start_from(std::move(own));
    }
  }

  /// Goes on until all is placed, or until each walk had so many moves a body
  /// since it aims at the capacity.
  [[nodiscard]] Outcome run(std::int64_t moves, Found& found) {
    std::int64_t& nodes = call_->stats().nodes;
    for (EjectionWalk& walk : walks_) {
      const std::int64_t most = moves * walk.component().size;
      for (; !walk.is_done(); ++nodes)
        if (walk.moves() >= most || call_->limits().hit(nodes) || !walk.move())
          return Outcome::kStopped;
    }
    if (!can_walk()) return Outcome::kStopped;
    write(found);
    return Outcome::kPlacedAll;
  }

 private:
  [[nodiscard]] static Bodies build(const Flat& flat, Call& call) {
    BodyBuilder builder(flat, call.interrupt());
    Bodies bodies = builder.build(/*with_cliques=*/false);
    call.count_bytes(builder.peak_bytes());
    return bodies;
  }

  void write(Found& found) const {
    List<std::int64_t> offsets(bodies_.bodies.size(), 0);
    for (Index b = 0; b < offsets.size(); ++b)
      if (bodies_.bodies[b].fixed != Body::kFree)
        offsets[b] = bodies_.bodies[b].fixed;
    for (const EjectionWalk& walk : walks_)
      for (Index x = 0; x < walk.component().size; ++x)
        offsets[walk.component().body[x]] = walk.offsets()[x];
    found.offsets.resize(flat_->buffers.size());
    for (std::size_t i = 0; i < found.offsets.size(); ++i)
      found.offsets[i] =
          (offsets[bodies_.body_of[i]] + bodies_.delta[i]) * bodies_.unit;
  }

  const Flat* flat_;
  Call* call_;
  Bodies bodies_;
  std::vector<Component> components_{};
  std::vector<EjectionWalk> walks_{};  ///< of each component
  std::optional<Held> held_{};
};

/// Moves and nodes a buffer of the first turn.
inline constexpr std::int64_t kFirstTurn = 8;

/// The nodes of a turn of so many a buffer.
[[nodiscard]] inline std::int64_t nodes_of(std::int64_t turn,
                                           const Flat& flat) noexcept {
  return multiply_nodes(turn, static_cast<std::int64_t>(flat.buffers.size()));
}

/// Places a presolved problem below `capacity`.
template <class E>
[[nodiscard]] Outcome search_and_walk(const Flat& flat, std::int64_t capacity,
                                      Call& call, Found& found) {
  const Held held(call, flat.bytes());
  Share share(call, Share::Of::kWhole);
  std::optional<PresolvedSearch<E>> search;
  std::optional<BodiesWalk> walk;
  for (std::int64_t turn = kFirstTurn;; turn = longer_turn(turn)) {
    const bool walks = !walk || walk->is_promising();
    {
      const Turn now(share, walks ? nodes_of(turn, flat) : kNoNodeLimit);
      if (!search) search.emplace(flat, capacity, share.call());
      const Outcome outcome = search->run(found);
      // If it stopped by itself, for want of memory or time, nor can it walk.
      if (outcome != Outcome::kStopped || !share.call().is_stopped())
        return outcome;
      if (share.call().gave_up()) search.reset();
    }
    if (!walks || call.is_stopped()) return Outcome::kStopped;
    if (!walk) {
      walk.emplace(flat, call);
      walk->aim_at(capacity);
    }
    if (call.gave_up()) return Outcome::kStopped;
    const Outcome outcome = walk->run(turn, found);
    if (outcome != Outcome::kStopped || call.is_stopped()) return outcome;
  }
}

/// Walks down from a placement, a part of the gap at a time, one in `parts`.
/// False if it did not come down once.
[[nodiscard]] inline bool walk_down(const Flat& flat, std::int64_t moves,
                                    std::int64_t parts, BodiesWalk& walk,
                                    Call& call, Found& found) {
  std::int64_t height = height_of(flat.buffers, found.offsets);
  for (bool comes_down = false;; comes_down = true) {
    if (height <= found.bound) return true;
    walk.start_from(found.offsets);
    walk.aim_at(height - 1 - (height - found.bound) / parts);
    if (walk.run(moves, found) != Outcome::kPlacedAll) return comes_down;
    const std::int64_t lower = height_of(flat.buffers, found.offsets);
    // What is fixed may be higher than all that walks.
    if (lower >= height) return comes_down;
    call.limits().note_height(height = lower);
  }
}

/// Finds the lowest placement of a presolved problem.
template <class E>
[[nodiscard]] Outcome lower_and_walk(const Flat& flat, std::int64_t ceiling,
                                     Call& call, Found& found) {
  constexpr std::int64_t kMostParts = 32;
  const Held held(call, flat.bytes());
  std::int64_t parts = 4;
  std::optional<BodiesWalk> walk;
  for (std::int64_t turn = kFirstTurn; parts <= kMostParts;
       turn = longer_turn(turn)) {
    Outcome outcome = Outcome::kStopped;
    bool has_more = false;
    {
      Share share(call, Share::Of::kWhole);
      const Turn now(share, nodes_of(turn, flat));
      outcome = lower_presolved<E>(flat, ceiling, share.call(), found);
      has_more = share.call().is_stopped();
    }
    const bool has_found = !found.offsets.empty();
    if (outcome == Outcome::kRefuted) return outcome;
    if (call.is_stopped() ||
        (has_found && height_of(flat.buffers, found.offsets) <= found.bound))
      return has_found ? Outcome::kPlacedAll : Outcome::kStopped;
    if (!has_found || !has_more) break;
    if (!walk) walk.emplace(flat, call);
    if (call.gave_up()) return Outcome::kPlacedAll;
    if (!walk->can_walk()) break;
    if (!walk_down(flat, turn, parts, *walk, call, found)) parts *= 2;
    if (call.is_stopped()) return Outcome::kPlacedAll;
  }
  return lower_presolved<E>(flat, ceiling, call, found);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WALK_BODIES_HPP
